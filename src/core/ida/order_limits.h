/* order_limits.h - upper limits of the order of the BDF, below the option max_order, and their reasons:
 *
 *   2  stability and not accuracy limits the step (stability_limit.c)
 *   3  orders 4 and 5 are unstable and save no work
 *
 * BDF of order 3 is unstable within 4 degrees of the imaginary axis, order 4 within 17, order 5 within 38. Vibrations
 * with more than 7, 29 and 62 % of the critical damping are always damped. Vibrations with less damping and amplitudes
 * below the tolerance, such as those of an axle on its tyres, grow at orders 4 and 5 until they reach the tolerance.
 * Then the step cannot grow, and the error estimates raise and lower the order repeatedly.
 *
 * Such vibrations are detected by the error estimates. For a vibration of w rad/s the estimates of adjacent orders are
 * in the ratio 2 sin(w h/2), near 1 if w h is near 1, at every order. For a resolved motion they decrease from order to
 * order. At coarse tolerances resolved vibrations also have a ratio near 1. A limit is therefore set on trial, and kept
 * while t advances by as much per residual call as before the limit. */
#ifndef RSD_ORDER_LIMITS_H
#define RSD_ORDER_LIMITS_H

#include "base/memory.h"
#include "src/core/events/integrator.h"

enum { RSD_ORDER_POINTS = 5 }; /* maximum number of states in a divided difference */

/** Accepted step, with the quantities that decide about limits of the order. */
typedef struct rsd_order_step {
    double t, h;               /**< end of the step [s]; step size [s] */
    int order, next;           /**< order of the step; order of the next step */
    double error, error_below; /**< error estimates for the order of the step, and for one order below, in tolerances */
    long calls;                /**< number of residual calls up to the end of the step, including calls for J */
    const double *y;           /**< [n] state at the end of the step */
    const double *weight;      /**< [n] error weights of the step */
    const double *tested;      /**< [n] 1: the component is in the error test */
    int n_tested;              /**< number of components in the error test */
} rsd_order_step;

/** State of one limit of the order. Phases in which the order is limited alternate with phases without limit. */
typedef struct rsd_order_limit {
    int is_on, is_set; /* 1: the options permit the limit; 1: the order is limited in the current phase */
    long age;          /* number of steps of the current phase */
    long min_steps;    /* minimum number of steps of a phase without the limit */
    long trial;        /* number of steps after which a phase with the limit ends, to try higher orders */
} rsd_order_limit;

/** Sums over two blocks of steps, with weights that rise in the first block and fall in the second. */
typedef struct rsd_order_sum {
    double *y;   /**< [n] weighted sum of y h */
    double h, t; /**< weighted sum of h; weighted sum of t h */
} rsd_order_sum;

/** States at the latest times, latest first. */
typedef struct rsd_order_points {
    double *y[RSD_ORDER_POINTS]; /* [n] y at each time */
    double t[RSD_ORDER_POINTS];  /* times [s] */
    int count;                   /* number of states, at most RSD_ORDER_POINTS */
} rsd_order_points;

/** Limit to order 2, while stability limits the step. */
typedef struct rsd_stability_limit {
    rsd_order_limit limit;          /* state of the limit */
    int n;                          /* number of components of y */
    const resida_solver_options *o; /* options of the solver, for h_max */
    double h_before;                /* step size before the limit [s] */

    rsd_order_sum rising, falling; /* sum that began with the current block; sum that began one block earlier */
    int blocks, in_block;          /* number of full blocks; number of steps in the current block */
    double block_h;                /* sum of the step sizes of the current block [s] */
    double *scratch;               /* [n] work space */

    rsd_order_points smoothed, recent;           /* averaged states; states of the last accepted steps */
    int in_mean;                                 /* number of steps in the sums below */
    double mean_h, mean_error, mean_error_above; /* sums of h; of errors of order 2; of errors of order 3 */
} rsd_stability_limit;

/** Allocate the arrays of *o. The caller has set n, o and limit.is_on, and frees the arrays in any case. */
resida_status rsd_stability_limit_create(rsd_stability_limit *o, const resida_allocator *alloc);

/** Reset the limit to order 2 at a restart: all orders are allowed. */
void rsd_stability_limit_reset(rsd_stability_limit *o);

/** Examine an accepted step; set or end the limit to order 2. limit.is_on must be 1. Cost: O(n), no residual call. */
void rsd_stability_limit_add_step(rsd_stability_limit *o, const rsd_order_step *step);

/* --- The limit to order 3, and the combination of both limits --- */

/** Maximum order that is stable except near the imaginary axis. */
enum { RSD_NEARLY_STABLE_ORDER = 3 };

/** Sums over the steps of a window, to compare phases with and without a limit. */
typedef struct rsd_order_window {
    int steps;                 /**< number of steps */
    double time;               /**< sum of the step sizes [s] */
    double error, error_below; /**< sums of rsd_order_step.error and .error_below */
    long calls;                /**< number of residual calls before the first step of the window */
} rsd_order_window;

/** Limit to order 3, while higher orders save no work. */
typedef struct rsd_gain_limit {
    rsd_order_limit limit;   /* state of the limit */
    int is_due;              /* 1: the limit will be set as soon as the order has fallen to 3 */
    long calls;              /* number of residual calls up to the last reported step */
    double advance_before;   /* advance of t per residual call in the last window before the limit [s] */
    double advance_limited;  /* the same in the last window with the limit [s]; 0: already evaluated */
    int flat;                /* number of consecutive windows in which orders 4 and 5 save no work */
    rsd_order_window window; /* current window */
} rsd_gain_limit;

typedef struct rsd_order_limits {
    double t;                      /* end of the last reported step [s] */
    rsd_stability_limit stability; /* limit to order 2 */
    rsd_gain_limit gain;           /* limit to order 3 */
    long set, removed, steps;      /* number of limits set; number of limits ended; number of steps with a limit */
} rsd_order_limits;

/** Initialise the limits for the options of a solver with n components. Return RESIDA_ERR_MEMORY on failure. */
resida_status rsd_order_limits_create(rsd_order_limits *x, const resida_solver_options *o, int n,
                                      const resida_allocator *alloc);

/** Reset the limits to orders 2 and 3 at a start: all orders are allowed. */
void rsd_order_limits_reset(rsd_order_limits *x);

/** Return the present maximum order of the BDF, or 0 if no limit is set. */
int rsd_order_limits_get_max_order(const rsd_order_limits *x);

#endif
