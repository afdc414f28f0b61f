/* resida/solver.h - a resida_problem integrated: by variable-order, variable-step BDF (SUNDIALS IDA), or in steps of a
 * fixed size by one of a dozen methods.
 *
 *     resida_solver_create(&s, problem, &options, &why);
 *     resida_solver_start(s, t0, p0, v0, NULL, &report);   consistent start
 *     for (int k = 1; k <= n; k++) {
 *         if (resida_solver_advance(s, t0 + k * dt) < 0) break;   dense output: no step is cut for an output
 *         resida_solver_state(s, &state);
 *     }
 *     resida_solver_free(s);
 *
 * Steps of a fixed size (option method) lie on the grid t_0 + k h, which is not summed up but multiplied; the one that
 * would step over t_stop is shortened to end there, and the grid goes on from there. No step is repeated with another
 * size: one whose Newton iteration fails, or whose callbacks refuse, ends the integration. Tolerances are those of the
 * Newton iteration alone, and what it leaves adds up from step to step: take them some hundred times smaller than the
 * error that is looked for, in the explicit formalism with newton_h_weights = 0. Outputs between two grid points, and
 * events, are found on Hermite's cubic through both ends, multipliers on a straight line: take outputs on the grid
 * where the order counts.
 *   bdf1 .. bdf6       y' = (1/h) sum alpha_i y_{n-i}
 *   midpoint           constraints hold at the end of the step; multipliers are those of its middle, and
 *                      of order 2 in means of two steps
 *   newmark, hht, generalized-alpha    on positions and velocities of a mechanism, equations of motion and constraints
 *                      at the end of the step (Arnold, Bruels); pseudo-accelerations begin consistently, at the
 *                      cost of a step of Radau IIA
 *   radau-iia-2, -3    order 3 and 5, stages solved together
 *   energy-decaying    two stages; energy never grows (Bauchau); order 2, of linear forces 3; for forms ode,
 *                      index3, augmented, residual formalism, p' = v, a mass matrix that is constant (which is not
 *                      checked) and positive definite; multipliers as with midpoint. Forces are averaged along the
 *                      way of each stage by Gauss' formula with four points, at eight residual calls an iteration: to
 *                      rounding where potential and constraints are of degree 8 in p at the most. M alone holds the
 *                      jumps to the constraints: stiff bodies with light directors ask for small steps
 * Inputs that are held for a step and change between two calls, as in a control loop (examples/control_loop.c), need
 * no start. Newmark's family and bdf2 .. bdf6 carry derivatives or values from step to step. They compare F at the
 * beginning of a call with F of the last step, if the call before ended on the grid, and correct y', lam and back
 * values where it has changed. Cost: one residual call for each such call, two where F has differences of the
 * constraints; and one for each correction, 8 at the most.
 * After that the last step cannot be interpolated any more. A change of g or of M needs a start.
 *
 * First-order states go like velocities; they are no part of the energy. Steps that adapt look at errors of states,
 * too.
 *
 * A step of Newmark's family is begun anew where it is shortened, so that lam keeps its order; with steps that adapt it
 * does not. With newmark and gamma = 1/2 errors in lam are not damped.
 *
 * Times are counted from the last start on inside, so that steps may be shorter than the rounding of t0; callbacks get
 * t as it is rounded. A model whose callbacks do not depend on t runs at t0 = 1e15 as at 0.
 *
 * Back in time. The first call behind a start may go to a time before it: the run then goes back in time. y', v, a and
 * messages are by t all the same; IDA has a time of its own, which grows. Root functions, sensitivities, gamma > 0,
 * steps of a fixed size and runs of models (resida/run.h) go forward only and are refused by name. Jumps of constraints
 * are not looked for. What is damped forward in time grows backward, and errors with it.
 *
 * Events. Root functions are looked at on the interpolated solution, at the end of each step and within it. Where
 * values there leave room for a change of sign between them, there are more looks, until functions are straight, or too
 * far from zero; how closely is remembered from step to step. So two crossings within a step are seen, and all of an
 * oscillation much faster than the steps: as long as the functions are smooth, at two calls of them a step where they
 * are far from zero or straight. What is not seen is a dip to zero that lies between two looks as a whole, such as a
 * narrow bump under a wheel: take more event_parts, or an h_max, so that a part of a step is no longer than the dip.
 * A function that changes too fast to be followed is given up for the rest of the step after a thousand looks, which
 * statistics count as events_in_doubt; the others are followed on. With event_parts = 0 functions are looked at where
 * steps end alone, and crossings in pairs go unseen.
 * A function that is zero at a start, within rounding and within what the start has moved it by, is no event there: it
 * begins on the side to which y' takes it. A ball that starts on the floor with a velocity into it falls through.
 * A start from the state of an event does not repeat it. If the start has changed the state, as in a rebound, y' tells
 * the side of a function that has crossed; if y' is 0 the function is where it came from. If the state stays, but y'
 * jumps, as where a mode was switched, the function stays where it has crossed to, and its return is an event, which
 * root_directions may leave out. If each event switches the motion back, the solution slides along the zero, and the
 * run ends with RESIDA_ERR_CHATTERING.
 * Where F cannot be evaluated beyond an event, as a square root that a switch guards, steps end before it. The event is
 * where y' takes a root function to zero, less than a thousandth of the tolerances ahead.
 *
 * Signs. A step that ends with a component of a wrong sign (option sign_each) is tried again with a quarter of its
 * size; what misses zero by less than the tolerance of the iteration is put to zero, where that is allowed. Between
 * steps, in outputs, at events and in quadratures, what the polynomial brings beyond zero is 0, or DBL_MIN where a sign
 * is strict; root functions see it as it is. Where no
 * step keeps the signs, the run ends with RESIDA_ERR_SIGN by the name of the component, and a start with others is
 * refused so. An atol below the size that matters comes first: it mostly keeps the signs by itself.
 *
 * A force that jumps, without a root function, may hold the solution at the jump (dry friction that sticks): steps lead
 * nowhere there, and the run ends with RESIDA_ERR_CHATTERING. So it does after a thousand events in a row that hardly
 * move t; a start at another time than the one reached begins a run of its own.
 *
 * A constraint g that jumps with t, by more than its tolerance and without a root function, ends the run with
 * RESIDA_ERR_STEP_TOO_SMALL: forms that hold g find no step across the jump. Where F does not hold g (index1, index2,
 * baumgarte), and with steps of a fixed size, g is compared at times within the last steps at fixed positions: row and
 * time are in the message, and the state is that of the step which has passed the jump. Cost: 2 calls of g at every
 * eighth step, 5 at every fourth where g changes with t, and at outputs. A jump at the stop time or at an event is the
 * caller's.
 *
 * Pulses. What is smooth in t and over within less than a step is stepped over, in F as in excitations, from rest and
 * out of a smooth motion alike, as by every code that chooses its steps by errors: they see F where steps end. Give
 * h_max, events, a stop time or `breakpoints` of a model (resida/model.h) where such pulses are.
 *
 * After a failure the state is the last accepted one, the solver can be asked (state, stats, message), started again,
 * or freed. Nothing is ever printed. A solver belongs to one thread at a time; many may run in many threads. Callbacks
 * are called by the thread that calls the solver, unless the option `threads` is used.
 *
 * Papers:
 *     C. L. Bottasso, O. A. Bauchau, A. Cardona: Time-step-size-independent conditioning and sensitivity to
 *     perturbations in the numerical solution of index three differential algebraic equations. SIAM Journal on
 *     Scientific Computing 29 (2007) 397-414. doi:10.1137/050638503
 *     O. A. Bauchau, A. Epple, C. L. Bottasso: Scaling of constraints and augmented Lagrangian formulations in
 *     multibody dynamics simulations. Journal of Computational and Nonlinear Dynamics. doi:10.1115/1.3079826
 *     M. Arnold, O. Bruels: Convergence of the generalized-alpha scheme for constrained mechanical systems. Multibody
 *     System Dynamics 18 (2007) 185-202. doi:10.1007/s11044-007-9084-0
 *     O. A. Bauchau: Computational schemes for flexible, nonlinear multi-body systems. Multibody System Dynamics 2
 *     (1998) 169-225 */
