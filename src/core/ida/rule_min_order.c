/* rule_min_order.c - see min_order.h. This file also contains the rule that keeps the order after error test
 * failures. */
#include "ida_impl.h"

#include <math.h>

#define NORM_RATIO  0.3       /* ratio of second to first norm with which IDA raises the order; below 0.5 it keeps h */
#define MIN_FAILING 0.7       /* minimum correction with which a shortened step is expected to fail, in tolerances */
enum { MAX_TEST_FAILS = 2 };  /* maximum error test failures of a step; after one more IDA sets order 1 */
enum { START_ATTEMPTS = 10 }; /* maximum attempts of a start at order 1, while its transients decay */

void rsd_min_order_reset(rsd_min_order *x)
{
    x->attempts = 0;
    rsd_min_order_reset_order(x);
}

void rsd_min_order_reset_order(rsd_min_order *x)
{
    x->e = NULL;
    x->order = x->is_held = x->below = 0;
}

/* Begin an attempt: record its order, and the number of error test failures of the step so far. */
void rsd_min_order_begin_attempt(rsd_ida *ida)
{
    rsd_min_order *x = &ida->min_order;
    const int order = ida->steps.next_order;
    ida->failed_tests = ida->attempt.is_retry ? ida->failed_tests + ida->has_converged : 0;
    x->is_held = 0;
    x->e = NULL;
    x->order = order;
    x->below = order < RSD_MIN_ORDER ? x->below + 1 : 0;
    if (x->attempts <= START_ATTEMPTS) x->attempts++;
}

int rsd_min_order_is_below(const rsd_min_order *x)
{
    return x->is_on && x->below > START_ATTEMPTS;
}

void rsd_min_order_record_correction(rsd_min_order *x, const double *e)
{
    x->is_held = x->is_on && x->order == RSD_MIN_ORDER && x->attempts > START_ATTEMPTS;
    x->e = e;
    x->norms = 0;
    x->norm = x->norm_below = 0;
}

double rsd_min_order_get_norm(rsd_min_order *x, const double *v, double norm)
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
    return rsd_min_order_is_below(x) ? fmin(norm, NORM_RATIO * x->norm) : norm;
}

/* Return 1 to shorten the step before IDA's error test fails. After a third error test failure of a step IDA sets order
 * 1, as after a discontinuity. A lower order is of no use if the cause is a small error of the history, such as an
 * error within the tolerance in a circuit that amplifies errors. The integration may then not leave order 1, because
 * each change of step size or order is amplified, too. For two more failures the step is therefore shortened as after a
 * convergence failure, which keeps the order. */
int rsd_min_order_check_attempt(rsd_ida *ida)
{
    if (!ida->newton.renewal->by_costs || !ida->min_order.is_on) return 0;
    const int is_kept =
        ida->failed_tests >= MAX_TEST_FAILS && ida->failed_tests < 2 * MAX_TEST_FAILS && ida->min_order.order > 1;
    return is_kept && rsd_ida_compute_norm(ida, NULL, ida->attempt.x) > MIN_FAILING;
}
