/* test_jacobian_products.c - products of derivatives with directions that the system gives: J is made of them in every
 * strategy and form, without a residual call, for the engine alone and for mechanisms; the search for the pattern and
 * its check go by them; several threads find the same, bit for bit.
 *
 * The engine's own system here is a band of N equations whose derivatives are written down: J has to agree to the
 * rounding of one division. Products of mechanisms are differences of fourth order, good for 1e-11. */
#include <stdatomic.h>

#include "engine_fixture.h"
#include "test/fixtures/solver_fixture.h"

enum { N = 300, SMALL = 30, WORKERS = 4, MAX_DIRECTIONS = 8, GROUPS = 3 };

/* --- a band --- */

typedef struct band {
    int n;
    int far_row, far_column; /* an entry outside of the band; -1: none */
    double far;              /* its value */
    atomic_long F_calls, calls, directions, most;
    int verdict; /* of products */
} band;

static double entry(const band *b, const double *y, int i, int c)
{
    if (i == b->far_row && c == b->far_column) return b->far;
    if (c == i - 1) return 2 * y[c] * y[i];
    if (c == i + 1) return 1e-3;
    return c == i ? (i > 0 ? y[i - 1] * y[i - 1] : 0) + 1e6 : 0;
}

static double inertia(const double *yp, int i)
{
    return 1 + yp[i] * yp[i];
}

static int band_F(double t, const double *y, const double *yp, double *r, void *user)
{
    band *b = user;
    atomic_fetch_add(&b->F_calls, 1);
    for (int i = 0; i < b->n; i++) {
        const double before = i > 0 ? y[i - 1] : 0, after = i + 1 < b->n ? y[i + 1] : 0;
        r[i] = before * before * y[i] + 1e-3 * after + 1e6 * y[i] + yp[i] + yp[i] * yp[i] * yp[i] / 3 + t;
    }
    if (b->far_row >= 0) r[b->far_row] += b->far * y[b->far_column];
    return 0;
}

static int band_times(double t, const double *y, const double *yp, int k, const double *dy, const double *dyp,
                      double *out, void *user)
{
    band *b = user;
    atomic_fetch_add(&b->calls, 1);
    atomic_fetch_add(&b->directions, k);
    if (k > atomic_load(&b->most)) atomic_store(&b->most, k);
    for (int d = 0; d < k; d++, dy += b->n, dyp += b->n, out += b->n) {
        for (int i = 0; i < b->n; i++) {
            out[i] = entry(b, y, i, i) * dy[i] + inertia(yp, i) * dyp[i];
            if (i > 0) out[i] += entry(b, y, i, i - 1) * dy[i - 1];
            if (i + 1 < b->n) out[i] += entry(b, y, i, i + 1) * dy[i + 1];
        }
        if (b->far_row >= 0) out[b->far_row] += b->far * dy[b->far_column];
    }
    return b->verdict;
}

typedef struct bench_band {
    band b;
    resida_jacobian *j;
    double y[N], yp[N], F[N];
    resida_jacobian_point at;
} bench_band;

static void open_band(bench_band *x, int n, const char *strategy, int threads)
{
    resida_system s;
    resida_jacobian_options o;
    *x = (bench_band){.b = {.n = n, .far_row = -1}};
    static void *workers[WORKERS];
    for (int i = 0; i < WORKERS; i++) workers[i] = &x->b;
    resida_system_init(&s);
    s.n = n, s.F = band_F, s.times = band_times, s.user = &x->b, s.n_workers = WORKERS, s.worker = workers;
    resida_jacobian_options_init(&o);
    o.strategy = strategy, o.threads = threads;
    x->j = test_jacobian(&s, &o);
    for (int i = 0; i < n; i++) x->y[i] = 1 + 0.5 * sin(3 * i + 1), x->yp[i] = cos(i);
    x->at = (resida_jacobian_point){.t = 0.5, .alpha = 7, .h = 0.1, .y = x->y, .yp = x->yp, .F = x->F};
}

