/* test_junction.c - a voltage rises at a steady rate until a junction conducts, at once and by an exponential. A step
 * across that moment evaluates dF/dy where currents are 1e20 times too large. Kept for the shorter step, it would hide
 * all that is left of the junction's equation, which has no derivative and so no unit of inertia. */
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

enum { JUNCTIONS = 40, N = 3 };

#define RATE    0.5 /* V/s */
#define LOAD    1e6 /* V/s for each ampere */
#define CURRENT 1e-12
#define STEEP   57.6 /* 1/V */
#define GAIN    1e9
#define END     20.0

/* y: current, voltage, and what the current heats. */
static int junction(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const double threshold = *(const double *)user;
    r[0] = y[0] - CURRENT * expm1(STEEP * fmax(y[1] - threshold, 0));
    r[1] = yp[1] - RATE + LOAD * y[0];
    r[2] = yp[2] + y[2] - GAIN * y[0];
    return 0;
}

static resida_problem *open_junction(double *threshold)
{
    static const resida_kind kinds[N] = {RESIDA_ALGEBRAIC, RESIDA_DIFFERENTIAL, RESIDA_DIFFERENTIAL};
    resida_dae d = test_dae();
    d.n = N, d.residual = junction, d.kinds = kinds, d.user = threshold;
    return test_problem_dae(&d, NULL);
}

/* The current comes to rest at RATE/LOAD. @return 0: it failed */
static int conducts(double threshold, double rtol, const char *strategy)
{
    static const double y0[N] = {0}, yp0[N] = {0, RATE, 0};
    resida_problem *problem = open_junction(&threshold);
    resida_solver_options o = test_solver_options();
    resida_state x;
    o.rtol = rtol, o.atol = rtol / 100, o.jacobian = strategy;
    resida_solver *solver = test_solver_of(problem, &o);
    assert_int_equal(resida_solver_start_dae(solver, 0, y0, yp0), RESIDA_OK);
    const int is_done = resida_solver_advance(solver, END) >= 0;
    if (!is_done) print_message("  %s, %.3f V: %s\n", strategy, threshold, resida_solver_message(solver));
    if (is_done) {
        const double voltage = log1p(RATE / LOAD / CURRENT) / STEEP;
        x = test_state(solver);
        bench_near(x.y[1], threshold + voltage, 1e-2);
        bench_near(x.y[2] / (GAIN * RATE / LOAD), 1, 1e-2);
    }
    return is_done;
}

CLAIM(a_junction_conducts_at_forward_voltage)
{
    static const char *const strategies[] = {"auto", "fresh", "dense+partitioned", "dense"};
    for (size_t j = 0; j < sizeof strategies / sizeof *strategies; j++) {
        uint64_t seed = 3;
        int n_failed = 0;
        for (int k = 0; k < JUNCTIONS; k++) {
            const double threshold = 2.5 + 1.5 * bench_random(&seed);
            n_failed += !conducts(threshold, pow(10, -5 + bench_random(&seed)), strategies[j]);
        }
        print_message("  %-18s %d of %d failed\n", strategies[j], n_failed, JUNCTIONS);
        assert_int_equal(n_failed, 0);
    }
}
