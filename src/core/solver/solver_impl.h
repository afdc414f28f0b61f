/* solver_impl.h - struct resida_solver: call layer, Jacobian engine, integrator, and the state at the time reached. */
#ifndef RSD_SOLVER_IMPL_H
#define RSD_SOLVER_IMPL_H

#include "src/core/events/integrator.h"
#include "src/core/start/start_dae.h"
#include "src/core/problem/cost.h"
#include "src/core/problem/option_impl.h"
#include "src/core/problem/structure.h"

typedef struct rsd_worker rsd_worker; /* data of a thread (solver_workers.c) */

/** Measurement of call costs at the first start. */
typedef struct rsd_measure {
    double operation_ns; /* time of a floating-point operation on this machine [ns] */
    double *values;      /* work space of rsd_solver_measure_costs(); NULL: costs are not measured */
} rsd_measure;

/** State of a mechanism in separate arrays. */
typedef struct rsd_by_parts {
    double *p, *v, *a, *lam; /* [n_p] positions, [n_v] velocities, [n_v] accelerations, [n_g + n_h] multipliers */
} rsd_by_parts;

/** Integrals along the solution (quadratures). */
typedef struct rsd_quadratures {
    rsd_owner owner;             /* owner of the arrays */
    int n, is_begun;             /* number of integrals; 1: the integration has begun */
    resida_quadrature_fn *f;     /* function that evaluates the integrands */
    void *user;                  /* argument `user` of f */
    long steps;                  /* number of integrated steps */
    double t_begin, t_end, t_at; /* start and end of the last integrated step [s]; time of the last output [s] */
    double *begin, *end, *at;    /* [n] integrals at t_begin; at t_end; at t_at */
    double *next, *rate;         /* [n] new integrals, not yet valid; integrands f at a point */
    double *part, *size, *error; /* [n] integrals in a part of a step: of f; of |f|; [2 n] two estimates of the error */
    double *tolerance;           /* [n] maximum error of `part` */
    double *y, *yp;              /* [n_y] point at which integrands are evaluated */
} rsd_quadratures;

/** Result of the integrator that the user has not received yet: none; the target or the end of a step; an event. */
typedef enum rsd_arrival { RSD_UNDER_WAY, RSD_ARRIVED, RSD_AT_EVENT } rsd_arrival;

/** Sequence of events at nearly the same time. */
typedef struct rsd_event_burst {
    int events; /* number of events */
    double t;   /* time of the first one [s] */
} rsd_event_burst;

struct resida_solver {
    rsd_owner owner;               /* owner of all memory except the struct and the memory of the problem */
    resida_allocator alloc;        /* allocator whose blocks `owner` frees */
    resida_problem *problem;       /* the problem, borrowed */
    resida_solver_options o;       /* options in use; arrays are copies, and defaults are replaced by values */
    resida_solver_options given;   /* options as given at the creation; strings are copies */
    double *rtol_each;             /* [n] relative tolerances */
    double *atol_each;             /* [n] absolute tolerances */
    int *root_directions;          /* [2 n_root] copy of the option root_directions, followed by work space */
    int *sign_each;                /* [n] required signs; 0: any */
    rsd_guard guard;               /* guard of F, and argument `user` of the functions that the Jacobian engine calls */
    rsd_profile profile;           /* times of the activities, with the option profile */
    rsd_limits limits;             /* components that limit the step size, with the option profile */
    rsd_worker *workers;           /* [o.threads] threads; NULL: one thread */
    void **worker_users;           /* [o.threads] guard of each thread, its argument `user`; NULL: one thread */
    rsd_structure structure;       /* known entries of J, and positions of the other entries */
    resida_jacobian *engine;       /* Jacobian engine */
    rsd_integration *integration;  /* integrator */
    resida_message message;        /* message of the last failure */
    double *y_new, *yp_new;        /* [n] state from which the next start begins */
    double *y_first;               /* [n] state at the start of the run */
    double *y_given;               /* [n] y_new with p and v as the user gave them; NULL: a general DAE */
    int fourth_order;              /* 1: the tolerances require differences of fourth order for dg/dp */
    rsd_dae_start dae_start;       /* work space of a start of a general DAE without yp0 */
    rsd_measure measure;           /* measurement of costs, with the option call_cost = measured */
    rsd_call_costs call_costs;     /* costs of the callbacks: given, assumed or measured */
    double *points;                /* [4 n] work space for checking a given start of a general DAE */
    rsd_by_parts by_parts;         /* state from which a mechanism starts; its arrays are NULL in a general DAE */
    double t;                      /* time reached [s] */
    double t_start;                /* time of the last start [s] */
    double t_break;                /* time at which a step must end [s]; INFINITY: none */
    int direction;                 /* 1: t increases; -1: t decreases */
    long problem_starts;           /* value of problem->starts at the last start of the solver */
    int has_history;               /* 1: F depends on dropped rows or a reference point of the last start */
    int started;                   /* 1: the solver was started and has a state */
    int is_in_call;                /* 1: within a call; callbacks must not call the solver */
    int was_called_within;         /* 1: a callback has called the solver, which was rejected */
    long reported;                 /* number of steps after which all actions are complete (solver_accepted.c) */
    int is_asked_to_stop;          /* 1: the callback `accepted` has requested a stop; a pending event comes first */
    rsd_arrival arrival;           /* result of the integrator that the user has not received yet */
    int satisfies_invariants;      /* 1: the state at the time reached satisfies the invariants */
    int failed;                    /* 1: the last integration failed; the next start resets the engine */
    int at_event;                  /* 1: the last call ended with an event */
    long starts, events;           /* number of starts; of events */
    rsd_event_burst burst;         /* last events at nearly the same time */
    double t_first;                /* time at the start of the run, before restarts after events [s] */
    struct rsd_examiner *examiner; /* comparison of a mechanism with differences (kit check), owned */
    rsd_warnings warnings, hints;  /* warnings, and hints for less expensive runs, in the statistics */
    resida_stats before;           /* counters of a loaded checkpoint; all 0: no checkpoint */
    rsd_carried *carried;          /* sensitivities, computed after each step; NULL: none */
    rsd_quadratures quadratures;   /* integrals along the solution */
    long sensitivities_set;        /* number of calls that set the parameters of sensitivities */
};

