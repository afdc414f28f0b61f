/* cmd_check.c - validates models. Each check is one line; the exit code is 1 if any check fails. The library itself
 * checks the rank of G, the consistent start, and a run to the end in each formalism. Its warnings are reported too: it
 * compares biases, products and derivatives with differences. The files check_*.c contain the other checks. */
#include "command/cli/commands.h"

#include "check.h"
#include "program/base/complain.h"
#include "program/cli/fits.h"
#include "command/cli/formalism.h"
#include "program/process/signals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A reference is wrong if it agrees in fewer digits and differs by more, in units of the tolerances. */
static const double min_digits = 0.5, max_weighted = 1e3;

/** Write the names of redundant rows, separated by commas and truncated to size. */
static void format_row_names(const resida_mechanism *d, const resida_start_report *start, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < start->n_redundant && used < size; i++) {
        char name[32];
        int n = snprintf(text + used, size - used, "%s%s", i ? ", " : "",
                         cmd_item_name(d->g_names, "g", start->redundant[i], name));
        if (n > 0) used += (size_t)n;
    }
}

static void report_rank(cmd_report_work *r, const resida_start_report *start, int is_refused)
{
    const resida_mechanism *d = &r->model->model.mechanism;
    char rows[256];
    int all = d->n_g + d->n_h;
    if (all == 0) return;
    format_row_names(d, start, rows, sizeof rows);
    if (start->n_redundant > 0)
        cmd_report_result(r, "rank of G", !is_refused, "%d of %d rows; redundant: %s%s", start->rank, all, rows,
                          is_refused ? "" : " (dropped)");
    else
        cmd_report_result(r, "rank of G", start->rank == all || r->model->model.contacts, "%d of %d rows%s",
                          start->rank, all, start->rank < all ? "; open contacts have no row" : "");
}

/** Compute a consistent start. x is work [n_p + 2 n_v + n_g + n_h]. */
static resida_status start_once(const cmd_report_work *r, resida_problem *problem, resida_redundant redundant,
                                double *x, resida_start_report *start, resida_message *why)
{
    const resida_model *m = &r->model->model;
    const resida_mechanism *d = &m->mechanism;
    resida_start_options o = r->settings->start;
    double *v = x + d->n_p, *a = v + d->n_v, *lam = a + d->n_v;
    o.redundant = redundant;
    return resida_problem_start(problem, m->t0, m->p0, m->v0, &o, x, v, a, d->n_g + d->n_h > 0 ? lam : NULL, start,
                                why);
}

/** Report redundant rows as a failed check, and compute the consistent start without them. */
static void start_problem(cmd_report_work *r, resida_problem *problem, double *x)
{
    resida_start_report start = {0};
    resida_message why = {""};
    resida_status status = start_once(r, problem, r->redundant, x, &start, &why);
    const int is_refused = status == RESIDA_ERR_REDUNDANT && r->redundant == RESIDA_REDUNDANT_REFUSE;
    report_rank(r, &start, is_refused);
    if (is_refused) status = start_once(r, problem, RESIDA_REDUNDANT_DROP, x, &start, &why);
    if (status < 0)
        cmd_report_result(r, "consistent start", 0, "%s", why.text);
    else
        cmd_report_result(r, "consistent start", 1,
                          "|g| %.2g -> %.2g, |G v + gI| %.2g -> %.2g, p moved by %.2g, v by %.2g", start.g_before,
                          start.g_after, start.gv_before, start.gv_after, start.p_change, start.v_change);
}

static void check_start(cmd_report_work *r)
{
    const resida_mechanism *d = &r->model->model.mechanism;
    cmd_job job = {.model = r->model, .settings = r->settings};
    resida_problem *problem = NULL;
    resida_message why = {""};
    if (r->model->model.is_dae) return;
    double *x = calloc((size_t)d->n_p + 2 * (size_t)d->n_v + (size_t)d->n_g + (size_t)d->n_h, sizeof *x);
    if (x && cmd_problem_open(&job, &problem, &why) >= 0)
        start_problem(r, problem, x);
    else
        cmd_report_result(r, "consistent start", 0, "%s", x ? why.text : "out of memory");
    resida_problem_free(problem);
    free(x);
}

