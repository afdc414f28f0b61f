/* run_words.c - sets the texts of a row: names, warnings, reason of the end. */
#include "run_impl.h"

#include "program/base/complain.h"
#include "program/process/signals.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ASIDE = 64 };

void cmd_run_fail(cmd_row *row, resida_status status, const char *message)
{
    row->outcome = CMD_FAILED;
    row->code = resida_status_name(status);
    snprintf(row->message, sizeof row->message, "%s", message[0] ? message : row->code);
}

/* Append the message of the model to a failure of the model. */
static void append_message(cmd_row *row, resida_status status, const char *said)
{
    const size_t n = strlen(row->message);
    const int is_own = status == RESIDA_ERR_USER || status == RESIDA_ERR_USER_REPEATED;
    if (is_own && said && *said) snprintf(row->message + n, sizeof row->message - n, ": %s", said);
}

void cmd_run_set_outcome(cmd_repetition *r, resida_status status)
{
    cmd_row *row = r->row;
    if (r->late) {
        cmd_run_fail(row, RESIDA_ERR_LIMIT_TIME, "");
        snprintf(row->message, sizeof row->message, "the time limit of %g s is exceeded at t = %.10g",
                 r->job->settings->time_limit, row->t_reached);
    } else if (r->no_outputs) {
        cmd_run_fail(row, RESIDA_ERR_USER, "");
        snprintf(row->message, sizeof row->message, "output() failed at t = %.10g", row->t_reached);
    } else if (status == RESIDA_INTERRUPTED) {
        row->outcome = CMD_INTERRUPTED;
        snprintf(row->message, sizeof row->message, "interrupted at t = %.10g", row->t_reached);
    } else {
        const int is_peers = r->job->peer && r->peer.message[0]; /* otherwise the start failed, which resida computes */
        cmd_run_fail(row, status, is_peers ? r->peer.message : resida_solver_message(r->handles.solver));
        append_message(row, status, r->job->model->model.said);
    }
}

resida_status cmd_run_copy_stats(cmd_repetition *r, cmd_row *row)
{
    resida_status status = resida_solver_stats(r->handles.solver, &row->stats);
    snprintf(row->dropped, sizeof row->dropped, "%s", status >= 0 ? row->stats.dropped_rows : "");
    row->stats.dropped_rows = NULL;
    for (int i = 0; status >= 0 && i < row->stats.n_limits; i++)
        (void)resida_problem_component_name(r->handles.problem, row->stats.limits[i].component, row->limited[i],
                                            sizeof row->limited[i]);
    return status;
}

/** Describe the end: "interrupted after t = 3.25: residual() has not returned for 5 s". */
static void describe_cut(cmd_row *row, const cmd_end *end)
{
    char when[40] = "at the start";
    const char *how = end->cause == CMD_CAUSE_SIGNAL ? "interrupted "
                      : end->cause == CMD_CAUSE_TIME ? "the time limit is exceeded "
                                                     : "";
    if (isfinite(row->t_reached)) snprintf(when, sizeof when, "after t = %.10g", row->t_reached);
    snprintf(row->message, sizeof row->message, "%s%s: %s", how, when, end->text);
}

int cmd_complain_run(int code, const cmd_job *job, const cmd_row *row)
{
    char text[RESIDA_MESSAGE_SIZE + ASIDE];
    const char *name = job->model->cls->name;
    if (!job->aside) return cmd_complain_model(code, name, row->message);
    snprintf(text, sizeof text, "%s: %s", job->aside, row->message);
    return cmd_complain_model(code, name, text);
}

int cmd_run_complete_cut_row(void *self, const cmd_end *end)
{
    cmd_repetition *r = self;
    cmd_row row = *r->row;
    int code = end->cause == CMD_CAUSE_SIGNAL ? 128 + end->signal : CMD_EXIT_FAILED;
    cmd_progress_erase(&r->progress);
    cmd_run_fail(&row, end->cause == CMD_CAUSE_TIME ? RESIDA_ERR_LIMIT_TIME : RESIDA_ERR_USER, "");
    if (end->cause == CMD_CAUSE_SIGNAL) row.outcome = CMD_INTERRUPTED, row.code = NULL;
    describe_cut(&row, end);
    if (r->first && !r->job->peer) (void)cmd_run_copy_stats(r, &row);
    cmd_complain_run(code, r->job, &row);
    return r->job->cut ? r->job->cut(r->job->cut_self, r->job, &row, code) : code;
}

void cmd_run_fill_names(cmd_repetition *r)
{
    cmd_row *row = r->row;
    snprintf(row->form, sizeof row->form, "%s", resida_problem_form(r->handles.problem));
    snprintf(row->formalism, sizeof row->formalism, "%s", resida_problem_formalism(r->handles.problem));
    if (r->job->peer) return;
    snprintf(row->asked, sizeof row->asked, "%s", r->job->jacobian);
    snprintf(row->jacobian, sizeof row->jacobian, "%s", r->job->jacobian);
    if (cmd_run_copy_stats(r, row) < 0 || !row->stats.jacobian) return;
    snprintf(row->jacobian, sizeof row->jacobian, "%s", row->stats.jacobian);
}

void cmd_run_collect_warnings(cmd_repetition *r)
{
    cmd_row *row = r->row;
    resida_stats stats = {.size = sizeof stats};
    row->stats.warnings = row->stats.hints = NULL; /* freed with the solver */
    row->n_warnings = row->n_hints = 0;
    row->is_doubted = r->doubt.text[0] != 0;
    (void)resida_solver_examine(r->handles.solver);
    if (resida_solver_stats(r->handles.solver, &stats) < 0) return;
    if (row->is_doubted) snprintf(row->warnings[row->n_warnings++], sizeof row->warnings[0], "%s", r->doubt.text);
    for (int i = 0; i < stats.n_warnings && row->n_warnings < CMD_WARNINGS; i++)
        if (!r->job->model->model.y_is_time || !cmd_is_rest_warning(stats.warnings[i])) /* that the time moves little */
            snprintf(row->warnings[row->n_warnings++], sizeof row->warnings[0], "%s", stats.warnings[i]);
    for (int i = 0; row->outcome == CMD_OK && i < stats.n_hints && row->n_hints < CMD_HINTS; i++)
        snprintf(row->hints[row->n_hints++], sizeof row->hints[0], "%s", stats.hints[i]);
}
