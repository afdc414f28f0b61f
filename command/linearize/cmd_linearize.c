/* cmd_linearize.c - a model linear about a state of a run: eigenvalues, modes, matrices.
 *
 * Order: the command line is checked, then the run goes to the state, then files are written. */
#include "command/cli/commands.h"

#include "command/animate/animation.h"
#include "command/base/complain.h"
#include "command/base/signals.h"
#include "command/output/json_line.h"
#include "linearize.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 1000, HEIGHT = 800 };

static int is_table(const char *path)
{
    return bench_ends_in(path, ".csv") || strcmp(path, "-") == 0;
}

static int draw(const bench_linear *l, const char *path)
{
    bench_picture picture;
    int code = bench_picture_open(&picture, path, WIDTH, HEIGHT);
    if (code == 0) bench_linear_draw(l, &picture);
    if (code == 0) code = bench_picture_commit(&picture);
    bench_picture_abort(&picture);
    return code;
}

static int tell(const bench_linear *l, const bench_settings *s)
{
    FILE *stream = s->out && strcmp(s->out, "-") == 0 ? stderr : stdout;
    int code = 0;
    if (s->out) code = is_table(s->out) ? bench_linear_csv(l, s->out) : draw(l, s->out);
    if (code == 0 && s->matrices) code = bench_linear_matrices(l, s->matrices);
    if (code == 0 && s->animate) code = bench_linear_animate(l, s->mode > 0 ? (int)s->mode : 1, s->animate);
    if (code != 0) return code;
    if (s->format == BENCH_TEXT) bench_linear_text(l, stream);
    return s->format == BENCH_JSON ? bench_json_line(bench_linear_json(l), stream) : 0;
}

/* To the state: t, from which `to` is not far; < 0 with a message. */
static resida_status reach(const bench_handles *h, const bench_job *job, double t, resida_state *to,
                           resida_message *why)
{
    resida_status status = bench_handles_start(h, job);
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

static int complain(const bench_job *job, const resida_message *why)
{
    if (bench_signal_caught()) return 128 + bench_signal_caught();
    return bench_complain_model(BENCH_EXIT_FAILED, job->model->cls->name, why->text[0] ? why->text : "out of memory");
}

static int tell_modes(resida_linearization *linear, const bench_job *job, const resida_state *at,
                      const resida_layout *layout, const char *form)
{
    const bench_settings *s = job->settings;
    resida_message why = {""};
    bench_linear l = {.job = job, .n_rows = layout->n_g + layout->n_h};
    if (resida_linearization_add_outputs(linear, &job->model->model, &why) < 0) return complain(job, &why);
    if (why.text[0] && !s->quiet) bench_complain_model(0, job->model->cls->name, why.text);
    resida_linearization_get(linear, &l.model);
    l.form = l.model.is_independent ? "independent" : form;
    l.n_parts = job->model->model.is_dae ? l.model.n_components : layout->n_p;
    l.base = job->model->model.is_dae ? at->y : at->p;
    if (resida_linearization_modes(linear, (int)s->modes, bench_given_or(s->near, 0), &l.modes, &why) < 0)
        return complain(job, &why);
    return tell(&l, s);
}

static int study(const bench_handles *h, const bench_job *job, double t)
{
    const bench_settings *s = job->settings;
    const int whole = job->model->model.is_dae || (bench_is_given(s, "form") && strcmp(s->problem.form, "auto") != 0);
    resida_linearization *linear = NULL;
    resida_state at = {.t = NAN};
    resida_layout layout;
    resida_message why = {""};
    resida_status status = reach(h, job, t, &at, &why);
    if (status < 0 || bench_signal_caught()) return complain(job, &why);
    if (at.t < t) { /* the model ended the run */
        bench_complain_model(BENCH_EXIT_FAILED, job->model->cls->name, why.text);
        return BENCH_EXIT_FAILED;
    }
    resida_problem_layout(h->problem, &layout);
    status = whole ? resida_linearize(&linear, h->problem, at.t, at.y, at.yp, &why)
                   : resida_linearize_mechanism(&linear, h->problem, at.t, at.p, at.v, at.a, at.lam, &why);
    int code =
        status < 0 ? complain(job, &why) : tell_modes(linear, job, &at, &layout, resida_problem_form(h->problem));
    resida_linearization_free(linear);
    return code;
}

static int open_and_study(bench_model *model, const bench_settings *s)
{
    bench_settings own = *s;
    bench_job job;
    bench_handles h;
    resida_message why = {""};
    const double t0 = model->model.t0, t = bench_given_or(s->at, t0);
    if (t < t0)
        return bench_complain(BENCH_EXIT_USAGE, "--at %.10g: before the start of %s, t = %.10g", t, model->cls->name,
                              t0);
    int code = s->animate ? bench_animation_check(model) : 0;
    own.t_end = t > t0 ? t : NAN;
    if (code == 0) code = bench_job_make(&job, model, &own, 1);
    if (code == 0) code = bench_job_probe(&job);
    if (code != 0) return code;
    code =
        bench_handles_open(&h, &job, bench_signal_monitor, NULL, &why) < 0 ? complain(&job, &why) : study(&h, &job, t);
    bench_handles_close(&h);
    return code;
}

static int check(const bench_settings *s)
{
    if (s->n_words != 1) return bench_complain(BENCH_EXIT_USAGE, "linearize: which model? One only");
    if (s->out && !is_table(s->out) && !bench_ends_in(s->out, ".svg") && !bench_ends_in(s->out, ".png"))
        return bench_complain(BENCH_EXIT_USAGE, "--out %s: must end in .csv, .svg or .png", s->out);
    if (bench_is_given(s, "near") && s->modes == 0)
        return bench_complain(BENCH_EXIT_USAGE, "linearize: --near is for --modes");
    if (bench_is_given(s, "mode") && !s->animate)
        return bench_complain(BENCH_EXIT_USAGE, "linearize: --mode is for --animate");
    return 0;
}

int bench_cmd_linearize(const bench_settings *s)
{
    const int code = check(s);
    return code != 0 ? code : bench_on_model(s, open_and_study);
}
