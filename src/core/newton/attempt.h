/* attempt.h - an attempt to solve the equations of a step, and the facts that are known of it. policy.h decides by them
 * about J, convergence.h how the iteration goes on. */
#ifndef RSD_ATTEMPT_H
#define RSD_ATTEMPT_H

#include "account.h"
#include "jacobian/parts/plan.h"

/** Rules of the iteration: of steps of any size, as IDA takes them, or of steps of a fixed size. */
typedef struct rsd_newton_rules {
    int usual_iterations; /* after them the iteration goes on where that costs less than another J */
    int max_iterations;
    int variable_step;   /* 1: steps of any size: rates are kept from attempt to attempt; 0: of a fixed size */
    int to_rounding;     /* iterate as long as corrections decrease: no tolerance ends it */
    double worst_rate;   /* rate of convergence from which on the iteration diverges */
    double enough;       /* Newton tolerances: a correction that needs no other one */
    double renewal_rate; /* above it J is set up within the iteration; INFINITY: if it diverges */
    rsd_renewal renewal; /* which is done then */
    const struct rsd_newton_rules *retry; /* of one more try from the start of the step; NULL: these, as long as J can
                                             be made better */
} rsd_newton_rules;

/** The attempt, as the integrator passes it. */
typedef struct rsd_newton_attempt {
    resida_jacobian_point at; /* the end of the step, alpha of J, h, weights of the error test; y, yp of x, F there,
                                 and the time since the first start of steps of any size */
    double tolerance;         /* of the iteration, in error tests */
    double *x;                /* [stages n] unknowns, to which corrections are added */
    int stages;               /* of the step */
    int is_retry;             /* the step has been tried before, with another h */
} rsd_newton_attempt;

/** J in this attempt. */
typedef struct rsd_setup_facts {
    int is_factored;      /* J was set up */
    int has_new_blocks;   /* with all that costs no residual call */
    int current;          /* and cannot be made better */
    int is_evaluated;     /* the last setup evaluated dF/dy, .. */
    int is_repaired;      /* .. or repaired it */
    int is_singular;      /* the last factorisation failed */
    int pattern_searched; /* entries that rounding hid were searched */
} rsd_setup_facts;

/** The iteration so far. */
typedef struct rsd_iteration_facts {
    int m;                    /* iterations before this one */
    double norm, first;       /* of the last correction, and of the first one */
    double norm_tested;       /* of the part of the last correction that is in the error test */
    double rate;              /* of convergence, since m = 1; 0: unknown */
    double before;            /* first correction before J was set up within the iteration; 0: it was not */
    int residual_is_large;    /* 1: F after the correction decides: the correction shows too little of F before it */
    int residual_is_the_same; /* 1: the correction did not reduce the residual: J is wrong there */
    int leaves_row;           /* 1: the correction before the last one left an algebraic equation where it was */
} rsd_iteration_facts;

typedef struct rsd_newton_facts {
    const rsd_newton_rules *rules;
    rsd_newton_attempt attempt;
    int tries;        /* of this attempt that failed */
    int renewals;     /* setups within iterations */
    int is_requested; /* the caller requests a setup */
    rsd_costs costs;  /* of a strategy that renews parts of J */
    rsd_setup_facts J;
    rsd_iteration_facts it;
} rsd_newton_facts;

#endif
