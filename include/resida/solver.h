/* resida/solver.h - integration of a resida_problem by BDF of variable order and step size (SUNDIALS IDA), or by fixed
 * steps. doc/tutorial.md is an example.
 *
 * One thread at a time uses a solver, and runs its callbacks (except with the option `threads`). Different solvers are
 * independent. Options: doc/choosing.md. Events, signs, backward integration: doc/events.md. Methods other than "bdf":
 * doc/fixed-steps.md. */
#ifndef RESIDA_SOLVER_H
#define RESIDA_SOLVER_H

#include <resida/jacobian.h>
#include <resida/problem.h>
#include <resida/start.h>
#include <resida/stats.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An integration of a problem. */
typedef struct resida_solver resida_solver;

/** Components in the error test. */
typedef enum resida_error_test {
    RESIDA_ERROR_TEST_AUTO = 0,        /**< all except those of index 2 and 3 (resida_kind) */
    RESIDA_ERROR_TEST_ALL = 1,         /**< all; impractical for GGL */
    RESIDA_ERROR_TEST_DIFFERENTIAL = 2 /**< differential components; refused without kind RESIDA_ALGEBRAIC */
} resida_error_test;

/** Called before each attempt at a step, with t at its beginning. Must not call the solver.
 *  @return 0; else the call returns RESIDA_INTERRUPTED, and the next one continues */
typedef int resida_monitor_fn(double t, void *user);

/** A state, owned by the solver. Missing parts are NULL. */
typedef struct resida_state {
    double t;          /**< [s] */
    const double *y;   /**< [n] unknowns (resida_layout) */
    const double *yp;  /**< [n] dy/dt */
    const double *p;   /**< [n_p] positions */
    const double *v;   /**< [n_v] velocities, then states z */
    const double *a;   /**< [n_v] accelerations, then z' */
    const double *lam; /**< [n_g + n_h] multipliers */
    const double *eta; /**< [n_g] multipliers of g, zero within the tolerance */
} resida_state;

/** An accepted step. */
typedef struct resida_step {
    double t;        /**< end [s], possibly after t_out or an event */
    double h;        /**< size [s] */
    int order;       /**< order of the method */
    resida_state at; /**< state at t, valid during the call */
} resida_step;

/** Called for each accepted step, before outputs and events within it. May call only
 *  resida_solver_request() and resida_solver_stats().
 *  @return 0; > 0: RESIDA_INTERRUPTED, after an event within the step; < 0: RESIDA_ERR_USER */
typedef int resida_accepted_fn(const resida_step *step, void *user);

/** rate [n] = f(t, y, y') of n integrals. Must not call the solver. @return 0; else RESIDA_ERR_USER */
typedef int resida_quadrature_fn(const resida_state *at, double *rate, void *user);

/** First steps of a multistep method. */
typedef enum resida_start_up {
    RESIDA_START_UP_AUTO = 0,         /**< radau for bdf3 .. bdf6, lower orders for bdf2 */
    RESIDA_START_UP_LOWER_ORDERS = 1, /**< order 1, 2, ...; results have order 2 */
    RESIDA_START_UP_RADAU = 2         /**< Radau IIA of order 5 */
} resida_start_up;

/** End of the Newton iteration of a fixed step. Arrays are owned by the solver, valid during the call. */
typedef struct resida_newton_end {
    double t;                      /**< end [s] */
    double h;                      /**< size [s] */
    int stages;                    /**< blocks of n unknowns; the last one is y at t */
    resida_jacobian_matrix matrix; /**< last factored matrix, not scaled */
    const double *correction;      /**< [stages * n] last correction */
    const double *row_scale;       /**< [stages * n] factors of rows (option scaling); NULL: 1 */
    const double *column_scale;    /**< [stages * n] of columns; NULL: 1 */
} resida_newton_end;

/** Called for each solved fixed step. */
typedef void resida_newton_fn(const resida_newton_end *end, void *user);

/** Options of a solver. Without effect they are refused (resida/option.h):
 *    rtol: only without rtol_each
 *    atol: only without atol_each
 *    step, newton_to_rounding, observer, observer_user: only steps of a fixed size
 *    adaptive: only methods newmark, hht, generalized-alpha
 *    rho_infinity: only methods hht, generalized-alpha, energy-decaying
 *    newmark_beta, newmark_gamma: only method newmark
 *    start_up: only methods bdf2 .. bdf6
 *    min_order: only method bdf, with max_order > 1
 *    max_order, sign_each: only method bdf
 *    stability_detection: only method bdf, with max_order > 2
 *    h_first, slow_rate, max_age: only methods bdf, radau-iia-3, without step
 *    h_max: only methods bdf, newmark, hht, generalized-alpha, radau-iia-3, with steps that adapt
 *    error_test: only methods bdf, radau-iia-3, if it tests other components than auto
 *    newton_tolerance: only without newton_to_rounding
 *    newton_h_weights: only with unknowns of index 2 or 3, without newton_to_rounding
 *    repair: only method bdf, with jacobian auto or fresh
 *    scaling: only forms index3, augmented
 *    scaling_mass, scaling_damping: only forms index3, augmented, with scaling lam, lam+v or two-field-lam
 *    scaling_stiffness: only forms index3, augmented, with scaling lam, lam+v or two-field-lam
 *    differences: only where something is differenced
 *    threads: only with a jacobian other than user
 *    call_cost: only methods bdf, radau-iia-3, with jacobian auto or user
 *    event_parts, root_directions: only with root functions */
