/* job.c - opens the handles of a job: interval, options, problem, solver, start. */
#include "run.h"

#include "program/base/complain.h"
#include "program/cli/fits.h"
#include "program/base/number.h"
#include "program/process/stopwatch.h"
#include "program/process/watchdog.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMPONENT_NAME = 96 };

double cmd_value_or(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

/** Check that steps of the max. size can reach the end. If the user set --max-steps, the run may end early, but a step
 *  must change t. */
static int check_steps(const cmd_job *job)
{
    resida_solver_options o;
    cmd_job_options(job, &o);
    const int is_fixed = o.step > 0 && !o.adaptive;
    const double longest = is_fixed ? o.step : o.h_max, steps = (job->t_end - job->model->model.t0) / longest;
    const int is_usual = job->settings->max_steps == 0;
    const double most = is_usual ? (double)o.max_steps : 1 / DBL_EPSILON;
    if (!(steps > most)) return 0;
    return cmd_complain(CMD_EXIT_USAGE, "--%s %s: needs %.3g steps to t = %s, more than %.3g%s",
                        is_fixed ? "step" : "h-max", cmd_format_shortest(longest), steps,
                        cmd_format_shortest(job->t_end), most,
                        is_usual ? " (--max-steps)" : " that are distinct near t");
}

int cmd_job_make(cmd_job *job, const cmd_model *model, const cmd_settings *s, long repeats)
{
    const resida_model *m = &model->model;
    *job = (cmd_job){.model = model, .settings = s, .formalism = (resida_formalism)s->formalism};
    job->jacobian = s->jacobian ? s->jacobian : "auto";
    job->repeats = s->repeat > 0 ? s->repeat : repeats;
    job->t_end = cmd_value_or(s->t_end, m->t_end);
    if (!(job->t_end > m->t0))
        return cmd_complain(CMD_EXIT_USAGE, "--t-end %s: must be after the start of %s, t = %s",
                            cmd_format_shortest(job->t_end), model->cls->name, cmd_format_shortest(m->t0));
    const int code = check_steps(job);
    return code == 0 ? cmd_grid_make(&job->grid, m->t0, job->t_end, s) : code;
}

void cmd_job_options(const cmd_job *job, resida_solver_options *o)
{
    const cmd_settings *s = job->settings;
    *o = s->solver;
    o->rtol = cmd_value_or(s->rtol, job->model->model.rtol);
    o->atol = cmd_value_or(s->atol, job->model->model.atol);
    o->time_limit_s = cmd_value_or(s->time_limit, o->time_limit_s);
    if (s->min_order > 0) o->min_order = (int)s->min_order;
    if (s->max_order > 0) o->max_order = (int)s->max_order;
    if (job->max_order > 0) o->max_order = job->max_order;
    if (s->max_steps > 0) o->max_steps = s->max_steps;
    if (s->max_residuals > 0) o->max_residuals = s->max_residuals;
    o->t_stop = job->t_end; /* so that the first step does not depend on the outputs */
    o->jacobian = job->jacobian;
}

resida_status cmd_problem_open(const cmd_job *job, resida_problem **problem, resida_message *why)
{
    const resida_model *m = &job->model->model;
    resida_problem_options o = job->settings->problem;
    o.formalism = job->formalism;
    o.products = m->products;
    o.contacts = m->is_dae ? NULL : m->contacts;
    o.root_lam = m->root_lam;
    return m->is_dae ? resida_problem_create_dae(problem, &m->dae, &o, why)
                     : resida_problem_create(problem, &m->mechanism, &o, why);
}

/** Set the options for the start of a peer, which needs only these. */
static void set_start_options(const cmd_job *job, resida_solver_options *o)
{
    resida_solver_options all;
    cmd_job_options(job, &all);
    resida_solver_options_init(o);
    o->rtol = all.rtol;
    o->atol = all.atol;
    o->max_residuals = all.max_residuals;
    o->time_limit_s = all.time_limit_s;
}

/** Return the model's tolerance of component i for this atol. A mechanism has tolerances of p and v. */
static double get_model_tolerance(const resida_model *m, const resida_layout *l, int i, double atol)
{
    int k = -1;
    if (m->is_dae) k = i;
    if (!m->is_dae && i >= l->p && i < l->p + l->n_p) k = i - l->p;
    if (!m->is_dae && i >= l->v && i < l->v + l->n_v) k = l->n_p + i - l->v;
    return k < 0 || !m->atol_each ? atol : m->atol_each[k] * (atol / m->atol);
}

/** Replace tolerances by those given by name on the command line. */
static resida_status set_named_tolerances(const resida_problem *problem, const cmd_settings *s, int n, double *each,
                                          resida_message *why)
{
    char name[COMPONENT_NAME];
    for (int k = 0; k < s->n_tolerances; k++) {
        int found = 0;
        for (int i = 0; i < n; i++) {
            if (resida_problem_component_name(problem, i, name, sizeof name) < 0) continue;
            if (strcmp(name, s->tolerance_names[k]) != 0) continue;
            each[i] = s->tolerance_values[k];
            found = 1;
        }
        if (found) continue;
        snprintf(why->text, sizeof why->text, "--atol: there is no component '%.60s'", s->tolerance_names[k]);
        return RESIDA_ERR_OPTION;
    }
    return RESIDA_OK;
}

resida_status cmd_tolerances(const cmd_job *job, const resida_problem *problem, double atol, double **each,
                             resida_message *why)
{
    const resida_model *m = &job->model->model;
    resida_layout l;
    *each = NULL;
    resida_status status = resida_problem_layout(problem, &l);
    if (status < 0 || (!m->atol_each && job->settings->n_tolerances == 0)) return status;
    *each = calloc((size_t)l.n, sizeof **each);
    if (!*each) return RESIDA_ERR_MEMORY;
    for (int i = 0; i < l.n; i++) (*each)[i] = get_model_tolerance(m, &l, i, atol);
    return set_named_tolerances(problem, job->settings, l.n, *each, why);
}

static resida_status create_solver(cmd_handles *h, const cmd_job *job, resida_solver_options *o, resida_message *why)
{
    double *each;
    resida_status status = cmd_tolerances(job, h->problem, o->atol, &each, why);
    resida_solver_options usual;
    resida_solver_options_init(&usual);
    o->atol_each = each;
    if (each) o->atol = usual.atol;
    if (status >= 0) status = resida_solver_create(&h->solver, h->problem, o, why);
    free(each);
    return status;
}

resida_status cmd_handles_open(cmd_handles *h, const cmd_job *job, resida_monitor_fn *monitor, void *user,
                               resida_message *why)
{
    *h = (cmd_handles){0};
    cmd_watchdog_deadline(bench_wall_s() + cmd_value_or(job->settings->time_limit, INFINITY));
    resida_status status = cmd_problem_open(job, &h->problem, why);
    if (status < 0) return status;
    resida_solver_options o;
    if (job->peer)
        set_start_options(job, &o);
    else
        cmd_job_options(job, &o);
    o.monitor = monitor;
    o.monitor_user = user;
    status = create_solver(h, job, &o, why);
    if (status >= 0) status = resida_run_create(&h->run, &job->model->model, h->solver, why);
    if (status < 0 || !job->follower) return status;
    h->follower = job->follower;
    return h->follower->open(&h->following, h, job, why);
}

void cmd_handles_close(cmd_handles *h)
{
    cmd_watchdog_deadline(INFINITY);
    resida_run_free(h->run);
    resida_solver_free(h->solver);
    resida_problem_free(h->problem);
    if (h->follower) h->follower->close(h->following);
    *h = (cmd_handles){0};
}

void cmd_handles_follow_output(const cmd_handles *h, const cmd_job *job, const resida_state *state)
{
    if (h->follower) h->follower->keep(h->following, job, h->solver, state);
}

const char *cmd_handles_why_ended(const cmd_handles *h)
{
    const char *reason = strstr(resida_solver_message(h->solver), ": ");
    return reason ? reason : "";
}

resida_status cmd_handles_start(const cmd_handles *h, const cmd_job *job)
{
    return resida_run_start(h->run, &job->settings->start, NULL);
}

/** Return 1 if the failure is caused by a request that this model cannot satisfy. */
static int is_usage_error(const cmd_settings *s, resida_status status)
{
    if (status == RESIDA_ERR_OPTION || status == RESIDA_ERR_ARGUMENT) return 1;
    return status == RESIDA_ERR_MODEL &&
           (strcmp(s->problem.form, "auto") != 0 || s->formalism != RESIDA_FORMALISM_AUTO);
}

int cmd_job_check(const cmd_job *job)
{
    cmd_handles h;
    resida_message why = {""};
    const char *name = job->model->cls->name;
    if (job->model->model.is_dae && job->settings->formalism != RESIDA_FORMALISM_AUTO)
        return cmd_complain_model(CMD_EXIT_USAGE, name, "a general DAE has no formalism to choose");
    int misfit = cmd_check_model_options(job->settings, job->model);
    if (misfit != 0) return misfit;
    resida_status status = cmd_handles_open(&h, job, NULL, NULL, &why);
    cmd_handles_close(&h);
    if (status >= 0) return 0;
    int code = is_usage_error(job->settings, status) ? CMD_EXIT_USAGE : CMD_EXIT_FAILED;
    return cmd_complain_model(code, name, why.text[0] ? why.text : resida_status_name(status));
}
