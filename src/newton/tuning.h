/* tuning.h - the constants by which the corrector iteration decides about J (renewal.c, and what it asks: secant.c,
 * inertia.c), one a line:
 *
 *     unit | range over which results are alike | tests that guard it, by their names of meson | what it is
 *
 * Where no study says more (doc/experiments), a range is one, within half to twice the value, in which test_counters
 * passes: calls, evaluations, steps and factorisations of the built-in models within 3 %. That knows neither contacts
 * nor strategies that keep J whole. "?" stands where there is none, or none was measured. */
#ifndef RSD_TUNING_H
#define RSD_TUNING_H

/* Iterations of a step of any size, and how they end. */
#define RSD_MOST_ITERATIONS 4    /* iterations | ? | renewal | with J as it was factored */
#define RSD_MOST_CORRECTED  6    /* iterations | 6 to 12 | renewal, counters | with a J that they correct */
#define RSD_WORST_RATE      0.9  /* per iteration | ? | renewal | from it on the iteration fails */
#define RSD_NOTHING         1e-8 /* Newton tolerances | ? | renewal | a correction that needs no other one */
#define RSD_ROUNDING        0.33 /* tolerances | 0.17 to 0.66 | renewal | rounding, if it does not shrink */
#define RSD_ALPHA_RANGE     0.25 /* none | ? | renewal | alpha/alpha_J in (1 - range)/(1 + range), and inverse */

/* Iterations of a step of a fixed size. */
#define RSD_MOST_KEPT        12   /* iterations | ? | renewal | with a J that is kept while it is good */
#define RSD_MOST_FULL        40   /* iterations | ? | renewal | with a J of each of them */
#define RSD_MOST_TO_ROUNDING 60   /* iterations | ? | renewal | as long as corrections decrease */
#define RSD_NO_DECREASE      1.0  /* per iteration | ? | renewal | from it on nothing decreases */
#define RSD_MEND_RATE        0.5  /* per iteration | ? | renewal | above it J is set up within the iteration */
#define RSD_LITTLE           1e-2 /* Newton tolerances | ? | renewal | a correction that needs no other one */

/* A remembered rate of convergence, as rate/(1 - rate). Its doubt begins at RSD_DEAR_CALLS (jacobian/engine.h). */
#define RSD_FACTOR_AFTER_SETUP 20.0  /* none | ? | rates | of a J that was set up, IDA's */
#define RSD_FACTOR_NEW_ALPHA   100.0 /* none | ? | rates | of a J of another alpha, IDA's */
#define RSD_LEAST_FACTOR       1e-3  /* none | ? | rates, counters | of a measured rate, where J is renewed */
#define RSD_MOST_DOUBT         6.0   /* none | ? | rates, counters | times a factor where it is cheap */
#define RSD_LONGER             9.0   /* h when measured | 9 to 18 | rates, counters | beyond it a rate grows like h^2 */
#define RSD_MEASURED           2.0   /* Newton tolerances | 3 errs twice | rates, counters | left, with a new rate */

/* When a rate is measured: the second iteration of an attempt that would need one only. */
#define RSD_GOOD_RATE     0.05  /* per iteration | ? | rates, counters | below it every RSD_MEASURE_OFTEN attempts */
#define RSD_FINE_RATE     0.001 /* per iteration | ? | rates, counters | below it every RSD_MEASURE_LAST */
#define RSD_MEASURE_FIRST 2     /* attempts | ? | rates, counters | after a new dF/dy */
#define RSD_MEASURE_OFTEN 8     /* attempts | ? | rates, counters | at the most, of a good rate */
#define RSD_MEASURE_LAST  32    /* attempts | 32 to 64 | rates, counters | at the most */

/* When dF/dy is evaluated anew, and when the step is cut instead. */
#define RSD_STALE_RATE    0.1  /* per iteration | ? | rates, counters | above it, where J is renewed, ... */
#define RSD_SHARE_OF_COST 0.35 /* evaluations | 0.25 to 0.5 | rates | ... once iterations have cost so much */
#define RSD_TOO_LONG      2.0  /* tolerances | 2 to 4 | rates, counters | no J makes such a correction pass */
#define RSD_ASTRAY        16.0 /* per iteration | 8 to 32 | rates | h/4 has 1/16 of h^2 dF/dy */

/* Corrections of J by what the iteration sees. */
#define RSD_MOST_PAIRS   16        /* pairs | 16; 8: 1 to 7 % more calls | secant | kept */
#define RSD_LEAST_PAIRS  2         /* pairs | ? | secant | of any number of unknowns */
#define RSD_MOST_NUMBERS (1 << 17) /* numbers | ? | secant | in one array of pairs */
#define RSD_LEAST_PIVOT  1e-3      /* none | ? | secant | of I + V'Z, where 1 is no correction at all */

/* What is renewed when, of the strategy "weighed" (account.h). "alike" by the instructions of six models. */
#define RSD_SHARE      0.7  /* costs of a renewal | 0.35 to 1: within 5 % | account | debts that make it pay */
#define RSD_PAST       0.7  /* none | 0.7 to 0.9 | account | weight of the rates seen before the last one */
#define RSD_STAYS      0.8  /* none | 0.6 to 0.9 | account | of a slope, with each renewal */
#define RSD_FIRST_RUN  4.0  /* attempts | ? | account | between two changes of alpha, before any is known */
#define RSD_LATEST_RUN 0.25 /* none | ? | account | weight of the last one in their mean */
#define RSD_DOUBT      4.0  /* none | 4 to 12 | rates | times a factor that is foreseen */

/* What work is taken to cost, in operations. */
#define RSD_VECTORS 60.0   /* for each unknown | ? | ? | what IDA and the iteration do to vectors */
#define RSD_CALLS   1000.0 /* operations | ? | ? | of an iteration, besides */

/* What is left of F, in units of inertia. */
#define RSD_INERTIA_LEFT    0.5 /* of F before | to 0.9 | newton | more is a J that is wrong, where it is kept whole */
#define RSD_INERTIA_CHANGED 0.1 /* of F before | ?; 0.5: 2 % more calls | newton | less is, where it is renewed */
#define RSD_INERTIA_AT_ALL  1.0 /* tolerances | ? | newton | less does no harm */

#endif
