/* min_order.h - a least order of the BDF. IDA has none, but it compares orders by norms that it takes of our
 * vectors (ida_vector.c): behind an iteration that has converged IDATestError() takes the norm of the correction e,
 * for order k, and then that of e and the last column of the history, for order k - 1. At order 2 the latter is given
 * as infinite, so that no estimate of errors lowers the order to 1. Where the order has been 1 for long all the same,
 * behind failures of a step, the norm for order 2 is given as small enough to raise it. The two norms are kept:
 * order_limits.h compares them.
 *
 * Why: at order 1 velocities along a stiff direction lie on the chord, and jump with each change of the step, by an
 * error of order h in an error test of order h^2. Every growth of the step fails, however smooth the motion is
 * (doc/experiments/order-trap.md). Order 2 is as stable. The first steps of a start may be of order 1.
 *
 * The sequence of norms is that of SUNDIALS 6.4 to 7.5. It is checked by what is seen of it: the first norm is that of
 * e, and the order does not fall from 2 to 1 by itself. Where it is another one, orders are IDA's own choice. */
#ifndef RSD_MIN_ORDER_H
#define RSD_MIN_ORDER_H

enum { RSD_MIN_ORDER = 2 };

typedef struct rsd_min_order {
    int is_on;         /* option min_order is 2 */
    int is_held;       /* the last attempt was judged so */
    const double *e;   /* [n] its correction, whose norms are to come; NULL: none */
    int norms;         /* taken since it was solved */
    double norm;       /* the first one */
    double norm_below; /* the second one */
    int order;         /* of the last attempt; 0: there is none since IDA began anew */
    int below;         /* attempts in a row of a smaller order */
    int attempts;      /* since the start */
    int is_other;      /* this IDA takes other norms */
} rsd_min_order;

/** The integration starts. */
void rsd_min_order_start(rsd_min_order *x);

/** IDA begins anew, at order 1. */
void rsd_min_order_restart(rsd_min_order *x);

/** An attempt of this order begins. may_fall: IDA sets order 1 here whatever its estimates say, behind three failures
 *  of the error test. */
void rsd_min_order_begin(rsd_min_order *x, int order, int may_fall);

/** 1: the order has been below the least one for more attempts than a start takes. */
int rsd_min_order_is_below(const rsd_min_order *x);

/** Its iteration has converged to e [n]; IDA will judge it. */
void rsd_min_order_solved(rsd_min_order *x, const double *e);

/** What IDA gets as the norm of v [n], where it is `norm`. */
double rsd_min_order_norm(rsd_min_order *x, const double *v, double norm);

#endif
