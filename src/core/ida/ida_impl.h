/* ida_impl.h - the integrator on IDA: its memory between calls, and what its files do with it.
 *
 * IDA hands over the predictor, its error weights and alpha, as to a SUNNonlinearSolver; everything else is decided
 * here: with which J its steps are solved, in which norm and how far the iteration goes (ida_newton.c), and which rules
 * hold beside its own (ida_rules.h). */
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

/** Where IDA begins. */
typedef struct rsd_ida_start {
    N_Vector y, yp;
    double t;
    double h;                /* > 0: the first step, for which J and all else is ready */
    int is_nearby;           /* it is where the integration had come to */
    double way, longest_way; /* since the last start that was not; of a start among them */
    double number;           /* of starts since then, counted in the longest way, with this one */
} rsd_ida_start;

/** Of earlier restarts. */
typedef struct rsd_ida_before {
    long steps, error_test_fails;
    long jumps; /* times that the history was dropped */
} rsd_ida_before;

/** Consecutive accepted steps that do not move t. */
typedef struct rsd_ida_still {
    double t;
    long steps;
} rsd_ida_still;

#define RSD_SAME_PLACE 1e-3 /* of h: attempts that begin so near to each other begin at the same point */

/** When IDA may make its step longer: rule_growth.c */
typedef struct rsd_growth {
    double t_from; /* where the last attempt began */
    int converged; /* it did; so if it is made again, its error test failed */
    int in_a_row;  /* failures, each soon after the one before */
    int wait;      /* steps without growth after the last failure, ... */
    int left;      /* of which so many are left */
    int since;     /* steps since */
    int limit;     /* of the order, under which steps grow little by little; 0: none */
} rsd_growth;

/** A jump that steps cannot pass: rule_jump.c */
typedef struct rsd_jump {
    double h;               /* > 0: restart, with a step of about that size */
    int is_off;             /* e is what the state is off by */
    double *e, *d;          /* [n] correction of the last attempt watched; for a difference */
    double *y, *yp;         /* [n] at the end of the last accepted step */
    double *y_end, *yp_end; /* [n] of the last converged attempt */
    double t, t_end;        /* ends of both */
    double from, h_e;       /* of the last attempt watched: where it began, its size */
    double put_at;          /* where a state was corrected last: not twice */
    double max_off;         /* tolerances that a state may be corrected by */
} rsd_jump;

/** Option sign_each: rule_signs.c */
typedef struct rsd_ida_signs {
    double put_before; /* consecutive steps before this one were put to zero by so many tolerances .. */
    double put;        /* .. and with the last attempt */
    int wrong;         /* a component by whose sign the last attempt failed; -1: none */
    double wrong_y;    /* that component */
} rsd_ida_signs;

