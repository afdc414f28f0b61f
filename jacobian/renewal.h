/* renewal.h - what is renewed of J, when and why: one plan, as a pure function of facts.
 *
 *     rsd_renewal_reason()  why J is set up on an occasion within an attempt, or that it is kept
 *     rsd_renewal_plan()    the plan of a setup: update J, repair or evaluate dF/dy
 *
 * Nothing changes a plan afterwards. All facts are in rsd_renewal: what is known of J from attempt to attempt, and the
 * attempt. They change by the events below (renewal_record.c).
 *
 * Where the strategy renews parts of J, the costs of an outdated J decide, rent or buy (renewal_cost.c). J is renewed
 * by levels: factors of a new alpha; with them what costs no residual call, the blocks; with both dF/dy. Outdated parts
 * make the iteration slow:
 *
 *     rate = rho_0 + rho(alpha) + s_blocks |t - t_blocks| + s_dFdy |t - t_dFdy|,
 *     rho  = |1 - alpha/alpha_J| / (1 + alpha/alpha_J)
 *
 * With c = 2/(1 + alpha/alpha_J) the eigenvalues of I - c J^-1 (dF/dy + alpha dF/dyp) are within rho where those of the
 * pencil are stable. rho_0, the rate of a new J, and the slopes s are learnt from measured rates: rho_0 where all is
 * new, s_dFdy where all else is, s_blocks from the rest.
 *
 * Iterations that a better J would have avoided are charged to the levels, by their parts of the rate. A level is
 * renewed when its accumulated cost, with the cost predicted for this attempt, has reached the cost of its renewal: so
 * the total is never much more than the best possible, whatever comes (R. M. Karp, On-line algorithms versus off-line
 * algorithms: how much is it worth to know the future?, IFIP 1992). */
#ifndef RSD_RENEWAL_H
#define RSD_RENEWAL_H

#include "jacobian/parts/plan.h"

/* --- Facts --- */

/** Levels of a renewal, each with all before it. */
typedef enum rsd_update_level { RSD_NOTHING_NEW = -1, RSD_FACTORS, RSD_BLOCKS, RSD_DFDY, RSD_LEVELS } rsd_update_level;

/** Costs, in operations or in residual calls. */
typedef struct rsd_costs {
    double iteration;           /* F, a solution, vectors */
    double renewal[RSD_LEVELS]; /* of a level, with those before it */
    int can_age[RSD_LEVELS];    /* 1: the level has a part that can be outdated */
} rsd_costs;

/** What an outdated J has cost, and the model of the rate. */
typedef struct rsd_renewal_cost {
    double cost[RSD_LEVELS];        /* accumulated since the level was renewed */
    double rho_0;                   /* rate of a new J */
    double slope[RSD_LEVELS];       /* of the rate over time, as a level ages; 0 of factors */
    double rt[RSD_LEVELS];          /* of measured rates: sum of rate times age, ... */
    double tt[RSD_LEVELS];          /* ... and of age^2: the slope is their least squares solution */
    double slope_decay[RSD_LEVELS]; /* what a renewal leaves of the slope */
    double t[RSD_LEVELS];           /* [s] of the last renewal; NaN: at the next attempt */
    double first;                   /* norm of the first correction of the last attempt; 0: unknown */
    double run, mean_run;           /* attempts since alpha changed; between two changes */
} rsd_renewal_cost;

/** Steps of any size, as IDA takes them; of a fixed size; of a fixed size, iterated to rounding. */
typedef enum rsd_steps { RSD_ANY_SIZE, RSD_FIXED_SIZE, RSD_TO_ROUNDING } rsd_steps;

/** An attempt to solve the equations of a step. */
typedef struct rsd_attempt {
    resida_jacobian_point at; /* the end of the step, alpha of J, h, weights of the error test; y, yp of x, F there,
                                 and the time since the first start of steps of any size */
    double tolerance;         /* of the iteration, in error tests */
    double *x;                /* [stages n] unknowns, to which corrections are added */
    int stages;               /* of the step */
    int is_retry;             /* the step has been tried before, with another h */
    rsd_steps steps;
} rsd_attempt;

/** The iteration so far. */
typedef struct rsd_iteration {
    int m;                    /* iterations before this one */
    double norm, first;       /* of the last correction, and of the first one */
    double norm_tested;       /* of the part of the last correction that is in the error test */
    double rate;              /* of convergence, since m = 1; 0: unknown */
    double before;            /* first correction before J was set up within the iteration; 0: it was not */
    int residual_is_large;    /* 1: F after the correction decides: the correction shows too little of F before it */
    int residual_is_the_same; /* 1: the correction did not reduce the residual: J is wrong there */
    int leaves_row;           /* 1: the correction before the last one left an algebraic equation where it was */
} rsd_iteration;

