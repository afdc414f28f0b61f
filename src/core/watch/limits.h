/* limits.h - which component limits the steps: dominates the error test of a step that was accepted or failed, or the
 * correction by which an iteration failed. Kept where the option `profile` asks for it. */
#ifndef RSD_LIMITS_H
#define RSD_LIMITS_H

#include <resida/solver.h>

#include "src/core/problem/problem_impl.h"

typedef struct rsd_limits {
    int n;
    resida_limit *of;   /* [n] by component */
    double *open;       /* [n] tight steps of a passage of zero that has not ended */
    double *tested;     /* [n] 1: in the error test */
    double *min_weight; /* [n] so far; 0: none yet */
    int is_tight;       /* the tolerance of the component below */
    int solved; /* dominates the error of the attempt that was solved, and is not judged yet; -1: there is none */
    long fails; /* of error tests before it */
} rsd_limits;

/** Memory of alloc, which its owner frees. RESIDA_ERR_MEMORY */
resida_status rsd_limits_create(rsd_limits *l, const resida_problem *problem, const resida_solver_options *o,
                                const resida_allocator *alloc);

/** An attempt was solved, e [n] from its prediction; the error test is next. */
void rsd_limits_solved(rsd_limits *l, const double *e, const double *weights);

/** So many error tests have failed since the integrator began anew: how did the last one end? */
void rsd_limits_judged(rsd_limits *l, long fails);

/** An iteration failed by this component. */
void rsd_limits_newton(rsd_limits *l, int component);

/** The components that limit most, into stats->limits. */
void rsd_limits_tell(const rsd_limits *l, resida_stats *stats);

#endif
