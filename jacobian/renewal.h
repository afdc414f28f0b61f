/* renewal.h - decides when J is renewed, which parts of J are renewed, and why. The decision is stored as a plan, which
 * setup.c carries out. It depends only on the facts in rsd_renewal.
 *
 *     rsd_renewal_get_reason()  the reason of a setup on an occasion within an attempt; RSD_NO_SETUP: J is kept
 *     rsd_renewal_get_plan()    the plan of the setup: the parts of J to be renewed, and how dF/dy is renewed
 *
 * rsd_renewal contains the state of J, which persists from attempt to attempt, and the present attempt. jacobian.c
 * collects the facts of the engine, setup.c and evaluate.c record the setup, cost.c sets the costs, and
 * renewal_record.c, convergence.c and the callers of an iteration record its course.
 *
 * If the strategy renews J by costs, a rent-or-buy rule is applied to the three levels. Outdated parts increase the
 * convergence rate (the error relative to that of the previous iterate):
 *
 *     rate = rho_0 + rho(alpha) + s_blocks |t - t_blocks| + s_dFdy |t - t_dFdy|,
 *     rho  = |1 - alpha/alpha_J| / (1 + alpha/alpha_J)
 *
 * alpha_J is the alpha with which J was factored. Corrections are multiplied by c = 2/(1 + alpha/alpha_J). The
 * eigenvalues of I - c J^-1 (dF/dy + alpha dF/dyp) are then at most rho in absolute value if the pencil is stable.
 * rho_0 is the rate of a new J. The slopes s are increases of the rate per age of a part. rho_0 is fitted to rates
 * measured while all parts are new, s_dFdy to rates measured while only dF/dy is outdated, and s_blocks to all other
 * rates.
 *
 * The cost of each iteration that a better J would have avoided is added to the costs of the levels, in proportion to
 * their contributions to the rate. A level is renewed when this accumulated cost, plus the cost predicted for this
 * attempt, reaches the share RSD_RENEWAL_SHARE of the cost of the renewal. For one level with known costs, this rule
 * bounds the total cost by a small multiple of the optimal cost, for any sequence of attempts (R. M. Karp, On-line
 * algorithms versus off-line algorithms: how much is it worth to know the future?, IFIP 1992). Here it is a
 * heuristic. */
#ifndef RSD_RENEWAL_H
#define RSD_RENEWAL_H

#include "jacobian/parts/request.h"

/* --- The result --- */

/** Levels of a renewal of J. Each includes the previous ones. */
typedef enum rsd_renewal_level {
    RSD_NOTHING_NEW = -1, /* J is kept */
    RSD_FACTORS,          /* J is assembled with the current alpha, and factored */
    RSD_BLOCKS, /* also known entries of dF/dyp and, with by_costs, dF_c/dy are updated, without residual calls */
    RSD_DFDY,   /* also dF_a/dy is evaluated or repaired */
    RSD_LEVELS
} rsd_renewal_level;

#define RSD_NO_SETUP ((resida_setup_reason)-1)

/** Plan of a setup of J. If level is below RSD_DFDY, the members about dF/dy and its pattern are 0. */
typedef struct rsd_plan {
    rsd_renewal_level level;    /* parts of J to be renewed */
    resida_setup_reason reason; /* reason of the setup */
    int repairs;                /* 1: dF/dy is repaired along a few directions (repair.h), and evaluated only if the
                              * repair fails; a repaired J keeps its earlier factors */
    rsd_column_set columns;     /* columns of dF/dy to be evaluated */
    int with_dFdyp;             /* 1: an evaluation of dF/dy also evaluates dF/dyp by differences */
    rsd_check_reasons check;    /* reasons to check the pattern after an evaluation of dF/dy */
    int failures; /* number of consecutive failures with a current J, including one that has caused the setup */
} rsd_plan;

/* --- Facts --- */

/** Estimated costs of work with J, in floating-point operations or, with the strategy "fresh", in residual calls. */
typedef struct rsd_costs {
    double iteration;           /* cost of a Newton iteration with its residual call, solution and vector operations */
    double renewal[RSD_LEVELS]; /* cost of the renewal of each level, including all lower levels */
    int can_age[RSD_LEVELS];    /* 1: the level has parts of J that can become outdated */
} rsd_costs;

