/* limits.h - records the component that limits a step. This component dominates the error test of an accepted or failed
 * step, or the correction of a failed iteration. Recorded with the option `profile`. */
#ifndef RSD_LIMITS_H
#define RSD_LIMITS_H

#include <resida/solver.h>

#include "src/core/problem/problem_impl.h"

typedef struct rsd_limits {
    int n;              /* number of components */
    resida_limit *of;   /* [n] numbers of steps and failures that each component dominated */
    double *open;       /* [n] steps limited by the component since its tolerance became tight; later added to `of` */
    double *tested;     /* [n] 1: the error test includes the component; else 0 */
    double *min_weight; /* [n] smallest error weight so far; 0: not yet known */
    int is_tight;       /* 1: the tolerance of component `solved` is tight, that is, weight > TIGHT_RATIO min_weight */
    int solved;         /* component with the largest error in the last attempt that converged; -1: none */
    long fails;         /* number of failures of the error test up to the last count */
} rsd_limits;

/** Allocate the arrays of *l with alloc, whose owner frees them. Return RESIDA_ERR_MEMORY on failure. */
resida_status rsd_limits_create(rsd_limits *l, const resida_problem *problem, const resida_solver_options *o,
                                const resida_allocator *alloc);

/** Record the component with the largest error after a converged iteration. e [n]: estimate or solution - predictor. */
void rsd_limits_set_error(rsd_limits *l, const double *e, const double *weights);

/** Count the result of the error test for component `solved`. `fails` is the number of failed tests so far. */
void rsd_limits_count_test(rsd_limits *l, long fails);

/** Count a failed corrector iteration for `component`, whose correction was the largest. */
void rsd_limits_count_newton(rsd_limits *l, int component);

/** Write the components that limit most steps to stats->limits. */
void rsd_limits_report(const rsd_limits *l, resida_stats *stats);

#endif