typedef struct rsd_ida {
    rsd_integration base;
    rsd_owner owner; /* of all memory but the handle itself and what SUNDIALS takes */
    resida_allocator alloc;
    SUNContext ctx;
    void *ida;
    rsd_quiet quiet;
    char ida_text[200]; /* what IDA would have printed last */
    rsd_vector_pool *pool;
    N_Vector y_ida, yp_ida; /* where IDA works and returns solutions */
    double t_ida;           /* time of the last one */
    N_Vector id;            /* 1 for what is in the error test */
    int n_tested;           /* so many components are */
    rsd_ida_start start;    /* the last one */
    int begun;              /* 1: IDA has the current state; 0: it has to be (re)initialised from the start */
    int stop_time_set;      /* IDA has been given one */
    int is_stuck;           /* the last step failed at every size: the next call begins at order 1 */
    int is_to_limit;        /* the order: IDASolve has returned to begin with low orders */
    rsd_ida_before before;
    rsd_carried *carried; /* NULL: none */

    /* The equations of a step, and their solution. */
    struct _generic_SUNNonlinearSolver solver;
    struct _generic_SUNNonlinearSolver_Ops solver_ops;
    double first_origin; /* t of the first start; NaN: none yet */
    rsd_newton newton;
    rsd_attempt attempt;    /* the current one; x [n]: the correction so far */
    double from;            /* where its step begins */
    const double *y0, *yp0; /* [n] predictor, its derivative */
    double *y, *yp;         /* [n] where F is evaluated */
    double *yp_back;        /* [n] predictor's derivative by t, where t falls */
    rsd_scaling *scaling;   /* of its systems; NULL: none */

    /* What the rules remember. */
    double t_from;       /* where the last attempt began */
    double t_monitor;    /* that the monitor was last called with */
    int monitor_called;  /* for the next attempt, which is the first one of a step */
    int abandoned;       /* the first attempt of a step was broken off; the step has to be tried again */
    int is_changed;      /* the step after a failure is not IDA's own choice */
    long repeated_fails; /* error tests that failed again from the same place */
    double failed_from;  /* where the last one failed */
    int worst_component; /* in the error test of the last retry; -1: unknown */
    int failed_tests;    /* attempts at this step that converged, but failed the error test */
    double *inputs;      /* [3 n_u] excitations at the end of a step */
    double way_to_end;   /* from the start to the end of the run, or to the first output */
    rsd_growth growth;
    rsd_min_order least;
    rsd_jump jump;
    rsd_ida_signs signs;
    rsd_order_limits order;
    rsd_chatter chatter;
    rsd_ida_still still;
} rsd_ida;

/** @name ida_create.c @{ */
resida_status rsd_ida_create(rsd_integration **it, const resida_solver_options *o, rsd_guard *guard,
                             resida_jacobian *engine, resida_message *why);
void rsd_ida_free(rsd_integration *it);
/** @} */

/** @name ida_first_step.c @{ */
/** The first step, start.h: the user's; where J outlives a change of the step, as long as order 1 allows; else IDA's
 *  rule, a thousandth of the way, less if y would change by more than half a tolerance. The way is that to the stop
 *  time when there is one, else to t_out. J is there afterwards, if it was needed.
 *  @return RESIDA_OK; what ends the integration, with its message
 *  Cost: a residual call or some, and an evaluation of J if there is none. */
resida_status rsd_ida_first_step(rsd_ida *it, double t_out, double t_stop);

/** 1: the way from the start to t_out is no more than rounding, and nothing changes on it; or its inverse would
 *  overflow. */
int rsd_ida_is_too_close(rsd_ida *it, double t_out);
/** @} */

/** Is there memory for a context and IDA? Not every small block that SUNContext_Create asks for is checked, and
 *  IDACreate prints when it gets none: where memory is nearly spent they are better not called. ida_library.c */
int rsd_is_memory_to_spare(void);

/** @name ida_query.c @{ */
/** Accepted steps since the restart. */
long rsd_ida_steps(const rsd_ida *it);

/** End of the last step; where to begin when there is none. */
double rsd_ida_time(const rsd_ida *it);

/** to [n] = from [n], derivatives by IDA's time and by t, in either direction. */
void rsd_ida_copy_derivatives(const rsd_ida *it, double *to, const double *from);

/** Of rsd_integrator_ops. */
rsd_last_step rsd_ida_last_step(const rsd_integration *it);
resida_status rsd_ida_interpolate(void *self, double t, double *y, double *yp);
const double *rsd_ida_derivatives_at_end(const rsd_integration *it);
void rsd_ida_stats(const rsd_integration *it, resida_stats *s);
/** @} */

/** @name ida_sensitivity.c @{ */
/** Carry them over the steps that IDA has accepted since the last call. 0; < 0: the guard says why, and there
 *  still is a step to carry them over. */
int rsd_ida_has_to_carry(const rsd_ida *it);
int rsd_ida_carry_on(rsd_ida *it);

/** Of rsd_integrator_ops. */
void rsd_ida_carry(rsd_integration *it, rsd_carried *x);
/** @} */

/** @name ida_failure.c @{ */
/** The status for what IDASolve() returned at t; the guard's message says why, with the time, and with the component
 *  where there is one. */
