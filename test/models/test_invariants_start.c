/* test_invariants_start.c - the start normalises; and norms are told from constraints, and from what velocities
 * change. */
#include "norm_runs.h"
#include "test/fixtures/solver_fixture.h"

CLAIM(the_start_normalises)
{
    static const double stretches[] = {1.7, 0.4, 1e-3, 1 + 1e-9};
    for (int joint = 0; joint < 2; joint++)
        for (int i = 0; i < 4; i++) {
            norm_run r;
            resida_message why = {""};
            resida_start_report report;
            double g[3], s = stretches[i], q[4];
            const norm_variant x = {.g = {.is_joint = joint, .n_k = 1, .stretch = s}};
            if (norm_open(&r, &x, NULL, &report, &why) < 0) fail_msg("%s", why.text);
            assert_true(fabs(report.k_before - fabs(s * s - 1) / 2) <= 1e-12 && report.k_after <= 1e-15);
            resida_state at = test_state(r.solver);
            for (int k = 0; k < 4; k++) q[k] = r.p0[3 * joint + k] / s;
            assert_true(norm_apart(at.p + 3 * joint, q, 4) <= 1e-14); /* the shortest way */
            assert_int_equal(resida_problem_constraints(r.problem, 0, at.p, at.v, joint ? g : NULL, NULL), RESIDA_OK);
            if (joint) assert_true(norm_apart(g, (const double[3]){0}, 3) <= 1e-14);
            assert_int_equal(resida_solver_advance(r.solver, 0.1), RESIDA_OK);
        }
}

/* Both kinds of rows off: neither projection undoes the other. */
CLAIM(the_start_finds_norms_and_constraints_together)
{
    norm_run r;
    resida_message why = {""};
    resida_start_report report;
    const norm_variant x = {.g = {.is_joint = 1, .n_k = 1}};
    if (norm_open(&r, &x, NULL, NULL, &why) < 0) fail_msg("%s", why.text);
    for (int i = 0; i < 7; i++) r.p0[i] += 0.05 * (1 + i % 3);
    assert_int_equal(resida_solver_start(r.solver, 0, r.p0, r.v0, NULL, &report), RESIDA_OK);
    assert_true(report.g_before > 0.01 && report.k_before > 0.01);
    assert_true(report.g_after <= 1e-14 && report.k_after <= 1e-14);
}

CLAIM(an_invariant_that_cannot_be_reached_is_reported)
{
    norm_run r;
    resida_message why = {""};
    const norm_variant x = {.g = {.n_k = 1}};
    if (norm_open(&r, &x, NULL, NULL, &why) < 0) fail_msg("%s", why.text);
    const double nowhere[4] = {0};
    assert_int_equal(resida_solver_start(r.solver, 0, nowhere, r.v0, NULL, NULL), RESIDA_ERR_INCONSISTENT);
    assert_non_null(strstr(resida_solver_message(r.solver), "invariants at t = 0: |k| = 0.5"));
}

CLAIM(a_function_that_velocities_change_is_refused_as_invariant)
{
    for (int joint = 0; joint < 2; joint++) {
        norm_run r;
        resida_message why = {""};
        const norm_variant x = {.g = {.is_joint = joint, .n_k = 1, .twist = 1e-3}};
        assert_int_equal(norm_open(&r, &x, NULL, NULL, &why), RESIDA_ERR_MODEL);
        assert_non_null(strstr(why.text, "velocities change invariant k[0]"));
        assert_non_null(strstr(why.text, "kinematic_matrix"));
    }
}

/* --- norms in the wrong place --- */

CLAIM(a_norm_among_the_constraints_is_named)
{
    for (int way = 0; way < 4; way++) /* dg/dp given or not; a q without zeros, or one of them alone is none */
        for (int formalism = 1; formalism <= 2; formalism++)
            for (int f = 0; f < NORM_FORMS; f++) {
                norm_run r;
                resida_message why = {""};
                const norm_variant x = {
                    .g = {.is_joint = 1, .norm_is_row = 1, .by_differences = way & 1, .is_upright = way / 2},
                    .form = norm_forms[f],
                    .formalism = (resida_formalism)formalism};
                assert_int_equal(norm_open(&r, &x, NULL, NULL, &why), RESIDA_ERR_REDUNDANT);
                assert_non_null(strstr(why.text, "1 of 4 constraints redundant"));
                assert_non_null(strstr(why.text, "no velocity changes g[3]"));
                assert_non_null(strstr(why.text, "declare it as an invariant (n_k, invariant)"));
            }
}

CLAIM(also_where_it_is_dropped)
{
    norm_run r;
    resida_message why = {""};
    resida_start_options so = test_start_options();
    resida_start_report report;
    double p[7], v[6], a[6], lam[4];
    so.redundant = RESIDA_REDUNDANT_DROP;
    const norm_variant x = {.g = {.is_joint = 1, .norm_is_row = 1}};
    if (norm_open(&r, &x, &so, &report, &why) < 0) fail_msg("%s", why.text);
    assert_int_equal(report.n_redundant, 1);
    assert_int_equal(report.redundant[0], 3);
    assert_int_equal(resida_problem_start(r.problem, 0, r.p0, r.v0, &so, p, v, a, lam, NULL, &why), RESIDA_OK);
    assert_non_null(strstr(why.text, "no velocity changes g[3]"));
}