typedef struct resida_solver_options {
    size_t size; /**< set by resida_solver_options_init() */
    /* Tolerances and signs. */
    double rtol;             /**< relative tolerance, > 0 and < 1, default 1e-6 */
    double atol;             /**< absolute tolerance, >= 0 (> 0 if a component can be 0), default 1e-6 */
    const double *rtol_each; /**< [n] >= 0, copied; zeros for rtol = 0 */
    const double *atol_each; /**< [n] >= 0, copied */
    const int *sign_each; /**< [n] sign at the end of each step: 1: >= 0, 2: > 0, -1: <= 0, -2: < 0, 0: any; copied */

    /* Methods. */
    /** "bdf" (default): variable order and step size, by IDA. "radau-iia-3" without `step`: variable step size. Fixed
     *  steps: "bdf1" .. "bdf6", "midpoint", "newmark", "hht", "generalized-alpha", "radau-iia-2", "radau-iia-3",
     *  "energy-decaying". */
    const char *method;
    double step;          /**< fixed step size [s], not below the rounding unit of t; 0: variable */
    int adaptive;         /**< 1: control the error of positions and states, with first step `step`; constraints need
                               newmark_gamma > 1/2 or rho_infinity < 1 */
    double rho_infinity;  /**< spectral radius at infinite frequency, 0..1 ("hht": 1/2..1), default 0.8 */
    double newmark_beta;  /**< > 0 and <= 1, default 1/4 */
    double newmark_gamma; /**< > 0 and <= 1, default 1/2 */
    resida_start_up start_up;   /**< default RESIDA_START_UP_AUTO */
    int newton_to_rounding;     /**< 1: evaluate J at each iteration, and iterate while corrections decrease */
    resida_newton_fn *observer; /**< called for each solved fixed step; NULL (default) */
    void *observer_user;        /**< passed to observer */

    /* Order, events, steps, budgets. */
    int min_order;              /**< minimum order after the first steps, default 2; 1: as DASSL and IDA */
    int max_order;              /**< 1..5, default 5 */
    int stability_detection;    /**< 1 (default): limit the order to 2 or 3 while stability limits the step size */
    int event_parts;            /**< 0..1000, default 1: parts of a step in which root functions are checked */
    const int *root_directions; /**< [n_root] crossings that are events: 1 rising, -1 falling, 0 both; copied. Gaps of
                                     contacts are falling */
    double h_first;             /**< first step size [s], >= 0; 0: computed by at most four residual calls, and from the
                                     distance to t_stop or t_out */
    double h_max;               /**< maximum step size [s], > 0, default infinite */
    double t_stop;              /**< stop time [s], default infinite */
    long max_steps;             /**< of the solver, > 0, default 10^9 */
    long max_residuals;         /**< of the solver, > 0, default 10^12 */
    double time_limit_s;        /**< maximum wall-clock time of each call [s], > 0, default infinite */

    /* Error test, Newton iteration, Jacobian. */
    resida_error_test error_test; /**< default RESIDA_ERROR_TEST_AUTO */
    /** Tolerance of the Newton iteration as a fraction of the error test, <= 1. 0: with "auto", "fresh", "user" 0.05
     *  for fixed steps, at most 0.05 for "radau-iia-3" without `step`, 0.01 with weights times h^2, else 0.1; with
     *  other strategies 0.01 for general DAEs and with weights times h or h^2, else 0.33 as in DASSL. */
    double newton_tolerance;
    int newton_h_weights; /**< 1 (default): multiply Newton weights of index 2 by min(h, 1), of index 3 by its square */
    const char *jacobian; /**< strategy (resida/jacobian.h), default "auto" */
    double slow_rate;     /**< <= 0.9: convergence rate above which dF/dy is renewed at the next attempt; 0: none */
    long max_age;         /**< maximum age of dF/dy in attempts; 0: no limit */
    int repair;           /**< 1 (default): dF/dy may be corrected along a few directions if an evaluation takes 24
                              residual calls or more */
    /** Scaling of J by powers of h (doc/mathematics.md, section 9), which changes only rounding. "auto" (default):
     *  "lam+v" for index3 and augmented, else "none". "left": rows; "lam": also multipliers; "lam+v": also velocities.
     *  "two-field", "two-field-left", "two-field-lam": velocities are eliminated, if p' = v. */
    const char *scaling;
    /* s = mass + damping h + stiffness h^2 of the scaling, each >= 0; all 0: means of the diagonals of J. */
    double scaling_mass;      /**< m >= 0 */
    double scaling_damping;   /**< d >= 0 */
    double scaling_stiffness; /**< k >= 0 */
    /** "auto" (default), "dense", "klu", "klu-diagonal". */
    const char *linear_solver;
    resida_differences differences; /**< of J, default RESIDA_DIFFERENCES_FORWARD */
    int threads;           /**< 1 (default) .. 1024 threads call the formalism for differences of J; more than 1 need
                                thread_safe. Same bits and counters */
    const char *call_cost; /**< costs of callbacks: "assumed" (default): `cost` of the model, or estimates; "measured"
                                at the first start: runs may differ */

    /* Reports. */
    int profile; /**< 1: measure times and the components that limit the step size, with the same results */
    resida_monitor_fn *monitor;   /**< called before each attempt at a step; NULL (default) */
    void *monitor_user;           /**< passed to monitor */
    resida_accepted_fn *accepted; /**< called for each accepted step; NULL (default) */
    void *accepted_user;          /**< passed to accepted */
} resida_solver_options;