static int set_up(bench_band *x, resida_setup_reason reason)
{
    int current = 0;
    band_F(x->at.t, x->y, x->yp, x->F, &x->b);
    atomic_store(&x->b.F_calls, 0);
    return resida_jacobian_setup(x->j, reason, &x->at, &current);
}

/* J is exact: the division by a power of two rounds nothing, alpha dF/dyp a little. */
static void check_band(const bench_band *x)
{
    const int n = x->b.n;
    double *J = bench_doubles((long)n * n);
    get_full(x->j, n, J);
    for (int c = 0; c < n; c++)
        for (int i = 0; i < n; i++) {
            const double exact = entry(&x->b, x->y, i, c) + (i == c ? x->at.alpha * inertia(x->yp, i) : 0);
            if (fabs(J[c * n + i] - exact) > 4e-16 * fabs(exact))
                fail_msg("%s: entry (%d, %d) is %.17g, not %.17g", resida_jacobian_strategy(x->j), i, c, J[c * n + i],
                         exact);
        }
}

CLAIM(every_strategy_takes_products_and_no_residual)
{
    for (int s = 0; s < N_EVERY_STRATEGY; s++) {
        bench_band x;
        resida_jacobian_counts counts;
        open_band(&x, SMALL, every_strategy[s], 1);
        for (int k = 0; k < 4; k++) {
            assert_int_equal(set_up(&x, k ? RESIDA_SETUP_OTHER : RESIDA_SETUP_FIRST), 0);
            assert_int_equal(atomic_load(&x.b.F_calls), 0);
            check_band(&x);
            for (int i = 0; i < SMALL; i++) x.y[i] += 0.1 * cos(i + k), x.yp[i] -= 0.1;
        }
        assert_int_equal(resida_jacobian_get_counts(x.j, &counts), RESIDA_OK);
        assert_int_equal(counts.residual_calls, 0);
        assert_int_equal(counts.pattern_calls, 0);
        assert_int_equal(counts.products, atomic_load(&x.b.directions));
        assert_int_equal(atomic_load(&x.b.most),
                         strncmp(every_strategy[s], "sparse", 6) == 0 ? GROUPS : MAX_DIRECTIONS);
    }
}

/* Of 300 columns in a band some dozen products tell where entries are, and three groups give them. */
CLAIM(products_of_blocks_determine_the_pattern_of_a_large_system)
{
    bench_band x;
    resida_jacobian_counts counts;
    open_band(&x, N, "auto", 1);
    assert_int_equal(set_up(&x, RESIDA_SETUP_FIRST), 0);
    check_band(&x);
    print_message("  %ld products in %ld calls for %d columns\n", atomic_load(&x.b.directions), atomic_load(&x.b.calls),
                  N);
    assert_true(atomic_load(&x.b.directions) < N);
    for (int k = 0; k < 3; k++) {
        x.y[k] += 0.01;
        assert_int_equal(set_up(&x, RESIDA_SETUP_OTHER), 0);
        check_band(&x);
    }
    assert_int_equal(resida_jacobian_get_counts(x.j, &counts), RESIDA_OK);
    assert_int_equal(counts.groups, GROUPS);
    assert_int_equal(counts.nnz, 3 * N - 2);
}

/* An entry that comes later, however small beside its row, is seen by the product that checks the pattern. */
CLAIM(a_new_entry_is_found)
{
    static const int sizes[] = {SMALL, N};
    for (int s = 0; s < 2; s++) {
        bench_band x;
        open_band(&x, sizes[s], "auto", 1);
        for (int k = 0; k < 4; k++) {
            assert_int_equal(set_up(&x, k ? RESIDA_SETUP_OTHER : RESIDA_SETUP_FIRST), 0);
            x.y[1] += 0.01;
        }
        x.b.far_row = 2, x.b.far_column = sizes[s] - 3, x.b.far = 3e5;
        for (int k = 0; k < 20; k++) { /* those that are not checked */
            assert_int_equal(set_up(&x, RESIDA_SETUP_OTHER), 0);
            x.y[1] += 0.01;
        }
        assert_int_equal(set_up(&x, RESIDA_SETUP_OTHER), 0);
        check_band(&x);
        assert_int_equal(atomic_load(&x.b.F_calls), 0);
    }
}

