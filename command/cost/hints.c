/* hints.c - see hints.h. The costs of calls are measured again in isolation, because other programs slow down a run.
 * Only ratios are taken from the profile of the run. They do not depend on other programs. */
#include "hints.h"

#include "model_cost.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FEW_STEPS = 50 }; /* shorter runs give no reliable profile */
#define MIN_SECONDS 1e-2 /* processor time; in shorter runs an interruption changes the shares */

/* Max. ratio of costs in either direction. Measured costs of the same callback vary by a factor of 4, assumed costs of
 * the built-in models by a factor of 16. Neither clock nor machine determines the hint. */
#define MIN_COST_RATIO 16.0
#define MIN_SHARE      0.2 /* min. share of a callback in the run time */
#define MAX_TIME_RATIO 5.0 /* max. time of all calls at the assumed cost, over the run time */
enum { MEASUREMENTS = 3 }; /* measurements that must all agree */
#define CLOCK_COST 100.0   /* cost of two clock readings in operations, which the profile includes in each call */

/** Return 1 if the cost of a callback with this share of the run is wrong enough to change decisions. */
static int is_cost_misleading(double taken, double measured, double share)
{
    if (measured >= MIN_COST_RATIO * taken) return share >= MIN_SHARE;
    measured = fmax(measured, CLOCK_COST);
    return taken >= MIN_COST_RATIO * measured && share * taken / measured >= MAX_TIME_RATIO;
}

/* Return the callback whose cost is misleading, or -1 if there is none. */
static int find_misleading_cost(const resida_profile *p, const cmd_model_cost *cost)
{
    double seconds[CMD_COSTS];
    memcpy(seconds, &p->callbacks, CMD_OF_PRODUCTS * sizeof *seconds);
    seconds[CMD_OF_PRODUCTS] = p->callbacks.jacobian_times + p->callbacks.residual_times;
    for (int i = 0; i < CMD_COSTS; i++)
        if (cost->measured[i] != 0 && is_cost_misleading(cost->taken[i], cost->measured[i], seconds[i] / p->total))
            return i;
    return -1;
}

/* Add the hint after a second measurement, because another program can disturb one measurement but rarely all. */
static void add_cost_hint(const cmd_job *job, cmd_row *row)
{
    char name[CMD_COST_NAME];
    cmd_model_cost cost;
    resida_message why;
    int i = -1;
    if (!(row->stats.profile.total > 0) || !cmd_strategy_uses_costs(row->stats.jacobian)) return;
    for (int look = 0; look < MEASUREMENTS; look++) {
        if (cmd_model_cost_find(job, &cost, &why) < 0) return;
        i = find_misleading_cost(&row->stats.profile, &cost);
        if (i < 0) return;
    }
    snprintf(row->hints[row->n_hints++], sizeof row->hints[0],
             "a call of %s takes about %.2g operations, but %.2g are %s: set %s of the model", cmd_cost_callback(i),
             cost.measured[i], cost.taken[i], cost.is_said[i] ? "said" : "assumed", cmd_cost_name(i, name));
}

void cmd_hint_cost(const cmd_job *job, cmd_row *row)
{
    if (!job->peer && row->outcome == CMD_OK && row->stats.steps >= FEW_STEPS && row->cpu_s.median >= MIN_SECONDS &&
        row->n_hints < CMD_HINTS)
        add_cost_hint(job, row);
}
