/* impact_push.h - which contacts push, and how much: a complementarity problem of the size of the contacts. */
#ifndef RSD_IMPACT_PUSH_H
#define RSD_IMPACT_PUSH_H

#include "src/base/memory.h"

/** 0 <= P, D P + q >= 0, P' (D P + q) = 0 with a symmetric D that has no negative eigenvalue. All arrays are the
 *  caller's. */
typedef struct rsd_push {
    int n;
    const double *D; /* [n x n] with a diagonal of 1, but for rounding */
    const double *q; /* [n] */
    double least;    /* of D P + q, below 0: what is no more than rounding */
    double *P;       /* [n] out */
    double *w;       /* [n] out: D P + q */
    double *A, *z;   /* [n x n], [n] work */
    int *set;        /* [n] those that push, n_set of them */
    int *pivots;     /* [n] work */
    int n_set;
    int culprit; /* out, where there is no solution: one of the contacts against which there is none */
} rsd_push;

/** @return 1 done; 0 there is no solution; < 0 none was found: rounding decides too much */
int rsd_push_solve(rsd_push *x);

#endif
