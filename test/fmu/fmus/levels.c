/* levels.c - no continuous states: a counter that grows by 1 at each whole second, what it is in other types, and what
 * goes through: through = 2 force + gear, held = gear of the last event, now = t. */
#include "test_fmu.h"

#include <math.h>

enum { TIME, FORCE, THROUGH, HELD, NOW = 6, COUNT = 100, GEAR, KIND, ODD = 200 };

static void start(double *v)
{
    v[COUNT] = -1; /* the first event is at the start */
    v[HELD] = -1;
}

static void evaluate(double *v)
{
    v[NOW] = v[TIME];
    v[THROUGH] = 2 * v[FORCE] + v[GEAR];
    v[ODD] = fmod(v[COUNT], 2) != 0;
    v[KIND] = v[COUNT] > 1 ? 2 : 1;
}

static void event(double *v, test_fmu_event *e)
{
    v[HELD] = v[GEAR];
    if (v[TIME] >= v[COUNT] + 1) v[COUNT] += 1;
    e->t_next = v[COUNT] + 1;
}

static const char *text(const double *v, uint32_t reference)
{
    return reference == 300 && v[ODD] != 0 ? "odd, \"one\"" : "even";
}

const test_fmu the_fmu = {.token = "{levels}", .start = start, .evaluate = evaluate, .event = event, .text = text};
