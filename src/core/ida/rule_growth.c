/* rule_growth.c - limits the growth of the step. IDA doubles a step as soon as its error estimate allows this, even if
 * the longer step failed the last time. If the longer step fails its error test repeatedly, every other attempt is
 * wasted. Failures are consecutive if each follows its predecessor within a few steps. The third consecutive failure
 * prevents growth for FIRST_WAIT steps. Each further failure doubles this number.
 *
 * A step that could grow by less than a factor of two keeps its size, because step size changes disturb high orders.
 * Orders 1 to 3 are less sensitive. If the order is limited to 2 or 3, smaller factors save steps while vibrations
 * decay. */
#include "ida_impl.h"

#include <math.h>

/* SOON: maximum number of steps between consecutive failures. OFTEN: number of consecutive failures that prevents
 * growth. FIRST_WAIT, LONGEST_WAIT: first and maximum number of steps without growth. */
enum { SOON = 2, OFTEN = 3, FIRST_WAIT = 4, LONGEST_WAIT = 64 };

#define DOUBLE        2.0 /* minimum growth of a step without a limit of the order, as in IDA */
#define UNDER_ORDER_2 1.2 /* minimum growth with maximum order 2; with 1.4 errors of a chain grow by 2.4 */
#define UNDER_ORDER_3 1.4 /* minimum growth with maximum order 3; more calls: beams 4 % with 1.2, axles 7 % with 2 */

void rsd_growth_set_bounds(const rsd_ida *ida)
{
    const int limit = rsd_order_limits_get_max_order(&ida->order);
    const double min = limit == 0 ? DOUBLE : limit == RSD_STABLE_ORDER ? UNDER_ORDER_2 : UNDER_ORDER_3;
    if (ida->mem) IDASetEtaFixedStepBounds(ida->mem, 1, ida->growth.left == 0 ? min : INFINITY);
}

void rsd_growth_reset(rsd_ida *ida)
{
    ida->has_converged = 0;
    ida->growth = (rsd_growth){.since = LONGEST_WAIT};
    rsd_growth_set_bounds(ida);
}

static void record_failure(rsd_growth *g)
{
    g->num_consecutive = g->since <= g->wait + SOON ? g->num_consecutive + 1 : 0;
    int twice = g->wait > 0 ? 2 * g->wait : FIRST_WAIT;
    g->wait = g->num_consecutive < OFTEN ? 0 : twice < LONGEST_WAIT ? twice : LONGEST_WAIT;
    g->left = g->wait;
    g->since = 0;
}

/* Limit the growth of the step, if J is updated by its costs. If the order remains 1, the limit applies to every
 * strategy, because IDA does not raise the order while the step grows. */
void rsd_growth_begin_attempt(rsd_ida *ida)
{
    rsd_growth *g = &ida->growth;
    const int left = g->left;
    if (!ida->newton.renewal->by_costs && left == 0 && !rsd_min_order_is_below(&ida->min_order)) return;
    if (ida->attempt.is_retry && ida->has_converged) record_failure(g);
    if (!ida->attempt.is_retry) {
        g->since += g->since < 2 * LONGEST_WAIT;
        g->left -= left > 0;
    }
    if ((left > 0) != (g->left > 0)) rsd_growth_set_bounds(ida);
}