/** The setups of this attempt. */
typedef struct rsd_setup_facts {
    int is_new;           /* J was set up by the last prepare() */
    int is_factored;      /* J was set up */
    int has_new_blocks;   /* with all that costs no residual call */
    int current;          /* and cannot be made better */
    int is_evaluated;     /* the last setup evaluated dF/dy, .. */
    int is_repaired;      /* .. or repaired it */
    int is_singular;      /* the last factorisation failed */
    int pattern_searched; /* entries that rounding hid were searched */
    int within;           /* setups within iterations */
    int tries;            /* of the attempt that failed */
} rsd_setup_facts;

/** The last setup. */
typedef struct rsd_setup {
    int is_ready;     /* 1: it succeeded, J can be used */
    int is_evaluated; /* 1: it was an evaluation, or a repair, .. */
    int is_repaired;  /* .. 1: a repair that was not given up for an evaluation */
    int is_current;   /* 1: no setup at its point can be better */
    double alpha;     /* of J */
} rsd_setup;

/** The last evaluation of dF/dy. */
typedef struct rsd_evaluation {
    double t;       /* [s] rsd_clock() of its point; NaN: none */
    double *y;      /* [n] of its point */
    int is_partial; /* 1: it left columns out */
    int skipped_B;  /* 1: it took dF/dyp as it was */
    long updates;   /* setups since then */
} rsd_evaluation;

/** The facts that the engine knows at a point. */
typedef struct rsd_engine_facts {
    int is_partitioned; /* the strategy updates J for another alpha */
    int learns;         /* the strategy learns the pattern, and no pattern was given */
    int is_same_time;   /* the last evaluation was at this time, .. */
    int is_moved;       /* .. 1: and at another y */
    int has_history;    /* columns were evaluated before */
    int can_repair;     /* dF/dy can be repaired */
    int is_repaired;    /* the last repair was at this time */
} rsd_engine_facts;

/** What was spent under evaluations of dF/dy, or under repairs: sums over the time from one renewal to the next, with
 *  less weight of earlier ones. */
typedef struct rsd_call_rate {
    double calls; /* residual calls, of the renewal and of iterations after it */
    double time;  /* [s] steps whose iteration converged */
} rsd_call_rate;

/** What evaluations and repairs have cost. */
typedef struct rsd_repair_statistics {
    int is_repaired;                        /* 1: the last renewal of dF/dy was a repair */
    int failed;                             /* repairs since the last attempt that converged */
    long evaluations;                       /* of dF/dy */
    double factorisation;                   /* in residual calls; 0: unknown, or calls alone count */
    double evaluation;                      /* mean residual calls of one */
    double of_dFdy;                         /* sum of evaluated.calls that evaluations took */
    rsd_call_rate evaluated, repaired, now; /* now: since the last renewal */
} rsd_repair_statistics;

/** What is known of J. */
typedef struct rsd_renewal {
    int by_costs;                 /* the strategy: parts of J are renewed when that is cheaper; 0: when it fails */
    int by_differences;           /* dF/dy comes from differences, which may have crossed a jump */
    double predicted_share;       /* of the tolerance that a first correction may leave, judged by a predicted rate */
    double max_rate;              /* rate above which dF/dy is evaluated */
    long max_age;                 /* attempts that dF/dy may serve */
    int systems;                  /* iterated with J in an attempt: a better J would avoid an iteration of each */
    int has_J, stages;            /* 1: there are factors; stages of these */
    double alpha;                 /* of them */
    int blocks_outdated;          /* the parts that cost no residual call have changed: update them */
    int dFdy_outdated;            /* a rate was slow: evaluate dF/dy */
    int requested;                /* resida_request bits that no setup has fulfilled yet */
    int has_failed;               /* the last attempt did not converge */
    double last_alpha;            /* of the last attempt */
    long age;                     /* attempts since dF/dy was evaluated */
    int wasted_iterations;        /* of this attempt, that a better J would have avoided */
    double rate_factor;           /* rate/(1 - rate) of the last known rate; IDA's "ss"; where J is kept */
    int rate_unknown;             /* no rate was measured since dF/dy was evaluated by differences */
    long unmeasured;              /* attempts without a measured rate, with this one; where J is renewed */
    int prediction_trust;         /* number of these that counts as one */
    int failures;                 /* iterations that failed with a current J, each soon after the other */
    int setups;                   /* since the last one that failed */
    rsd_setup last;               /* setup */
    rsd_evaluation evaluation;    /* the last one */
    rsd_renewal_cost cost;        /* of an outdated J; where J is renewed */
    rsd_repair_statistics repair; /* where dF/dy is repaired */
    rsd_costs costs;              /* as of the last setup */
    rsd_attempt attempt;
    int is_requested; /* when the attempt began the caller had requested a setup */
    rsd_setup_facts J;
    rsd_engine_facts engine;
    long counts[RESIDA_SETUP_AGE + 1]; /* setups, by resida_setup_reason */
} rsd_renewal;

/* --- Decisions --- */

