/* test_model_references.c - the trusted states of the built-in models: against published values, against an
 * integration that shares nothing with the program that made them, against invariants. The closed form of the
 * pendulum is the matter of test_pendulum_exact.c.
 *
 * The integration is the classical Runge-Kutta method on the accelerations of the constrained mechanism,
 *
 *     ( M  G' ) ( a   )   ( Psi   )
 *     ( G  0  ) ( lam ) = ( -bias ),
 *
 * once with steps h and once with h/2. The difference of the two is about 15 times the error of the second; it gives a
 * better result and its tolerance, and is itself bounded, so that a reference with a wrong 8th digit fails the test. */
#include "test/fixtures/bench_fixture.h"

enum { MAX = 48 }; /* unknowns of the largest system, 12 rods: 24 + 12; its state: 48 */

/* A x = b by elimination with row pivots; A and b are overwritten, x in b. */
static void solve(int n, double A[MAX][MAX], double *b)
{
    for (int j = 0; j < n; j++) {
        int pivot = j;
        for (int i = j + 1; i < n; i++) pivot = fabs(A[i][j]) > fabs(A[pivot][j]) ? i : pivot;
        assert_true(fabs(A[pivot][j]) > 0);
        for (int k = 0; k < n; k++) {
            const double kept = A[j][k];
            A[j][k] = A[pivot][k], A[pivot][k] = kept;
        }
        const double kept = b[j];
        b[j] = b[pivot], b[pivot] = kept;
        for (int i = j + 1; i < n; i++) {
            const double ratio = A[i][j] / A[j][j];
            if (fabs(ratio) > 0)
                for (int k = j; k < n; k++) A[i][k] -= ratio * A[j][k];
            b[i] -= ratio * b[j];
        }
    }
    for (int j = n - 1; j >= 0; j--) {
        for (int k = j + 1; k < n; k++) b[j] -= A[j][k] * b[k];
        b[j] /= A[j][j];
    }
}

/* y = (p, v) -> yp = (v, a), and lam; without constraints by the explicit formalism. */
static void mechanism_rates(bench *b, double t, const double *y, double *yp, double *lam)
{
    const int n = b->m->n_p, n_g = b->m->n_g;
    double A[MAX][MAX] = {{0}}, right[MAX], M[MAX * MAX], G[MAX * MAX], zero[MAX] = {0};
    bench_at(b, t);
    memcpy(yp, y + n, (size_t)n * sizeof *yp);
    if (n_g == 0) {
        bench_acceleration(b, y, y + n, zero, yp + n);
        return;
    }
    bench_mass(b, y, M);
    bench_residual(b, y, y + n, zero, right);
    bench_G(b, y, G);
    bench_bias(b, y, y + n, right + n);
    for (int i = 0; i < n + n_g; i++) right[i] = -right[i];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i][j] = M[i * n + j];
    for (int i = 0; i < n_g; i++)
        for (int j = 0; j < n; j++) A[n + i][j] = A[j][n + i] = G[i * n + j];
    solve(n + n_g, A, right);
    memcpy(yp + n, right, (size_t)n * sizeof *yp);
    if (lam) memcpy(lam, right + n, (size_t)n_g * sizeof *lam);
}

/* A DAE of index 1 with F = +-yp + ... and an algebraic equation linear in its own unknown: solved for it, then for
 * yp. lam is not used. */
static void dae_rates(bench *b, double t, const double *y0, double *yp, double *lam)
{
    const resida_dae *d = &b->model.dae;
    double y[MAX], F[MAX], ahead[MAX], zero[MAX] = {0};
    memcpy(y, y0, (size_t)d->n * sizeof *y);
    for (int j = 0; j < d->n; j++) {
        if (d->kinds[j] == RESIDA_DIFFERENTIAL) continue;
        assert_int_equal(d->residual(t, y, zero, &b->e, F, d->user), 0);
        y[j] += 1;
        assert_int_equal(d->residual(t, y, zero, &b->e, ahead, d->user), 0);
        y[j] -= 1 + F[j] / (ahead[j] - F[j]);
    }
    assert_int_equal(d->residual(t, y, zero, &b->e, F, d->user), 0);
    for (int j = 0; j < d->n; j++) yp[j] = d->kinds[j] == RESIDA_DIFFERENTIAL ? -F[j] : 0;
}

