/* shifted.h - sparse factors of A - s E, s complex, by KLU. */
#ifndef RSD_SHIFTED_H
#define RSD_SHIFTED_H

#include "linearize_impl.h"

#include <suitesparse/klu.h>

typedef struct rsd_shifted {
    rsd_owner owner;
    int n;
    rsd_number *b; /* [n] */
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
} rsd_shifted;

/** To be closed in any case. @return RESIDA_ERR_SINGULAR: there are no factors; RESIDA_ERR_MEMORY */
resida_status rsd_shifted_open(rsd_shifted *w, const resida_linearization *l, rsd_number s);
void rsd_shifted_close(rsd_shifted *w);

/** x = (A - s E)^-1 x. */
void rsd_shifted_solve(rsd_shifted *w, rsd_number *x);
/** x = (A - s E)^-1 E x. */
void rsd_shifted_right(rsd_shifted *w, const rsd_sparse *E, rsd_number *x);
/** y = y E (A - s E)^-1, y a row. */
void rsd_shifted_left(rsd_shifted *w, const rsd_sparse *E, rsd_number *y);

#endif
