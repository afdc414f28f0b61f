/* test_linearize_units.c - eigenvalues are numbers per second: whatever the units of lengths and masses, they are those
 * in SI units. A mechanism in other units has p = unit q for each length; angles and Euler parameters stay. The error
 * of an eigenvalue may be larger: a g of 1e12 square micrometres is rounded to 1e-4 of one. */
#include <math.h>
#include <string.h>

#include "hanging.h"
#include "linear_fixture.h"
#include "test/fixtures/linkage.h"

enum { MOST = 7 * HANGING_MAX, MAX_ROWS = 5 * HANGING_MAX };

/** In SI units, and the units: length[i] of p, of v and of the rows of g, 1 where it is none. */
typedef struct in_units {
    resida_mechanism inner;
    double p[MOST], v[MOST], g[MAX_ROWS], mass;
    double length; /**< metres in its unit of length */
} in_units;

static void times(int n, const double *unit, const double *x, double *out)
{
    for (int i = 0; i < n; i++) out[i] = unit[i] * x[i];
}

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    const in_units *s = user;
    double x[MOST], xd[MOST], xdd[MOST];
    times(s->inner.n_p, s->p, p, x), times(s->inner.n_v, s->v, v, xd), times(s->inner.n_v, s->v, a, xdd);
    const int verdict = s->inner.residual(t, x, xd, xdd, e, r, s->inner.user);
    for (int i = 0; i < s->inner.n_v; i++) r[i] *= s->v[i] / s->mass / s->length / s->length;
    return verdict;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    const in_units *s = user;
    double x[MOST];
    times(s->inner.n_p, s->p, p, x);
    const int verdict = s->inner.constraint(t, x, e, g, s->inner.user);
    for (int i = 0; i < s->inner.n_g; i++) g[i] /= s->g[i];
    return verdict;
}

static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    const in_units *s = user;
    double x[MOST];
    times(s->inner.n_p, s->p, p, x);
    const int n = s->inner.n_p, verdict = s->inner.constraint_matrix(t, x, e, G, s->inner.user);
    for (int i = 0; i < s->inner.n_g * n; i++) G[i] *= s->p[i % n] / s->g[i / n];
    return verdict;
}

static int kinematic_matrix(double t, const double *p, const resida_excitation *e, double *T, void *user)
{
    const in_units *s = user;
    double x[MOST];
    times(s->inner.n_p, s->p, p, x);
    const int n = s->inner.n_v, verdict = s->inner.kinematic_matrix(t, x, e, T, s->inner.user);
    for (int i = 0; i < s->inner.n_p * n; i++) T[i] *= s->v[i % n] / s->p[i / n];
    return verdict;
}

static int invariant(double t, const double *p, const resida_excitation *e, double *k, void *user)
{
    const in_units *s = user;
    double x[MOST];
    times(s->inner.n_p, s->p, p, x);
    return s->inner.invariant(t, x, e, k, s->inner.user);
}

/* s: inner and which components are lengths, as 1; they get the unit. p [n_p] of SI, on return in the units. */
static resida_mechanism take_units(in_units *s, double length, double mass, double *p)
{
    const resida_mechanism *in = &s->inner;
    resida_mechanism m;
    resida_mechanism_init(&m);
    m.n_p = in->n_p, m.n_v = in->n_v, m.n_g = in->n_g, m.n_k = in->n_k, m.user = s;
    m.residual = residual;
    if (in->constraint) m.constraint = constraint;
    if (in->constraint_matrix) m.constraint_matrix = constraint_matrix;
    if (in->kinematic_matrix) m.kinematic_matrix = kinematic_matrix;
    if (in->invariant) m.invariant = invariant;
    s->length = length, s->mass = mass;
    for (int i = 0; i < in->n_p; i++) s->p[i] = pow(length, s->p[i]), p[i] /= s->p[i];
    for (int i = 0; i < in->n_v; i++) s->v[i] = pow(length, s->v[i]);
    for (int i = 0; i < in->n_g; i++) s->g[i] = pow(length, s->g[i]);
    return m;
}

typedef enum { PLANE, HINGES, BALLS, FOUR_BAR, FOUR_BAR_BY_DIFFERENCES, MODELS } model;
static const char *const names[] = {"rods in a plane", "rods on hinges", "rods on balls", "four-bar",
                                    "four-bar by differences"};

