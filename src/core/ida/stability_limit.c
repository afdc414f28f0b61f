/* stability_limit.c - BDF of order 3 to 5 is unstable near the imaginary axis. In a lightly damped mechanism,
 * vibrations of a few tolerances, faster than what is to be followed, then hold the step down, however smooth the
 * motion is: they grow until the error test fails. Order 2 is A-stable, damps them, and takes the step that the motion
 * allows; but it also damps vibrations that are part of the motion, so it must not be used only because stability
 * limits the higher orders.
 *
 * Free. States are averaged over blocks of steps (weights rise over a block and fall over the next one), which takes
 * away what has less than some 20 steps in a period and was not integrated well by the higher orders either. The third
 * differences of four such states at a distance of one block, H = 20 h, give the error that order 2 would make in one
 * step of that size, |H^3 y'''|/3. Below the tolerance, order 2 could go 20 times as far: it is the only order from
 * then on, with 1. A step that has just fallen (an impact) says nothing, its smoothed states are of the time before.
 *
 * Limited. Set free again when the step is not worth it, and for a trial: soon, when order 3 would make much smaller
 * errors than order 2, |h^4 y''''|/4 against |h^3 y'''|/3, as where a real vibration is followed; as soon, when order 2
 * errs by far less than a tolerance: then something else holds the step, which high orders may stand better, as stiff
 * forces that hold positions do; much later in any case. When the order is then limited again, the next trial comes
 * after twice as many steps.
 *
 * CVODE detects such a limit by the dominating root of the difference equation, from norms of scaled derivatives of
 * five steps (Hindmarsh's STALD). That root is near 1 where a real vibration is followed, too: what was tried stands in
 * doc/experiments/stability-limit.md. */
#include "order_limits.h"

#include <math.h>
#include <string.h>

#include "base/lanes.h"
#include "base/vector_ops.h"

enum {
    BLOCK = 20,           /* steps, and least gain */
    SAMPLES = 4,          /* smoothed states for a third difference */
    SETTLING = 20,        /* steps after which errors under the limit are looked at, .. */
    SETTLED = 60,         /* .. and the step size */
    MEAN = 10,            /* steps of a mean under the limit */
    FIRST_PATIENCE = 200, /* steps */
    FIRST_TRIAL = 50,
    LAZY = 40 /* a trial without cause takes so many times longer */
};
#define MAX_GAIN 100.0 /* beyond it no vibration limits the step, which will grow */
#define FALLEN   0.5   /* a block that takes less than this part of the time of the one before: an impact */
#define WORTH    0.7   /* least step under the limit, as a part of the last one before */
#define IDLE     0.04  /* error of order 2 that does not hold a step; under limits that are worth it 0.08 to 0.6 */
#define REGULAR  0.1   /* errors of orders 3 and 2: as of vibrations with some 50 steps in a period */

