/* test_wrong_matrix.c - a dg/dp with a wrong sign, or a G_pattern that lacks an entry, is no small error: the
 * motion would be another one. A solver refuses it at a start; an option allows it, with a warning. A failed step names
 * it. Also messages about other members that are wrong. */
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/mechanisms/small.h"

/* A mass on the circle |p| = 1, without gravity. user: a factor of the second entry */
static int circle_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    G[0] = 2 * p[0], G[1] = *(const double *)user * 2 * p[1];
    return 0;
}

typedef enum mistake { FACTOR, PATTERN } mistake;

typedef struct outcome {
    resida_status status;
    char message[RESIDA_MESSAGE_SIZE];
    int n_warnings;
} outcome;

static outcome start(mistake kind, double factor, resida_wrong_matrix wrong)
{
    static const int row[] = {0, 1}, column[] = {0};
    static const double p0[] = {0.6, -0.8}, v0[] = {0.8, 0.6};
    outcome out = {.n_warnings = 0};
    resida_mechanism m = test_mechanism();
    resida_start_options o = test_start_options();
    resida_stats stats = {.size = sizeof stats};
    m.n_p = m.n_v = 2, m.n_g = 1, m.residual = small_inert, m.constraint = small_circle, m.user = &factor;
    if (kind == FACTOR)
        m.constraint_matrix = circle_matrix;
    else
        m.G_pattern = (resida_pattern){row, column};
    resida_solver *s = test_solver(&m, NULL, NULL);
    o.wrong_matrix = wrong;
    out.status = resida_solver_start(s, 0, p0, v0, &o, NULL);
    strcpy(out.message, resida_solver_message(s));
    if (out.status >= 0 && resida_solver_stats(s, &stats) >= 0) out.n_warnings = stats.n_warnings;
    return out;
}

CLAIM(a_matrix_that_contradicts_g_is_refused_by_its_name_and_that_of_the_option)
{
    const outcome sign = start(FACTOR, -1, RESIDA_WRONG_MATRIX_REFUSE);
    const outcome entry = start(PATTERN, 1, RESIDA_WRONG_MATRIX_REFUSE);
    print_message("  %s\n  %s\n", sign.message, entry.message);
    assert_int_equal(sign.status, RESIDA_ERR_MODEL);
    assert_non_null(strstr(sign.message, "constraint_matrix: the derivative of g[0] "));
    assert_non_null(strstr(sign.message, "wrong_matrix = warn"));
    assert_int_equal(entry.status, RESIDA_ERR_MODEL);
    assert_non_null(strstr(entry.message, "G_pattern: the derivative of g[0] "));
}

CLAIM(a_matrix_that_contradicts_g_is_a_warning_if_the_option_allows_it)
{
    const outcome sign = start(FACTOR, -1, RESIDA_WRONG_MATRIX_WARN);
    assert_int_equal(sign.status, RESIDA_OK);
    assert_true(sign.n_warnings > 0);
    if (strncmp(sign.message, "warning: constraint_matrix: ", 28) != 0) fail_msg("%s", sign.message);
}

/* 0.1 % may be an error of differences of a rough g. */
CLAIM(a_small_difference_is_a_warning_and_a_right_matrix_none)
{
    const outcome small = start(FACTOR, 1.001, RESIDA_WRONG_MATRIX_REFUSE);
    const outcome right = start(FACTOR, 1, RESIDA_WRONG_MATRIX_REFUSE);
    assert_int_equal(small.status, RESIDA_OK);
    assert_true(small.n_warnings > 0);
    assert_int_equal(right.status, RESIDA_OK);
    assert_int_equal(right.n_warnings, 0);
}

CLAIM(a_warning_that_is_too_long_ends_with_a_whole_word_and_dots)
{
    static const double p0[] = {0.6, -0.8}, v0[] = {0.8, 0.6};
    char name[RESIDA_MESSAGE_SIZE] = "";
    for (int i = 0; i < 30; i++) strcat(name, "part of it");
    const char *const names[] = {name};
    double factor = 1.001;
    resida_mechanism m = test_mechanism();
    m.n_p = m.n_v = 2, m.n_g = 1, m.residual = small_inert, m.constraint = small_circle, m.user = &factor;
    m.constraint_matrix = circle_matrix, m.g_names = names;
    resida_solver *s = test_solver(&m, NULL, NULL);
    assert_int_equal(resida_solver_start(s, 0, p0, v0, NULL, NULL), RESIDA_OK);
    const resida_stats stats = test_stats(s);
    const char *warning = stats.warnings[0];
    assert_true(strlen(warning) > RESIDA_MESSAGE_SIZE - 50);
    if (strcmp(warning + strlen(warning) - 4, " ...") != 0) fail_msg("%s", warning);
}

/* M of a particle of 1 kg: the unit matrix times user; with user < 0 only the second diagonal entry is wrong. */
static int particle_mass(double t, const double *p, const resida_excitation *e, double *M, void *user)
{
    const double factor = *(const double *)user;
    M[1] = M[2] = 0;
    M[0] = factor < 0 ? 1 : factor, M[3] = fabs(factor);
    return 0;
}

