/* resida/solver.h - integration of a resida_problem by BDF of variable order and step size (SUNDIALS IDA), or by fixed
 * steps. doc/tutorial.md has an example, doc/choosing.md the choice of options.
 *
 * One thread at a time uses a solver, and runs its callbacks (except with the option `threads`). Different solvers are
 * independent. Events, signs, backward integration: doc/events.md. Methods other than "bdf": doc/fixed-steps.md. */
#ifndef RESIDA_SOLVER_H
#define RESIDA_SOLVER_H

#include <resida/jacobian.h>
#include <resida/problem.h>
#include <resida/start.h>
#include <resida/stats.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Integrator of a problem, with its state and options. */
typedef struct resida_solver resida_solver;

/** Components of y in the local error test. */
typedef enum resida_error_test {
    RESIDA_ERROR_TEST_AUTO = 0,        /**< all except those of index 2 and 3 (resida_kind) */
    RESIDA_ERROR_TEST_ALL = 1,         /**< all; impractical for formulation "ggl" */
    RESIDA_ERROR_TEST_DIFFERENTIAL = 2 /**< differential components; needs a component of kind RESIDA_ALGEBRAIC */
} resida_error_test;

/** Called before each attempt at a step, with t at its beginning. It must not call the solver.
 *  @return 0; else end the integration with RESIDA_INTERRUPTED; the next call continues */
typedef int resida_monitor_fn(double t, void *user);

/** State of a solver, in its memory. Parts that the problem does not have are NULL. */
typedef struct resida_state {
    double t;          /**< time [s] */
    const double *y;   /**< [n] unknowns; resida_layout has the offsets of their parts */
    const double *yp;  /**< [n] time derivative of y */
    const double *p;   /**< [n_p] positions */
    const double *v;   /**< [n_v] velocities, followed by the first-order states z */
    const double *a;   /**< [n_v] accelerations, followed by dz/dt */
    const double *lam; /**< [n_g + n_h] multipliers of the constraints */
    const double *eta; /**< [n_g] multipliers eta that keep g = 0, zero within the tolerance */
} resida_state;

/** An accepted step. */
typedef struct resida_step {
    double t;        /**< end of the step [s]; can be beyond t_out or an event */
    double h;        /**< step size [s] */
    int order;       /**< order of the method in this step */
    resida_state at; /**< state at t, valid during the call */
} resida_step;

/** Called for each accepted step, before outputs and events in it. It may call only resida_solver_request()
 *  and resida_solver_stats().
 *  @return 0; > 0: RESIDA_INTERRUPTED, after an event in the step; < 0: RESIDA_ERR_USER */
typedef int resida_accepted_fn(const resida_step *step, void *user);

/** Evaluate the n integrands rate [n] = f(t, y, y'). Must not call the solver. @return 0; else RESIDA_ERR_USER */
typedef int resida_quadrature_fn(const resida_state *at, double *rate, void *user);

/** Procedure for the first steps of a multistep method of fixed step size. */
typedef enum resida_start_up {
    RESIDA_START_UP_AUTO = 0,         /**< radau for bdf3 .. bdf6, lower orders for bdf2 */
    RESIDA_START_UP_LOWER_ORDERS = 1, /**< BDF of order 1, 2, ...; the solution has order 2 */
    RESIDA_START_UP_RADAU = 2         /**< Radau IIA of order 5 */
} resida_start_up;

/** Data at the end of the Newton iteration of a fixed step, valid during the call. */
typedef struct resida_newton_end {
    double t;                      /**< end of the step [s] */
    double h;                      /**< step size [s] */
    int stages;                    /**< number of stages; each has n unknowns, and those of the last stage are y(t) */
    resida_jacobian_matrix matrix; /**< last factored Newton matrix, not scaled */
    const double *correction;      /**< [stages * n] last Newton correction */
    const double *row_scale;       /**< [stages * n] scaling factors of rows (option `scaling`); NULL: all 1 */
    const double *column_scale;    /**< [stages * n] scaling factors of columns; NULL: all 1 */
} resida_newton_end;

/** Called for each fixed step whose Newton iteration has converged. */
typedef void resida_newton_fn(const resida_newton_end *end, void *user);

