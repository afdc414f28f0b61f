/* rest_find.c - searches for an equilibrium from the model's start, or from a guess by name, at t0 or at another time.
 * With --via N the search proceeds through N equilibria at intermediate times. */
#include "rest.h"

#include "program/process/stopwatch.h"
#include "program/base/complain.h"
#include "program/process/signals.h"
#include "program/base/suggest.h"
#include "program/process/watchdog.h"
#include "program/run/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 96 };

static int check_signal(int iterations, double residual, double load, void *user)
{
    (void)iterations, (void)residual, (void)load, (void)user;
    return cmd_signal_caught();
}

static int report_failure(const cmd_equilibrium *r, const char *message)
{
    const int is_usage = r->status == RESIDA_ERR_OPTION || r->status == RESIDA_ERR_ARGUMENT;
    return cmd_complain_model(is_usage ? CMD_EXIT_USAGE : CMD_EXIT_FAILED, r->model->cls->name,
                              message[0] ? message : resida_status_name(r->status));
}

static int open_problem(cmd_equilibrium *r, const cmd_settings *s)
{
    const resida_model *m = &r->model->model;
    const cmd_job job = {.model = r->model, .settings = s, .formalism = (resida_formalism)s->formalism};
    if (m->is_dae && s->formalism != RESIDA_FORMALISM_AUTO)
        return cmd_complain_model(CMD_EXIT_USAGE, r->model->cls->name, "a general DAE has no formalism to choose");
    r->status = cmd_problem_open(&job, &r->problem, &r->why);
    return r->status < 0 ? report_failure(r, r->why.text) : 0;
}

static void set_options(cmd_equilibrium *r, const cmd_settings *s)
{
    resida_equilibrium_options_init(&r->o);
    r->o.steady = s->steady;
    r->o.redundant = s->start.redundant;
    if (s->load_steps > 0) r->o.load_steps = (int)s->load_steps;
    if (s->max_residuals > 0) r->o.max_residuals = s->max_residuals;
    if (!isnan(s->time_limit)) r->o.time_limit_s = s->time_limit;
    r->o.stability = !s->from_equilibrium; /* a run from the equilibrium shows its stability */
    r->o.monitor = check_signal;
    r->t = isnan(s->at) ? r->model->model.t0 : s->at;
}

static int allocate_arrays(cmd_equilibrium *r)
{
    const resida_model *m = &r->model->model;
    (void)resida_problem_layout(r->problem, &r->l);
    const size_t n_p = (size_t)(m->is_dae ? r->l.n : r->l.n_p), n_v = m->is_dae ? 0 : (size_t)r->l.n_v;
    const size_t n_l = m->is_dae ? 0 : (size_t)(r->l.n_g + r->l.n_h);
    r->block = calloc(2 * n_p + 2 * n_v + n_l + n_p + n_v, sizeof *r->block);
    if (!r->block) return cmd_no_memory();
    r->p = r->block, r->p0 = r->p + n_p;
    r->v = r->p0 + n_p, r->v0 = r->v + n_v, r->lam = r->v0 + n_v;
    r->zero = r->lam + n_l;
    memcpy(r->p, m->is_dae ? m->y0 : m->p0, n_p * sizeof *r->p);
    if (n_v > 0) memcpy(r->v, m->v0, n_v * sizeof *r->v);
    return 0;
}

/* Return the address of component i of y in the guess, or NULL if the guess does not contain it. */
static double *find_guess_component(cmd_equilibrium *r, int i)
{
    const resida_layout *l = &r->l;
    if (r->model->model.is_dae) return r->p + i;
    if (i >= l->p && i < l->p + l->n_p) return r->p + i - l->p;
    const int first = r->o.steady ? l->v : l->v + l->n_v - l->n_z; /* velocities belong to the guess only if they may
                                                                    * be steady */
    return i >= first && i < l->v + l->n_v ? r->v + i - l->v : NULL;
}

static int complain_unknown(cmd_equilibrium *r, const char *word)
{
    const size_t most = r->l.n > 0 ? (size_t)r->l.n : 1;
    char(*names)[NAME] = calloc(most, sizeof *names);
    const char **list = calloc(most, sizeof *list);
    int n = 0;
    for (int i = 0; names && list && i < r->l.n; i++) {
        if (!find_guess_component(r, i) || resida_problem_component_name(r->problem, i, names[n], NAME) < 0) continue;
        list[n] = names[n], n++;
    }
    const char *near = names && list ? cmd_nearest(word, list, n) : NULL;
    const char *what = r->model->model.is_dae ? "component"
                       : r->o.steady          ? "position, velocity or state"
                                              : "position or state";
    int code = near ? cmd_complain(CMD_EXIT_USAGE, "--start: %s has no %s '%s'; did you mean '%s'?",
                                   r->model->cls->name, what, word, near)
                    : cmd_complain(CMD_EXIT_USAGE, "--start: %s has no %s '%s'", r->model->cls->name, what, word);
    free(names);
    free(list);
    return code;
}

