/* most_order.c - see most_order.h.
 *
 * Free. Estimates are summed over windows of 40 steps, from 20 steps behind a change on. Where those of order k, from 3
 * on, are not below 0.9 of those of order k - 1 in two windows in a row, the order is limited.
 *
 * Limited. Each window is compared with the last one before the limit, by time for each call. A window that is slower
 * ends the limit; a long limit ends by itself, for a trial. The motion may have become harder or easier on the way, so
 * the first window without the limit decides whether that was to blame: then the next limit comes later, each time
 * twice; else at once, and the next trial comes after twice as many steps. */
#include "most_order.h"

#include <math.h>

enum {
    WINDOW_STEPS = 40,    /* steps; of 20 or 30, transients of starts count as vibrations, of 60 it is limited later */
    FLAT_WINDOWS = 2,     /* in a row; a single one limited transients of a car, which then took up to 1/3 more calls */
    IGNORED_STEPS = 20,   /* steps after a change that say nothing */
    PATIENCE_STEPS = 100, /* behind the first limit that was not worth it */
    TRIAL_STEPS = 400     /* under the first limit; 250 and 800 are alike */
};
#define FLAT_RATIO 0.9 /* estimates of adjacent orders: rear axle 1, cars below 0.8, smooth models 0.1 to 0.7 */
#define WORTH_PACE 1.2 /* least time for each call under the limit, in that without; at 0.95 errors grow more */

/* Begin to collect. */
static void change_to(rsd_most_order *x, int is_limited)
{
    x->is_limited = is_limited;
    x->is_due = 0;
    x->age = 0;
    x->flat = x->window.steps = 0;
}

void rsd_most_order_reset(rsd_most_order *x)
{
    change_to(x, 0);
    x->t = INFINITY;
    x->calls = 0;
    x->patience = 0;
    x->trial = TRIAL_STEPS;
    x->pace_limited = 0;
}

int rsd_most_order_allowed(const rsd_most_order *x, int max_order)
{
    return x->is_limited ? RSD_MOST_ORDER : max_order;
}

static void add_to_window(rsd_most_order *x, const rsd_most_order_step *s)
{
    rsd_most_order_window *w = &x->window;
    if (w->steps == 0) *w = (rsd_most_order_window){.calls = x->calls};
    w->steps++;
    w->way += s->h;
    if (s->order < RSD_MOST_ORDER) return; /* order 2 would compare with order 1 */
    w->error += s->error;
    w->error_below += s->error_below;
}

/* The first full window behind a limit. */
static void judge_past_limit(rsd_most_order *x, double pace)
{
    if (x->pace_limited < WORTH_PACE * pace)
        x->patience = x->patience > 0 ? 2 * x->patience : PATIENCE_STEPS;
    else {
        x->patience = 0;
        x->trial *= 2;
    }
    x->pace_limited = 0;
}

/* A full window: without a limit, do estimates say that higher orders gain nothing? 1: a limit ends. */
static int close_window(rsd_most_order *x, long calls)
{
    const rsd_most_order_window *w = &x->window;
    const double pace = w->way / (double)(calls > w->calls ? calls - w->calls : 1);
    x->window.steps = 0;
    if (x->is_limited) {
        if (pace >= WORTH_PACE * x->pace_before && x->age < x->trial) return 0;
        x->pace_limited = pace;
        x->freed++;
        change_to(x, 0);
        return 1;
    }
    if (x->pace_limited > 0) judge_past_limit(x, pace);
    x->flat = w->error_below > 0 && w->error >= FLAT_RATIO * w->error_below ? x->flat + 1 : 0;
    x->is_due |= x->flat >= FLAT_WINDOWS && x->age >= x->patience;
    x->pace_before = pace;
    return 0;
}

int rsd_most_order_watch(rsd_most_order *x, const rsd_most_order_step *s)
{
    if (!x->is_on || s->t == x->t || s->h == 0) return 0;
    int changed = 0;
    x->t = s->t;
    x->age++;
    x->steps += x->is_limited;
    if (x->age > IGNORED_STEPS) {
        add_to_window(x, s);
        if (x->window.steps == WINDOW_STEPS) changed = close_window(x, s->calls);
    }
    x->calls = s->calls;
    if (!x->is_due || s->next > RSD_MOST_ORDER) return changed; /* IDA lowers no order that is above a new maximum */
    x->set++;
    change_to(x, 1);
    return 1;
}
