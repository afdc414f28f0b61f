/* test_jacobian_iteration.c - the three verbs of an integrator: prepare, solve, report; on steps of y' = -K y and of
 * equations without a solution, by backward Euler: y' = (y - y_0)/h, alpha = 1/h. */
#include "test/fixtures/claims.h"
#include "test/fixtures/mechanisms/small.h"
#include "test/fixtures/solver_fixture.h"

enum { N = 2 };

typedef struct rig {
    resida_jacobian *j;
    double K[N][N], t, h, y0[N], x[N], xp[N], F[N], weights[N];
    int corrections, tries, has_no_solution;
} rig;

static int residual(double t, const double *y, const double *yp, double *F, void *user)
{
    const rig *r = user;
    for (int i = 0; i < N; i++) F[i] = yp[i] + r->K[i][0] * y[0] + r->K[i][1] * y[1];
    if (r->has_no_solution) F[0] = y[0] * y[0] + 1;
    return 0;
}

static void open_rig(rig *r)
{
    resida_system s;
    *r = (rig){.K = {{2, 1}, {0, 30}}, .h = 0.01, .y0 = {1, 1}, .weights = {1e6, 1e6}};
    resida_system_init(&s);
    s.n = N, s.F = residual, s.user = r;
    r->j = test_jacobian(&s, NULL);
}

/* Solve a step; accept it. @return how it ended */
static resida_iteration take_step(rig *r)
{
    const resida_jacobian_point at = {
        .t = r->t + r->h, .alpha = 1 / r->h, .h = r->h, .y = r->x, .yp = r->xp, .F = r->F, .weights = r->weights};
    resida_iteration state = RESIDA_ITERATION_RETRY;
    for (r->tries = r->corrections = 0; state == RESIDA_ITERATION_RETRY; r->tries++) {
        for (int i = 0; i < N; i++) r->x[i] = r->y0[i], r->xp[i] = 0;
        residual(at.t, r->x, r->xp, r->F, r);
        assert_int_equal(resida_jacobian_prepare(r->j, &at, 0.1), 0);
        for (state = RESIDA_ITERATION_CONTINUES; state == RESIDA_ITERATION_CONTINUES; r->corrections++) {
            double sum = 0;
            assert_int_equal(resida_jacobian_solve(r->j, r->F, r->F), RESIDA_OK);
            for (int i = 0; i < N; i++) {
                r->x[i] += r->F[i], r->xp[i] += at.alpha * r->F[i];
                sum += pow(r->weights[i] * r->F[i], 2);
            }
            residual(at.t, r->x, r->xp, r->F, r);
            state = resida_jacobian_report(r->j, sqrt(sum / N));
        }
    }
    r->t += r->h;
    for (int i = 0; i < N; i++) r->y0[i] = r->x[i];
    return state;
}

static long calls_of_J(const rig *r)
{
    resida_jacobian_counts counts;
    assert_int_equal(resida_jacobian_get_counts(r->j, &counts), RESIDA_OK);
    return counts.residual_calls;
}

/* y_1 = (1 + 30 h)^-1, and (1 + 2 h) y_0 = 1 - h y_1. */
CLAIM(a_step_of_a_linear_system_is_that_of_the_formula)
{
    rig r;
    open_rig(&r);
    assert_int_equal(take_step(&r), RESIDA_ITERATION_CONVERGED);
    const double y1 = 1 / 1.3, y0 = (1 - 0.01 * y1) / 1.02;
    assert_true(fabs(r.x[0] - y0) < 1e-7 && fabs(r.x[1] - y1) < 1e-7);
}

CLAIM(J_is_kept_while_nothing_changes_and_another_alpha_costs_no_residual_call)
{
    rig r;
    open_rig(&r);
    take_step(&r);
    const long calls = calls_of_J(&r);
    assert_true(calls > 0);
    for (int k = 0; k < 20; k++) {
        if (k % 5 == 4) r.h *= 1.3;
        assert_int_equal(take_step(&r), RESIDA_ITERATION_CONVERGED);
    }
    assert_int_equal(calls_of_J(&r), calls);
}

