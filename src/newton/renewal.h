/* renewal.h - everything that is decided about J while steps are solved: when it is set up and why, when dF/dy is
 * evaluated anew, what a remembered rate of convergence counts, when an iteration has converged, and when it is given
 * up. What pays is found in account.h.
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
    double mend_rate;                     /* above it J is set up within the iteration; INFINITY: if it fails */
    resida_setup_reason mend_reason;      /* which is said to be so */
    const struct rsd_newton_rules *again; /* of the one attempt more from the start of the step; NULL: these, as long as
                                             J can be made better */
} rsd_newton_rules;

extern const rsd_newton_rules rsd_rules_of_any_size, rsd_rules_of_fixed_size, rsd_rules_to_rounding;

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
    double norm, first; /* of the last correction, and of the first one */
    double tested;      /* of what of the last correction is in the error test */
    double rate;        /* of convergence, since m = 1; 0: not known */
    int is_hidden;      /* the last correction shows little of F */
    int is_unmoved;     /* F is where it was: J is wrong there */
} rsd_iteration_facts;

/** An attempt to solve a step. */
typedef struct rsd_newton_facts {
    const rsd_newton_rules *rules;
    double since; /* time since the first start */
    double alpha, h, tolerance;
    int stages;       /* of the step */
    int again;        /* an attempt has been made from there, with another h */
    int lost;         /* which converged, and was lost all the same */
    int tries;        /* of this attempt, that failed */
    int mended;       /* setups within iterations */
    int is_requested; /* a setup is asked for from outside */
    rsd_costs costs;  /* of an engine that renews */
    rsd_setup_facts J;
    rsd_iteration_facts it;
} rsd_newton_facts;

/** What is remembered of J from attempt to attempt. Written by renewal.c alone. */
typedef struct rsd_renewal {
    int renews;          /* the engine: it is renewed when that pays */
    int guesses;         /* its dF/dy comes by differences, which may have gone across a jump */
    double foreseen;     /* left at most, in error tests, by a first correction of the J that is renewed */
    double slow_rate;    /* from which rate on dF/dy is to be better; 0: chosen */
    long max_age;        /* attempts that dF/dy may serve */
    int has_J, stages;   /* there are factors; of so many stages */
    double alpha;        /* of them */
    int is_worn;         /* what costs no residual call has changed: renew it */
    int is_stale;        /* a rate was slow: evaluate dF/dy */
    int has_failed;      /* the attempt before did not converge */
    double alpha_before; /* of the attempt before */
    long age;            /* attempts since dF/dy was evaluated */
    int spared;          /* iterations of this attempt that a better J would have spared */
    double factor;       /* rate/(1 - rate) of the last rate that is known; IDA's "ss"; where J is kept */
    double h_measured;   /* step size when a rate was measured; 0: none was */
    int is_untried;      /* no rate has been seen since such a dF/dy was evaluated */
    long unseen;         /* attempts since, where J is renewed, with the one at hand */
    int trust;           /* so many of these count as one */
    rsd_account account; /* where J is renewed */
} rsd_renewal;

/* --- Decisions --- */

enum { RSD_NO_SETUP = -1, RSD_GIVE_UP = -2 };

/** Before an attempt: why J is set up, a resida_setup_reason; or RSD_NO_SETUP. */
int rsd_renewal_reason(const rsd_renewal *r, const rsd_newton_facts *f);

/** After a setup that was refused, or led to a singular J: what is done about it. */
typedef enum rsd_resort { RSD_ACCEPT_DEFEAT, RSD_EVALUATE, RSD_SEARCH_AND_EVALUATE } rsd_resort;
rsd_resort rsd_renewal_resort(const rsd_newton_facts *f);

/** 1: before the next correction F is measured in units that J cannot hide (inertia.h): with an old J before the first
 *  correction; with a J of this attempt, where it is renewed, before later ones, which show F to have been large where
 *  J was evaluated. */
int rsd_renewal_looks(const rsd_renewal *r, const rsd_newton_facts *f);

/** A correction is known, with its norm: 1 if it shows a rate of convergence. */
int rsd_renewal_is_rate(const rsd_newton_facts *f);

/** And what comes next? */
typedef enum rsd_judgement {
    RSD_CONVERGED,
    RSD_CONVERGED_BEFORE, /* without this correction, which is rounding */
    RSD_DOUBTFUL,         /* it seems to have converged; F says whether it has */
    RSD_GO_ON,
    RSD_MEND,  /* go on, with J of here */
    RSD_SPENT, /* not converged, after the last iteration */
    RSD_FAILED
} rsd_judgement;
rsd_judgement rsd_renewal_judge(const rsd_renewal *r, const rsd_newton_facts *f);

/** A try has failed: with which setup is the attempt tried again? A resida_setup_reason; or RSD_GIVE_UP. */
int rsd_renewal_retry(const rsd_renewal *r, const rsd_newton_facts *f);

/** Where it is given up: 1: dF/dy was evaluated so far from any solution that it is of no use to a shorter step. */
int rsd_renewal_is_astray(const rsd_newton_facts *f);

/** 1: a try counts as one that failed also where F or J was not possible. */
int rsd_renewal_retries_refused(const rsd_newton_facts *f);

/** Where J is renewed: the rate that is to be expected of it as it is after the attempt, for y. */
double rsd_renewal_expect(const rsd_renewal *r, const rsd_newton_facts *f);

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

/** An iteration shows a rate; F has shown that it had converged; it goes on without having converged; it has ended. */
void rsd_renewal_measured(rsd_renewal *r, const rsd_newton_facts *f);
void rsd_renewal_confirmed(rsd_renewal *r, const rsd_newton_facts *f);
void rsd_renewal_cost(rsd_renewal *r);
void rsd_renewal_book(rsd_renewal *r, const rsd_newton_facts *f);

/** The attempt has ended: 0 it converged; > 0 it did not; < 0 it was broken off. */
void rsd_renewal_end(rsd_renewal *r, int verdict);

#endif