/** Model of the convergence rate, and the costs of an outdated J. */
typedef struct rsd_rate_model {
    double rho_0;                    /* convergence rate of a new J, fitted */
    double slope[RSD_LEVELS];        /* increase of the rate per time since a level was renewed [1/s]; RSD_FACTORS: 0 */
    double slope_decay[RSD_LEVELS];  /* factor by which a renewal of the level multiplies its slope */
    double sum_rate_age[RSD_LEVELS]; /* sum of (part of a measured rate) * age of each level; older terms weigh less */
    double sum_age_age[RSD_LEVELS];  /* sum of age^2 with the same weights; slope = sum_rate_age/sum_age_age */
    double t_renewed[RSD_LEVELS];    /* time of the last renewal of each level [s]; NaN: set at the next attempt */
    double charge[RSD_LEVELS];       /* cost of the iterations that a renewal of the level would have avoided */
    double first_norm;               /* norm of the first correction of the last attempt; 0: unknown */
    double attempts, mean_attempts;  /* number of attempts with the present alpha; its mean over earlier alphas */
} rsd_rate_model;

/** Kind of steps. RSD_TO_ROUNDING: steps of fixed size whose iteration ends when corrections are rounding errors. */
typedef enum rsd_steps { RSD_VARIABLE_SIZE, RSD_FIXED_SIZE, RSD_TO_ROUNDING } rsd_steps;

/** Attempt to solve the equations of a step. */
typedef struct rsd_attempt {
    resida_jacobian_point at; /* point at which J is set up; y and yp belong to the unknowns x, and F is the residual
                                 there */
    double tolerance;         /* tolerance of the Newton iteration, relative to the tolerance of the error test */
    double *x;                /* [stages n] unknowns of the step */
    int stages;               /* number of stages */
    int is_retry;             /* 1: an earlier attempt at the same step failed, with another h */
    rsd_steps steps;          /* kind of steps */
} rsd_attempt;

/** Results of the Newton iteration so far. */
typedef struct rsd_iteration {
    int m;                    /* number of the current iteration, from 0 */
    double norm, first;       /* weighted norms of the last and of the first correction */
    double norm_tested;       /* `norm` or, if it has not decreased, the norm without components of index 2 and 3 */
    double rate;              /* convergence rate, from the second correction on; 0: unknown */
    double before;            /* norm of the first correction before the last setup at an iterate; 0: no such setup */
    int residual_is_large;    /* 1: F is large although the correction is small; the next F decides on convergence */
    int residual_is_the_same; /* 1: the correction did not reduce the residual; therefore J is wrong */
    int has_unsolved_row;     /* 1: the previous correction did not reduce the residual of an algebraic equation */
} rsd_iteration;

/** Last setup of J. */
typedef struct rsd_setup {
    rsd_renewal_level level; /* parts of J that were renewed */
    int is_ready;            /* 1: J can be used */
    int is_repaired;         /* 1: dF/dy was repaired */
    int is_current;          /* 1: another setup at the same point cannot improve J */
    int is_singular;         /* 1: J could not be factored */
    double alpha;            /* alpha of J */
} rsd_setup;

/** Events of the current attempt. */
typedef struct rsd_attempt_events {
    int setups;             /* number of setups of J */
    int setups_at_iterates; /* number of setups at iterates after the first correction */
    int failed_tries;       /* number of failed iterations that were repeated with another J */
    int wasted_iterations;  /* number of iterations that a better J would have avoided */
    int was_requested;      /* 1: a request of the caller was pending when the attempt began */
} rsd_attempt_events;

/** Last evaluation of dF/dy. */
typedef struct rsd_evaluation {
    double t;       /* time from the first start to the evaluation [s]; NaN: there was none */
    double *y;      /* [n] y of the evaluation */
    int is_partial; /* 1: some columns of dF/dy were not evaluated */
    int skipped_B;  /* 1: dF/dyp, which is differenced, was not evaluated */
    long updates;   /* number of setups of J since then, all without an evaluation of dF/dy */
} rsd_evaluation;

/** Facts about the Jacobian engine at the point of a setup. */
typedef struct rsd_engine_facts {
    int is_partitioned;      /* 1: a setup can keep dF/dy. Otherwise each setup evaluates it, as with "user" */
    int finds_pattern;       /* 1: the engine finds the pattern, because none was given */
    int is_pattern_known;    /* 1: the pattern was found, and confirmed by an evaluation, or was given */
    int is_by_columns;       /* 1: dF/dy is evaluated column by column, not by groups */
    int calls;               /* number of residual calls of an evaluation of all columns */
    int is_same_time;        /* 1: dF/dy was last evaluated at this time */
    int is_moved;            /* 1: dF/dy was last evaluated at this time, but at another y */
    int has_history;         /* 1: earlier evaluations show how fast columns of dF/dy change (outdated.h) */
    int can_repair;          /* 1: the strategy and the system permit repairs of dF/dy */
    int is_repair_same_time; /* 1: dF/dy was last repaired at this time */
    int is_dFdyp_open;       /* 1: dF/dyp is evaluated by differences */
    int is_dFdyp_constant;   /* 1: the last two evaluations of dF/dyp were equal */
} rsd_engine_facts;