/** Options of a solver. An option without effect is refused; doc/options.md lists the conditions. */
typedef struct resida_solver_options {
    size_t size;             /**< struct size */
    double rtol;             /**< relative tolerance, > 0 and < 1, default 1e-6 */
    double atol;             /**< absolute tolerance, >= 0 (> 0 if a component can be 0), default 1e-6 */
    const double *rtol_each; /**< [n] relative tolerance of each component, >= 0, in place of rtol; copied */
    const double *atol_each; /**< [n] absolute tolerance of each component, >= 0, in place of atol; copied */
    const int *sign_each; /**< [n] sign required of each component after a step: 1 >= 0, 2 > 0, -1 <= 0, -2 < 0, 0 any;
                               copied */

    /* Methods. */
    /** Integration method. Variable step size: "bdf" (default: variable order, by IDA) and "radau-iia-3" without
     *  `step`. Fixed step size: "bdf1" .. "bdf6", "midpoint", "newmark", "hht", "generalized-alpha", "radau-iia-2",
     *  "radau-iia-3", "energy-decaying". */
    const char *method;
    double step;              /**< fixed step size [s], at least the rounding unit of t; 0: variable */
    int adaptive;             /**< 1: variable step size by the error of positions and states, from `step`; constraints
                                   need newmark_gamma > 1/2 or rho_infinity < 1 */
    double rho_infinity;      /**< spectral radius at infinite frequency, 0..1 ("hht": 1/2..1), default 0.8 */
    double newmark_beta;      /**< Newmark parameter beta, > 0 and <= 1, default 1/4 */
    double newmark_gamma;     /**< Newmark parameter gamma, 1/2..1, default 1/2 */
    resida_start_up start_up; /**< first steps of "bdf2" .. "bdf6" */
    int newton_to_rounding;   /**< 1: evaluate J in each Newton iteration, and iterate while corrections decrease */
    resida_newton_fn *observer; /**< function called for each solved fixed step; NULL (default): none */
    void *observer_user;        /**< argument of observer */

    /* Order, events, steps, budgets. */
    int min_order;              /**< minimum order after the first steps, default 2; 1: as in DASSL and IDA */
    int max_order;              /**< maximum order, 1..5, default 5 */
    int stability_detection;    /**< 1 (default): stability limit detection, which reduces the order to 2 or 3 */
    int event_parts;            /**< parts of a step in which root functions are checked, 0..1000, default 1 */
    const int *root_directions; /**< [n_root] crossings that are events: 1 rising, -1 falling (gaps of contacts), 0
                                     both; copied */
    double h_first;             /**< first step size [s], >= 0; 0: from at most four residual calls and the distance to
                                     t_stop or t_out */
    double h_max;               /**< maximum step size [s], > 0, default infinite */
    double t_stop;              /**< stop time [s], default infinite */
    long max_steps;             /**< maximum number of steps of the solver, > 0, default 10^9 */
    long max_residuals;         /**< maximum number of residual calls of the solver, > 0, default 10^12 */
    double time_limit_s;        /**< maximum wall-clock time of each call [s], > 0, default infinite */

    /* Error test, Newton iteration, Jacobian. */
    resida_error_test error_test; /**< components in the local error test */
    /** Tolerance of the Newton iteration relative to that of the error test, <= 1; 0 (default): 0.01 to 0.33, by method
     *  and strategy (doc/mathematics.md, section 4). */
    double newton_tolerance;
    int newton_h_weights; /**< 1 (default): in the Newton norm, multiply weights of index 2 by min(h, 1), of index 3 by
                               its square */
    const char *jacobian; /**< strategy of the Jacobian (resida/jacobian.h), default "auto" */
    double slow_rate;     /**< Newton convergence rate above which the next attempt evaluates dF/dy, <= 0.9; 0: none */
    long max_age;         /**< maximum age of dF/dy in attempts at a step; 0: no limit */
    int repair;           /**< 1 (default): allow low-rank corrections of dF/dy if an evaluation costs at least 24
                               residual calls */
    /** Scaling of J by powers of h, which changes only rounding (doc/mathematics.md, section 9): "auto" (default),
     *  "none", "left", "lam", "lam+v", "two-field", "two-field-left", "two-field-lam". */
    const char *scaling;
    /* Coefficients of s = mass + damping h + stiffness h^2 in the scaling; all 0: means of the diagonals of J. */
    double scaling_mass;      /**< coefficient of h^0 in the scaling, >= 0 */
    double scaling_damping;   /**< coefficient of h in the scaling, >= 0 */
    double scaling_stiffness; /**< coefficient of h^2 in the scaling, >= 0 */
    /** Linear solver: "auto" (default), "dense", "klu", "klu-diagonal". */
    const char *linear_solver;
    resida_differences differences; /**< difference quotients for J */
    int threads;           /**< threads that call the formalism for differences of J, 1 (default) .. 1024, with the same
                                results; more than 1 need thread_safe */
    const char *call_cost; /**< costs of callbacks: "assumed" (default): `cost` of the model, or estimates; "measured":
                                times at the first start; runs can differ */

    /* Reports. */
    int profile; /**< 1: measure times and the components that limit the step size; results do not change */
    resida_monitor_fn *monitor;   /**< function called before each attempt at a step; NULL: none */
    void *monitor_user;           /**< argument of monitor */
    resida_accepted_fn *accepted; /**< function called for each accepted step; NULL: none */
    void *accepted_user;          /**< argument of accepted */
} resida_solver_options;

