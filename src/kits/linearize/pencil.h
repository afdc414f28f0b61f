/* pencil.h - dF/dy, dF/dyp and dF/du of a problem at a state, by the Jacobian engine. */
#ifndef RSD_PENCIL_H
#define RSD_PENCIL_H

#include "src/core/problem/problem_impl.h"

/** A sparse matrix by columns, in memory of an allocator whose owner frees it. */
typedef struct rsd_sparse {
    int rows, columns;
    int *start, *row; /* [columns + 1], [start[columns]] */
    double *values;
} rsd_sparse;

/** Allocate nnz entries; all columns are empty. RESIDA_ERR_MEMORY. */
resida_status rsd_sparse_create(rsd_sparse *A, int rows, int columns, long nnz, const resida_allocator *alloc);

/** A: the nonzero entries of D [rows x columns], column by column. RESIDA_ERR_MEMORY. */
resida_status rsd_sparse_of(rsd_sparse *A, int rows, int columns, const double *D, const resida_allocator *alloc);

/** to: the rows of A, followed by the nonzero entries of D [more x columns]. RESIDA_ERR_MEMORY. */
resida_status rsd_sparse_append(rsd_sparse *to, const rsd_sparse *A, int more, const double *D,
                                const resida_allocator *alloc);

/** D [rows x columns] = A, column by column. */
void rsd_sparse_to_full(const rsd_sparse *A, double *D);

typedef struct rsd_pencil {
    const resida_allocator *alloc, *work;
    int n, n_inputs;
    rsd_sparse dFdy, dFdyp; /* without entries that are zero */
    double *dFdu;           /* [n x n_inputs] column by column */
    double *F;              /* [n] at the state */
    double *factor;         /* [n] times the default increments of y */
    rsd_sparse dFdy_error;  /* bounds of the errors of dFdy's entries */
    double noise;           /* errors of derivatives, as parts of them */
    int has_J;              /* 1: the model gives J = dF/dy + alpha dF/dyp */
    int is_differenced;     /* 1: F, or the formalism, is differenced */
} rsd_pencil;

/** Find `noise` and dFdy_error. @return RESIDA_ERR_USER: dg/dp is not possible; RESIDA_ERR_TOLERANCE: it is lost to
 *  rounding; RESIDA_ERR_MEMORY */
resida_status rsd_pencil_errors(rsd_pencil *w, resida_problem *q, double t, const double *y, const double *yp,
                                resida_message *why);

/** Evaluate at (t, y, yp). dFdy, dFdyp and dFdy_error are memory of `alloc`, all other arrays of `work`, whose owners
 *  free them.
 *  @return as resida_linearize() */
resida_status rsd_pencil_make(rsd_pencil *w, resida_problem *problem, double t, const double *y, const double *yp,
                              const resida_allocator *alloc, const resida_allocator *work, resida_message *why);

#endif
