/* hints.c - see hints.h. The costs of calls are measured once more in isolation, because other programs slow down a run
 * while it is measured. From the run's own profile only ratios are used, which other programs do not change. */
#include "hints.h"

#include "model_cost.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FEW_STEPS = 50 }; /* shorter runs give no reliable profile */

/* Ratio in either direction. It is so large that neither the clock nor the machine determines the hint: measured costs
 * of the same callback vary by a factor of 4, assumed costs of the built-in models by a factor of 16. */
#define FAR_OFF 16.0
#define SHARE   0.2  /* of the run's time: no hint is given for a callback with a smaller share */
#define ABSURD  5.0  /* times the run's time: the time that all calls would take at the assumed cost */
enum { LOOKS = 3 };  /* measurements that must all agree */
#define A_LOOK 100.0 /* operations: two clock readings, which the profile includes in each call */

/** Return 1 if the cost of a callback with this share of the run is so wrong that it would change decisions. */
static int misleads(double taken, double measured, double share)
{
    if (measured >= FAR_OFF * taken) return share >= SHARE;
    measured = fmax(measured, A_LOOK);
    return taken >= FAR_OFF * measured && share * taken / measured >= ABSURD;
}

/* Return the callback whose cost is misleading, or -1 if there is none. */
static int misleading(const resida_profile *p, const cmd_model_cost *cost)
{
    double seconds[CMD_COSTS];
    memcpy(seconds, &p->callbacks, CMD_OF_PRODUCTS * sizeof *seconds);
    seconds[CMD_OF_PRODUCTS] = p->callbacks.jacobian_times + p->callbacks.residual_times;
    for (int i = 0; i < CMD_COSTS; i++)
        if (cost->measured[i] != 0 && misleads(cost->taken[i], cost->measured[i], seconds[i] / p->total)) return i;
    return -1;
}

/* Add the hint. The measurement is repeated, because other programs can disturb one measurement but rarely all. */
static void hint_cost(const cmd_job *job, cmd_row *row)
{
    char name[CMD_COST_NAME];
    cmd_model_cost cost;
    resida_message why;
    int i = -1;
    if (!(row->stats.profile.total > 0) || !cmd_weighs(row->stats.jacobian)) return;
    for (int look = 0; look < LOOKS; look++) {
        if (cmd_model_cost_find(job, &cost, &why) < 0) return;
        i = misleading(&row->stats.profile, &cost);
        if (i < 0) return;
    }
    snprintf(row->hints[row->n_hints++], sizeof row->hints[0],
             "a call of %s takes about %.2g operations, %.2g are %s: set %s of the model", cmd_cost_of(i),
             cost.measured[i], cost.taken[i], cost.is_said[i] ? "said" : "assumed", cmd_cost_name(i, name));
}

void cmd_hint_cost(const cmd_job *job, cmd_row *row)
{
    if (!job->peer && row->outcome == CMD_OK && row->stats.steps >= FEW_STEPS && row->n_hints < CMD_HINTS)
        hint_cost(job, row);
}
