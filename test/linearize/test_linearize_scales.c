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

/* A mass on a spring of any direction with its end at the origin, with a damper that is as strong in all directions:
 * r = m a + c v + k (|p| - 1) p/|p|. The rounding of the spring force covers the change of c v, and of m a, in an
 * increment of the size of 1. Along the spring lam^2 + c lam + k = 0, across it lam = -c and 0, for m = 1. */
typedef struct stiff_spring {
    double k, c;
} stiff_spring;

static int spring_force(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                        double *r, void *user)
{
    const stiff_spring *s = user;
    const double length = hypot(p[0], p[1]);
    for (int i = 0; i < 2; i++) r[i] = a[i] + s->c * v[i] + s->k * (length - 1) * p[i] / length;
    return 0;
}

static int unit_mass(double t, const double *p, const resida_excitation *e, double *M, void *user)
{
    M[0] = M[3] = 1;
    M[1] = M[2] = 0;
    return 0;
}

CLAIM(damping_and_mass_next_to_a_stiff_spring_are_found)
{
    static const stiff_spring springs[] = {{1e6, 1}, {1e8, 1}, {1e11, 1000}, {1e13, 1e4}};
    const double p0[] = {cos(0.7), sin(0.7)}, v0[] = {0, 0};
    for (int i = 0; i < 8; i++) {
        stiff_spring s = springs[i / 2];
        resida_mechanism m = test_mechanism();
        linear x;
        m.n_p = m.n_v = 2, m.residual = spring_force, m.user = &s;
        if (i % 2) m.mass_matrix = unit_mass;
        linear_open(&x, &m, RESIDA_FORMALISM_AUTO, 0, p0, v0);
        linear_find(&x, -s.c, 0, 1e-3);
        const int along = linear_find(&x, -s.c / 2, sqrt(s.k - s.c * s.c / 4), 1e-8);
        bench_near(x.modes.re[along], -s.c / 2, 1e-6 * s.c);
    }
}

/* A bead on a hoop that turns with 8 rad/s: at rest at the bottom, in a plane that turns. */
static int bead_force(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                      double *r, void *user)
{
    for (int i = 0; i < 3; i++) r[i] = a[i] + (i == 2 ? 9.81 : 0);
    return 0;
}

static int hoop(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    g[0] = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] - 1;
    g[1] = cos(e->u[0]) * p[1] - sin(e->u[0]) * p[0];
    return 0;
}

static int angle_of_hoop(double t, double *u, double *ud, double *udd, void *user)
{
    *u = 8 * t, *ud = 8, *udd = 0;
    return 0;
}

CLAIM(changing_excitations_of_a_model_at_rest_are_reported)
{
    const double p0[] = {0, 0, -1}, v0[] = {0, 0, 0};
    resida_mechanism m = test_mechanism();
    linear x;
    m.n_p = m.n_v = 3, m.n_g = 2, m.n_u = 1;
    m.residual = bead_force, m.constraint = hoop, m.excitation = angle_of_hoop;
    linear_open(&x, &m, RESIDA_FORMALISM_AUTO, 0, p0, v0);
    assert_true(x.model.speed == 0 && x.model.input_rate == 8);
}

/* --- pendulums on one circle of radius L, with the constraint in three forms, in units of length 1 m/L --- */

typedef struct circle {
    double L, k, c; /* radius; stiffness of a horizontal spring; damping */
    int form;       /* 0: (p'p - L^2)/L^2; 1: p'p - L^2; 2: |p| - L */
    int moves;      /* 1: its centre is at (u, 0) */
} circle;

static int circle_force(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                        double *r, void *user)
{
    const circle *s = user;
    r[0] = a[0] + s->k * p[0] + s->c * v[0];
    r[1] = a[1] + 9.81 * s->L;
    return 0;
}

