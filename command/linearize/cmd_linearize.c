/* cmd_linearize.c - a model linear about a state of a run: eigenvalues, modes, matrices.
 *
 * Order: the command line is checked, then the run goes to the state, then files are written. */
#include "command/cli/commands.h"

#include "command/animate/animation.h"
#include "program/base/complain.h"
#include "program/base/signals.h"
#include "program/output/json_line.h"
#include "linearize.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 1000, HEIGHT = 800 };

static int is_table(const char *path)
{
    return cmd_ends_in(path, ".csv") || strcmp(path, "-") == 0;
}

static int draw(const cmd_linear *l, const char *path)
{
    cmd_picture picture;
    int code = cmd_picture_open(&picture, path, WIDTH, HEIGHT);
    if (code == 0) cmd_linear_draw(l, &picture);
    if (code == 0) code = cmd_picture_commit(&picture);
    cmd_picture_abort(&picture);
    return code;
}

static int tell(const cmd_linear *l, const cmd_settings *s)
{
    FILE *stream = s->out && strcmp(s->out, "-") == 0 ? stderr : stdout;
    int code = 0;
    if (s->out) code = is_table(s->out) ? cmd_linear_csv(l, s->out) : draw(l, s->out);
    if (code == 0 && s->matrices) code = cmd_linear_matrices(l, s->matrices);
    if (code == 0 && s->animate) code = cmd_linear_animate(l, s->mode > 0 ? (int)s->mode : 1, s->animate);
    if (code != 0) return code;
    if (s->format == CMD_TEXT) cmd_linear_text(l, stream);
    return s->format == CMD_JSON ? cmd_json_line(cmd_linear_json(l), stream) : 0;
}

/* To the state: t, from which `to` is not far; < 0 with a message. */
static resida_status reach(const cmd_handles *h, const cmd_job *job, double t, resida_state *to, resida_message *why)
{
    resida_status status = cmd_handles_start(h, job);
    while (status >= 0 && t > job->model->model.t0) {
        status = resida_run_advance(h->run, t);
        if (status == RESIDA_STOP_TIME) break;
        if (status != RESIDA_EVENT) break;
    }
    if (status >= 0 && status != RESIDA_INTERRUPTED) status = resida_solver_state(h->solver, to);
    if (status < 0 || (status != RESIDA_OK && to->t < t))
        snprintf(why->text, sizeof why->text, "%s", resida_solver_message(h->solver));
    return status;
}

static int complain(const cmd_job *job, const resida_message *why)
{
    if (cmd_signal_caught()) return 128 + cmd_signal_caught();
    return cmd_complain_model(CMD_EXIT_FAILED, job->model->cls->name, why->text[0] ? why->text : "out of memory");
}

/* The model's warning at the state. */
static int warn(const cmd_job *job, const resida_state *at)
{
    const resida_model *m = &job->model->model;
    const resida_model_point point = cmd_model_point(m, at);
    resida_message warning;
    const int code = cmd_model_warning(m, &point, &warning);
    if (warning.text[0] && !job->settings->quiet) cmd_complain_model(0, job->model->cls->name, warning.text);
    return code;
}

static int tell_modes(resida_linearization *linear, const cmd_job *job, const resida_state *at,
                      const resida_layout *layout, const char *form)
{
    const cmd_settings *s = job->settings;
    resida_message why = {""};
    cmd_linear l = {.job = job, .n_rows = layout->n_g + layout->n_h};
    if (resida_linearization_add_outputs(linear, &job->model->model, &why) < 0) return complain(job, &why);
    if (why.text[0] && !s->quiet) cmd_complain_model(0, job->model->cls->name, why.text);
    resida_linearization_get(linear, &l.model);
    l.form = l.model.is_independent ? "independent" : form;
    l.n_parts = job->model->model.is_dae ? l.model.n_components : layout->n_p;
    l.base = job->model->model.is_dae ? at->y : at->p;
    if (resida_linearization_modes(linear, (int)s->modes, cmd_given_or(s->near, 0), &l.modes, &why) < 0)
        return complain(job, &why);
    return tell(&l, s);
}

static int study(const cmd_handles *h, const cmd_job *job, double t)
{
    const cmd_settings *s = job->settings;
    const int whole = job->model->model.is_dae || (cmd_is_given(s, "form") && strcmp(s->problem.form, "auto") != 0);
    resida_linearization *linear = NULL;
    resida_state at = {.t = NAN};
    resida_layout layout;
    resida_message why = {""};
    resida_status status = reach(h, job, t, &at, &why);
    if (status < 0 || cmd_signal_caught()) return complain(job, &why);
    if (at.t < t) { /* the model ended the run */
        cmd_complain_model(CMD_EXIT_FAILED, job->model->cls->name, why.text);
        return CMD_EXIT_FAILED;
    }
    int code = warn(job, &at);
    if (code != 0) return code;
    resida_problem_layout(h->problem, &layout);
    status = whole ? resida_linearize(&linear, h->problem, at.t, at.y, at.yp, &why)
                   : resida_linearize_mechanism(&linear, h->problem, at.t, at.p, at.v, at.a, at.lam, &why);
    code = status < 0 ? complain(job, &why) : tell_modes(linear, job, &at, &layout, resida_problem_form(h->problem));
    resida_linearization_free(linear);
    return code;
}

static int open_and_study(cmd_model *model, const cmd_settings *s)
{
    cmd_settings own = *s;
    cmd_job job;
    cmd_handles h;
    resida_message why = {""};
    const double t0 = model->model.t0, t = cmd_given_or(s->at, t0);
    if (t < t0)
        return cmd_complain(CMD_EXIT_USAGE, "--at %.10g: before the start of %s, t = %.10g", t, model->cls->name, t0);
    int code = s->animate ? cmd_animation_check(model) : 0;
    own.t_end = t > t0 ? t : NAN;
    if (code == 0) code = cmd_job_make(&job, model, &own, 1);
    if (code == 0) code = cmd_job_probe(&job);
    if (code != 0) return code;
    code = cmd_handles_open(&h, &job, cmd_signal_monitor, NULL, &why) < 0 ? complain(&job, &why) : study(&h, &job, t);
    cmd_handles_close(&h);
    return code;
}

static int check(const cmd_settings *s)
{
    if (s->n_words != 1) return cmd_complain(CMD_EXIT_USAGE, "linearize: which model? One only");
    if (s->out && !is_table(s->out) && !cmd_ends_in(s->out, ".svg") && !cmd_ends_in(s->out, ".png"))
        return cmd_complain(CMD_EXIT_USAGE, "--out %s: must end in .csv, .svg or .png", s->out);
    if (cmd_is_given(s, "near") && s->modes == 0)
        return cmd_complain(CMD_EXIT_USAGE, "linearize: --near is for --modes");
    if (cmd_is_given(s, "mode") && !s->animate)
        return cmd_complain(CMD_EXIT_USAGE, "linearize: --mode is for --animate");
    return 0;
}

int cmd_cmd_linearize(const cmd_settings *s)
{
    const int code = check(s);
    return code != 0 ? code : cmd_on_model(s, open_and_study);
}
