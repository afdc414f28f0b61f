/* linear_solver.h - the linear systems of the corrector iteration, A x = b, with one interface for small and large
 * ones.
 *
 *     create -> set_pattern -> ( factor -> solve ... solve ) ... -> free
 *
 * Kinds: "dense"  LU with row pivoting on n x n doubles, up to 128 unknowns our own, beyond by LAPACK
 *        "klu"    sparse LU by KLU: analysis once per pattern, pivots kept from one factorisation to the next as long
 *                 as they do; linear_klu.c says how that is found out
 *        "klu-diagonal"  the same with pivots on the diagonal in the order of the unknowns, none exchanged: "without
 *                        pivoting"
 *        "auto"   for each pattern the cheaper of the two, by a measured rule at the head of linear_solver.c; where
 *                 that is our own dense one, after the unknowns of a head (small_lu.h)
 *
 * Memory of this layer comes from the allocator; KLU takes its own by malloc, through SuiteSparse_config. set_pattern
 * allocates; factor allocates only for KLU, when pivots or an order are chosen; solve never does. */
#ifndef RSD_LINEAR_SOLVER_H
#define RSD_LINEAR_SOLVER_H

#include <resida/status.h>

/** Owns the pattern and the factors. One thread at a time. */
typedef struct rsd_linear_solver rsd_linear_solver;

/** What a solver is and has done. Counts are since create, whatever the pattern. */
typedef struct rsd_linear_report {
    const char *name; /**< "dense" or "klu", what "auto" came to; "" without a pattern. Static */
    long nnz;         /**< entries of the pattern; n n in dense storage */
    long nnz_factors; /**< entries of L, U and what lies outside the diagonal blocks; 0: no factors */
    double work;      /**< operations of one factorisation, predicted from the pattern until they are counted; 0: not
                           known before the first */
    size_t bytes;     /**< memory held, KLU's included */
    long factors;     /**< regular factorisations with a choice of pivots */
    long refactors;   /**< with the pivots of an earlier one */
    long solves;
} rsd_linear_report;

/** The kind of that name, static; NULL: there is none. */
const char *rsd_linear_kind(const char *name);
extern const char *const rsd_linear_kinds[]; /* all of them, the last one is NULL */

/** Create a solver for n unknowns, without pattern.
 *  @param[out] ls     new handle, NULL on failure
 *  @param[in]  kind   "dense", "klu", "klu-diagonal" or "auto"
 *  @param[in]  alloc  NULL: malloc and free
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT (n < 1), RESIDA_ERR_OPTION (no such kind), RESIDA_ERR_MEMORY */
resida_status rsd_linear_create(rsd_linear_solver **ls, int n, const char *kind, const resida_allocator *alloc,
                                resida_message *why);

/** NULL is fine. */
void rsd_linear_free(rsd_linear_solver *ls);

/** Say where entries are, and analyse it. May be called again: everything is renewed, the factors are gone.
 *  @param[in] col_start  [n + 1] column j has the entries col_start[j] .. col_start[j + 1] - 1; copied.
 *                        NULL: all entries, dense storage n x n column by column ("auto" is dense then)
 *  @param[in] row        [col_start[n]] their rows from 0, rising within a column; copied
 *  @return RESIDA_OK, also for a pattern that no regular matrix has: factor() names the column;
 *          RESIDA_ERR_MODEL (pattern contradicts itself), RESIDA_ERR_MEMORY; then the old pattern and its factors
 *          stay in force */
resida_status rsd_linear_set_pattern(rsd_linear_solver *ls, const int *col_start, const int *row, resida_message *why);

/** Factor a matrix.
 *  @param[in] values  [nnz] in the order of the pattern, explicit zeros where they stand; not kept, not changed
 *  @return 0; k > 0: singular, k - 1 is a column (as numbered by the caller) that depends on others, is zero, or holds
 *          NaN or Inf; < 0: out of memory, or no pattern. There are no factors after a failure. */
int rsd_linear_factor(rsd_linear_solver *ls, const double *values);

/** X = A^-1 X. X [n x columns], column by column, columns > 0. Only after a factorisation that returned 0. */
void rsd_linear_solve(rsd_linear_solver *ls, int columns, double *X);

/** Take unknowns out before anything is factored (linear_stage.h); from the next pattern on.
 *  @param[in] row, column  [n_pairs] copied; n_pairs = 0: none
 *  @return RESIDA_OK; RESIDA_ERR_MEMORY */
resida_status rsd_linear_condense(rsd_linear_solver *ls, int n_pairs, const int *row, const int *column);

/** Have the matrices to come factored as R A C with diagonal R and C: the same solutions within rounding, pivots
 *  chosen among scaled entries. Kept until the next call.
 *  @param[in] rows, columns  [n] diagonals of R and C, > 0, copied; rows = NULL: not scaled
 *  @return RESIDA_OK; RESIDA_ERR_MEMORY, at the first call only */
resida_status rsd_linear_scale(rsd_linear_solver *ls, const double *rows, const double *columns);

/** Drop the factors: the next factorisation chooses its pivots as the first one does, so that its results depend on its
 *  matrix alone. */
void rsd_linear_forget(rsd_linear_solver *ls);

/** Operations of a factorisation and of a solution, as far as they are known. */
typedef struct rsd_linear_costs {
    double factor, solve;
} rsd_linear_costs;
void rsd_linear_get_costs(const rsd_linear_solver *ls, rsd_linear_costs *c);

rsd_linear_report rsd_linear_get_report(const rsd_linear_solver *ls);

#endif
