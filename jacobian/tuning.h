/* tuning.h - the constants that decide how J is renewed (renewal.c, renewal_record.c) and when an
 * iteration ends (convergence.c), one per line:
 *
 *     meaning (range over which results are alike; tests of the value, by their names in meson)
 *
 * If no other study is given (doc/experiments), the range was found by varying the constant from a quarter to four
 * times its value (for a constant between 0.5 and 1: 1 minus the constant). Within this range the residual calls of the
 * built-in models change by at most 3 % in the mean and 15 % for each model (doc/experiments/ablation.md). This study
 * includes neither contacts nor strategies that keep J whole. Without a range, none was measured.
 * The constants of the residual test are in src/core/newton/tuning.h. */
#ifndef RSD_JACOBIAN_TUNING_H
#define RSD_JACOBIAN_TUNING_H

/* Attempts. */
#define RSD_USUAL_ITERATIONS  4    /* maximum Newton iterations, unless more are cheaper (4 to 6; test renewal) */
#define RSD_WORST_RATE        0.9  /* maximum convergence rate of Newton (0.9 to 0.95; test renewal) */
#define RSD_RENEWAL_RATE      0.5  /* convergence rate above which dF/dy is renewed (test renewal) */
#define RSD_ALPHA_RANGE       0.25 /* maximum rho(alpha) of kept factors, renewal.h (0.0625 to 0.5; test renewal) */
#define RSD_FAR_FROM_SOLUTION 100  /* maximum correction near a solution [tolerances] (100 to 400; test junction) */
#define RSD_MAX_RENEWALS      2    /* maximum setups at iterates of an attempt (2; test min_order, exponentials) */
#define RSD_MAX_ITERATE_COST  25.0 /* maximum setup cost at an iterate [iterations] (12.5 to 100; test train_rough) */
#define RSD_TOO_FAR           10.0 /* maximum first correction with a repaired J [tolerances] (3 to 30; test repair) */

/* Limits of the iteration. */
#define RSD_MAX_ITERATIONS      10   /* maximum iterations with a kept J (8 to 16) */
#define RSD_MAX_TO_ROUNDING     60   /* maximum iterations with a new J at each iterate */
#define RSD_MAX_LAST_VARIABLE   1e-8 /* sufficient correction, variable steps [Newton tolerances] (test chattering) */
#define RSD_MAX_LAST_CORRECTION 1e-2 /* sufficient correction at any rate, other steps [Newton tolerances] */
#define RSD_MAX_ROUNDING        0.33 /* maximum correction by rounding [tolerances] (0.17 to 0.66) */

/* Values of rate/(1 - rate), the ratio of the error after a correction to the correction. */
#define RSD_FACTOR_AFTER_SETUP 20.0  /* rate/(1 - rate) after a setup, as in IDA (5 to 80; test counters) */
#define RSD_FACTOR_NEW_ALPHA   100.0 /* rate/(1 - rate) after a change of alpha, as in IDA (25 to 400) */
#define RSD_MIN_FACTOR         1e-3  /* minimum measured rate/(1 - rate) (2.5e-4 to 4e-3; test counters) */
#define RSD_PREDICTED_SHARE    0.1   /* maximum error at a predicted rate [tolerances] (0.1 to 0.2; test friction) */
#define RSD_MAX_TRUST          16    /* maximum prediction_trust, renewal.h (4 to 64; test stability_limit) */

/* Costs of an outdated J. */
#define RSD_RENEWAL_SHARE 0.7  /* charge that renews a level [cost of the renewal] (0.4 to 0.85; test renewal_cost) */
#define RSD_SLOPE_MEMORY  0.7  /* weight of earlier rates in the fit of a slope (0.7; test renewal_cost) */
#define RSD_DECAY         0.8  /* factor of slopes and calls at each renewal (0.6 to 0.8; test renewal_cost, repair) */
#define RSD_MAX_DECAY     0.98 /* maximum of RSD_DECAY after failures (0.96 to 0.995; test sensitivity) */
#define RSD_LATEST_RUN    0.25 /* weight of the last alpha in mean_attempts (0.0625 to 1; test renewal_cost) */

/* Partial evaluations and repairs of dF/dy. */
#define RSD_MANY_CALLS    24    /* minimum calls of an evaluation that is partial or repaired (24 to 96; test repair) */
#define RSD_REPAIR_AFTER  4     /* evaluations before the first repair (4 to 8; test repair) */
#define RSD_REPAIR_SHARE  0.45  /* minimum share of evaluations in the calls for a repair (0.4 to 0.5; test repair) */
#define RSD_REPAIR_FORGET 0.995 /* factor of evaluation calls at a repair, and reverse (0.98 to 0.999; test repair) */

/* Attempts that fail. */
#define RSD_FAILING 2 /* number of failures after which J is not trusted (1 to 8; test renewal) */
#define RSD_RECENT  3 /* maximum age of a recent evaluation or failure [setups] (2 to 12; test renewal) */

#endif
