/* order_limits.h - limits of the order of the BDF from above, below the option max_order, with their reasons:
 *
 *   2  stability and not accuracy holds the step down (stability_limit.c)
 *   3  orders 4 and 5 are unstable and gain nothing
 *
 * BDF of order 3 is stable except within 4 degrees of the imaginary axis, order 4 within 17, order 5 within 38. With a
 * damping of 7, 29 and 62 % a vibration is damped for certain. Vibrations between these limits that no tolerance shows,
 * as of an axle on its tyres, grow at orders 4 and 5 until they show; then the step cannot grow, and estimates of
 * errors chase the order up and down.
 *
 * It shows in the estimates: differences of adjacent orders of a vibration of w rad/s are in the ratio 2 sin(w h/2),
 * near 1 where w h is, whatever the order is; those of a motion that is followed fall from order to order. Real
 * vibrations have such estimates, too, where tolerances are coarse. So a limit is a trial: it stays while it takes time
 * on by as much for each residual call as before. */
#ifndef RSD_ORDER_LIMITS_H
#define RSD_ORDER_LIMITS_H

#include "base/memory.h"
#include "src/core/events/integrator.h"

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

/* --- The limit to order 3, and both together --- */

/** The highest order that is nearly stable. */
enum { RSD_NEARLY_STABLE_ORDER = 3 };

/** Sums over some steps. */
typedef struct rsd_order_window {
    int steps;
    double way; /**< time that they led on by */
    double error, error_below;
    long calls; /**< before the first one */
} rsd_order_window;

/** The limit to order 3. */
typedef struct rsd_gain_limit {
    rsd_order_limit limit;
    int is_due;          /* to limit the order as soon as the next one is low enough */
    long calls;          /* up to the last reported step */
    double pace_before;  /* time for each call before the limit */
    double pace_limited; /* under a limit that has ended, compared by the first window after it; 0: none */
    int flat;            /* consecutive windows in which higher orders gain nothing */
    rsd_order_window window;
} rsd_gain_limit;

typedef struct rsd_order_limits {
    int max_order; /* the option */
    double t;      /* end of the last reported step */
    rsd_stability_limit stability;
    rsd_gain_limit gain;
} rsd_order_limits;

/** What a step has changed. */
typedef enum rsd_order_change {
    RSD_ORDER_STAYS,
    RSD_ORDER_ALLOWED, /**< the highest order, for the next step */
    RSD_ORDER_RESTART  /**< the integration begins again, with orders 1 and 2 alone */
} rsd_order_change;

/** Options of a solver for n components. RESIDA_ERR_MEMORY. */
resida_status rsd_order_limits_create(rsd_order_limits *x, const resida_solver_options *o, int n,
                                      const resida_allocator *alloc);

/** The integration starts, with all orders. */
void rsd_order_limits_reset(rsd_order_limits *x);

/** A step was accepted. Reported twice, it counts once. Cost: O(n). */
rsd_order_change rsd_order_limits_watch(rsd_order_limits *x, const rsd_order_step *step);

/** The highest order allowed. */
int rsd_order_limits_allowed(const rsd_order_limits *x);

#endif
