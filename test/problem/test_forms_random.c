/* test_forms_random.c - all formulations on random mechanisms with T, nonholonomic rows, excitations and forces that
 * depend on lam, with derivatives of the model, and on one with redundant rows: the trajectories are those of "ggl". */
#include "forms_fixture.h"
#include "test/fixtures/linkage.h"
#include "test/fixtures/solver_fixture.h"

static void compare_forms(cm *c, int given)
{
    resida_mechanism m = cm_mechanism(c, given);
    for (int k = 1; k <= 2; k++) {
        ending ggl, end;
        resida_problem_options o = forms_options("ggl", (resida_formalism)k);
        forms_integrate(&m, &o, c->p0, c->v0, "auto", 1, &ggl);
        for (int f = 1; f < forms_count(); f++) {
            o = forms_options(forms_name(f), (resida_formalism)k);
            forms_integrate(&m, &o, c->p0, c->v0, "auto", 1, &end);
            forms_compare(&m, forms_name(f), &end, &ggl);
        }
    }
}

CLAIM(every_form_has_the_trajectory_of_ggl)
{
    for (uint64_t seed = 0; seed < 2; seed++) {
        cm c;
        cm_make_rich(&c, seed);
        compare_forms(&c, CM_ALL);
    }
}

CLAIM(also_with_forces_that_depend_on_lam)
{
    cm c;
    cm_make_rich(&c, 3);
    c.friction = 0.05;
    compare_forms(&c, CM_ALL);
}

CLAIM(also_where_the_model_leaves_everything_out)
{
    cm c;
    cm_make_rich(&c, 1);
    compare_forms(&c, CM_NOTHING);
}

/* Two rods, one of them once more, and its rate as a nonholonomic row. */
CLAIM(rows_that_were_dropped_have_multipliers_0_in_every_form)
{
    linkage k = {.n_g = 3, .n_h = 1, .C = {{1}, {0, 1}, {1}}, .names = {"left", "coupler", "copy", "rate"}};
    const double v0[LINKAGE_N] = {0};
    resida_mechanism m = linkage_mechanism(&k);
    ending ggl, end;
    resida_problem_options o = forms_options("ggl", RESIDA_FORMALISM_AUTO);
    forms_integrate(&m, &o, linkage_start, v0, "auto", 1, &ggl);
    for (int f = 1; f < forms_count(); f++) {
        o = forms_options(forms_name(f), RESIDA_FORMALISM_AUTO);
        forms_integrate(&m, &o, linkage_start, v0, "auto", 1, &end);
        forms_compare(&m, forms_name(f), &end, &ggl);
        int zeros = 0;
        for (int i = 0; i < 4; i++) zeros += end.lam[i] == 0;
        assert_int_equal(zeros, 2);
    }
}

/* --- derivatives of the model --- */

/* Phi = M a - Psi by complex arithmetic. */
static void complex_Phi(const cm *c, const cm_point *x, const double *a, cm_number *Phi)
{
    cm_number M[CM_MAX * CM_MAX];
    cm_mass(c, x, M);
    cm_forces(c, x, Phi);
    for (int i = 0; i < c->n_v; i++) {
        Phi[i] = -Phi[i];
        for (int j = 0; j < c->n_v; j++) Phi[i] += M[i * c->n_v + j] * a[j];
    }
}

/* dPhi by the n numbers at `moved`, which is a part of x, row by row. */
static void derive(const cm *c, const cm_point *x, const double *a, cm_number *moved, int n, double *D)
{
    const double tiny = 1e-40;
    cm_number Phi[CM_MAX];
    for (int j = 0; j < n; j++) {
        moved[j] += I * tiny;
        complex_Phi(c, x, a, Phi);
        moved[j] = creal(moved[j]);
        for (int i = 0; i < c->n_v; i++) D[i * n + j] = cimag(Phi[i]) / tiny;
    }
}

static int exact_derivatives(double t, const double *p, const double *v, const double *a, const double *lam,
                             const resida_excitation *e, double *Phi_p, double *Phi_v, double *Phi_lam, void *user)
{
    const cm *c = user;
    cm_point x = cm_at(c, t, p, v, NULL);
    for (int i = 0; i < c->n_g + c->n_h; i++) x.lam[i] = lam[i];
    derive(c, &x, a, x.p, c->n_p, Phi_p);
    derive(c, &x, a, x.v, c->n_v, Phi_v);
    if (Phi_lam) derive(c, &x, a, x.lam, c->n_g + c->n_h, Phi_lam);
    return 0;
}

