/* test_invariants_fixed_steps.c - the same with steps of a fixed size: every method holds norms and keeps its
 * order. */
#include "norm_runs.h"
#include "test/fixtures/solver_fixture.h"

typedef struct ordered {
    const char *method;
    double order, h;
} ordered;
static const ordered methods[] = {
    {"bdf1", 1, 1.0 / 128},        {"bdf2", 2, 1.0 / 128},      {"bdf3", 3, 1.0 / 128},
    {"bdf4", 4, 1.0 / 128},        {"bdf5", 5, 1.0 / 64},       {"midpoint", 2, 1.0 / 128},
    {"newmark", 2, 1.0 / 128},     {"hht", 2, 1.0 / 128},       {"generalized-alpha", 2, 1.0 / 128},
    {"radau-iia-2", 3, 1.0 / 128}, {"radau-iia-3", 5, 1.0 / 24}};
enum { METHODS = sizeof methods / sizeof *methods };

/* Errors of q with steps of h and h/2, with or without the invariant. */
static void errors_of(const char *method, const char *form, int n_k, double h, const double *right, double *error)
{
    for (int i = 0; i < 2; i++) {
        double end[7];
        const norm_variant x = {.g = {.is_joint = strcmp(form, "ode") != 0, .n_k = n_k},
                                .form = form,
                                .method = method,
                                .step = h / (1 + i),
                                .tol = 1e-12};
        norm_end(&x, end);
        error[i] = norm_apart(end, right, 4);
    }
}

CLAIM(the_order_of_every_method_is_what_it_was)
{
    static const char *const some[] = {"ode", "index3", "ggl", "projected1", "hiller-anantharaman"};
    double right[7];
    const norm_variant exact = {.g = {.is_joint = 1}, .method = "radau-iia-3", .step = 1.0 / 1024, .tol = 1e-13};
    norm_end(&exact, right);
    for (int f = 0; f < 5; f++)
        for (int i = 0; i < METHODS; i++) {
            double without[2], with[2];
            errors_of(methods[i].method, some[f], 0, methods[i].h, right, without);
            errors_of(methods[i].method, some[f], 1, methods[i].h, right, with);
            const double order = log2(with[0] / with[1]);
            if (order < methods[i].order - 0.2 || with[1] > 1.1 * without[1])
                fail_msg("%s, %s: order %.2f, error %.2g instead of %.2g", some[f], methods[i].method, order, with[1],
                         without[1]);
        }
}

/* Steps, and outputs between them. */
CLAIM(steps_of_a_fixed_size_hold_norms)
{
    for (int i = 0; i < METHODS; i++)
        for (int f = -1; f < NORM_FORMS; f++) {
            const norm_variant x = {.g = {.is_joint = f >= 0, .n_k = 1},
                                    .form = f < 0 ? "ode" : norm_forms[f],
                                    .method = methods[i].method,
                                    .step = 0.004,
                                    .tol = 1e-7};
            const double k = norm_worst(&x, 0.5, 70);
            if (!(k <= 1e-14)) fail_msg("%s, %s: |k| = %g", x.form, x.method, k);
        }
}

/* With rows that hold in the middle of the step its ends would be off by h^2, the multiplier by h. */
CLAIM(the_midpoint_rule_holds_norms_at_the_end_of_steps)
{
    for (int f = -1; f < NORM_FORMS; f++) {
        const norm_variant x = {.g = {.is_joint = f >= 0, .n_k = 1},
                                .form = f < 0 ? "ode" : norm_forms[f],
                                .method = "midpoint",
                                .step = 0.01,
                                .tol = 1e-9};
        norm_run r;
        resida_state at;
        resida_layout l;
        double worst = 0;
        norm_open_fine(&r, &x);
        assert_int_equal(resida_problem_layout(r.problem, &l), RESIDA_OK);
        for (int i = 1; i <= 50; i++) {
            assert_int_equal(resida_solver_step(r.solver, 1), RESIDA_OK);
            at = test_state(r.solver);
            if (!l.rates) worst = fmax(worst, fabs(at.y[l.eta_k]));
        }
        const int is_frozen = f >= 0 && strcmp(norm_forms[f], "state-space") == 0; /* its D has a part along K' */
        if (!(worst <= (is_frozen ? 5e-3 : 1e-6))) fail_msg("%s: eta_k %g", x.form, worst);
    }
}

CLAIM(a_method_for_velocities_that_are_rates_of_positions_says_so)
{
    norm_run r;
    resida_message why = {""};
    const norm_variant x = {.g = {.n_k = 1}, .form = "ode", .method = "energy-decaying", .step = 0.01};
    assert_int_equal(norm_open(&r, &x, NULL, NULL, &why), RESIDA_ERR_OPTION);
    assert_non_null(strstr(why.text, "p' = v"));
}