/* The mechanism in SI units and the powers of the length in its components; p at rest or as it starts. */
static void make(model which, in_units *s, hanging *h, linkage *k, double *p)
{
    *s = (in_units){.mass = 1};
    if (which >= FOUR_BAR) {
        *k = (linkage){.n_g = 3};
        for (int i = 0; i < 3; i++) k->C[i][i] = 1, s->g[i] = 2;
        s->inner = linkage_mechanism(k);
        memcpy(p, linkage_start, sizeof linkage_start);
        for (int i = 0; i < LINKAGE_N; i++) s->p[i] = s->v[i] = 1;
        if (which == FOUR_BAR_BY_DIFFERENCES) s->inner.constraint_matrix = NULL;
        return;
    }
    static const hanging_kind kinds[] = {HANGING_PLANE, HANGING_HINGES, HANGING_BALLS};
    static const int rows[] = {2, 5, 3};
    *h = (hanging){.kind = kinds[which], .n = 3, .mass = {1, 0.3, 2}, .length = {0.7, 1.1, 0.4}, .spin = 0.7};
    if (which != BALLS) h->spin = 0;
    s->inner = hanging_mechanism(h, p);
    const int lengths = which == PLANE ? 2 : 3;
    for (int i = 0; i < s->inner.n_p; i++) s->p[i] = i % (s->inner.n_p / h->n) < lengths;
    for (int i = 0; i < s->inner.n_v; i++) s->v[i] = i % (s->inner.n_v / h->n) < lengths;
    for (int i = 0; i < s->inner.n_g; i++) s->g[i] = i % rows[which] < 3;
}

typedef struct spectrum {
    int n, n_zero;
    double re[2 * MOST], im[2 * MOST], error[2 * MOST];
} spectrum;

static spectrum find(model which, double length, double mass)
{
    static const double v0[MOST] = {0};
    spectrum out;
    in_units s;
    hanging h;
    linkage k;
    linear x;
    double p[MOST];
    make(which, &s, &h, &k, p);
    const resida_mechanism m = take_units(&s, length, mass, p);
    linear_open(&x, &m, RESIDA_FORMALISM_AUTO, 0, p, v0);
    out.n = x.modes.n, out.n_zero = x.modes.n_zero;
    memcpy(out.re, x.modes.re, (size_t)out.n * sizeof *out.re);
    memcpy(out.im, x.modes.im, (size_t)out.n * sizeof *out.im);
    memcpy(out.error, x.modes.error, (size_t)out.n * sizeof *out.error);
    linear_close(&x);
    return out;
}

/* How far the eigenvalues of SI are from those, as a part of each; beyond the error that is reported with it. */
static double apart(const spectrum *x, const spectrum *si)
{
    double most = 0;
    for (int i = 0; i < si->n; i++) {
        double off = INFINITY;
        for (int j = 0; j < x->n; j++)
            off = fmin(off, fmax(hypot(x->re[j] - si->re[i], x->im[j] - si->im[i]) - x->error[j], 0));
        most = fmax(most, off / hypot(si->re[i], si->im[i]));
    }
    return most;
}

static const double units[][2] = {{1e-6, 1}, {1e-3, 1e-3}, {1, 1e-6}, {1, 1e6}, {1e3, 1}, {1e3, 1e-3}, {1e6, 1e3}};
enum { UNITS = sizeof units / sizeof *units };

CLAIM(eigenvalues_are_those_in_SI_units_within_their_errors)
{
    int wrong = 0;
    for (int which = 0; which < MODELS; which++) {
        const spectrum si = find((model)which, 1, 1);
        for (int u = 0; u < UNITS; u++) {
            const spectrum x = find((model)which, units[u][0], units[u][1]);
            const double off = apart(&x, &si);
            const int is_same = x.n == si.n && x.n_zero == si.n_zero && off <= 1e-9;
            print_message("%-24s %5.0e m, %5.0e kg: %2d modes (%2d), %2d zeros (%2d), %.2g apart%s\n", names[which],
                          units[u][0], units[u][1], x.n, si.n, x.n_zero, si.n_zero, off, is_same ? "" : "  <--");
            wrong += !is_same;
        }
    }
    assert_int_equal(wrong, 0);
}
