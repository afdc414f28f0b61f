/* renewal.h - everything that is decided about J while steps are solved: when it is set up and why, when dF/dy is
 * evaluated anew, when a rate of convergence is measured and what a remembered one counts, when J is corrected by
 * secants, when an iteration has converged, and when it is given up.
 *
 * Facts in, decision out: a decision is a function of a record of J, which outlives attempts, and of the facts of the
 * attempt at hand. It changes neither. What changes the record are the events at the end of this file, which the
 * iteration (newton.h) reports. The constants are in tuning.h. */
#ifndef RSD_RENEWAL_H
#define RSD_RENEWAL_H

#include <resida/jacobian.h>

#include "account.h"

/** Which rules hold: those of steps of any size, as IDA takes them, or of steps of a fixed size. */
typedef struct rsd_newton_rules {
    int most;                             /* iterations */
    int remembers;                        /* rates are kept from attempt to attempt, and J is for them */
    int to_rounding;                      /* as long as corrections decrease: no tolerance ends it */
    double worst_rate;                    /* from it on corrections do not shrink */
    double enough;                        /* of the tolerance: a correction that needs no other one */
    double mend_rate;                     /* above it J is set up within the iteration; INFINITY: never */
    resida_setup_reason mend_reason;      /* which is said to be so */
    const struct rsd_newton_rules *again; /* of the one attempt more from the start of the step; NULL: these, as long as
                                             J can be made better */
} rsd_newton_rules;

extern const rsd_newton_rules rsd_rules_of_any_size, rsd_rules_of_fixed_size, rsd_rules_to_rounding;

/** What the engine says. */
typedef struct rsd_engine_facts {
    int is_requested; /* a setup is asked for from outside */
    int is_due;       /* what costs no residual call has changed */
    int is_dear;      /* it pays to correct J by what the iteration sees */
    int cost;         /* residual calls of an evaluation */
} rsd_engine_facts;

/** J in this attempt. */
typedef struct rsd_setup_facts {
    int refactored;  /* it was set up */
    int renewed;     /* with all that costs no residual call */
    int current;     /* and cannot be made better */
    int is_new;      /* dF/dy was evaluated in the last setup */
    int is_singular; /* the last factorisation failed */
    int searched;    /* entries that rounding hid were asked for */
} rsd_setup_facts;

/** How far the iteration has come. */
typedef struct rsd_iteration_facts {
    int m;              /* iterations before this one */
    int most;           /* it may take */
    int measures;       /* a rate is wanted of it, even if the first correction would do */
    double norm, first; /* of the last correction, and of the first one */
    double rate;        /* of convergence, since m = 1; 0: not known */
    int is_unmoved;     /* F is where it was: J is wrong there */
    double size;        /* of what it has corrected, in the norm of the error test */
} rsd_iteration_facts;

/** An attempt to solve a step. */
typedef struct rsd_newton_facts {
    const rsd_newton_rules *rules;
    double since; /* time since the first start */
    double alpha, h, tolerance;
    int stages; /* of the step */
    int again;  /* an attempt has been made from there, with another h */
    int lost;   /* which converged, and was lost all the same */
    int tries;  /* of this attempt, that failed */
    rsd_engine_facts engine;
    rsd_costs costs; /* of an engine that weighs them */
    rsd_setup_facts J;
    rsd_iteration_facts it;
} rsd_newton_facts;

/** What is remembered of J from attempt to attempt. Written by renewal.c alone. */
typedef struct rsd_renewal {
    int renews, ages;    /* the engine: it wants setups between evaluations; its dF/dy grows old */
    int weighs;          /* and these are weighed by what they cost: the account decides */
    double slow_rate;    /* from which rate on J is to be better; 0: chosen */
    long max_age;        /* attempts that dF/dy may serve */
    int has_J, stages;   /* there are factors; of so many stages */
    double alpha;        /* of them */
    int is_worn;         /* a rate was slow with a J kept from an attempt before: renew it */
    int is_stale;        /* it was slow with a J of that attempt: evaluate dF/dy */
    int has_failed;      /* the attempt before did not converge */
    int was_too_long;    /* it failed because its step was too long for any J */
    double alpha_before; /* of the attempt before */
    long age, extra;     /* since dF/dy was evaluated: attempts; iterations after the first of an attempt */
    double factor;       /* rate/(1 - rate) of the last rate that is known; IDA's "ss" */
    double h_measured;   /* step size when it was measured; 0: it is a guess */
    long age_measured;   /* age of dF/dy then */
    int since_measured;  /* attempts since, where J is renewed */
    int measure_after;   /* attempts until the next measurement */
    int spared;          /* where they are weighed: iterations of this attempt that a better J would have spared */
    long unseen;         /* attempts since a rate was seen, with the one at hand */
    rsd_account account;
} rsd_renewal;