/** Set defaults. */
RESIDA_API void resida_solver_options_init(resida_solver_options *o);

/** Name of integration method i >= 0, "bdf" first; NULL after the last one. */
RESIDA_API const char *resida_method_at(int i);

/** Create a solver, without a residual call. Later calls allocate memory only for a pattern that grows, for new pivots
 *  of KLU, at the first repair, and at the first start without yp0.
 *  @param[in] problem  borrowed until the solver is freed; its allocator is used
 *  @param[in] o        copied
 *  @return RESIDA_OK; RESIDA_ERR_OPTION, _VERSION */
RESIDA_API resida_status resida_solver_create(resida_solver **s, resida_problem *problem,
                                              const resida_solver_options *o, resida_message *why);

/** Free a solver; allowed also after a callback was left by longjmp(). */
RESIDA_API void resida_solver_free(resida_solver *s);

/** Start or restart a mechanism at t0 with consistent values near (p0, v0). A change by more than ten tolerances is a
 *  warning.
 *  @param[in] p0, v0  [n_p], [n_v] initial guess
 *  @return as resida_problem_start(); RESIDA_ERR_MODEL: dg/dp contradicts g, or the mass matrix the residual;
 *          RESIDA_ERR_STATE: a general DAE
 *  Cost: as resida_problem_start(); the first start takes one more residual call if the model gives both. */
RESIDA_API resida_status resida_solver_start(resida_solver *s, double t0, const double *p0, const double *v0,
                                             const resida_start_options *o, resida_start_report *report);

/** Start or restart a general DAE at t0.
 *  @param[in] y0   [n] initial values
 *  @param[in] yp0  [n] initial derivatives, with a warning if F is not 0. NULL, for index 1: yp0 and the algebraic part
 *                  of y0 are computed. If this changes a differential component: RESIDA_ERR_INCONSISTENT with `kinds`
 *                  or a wrong jacobian, else a warning
 *  @return RESIDA_OK; RESIDA_ERR_INCONSISTENT, _USER, _NONFINITE; RESIDA_ERR_STATE: a mechanism
 *  Cost in residual calls: 2 with yp0. Without yp0, for each Newton iteration: 1 with a jacobian; 3, and 2 for each
 *  group of columns, with a J_pattern; else at most n + 3. */
RESIDA_API resida_status resida_solver_start_dae(resida_solver *s, double t0, const double *y0, const double *yp0);

/** Integrate to t_out and interpolate there. Callbacks are evaluated beyond t_out, except with a stop time.
 *  @param[in] t_out  >= the time reached (backward: <=)
 *  @return RESIDA_OK at t_out; RESIDA_STOP_TIME at t_stop before t_out; RESIDA_EVENT at the first event up to t_out
 *          (root functions may change then; start again if F or y changes); RESIDA_ERR_ARGUMENT: t_out is not finite
 *          or in the wrong direction; RESIDA_ERR_STATE also: another solver has started the problem; or as
 *          follows, with the action of the next call:
 *
 *      RESIDA_INTERRUPTED, RESIDA_ERR_USER, _NONFINITE, _LIMIT_...   continues with the current step size and J
 *      RESIDA_ERR_USER_REPEATED, _NEWTON, _ERROR_TEST, _SIGN,        continues from the last accepted state at order 1
 *      RESIDA_ERR_STEP_TOO_SMALL                                     with a new first step and J
 *      RESIDA_ERR_CHATTERING, _TOLERANCE, _SINGULAR                  needs a start with another state or options
 *      RESIDA_ERR_MEMORY, _INTERNAL                                  not possible: free the solver */