typedef void rates_fn(bench *b, double t, const double *y, double *yp, double *lam);

static void runge_kutta(bench *b, rates_fn *rates, int n, double t, double h, long steps, double *y)
{
    static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    for (long s = 0; s < steps; s++) {
        double sum[MAX] = {0}, slope[MAX] = {0}, stage[MAX];
        const double now = t + (double)s * h;
        for (int k = 0; k < 4; k++) {
            for (int i = 0; i < n; i++) stage[i] = y[i] + h * at[k] * slope[i];
            rates(b, now + at[k] * h, stage, slope, NULL);
            for (int i = 0; i < n; i++) sum[i] += weight[k] * slope[i];
        }
        for (int i = 0; i < n; i++) y[i] += h * sum[i];
    }
}

/* A model, the times of its table after the start, and how many steps of h lead from one to the next. */
typedef struct tabulated {
    const char *name;
    bench_setting settings[3];
    double h, agreement; /* bound of the difference between h and h/2 relative to the largest component */
    double times[7];     /* ended by 0 */
} tabulated;

static const tabulated mechanisms[] = {
    {"andrews", {{NULL, 0}}, 2e-6, 1e-7, {0.01, 0.02, 0.03, 0.04, 0.05, 0}},
    {"car-axis", {{NULL, 0}}, 1e-4, 1e-7, {0.5, 1, 2, 3, 0}},
    {"slider-crank", {{NULL, 0}}, 2e-3, 1e-7, {0.25, 1, 2, 5, 8, 10, 0}},
    {"slider-crank-flexible", {{NULL, 0}}, 1e-6, 1e-7, {0.05, 0.1, 0}},
    {"chain", {{"n", 12}, {NULL, 0}}, 2e-3, 1e-6, {20, 100, 200, 0}},
    {"chain", {{NULL, 0}}, 1e-3, 1e-7, {20, 0}},
    {"chain", {{"omega", 0.05}, {NULL, 0}}, 1e-3, 1e-7, {20, 0}},
    {"chain", {{"n", 16}, {NULL, 0}}, 1e-3, 1e-7, {20, 0}},
    {"chain", {{"n", 16}, {"omega", 0.05}, {NULL, 0}}, 1e-3, 1e-7, {20, 0}},
    {"chain-cartesian", {{"n", 12}, {NULL, 0}}, 1e-3, 1e-7, {20, 0}},
};

/* Both integrations give an extrapolated result, fine + (fine - coarse)/15; it may differ from the reference by its
 * last change, and by rounding over 1e5 steps, which grows at worst linearly. */
static void compare(int n, const double *reference, const double *coarse, const double *fine, double agreement)
{
    double apart = 0, size = bench_largest(n, reference), best[MAX];
    for (int i = 0; i < n; i++) {
        best[i] = fine[i] + (fine[i] - coarse[i]) / 15;
        apart = fmax(apart, fabs(coarse[i] - fine[i]));
    }
    bench_near(apart, 0, agreement * size);
    bench_all_near(n, best, reference, apart / 15 + 1e5 * DBL_EPSILON * size);
}

