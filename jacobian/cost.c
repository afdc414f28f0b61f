/* cost.c - estimates the costs of the engine's work, in operations. */
#include "engine_impl.h"

#define ASSUMED_COST   300.0  /* operations per unknown of a function without a given cost */
#define PER_ENTRY      6.0    /* operations of the assembly per entry of J */
#define PER_DIFFERENCE 10.0   /* operations of increments and quotients per unknown and group of columns */
#define PER_UNKNOWN    60.0   /* operations of vectors per unknown and iteration, in IDA and Newton */
#define PER_ITERATION  1000.0 /* operations of an iteration that do not depend on the number of unknowns */
#define PER_EVALUATION 8000.0 /* fixed operations of an evaluation: outdated columns, jumps, pattern check */
#define PER_REPAIR     75.0   /* operations of a repair per entry of J, without calls and solutions */

static double get_call_cost(double given, int n)
{
    return given > 0 ? given : ASSUMED_COST * n;
}

static double estimate_block_cost(const resida_jacobian *jac)
{
    const resida_system *s = &jac->f.s;
    const int n = jac->f.n, groups = s->constraint && !jac->f.combined ? jac->p.constraint.colours.n_groups : 0;
    const double known = s->known ? get_call_cost(s->cost_known, n) : 0;
    return groups > 0 ? known + (groups + 1) * (get_call_cost(s->cost_constraint, n) + PER_DIFFERENCE * n) : known;
}

int rsd_engine_get_call_count(const resida_jacobian *jac)
{
    if (jac->f.strategy->user) return 0;
    const int each = jac->d.work.central && !jac->f.s.times ? 2 : 1; /* number of calls for a difference or product */
    return rsd_engine_is_grouped(jac) ? each * jac->p.formalism.colours.n_groups + !jac->search.is_given
                                      : each * jac->f.n_formalism_columns;
}

static int has_columns_of_dFdy(const resida_jacobian *jac)
{
    return rsd_engine_is_grouped(jac) ? jac->p.formalism.colours.n_groups > 0 : jac->f.n_formalism_columns > 0;
}

/* Compute the costs in renewal.costs. The derivatives of a model depend on alpha. Therefore the strategy "user"
 * evaluates them at every setup. The costs of the strategy "fresh" are numbers of residual calls. */
void rsd_estimate_costs(resida_jacobian *jac)
{
    const resida_system *s = &jac->f.s;
    const rsd_strategy *strategy = jac->f.strategy;
    rsd_renewal *r = &jac->renewal;
    const int n = jac->f.n, calls = rsd_engine_get_call_count(jac), stages = r->attempt.stages;
    const double F = get_call_cost(s->cost_F, n), derivative = get_call_cost(s->cost_derivative, n);
    const double each = s->times && s->cost_times > 0 ? s->cost_times : F; /* cost of one difference or product */
    const double assembly = PER_ENTRY * (double)jac->p.pattern.nnz, blocks = estimate_block_cost(jac);
    const double evaluation = PER_EVALUATION + calls * PER_DIFFERENCE * n;
    rsd_linear_costs l = {.factor = 0, .solve = 0};
    if (jac->factors.linear)
        rsd_linear_get_costs(jac->factors.linear, &l);
    else if (jac->use.ops && jac->use.ops->get_costs)
        jac->use.ops->get_costs(jac->use.self, &l);
    r->repair.work = (PER_REPAIR * (double)jac->p.pattern.nnz + RSD_MAX_DIRECTIONS * l.solve - evaluation) / F;
    if (strategy->by_calls) r->repair.work = 0;
    r->costs = (rsd_costs){.can_age = {1, s->known || jac->f.has_open_C, strategy->user || has_columns_of_dFdy(jac)},
                           .iteration = r->systems * (stages * (F + PER_UNKNOWN * n) + l.solve + PER_ITERATION)};
    double *renewal = r->costs.renewal;
    if (strategy->by_calls) {
        r->costs.iteration = r->systems * stages;
        renewal[RSD_DFDY] = calls;
    } else if (strategy->user) {
        renewal[RSD_FACTORS] = assembly + (blocks + derivative) + l.factor;
        renewal[RSD_BLOCKS] = renewal[RSD_DFDY] = renewal[RSD_FACTORS];
    } else {
        renewal[RSD_FACTORS] = assembly + l.factor;
        renewal[RSD_BLOCKS] = renewal[RSD_FACTORS] + blocks;
        renewal[RSD_DFDY] = renewal[RSD_BLOCKS] + (evaluation + calls * each);
    }
}

void rsd_engine_set_costs(resida_jacobian *jac, const resida_system *costs)
{
    resida_system *s = &jac->f.s;
    s->cost_F = costs->cost_F;
    s->cost_constraint = costs->cost_constraint;
    s->cost_known = costs->cost_known;
    s->cost_derivative = costs->cost_derivative;
    s->cost_times = costs->cost_times;
}
