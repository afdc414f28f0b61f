/* solver_burst.c - detects events that do not advance t: a solution slides along a zero of a root function or rests
 * there. */
#include "solver_impl.h"

#include <math.h>

enum { MANY_EVENTS = 1000 }; /* maximum number of events in a burst, that is, at nearly the same time */
/* Maximum duration of a burst, relative to the time of the run. */
#define BURST_PART 1e-6

/* Count an event. Return 1 if more than MANY_EVENTS events are within BURST_PART of the time of the run, or within the
 * size of a fixed step. */
static int count_event_of_burst(resida_solver *s)
{
    if (s->t - s->burst.t > fmax(BURST_PART * (s->t - s->t_first), s->o.adaptive ? 0 : s->o.step)) {
        s->burst.t = s->t;
        s->burst.events = 0;
    }
    return ++s->burst.events > MANY_EVENTS;
}

resida_status rsd_solver_check_burst(resida_solver *s)
{
    if (!count_event_of_burst(s)) return RESIDA_OK;
    const double from = s->burst.t, duration = s->t - from;
    int *direction = s->root_directions + rsd_problem_get_n_root(s->problem), i = 0;
    (void)rsd_events_get_directions(&s->integration->events, direction);
    while (direction[i] == 0) i++;
    s->at_event = s->burst.events = 0;
    s->failed = 1;
    return rsd_fail(&s->message, RESIDA_ERR_CHATTERING,
                    "%d events within %.3g s, from t = %.9g to t = %.9g, the last of root function %d: the solution "
                    "does not leave its zero; give a switch a hysteresis, a sliding mode or root_directions, and a "
                    "body that comes to rest a contact or a mode of rest",
                    MANY_EVENTS, duration, from, s->t, i);
}
