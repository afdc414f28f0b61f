/* hints.c - see hints.h. Costs of calls are measured once more, calls alone, because other programs that take time
 * while a model runs make it slower. Of the run's own profile shares are used, which such programs do not change. */
#include "hints.h"

#include "model_cost.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FEW_STEPS = 50 }; /* a shorter run shows little */

/* Both ways, so that neither the clock nor another machine decides: measured costs of the same callback differ by a
 * factor of four, assumed ones of the built-in models by one of sixteen. */
#define FAR_OFF 16.0
#define SHARE   0.2  /* of the run's time: a callback that takes less is not worth a word */
#define ABSURD  5.0  /* times the run's time: that of all calls, if it were as is assumed */
enum { LOOKS = 3 };  /* measurements that have to agree */
#define A_LOOK 100.0 /* operations: two looks at the clock, which the profile has in each call */

/** Is a callback that takes this share of the run so far off that other decisions would show? */
static int misleads(double taken, double measured, double share)
{
    if (measured >= FAR_OFF * taken) return share >= SHARE;
    measured = fmax(measured, A_LOOK);
    return taken >= FAR_OFF * measured && share * taken / measured >= ABSURD;
}

/* The callback whose cost misleads; -1: none does. */
static int misleading(const resida_profile *p, const cmd_model_cost *cost)
{
    double seconds[CMD_COSTS];
    memcpy(seconds, &p->callbacks, CMD_OF_PRODUCTS * sizeof *seconds);
    seconds[CMD_OF_PRODUCTS] = p->callbacks.jacobian_times + p->callbacks.residual_times;
    for (int i = 0; i < CMD_COSTS; i++)
        if (cost->measured[i] != 0 && misleads(cost->taken[i], cost->measured[i], seconds[i] / p->total)) return i;
    return -1;
}

/* Other programs can take the processor in the middle of one measurement, hardly of each. */
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
