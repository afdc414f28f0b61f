/* resida/start.h - a consistent start: p on k = 0 and g = 0, v on the velocity constraint, then a and lam.
 *
 *     k(p) = 0                 Gauss-Newton, least |dp|; and again after each correction below
 *     g(p) = 0                 Gauss-Newton, corrections M-orthogonal (dp = T dq, least dq' M dq)
 *     G v + gI = 0             M dv + G' mu = 0, G dv = -(G v + gI)
 *     [ M  G' ] [ a   ]   [ Psi   ]
 *     [ G  0  ] [ lam ] = [ -bias ]
 *
 * Where Psi depends on lam, this is solved by Newton's method from the a and lam for Psi(lam = 0), with dPsi/dlam by
 * differences; of several solutions that is the one found, and there may be none (a sliding rod that jams).
 *
 * (G and lam with the nonholonomic rows below.) Before that the rank of G is found by a QR factorisation with column
 * pivoting of G', rows scaled to one; rows that depend on others are named.
 * A row of dg/dp that is rounding alone is no row: across the plane of a linkage the constraint of a ball is a sum of
 * terms that cancel. It is left out, whatever the options say, while g and G v of it are below the tolerance of dropped
 * rows, and is named as they are. Its entries are below 64 roundings of the largest of dg/dp (of differences: 16 times
 * their error), g does not follow it, and it stays small along a motion that the other rows allow. A row in small
 * units is kept, because g follows it.
 * Cost: where a row is small two calls of g, and where it is left out two of dg/dp.
 *
 * What looks redundant or singular is looked at a second time, when masses of coordinates differ by more than 1e8, in
 * units in which they are about 1, and neither is said unless it is so in both.
 *
 * Rows that are dropped are redundant where the integration starts. On the way the choice is looked at after some of
 * the steps, and made anew when those that are kept come near a loss of rank that others would not have: a dropped row
 * that follows from them, all of norm one, with a coefficient above 2.5. Nothing begins anew; p and v go on as they
 * were, and so does lam, of which that of a row that is dropped now fades to 0 within ten steps. Which rows, and when,
 * is in resida_stats. Cost: no residual call; dg/dp, T, Gh and g once, and a factorisation of the rows, at every third
 * step or oftener. When a dropped row does not hold any more, though the others do, it was redundant at the start alone
 * (a singular position): the integration ends with RESIDA_ERR_REDUNDANT and the row's name. Formulations that drift
 * ("index1", "index2", "projected1" in v) drift more as the coefficients grow.
 *
 * Redundant constraints determine G' lam, not lam. Where forces depend on more of lam than that, as friction at one of
 * three supports in a row, the motion depends on which row is dropped. A run looks for it along each change of lam that
 * leaves G' lam, and says so in `warnings` of resida_stats, with the rows. Cost, in models with residual_lam or
 * acceleration_lam and dropped rows: one call and one for each dropped row whenever the choice is looked at, until it
 * is seen.
 *
 * Time and memory: with full matrices O((n_v + n_l)^3) and O((n_v + n_l)^2), n_l = n_g + n_h. A mechanism in the
 * residual formalism that gives its mass matrix, with patterns of M and dg/dp (of T and Gh, if there are such) that
 * leave most entries out, and has n_v + n_l >= 64, is started with sparse ones: time and memory grow with the entries
 * and their fill, for a chain of rods linearly. KLU takes its memory when it chooses pivots, in each start. That no row
 * is redundant is then seen from an estimate of the least singular value of G. Only when that is not clearly above
 * rank_tolerance the QR factorisation is done, which takes O(n_l^2 n_v) operations and, as long as it lasts, n_l n_v
 * numbers, and names the same rows as ever. */
#ifndef RESIDA_START_H
#define RESIDA_START_H

#include <resida/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What becomes of redundant constraints. */
typedef enum resida_redundant {
    RESIDA_REDUNDANT_REFUSE = 0, /**< fail with RESIDA_ERR_REDUNDANT and name the rows */
    RESIDA_REDUNDANT_DROP =
        1 /**< drop rows that are consistent with the rest (lam = eta = 0 for them), others when others are needed */
} resida_redundant;

/** What becomes of a dg/dp, or of a G_pattern, that contradicts g at the first start of a solver: differences of g
 *  along a random direction are off by more than 1 % of its terms, at each of several increments and to both sides. */
