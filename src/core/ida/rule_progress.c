/* rule_progress.c - ends integrations whose steps do not advance t: if they chatter (chatter.h), or if STILL_STEPS
 * consecutive steps do not change t. After a start, steps may be below the rounding of t; in fast transients there are
 * several hundred of them. */
#include "ida_rules.h"

enum { STILL_STEPS = 1000 };

static int detect_chatter(rsd_ida *it, const rsd_accepted_step *s)
{
    long fails = 0;
    IDAGetNumErrTestFails(it->ida, &fails);
    fails += it->before.error_test_fails + it->newton.counts.fails;
    const int component = rsd_chatter_watch(&it->chatter, s->t_ida, fails, s->y, s->w, rsd_vector_data(it->id));
    if (component >= 0) it->base.guard->stop = rsd_ida_chatters(it, s->t, it->chatter.h, component);
    return component >= 0;
}

static int detect_standstill(rsd_ida *it, const rsd_accepted_step *s)
{
    if (s->t != it->still.t) it->still = (rsd_ida_still){.t = s->t, .steps = -1};
    if (++it->still.steps < STILL_STEPS) return 0;
    double h = 0;
    IDAGetLastStep(it->ida, &h);
    it->base.guard->stop = rsd_ida_step_is_too_small(it, s->t, h, it->still.steps);
    return 1;
}

int rsd_progress_check(rsd_ida *it, const rsd_accepted_step *s)
{
    return detect_chatter(it, s) || detect_standstill(it, s);
}
