/* rule_progress.c - steps that lead nowhere end the integration: those that chatter (chatter.h), and so many that do
 * not move t that they never will. After a start some steps are below the rounding of t, of fast transients some
 * hundreds. */
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
