/* cmd_conditioning.c - shows how the conditioning of the linear systems of a model in index-3 form depends on the step
 * size, and how scaling improves it. */
#include "benchmarks/cli/commands.h"

#include "program/base/complain.h"
#include "conditioning_study.h"
#include "program/process/signals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1600, HEIGHT = 800 };

static int study(const cmd_job *job, cmd_picture *picture)
{
    cmd_conditioning_work c;
    cmd_conditioning_init(&c, job);
    int code = cmd_conditioning_matrices(&c);
    if (code == 0) code = cmd_conditioning_runs(&c);
    if (code != 0) return code;
    if (picture->script) {
        cmd_conditioning_draw(&c, picture);
        code = cmd_picture_commit(picture);
        if (code != 0) return code;
    }
    if (job->settings->format == CMD_TEXT) cmd_conditioning_text(&c, stdout);
    return job->settings->format == CMD_JSON ? cmd_conditioning_json(&c, stdout) : 0;
}

/* Integrate across events to t or to the end of the model. Store the state [n_p + n_v] as the start of the model. */
static resida_status move_to(resida_model *model, const cmd_job *job, double t, double *state, resida_message *why)
{
    const resida_mechanism *m = &model->mechanism;
    cmd_handles h;
    resida_state at;
    resida_status status = cmd_handles_open(&h, job, cmd_signal_monitor, NULL, why);
    if (status >= 0) status = cmd_handles_start(&h, job);
    while (status >= 0 && (status = resida_run_advance(h.run, t)) == RESIDA_EVENT) continue;
    if (status >= 0) status = resida_solver_state(h.solver, &at);
    if (status >= 0) {
        memcpy(state, at.p, (size_t)m->n_p * sizeof *state);
        memcpy(state + m->n_p, at.v, (size_t)m->n_v * sizeof *state);
        model->t0 = at.t, model->p0 = state, model->v0 = state + m->n_p;
    } else if (h.solver) {
        snprintf(why->text, sizeof why->text, "%s", resida_solver_message(h.solver));
    }
    cmd_handles_close(&h);
    return status;
}

/* Return the state at --t-end, to be freed after the model. Return NULL if --t-end is not set or on failure; a failure
 * prints one error message and sets *code. */
static double *move(cmd_model *model, const cmd_settings *s, int *code)
{
    const resida_mechanism *m = &model->model.mechanism;
    cmd_job job;
    resida_message why = {""};
    if (isnan(s->t_end) || model->model.is_dae || (*code = cmd_job_make(&job, model, s, 1)) != 0) return NULL;
    double *state = calloc((size_t)m->n_p + (size_t)m->n_v, sizeof *state);
    resida_status status = state ? move_to(&model->model, &job, s->t_end, state, &why) : RESIDA_ERR_MEMORY;
    if (cmd_signal_caught())
        *code = 128 + cmd_signal_caught();
    else if (status < 0)
        *code = cmd_complain_model(CMD_EXIT_FAILED, model->cls->name, state ? why.text : "out of memory");
    return state;
}

static int open_and_study(cmd_model *model, const cmd_settings *s)
{
    cmd_job job;
    cmd_picture picture = {0};
    cmd_settings own = *s;
    int code = 0;
    double *state = move(model, s, &code);
    own.problem.form = "index3";
    own.t_end = NAN;
    if (code == 0) code = cmd_job_make(&job, model, &own, 1);
    if (code == 0 && s->out) code = cmd_picture_open(&picture, s->out, WIDTH, HEIGHT);
    if (code == 0) code = study(&job, &picture);
    cmd_picture_abort(&picture);
    free(state);
    return code;
}

int cmd_cmd_conditioning(const cmd_settings *s)
{
    if (s->n_words != 1) return cmd_complain(CMD_EXIT_USAGE, "conditioning: give exactly one MODEL");
    const int code = s->out ? cmd_picture_check(s->out) : 0;
    return code != 0 ? code : cmd_run_on_model(s, open_and_study);
}
