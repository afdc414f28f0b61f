/* case.c - runs one case: settings, model, problem, solver, run. A case with an error before its run is "refused", with
 * the message of the command. Whether a time limit is exceeded depends on the machine. Therefore only the status of
 * such a case is stored. */
#include "sweep.h"

#include "program/process/stopwatch.h"
#include "program/base/complain.h"
#include "program/cli/fits.h"
#include "program/run/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAMES = 1 << 12 };

/** An open case. */
typedef struct running {
    cmd_sweep_work *sweep;
    cmd_sweep_case *to;
    cmd_settings settings;
    cmd_model model;
    cmd_job job;
    cmd_handles handles;
    double deadline; /**< wall clock [s] */
    int *places;     /**< [n_outputs] indices of components, then of the model's outputs; -1 if there is none */
    double *outputs; /**< [n_outputs of the model] current values */
} running;

static void set_refused(cmd_sweep_case *c, const char *words)
{
    c->head.status = CMD_CASE_REFUSED;
    snprintf(c->head.message, sizeof c->head.message, "%s", words);
}

static int watch_time(double t, void *user)
{
    const running *r = user;
    (void)t;
    return isfinite(r->deadline) && bench_wall_s() > r->deadline;
}

/** Open a case, except its start. @return 0; else the reason is in r->to */
static int open_case(running *r, cmd_sweep_work *w, long number, cmd_sweep_case *to)
{
    char words[RESIDA_MESSAGE_SIZE] = "";
    resida_message why = {""};
    *r = (running){.sweep = w, .to = to};
    cmd_complain_to_text(words, sizeof words);
    int code = cmd_plan_settings(&w->plan, number, w->settings->argc, w->settings->argv, &r->settings);
    if (code == 0) code = cmd_model_make(&r->model, w->cls, w->plan.model, &r->settings);
    if (code == 0) code = cmd_job_make(&r->job, &r->model, &r->settings, 1);
    if (code == 0) code = cmd_check_model_options(&r->settings, &r->model);
    cmd_complain_to_text(NULL, 0);
    if (code == 0) {
        r->deadline = bench_wall_s() + cmd_value_or(r->settings.time_limit, INFINITY);
        resida_status status = cmd_handles_open(&r->handles, &r->job, watch_time, r, &why);
        if (status >= 0) return 0;
        snprintf(to->head.code, sizeof to->head.code, "%s", resida_status_name(status));
        snprintf(words, sizeof words, "%s", why.text[0] ? why.text : to->head.code);
    }
    set_refused(to, words);
    return 1;
}

static void close_case(running *r)
{
    cmd_handles_close(&r->handles);
    cmd_models_close(&r->model, 1);
    cmd_settings_free(&r->settings);
    free(r->places);
    free(r->outputs);
}

/** Write the name of component i of n, or of an output of the model. @return 0; -1 if there is none */
static int format_component_name(const running *r, int n, int i, char *text, size_t size)
{
    const resida_model *m = &r->model.model;
    if (i < n) return resida_problem_component_name(r->handles.problem, i, text, size) >= 0 ? 0 : -1;
    if (i >= n + m->n_outputs) return -1;
    snprintf(text, size, "%s", m->output_names[i - n]);
    return 0;
}

/** Write the unit of component i of n, or of an output of the model; "" if unknown. */
static void write_unit(const running *r, int n, int i, char unit[CMD_UNIT_SIZE])
{
    resida_layout l;
    const resida_model *m = &r->model.model;
    unit[0] = 0;
    if (i >= n)
        cmd_unit_of(m, CMD_OF_OUT, i - n, unit);
    else if (m->is_dae)
        cmd_unit_of(m, CMD_OF_Y, i, unit);
    if (i >= n || m->is_dae || resida_problem_layout(r->handles.problem, &l) < 0) return;
    const int n_lam = l.rates ? 0 : l.n_g + l.n_h; /* with rates y has the integrals of multipliers */
    const int sizes[] = {l.n_p, l.n_v, l.n_v, n_lam}, offsets[] = {l.p, l.v, l.a, l.lam};
    static const cmd_quantity quantities[] = {CMD_OF_P, CMD_OF_V, CMD_OF_A, CMD_OF_LAM};
    for (int k = 0; k < 4; k++)
        if (offsets[k] >= 0 && i >= offsets[k] && i < offsets[k] + sizes[k])
            cmd_unit_of(m, quantities[k], i - offsets[k], unit);
}

