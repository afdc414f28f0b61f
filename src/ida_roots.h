/* ida_roots.h - the root functions as IDA gets to see them: an exact zero counts as crossed. */
#ifndef RSD_IDA_ROOTS_H
#define RSD_IDA_ROOTS_H

#include "guard.h"

typedef struct rsd_roots {
    rsd_guard *guard;
    int n;
    double *latest;  /* [n] values at t_latest, the latest time they were asked for */
    double *instead; /* [n] what stands for an exact zero; 0: nothing does */
    double t_latest;
} rsd_roots;

resida_status rsd_roots_create(rsd_roots *roots, rsd_guard *guard, const resida_allocator *alloc);
void rsd_roots_free(rsd_roots *roots, const resida_allocator *alloc);

/** The integration starts anew. */
void rsd_roots_reset(rsd_roots *roots);

/** A step begins at the time where the root functions were asked for last. */
void rsd_roots_begin_step(rsd_roots *roots);

/** Values at (t, y, yp) into out [n]. 0; < 0 stop, as rsd_guard_roots(). */
int rsd_roots_eval(rsd_roots *roots, double t, const double *y, const double *yp, double *out);

#endif
