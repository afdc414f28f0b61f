/* measure_chain_scaling.c - what one second of the Cartesian chain costs, N = 10 .. 10,000 rods (or as the argument
 * says): start and integration, at the tolerances of the model. The lengths take turns, so that what else the machine
 * does hits them alike; medians of all rounds. Exponents of N between rows, and of all rows by least squares. Steps and
 * residual calls repeat exactly. Checks nothing. Run by "meson test --benchmark". */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <resida/all.h>

#include "benchmarks/models/models.h"

enum { ROUNDS = 9, ROWS = 7 };
static const int rods[ROWS] = {10, 32, 100, 316, 1000, 3162, 10000};
static const double t_end = 1; /* [s] */

typedef struct row {
    double n, cpu[ROUNDS]; /* [s] sorted at the end */
    resida_stats stats;
} row;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/** Start and integrate. */
static resida_status swing(row *r, const resida_model *model, double *cpu)
{
    resida_problem *problem = NULL;
    resida_solver *solver = NULL;
    resida_solver_options o;
    resida_solver_options_init(&o);
    o.rtol = model->rtol, o.atol = model->atol;
    resida_status status = resida_problem_create(&problem, &model->mechanism, NULL, NULL);
    if (status >= 0) status = resida_solver_create(&solver, problem, &o, NULL);
    const double began = now();
    if (status >= 0) status = resida_solver_start(solver, model->t0, model->p0, model->v0, NULL, NULL);
    if (status >= 0) status = resida_solver_advance(solver, t_end);
    *cpu = now() - began;
    r->stats = (resida_stats){.size = sizeof r->stats};
    if (status >= 0) status = resida_solver_stats(solver, &r->stats);
    resida_solver_free(solver);
    resida_problem_free(problem);
    return status;
}

static resida_status run(row *r, double *cpu)
{
    const char *const name = "n";
    resida_model model;
    resida_status status = resida_model_create(&bench_chain_cartesian.cls, 1, &name, &r->n, &model, NULL);
    if (status >= 0) status = swing(r, &model, cpu);
    resida_model_destroy(&bench_chain_cartesian.cls, &model);
    return status;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const row *r)
{
    return r->cpu[ROUNDS / 2];
}

static void print(const row *r, const row *before)
{
    printf("%6.0f  %6d  %5ld  %5ld  %9.3f  %8.3f", r->n, r->stats.n, r->stats.steps, r->stats.residual_calls.total,
           1e3 * median(r), 1e3 * (r->cpu[3 * ROUNDS / 4] - r->cpu[ROUNDS / 4]));
    if (before) printf("  %5.2f", log(median(r) / median(before)) / log(r->n / before->n));
    printf("\n");
}

/* The least-squares slope of log cpu over log N. */
static double slope(const row *rows, int n)
{
    double x1 = 0, y1 = 0, xx = 0, xy = 0;
    for (int i = 0; i < n; i++) {
        const double a = log(rows[i].n), b = log(median(&rows[i]));
        x1 += a, y1 += b, xx += a * a, xy += a * b;
    }
    return (n * xy - x1 * y1) / (n * xx - x1 * x1);
}

int main(int count, char **arguments)
{
    static row rows[ROWS];
    const int last = count > 1 ? atoi(arguments[1]) : rods[ROWS - 1];
    int n = 0;
    for (; n < ROWS && rods[n] <= last; n++) rows[n].n = rods[n];
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < n; i++)
            if (run(&rows[i], &rows[i].cpu[round]) < 0) {
                printf("%.0f rods failed\n", rows[i].n);
                return 1;
            }
    printf("     N       n  steps  calls   cpu [ms]       iqr   exp.\n");
    for (int i = 0; i < n; i++) {
        qsort(rows[i].cpu, ROUNDS, sizeof rows[i].cpu[0], compare);
        print(&rows[i], i > 0 ? &rows[i - 1] : NULL);
    }
    if (n > 1) printf("exponent of N, by least squares: %.2f\n", slope(rows, n));
    return 0;
}