static int on_circle(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    const circle *s = user;
    const double x = p[0] - (s->moves ? e->u[0] : 0), square = x * x + p[1] * p[1] - s->L * s->L;
    g[0] = s->form == 0 ? square / s->L / s->L : s->form == 1 ? square : hypot(x, p[1]) - s->L;
    return 0;
}

static int pivot_at_rest(double t, double *u, double *ud, double *udd, void *user)
{
    *u = *ud = *udd = 0;
    return 0;
}

static const double radii[] = {1e-6, 1e-3, 1, 1e3, 1e6, 1e9};
enum { RADII = sizeof radii / sizeof *radii, FORMS = 3 };

/* Inverted, lam^2 + c lam + k - g/L = 0 with g/L = 9.81: beside the critical k the large terms leave a small sum. The
 * printed error covers the error of each eigenvalue. */
CLAIM(an_inverted_pendulum_near_its_critical_spring_grows_or_not)
{
    static const double excess[] = {-0.005, -1e-4, 1e-4, 0.005, 3};
    for (int n = 0; n < RADII * FORMS * 5; n++) {
        circle s = {radii[n % RADII], 9.81 + excess[n / RADII / FORMS], 0.1, n / RADII % FORMS, 0};
        const double p0[] = {0, s.L}, v0[] = {0, 0}, stiffness = s.k - 9.81;
        resida_mechanism m = test_mechanism();
        linear x;
        m.n_p = m.n_v = 2, m.n_g = 1, m.residual = circle_force, m.constraint = on_circle, m.user = &s;
        linear_open(&x, &m, RESIDA_FORMALISM_AUTO, 0, p0, v0);
        for (int i = 0; i < x.modes.n; i++) {
            const double re = x.modes.re[i], im = x.modes.im[i], root = sqrt(fabs(s.c * s.c / 4 - stiffness));
            const int is_real = s.c * s.c / 4 > stiffness;
            const double off = is_real ? fmin(fabs(re + s.c / 2 - root), fabs(re + s.c / 2 + root)) + fabs(im)
                                       : hypot(re + s.c / 2, im - root);
            if (!(off <= x.modes.error[i] && x.modes.error[i] < 1e-6))
                fail_msg("L %g, form %d, k %.9g: %.9g %+.9gi, off by %.2e, error %.2e", s.L, s.form, s.k, re, im, off,
                         x.modes.error[i]);
        }
        assert_int_equal(x.modes.n, stiffness > s.c * s.c / 4 ? 1 : 2);
    }
}

/* Hanging from a pivot that moves by u = 0: the response of x is g/L/(s^2 + c s + g/L). */
CLAIM(a_pendulum_follows_its_pivot_in_any_unit_of_length)
{
    static const double frequency[] = {0.2, 0.45, 0.9};
    for (int n = 0; n < RADII * FORMS; n++) {
        circle c = {radii[n % RADII], 0, 0.3, n / RADII, 1};
        const double p0[] = {0, -c.L}, v0[] = {0, 0};
        double re[12], im[12];
        resida_mechanism m = test_mechanism();
        resida_message why = {""};
        linear x;
        m.n_p = m.n_v = 2, m.n_g = m.n_u = 1, m.user = &c;
        m.residual = circle_force, m.constraint = on_circle, m.excitation = pivot_at_rest;
        linear_open(&x, &m, RESIDA_FORMALISM_AUTO, 0, p0, v0);
        assert_int_equal(resida_linearization_response(x.l, 0, 3, frequency, re, im, &why), RESIDA_OK);
        for (int i = 0; i < 3; i++) {
            const double om = TURN * frequency[i], a = 9.81 - om * om, b = 0.3 * om, size = 9.81 / (a * a + b * b);
            const double off = hypot(re[4 * i] - a * size, im[4 * i] + b * size) / hypot(a * size, b * size);
            if (!(off <= BY_ALL)) fail_msg("L %g, form %d, %g Hz: off by %.2e", c.L, c.form, frequency[i], off);
        }
    }
}
