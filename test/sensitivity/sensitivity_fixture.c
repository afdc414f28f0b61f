/* sensitivity_fixture.c - see sensitivity_fixture.h. */
#include "sensitivity_fixture.h"
#include "benchmarks/models/models.h"
#include "test/fixtures/solver_fixture.h"

#define PART 0x1p-22 /* of a parameter */

resida_problem *dae_of(int n, resida_dae_residual_fn *residual, void *user)
{
    resida_dae dae = test_dae();
    dae.n = n;
    dae.user = user;
    dae.residual = residual;
    return test_problem_dae(&dae, NULL);
}

typedef struct instance {
    const resida_model_class *cls;
    resida_model model;
    resida_problem *problem;
} instance;

static double value_of(const resida_model_class *cls, const char *name, const carried_order *o)
{
    if (o->set && strcmp(o->set, name) == 0) return o->value;
    for (int k = 0; k < cls->n_parameters; k++)
        if (strcmp(cls->parameters[k].name, name) == 0) return cls->parameters[k].value;
    fail_msg("%s has no parameter %s", cls->name, name);
    return NAN;
}

static void make(instance *i, const carried_order *o, const char *moved, double value)
{
    const char *names[2] = {o->set, moved};
    double values[2] = {o->value, value};
    const int first = !o->set || (moved && strcmp(moved, o->set) == 0), n = (moved ? 2 : 1) - first;
    i->cls = bench_model_find(o->model);
    assert_non_null(i->cls);
    i->model = test_model(i->cls, n, names + first, values + first);
    resida_problem_options options = test_problem_options();
    if (o->form) options.form = o->form;
    options.formalism = o->formalism;
    i->problem =
        i->model.is_dae ? test_problem_dae(&i->model.dae, &options) : test_problem(&i->model.mechanism, &options);
}

static void take(const resida_model *m, const resida_state *s, int *n, double *to)
{
    const struct {
        const double *x;
        int n;
    } parts[] = {{m->is_dae ? s->y : s->p, m->is_dae ? m->dae.n : m->mechanism.n_p},
                 {s->v, m->is_dae ? 0 : m->mechanism.n_v},
                 {s->lam, m->is_dae ? 0 : m->mechanism.n_g}};
    *n = 0;
    for (int k = 0; k < 3; k++) {
        if (!parts[k].x) continue;
        assert_true(*n + parts[k].n <= MAX_Y);
        memcpy(to + *n, parts[k].x, (size_t)parts[k].n * sizeof *to);
        *n += parts[k].n;
    }
}

static resida_solver *open(const instance *i, const carried_order *o)
{
    resida_solver_options options = test_solver_options();
    options.rtol = o->rtol > 0 ? o->rtol : i->model.rtol;
    options.atol = o->atol > 0 ? o->atol : i->model.atol;
    if (o->jacobian) options.jacobian = o->jacobian;
    return test_solver_of(i->problem, &options);
}

static void go(resida_run *run, resida_solver *solver, double t)
{
    resida_status status = resida_run_start(run, NULL, NULL);
    while (status >= 0 && (status = resida_run_advance(run, t)) == RESIDA_EVENT) continue;
    if (status != RESIDA_OK) fail_msg("%s", resida_solver_message(solver));
}

static void keep(carried *c, const instance *own, int n, resida_solver *solver)
{
    resida_state state = test_state(solver);
    take(&own->model, &state, &c->n, c->y);
    for (int i = 0; i < n; i++) {
        assert_int_equal(resida_solver_sensitivity(solver, i, &state), RESIDA_OK);
        take(&own->model, &state, &c->n, c->s[i]);
    }
    resida_stats stats = test_stats(solver);
    c->calls = stats.residual_calls.total;
    c->steps = stats.steps;
    c->counts.size = sizeof c->counts;
    if (n > 0) assert_int_equal(resida_solver_sensitivity_counts(solver, &c->counts), RESIDA_OK);
}

carried carry(carried_order o)
{
    carried c = {0};
    instance own, moved[MAX_BY];
    resida_sensitivity by[MAX_BY];
    const resida_model *models[MAX_BY];
    int n = 0;
    make(&own, &o, NULL, 0);
    for (; n < MAX_BY && o.by[n]; n++) {
        const double value = value_of(own.cls, o.by[n], &o);
        resida_sensitivity_init(&by[n]);
        by[n].name = o.by[n];
        by[n].scale = value != 0 ? fabs(value) : 1;
        by[n].delta = value + PART * by[n].scale - value;
        make(&moved[n], &o, o.by[n], value + by[n].delta);
        by[n].moved = moved[n].problem;
        models[n] = &moved[n].model;
    }
    resida_solver *solver = open(&own, &o);
    resida_run *run = test_model_run(&own.model, solver);
    assert_int_equal(resida_solver_set_sensitivities(solver, n, by), RESIDA_OK);
    assert_int_equal(resida_run_set_moved(run, n, models), RESIDA_OK);
    go(run, solver, o.t_end);
    keep(&c, &own, n, solver);
    return c;
}

void differ(carried_order o, const char *parameter, double value, double step, double *d)
{
    carried ends[2];
    o.by[0] = NULL;
    o.set = parameter;
    o.rtol = o.atol = 1e-11;
    for (int i = 0; i < 2; i++) {
        o.value = value + (i ? -step : step);
        ends[i] = carry(o);
    }
    for (int i = 0; i < ends[0].n; i++) d[i] = (ends[0].y[i] - ends[1].y[i]) / (2 * step);
}

double apart(int n, const double *x, const double *y, double least)
{
    double most = 0, size = least;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i] - y[i]));
        size = fmax(size, fabs(y[i]));
    }
    return most / size;
}
