/* pattern_run.c - finds the pattern of a Jacobian by some steps, unless the model gives it. */
#include "pattern.h"

#include "program/base/complain.h"
#include "program/run/progress.h"
#include "program/process/signals.h"

static const double part = 0.01; /* fraction of the interval */
enum { STEPS_MAX = 20 };

/** Integrate for some steps. @return RESIDA_OK; a failure; RESIDA_INTERRUPTED by a signal */
static resida_status integrate(const cmd_handles *h, const cmd_job *job, double t_end, long steps_max)
{
    resida_state state = {.t = job->model->model.t0};
    cmd_progress progress;
    cmd_progress_begin(&progress, job->model->cls->name, state.t, t_end, job->settings->quiet);
    resida_status status = cmd_handles_start(h, job);
    for (long k = 0; k < steps_max && status >= 0 && state.t < t_end; k++) {
        if (cmd_signal_caught()) {
            status = RESIDA_INTERRUPTED;
            break;
        }
        status = resida_solver_step(h->solver, job->t_end);
        if (status >= 0) status = resida_solver_state(h->solver, &state);
        cmd_progress_show(&progress, state.t);
    }
    cmd_progress_erase(&progress);
    return status < 0 || status == RESIDA_INTERRUPTED ? status : RESIDA_OK;
}

static resida_status describe_pattern(cmd_pattern_work *p, const cmd_handles *h, const cmd_job *job)
{
    const resida_jacobian *engine = resida_solver_jacobian(h->solver);
    resida_stats stats = {.size = sizeof stats};
    resida_state state;
    *p = (cmd_pattern_work){.job = job, .formalism = resida_problem_formalism(h->problem)};
    p->form = resida_problem_form(h->problem);
    p->strategy = resida_jacobian_strategy(engine);
    p->method = resida_jacobian_grouping(engine);
    resida_status status = resida_solver_state(h->solver, &state);
    if (status >= 0) status = resida_solver_stats(h->solver, &stats);
    if (status >= 0) status = resida_problem_layout(h->problem, &p->layout);
    if (status >= 0) status = resida_jacobian_get_matrix(engine, &p->J);
    if (status >= 0) status = resida_jacobian_get_counts(engine, &p->counts);
    if (status < 0) return status;
    p->t = state.t;
    p->steps = stats.steps;
    status = resida_jacobian_get_groups(engine, &p->group, &p->n_groups);
    if (status == RESIDA_ERR_STATE) p->group = NULL; /* differenced column by column */
    return status == RESIDA_ERR_STATE ? RESIDA_OK : status;
}

int cmd_pattern_run(const cmd_job *job, double t_end, long steps_max, cmd_pattern_show_fn *show, void *context)
{
    cmd_handles h;
    cmd_pattern_work p;
    resida_message why = {""};
    resida_status status = cmd_handles_open(&h, job, NULL, NULL, &why);
    const char *reason = why.text;
    if (status >= 0) {
        status = integrate(&h, job, t_end, steps_max);
        reason = resida_solver_message(h.solver);
    }
    if (status == RESIDA_OK) status = describe_pattern(&p, &h, job);
    int code = 0;
    if (status == RESIDA_INTERRUPTED)
        code = 128 + cmd_signal_caught();
    else if (status < 0)
        code =
            cmd_complain_model(CMD_EXIT_FAILED, job->model->cls->name, reason[0] ? reason : resida_status_name(status));
    else
        code = show(&p, context);
    cmd_handles_close(&h);
    return code;
}

int cmd_pattern_job(cmd_job *job, const cmd_model *model, const cmd_settings *s)
{
    int code = cmd_job_make(job, model, s, 1);
    if (!s->jacobian) job->jacobian = "sparse";
    return code == 0 ? cmd_job_check(job) : code;
}

int cmd_pattern_run_shortly(const cmd_job *job, cmd_pattern_show_fn *show, void *context)
{
    double t0 = job->model->model.t0;
    return cmd_pattern_run(job, t0 + part * (job->t_end - t0), STEPS_MAX, show, context);
}