#ifndef RESIDA_SOLVER_H
#define RESIDA_SOLVER_H

#include <resida/jacobian.h>
#include <resida/problem.h>
#include <resida/start.h>
#include <resida/stats.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A problem being integrated. */
typedef struct resida_solver resida_solver;

/** Which components stay out of the error test and the choice of order and first step. */
typedef enum resida_error_test {
    RESIDA_ERROR_TEST_AUTO = 0,        /**< all but those of index 2 and 3 (lam, eta; v in an index-3 formulation) */
    RESIDA_ERROR_TEST_ALL = 1,         /**< all; GGL hardly runs like this */
    RESIDA_ERROR_TEST_DIFFERENTIAL = 2 /**< differential ones only */
} resida_error_test;

/** Called before every step and every new attempt at one, with the t where the step begins, the same in all its
 *  attempts; return non-zero to end the call of advance with RESIDA_INTERRUPTED. An integration that was interrupted
 *  before a step goes on with the same bits, between two attempts at one with another step size. It may not call the
 *  solver. */
typedef int resida_monitor_fn(double t, void *user);

/** A state, in memory of the solver. Parts that do not exist are NULL. */
typedef struct resida_state {
    double t;          /**< [s] */
    const double *y;   /**< [n] unknowns, as resida_problem_layout() says */
    const double *yp;  /**< [n] their derivatives */
    const double *p;   /**< [n_p] positions */
    const double *v;   /**< [n_v] velocities, and states z after them */
    const double *a;   /**< [n_v] accelerations, and z' after them */
    const double *lam; /**< [n_g + n_h] multipliers */
    const double *eta; /**< [n_g] auxiliary multipliers, zero but for the tolerance */
} resida_state;

