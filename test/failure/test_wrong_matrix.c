/* test_wrong_matrix.c - a dg/dp with a wrong sign, or a G_pattern that lacks an entry, is no small error: the
 * motion would be another one. A solver refuses it at a start; an option allows it, with a warning. */
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

/* A mass on the circle |p| = 1, without gravity. */
static int free_mass(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                     void *user)
{
    r[0] = a[0], r[1] = a[1];
    return 0;
}

static int circle(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    g[0] = p[0] * p[0] + p[1] * p[1] - 1;
    return 0;
}

/* user: a factor of the second entry */
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
    m.n_p = m.n_v = 2, m.n_g = 1, m.residual = free_mass, m.constraint = circle, m.user = &factor;
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

CLAIM(it_is_a_warning_where_that_is_allowed)
{
    const outcome sign = start(FACTOR, -1, RESIDA_WRONG_MATRIX_WARN);
    assert_int_equal(sign.status, RESIDA_OK);
    assert_true(sign.n_warnings > 0);
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
