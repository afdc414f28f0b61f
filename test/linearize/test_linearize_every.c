/* test_linearize_every.c - every mechanism of the fixtures in units of length, mass and time that differ by 1e18: its
 * eigenvalues, in independent coordinates about a start, are those in SI units where all derivatives are given, within
 * the errors that are reported with them. */
#include <math.h>
#include <string.h>

#include "test/fixtures/claims.h"
#include "test/fixtures/mechanisms/every.h"
#include "test/fixtures/solver_fixture.h"

enum { MOST = IN_UNITS_MOST, MOST_MODES = 2 * IN_UNITS_MOST };

/** Eigenvalues per second. */
typedef struct spectrum {
    resida_status status;
    int n, n_zero, n_lost;
    double re[MOST_MODES], im[MOST_MODES], error[MOST_MODES];
    char why[RESIDA_MESSAGE_SIZE];
} spectrum;

static void take_modes(spectrum *out, const resida_modes *m, double time)
{
    out->n = m->n, out->n_zero = m->n_zero, out->n_lost = m->n_lost;
    for (int k = 0; k < m->n; k++) {
        out->re[k] = m->re[k] / time, out->im[k] = m->im[k] / time;
        out->error[k] = m->error[k] / time;
    }
}

static spectrum find(const every *x, const every_way *way, units of)
{
    const int n_l = x->m.n_g + x->m.n_h;
    spectrum out = {.n = 0};
    in_units s;
    double p[MOST], v[MOST], a[MOST], lam[2 * MOST], p0[MOST], v0[MOST];
    resida_message why = {""};
    resida_linearization *l = NULL;
    resida_modes modes;
    resida_start_options o = test_start_options();
    o.redundant = RESIDA_REDUNDANT_DROP;
    resida_problem *problem = every_problem(&s, x, way, of, 0);
    units_from_si(x->m.n_p, s.p, x->p, p0), units_from_si(x->m.n_v, s.v, x->v, v0);
    out.status = resida_problem_start(problem, 0, p0, v0, n_l > 0 ? &o : NULL, p, v, a, n_l > 0 ? lam : NULL, NULL,
                                      &why);
    if (out.status >= 0)
        out.status = resida_linearize_mechanism(&l, problem, 0, p, v, a, n_l > 0 ? lam : NULL, &why);
    if (out.status >= 0) out.status = resida_linearization_modes(l, 0, 0, &modes, &why);
    if (out.status >= 0) take_modes(&out, &modes, of.time);
    strcpy(out.why, why.text);
    resida_linearization_free(l);
    resida_problem_free(problem);
    return out;
}

/* How far an eigenvalue of one is from the others, as a part of it, beyond its error. */
static double apart(const spectrum *x, const spectrum *si, double *error)
{
    double most = 0;
    for (int i = 0; i < si->n; i++) {
        double off = INFINITY;
        for (int j = 0; j < x->n; j++)
            off = fmin(off, fmax(hypot(x->re[j] - si->re[i], x->im[j] - si->im[i]) - x->error[j], 0));
        most = fmax(most, off / hypot(si->re[i], si->im[i]));
    }
    for (int j = 0; j < x->n; j++) *error = fmax(*error, x->error[j] / hypot(x->re[j], x->im[j]));
    return most;
}

CLAIM(eigenvalues_are_those_in_SI_units)
{
    const int all = every_is_all();
    int wrong = 0;
    for (int i = 0; i < every_count(); i++) {
        const every x = every_make(i);
        every_way ways[EVERY_WAYS];
        const int n = every_ways(&x, ways);
        const spectrum si = find(&x, &ways[0], (units){1, 1, 1});
        if (si.status < 0) fail_msg("%s: %s", x.name, si.why);
        for (int w = 0; w < n; w++) {
            double worst = 0, error = 0;
            for (int u = 0; u < every_units_count(all); u++) {
                const units of = every_units(u, all);
                const spectrum o = find(&x, &ways[w], of);
                double told = 0;
                const double off = o.status < 0 ? INFINITY : apart(&o, &si, &told);
                const int is_same = o.n == si.n && o.n_zero == si.n_zero && off <= 1e-7;
                if (!is_same) {
                    print_message("%s, %s, %g m, %g kg, %g s: %d (%d) modes, %d (%d) zeros, %.2g %s, error %.2g\n",
                                  x.name, ways[w].name, of.length, of.mass, of.time, o.n, si.n, o.n_zero, si.n_zero,
                                  off, o.why, told);
                    wrong++;
                }
                worst = fmax(worst, off), error = fmax(error, told);
            }
            print_message("%-20s %-24s %8.1e (told %.1e) %d modes\n", x.name, ways[w].name, worst, error, si.n);
        }
    }
    assert_int_equal(wrong, 0);
}
