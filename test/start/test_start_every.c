/* test_start_every.c - every mechanism of the fixtures in units of length, mass and time that differ by 1e18: starts
 * and impacts have the digits that they have in SI units, where all derivatives are given. */
#include "test/fixtures/claims.h"
#include "test/fixtures/units/every.h"
#include "test/fixtures/solver_fixture.h"

enum { MOST = IN_UNITS_MAX };

/** What came of a start and of an impact after it, in SI units. */
typedef struct outcome {
    resida_status status, struck;
    double p[MOST], v[MOST], a[MOST], lam[2 * MOST], after[MOST], push, lam_push[2 * MOST];
    char why[RESIDA_MESSAGE_SIZE];
} outcome;

/* A start of p that is off by 1e-3 of their sizes, of velocities that no constraint allows. */
static void guess(const every *x, double *p, double *v)
{
    const int n_w = x->m.n_v - x->m.n_z;
    for (int i = 0; i < x->m.n_p; i++) p[i] = x->p[i] + 1e-3 * sin(i + 1);
    for (int i = 0; i < x->m.n_v; i++) v[i] = x->v[i] + (i < n_w ? 0.3 * cos(2 * i) : 0);
}

/* A wall across the velocity: row [n_p] in SI units, along p' of T = 1. */
static void wall(const every *x, const double *v, double *row)
{
    for (int i = 0; i < x->m.n_p; i++) row[i] = i < x->m.n_v - x->m.n_z ? -v[i] : 0;
}

static void strike(resida_problem *problem, const in_units *s, const every *x, const double *row, const double *p,
                   const double *v, outcome *out)
{
    const resida_mechanism *m = &x->m;
    const double e = 0.5, length = s->of.length, push = s->of.mass * length / s->of.time;
    double in_row[MOST];
    resida_message why = {""};
    resida_contacts c;
    resida_start_options o = test_start_options();
    resida_contacts_init(&c);
    for (int i = 0; i < m->n_p; i++) in_row[i] = row[i] * s->p[i] / length;
    c.n = 1, c.rows = in_row, c.restitution = &e;
    o.redundant = RESIDA_REDUNDANT_DROP;
    out->struck = resida_problem_impact(problem, 0, p, v, &c, m->n_g + m->n_h > 0 ? &o : NULL, out->after, &out->push,
                                        out->lam_push, NULL, &why);
    if (out->struck < 0) strcpy(out->why, why.text);
    units_to_si(m->n_v, s->v, out->after, out->after);
    out->push *= push;
    units_to_si(m->n_g + m->n_h, s->lam, out->lam_push, out->lam_push);
    for (int i = 0; i < m->n_g + m->n_h; i++) out->lam_push[i] *= s->of.time;
}

static outcome start_in(const every *x, const every_way *way, units of, const double *row)
{
    const resida_mechanism *m = &x->m;
    const int n_l = m->n_g + m->n_h;
    outcome out = {.status = 0};
    in_units s;
    double p0[MOST], v0[MOST], p[MOST], v[MOST], a[MOST], lam[2 * MOST];
    resida_message why = {""};
    resida_start_options o = test_start_options();
    o.redundant = RESIDA_REDUNDANT_DROP;
    resida_problem *problem = every_problem(&s, x, way, of, 0);
    guess(x, p0, v0);
    units_from_si(m->n_p, s.p, p0, p0), units_from_si(m->n_v, s.v, v0, v0);
    out.status =
        resida_problem_start(problem, 0, p0, v0, n_l > 0 ? &o : NULL, p, v, a, n_l > 0 ? lam : NULL, NULL, &why);
    strcpy(out.why, why.text);
    if (out.status >= 0) {
        units_to_si(m->n_p, s.p, p, out.p), units_to_si(m->n_v, s.v, v, out.v), units_to_si(m->n_v, s.a, a, out.a);
        units_to_si(n_l, s.lam, lam, out.lam);
        double own[MOST];
        wall(x, out.v, own);
        strike(problem, &s, x, row ? row : own, p, v, &out);
    }
    return out;
}

static double start_apart(const every *x, const outcome *a, const outcome *b)
{
    const resida_mechanism *m = &x->m;
    double most = every_apart(m->n_p, a->p, b->p, x->powers.p);
    most = fmax(most, every_apart(m->n_v, a->v, b->v, x->powers.v));
    most = fmax(most, every_apart(m->n_v, a->a, b->a, x->powers.v));
    return fmax(most, every_apart(m->n_g, a->lam, b->lam, x->powers.g));
}

static double impact_apart(const every *x, const outcome *a, const outcome *b)
{
    const double push = fabs(a->push - b->push) / fabs(b->push);
    const double most = fmax(push, every_apart(x->m.n_v, a->after, b->after, x->powers.v));
    return fmax(most, every_apart(x->m.n_g, a->lam_push, b->lam_push, x->powers.g));
}

#define GIVEN       1e-11 /* M may be a difference of forces: the root of eps^2 over terms of F of 1e3 */
#define DIFFERENCED 1e-5  /* a bias beside a dg/dp that is differenced, too: the cube root of eps, as a part of v^2/L */

/* 1: no derivative of g is a difference, nor are forces per acceleration. */
static int is_given(const every *x, const every_way *way)
{
    return way->formalism == RESIDA_FORMALISM_RESIDUAL && !(way->hide & (UNITS_HIDE_G | UNITS_HIDE_BIASES)) &&
           (x->m.n_g == 0 || x->m.acceleration_bias);
}

CLAIM(starts_and_impacts_have_the_same_digits_in_any_units)
{
    const int all = every_is_all();
    int wrong = 0;
    for (int i = 0; i < every_count(); i++) {
        const every x = every_make(i);
        every_way ways[EVERY_WAYS];
        const int n = every_ways(&x, ways);
        double row[MOST];
        const outcome si = start_in(&x, &ways[0], (units){1, 1, 1}, NULL);
        if (si.status < 0 || si.struck < 0) fail_msg("%s: %s", x.name, si.why);
        wall(&x, si.v, row);
        for (int w = 0; w < n; w++) {
            double worst[2] = {0, 0};
            for (int u = 0; u < every_units_count(all); u++) {
                const units of = every_units(u, all);
                const outcome o = start_in(&x, &ways[w], of, row);
                const double started = o.status < 0 ? INFINITY : start_apart(&x, &o, &si),
                             struck = o.struck < 0 ? INFINITY : impact_apart(&x, &o, &si);
                const double most = is_given(&x, &ways[w]) ? GIVEN : DIFFERENCED;
                if (!(started <= most) || !(struck <= most)) {
                    print_message("%s, %s, %g m, %g kg, %g s: %.2g %.2g %s\n", x.name, ways[w].name, of.length, of.mass,
                                  of.time, started, struck, o.why);
                    wrong++;
                }
                worst[0] = fmax(worst[0], started), worst[1] = fmax(worst[1], struck);
            }
            print_message("%-20s %-24s %8.1e %8.1e\n", x.name, ways[w].name, worst[0], worst[1]);
        }
    }
    assert_int_equal(wrong, 0);
}
