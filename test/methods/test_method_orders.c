/* test_method_orders.c - the order of every method with steps of a fixed size, on the pendulum against its exact
 * motion: as an ODE in its angle, in the stabilised index-2 form, in index 2 and index 3. Errors in steps of 1/n and
 * 1/(2n).
 *
 * BDF k: order k in all components up to index 3, from back values that are good enough (Brenan, Campbell, Petzold,
 * Numerical Solution of Initial-Value Problems in DAEs, section 3.2). Radau IIA with s stages: 2s - 1 in p and v of an
 * ODE and of index 2, s in lam; of index 3 2s - 1, s, s - 1 (Hairer, Lubich, Roche, LNM 1409). Newmark's
 * family with a consistent start: 2 in all (Arnold, Bruels 2007), in lam of index 3 from the first step on; but
 * Newmark's method with gamma = 1/2 has errors in lam that grow in proportion to t/h: 1, and with another gamma it is
 * of order 1. Midpoint: 2; its lam, and that of the energy-decaying scheme, in means of
 * two steps. Energy-decaying: 3 on an ODE; p of order 3, v and lam of order 2 with constraints. */
#include "method_fixture.h"
#include "test/fixtures/solver_fixture.h"

#include <math.h>

typedef struct order_case {
    method_case c;
    int n;
    double p, v, lam; /* expected orders; lam 0: there is none, or it has none */
} order_case;

static const order_case cases[] = {
    {{.method = "bdf1", .form = "angle"}, 1600, 1, 1, 0},
    {{.method = "bdf1", .form = "ggl"}, 3200, 1, 1, 1},
    {{.method = "bdf1", .form = "index2"}, 3200, 1, 1, 1},
    {{.method = "bdf1", .form = "index3"}, 3200, 1, 1, 1},
    {{.method = "bdf2", .form = "angle"}, 400, 2, 2, 0},
    {{.method = "bdf2", .form = "ggl"}, 400, 2, 2, 2},
    {{.method = "bdf2", .form = "index2"}, 400, 2, 2, 2},
    {{.method = "bdf2", .form = "index3"}, 400, 2, 2, 2},
    {{.method = "bdf2", .form = "index3", .start_up = RESIDA_START_UP_RADAU}, 400, 2, 2, 2},
    {{.method = "bdf3", .form = "angle"}, 400, 3, 3, 0},
    {{.method = "bdf3", .form = "ggl"}, 400, 3, 3, 3},
    {{.method = "bdf3", .form = "index2"}, 400, 3, 3, 3},
    {{.method = "bdf3", .form = "index3"}, 400, 3, 3, 3},
    {{.method = "bdf4", .form = "angle"}, 200, 4, 4, 0},
    {{.method = "bdf4", .form = "ggl"}, 200, 4, 4, 4},
    {{.method = "bdf4", .form = "index2"}, 200, 4, 4, 4},
    {{.method = "bdf4", .form = "index3"}, 200, 4, 4, 4},
    {{.method = "bdf5", .form = "angle"}, 200, 5, 5, 0},
    {{.method = "bdf5", .form = "ggl"}, 200, 5, 5, 5},
    {{.method = "bdf5", .form = "index2"}, 200, 5, 5, 5},
    {{.method = "bdf6", .form = "angle"}, 100, 6, 6, 0},
    {{.method = "bdf6", .form = "ggl"}, 100, 6, 6, 6},
    {{.method = "bdf6", .form = "index2"}, 100, 6, 6, 6},
    {{.method = "midpoint", .form = "angle"}, 200, 2, 2, 0},
    {{.method = "midpoint", .form = "ggl", .in_middle = 1}, 200, 2, 2, 2},
    {{.method = "midpoint", .form = "index2", .in_middle = 1}, 200, 2, 2, 2},
    {{.method = "midpoint", .form = "index3", .in_middle = 1}, 200, 2, 2, 2},
    {{.method = "newmark", .form = "angle"}, 200, 2, 2, 0},
    {{.method = "newmark", .form = "index3"}, 200, 2, 2, 1},
    {{.method = "newmark", .form = "index3", .gamma = 0.6}, 1600, 1, 1, 1},
    {{.method = "hht", .form = "angle"}, 200, 2, 2, 0},
    {{.method = "hht", .form = "index3"}, 200, 2, 2, 2},
    {{.method = "hht", .form = "index2"}, 200, 2, 2, 2},
    {{.method = "generalized-alpha", .form = "angle"}, 200, 2, 2, 0},
    {{.method = "generalized-alpha", .form = "index3"}, 200, 2, 2, 2},
    {{.method = "generalized-alpha", .form = "index3", .rho = 0.2}, 200, 2, 2, 2},
    {{.method = "generalized-alpha", .form = "index2"}, 200, 2, 2, 2},
    {{.method = "generalized-alpha", .form = "ggl"}, 200, 2, 2, 2},
    {{.method = "radau-iia-2", .form = "angle"}, 80, 3, 3, 0},
    {{.method = "radau-iia-2", .form = "ggl"}, 160, 3, 3, 2},
    {{.method = "radau-iia-2", .form = "index2"}, 160, 3, 3, 2},
    {{.method = "radau-iia-2", .form = "index3"}, 160, 3, 2, 1},
    {{.method = "radau-iia-3", .form = "angle"}, 20, 5, 5, 0},
    {{.method = "radau-iia-3", .form = "ggl"}, 20, 5, 5, 3},
    {{.method = "radau-iia-3", .form = "index2"}, 20, 5, 5, 3},
    {{.method = "radau-iia-3", .form = "index3"}, 40, 5, 3, 2},
    {{.method = "energy-decaying", .form = "angle"}, 40, 3, 3, 0},
    {{.method = "energy-decaying", .form = "index3", .in_middle = 1}, 200, 3, 2, 2},
    {{.method = "energy-decaying", .form = "index3", .rho = 0.01, .in_middle = 1}, 200, 3, 2, 2},
};

