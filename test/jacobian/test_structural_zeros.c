/* test_structural_zeros.c - known entries of full matrices are in the pattern of J once they were not zero.
 *
 *     F_0 = y0' + c(t) y1,  F_1 = m(t) y0' + y1',   c = 0 before t = 1, m = 0 before t = 2 */
#include "test/fixtures/claims.h"
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/mechanisms/hidden.h"
#include "test/fixtures/solver_fixture.h"

enum { N = 2 };

static double c_at(double t)
{
    return t >= 1 ? 3 : 0;
}

static double m_at(double t)
{
    return t >= 2 ? 5 : 0;
}

static int constraint(double t, const double *y, const double *yp, double *r, void *user)
{
    r[0] = yp[0] + c_at(t) * y[1];
    r[1] = m_at(t) * yp[0] + yp[1];
    return 0;
}

static int formalism(double t, const double *y, const double *yp, double *r, void *user)
{
    memset(r, 0, N * sizeof *r);
    return 0;
}

static int known(double t, const double *y, const double *yp, double *dy, double *dyp, void *user)
{
    dy[0] = c_at(t);
    dyp[0] = dyp[2] = 1, dyp[1] = m_at(t);
    return 0;
}

static const int y_row[] = {0}, y_column[] = {1}, yp_row[] = {0, 1, 1}, yp_column[] = {0, 0, 1};
static const unsigned char y_latent[] = {1}, yp_latent[] = {0, 1, 0}, nothing_open[N] = {0};

static resida_jacobian *open_engine(const char *strategy)
{
    resida_jacobian_options o;
    resida_jacobian_options_init(&o);
    o.strategy = strategy;
    resida_system s;
    resida_system_init(&s);
    s.n = N, s.F = s.constraint = constraint, s.formalism = formalism, s.known = known, s.columns = nothing_open;
    s.n_y = 1, s.y_row = y_row, s.y_column = y_column, s.y_latent = y_latent;
    s.n_yp = 3, s.yp_row = yp_row, s.yp_column = yp_column, s.yp_latent = yp_latent;
    return test_jacobian(&s, &o);
}

/* J at t, its number of entries checked. @return its pattern's number */
static long setup(resida_jacobian *j, resida_setup_reason reason, double t, int nnz)
{
    const double y[N] = {1, 2}, yp[N] = {-3, 4}, alpha = 10;
    double F[N], full[N][N] = {{0}};
    int current;
    resida_jacobian_matrix J;
    assert_int_equal(constraint(t, y, yp, F, NULL), 0);
    const resida_jacobian_point at = {.t = t, .alpha = alpha, .h = 0.1, .y = y, .yp = yp, .F = F};
    assert_int_equal(resida_jacobian_setup(j, reason, &at, &current), 0);
    assert_int_equal(resida_jacobian_get_matrix(j, &J), RESIDA_OK);
    assert_int_equal(J.nnz, nnz);
    for (int c = 0; c < N; c++)
        for (int e = J.start[c]; e < J.start[c + 1]; e++) full[J.row[e]][c] = J.values[e];
    const double exact[N][N] = {{alpha, c_at(t)}, {alpha * m_at(t), alpha}};
    assert_memory_equal(full, exact, sizeof full);
    return J.pattern;
}

CLAIM(an_entry_gets_its_place_when_it_is_not_zero_for_the_first_time)
{
    static const char *const strategies[] = {"fresh", "sparse", "sparse+partitioned"};
    for (int i = 0; i < 3; i++) {
        resida_jacobian *j = open_engine(strategies[i]);
        long first = setup(j, RESIDA_SETUP_FIRST, 0, 2);
        assert_int_equal(setup(j, RESIDA_SETUP_OTHER, 0.5, 2), first);
        long second = setup(j, RESIDA_SETUP_OTHER, 1, 3);
        assert_int_not_equal(second, first);
        assert_int_equal(setup(j, RESIDA_SETUP_OTHER, 1.5, 3), second);
        assert_int_not_equal(setup(j, RESIDA_SETUP_FIRST, 2, 4), second);
        setup(j, RESIDA_SETUP_FIRST, 0, 4); /* it keeps it */
        resida_jacobian_reset(j);
        setup(j, RESIDA_SETUP_FIRST, 0, 2);
    }
}

CLAIM(an_update_of_an_attempt_sees_it_too)
{
    resida_jacobian *j = open_engine("fresh");
    setup(j, RESIDA_SETUP_FIRST, 0, 2);
    setup(j, RESIDA_SETUP_ATTEMPT, 1, 3);
    setup(j, RESIDA_SETUP_ATTEMPT, 2, 4);
}

/* Entries of J on the flyball governor after a second. */
static long entries(hidden_given given)
{
    bench *b = bench_make("flyball", NULL);
    resida_mechanism m = hidden_mechanism(b->m, given);
    resida_solver *solver = test_solver(&m, NULL, NULL);
    assert_int_equal(resida_solver_start(solver, 0, b->model.p0, b->model.v0, NULL, NULL), RESIDA_OK);
    assert_true(resida_solver_advance(solver, 0.3) >= 0);
    return test_stats(solver).nnz;
}

/* Patterns of the model have places of entries that are zero here. Differences of g leave rounding in a few others. */
CLAIM(full_matrices_take_no_more_entries_than_patterns)
{
    const long patterned = entries(HIDDEN_PATTERNED);
    assert_in_range(entries(HIDDEN_FULL), 1, patterned);
    assert_in_range(entries(HIDDEN_G_ALONE), 1, patterned + patterned / 10);
}
