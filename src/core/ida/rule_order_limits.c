/* rule_order_limits.c - see order_limits.h. The limit to order 3 has two phases:
 *
 * While the limit is not set, error estimates are summed over windows of 40 steps, beginning 20 steps after a change.
 * The limit is set if in two consecutive windows the estimates of order k >= 3 are at least 0.9 of the estimates of
 * order k - 1.
 *
 * While the limit is set, the advance of t per residual call is compared with the advance in the last window before the
 * limit. A slower window ends the limit, and a long limit ends for a trial. The motion may meanwhile have changed.
 * Therefore the first window after the limit decides whether the limit made the steps slower. If it did, the next limit
 * is set later, by twice as many steps each time. If not, the limit is set at once, and the next trial follows after
 * twice as many steps. */
#include "ida_impl.h"

#include <math.h>

enum {
    WINDOW_STEPS = 40,    /* steps in a window; with 20 or 30, transients of starts count as vibrations */
    FLAT_WINDOWS = 2,     /* flat windows that set the limit; with 1, a car takes up to 1/3 more calls */
    IGNORED_STEPS = 20,   /* steps after a change of the limit whose error estimates are omitted */
    PATIENCE_STEPS = 100, /* minimum steps without a limit, after the first limit that saved no work */
    TRIAL_STEPS = 400     /* maximum steps with the first limit; results with 250 and 800 are similar */
};
/* Order k saves no work if its error estimate is more than FLAT_RATIO times that of order k - 1. The ratio is 1 for
 * vibrations of a rear axle, below 0.8 for other cars, and 0.1 to 0.7 for smooth models. */
#define FLAT_RATIO     0.9
#define MIN_PACE_RATIO 1.2 /* minimum ratio of the advances of t per call with and without a useful limit */

/* Begin a phase with the limit to order 3 (is_set = 1) or without a limit. */
static void begin_gain_phase(rsd_gain_limit *x, int is_set)
{
    x->limit.is_set = is_set;
    x->limit.age = 0;
    x->is_due = 0;
    x->flat = x->window.steps = 0;
}

static void reset_gain(rsd_gain_limit *x)
{
    begin_gain_phase(x, 0);
    x->calls = 0;
    x->limit.min_steps = 0;
    x->limit.trial = TRIAL_STEPS;
    x->advance_limited = 0;
}

static void add_step_to_window(rsd_gain_limit *x, const rsd_order_step *s)
{
    rsd_order_window *w = &x->window;
    if (w->steps == 0) *w = (rsd_order_window){.calls = x->calls};
    w->steps++;
    w->time += s->h;
    if (s->order < RSD_NEARLY_STABLE_ORDER) return; /* orders 1 and 2 are not compared */
    w->error += s->error;
    w->error_below += s->error_below;
}

/* Process the first full window after a limit ended. pace is the advance of t per residual call in the window. If the
 * limit saved no work, wait longer before the next limit. Otherwise extend the next limit. */
static void evaluate_past_limit(rsd_gain_limit *x, double pace)
{
    rsd_order_limit *l = &x->limit;
    if (x->advance_limited < MIN_PACE_RATIO * pace)
        l->min_steps = l->min_steps > 0 ? 2 * l->min_steps : PATIENCE_STEPS;
    else {
        l->min_steps = 0;
        l->trial *= 2;
    }
    x->advance_limited = 0;
}

/* Process a full window of steps. If the limit is set and saves no work, end the limit. If it is not set, count
 * consecutive windows in which higher orders save no work. */
static void close_window(rsd_gain_limit *x, long calls)
{
    const rsd_order_window *w = &x->window;
    const double pace = w->time / (double)(calls > w->calls ? calls - w->calls : 1);
    x->window.steps = 0;
    if (x->limit.is_set) {
        if (pace >= MIN_PACE_RATIO * x->advance_before && x->limit.age < x->limit.trial) return;
        x->advance_limited = pace;
        begin_gain_phase(x, 0);
        return;
    }
    if (x->advance_limited > 0) evaluate_past_limit(x, pace);
    x->flat = w->error_below > 0 && w->error >= FLAT_RATIO * w->error_below ? x->flat + 1 : 0;
    x->is_due |= x->flat >= FLAT_WINDOWS && x->limit.age >= x->limit.min_steps;
    x->advance_before = pace;
}

