/* cmd_solve.c - integrates one model, reports the result, and writes the requested files (files.h).
 *
 * Order: the command line is checked, files are opened, the integration starts. A second run that only estimates the
 * error of the first starts after all files are complete. */
#include "command/cli/commands.h"

#include "program/cli/fits.h"
#include "program/base/complain.h"
#include "command/equilibrium/rest.h"
#include "checkpointed.h"
#include "files.h"
#include "estimate.h"
#include "result.h"
#include "command/sensitivity/tangents.h"
#include "command/cost/hints.h"
#include "program/cli/model_options.h"
#include "program/output/json_line.h"
#include "program/run/run.h"
#include "program/run/run_peer.h"

#include <math.h>
#include <stdlib.h>

#define MANY_STEPS 1e7 /* communication steps that are announced: at 1 us each they take 10 s */

/** The destinations of a run. */
typedef struct target {
    cmd_files files;
    double *outputs;             /**< [n_outputs] of the model */
    cmd_derivatives derivatives; /**< derivatives of --sensitivity */
    cmd_row row;                 /**< result of the run */
} target;

/** Attach results to the row that have the same lifetime. */
static void attach_results(target *to, const cmd_job *job)
{
    to->row.last = job->last;
    to->row.outputs = job->outputs;
    to->row.events = to->files.events.list;
}

/** Print the result. @return code, or the exit code of a failed write */
static int print_result(const target *to, const cmd_job *job, int code)
{
    FILE *stream = to->files.to_stdout ? stderr : stdout;
    const int is_wanted = stream == stdout || !job->settings->quiet; /* if rows go to standard output, the result is
                                                                      * a note */
    if (job->settings->format == CMD_TEXT && is_wanted) cmd_result_text(&to->row, job->followed, stream);
    for (int i = 0; i < to->row.n_warnings && job->settings->format == CMD_TEXT && !is_wanted; i++)
        cmd_complain_model(0, job->model->cls->name, to->row.warnings[i]);
    const int printed =
        job->settings->format == CMD_JSON ? cmd_json_line(cmd_result_json(&to->row, job->followed), stream) : 0;
    return printed != 0 ? printed : code;
}

static int flush_output(int code)
{
    return fflush(stdout) == 0 ? code : cmd_complain_io("write", "standard output");
}

/** Write the result of an interrupted run. A cmd_cut_fn. */
static int put_cut(void *self, const cmd_job *job, const cmd_row *row, int code)
{
    target *to = self;
    to->row = *row;
    attach_results(to, job);
    int written = cmd_files_publish(&to->files, &to->row, job->settings);
    const int printed = written != 0 ? written : print_result(to, job, code);
    cmd_checkpointed_explain(job, &to->row);
    return flush_output(printed);
}

/** Write the result of the first run after the second run was interrupted. A cmd_cut_fn. */
static int put_cut_estimate(void *self, const cmd_job *job, const cmd_row *fine, int code)
{
    target *to = self;
    to->row.fine = fine;
    return flush_output(print_result(to, job, code));
}

static int run_and_print(cmd_job *job, target *to)
{
    cmd_row fine;
    job->cut = put_cut;
    job->cut_self = to;
    int code = cmd_run(job, &to->row);
    attach_results(to, job);
    if (code != 0 && to->row.outcome == CMD_OK) return code; /* writing the output failed, which has been reported */
    int written = cmd_files_publish(&to->files, &to->row, job->settings);
    if (written != 0) return written;
    job->cut = put_cut_estimate;
    if (code == 0 && job->end) code = cmd_estimate(job, job->end, &to->row, &fine);
    cmd_hint_cost(job, &to->row);
    int printed = print_result(to, job, code);
    if (printed != code) return printed;
    if (to->row.outcome == CMD_FAILED) code = cmd_complain_run(code, job, &to->row);
    cmd_checkpointed_explain(job, &to->row);
    return code;
}

static int run_with_estimate(cmd_job *job, target *to)
{
    cmd_run_end end = {0}, last = {0};
    if (job->settings->format == CMD_JSON) {
        if (cmd_run_end_allocate(&last, &job->model->model, -INFINITY) != 0) return cmd_no_memory();
        job->last = &last;
    }
    if (job->settings->estimate_error) {
        if (cmd_run_end_allocate(&end, &job->model->model, job->t_end) != 0) return cmd_no_memory();
        job->end = &end;
    }
    int code = run_and_print(job, to);
    cmd_run_end_free(&end);
    cmd_run_end_free(&last);
    return code;
}

