/* run_model.c - from a model's name to figures, by the public interface alone. */
#include "run_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models.h"

static resida_problem *make_problem(const resida_model *model, const run_order *o)
{
    resida_problem *problem = NULL;
    resida_message why = {""};
    resida_problem_options options;
    resida_problem_options_init(&options);
    if (o->form) options.form = o->form;
    options.formalism = o->formalism;
    options.gamma = o->gamma;
    options.penalty = o->penalty;
    if (o->projection) options.projection = o->projection;
    options.step_projection = o->step_projection;
    resida_status status = model->is_dae ? resida_problem_create_dae(&problem, &model->dae, &options, &why)
                                         : resida_problem_create(&problem, &model->mechanism, &options, &why);
    if (status < 0) fail_msg("%s: %s", o->model, why.text);
    return problem;
}

static resida_solver *make_solver(resida_problem *problem, const resida_model *model, const run_order *o, double t_end)
{
    resida_solver *solver = NULL;
    resida_message why = {""};
    resida_solver_options options;
    resida_solver_options_init(&options);
    options.rtol = o->rtol > 0 ? o->rtol : model->rtol;
    options.atol = o->atol > 0 ? o->atol : o->rtol > 0 ? o->rtol : model->atol;
    options.t_stop = t_end;
    options.newton_tolerance = o->newton_tolerance;
    options.stability_detection = !o->all_orders;
    if (o->jacobian) options.jacobian = o->jacobian;
    if (resida_solver_create(&solver, problem, &options, &why) < 0) fail_msg("%s: %s", o->model, why.text);
    return solver;
}

static double largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

static void compare_with_reference(run_result *r, const resida_model *model, const resida_state *state)
{
    double *p = calloc((size_t)r->n_p, sizeof *p), *v = calloc((size_t)r->n_v + 1, sizeof *v);
    const double *x = model->is_dae ? state->y : state->p;
    r->error_p = r->error_v = r->scd_p = r->mescd_p = NAN;
    if (model->reference && model->reference(model, state->t, p, model->is_dae ? NULL : v, NULL) == 0) {
        double relative = 0, mixed = 0;
        r->error_p = r->error_v = 0;
        for (int i = 0; i < r->n_p; i++) {
            double error = fabs(x[i] - p[i]);
            r->error_p = fmax(r->error_p, error);
            relative = fmax(relative, error / fabs(p[i]));
            mixed = fmax(mixed, error / (1 + fabs(p[i])));
        }
        for (int i = 0; i < r->n_v; i++) r->error_v = fmax(r->error_v, fabs(state->v[i] - v[i]));
        r->scd_p = -log10(relative);
        r->mescd_p = -log10(mixed);
    }
    free(p);
    free(v);
}

static void record(run_result *r, int k, const resida_model *model, resida_problem *problem, const resida_state *state)
{
    double *g = calloc(2 * (size_t)r->n_l + 1, sizeof *g), *gv = g + r->n_l;
    memcpy(r->p + (size_t)k * (size_t)r->n_p, model->is_dae ? state->y : state->p, (size_t)r->n_p * sizeof *r->p);
    if (r->n_l > 0) {
        assert_int_equal(resida_problem_constraints(problem, state->t, state->p, state->v, g, gv), RESIDA_OK);
        r->drift_g = fmax(r->drift_g, largest(g, model->mechanism.n_g));
        r->drift_gv = fmax(r->drift_gv, largest(gv, r->n_l));
        memcpy(r->lam, state->lam, (size_t)r->n_l * sizeof *r->lam);
    }
    free(g);
}

static void integrate(run_result *r, const resida_model *model, resida_problem *problem, resida_solver *solver,
                      double t_end)
{
    resida_state state;
    r->status = model->is_dae ? resida_solver_start_dae(solver, model->t0, model->y0, model->yp0)
                              : resida_solver_start(solver, model->t0, model->p0, model->v0, NULL, NULL);
    for (int k = 0; k < r->outputs && r->status >= 0; k++) {
        double t = k + 1 == r->outputs ? t_end : model->t0 + (t_end - model->t0) * (k + 1) / r->outputs;
        r->status = resida_solver_advance(solver, t);
        assert_int_equal(resida_solver_state(solver, &state), RESIDA_OK);
        record(r, k, model, problem, &state);
    }
    if (r->status >= 0) compare_with_reference(r, model, &state);
    strcpy(r->message, resida_solver_message(solver));
    r->stats.size = sizeof r->stats;
    assert_int_equal(resida_solver_stats(solver, &r->stats), RESIDA_OK);
}

run_result run_model(run_order o)
{
    run_result r = {.outputs = o.outputs > 0 ? o.outputs : 100};
    resida_model model;
    memset(&model, 0, sizeof model);
    resida_message why = {""};
    const resida_model_class *cls = bench_model_find(o.model);
    assert_non_null(cls);
    if (resida_model_create(cls, o.parameter ? 1 : 0, &o.parameter, &o.value, &model, &why) < 0)
        fail_msg("%s", why.text);
    const resida_mechanism *m = &model.mechanism;
    r.n_p = model.is_dae ? model.dae.n : m->n_p;
    r.n_v = model.is_dae ? 0 : m->n_v;
    r.n_l = model.is_dae ? 0 : m->n_g + m->n_h;
    r.p = calloc((size_t)r.n_p * (size_t)r.outputs, sizeof *r.p);
    r.lam = calloc((size_t)r.n_l + 1, sizeof *r.lam);
    double t_end = o.t_end > 0 ? o.t_end : model.t_end;
    resida_problem *problem = make_problem(&model, &o);
    resida_solver *solver = make_solver(problem, &model, &o, t_end);
    integrate(&r, &model, problem, solver, t_end);
    resida_solver_free(solver);
    resida_problem_free(problem);
    resida_model_destroy(cls, &model);
    return r;
}

void run_free(run_result *r)
{
    free(r->p);
    free(r->lam);
    *r = (run_result){.status = r->status};
}