/** Set defaults. */
RESIDA_API void resida_solver_options_init(resida_solver_options *o);

/** Name of method i, i >= 0, "bdf" first; NULL after the last one. */
RESIDA_API const char *resida_method_at(int i);

/** Create a solver.
 *  @param[in] problem  borrowed until the solver is freed; its allocator is used
 *  @param[in] o        copied
 *  @return RESIDA_OK; RESIDA_ERR_OPTION, _VERSION
 *  Cost: no residual call. Later calls allocate only if the pattern grows, KLU chooses pivots, or at the first repair
 *  and the first start without yp0. */
RESIDA_API resida_status resida_solver_create(resida_solver **s, resida_problem *problem,
                                              const resida_solver_options *o, resida_message *why);

/** Free a solver; allowed also after a callback was left by longjmp(). */
RESIDA_API void resida_solver_free(resida_solver *s);

/** Start or restart a mechanism at t0 with consistent values near (p0, v0) (resida/start.h). A change by more than ten
 *  tolerances is a warning.
 *  @param[in] p0, v0  [n_p], [n_v]
 *  @return as resida_problem_start(); RESIDA_ERR_MODEL: dg/dp contradicts g; RESIDA_ERR_STATE: a general DAE */
RESIDA_API resida_status resida_solver_start(resida_solver *s, double t0, const double *p0, const double *v0,
                                             const resida_start_options *o, resida_start_report *report);

/** Start or restart a general DAE at t0.
 *  @param[in] y0   [n]
 *  @param[in] yp0  [n], a warning if F is not 0. NULL: yp0 and the algebraic part of y0 are computed, for index 1. If a
 *                  differential component changes: RESIDA_ERR_INCONSISTENT with `kinds` or a wrong jacobian, else a
 *                  warning
 *  @return RESIDA_OK; RESIDA_ERR_INCONSISTENT, _USER, _NONFINITE; RESIDA_ERR_STATE: a mechanism
 *  Cost in residual calls: 2 with yp0. Without yp0, for each Newton iteration: 1 with a jacobian; with a J_pattern 3,
 *  and 2 for each group of columns; at most n + 3 otherwise. */
RESIDA_API resida_status resida_solver_start_dae(resida_solver *s, double t0, const double *y0, const double *yp0);

/** Integrate to t_out and interpolate there. Callbacks are evaluated beyond t_out, except with a stop time.
 *  @param[in] t_out  >= the time reached (backward: <=)
 *  @return RESIDA_OK at t_out; RESIDA_STOP_TIME at t_stop before t_out; RESIDA_EVENT at the first event up to t_out
 *          (start again if the model or y changes); RESIDA_ERR_ARGUMENT: t_out is not finite
 *          or in the wrong direction; RESIDA_ERR_STATE: not started, or another solver has started the problem; or as
 *          follows, with the action of the next call:
 *
 *      RESIDA_INTERRUPTED, RESIDA_ERR_USER, _NONFINITE, _LIMIT_...   continues with the current step size and J
 *      RESIDA_ERR_USER_REPEATED, _NEWTON, _ERROR_TEST, _SIGN,        continues from the last accepted state at order 1
 *      RESIDA_ERR_STEP_TOO_SMALL                                     with a new first step and J
 *      RESIDA_ERR_CHATTERING, _TOLERANCE, _SINGULAR                  needs a start with another state or options
 *      RESIDA_ERR_MEMORY, _INTERNAL                                  not possible: free the solver */
