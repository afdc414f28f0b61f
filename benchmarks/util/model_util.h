/* model_util.h - what the built-in models share: memory, defaults, tables of reference states, names. */
#ifndef BENCH_MODEL_UTIL_H
#define BENCH_MODEL_UTIL_H

#include <resida/model.h>

#define BENCH_COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/** count objects of `each` bytes, zeroed, to be freed by free(); NULL without memory, then `why` says so. */
void *bench_alloc(int count, size_t each, resida_message *why);

/** A destroy() for models whose only memory is `user`. */
void bench_destroy(resida_model *model);

/** 1 when all n parameters have their default values. */
int bench_all_default(int n, const resida_parameter *parameters, const double *values);

/** 1 when x and y differ by rounding only. */
int bench_same(double x, double y);

/** A table of known states: each row is t, p [n_p], v [n_v], lam [n_lam]. */
typedef struct cmd_table {
    int rows, n_p, n_v, n_lam;
    const double *values;
} cmd_table;

/** The row at time t, copied to what is not NULL. @return 0; 1 when the table does not have t */
int bench_table_read(const cmd_table *table, double t, double *p, double *v, double *lam);

/** out [n] = value. */
void bench_fill(int n, double value, double *out);

/** Names "x1'", "y1'", "x2'" ...: prefixes in turn, a number that rises after each turn, the suffix.
 *  @return [count] names in one block, to be freed by free(); NULL without memory, then `why` says so */
const char **bench_names(int count, int n_prefixes, const char *const *prefixes, const char *suffix,
                         resida_message *why);

/** Points of a model in the plane, which is upright: xyz [3 n] = (x, 0, y) of each; xy [2 n]. For a shape(). */
void bench_planar_points(const double *xy, int n, double *xyz);

/** Corners of a box around (x, y) of such a model, as long along x as `length`, half as high and deep. @return behind
 *  them */
double *bench_planar_box(double x, double y, double length, double *xyz);

/** v'M v/2 at a point, by the mass matrix of a mechanism whose velocities are those of space; NaN without memory. */
double bench_kinetic_energy(const resida_mechanism *m, const resida_model_point *at);

#endif