/** rsd_solver_enter() begins a call of the user, and clears the message of the last call. It returns RESIDA_ERR_STATE
 *  for a nested call. rsd_solver_leave() ends the call and returns `status`. */
resida_status rsd_solver_enter(resida_solver *s);
resida_status rsd_solver_leave(resida_solver *s, resida_status status);

/** Reject a query with `status`, and set the message unless a call is in progress. resida_solver_state() does not use
 *  rsd_solver_refuse(), because it keeps the message of the previous failure. */
resida_status rsd_solver_refuse(const resida_solver *s, resida_status status, const char *reason);

/** Count an event. Return RESIDA_ERR_CHATTERING if too many events have nearly the same time t, else RESIDA_OK. */
resida_status rsd_solver_check_burst(resida_solver *s);

/** Return the counters of the integrator, with size and order of its last step. solver_accepted.c */
resida_stats rsd_solver_get_last_step(const resida_solver *s);

/** rsd_solver_reset_actions() discards the pending actions of steps (solver_accepted.c) at a start. _has_no_actions()
 *  returns 1 if all actions up to the time reached are complete, 0 if an earlier call failed before that. */
void rsd_solver_reset_actions(resida_solver *s);
int rsd_solver_has_no_actions(const resida_solver *s);

/** Advance to target, by at most one step with one_step, and perform the actions after each step. Return the status of
 *  rsd_integration_advance(), or RESIDA_INTERRUPTED if `accepted` has requested a stop. */
resida_status rsd_solver_advance_and_report(resida_solver *s, double target, int one_step);

/** Return the state at t with y, yp [n]. */
resida_state rsd_solver_make_state(const resida_solver *s, double t, const double *y, const double *yp);

/** Project an interpolated state y [n] onto the invariants, and correct the signs of y (sign_each). Return 0, or < 0
 *  with the reason in guard.stop. */
int rsd_solver_correct_output(resida_solver *s, double t, double *y);

/** Find hints from the counters `of` and the current dg/dp, and store them in s->hints. solver_hints.c */
void rsd_solver_find_hints(resida_solver *s, const resida_stats *of);

/** Set s->structure, and `system`, the description of F for the Jacobian engine. Return RESIDA_OK or a status < 0. */
resida_status rsd_solver_create_system(resida_solver *s, resida_system *system, resida_message *why);

/** Let the engine update its lists of entries whenever a learnt pattern of dg/dp grows. */
void rsd_solver_refresh_engine(resida_solver *s);

/** Evaluate all functions whose costs are measured into `values`: F, the known entries of J, and derivatives and
 *  products of the model. Return the verdict of the callbacks. */
int rsd_solver_call_all(resida_solver *s, double t, const double *y, const double *yp, double *values);

/** Allocate memory to measure the costs of calls. @return RESIDA_OK; RESIDA_ERR_MEMORY */
resida_status rsd_solver_allocate_measure(resida_solver *s, resida_message *why);

/** Measure the costs of calls at the first start, at y_new, yp_new, and pass them to the engine.
 *  @return RESIDA_OK; guard.stop */
resida_status rsd_solver_measure_costs(resida_solver *s, double t);

/** Create the threads of the option threads. */
resida_status rsd_solver_make_workers(resida_solver *s, resida_message *why);
void rsd_solver_free_workers(resida_solver *s);

/** The functions begin_workers() and end_workers() of resida_system (solver_workers.c). */
int rsd_solver_begin_workers(long calls, void *user);
void rsd_solver_end_workers(int verdict, void *user);

/** Set the direction of the run, from the time reached to t, if the run has not advanced yet. `name` is the name of t
 *  in messages. Return RESIDA_ERR_ARGUMENT if a run that has advanced would have to reverse to reach t, or if a part of
 *  the model permits only forward runs. solver_direction.c */
resida_status rsd_solver_set_direction(resida_solver *s, const char *name, double t);

/** rsd_solver_get_stop_time() returns the earlier of t_stop and t_break, or infinity in the direction of the run.
 *  rsd_solver_get_nearer() returns the earlier of the times a and b in the direction of the run. */
double rsd_solver_get_stop_time(const resida_solver *s);
double rsd_solver_get_nearer(const resida_solver *s, double a, double b);

/** rsd_solver_integrate_step() integrates the quadratures over the last step, unless that was done before.
 *  rsd_solver_integrate_to_output() integrates them up to the time reached, into `at`. rsd_solver_start_quadratures()
 *  begins at t0; if t0 is the time reached, the integrals continue. solver_quadrature.c */
resida_status rsd_solver_integrate_step(resida_solver *s);
resida_status rsd_solver_integrate_to_output(resida_solver *s);
resida_status rsd_solver_start_quadratures(resida_solver *s, double t0);

/** Copy the options that may change during a run from o. The caller has checked o. solver_change.c */
void rsd_solver_apply_changes(resida_solver *s, const resida_solver_options *o);

/** Set the Newton tolerance to the given one, or to the default for the method, J and the tolerances. */
void rsd_solver_set_newton_tolerance(resida_solver *s);

/** The table of resida_solver_options. */
extern const rsd_options rsd_solver_table;

resida_status rsd_check_solver_options(const resida_solver_options *o, const resida_problem *problem,
                                       resida_message *why);

#endif
