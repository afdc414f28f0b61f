/* linear_backend.h - what a kind of linear solver is to linear_solver.c: a table of functions on a state for one
 * pattern. A new pattern is a new state. */
#ifndef RSD_LINEAR_BACKEND_H
#define RSD_LINEAR_BACKEND_H

#include "csr.h"
#include "linear_solver.h"

typedef struct rsd_linear_backend {
    const char *name;
    int needs_pattern; /* dense storage must be given as a full pattern */
    int variant;       /* of a file that has two kinds: 1 is klu-diagonal, or dense with a head */

    /** A: the pattern by columns, that is, A' by rows; row == NULL: dense storage. Its arrays are borrowed for the
     *  life of the state, the struct is not. *self is NULL on failure. */
    resida_status (*create)(void **self, int variant, const rsd_csr *A, const resida_allocator *alloc,
                            resida_message *why);
    void (*free)(void *self);

    /** Values are finite. *kept: 1: with the pivots of an earlier factorisation. @return as rsd_linear_factor() */
    int (*factor)(void *self, const double *values, int *kept);
    void (*solve)(void *self, int columns, double *X);
    /** There are no pivots to be kept any more. NULL: it keeps none. */
    void (*forget)(void *self);

    /** Fill in nnz_factors of factors that are there, work, bytes. */
    void (*measure)(const void *self, rsd_linear_report *report);
} rsd_linear_backend;

extern const rsd_linear_backend rsd_linear_dense, rsd_linear_headed, rsd_linear_klu, rsd_linear_klu_diagonal;

#endif