resida_status rsd_stability_limit_create(rsd_stability_limit *o, const resida_allocator *alloc)
{
    rsd_stability_limit_reset(o);
    if (!o->limit.is_on) return RESIDA_OK;
    const int n = rsd_whole_lanes(o->n);
    int all = RSD_DOUBLES(alloc, n, &o->rising.y, &o->falling.y, &o->scratch);
    for (int k = 0; k < RSD_ORDER_POINTS; k++) all &= RSD_DOUBLES(alloc, n, &o->smoothed.y[k], &o->recent.y[k]);
    return all ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

/* Begin to collect. */
static void change_to(rsd_stability_limit *o, int is_limited)
{
    rsd_order_limit_change(&o->limit, is_limited);
    o->in_block = o->blocks = o->smoothed.count = o->recent.count = o->in_mean = 0;
}

void rsd_stability_limit_reset(rsd_stability_limit *o)
{
    change_to(o, 0);
    o->limit.patience = 0;
    o->limit.trial = FIRST_TRIAL;
}

/* A place for the next point. */
static double *next_point(rsd_order_points *p, double t)
{
    double *oldest = p->y[RSD_ORDER_POINTS - 1];
    for (int k = RSD_ORDER_POINTS - 1; k > 0; k--) {
        p->y[k] = p->y[k - 1];
        p->t[k] = p->t[k - 1];
    }
    p->y[0] = oldest;
    p->t[0] = t;
    if (p->count < RSD_ORDER_POINTS) p->count++;
    return oldest;
}

/* Norm of the divided difference of the latest `count` points, 4 or 5, about y^(count-1)/(count-1)!, as in the error
 * test. */
static double divided_difference(const rsd_stability_limit *o, const rsd_order_points *p, const rsd_order_step *s,
                                 int count)
{
    double c[RSD_ORDER_POINTS];
    for (int k = 0; k < count; k++) {
        double product = 1;
        for (int j = 0; j < count; j++)
            if (j != k) product *= p->t[k] - p->t[j];
        c[k] = 1 / product;
    }
    rsd_vector_combination(count, c, (const double *const *)p->y, o->scratch, rsd_whole_lanes(o->n));
    return s->n_tested > 0 ? sqrt(rsd_vector_masked(o->scratch, s->weight, s->tested, o->n) / s->n_tested) : 0;
}

static void add(rsd_order_sum *sum, double part, const rsd_order_step *s, int n)
{
    rsd_vector_sum(1, sum->y, part * s->h, s->y, sum->y, rsd_whole_lanes(n));
    sum->h += part * s->h;
    sum->t += part * s->h * s->t;
}

/* A block begins: the sum whose weights rose over the last one is that whose weights fall over this one. */
static void begin_block(rsd_stability_limit *o)
{
    rsd_order_sum sum = o->falling;
    memset(sum.y, 0, (size_t)o->n * sizeof *sum.y);
    o->falling = o->rising;
    o->rising = (rsd_order_sum){.y = sum.y};
    o->block_h = 0;
}

static void add_to_block(rsd_stability_limit *o, const rsd_order_step *s)
{
    const double part = (o->in_block + 0.5) / BLOCK;
    if (o->in_block == 0) begin_block(o);
    add(&o->rising, part, s, o->n);
    add(&o->falling, 1 - part, s, o->n);
    o->block_h += s->h;
    o->in_block++;
}

/* A block is full: with the one before it makes a smoothed state. */
static void close_block(rsd_stability_limit *o)
{
    const rsd_order_sum *sum = &o->falling;
    o->in_block = 0;
    if (o->blocks++ > 0)
        rsd_vector_scale(1 / sum->h, sum->y, next_point(&o->smoothed, sum->t / sum->h), rsd_whole_lanes(o->n));
}

/* The step that order 2 would take on the smoothed states: 2 h^3 |y'''/6| = 1. */
static double step_of_order_2(const rsd_stability_limit *o, const rsd_order_step *s)
{
    double h = 1 / cbrt(2 * divided_difference(o, &o->smoothed, s, SAMPLES));
    return h < o->h_max ? h : o->h_max; /* NaN: of an overflow, the latter */
}

/* Has the step dropped somewhere between the first smoothed state and now? */
static int has_fallen(const rsd_stability_limit *o)
{
    double after = o->block_h;
    for (int k = 0; k + 1 < SAMPLES; k++) {
        double before = o->smoothed.t[k] - o->smoothed.t[k + 1];
        if (after < FALLEN * before) return 1;
        after = before;
    }
    return 0;
}

static void watch_free(rsd_stability_limit *o, const rsd_order_step *s)
{
    add_to_block(o, s);
    if (o->in_block < BLOCK) return;
    close_block(o);
    if (o->smoothed.count < SAMPLES || s->order <= RSD_STABLE_ORDER || o->limit.age < o->limit.patience) return;
    double h = o->block_h / BLOCK, gain = step_of_order_2(o, s) / h;
    if (has_fallen(o) || !(gain >= BLOCK && gain <= MAX_GAIN)) return;
    o->limit.set++;
    double fall = o->block_h / (o->smoothed.t[0] - o->smoothed.t[1]);
    o->h_before = fmin(fall, 1) * h; /* a step that is falling would have fallen on */
    change_to(o, 1);
}

static void set_free(rsd_stability_limit *o)
{
    o->limit.freed++;
    change_to(o, 0);
}

/* Means over some steps. */
static void judge_limit(rsd_stability_limit *o)
{
    double h = o->mean_h / MEAN;
    const int is_cause = o->mean_error_above < REGULAR * o->mean_error || o->mean_error < IDLE * MEAN;
    o->in_mean = 0;
    if (o->limit.age >= SETTLED && h < WORTH * o->h_before) {
        o->limit.patience = o->limit.patience > 0 ? 2 * o->limit.patience : FIRST_PATIENCE;
        set_free(o);
    } else if (o->limit.age >= (is_cause ? 1 : LAZY) * o->limit.trial) {
        o->limit.trial *= 2;
        set_free(o);
    }
}

/* Means of the step, and of errors of orders 2 and 3, over the last steps. */
static void watch_limited(rsd_stability_limit *o, const rsd_order_step *s)
{
    rsd_order_points *p = &o->recent;
    memcpy(next_point(p, s->t), s->y, (size_t)o->n * sizeof *s->y);
    o->limit.steps++;
    if (o->limit.age < SETTLING) return;
    if (o->in_mean == 0) o->mean_h = o->mean_error = o->mean_error_above = 0;
    const double h = (p->t[0] - p->t[RSD_ORDER_POINTS - 1]) / (RSD_ORDER_POINTS - 1);
    o->mean_h += h;
    o->mean_error += 2 * h * h * h * divided_difference(o, p, s, SAMPLES);
    o->mean_error_above += 6 * h * h * h * h * divided_difference(o, p, s, RSD_ORDER_POINTS);
    if (++o->in_mean == MEAN) judge_limit(o);
}

void rsd_stability_limit_watch(rsd_stability_limit *o, const rsd_order_step *s)
{
    o->limit.age++;
    if (o->limit.is_set)
        watch_limited(o, s);
    else
        watch_free(o, s);
}
