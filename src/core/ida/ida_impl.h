/* ida_impl.h - the integrator on IDA: its data between calls, and the functions of its files.
 *
 * IDA passes the predictor, the error weights and alpha, as it does to a SUNNonlinearSolver. The library decides the
 * rest: ida_newton.c chooses J, norm and accuracy of the iteration, and ida_rules.c adds rules to the rules of IDA. */
#ifndef RSD_IDA_IMPL_H
#define RSD_IDA_IMPL_H

#include "src/core/events/integrator.h"

#include "chatter.h"
#include "ida_vector.h"
#include "min_order.h"
#include "order_limits.h"
#include "src/core/newton/newton.h"
#include "src/core/newton/scaling.h"
#include "sundials_compat.h"

/** Last start or restart of IDA. */
typedef struct rsd_ida_start {
    N_Vector y, yp;                 /* state and derivatives */
    double t;                       /* time [s] */
    double h;                       /* size of the first step [s]; 0: to be chosen */
    int is_nearby;                  /* 1: the start is within the last step, so that J may be kept */
    double total, longest_interval; /* sum and maximum of the times between consecutive nearby starts [s] */
    double number;                  /* effective number of consecutive nearby starts, 1 + total/longest_interval */
} rsd_ida_start;

/** Counters before the last restart of IDA, which resets its own. */
typedef struct rsd_ida_before {
    long steps, error_test_fails; /* number of accepted steps; number of error test failures */
    long jumps;                   /* number of restarts that discarded the history of the BDF */
} rsd_ida_before;

/** Consecutive accepted steps that do not change t. */
typedef struct rsd_ida_standstill {
    double t;   /* user's time at the end of each of these steps [s] */
    long steps; /* number of these steps */
} rsd_ida_standstill;

/* Two attempts begin at the same point if their starts differ by less than this part of the step size. */
#define RSD_SAME_PLACE 1e-3

/** Limit of the growth of the step size after failures (rule_growth.c). */
typedef struct rsd_growth {
    int num_consecutive; /* number of consecutive failures that each followed a failure within a few steps */
    int wait;            /* number of steps after the last failure that must not grow */
    int left;            /* number of these steps that are still to be taken */
    int since;           /* number of steps since the last failure */
} rsd_growth;

/** Restart at a discontinuity that no step size can pass (rule_jump.c). */
typedef struct rsd_jump {
    double h;               /* size of the failed step after which IDA restarts [s]; 0: no restart */
    int is_state_wrong;     /* 1: the last accepted state has an error, and e is its correction */
    double *e;              /* [n] correction of y in the last examined attempt */
    double *y, *yp;         /* [n] y and [n] y' at the end of the last accepted step */
    double *y_end, *yp_end; /* [n] y and [n] y' at the end of the last converged attempt */
    double t, t_end;        /* end of the last accepted step [s]; end of the last converged attempt [s] */
    double from, h_e;       /* start [s] and size [s] of the last examined attempt */
    double t_corrected;     /* time of the state that was corrected last [s]. It is not corrected twice */
    double max_correction;  /* maximum norm of e with which a state is corrected, in tolerances */
} rsd_jump;

/** Signs of components (option sign_each, rule_signs.c). A wrong sign within the tolerance is corrected to zero. */
typedef struct rsd_ida_signs {
    double earlier_correction; /* sum of the changes to zero in the steps before the attempt, in tolerances */
    double put;                /* the same sum, including the changes in the last attempt */
    int wrong;                 /* component whose sign remains wrong at the end of the last attempt; -1: none */
    double wrong_value;        /* value of the component `wrong` */
} rsd_ida_signs;

/** IDA's data about its steps since the last restart. */
typedef struct rsd_ida_steps {
    long number, fails;    /* number of accepted steps; number of error test failures */
    int order, next_order; /* order of the last step; order of the next step */
    double h_last, h;      /* size of the last step [s]; size of the next step [s] */
    double t;              /* end of the last step, or within an attempt the end of the attempt, in IDA's time [s] */
} rsd_ida_steps;

