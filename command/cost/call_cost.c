/* call_cost.c - times F alone: batches of calls at the start, each long enough for the clock; their median. */
#include "call_cost.h"

#include "benchmarks/peers/stopwatch.h"

#include <math.h>
#include <stdlib.h>

enum { BATCHES = 9, CALLS_MAX = 1 << 20 };
static const double batch_s = 1e-3; /* a thousand times what the clock resolves */

typedef struct subject {
    resida_problem *problem;
    resida_state at;
    double *r; /**< [n] */
} subject;

/** Processor time of n calls; NaN when F fails. */
static double batch(const subject *s, long n)
{
    bench_stopwatch watch = {0};
    int failed = 0;
    bench_stopwatch_run(&watch);
    for (long i = 0; i < n; i++) failed |= resida_problem_residual(s->at.t, s->at.y, s->at.yp, s->r, s->problem);
    bench_stopwatch_pause(&watch);
    return failed ? NAN : watch.cpu_s;
}

/** How many calls last long enough. */
static long batch_size(const subject *s)
{
    long n = 1;
    while (n < CALLS_MAX && batch(s, n) < batch_s) n *= 2;
    return n;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double cost_of(const subject *s)
{
    double times[BATCHES];
    long n = batch_size(s);
    for (int i = 0; i < BATCHES; i++) {
        times[i] = batch(s, n) / (double)n;
        if (isnan(times[i])) return NAN;
    }
    qsort(times, BATCHES, sizeof times[0], compare);
    return times[BATCHES / 2];
}

double bench_call_cost(const bench_job *job)
{
    bench_handles h = {0};
    resida_message why;
    resida_layout layout;
    subject s = {0};
    double cost = NAN;
    resida_status status = bench_handles_open(&h, job, NULL, NULL, &why);
    if (status >= 0) status = bench_handles_start(&h, job);
    if (status >= 0) status = resida_solver_state(h.solver, &s.at);
    if (status >= 0) status = resida_problem_layout(h.problem, &layout);
    if (status >= 0) s.r = calloc((size_t)layout.n + 1, sizeof *s.r);
    s.problem = h.problem;
    if (s.r) cost = cost_of(&s);
    free(s.r);
    bench_handles_close(&h);
    return cost;
}