resida_status rsd_ida_explain(const rsd_ida *it, int flag, double t);

/** RESIDA_ERR_STEP_TOO_SMALL, for a step of size h to t, the last of so many steps in a row that do not move t;
 *  RESIDA_ERR_CHATTERING, of a component at t. */
resida_status rsd_ida_step_is_too_small(const rsd_ida *it, double t, double h, long steps);
resida_status rsd_ida_chatters(const rsd_ida *it, double t, double h, int component);
/** @} */

/** @name ida_newton.c @{ */
/** Memory and the table of functions. RESIDA_ERR_MEMORY. */
resida_status rsd_ida_newton_create(rsd_ida *it, resida_jacobian *engine);

/** The nonlinear solver for IDA. */
SUNNonlinearSolver rsd_ida_newton_attach(rsd_ida *it);

/** Forces of contacts in the error test, of a step h with weights w [n]; h = 0: for the choice of a first one, as in a
 *  shorter step they are no more exact. */
void rsd_ida_test_forces(rsd_ida *it, double h, const double *w);

/** Call the monitor before the next attempt, from t. 1: the integration is interrupted, guard->stop says so. */
int rsd_ida_newton_interrupted(rsd_ida *it, double t);

/** A first step h from t that may be taken: y [n] is its predictor, yp [n] the derivative at t, weight [n] of the error
 *  test. */
typedef struct rsd_probe {
    double t, h;
    const double *y, *yp, *weight;
} rsd_probe;

/** The first correction [n] of such a step, about h^2 y''; J is set up there, and stays. 0; > 0 not possible here; < 0
 *  stop: guard->stop says why. Cost: one residual call, and those of J. */
int rsd_ida_newton_probe(rsd_ida *it, const rsd_probe *probe, double *correction);

/** The error test counts a component of this kind. */
static inline int rsd_is_tested(resida_kind kind)
{
    return kind < RESIDA_ALGEBRAIC_2;
}

/** The last solved attempt has been through the error test: note its result for the profile. */
void rsd_ida_newton_judged(rsd_ida *it);

/** IDA begins: none of its steps has been tried. */
void rsd_ida_newton_begin(rsd_ida *it);

/** The integration restarts. is_nearby: where it was, and J stays without the parts that cost no residual call; else
 *  J is forgotten. */
void rsd_ida_newton_restart(rsd_ida *it, int is_nearby);
/** @} */

/** @name rule_growth.c @{ */
/** The integration restarts. ida NULL: there is none yet. */
void rsd_growth_reset(rsd_growth *g, void *ida);

/** From now on steps grow little by little, under a limit of the order, or, with 0, only by two. */
void rsd_growth_set_steady(rsd_growth *g, void *ida, int limit);

/** An attempt begins at t_from, of a step h. */
void rsd_growth_begin(rsd_growth *g, void *ida, double t_from, double h);

/** It has ended. */
void rsd_growth_end(rsd_growth *g, int converged);
/** @} */

/** @name rule_jump.c @{ */
resida_status rsd_jump_create(rsd_jump *x, int n, const resida_allocator *alloc);
void rsd_jump_reset(rsd_jump *x);

/** Tolerances are so many times smaller from now on: a state was accepted with those of before. */
void rsd_jump_tighten(rsd_jump *x, double times);

/** Of x [n], weighted as in the attempt, the components of the error test, in its norm; tested [n]: weights in it of
 *  others; NULL: of forces of contacts there are none. */
double rsd_ida_size(const rsd_ida *it, const double *tested, const double *x);

/** y' [n] of the corrector at t, the end of the last accepted step, of size h: F = 0 there. The derivative of the
 *  polynomial through the last states is far from that where steps have changed. NULL: t is another time. */
const double *rsd_jump_derivatives(const rsd_jump *x, double t, double h);

/** The integration restarts: the state to begin from is corrected if it is off. */
void rsd_jump_take(rsd_ida *it);
/** @} */

#endif