typedef struct rsd_ida {
    rsd_integration base;          /* data that all integrators have; must be the first member */
    rsd_owner owner;               /* owner of all memory except the struct and objects of SUNDIALS */
    resida_allocator alloc;        /* allocator whose blocks `owner` frees */
    SUNContext ctx;                /* context of SUNDIALS */
    void *mem;                     /* memory of IDA */
    rsd_message_receiver receiver; /* receiver of messages of IDA */
    char ida_text[200];            /* last message of IDA */
    rsd_vector_pool *pool;         /* vectors of IDA */
    N_Vector y_ida, yp_ida;        /* solution returned by IDASolve() */
    N_Vector yp_predicted;         /* derivative of the predictor, owned by IDA */
    double t_ida;                  /* time of the solution in y_ida [s] */
    N_Vector work, weights;        /* [n] work space; [n] error weights */
    N_Vector id;  /* [n] weights in the error test: 1, for contact forces another weight, 0 for other components */
    int n_tested; /* number of components in the error test */
    rsd_ida_start start;         /* last start or restart */
    int begun;                   /* 1: IDA has the current state; 0: IDA must be reinitialised */
    int stop_time_set;           /* 1: IDA has a stop time */
    int has_failed_at_all_sizes; /* 1: the last step failed at all sizes; the next call restarts at order 1 */
    int restarts_for_limit;      /* 1: IDASolve() returned because the order is limited to 2; IDA must restart */
    rsd_ida_before before;       /* counters before the last restart */
    rsd_carried *carried;        /* sensitivities along the steps; NULL: none */

    /* Nonlinear solver of the equations of a step. */
    struct _generic_SUNNonlinearSolver solver;         /* nonlinear solver that IDA calls */
    struct _generic_SUNNonlinearSolver_Ops solver_ops; /* functions of the nonlinear solver */
    double first_origin;                               /* user's time of the first start [s]; NaN before it */
    rsd_newton newton;                                 /* Newton iteration for the correction of a step */
    rsd_attempt attempt;    /* current attempt at a step; its x [n] is the correction so far */
    double from;            /* start of the current step, in IDA's time [s] */
    const double *y0, *yp0; /* [n] predictor of y, and its derivative by t */
    double *y, *yp;         /* [n] point at which F is evaluated */
    double *yp_back;        /* [n] memory of yp0 in a backward run, where its sign differs from IDA */
    rsd_scaling *scaling;   /* scaling of the linear systems; NULL: none */

    /* Data of the library's rules (ida_rules.c). */
    rsd_ida_steps steps;      /* steps at the last accepted step or at the start of the attempt */
    double t_from;            /* start of the last attempt [s]; a retry begins there */
    int has_converged;        /* 1: the last attempt converged. If its step is repeated, it failed the error test */
    double t_monitor;         /* time of the last call of the monitor [s] */
    int monitor_called;       /* 1: the monitor was called for the first attempt of the next step */
    int abandoned;            /* 1: the first attempt of a step was interrupted and must be repeated */
    int is_changed;           /* 1: IDASetEtaConvFail() was called for a repeated step, and must be reset */
    long repeated_fails;      /* number of error test failures at the point of the previous failure */
    double failed_from;       /* start of the step that failed the error test last [s] */
    int worst_component;      /* component with the largest correction in the last retry; -1: unknown */
    int failed_tests;         /* number of attempts at the current step that failed the error test */
    double *inputs;           /* [3 n_u] excitations u, u', u'' at the end of a step */
    double time_to_end;       /* time from the start to the stop time, else to the first output [s] */
    rsd_growth growth;        /* limit of the growth of the step size */
    rsd_min_order min_order;  /* minimum order */
    rsd_jump jump;            /* restart at discontinuities */
    rsd_ida_signs signs;      /* signs of components */
    rsd_order_limits order;   /* upper limits of the order */
    rsd_chatter chatter;      /* detection of chattering */
    rsd_ida_standstill still; /* last accepted steps that do not change t */
} rsd_ida;

/** @name ida_create.c @{ */
resida_status rsd_ida_create(rsd_integration **integration, const resida_solver_options *o, rsd_guard *guard,
                             resida_jacobian *engine, resida_message *why);
void rsd_ida_free(rsd_integration *integration);
/** @} */

/** @name ida_first_step.c @{ */
/** Choose the first step:
 *  - the user's h_first if it is given;
 *  - else, if J can be kept when h changes, the longest step that order 1 allows;
 *  - else, by IDA's rule, a thousandth of the interval, or less if y would change by more than half a tolerance.
 *
 *  The interval ends at the stop time if there is one, else at t_out. J is set up if the choice requires it.
 *  @return RESIDA_OK, or the status that ends the integration, with its message
 *  Cost: one to four residual calls, and an evaluation of J if there is none. */