RESIDA_API resida_status resida_solver_advance(resida_solver *s, double t_out);

/** Integrate by at most one internal step, not beyond t_max: the last step ends there, with RESIDA_OK.
 *  @return as resida_solver_advance() */
RESIDA_API resida_status resida_solver_step(resida_solver *s, double t_max);

/** Get the state at the time reached, valid until the next call that changes the solver.
 *  @return RESIDA_OK; RESIDA_ERR_STATE before a start */
RESIDA_API resida_status resida_solver_state(const resida_solver *s, resida_state *state);

/** Interpolate within the last internal step, by the polynomial of the method (fixed steps: a cubic).
 *  @param[out] y, yp  [n], not overlapping
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT: t is outside; RESIDA_ERR_STATE before a start; RESIDA_ERR_USER */
RESIDA_API resida_status resida_solver_interpolate(resida_solver *s, double t, double *y, double *yp);

/** Get the root functions that crossed zero, after RESIDA_EVENT.
 *  @param[out] direction  [n_root] +1 rising, -1 falling, 0 not crossed
 *  @return RESIDA_OK; RESIDA_ERR_STATE: the last call did not end with an event */
RESIDA_API resida_status resida_solver_event(const resida_solver *s, int *direction);

/** Set the stop time [s], not before the time reached; INFINITY removes it (doc/events.md). */
RESIDA_API resida_status resida_solver_set_stop_time(resida_solver *s, double t_stop);

/** Change rtol, atol, rtol_each, atol_each, h_max, max_steps, max_residuals, time_limit_s and root_directions for the
 *  next steps. Order, step size, history and J stay, unless a tolerance falls to 1/1000 or less.
 *  @param[in] o  required: the options of the creation with new values for these, copied
 *  @return RESIDA_OK; RESIDA_ERR_OPTION: nothing is changed; RESIDA_ERR_STATE within a callback
 *  Cost: no residual call, except a restart if tolerances fall below 1e-6 of their values. */
RESIDA_API resida_status resida_solver_change(resida_solver *s, const resida_solver_options *o);

/** Set n integrals q' = f(t, y, y'), 0 <= n <= 2^20, without effect on the steps. A start, except at the time reached,
 *  and a loaded checkpoint set q = 0.
 *  @param[in] f     NULL only if n = 0
 *  @param[in] user  passed to f, borrowed
 *  @return RESIDA_OK; RESIDA_ERR_MEMORY: none are set; RESIDA_ERR_STATE within a callback
 *  Cost: seven calls of f for each step and each event; more where f has kinks, at most 900, and for small rtol. The
 *  quadrature of the interpolated solution has the tolerances rtol and atol (doc/choosing.md). */
RESIDA_API resida_status resida_solver_set_quadratures(resida_solver *s, int n, resida_quadrature_fn *f, void *user);

/** Get the integrals from the start to the time reached, by seven calls of f or more.
 *  @param[out] q  [n]
 *  @return RESIDA_OK; RESIDA_ERR_STATE: none are set, or before a start; RESIDA_ERR_USER, _NONFINITE: from f */
RESIDA_API resida_status resida_solver_quadratures(resida_solver *s, double *q);

/** As resida_jacobian_request(). After a change of parameters or constraints, start instead. */
RESIDA_API resida_status resida_solver_request(resida_solver *s, resida_request what);

/** Get the statistics; stats->size must be set. */
RESIDA_API resida_status resida_solver_stats(const resida_solver *s, resida_stats *stats);

/** Check the model at the state reached, preferably at the end of a run: its derivatives along a random direction, T,
 *  |g| and |G v + gI|. The check adds errors with an effect at this state to `warnings` of the statistics, and
 *  derives `hints` from the counters.
 *  @return RESIDA_OK; RESIDA_ERR_STATE before a start; errors of callbacks; RESIDA_ERR_LIMIT_...
 *  Cost: at most 29 residual calls, 4 for each group of J_pattern, and 16 products; 4 calls of g for each derivative of
 *  g and group of columns of dg/dp; more after a disagreement. */
RESIDA_API resida_status resida_solver_examine(resida_solver *s);

/** Jacobian engine, owned by the solver, for queries; NULL for NULL. */
RESIDA_API const resida_jacobian *resida_solver_jacobian(const resida_solver *s);

/** Message of the last call: cause of a failure, or "warning: ..." after a first start; "" if none. Valid until the
 *  next call. */
RESIDA_API const char *resida_solver_message(const resida_solver *s);

/** Write the version of SUNDIALS at run time, such as "6.4.1". @param[out] text [size] */
RESIDA_API resida_status resida_sundials_version(char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
