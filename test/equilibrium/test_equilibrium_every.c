/* test_equilibrium_every.c - every mechanism of the fixtures that has an equilibrium, in units of length, mass and time
 * that differ by 1e18: it is the one in SI units where all derivatives are given. */
#include <math.h>
#include <string.h>

#include "test/fixtures/claims.h"
#include "test/fixtures/mechanisms/every.h"
#include "test/fixtures/solver_fixture.h"

enum { MOST = IN_UNITS_MOST };

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
    out.status =
        resida_problem_equilibrium(problem, 0, p0, v0, &o, p, v, n_l > 0 ? lam : NULL, &out.report, &why);
    strcpy(out.why, why.text);
    if (out.status >= 0) {
        units_to_si(x->m.n_p, s.p, p, out.p), units_to_si(x->m.n_v, s.v, v, out.v);
        units_to_si(n_l, s.lam, lam, out.lam);
    }
    resida_problem_free(problem);
    return out;
}

static double apart(const every *x, const outcome *a, const outcome *b)
{
    const double p = every_apart(x->m.n_p, a->p, b->p, x->powers.p), v = every_apart(x->m.n_v, a->v, b->v, x->powers.v);
    return fmax(fmax(p, v), every_apart(x->m.n_g, a->lam, b->lam, x->powers.g));
}

CLAIM(equilibria_are_those_in_SI_units)
{
    const int all = every_is_all();
    int wrong = 0;
    for (int i = 0; i < every_count(); i++) {
        const every x = every_make(i);
        every_way ways[EVERY_WAYS];
        const int n = every_ways(&x, ways);
        const outcome si = rest_in(&x, &ways[0], (units){1, 1, 1});
        if (si.status < 0 && !x.no_rest) fail_msg("%s: %s", x.name, si.why);
        for (int w = 0; w < n; w++) {
            double worst = 0;
            int iterations = 0;
            for (int u = 0; u < every_units_count(all); u++) {
                const units of = every_units(u, all);
                const outcome o = rest_in(&x, &ways[w], of);
                const double off = o.status < 0 ? INFINITY : apart(&x, &o, &si);
                const int is_same =
                    x.no_rest ? o.status < 0 : off <= 1e-7 && o.report.stability == si.report.stability;
                if (!is_same) {
                    print_message("%s, %s, %g m, %g kg, %g s: %.2g, %s; %d iterations (%d) %s (%s)\n", x.name, ways[w].name, of.length,
                                  of.mass, of.time, off, o.why, o.report.iterations, si.report.iterations, o.report.judged.text, si.report.judged.text);
                    wrong++;
                }
                worst = fmax(worst, off);
                if (o.report.iterations > iterations) iterations = o.report.iterations;
            }
            if (x.no_rest)
                print_message("%-20s %-24s no rest: %s\n", x.name, ways[w].name, x.no_rest);
            else
                print_message("%-20s %-24s %8.1e %d iterations (%d)\n", x.name, ways[w].name, worst, iterations, si.report.iterations);
        }
    }
    assert_int_equal(wrong, 0);
}
