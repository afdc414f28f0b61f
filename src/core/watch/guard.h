/* guard.h - stands between F and everything that calls it: counts by cause, keeps budgets, catches NaN and Inf. */
#ifndef RSD_GUARD_H
#define RSD_GUARD_H

#include "base/profile.h"
#include "src/core/problem/problem_impl.h"
#include "limits.h"
#include "warnings.h"

/** What F is evaluated for. Calls of the formalism for anything else are those of starts. */
typedef enum rsd_cause { RSD_FOR_NEWTON, RSD_FOR_JACOBIAN, RSD_FOR_START, RSD_FOR_SENSITIVITY, RSD_N_CAUSES } rsd_cause;

/** How the last evaluation of F ended. */
typedef enum rsd_outcome { RSD_FINE, RSD_REFUSED, RSD_NOT_FINITE } rsd_outcome;

/** What compares the model with differences at accepted steps 1, 2, 4, 8 ...; NULL: nothing does. */
typedef struct rsd_look {
    int (*compare)(void *user, double t, const double *y); /* the verdict of the callbacks */
    void *user;
    long steps, next; /* accepted so far, since the solver was created; the next look */
    double t;         /* of the last of these steps: it is accepted again after an interruption */
} rsd_look;

typedef struct rsd_guard {
    resida_problem *problem;
    long all_calls;           /* of the formalism */
    long calls[RSD_N_CAUSES]; /* of these by evaluations of F */
    long max_calls;           /* budget of all calls */
    long steps_before;        /* of the budget of steps: those before a checkpoint that was loaded */
    int goes_on;              /* the start at hand is where the run has come to */
    double deadline;          /* monotonic clock [s]; INFINITY: none */
    double time_limit_s;
    rsd_tally tally;                /* of every callback */
    rsd_look look;                  /* at the model, on the way */
    rsd_limits *limits;             /* which components limit the steps; NULL: not recorded */
    const resida_solver_options *o; /* for the tolerances */
    long root_calls;
    long nonfinite, recoverable;
    rsd_outcome last;
    rsd_fault fault;              /* why the last evaluation that failed did */
    double h;                     /* size of the step that is tried */
    int run;                      /* times t, close together, at which evaluations were not finite */
    double run_t, run_h;          /* where the run began, with which step */
    double run_last;              /* the last of these times */
    const double *y_first;        /* [n] where the run began; NULL: it has moved far from there */
    const double *y_given;        /* [n] what the start was made of; NULL: it is the same */
    int exact_signs;              /* of the start: resida_model_event */
    double moved, state_moved;    /* at the most, in tolerances: any component; positions, or y */
    resida_status stop;           /* why the integration must end; RESIDA_OK: it need not */
    const rsd_warnings *warnings; /* of the model, for the reason of a failed step; may be NULL */
    resida_message *message;      /* gets the reason of `stop` */
} rsd_guard;

/** Have every formalism call of the problem counted and admitted here. */
void rsd_guard_install(rsd_guard *guard);

/** Begin a call of the user's: forget the old reason to stop, start the clock. */
void rsd_guard_begin(rsd_guard *guard, double time_limit_s);

/** A part of F = F_a + F_c (src/core/problem/rows.h), or all of it, into r [n]. 0; > 0 not possible here (refused, or
 *  not finite); < 0 stop: guard->stop and the message say why. */
int rsd_guard_part(rsd_guard *guard, rsd_cause cause, rsd_rows_part part, double t, const double *y, const double *yp,
                   double *r);
static inline int rsd_guard_residual(rsd_guard *guard, rsd_cause cause, double t, const double *y, const double *yp,
                                     double *r)
{
    return rsd_guard_part(guard, cause, RSD_ROWS_ALL, t, y, yp, r);
}

/** rsd_problem_times(), judged likewise. */
int rsd_guard_times(double t, const double *y, const double *yp, int k, const double *dy, const double *dyp,
                    double *out, rsd_guard *guard);

/** Judge other values of the problem's callbacks, such as known entries of J, as F is judged: `verdict` of the
 *  callbacks, x [n] what they gave. The fault of the callbacks is taken over, so that the next evaluation has none. */
int rsd_guard_judge(rsd_guard *guard, double t, int verdict, const double *x, long n);

/** How far y [n] has moved from where the run began, into moved, state_moved; y_first NULL: by so many tolerances that
 *  they resolve it. */
void rsd_guard_follow(rsd_guard *guard, const double *y);

/** rsd_problem_accepted(), has it moved, and does the model mean what it says? 0; < 0 stop: guard->stop and the
 *  message say why. */
int rsd_guard_accepted(rsd_guard *guard, double t, const double *y, const double *yp, int *changed);

/** Root functions at (t, y, yp), out [n_root]. No step can be cut for them: what is refused or not finite is asked for
 *  again a few times. 0; < 0 stop: guard->stop and the message say why. */
int rsd_guard_roots(rsd_guard *guard, double t, const double *y, const double *yp, double *out);

/** Why the last evaluation was not possible, when no step size down to h helped from t on; h = 0: there are no steps.
 *  RESIDA_OK: it was possible. */
resida_status rsd_guard_blame(rsd_guard *guard, double t, double h);

/** 1: the budget admits so many calls more, and nothing has ended the integration. */
int rsd_guard_admits(const rsd_guard *guard, long calls);

/** Let the guard of another thread, with problem and message of its own, stand in for `original`: it keeps the time and
 *  counts from 0. And take over what it counted, and why it stopped. */
void rsd_guard_fork(rsd_guard *guard, const rsd_guard *original);
void rsd_guard_join(rsd_guard *original, const rsd_guard *guard);

/** Ask a monitor (NULL: there is none) whether to go on from t. 1: the integration is to end, guard->stop and the
 *  message say why. */
int rsd_guard_interrupted(rsd_guard *guard, double t, int (*monitor)(double t, void *user), void *user);

/** A callback that is none of the model's threw: guard->stop, which is < 0. */
int rsd_guard_threw(rsd_guard *guard, double t, const char *callback, const rsd_thrown *thrown);

/** < 0 when the time is over: guard->stop and the message say so. */
int rsd_guard_check_time(rsd_guard *guard, double t);

#endif
