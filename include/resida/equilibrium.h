/* resida/equilibrium.h - equilibria of a mechanism or a general DAE.
 *
 *     Phi(p, v, 0, lam, u) + G'(p, u) lam = 0,   0 = g(p, u),   v = 0,   z' = 0        at rest
 *     F(t, y, 0, u) = 0                                                                a general DAE
 *
 * Excitations are constant: u at t, ud = udd = 0. With the option `steady` a mechanism may move at constant rates: a
 * coordinate that appears in no equation (the angle of a rolling wheel) keeps its value, its rate is an unknown, and u,
 * ud, udd are those at t.
 *
 * The start makes p consistent (resida/start.h). Then Newton's method with steps of at most max_step, halved until the
 * residual falls. If it fails, the load is increased in steps: F(x) = (1 - s) F(x0), and the path (x, s) is followed by
 * its arc length from s = 0 to 1, also through limit loads. If that fails, x moves in short steps along the forces. One
 * equilibrium of several is found. Corrections have minimal norm, so that undetermined directions stay near the guess;
 * they are named.
 *
 * Contacts that hold (resida/contact.h) are closed as in the start at the guess. An equilibrium beyond a contact, or
 * with a closed contact that pulls, is RESIDA_ERR_INCONSISTENT; contacts with dry friction are RESIDA_ERR_MODEL.
 *
 * Stability is decided by all eigenvalues of the linearized system (resida/linearize.h), up to 2000 states of first
 * order. Its calls of F are not in the budgets. */
#ifndef RESIDA_EQUILIBRIUM_H
#define RESIDA_EQUILIBRIUM_H

#include <resida/problem.h>
#include <resida/start.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Stability of the linearized system. */
typedef enum resida_stability {
    RESIDA_STABILITY_UNKNOWN = 0,  /**< not requested or not decided; see `judged` */
    RESIDA_STABILITY_DECAYING = 1, /**< stable: every mode decays */
    RESIDA_STABILITY_NEUTRAL = 2,  /**< no mode grows, some do not decay: undamped, or free directions */
    RESIDA_STABILITY_GROWING = 3   /**< unstable: a mode grows */
} resida_stability;

/** Called in each iteration and at each trial step. residual: relative to the weights; load: s.
 *  @return 0; else the search ends with RESIDA_INTERRUPTED */
typedef int resida_equilibrium_fn(int iterations, double residual, double load, void *user);

/** Options of the search. */
typedef struct resida_equilibrium_options {
    size_t size;                /**< set by resida_equilibrium_options_init() */
    int steady;                 /**< 1: steady motion, for mechanisms with p' = v. 0 (default): rest */
    resida_redundant redundant; /**< of the start, default RESIDA_REDUNDANT_REFUSE */
    /** Of each row of F, as a part of its weight; > 0 and < 1, default 1e-10. The weight is the largest |dF_i/dx_j|
     *  max(|x_j|, 1) over states, max(min(max(|x_j|, 1), 100), cbrt(|x_j|)) over positions, and |G_ji lam_j| over
     *  multipliers, but no less than what x_j are rounded to. A constraint is judged by |dg_i/dp_j p_j|: lengths of a
     *  micrometre are as good as those of a metre. Rows and columns of a general DAE are scaled to a largest entry of
     *  1. Of a row that no unknown changes it is what a derivative of 1 changes: so a body falls, and a capacitor
     *  charges, however small it is. */
    double tolerance;
    double max_step;    /**< largest change of a position or state in an iteration, as a part of max(|x_j|, 1); > 0,
                              default 0.5 */
    int max_iterations; /**< maximum of Newton iterations, all load steps together; > 0, default 500 */
    int load_steps;     /**< 0 (default): load steps if Newton's method fails; k > 0: at least k */
    double from;   /**< [s] a time at which the guess is near an equilibrium, where load steps begin: excitations, and
                              all that depends on t, go with s from there to t. NaN (default): t */
    int stability; /**< 1 (default): compute it; 0: no */
    long max_residuals;             /**< maximum of residual calls, > 0, default 10^12 */
    double time_limit_s;            /**< maximum wall-clock time, > 0, default infinite */
    resida_equilibrium_fn *monitor; /**< NULL (default): none */
    void *monitor_user;             /**< passed to it */
} resida_equilibrium_options;

/** Set `size`, and all options to their defaults. */
RESIDA_API void resida_equilibrium_options_init(resida_equilibrium_options *o);

/** Results; after a failure filled as far as known. */
typedef struct resida_equilibrium_report {
    int iterations;             /**< of Newton's method */
    int load_steps;             /**< 1: the whole load at once; of the last search */
    double residual;            /**< max |F_i| relative to its weight, at the best point */
    double correction;          /**< last correction, relative to max(|x_j|, 1) */
    long residual_calls;        /**< all causes */
    int n_free;                 /**< undetermined directions */
    int n_steady;               /**< coordinates with a rate */
    resida_stability stability; /**< of the linearised system */
    int n_modes;                /**< number of eigenvalues; 0: none computed */
    int n_growing;              /**< eigenvalues with real part > 0 */
    int n_lasting;              /**< eigenvalues with real part 0 within rounding */
    double growth;              /**< [1/s] largest real part; NaN: none */
    double frequency;           /**< [rad/s] imaginary part of that eigenvalue, >= 0 */
    resida_message worst;       /**< rows with the largest residuals, by name and value */
    resida_message free;        /**< names of undetermined coordinates; "" if n_free = 0 */
    resida_message redundant;   /**< dropped rows of g; "" if none */
    resida_message judged;      /**< the stability as text */
} resida_equilibrium_report;

/** Find an equilibrium of a mechanism, in any form of the problem.
 *  @param[in]  p0, v0  [n_p], [n_v] initial guess; of v0 only states z, and with `steady` rates
 *  @param[in]  o       NULL: defaults
 *  @param[out] p, v    [n_p], [n_v] positions; velocities (0, or steady rates) and states; must not overlap the inputs
 *                      or each other; unchanged after a failure
 *  @param[out] lam     [n_g + n_h] multipliers; NULL if there are none; unchanged after a failure
 *  @param[out] report  may be NULL
 *  @param[out] why     may be NULL
 *  @return RESIDA_OK; RESIDA_INTERRUPTED; RESIDA_ERR_NEWTON: none found, why has the best residual and its rows;
 *          RESIDA_ERR_INCONSISTENT, _REDUNDANT, _SINGULAR as resida_problem_start(); RESIDA_ERR_MODEL; RESIDA_ERR_USER,
 *          _NONFINITE, _LIMIT_RESIDUALS, _LIMIT_TIME; RESIDA_ERR_ARGUMENT, _OPTION, _MEMORY
 *  Cost: a start; for each iteration a Jacobian by central differences (no call with derivatives), and 1 call for each
 *  trial step. Time O(n^3) up to 64 unknowns or if the matrix is singular, else a sparse factorisation. */
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
