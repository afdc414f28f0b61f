/* start_kernel.h - B = [ M_r  K N ] of start_matrix.h, by the patterns of M and K, in O(nnz) as far as M falls into
 * blocks: columns that share no row are independent of each other, so that rank and kernel are those of each block. */
#ifndef RSD_START_KERNEL_H
#define RSD_START_KERNEL_H

#include "jacobian/pattern/entries.h"
#include "src/linear/linear_solver.h"
#include "src/linear/rank.h"

/** Does F change by that along dyp [n], when it is moved further than by differences? The verdict of the callbacks. */
typedef int rsd_start_confirm_fn(void *context, const double *dyp, const double *change, int *agrees);

/** KN = K N, all [n]. The verdict of the callbacks. */
typedef int rsd_start_along_fn(void *context, const double *N, double *KN);

/** M and K on one pattern, by columns. */
typedef struct rsd_start_parts {
    const rsd_sparsity *pattern;
    const double *M, *K;           /* [nnz]; K NULL: along tells */
    const double *row;             /* [n] scales of rows for the rank of M */
    double tolerance;              /* less than this part of a column of M is not new */
    rsd_start_along_fn *along;     /* where K is NULL */
    rsd_start_confirm_fn *confirm; /* NULL: M is exact */
    void *context;
} rsd_start_parts;

/** A matrix with its factors, and those of its transpose; memory is kept as long as the pattern is. */
typedef struct rsd_start_factors {
    rsd_sparsity pattern;
    double *values, *by_rows; /* [nnz] */
    rsd_linear_solver *direct, *transposed;
} rsd_start_factors;

typedef struct rsd_start_kernel {
    int n, n_columns;             /* unknowns; columns of B */
    int *source;                  /* [n] the column of M that a column of B is; KERNEL: it is K N */
    rsd_entries N, B;             /* N: component, column of B, value; B as it is put together */
    rsd_start_factors of_B, of_M; /* of B, scaled; of the large block of M that was last looked at */
    rsd_rank rank;                /* of a block */
    int rank_columns, rank_rows;  /* the largest one that it has room for */
    int worst;                    /* component by which B is nearest to a singular matrix */
    double *row, *column;         /* [n] scales of B */
    double *x, *sum;              /* [n] work space */
    int *list, *leader;           /* [n] columns of M, block by block; the first one of the block of each */
    int *mark, *place;            /* [n], [n + 1] work space */
} rsd_start_kernel;

/** O(n) memory. @return RESIDA_OK; RESIDA_ERR_MEMORY: free it */
resida_status rsd_start_kernel_create(rsd_start_kernel *k, int n, const resida_allocator *alloc);
void rsd_start_kernel_free(rsd_start_kernel *k, const resida_allocator *alloc);

/** B from its parts, and its factors. *rcond: 1/cond of B, scaled; 0: singular.
 *  @return RESIDA_OK; RESIDA_ERR_MEMORY; the verdict of along, or of confirm, which is called for large blocks that
 *  are nearly singular.
 *  Cost: O(nnz), the factors, and the cube of the size of each block of M that is not clearly regular. */
resida_status rsd_start_kernel_find(rsd_start_kernel *k, const rsd_start_parts *p, double *rcond,
                                    const resida_allocator *alloc);

/** After that, once: the direction in which B changes F least, all zero before: dy, dyp, and that change. */
void rsd_start_kernel_worst(rsd_start_kernel *k, double *dy, double *dyp, double *change);

/** B s = F: dyp of the columns of M, dy += N s; both are zero before. */
void rsd_start_kernel_solve(rsd_start_kernel *k, const double *F, double *dy, double *dyp);

#endif