RESIDA_API resida_status resida_solver_advance(resida_solver *s, double t_out);

/** Integrate by at most one internal step (more if t_max is the rounded end of a step), not beyond t_max: the last
 *  step ends there, with RESIDA_OK.
 *  @return as resida_solver_advance() */
RESIDA_API resida_status resida_solver_step(resida_solver *s, double t_max);

/** Get the state at the time reached, valid until the next call that changes the solver. */
RESIDA_API resida_status resida_solver_state(const resida_solver *s, resida_state *state);

/** Interpolate within the last internal step, by the polynomial of the method (fixed steps, except radau-iia-3: a
 *  cubic; linear in algebraic components).
 *  @param[out] y, yp  [n], not overlapping
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT: t is outside; RESIDA_ERR_USER */
RESIDA_API resida_status resida_solver_interpolate(resida_solver *s, double t, double *y, double *yp);

/** Get the root functions that crossed zero, after RESIDA_EVENT.
 *  @param[out] direction  [n_root] +1 rising, -1 falling, 0 not crossed
 *  @return RESIDA_OK; RESIDA_ERR_STATE: the last call did not end with an event */
RESIDA_API resida_status resida_solver_event(const resida_solver *s, int *direction);

/** Set the stop time [s], not before the time reached; INFINITY removes it (doc/events.md). */
RESIDA_API resida_status resida_solver_set_stop_time(resida_solver *s, double t_stop);

/** Change rtol, atol, rtol_each, atol_each, h_max, max_steps, max_residuals, time_limit_s and root_directions for the
 *  next steps. Order, step size, history and J stay, unless a tolerance falls to 1/1000 or less. The solver restarts if
 *  a tolerance falls below 1e-6 times its value.
 *  @param[in] o  required: the options of the creation with new values for these, copied
 *  @return RESIDA_OK; RESIDA_ERR_OPTION: nothing is changed */
RESIDA_API resida_status resida_solver_change(resida_solver *s, const resida_solver_options *o);

/** Set n integrals q' = f(t, y, y'), 0 <= n <= 2^20, without effect on the steps. q is 0 at the time reached. A
 *  restart at the time reached keeps q; another start and a loaded checkpoint set q = 0. Quadrature errors meet rtol
 *  and atol (doc/choosing.md).
 *  @param[in] f     NULL only if n = 0
 *  @param[in] user  passed to f, borrowed
 *  @return RESIDA_OK; RESIDA_ERR_MEMORY: none are set
 *  Cost: seven calls of f for each step and event; at most 900 near kinks of f and for small rtol. */
RESIDA_API resida_status resida_solver_set_quadratures(resida_solver *s, int n, resida_quadrature_fn *f, void *user);

/** Get the integrals from the start to the time reached, by at least seven calls of f.
 *  @param[out] q  [n]
 *  @return RESIDA_OK; RESIDA_ERR_STATE also: none are set; RESIDA_ERR_USER, _NONFINITE: from f */
RESIDA_API resida_status resida_solver_quadratures(resida_solver *s, double *q);

/** As resida_jacobian_request(). After a change of parameters or constraints, start instead. */
RESIDA_API resida_status resida_solver_request(resida_solver *s, resida_request what);

/** Get the statistics; stats->size must be set. */
RESIDA_API resida_status resida_solver_stats(const resida_solver *s, resida_stats *stats);

/** Check the model at the state reached, preferably at the end of a run: derivatives along a random direction, T, and
 *  those of g and G v + gI that the form keeps at 0. Adds errors with an effect at this state to `warnings` of the
 *  statistics, and sets `hints`.
 *  @return RESIDA_OK; errors of callbacks; RESIDA_ERR_LIMIT_...
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
