/* resida/equilibrium.h - equilibria of a mechanism or a general DAE.
 *
 *     Phi(p, v, 0, lam, u) + G'(p, u) lam = 0,   0 = g(p, u),   v = 0,   z' = 0        a mechanism at rest
 *     F(t, y, 0, u) = 0                                                                a general DAE
 *
 * Excitations are constant, u at t, ud = udd = 0. With `steady` cyclic coordinates, which appear in no equation, move
 * at constant rates. These rates are unknowns, and u, ud, udd are those at t.
 *
 * The search uses Newton's method, load steps from the guess, and other starts (doc/mathematics.md, section 14).
 * Sizes of unknowns are max(|x_j|, L). The length L is 1, or less if the forces are nonlinear over a shorter distance.
 * Contacts that would penetrate are closed, and contacts that would pull are opened. Undetermined directions stay near
 * the guess. */
#ifndef RESIDA_EQUILIBRIUM_H
#define RESIDA_EQUILIBRIUM_H

#include <resida/problem.h>
#include <resida/start.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Stability of an equilibrium, by eigenvalues of the linearized system. */
typedef enum resida_stability {
    RESIDA_STABILITY_UNKNOWN = 0,  /**< not requested, or not decided for the reason in `judged` */
    RESIDA_STABILITY_DECAYING = 1, /**< stable: every mode decays */
    RESIDA_STABILITY_NEUTRAL = 2,  /**< no mode grows, some do not decay */
    RESIDA_STABILITY_GROWING = 3   /**< unstable: a mode grows */
} resida_stability;

/** Called in each iteration and trial step. load: part s of the load, 0 to 1. @return 0; else
 *  RESIDA_INTERRUPTED */
typedef int resida_equilibrium_fn(int iterations, double residual, double load, void *user);

/** Options of the search for an equilibrium. */
typedef struct resida_equilibrium_options {
    size_t size;                /**< set by resida_equilibrium_options_init() */
    int steady;                 /**< 1: steady motion at constant rates of cyclic coordinates, for mechanisms with p' =
                                     v */
    resida_redundant redundant; /**< treatment of redundant constraints */
    /** Tolerance of |F_i| relative to its weight, the largest of |dF_i/dx_j| max(|x_j|, L) over states and positions,
     *  |G_ji lam_j| over multipliers, and |dg_i/dp_j p_j| for constraints; > 0 and < 1, default 1e-10. */
    double tolerance;
    double max_step;                /**< maximum change of an unknown x_j in an iteration, relative to max(|x_j|, L); >
                                         0, default 0.5 */
    int max_iterations;             /**< maximum number of Newton iterations, > 0, default 500 */
    int load_steps;                 /**< minimum number of load steps; 0: load steps only if Newton's method fails */
    double from;                    /**< time [s] from which load steps lead to t; NaN (default): t */
    int stability;                  /**< 1 (default): compute all eigenvalues, up to 2000 states, outside the budgets */
    long max_residuals;             /**< maximum number of residual calls, > 0, default 10^12 */
    double time_limit_s;            /**< maximum wall-clock time [s], > 0, default infinite */
    resida_equilibrium_fn *monitor; /**< function called before each evaluation; NULL: none */
    void *monitor_user;             /**< argument of monitor */
} resida_equilibrium_options;

/** Set defaults. */
RESIDA_API void resida_equilibrium_options_init(resida_equilibrium_options *o);

/** Results of a search; after a failure the known ones. */
typedef struct resida_equilibrium_report {
    int iterations;             /**< number of Newton iterations */
    int load_steps;             /**< number of load steps of the last search; 1: none were needed */
    double residual;            /**< max |F_i| relative to its weight, at the best point */
    double correction;          /**< last Newton correction, relative to max(|x_j|, L) */
    long residual_calls;        /**< number of residual calls */
    int n_free;                 /**< number of directions that the equations leave undetermined */
    int n_steady;               /**< number of coordinates with a constant rate */
    resida_stability stability; /**< stability of the equilibrium */
    int n_modes;                /**< number of eigenvalues; 0: none computed */
    int n_growing;              /**< number of eigenvalues with real part > 0 */
    int n_lasting;              /**< number of eigenvalues with real part 0 within rounding */
    double growth;              /**< largest real part of an eigenvalue [1/s]; NaN: none */
    double frequency;           /**< imaginary part of that eigenvalue [rad/s], >= 0 */
    resida_message worst;       /**< names and values of the largest residuals */
    resida_message free;        /**< names of undetermined coordinates; "" if n_free = 0 */
    resida_message redundant;   /**< dropped rows of g; "" if none */
    resida_message judged;      /**< text of the stability, with the reason */
} resida_equilibrium_report;

/** Find an equilibrium of a mechanism, in any form of the problem.
 *  @param[in]  p0, v0  [n_p], [n_v] initial guess; of v0 only states z, and with `steady` rates
 *  @param[out] p, v    [n_p], [n_v] velocities are 0 or steady rates; must not overlap the inputs or each other
 *  @param[out] lam     [n_g + n_h]; NULL if there are none
 *  @return RESIDA_OK; RESIDA_INTERRUPTED; RESIDA_ERR_NEWTON: none found, `why` has the best residual;
 *          RESIDA_ERR_INCONSISTENT (also of contacts), _REDUNDANT, _SINGULAR as resida_problem_start();
 *          RESIDA_ERR_MODEL: contacts with dry friction; RESIDA_ERR_OPTION, _USER, _NONFINITE, _LIMIT_...
 *  Cost: a start; for each iteration a Jacobian by central differences (no call with derivatives), a call for each
 *  trial step, and a factorisation. */
RESIDA_API resida_status resida_problem_equilibrium(resida_problem *problem, double t, const double *p0,
                                                    const double *v0, const resida_equilibrium_options *o, double *p,
                                                    double *v, double *lam, resida_equilibrium_report *report,
                                                    resida_message *why);

/** Find an equilibrium of a general DAE: F(t, y, 0) = 0.
 *  @param[in]  y0  [n] initial guess
 *  @param[out] y   [n], must not overlap y0
 *  @return as above, without those of a start; RESIDA_ERR_OPTION for steady or redundant */
RESIDA_API resida_status resida_problem_equilibrium_dae(resida_problem *problem, double t, const double *y0,
                                                        const resida_equilibrium_options *o, double *y,
                                                        resida_equilibrium_report *report, resida_message *why);

#ifdef __cplusplus
}
#endif
#endif
