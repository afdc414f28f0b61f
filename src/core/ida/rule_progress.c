/* rule_progress.c - ends integrations whose steps do not advance t: if they chatter (chatter.h), or if STILL_STEPS
 * consecutive steps do not change t. After a start, steps may be below the rounding of t; in fast transients there are
 * several hundred of them. */
#include "ida_impl.h"

enum { STILL_STEPS = 1000 };

static int detect_chatter(rsd_ida *ida, const rsd_accepted_step *s)
{
    const long fails = ida->steps.fails + ida->before.error_test_fails + ida->newton.counts.fails;
    const int component = rsd_chatter_add_step(&ida->chatter, s->t_ida, fails, s->y, s->w, rsd_get_components(ida->id));
    if (component >= 0) ida->base.guard->stop = rsd_ida_report_chatter(ida, s->t, ida->chatter.h, component);
    return component >= 0;
}

static int detect_standstill(rsd_ida *ida, const rsd_accepted_step *s)
{
    if (s->t != ida->still.t) ida->still = (rsd_ida_standstill){.t = s->t, .steps = -1};
    if (++ida->still.steps < STILL_STEPS) return 0;
    ida->base.guard->stop = rsd_ida_report_small_step(ida, s->t, ida->steps.h_last, ida->still.steps);
    return 1;
}

int rsd_progress_check_step(rsd_ida *ida, const rsd_accepted_step *s)
{
    return detect_chatter(ida, s) || detect_standstill(ida, s);
}
