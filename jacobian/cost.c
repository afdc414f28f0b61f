/* cost.c - the costs of the engine's work, in operations. */
#include "engine_impl.h"

#define ASSUMED        300.0  /* of a function, per unknown, where the system gives no cost */
#define PER_ENTRY      6.0    /* of the assembly, per entry of J */
#define PER_DIFFERENCE 10.0   /* of increments and quotients, per unknown and group */
#define PER_EVALUATION 8000.0 /* of outdated columns, jumps and the pattern check, besides calls */

static double cost_of_call(double given, int n)
{
    return given > 0 ? given : ASSUMED * n;
}

static double cost_of_blocks(const resida_jacobian *jac)
{
    const resida_system *s = &jac->f.s;
    const int n = jac->f.n, groups = s->constraint && !jac->f.combined ? jac->p.constraint.colours.n_groups : 0;
    const double known = s->known ? cost_of_call(s->cost_known, n) : 0;
    return groups > 0 ? known + (groups + 1) * (cost_of_call(s->cost_constraint, n) + PER_DIFFERENCE * n) : known;
}

int rsd_engine_cost(const resida_jacobian *jac)
{
    if (jac->f.strategy->user) return 0;
    return rsd_engine_is_grouped(jac) ? jac->p.formalism.colours.n_groups + !jac->search.is_given
                                      : jac->f.n_formalism_columns;
}

/* 1: some column of dF/dy is not known to be zero. */
static int has_columns_of_dFdy(const resida_jacobian *jac)
{
    return rsd_engine_is_grouped(jac) ? jac->p.formalism.colours.n_groups > 0 : jac->f.n_formalism_columns > 0;
}

/* A model's own derivatives belong to one alpha, so they are evaluated with the assembly. */
void rsd_engine_get_costs(const resida_jacobian *jac, rsd_engine_costs *c)
{
    const resida_system *s = &jac->f.s;
    const rsd_strategy *strategy = jac->f.strategy;
    const double F = cost_of_call(s->cost_F, jac->f.n), derivative = cost_of_call(s->cost_derivative, jac->f.n);
    const double each = s->times && s->cost_times > 0 ? s->cost_times : F; /* difference, or product */
    *c = (rsd_engine_costs){.F = F,
                            .assembly = PER_ENTRY * (double)jac->p.pattern.nnz,
                            .blocks = cost_of_blocks(jac),
                            .calls = rsd_engine_cost(jac),
                            .has_blocks = s->known || jac->f.has_open_C,
                            .has_dFdy = strategy->user || has_columns_of_dFdy(jac),
                            .by_calls = strategy->by_calls};
    c->evaluation = strategy->user ? derivative : PER_EVALUATION + c->calls * (each + PER_DIFFERENCE * jac->f.n);
    if (!strategy->user) return;
    c->assembly += c->blocks + derivative;
    c->blocks = c->evaluation = 0;
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
