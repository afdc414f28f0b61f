/* linear_stage.h - transforms A x = b for a backend. It eliminates unknowns, and scales rows and columns. A
 * transformation that is not requested costs nothing.
 *
 * Static condensation: unknowns that are determined by one row each are eliminated before A is factored. Pair k
 * consists of a row i_k and an unknown e_k that occurs in the row of no other pair, such as v in the rows p' = v. With
 * d_k = A(i_k, e_k):
 *
 *     A*(i, j) = A(i, j) - sum_k A(i, e_k) A(i_k, j)/d_k,    x(e_k) = (b(i_k) - sum_j A(i_k, j) x_j)/d_k */
#ifndef RSD_LINEAR_STAGE_H
#define RSD_LINEAR_STAGE_H

#include "csr.h"

/** Rows that each determine one unknown, which is eliminated. */
typedef struct rsd_pairs {
    int n;                   /**< number of rows */
    const int *row, *column; /**< [n] row, and the unknown that it determines */
} rsd_pairs;

/** Scales of a matrix A: diagonals [n] of R and C in R A C. rows NULL: A is not scaled. */
typedef struct rsd_scales {
    const double *rows, *columns;
} rsd_scales;

/** Elimination of unknowns and scaling of a matrix A before it is factored. A zeroed struct makes no transformation. */
typedef struct rsd_stage {
    rsd_csr A;                           /* pattern of A by columns; row NULL: dense storage */
    rsd_csr reduced;                     /* pattern by columns of the condensed matrix, if unknowns are eliminated */
    int n_pairs;                         /* number of eliminated unknowns; 0: arrays up to `given` are not allocated */
    int *pair_row, *pair_column, *pivot; /* [n_pairs] row i_k and unknown e_k of each pair; index of d_k in A_values */
    int *kept_row, *kept_column;         /* [n - n_pairs] rows and columns of A that are not eliminated, ascending */
    int *row_place, *column_place;       /* [n] positions in kept_row, kept_column; -1 - k: eliminated with pair k */
    double *A_values;                    /* [nnz] values of A at the last factorisation */
    double *given;                       /* [n_pairs] values of the eliminated unknowns, during a solution */
    rsd_scales scales;                   /* scales of the factored matrix */
    double *values, *x;                  /* values of the factored matrix; [n - n_pairs] vector; NULL: not needed yet */
} rsd_stage;

/** Initialise *s; the ownership of A passes to *s.
 *  @return RESIDA_OK; RESIDA_ERR_MODEL (a pair's row has no entry in its unknown), RESIDA_ERR_MEMORY: *s must still be
 *          freed */
resida_status rsd_stage_create(rsd_stage *s, const rsd_csr *A, const rsd_pairs *pairs, const resida_allocator *alloc,
                               resida_message *why);
void rsd_stage_free(rsd_stage *s, const resida_allocator *alloc);

/** Allocate the workspace for scaling. @return RESIDA_OK; RESIDA_ERR_MEMORY */
resida_status rsd_stage_allocate(rsd_stage *s, const resida_allocator *alloc);

/** Return the pattern of the matrix that the backend factors. */
const rsd_csr *rsd_stage_get_pattern(const rsd_stage *s);

/** Return the column of A from which column `column` of the backend's matrix was made. */
int rsd_stage_get_column(const rsd_stage *s, int column);

/** Compute the values of the condensed and scaled matrix. *out points to them (borrowed). The scales are stored in *s.
 *  @return 0 on success; k > 0 if the matrix cannot be reduced: column k - 1 of A is the unknown of a pair with d = 0,
 *          or a pair's row contains the unknown of another pair */
int rsd_stage_transform(rsd_stage *s, const double *values, rsd_scales scales, const double **out);

/** Return the condensed right-hand side for b [n]. Compute x [n] from `solved`, the solution of that system. */
double *rsd_stage_reduce_rhs(rsd_stage *s, double *b);
void rsd_stage_expand_solution(rsd_stage *s, double *solved, double *x);

#endif