/** A step that was accepted. */
typedef struct resida_step {
    double t;        /**< its end [s], which may lie beyond the output that is integrated to, or beyond an event */
    double h;        /**< its size [s] */
    int order;       /**< its order, as in resida_stats */
    resida_state at; /**< the state at its end, valid for the time of the call */
} resida_step;

/** Called for each step once it is accepted, in their order, before outputs and events within it are returned. It may
 *  not call the solver, but for resida_solver_request() and resida_solver_stats(): a call that starts or integrates is
 *  refused, and a failure, too. After a failure the next call of advance or step calls it for the same step again.
 *  @return 0; > 0: no more steps: the call of advance or step ends with RESIDA_INTERRUPTED, where an event comes first
 *  with that, and the next call so; the one after goes on as if nothing had been. < 0: a failure, RESIDA_ERR_USER */
typedef int resida_accepted_fn(const resida_step *step, void *user);

/** Rates f(t, y, y') of integrals at a state within an accepted step: rate [n]. It may not call the solver. @return 0;
 *  else the call that integrates fails with RESIDA_ERR_USER */
typedef int resida_quadrature_fn(const resida_state *at, double *rate, void *user);

/** What a multistep method begins with. The error of a first step of order 1 is h^2/2 y'', and it stays: begun by lower
 *  orders, no method has an order above 2. */
typedef enum resida_start_up {
    RESIDA_START_UP_AUTO = 0,         /**< radau for bdf3 .. bdf6, lower orders for bdf2, which keeps its order so */
    RESIDA_START_UP_LOWER_ORDERS = 1, /**< steps of order 1, 2 and so on */
    RESIDA_START_UP_RADAU = 2         /**< steps of Radau IIA of order 5, as many as back values lack */
} resida_start_up;

/** How the Newton iteration of a step of fixed size ended. Arrays are the solver's, for the time of the call. */
typedef struct resida_newton_end {
    double t;                      /**< end of the step [s] */
    double h;                      /**< its size [s] */
    int stages;                    /**< blocks of unknowns, one for each stage; the last one is y at t */
    resida_jacobian_matrix matrix; /**< that was factored last, of stages * n unknowns, not scaled */
    const double *correction;      /**< [stages * n] the last one that was applied */
    const double *row_scale;       /**< [stages * n] what its rows were multiplied by (option scaling); NULL: 1 */
    const double *column_scale;    /**< [stages * n] what its columns were multiplied by; NULL: 1 */
} resida_newton_end;

/** Called for each step of a fixed size that was solved. */
typedef void resida_newton_fn(const resida_newton_end *end, void *user);

