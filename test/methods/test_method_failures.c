/* test_method_failures.c - what methods with steps of a fixed size say when something is wrong: failures with the last
 * accepted state, budgets, memory, options that do not fit. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "method_fixture.h"
#include "test/fixtures/rationed.h"
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/mechanisms/small.h"

static double time_of(resida_solver *s)
{
    return test_state(s).t;
}

typedef struct trouble {
    double from; /* from this time on */
    int kind;    /* 0: NaN, > 0: recoverable, < 0: fatal verdict */
} trouble;

/* y0' = -y0, 0 = y1; beyond t = 1.005 no y1: Newton's method goes to and fro. */
static int without_solution(double t, const double *y, const double *yp, const resida_excitation *e, double *r,
                            void *user)
{
    const trouble *x = user;
    r[0] = yp[0] + y[0];
    r[1] = y[1] + (t > 1.005 ? copysign(1, y[1]) : 0);
    if (t < x->from) return 0;
    if (x->kind == 0) r[0] = NAN;
    return x->kind;
}

/* A run of the DAE above to t = 2; its status, that of the start when that fails, and where it ended. */
static resida_status run_dae(const char *method, trouble *x, resida_solver_options *o, double *t, char *message)
{
    static const resida_kind kinds[2] = {RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC};
    const double y0[2] = {1, 0}, yp0[2] = {-1, 0};
    resida_dae dae = test_dae();
    resida_problem *problem;
    resida_solver *solver;
    *t = 0;
    dae.n = 2;
    dae.kinds = kinds;
    dae.residual = without_solution;
    dae.user = x;
    o->method = method;
    if (o->step == 0) o->step = 0.01;
    test_solver_make_dae(&problem, &solver, &dae, NULL, o);
    resida_status status = resida_solver_start_dae(solver, 0, y0, yp0);
    if (status == RESIDA_OK) {
        status = resida_solver_advance(solver, 2);
        *t = time_of(solver);
    }
    snprintf(message, RESIDA_MESSAGE_SIZE, "%s", resida_solver_message(solver));
    test_solver_free(solver, problem);
    return status;
}

CLAIM(failures_are_named_with_the_last_accepted_state)
{
    static const struct {
        trouble x;
        resida_status status;
        double t;
        const char *says;
    } rows[] = {
        {{9, 0}, RESIDA_ERR_NEWTON, 1, "the Newton iteration did not converge at t = "},
        {{0.505, 0}, RESIDA_ERR_NONFINITE, 0.5, "(y[0]) is NaN or Inf"},
        {{0.505, 1}, RESIDA_ERR_USER_REPEATED, 0.5, "callback residual refused every step size"},
        {{0.505, -1}, RESIDA_ERR_USER, 0.5, "residual returned -1 at t = 0.51"},
    };
    static const char *const methods[] = {"bdf1", "bdf3", "radau-iia-2"};
    for (int m = 0; m < 3; m++)
        for (int i = 0; i < 4; i++) {
            resida_solver_options o = test_solver_options();
            trouble x = rows[i].x;
            double t;
            char message[RESIDA_MESSAGE_SIZE];
            resida_status status = run_dae(methods[m], &x, &o, &t, message);
            if (status != rows[i].status || !strstr(message, m < 2 || i < 3 ? rows[i].says : "residual returned -1"))
                fail_msg("%s, row %d: %s: %s", methods[m], i, resida_status_name(status), message);
            if (fabs(t - rows[i].t) > 1e-12) fail_msg("%s, row %d: t = %g", methods[m], i, t);
        }
}

static int stop_at_half(double t, void *user)
{
    return t >= 0.5;
}

/* Without root functions nothing is searched for after the failed step. */
CLAIM(a_first_step_that_cannot_be_evaluated_ends_the_run)
{
    static const char *const methods[] = {"radau-iia-2", "radau-iia-3", "bdf2", "midpoint"};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        resida_solver_options o = test_solver_options();
        trouble x = {1e-9, 0};
        char message[RESIDA_MESSAGE_SIZE];
        double t;
        assert_int_equal(run_dae(methods[k], &x, &o, &t, message), RESIDA_ERR_NONFINITE);
        assert_true(t == 0 && strstr(message, "NaN or Inf"));
    }
}

