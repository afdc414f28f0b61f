/* conditioning_newton.c - continues Newton iterations to rounding in steps of fixed size, and records the last
 * decreasing corrections, (33) of Bottasso, Bauchau, Cardona. */
#include "conditioning.h"

#include "program/base/complain.h"
#include "program/process/signals.h"

#include <math.h>
#include <string.h>

/** Data of the callback that is called after each step. */
typedef struct listener {
    cmd_corrections *c;
    resida_layout layout;
    const double *unit; /**< scale factors h^0, h^-1, h^-2 or 1 of p, v, lam; INFINITY: not an unknown */
    const cmd_rounding_run *run;
} listener;

static double largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

static double norm2(const double *x, int n, double unit)
{
    double norm = 0;
    for (int i = 0; i < n; i++) norm = hypot(norm, x[i] / unit);
    return norm;
}

static void listen(const resida_newton_end *end, void *user)
{
    const listener *to = user;
    const resida_layout *l = &to->layout;
    const double *z = end->correction + (size_t)(end->stages - 1) * (size_t)l->n;
    cmd_corrections *c = to->c;
    double p = largest(z + l->p, l->n_p), v = largest(z + l->v, l->n_v),
           lam = largest(z + l->lam, l->n_g) / to->run->lam_unit;
    double norm = hypot(norm2(z + l->p, l->n_p, to->unit[0]),
                        hypot(norm2(z + l->v, l->n_v, to->unit[1]), norm2(z + l->lam, l->n_g, to->unit[2])));
    c->p = fmax(c->p, p), c->v = fmax(c->v, v), c->lam = fmax(c->lam, lam);
    c->scaled_p = fmax(c->scaled_p, p), c->scaled_v = fmax(c->scaled_v, end->h * v);
    c->scaled_lam = fmax(c->scaled_lam, end->h * end->h * lam);
    c->norm = fmax(c->norm, norm);
    c->steps++;
}

static resida_status integrate(const cmd_job *job, resida_problem *problem, const resida_solver_options *o,
                               double t_end, resida_message *why)
{
    const resida_model *m = &job->model->model;
    resida_solver *solver = NULL;
    resida_status status = resida_solver_create(&solver, problem, o, why);
    if (status < 0) return status;
    status = resida_solver_start(solver, m->t0, m->p0, m->v0, NULL, NULL);
    if (status >= 0) status = resida_solver_advance(solver, t_end);
    if (status < 0) snprintf(why->text, sizeof why->text, "%s", resida_solver_message(solver));
    resida_solver_free(solver);
    return status;
}

static int failed(const cmd_job *job, const cmd_rounding_run *run, const resida_message *reason, resida_message *why)
{
    snprintf(why->text, sizeof why->text, "%s, %s, scaling %s, h = %g: %.200s", job->model->cls->name, run->method,
             run->scaling, run->h, reason->text);
    return CMD_EXIT_FAILED;
}

int cmd_corrections_run(cmd_corrections *c, const cmd_job *job, const cmd_rounding_run *run, resida_message *why)
{
    const double h = run->h, lam = strstr(run->scaling, "lam") ? run->lam_unit / (h * h) : run->lam_unit;
    const int has_v = strstr(run->scaling, "two-field") == NULL; /* otherwise v is not an unknown */
    const double unit[] = {1, !has_v ? INFINITY : strcmp(run->scaling, "lam+v") == 0 ? 1 / h : 1, lam};
    listener to = {.c = c, .unit = unit, .run = run};
    resida_solver_options o;
    resida_problem *problem;
    resida_message reason = {""};
    *c = (cmd_corrections){.steps = 0};
    cmd_job_options(job, &o);
    resida_status status = cmd_problem_open(job, &problem, &reason);
    if (status < 0) return failed(job, run, &reason, why);
    resida_problem_layout(problem, &to.layout);
    o.method = run->method, o.step = h, o.newton_to_rounding = 1, o.observer = listen, o.observer_user = &to;
    o.scaling = run->scaling;
    if (strstr(run->scaling, "lam")) o.scaling_mass = 1; /* gives s = 1/h^2 in the paper's notation */
    o.monitor = cmd_signal_monitor, o.t_stop = INFINITY;
    status = integrate(job, problem, &o, job->model->model.t0 + (double)run->steps * h, &reason);
    resida_problem_free(problem);
    if (cmd_signal_caught()) return 128 + cmd_signal_caught();
    return status >= 0 ? 0 : failed(job, run, &reason, why);
}