/** What is set and has no effect with the form, the method and the other options is refused (resida/option.h):
 *    rtol: only without rtol_each
 *    atol: only without atol_each
 *    step: only steps of a fixed size
 *    adaptive: only methods newmark, hht, generalized-alpha
 *    rho_infinity: only methods hht, generalized-alpha, energy-decaying
 *    newmark_beta: only method newmark
 *    newmark_gamma: only method newmark
 *    start_up: only methods bdf2 .. bdf6
 *    newton_to_rounding: only steps of a fixed size
 *    observer: only steps of a fixed size
 *    observer_user: only steps of a fixed size
 *    min_order: only method bdf, with max_order > 1
 *    max_order: only method bdf
 *    stability_detection: only method bdf, with max_order > 2
 *    h_first: only method bdf
 *    h_max: only methods bdf, newmark, hht, generalized-alpha, with steps that adapt
 *    error_test: only method bdf, where other components are tested than with auto
 *    newton_tolerance: only without newton_to_rounding
 *    newton_h_weights: only with unknowns of index 2 or 3, without newton_to_rounding
 *    sign_each: only method bdf
 *    slow_rate: only method bdf
 *    max_age: only method bdf
 *    repair: only method bdf, with jacobian auto or fresh
 *    scaling: only forms index3, augmented
 *    scaling_mass: only forms index3, augmented, with scaling lam, lam+v or two-field-lam
 *    scaling_damping: only forms index3, augmented, with scaling lam, lam+v or two-field-lam
 *    scaling_stiffness: only forms index3, augmented, with scaling lam, lam+v or two-field-lam
 *    differences: only where something is differenced
 *    threads: only with a jacobian other than user
 *    call_cost: only method bdf, with jacobian auto or user
 *    event_parts: only with root functions
 *    root_directions: only with root functions */