CLAIM(budgets_and_the_monitor_end_a_run)
{
    resida_solver_options o = test_solver_options();
    trouble x = {9, 0};
    double t;
    char message[RESIDA_MESSAGE_SIZE];
    o.max_steps = 20;
    assert_int_equal(run_dae("bdf2", &x, &o, &t, message), RESIDA_ERR_LIMIT_STEPS);
    bench_near(t, 0.2, 1e-15);
    resida_solver_options_init(&o);
    o.max_residuals = 50;
    assert_int_equal(run_dae("radau-iia-3", &x, &o, &t, message), RESIDA_ERR_LIMIT_RESIDUALS);
    assert_true(t > 0 && t < 0.2);
    resida_solver_options_init(&o);
    o.monitor = stop_at_half;
    assert_int_equal(run_dae("midpoint", &x, &o, &t, message), RESIDA_INTERRUPTED);
    bench_near(t, 0.5, 1e-15);
    resida_solver_options_init(&o);
    o.time_limit_s = 1e-9;
    assert_int_equal(run_dae("bdf1", &x, &o, &t, message), RESIDA_ERR_LIMIT_TIME);
}

/* At t = 0 any step is a change of t, but no number of them comes to t = 2. */
CLAIM(a_step_below_the_rounding_of_the_end_is_refused_at_once)
{
    resida_solver_options o = test_solver_options();
    trouble x = {9, 0};
    double t;
    char message[RESIDA_MESSAGE_SIZE];
    o.step = 1e-30;
    o.max_residuals = 10000; /* of the start */
    assert_int_equal(run_dae("bdf2", &x, &o, &t, message), RESIDA_ERR_STEP_TOO_SMALL);
    assert_true(t == 0);
    assert_string_equal(message, "step = 1e-30 is below the rounding of t = 2");
}

/* y0 + 0 y1 = 0 leaves y1 open. */
static int singular(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] + y[0];
    r[1] = y[0] - yp[0] - 2 * y[0];
    return 0;
}

CLAIM(a_singular_matrix_is_named)
{
    const double y0[2] = {1, 1}, yp0[2] = {-1, 0};
    resida_dae dae = test_dae();
    resida_problem *problem;
    resida_solver *solver;
    resida_solver_options o = test_solver_options();
    dae.n = 2;
    dae.residual = singular;
    o.method = "radau-iia-2";
    o.step = 0.1;
    test_solver_make_dae(&problem, &solver, &dae, NULL, &o);
    assert_int_equal(resida_solver_start_dae(solver, 0, y0, yp0), RESIDA_OK);
    assert_int_equal(resida_solver_advance(solver, 1), RESIDA_ERR_SINGULAR);
    assert_non_null(strstr(resida_solver_message(solver), "the iteration matrix is singular (column of y["));
    test_solver_free(solver, problem);
}

/* An acceleration that no step size gets into: h^2 1e40. */
static int is_hit(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                  void *user)
{
    r[0] = a[0] - (t > 1 ? 1e40 : 1);
    return 0;
}

