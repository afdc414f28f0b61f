/* renewal.c - see renewal.h. */
#include "renewal.h"

#include <math.h>

/* Repairs of dF/dy: unit | range over which calls of the vehicles, the governor and the cam are alike | test | what it
 * is, as in src/core/newton/tuning.h. */
#define RSD_REPAIR_FROM   24    /* calls | ? | repair | of an evaluation, that a repair may take the place of */
#define RSD_REPAIR_AFTER  4     /* evaluations | 4 to 8 | repair | of which the calls are known before */
#define RSD_REPAIR_SHARE  0.45  /* calls | 0.4 to 0.5 | repair | of all, that evaluations take */
#define RSD_REPAIR_GAIN   0.9   /* calls per time | 0.9 to 1 | repair | with repairs, at most, of those without */
#define RSD_REPAIR_CREDIT 1.0   /* renewals | ? | repair | whose time repairs count as having led to, besides */
#define RSD_REPAIR_KEEPS  0.9   /* none | 0.8 to 0.9 | repair | weight of the renewals before the last one */
#define RSD_REPAIR_FAILS  2     /* repairs | ? | repair | that fail in succession, before dF/dy is evaluated */
#define RSD_REPAIR_REVIEW 0.998 /* none | 0.998 to 1 | repair | of the calls of evaluations, with each repair */
#define RSD_REPAIR_FORGET 0.99  /* none | 0.98 to 0.995 | repair | of the calls of repairs, with each evaluation */

enum {
    RECENT = 3,      /* setups since an evaluation: an iteration in trouble so early lacks more than a new dF/dy */
    FAILING = 2,     /* failures with a current J, each soon after the other: it lacks entries that no check has seen */
    NEXT_FAILURE = 8 /* setups at most from one failure with a current J to the next that counts with it */
};

rsd_renewal rsd_renewal_for(resida_setup_reason reason)
{
    static const rsd_action actions[] = {
        [RESIDA_SETUP_FIRST] = RSD_EVALUATE,        [RESIDA_SETUP_ALPHA] = RSD_UPDATE_ALPHA,
        [RESIDA_SETUP_FAILURE] = RSD_EVALUATE,      [RESIDA_SETUP_OTHER] = RSD_EVALUATE,
        [RESIDA_SETUP_ATTEMPT] = RSD_UPDATE_BLOCKS, [RESIDA_SETUP_AGE] = RSD_EVALUATE,
    };
    return (rsd_renewal){actions[reason], reason};
}

/* --- The plan --- */

/* A repair takes a few calls and leaves a J that serves fewer attempts. So it pays where an evaluation takes many
 * calls, and evaluations take a good part of all; and as long as the motion takes fewer calls with repairs. */
static int repair_pays(const rsd_setup_history *history, resida_setup_reason reason, const rsd_engine_facts *e)
{
    const rsd_spent *with = &history->repaired, *without = &history->evaluated;
    if (!e->can_repair || reason == RESIDA_SETUP_FIRST || e->request) return 0;
    if (e->is_same_time || e->is_repaired || history->failed_repairs >= RSD_REPAIR_FAILS) return 0;
    if (history->evaluations < RSD_REPAIR_AFTER) return 0;
    if (history->evaluation < RSD_REPAIR_FROM || history->of_dFdy < RSD_REPAIR_SHARE * without->calls) return 0;
    const double credit = RSD_REPAIR_CREDIT * (1 - RSD_REPAIR_KEEPS) * without->time;
    return with->calls * without->time < RSD_REPAIR_GAIN * without->calls * (with->time + credit);
}

/* The step was cut after a failure with a dF/dy of just before: dF/dy is as good as it was, alpha is not. */
static int dFdy_may_stay(const rsd_setup_history *history, resida_setup_reason reason, const rsd_engine_facts *e)
{
    return reason == RESIDA_SETUP_FAILURE && e->was_evaluated && !e->is_same_time && history->failures < FAILING;
}

/* The action, as far as the strategy has parts to update: all, for another alpha alone, or none. */
static rsd_action action_of(const rsd_setup_history *history, rsd_renewal renewal, const rsd_engine_facts *e)
{
    if (!e->has_J || !e->is_partitioned || e->request) return RSD_EVALUATE;
    const rsd_action action = dFdy_may_stay(history, renewal.reason, e) ? RSD_UPDATE_BLOCKS : renewal.action;
    return action == RSD_EVALUATE || e->by_costs ? action : RSD_UPDATE_KNOWN;
}

/* The columns that an evaluation finds: at a start, on request and at another y of the same time all; in an attempt
 * that failed with an incomplete evaluation the rest; else those that can have changed since. */
static rsd_extent extent_of(resida_setup_reason reason, const rsd_engine_facts *e)
{
    if (reason == RESIDA_SETUP_FIRST || e->is_moved) return RSD_ALL;
    if (e->is_incomplete && e->is_same_time) return RSD_REST;
    return e->request ? RSD_ALL : RSD_OUTDATED;
}

/* If the iteration fails again and again with a current J, the pattern is searched even if its check has passed: a
 * check perturbs all columns at once, and an entry of 1e-12 F is lost beside one of 1 for a charge with the same
 * increment. */
rsd_plan rsd_renewal_plan(const rsd_setup_history *history, rsd_renewal renewal, const rsd_engine_facts *e)
{
    const resida_setup_reason reason = renewal.reason;
    const int is_recent = e->updates <= RECENT && e->has_history, is_slow = reason == RESIDA_SETUP_OTHER;
    const rsd_trouble trouble = {.is_doubtful = (is_slow || reason == RESIDA_SETUP_FAILURE) && is_recent,
                                 .is_slow_again = is_slow && is_recent,
                                 .is_failing = history->failures >= FAILING,
                                 .after_partial = e->was_partial,
                                 .is_requested = e->request == RESIDA_REQUEST_PATTERN};
    rsd_action action = action_of(history, renewal, e);
    if (action == RSD_EVALUATE && repair_pays(history, reason, e)) action = RSD_REPAIR;
    return (rsd_plan){action, reason == RESIDA_SETUP_FIRST, extent_of(reason, e), trouble};
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