static void follow_the_table(const tabulated *c)
{
    bench *b = bench_make(c->name, c->settings);
    const int n = b->m->n_p, n_g = b->m->n_g;
    double y[2][MAX], slope[MAX], lam[2][MAX], p[MAX], v[MAX], mu[MAX], t = 0;
    for (int k = 0; k < 2; k++) {
        memcpy(y[k], b->model.p0, (size_t)n * sizeof(double));
        memcpy(y[k] + n, b->model.v0, (size_t)n * sizeof(double));
    }
    for (const double *next = c->times; *next > 0; t = *next++) {
        const long steps = lround((*next - t) / c->h);
        for (int k = 0; k < 2; k++) {
            runge_kutta(b, mechanism_rates, 2 * n, t, (*next - t) / (double)(steps << k), steps << k, y[k]);
            mechanism_rates(b, *next, y[k], slope, lam[k]);
        }
        assert_int_equal(b->model.reference(&b->model, *next, p, v, mu), 0);
        compare(n, p, y[0], y[1], c->agreement);
        compare(n, v, y[0] + n, y[1] + n, c->agreement);
        if (n_g > 0) compare(n_g, mu, lam[0], lam[1], 10 * c->agreement); /* lam sees differences of p and v */
    }
}

CLAIM(runge_kutta_meets_the_references_of_the_mechanisms)
{
    for (int i = 0; i < (int)(sizeof mechanisms / sizeof *mechanisms); i++) follow_the_table(&mechanisms[i]);
}

CLAIM(runge_kutta_meets_the_references_of_the_daes)
{
    static const tabulated daes[] = {{"akzo", {{NULL, 0}}, 0.02, 1e-7, {180, 0}},
                                     {"robertson", {{NULL, 0}}, 5e-4, 1e-7, {0.4, 40, 0}}};
    for (int c = 0; c < 2; c++) {
        bench *b = bench_make(daes[c].name, NULL);
        const int n = b->model.dae.n, alike = daes[c].name[0] == 'a' ? 5 : 2; /* the last one is algebraic */
        double y[2][MAX], reference[MAX], t = 0;
        for (int k = 0; k < 2; k++) memcpy(y[k], b->model.y0, (size_t)n * sizeof(double));
        for (const double *next = daes[c].times; *next > 0; t = *next++) {
            const long steps = lround((*next - t) / daes[c].h);
            for (int k = 0; k < 2; k++)
                runge_kutta(b, dae_rates, n, t, (*next - t) / (double)(steps << k), steps << k, y[k]);
            assert_int_equal(b->model.reference(&b->model, *next, reference, NULL, NULL), 0);
            compare(alike, reference, y[0], y[1], daes[c].agreement);
        }
    }
}

/* Published end values and how far the recomputed ones may be from them: the accuracy of the published ones. */
CLAIM(references_agree_with_published_end_values)
{
    static const struct {
        const char *name;
        double t, tolerance;
        int n;
        double values[7];
    } published[] = {
        /* clang-format off */
        /* IVP Test Set, PSIDE, rtol = atol = 1e-14: about 10 digits, its energy is off by 2e-10 */
        {"andrews", 0.03, 2e-9, 7,
         {0.1581077119629904e+02, -0.1575637105984298e+02, 0.4082224013073101e-01, -0.5347301163226948e+00,
          0.5244099658805304e+00, 0.5347301163226948e+00, 0.1048080741042263e+01}},
        /* IVP Test Set, release 2.3: 12 digits */
        {"car-axis", 3, 5e-13, 4,
         {0.493455784275402809122e-1, 0.496989460230171153861, 0.104174252488542151681e+1, 0.373911027265361256927}},
        /* IVP Test Set, MEBDFI, atol = rtol = 1e-14; 2.031e-10 is what x3 is moved by for a consistent start */
        {"slider-crank-flexible", 0.1, 2e-12, 7,
         {0.1500000000000104e+02, -0.3311734988256260e+00, 0.1697373328427860e+00 - 2.031e-10, 0.1893192899613509e-03,
          0.2375751249879174e-04, -0.5323896770569702e-05, -0.8363313279112129e-05}},
        /* SUNDIALS, idaSlCrank_dns.out, five digits of a run with tolerances 1e-6 */
        {"slider-crank", 10, 5e-5, 3, {1.2757, 1.0236, -0.49881}},
        {"slider-crank", 5, 5e-5, 3, {-1.4300, 0.93903, 0.51790}},
        {"slider-crank", 2, 5e-5, 3, {0.57904, 1.3803, -0.27715}},
        /* IVP Test Set, PSIDE */
        {"akzo", 180, 1e-15, 6,
         {0.1150794920661702, 0.1203831471567715e-2, 0.1611562887407974, 0.3656156421249283e-3,
          0.1708010885264404e-1, 0.4873531310307455e-2}},
        /* IVP Test Set, problem rober: 14 digits */
        {"robertson", 1e11, 2e-14, 3, {0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050}},
        /* clang-format on */
    };
    for (int i = 0; i < (int)(sizeof published / sizeof *published); i++) {
        double p[7];
        bench *b = bench_make(published[i].name, NULL);
        assert_int_equal(b->model.reference(&b->model, published[i].t, p, NULL, NULL), 0);
        bench_all_near(published[i].n, p, published[i].values, published[i].tolerance);
    }
}

