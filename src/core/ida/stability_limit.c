/* stability_limit.c - limits the order to 2 if stability limits the step. BDF of orders 3 to 5 is unstable near the
 * imaginary axis. In a lightly damped mechanism, fast vibrations of a few tolerances grow until the error test fails.
 * These vibrations limit the step even if the motion is smooth. Order 2 is A-stable. It damps the vibrations and takes
 * the step that the motion allows. But it also damps vibrations that are part of the motion. Therefore the order is
 * limited only if stability limits the step of higher orders.
 *
 * While the limit is not set, states are averaged over blocks of 20 steps, with weights that rise over a block and fall
 * over the next one. This removes vibrations with less than about 20 steps per period. Higher orders do not resolve
 * such vibrations well either. The third differences of four averaged states, at distances of H = 20 h, give the error
 * of order 2 in a step H, |H^3 y'''|/3. If it is below the tolerance, order 2 could take 20 times the step, and the
 * order is limited to 1 and 2. If the step size has just decreased (an impact), no limit is set, because the averaged
 * states are from the time before the decrease.
 *
 * A limit that is set ends if the step is shorter than before. It also ends for trials:
 * - soon, if order 3 would make much smaller errors than order 2, |h^4 y''''|/4 against |h^3 y'''|/3, as for a resolved
 *   vibration;
 * - soon, if the error of order 2 is far below the tolerance. Then another cause limits the step, such as stiff forces
 *   that hold positions, and high orders may be more efficient;
 * - much later in all other cases. If the order is then limited again, the next trial follows after twice as many
 *   steps.
 *
 * CVODE detects such a limit by the dominating root of the difference equation, from norms of scaled derivatives of
 * five steps (Hindmarsh's STALD). The modulus of this root is also near 1 for resolved vibrations. The experiments are
 * described in doc/experiments/stability-limit.md. */
#include "order_limits.h"

#include <math.h>
#include <string.h>

#include "base/lanes.h"
#include "base/vector_ops.h"

enum {
    BLOCK = 20,           /* steps of a block; also the minimum gain that sets a limit, and steps before errors count */
    SAMPLES = 4,          /* number of averaged states in a third difference of y */
    SETTLED = 60,         /* steps with the limit before the step size is examined */
    MEAN = 10,            /* steps over which h and errors are averaged while the limit is set */
    FIRST_PATIENCE = 200, /* minimum steps without a limit, after the first limit that made steps shorter */
    FIRST_TRIAL = 50,     /* steps with the limit before higher orders are tried */
    LONG_TRIAL = 40       /* factor of FIRST_TRIAL if errors do not suggest a trial */
};
#define MAX_GAIN          100.0 /* maximum gain of the step size with which a limit is set */
#define MIN_ADVANCE_RATIO 0.5   /* minimum advance of t in a block without an impact, relative to the previous block */
#define MIN_STEP_RATIO    0.7   /* minimum step with the limit, relative to the last step without it */
#define MIN_ORDER_2_ERROR 0.04  /* minimum error of order 2 that limits the step, in tolerances */
#define MAX_ERROR_RATIO   0.1   /* maximum error of order 3 relative to order 2 for a soon trial: 50 steps per period */