resida_status rsd_ida_first_step(rsd_ida *ida, double t_out, double t_stop);

/** Return 1 if the interval from the start to t_out is a rounding error within which y does not change. Return 1 also
 *  if the inverse of the length of the interval would overflow. */
int rsd_ida_is_too_close(rsd_ida *ida, double t_out);
/** @} */

/** Return 1 if there is enough memory to create a context and IDA: SUNContext_Create does not check all allocations,
 *  and IDACreate prints a line if one fails. ida_library.c */
int rsd_is_memory_sufficient(void);

/** @name ida_query.c @{ */
/** Return IDA's data about its steps since the last restart. */
rsd_ida_steps rsd_ida_get_steps(const rsd_ida *ida);

/** Return the end of the last step, or the time of the start if there is no step. */
double rsd_ida_get_end_time(const rsd_ida *ida);

/** Copy derivatives from [n] to `to` [n], converted from derivatives by IDA's time to t, or from t to IDA's time. */
void rsd_ida_copy_derivatives(const rsd_ida *ida, double *to, const double *from);

/** Functions for the table rsd_integrator_ops. */
rsd_last_step rsd_ida_get_last_step(const rsd_integration *integration);
resida_status rsd_ida_interpolate(void *self, double t, double *y, double *yp);
const double *rsd_ida_get_derivatives_at_end(const rsd_integration *integration);
void rsd_ida_get_stats(const rsd_integration *integration, resida_stats *s);
/** @} */

/** @name ida_sensitivity.c @{ */
/** rsd_ida_has_new_step() returns 1 if IDA has accepted a step since the last call of rsd_ida_advance_carried(), which
 *  propagates the sensitivities over this step and returns 0, or < 0 with the reason in the guard. After a failure the
 *  step remains to be propagated. */
int rsd_ida_has_new_step(const rsd_ida *ida);
int rsd_ida_advance_carried(rsd_ida *ida);

/** A function for the table rsd_integrator_ops. */
void rsd_ida_set_carried(rsd_integration *integration, rsd_carried *x);
/** @} */

/** @name ida_failure.c @{ */
/** Return the status for the return code of IDASolve() at t. The guard's message contains the cause and the time. The
 *  message contains the name of the component that caused the failure, if it is known. */
resida_status rsd_ida_report_failure(const rsd_ida *ida, int flag, double t);

/** Report steps that do not advance t. report_small_step() returns RESIDA_ERR_STEP_TOO_SMALL for a step h to t, the
 *  last of `steps` such steps. report_chatter() returns RESIDA_ERR_CHATTERING for a component that chatters at t. */
resida_status rsd_ida_report_small_step(const rsd_ida *ida, double t, double h, long steps);
resida_status rsd_ida_report_chatter(const rsd_ida *ida, double t, double h, int component);
/** @} */

/** @name ida_newton.c @{ */
/** Allocate the memory of the corrector iteration, and set its function table. Return RESIDA_ERR_MEMORY on failure. */
resida_status rsd_ida_newton_create(rsd_ida *ida, resida_jacobian *engine);

/** Return the nonlinear solver to be attached to IDA. */
SUNNonlinearSolver rsd_ida_newton_attach(rsd_ida *ida);

/** Set the weights of contact forces in the error test, for a step h with weights w [n]. h = 0 is used for the choice
 *  of the first step, where a shorter step does not make the forces more accurate. */
void rsd_ida_set_force_weights(rsd_ida *ida, double h, const double *w);

/** Call the monitor before the next attempt, which begins at t. Return 1 if it interrupts the integration, with the
 *  reason in guard->stop. */
int rsd_ida_newton_is_interrupted(rsd_ida *ida, double t);

/** Compute the first correction [n] of a first step h, about h^2 y'', with the predictor y [n] and weights w [n]. J is
 *  set up at the predictor and kept. Return 0 on success, > 0 if F or J cannot be evaluated there, and < 0 to stop the
 *  integration, with the reason in guard->stop. Cost: one residual call and an evaluation of J. */
int rsd_ida_newton_try_first_step(rsd_ida *ida, double h, const double *y, const double *w, double *correction);

/** Return 1 if components of kind `kind` are in the error test. */
static inline int rsd_is_tested(resida_kind kind)
{
    return kind < RESIDA_ALGEBRAIC_2;
}

