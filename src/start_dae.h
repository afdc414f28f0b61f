/* start_dae.h - a consistent start of a general DAE of index 1. */
#ifndef RSD_START_DAE_H
#define RSD_START_DAE_H

#include "guard.h"

/** Scratch: a matrix [n x n], vectors [n], pivots [n]. */
typedef struct rsd_scratch {
    double *A, *x, *r, *r0;
    int *pivots;
} rsd_scratch;

/** Solve F(t, y, yp) = 0 for yp of the differential and y of the algebraic components.
 *  y, yp [n] in and out. @return RESIDA_OK; RESIDA_ERR_INCONSISTENT; what the guard stopped for */
resida_status rsd_start_dae(rsd_guard *guard, const rsd_scratch *s, double t, double *y, double *yp);

#endif
