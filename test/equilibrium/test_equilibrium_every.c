/* test_equilibrium_every.c - every mechanism of the fixtures that has an equilibrium, in units of length, mass and time
 * that differ by 1e18: what is found is the one in SI units where all derivatives are given; what is not found is
 * refused. From millimetres to megametres all are found, but for a turn in Euler parameters beside 1e3 units of length
 * and more. */
#include "test/fixtures/claims.h"
#include "test/fixtures/units/every.h"
#include "test/fixtures/solver_fixture.h"

#define TOLERANCE 1e-6

enum { MOST = IN_UNITS_MAX };

/** In SI units. */
typedef struct outcome {
    resida_status status;
    double p[MOST], v[MOST], lam[2 * MOST];
    resida_equilibrium_report report;
    char why[RESIDA_MESSAGE_SIZE];
} outcome;

static outcome rest_in(const every *x, const every_way *way, units of)
{
    const int n_l = x->m.n_g + x->m.n_h;
    outcome out = {.status = 0};
    in_units s;
    double p0[MOST], v0[MOST], p[MOST], v[MOST], lam[2 * MOST];
    resida_message why = {""};
    resida_equilibrium_options o;
    resida_equilibrium_options_init(&o);
    if (n_l > 0) o.redundant = RESIDA_REDUNDANT_DROP;
    resida_problem *problem = every_problem(&s, x, way, of, 0);
    units_from_si(x->m.n_p, s.p, x->p, p0), units_from_si(x->m.n_v, s.v, x->v, v0);
    out.status = resida_problem_equilibrium(problem, 0, p0, v0, &o, p, v, n_l > 0 ? lam : NULL, &out.report, &why);
    strcpy(out.why, why.text);
    if (out.status >= 0) {
        units_to_si(x->m.n_p, s.p, p, out.p), units_to_si(x->m.n_v, s.v, v, out.v);
        units_to_si(n_l, s.lam, lam, out.lam);
    }
    return out;
}

/* Multipliers are the same where no row is redundant, angles where no body turns freely. */
static double apart(const every *x, const outcome *a, const outcome *b)
{
    const resida_mechanism *m = &x->m;
    double lengths[MOST], other[MOST];
    for (int i = 0; i < m->n_p; i++) {
        const int counts = x->powers.p[i] || b->report.n_free == 0;
        lengths[i] = counts ? a->p[i] : 0, other[i] = counts ? b->p[i] : 0;
    }
    const double p = every_apart(m->n_p, lengths, other, x->powers.p), z = every_apart(m->n_v, a->v, b->v, x->powers.v);
    const int is_unique = b->report.redundant.text[0] == 0;
    return fmax(fmax(p, z), is_unique ? every_apart(m->n_g, a->lam, b->lam, x->powers.g) : 0);
}

/* 1: a stability that is judged is the one in SI units. Beyond 1e6 what a body may do freely is lost in rounding. */
static int is_same_stability(const outcome *a, const outcome *si, units of)
{
    const resida_stability x = a->report.stability, y = si->report.stability;
    return x == y || x == RESIDA_STABILITY_UNKNOWN || y == RESIDA_STABILITY_UNKNOWN || of.length < 1e-7 ||
           of.length > 1e7;
}

/* Compare all units; *refused: in how many it was not found. @return how many are wrong */
static int compare(const every *x, const every_way *way, const outcome *si, double *worst, int *refused)
{
    const int all = every_is_all();
    int wrong = 0;
    *worst = 0, *refused = 0;
    for (int u = 0; u < every_units_count(all); u++) {
        const units of = every_units(u, all);
        if (x->m.n_g == 0 && of.length > 1e7) continue; /* of positions without constraints 1 is the least size */
        const outcome o = rest_in(x, way, of);
        const double off = o.status < 0 || x->no_rest ? 0 : apart(x, &o, si);
        const int is_right = x->no_rest ? o.status < 0 : off <= TOLERANCE && is_same_stability(&o, si, of);
        if (!is_right)
            print_message("%s, %s, %g m, %g kg, %g s: %.2g apart %s; %s, in SI %s\n", x->name, way->name, of.length,
                          of.mass, of.time, off, o.why, o.report.judged.text, si->report.judged.text);
        *refused += o.status < 0, *worst = fmax(*worst, off);
        wrong += !is_right;
    }
    return wrong;
}

CLAIM(equilibria_are_those_in_SI_units)
{
    int wrong = 0;
    for (int i = 0; i < every_count(); i++) {
        const every x = every_make(i);
        every_way ways[EVERY_WAYS];
        const int n = every_ways(&x, ways);
        const outcome si = rest_in(&x, &ways[0], (units){1, 1, 1});
        if (si.status < 0 && !x.no_rest) fail_msg("%s: %s", x.name, si.why);
        for (int w = 0; w < n; w++) {
            double worst;
            int refused;
            wrong += compare(&x, &ways[w], &si, &worst, &refused);
            print_message("%-20s %-24s %8.1e, refused in %d units %s\n", x.name, ways[w].name, worst, refused,
                          x.no_rest ? x.no_rest : "");
        }
    }
    assert_int_equal(wrong, 0);
}
