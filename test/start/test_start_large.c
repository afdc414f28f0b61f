/* test_start_large.c - the consistent start of large general DAEs, by default: what comes out is right by a closed form
 * or by the residual of another discretisation, calls do not grow with n, nor memory for each unknown. */
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/oracle.h"
#include "test/fixtures/rationed.h"
#include "test/fixtures/solver_fixture.h"

#define PI 3.14159265358979323846

/* --- partial differential equations on a line of m points inside 0..1, two unknowns each: (u_1, w_1, u_2, ...) --- */

typedef struct line {
    int m;
    double dx;
} line;

static double second(const line *l, const double *y, int i, int of)
{
    const double left = i > 0 ? y[2 * (i - 1) + of] : 0, right = i < l->m - 1 ? y[2 * (i + 1) + of] : 0;
    return (left - 2 * y[2 * i + of] + right) / (l->dx * l->dx);
}

/* u' = w, 0 = w - u_xx: with u = sin(pi x) it is w = -s u, u' = w, s = (2 - 2 cos(pi dx))/dx^2. */
static int heat(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const line *l = user;
    for (int i = 0; i < l->m; i++) {
        r[2 * i] = yp[2 * i] - y[2 * i + 1];
        r[2 * i + 1] = y[2 * i + 1] - second(l, y, i, 0);
    }
    return 0;
}

/* u' = -w, w_xx = -u: with u = sin(pi x) it is w = u/s. */
static int potential(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const line *l = user;
    for (int i = 0; i < l->m; i++) {
        r[2 * i] = yp[2 * i] + y[2 * i + 1];
        r[2 * i + 1] = second(l, y, i, 1) + y[2 * i];
    }
    return 0;
}

/* The first one by finite elements: the mass matrix of both. */
static int elements(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const line *l = user;
    const double part = l->dx * l->dx / 6;
    for (int i = 0; i < l->m; i++) {
        r[2 * i] = yp[2 * i] + part * second(l, yp, i, 0) - y[2 * i + 1] - part * second(l, y, i, 1);
        r[2 * i + 1] = y[2 * i + 1] + part * second(l, y, i, 1) - second(l, y, i, 0);
    }
    return 0;
}

/* u' = u^2 v + 1 - 4.4 u + d (u_xx + u_yy), v' = 3.4 u - u^2 v + d (v_xx + v_yy) on m x m points, borders insulated. */
static double at_point(const line *l, const double *y, int i, int j, int of)
{
    const int m = l->m;
    i = i < 0 ? 0 : i >= m ? m - 1 : i;
    j = j < 0 ? 0 : j >= m ? m - 1 : j;
    return y[2 * (i * m + j) + of];
}

static void brusselator_rate(const line *l, const double *y, int i, int j, double *rate)
{
    const double d = 2e-3 / (l->dx * l->dx), u = at_point(l, y, i, j, 0), v = at_point(l, y, i, j, 1);
    rate[0] = u * u * v + 1 - 4.4 * u;
    rate[1] = 3.4 * u - u * u * v;
    for (int of = 0; of < 2; of++)
        rate[of] += d * (at_point(l, y, i - 1, j, of) + at_point(l, y, i + 1, j, of) + at_point(l, y, i, j - 1, of) +
                         at_point(l, y, i, j + 1, of) - 4 * at_point(l, y, i, j, of));
}

static int brusselator(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const line *l = user;
    double rate[2];
    for (int i = 0; i < l->m; i++)
        for (int j = 0; j < l->m; j++) {
            brusselator_rate(l, y, i, j, rate);
            for (int of = 0; of < 2; of++) r[2 * (i * l->m + j) + of] = yp[2 * (i * l->m + j) + of] - rate[of];
        }
    return 0;
}

/* --- starts --- */

/* u' - u'_xx = -u, a mass matrix whose condition is 4/(pi dx)^2: u' = -u/(1 + s). */
static int pseudo_parabolic(double t, const double *y, const double *yp, const resida_excitation *e, double *r,
                            void *user)
{
    const line *l = user;
    for (int i = 0; i < l->m; i++) {
        const double left = i > 0 ? yp[i - 1] : 0, right = i < l->m - 1 ? yp[i + 1] : 0;
        r[i] = yp[i] - (left - 2 * yp[i] + right) / (l->dx * l->dx) + y[i];
    }
    return 0;
}

typedef struct runner {
    line l;
    int n;
    resida_dae d;
    resida_problem *problem;
    resida_solver *s;
    double *y0, *yp0;
} runner;

