/* ball.c - a ball that falls on a floor, h' = v, v' = -g, and bounces: v -> -e v where h becomes 0. At t = kick_time
 * its velocity grows by 1, and so it does as soon as t > alarm, which is a state event. Where it is slower than v_end
 * at an impact, the run ends; with v_end < 0 it says at every event that the next one is at t = 0.25. */
#include "test_fmu.h"

enum { TIME, H, V, DV, G, E, KICK_TIME, V_END, ALARM, LATE };
#define NEVER 1e9 /* [s] */

static const int states[] = {H, V}, derivatives[] = {V, DV}, indicators[] = {H, LATE};

static void start(double *v)
{
    v[H] = 1;
    v[G] = 9.81;
    v[E] = 0.8;
    v[KICK_TIME] = v[ALARM] = NEVER;
}

static void evaluate(double *v)
{
    v[DV] = -v[G];
    v[LATE] = v[TIME] - v[ALARM];
}

static void event(double *v, test_fmu_event *e)
{
    if (v[H] <= 0 && v[V] < 0) {
        e->ends = -v[V] < v[V_END];
        v[H] = 0;
        v[V] = -v[E] * v[V];
        e->has_new_states = 1;
    }
    if (v[TIME] >= v[KICK_TIME]) {
        v[V] += 1;
        v[KICK_TIME] = NEVER;
        e->has_new_states = 1;
    }
    if (v[TIME] > v[ALARM]) {
        v[V] += 1;
        v[ALARM] = NEVER;
        e->has_new_states = 1;
    }
    e->t_next = v[V_END] < 0 ? 0.25 : v[KICK_TIME];
}

const test_fmu the_fmu = {.token = "{ball}",
                          .n_states = 2,
                          .n_indicators = 2,
                          .states = states,
                          .derivatives = derivatives,
                          .indicators = indicators,
                          .start = start,
                          .evaluate = evaluate,
                          .event = event};
