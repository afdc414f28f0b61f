/* min_order.h - a minimum order of the BDF. IDA has no such option, but it compares orders by norms that it computes
 * with the library's vectors (ida_vector.c). After convergence IDATestError() computes the norm of the correction e,
 * for order k. It then computes the norm of e plus the last column of the history, for order k - 1. At order 2 the
 * library returns an infinite second norm, so that no error estimate lowers the order to 1. After failures of a step
 * the order may remain 1 for many attempts. The library then returns a norm for order 2 that is so small that IDA
 * raises the order. order_limits.h compares the two norms.
 *
 * Reason: at order 1 velocities along a stiff direction follow the chord. They jump with each change of the step size.
 * The error of the jump has order h, but the error test expects order h^2. Every growth of the step then fails, even if
 * the motion is smooth (doc/experiments/order-trap.md). Order 2 is A-stable, too. The first steps after a start may
 * have order 1.
 *
 * SUNDIALS 6.4 to 7.5 compute this sequence of norms. The norms are not changed if the first one is not that of e. */
#ifndef RSD_MIN_ORDER_H
#define RSD_MIN_ORDER_H

enum { RSD_MIN_ORDER = 2 }; /* minimum order of the BDF if is_on is 1 */

typedef struct rsd_min_order {
    int is_on;         /* 1: the minimum order is 2 */
    int is_held;       /* 1: the second norm of the last attempt was replaced by infinity, to keep order 2 */
    const double *e;   /* [n] last correction, until IDA has computed two norms; NULL: after the two norms */
    int norms;         /* number of norms that IDA has computed since the last convergence */
    double norm;       /* first norm, the error estimate of order k */
    double norm_below; /* second norm, the error estimate of order k - 1 */
    int order;         /* order of the last attempt; 0: none since a restart */
    int below;         /* number of consecutive attempts at order 1 */
    int attempts;      /* number of attempts since the start, counted up to START_ATTEMPTS + 1 */
} rsd_min_order;

/** Reset the data at a start of the integration. */
void rsd_min_order_reset(rsd_min_order *x);

/** Reset the data at a restart of IDA, at order 1. */
void rsd_min_order_reset_order(rsd_min_order *x);

/** Return 1 if the order was 1 in more consecutive attempts than a start may take at order 1 (START_ATTEMPTS). */
int rsd_min_order_is_below(const rsd_min_order *x);

/** Process the convergence of the Newton iteration to the correction e [n]. The error test of IDA follows. */
void rsd_min_order_record_correction(rsd_min_order *x, const double *e);

/** Return the norm of v [n] that is passed to IDA. `norm` is the true norm of v. */
double rsd_min_order_get_norm(rsd_min_order *x, const double *v, double norm);

#endif