static void open_runner(runner *r, resida_dae_residual_fn *residual, int m, int n, const char *jacobian)
{
    static resida_allocator counting;
    resida_problem_options po = test_problem_options();
    resida_solver_options o = test_solver_options();
    *r = (runner){.l = {m, 1.0 / (m + 1)}, .n = n};
    resida_dae_init(&r->d);
    r->d.n = n, r->d.user = &r->l, r->d.residual = residual;
    counting = measured_memory();
    po.allocator = &counting;
    o.rtol = 1e-6, o.atol = 1e-8, o.jacobian = jacobian;
    r->y0 = claims_zeros((size_t)n, sizeof(double));
    r->yp0 = claims_zeros((size_t)n, sizeof(double));
    test_solver_make_dae(&r->problem, &r->s, &r->d, &po, &o);
}

static void start(runner *r, const double *yp0)
{
    if (resida_solver_start_dae(r->s, 0, r->y0, yp0) != RESIDA_OK) fail_msg("%s", resida_solver_message(r->s));
}

static double symbol(const line *l)
{
    return (2 - 2 * cos(PI * l->dx)) / (l->dx * l->dx);
}

/* u = sin(pi x), all else unknown. */
static void begin_sine(runner *r)
{
    for (int i = 0; i < r->l.m; i++) r->y0[2 * i] = sin(PI * r->l.dx * (i + 1));
}

#define CALLS_EACH_HALVING 40  /* the searches in y and yp of two or three iterations */
#define BYTES_EACH         3e3 /* of memory for each unknown: O(nnz) */

/* Calls grow with log n, memory with n: n^2 doubles would be 8 n bytes each. */
static void check_costs(const runner *r)
{
    const long calls = test_stats(r->s).residual_calls.start;
    print_message("n = %d: %ld calls to start, %.0f bytes for each unknown\n", r->n, calls,
                  (double)max_memory_in_use / r->n);
    assert_true((double)calls < CALLS_EACH_HALVING * log2(r->n));
    assert_true((double)max_memory_in_use < BYTES_EACH * r->n);
}

/* The start is w = -+ s^(+-1) u to rounding of second differences, u' its rate, and the run goes on as exp(rate t). */
static void check_line_by(const char *strategy, resida_dae_residual_fn *residual, int m, double w_part, double rate)
{
    runner r;
    open_runner(&r, residual, m, 2 * m, strategy);
    begin_sine(&r);
    start(&r, NULL);
    if (strcmp(strategy, "auto") == 0) check_costs(&r);
    const resida_state at = test_state(r.s);
    const double rounding = 16 * DBL_EPSILON / (r.l.dx * r.l.dx);
    for (int i = 0; i < m; i++) {
        const double u = r.y0[2 * i];
        assert_true(at.y[2 * i] == u);
        bench_near(at.y[2 * i + 1], w_part * u, rounding * (1 + fabs(w_part)));
        bench_near(at.yp[2 * i], rate * u, rounding * (1 + fabs(rate)));
    }
    if (resida_solver_advance(r.s, 0.1) < 0) fail_msg("%s", resida_solver_message(r.s));
    bench_near(test_state(r.s).y[m], exp(0.1 * rate) * r.y0[m], 1e-5);
    assert_true(test_stats(r.s).steps < 100);
}

static void check_line(resida_dae_residual_fn *residual, int m, double w_part, double rate)
{
    check_line_by("auto", residual, m, w_part, rate);
    if (m <= 100) check_line_by("dense", residual, m, w_part, rate);
}

CLAIM(a_heat_equation_with_its_flux_unknown_starts)
{
    const int sizes[] = {100, 1000, 2500, 10000};
    for (int k = 0; k < 4; k++) {
        const line l = {sizes[k], 1.0 / (sizes[k] + 1)};
        check_line(heat, l.m, -symbol(&l), -symbol(&l));
    }
}

CLAIM(an_elliptic_equation_on_a_fine_grid_is_not_taken_for_index_2)
{
    const int sizes[] = {100, 2500, 10000};
    for (int k = 0; k < 3; k++) {
        const line l = {sizes[k], 1.0 / (sizes[k] + 1)};
        check_line(potential, l.m, 1 / symbol(&l), -1 / symbol(&l));
    }
}

CLAIM(a_mass_matrix_of_elements_is_found_regular_by_its_pattern)
{
    const int sizes[] = {100, 2500};
    for (int k = 0; k < 2; k++) {
        const line l = {sizes[k], 1.0 / (sizes[k] + 1)};
        const double s = symbol(&l) / (1 - l.dx * l.dx * symbol(&l) / 6);
        check_line(elements, l.m, -s, -s);
    }
}

CLAIM(a_mass_matrix_of_second_differences_is_not_taken_for_singular)
{
    runner r;
    open_runner(&r, pseudo_parabolic, 5000, 5000, "auto");
    for (int i = 0; i < r.n; i++) r.y0[i] = sin(PI * r.l.dx * (i + 1));
    start(&r, NULL);
    check_costs(&r);
    const double rate = -1 / (1 + symbol(&r.l));
    for (int i = 0; i < r.n; i++) bench_near(test_state(r.s).yp[i], rate * r.y0[i], 1e-7);
}

