/* limits.h - records the component that limits a step. This component dominates the error test of an accepted or failed
 * step, or the correction of a failed iteration. Recorded with the option `profile`. */
#ifndef RSD_LIMITS_H
#define RSD_LIMITS_H

#include <resida/solver.h>

#include "src/core/problem/problem_impl.h"

typedef struct rsd_limits {
    int n;              /* number of components */
    resida_limit *of;   /* [n] counters of each component */
    double *open;       /* [n] steps with a tight tolerance since the component was large */
    double *tested;     /* [n] 1: the component is in the error test */
    double *min_weight; /* [n] smallest error weight so far; 0: none */
    int is_tight;       /* 1: the tolerance of component `solved` is tight (TIGHT_RATIO) */
    int solved;         /* component with the largest error in the last solved attempt; -1: none */
    long fails;         /* error test failures before the last solved attempt */
} rsd_limits;

/** Allocate the arrays of *l with alloc, whose owner frees them. Return RESIDA_ERR_MEMORY on failure. */
resida_status rsd_limits_create(rsd_limits *l, const resida_problem *problem, const resida_solver_options *o,
                                const resida_allocator *alloc);

/** Record the component with the largest error of a solved attempt. e [n]: solution minus predictor. */
void rsd_limits_set_error(rsd_limits *l, const double *e, const double *weights);

/** Count the result of the error test for component `solved`. fails: error test failures since the last restart. */
void rsd_limits_count_test(rsd_limits *l, long fails);

/** Count a failed corrector iteration for `component`, whose correction was the largest. */
void rsd_limits_count_newton(rsd_limits *l, int component);

/** Write the components that limit most steps to stats->limits. */
void rsd_limits_report(const rsd_limits *l, resida_stats *stats);

#endif
