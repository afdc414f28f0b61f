/* guard.h - performs all evaluations of F, counts them by cause, enforces budgets, and detects NaN and Inf. */
#ifndef RSD_GUARD_H
#define RSD_GUARD_H

#include "base/profile.h"
#include "src/core/problem/problem_impl.h"
#include "limits.h"
#include "warnings.h"

/** Purpose of an evaluation of F. Other calls of the formalism count as RSD_FOR_START. */
typedef enum rsd_cause { RSD_FOR_NEWTON, RSD_FOR_JACOBIAN, RSD_FOR_START, RSD_FOR_SENSITIVITY, RSD_N_CAUSES } rsd_cause;

/** Result of the last evaluation of F: F is finite; a callback refused the evaluation; F contains NaN or Inf. */
typedef enum rsd_outcome { RSD_FINE, RSD_REFUSED, RSD_NOT_FINITE } rsd_outcome;

/** Comparison of the model's derivatives with differences after the accepted steps 1, 2, 4, 8, ... */
typedef struct rsd_model_comparison {
    int (*compare)(void *user, double t, const double *y); /* compares at (t, y); NULL: no comparison */
    void *user;                                            /* first argument of compare */
    long steps, next;                                      /* number of accepted steps; step of the next comparison */
    double t; /* end of the last counted step [s]; a step that is reported twice is counted once */
} rsd_model_comparison;

/** Data for evaluations of F: problem, counters, budgets, and the last failure. */
typedef struct rsd_guard {
    resida_problem *problem;         /* problem that is evaluated */
    resida_solver *solver;           /* solver of the guard or, for the guard of a thread, of the thread */
    long all_calls;                  /* number of calls of the formalism */
    long calls[RSD_N_CAUSES];        /* number of calls of the formalism in evaluations of F, by purpose */
    long max_calls;                  /* maximum number of calls of the formalism */
    long steps_before;               /* number of steps before a loaded checkpoint, included in the budget of steps */
    int continues_run;               /* 1: the start continues a run, as after an event */
    double deadline;                 /* time limit on the monotonic clock [s]; INFINITY: none */
    double time_limit_s;             /* time limit of a call of the user [s], for messages */
    rsd_tally tally;                 /* counters of all callbacks */
    rsd_model_comparison comparison; /* comparison with differences during the run */
    rsd_limits *limits;              /* components that limit the step size; NULL: not recorded */
    const resida_solver_options *o;  /* options of the solver, for the tolerances */
    long root_calls;                 /* number of evaluations of the root functions */
    long nonfinite,
        recoverable;       /* evaluations of F or root functions with NaN or Inf; evaluations refused by a callback */
    rsd_outcome last;      /* result of the last evaluation of F */
    rsd_fault fault;       /* cause of the last failed evaluation of F */
    double h;              /* size of the current step [s] */
    int run;               /* length of the current sequence of nearby times at which F was NaN or Inf */
    double run_t, run_h;   /* first time of the sequence [s]; step size there [s] */
    double run_last;       /* last time of the sequence [s] */
    const double *y_first; /* [n] state at the start of the run; NULL: y has moved by many tolerances since then */
    const double *y_given; /* [n] state that the user gave for the start; NULL: it was consistent */
    int exact_signs;       /* 1: the signs of root functions at the start are exact (resida_model_event) */
    double moved, state_moved;    /* largest change since y_first [tolerances]: of y; of p (general DAE: of y) */
    resida_status stop;           /* status that ends the integration; RESIDA_OK: none */
    const rsd_warnings *warnings; /* warnings for messages of failed steps; may be NULL */
    resida_message *message;      /* message that explains `stop` */
} rsd_guard;

/** Install the guard as the meter of the problem: it counts all formalism calls, and checks their budget. */
void rsd_guard_install(rsd_guard *guard);

/** Begin a call of the user: clear the previous reason to stop, and start the clock. */
void rsd_guard_begin(rsd_guard *guard, double time_limit_s);

/** Evaluate F, or the formalism part F_a or constraint part F_c of F (rows.h), into r [n]. Return 0 on success, > 0 if
 *  F cannot be evaluated at (t, y, yp), < 0 to stop the integration, with the reason in guard->stop and the message. */
int rsd_guard_eval_part(rsd_guard *guard, rsd_cause cause, rsd_rows_part part, double t, const double *y,
                        const double *yp, double *r);

/** The function `times` of resida_system: compute the k products of rsd_problem_multiply(), and check them as
 *  rsd_guard_eval_part() checks F. */
int rsd_guard_multiply(double t, const double *y, const double *yp, int k, const double *dy, const double *dyp,
                       double *out, void *guard);

/** Check values x [n] that callbacks have computed besides F, such as known entries of J. `verdict` is the return value
 *  of the callbacks. Return as rsd_guard_eval_part(). A failure of the callbacks is moved to the guard. */
int rsd_guard_judge(rsd_guard *guard, double t, int verdict, const double *x, long n);

/** Update the largest motions, moved and state_moved, since the start of the run. y_first is set to NULL when the
 *  tolerances resolve the motion. */
void rsd_guard_update_motion(rsd_guard *guard, const double *y);

/** Process an accepted step: update the problem and the largest motions, and make a comparison (rsd_model_comparison)
 *  if it is due. Return 0, or < 0 to stop, with the reason in guard->stop and the message. */
int rsd_guard_process_step(rsd_guard *guard, double t, const double *y, const double *yp, int *changed);

/** Evaluate the root functions at (t, y, yp) into out [n_root]. rsd_guard_try_roots() tries once,
 *  rsd_guard_eval_roots() up to three times, because no smaller step is possible. Return 0; > 0 if the single
 *  evaluation fails; or < 0 to stop, with the reason in guard->stop and the message. */
int rsd_guard_try_roots(rsd_guard *guard, double t, const double *y, const double *yp, double *out);
int rsd_guard_eval_roots(rsd_guard *guard, double t, const double *y, const double *yp, double *out);

/** Report the cause of the last failed evaluation at t, which failed at all step sizes down to h. If h is 0, there are
 *  no steps. Return RESIDA_OK if the last evaluation did not fail, else the status of the message. */
resida_status rsd_guard_report_cause(rsd_guard *guard, double t, double h);

/** Return 1 if `calls` further calls are within the budget and there is no reason to stop. */
int rsd_guard_has_budget(const rsd_guard *guard, long calls);

/** rsd_guard_copy_limits() copies the time limit of the original to the guard of a thread, which counts from 0. After
 *  the thread has ended, rsd_guard_add_counts() adds its counts to the original, and copies a reason to stop. */
void rsd_guard_copy_limits(rsd_guard *guard, const rsd_guard *original);
void rsd_guard_add_counts(rsd_guard *original, const rsd_guard *guard);

/** Call the monitor at t, unless it is NULL. Return 1 if the monitor ends the integration, with the reason in
 *  guard->stop and the message. */
int rsd_guard_call_monitor(rsd_guard *guard, double t, int (*monitor)(double t, void *user), void *user);

/** Report an exception that was thrown by a callback outside the model. Return guard->stop, which is < 0. */
int rsd_guard_report_exception(rsd_guard *guard, double t, const char *callback, const rsd_thrown *thrown);

/** Return < 0 if the time limit is exceeded, with the reason in guard->stop and the message. */
int rsd_guard_check_time(rsd_guard *guard, double t);

#endif