/* With yp0 and without a pattern: entries of 1 beside those of 1/dx^2 are found by the first evaluations, too. */
CLAIM(small_entries_beside_large_ones_are_learnt)
{
    static const char *const strategies[] = {"auto", "fresh", "sparse"};
    for (int k = 0; k < 3; k++) {
        runner r;
        open_runner(&r, heat, k == 2 ? 200 : 10000, k == 2 ? 400 : 20000, strategies[k]);
        begin_sine(&r);
        const double s = symbol(&r.l);
        for (int i = 0; i < r.l.m; i++) {
            r.y0[2 * i + 1] = r.yp0[2 * i] = -s * r.y0[2 * i];
            r.yp0[2 * i + 1] = s * s * r.y0[2 * i];
        }
        start(&r, r.yp0);
        if (resida_solver_advance(r.s, 0.1) < 0) fail_msg("%s: %s", strategies[k], resida_solver_message(r.s));
        bench_near(test_state(r.s).y[r.l.m], exp(-0.1 * s) * r.y0[r.l.m], 1e-5);
        print_message("%s: %ld calls\n", strategies[k], test_stats(r.s).residual_calls.total);
    }
}

static void brusselator_rates(double t, const double *y, double *rates, const void *user)
{
    const line *l = user;
    for (int i = 0; i < l->m * l->m; i++) brusselator_rate(l, y, i / l->m, i % l->m, rates + 2 * i);
}

/* Its rates are those of the explicit equations, to the rounding of F. The error of the explicit method at this step is
 * below 1e-7 (halved: a sixteenth); the step is stable: 8 d/dx^2 dt = 0.2. */
CLAIM(a_brusselator_in_two_dimensions_starts)
{
    runner r;
    open_runner(&r, brusselator, 70, 9800, "auto");
    for (int i = 0; i < 70; i++)
        for (int j = 0; j < 70; j++) {
            r.y0[2 * (i * 70 + j)] = 0.5 + j * r.l.dx;
            r.y0[2 * (i * 70 + j) + 1] = 1 + 5 * i * r.l.dx;
        }
    start(&r, NULL);
    check_costs(&r);
    const resida_state at = test_state(r.s);
    for (int i = 0; i < 4900; i++) {
        double rate[2];
        brusselator_rate(&r.l, r.y0, i / 70, i % 70, rate);
        for (int of = 0; of < 2; of++) bench_near(at.yp[2 * i + of], rate[of], 1e-9);
    }
    if (resida_solver_advance(r.s, 0.5) < 0) fail_msg("%s", resida_solver_message(r.s));
    oracle_integrate(brusselator_rates, &r.l, 9800, 0, 0.5, 200, r.y0);
    for (int i = 0; i < 9800; i++) bench_near(test_state(r.s).y[i], r.y0[i], 1e-5 * (1 + fabs(r.y0[i])));
    print_message("%ld steps\n", test_stats(r.s).steps);
}

/* Each of n equations has all unknowns: y' of every other one, with B dense, is found as of small systems. */
static int all_of_all(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const line *l = user;
    double sum = 0;
    for (int i = 0; i < l->m; i++) sum += y[i];
    for (int i = 0; i < l->m; i++) r[i] = (i % 2 ? 0 : yp[i]) + 3 * y[i] + sum / l->m - 1;
    return 0;
}

/* 0 = 3 y_i + s - 1 with s = (the sum of all)/n: of the odd ones, y_0 = 0 for the others, s = y/2 and y = 2/7. */
CLAIM(a_system_without_zeros_is_left_to_dense_matrices)
{
    runner r;
    open_runner(&r, all_of_all, 200, 200, "auto");
    start(&r, NULL);
    const resida_state at = test_state(r.s);
    for (int i = 1; i < 200; i += 2) bench_near(at.y[i], 2.0 / 7, 1e-12);
    for (int i = 0; i < 200; i += 2) bench_near(at.yp[i], 1 - 1.0 / 7, 1e-12);
    const long calls = test_stats(r.s).residual_calls.start;
    print_message("n = 200, full: %ld calls\n", calls);
    assert_true(calls < 8 * 200); /* the pattern once, then n + 3 for each iteration */
}

/* --- what is refused --- */

/* The heat equation, but with w_7 free and u_7 held: index 2 there. */
static int held(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const int verdict = heat(t, y, yp, e, r, user);
    r[15] = y[14] - 1;
    return verdict;
}

CLAIM(a_component_of_higher_index_is_named)
{
    for (int m = 20; m <= 2000; m *= 100) {
        runner r;
        open_runner(&r, held, m, 2 * m, "auto");
        begin_sine(&r);
        assert_int_equal(resida_solver_start_dae(r.s, 0, r.y0, NULL), RESIDA_ERR_INCONSISTENT);
        const char *says = resida_solver_message(r.s);
        if (!strstr(says, "index is above 1") || !strstr(says, "y[15]") || !strstr(says, "give yp0"))
            fail_msg("%s", says);
    }
}
