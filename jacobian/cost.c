/* cost.c - what the engine's work costs, in operations. */
#include "engine_impl.h"

#define ASSUMED        300.0  /* of a function for each unknown, where nothing is said */
#define PER_ENTRY      6.0    /* of J put together, for each entry */
#define PER_DIFFERENCE 10.0   /* for each unknown and group: increments, quotients */
#define PER_EVALUATION 8000.0 /* beside its calls: what may stay, jumps, the check of the pattern */

static double call(double given, int n)
{
    return given > 0 ? given : ASSUMED * n;
}

/* Known entries, and differences of the cheap part. */
static double blocks(const resida_jacobian *j)
{
    const resida_system *s = &j->f.s;
    const int n = j->f.n, groups = s->cheap && !j->f.combined ? j->p.cheap.colours.n_groups : 0;
    const double known = s->known ? call(s->cost_known, n) : 0;
    return groups > 0 ? known + (groups + 1) * (call(s->cost_cheap, n) + PER_DIFFERENCE * n) : known;
}

int rsd_engine_cost(const resida_jacobian *j)
{
    if (j->f.strategy->user) return 0;
    return rsd_engine_is_grouped(j) ? j->p.dear.colours.n_groups + !j->search.is_given : j->f.n_dear_columns;
}

/* As far as is known some column of dF/dy is not zero. */
static int has_columns(const resida_jacobian *j)
{
    return rsd_engine_is_grouped(j) ? j->p.dear.colours.n_groups > 0 : j->f.n_dear_columns > 0;
}

/* The model's own derivatives are of one alpha, too. */
void rsd_engine_get_costs(const resida_jacobian *j, rsd_engine_costs *c)
{
    const resida_system *s = &j->f.s;
    const rsd_strategy *strategy = j->f.strategy;
    const double F = call(s->cost_F, j->f.n), derivative = call(s->cost_derivative, j->f.n);
    const double each = s->times && s->cost_times > 0 ? s->cost_times : F; /* difference, or product */
    *c = (rsd_engine_costs){.F = F,
                            .assembly = PER_ENTRY * (double)j->p.pattern.nnz,
                            .blocks = blocks(j),
                            .calls = rsd_engine_cost(j),
                            .has_blocks = s->known || j->f.has_open_C,
                            .has_dFdy = strategy->user || has_columns(j),
                            .by_calls = strategy->by_calls};
    c->evaluation = strategy->user ? derivative : PER_EVALUATION + c->calls * (each + PER_DIFFERENCE * j->f.n);
    if (!strategy->user) return;
    c->assembly += c->blocks + derivative;
    c->blocks = c->evaluation = 0;
}

void rsd_engine_set_costs(resida_jacobian *j, const resida_system *costs)
{
    resida_system *s = &j->f.s;
    s->cost_F = costs->cost_F;
    s->cost_cheap = costs->cost_cheap;
    s->cost_known = costs->cost_known;
    s->cost_derivative = costs->cost_derivative;
    s->cost_times = costs->cost_times;
}