typedef struct resida_solver_options {
    size_t size;             /**< set by resida_solver_options_init() */
    double rtol;             /**< relative tolerance, > 0, default 1e-6 */
    double atol;             /**< absolute tolerance, >= 0 (> 0 if a component may be 0), default 1e-6 */
    const double *rtol_each; /**< [n] relative tolerances by component, >= 0, copied; NULL (default): rtol for all */
    const double *atol_each; /**< [n] absolute tolerances by component, copied; NULL (default): atol for all */
    const int *sign_each;    /**< [n] sign of a component where a step ends: 1: >= 0, 2: > 0, -1: <= 0, -2: < 0,
                                  0: any; copied; NULL (default): any for all; above, "Signs" */
    const char *method;      /**< "bdf" (default): BDF of variable order and step, by IDA. In steps of a fixed size, at
                                  t_0 + k h: "bdf1" .. "bdf6", "midpoint", "newmark", "hht", "generalized-alpha",
                                  "radau-iia-2", "radau-iia-3", "energy-decaying"; below, "Steps of a fixed size" */
    double step;             /**< h [s], > 0 and needed for these methods; 0 (default) for "bdf". Below the rounding of
                                  a time to go to it is refused there; resida_solver_step() takes any */
    int adaptive; /**< 1: "newmark", "hht", "generalized-alpha" choose their steps by the error of positions and states,
                       beginning with `step`; with constraints they must damp: newmark_gamma > 1/2, rho_infinity < 1. 0
                       (default): steps of one size */
    double rho_infinity;  /**< spectral radius at infinite frequency, 0..1, default 0.8: of "generalized-alpha", "hht"
                              (1/2..1) and "energy-decaying" */
    double newmark_beta;  /**< of "newmark", > 0 and <= 1, default 1/4 */
    double newmark_gamma; /**< of "newmark", > 0 and <= 1, default 1/2 */
    resida_start_up start_up;   /**< default RESIDA_START_UP_AUTO */
    int newton_to_rounding;     /**< 1: J is evaluated at each iteration, which goes on as long as corrections decrease:
                                     steps of a fixed size only. 0 (default): to the tolerance */
    resida_newton_fn *observer; /**< called for each step of a fixed size that was solved; or NULL (default) */
    void *observer_user;        /**< handed to it */
    int min_order;           /**< 2 (default): estimates of errors lower the order no further than to 2, so that stiff
                                     forces do not hold the step down; 1: they may, as in DASSL and IDA. Steps behind a
                                     start, an event or a jump begin with order 1 in any case */
    int max_order;           /**< 1..5, default 5 */
    int stability_detection; /**< 1 (default): the order is limited to 2, or to 3, while stability, not accuracy, holds
                                  the step down, as in lightly damped mechanisms whose motion is slow, and of axles on
                                  their tyres. 0: not */
    int event_parts;         /**< 0..1000, default 1: parts of each step in which root functions are looked at, below,
                                  "Events" */
    const int *root_directions; /**< [n_root] where a function crosses zero is an event 1: if it rises, -1: if it falls,
                                     0: in both cases; copied; NULL (default): in both for all. event() of a model sees
                                     no others; the gaps of contacts have to fall (resida/run.h) */
    double h_first;             /**< first step [s], >= 0; 0 (default): chosen, from a residual or two and
                                     the way to t_stop, without one to the first t_out; with unknowns of index 3
                                     no more than 1e-4 of that to the first t_out (resida/dae.h) */
    double h_max;               /**< largest step [s], > 0, default infinite; "Pulses", above */
    double t_stop;              /**< never stepped over, default infinite (none); against the direction of the run it is
                                     refused by the first call that integrates (RESIDA_ERR_ARGUMENT) */
    long max_steps;             /**< budget of steps, > 0, default 10^9, over the life of the solver */
    long max_residuals;         /**< budget of residual calls, all causes, > 0, default 10^12 */
    double time_limit_s; /**< budget of wall-clock time from each call of start and advance, > 0, default infinite */
    resida_error_test error_test; /**< default RESIDA_ERROR_TEST_AUTO */
    /** Newton ends at this part of the error test, 0 < . <= 1; 0 (default): where J is renewed when that pays ("auto",
     *  "fresh", "user") 0.05 for steps of a fixed size, 0.01 where weights times h^2 loosen the test of multipliers,
     *  else 0.1; a first correction that a predicted rate judges may leave a tenth of it. Where J is kept 0.01 for
     *  general DAEs and with weights times h or h^2, else 0.33 as in DASSL. */
    double newton_tolerance;
    int newton_h_weights; /**< 1 (default): weights of index-2 components times min(h, 1), of index 3 times its square;
                               without them tight tolerances fail at the start. 0: not */
    const char *jacobian; /**< strategy, see resida/jacobian.h; default "auto" */
    double
        slow_rate; /**< convergence of the iteration, 0 < . <= 0.9: a slower measured rate has dF/dy evaluated anew at
                        the next attempt; 0 (default): 0.9 (then the iteration fails), as in DASSL */
    long max_age;  /**< step attempts that an evaluated dF/dy may serve, > 0; 0 (default): any number, as in DASSL */
    int repair;    /**< 1 (default): "auto" and "fresh" repair dF/dy, in the place of an evaluation, in the directions
                        that GMRES needs for the correction at hand, a residual call for each; where an evaluation takes
                        24 calls or more, evaluations take a good part of all calls, and repairs succeed. 0: not */
    /** Scaling of rows and columns of the iteration matrix by the step size h, forms "index3" and "augmented"; it
     *  changes rounding, never what is solved. Numbers: Bottasso, Bauchau, Cardona, cited above.
     *    "auto" (default)   "lam+v" for these forms, else "none"
     *    "left"             rows (16); "lam": rows, and multipliers by s/h^2 (23), (24); "lam+v": and velocities by 1/h
     *                       (29)
     *    "two-field", "two-field-left", "two-field-lam"    velocities are taken out first (37), (44), (48); needs p' =
     *                                                      v */
    const char *scaling;
    /* s = m + d h + k h^2, (6) of Bauchau, Epple, Bottasso; all 0 (default): found in the matrix, from means of its
     * diagonals. */
    double scaling_mass;      /**< m >= 0 */
    double scaling_damping;   /**< d >= 0 */
    double scaling_stiffness; /**< k >= 0 */
    /** "auto" (default), "dense", "klu", or "klu-diagonal": without pivoting, in the order of the unknowns, which fails
     *  where a pivot on the diagonal is missing or too small. */
    const char *linear_solver;
    resida_differences differences; /**< of J, default RESIDA_DIFFERENCES_FORWARD */
    int threads; /**< that call the formalism for differences of J, 1 (default) .. 1024; more than one needs a model
                      that says thread_safe. Results, bit for bit, and counters do not depend on it. A callback's fatal
                      verdict ends the integration; calls that other threads are in come to their end. Nothing but the
                      formalism, and what of kinematic and constraint matrices it needs, is called by other threads */
    const char *call_cost; /**< what calls of callbacks are taken to cost where the strategy weighs it: "assumed"
                                (default): what the model says (its member `cost`), the rest by its size, so that runs
                                repeat bit for bit; "measured": each is timed at the first start, against operations of
                                a factorisation, and rounded to a power of four. Another machine, or another load, may
                                then find other steps, and other bits. At most 320 residual calls, in about 1 ms, or at
                                least 5 */
    int profile; /**< 1: statistics tell where the time went, which takes two looks at a clock for each callback, and
                      which components limit the steps; results are the same. 0 (default): no clock is looked at */
    resida_monitor_fn *monitor; /**< or NULL (default) */
    void *monitor_user;         /**< handed to it */
    resida_accepted_fn
        *accepted;       /**< called for each accepted step; or NULL (default). Steps are the same. Cost: a step is
                                       interpolated at its end */
    void *accepted_user; /**< handed to it */
} resida_solver_options;

