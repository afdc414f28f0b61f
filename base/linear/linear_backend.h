/* linear_backend.h - the interface between linear_solver.c and the kinds of linear solvers: a table of functions for
 * each kind. They work on a state for one pattern. A new pattern needs a new state. */
#ifndef RSD_LINEAR_BACKEND_H
#define RSD_LINEAR_BACKEND_H

#include "csr.h"
#include "linear_solver.h"

typedef struct rsd_linear_backend {
    const char *name;  /* name of the kind, such as "klu" */
    int needs_pattern; /* 1: a matrix in dense storage must get a full pattern */
    int variant;       /* argument of create; 1: KLU keeps pivots on the diagonal, dense eliminates a head first */

    /** A: the pattern by columns, that is, A' by rows; row == NULL: dense storage. Its arrays, but not the struct, are
     *  borrowed until the state is freed. *self is NULL on failure. */
    resida_status (*create)(void **self, int variant, const rsd_csr *A, const resida_allocator *alloc,
                            resida_message *why);
    void (*free)(void *self); /* frees the state */

    /** Factor the matrix with finite values [nnz]. *kept is set to 1 if earlier pivots were used. @return as
     *  rsd_linear_factor() */
    int (*factor)(void *self, const double *values, int *kept);
    void (*solve)(void *self, int columns, double *X); /* computes X = A^-1 X, X [n x columns] column by column */
    /** Discard the pivots. NULL: the kind of solver keeps no pivots. */
    void (*forget)(void *self);

    /** Set the members nnz_factors (if there are factors) and work of the report. */
    void (*measure)(const void *self, rsd_linear_report *report);
} rsd_linear_backend;

extern const rsd_linear_backend rsd_linear_dense, rsd_linear_headed, rsd_linear_klu, rsd_linear_klu_diagonal;

#endif
