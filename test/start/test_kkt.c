/* test_kkt.c - the constrained system: its solutions are those of long double (oracle.h), what it calls singular, when
 * it is large, and when it is sure that rows are independent. */
#include "src/core/kkt/kkt.h"
#include "base/linear/linear_solver.h"

#include <resida/problem.h>

#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/oracle.h"
#include "test/fixtures/mechanisms/random_mechanism.h"
#include "turning_rows.h"

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

static int is_large(const resida_mechanism *m, resida_formalism formalism)
{
    resida_allocator alloc = rsd_allocator(NULL);
    rsd_mechanism *k;
    rsd_kkt q;
    assert_int_equal(rsd_mechanism_create(&k, m, (int)formalism, &alloc, NULL), RESIDA_OK);
    assert_int_equal(rsd_kkt_create(&q, k, &k->alloc, NULL), RESIDA_OK);
    rsd_linear_free(q.matrix.ls);
    rsd_mechanism_free(k);
    return q.is_large;
}

CLAIM(large_and_sparse_mechanisms_keep_no_full_arrays)
{
    for (int n = 10; n <= 1000; n *= 10) {
        bench b;
        bench_open(&b, "chain-cartesian", (const bench_setting[]){{"n", n}, {NULL, 0}});
        resida_mechanism m = *b.m;
        assert_int_equal(is_large(&m, RESIDA_FORMALISM_RESIDUAL), n > 10);
        if (n <= 100) {
            assert_int_equal(is_large(&m, RESIDA_FORMALISM_EXPLICIT), 0);
            m.mass_matrix = NULL, m.M_pattern = (resida_pattern){NULL, NULL}; /* its pattern is learnt, n_v = 300 */
            assert_int_equal(is_large(&m, RESIDA_FORMALISM_RESIDUAL), n > 10);
        }
    }
    rig r;
    make_random(&r, 1);
    for (r.m.as_full = 0; r.m.as_full < 2; r.m.as_full++) {
        resida_mechanism m = rm_mechanism(&r.m);
        assert_int_equal(is_large(&m, RESIDA_FORMALISM_AUTO), !r.m.as_full);
    }
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

/* dg/dp as it is, everything else regular. @return what is said of its rows but that one, -1: of all */
static int independent_but(rm *m, int left_out, double tolerance)
{
    rig r = {.m = *m};
    open_rig(&r);
    list_all_but(&r.q, left_out);
    int sure = rsd_kkt_test_independence(&r.q, tolerance);
    assert_int_equal(r.q.n_rows, r.q.n_l - (left_out >= 0));
    close_rig(&r);
    return sure;
}

static int independent(rm *m, double tolerance)
{
    return independent_but(m, -1, tolerance);
}

CLAIM(independent_rows_are_seen_and_others_never_claimed)
{
    static const double apart[] = {0, 1e-10, 1e-9, 1e-8, 1e-7, 1e-3};
    for (uint64_t k = 0; k < 60; k++) {
        rig r;
        make_random(&r, k);
        assert_true(independent(&r.m, 1e-8));
        double moved = apart[k % 6];
        rm_make_row(&r.m, r.m.n_g - 1, 2, 3, 1, k % 2 ? -1 : 5, moved);
        assert_int_equal(independent(&r.m, 1e-8), moved > 1e-4);
        assert_int_equal(independent(&r.m, 1e-2), 0);
        assert_int_equal(independent_but(&r.m, r.m.n_g - 1, 1e-8), 1); /* a row that is not listed is not looked at */
    }
}

/* Row k is e_k - 2 e_k+1, the last one e_n: taken from the last one on, a fifth of each is new; but their combination
 * sum 2^-k row k is 2^-n of e_n, and taken from the first one on, nothing of the last one is. */
CLAIM(a_dependence_that_hides_in_an_order_is_not_overlooked)
{
    rig r = {.m = {.n_p = 80, .n_v = 80, .n_g = 48}};
    rm_make(&r.m, 1);
    for (int n = 8; n <= 48; n += 8) {
        memset(r.m.gp.full, 0, sizeof(double) * 48 * 80);
        for (int i = 0; i < 48; i++) {
            r.m.gp.full[i * 80 + i] = 1;
            if (i + 1 < n) r.m.gp.full[i * 80 + i + 1] = -2;
        }
        rm_find_patterns(&r.m);
        assert_int_equal(independent(&r.m, 1e-8), n <= 16); /* 2^-16 is 1.5e-5, 2^-24 is 6e-8 */
    }
}

CLAIM(more_rows_than_coordinates_are_not_independent)
{
    rig r = {.m = {.n_p = 40, .n_v = 40, .n_g = 41}};
    rm_make(&r.m, 1);
    assert_int_equal(independent(&r.m, 1e-8), 0);
    r = (rig){.m = {.n_p = 70, .n_v = 70, .n_g = 0}};
    rm_make(&r.m, 1);
    assert_int_equal(independent(&r.m, 1e-8), 1);
}

/* Row i of norm one by least squares from two others, in the plane they span: the largest coefficient. */
static double coefficient(int n, const double *x, const double *y, const double *b)
{
    double xx = 0, yy = 0, xy = 0, xb = 0, yb = 0, bb = 0;
    for (int j = 0; j < n; j++) {
        xx += x[j] * x[j], yy += y[j] * y[j], xy += x[j] * y[j];
        xb += x[j] * b[j], yb += y[j] * b[j], bb += b[j] * b[j];
    }
    const double det = xx * yy - xy * xy;
    const double by_x = (yy * xb - xy * yb) / det, by_y = (xx * yb - xy * xb) / det;
    return fmax(fabs(by_x) * sqrt(xx), fabs(by_y) * sqrt(yy)) / sqrt(bb);
}

/* Three rows of each pair of rods, of which two are kept: how the third follows from them. */
CLAIM(room_is_what_the_largest_coefficient_leaves_in_both_formalisms)
{
    const resida_allocator alloc = rsd_allocator(NULL);
    for (unsigned seed = 1; seed <= 20; seed++)
        for (int b = 0; b < 2; b++) {
            turning chain;
            rsd_mechanism *k;
            rsd_kkt q;
            double A[3 * 20 * 80], most = 0, room = 0;
            turning_make(&chain, 40, seed);
            const resida_mechanism m = turning_mechanism(&chain);
            const int formalism = b == 1 ? RESIDA_FORMALISM_EXPLICIT : RESIDA_FORMALISM_RESIDUAL;
            assert_int_equal(rsd_mechanism_create(&k, &m, formalism, &alloc, NULL), RESIDA_OK);
            assert_int_equal(rsd_kkt_create(&q, k, &k->alloc, NULL), RESIDA_OK);
            assert_int_equal(rsd_kkt_eval_rows(&q, 0, chain.p0), 0);
            rsd_write_full_G(k, A);
            q.n_rows = 0;
            for (int i = 0; i < m.n_g; i++)
                if (i % 3 != (int)seed % 3) q.rows[q.n_rows++] = i;
            for (int i = 0; i < m.n_g; i += 3) {
                const double *row[] = {A + (long)i * 80, A + (long)(i + 1) * 80, A + (long)(i + 2) * 80};
                const int out = (int)seed % 3;
                most = fmax(most, coefficient(80, row[(out + 1) % 3], row[(out + 2) % 3], row[out]));
            }
            assert_int_equal(rsd_kkt_compute_margin(&q, INFINITY, &room), 0);
            bench_near(room, 1 / most, 1e-9 / most);
            rsd_linear_free(q.matrix.ls);
            rsd_mechanism_free(k);
        }
}

/* x and mu for forces and some c, in the model's units whatever is in use. */
static void solve_in_units(rsd_kkt *q, double *x, double *mu)
{
    double c[MOST];
    for (int i = 0; i < q->n_l; i++) c[i] = 1 + 0.1 * i;
    list_all_but(q, -1);
    assert_int_equal(rsd_kkt_factor(q), 1);
    rsd_kkt_solve(q, 1, c, x, mu);
}

CLAIM(solutions_are_the_same_in_other_units)
{
    for (uint64_t k = 0; k < 12; k++) {
        rig r;
        double x[2][MOST], mu[2][MOST];
        make_random(&r, k);
        open_rig(&r);
        rsd_kkt *q = &r.q;
        solve_in_units(q, x[0], mu[0]);
        for (int i = 0; i < q->n_v; i++) q->unit[i] = ldexp(1, i % 7 - 3);
        solve_in_units(q, x[1], mu[1]);
        bench_all_near(q->n_v, x[1], x[0], 1e-9 * (1 + bench_largest(q->n_v, x[0])));
        bench_all_near(q->n_l, mu[1], mu[0], 1e-9 * (1 + bench_largest(q->n_l, mu[0])));
        close_rig(&r);
    }
}
