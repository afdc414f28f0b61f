/* test_start_guesses.c - consistent starts of general DAEs from guesses of algebraic components that are far off: they
 * are found, or refused by the row that is too large. */
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

typedef struct runner {
    resida_problem *problem;
    resida_solver *s;
} runner;

static runner open_dae(int n, resida_dae_residual_fn *residual, const resida_kind *kinds)
{
    runner r;
    resida_solver_options o = test_solver_options();
    resida_dae d = test_dae();
    d.name = "cells", d.n = n, d.residual = residual, d.kinds = kinds;
    o.rtol = 1e-6, o.atol = 1e-10;
    r.problem = test_problem_dae(&d, NULL);
    r.s = test_solver_of(r.problem, &o);
    return r;
}

static const double *y_of(const runner *r)
{
    return test_state(r->s).y;
}

/* A source of 4 V, an electrode and two resistors: far from its voltage the electrode conducts 1e10 times as well as a
 * resistor. */
static double electrode(double volt)
{
    return 2 * sinh(volt / 0.0514);
}

static int cell(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] + y[0];
    r[1] = electrode(y[1] - y[2]) + y[1] - 4;
    r[2] = -electrode(y[1] - y[2]) + y[2];
    return 0;
}

CLAIM(an_index_is_not_judged_at_a_guess_that_is_far_off)
{
    static const resida_kind kinds[] = {RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC, RESIDA_ALGEBRAIC};
    double from = 1, to = 2;
    while (to - from > 1e-14) *(electrode(4 - 2 * (from + to) / 2) > (from + to) / 2 ? &from : &to) = (from + to) / 2;
    for (int k = 0; k < 5; k++) {
        const double y0[] = {1, 2.5 + 0.1 * k, 2};
        runner r = open_dae(3, cell, kinds);
        if (resida_solver_start_dae(r.s, 0, y0, NULL) < 0) fail_msg("%d: %s", k, resida_solver_message(r.s));
        bench_near(y_of(&r)[2], from, 1e-9);
        bench_near(y_of(&r)[1], 4 - from, 1e-9);
    }
}

/* An electrode of 20 cells, in which potentials of zero are 4 V off: sinh() of 78. */
enum { CELLS = 20 };

static int electrode_cells(double t, const double *y, const double *yp, const resida_excitation *e, double *r,
                           void *user)
{
    const double *c = y, *solid = y + CELLS, *fluid = y + 2 * CELLS;
    for (int i = 0; i < CELLS; i++) {
        const double current = electrode(solid[i] - fluid[i] - 4);
        r[i] = yp[i] + c[i] + current;
        r[CELLS + i] =
            20 * current + 4000 * (2 * solid[i] - solid[i > 0 ? i - 1 : i] - solid[i < CELLS - 1 ? i + 1 : i]);
        r[2 * CELLS + i] =
            -20 * current + 40000 * (2 * fluid[i] - (i > 0 ? fluid[i - 1] : 0) - fluid[i < CELLS - 1 ? i + 1 : i]);
    }
    return 0;
}

CLAIM(a_guess_that_is_too_far_off_is_named_by_its_row_and_not_by_an_index)
{
    resida_kind kinds[3 * CELLS];
    double y0[3 * CELLS] = {0};
    for (int i = 0; i < 3 * CELLS; i++) kinds[i] = i < CELLS ? RESIDA_DIFFERENTIAL : RESIDA_ALGEBRAIC;
    runner r = open_dae(3 * CELLS, electrode_cells, kinds);
    assert_true(resida_solver_start_dae(r.s, 0, y0, NULL) < 0);
    print_message("%s\n", resida_solver_message(r.s));
    assert_non_null(strstr(resida_solver_message(r.s), "the guess is too inaccurate: F["));
    assert_null(strstr(resida_solver_message(r.s), "index"));
    for (int i = 0; i < CELLS; i++) y0[CELLS + i] = 4.1;
    if (resida_solver_start_dae(r.s, 0, y0, NULL) < 0) fail_msg("%s", resida_solver_message(r.s));
}

/* Two masses on springs in 1 m; what a callback leaves out was 0 by chance, or of a call before. */
static int short_residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                          double *r, void *user)
{
    r[0] = a[0] + p[0];
    return 0;
}

static int full_residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                         double *r, void *user)
{
    (void)short_residual(t, p, v, a, e, r, user);
    r[1] = a[1] + p[1];
    return 0;
}

static int short_constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    g[0] = p[0] - p[1];
    return 0;
}

CLAIM(an_output_that_a_callback_does_not_set_is_reported)
{
    for (int k = 0; k < 2; k++) {
        const double p0[2] = {1, 1}, v0[2] = {0, 0};
        resida_mechanism m = test_mechanism();
        m.n_p = m.n_v = 2, m.n_g = k ? 2 : 0;
        m.residual = k ? full_residual : short_residual, m.constraint = k ? short_constraint : NULL;
        resida_solver *s = test_solver(&m, NULL, NULL);
        const resida_status status = resida_solver_start(s, 0, p0, v0, NULL, NULL);
        print_message("%s: %s\n", resida_status_name(status), resida_solver_message(s));
        assert_int_equal(status, RESIDA_ERR_NONFINITE);
        assert_non_null(strstr(resida_solver_message(s),
                               k ? "callback constraint, component 1" : "callback residual, component 1"));
    }
}
