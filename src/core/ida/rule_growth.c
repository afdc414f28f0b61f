/* rule_growth.c - limits the growth of the step. IDA doubles a step as soon as its error estimate allows this, even if
 * the longer step failed the last time. If the longer step fails its error test repeatedly, every other attempt is
 * wasted. Failures are consecutive if each follows its predecessor within a few steps. The third consecutive failure
 * prevents growth for FIRST_WAIT steps. Each further failure doubles this number.
 *
 * A step that could grow by less than a factor of two keeps its size, because step size changes disturb high orders.
 * Orders 1 to 3 are less sensitive. If the order is limited to them, smaller factors save steps while vibrations
 * decay. */
#include "ida_rules.h"

#include <math.h>

enum { SOON = 2, OFTEN = 3, FIRST_WAIT = 4, LONGEST_WAIT = 64 };

#define DOUBLE 2.0 /* smallest growth factor: IDA's own */
/* smallest growth factors under a limit of the order; with 1.1 and 1.4 results are alike */
#define UNDER_ORDER_2 1.2
/* With 1.2 beams take 4 % more calls, with 2 the rear axle 7 %. */
#define UNDER_ORDER_3 1.4

static double min_growth(const rsd_growth *g)
{
    return g->limit == 0 ? DOUBLE : g->limit == RSD_STABLE_ORDER ? UNDER_ORDER_2 : UNDER_ORDER_3;
}

static void set_growth_bounds(const rsd_growth *g, void *ida, int may)
{
    if (ida) IDASetEtaFixedStepBounds(ida, 1, may ? min_growth(g) : INFINITY);
}

void rsd_growth_set_steady(rsd_growth *g, void *ida, int limit)
{
    g->limit = limit;
    set_growth_bounds(g, ida, g->left == 0);
}

void rsd_growth_reset(rsd_growth *g, void *ida)
{
    g->t_from = INFINITY;
    g->converged = g->in_a_row = g->wait = g->left = 0;
    g->since = LONGEST_WAIT;
    g->limit = 0;
    set_growth_bounds(g, ida, 1);
}

static void step_failed(rsd_growth *g, void *ida)
{
    g->in_a_row = g->since <= g->wait + SOON ? g->in_a_row + 1 : 0;
    int twice = g->wait > 0 ? 2 * g->wait : FIRST_WAIT;
    g->wait = g->in_a_row < OFTEN ? 0 : twice < LONGEST_WAIT ? twice : LONGEST_WAIT;
    g->left = g->wait;
    g->since = 0;
    if (g->left > 0) set_growth_bounds(g, ida, 0);
}

void rsd_growth_begin(rsd_growth *g, void *ida, double t_from, double h)
{
    int again = fabs(t_from - g->t_from) < RSD_SAME_PLACE * fabs(h);
    if (again && g->converged) step_failed(g, ida);
    if (!again) {
        g->since += g->since < 2 * LONGEST_WAIT;
        if (g->left > 0 && --g->left == 0) set_growth_bounds(g, ida, 1);
    }
    g->t_from = t_from;
}

void rsd_growth_end(rsd_growth *g, int converged)
{
    g->converged = converged;
}

/* Limit the growth of the step. At order 1 the growth is limited for each strategy of J, because IDA does not raise the
 * order while the step grows. */
void rsd_growth_hold(rsd_ida *ida)
{
    if (ida->newton.renewal->by_costs || ida->growth.left > 0 || rsd_min_order_is_below(&ida->least))
        rsd_growth_begin(&ida->growth, ida->mem, ida->from, ida->attempt.at.h);
}
