/* test_step_ends.c - y' where a step ends: of a run that is interrupted there, before a step or between two attempts at
 * one, and of steps that the option `accepted` is told, it is that of the corrector, as resida_solver_step() returns it
 * from IDA. The derivative of the polynomial through the last states is off by 1e-3 to 1 here, where steps have
 * changed.
 *
 * The model: a pendulum of length 1 that passes a narrow bump of force, 300 exp(-(p_1 + 1/2)^2 / 2e-5), in the index-3
 * form. */
#include "test/fixtures/claims.h"
#include "test/fixtures/mechanisms/small.h"
#include "test/fixtures/solver_fixture.h"

#define ROUNDING 1e-9 /* of a: that of v, over a step of 1e-5 or more */

enum { N = 5, MOST = 4000 };

static double bump(const double *p)
{
    const double z = p[1] + 0.5;
    return 300 * exp(-z * z / 2e-5);
}

static int pushed(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                  void *user)
{
    r[0] = a[0] - bump(p);
    r[1] = a[1] + 9.81;
    return 0;
}

/* Interrupts the run at the call `at` of those before attempt `attempt` at a step, from 0 on. */
typedef struct interrupter {
    double t;
    int attempts, attempt, calls, at;
    double yp[N]; /* of the last step that was told */
} interrupter;

static int interrupt(double t, void *user)
{
    interrupter *x = user;
    x->attempts = t == x->t ? x->attempts + 1 : 0;
    x->t = t;
    return x->attempts == x->attempt && ++x->calls == x->at;
}

static int told(const resida_step *step, void *user)
{
    memcpy(((interrupter *)user)->yp, step->at.yp, N * sizeof(double));
    return 0;
}

typedef struct run {
    resida_problem *problem;
    resida_solver *solver;
} run;

static run begin(interrupter *x, int is_told)
{
    static const double p0[] = {1, 0}, v0[] = {0, 0};
    run r;
    resida_mechanism m = test_mechanism();
    resida_problem_options po = test_problem_options();
    resida_solver_options o = test_solver_options();
    m.n_p = m.n_v = 2, m.n_g = 1;
    m.residual = pushed, m.constraint = small_circle;
    po.form = "index3";
    o.rtol = o.atol = 1e-7;
    o.monitor = interrupt, o.monitor_user = x;
    if (is_told) o.accepted = told, o.accepted_user = x;
    test_solver_make(&r.problem, &r.solver, &m, &po, &o);
    assert_int_equal(resida_solver_start(r.solver, 0, p0, v0, NULL, NULL), RESIDA_OK);
    return r;
}

/* y' at the end of each step, [N], as resida_solver_step() leaves it; and steps are told the same. */
static const double *of_steps(void)
{
    static double yp[MOST][N];
    interrupter x = {.t = NAN, .attempt = -1};
    const run r = begin(&x, 1);
    for (int steps = 1; test_state(r.solver).t < 9.9; steps++) { /* a step beyond 10 is interpolated there */
        assert_true(steps < MOST);
        assert_int_equal(resida_solver_step(r.solver, 10), RESIDA_OK);
        assert_int_equal(test_stats(r.solver).steps, steps);
        memcpy(yp[steps], test_state(r.solver).yp, sizeof yp[steps]);
        for (int i = 0; i < N; i++) {
            const double right = yp[steps][i], off = x.yp[i] - right;
            if (!(fabs(off) < ROUNDING * (1 + fabs(right))))
                fail_msg("step %d, component %d: %.9g is told, off by %.2g", steps, i, right, off);
        }
    }
    return yp[0];
}

CLAIM(interrupted_runs_and_reported_steps_have_the_derivatives_of_the_corrector)
{
    const double *yp = of_steps();
    for (int attempt = 0; attempt < 3; attempt++)
        for (int k = 1; k <= 12; k++) {
            interrupter x = {.t = NAN, .attempt = attempt, .at = attempt ? k + 3 : 40 * k};
            const run r = begin(&x, 0);
            assert_int_equal(resida_solver_advance(r.solver, 10), RESIDA_INTERRUPTED);
            const long steps = test_stats(r.solver).steps;
            for (int i = 0; i < N; i++) {
                const double right = yp[N * steps + i], t = test_state(r.solver).t;
                const double off = test_state(r.solver).yp[i] - right;
                if (fabs(off) > ROUNDING * (1 + fabs(right)))
                    fail_msg("attempt %d, step %ld, t = %.9g, component %d: off by %.2g", attempt, steps, t, i, off);
            }
        }
}
