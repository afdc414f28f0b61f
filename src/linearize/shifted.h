/* shifted.h - sparse factors of A - s E, s complex, by KLU of the real matrix of twice the size,
 *
 *     (  A - Re s E    Im s E     ) ( Re x )
 *     ( -Im s E        A - Re s E ) ( Im x ),    for real s of A - s E alone. */
#ifndef RSD_SHIFTED_H
#define RSD_SHIFTED_H

#include "linearize_impl.h"

#include "src/linear/linear_solver.h"

typedef struct rsd_shifted {
    rsd_owner owner;
    resida_allocator alloc;
    int n, doubled; /* unknowns; 1: factors of twice the size */
    rsd_sparse M;
    rsd_linear_solver *solver, *transposed; /* the second one of the transposed matrix, or NULL */
    double *b;                              /* [2 n] */
} rsd_shifted;

/** To be closed in any case. @return RESIDA_ERR_SINGULAR: there are no factors; RESIDA_ERR_MEMORY */
resida_status rsd_shifted_open(rsd_shifted *w, const resida_linearization *l, rsd_number s, int with_transposed);
void rsd_shifted_close(rsd_shifted *w);

/** x = (A - s E)^-1 x. */
void rsd_shifted_solve(rsd_shifted *w, rsd_number *x);
/** x = (A - s E)^-1 E x. */
void rsd_shifted_right(rsd_shifted *w, const rsd_sparse *E, rsd_number *x);
/** y = y E (A - s E)^-1, y a row. */
void rsd_shifted_left(rsd_shifted *w, const rsd_sparse *E, rsd_number *y);

#endif
