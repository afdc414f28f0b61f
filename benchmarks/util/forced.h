/* forced.h - mechanisms M(p) a = f(p, v, u) with a handful of coordinates, by their forces and their mass matrix: both
 * formalisms, and M as it is handed over. Their memory begins with a bench_forced. */
#ifndef BENCH_FORCED_H
#define BENCH_FORCED_H

#include <resida/mechanism.h>

enum { BENCH_FORCED_MAX = 7 }; /**< coordinates */

typedef struct bench_forced {
    int n;
    /** f [n]. @return 0; 1 when they do not exist here */
    int (*forces)(const void *memory, const double *p, const double *v, const resida_excitation *e, double *f);
    void (*fill_mass)(const void *memory, const double *p, double *M); /**< M [n x n], which comes zeroed; NULL: */
    double mass[BENCH_FORCED_MAX];                                     /**< [n] its diagonal, of constant masses */
} bench_forced;

/** Set sizes and callbacks; x is in the memory by then. */
void bench_forced_mechanism(const bench_forced *x, resida_mechanism *m);

#endif