/** Set every option to its default, and `size` to its value. */
RESIDA_API void resida_solver_options_init(resida_solver_options *o);

/** Name i, from 0 on, of the methods, "bdf" first; NULL behind the last one. */
RESIDA_API const char *resida_method_at(int i);

/** Create a solver.
 *  @param[out] s        new handle, NULL on failure
 *  @param[in]  problem  borrowed until the solver is freed; its allocator is used
 *  @param[in]  o        NULL: defaults; copied
 *  @param[out] why      or NULL
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT, _OPTION (named), _MEMORY, _VERSION
 *  Cost: no residual call. All memory is reserved here but for what hangs on the pattern of J, which is found by
 *  the first evaluations: after them start and advance allocate nothing, unless the pattern grows, KLU chooses new
 *  pivots, dF/dy is repaired for the first time on a pattern, or a general DAE is started without yp0 for the first
 *  time. */
RESIDA_API resida_status resida_solver_create(resida_solver **s, resida_problem *problem,
                                              const resida_solver_options *o, resida_message *why);

/** Free a solver; NULL is fine. Not within a callback of it, its monitor or `accepted`, whose call goes on with the
 *  solver: undefined, and not refused, since a program that has left a callback by longjmp looks the same and may free
 *  it. To end a run from there, return a value < 0, and free behind the call. */
RESIDA_API void resida_solver_free(resida_solver *s);

/** Start (or start again) a mechanism at t0 from (p0, v0), made consistent as in resida/start.h. What the first start
 *  moves by more than ten tolerances is a line of `warnings` in the statistics, the farthest of p and of v; the report
 *  has the largest change, max_change refuses it.
 *  @param[in]  p0, v0  [n_p], [n_v], copied
 *  @param[in]  o       options of the start, NULL: defaults
 *  @param[out] report  or NULL
 *  @return as resida_problem_start(); RESIDA_ERR_MODEL for a dg/dp that contradicts g (wrong_matrix of
 *          resida/start.h); RESIDA_ERR_STATE for a general DAE. After a failure the solver keeps its state. */
RESIDA_API resida_status resida_solver_start(resida_solver *s, double t0, const double *p0, const double *v0,
                                             const resida_start_options *o, resida_start_report *report);

/** Start (or start again) a general DAE at t0.
 *  @param[in] y0   [n]
 *  @param[in] yp0  [n]; NULL: found by Newton's method, for index 1 only, with M = dF/dyp: yp as far as F depends on it
 *                  (0 otherwise), and y where M y stays what it was: algebraic components, and others along the kernel
 *                  of M, as both nodes of a capacitor. A component that is not algebraic moves beyond its tolerance
 *                  only where the model has no kinds: `warnings` of the statistics says so; with kinds, or by a
 *                  jacobian that differences of F contradict, the move is refused with RESIDA_ERR_INCONSISTENT
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT; RESIDA_ERR_INCONSISTENT; RESIDA_ERR_USER, _NONFINITE; RESIDA_ERR_MEMORY
 *          (below 128 unknowns about 5 n^2 numbers at the first start without yp0; from there on O(nnz), at each);
 *          RESIDA_ERR_STATE for a mechanism
 *  Cost: with yp0 two residual calls at the first start, none later: `warnings` of the statistics says so where F is
 *  clearly not 0. Without, for each Newton iteration: 1 with a jacobian of the model, 3 and two for each group of
 *  columns with a J_pattern, else n + 3 at the most, from 128 unknowns on as with a J_pattern and some calls for each
 *  halving of the columns down to the width of a band; and a second call for a group, or a component, whose derivatives
 *  F hardly shows. Time besides: O(n^3) below 128 unknowns, else that of a sparse factorisation, and the cube of the
 *  size of each block of M that is not clearly regular (n = 20,000: 0.4 s). */
RESIDA_API resida_status resida_solver_start_dae(resida_solver *s, double t0, const double *y0, const double *yp0);

