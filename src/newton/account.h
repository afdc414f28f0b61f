/* account.h - what J costs while parts of it are old, and when their renewal pays: rent or buy.
 *
 * J is renewed by rungs: factors of a new alpha; with them what costs no residual call, the blocks; with both dF/dy.
 * What is old makes the iteration slow:
 *
 *     rate = floor + rho(alpha) + s_blocks |t - t_blocks| + s_dFdy |t - t_dFdy|,
 *     rho  = |1 - alpha/alpha_J| / (1 + alpha/alpha_J)
 *
 * With c = 2/(1 + alpha/alpha_J) (newton.h) the eigenvalues of I - c J^-1 (dF/dy + alpha dF/dyp) are within rho where
 * those of the pencil are stable. floor, the rate of a J that is new, and the slopes s are learnt from rates that are
 * seen: floor where all is new, s_dFdy where all else is, s_blocks from what is left.
 *
 * Iterations that a better J would have spared are booked as debts of the rungs, by their parts of the rate. A rung is
 * renewed when the debts, with what is foreseen of this attempt, have reached what that costs: so it is never much
 * dearer than the best that could have been done, whatever comes (R. M. Karp, On-line algorithms versus off-line
 * algorithms: how much is it worth to know the future?, IFIP 1992). */
#ifndef RSD_ACCOUNT_H
#define RSD_ACCOUNT_H

/** What is renewed, each with all before it. */
typedef enum rsd_rung { RSD_NOTHING_NEW = -1, RSD_FACTORS, RSD_BLOCKS, RSD_DFDY, RSD_RUNGS } rsd_rung;

/** In one unit: operations, or residual calls. */
typedef struct rsd_costs {
    double iteration;          /* F, a solution, vectors */
    double renewal[RSD_RUNGS]; /* of a rung, with what the ones before it cost */
    int has[RSD_RUNGS];        /* 1: the rung has something that grows old */
} rsd_costs;

typedef struct rsd_account {
    double debt[RSD_RUNGS];  /* since it was renewed */
    double floor;            /* rate of a J that is new */
    double slope[RSD_RUNGS]; /* of the rate over time, as a rung grows old; 0 of factors */
    double rt[RSD_RUNGS];    /* of rates that were seen: sum of rate times age, ... */
    double tt[RSD_RUNGS];    /* ... and of its square, by which the slope is their least squares */
    double t[RSD_RUNGS];     /* when it was renewed; NaN: at the attempt that comes */
    double first;            /* norm of the first correction of the last attempt; 0: not known */
    double run, mean_run;    /* attempts since alpha changed; between two changes */
} rsd_account;

/** The attempt at hand. */
typedef struct rsd_case {
    double t;           /* since the start: rounding does not depend on when that was */
    double alpha_ratio; /* alpha/alpha_J */
    double tolerance;   /* of the iteration */
    double foreseen;    /* of a first correction */
    rsd_costs costs;
    rsd_rung renewed; /* in this attempt */
} rsd_case;

/** Nothing is known, and J is taken to be new at the attempt that comes. */
void rsd_account_open(rsd_account *a);

/** An attempt begins, with another alpha than the one before, or with the same. */
void rsd_account_begin(rsd_account *a, double t, int is_other_alpha);

/** The rate that is to be expected once the rungs up to `renewed` are new. */
double rsd_account_expect(const rsd_account *a, const rsd_case *x, rsd_rung renewed);

/** Which rung pays to be renewed now, a rsd_rung. */
int rsd_account_due(const rsd_account *a, const rsd_case *x);

/** 1: with the rungs up to x->renewed nothing of J is old. */
int rsd_account_is_whole(const rsd_case *x);

/** The rungs up to x->renewed were renewed: they owe nothing. */
void rsd_account_pay(rsd_account *a, const rsd_case *x);

/** A rate was seen. */
void rsd_account_see(rsd_account *a, const rsd_case *x, double rate);

/** An iteration has ended: so many corrections would have been spared, as far as its rate (0: not known) tells; norm of
 *  the first one. */
void rsd_account_book(rsd_account *a, const rsd_case *x, int spared, double rate, double first);

#endif