static int apply_guess(cmd_equilibrium *r, const cmd_settings *s)
{
    char name[NAME];
    for (int k = 0; k < s->n_guesses; k++) {
        double *at = NULL;
        for (int i = 0; i < r->l.n && !at; i++)
            if (resida_problem_component_name(r->problem, i, name, sizeof name) >= 0 &&
                strcmp(name, s->guess_names[k]) == 0)
                at = find_guess_component(r, i);
        if (!at) return complain_unknown(r, s->guess_names[k]);
        *at = s->guess_values[k];
    }
    return 0;
}

static void search_at(cmd_equilibrium *r, double t)
{
    const resida_model *m = &r->model->model;
    memcpy(r->p0, r->p, (size_t)(r->v - r->p0) * sizeof *r->p);
    memcpy(r->v0, r->v, (size_t)(r->lam - r->v0) * sizeof *r->v);
    r->status = m->is_dae ? resida_problem_equilibrium_dae(r->problem, t, r->p0, &r->o, r->p, &r->report, &r->why)
                          : resida_problem_equilibrium(r->problem, t, r->p0, r->v0, &r->o, r->p, r->v, r->lam,
                                                       &r->report, &r->why);
}

static void search_in_steps(cmd_equilibrium *r, const cmd_settings *s)
{
    const double t0 = r->model->model.t0;
    const long n = s->via > 0 ? s->via : 1;
    const int stability = r->o.stability;
    int iterations = 0;
    long calls = 0;
    cmd_watchdog_deadline(bench_wall_s() + r->o.time_limit_s);
    for (long k = 1; k <= n && r->status == RESIDA_OK; k++) {
        r->o.stability = k == n && stability;
        r->o.from = t0 + (r->t - t0) * (double)(k - 1) / (double)n;
        search_at(r, k == n ? r->t : t0 + (r->t - t0) * (double)k / (double)n);
        iterations += r->report.iterations;
        calls += r->report.residual_calls;
    }
    r->report.iterations = iterations;
    r->report.residual_calls = calls;
    cmd_watchdog_deadline(INFINITY);
    cmd_watchdog_suspend();
}

/* Report the model's warning at the equilibrium or, after a failure, at the guess (the last equilibrium of --via). */
static int report_model_warning(cmd_equilibrium *r)
{
    const resida_model *m = &r->model->model;
    const resida_model_point dae = {.t = r->t, .y = r->p, .yp = r->zero};
    const resida_model_point mechanism = {.t = r->t, .p = r->p, .v = r->v, .a = r->zero, .lam = r->lam};
    return cmd_model_warning(m, m->is_dae ? &dae : &mechanism, &r->warning);
}

void cmd_report_model_warnings(const cmd_model *model, const resida_solver *solver, int is_found)
{
    resida_stats stats = {.size = sizeof stats};
    if (resida_solver_stats(solver, &stats) < 0) return;
    for (int i = 0; i < stats.n_warnings; i++)
        if (!is_found || !cmd_is_start_move_warning(stats.warnings[i]))
            cmd_complain_model(0, model->cls->name, stats.warnings[i]);
}

void cmd_equilibrium_examine(const cmd_equilibrium *r)
{
    resida_solver *solver = NULL;
    resida_start_options o;
    resida_start_options_init(&o);
    o.redundant = r->o.redundant;
    if (r->model->model.is_dae || resida_solver_create(&solver, r->problem, NULL, NULL) < 0) return;
    (void)resida_solver_start(solver, r->t, r->p, r->v, &o, NULL);
    cmd_report_model_warnings(r->model, solver, 1);
    resida_solver_free(solver);
}

int cmd_equilibrium_complain(const cmd_equilibrium *r)
{
    if (r->status == RESIDA_INTERRUPTED)
        return cmd_complain_model(128 + cmd_signal_caught(), r->model->cls->name, r->why.text);
    if (r->status != RESIDA_ERR_NEWTON || r->report.free.text[0] == 0) return report_failure(r, r->why.text);
    char text[3 * RESIDA_MESSAGE_SIZE];
    snprintf(text, sizeof text, "%s; nothing holds %s%s", r->why.text, r->report.free.text,
             r->o.steady || r->model->model.is_dae ? "" : " (try --steady, which allows a steady motion)");
    return report_failure(r, text);
}

int cmd_equilibrium_find(cmd_equilibrium *r, const cmd_model *model, const cmd_settings *s)
{
    *r = (cmd_equilibrium){.model = model};
    set_options(r, s);
    int code = open_problem(r, s);
    if (code == 0) code = allocate_arrays(r);
    if (code == 0) code = apply_guess(r, s);
    if (code == 0) search_in_steps(r, s);
    return code == 0 ? report_model_warning(r) : code;
}

void cmd_equilibrium_free(cmd_equilibrium *r)
{
    resida_problem_free(r->problem);
    free(r->block);
}
