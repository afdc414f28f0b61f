/* test_invariants.c - norms of Euler parameters as invariants: held in every form and formalism, at no cost of
 * accuracy. A heavy body with a fixed point, gyro.h. */
#include "norm_runs.h"
#include "test/fixtures/solver_fixture.h"

/* To 20 s at 1e-4, 1e-5, 1e-8: a tenth of the tolerance is asked for. */
static void every_form_holds(const char *jacobian)
{
    static const double tols[] = {1e-4, 1e-5, 1e-8};
    double worst = 0;
    for (int t = 0; t < 3; t++)
        for (int formalism = 1; formalism <= 2; formalism++)
            for (int f = -1; f < NORM_FORMS; f++) {
                const norm_variant x = {.g = {.is_joint = f >= 0, .n_k = 1},
                                        .form = f < 0 ? "ode" : norm_forms[f],
                                        .jacobian = jacobian,
                                        .formalism = (resida_formalism)formalism,
                                        .tol = tols[t]};
                const double k = norm_worst(&x, 20, 200);
                if (!(k <= tols[t] / 10)) fail_msg("%s, formalism %d, %g: |k| = %g", x.form, formalism, tols[t], k);
                worst = fmax(worst, k / tols[t]);
            }
    print_message("%s: |k| at most %.1e of the tolerance\n", jacobian, worst);
}

CLAIM(norms_hold_in_every_form_and_formalism)
{
    every_form_holds("auto");
}

CLAIM(with_full_differences_too)
{
    every_form_holds("dense");
}

/* What they are for. */
CLAIM(without_invariants_norms_drift_off)
{
    const norm_variant x = {.g = {.is_joint = 1}, .tol = 1e-5};
    const double k = norm_worst(&x, 20, 200);
    print_message("not held: |k| %.1e at %g\n", k, x.tol);
    assert_true(k > x.tol / 10);
}

CLAIM(derivatives_may_be_missing)
{
    for (int f = -1; f < NORM_FORMS; f++) {
        const norm_variant x = {.g = {.is_joint = f >= 0, .n_k = 1, .by_differences = 1},
                                .form = f < 0 ? "ode" : norm_forms[f],
                                .tol = 1e-5};
        assert_true(norm_worst(&x, 2, 100) <= x.tol / 10);
    }
}

CLAIM(a_projection_after_steps_holds_invariants_and_constraints)
{
    for (int f = 0; f < NORM_FORMS; f++) {
        if (strcmp(norm_forms[f], "index3") == 0 || strcmp(norm_forms[f], "augmented") == 0) continue;
        norm_variant x = {.g = {.is_joint = 1, .n_k = 1}, .form = norm_forms[f], .tol = 1e-5, .step_projection = 1};
        norm_run r;
        double g[3];
        resida_state at;
        assert_true(norm_worst(&x, 2, 100) <= 1e-14);
        norm_open_fine(&r, &x);
        for (int i = 0; i < 100; i++) {
            assert_int_equal(resida_solver_step(r.solver, 100), RESIDA_OK);
            at = test_state(r.solver);
            assert_int_equal(resida_problem_constraints(r.problem, at.t, at.p, at.v, g, NULL), RESIDA_OK);
            assert_true(norm_apart(g, (const double[3]){0}, 3) < 1e-10 && fabs(norm_off(&r)) < 1e-14);
        }
    }
}

CLAIM(errors_of_the_default_are_no_larger)
{
    double right[7], end[2][7];
    const norm_variant exact = {.g = {.is_joint = 1}, .method = "radau-iia-3", .step = 1.0 / 1024, .tol = 1e-13};
    norm_end(&exact, right);
    for (int formalism = 1; formalism <= 2; formalism++)
        for (int f = -1; f < NORM_FORMS; f++) {
            for (int n_k = 0; n_k < 2; n_k++) {
                const norm_variant x = {.g = {.is_joint = f >= 0, .n_k = n_k},
                                        .form = f < 0 ? "ode" : norm_forms[f],
                                        .formalism = (resida_formalism)formalism,
                                        .tol = 1e-8};
                norm_end(&x, end[n_k]);
            }
            const double without = norm_apart(end[0], right, 4), with = norm_apart(end[1], right, 4);
            if (with > 3 * without + 1e-8) fail_msg("form %d, %d: %.2g instead of %.2g", f, formalism, with, without);
        }
}

CLAIM(several_threads_give_the_same_bits)
{
    double one[7], two[7];
    norm_variant x = {.g = {.is_joint = 1, .n_k = 1}, .jacobian = "dense", .threads = 1};
    norm_end(&x, one);
    x.threads = 3;
    norm_end(&x, two);
    assert_memory_equal(one, two, sizeof one);
}
