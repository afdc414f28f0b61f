/* start_dae.h - a consistent start of a general DAE of index 1. */
#ifndef RSD_START_DAE_H
#define RSD_START_DAE_H

#include "src/watch/guard.h"
#include "start_matrix.h"
#include "src/watch/tolerance.h"

/** Work space of starts; initially zeroed, kept for the next start. */
typedef struct rsd_dae_start {
    double *F, *F_trial;        /* [n] F at the current and at the trial point */
    double *dy, *dyp, *y0;      /* [n] corrections that are subtracted from y and yp; initial y */
    double *dy_left, *dyp_left; /* [n] the next corrections, with the same matrix */
    rsd_start_matrix B;
    int is_doubtful; /* 1: B was nearly singular at some point */
} rsd_dae_start;

/** Solve F(t, y, yp) = 0 for yp, and for y along the kernel of M = dF/dyp, so that M y is kept: algebraic components
 *  are changed, differential ones are not. Components of yp on which F does not depend are kept. The first call
 *  allocates. o: the last correction of y is below its tolerances. y, yp [n] in and out.
 *  @return RESIDA_OK; RESIDA_ERR_INCONSISTENT, _MEMORY; a status of the guard */
resida_status rsd_start_dae(rsd_dae_start *w, rsd_guard *guard, const resida_solver_options *o, double t, double *y,
                            double *yp);
void rsd_dae_start_free(rsd_dae_start *w, const resida_allocator *alloc);

#endif
