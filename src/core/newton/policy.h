/* policy.h - what an attempt needs of J: an action, and its reason.
 *
 * A decision is a function of the policy's memory of J, which outlives attempts, and of the facts of the attempt
 * (attempt.h). The memory changes by the events at the end of this file, which the iteration (newton.h) reports.
 * account.h says which renewal pays; constants are in tuning.h. How a setup does it is decided by
 * jacobian/renewal.h. */
#ifndef RSD_POLICY_H
#define RSD_POLICY_H

#include "attempt.h"
#include "jacobian/engine.h"

/** Memory of J from attempt to attempt. rsd_newton_create() sets the options, policy.c the rest. */
typedef struct rsd_policy {
    int by_costs;           /* the strategy: parts of J are renewed when that pays */
    int by_differences;     /* dF/dy comes from differences, which may have crossed a jump */
    double predicted_share; /* of the tolerance that a first correction may leave, judged by a predicted rate */
    double slow_rate;       /* rate from which on dF/dy is evaluated anew; 0: RSD_WORST_RATE */
    long max_age;           /* attempts that dF/dy may serve */
    int has_J, stages;      /* 1: there are factors; stages of these */
    double alpha;           /* of them */
    int blocks_outdated;    /* the parts that cost no residual call have changed: update them */
    int dFdy_outdated;      /* a rate was slow: evaluate dF/dy */
    int has_failed;         /* the last attempt did not converge */
    double last_alpha;      /* of the last attempt */
    long age;               /* attempts since dF/dy was evaluated */
    int avoidable;          /* iterations of this attempt that a better J would have avoided */
    double rate_factor;     /* rate/(1 - rate) of the last known rate; IDA's "ss"; where J is kept */
    int rate_unknown;       /* no rate was measured since dF/dy was evaluated by differences */
    long unmeasured;        /* attempts without a measured rate, with this one; where J is renewed */
    int trust;              /* number of these that counts as one */
    rsd_account account;    /* costs of an outdated J; where J is renewed */
} rsd_policy;

/* --- Decisions --- */

/** What an attempt needs of J. */
rsd_renewal rsd_policy_renewal(const rsd_policy *p, const rsd_newton_facts *f);

/** After a setup that failed, or a J that is singular. */
typedef enum rsd_recovery { RSD_NO_RECOVERY, RSD_EVALUATE_AGAIN, RSD_SEARCH_PATTERN } rsd_recovery;
rsd_recovery rsd_policy_recovery(const rsd_newton_facts *f);

/** After an iteration that does not converge: 1: set J up at the present x, and continue from there. */
int rsd_policy_renews_within(const rsd_policy *p, const rsd_newton_facts *f);

/** After a try that failed: what the next one needs of J. RSD_KEEP: there is none, the attempt has failed. */
rsd_renewal rsd_policy_retry(const rsd_policy *p, const rsd_newton_facts *f);

/** After an attempt that failed: 1: dF/dy was evaluated so far from any solution that a shorter step cannot use it. */
int rsd_policy_is_far_from_solution(const rsd_newton_facts *f);

/** 1: a try also counts as failed where F or J was not possible. */
int rsd_policy_refusal_is_failure(const rsd_newton_facts *f);

/** The rate to be expected of J as it is after the attempt; where J is renewed. */
double rsd_policy_expected_rate(const rsd_policy *p, const rsd_newton_facts *f);

/** rate/(1 - rate) of the measured rate. */
double rsd_policy_rate_factor(const rsd_policy *p, const rsd_newton_facts *f);

/** c = 2/(1 + alpha/alpha_J), by which corrections with a J of another alpha are multiplied. */
double rsd_policy_correction_factor(const rsd_policy *p, double alpha);

/* --- Events --- */

/** The integration restarts where it was: J stays, but for the parts that cost no residual call. */
void rsd_policy_restart(rsd_policy *p);

/** The integration restarts elsewhere: J goes. */
void rsd_policy_forget(rsd_policy *p);

/** The caller has changed what costs no residual call. */
void rsd_policy_outdate_blocks(rsd_policy *p);

/** An attempt begins. */
void rsd_policy_begin(rsd_policy *p, const rsd_newton_facts *f);

/** A setup begins: there is no J until it succeeds. */
void rsd_policy_drop_J(rsd_policy *p);

/** A setup has succeeded. */
void rsd_policy_record_J(rsd_policy *p, const rsd_newton_facts *f);

/** Record a measured rate of convergence. */
void rsd_policy_record_rate(rsd_policy *p, const rsd_newton_facts *f);

/** The iteration goes on without having converged. */
void rsd_policy_count_iteration(rsd_policy *p);

/** The iteration has ended: charge its avoidable iterations to the outdated parts of J. */
void rsd_policy_charge(rsd_policy *p, const rsd_newton_facts *f);

/** The attempt has ended: 0 converged; > 0 not; < 0 broken off. */
void rsd_policy_end(rsd_policy *p, int verdict);

#endif