CLAIM(threads_give_the_same_products)
{
    double J[2][SMALL * SMALL];
    long products[2];
    for (int s = 0; s < N_EVERY_STRATEGY; s++) {
        for (int i = 0; i < 2; i++) {
            bench_band x;
            resida_jacobian_counts counts;
            open_band(&x, SMALL, every_strategy[s], i ? WORKERS : 1);
            assert_int_equal(set_up(&x, RESIDA_SETUP_FIRST), 0);
            get_full(x.j, SMALL, J[i]);
            assert_int_equal(resida_jacobian_get_counts(x.j, &counts), RESIDA_OK);
            products[i] = counts.products;
        }
        assert_memory_equal(J[0], J[1], sizeof J[0]);
        assert_int_equal(products[0], products[1]);
    }
}

CLAIM(verdicts_of_products_are_those_of_the_setup)
{
    for (int s = 0; s < N_EVERY_STRATEGY; s++)
        for (int verdict = -3; verdict <= 2; verdict += 5)
            for (int threads = 1; threads <= WORKERS; threads += WORKERS - 1) {
                bench_band x;
                open_band(&x, SMALL, every_strategy[s], threads);
                x.b.verdict = verdict;
                const int said = set_up(&x, RESIDA_SETUP_FIRST);
                assert_true(verdict < 0 ? said == verdict : said >= 0);
                if (verdict > 0 && said > 0) assert_false(has_matrix(x.j));
                x.b.verdict = 0;
                for (int k = 0; k < 2; k++) assert_int_equal(set_up(&x, RESIDA_SETUP_FIRST), 0);
                check_band(&x);
            }
}

CLAIM(central_differences_without_differenced_columns_are_refused)
{
    resida_system s;
    resida_jacobian *j;
    resida_jacobian_options o;
    resida_message why = {""};
    band b = {.n = SMALL};
    resida_system_init(&s);
    s.n = SMALL, s.F = band_F, s.times = band_times, s.user = &b;
    resida_jacobian_options_init(&o);
    o.differences = RESIDA_DIFFERENCES_CENTRAL;
    assert_int_equal(resida_jacobian_create(&j, &s, &o, &why), RESIDA_ERR_OPTION);
    assert_non_null(strstr(why.text, "differences = central has no effect with products"));
    o.differences = RESIDA_DIFFERENCES_FORWARD;
    s.cost_times = -1;
    assert_int_equal(resida_jacobian_create(&j, &s, &o, &why), RESIDA_ERR_ARGUMENT);
    assert_non_null(strstr(why.text, "cost_times = -1"));
}

/* --- mechanisms --- */

static struct {
    const resida_mechanism *m;
    long directions;
} of_rig;

/* Phi at s along direction i; r [n_v]. */
static void Phi_along(double t, const resida_motion *at, const resida_excitation *e, int i, const resida_motion *d,
                      double s, double *r)
{
    const resida_mechanism *m = of_rig.m;
    const int n_l = m->n_g + m->n_h;
    double p[CM_MAX_Y], v[CM_MAX_Y], a[CM_MAX_Y], lam[CM_MAX_Y];
    for (int c = 0; c < m->n_p; c++) p[c] = at->p[c] + s * d->p[i * m->n_p + c];
    for (int c = 0; c < m->n_v; c++) v[c] = at->v[c] + s * d->v[i * m->n_v + c];
    for (int c = 0; c < m->n_v; c++) a[c] = at->a[c] + s * d->a[i * m->n_v + c];
    for (int c = 0; c < n_l && d->lam; c++) lam[c] = at->lam[c] + s * d->lam[i * n_l + c];
    assert_int_equal(
        m->residual_lam ? m->residual_lam(t, p, v, a, lam, e, r, m->user) : m->residual(t, p, v, a, e, r, m->user), 0);
}

