/* start_kernel.h - B = [ M_r  K N ] of start_matrix.h, by the patterns of M and K. M is permuted to block diagonal
 * form: columns of different blocks share no row, so that rank and kernel are found block by block, in O(nnz) for small
 * ones. */
#ifndef RSD_START_KERNEL_H
#define RSD_START_KERNEL_H

#include "jacobian/pattern/entries.h"
#include "src/linear/linear_solver.h"
#include "src/linear/rank.h"

/** *agrees: 1 if F changes by `change` [n] along dyp [n] for larger increments than those of the differences, too.
 *  @return the verdict of the callbacks */
typedef int rsd_start_confirm_fn(void *context, const double *dyp, const double *change, int *agrees);

/** KN = K N, both [n]. @return the verdict of the callbacks */
typedef int rsd_start_along_fn(void *context, const double *N, double *KN);

/** M and K on one pattern, by columns. */
typedef struct rsd_start_parts {
    const rsd_sparsity *pattern;
    const double *M, *K;           /* [nnz]; K NULL: K N is found by along() */
    const double *row;             /* [n] scales of rows for the rank of M */
    double tolerance;              /* of the rank of M, relative to the norm of a column */
    rsd_start_along_fn *along;     /* where K is NULL */
    rsd_start_confirm_fn *confirm; /* NULL: M is exact */
    void *context;
} rsd_start_parts;

/** A matrix with its factors, and those of its transpose; reallocated when the pattern changes. */
typedef struct rsd_start_factors {
    rsd_sparsity pattern;
    double *values, *by_rows; /* [nnz] */
    rsd_linear_solver *direct, *transposed;
} rsd_start_factors;

typedef struct rsd_start_kernel {
    int n, n_columns;             /* unknowns; columns of B */
    int *source;                  /* [n] column of M of each column of B; KERNEL: a column of K N */
    rsd_entries N, B;             /* entries of N (row: component, column: that of B) and of B */
    rsd_start_factors of_B, of_M; /* of scaled B; of the last large block of M */
    rsd_rank rank;                /* of a block */
    int rank_columns, rank_rows;  /* allocated size of rank */
    int worst;                    /* largest component of the right singular vector of the least singular value of B */
    double *row, *column;         /* [n] scales of B */
    double *x, *sum;              /* [n] work space */
    int *list, *leader;           /* [n] columns of M, block by block; first column of the block of each column */
    int *mark, *place;            /* [n], [n + 1] work space */
} rsd_start_kernel;

/** O(n) memory. @return RESIDA_OK; RESIDA_ERR_MEMORY: free it */
resida_status rsd_start_kernel_create(rsd_start_kernel *k, int n, const resida_allocator *alloc);
void rsd_start_kernel_free(rsd_start_kernel *k, const resida_allocator *alloc);

/** Assemble and factor B. *rcond: 1/cond of scaled B; 0: singular.
 *  @return RESIDA_OK; RESIDA_ERR_MEMORY; the verdict of along(), or of confirm(), which is called for large blocks that
 *  are nearly singular.
 *  Cost: O(nnz), the factors, and the cube of the size of each block of M that is not clearly regular. */
resida_status rsd_start_kernel_find(rsd_start_kernel *k, const rsd_start_parts *p, double *rcond,
                                    const resida_allocator *alloc);

/** After rsd_start_kernel_find(), once: add the direction dy, dyp in which B changes F least, and that change. */
void rsd_start_kernel_worst(rsd_start_kernel *k, double *dy, double *dyp, double *change);

/** Solve B s = F; add s to dyp and N s to dy. Both are zero before. */
void rsd_start_kernel_solve(rsd_start_kernel *k, const double *F, double *dy, double *dyp);

#endif
