/* measure_hidden.c - what it costs not to give dg/dp, or patterns: calls and time of built-in models. No test. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <resida/resida.h>

#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/mechanisms/hidden.h"

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void measure(const char *name, hidden_given given, double t_end, const char *jacobian)
{
    static const char *const words[] = {"g alone", "full", "patterns", "products", "both"};
    bench b;
    bench_open(&b, name, NULL);
    resida_mechanism m = hidden_mechanism(b.m, given);
    resida_problem *problem = NULL;
    resida_solver *solver = NULL;
    resida_message why = {""};
    resida_solver_options o;
    resida_solver_options_init(&o);
    o.jacobian = jacobian;
    o.rtol = o.atol = 1e-6;
    if (resida_problem_create(&problem, &m, NULL, &why) < 0 || resida_solver_create(&solver, problem, &o, &why) < 0)
        fail_msg("%s: %s", name, why.text);
    double begin = seconds();
    if (resida_solver_start(solver, 0, b.model.p0, b.model.v0, NULL, NULL) < 0 ||
        resida_solver_advance(solver, t_end) < 0)
        printf("%s: %s\n", name, resida_solver_message(solver));
    double took = seconds() - begin;
    resida_stats s = {.size = sizeof s};
    resida_solver_stats(solver, &s);
    resida_state now;
    double sum = 0;
    if (resida_solver_state(solver, &now) >= 0)
        for (int i = 0; i < m.n_p; i++) sum += fabs(now.p[i]);
    printf("%-22s %-9s n %4ld nnz %6ld steps %5ld residuals %6ld g %8ld G %7ld products %7ld  %8.1f ms  sum %.12g\n",
           name, words[given], (long)s.n, s.nnz, s.steps, s.residual_calls.total, hidden_calls_so_far.g,
           hidden_calls_so_far.G, hidden_calls_so_far.force + hidden_calls_so_far.velocity, 1e3 * took, sum);
    resida_solver_free(solver);
    resida_problem_free(problem);
    bench_close(&b);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "flyball", *jacobian = argc > 4 ? argv[4] : "auto";
    double t_end = argc > 2 ? atof(argv[2]) : 1;
    for (int given = 0; given <= HIDDEN_WITH_BOTH; given++)
        if (argc <= 3 || argv[3][0] == '-' || atoi(argv[3]) == given)
            measure(name, (hidden_given)given, t_end, jacobian);
    return 0;
}
