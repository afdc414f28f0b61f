/* measure_scaling.c - time and residual calls of an evaluation of J and of its factorisation on a chain of N rods,
 * damped, and memory of the process, N = 10 .. 10,000. Prints a table with the exponents between its rows, checks
 * nothing. Run by "meson test --benchmark". */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "test/fixtures/bench_fixture.h"
#include "base/linear/linear_solver.h"
#include "src/core/solver/solver_impl.h"

enum { REPEATS = 15 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct row {
    double evaluate, factor; /* [s] best of several */
    long calls;
    int groups;
    long memory; /* [KiB] peak so far */
} row;

/* Best times of an evaluation and a factorisation at the state reached. */
static void measure(resida_solver *s, row *r)
{
    resida_state state;
    resida_jacobian_matrix J;
    resida_jacobian_counts before, after;
    rsd_linear_solver *linear = NULL;
    int current;
    if (resida_solver_state(s, &state) < 0 || rsd_linear_create(&linear, s->problem->layout.n, "klu", NULL, NULL) < 0)
        return;
    double *F = bench_doubles(s->problem->layout.n);
    rsd_problem_eval_part(s->problem, RSD_ROWS_ALL, state.t, state.y, state.yp, F);
    resida_jacobian_point at = {state.t, 1e3, 1e-3, state.y, state.yp, F, NULL, 0};
    r->evaluate = r->factor = INFINITY;
    for (int k = 0; k < REPEATS; k++) {
        resida_jacobian_get_counts(s->engine, &before);
        double t0 = now();
        resida_jacobian_setup(s->engine, RESIDA_SETUP_FIRST, &at, &current);
        double t1 = now();
        resida_jacobian_get_counts(s->engine, &after);
        resida_jacobian_get_matrix(s->engine, &J);
        if (k == 0 && rsd_linear_set_pattern(linear, J.start, J.row, NULL) < 0) break;
        double t2 = now();
        rsd_linear_factor(linear, J.values);
        r->factor = fmin(r->factor, now() - t2);
        r->evaluate = fmin(r->evaluate, t1 - t0);
        r->calls = after.residual_calls - before.residual_calls;
        r->groups = after.groups;
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    r->memory = usage.ru_maxrss;
    rsd_linear_free(linear);
    free(F);
}

static void run(int n, row *r)
{
    const bench_setting settings[] = {{"n", n}, {"d", 0.1}, {"omega", 2}, {NULL, 0}};
    bench b;
    resida_problem *problem = NULL;
    resida_solver *solver = NULL;
    resida_solver_options o;
    bench_open(&b, "chain-cartesian", settings);
    resida_solver_options_init(&o);
    o.rtol = 1e-4;
    if (resida_problem_create(&problem, b.m, NULL, NULL) >= 0 &&
        resida_solver_create(&solver, problem, &o, NULL) >= 0 &&
        resida_solver_start(solver, 0, b.model.p0, b.model.v0, NULL, NULL) >= 0) {
        for (int k = 0; k < 8; k++) resida_solver_step(solver, 1);
        measure(solver, r);
    }
    resida_solver_free(solver);
    resida_problem_free(problem);
    bench_close(&b);
}

int main(void)
{
    row before = {0};
    int n_before = 0;
    printf("      N  groups  calls  evaluation ms  exponent  factor ms  exponent  peak MiB  KiB/rod more\n");
    for (int n = 10; n <= 10000; n *= 10) {
        row r = {0};
        run(n, &r);
        printf("%7d  %6d  %5ld  %13.4f", n, r.groups, r.calls, 1e3 * r.evaluate);
        if (n_before > 0)
            printf("  %8.2f  %9.4f  %8.2f  %8.1f  %12.2f\n", log10(r.evaluate / before.evaluate), 1e3 * r.factor,
                   log10(r.factor / before.factor), (double)r.memory / 1024,
                   (double)(r.memory - before.memory) / (n - n_before));
        else
            printf("  %8s  %9.4f  %8s  %8.1f  %12s\n", "", 1e3 * r.factor, "", (double)r.memory / 1024, "");
        before = r;
        n_before = n;
    }
    return 0;
}
