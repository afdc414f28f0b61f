/* model_cost.c - see model_cost.h. A solver returns the assumed costs before its start, and the measured costs after
 * it. */
#include "model_cost.h"

#include <stdio.h>
#include <string.h>

static resida_status get_costs(const resida_solver *solver, double *cost)
{
    resida_stats stats = {.size = sizeof stats};
    resida_status status = resida_solver_stats(solver, &stats);
    memcpy(cost, &stats.callback_costs, sizeof stats.callback_costs);
    cost[CMD_OF_PRODUCTS] = stats.product_cost;
    return status;
}

const char *cmd_cost_callback(int i)
{
    return i == CMD_OF_PRODUCTS ? "products" : resida_callback_at(i);
}

const char *cmd_cost_name(int i, char text[CMD_COST_NAME])
{
    snprintf(text, CMD_COST_NAME, i == CMD_OF_PRODUCTS ? "%s.cost" : "cost.%s", cmd_cost_callback(i));
    return text;
}

int cmd_strategy_uses_costs(const char *strategy)
{
    return strcmp(strategy, "auto") == 0 || strcmp(strategy, "user") == 0;
}

resida_status cmd_model_cost_find(const cmd_job *job, cmd_model_cost *cost, resida_message *why)
{
    const resida_model *m = &job->model->model;
    const resida_callback_costs *said = m->is_dae ? &m->dae.cost : &m->mechanism.cost;
    double by_model[CMD_COSTS];
    cmd_handles h = {0};
    resida_solver_options o;
    resida_solver_options_init(&o);
    o.rtol = m->rtol;
    o.atol = m->atol;
    o.call_cost = "measured";
    memcpy(by_model, said, sizeof *said);
    by_model[CMD_OF_PRODUCTS] = m->products ? m->products->cost : 0;
    for (int i = 0; i < CMD_COSTS; i++) cost->is_said[i] = by_model[i] > 0;
    resida_status status = cmd_problem_open(job, &h.problem, why);
    if (status >= 0) status = resida_solver_create(&h.solver, h.problem, &o, why);
    if (status >= 0) status = resida_run_create(&h.run, m, h.solver, why);
    if (status >= 0) status = get_costs(h.solver, cost->taken);
    if (status >= 0) {
        status = cmd_handles_start(&h, job);
        if (status < 0) snprintf(why->text, sizeof why->text, "%s", resida_solver_message(h.solver));
    }
    if (status >= 0) status = get_costs(h.solver, cost->measured);
    cmd_handles_close(&h);
    return status;
}