static resida_stats run_with(const resida_mechanism *m, const cm *c, const char *form, const char *jacobian)
{
    resida_solver_options how = test_solver_options();
    resida_problem_options o = forms_options(form, RESIDA_FORMALISM_RESIDUAL);
    how.jacobian = jacobian;
    resida_solver *s = test_solver(m, &o, &how);
    assert_int_equal(resida_solver_start(s, 0, c->p0, c->v0, NULL, NULL), RESIDA_OK);
    if (resida_solver_advance(s, 1) != RESIDA_OK) fail_msg("%s: %s", form, resida_solver_message(s));
    resida_stats stats = test_stats(s);
    print_message("  %-20s %-6s %ld steps, %ld attempts, %ld iterations, %ld failed\n", form, jacobian, stats.steps,
                  stats.step_attempts, stats.newton_iterations, stats.newton_fails);
    return stats;
}

/* No residual call for J, also where lam and a are in other columns, and no more iterations than with differences of
 * every setup. */
static void check_user(const resida_mechanism *m, const cm *c, const char *form)
{
    const resida_stats stats = run_with(m, c, form, "auto"), dense = run_with(m, c, form, "dense");
    assert_string_equal(stats.jacobian, "user");
    assert_int_equal(stats.residual_calls.jacobian + stats.residual_calls.pattern, 0);
    assert_true(stats.newton_iterations <= dense.newton_iterations);
    assert_int_equal(stats.newton_fails, 0);
}

CLAIM(derivatives_of_the_model_serve_every_form)
{
    for (int k = 0; k < 2; k++) {
        cm c;
        cm_make_rich(&c, 3);
        c.friction = k * 0.05;
        resida_mechanism m = cm_mechanism(&c, CM_ALL);
        m.derivatives = exact_derivatives;
        for (int f = 0; f < forms_count(); f++) check_user(&m, &c, forms_name(f));
    }
}

/* The rows of lam at a random point: (3.1), (3.2) with (3.10), and (3.11) with (3.14), from exact derivatives. */
CLAIM(rows_of_lam_combine_the_levels_as_gamma_says)
{
    static const char *const names[] = {"index1", "baumgarte", "index2"};
    cm c;
    cm_make_rich(&c, 5);
    resida_mechanism m = cm_mechanism(&c, CM_ALL);
    for (int f = 0; f < 3; f++) {
        resida_layout l;
        resida_problem_options o = forms_options(names[f], RESIDA_FORMALISM_RESIDUAL);
        resida_problem *problem = test_problem(&m, &o);
        assert_int_equal(resida_problem_layout(problem, &l), RESIDA_OK);
        double y[CM_MAX_Y], yp[CM_MAX_Y], r[CM_MAX_Y], bias[2 * CM_MAX], udd[CM_MAX], t = 0.4;
        cm_number A[2 * CM_MAX * CM_MAX], w[2 * CM_MAX], g[CM_MAX];
        uint64_t seed = 9;
        for (int i = 0; i < l.n; i++) y[i] = bench_random(&seed), yp[i] = bench_random(&seed);
        assert_int_equal(resida_problem_residual(t, y, yp, r, problem), 0);
        cm_point x = cm_at(&c, t, y, y + l.v, udd);
        cm_rows(&c, &x, A);
        cm_velocity_level(&c, &x, w);
        cm_constraint(&c, &x, g);
        cm_exact_bias(&c, &x, udd, bias);
        double gamma = f == 0 ? 0 : o.gamma;
        for (int i = 0; i < c.n_g + c.n_h; i++) {
            int holonomic = i < c.n_g;
            double second = bias[i], first = creal(w[i]), expected;
            for (int j = 0; j < c.n_v; j++) second += creal(A[i * c.n_v + j]) * yp[l.v + j];
            expected = second + (holonomic ? 2 : 1) * gamma * first + (holonomic ? gamma * gamma * creal(g[i]) : 0);
            if (f == 2) expected = first + (holonomic ? gamma * creal(g[i]) : 0);
            bench_near(r[l.lam + i], expected, 1e-12 * (1 + fabs(expected)));
        }
    }
}
