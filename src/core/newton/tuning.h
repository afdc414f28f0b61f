/* tuning.h - the constants by which the corrector iteration and the policy of J decide (convergence.c, policy.c,
 * account.c, residual_norm.c), one a line:
 *
 *     unit | range over which results are alike | tests that guard it, by their names of meson | what it is
 *
 * Where no study says more (doc/experiments), a range is one, within half to twice the value, in which test_counters
 * passes: calls, evaluations, steps and factorisations of the built-in models within 3 %. That knows neither contacts
 * nor strategies that keep J whole. "?" stands where there is none, or none was measured. */
#ifndef RSD_TUNING_H
#define RSD_TUNING_H

/* Iterations of a step of any size, and how they end. */
#define RSD_USUAL_ITERATIONS 4    /* iterations | ? | policy | with J as it was factored, as IDA has it */
#define RSD_MOST_ITERATIONS  10   /* iterations | 8 to 16 | rates | where more cost less than another J */
#define RSD_ITERATIONS_ANEW  2    /* iterations | ? | rates | that another J takes */
#define RSD_WORST_RATE       0.9  /* per iteration | ? | policy | from it on the iteration fails */
#define RSD_NOTHING          1e-8 /* Newton tolerances | ? | policy | a correction that needs no other one */
#define RSD_ROUNDING         0.33 /* tolerances | 0.17 to 0.66 | policy | rounding, if it does not shrink */
#define RSD_ROUNDING_MOST    1.0  /* tolerances | ? | policy | the same, behind a correction that was small */
#define RSD_FAR_FROM_SOLUTION                                                                                          \
    1e2 /* tolerances | 1e2 to 1e3 | junction | a first correction, dF/dy far from any solution */
#define RSD_ALPHA_RANGE   0.25 /* none | ? | policy | alpha/alpha_J in (1 - range)/(1 + range), and inverse */

#define RSD_MOST_RENEWALS 2    /* setups | 1 to 2 | rates | of an attempt, where iterations with a current J fail */
#define RSD_CUT           25.0 /* iterations | ? | rates | what a shorter step costs, with J for it */

/* Retries of an attempt that failed. */
#define RSD_TOO_FAR 10.0 /* error tests | 3 to 30 | repair | a first correction of a repaired J */

/* Iterations of a step of a fixed size. */
#define RSD_MOST_KEPT        12   /* iterations | ? | policy | with a J that is kept while it is good */
#define RSD_MOST_FULL        40   /* iterations | ? | policy | with a J of each of them */
#define RSD_MOST_TO_ROUNDING 60   /* iterations | ? | policy | as long as corrections decrease */
#define RSD_NO_DECREASE      1.0  /* per iteration | ? | policy | from it on nothing decreases */
#define RSD_RENEWAL_RATE     0.5  /* per iteration | ? | policy | above it J is set up within the iteration */
#define RSD_LITTLE           1e-2 /* Newton tolerances | ? | policy | a correction that needs no other one */

/* A rate of convergence of earlier steps, as rate/(1 - rate). */
#define RSD_FACTOR_AFTER_SETUP 20.0  /* none | ? | rates | of a J that was set up, IDA's */
#define RSD_FACTOR_NEW_ALPHA   100.0 /* none | ? | rates | of a J of another alpha, IDA's */
#define RSD_LEAST_FACTOR       1e-3  /* none | ? | rates, counters | of a measured rate, where J is renewed */
#define RSD_PREDICTED_SHARE    0.1   /* Newton tolerances | 0.05 to 0.1 | rates, friction | left by a predicted rate */
#define RSD_MOST_TRUST         16    /* attempts | 4 to 16 | rates, impacts | unmeasured ones that count as one */

/* Renewals (account.h). "alike" by the instructions of six models. */
#define RSD_SHARE      0.7  /* renewals | 0.35 to 1: within 5 % | account | accumulated cost that makes it pay */
#define RSD_PAST       0.7  /* none | 0.7 to 0.9 | account | weight of the rates seen before the last one */
#define RSD_STAYS      0.8  /* none | 0.6 to 0.9 | account | of a slope, with each renewal */
#define RSD_STAYS_MOST 0.98 /* none | ? | account | likewise, where trials without the renewal have failed */
#define RSD_FIRST_RUN  4.0  /* attempts | ? | account | between two changes of alpha, before any is known */
#define RSD_LATEST_RUN 0.25 /* none | ? | account | weight of the last one in their mean */

/* Assumed costs, in operations. */
#define RSD_VECTORS 60.0   /* for each unknown | ? | ? | what IDA and the iteration do to vectors */
#define RSD_CALLS   1000.0 /* operations | ? | ? | of an iteration, besides */

/* The residual, in its units. */
#define RSD_RESIDUAL_LEFT      0.5  /* of F before | to 0.9 | newton | more: J is wrong, where it is kept whole */
#define RSD_RESIDUAL_CHANGED   0.1  /* of F before | ?; 0.5: 2 % more calls | newton | less: likewise, where renewed */
#define RSD_RESIDUAL_TOLERANCE 1.0  /* tolerances | ? | newton | less does no harm */
#define RSD_RESIDUAL_RATIO     30   /* corrections | 10 to 100 | newton, releases | more of F is hidden by J */
#define RSD_RESIDUAL_FAR       1e8  /* tolerances | ? | exponentials | of F: no J is evaluated there */
#define RSD_RESIDUAL_SHARE     1e-2 /* tolerances | 3e-3 to 1e-2 | exponentials | of a row: less of it may be left */

#endif
