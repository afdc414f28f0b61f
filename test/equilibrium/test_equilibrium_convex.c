/* test_equilibrium_convex.c - equilibria of springs with stops: minima of p'Kp/2 - f'p subject to Cp + d >= 0 with K
 * positive definite, so that the minimum is unique. The expected one is found by trying all sets of closed stops. */
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/oracle.h"
#include "test/fixtures/solver_fixture.h"

enum { MAX = 5, PROBLEMS = 200 };

typedef struct springs {
    int n, m; /* coordinates, stops */
    double K[MAX * MAX], f[MAX], C[MAX * MAX], d[MAX], guess[MAX];
} springs;

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *u, double *r,
                    void *user)
{
    const springs *s = user;
    for (int i = 0; i < s->n; i++) {
        r[i] = a[i] + 0.1 * v[i] - s->f[i];
        for (int j = 0; j < s->n; j++) r[i] += s->K[i * s->n + j] * p[j];
    }
    return 0;
}

static int gaps(double t, const double *p, const resida_excitation *u, double *g, void *user)
{
    const springs *s = user;
    for (int i = 0; i < s->m; i++) {
        g[i] = s->d[i];
        for (int j = 0; j < s->n; j++) g[i] += s->C[i * s->n + j] * p[j];
    }
    return 0;
}

static int root(double t, const double *p, const double *v, const resida_excitation *u, double *out, void *user)
{
    return gaps(t, p, u, out, user);
}

/* Solve K p - C_S'N = f, C_S p + d_S = 0 for the stops in `set`. Return 1 if N and the gaps are >= 0. */
static int try_closed_set(const springs *s, unsigned set, double *p)
{
    int closed[MAX], k = 0;
    long double A[4 * MAX * MAX] = {0}, b[2 * MAX], x[2 * MAX];
    for (int i = 0; i < s->m; i++)
        if (set >> i & 1) closed[k++] = i;
    const int n = s->n, all = n + k;
    for (int i = 0; i < n; i++) {
        b[i] = s->f[i];
        for (int j = 0; j < n; j++) A[i * all + j] = s->K[i * n + j];
        for (int c = 0; c < k; c++)
            A[i * all + n + c] = -(A[(n + c) * all + i] = s->C[closed[c] * n + i]), b[n + c] = -s->d[closed[c]];
    }
    if (k > n || !oracle_solve(all, A, b, x)) return 0;
    for (int i = 0; i < n; i++) p[i] = (double)x[i];
    for (int c = 0; c < k; c++)
        if (!(x[n + c] >= -1e-10L)) return 0;
    double g[MAX];
    gaps(0, p, NULL, g, (void *)s);
    for (int i = 0; i < s->m; i++)
        if (!(g[i] >= -1e-10)) return 0;
    return 1;
}

static void find_minimum(const springs *s, double *p)
{
    for (unsigned set = 0; set < 1U << s->m; set++)
        if (try_closed_set(s, set, p)) return;
    fail_msg("no minimum");
}

/* 0 .. 1 */
static double draw(uint64_t *seed)
{
    return (1 + bench_random(seed)) / 2;
}

/* A problem that is feasible at p = 0. If `is_twice`, the last stop is the first one, at another gap. */
static springs draw_springs(uint64_t *seed, int is_twice)
{
    springs s = {.n = 1 + (int)(4.99 * draw(seed)), .m = 1 + (int)(4.99 * draw(seed))};
    double A[MAX * MAX];
    for (int i = 0; i < s.n * s.n; i++) A[i] = 1.5 * bench_random(seed);
    for (int i = 0; i < s.n; i++)
        for (int j = 0; j < s.n; j++) {
            s.K[i * s.n + j] = i == j ? 0.1 : 0;
            for (int k = 0; k < s.n; k++) s.K[i * s.n + j] += A[i * s.n + k] * A[j * s.n + k];
        }
    for (int i = 0; i < s.n; i++) s.f[i] = 5 * bench_random(seed);
    for (int i = 0; i < s.m * s.n; i++) s.C[i] = 1.5 * bench_random(seed);
    for (int i = 0; i < s.m; i++) s.d[i] = draw(seed);
    for (int j = 0; is_twice && j < s.n; j++) s.C[(s.m - 1) * s.n + j] = 1.3 * s.C[j];
    return s;
}

/* Use other units of force, and of length. */
static void change_units(springs *s, double force, double length)
{
    for (int i = 0; i < s->n * s->n; i++) s->K[i] *= force / length;
    for (int i = 0; i < s->n; i++) s->f[i] *= force;
    for (int i = 0; i < s->m; i++) s->d[i] *= length;
}

static void check_minimum(springs *s, int number, double force, double length)
{
    static const double e[MAX] = {0}, rest[MAX] = {0};
    const resida_model_contacts c = {.size = sizeof c, .n = s->m, .restitution = e, .holds = 1};
    resida_problem_options o = test_problem_options();
    resida_mechanism m = test_mechanism();
    resida_message why;
    double p[MAX], v[MAX], lam[MAX], expected[MAX];
    m.user = s, m.n_p = m.n_v = s->n, m.n_g = m.n_root = s->m;
    m.residual = residual, m.constraint = gaps, m.root = root;
    o.contacts = &c;
    find_minimum(s, expected);
    change_units(s, force, length);
    resida_problem *problem = test_problem(&m, &o);
    const resida_status status = resida_problem_equilibrium(problem, 0, s->guess, rest, NULL, p, v, lam, NULL, &why);
    if (status != RESIDA_OK)
        fail_msg("problem %d (%g N, %g m), n = %d, m = %d: %s", number, force, length, s->n, s->m, why.text);
    for (int i = 0; i < s->n; i++)
        if (!(fabs(p[i] - length * expected[i]) <= 1e-6 * length * (1 + fabs(expected[i]))))
            fail_msg("problem %d (%g N, %g m): p[%d] = %.9g, not %.9g", number, force, length, i, p[i],
                     length * expected[i]);
    for (int i = 0; i < s->m; i++)
        if (!(lam[i] <= 1e-6 * force)) fail_msg("problem %d: contact %d pulls with %g", number, i, lam[i]);
}

CLAIM(equilibria_with_stops_are_minima_of_the_energy)
{
    static const double units[][2] = {{1, 1}, {1e-10, 1}, {1e8, 1}, {1, 1e-4}, {1, 1e4}};
    for (int u = 0; u < 5; u++) {
        uint64_t seed = 1;
        for (int i = 0; i < PROBLEMS; i++) {
            springs s = draw_springs(&seed, i % 4 == 3);
            check_minimum(&s, i, units[u][0], units[u][1]);
        }
    }
}

/* Guesses outside the stops are not made here: they need not be feasible for all stops at once. */
CLAIM(the_first_stop_and_not_the_last_one_holds_a_mass)
{
    springs s = {.n = 1, .m = 2, .K = {2}, .f = {-5}, .C = {1.36, 1.7}, .d = {1.4, 0.1}};
    check_minimum(&s, 0, 1, 1);
    springs t = {.n = 2, .m = 2, .K = {3, 1, 1, 3}, .f = {0, 2}, .C = {-1, -2, 1, 0}, .d = {2, 0}};
    check_minimum(&t, 1, 1, 1);
}
