/* solver_impl.h - the solver that the user holds: guard, Jacobian engine, integrator, and the state at the time
 * reached. */
#ifndef RSD_SOLVER_IMPL_H
#define RSD_SOLVER_IMPL_H

#include "src/core/events/integrator.h"
#include "src/core/start/start_dae.h"
#include "src/core/problem/cost.h"
#include "src/core/problem/option_impl.h"
#include "src/core/problem/structure.h"

/** Whose evaluations: `user` of the functions that the Jacobian engine gets. */
typedef struct rsd_evaluator {
    rsd_guard *guard;
    resida_solver *solver;
} rsd_evaluator;

typedef struct rsd_worker rsd_worker; /* a thread, solver_workers.c */

/** What calls cost, as it is measured at the first start. */
typedef struct rsd_measure {
    double operation_ns;
    double *values; /* a point; of F, known entries, derivatives there; NULL: nothing is measured */
} rsd_measure;

/** A state of a mechanism, in parts. */
typedef struct rsd_by_parts {
    double *p, *v, *a, *lam; /* [n_p], [n_v], [n_v], [n_l] */
} rsd_by_parts;

/** Integrals along the solution; n = 0: none. */
typedef struct rsd_quadratures {
    rsd_owner owner;
    int n, is_begun; /* 1: there was a start */
    resida_quadrature_fn *f;
    void *user;
    long steps;                      /* that were integrated over */
    double t_begin, t_end, t_at;     /* of the last of them; the start; where `at` is known */
    double *begin, *end, *at, *rate; /* [n] integrals there, f */
    double *y, *yp;                  /* [n_y] where f is evaluated */
} rsd_quadratures;

/** Where a call of the integrator has ended. */
typedef enum rsd_arrival { RSD_UNDER_WAY, RSD_ARRIVED, RSD_AT_EVENT } rsd_arrival;

/** Events in a row that hardly move t, and where the first of them was. */
typedef struct rsd_event_burst {
    int events;
    double t;
} rsd_event_burst;

struct resida_solver {
    rsd_owner owner; /* of its memory, but for the handle itself and what its problem is asked for */
    resida_allocator alloc;
    resida_problem *problem;
    resida_solver_options o;     /* arrays are in own memory */
    resida_solver_options given; /* as at creation; words in own memory */
    double *rtol_each;           /* [n] */
    double *atol_each;           /* [n] */
    int *root_directions;        /* [2 n_root] the option; work */
    int *sign_each;              /* [n] */
    rsd_guard guard;
    rsd_profile profile;     /* with the option */
    rsd_limits limits;       /* too */
    rsd_evaluator self;      /* the solver's own */
    rsd_worker *workers;     /* [o.threads]; NULL for one thread */
    void **worker_users;     /* likewise, their rsd_evaluator */
    rsd_structure structure; /* what is known of J, and where the rest is */
    resida_jacobian *engine;
    rsd_integration *integration;
    resida_message message;
    double *y_new, *yp_new;  /* [n] a start in the making */
    double *y_first;         /* [n] where the run began */
    double *y_given;         /* [n] y_new with the positions and velocities that the caller gave */
    int fourth_order;        /* of differences for dg/dp, as the tolerances need it */
    rsd_dae_start dae_start; /* of a general DAE without yp0 */
    rsd_measure measure;     /* with the option call_cost = measured */
    rsd_call_costs call_costs;
    double *points;        /* [4 n] of a general DAE, to examine a start that is given */
    rsd_by_parts by_parts; /* of a mechanism: the start in the making; NULL for a general DAE */
    double t;              /* time reached */
    double t_start;        /* of the last start */
    int way;               /* 1: t grows; -1: it falls */
    long problem_starts;   /* of the problem, with the last start of this solver */
    int has_history;       /* F depends on what that start has chosen */
    int started;           /* there is a state */
    int busy;              /* within a call: callbacks may not call the solver */
    int reentered;         /* and one of them has tried to */
    long reported;         /* steps that were followed (solver_accepted.c) */
    int is_asked_to_stop;  /* by `accepted`, at an event, which is returned first */
    rsd_arrival arrival;   /* where the integrator has come to, while that is not returned */
    int is_settled;        /* the state at the time reached is on the invariants */
    int failed;            /* the last integration failed: the next start forgets all that was learnt */
    int at_event;          /* the last call ended with an event */
    long starts, events;
    rsd_event_burst burst;
    double t_first;                /* start of the run, before restarts after events */
    struct rsd_examiner *examiner; /* of a mechanism, by the kit check */
    rsd_warnings warnings, hints;
    resida_stats before;  /* counters of a checkpoint that was loaded; else 0 */
    rsd_carried *carried; /* sensitivities; NULL: none */
    rsd_quadratures quadratures;
    long sensitivities_set; /* times that they were */
};