/** Integrate to t_out and interpolate there.
 *  @param[in] t_out  >= the time reached; equal to it: RESIDA_OK and no work; <= it in a run back in time
 *  @return RESIDA_OK at t_out; RESIDA_STOP_TIME at t_stop < t_out; RESIDA_EVENT at the first event before t_out;
 *          RESIDA_INTERRUPTED; RESIDA_ERR_ARGUMENT (t_out NaN, infinite, against the direction of
 *          the run: no residual call);
 *          RESIDA_ERR_STATE before a start, or when another solver has started the problem since
 *          (resida_problem_create()); every other RESIDA_ERR_* with the last accepted state.
 *
 *  After a failure the same call may be repeated, once what it failed for is gone. What follows an accepted step
 *  (sensitivities, quadratures, the option `accepted`, events) is done once for it: the next call first finishes the
 *  part that the failure interrupted, with the bits of a run without the failure. An attempt at a step in
 *  which a callback failed is repeated. The coefficients of the formula and J may differ then, and results agree within
 *  the tolerances.
 *
 *      RESIDA_ERR_USER, _NONFINITE, _LIMIT_..., RESIDA_INTERRUPTED   goes on with the step size and J at hand
 *      RESIDA_ERR_USER_REPEATED, _NEWTON, _ERROR_TEST, _SIGN,        goes on from the last accepted state at order 1
 *      RESIDA_ERR_STEP_TOO_SMALL                                     with a first step and a J of its own
 *      RESIDA_ERR_CHATTERING, _TOLERANCE, _SINGULAR                  only from a start with another state or options
 *      RESIDA_ERR_MEMORY, _INTERNAL                                  resida_solver_free() */
RESIDA_API resida_status resida_solver_advance(resida_solver *s, double t_out);

/** Integrate by one internal step, not beyond t_max. @return as resida_solver_advance(). */
RESIDA_API resida_status resida_solver_step(resida_solver *s, double t_max);

/** The state at the time reached, in memory of the solver, valid until the next call that changes it.
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT; RESIDA_ERR_STATE before a start */
RESIDA_API resida_status resida_solver_state(const resida_solver *s, resida_state *state);

/** The solution within the last step, by the polynomial of the BDF, at its end with y' of the corrector; in steps of a
 *  fixed size by a cubic; p on the invariants, if there are such.
 *  @param[in]  t      between the start and the end of the last internal step
 *  @param[out] y, yp  [n], not overlapping
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT (t outside the last step); RESIDA_ERR_STATE; RESIDA_ERR_USER */
RESIDA_API resida_status resida_solver_interpolate(resida_solver *s, double t, double *y, double *yp);

/** After RESIDA_EVENT: which root functions crossed zero.
 *  @param[out] direction  [n_root] +1 rising, -1 falling, 0 not crossed
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT; RESIDA_ERR_STATE: the last call did not end with an event */
RESIDA_API resida_status resida_solver_event(const resida_solver *s, int *direction);

/** Move the stop time, which must not lie before the time reached; INFINITY removes it.
 *
 *  What changes from outside at a time T, a parameter of the model or an input that is held, must not be stepped over:
 *  steps go beyond t_out, and outputs are interpolated in them. Set T as stop time, advance to T, change it, and begin
 *  by resida_solver_start() from the state; then set the next one. A step that has passed T with the old value stays:
 *  changed between two calls alone, the error is that of the rest of a step, whatever the tolerances.
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT */
RESIDA_API resida_status resida_solver_set_stop_time(resida_solver *s, double t_stop);

/** Change options between two calls: rtol, atol, rtol_each, atol_each, h_max, max_steps, max_residuals, time_limit_s
 *  and root_directions. Order, step size, history and J stay. The next step has the new tolerances and is no longer
 *  than the new h_max; of the last one, what lies beyond the time reached is returned first. Where the state is off the
 *  constraints by many of tolerances that are much smaller now (about 1000 times), it is put onto them, and the order
 *  begins at 1 (`jumps`). Behind a tolerance more than a million times smaller a mechanism without contacts and
 *  sensitivities is started anew from the state, with the options of its last start (`restarts`). For t_stop there is
 *  resida_solver_set_stop_time().
 *  @param[in] o  those of the creation, with other values for these, copied; pointers to NULL or to new arrays
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT; RESIDA_ERR_OPTION: out of range, without effect, or another value of an
 *          option that cannot change, by name: nothing has changed; RESIDA_ERR_STATE within a callback
 *  Cost: no residual call but those of such a start. */
RESIDA_API resida_status resida_solver_change(resida_solver *s, const resida_solver_options *o);

