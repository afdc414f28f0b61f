/* bench_fixture.h - opens a built-in model for a test and calls its callbacks. Every failure ends the test. */
#ifndef RESIDA_TEST_BENCH_FIXTURE_H
#define RESIDA_TEST_BENCH_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "models.h"

enum { BENCH_MOST_U = 336 }; /**< excitations */

/** A model, and the excitation at the time of the last bench_at(). */
typedef struct bench {
    const resida_model_class *cls;
    resida_model model;
    const resida_mechanism *m; /**< &model.mechanism */
    double t, u[BENCH_MOST_U], ud[BENCH_MOST_U], udd[BENCH_MOST_U];
    resida_excitation e;
} bench;

/** A setting of a parameter; a list of them ends with name == NULL. */
typedef struct bench_setting {
    const char *name;
    double value;
} bench_setting;

/** Make a model by its class alone, without the library. settings NULL: defaults. Free with bench_close(). */
void bench_open(bench *b, const char *name, const bench_setting *settings);
void bench_close(bench *b);

/** Go to the time t: the excitation is evaluated. */
void bench_at(bench *b, double t);

/** @name Callbacks at the time of bench_at(), which must succeed; matrices full, by rows @{ */
void bench_residual(bench *b, const double *p, const double *v, const double *a, double *r);
void bench_acceleration(bench *b, const double *p, const double *v, const double *f, double *a);
void bench_mass(bench *b, const double *p, double *M);
void bench_g(bench *b, const double *p, double *g);
void bench_G(bench *b, const double *p, double *G);
/** p' = T v */
void bench_along_v(bench *b, const double *p, const double *v, double *pd);
/** G v + gI */
void bench_g_rate(bench *b, const double *p, const double *v, double *rate);
void bench_bias(bench *b, const double *p, const double *v, double *bias);
/** @} */

/** A mechanism at random states around its start: p within p_size, v within v_size, components from `small` on
 *  (elastic ones) within 1e-3 of that. rate: how fast it moves, 1/s. */
typedef struct bench_subject {
    const char *name;
    bench_setting settings[4];
    double p_size, v_size, rate;
    int small;
} bench_subject;

/** A subject with vectors p, v, a, f at a random state, and room for results. */
typedef struct bench_trial {
    bench b;
    const bench_subject *s;
    uint64_t seed;
    int n, n_g;
    double *p, *v, *a, *f;
    double *x, *y, *z; /* [n + n_g] */
    double *M, *G;
} bench_trial;

void bench_trial_open(bench_trial *k, const bench_subject *s);
void bench_trial_close(bench_trial *k);

/** The next random state, at a random time within 2/rate. */
void bench_trial_move(bench_trial *k);

/** max |x_i| */
double bench_largest(int n, const double *x);

/** out [n] = x + h y */
void bench_along(int n, const double *x, double h, const double *y, double *out);

/** The test ends where |x - y| > tolerance, or where one of them is NaN; x and y [n] in the second form. */
#define bench_near(x, y, tolerance)        bench_near_at((x), (y), (tolerance), __FILE__, __LINE__)
#define bench_all_near(n, x, y, tolerance) bench_all_near_at((n), (x), (y), (tolerance), __FILE__, __LINE__)
void bench_near_at(double x, double y, double tolerance, const char *file, int line);
void bench_all_near_at(int n, const double *x, const double *y, double tolerance, const char *file, int line);

/** n doubles, zeroed; the test ends without memory. */
double *bench_doubles(long n);

/** The next number of a fixed sequence, uniform in [-1, 1]. */
double bench_random(uint64_t *seed);

#endif
