/* complementarity.h - forces of contacts, with Coulomb friction or without, for accelerations or for the speeds after
 * an impact. */
#ifndef RSD_COMPLEMENTARITY_H
#define RSD_COMPLEMENTARITY_H

#include "base/memory.h"

/** A problem with n contacts. D has one row and one column for each gap, then, with friction, for each sliding
 *  direction. D is scaled to a diagonal of about 1. Its size is N = 2 n with friction, else N = n. */
typedef struct rsd_complementarity {
    int n;               /* number of contacts */
    const double *D, *q; /* matrix [N x N] and vector [N] of the problem */
    const double *mu;    /* [n] friction coefficients of the scaled problem; 0: no friction; NULL: all are 0 */
    const int *slides;   /* [n] 1, -1 sign of the speed; 0: undecided; NULL: all are undecided, states are not set */
    const double *base;  /* [n] given part of the forces N; NULL: 0 */
    double rounding;     /* rounding error of q */
    double *force;       /* [N] output: forces N, including base, then forces T */
    int *result;         /* [n] sign of the sliding speed of the solution; 0: |T| < mu N; may be `slides` */
    int *follows;        /* [n] 1: the contact sticks because other contacts stick, with T = 0 or |T| = mu N */
    int culprit;         /* contact that prevents a solution, if there is no solution */
} rsd_complementarity;

/** Solve the complementarity problem. Memory is allocated by a. *found is 1 if there is a solution, 0 if there is no
 *  solution (x->culprit is then a contact that prevents a solution), < 0 if rounding determines the result.
 *  @return RESIDA_OK; RESIDA_ERR_MEMORY */
resida_status rsd_complementarity_solve(rsd_complementarity *x, const resida_allocator *a, int *found);

#endif