typedef enum resida_wrong_matrix {
    RESIDA_WRONG_MATRIX_REFUSE = 0, /**< fail with RESIDA_ERR_MODEL and name the row */
    RESIDA_WRONG_MATRIX_WARN = 1    /**< warn, as of smaller differences */
} resida_wrong_matrix;

/** What is set and has no effect with the form is refused (resida/option.h):
 *    redundant: only forms with constraints
 *    rank_tolerance: only forms with constraints
 *    max_change: only forms with constraints
 *    wrong_matrix: only forms with constraints */
typedef struct resida_start_options {
    size_t size;                /**< set by resida_start_options_init() */
    resida_redundant redundant; /**< default RESIDA_REDUNDANT_REFUSE */
    /** A row is redundant when less than this part of it is new; 0 < . < 1, default 1e-8. A larger value is the
     *  accuracy of the constraints as they are described: a row is redundant, too, when its new part is less than this
     *  part of the largest entry of G, and dropped rows may be off by as much, times 1 + |row| and 1 + |p|.
     *  Descriptions with seven digits take 1e-5. */
    double rank_tolerance;
    double max_change;                /**< largest allowed change of a component of p and v; > 0, default infinite */
    resida_wrong_matrix wrong_matrix; /**< of resida_solver_start(); default RESIDA_WRONG_MATRIX_REFUSE */
} resida_start_options;

/** Set every option to its default, and `size` to its value. */
RESIDA_API void resida_start_options_init(resida_start_options *o);

/** What the start did; norms are maximum norms. */
typedef struct resida_start_report {
    double g_before;      /**< position constraints at p0 */
    double g_after;       /**< position constraints at p */
    double gv_before;     /**< velocity constraints of v0, at the projected positions */
    double gv_after;      /**< velocity constraints of v */
    double k_before;      /**< invariants at p0 */
    double k_after;       /**< invariants at p */
    double p_change;      /**< largest change of a component of p */
    double v_change;      /**< largest change of a component of v */
    int rank;             /**< rank of G (with the nonholonomic rows) */
    int n_redundant;      /**< rows beyond the rank */
    const int *redundant; /**< [n_redundant] their numbers, owned by the problem, until the next start */
    long residual_calls;  /**< formalism calls spent */
} resida_start_report;

/** Find consistent values at t.
 *  @param[in]  p0, v0  [n_p], [n_v] given state; not changed
 *  @param[in]  o       NULL: defaults
 *  @param[out] p, v, a [n_p], [n_v], [n_v]; may not overlap the inputs or each other
 *  @param[out] lam     [n_g + n_h] (NULL when there are none)
 *  @param[out] report  or NULL; also filled as far as known when a stage failed
 *  @param[out] why     or NULL
 *  @return RESIDA_OK (with rows that were dropped named in why);
 *          RESIDA_ERR_INCONSISTENT no state near p0, v0 satisfies the constraints, or no lam found with which forces
 *          that depend on it agree;
 *          RESIDA_ERR_REDUNDANT constraints depend on each other (and the options refuse, or they contradict);
 *          RESIDA_ERR_SINGULAR a and lam are not determined (mass matrix singular on the free directions, or forces
 *          that depend on lam balance it);
 *          RESIDA_ERR_USER, _NONFINITE a callback failed; RESIDA_ERR_ARGUMENT, _OPTION, _MEMORY.
 *          After a failure p, v, a, lam are untouched.
 *  Cost: n_v - n_z + 1 residual calls without a mass matrix (residual formalism), and up to 3 more for a coordinate
 *  whose inertia force at a = 1 is less than 1e-8 of the applied one; n_g + n_h + 1 calls (explicit formalism) for each
 *  of the three stages; 1 call with a mass matrix. Where Psi depends on lam, in each step of Newton's method 1 call and
 *  1 for each multiplier; with Phi_lam_pattern (residual formalism) for each group of multipliers that have no row in
 *  common. */
RESIDA_API resida_status resida_problem_start(resida_problem *problem, double t, const double *p0, const double *v0,
                                              const resida_start_options *o, double *p, double *v, double *a,
                                              double *lam, resida_start_report *report, resida_message *why);

#ifdef __cplusplus
}
#endif
#endif
