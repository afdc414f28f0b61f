/* test_linearize_every.c - every mechanism of the fixtures in units of length, mass and time that differ by 1e18: its
 * eigenvalues, in independent coordinates about its equilibrium, are those in SI units where all derivatives are given,
 * within the errors that are reported with them. About a motion they depend on the coordinates, and so on the units:
 * what has no equilibrium is left out. */
#include "test/fixtures/claims.h"
#include "test/fixtures/units/every.h"
#include "test/fixtures/solver_fixture.h"

#define LEAST     2e-2 /* per second: slower ones are what stiffness by differences leaves of a free turn */
#define TOLERANCE 1e-6 /* of an eigenvalue, beyond its error */

enum { MOST = IN_UNITS_MAX, MAX_MODES = 2 * IN_UNITS_MAX };

/** Eigenvalues per second. */
typedef struct spectrum {
    resida_status status;
    int n;          /* that are not zero */
    int n_doubtful; /* that are reported as not found, or with an error as large as they are */
    double re[MAX_MODES], im[MAX_MODES], error[MAX_MODES];
    char why[RESIDA_MESSAGE_SIZE];
} spectrum;

/* Those that are told from zero. */
static void take_modes(spectrum *out, const resida_modes *m, double time)
{
    out->n_doubtful = m->n_lost + m->n_infinite;
    for (int k = 0; k < m->n; k++) {
        const double size = hypot(m->re[k], m->im[k]) / time, error = m->error[k] / time;
        out->n_doubtful += size <= 2 * error;
        if (size <= fmax(2 * error, LEAST)) continue;
        out->re[out->n] = m->re[k] / time, out->im[out->n] = m->im[k] / time;
        out->error[out->n++] = error;
    }
}

/* The equilibrium, from the start of x, into it. */
static void rest(every *x)
{
    static const every_way given = {"all given", 0, RESIDA_FORMALISM_RESIDUAL};
    in_units s;
    double p[MOST], v[MOST], lam[2 * MOST];
    resida_message why = {""};
    resida_equilibrium_options o;
    resida_equilibrium_options_init(&o);
    const int n_l = x->m.n_g + x->m.n_h;
    if (n_l > 0) o.redundant = RESIDA_REDUNDANT_DROP;
    resida_problem *problem = every_problem(&s, x, &given, (units){1, 1, 1}, 0);
    if (resida_problem_equilibrium(problem, 0, x->p, x->v, &o, p, v, n_l > 0 ? lam : NULL, NULL, &why) < 0)
        fail_msg("%s: %s", x->name, why.text);
    memcpy(x->p, p, sizeof p), memcpy(x->v, v, sizeof v);
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
    out.status =
        resida_problem_start(problem, 0, p0, v0, n_l > 0 ? &o : NULL, p, v, a, n_l > 0 ? lam : NULL, NULL, &why);
    if (out.status >= 0) out.status = resida_linearize_mechanism(&l, problem, 0, p, v, a, n_l > 0 ? lam : NULL, &why);
    if (out.status >= 0) out.status = resida_linearization_modes(l, 0, 0, &modes, &why);
    if (out.status >= 0) take_modes(&out, &modes, of.time);
    strcpy(out.why, why.text);
    resida_linearization_free(l);
    return out;
}

/* How far eigenvalues of x are from all of y, as a part of them, beyond their errors. */
static double apart(const spectrum *x, const spectrum *y)
{
    double most = 0;
    for (int i = 0; i < x->n; i++) {
        double off = INFINITY;
        for (int j = 0; j < y->n; j++)
            off = fmin(off, fmax(hypot(x->re[i] - y->re[j], x->im[i] - y->im[j]) - x->error[i] - y->error[j], 0));
        most = fmax(most, off / hypot(x->re[i], x->im[i]));
    }
    return most;
}

/* What is found is right, and what is not found is reported. */
static double difference(const spectrum *x, const spectrum *si)
{
    if (x->status < 0) return 0; /* refused by name */
    return fmax(apart(x, si), x->n_doubtful > 0 ? 0 : apart(si, x));
}

CLAIM(eigenvalues_are_those_in_SI_units)
{
    const int all = every_is_all();
    int wrong = 0;
    for (int i = 0; i < every_count(); i++) {
        every x = every_make(i);
        if (x.no_rest || x.moves) continue;
        rest(&x);
        every_way ways[EVERY_WAYS];
        const int n = every_ways(&x, ways);
        const spectrum si = find(&x, &ways[0], (units){1, 1, 1});
        if (si.status < 0) fail_msg("%s: %s", x.name, si.why);
        for (int w = 0; w < n; w++) {
            double worst = 0;
            int doubtful = 0;
            if ((ways[w].hide & UNITS_HIDE_G) && ways[w].formalism == RESIDA_FORMALISM_EXPLICIT) continue; /* header */
            for (int u = 0; u < every_units_count(all); u++) {
                const units of = every_units(u, all);
                const int is_extreme = of.length < 1e-7 || of.length > 1e7;
                if (is_extreme && x.m.n_k > 0 && (ways[w].hide & UNITS_HIDE_G)) continue; /* free turns are lost */
                const spectrum o = find(&x, &ways[w], of);
                const double off = difference(&o, &si);
                if (!(off <= TOLERANCE)) {
                    print_message("%s, %s, %g m, %g kg, %g s: %d of %d modes, %.2g apart %s\n", x.name, ways[w].name,
                                  of.length, of.mass, of.time, o.n, si.n, off, o.why);
                    wrong++;
                }
                worst = fmax(worst, off);
                if (o.n < si.n || o.status < 0) doubtful++;
            }
            print_message("%-20s %-24s %8.1e (%d modes; reported as not found in %d units)\n", x.name, ways[w].name,
                          worst, si.n, doubtful);
        }
    }
    assert_int_equal(wrong, 0);
}
