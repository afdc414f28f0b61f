/* impact_push.h - the impulses of contacts by a linear complementarity problem of the size of their number. */
#ifndef RSD_IMPACT_PUSH_H
#define RSD_IMPACT_PUSH_H

#include "src/base/memory.h"

/** 0 <= P, D P + q >= 0, P' (D P + q) = 0 with a symmetric D that has no negative eigenvalue. All arrays are the
 *  caller's. */
typedef struct rsd_push {
    int n;
    const double *D; /* [n x n] with a diagonal of 1, but for rounding */
    const double *q; /* [n] */
    double least;    /* of D P + q, below 0: rounding */
    double *P;       /* [n] out */
    double *w;       /* [n] out: D P + q */
    double *A, *z;   /* [n x n], [n] work */
    int *set;        /* [n] indices of the active contacts, n_set of them */
    int *pivots;     /* [n] work */
    int n_set;
    int culprit; /* out, if there is no solution: one of the contacts that exclude it */
} rsd_push;

/** @return 1: solved; 0: there is no solution; < 0: none was found, because rounding decides */
int rsd_push_solve(rsd_push *x);

#endif
