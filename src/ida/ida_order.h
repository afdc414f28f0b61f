/* ida_order.h - when the order of the BDF is to be limited to 2, because stability and not accuracy holds the step
 * down, and when it is to be set free again. */
#ifndef RSD_IDA_ORDER_H
#define RSD_IDA_ORDER_H

#include "src/integrator/integrator.h"
#include "src/base/memory.h"

enum { RSD_ORDER_POINTS = 5 };

typedef enum rsd_order_verdict {
    RSD_ORDER_GO_ON,
    RSD_ORDER_TO_LIMIT, /**< restart, with orders 1 and 2 alone */
    RSD_ORDER_TO_FREE   /**< all orders are allowed again */
} rsd_order_verdict;

/** An accepted step. */
typedef struct rsd_order_step {
    double t, h; /**< its end and its size */
    int order;
    const double *y;      /**< [n] at its end */
    const double *weight; /**< [n] of the error test */
    const double *tested; /**< [n] 1: in the error test, 0: not */
    int n_tested;         /**< so many are */
} rsd_order_step;

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

typedef struct rsd_order {
    int is_on, n;
    double h_max;

    double t; /* end of the last reported step */
    int is_limited;
    long age;        /* steps since the order was limited or set free */
    long patience;   /* so many steps pass before it is limited again */
    long trial;      /* and so many under the limit before higher orders are tried */
    double h_before; /* under the limit: step before */

    rsd_order_sum rising, falling; /* the latter began in the block before this one */
    int blocks, in_block;          /* full ones; steps in this one */
    double block_h;                /* sum of their sizes */
    double *scratch;               /* [n] */

    rsd_order_points smoothed, recent; /* states */
    int in_mean; /* steps since the last verdict, or in this block; sums of their order, size and error terms: */
    double mean_order, mean_h, mean_error, mean_error_above;

    long limited, freed, steps; /* how often it was limited and set free, and steps taken under the limit */
} rsd_order;

/** n, is_on, h_max are set before. Free it in any case. */
resida_status rsd_order_create(rsd_order *o, const resida_allocator *alloc);

/** The integration restarts, with all orders. */
void rsd_order_reset(rsd_order *o);

/** A step was accepted. Reported twice, it counts once. Cost: O(n), no residual call. */
rsd_order_verdict rsd_order_watch(rsd_order *o, const rsd_order_step *step);

#endif
