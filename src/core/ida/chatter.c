/* chatter.c - detects chattering. A discontinuous force, such as dry friction, can hold the solution at its
 * discontinuity. The error test then accepts only steps that end within the tolerances of the discontinuity, on
 * alternating sides. A run could take millions of such steps.
 *
 * Steps are counted in windows of WINDOW steps. A window is slow if it advances t by less than MIN_ADVANCE of the time
 * since the start. The components are watched in the window after a slow one. The slope of a component is its
 * difference quotient over a step. A change of the slope is counted if three conditions are satisfied. Its sign is
 * opposite to that of the previous change. It exceeds PART_OF_RANGE of the range of the slopes in the window; this
 * excludes smooth vibrations. It exceeds MIN_TURN, the error of the iteration.
 *
 * A component chatters if it has MIN_TURNS such changes in a window with many failed attempts. With few failures,
 * because J has captured the discontinuity, MAX_TURNS changes are required, and their mean size must reach a given part
 * of the tolerance. With some failures, as after steps of order 2, or with almost no advance, MANY_TURNS smaller
 * changes suffice. The integration ends after two consecutive windows that chatter. */
#include "chatter.h"

#include <math.h>
#include <string.h>

enum {
    WINDOW = 500,             /* number of steps in a window */
    MANY_FAILS = WINDOW / 5,  /* minimum failed attempts in a window that chatters with MIN_TURNS changes */
    SOME_FAILS = WINDOW / 10, /* minimum failed attempts in a window that chatters with MANY_TURNS changes */
    MIN_TURNS = WINDOW / 10,  /* minimum changes of a chattering slope in a window with MANY_FAILS failures */
    MANY_TURNS = WINDOW - WINDOW * 2 / 5, /* the same with SOME_FAILS failures, or with almost no advance of t */
    MAX_TURNS = WINDOW - WINDOW / 10,     /* the same in all other windows */
    WINDOWS = 2                           /* number of consecutive chattering windows that end the integration */
};
#define MIN_ADVANCE   2e-2  /* maximum advance of t in a chattering window, relative to the time since the start */
#define ALMOST_NONE   1e-4  /* maximum advance of t that is almost none, relative to the time since the start */
#define PART_OF_RANGE 0.4   /* minimum change of a slope, relative to the range of slopes in the window */
#define MIN_TURN      1e-2  /* minimum counted change of a slope, times h, in tolerances; smaller changes are noise */
#define LARGE_TURN    0.295 /* minimum mean of counted changes, times h, in tolerances; tests fail with 0.28 and 0.3 */
#define CLEAR_TURN    0.22  /* the same with SOME_FAILS failures or almost no advance of t */
#define EXACT_TURN    0.1   /* the same with MAX_TURNS changes and almost no advance of t */

resida_status rsd_chatter_create(rsd_chatter *c, const resida_allocator *alloc)
{
    rsd_chatter_reset(c);
    return RSD_DOUBLES(alloc, c->n, &c->y, &c->slope, &c->change, &c->sum, &c->lowest, &c->highest) &&
                   RSD_INTS(alloc, c->n, &c->turns)
               ? RESIDA_OK
               : RESIDA_ERR_MEMORY;
}

void rsd_chatter_reset(rsd_chatter *c)
{
    c->t = c->h = c->t_window = 0;
    c->steps = c->is_counting = c->num_consecutive = 0;
}

static void begin_window(rsd_chatter *c, long fails, const double *y, int is_counting)
{
    c->steps = 0;
    c->fails = fails;
    c->t_window = c->t;
    if (is_counting) {
        memcpy(c->y, y, (size_t)c->n * sizeof *y);
        memset(c->turns, 0, (size_t)c->n * sizeof *c->turns);
        for (int i = 0; i < c->n; i++) {
            c->slope[i] = c->change[i] = c->sum[i] = 0;
            c->lowest[i] = INFINITY;
            c->highest[i] = -INFINITY;
        }
    }
    c->is_counting = is_counting;
}

static void count_slope_turns(rsd_chatter *c, double h, const double *y, const double *w, const double *tested)
{
    for (int i = 0; i < c->n; i++) {
        const double slope = (y[i] - c->y[i]) / h, change = slope - c->slope[i], size = fabs(change) * h * w[i];
        c->lowest[i] = fmin(c->lowest[i], slope);
        c->highest[i] = fmax(c->highest[i], slope);
        if (tested[i] != 0 && size > MIN_TURN && fabs(change) > PART_OF_RANGE * (c->highest[i] - c->lowest[i])) {
            if (change * c->change[i] < 0) {
                c->turns[i]++;
                c->sum[i] += size;
            }
            c->change[i] = change;
        }
        c->y[i] = y[i];
        c->slope[i] = slope;
    }
}

/* Return 1 if component i chatters, by the conditions of the head comment. fails is the number of failed attempts in
 * the window. advance is the advance of t in the window, divided by the time since the start. */
static int is_chattering(const rsd_chatter *c, int i, long fails, double advance)
{
    const int is_still = advance < ALMOST_NONE, is_clear = fails >= SOME_FAILS || is_still;
    const int is_every_step = c->turns[i] >= MAX_TURNS;
    const double min = is_every_step && is_still ? EXACT_TURN : is_clear ? CLEAR_TURN : LARGE_TURN;
    if (fails >= MANY_FAILS) return c->turns[i] >= MIN_TURNS;
    return (is_every_step || (is_clear && c->turns[i] >= MANY_TURNS)) && c->sum[i] >= min * c->turns[i];
}

/* Return the chattering component with the largest weighted sum of slope changes, or -1 if no component chatters. */
static int find_worst_component(const rsd_chatter *c, long fails, double advance)
{
    int at = -1;
    for (int i = 0; i < c->n; i++)
        if (is_chattering(c, i, fails, advance) && (at < 0 || c->sum[i] > c->sum[at])) at = i;
    return at;
}

int rsd_chatter_add_step(rsd_chatter *c, double t, long fails, const double *y, const double *w, const double *tested)
{
    const double h = t - c->t;
    if (!(h > 0)) return -1;
    c->t = t;
    c->h = h;
    if (c->is_counting) count_slope_turns(c, h, y, w, tested);
    if (++c->steps < WINDOW) return -1;
    const double advance = (t - c->t_window) / t;
    const int is_slow = advance < MIN_ADVANCE;
    const int component = is_slow && c->is_counting ? find_worst_component(c, fails - c->fails, advance) : -1;
    c->num_consecutive = component >= 0 ? c->num_consecutive + 1 : 0;
    begin_window(c, fails, y, is_slow);
    return c->num_consecutive >= WINDOWS ? component : -1;
}