static double largest(const double *x, long n)
{
    double most = 0;
    for (long i = 0; x && i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

static int times_of_rig(double t, const resida_motion *at, const resida_excitation *e, int k, const resida_motion *d,
                        double *out, void *user)
{
    static const double shifts[] = {1, -1, 2, -2}, factors[] = {8, -8, -1, 1};
    const resida_mechanism *m = of_rig.m;
    double r[CM_MAX_Y];
    of_rig.directions += k;
    assert_true((at->lam != NULL) == (m->residual_lam != NULL) && (d->lam != NULL) == (m->residual_lam != NULL));
    for (int i = 0; i < k; i++) {
        const double size = fmax(fmax(largest(d->p + i * m->n_p, m->n_p), largest(d->v + i * m->n_v, m->n_v)),
                                 fmax(largest(d->a + i * m->n_v, m->n_v),
                                      d->lam ? largest(d->lam + i * (m->n_g + m->n_h), m->n_g + m->n_h) : 0));
        const double h = 1e-3 / fmax(size, 1e-3);
        for (int c = 0; c < m->n_v; c++) out[i * m->n_v + c] = 0;
        for (int s = 0; s < 4; s++) {
            Phi_along(t, at, e, i, d, shifts[s] * h, r);
            for (int c = 0; c < m->n_v; c++) out[i * m->n_v + c] += factors[s] * r[c] / (12 * h);
        }
    }
    return 0;
}

/* Rows of the forces, which alone cost residual calls; J is right there, from products alone. */
static void check_forces(rig *r, const char *what)
{
    const int n = r->n;
    double *J = bench_doubles((long)n * n), *exact = bench_doubles((long)n * n), *Jyp = bench_doubles((long)n * n);
    const int has_G = r->l.n_g == 0 || r->problem->mechanism->m.constraint_matrix != NULL;
    const double accuracy = has_G ? 1e-6 : 1e-2; /* else of differences of differences of g */
    rig_differences(r, RSD_ROWS_ALL, 1, 0, exact);
    rig_differences(r, RSD_ROWS_ALL, 0, 1, Jyp);
    rig_full(r, J);
    for (int i = r->l.v; i < r->l.v + r->l.n_v; i++) {
        double size = 0;
        for (int c = 0; c < n; c++) {
            exact[c * n + i] += r->at.alpha * Jyp[c * n + i];
            size = fmax(size, fabs(exact[c * n + i]));
        }
        for (int c = 0; c < n; c++)
            if (fabs(J[c * n + i] - exact[c * n + i]) > accuracy * size)
                fail_msg("%s, %s, %s, %s: (%d, %d) is %.12g, not %.12g", r->s->name, r->form, r->strategy, what, i, c,
                         J[c * n + i], exact[c * n + i]);
    }
}

static void check_products(rig *r, void *user)
{
    long calls = 0;
    if (strcmp(r->formalism, "residual") != 0) return;
    of_rig.m = &r->problem->mechanism->m;
    of_rig.directions = 0;
    rig_setup(r, RESIDA_SETUP_FIRST, &calls);
    assert_int_equal(calls, 0);
    check_forces(r, "at first");
    for (int k = 0; k < 3; k++) {
        rig_move(r);
        rig_setup(r, RESIDA_SETUP_FIRST, &calls); /* all columns */
        assert_int_equal(calls, 0);
    }
    check_forces(r, "later");
    assert_true(of_rig.directions > 0);
    assert_int_equal(rig_counts(r).products, of_rig.directions);
    assert_int_equal(rig_counts(r).residual_calls, 0);
}

CLAIM(mechanisms_of_every_form_take_products)
{
    static const char *const strategies[] = {"auto", "sparse", "dense+partitioned"};
    resida_products products;
    resida_products_init(&products);
    products.residual_times = times_of_rig;
    rig_products = &products;
    for (int i = 0; i < 3; i++) rig_each_form(strategies[i], check_products, NULL);
    rig_products = NULL;
}
