/* shifted.h - sparse factors of A - s E, s complex, by KLU. */
#ifndef RSD_SHIFTED_H
#define RSD_SHIFTED_H

#include "linearize_impl.h"

#include <suitesparse/klu.h>

/** Sparse factors of A - s E for one complex shift s. */
typedef struct rsd_shifted {
    rsd_owner owner;        /* owner of all arrays except those of KLU */
    int n;                  /* number of unknowns */
    rsd_number *b;          /* [n] work space */
    klu_common common;      /* parameters and statistics of KLU */
    klu_symbolic *symbolic; /* analysis of the pattern */
    klu_numeric *numeric;   /* factors */
} rsd_shifted;

/** Factor A - s E. Free w even after a failure. @return RESIDA_OK; RESIDA_ERR_SINGULAR; RESIDA_ERR_MEMORY */
resida_status rsd_shifted_factor(rsd_shifted *w, const resida_linearization *l, rsd_number s);
void rsd_shifted_free(rsd_shifted *w);

/** Compute x = (A - s E)^-1 x with the factors. */
void rsd_shifted_solve(rsd_shifted *w, rsd_number *x);
/** Compute x = (A - s E)^-1 E x. */
void rsd_shifted_apply_right(rsd_shifted *w, const rsd_sparse *E, rsd_number *x);
/** Compute the row vector y = y E (A - s E)^-1. */
void rsd_shifted_apply_left(rsd_shifted *w, const rsd_sparse *E, rsd_number *y);

#endif
