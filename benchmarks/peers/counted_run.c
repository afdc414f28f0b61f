/* counted_run.c - see counted_run.h. */
#include "counted_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "benchmarks/models/models.h"

int integrate_resida(resida_solver *solver, double t);

/* --- the model, through functions that valgrind identifies by name --- */

COUNTED_APART int model_residual(double t, const double *p, const double *v, const double *a,
                                 const resida_excitation *e, double *r, void *user)
{
    const counted_run *c = user;
    return c->m.residual(t, p, v, a, e, r, c->m.user);
}

/** Define the wrapper of a function of t, p and u. */
#define MODEL_POSITION(name, callback)                                                                                 \
    COUNTED_APART int name(double t, const double *p, const resida_excitation *e, double *out, void *user)             \
    {                                                                                                                  \
        const counted_run *c = user;                                                                                   \
        return c->m.callback(t, p, e, out, c->m.user);                                                                 \
    }

MODEL_POSITION(model_constraint, constraint)
MODEL_POSITION(model_matrix, constraint_matrix)
MODEL_POSITION(model_bias, velocity_bias)
MODEL_POSITION(model_mass, mass_matrix)

COUNTED_APART int model_acceleration_bias(double t, const double *p, const double *v, const resida_excitation *e,
                                          double *bias, void *user)
{
    const counted_run *c = user;
    return c->m.acceleration_bias(t, p, v, e, bias, c->m.user);
}

COUNTED_APART int model_excitation(double t, double *u, double *ud, double *udd, void *user)
{
    const counted_run *c = user;
    return c->m.excitation(t, u, ud, udd, c->m.user);
}

COUNTED_APART int integrate_resida(resida_solver *solver, double t)
{
    return resida_solver_advance(solver, t);
}

/* Replace the callbacks by their wrappers, in the residual formalism. */
static resida_mechanism wrap(counted_run *c)
{
    const resida_mechanism *m = &c->m;
    resida_mechanism w = *m;
    w.user = c;
    w.residual = model_residual;
    w.acceleration = NULL;
    w.constraint = m->constraint ? model_constraint : NULL;
    w.constraint_matrix = m->constraint_matrix ? model_matrix : NULL;
    w.velocity_bias = m->velocity_bias ? model_bias : NULL;
    w.acceleration_bias = m->acceleration_bias ? model_acceleration_bias : NULL;
    w.mass_matrix = m->mass_matrix ? model_mass : NULL;
    w.excitation = m->excitation ? model_excitation : NULL;
    return w;
}

/* Return 1 if the model has callbacks without a wrapper. */
static int has_others(const resida_mechanism *m)
{
    return !m->residual || m->residual_lam || m->kinematic_matrix || m->nonholonomic_matrix || m->root ||
           m->derivatives;
}

void counted_open(counted_run *c, const char *name, double n)
{
    const resida_model_class *cls = bench_model_find(name);
    resida_message why = {""};
    const char *parameter = "n";
    *c = (counted_run){.model = {.size = sizeof c->model}};
    if (!cls || resida_model_create(cls, n > 0, &parameter, &n, &c->model, &why) < 0 || c->model.is_dae ||
        has_others(&c->model.mechanism)) {
        fprintf(stderr, "%s: this model cannot be measured. %s\n", name, why.text);
        exit(1);
    }
    c->m = c->model.mechanism;
    c->wrapped = wrap(c);
}

resida_solver *counted_start(counted_run *c, const char *jacobian, resida_problem **problem)
{
    resida_solver *solver = NULL;
    resida_solver_options o;
    resida_message why = {""};
    resida_solver_options_init(&o);
    o.jacobian = jacobian;
    o.rtol = c->model.rtol;
    o.atol = c->model.atol;
    if (resida_problem_create(problem, &c->wrapped, NULL, &why) < 0 ||
        resida_solver_create(&solver, *problem, &o, &why) < 0 ||
        resida_solver_start(solver, 0, c->model.p0, c->model.v0, NULL, NULL) < 0) {
        fprintf(stderr, "%s %s\n", c->m.name, why.text);
        exit(1);
    }
    return solver;
}

counted_counts counted_integrate(counted_run *c, double t, const char *jacobian)
{
    resida_problem *problem = NULL;
    resida_state state;
    resida_stats s = {.size = sizeof s};
    resida_solver *solver = counted_start(c, jacobian, &problem);
    int status = integrate_resida(solver, t);
    if (status < 0 || resida_solver_stats(solver, &s) < 0 || resida_solver_state(solver, &state) < 0) exit(1);
    const counted_counts counts = {.steps = s.steps,
                                   .iterations = s.newton_iterations,
                                   .factorisations = s.factorisations,
                                   .calls = s.residual_calls.total,
                                   .error = counted_error(c, t, state.p)};
    resida_solver_free(solver);
    resida_problem_free(problem);
    return counts;
}

double counted_error(const counted_run *c, double t, const double *p)
{
    double *known = calloc((size_t)c->m.n_p, sizeof *known), largest = 0;
    if (!known || !c->model.reference || c->model.reference(&c->model, t, known, NULL, NULL) != 0) largest = NAN;
    for (int i = 0; i < c->m.n_p && !isnan(largest); i++) largest = fmax(largest, fabs(p[i] - known[i]));
    free(known);
    return largest;
}

void counted_print(const counted_counts *c, double seconds)
{
    printf("%ld %ld %ld %ld %.3e %.6e\n", c->steps, c->iterations, c->factorisations, c->calls, c->error, seconds);
}