/** Residual calls and integrated time, as weighted sums over intervals between renewals of dF/dy. Earlier intervals
 *  have smaller weights. */
typedef struct rsd_call_rate {
    double calls; /* residual calls of renewals and of the iterations after them */
    double time;  /* sum of the step sizes of converged attempts [s] */
} rsd_call_rate;

/** Residual calls of evaluations and repairs of dF/dy, by which one of the two is chosen. */
typedef struct rsd_repair_statistics {
    int was_planned;                        /* 1: the last renewal of dF/dy was planned as a repair */
    int failed;                             /* number of failures with a repaired J since the last converged attempt */
    long evaluations;                       /* number of evaluations of dF/dy */
    double work;                            /* operations that a repair takes beyond an evaluation, in residual calls */
    double evaluation;                      /* mean number of residual calls of an evaluation */
    double of_dFdy;                         /* part of evaluated.calls that evaluations of dF/dy have taken */
    rsd_call_rate evaluated, repaired, now; /* intervals after evaluations of dF/dy; after repairs; current interval */
} rsd_repair_statistics;

/** State of J, kept from attempt to attempt. */
typedef struct rsd_renewal {
    /* Strategy and options. */
    int by_costs;       /* 1: J is renewed by the costs of the head comment. Otherwise alpha decides, as in IDA */
    int by_differences; /* 1: dF/dy is differenced, and differences may cross a jump of F */
    double max_rate;    /* convergence rate above which dF/dy is renewed */
    long max_age;       /* maximum age of dF/dy in attempts */
    int systems;        /* number of linear systems that a step solves with J: 1 + number of sensitivities */
    /* J and its parts. */
    rsd_setup setup;           /* last setup */
    rsd_evaluation evaluation; /* last evaluation of dF/dy */
    rsd_engine_facts engine;   /* facts at the point of the setup */
    int is_factored;           /* 1: J is factored */
    int stages_J;              /* number of stages for which J was factored */
    double alpha_J;            /* alpha with which J was factored */
    int blocks_outdated;       /* 1: the next attempt must renew the level RSD_BLOCKS */
    double last_rate;          /* last measured convergence rate since dF/dy was renewed; 0: none */
    int requested;             /* pending requests of the caller (resida_request bits) */
    long age_of_dFdy;          /* age of dF/dy in attempts */
    /* Earlier attempts. */
    int last_attempt_failed;           /* 1: the last attempt did not converge */
    double last_attempt_alpha;         /* alpha of the last attempt */
    int failures_with_J;               /* consecutive failures with a current J, at most RSD_RECENT setups apart */
    int setups_since_failure;          /* number of setups since the last failure */
    long setups[RESIDA_SETUP_AGE + 1]; /* number of setups by reason */
    /* Convergence rates and costs. */
    double rate_factor;           /* rate/(1 - rate) of the last measured rate, called "ss" in IDA */
    int rate_unknown;             /* 1: no rate was measured since dF/dy was last differenced */
    long unmeasured;              /* number of attempts since a rate was last measured, including this one */
    double prediction_trust;      /* divisor of `unmeasured`, doubled when a rate does not exceed its prediction */
    rsd_rate_model model;         /* prediction of convergence rates, with by_costs */
    rsd_costs costs;              /* costs of work with J */
    rsd_repair_statistics repair; /* residual calls of evaluations and repairs of dF/dy */
    /* The current attempt. */
    rsd_attempt attempt;            /* equations that are solved */
    rsd_attempt_events events;      /* setups and failures so far */
    rsd_iteration failed_iteration; /* last failed iteration */
} rsd_renewal;

/* --- Decisions --- */

/** Occasions of a setup of J in an attempt. */
typedef enum rsd_occasion {
    RSD_AT_ATTEMPT,      /* a new attempt begins */
    RSD_AT_FAILED_SETUP, /* a setup failed, or J is singular */
    RSD_AT_ITERATE,      /* Newton continues from the current unknowns with a J set up there */
    RSD_AT_NEXT_TRY,     /* Newton failed and is repeated with another J */
    RSD_AT_SOLUTION      /* Newton has converged; J is needed for other linear systems */
} rsd_occasion;

/** Return the reason of a setup on an occasion; RSD_NO_SETUP if J is kept, or if J cannot be improved after a failed
 *  setup. */
resida_setup_reason rsd_renewal_get_reason(const rsd_renewal *r, rsd_occasion occasion);

/** Return the plan of a setup from its reason and the facts in r->engine. After a plan that only updates J, J is not
 *  current. If the iteration with the updated J fails, the next setup of the attempt renews more parts. */