resida_status rsd_stability_limit_create(rsd_stability_limit *o, const resida_allocator *alloc)
{
    rsd_stability_limit_reset(o);
    if (!o->limit.is_on) return RESIDA_OK;
    const int n = rsd_round_up_to_lane(o->n);
    int all = RSD_DOUBLES(alloc, n, &o->rising.y, &o->falling.y, &o->scratch);
    for (int k = 0; k < RSD_ORDER_POINTS; k++) all &= RSD_DOUBLES(alloc, n, &o->smoothed.y[k], &o->recent.y[k]);
    return all ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

/* Begin a phase with the limit to order 2 (is_limited = 1) or without a limit. */
static void begin_limit_phase(rsd_stability_limit *o, int is_limited)
{
    o->limit.is_set = is_limited;
    o->limit.age = 0;
    o->in_block = o->blocks = o->smoothed.count = o->recent.count = o->in_mean = 0;
}

void rsd_stability_limit_reset(rsd_stability_limit *o)
{
    begin_limit_phase(o, 0);
    o->limit.min_steps = 0;
    o->limit.trial = FIRST_TRIAL;
}

/* Shift the points of *p, and return the memory for y [n] of the next point, at t. */
static double *shift_points(rsd_order_points *p, double t)
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

/* Return the norm, in the error test, of the divided difference of the latest `count` points (4 or 5). The divided
 * difference approximates the derivative of order count - 1, divided by (count - 1)!. */
static double compute_divided_difference(const rsd_stability_limit *o, const rsd_order_points *p,
                                         const rsd_order_step *s, int count)
{
    memset(o->scratch, 0, (size_t)o->n * sizeof *o->scratch);
    for (int k = 0; k < count; k++) {
        double product = 1;
        for (int j = 0; j < count; j++)
            if (j != k) product *= p->t[k] - p->t[j];
        rsd_lanes_subtract(rsd_round_up_to_lane(o->n), -1 / product, p->y[k], o->scratch);
    }
    return s->n_tested > 0 ? sqrt(rsd_vector_sum_masked_squares(o->scratch, s->weight, s->tested, o->n) / s->n_tested)
                           : 0;
}

RSD_WIDE static void add_weighted_step(rsd_order_sum *sum, double part, const rsd_order_step *s, int n)
{
    rsd_lanes_subtract(rsd_round_up_to_lane(n), -part * s->h, s->y, sum->y);
    sum->h += part * s->h;
    sum->t += part * s->h * s->t;
}

/* Begin a block of steps. The sum with rising weights continues as the sum with falling weights. A new sum begins. */
static void begin_block(rsd_stability_limit *o)
{
    rsd_order_sum sum = o->falling;
    memset(sum.y, 0, (size_t)o->n * sizeof *sum.y);
    o->falling = o->rising;
    o->rising = (rsd_order_sum){.y = sum.y};
    o->block_h = 0;
}

static void add_step_to_block(rsd_stability_limit *o, const rsd_order_step *s)
{
    const double part = (o->in_block + 0.5) / BLOCK;
    if (o->in_block == 0) begin_block(o);
    add_weighted_step(&o->rising, part, s, o->n);
    add_weighted_step(&o->falling, 1 - part, s, o->n);
    o->block_h += s->h;
    o->in_block++;
}

/* End a block of steps. From the second block on, divide the falling sum by its weights to get an averaged state. */
static void close_block(rsd_stability_limit *o)
{
    const rsd_order_sum *sum = &o->falling;
    o->in_block = 0;
    if (o->blocks++ > 0)
        rsd_vector_scale(1 / sum->h, sum->y, shift_points(&o->smoothed, sum->t / sum->h), rsd_round_up_to_lane(o->n));
}

/* Return the step size h that order 2 would take along the averaged states, from 2 h^3 |y'''/6| = 1; at most h_max. */
static double compute_step_of_order_2(const rsd_stability_limit *o, const rsd_order_step *s)
{
    double h = 1 / cbrt(2 * compute_divided_difference(o, &o->smoothed, s, SAMPLES));
    return h < o->o->h_max ? h : o->o->h_max; /* after an overflow h is NaN, and h_max is returned */
}

/* Return 1 if t advances in a block by less than MIN_ADVANCE_RATIO times the advance in the block before. */
static int has_step_decreased(const rsd_stability_limit *o)
{
    double after = o->block_h;
    for (int k = 0; k + 1 < SAMPLES; k++) {
        double before = o->smoothed.t[k] - o->smoothed.t[k + 1];
        if (after < MIN_ADVANCE_RATIO * before) return 1;
        after = before;
    }
    return 0;
}

static void process_free_step(rsd_stability_limit *o, const rsd_order_step *s)
{
    add_step_to_block(o, s);
    if (o->in_block < BLOCK) return;
    close_block(o);
    if (o->smoothed.count < SAMPLES || s->order <= RSD_STABLE_ORDER || o->limit.age < o->limit.min_steps) return;
    double h = o->block_h / BLOCK, gain = compute_step_of_order_2(o, s) / h;
    if (has_step_decreased(o) || !(gain >= BLOCK && gain <= MAX_GAIN)) return;
    double fall = o->block_h / (o->smoothed.t[0] - o->smoothed.t[1]);
    o->h_before = fmin(fall, 1) * h; /* a decreasing step size is assumed to decrease further */
    begin_limit_phase(o, 1);
}

/* Evaluate the means of MEAN steps. End the limit to order 2 if steps have become shorter, or if a trial is due. */
static void evaluate_limit(rsd_stability_limit *o)
{
    double h = o->mean_h / MEAN;
    const int is_cause =
        o->mean_error_above < MAX_ERROR_RATIO * o->mean_error || o->mean_error < MIN_ORDER_2_ERROR * MEAN;
    o->in_mean = 0;
    if (o->limit.age >= SETTLED && h < MIN_STEP_RATIO * o->h_before) {
        o->limit.min_steps = o->limit.min_steps > 0 ? 2 * o->limit.min_steps : FIRST_PATIENCE;
        begin_limit_phase(o, 0);
    } else if (o->limit.age >= (is_cause ? 1 : LONG_TRIAL) * o->limit.trial) {
        o->limit.trial *= 2;
        begin_limit_phase(o, 0);
    }
}

/* Update the means of the step size and of the errors of orders 2 and 3. */
static void process_limited_step(rsd_stability_limit *o, const rsd_order_step *s)
{
    rsd_order_points *p = &o->recent;
    memcpy(shift_points(p, s->t), s->y, (size_t)o->n * sizeof *s->y);
    if (o->limit.age < BLOCK) return;
    if (o->in_mean == 0) o->mean_h = o->mean_error = o->mean_error_above = 0;
    const double h = (p->t[0] - p->t[RSD_ORDER_POINTS - 1]) / (RSD_ORDER_POINTS - 1);
    o->mean_h += h;
    o->mean_error += 2 * h * h * h * compute_divided_difference(o, p, s, SAMPLES);
    o->mean_error_above += 6 * h * h * h * h * compute_divided_difference(o, p, s, RSD_ORDER_POINTS);
    if (++o->in_mean == MEAN) evaluate_limit(o);
}

void rsd_stability_limit_add_step(rsd_stability_limit *o, const rsd_order_step *s)
{
    o->limit.age++;
    if (o->limit.is_set)
        process_limited_step(o, s);
    else
        process_free_step(o, s);
}
