/* resida/equilibrium.h - where a mechanism stays, or a general DAE: a state in which nothing changes.
 *
 *     Phi(p, v, 0, lam, u) + G'(p, u) lam = 0,   0 = g(p, u),   v = 0,   z' = 0        at rest
 *     F(t, y, 0, u) = 0                                                                a general DAE
 *
 * Excitations are held at their values at t: u of the model, ud = udd = 0. With the option `steady` a mechanism may
 * move at steady rates: a coordinate on which nothing depends (the angle of a rolling wheel) keeps the position that it
 * has, its rate is an unknown in its place, and u, ud, udd are all those of the model at t.
 *
 * The start makes p consistent and names redundant rows of g (resida/start.h); dropped ones are chosen anew on the way.
 * Then Newton's method, on the derivatives that an integration takes (resida/jacobian.h; the model's own, or central
 * differences, which take positions above 100, such as angles that have turned, for max(100, cbrt(|p|))), steps of at
 * most max_step, halved until the residual falls; p is put back onto invariants k(p) = 0 behind each. Where that fails,
 * load steps: the forces that are left at the start are balanced, F(x) = (1 - s) F(x0), and the path of solutions
 * (x, s) is followed by its length from s = 0 to 1, so that s may turn back at a limit load. Steps are lengthened and
 * cut as they converge. Where no path is found, short ways in which the forces lead are gone.
 * Of several equilibria the one is found to which all this leads from the start.
 *
 * Contacts that hold (resida/contact.h) are closed as the start has them, at the guess: for an equilibrium at a contact
 * begin with it closed. One beyond a contact, or in which a closed one pulls, is RESIDA_ERR_INCONSISTENT, and contacts
 * with dry friction are RESIDA_ERR_MODEL.
 *
 * What is not determined stays as near to the start as it can: each correction is the shortest one, and what rounding
 * has moved on the way is taken back (of mechanisms with p' = v). Such free directions (a body that nothing holds, a
 * wheel that turns) are named by their coordinates.
 *
 * Stability is that of the system linearised there, in independent coordinates:
 *     M q'' + D q' + K q = 0,   with states z and forces that depend on lam;   of a general DAE  E y' = A y,
 * by all its eigenvalues, as resida_linearization_modes() finds them (resida/linearize.h): up to 2000 states of first
 * order. Its calls of F are beside the budgets.
 */
#ifndef RESIDA_EQUILIBRIUM_H
#define RESIDA_EQUILIBRIUM_H

#include <resida/problem.h>
#include <resida/start.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What becomes of a small displacement, by the linearised system. */
typedef enum resida_stability {
    RESIDA_STABILITY_UNKNOWN = 0,  /**< not asked for, or not decided: `judged` says why */
    RESIDA_STABILITY_DECAYING = 1, /**< stable: every mode decays */
    RESIDA_STABILITY_NEUTRAL = 2,  /**< no mode grows, but some do not decay: undamped, or a free direction */
    RESIDA_STABILITY_GROWING = 3   /**< unstable: a mode grows */
} resida_stability;

/** Called in each iteration, and at each trial of a step, with how many there were, the residual as a part of the
 *  weights, and the part s of the load.
 *  @return 0 to go on; else the search ends with RESIDA_INTERRUPTED */
typedef int resida_equilibrium_fn(int iterations, double residual, double load, void *user);

/** How an equilibrium is looked for. */
typedef struct resida_equilibrium_options {
    size_t size;                /**< set by resida_equilibrium_options_init() */
    int steady;                 /**< 1: steady motion, above; mechanisms with p' = v only. 0 (default): rest */
    resida_redundant redundant; /**< of the start, default RESIDA_REDUNDANT_REFUSE; dropped rows have lam = 0 */
    /** Of each row of F, as a part of its weight; > 0 and < 1, default 1e-10. The weight is the largest |dF_i/dx_j|
     *  max(|x_j|, 1) over states, max(min(max(|x_j|, 1), 100), cbrt(|x_j|)) over positions, and |G_ji lam_j| over
     *  multipliers, but no less than what x_j are rounded to. A constraint is judged by |dg_i/dp_j p_j|: lengths of a
     *  micrometre are as good as those of a metre. Rows and columns of a general DAE are scaled to a largest entry of
     *  1. Of a row that no unknown changes it is what a derivative of 1 changes: so a body falls, and a capacitor
     *  charges, however small it is. */
    double tolerance;
    double max_step;    /**< largest change of a position or state in an iteration, as a part of max(|x_j|, 1); > 0,
                              default 0.5 */
    int max_iterations; /**< of Newton's method, all load steps together; > 0, default 500 */
    int load_steps;     /**< 0 (default): taken where Newton's method fails without; k > 0: k at least */
    double from;   /**< [s] a time at which the guess is near an equilibrium, where load steps begin: excitations, and
                              all that depends on t, go with s from there to t. NaN (default): t */
    int stability; /**< 1 (default): looked at; 0: not */
    long max_residuals;             /**< budget of residual calls, > 0, default 10^12 */
    double time_limit_s;            /**< budget of wall-clock time, > 0, default infinite */
    resida_equilibrium_fn *monitor; /**< or NULL (default) */
    void *monitor_user;             /**< handed to it */
} resida_equilibrium_options;

