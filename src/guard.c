/* guard.c - budgets, counters by cause, and the guard against NaN and Inf, which IDA lacks: it creeps on for 20,000
 * steps. One glitch is tried again with a smaller step; a run of non-finite evaluations that stay close together in t
 * ends the integration, with callback, component and time named. */
#include "guard.h"

#include <math.h>
#include <time.h>

enum { LONGEST_RUN = 10 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int stop(rsd_guard *g, resida_status status)
{
    g->stop = status;
    return (int)status;
}

static int admit(void *context, double t)
{
    rsd_guard *g = context;
    if (g->stop < 0) return (int)g->stop;
    long total = 0;
    for (int c = 0; c < RSD_N_CAUSES; c++) total += g->calls[c];
    if (total >= g->max_calls)
        return stop(g, rsd_fail(g->message, RESIDA_ERR_LIMIT_RESIDUALS,
                                "budget of %ld residual calls spent at t = %.9g", g->max_calls, t));
    if (g->deadline < INFINITY && now() > g->deadline)
        return stop(g, rsd_fail(g->message, RESIDA_ERR_LIMIT_TIME, "time limit of %g s reached at t = %.9g",
                                g->time_limit_s, t));
    g->calls[g->cause]++;
    return 0;
}

void rsd_guard_install(rsd_guard *g)
{
    rsd_problem_set_meter(g->problem, (rsd_meter){admit, g});
}

void rsd_guard_begin(rsd_guard *g, double time_limit_s)
{
    g->stop = RESIDA_OK;
    g->time_limit_s = time_limit_s;
    g->deadline = time_limit_s < INFINITY ? now() + time_limit_s : INFINITY;
}

int rsd_all_finite(const double *x, int n)
{
    double sum = 0; /* stays 0 unless something is NaN or Inf; vectorises, unlike an early exit */
    for (int i = 0; i < n; i++) sum += 0 * x[i];
    return sum == 0;
}

static int refused(rsd_guard *g, double t, int verdict)
{
    char what[160];
    g->last = RSD_REFUSED;
    if (verdict > 0) {
        g->recoverable++;
        return verdict;
    }
    if (g->stop < 0) return verdict;
    rsd_problem_fault_text(g->problem, rsd_problem_fault(g->problem), what, sizeof what);
    return stop(g, rsd_fail(g->message, RESIDA_ERR_USER, "%s returned %d at t = %.9g", what, verdict, t));
}

static int not_finite(rsd_guard *g, double t, const double *r)
{
    char what[160];
    g->last = RSD_NOT_FINITE;
    g->nonfinite++;
    if (g->run == 0 || fabs(t - g->run_t) > 4 * g->run_h) {
        g->run = 0;
        g->run_t = t;
        g->run_h = fabs(g->h);
    }
    if (++g->run <= LONGEST_RUN) return 1;
    rsd_problem_fault_text(g->problem, rsd_problem_find_nonfinite(g->problem, t, r), what, sizeof what);
    return stop(g, rsd_fail(g->message, RESIDA_ERR_NONFINITE, "%s is NaN or Inf at t = %.9g, %d times in a row", what,
                            t, g->run));
}

int rsd_guard_residual(double t, const double *y, const double *yp, double *r, void *guarded)
{
    rsd_guard *g = guarded;
    int verdict = resida_problem_residual(t, y, yp, r, g->problem);
    if (verdict) return refused(g, t, verdict);
    if (!rsd_all_finite(r, g->problem->layout.n)) return not_finite(g, t, r);
    g->last = RSD_FINE;
    return 0;
}