/** The occasions of a plan within an attempt. */
typedef enum rsd_occasion {
    RSD_AT_ATTEMPT,      /* the attempt begins */
    RSD_AT_FAILED_SETUP, /* J could not be set up, or is singular */
    RSD_AT_ITERATE,      /* the iteration continues from the present x, with J of there */
    RSD_AT_RETRY,        /* it begins again, after a try that failed */
    RSD_AT_SOLUTION      /* it has converged; J is for other linear systems there */
} rsd_occasion;

/** The reason of a setup on an occasion; RSD_NO_SETUP: J is kept, or after a failed setup nothing better is
 *  possible. */
int rsd_renewal_reason(const rsd_renewal *r, rsd_occasion occasion, const rsd_iteration *it);
enum { RSD_NO_SETUP = -1 };

/** The plan of a setup, by the facts in r->engine. An update leaves J not current: if the iteration fails with it, the
 *  next setup within the attempt does more. */
rsd_plan rsd_renewal_plan(const rsd_renewal *r, rsd_occasion occasion, resida_setup_reason reason);

/** After an iteration that does not converge: 1: set J up at the present x, and continue from there. */
int rsd_renewal_helps_within(const rsd_renewal *r, const rsd_iteration *it);

/** After a try that failed: 1: J can be made better for another one. */
int rsd_renewal_can_improve(const rsd_renewal *r, const rsd_iteration *it);

/** The level that the setups of this attempt renewed. */
rsd_update_level rsd_renewed_level(const rsd_renewal *r);

/** The level whose renewal pays now. */
rsd_update_level rsd_renewal_level(const rsd_renewal *r);

/** The rate to be expected once the levels up to `renewed` are new. */
double rsd_renewal_expected_rate(const rsd_renewal *r, rsd_update_level renewed);

/** Error after a correction, rate/(1 - rate) |delta|; after the first one by earlier or predicted rates. */
double rsd_renewal_error(const rsd_renewal *r, const rsd_iteration *it);

/** Its limit: less after a first correction by a predicted rate, which may be wrong in stiff components. */
double rsd_renewal_allowed_error(const rsd_renewal *r, const rsd_iteration *it);

/** 1: so many more iterations cost less than another J with its iterations. */
int rsd_renewal_iterations_pay(const rsd_renewal *r, double more);

/* --- Events --- */

/** The integration restarts where it was: J stays, except for the parts that cost no residual call. */
void rsd_renewal_restart(rsd_renewal *r);

/** The integration restarts elsewhere: forget J. */
void rsd_renewal_forget(rsd_renewal *r);

/** F was changed from outside: renew J at the next attempt. */
void rsd_renewal_outdate(rsd_renewal *r);

/** An attempt begins: r->attempt is set. */
void rsd_renewal_begin_attempt(rsd_renewal *r);

/** A setup begins by a plan. After a failure the last J has failed. */
void rsd_renewal_begin_setup(rsd_renewal *r, const rsd_plan *plan);

/** The engine has set J up by a plan, with so many residual calls. They are charged to what was planned: to a repair
 *  also if the engine gave it up and evaluated. */
void rsd_renewal_record_calls(rsd_renewal *r, const rsd_plan *plan, long calls);

/** J was set up and factored: r->J is set. */
void rsd_renewal_record_J(rsd_renewal *r);

/** What an iteration has shown. */
typedef enum rsd_iteration_outcome {
    RSD_CALLED,          /* F was called */
    RSD_CORRECTED,       /* a correction has shown a rate */
    RSD_CONTINUES,       /* it has not converged: another iteration */
    RSD_NOT_CONVERGING,  /* it does not converge. 1: prepare J at the iterate, RSD_AT_ITERATE */
    RSD_ITERATION_ENDED, /* or was broken off by F */
    RSD_TRY_FAILED       /* 1: prepare J for another try, RSD_AT_RETRY; 0: the attempt has failed */
} rsd_iteration_outcome;

/** Report an outcome. @return 1: J can be made better; else 0 */
int rsd_renewal_report(rsd_renewal *r, rsd_iteration_outcome outcome, const rsd_iteration *it);

/** The attempt has ended, after the tests that follow the iteration: 0 converged; > 0 not; < 0 broken off. */
void rsd_renewal_end_attempt(rsd_renewal *r, int verdict);

/* Of the model of the rate: forget it; an attempt with another alpha than the last one, or with the same; the level of
 * this attempt was renewed; a measured rate; the end of an iteration with this rate, 0: unknown, and this first
 * correction. */
void rsd_renewal_cost_init(rsd_renewal_cost *c);
void rsd_renewal_cost_begin(rsd_renewal *r, int is_other_alpha);
void rsd_renewal_cost_mark_renewed(rsd_renewal *r);
void rsd_renewal_cost_record_rate(rsd_renewal *r, double rate);
void rsd_renewal_cost_charge(rsd_renewal *r, double rate, double first);

/** 1: after the setups of this attempt no part of J is outdated. */
int rsd_renewal_is_complete(const rsd_renewal *r);

#endif