/* --- Decisions --- */

enum { RSD_NO_SETUP = -1, RSD_GIVE_UP = -2 };

/** Before an attempt: why J is set up, a resida_setup_reason; or RSD_NO_SETUP. */
int rsd_renewal_reason(const rsd_renewal *r, const rsd_newton_facts *f);

/** After a setup that was refused, or led to a singular J: what is done about it. */
typedef enum rsd_resort { RSD_ACCEPT_DEFEAT, RSD_EVALUATE, RSD_SEARCH_AND_EVALUATE } rsd_resort;
rsd_resort rsd_renewal_resort(const rsd_newton_facts *f);

/** 1: J is corrected by what iterations see of F, by secants; and is it so by this one, which has not converged? */
int rsd_renewal_corrects(const rsd_renewal *r, const rsd_newton_rules *rules);
int rsd_renewal_learns(const rsd_newton_facts *f);

/** Iterations that a try may take. */
int rsd_renewal_most(const rsd_renewal *r, const rsd_newton_facts *f);

/** 1: before the next correction it is asked whether F has moved at all (inertia.h). */
int rsd_renewal_looks(const rsd_newton_facts *f);

/** 1: this attempt is to take a second iteration, for the sake of its rate. */
int rsd_renewal_measures(const rsd_renewal *r, const rsd_newton_facts *f);

/** A correction is known, with its norm: 1 if it shows a rate of convergence. */
int rsd_renewal_is_rate(const rsd_newton_facts *f);

/** And what comes next? */
typedef enum rsd_judgement {
    RSD_CONVERGED,
    RSD_CONVERGED_BEFORE, /* without this correction, which is rounding */
    RSD_DOUBTFUL,         /* it seems to have converged; F says whether it has */
    RSD_TO_MEASURE,       /* it has converged, but goes on for its rate */
    RSD_GO_ON,
    RSD_MEND,  /* go on, with J of here */
    RSD_SPENT, /* not converged, after the last iteration */
    RSD_FAILED
} rsd_judgement;
rsd_judgement rsd_renewal_judge(const rsd_renewal *r, const rsd_newton_facts *f);

/** A try has failed: with which setup is the attempt tried again? A resida_setup_reason; or RSD_GIVE_UP. */
int rsd_renewal_retry(const rsd_renewal *r, const rsd_newton_facts *f);

/** 1: a try counts as one that failed also where F or J was not possible. */
int rsd_renewal_retries_refused(const rsd_newton_facts *f);

/* --- Events --- */

/** The integration starts anew where it was: J stays, but for what of it costs no residual call; elsewhere: J goes. */
void rsd_renewal_restart(rsd_renewal *r);
void rsd_renewal_forget(rsd_renewal *r);

/** What costs no residual call has changed, from outside. */
void rsd_renewal_wear(rsd_renewal *r);

/** An attempt begins. */
void rsd_renewal_begin(rsd_renewal *r, const rsd_newton_facts *f);

/** A setup begins, without which there is no J; it has succeeded. */
void rsd_renewal_drop(rsd_renewal *r);
void rsd_renewal_set_up(rsd_renewal *r, const rsd_newton_facts *f);

/** An iteration begins; it shows a rate; it goes on without having converged; it has ended. */
void rsd_renewal_iterate(rsd_renewal *r);
void rsd_renewal_measured(rsd_renewal *r, const rsd_newton_facts *f);
void rsd_renewal_cost(rsd_renewal *r);
void rsd_renewal_book(rsd_renewal *r, const rsd_newton_facts *f);

/** A try has failed; the attempt has ended: 0 it converged; > 0 it did not; < 0 it was broken off. */
void rsd_renewal_failed(rsd_renewal *r, const rsd_newton_facts *f);
void rsd_renewal_end(rsd_renewal *r, int verdict);

#endif