/** Report a warning of the library as a failed check, with the name of the callback at the beginning of its text. */
static void report_warning(cmd_report_work *r, const char *text)
{
    char check[CMD_CHECK_STAGE] = "warning";
    const size_t n = strcspn(text, ":, ");
    if (text[n] == ':' && n < sizeof check)
        for (size_t i = 0; i <= n; i++) check[i] = i == n ? 0 : text[i] == '_' ? ' ' : text[i];
    cmd_report_result(r, check, 0, "%s", text);
}

/** Classify warnings that are no fault of the model: the warning of a mechanism's model about its values, because M is
 *  checked; a start at or near an equilibrium; and a start that was moved onto the constraints. @return the name of the
 *  check; NULL if the warning is a fault */
static const char *classify_warning(const char *warning, int is_doubt)
{
    if (is_doubt) return "values";
    if (cmd_is_rest_warning(warning)) return "rest";
    return cmd_is_start_move_warning(warning) ? "start" : NULL;
}

static void report_run(cmd_report_work *r, const cmd_row *row)
{
    int n_faults = 0;
    if (row->digits.p < min_digits && row->weighted.p > max_weighted)
        cmd_report_result(r, "reference", 0, "%s: the reference is %.2g off at t = %.6g, %.2g times the tolerance",
                          row->formalism, row->error.p, row->t_end, row->weighted.p);
    for (int i = 0; i < row->n_warnings; i++) {
        const char *so = classify_warning(row->warnings[i], i == 0 && row->is_doubted && !r->model->model.is_dae);
        if (so)
            cmd_report_result(r, so, 2, "%s: %s", row->formalism, row->warnings[i]);
        else
            report_warning(r, row->warnings[i]), n_faults++;
    }
    if (row->outcome != CMD_FAILED && n_faults == 0)
        cmd_report_result(r, "derivatives", 1, "%s: the derivatives of the model agree with differences along the run",
                          row->formalism);
    if (row->outcome == CMD_FAILED)
        cmd_report_result(r, "run", 0, "%s: %s", row->formalism, row->message);
    else if (isfinite(row->drift.gv))
        cmd_report_result(r, "run", 1, "%s, to t = %.6g: %ld steps, %ld residual calls, drift %.2g and %.2g",
                          row->formalism, row->t_end, row->stats.steps, row->stats.residual_calls.total, row->drift.g,
                          row->drift.gv);
    else
        cmd_report_result(r, "run", 1, "%s, to t = %.6g: %ld steps, %ld residual calls", row->formalism, row->t_end,
                          row->stats.steps, row->stats.residual_calls.total);
}

static int note_step(const resida_step *step, void *progress)
{
    (void)step;
    ++*(long *)progress;
    return 0;
}

/** Integrate to the end of the model. @return 0; 128 + signal */
static int check_run(cmd_report_work *r, resida_formalism formalism)
{
    cmd_settings settings = *r->settings;
    settings.points = 4;
    if (r->progress) settings.solver.accepted = note_step, settings.solver.accepted_user = r->progress;
    cmd_job job;
    cmd_row row;
    int code = cmd_job_make(&job, r->model, &settings, 1);
    if (code != 0) return code;
    job.formalism = formalism;
    code = cmd_run(&job, &row);
    if (row.outcome == CMD_INTERRUPTED) return code;
    report_run(r, &row);
    return 0;
}

/** Run in each formalism of the model. */
static int check_runs(cmd_report_work *r)
{
    const resida_mechanism *d = &r->model->model.mechanism;
    if (r->model->model.is_dae) return check_run(r, RESIDA_FORMALISM_AUTO);
    int code = cmd_has_residual(d) ? check_run(r, RESIDA_FORMALISM_RESIDUAL) : 0;
    if (code == 0 && cmd_has_explicit(d)) code = check_run(r, RESIDA_FORMALISM_EXPLICIT);
    return code;
}

