/* flexible_run.c - see flexible_run.h. */
#include "flexible_run.h"
#include "test/fixtures/solver_fixture.h"

void flexible_make(flexible_run *r, const char *model, const bench_setting *settings)
{
    const bench *b = bench_make(model, settings);
    *r = (flexible_run){.cls = b->cls, .model = b->model};
    r->s = r->model.mechanism.user;
}

void flexible_start(flexible_run *r, const char *form, const resida_solver_options *o, const double *v0)
{
    resida_problem_options f = test_problem_options();
    f.form = form;
    test_solver_make(&r->problem, &r->solver, &r->model.mechanism, form ? &f : NULL, o);
    if (resida_solver_start(r->solver, r->model.t0, r->model.p0, v0 ? v0 : r->model.v0, NULL, NULL) < 0)
        fail_msg("%s", resida_solver_message(r->solver));
}

void flexible_open(flexible_run *r, const char *model, const bench_setting *settings, double tolerance,
                   const char *jacobian)
{
    resida_solver_options o = test_solver_options();
    flexible_make(r, model, settings);
    o.rtol = tolerance * r->model.rtol, o.atol = tolerance * r->model.atol;
    if (jacobian) o.jacobian = jacobian;
    flexible_start(r, NULL, &o, NULL);
}

void flexible_go(flexible_run *r, double t)
{
    r->stats.size = sizeof r->stats;
    if (resida_solver_advance(r->solver, t) < 0 || resida_solver_state(r->solver, &r->now) < 0 ||
        resida_solver_stats(r->solver, &r->stats) < 0)
        fail_msg("%s: %s", r->cls->name, resida_solver_message(r->solver));
}

mb_vec flexible_node(const flexible_run *r, int node)
{
    const double *q = r->now.p + BM_P * node;
    return (mb_vec){q[0], q[1], q[2]};
}
