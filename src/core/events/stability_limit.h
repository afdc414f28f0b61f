/* stability_limit.h - when the order of the BDF is to be limited to 2, because stability and not accuracy holds the
 * step down, and when it is to be set free again. */
#ifndef RSD_STABILITY_LIMIT_H
#define RSD_STABILITY_LIMIT_H

#include "integrator.h"
#include "base/memory.h"

enum { RSD_ORDER_POINTS = 5 };

/** An accepted step. */
typedef struct rsd_order_step {
    double t, h;               /**< its end and its size */
    int order, next;           /**< its order, and that chosen for the next one */
    double error, error_below; /**< norms of the differences by which its order and the one below are judged */
    long calls;                /**< residual calls of all steps up to here, with those of J */
    const double *y;           /**< [n] at its end */
    const double *weight;      /**< [n] of the error test */
    const double *tested;      /**< [n] 1: in the error test, 0: not */
    int n_tested;              /**< so many are */
} rsd_order_step;

/** A limit of the order, which is a trial. */
typedef struct rsd_order_limit {
    int is_on, is_set;
    long age;               /* steps since it was set or ended, or since the start */
    long patience;          /* so many steps pass before it is set again */
    long trial;             /* and so many under it before higher orders are tried */
    long set, freed, steps; /* how often it was set and ended, and steps taken under it */
} rsd_order_limit;

static inline void rsd_order_limit_change(rsd_order_limit *x, int is_set)
{
    x->is_set = is_set;
    x->age = 0;
}

/** A sum over two blocks of steps: of y h and t h, with weights that rise over the first and fall over the second. */
typedef struct rsd_order_sum {
    double *y; /**< [n] */
    double h, t;
} rsd_order_sum;

/** The latest first. */
typedef struct rsd_order_points {
    double *y[RSD_ORDER_POINTS]; /* [n] */
    double t[RSD_ORDER_POINTS];
    int count;
} rsd_order_points;

typedef struct rsd_stability_limit {
    rsd_order_limit limit;
    int n;
    double h_max;
    double h_before; /* under the limit: step before */

    rsd_order_sum rising, falling; /* the latter began in the block before this one */
    int blocks, in_block;          /* full ones; steps in this one */
    double block_h;                /* sum of their sizes */
    double *scratch;               /* [n] */

    rsd_order_points smoothed, recent; /* states */
    int in_mean;                       /* steps since the last verdict; sums of their sizes and error terms: */
    double mean_h, mean_error, mean_error_above;
} rsd_stability_limit;

/** n, limit.is_on, h_max are set before. Free it in any case. */
resida_status rsd_stability_limit_create(rsd_stability_limit *o, const resida_allocator *alloc);

/** The integration restarts, with all orders. */
void rsd_stability_limit_reset(rsd_stability_limit *o);

/** A step was accepted. It is on. Cost: O(n), no residual call. */
void rsd_stability_limit_watch(rsd_stability_limit *o, const rsd_order_step *step);

#endif