static void check_order(const order_case *x, char field, double expected, double before, double after)
{
    double order = log2(before / after);
    if (expected > 0 && !(fabs(order - expected) <= 0.1))
        fail_msg("%s, %s, h = 1/%d: order of %c is %.3f, expected %g (errors %.3g, %.3g)", x->c.method, x->c.form, x->n,
                 field, order, expected, before, after);
}

CLAIM(every_method_has_its_order)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const order_case *x = &cases[i];
        double before[3], after[3];
        method_errors(&x->c, x->n, before);
        method_errors(&x->c, 2 * x->n, after);
        check_order(x, 'p', x->p, before[0], after[0]);
        check_order(x, 'v', x->v, before[1], after[1]);
        check_order(x, 'l', x->lam, before[2], after[2]);
    }
}

/* Largest error of lam in the 10 steps after the start, or after a step of 0.4 h. */
static double early_error(const method_case *c, int n, int after_short)
{
    method_run r;
    resida_state now;
    resida_solver_options o = method_options(c, 1.0 / n);
    double p[2], v[2], lam, error = 0;
    if (after_short) o.t_stop = 20.4 / n;
    method_open(&r, c, 0, &o);
    if (after_short) assert_int_equal(resida_solver_advance(r.solver, 1), RESIDA_STOP_TIME);
    if (after_short) resida_solver_set_stop_time(r.solver, INFINITY);
    for (int k = 0; k < 10; k++) {
        assert_int_equal(resida_solver_step(r.solver, 1), RESIDA_OK);
        assert_int_equal(resida_solver_state(r.solver, &now), RESIDA_OK);
        method_exact(&r, now.t, p, v, &lam);
        error = fmax(error, fabs(now.lam[0] - lam));
    }
    return error;
}

CLAIM(multipliers_are_of_order_2_from_the_first_step_on)
{
    const method_case some[] = {{.method = "generalized-alpha", .form = "index3"},
                                {.method = "hht", .form = "index3"},
                                {.method = "newmark", .form = "index3"}};
    for (int i = 0; i < 3; i++)
        for (int after = 0; after < 2; after++) {
            double order = log2(early_error(&some[i], 400, after) / early_error(&some[i], 800, after));
            if (!(order > 1.9)) fail_msg("%s, %d: order %.2f", some[i].method, after, order);
        }
}

/* --- Inputs that are held for a step and change between two calls --- */

static int held_force(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                      double *r, void *user)
{
    r[0] = a[0] + p[0] - *(const double *)user;
    return 0;
}