/** Start a particle with this factor of M. It moves along x if n_g = 0, so that v' = 0. */
static outcome start_mass(double factor, int n_g, resida_wrong_matrix wrong)
{
    static const double p0[] = {0.6, -0.8}, v0[] = {0.8, 0.6};
    outcome out = {.n_warnings = 0};
    resida_mechanism m = test_mechanism();
    resida_start_options o = test_start_options();
    resida_stats stats = {.size = sizeof stats};
    m.n_p = m.n_v = 2, m.n_g = n_g, m.residual = n_g > 0 ? small_particle : small_inert, m.user = &factor;
    m.constraint = n_g > 0 ? small_circle : NULL, m.mass_matrix = particle_mass;
    resida_solver *s = test_solver(&m, NULL, NULL);
    o.wrong_matrix = wrong;
    out.status = resida_solver_start(s, 0, p0, v0, n_g > 0 ? &o : NULL, NULL);
    strcpy(out.message, resida_solver_message(s));
    if (out.status >= 0 && resida_solver_stats(s, &stats) >= 0) out.n_warnings = stats.n_warnings;
    return out;
}

CLAIM(a_mass_matrix_that_contradicts_the_residual_is_refused_by_its_name_and_row)
{
    for (int n_g = 0; n_g < 2; n_g++) {
        const outcome all = start_mass(2, n_g, RESIDA_WRONG_MATRIX_REFUSE);
        const outcome second = start_mass(-1.1, n_g, RESIDA_WRONG_MATRIX_REFUSE);
        print_message("  %s\n  %s\n", all.message, second.message);
        assert_int_equal(all.status, RESIDA_ERR_MODEL);
        assert_non_null(strstr(all.message, "mass_matrix: row "));
        assert_int_equal(second.status, RESIDA_ERR_MODEL);
        assert_non_null(strstr(second.message, "mass_matrix: row 1 disagrees with residual"));
        assert_int_equal(strstr(second.message, "wrong_matrix = warn") != NULL, n_g > 0);
        assert_int_equal(start_mass(1, n_g, RESIDA_WRONG_MATRIX_REFUSE).status, RESIDA_OK);
        assert_int_equal(start_mass(1, n_g, RESIDA_WRONG_MATRIX_REFUSE).n_warnings, 0);
    }
    const outcome allowed = start_mass(2, 1, RESIDA_WRONG_MATRIX_WARN);
    assert_int_equal(allowed.status, RESIDA_OK);
    if (strncmp(allowed.message, "warning: mass_matrix: ", 22) != 0) fail_msg("%s", allowed.message);
}

/* The sign of the second entry is wrong for x < 0, where user is "place", or from t = 1 on. */
static int late_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    const int is_wrong = strcmp(user, "place") == 0 ? p[0] < 0 : t > 1;
    G[0] = 2 * p[0], G[1] = is_wrong ? -2 * p[1] : 2 * p[1];
    return 0;
}

/** Start a pendulum with dg/dp by this function. */
static resida_solver *start_pendulum(resida_position_fn *matrix, void *user)
{
    static const double p0[] = {0.6, -0.8}, v0[] = {0, 0};
    resida_mechanism m = test_mechanism();
    m.n_p = m.n_v = 2, m.n_g = 1, m.residual = small_particle, m.constraint = small_circle;
    m.constraint_matrix = matrix, m.user = user;
    resida_solver *s = test_solver(&m, NULL, NULL);
    assert_int_equal(resida_solver_start(s, 0, p0, v0, NULL, NULL), RESIDA_OK);
    assert_string_equal(resida_solver_message(s), "");
    return s;
}

CLAIM(a_failed_step_names_a_matrix_that_became_wrong_during_the_run)
{
    static char place[] = "place", time[] = "time";
    char *const users[] = {place, time};
    for (int k = 0; k < 2; k++) {
        resida_solver *s = start_pendulum(late_matrix, users[k]);
        assert_true(resida_solver_advance(s, 20) < 0);
        const char *message = resida_solver_message(s);
        print_message("  %s\n", message);
        assert_true(strncmp(message, "constraint_matrix: ", 19) == 0 ||
                    strstr(message, "; earlier warning: constraint_m"));
        char text[1200];
        resida_stats stats = test_stats(s);
        assert_int_equal(resida_stats_text(&stats, text, sizeof text), RESIDA_OK);
        assert_non_null(strstr(text, "\nwarnings   1, the first: constraint_matrix: "));
    }
}

static double factor_of_1 = 1;

/* Differences for the rate of g cost most of its calls, unless velocity_bias is given. */
CLAIM(a_run_that_spends_its_calls_of_g_on_its_rate_gets_a_hint)
{
    resida_solver *s = start_pendulum(circle_matrix, &factor_of_1);
    assert_int_equal(resida_solver_advance(s, 20), RESIDA_OK);
    assert_int_equal(resida_solver_examine(s), RESIDA_OK);
    const resida_stats stats = test_stats(s);
    assert_int_equal(stats.n_hints, 1);
    assert_non_null(strstr(stats.hints[0], "give velocity_bias"));
}