/* Without a J nothing is solved, and the next step evaluates dF/dy, as a new engine does. */
CLAIM(a_reset_discards_J)
{
    rig r;
    open_rig(&r);
    take_step(&r);
    const long calls = calls_of_J(&r);
    take_step(&r);
    assert_int_equal(calls_of_J(&r), calls);
    resida_jacobian_reset(r.j);
    assert_int_equal(resida_jacobian_solve(r.j, r.F, r.F), RESIDA_ERR_STATE);
    assert_int_equal(take_step(&r), RESIDA_ITERATION_CONVERGED);
    assert_int_equal(calls_of_J(&r), 2 * calls);
}

/* K grows by a factor: with the old J each correction is many times too long. */
CLAIM(a_J_with_which_an_iteration_fails_is_improved)
{
    rig r;
    open_rig(&r);
    take_step(&r);
    const long calls = calls_of_J(&r);
    r.K[1][1] = 3e4;
    const double y1 = r.y0[1] / (1 + r.h * 3e4);
    assert_int_equal(take_step(&r), RESIDA_ITERATION_CONVERGED);
    assert_true(r.tries > 1 && calls_of_J(&r) > calls);
    assert_true(fabs(r.x[1] - y1) < 1e-7);
}

CLAIM(where_there_is_no_solution_the_iteration_fails_with_the_best_J)
{
    rig r;
    open_rig(&r);
    r.has_no_solution = 1;
    assert_int_equal(take_step(&r), RESIDA_ITERATION_FAILED);
    assert_true(r.tries <= 3 && r.corrections <= 12);
}

CLAIM(nothing_is_solved_or_reported_before_J_is_prepared)
{
    rig r;
    open_rig(&r);
    assert_int_equal(resida_jacobian_solve(r.j, r.F, r.F), RESIDA_ERR_STATE);
    assert_int_equal(resida_jacobian_report(r.j, 0), RESIDA_ITERATION_FAILED);
}

static void open_prepared(rig *r)
{
    open_rig(r);
    for (int i = 0; i < N; i++) r->x[i] = r->y0[i];
    residual(r->h, r->x, r->xp, r->F, r);
    const resida_jacobian_point at = {
        .t = r->h, .alpha = 1 / r->h, .h = r->h, .y = r->x, .yp = r->xp, .F = r->F, .weights = r->weights};
    assert_int_equal(resida_jacobian_prepare(r->j, &at, 0.1), 0);
}

/* Corrections of 1 and 0.95: a rate of 0.95 would need 90 more. */
CLAIM(a_rate_above_nine_tenths_does_not_continue)
{
    rig r;
    open_prepared(&r);
    assert_int_equal(resida_jacobian_report(r.j, 1), RESIDA_ITERATION_CONTINUES);
    assert_int_not_equal(resida_jacobian_report(r.j, 0.95), RESIDA_ITERATION_CONTINUES);
}

/* Two equal corrections with a J of this point: up to a third of the error test they may be rounding errors. */
CLAIM(with_a_current_J_small_corrections_that_do_not_decrease_have_converged)
{
    for (int is_small = 0; is_small < 2; is_small++) {
        const double norm = is_small ? 0.32 : 0.34;
        rig r;
        open_prepared(&r);
        assert_int_equal(resida_jacobian_report(r.j, norm), RESIDA_ITERATION_CONTINUES);
        assert_int_equal(resida_jacobian_report(r.j, norm),
                         is_small ? RESIDA_ITERATION_CONVERGED : RESIDA_ITERATION_FAILED);
    }
}

CLAIM(the_J_of_a_solver_belongs_to_the_solver)
{
    resida_dae d = test_dae();
    double y[1] = {1}, yp[1] = {-1}, F[1] = {0}, weights[1] = {1e6};
    d.n = 1, d.residual = small_decay;
    resida_solver *s = test_solver_dae(&d, NULL, NULL);
    const resida_jacobian_point at = {.t = 1, .alpha = 10, .h = 0.1, .y = y, .yp = yp, .F = F, .weights = weights};
    resida_jacobian *j = (resida_jacobian *)(uintptr_t)resida_solver_jacobian(s);
    assert_int_equal(resida_jacobian_prepare(j, &at, 0.1), RESIDA_ERR_STATE);
}
