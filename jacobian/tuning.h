/* tuning.h - the constants that decide how J is renewed (renewal.c, renewal_cost.c, renewal_record.c), one per line:
 *
 *     unit | range over which results are alike | tests of the value (names in meson) | meaning
 *
 * If no other study is given (doc/experiments), the range was found by varying the constant from a quarter to four
 * times its value (for a constant between 0.5 and 1: 1 minus the constant). Within this range the residual calls of the
 * built-in models change by at most 3 % in the mean and 15 % for each model (doc/experiments/ablation.md). This study
 * includes neither contacts nor strategies that keep J whole. "?": not measured, like the constants of tables.
 * Constants of the iteration are in src/core/newton/tuning.h. */
#ifndef RSD_JACOBIAN_TUNING_H
#define RSD_JACOBIAN_TUNING_H

/* Attempts. */
#define RSD_USUAL_ITERATIONS  4    /* iterations | 4 to 6 | renewal | maximum, unless more cost less than a new J */
#define RSD_WORST_RATE        0.9  /* per iteration | 0.9 to 0.95 | renewal | maximum convergence rate */
#define RSD_RENEWAL_RATE      0.5  /* per iteration | ? | renewal | convergence rate above which dF/dy is renewed */
#define RSD_ALPHA_RANGE       0.25 /* none | 0.0625 to 0.5 | renewal | maximum rho(alpha) (renewal.h) of kept factors */
#define RSD_FAR_FROM_SOLUTION 100  /* tolerances | 100 to 400 | junction | maximum correction near a solution */
#define RSD_MAX_RENEWALS      2    /* setups | 2 | min_order, exponentials | maximum number at iterates of an attempt */
#define RSD_CUT               25.0 /* iterations | 12.5 to 100 | train_rough | maximum cost of a setup at an iterate */
#define RSD_TOO_FAR           10.0 /* error tests | 3 to 30 | repair | maximum first correction with a repaired J */

/* Values of rate/(1 - rate), the ratio of the error after a correction to the correction. */
#define RSD_FACTOR_AFTER_SETUP 20.0  /* none | 5 to 80 | counters | first value after a setup, as in IDA */
#define RSD_FACTOR_NEW_ALPHA   100.0 /* none | 25 to 400 | - | first value after a change of alpha, as in IDA */
#define RSD_MIN_FACTOR         1e-3  /* none | 2.5e-4 to 4e-3 | counters | minimum of a measured factor */
#define RSD_PREDICTED_SHARE    0.1   /* Newton tolerances | 0.1 to 0.2 | friction | predicted_share (renewal.h) */
#define RSD_MAX_TRUST          16    /* attempts | 4 to 64 | stability_limit | maximum prediction_trust (renewal.h) */

/* Costs of an outdated J. */
#define RSD_SHARE      0.7  /* renewals | 0.35 to 0.85 | renewal_cost | accumulated cost at which a level is renewed */
#define RSD_PAST       0.7  /* none | 0.7 to 0.9 | renewal_cost | weight of earlier rates in the fit of a slope */
#define RSD_STAYS      0.8  /* none | 0.6 to 0.8 | renewal_cost, repair | factor of slopes and calls at each renewal */
#define RSD_MAX_STAYS  0.98 /* none | 0.96 to 0.995 | sensitivity | maximum of RSD_STAYS after failures */
#define RSD_LATEST_RUN 0.25 /* none | 0.0625 to 1 | renewal_cost | weight of the last run in mean_run */

/* Repairs of dF/dy. */
#define RSD_REPAIR_FROM   24    /* calls | 24 to 96 | repair | minimum cost of an evaluation that repairs replace */
#define RSD_REPAIR_AFTER  4     /* evaluations | 4 to 8 | repair | number of evaluations before the first repair */
#define RSD_REPAIR_SHARE  0.45  /* calls | 0.4 to 0.5 | repair | minimum share of evaluations for a repair */
#define RSD_REPAIR_FORGET 0.995 /* none | 0.98 to 0.999 | repair | factor of evaluation calls at a repair, or reverse */

/* Attempts that fail. */
#define RSD_FAILING 2 /* failures | 1 to 8 | renewal | number with a current or repaired J that ends trust in J */
#define RSD_RECENT  3 /* setups | 2 to 12 | renewal | maximum age of a recent evaluation or failure */

#endif
