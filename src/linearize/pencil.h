/* pencil.h - dF/dy, dF/dyp and dF/du of a problem at a state, by the Jacobian engine. */
#ifndef RSD_PENCIL_H
#define RSD_PENCIL_H

#include "src/problem/problem_impl.h"

/** A matrix by columns; its memory is of an allocator whose owner frees it. */
typedef struct rsd_sparse {
    int rows, columns;
    int *start, *row; /* [columns + 1], [start[columns]] */
    double *values;
} rsd_sparse;

/** Room for nnz entries, none in a column yet. RESIDA_ERR_MEMORY. */
resida_status rsd_sparse_create(rsd_sparse *A, int rows, int columns, long nnz, const resida_allocator *alloc);

/** The entries of D [rows x columns], column by column, that are not zero. RESIDA_ERR_MEMORY. */
resida_status rsd_sparse_of(rsd_sparse *A, int rows, int columns, const double *D, const resida_allocator *alloc);

/** The rows of A, and behind them `more` rows, the entries of D [more x columns] that are not zero.
 *  RESIDA_ERR_MEMORY. */
resida_status rsd_sparse_append(rsd_sparse *to, const rsd_sparse *A, int more, const double *D,
                                const resida_allocator *alloc);

/** D [rows x columns] = A, column by column. */
void rsd_sparse_to_full(const rsd_sparse *A, double *D);

typedef struct rsd_pencil {
    const resida_allocator *alloc, *work;
    int n, n_inputs;
    rsd_sparse dFdy, dFdyp; /* of one pattern, without entries that are zero */
    double *dFdu;           /* [n x n_inputs] column by column */
    double *F;              /* [n] at the state */
    double *factor;         /* [n] times the usual increments of y */
    int has_J;              /* the model gives J, not dF/dy and dF/dyp apart */
    int is_differenced;     /* the formalism, or F */
} rsd_pencil;

/** At (t, y, yp). dFdy and dFdyp are of `alloc`, all else of `work`, whose owners free it.
 *  @return as resida_linearize() */
resida_status rsd_pencil_make(rsd_pencil *w, resida_problem *problem, double t, const double *y, const double *yp,
                              const resida_allocator *alloc, const resida_allocator *work, resida_message *why);

#endif