/** Return the index of `name`, or -1. *hint is tried first. */
static int find_name(const running *r, int n, const char *name, int *hint)
{
    char text[CMD_COMPONENT_SIZE];
    for (int k = 0; k <= n + r->model.model.n_outputs; k++) {
        const int i = k == 0 ? *hint : k - 1;
        if (format_component_name(r, n, i, text, sizeof text) != 0 || strcmp(text, name) != 0) continue;
        *hint = i;
        return i;
    }
    return -1;
}

/** Allocate the outputs, and set them to NaN. @return 0; -1 without memory */
static int find_outputs(running *r, int n)
{
    cmd_sweep_work *w = r->sweep;
    r->places = calloc((size_t)w->n_outputs + 1, sizeof *r->places);
    r->outputs = calloc((size_t)r->model.model.n_outputs + 1, sizeof *r->outputs);
    if (!r->places || !r->outputs || cmd_case_reserve(r->to, w->n_outputs, n) != 0) return -1;
    for (int i = 0; i < w->n_outputs + n; i++) r->to->values[i] = NAN;
    for (int i = 0; i < w->n_outputs; i++) {
        cmd_output *o = &w->outputs[i];
        r->places[i] = find_name(r, n, o->component, &o->hint);
    }
    return 0;
}

/** Evaluate the outputs of the model at the state; NaN if unknown. @return 0; -1 on failure */
static int evaluate_model_outputs(running *r, const resida_state *state)
{
    const resida_model *m = &r->model.model;
    const resida_model_point dae = {.t = state->t, .y = state->y, .yp = state->yp};
    const resida_model_point mechanism = {.t = state->t,
                                          .p = state->p,
                                          .v = state->v,
                                          .a = state->a,
                                          .lam = m->mechanism.n_g + m->mechanism.n_h > 0 ? state->lam : NULL};
    if (m->n_outputs == 0) return 0;
    const int verdict = resida_model_output(m, m->is_dae ? &dae : &mechanism, r->outputs);
    for (int i = 0; i < m->n_outputs && verdict > 0; i++) r->outputs[i] = NAN;
    char *message = r->to->head.message;
    if (m->warning && !*message) snprintf(message, sizeof r->to->head.message, "%s", m->warning);
    return verdict < 0 ? -1 : 0;
}

/** Update the outputs with the current state. @return RESIDA_OK; RESIDA_ERR_USER if the model's outputs failed */
static resida_status update_outputs(running *r)
{
    resida_state state;
    const cmd_sweep_work *w = r->sweep;
    const int n = r->to->head.n_state;
    double *x = r->to->values;
    if (resida_solver_state(r->handles.solver, &state) < 0) return RESIDA_OK;
    r->to->head.t = state.t;
    memcpy(x + w->n_outputs, state.y, (size_t)n * sizeof *x);
    if (evaluate_model_outputs(r, &state) != 0) return RESIDA_ERR_USER;
    for (int i = 0; i < w->n_outputs; i++) {
        if (r->places[i] < 0) continue;
        const double y = r->places[i] < n ? state.y[r->places[i]] : r->outputs[r->places[i] - n];
        const cmd_kept kept = w->outputs[i].kept;
        if (kept == CMD_END || isnan(x[i]) || (kept == CMD_MIN ? y < x[i] : y > x[i])) x[i] = y;
    }
    return RESIDA_OK;
}

/** Return 1 if an output is an extreme, which requires outputs during the run. */
static int needs_extremes(const cmd_sweep_work *w)
{
    for (int i = 0; i < w->n_outputs; i++)
        if (w->outputs[i].kept != CMD_END) return 1;
    return 0;
}

static resida_status advance(running *r, double t)
{
    resida_status status;
    while ((status = resida_run_advance(r->handles.run, t)) == RESIDA_EVENT) continue;
    return status;
}