static void process_step_for_gain(rsd_gain_limit *x, const rsd_order_step *s)
{
    x->limit.age++;
    if (x->limit.age > IGNORED_STEPS) {
        add_step_to_window(x, s);
        if (x->window.steps == WINDOW_STEPS) close_window(x, s->calls);
    }
    x->calls = s->calls;
    if (x->is_due && s->next <= RSD_NEARLY_STABLE_ORDER)
        begin_gain_phase(x, 1); /* IDA would not lower an order above a new maximum */
}

resida_status rsd_order_limits_create(rsd_order_limits *x, const resida_solver_options *o, int n,
                                      const resida_allocator *alloc)
{
    x->gain.limit.is_on = o->stability_detection && o->max_order > RSD_NEARLY_STABLE_ORDER;
    x->stability = (rsd_stability_limit){.n = n, .o = o};
    x->stability.limit.is_on = o->stability_detection && o->max_order > RSD_STABLE_ORDER;
    return rsd_stability_limit_create(&x->stability, alloc);
}

void rsd_order_limits_reset(rsd_order_limits *x)
{
    x->t = INFINITY;
    reset_gain(&x->gain);
    rsd_stability_limit_reset(&x->stability);
}

int rsd_order_limits_get_max_order(const rsd_order_limits *x)
{
    return x->stability.limit.is_set ? RSD_STABLE_ORDER : x->gain.limit.is_set ? RSD_NEARLY_STABLE_ORDER : 0;
}

/* Update the limits to orders 2 and 3. The limit to order 3 is reset when the limit to order 2 is set. */
static void update_limits(rsd_order_limits *x, const rsd_order_step *s)
{
    const int before = rsd_order_limits_get_max_order(x);
    if (x->stability.limit.is_on) rsd_stability_limit_add_step(&x->stability, s);
    if (x->stability.limit.is_set && before != RSD_STABLE_ORDER)
        reset_gain(&x->gain);
    else if (before != RSD_STABLE_ORDER && x->gain.limit.is_on)
        process_step_for_gain(&x->gain, s);
}

/* Process an accepted step; a step that is reported twice counts once. Return 1 if IDASolve has to return, because the
 * order is limited to 2. The integration then restarts, because IDA does not lower an order that exceeds a new maximum.
 * If IDA kept the present order, it could raise the order beyond its history. */
int rsd_order_limits_check_step(rsd_ida *ida, const rsd_accepted_step *s)
{
    rsd_order_limits *x = &ida->order;
    const long *calls = ida->base.guard->calls;
    const int before = rsd_order_limits_get_max_order(x);
    const rsd_order_step last = {.t = s->t_ida,
                                 .y = s->y,
                                 .weight = s->w,
                                 .tested = rsd_get_components(ida->id),
                                 .n_tested = ida->n_tested,
                                 .h = ida->steps.h_last,
                                 .order = ida->steps.order,
                                 .next = ida->steps.next_order,
                                 .error = ida->min_order.norm,
                                 .error_below = ida->min_order.norm_below,
                                 .calls = calls[RSD_FOR_NEWTON] + calls[RSD_FOR_JACOBIAN]};
    if (last.t == x->t || last.h == 0) return 0;
    x->t = last.t;
    update_limits(x, &last);
    const int limit = rsd_order_limits_get_max_order(x), is_lower = limit > 0 && (before == 0 || limit < before);
    x->steps += before > 0;
    x->set += is_lower;
    x->removed += limit != before && !is_lower;
    ida->restarts_for_limit = is_lower && limit == RSD_STABLE_ORDER;
    if (limit != before) rsd_growth_set_bounds(ida);
    if (limit != before && !ida->restarts_for_limit) IDASetMaxOrd(ida->mem, limit > 0 ? limit : ida->base.o->max_order);
    return ida->restarts_for_limit;
}
