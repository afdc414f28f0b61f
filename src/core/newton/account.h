/* account.h - the costs of an outdated J, and which renewal pays: rent or buy.
 *
 * J is renewed by levels: factors of a new alpha; with them what costs no residual call, the blocks; with both dF/dy.
 * Outdated parts make the iteration slow:
 *
 *     rate = rho_0 + rho(alpha) + s_blocks |t - t_blocks| + s_dFdy |t - t_dFdy|,
 *     rho  = |1 - alpha/alpha_J| / (1 + alpha/alpha_J)
 *
 * With c = 2/(1 + alpha/alpha_J) (policy.h) the eigenvalues of I - c J^-1 (dF/dy + alpha dF/dyp) are within rho where
 * those of the pencil are stable. rho_0, the rate of a new J, and the slopes s are learnt from measured rates: rho_0
 * where all is new, s_dFdy where all else is, s_blocks from the rest.
 *
 * Iterations that a better J would have avoided are charged to the levels, by their parts of the rate. A level is
 * renewed when its accumulated cost, with the cost predicted for this attempt, has reached the cost of its renewal: so
 * the total is never much more than the best possible, whatever comes (R. M. Karp, On-line algorithms versus off-line
 * algorithms: how much is it worth to know the future?, IFIP 1992). */
#ifndef RSD_ACCOUNT_H
#define RSD_ACCOUNT_H

/** Levels of a renewal, each with all before it. */
typedef enum rsd_update_level { RSD_NOTHING_NEW = -1, RSD_FACTORS, RSD_BLOCKS, RSD_DFDY, RSD_LEVELS } rsd_update_level;

/** Costs, in operations or in residual calls. */
typedef struct rsd_costs {
    double iteration;           /* F, a solution, vectors */
    double renewal[RSD_LEVELS]; /* of a level, with those before it */
    int has[RSD_LEVELS];        /* 1: the level has a part that can be outdated */
} rsd_costs;

typedef struct rsd_account {
    double cost[RSD_LEVELS];  /* accumulated since the level was renewed */
    double rho_0;             /* rate of a new J */
    double slope[RSD_LEVELS]; /* of the rate over time, as a level ages; 0 of factors */
    double rt[RSD_LEVELS];    /* of measured rates: sum of rate times age, ... */
    double tt[RSD_LEVELS];    /* ... and of age^2: the slope is their least squares solution */
    double stays[RSD_LEVELS]; /* what a renewal leaves of the slope */
    double t[RSD_LEVELS];     /* [s] of the last renewal; NaN: at the next attempt */
    double first;             /* norm of the first correction of the last attempt; 0: unknown */
    double run, mean_run;     /* attempts since alpha changed; between two changes */
} rsd_account;

/** The facts of an attempt by which the account decides. */
typedef struct rsd_renewal_inputs {
    double t;               /* [s] since the start: rounding does not depend on when that was */
    double alpha_ratio;     /* alpha/alpha_J */
    double tolerance;       /* of the iteration */
    double predicted_limit; /* of a first correction that is judged by a predicted rate */
    rsd_costs costs;
    rsd_update_level renewed; /* in this attempt */
} rsd_renewal_inputs;

/** Forget all rates and costs; J counts as new at the next attempt. */
void rsd_account_init(rsd_account *a);

/** An attempt begins, with another alpha than the last one, or with the same. */
void rsd_account_begin(rsd_account *a, double t, int is_other_alpha);

/** The rate to be expected once the levels up to `renewed` are new. */
double rsd_account_expected_rate(const rsd_account *a, const rsd_renewal_inputs *in, rsd_update_level renewed);

/** The level whose renewal pays now, a rsd_update_level. */
int rsd_account_due(const rsd_account *a, const rsd_renewal_inputs *in);

/** 1: with the levels up to in->renewed no part of J is outdated. */
int rsd_account_is_complete(const rsd_renewal_inputs *in);

/** The levels up to in->renewed were renewed: their accumulated costs are 0. */
void rsd_account_settle(rsd_account *a, const rsd_renewal_inputs *in);

/** Record a measured rate. */
void rsd_account_record_rate(rsd_account *a, const rsd_renewal_inputs *in, double rate);

/** After an iteration: charge this number of avoidable corrections, as far as its rate (0: unknown) confirms them;
 *  first: norm of the first correction. */
void rsd_account_charge(rsd_account *a, const rsd_renewal_inputs *in, int avoidable, double rate, double first);

#endif