rsd_plan rsd_renewal_get_plan(const rsd_renewal *r, rsd_occasion occasion, resida_setup_reason reason);

/** Return 1 if J is to be set up at the present x after an iteration that does not converge, and the iteration is to
 *  continue from x. */
int rsd_renewal_is_due_in_iteration(const rsd_renewal *r, const rsd_iteration *it);

/** Record a failed iteration. @return 1 if J must be prepared with RSD_AT_NEXT_TRY; 0 if the attempt fails */
int rsd_renewal_end_try(rsd_renewal *r, const rsd_iteration *it);

/** Return the highest level of J whose renewal costs less than the iterations that the renewal avoids. */
rsd_renewal_level rsd_renewal_choose_level(const rsd_renewal *r);

/** Return the contribution of a level of J to the convergence rate: rho(alpha) for RSD_FACTORS, else slope * age. */
double rsd_renewal_get_rate_of_level(const rsd_renewal *r, int level);

/** Return the convergence rate that is predicted if the levels up to `renewed` are new. */
double rsd_renewal_predict_rate(const rsd_renewal *r, rsd_renewal_level renewed);

/** Return the predicted number of iterations of an attempt whose first correction has the norm `first`. If more than
 *  RSD_USUAL_ITERATIONS are needed, return RSD_USUAL_ITERATIONS + 1. */
double rsd_renewal_predict_iterations(const rsd_renewal *r, double rate, double first);

/** Return the level that the last setup of the present attempt has renewed. */
static inline rsd_renewal_level rsd_renewal_get_renewed_level(const rsd_renewal *r)
{
    return r->events.setups > 0 ? r->setup.level : RSD_NOTHING_NEW;
}

/** Return 1 if another setup at the point of the attempt cannot improve J. */
static inline int rsd_renewal_is_current(const rsd_renewal *r)
{
    return r->events.setups > 0 && r->setup.is_current;
}

/* --- Events that change the facts. renewal_record.c --- */

/** Record a restart of the integration within the last step, and keep J. If J is renewed by costs, its blocks are
 *  renewed at the next attempt. */
void rsd_renewal_restart(rsd_renewal *r);

/** Record a restart of the integration, and discard J. */
void rsd_renewal_discard_J(rsd_renewal *r);

/** Record that an accepted step has changed F. J is then renewed at the next attempt. */
void rsd_renewal_mark_outdated(rsd_renewal *r);

/** Record the beginning of an attempt. r->attempt must be set. */
void rsd_renewal_begin_attempt(rsd_renewal *r);

/** Record the beginning of a setup. If a failed iteration has caused the setup, count the failure of the last J. */
void rsd_renewal_begin_setup(rsd_renewal *r, const rsd_plan *plan);

/** Record that the engine has set J up by a plan, with `calls` residual calls. Calls of a planned repair are charged to
 *  the repair even if it failed and dF/dy was evaluated. */
void rsd_renewal_record_calls(rsd_renewal *r, const rsd_plan *plan, long calls);

/** Record that J was set up and factored. */
void rsd_renewal_record_J(rsd_renewal *r);

/** Count a residual call of the Newton iteration. */
static inline void rsd_renewal_record_call(rsd_renewal *r)
{
    r->repair.now.calls++;
}

/** Record the measured convergence rate of a correction. */
void rsd_renewal_record_rate(rsd_renewal *r, double rate);

/** Return the estimated error after a correction, rate/(1 - rate) |delta|, in tolerances. At the first correction the
 *  rate is the last measured rate or a predicted rate. */
double rsd_renewal_estimate_error(const rsd_renewal *r, const rsd_iteration *it);

/** Record the end of an iteration that has converged or failed, or in which F could not be evaluated. */
void rsd_renewal_end_iteration(rsd_renewal *r, const rsd_iteration *it);

/** Record the end of the iteration and the projection. A later rejection of the step, by the error test of IDA or by an
 *  additional rule, is not recorded. verdict is 0 if the iteration has converged, > 0 if it has not converged, and < 0
 *  on a fatal error. */
void rsd_renewal_end_attempt(rsd_renewal *r, int verdict);

/* Functions that change rsd_rate_model. init resets it. mark_renewed records that levels of J were renewed in this
 * attempt. record_rate fits rho_0 and the slopes to a measured rate. charge adds the cost of the avoidable iterations
 * of an iteration that has ended to the member `charge`. `rate` is the convergence rate of this iteration, 0 if
 * unknown, and `first` is the norm of its first correction. */
void rsd_rate_model_init(rsd_rate_model *m);
void rsd_rate_model_mark_renewed(rsd_renewal *r);
void rsd_rate_model_record_rate(rsd_renewal *r, double rate);
void rsd_rate_model_charge(rsd_renewal *r, double rate, double first);

#endif