/** Request the outputs of the model from the job if they are written. */
static int request_outputs(target *to, cmd_job *job)
{
    if (!job->sink && job->settings->format != CMD_JSON) return 0;
    to->outputs = calloc((size_t)job->model->model.n_outputs + 1, sizeof *to->outputs);
    if (!to->outputs) return cmd_no_memory();
    for (int i = 0; i < job->model->model.n_outputs; i++) to->outputs[i] = NAN;
    job->outputs = to->outputs;
    return 0;
}

/** Allocate the derivatives of --sensitivity. */
static int request_derivatives(target *to, cmd_job *job)
{
    const char *list = job->settings->sensitivity;
    if (!list) return 0;
    job->followed = &to->derivatives;
    if (cmd_derivatives_allocate(&to->derivatives, &job->model->model, list) == 0) return 0;
    return cmd_no_memory();
}

/** Announce a run of Co-Simulation with very many communication steps. */
static void announce_steps(const cmd_job *job)
{
    const cmd_model *m = job->model;
    const int k = cmd_parameter_index(m->cls, "--communication-step");
    const double h = k < 0 ? 0 : m->values[k].number, n = h > 0 ? (job->t_end - m->model.t0) / h : 0;
    if (n < MANY_STEPS || job->settings->quiet) return;
    cmd_complain(
        0, "hint: the run takes %.3g communication steps of %.9g s; --communication-step SECONDS sets another size", n,
        h);
}

static int solve(cmd_model *model, const cmd_settings *s)
{
    cmd_job job;
    cmd_checkpoint checkpoint;
    target to = {.outputs = NULL};
    cmd_equilibrium rest = {.model = NULL};
    const resida_model as_made = model->model;
    int code = cmd_checkpointed_check(s);
    if (code == 0) code = cmd_equilibrium_check(s);
    if (code == 0 && s->estimate_error && model->model.y_is_time)
        code = cmd_complain(CMD_EXIT_USAGE,
                            "--estimate-error: %s has its own integrator, or no states: compare with a run of a "
                            "smaller --communication-step",
                            model->cls->name);
    if (code == 0 && s->sensitivity) code = cmd_check_has_states(model, "--sensitivity");
    if (code == 0) code = cmd_job_make(&job, model, s, 1);
    if (code == 0 && s->integrator) code = cmd_job_find_peer(&job, s->integrator);
    if (code == 0 && s->sensitivity) job.follower = &cmd_tangents;
    if (code == 0) code = cmd_job_check(&job);
    if (code == 0) code = request_derivatives(&to, &job);
    if (code == 0) code = cmd_files_plan(&to.files, &job);
    if (code == 0 && s->from_equilibrium) code = cmd_equilibrium_set_start(&rest, model, s, NULL);
    if (code == 0) code = cmd_files_open(&to.files, &job);
    if (code == 0) code = cmd_checkpointed_open(&checkpoint, &job, &to.files);
    if (code == 0) code = request_outputs(&to, &job);
    if (code == 0) announce_steps(&job);
    if (code == 0) code = run_with_estimate(&job, &to);
    if (code == 0 && s->emit_patterns) code = cmd_emit_patterns(&job, s->emit_patterns);
    cmd_files_close(&to.files);
    model->model = as_made; /* restores the start that the model owns and may free */
    cmd_equilibrium_free(&rest);
    free(to.outputs);
    cmd_derivatives_free(&to.derivatives);
    return code;
}

int cmd_cmd_solve(const cmd_settings *s)
{
    if (s->n_words == 0) return cmd_complain(CMD_EXIT_USAGE, "solve: give a model; 'resida models' lists them");
    if (s->n_words > 1)
        return cmd_complain(CMD_EXIT_USAGE, "solve: give only one model; there is '%s' after '%s'", s->words[1],
                            s->words[0]);
    if (s->sensitivity && !s->out && !s->plot && s->format != CMD_JSON)
        return cmd_complain(CMD_EXIT_USAGE, "--sensitivity: use it with --out FILE.csv, --plot, or --format json");
    if (s->from_equilibrium && s->sensitivity)
        return cmd_complain(CMD_EXIT_USAGE, "--sensitivity: cannot be used with --from-equilibrium, because the "
                                            "equilibrium also depends on the parameters");
    return cmd_run_on_model(s, solve);
}
