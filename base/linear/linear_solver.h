/* linear_solver.h - solves the linear systems of the corrector iteration, A x = b, with one interface for small and
 * large systems.
 *
 *     create -> set_pattern -> ( factor -> solve ... solve ) ... -> free
 *
 * Kinds: "dense" LU with row pivoting on n x n doubles, up to 128 unknowns by small_lu.c, beyond by LAPACK
 *        "klu"    sparse LU by KLU. Each pattern is analysed once. A factorisation uses the pivots of the last one if a
 *                 test shows that the factors are accurate (linear_klu.c)
 *        "klu-diagonal"  sparse LU by KLU without pivoting: pivots are on the diagonal, in the order of the unknowns
 *        "auto"   for each pattern the cheaper one of "dense" and "klu" (the rule is at the top of linear_solver.c).
 *                 The dense solver then first eliminates unknowns whose block of A is diagonal (small_lu.h)
 *
 * Memory of this layer is from the allocator; KLU uses malloc, through SuiteSparse_config. set_pattern allocates.
 * factor allocates only for KLU, when pivots or an order are chosen. solve never allocates. */
#ifndef RSD_LINEAR_SOLVER_H
#define RSD_LINEAR_SOLVER_H

#include <resida/status.h>

/** A linear solver, which owns the pattern and the factors. Only one thread may use it at a time. */
typedef struct rsd_linear_solver rsd_linear_solver;

/** The kind of a solver, the size of its factors, and the number of its factorisations for all patterns so far. */
typedef struct rsd_linear_report {
    const char *name; /**< kind of solver, "dense" or "klu" for "auto"; "" without a pattern */
    long nnz_factors; /**< number of entries of the factors; 0: no factors */
    double work;      /**< floating-point operations of a factorisation, predicted or counted; 0: unknown */
    long factors;     /**< number of factorisations that chose new pivots */
    long refactors;   /**< number of factorisations that used the pivots of an earlier one */
} rsd_linear_report;

/** Return the static copy of `name` in rsd_linear_kinds, or NULL if it is not the name of a kind of solver. */
const char *rsd_find_linear_kind(const char *name);
extern const char *const rsd_linear_kinds[]; /* names of all kinds of solvers, ended by NULL */

/** Create a solver for n unknowns, without a pattern.
 *  @param[out] ls     new handle, NULL on failure
 *  @param[in]  kind   "dense", "klu", "klu-diagonal" or "auto"
 *  @param[in]  alloc  NULL: malloc and free
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT (n < 1), RESIDA_ERR_OPTION (no such kind), RESIDA_ERR_MEMORY */
resida_status rsd_linear_create(rsd_linear_solver **ls, int n, const char *kind, const resida_allocator *alloc,
                                resida_message *why);

/** State that the matrix is the real form of a complex matrix with n/2 unknowns, from the next pattern on. "auto" then
 *  uses dense factors for twice as many unknowns. */
void rsd_linear_set_complex(rsd_linear_solver *ls);

/** Free a solver; NULL is ignored. */
void rsd_linear_free(rsd_linear_solver *ls);

/** Set the pattern and analyse it. A later call replaces the pattern and discards the factors.
 *  @param[in] col_start  [n + 1] column j has the entries col_start[j] .. col_start[j + 1] - 1; copied. NULL: all
 *                        entries, dense storage n x n column by column ("auto" is then dense)
 *  @param[in] row        [col_start[n]] rows of the entries from 0, ascending within a column; copied
 *  @return RESIDA_OK, also for a pattern that only singular matrices have: factor() then returns the column;
 *          RESIDA_ERR_MODEL (the pattern is invalid), RESIDA_ERR_MEMORY: the old pattern and its factors are kept */
resida_status rsd_linear_set_pattern(rsd_linear_solver *ls, const int *col_start, const int *row, resida_message *why);

/** Factor a matrix.
 *  @param[in] values  [nnz] in the order of the pattern, including explicit zeros; neither kept nor changed
 *  @return 0 on success; k > 0: the matrix is singular: column k - 1 (in the caller's order) is zero, depends on other
 *          columns, or contains NaN or Inf; < 0 if there is no memory or no pattern. No factors after a failure. */
int rsd_linear_factor(rsd_linear_solver *ls, const double *values);

/** Compute x = A^-1 x, x [n]. Requires a factorisation that returned 0. */
void rsd_linear_solve(rsd_linear_solver *ls, double *x);

/** Set the unknowns to be eliminated before the factorisation (linear_stage.h), from the next pattern on.
 *  @param[in] row, column  [n_pairs] copied; n_pairs = 0: none
 *  @return RESIDA_OK; RESIDA_ERR_MEMORY */
resida_status rsd_linear_set_pairs(rsd_linear_solver *ls, int n_pairs, const int *row, const int *column);

/** Set the scale factors of rows and columns. The solver then factors R A C instead of A, with diagonal matrices R and
 *  C. Solutions are the same within rounding, but pivots are chosen among scaled entries.
 *  @param[in] rows, columns  [n] diagonals of R and C, > 0, copied; rows = NULL: not scaled
 *  @return RESIDA_OK; RESIDA_ERR_MEMORY, at the first call only */
resida_status rsd_linear_set_scales(rsd_linear_solver *ls, const double *rows, const double *columns);

/** Discard the factors. The next factorisation chooses pivots from its matrix only. */
void rsd_linear_discard_factors(rsd_linear_solver *ls);

/** The costs of a factorisation, and of a solution with one right-hand side [floating-point operations]; 0: unknown. */
typedef struct rsd_linear_costs {
    double factor, solve;
} rsd_linear_costs;
void rsd_linear_get_costs(const rsd_linear_solver *ls, rsd_linear_costs *c);

rsd_linear_report rsd_linear_get_report(const rsd_linear_solver *ls);

#endif