/* Calls of F for 200 steps of 1 ms, p [200] at their ends; one_call: of one call, else of 200, with an input that moves
 * before each of them, or not. */
static long calls_with_input(const char *method, int one_call, int moves, double *p)
{
    enum { STEPS = 200 };
    const double h = 1e-3, p0 = 1, v0 = 0;
    resida_mechanism m = test_mechanism();
    resida_solver_options o = test_solver_options();
    resida_problem *problem;
    resida_solver *s;
    double u = 0;
    m.n_p = m.n_v = 1, m.residual = held_force, m.user = &u;
    o.method = method, o.step = h, o.rtol = o.atol = 1e-6;
    test_solver_make(&problem, &s, &m, NULL, &o);
    assert_int_equal(resida_solver_start(s, 0, &p0, &v0, NULL, NULL), RESIDA_OK);
    for (int k = one_call ? STEPS : 1; k <= STEPS; k++) {
        if (moves) u = sin(3 * k * h);
        assert_int_equal(resida_solver_advance(s, k * h), RESIDA_OK);
    }
    const long calls = test_stats(s).residual_calls.total;
    *p = test_state(s).p[0];
    test_solver_free(s, problem);
    return calls;
}

static const char *const carrying[] = {"newmark", "hht", "generalized-alpha", "bdf2", "bdf3", "bdf4", "bdf5", "bdf6"};

CLAIM(an_input_that_stays_costs_one_call_and_no_bit)
{
    for (size_t i = 0; i < sizeof carrying / sizeof *carrying; i++) {
        double p, p_one;
        const long calls = calls_with_input(carrying[i], 0, 0, &p),
                   of_one = calls_with_input(carrying[i], 1, 0, &p_one);
        print_message("  %s: %ld calls, %ld\n", carrying[i], calls, of_one);
        assert_true(p == p_one);
        assert_in_range(calls - of_one, 1, 200);
    }
}

/* F at (t_n, y_n, y'_n) shows the change, and once more that it is corrected. */
CLAIM(an_input_that_moves_costs_two_calls_and_a_half_at_most)
{
    for (size_t i = 0; i < sizeof carrying / sizeof *carrying; i++) {
        double p;
        const long calls = calls_with_input(carrying[i], 0, 1, &p), of_one = calls_with_input(carrying[i], 1, 0, &p);
        print_message("  %s: %ld calls, %ld\n", carrying[i], calls, of_one);
        assert_in_range(calls - of_one, 1, 500);
    }
}

/* By how much p is off at t = 2, of a'' + a = u_k in steps of h, beside p = u + (p - u) cos h + v sin h of each. */
static double error_with_held_force(const char *method, double h)
{
    resida_mechanism m = test_mechanism();
    resida_solver_options o = test_solver_options();
    resida_problem *problem;
    resida_solver *s;
    double u = 0, p = 0, v = 1, most = 0;
    m.n_p = m.n_v = 1, m.residual = held_force, m.user = &u;
    o.method = method, o.step = h, o.rtol = o.atol = 1e-10;
    test_solver_make(&problem, &s, &m, NULL, &o);
    assert_int_equal(resida_solver_start(s, 0, &p, &v, NULL, NULL), RESIDA_OK);
    for (int k = 1; k <= 2 / h + 0.5; k++) {
        const double from = p;
        assert_int_equal(resida_solver_advance(s, k * h), RESIDA_OK);
        p = u + (from - u) * cos(h) + v * sin(h);
        v = -(from - u) * sin(h) + v * cos(h);
        most = fmax(most, fabs(test_state(s).p[0] - p));
        u = 5 * sin(3 * k * h);
    }
    test_solver_free(s, problem);
    return most;
}

/* Taken for a part of the next step, the old force makes an error of first order. */
CLAIM(inputs_that_are_held_for_a_step_leave_order_2)
{
    for (size_t i = 0; i < sizeof carrying / sizeof *carrying; i++) {
        const double coarse = error_with_held_force(carrying[i], 0.02),
                     fine = error_with_held_force(carrying[i], 0.005);
        print_message("  %s: %.2e, %.2e\n", carrying[i], coarse, fine);
        if (!(fine < coarse / 10)) fail_msg("%s: off by %.3g, %.3g with a quarter of h", carrying[i], coarse, fine);
        assert_true(fine < 1e-3);
    }
}
