/* test_kkt.c - the constrained system: its solutions are those of long double (oracle.h); what it calls singular. */
#include "src/core/kkt/kkt.h"
#include "base/linear/linear_solver.h"

#include <resida/problem.h>

#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/oracle.h"
#include "test/fixtures/mechanisms/random_mechanism.h"

enum { MOST = ORACLE_MAX };

/* A mechanism with its system at a state. */
typedef struct rig {
    rm m;
    rsd_mechanism *k;
    rsd_kkt q;
    double p[MOST], v[MOST];
} rig;

static void open_rig(rig *r)
{
    resida_allocator alloc = rsd_allocator(NULL);
    resida_mechanism m = rm_mechanism(&r->m);
    resida_message why = {""};
    if (rsd_mechanism_create(&r->k, &m, (int)RESIDA_FORMALISM_AUTO, &alloc, &why) < 0) fail_msg("%s", why.text);
    if (rsd_kkt_create(&r->q, r->k, &r->k->alloc, &why) < 0) fail_msg("%s", why.text);
    memset(r->p, 0, sizeof r->p), memset(r->v, 0, sizeof r->v);
    assert_int_equal(rsd_kkt_eval_rows(&r->q, 0, r->p), 0);
    assert_int_equal(rsd_kkt_eval_metric(&r->q, 0, r->p, r->v), 0);
}

static void close_rig(rig *r)
{
    rsd_linear_free(r->q.matrix.ls);
    rsd_mechanism_free(r->k);
}

/* With T, without, with nonholonomic rows. */
static void make_random(rig *r, uint64_t k)
{
    *r = (rig){.m = {.n_v = 60 + (int)(k % 4), .n_g = 20 + (int)(k % 7), .n_h = k % 3 ? (int)(k % 5) : 0}};
    r->m.n_p = r->m.n_v + (k % 2 ? 15 : 0);
    rm_make(&r->m, k + 1);
}

static void list_all_but(rsd_kkt *q, int left_out)
{
    q->n_rows = 0;
    for (int i = 0; i < q->n_l; i++)
        if (i != left_out) q->rows[q->n_rows++] = i;
}

/* x and mu in long double, for the rows that are listed. */
static void solve_oracle(rig *r, const double *b, const double *c, long double *x, long double *mu)
{
    rsd_kkt *q = &r->q;
    double *all = bench_doubles((long)q->n_l * q->n_v), *A = bench_doubles((long)q->n_l * q->n_v), few[MOST];
    long double mu_few[MOST];
    rsd_write_full_G(r->k, all);
    for (int i = 0; i < q->n_rows; i++) {
        memcpy(A + (long)i * q->n_v, all + (long)q->rows[i] * q->n_v, (size_t)q->n_v * sizeof *A);
        few[i] = c[q->rows[i]];
    }
    assert_true(oracle_kkt(q->n_v, q->n_rows, r->m.M.full, A, b, few, x, mu_few));
    for (int i = 0; i < q->n_l; i++) mu[i] = 0;
    for (int i = 0; i < q->n_rows; i++) mu[q->rows[i]] = mu_few[i];
}

static double off(int n, const double *x, const long double *y)
{
    long double most = 0, size = 0;
    for (int i = 0; i < n; i++) most = fmaxl(most, fabsl(x[i] - y[i])), size = fmaxl(size, fabsl(y[i]));
    return size > 0 ? (double)(most / size) : (double)most;
}

/* Refinement in long double leaves the rounding of the result, and of M/m and A'S: eps times the condition. */
CLAIM(solutions_are_those_of_long_double)
{
    double worst = 0, zero[MOST] = {0};
    for (uint64_t k = 0; k < 40; k++) {
        rig r;
        double c[MOST], x[MOST], mu[MOST];
        long double x_is[MOST], mu_is[MOST];
        uint64_t seed = k;
        make_random(&r, k);
        open_rig(&r);
        for (int i = 0; i < r.q.n_l; i++) c[i] = bench_random(&seed);
        list_all_but(&r.q, k % 2 ? (int)k % r.q.n_l : -1);
        for (int forces = 0; forces < 2; forces++) {
            assert_int_equal(rsd_kkt_factor(&r.q), 1);
            rsd_kkt_solve(&r.q, forces, c, x, mu);
            solve_oracle(&r, forces ? r.m.psi : zero, c, x_is, mu_is);
            worst = fmax(worst, fmax(off(r.q.n_v, x, x_is), off(r.q.n_l, mu, mu_is)));
        }
        close_rig(&r);
    }
    print_message("off by %.1e\n", worst);
    assert_true(worst < 1e-12);
}

/* M becomes D M D, D from 1/3 to 3: pivots of the last M are kept as long as they do. */
static void change_masses(rig *r, uint64_t *seed)
{
    int n = r->m.n_v;
    double d[MOST];
    for (int i = 0; i < n; i++) d[i] = pow(3, bench_random(seed));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) r->m.M.full[i * n + j] *= d[i] * d[j];
    assert_int_equal(rsd_kkt_eval_metric(&r->q, 0, r->p, r->v), 0);
}

CLAIM(solutions_are_as_good_with_the_pivots_of_an_earlier_matrix)
{
    rig r;
    uint64_t seed = 1;
    double c[MOST] = {1, -2, 3}, x[MOST], mu[MOST], zero[MOST] = {0}, worst = 0;
    long double x_is[MOST], mu_is[MOST];
    make_random(&r, 3);
    open_rig(&r);
    for (int pass = 0; pass < 30; pass++) {
        list_all_but(&r.q, pass % 4 ? pass % r.q.n_l : -1);
        change_masses(&r, &seed);
        assert_int_equal(rsd_kkt_factor(&r.q), 1);
        rsd_kkt_solve(&r.q, 0, c, x, mu);
        solve_oracle(&r, zero, c, x_is, mu_is);
        worst = fmax(worst, fmax(off(r.q.n_v, x, x_is), off(r.q.n_l, mu, mu_is)));
    }
    print_message("off by %.1e\n", worst);
    assert_true(worst < 1e-14); /* masses between 1e-6 and 1e6: what is not refined is off by far more */
    close_rig(&r);
}

/* M is of rank 2 on the last three coordinates, which no constraint holds; rounding leaves a pivot of it. */
CLAIM(undetermined_accelerations_are_singular)
{
    static const double w[3] = {0.1, 0.7, 0.3}, u[3] = {0.9, -0.4, 0.6};
    static const double more[3] = {0, 1e-17, 1e-6}; /* on the diagonal */
    for (int kind = 0; kind < 3; kind++) {
        rig r;
        make_random(&r, 0); /* no T, no nonholonomic rows */
        int n = r.m.n_v;
        for (int i = n - 3; i < n; i++) {
            for (int row = 0; row < r.m.n_g; row++) r.m.gp.full[row * n + i] = 0;
            for (int j = 0; j < n; j++) r.m.M.full[i * n + j] = r.m.M.full[j * n + i] = 0;
        }
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                r.m.M.full[(n - 3 + i) * n + n - 3 + j] = w[i] * w[j] + u[i] * u[j] + (i == j ? more[kind] : 0);
        rm_find_patterns(&r.m);
        open_rig(&r);
        list_all_but(&r.q, -1);
        assert_int_equal(rsd_kkt_factor(&r.q), kind == 2);
        close_rig(&r);
    }
}