static resida_status integrate(running *r)
{
    const cmd_grid *grid = &r->job.grid;
    const long n = needs_extremes(r->sweep) ? grid->n : 1;
    resida_status status = cmd_handles_start(&r->handles, &r->job);
    if (status >= 0) status = update_outputs(r);
    if (status < 0) return status;
    for (long k = 1; k <= n; k++) {
        const double t = n == 1 ? r->job.t_end : cmd_grid_time(grid, k);
        status = advance(r, t);
        if (status == RESIDA_INTERRUPTED) return RESIDA_ERR_LIMIT_TIME;
        const resida_status kept = update_outputs(r);
        if (status < 0 || kept < 0) return status < 0 ? status : kept;
        if (status == RESIDA_STOP_TIME && r->to->head.t < t) break; /* the model ended the run */
    }
    return RESIDA_OK;
}

static void store_counters(running *r)
{
    resida_stats s = {.size = sizeof s};
    const int is_doubted = r->to->head.message[0] != 0;
    if (resida_solver_stats(r->handles.solver, &s) < 0) return;
    const long counters[CMD_CASE_COUNTERS] = {s.steps,
                                              s.step_attempts,
                                              s.error_test_fails,
                                              s.newton_iterations,
                                              s.newton_fails,
                                              s.residual_calls.total,
                                              s.jacobian_evaluations.dense + s.jacobian_evaluations.coloured +
                                                  s.jacobian_evaluations.user,
                                              s.factorisations,
                                              s.restarts,
                                              s.events,
                                              s.n_warnings + is_doubted};
    for (int i = 0; i < CMD_CASE_COUNTERS; i++) r->to->head.counters[i] = counters[i];
    if (s.n_warnings > 0 && !is_doubted) snprintf(r->to->head.message, sizeof r->to->head.message, "%s", s.warnings[0]);
}

/** Clear all results of a case that exceeded its time limit. They depend on the clock. */
static void clear_results(cmd_sweep_case *c, double limit)
{
    cmd_case_clear(c, c->head.number);
    c->head.status = CMD_CASE_TIME;
    snprintf(c->head.code, sizeof c->head.code, "%s", resida_status_name(RESIDA_ERR_LIMIT_TIME));
    snprintf(c->head.message, sizeof c->head.message, "the time limit of %g s is exceeded", limit);
}

static void store_result(running *r, resida_status status)
{
    cmd_case_head *head = &r->to->head;
    if (status == RESIDA_ERR_LIMIT_TIME) {
        clear_results(r->to, r->settings.time_limit);
        return;
    }
    store_counters(r);
    if (status == RESIDA_OK) return;
    const char *words = resida_solver_message(r->handles.solver);
    if (status == RESIDA_ERR_USER && words[0] == 0) words = "the model's outputs failed";
    head->status = CMD_CASE_FAILED;
    snprintf(head->code, sizeof head->code, "%s", resida_status_name(status));
    snprintf(head->message, sizeof head->message, "%s", words[0] ? words : head->code);
}

static int n_components(const running *r)
{
    resida_layout layout;
    return resida_problem_layout(r->handles.problem, &layout) >= 0 ? layout.n : 0;
}

void cmd_case_run(cmd_sweep_work *w, long number, cmd_sweep_case *c)
{
    running r;
    const double began = bench_wall_s();
    cmd_case_clear(c, number);
    if (open_case(&r, w, number, c) == 0)
        store_result(&r, find_outputs(&r, n_components(&r)) == 0 ? integrate(&r) : RESIDA_ERR_MEMORY);
    close_case(&r);
    c->head.seconds = bench_wall_s() - began;
    c->head.rank = w->rank;
    c->head.pid = getpid();
}

char *cmd_case_names(cmd_sweep_work *w, long number, cmd_sweep_case *c)
{
    running r;
    char name[CMD_COMPONENT_SIZE], unit[CMD_UNIT_SIZE];
    char *all = NULL;
    size_t size = 0;
    cmd_case_clear(c, number);
    FILE *f = open_case(&r, w, number, c) == 0 ? open_memstream(&all, &size) : NULL;
    for (int i = 0; f && format_component_name(&r, n_components(&r), i, name, sizeof name) == 0; i++) {
        write_unit(&r, n_components(&r), i, unit);
        fprintf(f, "%s\t%s\n", name, unit);
    }
    if (f) fclose(f);
    close_case(&r);
    return all;
}
