/* peer_run.c - functions that adapters call during the integration: the residual with its counter and budgets, the
 * first step, outputs, failures. */
#include "peer_impl.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

resida_status rsd_peer_fail(rsd_peer_run *run, resida_status status, const char *format, ...)
{
    rsd_peer_result *result = run->result;
    if (result->status != RESIDA_OK) return result->status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(result->message, sizeof result->message, format, arguments);
    va_end(arguments);
    return result->status = status;
}

/** Return 1 if the run has neither failed nor been requested to stop. */
static int goes_on(rsd_peer_run *run, double t)
{
    if (*run->told) rsd_peer_fail(run, RESIDA_INTERRUPTED, "stopped on request at t = %.10g", t);
    return run->result->status == RESIDA_OK;
}

static int is_within_budget(rsd_peer_run *run, double t)
{
    long most = run->o->max_residuals;
    if (run->result->stats.residual_calls.total < most) return 1;
    rsd_peer_fail(run, RESIDA_ERR_LIMIT_RESIDUALS, "budget of %ld residual calls spent at t = %.9g", most, t);
    return 0;
}

static int all_finite(int n, const double *x)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) return 0;
    return 1;
}

static int evaluate(rsd_peer_run *run, double t, const double *y, const double *yp, double *r)
{
    int verdict = resida_problem_residual(t, y, yp, r, run->task->problem);
    if (verdict < 0) rsd_peer_fail(run, RESIDA_ERR_USER, "a callback returned %d at t = %.9g", verdict, t);
    return verdict == 0 && !all_finite(run->n, r) ? 1 : verdict;
}

int rsd_peer_free_residual(rsd_peer_run *run, double t, const double *y, const double *yp, double *r)
{
    return goes_on(run, t) ? evaluate(run, t, y, yp, r) : -1;
}

int rsd_peer_residual(rsd_peer_run *run, double t, const double *y, const double *yp, double *r)
{
    if (!goes_on(run, t) || !is_within_budget(run, t)) return -1;
    run->result->stats.residual_calls.total++;
    return evaluate(run, t, y, yp, r);
}

int rsd_peer_tested(const rsd_peer_run *run, int i)
{
    if (run->o->error_test == RESIDA_ERROR_TEST_ALL) return 1;
    if (run->o->error_test == RESIDA_ERROR_TEST_DIFFERENTIAL) return run->kinds[i] == RESIDA_DIFFERENTIAL;
    return run->kinds[i] < RESIDA_ALGEBRAIC_2;
}

double rsd_peer_atol(const rsd_peer_run *run, int i)
{
    if (run->lets_go && !rsd_peer_tested(run, i)) return RSD_PEER_FAR_OFF;
    return run->o->atol_each ? run->o->atol_each[i] : run->o->atol;
}

int rsd_peer_begins_again(rsd_peer_run *run)
{
    rsd_peer_result *result = run->result;
    int n_free = 0;
    for (int i = 0; i < run->n; i++) n_free += !rsd_peer_tested(run, i);
    if (result->status != RESIDA_ERR_NEWTON || result->t > run->task->t0 || n_free == 0 || run->lets_go) return 0;
    run->lets_go = 1;
    result->status = RESIDA_OK;
    result->message[0] = 0;
    result->stats.residual_calls.total = 0;
    rsd_peer_clock(run, 1);
    return 1;
}

double rsd_peer_first_step(const rsd_peer_run *run)
{
    const rsd_peer_task *task = run->task;
    double h = 1e-3 * (run->o->t_stop - task->t0), norm = 0, count = 0;
    if (run->o->h_first > 0) return run->o->h_first;
    for (int i = 0; i < run->n; i++) {
        if (!rsd_peer_tested(run, i)) continue;
        norm = hypot(norm, task->yp0[i] / (run->o->rtol * fabs(task->y0[i]) + rsd_peer_atol(run, i)));
        count++;
    }
    norm /= sqrt(fmax(count, 1));
    h = norm * h > 0.5 ? 0.5 / norm : h;
    return fmin(h, run->o->h_max);
}

double rsd_peer_next_output(const rsd_peer_run *run)
{
    const rsd_peer_task *task = run->task;
    return run->next_output > task->n_outputs ? INFINITY : task->output_time(run->next_output, task->user);
}

int rsd_peer_output(rsd_peer_run *run, const double *y, const double *yp)
{
    double t = rsd_peer_next_output(run);
    if (!all_finite(run->n, y) || !all_finite(run->n, yp)) {
        rsd_peer_fail(run, RESIDA_ERR_NONFINITE, "the state is not finite at t = %.10g", t);
        return -1;
    }
    run->next_output++;
    return run->emit(run, t, y, yp);
}

void rsd_peer_clock(rsd_peer_run *run, int on)
{
    run->clock(run, on);
}

static void *reserve(long count, size_t each)
{
    void *block = calloc(count > 0 ? (size_t)count : 1, each);
    if (block) return block;
    fputs("out of memory\n", stderr);
    exit(EXIT_FAILURE);
}

double *rsd_peer_doubles(long count)
{
    return reserve(count, sizeof(double));
}

int *rsd_peer_ints(long count)
{
    return reserve(count, sizeof(int));
}

resida_status rsd_peer_check_steps(rsd_peer_run *run, long steps)
{
    if (steps < run->o->max_steps) return RESIDA_OK;
    return rsd_peer_fail(run, RESIDA_ERR_LIMIT_STEPS, "budget of %ld steps spent at t = %.9g", run->o->max_steps,
                         run->result->t);
}
