/* setup_history.c - see setup_history.h. */
#include "setup_history.h"

#include "tuning.h"

#include <math.h>

enum { NEXT_FAILURE = 8 }; /* setups at most from one failure with a current J to the next that counts with it */

/* A repair takes a few calls and leaves a J that serves fewer attempts. So it pays where an evaluation takes many
 * calls, and evaluations take a good part of all; and as long as the motion takes fewer calls with repairs. */
int rsd_history_repair_pays(const rsd_setup_history *history, resida_setup_reason reason, const rsd_engine_facts *e)
{
    const rsd_spent *with = &history->repaired, *without = &history->evaluated;
    if (!e->can_repair || reason == RESIDA_SETUP_FIRST || e->request) return 0;
    if (e->is_same_time || e->is_repaired || history->failed_repairs >= RSD_REPAIR_FAILS) return 0;
    if (history->evaluations < RSD_REPAIR_AFTER) return 0;
    if (history->evaluation < RSD_REPAIR_FROM || history->of_dFdy < RSD_REPAIR_SHARE * without->calls) return 0;
    const double credit = RSD_REPAIR_CREDIT * (1 - RSD_REPAIR_KEEPS) * without->time;
    return with->calls * without->time < RSD_REPAIR_GAIN * without->calls * (with->time + credit);
}

/* --- Events --- */

/* Failures with a current J that come soon after each other. */
void rsd_history_begin_setup(rsd_setup_history *history, resida_setup_reason reason, const rsd_engine_facts *e)
{
    const int has_failed = reason == RESIDA_SETUP_FAILURE;
    history->setups = has_failed ? 0 : history->setups + 1;
    if (history->setups > NEXT_FAILURE || reason == RESIDA_SETUP_FIRST || !e->learns)
        history->failures = 0;
    else
        history->failures += has_failed && e->was_current;
    history->failed_repairs += has_failed && e->was_repaired;
}

static void add_spent(rsd_spent *sum, const rsd_spent *now)
{
    sum->calls = RSD_REPAIR_KEEPS * sum->calls + now->calls;
    sum->time = RSD_REPAIR_KEEPS * sum->time + now->time;
}

void rsd_history_record_setup(rsd_setup_history *history, rsd_action planned, long calls)
{
    const double keep = RSD_REPAIR_KEEPS, taken = (double)calls;
    if (planned < RSD_REPAIR) return;
    add_spent(history->is_repaired ? &history->repaired : &history->evaluated, &history->now);
    history->is_repaired = planned == RSD_REPAIR;
    history->now = (rsd_spent){.calls = taken + (history->is_repaired ? history->factorisation : 0)};
    if (history->is_repaired) { /* the longer ago, the more an evaluation is worth a try */
        history->evaluated.calls *= RSD_REPAIR_REVIEW;
        history->of_dFdy *= RSD_REPAIR_REVIEW;
        return;
    }
    history->evaluation = history->evaluations > 0 ? keep * history->evaluation + (1 - keep) * taken : taken;
    history->of_dFdy = keep * history->of_dFdy + taken;
    history->repaired.calls *= RSD_REPAIR_FORGET;
    history->evaluations++;
}

void rsd_history_record_factorisation(rsd_setup_history *history, double calls)
{
    history->factorisation = calls;
}

void rsd_history_record_iteration(rsd_setup_history *history)
{
    history->now.calls++;
}

void rsd_history_record_step(rsd_setup_history *history, double h)
{
    history->now.time += fabs(h);
    history->failed_repairs = 0;
}
