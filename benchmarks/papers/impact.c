/* impact.c - integrates the model `cam-contact` by generalized-alpha in single steps and records each step. The paper
 * uses a fixed step size up to 0.4 s; a second solver with adaptive steps continues from there. */
#include "impact.h"

#include "program/base/complain.h"
#include "program/base/grow.h"
#include "program/process/signals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double first_step = 1e-2, adaptive_from = 0.4; /* s */
static const double damping_at_infinity = 0.5;

const double cmd_impact_k_ave = 1e3;
const double cmd_impact_elements = 2, cmd_impact_order = 3;

enum { NODE_COORDINATES = 12 }; /* of a node: position and three directors */

void cmd_impact_free(cmd_impact *run)
{
    free(run->t), free(run->h), free(run->s);
    *run = (cmd_impact){0};
}

static int grow(double **x, long n)
{
    double *more = cmd_grow_array(*x, n, sizeof **x);
    if (more) *x = more;
    return more ? 0 : -1;
}

static resida_status note_step(cmd_impact *run, double t, double before)
{
    if (grow(&run->t, run->n) != 0 || grow(&run->h, run->n) != 0 || grow(&run->s, run->n) != 0)
        return RESIDA_ERR_MEMORY;
    const double h = t - before;
    run->t[run->n] = t;
    run->h[run->n] = h;
    run->s[run->n++] = cmd_impact_k_ave + run->m_ave / (h * h);
    return RESIDA_OK;
}

static void note_shape(cmd_impact_shape *shape, const resida_state *at)
{
    shape->t = at->t;
    for (int i = 0; i < CMD_IMPACT_NODES; i++) {
        shape->x[i] = at->p[NODE_COORDINATES * i];
        shape->y[i] = at->p[NODE_COORDINATES * i + 1];
    }
}

/* Record the state at contact and at the end. The last component of v is the impulse. */
static void note_state(cmd_impact *run, const resida_state *at, int n_v)
{
    cmd_impact_shape *touch = &run->shapes[CMD_IMPACT_TOUCH];
    run->impulse = at->v[n_v - 1];
    if (isnan(touch->t) && run->impulse > 0) note_shape(touch, at);
    note_shape(&run->shapes[CMD_IMPACT_END], at);
}

static void set_options(resida_solver_options *o, const cmd_impact *run, const cmd_job *job)
{
    cmd_job_options(job, o);
    o->method = "generalized-alpha";
    o->step = first_step;
    o->rho_infinity = damping_at_infinity;
    o->scaling = "lam+v"; /* (29) */
    o->scaling_mass = run->m_ave;
    o->scaling_stiffness = cmd_impact_k_ave;
    o->newton_tolerance = run->newton;
    o->newton_h_weights = !(run->newton > 0);
    o->t_stop = INFINITY;
    o->monitor = cmd_signal_monitor;
}

/** End of one solver and start of the next; p and v point into the solver's memory. */
typedef struct leg {
    resida_solver *solver;
    double t;
    const double *p, *v;
} leg;

/* Integrate to t_end in single steps, from the state at which the previous solver ended. */
static resida_status go(leg *at, cmd_impact *run, resida_problem *problem, const resida_solver_options *o, double t_end,
                        int n_v)
{
    resida_solver *s;
    resida_state now;
    resida_status status = resida_solver_create(&s, problem, o, &run->why);
    if (status < 0) return status;
    status = resida_solver_start(s, at->t, at->p, at->v, NULL, NULL);
    resida_solver_free(at->solver);
    at->solver = s;
    for (double before = at->t; status >= 0 && before < t_end; before = at->t) {
        status = resida_solver_step(s, t_end);
        if (status == RESIDA_INTERRUPTED || resida_solver_state(s, &now) < 0) break;
        *at = (leg){s, now.t, now.p, now.v};
        note_state(run, &now, n_v);
        if (status >= 0 && now.t > before) status = note_step(run, now.t, before);
    }
    if (status < 0) snprintf(run->why.text, sizeof run->why.text, "%s", resida_solver_message(s));
    return status;
}

static resida_status run_legs(cmd_impact *run, resida_problem *problem, const cmd_job *job)
{
    const resida_model *m = &job->model->model;
    const resida_state start = {.t = m->t0, .p = m->p0, .v = m->v0};
    const int n_v = m->mechanism.n_v;
    leg at = {NULL, m->t0, m->p0, m->v0};
    resida_solver_options o;
    set_options(&o, run, job);
    note_state(run, &start, n_v);
    note_shape(&run->shapes[CMD_IMPACT_START], &start);
    resida_status status = go(&at, run, problem, &o, fmin(adaptive_from, job->t_end), n_v);
    o.adaptive = 1;
    if (status >= 0 && job->t_end > adaptive_from) status = go(&at, run, problem, &o, job->t_end, n_v);
    resida_solver_free(at.solver);
    return status;
}

int cmd_impact_run(cmd_impact *run, const cmd_job *job)
{
    resida_problem *problem;
    for (int k = 0; k < CMD_IMPACT_SHAPES; k++) run->shapes[k].t = NAN;
    resida_status status = cmd_problem_open(job, &problem, &run->why);
    if (status < 0) return cmd_complain(CMD_EXIT_FAILED, "%s", run->why.text);
    run->status = run_legs(run, problem, job);
    resida_problem_free(problem);
    if (cmd_signal_caught()) return 128 + cmd_signal_caught();
    return run->status == RESIDA_ERR_MEMORY ? cmd_complain(CMD_EXIT_FAILED, "no memory") : 0;
}