CLAIM(references_satisfy_the_constraints)
{
    for (int c = 0; c < (int)(sizeof mechanisms / sizeof *mechanisms); c++) {
        bench *b = bench_make(mechanisms[c].name, mechanisms[c].settings);
        const int n_g = b->m->n_g;
        const double zero[MAX] = {0};
        for (const double *t = mechanisms[c].times; n_g > 0 && *t > 0; t++) {
            double p[MAX], v[MAX], g[MAX], rate[MAX];
            assert_int_equal(b->model.reference(&b->model, *t, p, v, NULL), 0);
            bench_at(b, *t);
            bench_g(b, p, g);
            bench_g_rate(b, p, v, rate);
            bench_all_near(n_g, g, zero, 32 * DBL_EPSILON * (1 + bench_largest(b->m->n_p, p)));
            bench_all_near(n_g, rate, zero, 32 * DBL_EPSILON * (1 + bench_largest(b->m->n_p, v)));
        }
    }
}

CLAIM(andrews_keeps_its_energy)
{
    bench *b = bench_make("andrews", NULL);
    for (int i = 0; i <= 5; i++) {
        double p[7], v[7], M[49], E;
        assert_int_equal(b->model.reference(&b->model, i / 100.0, p, v, NULL), 0);
        const double x = 0.02 * cos(p[2]) + 0.018 * sin(p[2]) - 0.05035;
        const double y = 0.02 * sin(p[2]) - 0.018 * cos(p[2]) - 0.03927, stretch = hypot(x, y) - 0.07785;
        E = 4530.0 / 2 * stretch * stretch - 0.033 * p[0];
        bench_mass(b, p, M);
        for (int k = 0; k < 49; k++) E += v[k / 7] * M[k] * v[k % 7] / 2;
        bench_near(E, 1.43783295753213987, 1e-12); /* the accuracy of the states, est. 1e-12 */
    }
}

/* The end of rod 2 and its velocity, from exact kinematics with another set of angles than the model's; all joints of
 * the loop hold, and the energy of the start, 0 at y = 0, is kept. */
