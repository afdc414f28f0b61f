/* complementarity.h - forces of contacts, with Coulomb friction or without, for accelerations or for the speeds after
 * an impact. */
#ifndef RSD_COMPLEMENTARITY_H
#define RSD_COMPLEMENTARITY_H

#include "base/memory.h"

/** The complementarity problem of n contacts. Rows and columns of D belong to the n gaps, and with friction then to the
 *  n sliding directions. Its size is N = n, or N = 2 n with friction. D is scaled to a diagonal of about 1. */
typedef struct rsd_complementarity {
    int n;                /* number of contacts */
    const double *D, *q;  /* [N x N] matrix and [N] vector of the complementarity problem */
    const double *mu;     /* [n] friction coefficients of the scaled problem; NULL: no friction, N = n */
    const int *slides;    /* [n] sign of the sliding speed, 0: unknown; NULL: unknown, and no `result`, `follows` */
    const double *base;   /* [n] part of the normal forces that is given; NULL: 0 */
    double rounding;      /* rounding error of q */
    double *force;        /* [N] output: normal forces including base, then friction forces */
    int *result;          /* [n] output: sign of the sliding speed, 0 if |T| < mu N; the array may be `slides` */
    int *follows;         /* [n] output: 1 if the contact sticks only because others stick; T = 0 or |T| = mu N */
    int blocking_contact; /* output: contact that prevents a solution */
} rsd_complementarity;

/** Solve the complementarity problem. Memory is allocated by a. *found is 1 if there is a solution, 0 if there is no
 *  solution (x->blocking_contact is then a contact that prevents a solution), < 0 if rounding determines the result.
 *  @return RESIDA_OK; RESIDA_ERR_MEMORY */
resida_status rsd_complementarity_solve(rsd_complementarity *x, const resida_allocator *a, int *found);

#endif