CLAIM(an_adaptive_run_that_cannot_continue_ends_with_a_message)
{
    const double p0 = 0, v0 = 0;
    resida_mechanism m = test_mechanism();
    resida_problem *problem;
    resida_solver *solver;
    resida_solver_options o = test_solver_options();
    m.n_p = m.n_v = 1;
    m.residual = is_hit;
    m.mass_matrix = small_unit_mass;
    o.method = "generalized-alpha";
    o.step = 0.01;
    o.adaptive = 1;
    test_solver_make(&problem, &solver, &m, NULL, &o);
    assert_int_equal(resida_solver_start(solver, 0, &p0, &v0, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_advance(solver, 2), RESIDA_ERR_ERROR_TEST);
    assert_non_null(
        strstr(resida_solver_message(solver), "generalized-alpha: the error test failed at every step size"));
    bench_near(time_of(solver), 1, 1e-6);
    test_solver_free(solver, problem);
}

static resida_status create_and_run(const char *method, rationed *m, long allocations, const bench *b)
{
    const method_case c = {.method = method, .form = "index3"};
    const resida_allocator allocator = rationed_allocator(m);
    resida_problem_options form = test_problem_options();
    resida_solver_options o = method_options(&c, 0.01);
    resida_problem *problem;
    resida_solver *solver;
    form.form = "index3";
    form.allocator = &allocator;
    *m = (rationed){.left = LONG_MAX};
    assert_int_equal(resida_problem_create(&problem, b->m, &form, NULL), RESIDA_OK);
    m->left = allocations;
    resida_status status = resida_solver_create(&solver, problem, &o, NULL);
    if (status >= 0) status = resida_solver_start(solver, 0, b->model.p0, b->model.v0, NULL, NULL);
    if (status >= 0) status = resida_solver_advance(solver, 0.035);
    test_solver_free(solver, problem);
    assert_int_equal(m->out, 0);
    return status;
}

CLAIM(memory_that_runs_out_is_reported_and_none_is_lost)
{
    static const char *const methods[] = {"bdf3", "generalized-alpha", "radau-iia-2", "energy-decaying"};
    bench *b = bench_make("pendulum", NULL);
    for (int i = 0; i < 4; i++) {
        rationed m;
        long k = 0;
        resida_status status;
        for (; (status = create_and_run(methods[i], &m, k, b)) != RESIDA_OK; k++)
            if (status != RESIDA_ERR_MEMORY) fail_msg("%s, %ld: %s", methods[i], k, resida_status_name(status));
        assert_true(k > 50);
    }
    bench_close(b);
}

CLAIM(incompatible_options_are_refused_by_name)
{
    static const struct {
        const char *method, *form;
        double step, rho;
        int adaptive;
        const char *says;
    } rows[] = {
        {"bdf2", "index3", 0, 0.8, 0, "step = 0, must be > 0 for method bdf2"},
        {"bdf2", "index3", 0.1, 0.8, 1, "adaptive = 1 has no effect with method bdf2"},
        {"newmark", "index3", 0.1, 0.8, 1, "adaptive = 1 with constraints needs damping"},
        {"newmark", "ggl", 0.1, 0.8, 1, "adaptive = 1 with constraints needs damping"},
        {"hht", "index3", 0.1, 1, 1, "adaptive = 1 with constraints needs damping"},
        {"generalized-alpha", "index3", 0.1, 1, 1, "adaptive = 1 with constraints needs damping"},
        {"hht", "index3", 0.1, 0.3, 0, "rho_infinity = 0.3, must be in 0.5..1 for hht"},
        {"energy-decaying", "ggl", 0.1, 0.8, 0,
         "method = energy-decaying supports the forms ode, index3 and augmented, not ggl"},
    };
    bench *b = bench_make("pendulum", NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        resida_problem_options form = test_problem_options();
        resida_solver_options o = test_solver_options();
        resida_problem *problem;
        resida_solver *solver;
        resida_message why;
        form.form = rows[i].form;
        assert_int_equal(resida_problem_create(&problem, b->m, &form, NULL), RESIDA_OK);
        o.method = rows[i].method;
        o.step = rows[i].step;
        o.rho_infinity = rows[i].rho;
        o.adaptive = rows[i].adaptive;
        assert_int_equal(resida_solver_create(&solver, problem, &o, &why), RESIDA_ERR_OPTION);
        assert_null(solver);
        if (!strstr(why.text, rows[i].says)) fail_msg("row %zu: %s", i, why.text);
        resida_problem_free(problem);
    }
    bench_close(b);
}

CLAIM(methods_for_mechanisms_refuse_a_general_DAE)
{
    static const char *const methods[] = {"newmark", "hht", "generalized-alpha", "energy-decaying"};
    for (int m = 0; m < 4; m++) {
        resida_dae dae = test_dae();
        resida_problem *problem;
        resida_solver *solver;
        resida_solver_options o = test_solver_options();
        resida_message why;
        dae.n = 2;
        dae.residual = singular;
        assert_int_equal(resida_problem_create_dae(&problem, &dae, NULL, NULL), RESIDA_OK);
        o.method = methods[m];
        o.step = 0.1;
        assert_int_equal(resida_solver_create(&solver, problem, &o, &why), RESIDA_ERR_OPTION);
        assert_non_null(strstr(why.text, methods[m]));
        resida_problem_free(problem);
    }
}
