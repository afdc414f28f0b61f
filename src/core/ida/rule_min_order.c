/* rule_min_order.c - see min_order.h. This file also contains the rule that keeps the order after error test
 * failures. */
#include "ida_impl.h"

#include <math.h>

#define RAISED       0.3 /* part of the norm of e; below about 0.5 IDA raises the order, and does not double h */
#define SEEN_TO_FAIL 0.7 /* with a larger correction, in tolerances, a shortened step fails its error test */
enum { TWICE = 2 };
enum { START = 10 }; /* attempts: transients of the start decay at order 1 and excite no vibrations */

void rsd_min_order_start(rsd_min_order *x)
{
    x->attempts = 0;
    rsd_min_order_restart(x);
}

void rsd_min_order_restart(rsd_min_order *x)
{
    x->e = NULL;
    x->order = x->is_held = x->below = 0;
}

void rsd_min_order_begin(rsd_min_order *x, int order, int may_fall)
{
    x->is_other |= x->is_held && order < RSD_MIN_ORDER && !may_fall;
    x->is_held = 0;
    x->e = NULL;
    x->order = order;
    x->below = order < RSD_MIN_ORDER ? x->below + 1 : 0;
    if (x->attempts <= START) x->attempts++;
}

int rsd_min_order_is_below(const rsd_min_order *x)
{
    return x->is_on && !x->is_other && x->below > START;
}

void rsd_min_order_solved(rsd_min_order *x, const double *e)
{
    x->is_held = x->is_on && !x->is_other && x->order == RSD_MIN_ORDER && x->attempts > START;
    x->e = e;
    x->norms = 0;
    x->norm = x->norm_below = 0;
}

double rsd_min_order_norm(rsd_min_order *x, const double *v, double norm)
{
    if (!x->e) return norm;
    if (x->norms++ == 0) {
        if (v != x->e) x->e = NULL;
        x->norm = norm;
        return norm;
    }
    x->e = NULL;
    x->norm_below = norm;
    if (x->is_held) return INFINITY;
    return rsd_min_order_is_below(x) ? fmin(norm, RAISED * x->norm) : norm;
}

/* Begin an attempt: record its order, and the number of error test failures of this step so far. */
void rsd_min_order_note(rsd_ida *ida)
{
    int order = 0;
    ida->failed_tests = ida->attempt.is_retry ? ida->failed_tests + ida->has_converged : 0;
    IDAGetCurrentOrder(ida->mem, &order);
    rsd_min_order_begin(&ida->least, order, ida->failed_tests > TWICE);
}

/* Return 1 to shorten the step before IDA's error test fails. After a third error test failure of a step IDA sets order
 * 1, as after a discontinuity. A lower order is of no use if the cause is a small error of the history, such as an
 * error within the tolerance in a circuit that amplifies errors. The integration may then not leave order 1, because
 * each change of step size or order is amplified, too. For two more failures the step is therefore shortened as after a
 * convergence failure, which keeps the order. */
int rsd_min_order_keep(rsd_ida *ida)
{
    if (!ida->newton.renewal->by_costs || !ida->least.is_on) return 0;
    const int is_kept = ida->failed_tests >= TWICE && ida->failed_tests < 2 * TWICE && ida->least.order > 1;
    return is_kept && rsd_ida_compute_norm(ida, NULL, ida->attempt.x) > SEEN_TO_FAIL;
}
