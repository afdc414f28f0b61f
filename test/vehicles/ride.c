/* ride.c - see ride.h. */
#include "ride.h"
#include "test/fixtures/solver_fixture.h"

static resida_problem *make_problem(const resida_model *m, const ride_order *o)
{
    resida_problem_options options = test_problem_options();
    options.formalism = o->formalism;
    return test_problem(&m->mechanism, &options);
}

static resida_solver *make_solver(resida_problem *problem, const resida_model *m, const ride_order *o, double t_end)
{
    resida_solver_options options = test_solver_options();
    options.rtol = o->rtol > 0 ? o->rtol : m->rtol;
    options.atol = o->atol > 0 ? o->atol : m->atol;
    options.t_stop = t_end;
    if (o->jacobian) options.jacobian = o->jacobian;
    return test_solver_of(problem, &options);
}

static void show(resida_solver *solver, ride_visit *visit, void *context)
{
    resida_state state = test_state(solver);
    if (visit) visit(&state, context);
}

resida_stats ride(bench *b, ride_order o, ride_visit *visit, void *context)
{
    const resida_model *m = &b->model;
    const double t_end = o.t_end > 0 ? o.t_end : m->t_end;
    const int outputs = o.outputs > 0 ? o.outputs : 100;
    resida_problem *problem = make_problem(m, &o);
    resida_solver *solver = make_solver(problem, m, &o, t_end);
    resida_status status = resida_solver_start(solver, m->t0, m->p0, m->v0, NULL, NULL);
    if (status >= 0) show(solver, visit, context);
    for (int i = 1; i <= outputs && status >= 0; i++) {
        const double t = i == outputs ? t_end : m->t0 + (t_end - m->t0) * i / outputs;
        do status = resida_solver_advance(solver, t);
        while (status == RESIDA_EVENT);
        if (status >= 0) show(solver, visit, context);
    }
    if (status < 0) fail_msg("%s", resida_solver_message(solver));
    resida_stats stats = test_stats(solver);
    return stats;
}
