/* resida/start.h - consistent initial values: p with k = 0 and g = 0, v with G v + gI = 0, then a and lam.
 * doc/starts.md has the equations, the treatment of redundant rows, time and memory. */
#ifndef RESIDA_START_H
#define RESIDA_START_H

#include <resida/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Treatment of redundant constraints. Rows of rounding errors are always dropped (doc/starts.md). */
typedef enum resida_redundant {
    RESIDA_REDUNDANT_REFUSE = 0, /**< fail with RESIDA_ERR_REDUNDANT and name the rows */
    /** Drop rows that are consistent with the rest. Their multipliers are 0. The choice may change during a run. */
    RESIDA_REDUNDANT_DROP = 1
} resida_redundant;

/** Treatment of a dg/dp, or G_pattern, that differs from differences of g along a random direction by more than 1 % of
 *  its terms at the first start of a solver, and of a mass_matrix that differs so from the residual. */
typedef enum resida_wrong_matrix {
    RESIDA_WRONG_MATRIX_REFUSE = 0, /**< fail with RESIDA_ERR_MODEL and name the row */
    RESIDA_WRONG_MATRIX_WARN = 1    /**< add a warning to the statistics */
} resida_wrong_matrix;

/** Options of a start. An option without effect is refused; doc/options.md lists the conditions. */
typedef struct resida_start_options {
    size_t size;                /**< set by resida_start_options_init() */
    resida_redundant redundant; /**< treatment of redundant constraints */
    /** Relative tolerance of the rank, 0 < . < 1, default 1e-8: a row is redundant if its component orthogonal to the
     *  other rows is below this fraction of its norm. Use 1e-5 for models whose numbers have seven digits. A value
     *  above the default also applies to the largest entry of G and to the violation of dropped rows. */
    double rank_tolerance;
    double max_change;                /**< maximum change of a component of p and v, > 0, default infinite */
    resida_wrong_matrix wrong_matrix; /**< treatment of a wrong dg/dp or mass_matrix in resida_solver_start() */
} resida_start_options;

/** Set defaults. */
RESIDA_API void resida_start_options_init(resida_start_options *o);

/** Results of a start, in maximum norms. */
typedef struct resida_start_report {
    double g_before;      /**< position constraints g at p0 */
    double g_after;       /**< position constraints g at p */
    double gv_before;     /**< velocity constraints at (p, v0) */
    double gv_after;      /**< velocity constraints at (p, v) */
    double k_before;      /**< invariants k at p0 */
    double k_after;       /**< invariants k at p */
    double p_change;      /**< change of positions, p - p0 */
    double v_change;      /**< change of velocities, v - v0 */
    int rank;             /**< rank of G with the nonholonomic rows */
    int n_redundant;      /**< number of redundant rows */
    const int *redundant; /**< [n_redundant] indices of redundant rows; owned by the problem, valid until the next
                               start */
    long residual_calls;  /**< number of residual calls */
} resida_start_report;

/** Compute consistent values at t.
 *  @param[in]  p0, v0  [n_p], [n_v] initial guess
 *  @param[out] p, v, a [n_p], [n_v], [n_v]; must not overlap the inputs or each other
 *  @param[out] lam     [n_g + n_h]; NULL if there are none
 *  @param[out] report  results; after a failure those of the stages before the failed one
 *  @param[out] why     names dropped rows after a success
 *  @return RESIDA_OK;
 *          RESIDA_ERR_INCONSISTENT: no state near p0, v0 satisfies the constraints, or no lam satisfies the dynamics;
 *          RESIDA_ERR_REDUNDANT: constraints are redundant and refused, or contradictory;
 *          RESIDA_ERR_SINGULAR: a and lam are not unique: the mass matrix is singular on the free directions, or forces
 *          that depend on lam compensate it;
 *          RESIDA_ERR_OPTION; RESIDA_ERR_USER, _NONFINITE: from callbacks
 *  Cost: one residual call in the residual formalism with a mass matrix; else O(n_v + n_g + n_h) (doc/starts.md). */
RESIDA_API resida_status resida_problem_start(resida_problem *problem, double t, const double *p0, const double *v0,
                                              const resida_start_options *o, double *p, double *v, double *a,
                                              double *lam, resida_start_report *report, resida_message *why);

#ifdef __cplusplus
}
#endif
#endif
