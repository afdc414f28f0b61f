/* Sizes at the boundary of what integers and memory hold, with a gigabyte of memory: a clean status, and n * n numbers
 * only where dense was asked for. */
#include <limits.h>
#include <sys/resource.h>

#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

static const rlim_t gigabyte = (rlim_t)1 << 30;

static int zero(double t, const double *y, const double *yp, double *r, void *user)
{
    const int n = *(const int *)user;
    for (int i = 0; i < n; i++) r[i] = yp[i] + y[i];
    return 0;
}

static int flat(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                void *user)
{
    const int n = *(const int *)user;
    for (int i = 0; i < n; i++) r[i] = a[i];
    return 0;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    const int n = *(const int *)user;
    for (int i = 0; i < n; i++) g[i] = p[i];
    return 0;
}

static resida_status make_problem(int n_v, int n_g)
{
    resida_mechanism m = test_mechanism();
    resida_problem *problem = NULL;
    resida_message why = {""};
    int n = n_v;
    m.n_p = m.n_v = n_v;
    m.n_g = n_g;
    m.user = &n;
    m.residual = flat;
    if (n_g > 0) m.constraint = constraint;
    resida_status status = resida_problem_create(&problem, &m, NULL, &why);
    assert_true(status >= 0 || why.text[0]);
    resida_problem_free(problem);
    return status;
}

CLAIM(mechanisms_of_any_size_get_a_status)
{
    assert_int_equal(make_problem(INT_MAX, 0), RESIDA_ERR_MEMORY);
    assert_int_equal(make_problem(INT_MAX / 16, 0), RESIDA_ERR_MEMORY);
    assert_int_equal(make_problem(1 << 26, 0), RESIDA_ERR_MEMORY);
    assert_int_equal(make_problem(1 << 16, 1 << 15), RESIDA_OK); /* the pattern of dg/dp is learnt: no 2^31 entries */
    assert_int_equal(make_problem(1 << 16, 0), RESIDA_OK);
}

static resida_status make_jacobian(int n, const char *strategy)
{
    resida_system s;
    resida_jacobian *j = NULL;
    resida_jacobian_options o;
    resida_message why = {""};
    resida_system_init(&s);
    resida_jacobian_options_init(&o);
    s.n = n;
    s.F = zero;
    s.user = &n;
    o.strategy = strategy;
    resida_status status = resida_jacobian_create(&j, &s, &o, &why);
    assert_true(status >= 0 || why.text[0]);
    resida_jacobian_free(j);
    return status;
}

CLAIM(jacobians_of_any_size_get_a_status_and_only_dense_ones_need_n_times_n)
{
    assert_int_equal(make_jacobian(INT_MAX, "sparse"), RESIDA_ERR_ARGUMENT);
    assert_int_equal(make_jacobian(INT_MAX / 8, "sparse"), RESIDA_ERR_MEMORY);
    assert_int_equal(make_jacobian(INT_MAX / 8, "dense"), RESIDA_ERR_MEMORY);
    assert_int_equal(make_jacobian(1 << 16, "dense"), RESIDA_ERR_MEMORY);
    assert_int_equal(make_jacobian(46341, "dense"), RESIDA_ERR_MEMORY); /* n n is just above INT_MAX */
    assert_int_equal(make_jacobian(1 << 16, "sparse"), RESIDA_OK);
    assert_int_equal(make_jacobian(1 << 16, "fresh"), RESIDA_OK);
}

/* A diagonal system of 65,536 unknowns on a given pattern: one group, and next to no memory. */
CLAIM(a_large_given_pattern_is_laid_out_in_little_memory)
{
    enum { MANY = 1 << 16 };
    static int diagonal[MANY], n = MANY;
    static double y[MANY], yp[MANY], F[MANY];
    resida_system s;
    resida_jacobian *j = NULL;
    resida_jacobian_counts counts;
    int current;
    for (int i = 0; i < MANY; i++) diagonal[i] = i, y[i] = F[i] = 1;
    resida_system_init(&s);
    s.n = s.n_formalism = n;
    s.F = zero;
    s.user = &n;
    s.formalism_row = s.formalism_column = diagonal;
    assert_int_equal(resida_jacobian_create(&j, &s, NULL, NULL), RESIDA_OK);
    const resida_jacobian_point at = {0, 10, 0.1, y, yp, F, NULL, 0};
    assert_int_equal(resida_jacobian_setup(j, RESIDA_SETUP_FIRST, &at, &current), 0);
    assert_int_equal(resida_jacobian_get_counts(j, &counts), RESIDA_OK);
    assert_int_equal(counts.groups, 1);
    assert_int_equal(counts.nnz, n);
    assert_true(counts.residual_calls <= 4);
    resida_jacobian_free(j);
}

static int limit_memory(void **state)
{
    const struct rlimit limit = {gigabyte, gigabyte};
    return setrlimit(RLIMIT_AS, &limit);
}

int main(void)
{
    return claims_run(limit_memory, NULL);
}
