/* linear_backend.h - the interface between linear_solver.c and the kinds of linear solvers: a table of functions for
 * each kind. They work on a state for one pattern. A new pattern needs a new state. */
#ifndef RSD_LINEAR_BACKEND_H
#define RSD_LINEAR_BACKEND_H

#include "csr.h"
#include "linear_solver.h"

typedef struct rsd_linear_backend {
    const char *name;  /* name of the kind, such as "klu" */
    int needs_pattern; /* 1: create needs A->row, also for a full matrix; 0: A->row may be NULL (dense storage) */
    int variant;       /* argument of create. 1: pivots of KLU are on the diagonal; dense LU has a head (small_lu.h) */

    /** Create the state for the pattern A by columns (that is, A' by rows). A->row NULL: dense storage. The arrays of A
     *  are borrowed until the state is freed, but not the struct. *self is NULL on failure. */
    resida_status (*create)(void **self, int variant, const rsd_csr *A, const resida_allocator *alloc,
                            resida_message *why);
    void (*free)(void *self); /* frees the state */

    /** Factor the matrix with finite values [nnz]. *kept is set to 1 if pivots of an earlier factorisation were used,
     *  else to 0. @return as rsd_linear_factor() */
    int (*factor)(void *self, const double *values, int *kept);
    void (*solve)(void *self, double *x); /* computes x = A^-1 x, x [n] */
    /** Discard the pivots. NULL: the kind of solver keeps no pivots. */
    void (*forget)(void *self);

    /** Set the members nnz_factors and work of the report. nnz_factors is not valid if there are no factors. */
    void (*measure)(const void *self, rsd_linear_report *report);
} rsd_linear_backend;

extern const rsd_linear_backend rsd_linear_dense, rsd_linear_headed, rsd_linear_klu, rsd_linear_klu_diagonal;

#endif