CLAIM(bricard_is_where_the_benchmark_says)
{
    static const double published[][7] = {
        {0.5, 0.7747178080392334, -0.979815047655669, -0.19990615895344271, -0.8269399228049276, 0.1307072170164611,
         -0.6406450843755664},
        {1, 0.27448131926462305, -0.886707938734672, -0.46233000268737606, -1.0949194524135097, 0.15669907937027244,
         -0.30053493578695883},
        {2, -0.778135373033291, -0.9803526834432565, -0.19725267061717058, -0.8223592716498657, -0.12875298348672556,
         0.6399068386126536},
        {2.5, -0.9999831852927911, -0.9999999998586352, -1.681456584170861e-05, 0.00811468455469953,
         1.3644260346797389e-07, -0.00811454810865465},
        {4, 0.28355107908174293, -0.8880228141230467, -0.4597993927757896, 1.093591073000519, -0.16055747545216228,
         0.31008892882345823},
        {5, 0.999932742302117, -0.9999999977383531, -6.725543608394708e-05, -0.016228823314178287,
         1.0914031813900788e-06, -0.016227731800882828},
        {10, 0.9997309873038355, -0.9999999638258172, -0.00026897651224921785, -0.03245328022229935,
         8.726822183335588e-06, -0.03244454987788736},
    };
    enum { N = 30, RODS = 5, OF_ROD = 6 };
    bench *b = bench_make("bricard", NULL);
    for (int i = 0; i < 7; i++) {
        double p[N], v[N], g[N], rate[N], M[N * N], E = 29.43;
        const double *expect = published[i] + 1;
        assert_int_equal(b->model.reference(&b->model, published[i][0], p, v, NULL), 0);
        bench_g(b, p, g);
        bench_g_rate(b, p, v, rate);
        bench_near(bench_largest(N, g), 0, 1e-14);
        bench_near(bench_largest(N, rate), 0, 1e-14);
        /* rods 2 and 3 meet in P3: twice the centre of rod 1 is P2, twice that of rod 2 less P2 is P3 */
        for (int d = 0; d < 3; d++) {
            bench_near(2 * (p[OF_ROD + d] - p[d]), expect[d], 1e-14);
            bench_near(2 * (v[OF_ROD + d] - v[d]), expect[3 + d], 1e-14);
        }
        bench_mass(b, p, M);
        for (int k = 0; k < N; k++) E += v[k] * M[k * N + k] * v[k] / 2;
        for (int k = 0; k < RODS; k++) E += 9.81 * p[OF_ROD * k + 1];
        bench_near(E, 0, 1e-13);
    }
}

CLAIM(references_at_the_start_are_the_start)
{
    const char *const names[] = {"pendulum", "andrews", "car-axis", "slider-crank", "slider-crank-flexible"};
    for (int c = 0; c < 5; c++) {
        double p[MAX], v[MAX], lam[MAX], y[MAX], slope[MAX], mu[MAX];
        bench *b = bench_make(names[c], NULL);
        const int n = b->m->n_p;
        assert_int_equal(b->model.reference(&b->model, 0, p, v, lam), 0);
        bench_all_near(n, p, b->model.p0, 2 * DBL_EPSILON);
        bench_all_near(n, v, b->model.v0, 2 * DBL_EPSILON);
        memcpy(y, p, (size_t)n * sizeof *y);
        memcpy(y + n, v, (size_t)n * sizeof *y);
        mechanism_rates(b, 0, y, slope, mu);
        bench_all_near(b->m->n_g, lam, mu, 1e-10 * (1 + bench_largest(b->m->n_g, lam)));
    }
}

/* Every table belongs to its parameters and its times, and to nothing else. */
CLAIM(no_reference_for_other_parameters_or_times)
{
    static const struct {
        const char *name, *parameter;
        double value, t;
    } others[] = {{"andrews", "mom", 0.034, 0.03}, {"car-axis", "r", 0.11, 3},
                  {"slider-crank", "c", 0.9, 10},  {"slider-crank-flexible", "damping", 1, 0.1},
                  {"akzo", "k4", 0.43, 180},       {"robertson", "k1", 0.05, 40},
                  {"chain", "n", 13, 200},         {"chain", "omega", 0.06, 200},
                  {"chain", "d", 0.1, 200},        {"chain-cartesian", "alpha0", 0.1, 200}};
    for (int i = 0; i < (int)(sizeof others / sizeof *others); i++) {
        const bench_setting changed[] = {{others[i].parameter, others[i].value}, {NULL, 0}};
        bench b;
        double p[MAX];
        bench_open(&b, others[i].name, NULL);
        assert_non_null(b.model.reference_source);
        assert_int_equal(b.model.reference(&b.model, others[i].t, NULL, NULL, NULL), 0);
        assert_int_equal(b.model.reference(&b.model, others[i].t * (1 + 1e-9), p, NULL, NULL), 1);
        bench_open(&b, others[i].name, changed);
        assert_int_equal(b.model.reference(&b.model, others[i].t, p, NULL, NULL), 1);
    }
}
