/* forced.h - mechanisms M(p) a = f(p, v, u) with few coordinates, defined by forces and mass matrix: sets the callbacks
 * of both formalisms and the mass matrix. The memory of such a model begins with a bench_forced. */
#ifndef BENCH_FORCED_H
#define BENCH_FORCED_H

#include <resida/mechanism.h>

enum { BENCH_FORCED_MAX = 7 }; /**< maximum number of coordinates */

typedef struct bench_forced {
    int n;
    /** Compute f [n]. @return 0, or 1 if the forces cannot be evaluated */
    int (*forces)(const void *memory, const double *p, const double *v, const resida_excitation *e, double *f);
    void (*fill_mass)(const void *memory, const double *p, double *M); /**< set M [n x n], zeroed; NULL: see mass */
    double mass[BENCH_FORCED_MAX];                                     /**< [n] diagonal of a constant M */
} bench_forced;

/** Set sizes and callbacks; x must already be in the memory. */
void bench_forced_mechanism(const bench_forced *x, resida_mechanism *m);

#endif