/** Record the result of the error test of the last solved attempt, for the profile. */
void rsd_ida_newton_record_test(rsd_ida *ida);

/** Reset the data about earlier attempts of steps, because IDA has restarted. */
void rsd_ida_newton_reset_attempts(rsd_ida *ida);

/** Restart the integration. If is_nearby is 1, the restart is within the last step: J is kept, and the parts of J that
 *  need no residual call are updated. If is_nearby is 0, J is discarded. */
void rsd_ida_newton_restart(rsd_ida *ida, int is_nearby);
/** @} */

/** @name rule_growth.c @{ */
/** Reset the rule for the growth of steps at a restart. */
void rsd_growth_reset(rsd_ida *ida);

/** Pass the bounds of the growth to IDA, if IDA has been created. While the order is limited, steps may grow by less
 *  than a factor of two. */
void rsd_growth_set_bounds(const rsd_ida *ida);
/** @} */

/** @name rule_jump.c @{ */
resida_status rsd_jump_create(rsd_jump *x, int n, const resida_allocator *alloc);
void rsd_jump_reset(rsd_jump *x);

/** Account for tolerances that were reduced by the factor `factor`, because the last state was accepted with the
 *  previous tolerances. */
void rsd_jump_reduce_tolerances(rsd_jump *x, double factor);

/** Return the norm of x [n] in the error test, with the weights of the attempt. tested [n] contains the weights of the
 *  contact forces. If it is NULL, contact forces are not counted. */
double rsd_ida_compute_norm(const rsd_ida *ida, const double *tested, const double *x);

/** Return y' [n] of the corrector at t, the end of the last accepted step, of size h. The derivatives y' satisfy F = 0.
 *  The derivative of IDA's polynomial can differ from y' by much after step size changes. Return NULL if t is another
 *  time. */
const double *rsd_jump_get_derivatives(const rsd_jump *x, double t, double h);

/** Correct the state from which the integration restarts after a request of rsd_jump_check_attempt(), if an error of
 *  that state caused the restart. */
void rsd_jump_correct_state(rsd_ida *ida);
/** @} */

/* --- The rules that are applied in addition to those of IDA (ida_rules.c). Each has its own file. Rules act before an
 * attempt to solve a step, after its iteration has converged, and after a step was accepted. doc/mathematics.md has
 * the failure of plain IDA that each rule prevents. --- */

/** The last accepted step, or the start. */
typedef struct rsd_accepted_step {
    double t_ida, t; /* end of the step in IDA's time [s]; end of the step in the user's time [s] */
    const double *y; /* [n] state at the end of the step */
    double *w;       /* [n] error weights of the next step */
} rsd_accepted_step;

/** @name Hooks of the rules, rule_NAME.c
 *  - _begin_attempt() is called before an attempt.
 *  - _check_attempt() is called after the correction of an attempt. It returns 0, > 0 if IDA has to try a shorter step,
 *    or < 0 if IDASolve has to return.
 *  - _check_step(s) is called after a step. It returns 0, or nonzero if IDASolve has to return. In this case the guard
 *    has the reason, or the integration restarts.
 *  @{ */
int rsd_rest_check_attempt(rsd_ida *ida);
void rsd_signs_begin_attempt(rsd_ida *ida);
int rsd_signs_check_attempt(rsd_ida *ida);
void rsd_jump_begin_attempt(rsd_ida *ida);
int rsd_jump_check_attempt(rsd_ida *ida);
void rsd_min_order_begin_attempt(rsd_ida *ida);
int rsd_min_order_check_attempt(rsd_ida *ida);
void rsd_growth_begin_attempt(rsd_ida *ida);
int rsd_order_limits_check_step(rsd_ida *ida, const rsd_accepted_step *s);
int rsd_progress_check_step(rsd_ida *ida, const rsd_accepted_step *s);
/** @} */

/** Apply all rules in their order, before an attempt or after its correction. rsd_rules_after_correction() returns the
 *  first nonzero result of a rule. */
void rsd_rules_before_attempt(rsd_ida *ida);
int rsd_rules_after_correction(rsd_ida *ida);

/** An IDAEwtFn with the rsd_ida as user. Apply all rules after a step, and compute the error weights w [n] at y [n] for
 *  the next step. Return 0 on success, or -1 if IDASolve has to return. */
int rsd_rules_after_step(N_Vector y, N_Vector w, void *user);

#endif
