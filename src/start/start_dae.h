/* start_dae.h - a consistent start of a general DAE of index 1. */
#ifndef RSD_START_DAE_H
#define RSD_START_DAE_H

#include "src/watch/guard.h"
#include "start_matrix.h"
#include "src/watch/tolerance.h"

/** What a start needs; kept for the next one. Zeroed at first. */
typedef struct rsd_dae_start {
    double *F, *F_trial;        /* [n] F, F at a trial, */
    double *dy, *dyp, *y0;      /* [n] what to take from y and yp, y at the begin */
    double *dy_left, *dyp_left; /* [n] what would be left to take */
    rsd_start_matrix B;
    int is_doubtful; /* B was nearly singular at some point */
} rsd_dae_start;

/** Solve F(t, y, yp) = 0 for yp, and for y where M y, M = dF/dyp, stays what it is: for algebraic components, and the
 *  others along the kernel of M. What of yp F does not depend on stays what it is. The first one takes memory.
 *  o: the last correction of y is below its tolerances. y, yp [n] in and out.
 *  @return RESIDA_OK; RESIDA_ERR_INCONSISTENT, _MEMORY; what the guard stopped for */
resida_status rsd_start_dae(rsd_dae_start *w, rsd_guard *guard, const resida_solver_options *o, double t, double *y,
                            double *yp);
void rsd_dae_start_free(rsd_dae_start *w, const resida_allocator *alloc);

#endif
