/* start_fixture.c - see start_fixture.h. */
#include "start_fixture.h"
#include "test/fixtures/oracle.h"
#include "test/fixtures/solver_fixture.h"

void starter_open(starter *s, const char *model, const bench_setting *settings, resida_formalism formalism)
{
    memset(s, 0, sizeof *s);
    bench_open(&s->b, model, settings);
    resida_problem_options o = test_problem_options();
    o.formalism = formalism;
    s->problem = test_problem(s->b.m, &o);
    s->n_p = s->b.m->n_p, s->n_v = s->b.m->n_v, s->n_g = s->b.m->n_g;
    assert_true(s->n_p <= START_MAX && s->n_g <= START_MAX && s->b.m->n_h == 0);
}

static int untouched(const double *x)
{
    static unsigned char pattern[START_MAX * sizeof(double)];
    memset(pattern, 0x5a, sizeof pattern);
    return memcmp(x, pattern, sizeof pattern) == 0;
}

resida_status starter_start(starter *s, double t, const double *p0, const double *v0, const resida_start_options *o)
{
    double p[START_MAX], v[START_MAX], *outputs[] = {s->p, s->v, s->a, s->lam};
    const int sizes[] = {s->n_p, s->n_v, s->n_v, s->n_g};
    memcpy(p, p0, (size_t)s->n_p * sizeof *p);
    memcpy(v, v0, (size_t)s->n_v * sizeof *v);
    for (int i = 0; i < 4; i++) memset(outputs[i], 0x5a, START_MAX * sizeof(double));
    s->why.text[0] = 0;
    resida_status status =
        resida_problem_start(s->problem, t, p0, v0, o, s->p, s->v, s->a, s->lam, &s->report, &s->why);
    assert_memory_equal(p, p0, (size_t)s->n_p * sizeof *p);
    assert_memory_equal(v, v0, (size_t)s->n_v * sizeof *v);
    for (int i = 0; i < 4; i++) {
        if (status < 0) assert_true(untouched(outputs[i]));
        for (int k = 0; status >= 0 && k < sizes[i]; k++) assert_true(isfinite(outputs[i][k]));
    }
    if (status < 0) assert_true(s->why.text[0] != 0);
    return status;
}

void starter_expected_velocity(starter *s, double t, const double *p, const double *v0, long double *v)
{
    double *M = bench_doubles((long)s->n_v * s->n_v), *G = bench_doubles((long)s->n_g * s->n_v);
    double rate[START_MAX], zero[START_MAX] = {0};
    long double mu[START_MAX];
    bench_at(&s->b, t);
    bench_mass(&s->b, p, M);
    bench_G(&s->b, p, G);
    bench_g_rate(&s->b, p, v0, rate);
    for (int i = 0; i < s->n_g; i++) rate[i] = -rate[i];
    assert_true(oracle_kkt(s->n_v, s->n_g, M, G, zero, rate, v, mu));
    for (int i = 0; i < s->n_v; i++) v[i] += v0[i];
}

void starter_expected_acceleration(starter *s, double t, const double *p, const double *v, long double *a,
                                   long double *lam)
{
    double *M = bench_doubles((long)s->n_v * s->n_v), *G = bench_doubles((long)s->n_g * s->n_v);
    double psi[START_MAX], bias[START_MAX], zero[START_MAX] = {0};
    bench_at(&s->b, t);
    bench_mass(&s->b, p, M);
    bench_G(&s->b, p, G);
    bench_residual(&s->b, p, v, zero, psi);
    bench_bias(&s->b, p, v, bias);
    for (int i = 0; i < s->n_v; i++) psi[i] = -psi[i];
    for (int i = 0; i < s->n_g; i++) bias[i] = -bias[i];
    assert_true(oracle_kkt(s->n_v, s->n_g, M, G, psi, bias, a, lam));
}

double starter_off(int n, const double *x, const long double *y)
{
    long double most = 0, size = 1;
    for (int i = 0; i < n; i++) {
        most = fmaxl(most, fabsl(x[i] - y[i]));
        size = fmaxl(size, fabsl(y[i]));
    }
    return (double)(most / size);
}
