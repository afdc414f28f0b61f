/* most_order.h - a most order of the BDF, 3, where orders 4 and 5 are unstable and gain nothing.
 *
 * BDF of order 3 is stable but for 4 degrees beside the imaginary axis, order 4 but for 17, order 5 but for 38: with a
 * damping of 7, 29 and 62 % a vibration is damped for certain. Vibrations between these limits that no tolerance shows,
 * as of an axle on its tyres, grow at orders 4 and 5 until they show; then the step cannot grow, and estimates of
 * errors chase the order up and down.
 *
 * It shows in the estimates: differences of adjacent orders of a vibration of w rad/s are in the ratio 2 sin(w h/2),
 * near 1 where w h is, whatever the order is; those of a motion that is followed fall from order to order. Real
 * vibrations have such estimates, too, where tolerances are coarse. So a limit is a trial: it stays while it takes time
 * on by as much for each residual call as before. */
#ifndef RSD_MOST_ORDER_H
#define RSD_MOST_ORDER_H

/** The highest order that is nearly stable. */
enum { RSD_MOST_ORDER = 3 };

/** An accepted step. */
typedef struct rsd_most_order_step {
    double t, h;               /**< its end and its size */
    int order, next;           /**< its order, and that chosen for the next one */
    double error, error_below; /**< norms of the differences by which its order and the one below are judged */
    long calls;                /**< residual calls of all steps up to here, with those of J */
} rsd_most_order_step;

/** Sums over some steps. */
typedef struct rsd_most_order_window {
    int steps;
    double way; /**< time that they led on by */
    double error, error_below;
    long calls; /**< before the first one */
} rsd_most_order_window;

typedef struct rsd_most_order {
    int is_on;
    int is_limited;
    int is_due;          /* to limit the order as soon as the next one is low enough */
    double t;            /* end of the last reported step */
    long calls;          /* up to it */
    long age;            /* steps since the order was limited or set free, or since the start */
    long patience;       /* so many steps pass before it is limited again */
    long trial;          /* and so many under the limit before higher orders are tried */
    double pace_before;  /* time for each call before the limit */
    double pace_limited; /* under a limit that has ended, to be judged by the first window behind it; 0: none */
    int flat;            /* windows in a row in which higher orders gain nothing */
    rsd_most_order_window window;
    long set, freed, steps; /* how often it was limited and set free, and steps taken under the limit */
} rsd_most_order;

/** The integration starts, with all orders. */
void rsd_most_order_reset(rsd_most_order *x);

/** A step was accepted. Reported twice, it counts once. 1: is_limited has changed. */
int rsd_most_order_watch(rsd_most_order *x, const rsd_most_order_step *step);

/** The highest order allowed, max_order without a limit. */
int rsd_most_order_allowed(const rsd_most_order *x, int max_order);

#endif
