/* test_units.c - verdicts of a start do not depend on units: every coordinate, and every constraint, in a unit of its
 * own, 1e-16 to 1e16 times the others'. What is regular starts, with the same accelerations; what is redundant is
 * named; what is singular is refused as that. And a light body is no redundancy, whatever its mass. */
#include "test/fixtures/bench_fixture.h"
#include "turning_rows.h"
#include "test/fixtures/solver_fixture.h"

enum { POINTS = 2, N = 2 * POINTS, MAX_L = 3 };

/* A mechanism in other units: p = unit q, g = row g of the inner one. */
typedef struct rescaled {
    resida_mechanism inner;
    double unit[N], row[MAX_L], mass[N];
} rescaled;

static void to_inner(const rescaled *s, const double *q, double *p)
{
    for (int i = 0; i < N; i++) p[i] = s->unit[i] * q[i];
}

static int residual(double t, const double *q, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    const rescaled *s = user;
    double p[N], pv[N], pa[N];
    to_inner(s, q, p), to_inner(s, v, pv), to_inner(s, a, pa);
    int verdict = s->inner.residual(t, p, pv, pa, e, r, s->inner.user);
    for (int i = 0; i < N; i++) r[i] = s->unit[i] * s->mass[i] * r[i];
    return verdict;
}

static int acceleration(double t, const double *q, const double *v, const double *f, const resida_excitation *e,
                        double *a, void *user)
{
    const rescaled *s = user;
    double p[N], pv[N], force[N];
    to_inner(s, q, p), to_inner(s, v, pv);
    for (int i = 0; i < N; i++) force[i] = f[i] / s->unit[i] / s->mass[i];
    int verdict = s->inner.acceleration(t, p, pv, force, e, a, s->inner.user);
    for (int i = 0; i < N; i++) a[i] /= s->unit[i];
    return verdict;
}

static int mass_matrix(double t, const double *q, const resida_excitation *e, double *M, void *user)
{
    const rescaled *s = user;
    for (int i = 0; i < N; i++) M[i] = s->unit[i] * s->mass[i] * s->unit[i];
    return 0;
}

static int constraint(double t, const double *q, const resida_excitation *e, double *g, void *user)
{
    const rescaled *s = user;
    double p[N];
    to_inner(s, q, p);
    int verdict = s->inner.constraint(t, p, e, g, s->inner.user);
    for (int i = 0; i < s->inner.n_g; i++) g[i] *= s->row[i];
    return verdict;
}

static int constraint_matrix(double t, const double *q, const resida_excitation *e, double *G, void *user)
{
    const rescaled *s = user;
    const resida_pattern *at = &s->inner.G_pattern;
    double p[N];
    to_inner(s, q, p);
    int verdict = s->inner.constraint_matrix(t, p, e, G, s->inner.user);
    for (int i = 0; i < s->inner.n_g; i++)
        for (int k = at->row[i]; k < at->row[i + 1]; k++) G[k] *= s->row[i] * s->unit[at->col[k]];
    return verdict;
}

/* What came of a start. */
typedef struct verdict {
    resida_status status;
    int n_redundant, redundant[MAX_L];
    double a[N]; /* in the units of the inner mechanism */
    char why[RESIDA_MESSAGE_SIZE];
} verdict;

static verdict start(rescaled *s, const turning *k, int formalism)
{
    resida_problem_options po = test_problem_options();
    resida_start_report report = {.rank = 0};
    resida_message why = {""};
    resida_mechanism m = s->inner;
    double p0[N], p[N], v[N], v0[N] = {0}, lam[MAX_L];
    verdict out = {.n_redundant = 0};
    m.user = s, m.mass_matrix = mass_matrix, m.velocity_bias = NULL;
    m.residual = residual, m.acceleration = acceleration;
    m.constraint = constraint, m.constraint_matrix = constraint_matrix;
    for (int i = 0; i < N; i++) p0[i] = k->p0[i] / s->unit[i];
    po.formalism = (resida_formalism)formalism;
    resida_problem *problem = test_problem(&m, &po);
    out.status = resida_problem_start(problem, 0, p0, v0, NULL, p, v, out.a, lam, &report, &why);
    strcpy(out.why, why.text);
    out.n_redundant = report.n_redundant;
    for (int i = 0; i < report.n_redundant; i++) out.redundant[i] = report.redundant[i];
    for (int i = 0; i < N; i++) out.a[i] *= s->unit[i];
    return out;
}

static void make(rescaled *s, turning *k, int plain, unsigned seed)
{
    turning_make(k, POINTS, seed);
    k->plain = plain;
    *s = (rescaled){.inner = turning_mechanism(k)};
    for (int i = 0; i < N; i++) s->unit[i] = s->mass[i] = 1;
    for (int i = 0; i < MAX_L; i++) s->row[i] = 1;
}

static const double sizes[] = {1e-16, 1e-11, 1e-6, 1e6, 1e11, 1e16};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void for_all_units(int plain, double singular_mass)
{
    for (unsigned seed = 1; seed <= 5; seed++)
        for (int formalism = 1; formalism <= (singular_mass < 1 ? 1 : 2); formalism++)
            for (int c = 0; c < (N + MAX_L) * SIZES; c++) {
                rescaled s;
                turning k;
                make(&s, &k, plain, seed);
                s.mass[N - 1] = singular_mass, s.mass[N - 2] = singular_mass;
                const verdict own = start(&s, &k, formalism);
                const int which = c / SIZES;
                *(which < N ? &s.unit[which] : &s.row[which - N]) = sizes[c % SIZES];
                const verdict v = start(&s, &k, formalism);
                if (v.status != own.status)
                    fail_msg("%s %d in units of %g, formalism %d, seed %u: %d instead of %d: %s",
                             which < N ? "coordinate" : "constraint", which < N ? which : which - N, sizes[c % SIZES],
                             formalism, seed, v.status, own.status, v.why);
                assert_int_equal(v.n_redundant, own.n_redundant);
                if (own.status == RESIDA_OK) bench_all_near(N, v.a, own.a, 1e-4 * (1 + bench_largest(N, own.a)));
            }
}

CLAIM(what_is_regular_starts_in_any_units)
{
    for_all_units(1, 1);
}

CLAIM(what_is_redundant_is_found_in_any_units)
{
    for_all_units(0, 1);
}

CLAIM(what_is_singular_is_singular_in_any_units)
{
    for_all_units(1, 0);
}

/* Any mass of the point in the middle, which both rods hold, and of the one at the end. */
CLAIM(a_light_body_is_neither_redundant_nor_singular)
{
    static const double masses[] = {1e-16, 1e-12, 1e-8, 1e8, 1e12, 1e16};
    for (int i = 0; i < 2 * 6; i++) {
        rescaled s;
        turning k;
        make(&s, &k, 1, 1);
        const int point = i / 6;
        s.mass[2 * point] = s.mass[2 * point + 1] = masses[i % 6];
        const verdict v = start(&s, &k, 1);
        if (v.status != RESIDA_OK) fail_msg("point %d of mass %g: %s", point, masses[i % 6], v.why);
    }
}
