/* job.c - from what is to be run to open handles: interval, options, problem, solver, start. It integrates nothing. */
#include "run.h"

#include "command/base/complain.h"
#include "command/cli/fits.h"
#include "command/base/number.h"
#include "benchmarks/peers/stopwatch.h"
#include "command/base/watchdog.h"

#include <math.h>
#include <string.h>

double bench_given_or(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

int bench_job_make(bench_job *job, const bench_model *model, const bench_settings *s, long repeats)
{
    const resida_model *m = &model->model;
    char text[BENCH_NUMBER_SIZE], start[BENCH_NUMBER_SIZE];
    *job = (bench_job){.model = model, .settings = s, .formalism = (resida_formalism)s->formalism};
    job->jacobian = s->jacobian ? s->jacobian : "auto";
    job->repeats = s->repeat > 0 ? s->repeat : repeats;
    job->t_end = bench_given_or(s->t_end, m->t_end);
    if (!(job->t_end > m->t0))
        return bench_complain(BENCH_EXIT_USAGE, "--t-end %s: must be after the start of %s, t = %s",
                              bench_shortest(job->t_end, text), model->cls->name, bench_shortest(m->t0, start));
    return bench_grid_make(&job->grid, m->t0, job->t_end, s);
}

void bench_job_options(const bench_job *job, resida_solver_options *o)
{
    const bench_settings *s = job->settings;
    *o = s->solver;
    o->rtol = bench_given_or(s->rtol, job->model->model.rtol);
    o->atol = bench_given_or(s->atol, job->model->model.atol);
    o->time_limit_s = bench_given_or(s->time_limit, o->time_limit_s);
    if (s->max_order > 0) o->max_order = (int)s->max_order;
    if (job->max_order > 0) o->max_order = job->max_order;
    if (s->max_steps > 0) o->max_steps = s->max_steps;
    if (s->max_residuals > 0) o->max_residuals = s->max_residuals;
    o->t_stop = job->t_end; /* the first step then does not depend on the outputs */
    o->jacobian = job->jacobian;
}

resida_status bench_problem_open(const bench_job *job, resida_problem **problem, resida_message *why)
{
    const resida_model *m = &job->model->model;
    resida_problem_options o = job->settings->problem;
    o.formalism = job->formalism;
    return m->is_dae ? resida_problem_create_dae(problem, &m->dae, &o, why)
                     : resida_problem_create(problem, &m->mechanism, &o, why);
}

/** A peer takes over from the start, which needs but these. */
static void options_of_start(const bench_job *job, resida_solver_options *o)
{
    resida_solver_options all;
    bench_job_options(job, &all);
    resida_solver_options_init(o);
    o->rtol = all.rtol;
    o->atol = all.atol;
    o->max_residuals = all.max_residuals;
    o->time_limit_s = all.time_limit_s;
}

resida_status bench_handles_open(bench_handles *h, const bench_job *job, resida_monitor_fn *monitor, void *user,
                                 resida_message *why)
{
    *h = (bench_handles){0};
    bench_watchdog_deadline(bench_wall_s() + bench_given_or(job->settings->time_limit, INFINITY));
    resida_status status = bench_problem_open(job, &h->problem, why);
    if (status < 0) return status;
    resida_solver_options o;
    if (job->peer)
        options_of_start(job, &o);
    else
        bench_job_options(job, &o);
    o.monitor = monitor;
    o.monitor_user = user;
    return resida_solver_create(&h->solver, h->problem, &o, why);
}

void bench_handles_close(bench_handles *h)
{
    bench_watchdog_deadline(INFINITY);
    resida_solver_free(h->solver);
    resida_problem_free(h->problem);
    *h = (bench_handles){0};
}

resida_status bench_handles_start(const bench_handles *h, const bench_job *job)
{
    const resida_model *m = &job->model->model;
    if (m->is_dae) return resida_solver_start_dae(h->solver, m->t0, m->y0, m->yp0);
    return resida_solver_start(h->solver, m->t0, m->p0, m->v0, &job->settings->start, NULL);
}

/** Is it the command line that asks for what this model cannot do? */
static int is_usage(const bench_settings *s, resida_status status)
{
    if (status == RESIDA_ERR_OPTION || status == RESIDA_ERR_ARGUMENT) return 1;
    return status == RESIDA_ERR_MODEL &&
           (strcmp(s->problem.form, "auto") != 0 || s->formalism != RESIDA_FORMALISM_AUTO);
}

int bench_job_probe(const bench_job *job)
{
    bench_handles h;
    resida_message why = {""};
    const char *name = job->model->cls->name;
    if (job->model->model.is_dae && job->settings->formalism != RESIDA_FORMALISM_AUTO)
        return bench_complain_model(BENCH_EXIT_USAGE, name, "a general DAE has no formalism to choose");
    int misfit = bench_fits_model(job->settings, job->model);
    if (misfit != 0) return misfit;
    resida_status status = bench_handles_open(&h, job, NULL, NULL, &why);
    bench_handles_close(&h);
    if (status >= 0) return 0;
    int code = is_usage(job->settings, status) ? BENCH_EXIT_USAGE : BENCH_EXIT_FAILED;
    return bench_complain_model(code, name, why.text[0] ? why.text : resida_status_name(status));
}