/** Integrals along the solution, q' = f(t, y, y'), as work, energy dissipated or a mean: from the next start on, by
 *  Gauss' formula on the interpolated solution, as accurate as that. Steps are the same; q is in no error test. A start
 *  at the time reached, as behind an event, goes on; one at another time, and a checkpoint that is loaded, begin with
 *  q = 0. At an event they are computed before it is returned, by the model as it was up to there.
 *  @param[in] n     0..2^20 integrals; 0: none any more
 *  @param[in] f     NULL only with n = 0
 *  @param[in] user  handed to it, borrowed
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT; RESIDA_ERR_MEMORY with none set; RESIDA_ERR_STATE within a callback
 *  Cost: no residual call; one to three calls of f for each step and each event. */
RESIDA_API resida_status resida_solver_set_quadratures(resida_solver *s, int n, resida_quadrature_fn *f, void *user);

/** The integrals from the start to the time reached.
 *  @param[out] q  [n]
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT; RESIDA_ERR_STATE: none are set, or before a start; RESIDA_ERR_USER,
 *          RESIDA_ERR_NONFINITE from f
 *  Cost: up to three calls of f, at the end of a step none. */
RESIDA_API resida_status resida_solver_quadratures(resida_solver *s, double *q);

/** Have J evaluated anew at the next step attempt, and its pattern searched: for models that know when their
 *  derivatives jump, or where a contact closes. May be called at any time by the thread that calls the solver, in
 *  callbacks too.
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT
 *  Cost: as resida_jacobian_request() says. */
RESIDA_API resida_status resida_solver_request(resida_solver *s, resida_request what);

/** Counters. stats->size must be set. @return RESIDA_OK; RESIDA_ERR_ARGUMENT */
RESIDA_API resida_status resida_solver_stats(const resida_solver *s, resida_stats *stats);

/** Look whether the model means what it says, at the state reached: each derivative it gives is compared with
 *  differences along one random direction, where a difference to either side, near or far, may agree; T with the
 *  gyroscopic forces; |g| and |G v + gI| with the tolerances. What is wrong is added to `warnings` of the statistics,
 *  one line for each kind of thing; a model that is wrong may still pass, if its error does not show at this state. The
 *  first start looks at excitations, dg/dp and the biases likewise; accepted steps 1, 2, 4, 8 ... at gI, which is
 *  0 at a start at rest whatever its sign. State and message stay as they are.
 *  A motion of few tolerances since the start is a warning, too. `hints` of the statistics are derived from the
 *  counters of the run, such as many calls of g because dg/dp is missing. Call it at the end of a run.
 *  The first start looks whether M is positive semidefinite, too, where there are constraints: all of it where it was
 *  factored as a full matrix, of a sparse one its diagonal, of an explicit formalism the diagonal of G M^-1 G'.
 *  Entries of dg/dp are compared one by one, too, a little beside the state, where g accepts that.
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT; RESIDA_ERR_STATE before a start; what a callback or a budget stopped it for
 *  Cost: at a start 2 calls of g with constraint_matrix, products or G_pattern, 2 with velocity_bias, 2 of dg/dp and gI
 *  with a bias of accelerations, and none of the formalism; with constraint_matrix one call of it and 2 of g more for
 *  each group of coordinates that share no constraint by G_pattern, without a pattern for each coordinate; with
 *  G_pattern alone another dg/dp by differences and 2 of g. Here twice that, 2 residual calls with a mass matrix, 2
 *  with derivatives, 21 or fewer with T, 4 with the jacobian of a general DAE, with a J_pattern alone 4 and 4 for each
 *  group of columns that share no row, 4 and 16 products with products; up to 114 in the place of each 4, and as many
 *  again log2 n times, where something does not agree; counted as those of a start. At an accepted step a call of
 *  velocity_bias, 2 of g and 3 of the excitation, only where the model gives velocity_bias. */
RESIDA_API resida_status resida_solver_examine(resida_solver *s);

/** The Jacobian engine at work in a solver, to be asked only. Owned by the solver. NULL for NULL. */
RESIDA_API const resida_jacobian *resida_solver_jacobian(const resida_solver *s);

/** Why the last call failed, or its news, in words: callback, time, component, cause. "" when there is nothing to
 *  say. Within a call, which refuses all others by RESIDA_ERR_STATE, and for good behind one that a callback has left
 *  by longjmp, that. Owned by the solver, valid until its next call. Never NULL. */
RESIDA_API const char *resida_solver_message(const resida_solver *s);

/** Version of SUNDIALS at run time, "6.4.1". @param[out] text [size] */
RESIDA_API resida_status resida_sundials_version(char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
