/* linear_stage.h - what is done to A x = b between its user and a backend: unknowns are taken out, rows and columns
 * scaled. Nothing of it costs anything where it is not wanted.
 *
 * Static condensation: unknowns that rows of their own give are taken out before A is factored. Pair k is a row i_k and
 * an unknown e_k that no other pair's row holds, as v in the rows p' = v. With d_k = A(i_k, e_k):
 *
 *     A*(i, j) = A(i, j) - sum_k A(i, e_k) A(i_k, j)/d_k,    x(e_k) = (b(i_k) - sum_j A(i_k, j) x_j)/d_k */
#ifndef RSD_LINEAR_STAGE_H
#define RSD_LINEAR_STAGE_H

#include "csr.h"

/** Which rows give which unknowns. */
typedef struct rsd_pairs {
    int n;                   /**< 0: none */
    const int *row, *column; /**< [n] */
} rsd_pairs;

/** Diagonals of R and C in R A C, [n] of the unknowns of A; rows = NULL: not scaled. */
typedef struct rsd_scales {
    const double *rows, *columns;
} rsd_scales;

/** For one pattern. Zeroed: nothing is done. */
typedef struct rsd_stage {
    rsd_csr A;                           /* A' by rows; row == NULL: dense storage */
    rsd_csr reduced;                     /* A*' by rows, where there are pairs */
    int n_pairs;                         /* 0: no unknown is taken out, and nothing of the following is there */
    int *pair_row, *pair_column, *pivot; /* [n_pairs] i_k, e_k, and where d_k is among the entries of A */
    int *kept_row, *kept_column;         /* [n - n_pairs] what is left, in its order */
    int *row_place, *column_place;       /* [n] place among these; -1 - k: of pair k */
    double *A_values;                    /* [nnz] */
    double *given;                       /* [n_pairs] b(i_k)/d_k, then x(e_k) */
    rsd_scales scales;                   /* of the factors */
    double *values, *x;                  /* of A*, or scaled: work space; NULL: not needed so far */
} rsd_stage;

/** Takes A over.
 *  @return RESIDA_OK; RESIDA_ERR_MODEL (a pair's row has no entry of its unknown), _MEMORY: to be freed all the same */
resida_status rsd_stage_create(rsd_stage *s, const rsd_csr *A, const rsd_pairs *pairs, const resida_allocator *alloc,
                               resida_message *why);
void rsd_stage_free(rsd_stage *s, const resida_allocator *alloc);

/** Make room for scaling. @return RESIDA_OK; RESIDA_ERR_MEMORY */
resida_status rsd_stage_reserve(rsd_stage *s, const resida_allocator *alloc);

/** The pattern that a backend gets. */
const rsd_csr *rsd_stage_pattern(const rsd_stage *s);

/** The unknown of A that is the one of the backend. */
int rsd_stage_column(const rsd_stage *s, int column);

/** The values that a backend gets, borrowed; the scales are kept for the solutions.
 *  @return 0; k > 0: column k - 1 of A depends on others, is one of a pair whose d is zero, or a pair's row holds the
 *          unknown of another one */
int rsd_stage_values(rsd_stage *s, const double *values, rsd_scales scales, const double **out);

/** The right side that a backend gets for b, in b itself or in work space; and the solution from what became of it. */
double *rsd_stage_right(rsd_stage *s, double *b);
void rsd_stage_solution(rsd_stage *s, double *solved, double *x);

#endif
