/* test_linearize_scales.c - the frequency of a pendulum far from the origin, and of one that has turned many times: it
 * is 1 in units of sqrt(g/L), with dg/dp and without. Increments that are parts of an angle of all turns are of other
 * places. Units of length: test_linearize_every.c. */
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/mechanisms/scaled.h"
#include "linear_fixture.h"
#include "test/fixtures/solver_fixture.h"

#define TURN   6.283185307179586476925
#define GIVEN  1e-6 /* of the frequency: second derivatives of g by differences, angles rounded to eps of all turns */
#define BY_ALL 2e-6 /* with dg/dp by differences, too */

/* Hanging at rest, where lam is the weight. */
static void hangs(scaled s)
{
    double p[SCALED_MAX], v[SCALED_MAX];
    const resida_mechanism m = scaled_mechanism(&s, p, v);
    const double x = s.kind == SCALED_ROD ? s.away * s.length : 0, zero[SCALED_MAX] = {0};
    const double rest[] = {x, -s.length, TURN * s.turns};
    const double of_body[] = {0, -2 * s.length}, of_rod[] = {s.length};
    const double *lam = s.kind == SCALED_ROD ? of_rod : of_body;
    resida_message why = {""};
    resida_linearization *l;
    resida_modes modes;
    resida_problem *problem = test_problem(&m, NULL);
    if (resida_linearize_mechanism(&l, problem, 0, rest, zero, zero, lam, &why) < 0) fail_msg("%s", why.text);
    if (resida_linearization_modes(l, 0, 0, &modes, &why) < 0) fail_msg("%s", why.text);
    print_message("L %g, %g turns, %g L away, dg/dp %s: %.9g %+.9gi\n", s.length, s.turns, s.away,
                  s.given ? "given" : "differenced", modes.re[0], modes.im[0]);
    assert_int_equal(modes.n, 1);
    bench_near(modes.im[0], 1, s.given ? GIVEN : BY_ALL);
    bench_near(modes.re[0], 0, s.given ? GIVEN : BY_ALL);
    resida_linearization_free(l);
}

/* Increments that are parts of x are longer than the rod, and so are the distances over which the pattern is found. */
CLAIM(a_rod_has_its_frequency_far_from_the_origin)
{
    static const double away[] = {1e2, 1e4, 3e5, 1e6, 1e7};
    for (int n = 0; n < 30; n++)
        hangs((scaled){.kind = SCALED_ROD,
                       .length = pow(10, 3 * (n / 10 - 1)),
                       .rate = 1,
                       .away = away[n / 2 % 5],
                       .given = n % 2});
}

CLAIM(a_pendulum_has_its_frequency_after_many_turns)
{
    static const double turns[] = {1, 10, 1e3, 1e5, 1e6};
    for (int k = 0; k < 5; k++)
        for (int given = 0; given < 2; given++)
            hangs((scaled){.kind = SCALED_BODY, .length = 1, .rate = 1, .turns = turns[k], .given = given});
}

enum { PAIRS = 30 };

/* x'' + w sin(x/w) + c y max(1 - (y/w)^2, 0) = 0, and the same of y, for each pair: the second force is seen within w
 * alone, by no NaN and no large increment; the first one is a spring of 1 there. om^2 = 1 -+ c. */
static int narrow_forces(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                         double *r, void *user)
{
    const double w = 1e-8, *c = user;
    for (int i = 0; i < 2 * PAIRS; i++) {
        const double other = p[i ^ 1];
        r[i] = a[i] + w * sin(p[i] / w) + (fabs(other) < w ? *c * other * (1 - other / w * (other / w)) : 0);
    }
    return 0;
}

CLAIM(an_entry_that_only_small_increments_show_is_found)
{
    static const double c = 0.19, zero[2 * PAIRS] = {0};
    resida_mechanism m = test_mechanism();
    linear x;
    m.n_p = m.n_v = 2 * PAIRS, m.residual = narrow_forces, m.user = (void *)&c;
    linear_open(&x, &m, RESIDA_FORMALISM_AUTO, 0, zero, zero);
    assert_int_equal(x.modes.n, 2 * PAIRS);
    linear_find(&x, 0, sqrt(1 - c), BY_ALL);
    linear_find(&x, 0, sqrt(1 + c), BY_ALL);
}

/* A mass that hangs on a spring and a damper, 6 rad/s and 2e-2 or 2e-7 of critical damping: its weight covers the
 * change of the damper's force in an increment of a velocity of 0. */
typedef struct hanging_mass {
    double mass, unit, damping; /* kg; lengths in 1 m; 1/s */
} hanging_mass;

static int hanging_force(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                         double *r, void *user)
{
    const hanging_mass *s = user;
    r[0] = s->mass * (a[0] + 9.81 * s->unit + s->damping * v[0] + 36 * p[0]);
    return 0;
}

CLAIM(damping_under_weight_is_found_in_any_units_of_length_and_mass)
{
    for (int i = 0; i < 98; i++) {
        hanging_mass s = {pow(10, 3 * (i / 7 % 7 - 3)), pow(10, 3 * (i % 7 - 3)), i < 49 ? 0.24 : 2.4e-6};
        const double growth = -s.damping / 2, rest = -9.81 * s.unit / 36, zero = 0;
        resida_mechanism m = test_mechanism();
        resida_linearization *l;
        resida_modes modes;
        resida_message why = {""};
        m.n_p = m.n_v = 1, m.residual = hanging_force, m.user = &s;
        resida_problem *problem = test_problem(&m, NULL);
        if (resida_linearize_mechanism(&l, problem, 0, &rest, &zero, &zero, NULL, &why) < 0) fail_msg("%s", why.text);
        if (resida_linearization_modes(l, 0, 0, &modes, &why) < 0) fail_msg("%s", why.text);
        if (modes.n != 1) fail_msg("mass %g, %g lengths in 1 m: %d modes", s.mass, s.unit, modes.n);
        bench_near(modes.re[0], growth, -1e-5 * growth);
        bench_near(modes.im[0], sqrt(36 - growth * growth), 1e-6);
        resida_linearization_free(l);
    }
}