/** Set every option to its default, and `size` to its value. */
RESIDA_API void resida_equilibrium_options_init(resida_equilibrium_options *o);

/** What was found. Also filled, as far as it is known, when nothing was. */
typedef struct resida_equilibrium_report {
    int iterations;             /**< of Newton's method */
    int load_steps;             /**< 1: the whole load at once; of several ways those of the last */
    double residual;            /**< largest |F_i| as a part of its weight, at the best point */
    double correction;          /**< largest change in the last iteration, as a part of max(|x_j|, 1) */
    long residual_calls;        /**< all causes */
    int n_free;                 /**< directions that are not determined */
    int n_steady;               /**< coordinates that have a rate */
    resida_stability stability; /**< of the linearised system */
    int n_modes;                /**< eigenvalues that were looked at; 0: none */
    int n_growing;              /**< of these: with a real part > 0 */
    int n_lasting;              /**< of these: with a real part of 0, but for rounding */
    double growth;              /**< [1/s] the largest real part; NaN: none was looked at */
    double frequency;           /**< [rad/s] imaginary part of that eigenvalue, >= 0 */
    resida_message worst;       /**< the rows that are worst, by name and value */
    resida_message free;        /**< names of what is not determined; "" for n_free = 0 */
    resida_message redundant;   /**< rows of g that were dropped; "" for none */
    resida_message judged;      /**< the stability in words */
} resida_equilibrium_report;

/** Find an equilibrium of a mechanism, whatever the form of the problem.
 *  @param[in]  p0, v0  [n_p], [n_v] a guess; of v0 states z count, and with `steady` the rates to begin with
 *  @param[in]  o       NULL: defaults
 *  @param[out] p, v    [n_p], [n_v] positions; velocities, 0 but for steady rates, and states; may not overlap the
 *                      inputs or each other
 *  @param[out] lam     [n_g + n_h] multipliers (NULL when there are none)
 *  @param[out] report  or NULL
 *  @param[out] why     or NULL
 *  @return RESIDA_OK; RESIDA_INTERRUPTED; RESIDA_ERR_NEWTON none found: why has the best residual and the worst rows;
 *          RESIDA_ERR_INCONSISTENT, _REDUNDANT, _SINGULAR as resida_problem_start(); RESIDA_ERR_MODEL; RESIDA_ERR_USER,
 *          _NONFINITE, _LIMIT_RESIDUALS, _LIMIT_TIME; RESIDA_ERR_ARGUMENT, _OPTION, _MEMORY. Unless it is RESIDA_OK, p,
 *          v, lam are untouched.
 *  Cost: a start, and for each iteration the calls of a Jacobian by central differences, none with derivatives, and 1
 *  for each trial of a step. Time O(n^3) of a full matrix up to 64 unknowns, and where the matrix is singular; else
 *  that of a sparse factorisation. */
RESIDA_API resida_status resida_problem_equilibrium(resida_problem *problem, double t, const double *p0,
                                                    const double *v0, const resida_equilibrium_options *o, double *p,
                                                    double *v, double *lam, resida_equilibrium_report *report,
                                                    resida_message *why);

/** The same of a general DAE: F(t, y, 0) = 0.
 *  @param[in]  y0  [n] a guess
 *  @param[out] y   [n] may not overlap it
 *  @return as above, without those of a start; RESIDA_ERR_OPTION for steady or redundant */
RESIDA_API resida_status resida_problem_equilibrium_dae(resida_problem *problem, double t, const double *y0,
                                                        const resida_equilibrium_options *o, double *y,
                                                        resida_equilibrium_report *report, resida_message *why);

#ifdef __cplusplus
}
#endif
#endif