/** A check whose callbacks may throw exceptions, and its name, which is reported if it does not complete. */
typedef struct stage {
    const char *name;
    int (*gate)(cmd_report_work *r); /**< returns 0 if no further checks are possible */
    void (*check)(cmd_report_work *r);
} stage;

static const stage stages[] = {
    {"model", cmd_check_model, NULL},
    {"callbacks", cmd_check_callbacks, NULL},
    {"names", NULL, cmd_check_names},
    {"noise", NULL, cmd_check_functions},
    {"form", NULL, cmd_check_forms},
    {"formalisms agree", NULL, cmd_check_formalisms},
    {"excitation", NULL, cmd_check_excitation},
    {"constraints", NULL, cmd_check_constraints},
    {"kinematic matrix", NULL, cmd_check_kinematics},
    {"derivatives", NULL, cmd_check_derivatives},
    {"gyroscopic terms", NULL, cmd_check_gyroscopic},
    {"general DAE", NULL, cmd_check_dae},
    {"consistent start", NULL, check_start},
    {"cost of a call", NULL, cmd_check_cost},
};

/** A call of a stage. It sets whether the next stage can run. */
typedef struct stage_call {
    const stage *stage;
    cmd_report_work *report;
    int goes_on;
} stage_call;

static void run_stage(void *context)
{
    stage_call *call = context;
    if (call->stage->gate) call->goes_on = call->stage->gate(call->report);
    if (call->stage->check) call->stage->check(call->report);
}

static void enter_stage(cmd_report_work *r, const char *name)
{
    if (r->stage) snprintf(r->stage, CMD_CHECK_STAGE, "%s", name);
    if (r->callback) r->callback[0] = 0;
    if (r->progress) ++*r->progress;
}

static int run_checks(cmd_report_work *r)
{
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        stage_call call = {&stages[i], r, 1};
        resida_message why;
        enter_stage(r, stages[i].name);
        if (resida_catch(run_stage, &call, &why) < 0)
            cmd_report_result(r, stages[i].name, 0, "a callback %s", why.text);
        if (!call.goes_on) return 0;
    }
    enter_stage(r, "run");
    return check_runs(r);
}

int cmd_check_all(cmd_report_work *r)
{
    return cmd_check_in_process(r, run_checks);
}

static int check_all(const cmd_model *models, int n, const cmd_settings *s)
{
    int failed = 0, code = 0;
    for (int i = 0; i < n && code == 0; i++) code = cmd_check_model_options(s, &models[i]);
    for (int i = 0; i < n && code == 0; i++) {
        cmd_settings own = *s; /* lets the start succeed; check_start() reports its defects */
        if (!models[i].model.is_dae && models[i].model.mechanism.n_g + models[i].model.mechanism.n_h > 0) {
            own.start.wrong_matrix = RESIDA_WRONG_MATRIX_WARN;
            own.start.redundant = RESIDA_REDUNDANT_DROP;
        }
        cmd_report_work r = {.model = &models[i], .settings = &own, .redundant = s->start.redundant};
        code = cmd_check_all(&r);
        if (r.code != 0) code = r.code;
        failed += r.failed;
        if (cmd_signal_caught()) code = 128 + cmd_signal_caught();
    }
    return code == 0 && failed > 0 ? CMD_EXIT_FAILED : code;
}

int cmd_cmd_check(const cmd_settings *s)
{
    if (s->n_words == 0) return cmd_complain(CMD_EXIT_USAGE, "check: give a model; 'resida models' lists them");
    cmd_model *models = calloc((size_t)s->n_words, sizeof *models);
    if (!models) return cmd_no_memory();
    int code = cmd_models_open(models, s->n_words, (const char *const *)s->words, s);
    if (code == 0) {
        code = check_all(models, s->n_words, s);
        cmd_models_close(models, s->n_words);
    }
    free(models);
    return code;
}
