/* pencil.h - evaluates dF/dy, dF/dyp and dF/du of a problem at a state, by the Jacobian engine. */
#ifndef RSD_PENCIL_H
#define RSD_PENCIL_H

#include <resida/solver.h>

#include "src/core/problem/problem_impl.h"

#define RSD_NOISE_DIFFERENCED 1e-9 /* relative error of a differenced entry (resida/jacobian.h) */

/** Sparse matrix by columns (CSC). The memory belongs to the owner of the allocator. */
typedef struct rsd_sparse {
    int rows, columns; /* number of rows; number of columns */
    int *start, *row;  /* [columns + 1] start of each column; [start[columns]] row of each entry */
    double *values;    /* [start[columns]] value of each entry */
} rsd_sparse;

/** Allocate nnz entries of A; all columns are empty. @return RESIDA_OK; RESIDA_ERR_MEMORY */
resida_status rsd_sparse_create(rsd_sparse *A, int rows, int columns, long nnz, const resida_allocator *alloc);

/** Set A to the nonzero entries of D [rows x columns], stored by columns with leading dimension ld.
 *  @return RESIDA_OK; RESIDA_ERR_MEMORY */
resida_status rsd_sparse_from_full(rsd_sparse *A, int rows, int columns, const double *D, int ld,
                                   const resida_allocator *alloc);

/** Set `to` to the rows of A, followed by the nonzero entries of D [more x columns]. @return as
 *  rsd_sparse_from_full() */
resida_status rsd_sparse_append(rsd_sparse *to, const rsd_sparse *A, int more, const double *D, int ld,
                                const resida_allocator *alloc);

/** Copy A into D [rows x columns], stored by columns. */
void rsd_sparse_to_full(const rsd_sparse *A, double *D);

/** Derivatives of F at a state, and their errors. */
typedef struct rsd_pencil {
    const resida_allocator *alloc, *work; /* allocator of results; allocator of other arrays */
    int n, n_inputs;                      /* number of unknowns; number of inputs u, u', u'' */
    rsd_sparse dFdy, dFdyp;               /* nonzero entries of dF/dy; nonzero entries of dF/dyp */
    double *dFdu;                         /* [n x n_inputs] dF/du, by columns */
    double *F;                            /* [n] F at the state */
    double *factor;                       /* [n] factors of the default increments of y */
    double *rounding, *back;              /* [n] rounding errors of F; work space */
    rsd_sparse dFdy_error;                /* error bounds of the entries of dF/dy */
    double noise;                         /* relative error of the derivatives */
    int has_J;                            /* 1: the model gives J = dF/dy + alpha dF/dyp */
    int is_differenced;                   /* 1: derivatives of F, or of the formalism, are differences */
} rsd_pencil;

/** Estimate the errors `noise` and dFdy_error. @return RESIDA_OK; RESIDA_ERR_USER: dg/dp could not be evaluated;
 *  RESIDA_ERR_TOLERANCE: differences of g are rounding errors; RESIDA_ERR_MEMORY */
resida_status rsd_pencil_estimate_errors(rsd_pencil *w, resida_problem *q, double t, const double *y, const double *yp,
                                         resida_message *why);

/** Create a solver for its Jacobian engine and guard, with central differences unless the model gives all derivatives.
 *  @return as resida_solver_create() */
resida_status rsd_create_derivative_solver(resida_solver **s, resida_problem *q, resida_solver_options *o,
                                           resida_message *why);

/** Evaluate the derivatives at (t, y, yp). dFdy, dFdyp and dFdy_error are allocated by `alloc`, other arrays by `work`.
 *  The owners of `alloc` and `work` free the arrays. @return as resida_linearize() */
resida_status rsd_pencil_compute(rsd_pencil *w, resida_problem *problem, double t, const double *y, const double *yp,
                                 const resida_allocator *alloc, const resida_allocator *work, resida_message *why);

#endif
