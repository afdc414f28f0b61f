/* model_util.h - functions that the built-in models share: memory, known states, drawings. */
#ifndef BENCH_MODEL_UTIL_H
#define BENCH_MODEL_UTIL_H

#include <resida/model.h>

#define BENCH_COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/** Allocate count objects of `each` bytes, zeroed, to be freed by free(). @return NULL if memory is exhausted, with a
 *  message in `why` */
void *bench_alloc(int count, size_t each, resida_message *why);

/** Return 1 if x and y differ by rounding only. */
int bench_same(double x, double y);

/** Known states: `count` numbers, in rows of t, p [n_p], v [n_v], lam [n_lam]. */
typedef struct bench_states {
    int count, n_p, n_v, n_lam;
    const double *values;
} bench_states;

/** Copy the row at time t to the arrays that are not NULL. @return 0, or 1 if there is no such row */
int bench_states_read(const bench_states *states, double t, double *p, double *v, double *lam);

/** Set out [n] = value. */
void bench_fill(int n, double value, double *out);

/** Convert points xy [2 n] of a model in a vertical plane to xyz [3 n] = (x, 0, y), for shape(). */
void bench_planar_points(const double *xy, int n, double *xyz);

/** Write the corners of a box around (x, y) of such a model, of this length along x and half as high and deep. @return
 *  pointer after the corners */
double *bench_planar_box(double x, double y, double length, double *xyz);

/** Return v'M v/2 at a point for a mechanism whose v are velocities in space; NaN if memory is exhausted. */
double bench_kinetic_energy(const resida_mechanism *m, const resida_model_point *at);

#endif
