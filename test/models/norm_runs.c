/* norm_runs.c - see norm_runs.h. */
#include "norm_runs.h"
#include "test/fixtures/solver_fixture.h"

const char *const norm_forms[NORM_FORMS] = {
    "ggl",       "index2",     "index1",     "baumgarte",   "index3",
    "augmented", "projected1", "projected2", "state-space", "hiller-anantharaman"};

resida_status norm_open(norm_run *r, const norm_variant *x, const resida_start_options *so, resida_start_report *report,
                        resida_message *why)
{
    *r = (norm_run){.g = x->g};
    resida_mechanism m = gyro_mechanism(&r->g);
    resida_problem_options po = test_problem_options();
    resida_solver_options o = test_solver_options();
    po.form = x->form ? x->form : po.form;
    po.formalism = x->formalism;
    po.step_projection = x->step_projection;
    m.thread_safe = 1;
    o.rtol = o.atol = x->tol > 0 ? x->tol : 1e-6;
    o.jacobian = x->jacobian ? x->jacobian : o.jacobian;
    o.method = x->method ? x->method : o.method;
    o.step = x->step;
    o.threads = x->threads > 0 ? x->threads : 1;
    gyro_start(&r->g, r->p0, r->v0);
    resida_status status = resida_problem_create(&r->problem, &m, &po, why);
    if (status < 0) return status;
    test_own_problem(r->problem);
    status = resida_solver_create(&r->solver, r->problem, &o, why);
    if (status < 0) return status;
    test_own_solver(r->solver);
    status = resida_solver_start(r->solver, 0, r->p0, r->v0, so, report);
    if (status < 0) snprintf(why->text, sizeof why->text, "%s", resida_solver_message(r->solver));
    return status;
}

void norm_open_fine(norm_run *r, const norm_variant *x)
{
    resida_message why = {""};
    if (norm_open(r, x, NULL, NULL, &why) < 0) fail_msg("%s: %s", x->form ? x->form : "", why.text);
}

double norm_off(norm_run *r)
{
    double k = NAN;
    resida_state at = test_state(r->solver);
    if (r->g.n_k == 0) return gyro_off(&r->g, at.p) / 2;
    assert_int_equal(resida_problem_invariants(r->problem, at.t, at.p, &k), RESIDA_OK);
    return k;
}

double norm_worst(const norm_variant *x, double t_end, int outputs)
{
    norm_run r;
    resida_state at;
    double worst = 0;
    norm_open_fine(&r, x);
    for (int i = 1; i <= outputs; i++) {
        const double t = t_end * i / outputs;
        do {
            if (resida_solver_step(r.solver, t) < 0) fail_msg("%s: %s", x->form, resida_solver_message(r.solver));
            worst = fmax(worst, fabs(norm_off(&r)));
            at = test_state(r.solver);
        } while (at.t < t);
    }
    return worst;
}

void norm_end(const norm_variant *x, double *end)
{
    norm_run r;
    norm_open_fine(&r, x);
    if (resida_solver_advance(r.solver, 1) != RESIDA_OK) fail_msg("%s: %s", x->form, resida_solver_message(r.solver));
    resida_state at = test_state(r.solver);
    memset(end, 0, 7 * sizeof *end);
    memcpy(end, x->g.is_joint ? at.p + 3 : at.p, 4 * sizeof *end);
    if (x->g.is_joint) memcpy(end + 4, at.lam, 3 * sizeof *end);
}

double norm_apart(const double *x, const double *y, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = isfinite(x[i]) ? fmax(most, fabs(x[i] - y[i])) : INFINITY;
    return most;
}
