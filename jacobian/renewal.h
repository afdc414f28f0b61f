/* renewal.h - how a setup renews J: a plan, as a function of what is needed, of the history of setups and of the facts
 * that the engine knows at a point.
 *
 *     rsd_renewal_for()    the need of a reason
 *     rsd_renewal_plan()   the plan: an update, a repair or an evaluation, of which columns, with which search
 *
 * Nothing changes a plan afterwards. What an attempt needs is decided by src/core/newton/policy.h, or by who calls
 * resida_jacobian_setup(). */
#ifndef RSD_RENEWAL_H
#define RSD_RENEWAL_H

#include "jacobian/parts/plan.h"

/** What was spent under evaluations of dF/dy, or under repairs: sums over the time from one renewal to the next, with
 *  less weight of earlier ones. */
typedef struct rsd_spent {
    double calls; /* residual calls, of the renewal and of iterations behind it */
    double time;  /* [s] steps whose iteration converged */
} rsd_spent;

/** Memory of setups. It changes by the events below. */
typedef struct rsd_setup_history {
    int failures;                       /* iterations that failed with a current J, each soon after the other */
    int setups;                         /* since the last one that failed */
    int is_repaired;                    /* 1: the last renewal of dF/dy was a repair */
    int failed_repairs;                 /* since the last attempt that converged */
    long evaluations;                   /* of dF/dy */
    double factorisation;               /* in residual calls; 0: unknown, or calls alone count */
    double evaluation;                  /* mean residual calls of one */
    double of_dFdy;                     /* sum of evaluated.calls that evaluations took */
    rsd_spent evaluated, repaired, now; /* now: since the last renewal */
} rsd_setup_history;

/** The facts that the engine knows at a point. */
typedef struct rsd_engine_facts {
    int has_J;          /* the last setup succeeded */
    int is_partitioned; /* the strategy updates J for another alpha */
    int by_costs;       /* the strategy renews parts of J whenever that pays */
    int learns;         /* the strategy learns the pattern, and no pattern was given */
    int request;        /* resida_request bits that no setup has fulfilled yet */
    int was_evaluated;  /* the last setup was an evaluation or a repair */
    int was_repaired;   /* the last setup was a repair */
    int was_current;    /* no setup at its point can be better */
    int was_partial;    /* the last evaluation left columns out */
    int is_incomplete;  /* likewise, or took dF/dyp as it was */
    int is_same_time;   /* the last evaluation was at this time, .. */
    int is_moved;       /* .. 1: and at another y */
    int has_history;    /* columns were evaluated before */
    int can_repair;     /* dF/dy can be repaired */
    int is_repaired;    /* the last repair was at this time */
    long calls;         /* residual calls of the engine */
    long updates;       /* setups since the last evaluation */
} rsd_engine_facts;

/** The need of a reason, also of one that a caller gives. */
rsd_renewal rsd_renewal_for(resida_setup_reason reason);

/** The plan of a setup at a point. An update leaves J not current: if the iteration fails with it, the next setup
 *  within the attempt does more. */
rsd_plan rsd_renewal_plan(const rsd_setup_history *history, rsd_renewal renewal, const rsd_engine_facts *e);

/* --- Events --- */

/** Record that a setup begins. After a failure the last J has failed. */
void rsd_history_begin_setup(rsd_setup_history *history, resida_setup_reason reason, const rsd_engine_facts *e);

/** A setup by a plan took residual calls. They are charged to what was planned: to a repair also where the engine gave
 *  it up and evaluated. */
void rsd_history_record_setup(rsd_setup_history *history, rsd_action planned, long calls);

/** A factorisation costs as much as so many residual calls; a repair takes one more than an evaluation. */
void rsd_history_record_factorisation(rsd_setup_history *history, double calls);

/** An iteration took a residual call. */
void rsd_history_record_iteration(rsd_setup_history *history);

/** An attempt with a step of size h converged. */
void rsd_history_record_step(rsd_setup_history *history, double h);

#endif
