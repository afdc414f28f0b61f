/* linear_state.c - linearizes a model about a state that a run or a search for an equilibrium reaches. */
#include "linearize.h"

#include "program/cli/fits.h"
#include "program/base/complain.h"
#include "program/process/signals.h"
#include "command/equilibrium/rest.h"

#include <math.h>
#include <string.h>

/* Integrate to t and store the state in *to. The time is earlier if the model ends the run. @return < 0: why is set */
static resida_status integrate_to(const cmd_handles *h, const cmd_job *job, double t, resida_state *to,
                                  resida_message *why)
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

int cmd_linear_complain(const cmd_job *job, const resida_message *why)
{
    if (cmd_signal_caught()) return 128 + cmd_signal_caught();
    return cmd_complain_model(CMD_EXIT_FAILED, job->model->cls->name, why->text[0] ? why->text : "out of memory");
}

/* Report the warning of the model at the state. */
static int report_model_warning(const cmd_job *job, const resida_state *at)
{
    const resida_model *m = &job->model->model;
    const resida_model_point point = cmd_model_point(m, at);
    resida_message warning;
    const int code = cmd_model_warning(m, &point, &warning);
    if (warning.text[0] && !job->settings->quiet) cmd_complain_model(0, job->model->cls->name, warning.text);
    return code;
}

static int report_linearization(resida_linearization *linear, const cmd_job *job, const resida_state *at,
                                const resida_layout *layout, const char *form, cmd_linear_told *tell, void *self)
{
    resida_message why = {""};
    cmd_linear l = {.job = job, .handle = linear, .n_rows = layout->n_g + layout->n_h};
    if (resida_linearization_add_outputs(linear, &job->model->model, &why) < 0) return cmd_linear_complain(job, &why);
    if (why.text[0] && !job->settings->quiet) cmd_complain_model(0, job->model->cls->name, why.text);
    resida_linearization_get(linear, &l.model);
    l.form = l.model.is_independent ? "independent" : form;
    l.n_parts = job->model->model.is_dae ? l.model.n_components : layout->n_p;
    l.base = job->model->model.is_dae ? at->y : at->p;
    return tell(&l, job->settings, self);
}

static int linearize_and_report(const cmd_handles *h, const cmd_job *job, double t, cmd_linear_told *tell, void *self)
{
    const cmd_settings *s = job->settings;
    const int whole = job->model->model.is_dae || strcmp(s->problem.form, "auto") != 0;
    resida_linearization *linear = NULL;
    resida_state at = {.t = NAN};
    resida_layout layout;
    resida_message why = {""};
    resida_status status = integrate_to(h, job, t, &at, &why);
    if (status < 0 || cmd_signal_caught()) return cmd_linear_complain(job, &why);
    if (at.t < t) { /* the model ended the run */
        cmd_complain_model(CMD_EXIT_FAILED, job->model->cls->name, why.text);
        return CMD_EXIT_FAILED;
    }
    if (!s->quiet) cmd_report_model_warnings(job->model, h->solver, 0);
    int code = report_model_warning(job, &at);
    if (code != 0) return code;
    resida_problem_layout(h->problem, &layout);
    status = whole ? resida_linearize(&linear, h->problem, at.t, at.y, at.yp, &why)
                   : resida_linearize_mechanism(&linear, h->problem, at.t, at.p, at.v, at.a, at.lam, &why);
    code = status < 0 ? cmd_linear_complain(job, &why)
                      : report_linearization(linear, job, &at, &layout, resida_problem_form(h->problem), tell, self);
    resida_linearization_free(linear);
    return code;
}

/* Integrate to the state, from the start of the model or from its equilibrium, and linearize there. */
static int run_and_linearize(cmd_job *job, double t, cmd_linear_told *tell, void *self)
{
    cmd_handles h;
    resida_message why = {""};
    const int code = cmd_handles_open(&h, job, cmd_signal_monitor, NULL, &why) < 0
                         ? cmd_linear_complain(job, &why)
                         : linearize_and_report(&h, job, t, tell, self);
    cmd_handles_close(&h);
    return code;
}

int cmd_linearize_at_state(cmd_model *model, const cmd_settings *s, const double *guess, cmd_linear_told *tell,
                           void *self)
{
    cmd_settings own = *s;
    cmd_job job;
    cmd_equilibrium rest = {.model = NULL};
    const resida_model as_made = model->model;
    const double t0 = model->model.t0, t = cmd_value_or(s->at, t0);
    if (t < t0)
        return cmd_complain(CMD_EXIT_USAGE, "--at %.10g: before the start of %s, t = %.10g", t, model->cls->name, t0);
    const int has_inputs =
        model->model.is_dae && model->model.dae.n_u > 0; /* which act on outputs without states, too */
    if (!has_inputs && cmd_check_has_states(model, "linearization") != 0) return CMD_EXIT_USAGE;
    own.t_end = t > t0 ? t : NAN;
    own.at = NAN; /* the equilibrium is sought at the start time */
    int code = cmd_equilibrium_check(s);
    if (code == 0) code = cmd_job_make(&job, model, &own, 1);
    if (code == 0) code = cmd_job_check(&job);
    if (code == 0 && s->from_equilibrium) code = cmd_equilibrium_set_start(&rest, model, &own, guess);
    if (code == 0) code = run_and_linearize(&job, t, tell, self);
    model->model = as_made; /* restores the start that the model owns and may free */
    cmd_equilibrium_free(&rest);
    return code;
}
