/* model_cost.c - see model_cost.h. A solver that measures costs tells what they are taken to be before its start, and
 * what they were found to be after it. */
#include "model_cost.h"

#include <string.h>

static resida_status ask(const resida_solver *solver, double *cost)
{
    resida_stats stats = {.size = sizeof stats};
    resida_status status = resida_solver_stats(solver, &stats);
    memcpy(cost, &stats.callback_costs, sizeof stats.callback_costs);
    return status;
}

int bench_weighs(const char *strategy)
{
    return strcmp(strategy, "auto") == 0 || strcmp(strategy, "user") == 0;
}

resida_status bench_model_cost_find(const bench_job *job, bench_model_cost *cost, resida_message *why)
{
    const resida_model *m = &job->model->model;
    const resida_callback_costs *said = m->is_dae ? &m->dae.cost : &m->mechanism.cost;
    double by_model[BENCH_CALLBACKS];
    bench_handles h = {0};
    resida_solver_options o;
    resida_solver_options_init(&o);
    o.rtol = m->rtol;
    o.atol = m->atol;
    o.call_cost = "measured";
    memcpy(by_model, said, sizeof by_model);
    for (int i = 0; i < BENCH_CALLBACKS; i++) cost->is_said[i] = by_model[i] > 0;
    resida_status status = bench_problem_open(job, &h.problem, why);
    if (status >= 0) status = resida_solver_create(&h.solver, h.problem, &o, why);
    if (status >= 0) status = resida_run_create(&h.run, m, h.solver, why);
    if (status >= 0) status = ask(h.solver, cost->taken);
    if (status >= 0) {
        status = bench_handles_start(&h, job);
        if (status < 0) snprintf(why->text, sizeof why->text, "%s", resida_solver_message(h.solver));
    }
    if (status >= 0) status = ask(h.solver, cost->measured);
    bench_handles_close(&h);
    return status;
}