/* It has two rows for one constraint; the second row has no value. */
CLAIM(a_component_that_is_not_set_is_named_as_such)
{
    static const double p0[] = {0.6, -0.8}, v0[] = {0, 0};
    resida_mechanism m = test_mechanism();
    m.n_p = m.n_v = 2, m.n_g = 2, m.residual = small_particle, m.constraint = small_circle;
    resida_solver *s = test_solver(&m, NULL, NULL);
    assert_int_equal(resida_solver_start(s, 0, p0, v0, NULL, NULL), RESIDA_ERR_NONFINITE);
    if (!strstr(resida_solver_message(s), "callback constraint, component 1, which it does not set, is NaN"))
        fail_msg("%s", resida_solver_message(s));
}

CLAIM(tolerances_that_are_zero_and_a_stop_time_that_cannot_change_here_are_named)
{
    static const double zero[] = {0}, y0[] = {1}, yp0[] = {-1};
    resida_dae d = test_dae();
    d.n = 1, d.residual = small_decay;
    resida_solver_options o = test_solver_options();
    o.rtol_each = o.atol_each = zero;
    resida_solver *s = test_solver_dae(&d, NULL, &o);
    assert_int_equal(resida_solver_start_dae(s, 0, y0, yp0), RESIDA_OK);
    assert_int_equal(resida_solver_advance(s, 1), RESIDA_ERR_TOLERANCE);
    assert_string_equal(resida_solver_message(s), "rtol and atol of component y[0] are both 0");
    o.t_stop = 5;
    assert_int_equal(resida_solver_change(s, &o), RESIDA_ERR_OPTION);
    assert_string_equal(resida_solver_message(s),
                        "t_stop cannot be changed by this call: call resida_solver_set_stop_time()");
    assert_int_equal(resida_solver_set_stop_time(s, NAN), RESIDA_ERR_ARGUMENT);
    assert_string_equal(resida_solver_message(s), "t_stop = nan, must be a time, or infinite");
}

CLAIM(wrong_kinds_and_an_option_without_its_condition_are_named)
{
    static const double ids[] = {1, 0}, atol[] = {1e-6};
    resida_dae d = test_dae();
    resida_problem *problem;
    resida_solver *s;
    resida_message why = {""};
    resida_solver_options o = test_solver_options();
    resida_kind kinds[2];
    memcpy(kinds, ids, sizeof kinds);
    d.n = 2, d.residual = small_decay, d.kinds = kinds;
    assert_int_equal(resida_problem_create_dae(&problem, &d, NULL, &why), RESIDA_ERR_MODEL);
    if (!strstr(why.text, "the opposite of the ids of IDA")) fail_msg("%s", why.text);
    kinds[0] = RESIDA_DIFFERENTIAL_2, kinds[1] = RESIDA_ALGEBRAIC_2;
    assert_int_equal(resida_problem_create_dae(&problem, &d, NULL, &why), RESIDA_ERR_MODEL);
    if (!strstr(why.text, "none in the error test")) fail_msg("%s", why.text);
    d.n = 1, d.kinds = NULL;
    assert_int_equal(resida_problem_create_dae(&problem, &d, NULL, &why), RESIDA_OK);
    o.atol = 1e-3, o.atol_each = atol;
    assert_int_equal(resida_solver_create(&s, problem, &o, &why), RESIDA_ERR_OPTION);
    assert_string_equal(why.text, "atol = 0.001 has no effect here: it applies without atol_each");
    resida_problem_free(problem);
}

/* Phi = F (a + v + p) with the unit F of forces; dPhi/dp is wrong by 2 %. */
static int spring(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                  void *user)
{
    const double *F = user;
    r[0] = *F * (a[0] + v[0] + p[0]);
    return 0;
}

static int spring_mass(double t, const double *p, const resida_excitation *e, double *M, void *user)
{
    M[0] = *(const double *)user;
    return 0;
}

static int spring_derivatives(double t, const double *p, const double *v, const double *a, const double *lam,
                              const resida_excitation *e, double *Phi_p, double *Phi_v, double *Phi_lam, void *user)
{
    Phi_p[0] = 1.02 * *(const double *)user;
    Phi_v[0] = *(const double *)user;
    return 0;
}

CLAIM(wrong_derivatives_are_found_in_any_unit_of_force)
{
    static const double p0 = 1, v0 = 0;
    for (int i = -18; i <= 18; i += 6) {
        double F = pow(10, i);
        resida_mechanism k = test_mechanism();
        k.n_p = k.n_v = 1, k.user = &F;
        k.residual = spring, k.mass_matrix = spring_mass, k.derivatives = spring_derivatives;
        resida_solver *s = test_solver(&k, NULL, NULL);
        assert_int_equal(resida_solver_start(s, 0, &p0, &v0, NULL, NULL), RESIDA_OK);
        assert_int_equal(resida_solver_examine(s), RESIDA_OK);
        const resida_stats stats = test_stats(s);
        if (stats.n_warnings != 1 || strncmp(stats.warnings[0], "derivatives: row 0", 18) != 0)
            fail_msg("F = %g: %d warnings, %s", F, stats.n_warnings, stats.n_warnings > 0 ? stats.warnings[0] : "");
    }
}
