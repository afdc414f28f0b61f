/* model_util.h - what the built-in models share: memory, known states, drawings. */
#ifndef BENCH_MODEL_UTIL_H
#define BENCH_MODEL_UTIL_H

#include <resida/model.h>

#define BENCH_COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/** count objects of `each` bytes, zeroed, to be freed by free(); NULL without memory, then `why` says so. */
void *bench_alloc(int count, size_t each, resida_message *why);

/** 1 when x and y differ by rounding only. */
int bench_same(double x, double y);

/** Known states: `count` numbers, in rows of t, p [n_p], v [n_v], lam [n_lam]. */
typedef struct bench_states {
    int count, n_p, n_v, n_lam;
    const double *values;
} bench_states;

/** The row at time t, copied to what is not NULL. @return 0; 1 when there is none of t */
int bench_states_read(const bench_states *states, double t, double *p, double *v, double *lam);

/** out [n] = value. */
void bench_fill(int n, double value, double *out);

/** Points of a model in the plane, which is upright: xyz [3 n] = (x, 0, y) of each; xy [2 n]. For a shape(). */
void bench_planar_points(const double *xy, int n, double *xyz);

/** Corners of a box around (x, y) of such a model, as long along x as `length`, half as high and deep. @return behind
 *  them */
double *bench_planar_box(double x, double y, double length, double *xyz);

/** v'M v/2 at a point, by the mass matrix of a mechanism whose velocities are those of space; NaN without memory. */
double bench_kinetic_energy(const resida_mechanism *m, const resida_model_point *at);

#endif
