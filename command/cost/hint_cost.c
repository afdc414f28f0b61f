/* hint_cost.c - see hint_cost.h. Costs are measured once more, calls alone, as other programs that take time while a
 * model runs make it slower; of the run's own profile shares are looked at, which such programs leave as they are. */
#include "hint_cost.h"

#include <math.h>
#include <string.h>

/* Both ways, so that neither the clock nor another machine decides: measured costs of the same callback differ by a
 * factor of four, assumed ones of the built-in models by one of sixteen. */
#define FAR_OFF 16.0
#define SHARE   0.2   /* of the run's time: a callback that takes less is not worth a word */
#define ABSURD  5.0   /* times the run's time: that of all calls, if it were as is assumed */
#define A_LOOK  100.0 /* operations: two looks at the clock, which the profile has in each call */

/** Is a callback that takes this share of the run so far off that other decisions would show? */
static int misleads(double taken, double measured, double share)
{
    if (measured >= FAR_OFF * taken) return share >= SHARE;
    measured = fmax(measured, A_LOOK);
    return taken >= FAR_OFF * measured && share * taken / measured >= ABSURD;
}

int bench_hint_cost(const bench_job *job, const bench_row *row, char *text, size_t size)
{
    const resida_profile *p = &row->stats.profile;
    char name[BENCH_COST_NAME];
    double seconds[BENCH_COSTS];
    bench_model_cost cost;
    resida_message why;
    if (!(p->total > 0) || !bench_weighs(row->stats.jacobian)) return 0;
    if (bench_model_cost_find(job, &cost, &why) < 0) return 0;
    memcpy(seconds, &p->callbacks, BENCH_OF_PRODUCTS * sizeof *seconds);
    seconds[BENCH_OF_PRODUCTS] = p->callbacks.jacobian_times + p->callbacks.residual_times;
    for (int i = 0; i < BENCH_COSTS; i++) {
        if (cost.measured[i] == 0 || !misleads(cost.taken[i], cost.measured[i], seconds[i] / p->total)) continue;
        snprintf(text, size, "a call of %s takes about %.2g operations, %.2g are %s: set %s of the model",
                 bench_cost_of(i), cost.measured[i], cost.taken[i], cost.is_said[i] ? "said" : "assumed",
                 bench_cost_name(i, name));
        return 1;
    }
    return 0;
}