/** The beginning of every call that works: refuses re-entry, clears the news of the last call. And its end. */
resida_status rsd_solver_enter(resida_solver *s);
resida_status rsd_solver_leave(resida_solver *s, resida_status status);

/** Why a question is not answered; but a call under way keeps its message. Without a state, or an event, there is
 *  nothing to explain, and why the call before it failed is worth more. */
resida_status rsd_solver_refuse(const resida_solver *s, resida_status status, const char *reason);

/** At an event: RESIDA_ERR_CHATTERING after too many that hardly move t. */
resida_status rsd_solver_check_burst(resida_solver *s);

/** What the integrator counts, with size and order of its last step. solver_accepted.c */
resida_stats rsd_solver_last_step(const resida_solver *s);

/** A start: no step is to be followed. And is all done at the time reached? Else a call has failed before. */
void rsd_solver_begin_following(resida_solver *s);
int rsd_solver_is_followed(const resida_solver *s);

/** Steps to target, at most one with one_step, each followed by quadratures and the option `accepted`. As advance() of
 *  the integrator; RESIDA_INTERRUPTED: it asked to stop. */
resida_status rsd_solver_advance_reported(resida_solver *s, double target, int one_step);

/** The state at t that is y, yp [n]. */
resida_state rsd_solver_state_of(const resida_solver *s, double t, const double *y, const double *yp);

/** A state between two steps, y [n] in place, onto the invariants, with its signs (sign_each). < 0: guard.stop says
 *  why. */
int rsd_solver_settle(resida_solver *s, double t, double *y);

/** What would make the run cheaper, with these counters and the dg/dp at hand, into s->hints. solver_hints.c */
void rsd_solver_find_hints(resida_solver *s, const resida_stats *of);

/** What the Jacobian engine works on; fills s->structure. */
resida_status rsd_solver_system(resida_solver *s, resida_system *system, resida_message *why);

/** Let the engine follow a learnt pattern of dg/dp. */
void rsd_solver_refresh_engine(resida_solver *s);

/** F, known entries, and the model's derivatives and products, if it has some, all into values: every callback that is
 *  weighed. The verdict of the callbacks. */
int rsd_solver_call_all(resida_solver *s, double t, const double *y, const double *yp, double *values);

/** All memory for measuring them; and that itself, at a first start at y_new, yp_new, which the engine gets.
 *  RESIDA_ERR_MEMORY; what the guard stopped for. */
resida_status rsd_solver_make_measure(resida_solver *s, resida_message *why);
resida_status rsd_solver_measure_costs(resida_solver *s, double t);

/** Make the threads that the options ask for. */
resida_status rsd_solver_make_workers(resida_solver *s, resida_message *why);
void rsd_solver_free_workers(resida_solver *s);

/** begin_workers and end_workers of resida_system. */
int rsd_solver_begin_workers(long calls, void *user);
void rsd_solver_end_workers(int verdict, void *user);

/** The direction of a run that has not moved yet is that to t, the argument `name`. RESIDA_ERR_ARGUMENT: t lies back in
 *  the direction of the run, or the run cannot go there, by name. solver_way.c */
resida_status rsd_solver_turn(resida_solver *s, const char *name, double t);

/** The option t_stop; without one infinitely far in the direction of the run. The nearer one of two times. */
double rsd_solver_stop(const resida_solver *s);
double rsd_solver_nearer(const resida_solver *s, double a, double b);

/** Over the last step, unless that is done; to the time reached, into `at`; and a start at t0, from where integrals go
 *  on if it is the time reached. solver_quadrature.c */
resida_status rsd_solver_quadratures_step(resida_solver *s);
resida_status rsd_solver_quadratures_reach(resida_solver *s);
resida_status rsd_solver_quadratures_start(resida_solver *s, double t0);

/** Take the options that may change from o, which is checked. solver_change.c */
void rsd_solver_take_changes(resida_solver *s, const resida_solver_options *o);

/** The table of resida_solver_options. */
extern const rsd_options rsd_solver_table;

resida_status rsd_check_solver_options(const resida_solver_options *o, const resida_problem *problem,
                                       resida_message *why);

#endif
