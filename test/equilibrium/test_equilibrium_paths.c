/* test_equilibrium_paths.c - equilibria that are far from the start: large rotations, loads beyond a limit. */
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/mechanisms/scaled.h"
#include "test/fixtures/mechanisms/statics.h"
#include "test/fixtures/solver_fixture.h"

#define TURN (8 * atan(1))

enum { MAX_P = 7 * HANGING_MAX };

typedef struct path {
    double p0[MAX_P], v0[MAX_P], p[MAX_P], v[MAX_P], lam[MAX_P];
    resida_equilibrium_report report;
    resida_message why;
} path;

static resida_status follow(path *f, const resida_mechanism *m, const resida_equilibrium_options *o)
{
    resida_problem *problem = test_problem(m, NULL);
    const resida_status status =
        resida_problem_equilibrium(problem, 0, f->p0, f->v0, o, f->p, f->v, f->lam, &f->report, &f->why);
    return status;
}

/* --- Euler parameters whose norms are invariants --- */

/* Each axis is vertical, each joint carries what hangs below it, and each body may turn about its axis. */
static void hangs(const hanging *h)
{
    path f;
    const resida_mechanism m = hanging_mechanism(h);
    hanging_start(h, f.p0, f.v0);
    if (follow(&f, &m, NULL) != RESIDA_OK) fail_msg("%d bodies, lean %g: %s", h->n, h->lean, f.why.text);
    for (int i = 0; i < h->n; i++) {
        double axis[3];
        hanging_axis(f.p, i, axis);
        bench_near(fabs(axis[2]), 1, 1e-12); /* an angle of 1e-6 */
        bench_near(f.lam[3 * i], 0, 1e-7);
        bench_near(f.lam[3 * i + 1], 0, 1e-7);
        bench_near(fabs(f.lam[3 * i + 2]), (h->n - i) * hanging_mass * hanging_gravity, 1e-7);
        bench_near(resida_quaternion_norm(f.p + 7 * i + 3), 0, 1e-14);
    }
    if (!h->by_differences) assert_int_equal(f.report.n_free, h->n); /* differences of differences are worth 1e-5 */
}

CLAIM(bodies_in_euler_parameters_hang_from_any_lean)
{
    static const double leans[] = {0.01, 0.1, 0.3, 0.7, 1, 1.3, 1.5, 1.7, 2};
    static const int bodies[] = {1, 2, 3, 5, HANGING_MAX};
    for (int k = 0; k < 45; k++) hangs(&(hanging){.n = bodies[k / 9], .lean = leans[k % 9]});
    for (int k = 0; k < 9; k++) hangs(&(hanging){.n = 2, .by_differences = 1, .lean = leans[k]});
}

/* --- a rod in Euler parameters on a ball joint at its upper end, dg/dp not given --- */

typedef struct rod {
    double length, lean;
} rod;

static int rod_residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                        double *r, void *user)
{
    const rod *s = user;
    const double J = s->length * s->length / 12, I[3] = {J, 1.1 * J, 0.2 * J};
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        r[k] = a[k] + (k == 2 ? hanging_gravity : 0);
        r[3 + k] = I[k] * a[3 + k] + (I[j] - I[i]) * v[3 + i] * v[3 + j];
    }
    return 0;
}

static int rod_joint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    const double up[3] = {0, 0, ((const rod *)user)->length / 2};
    resida_quaternion_rotate(p + 3, up, g);
    for (int k = 0; k < 3; k++) g[k] += p[k];
    return 0;
}

static int rod_norm(double t, const double *p, const resida_excitation *e, double *k, void *user)
{
    *k = resida_quaternion_norm(p + 3);
    return 0;
}

static int rod_kinematics(double t, const double *p, const resida_excitation *e, double *T, void *user)
{
    double rates[12];
    memset(T, 0, 42 * sizeof *T);
    resida_quaternion_rates(p + 3, rates);
    for (int k = 0; k < 3; k++) T[6 * k + k] = 1;
    for (int k = 0; k < 12; k++) T[6 * (3 + k / 3) + 3 + k % 3] = rates[k];
    return 0;
}

/* The turn about the vertical is a double zero eigenvalue. Differences leave a stiffness of either sign in its place,
 * and so a growth of the root of their errors. */
CLAIM(errors_of_differences_in_a_free_rotation_do_not_grow)
{
    static const double lengths[] = {1e-6, 1e-3, 1, 1e3}, about[3] = {1, 0.3, 0};
    static const double leans[] = {0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9, 1.1, 1.3};
    for (int k = 0; k < 56; k++) {
        path f = {.why = {""}};
        rod s = {.length = lengths[k / 14], .lean = leans[k % 14]};
        resida_mechanism m = test_mechanism();
        m.user = &s, m.n_p = 7, m.n_v = 6, m.n_g = 3, m.n_k = 1, m.residual = rod_residual;
        m.constraint = rod_joint, m.invariant = rod_norm, m.kinematic_matrix = rod_kinematics;
        resida_quaternion_turn(about, s.lean, f.p0 + 3);
        rod_joint(0, f.p0, NULL, f.p, &s);
        for (int i = 0; i < 3; i++) f.p0[i] = -f.p[i];
        if (follow(&f, &m, NULL) != RESIDA_OK) fail_msg("length %g, lean %g: %s", s.length, s.lean, f.why.text);
        bench_near(f.p[2] / s.length, -0.5, 1e-9);
        if (f.report.n_growing > 0) fail_msg("length %g, lean %g: %s", s.length, s.lean, f.report.judged.text);
        bench_near(f.report.growth, 0, 0);
    }
}

/* --- an arm of 1 m on a turret with a damper --- */

/* Angles of the turret and of the arm. A radial spring of 1e4 N/m and the weight of 1 kg act on the tip. The moment of
 * the spring about the axis of the turret cancels. */
static int turret_residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                           double *r, void *user)
{
    const double c = cos(p[0]), s = sin(p[0]), up = cos(p[1]), out = sin(p[1]), k = 1e4;
    const double f[2] = {-k * (out - 0.8) * c, -k * (out - 0.8) * s};
    r[0] = a[0] + 0.1 * v[0] - out * (c * f[1] - s * f[0]);
    r[1] = a[1] + v[1] - up * (c * f[0] + s * f[1]) + hanging_gravity * out;
    return 0;
}

/* The rounding of the moment divided by the increment is no stiffness. */
CLAIM(a_turret_stays_and_its_stability_does_not_depend_on_the_guess)
{
    for (int k = 0; k < 20; k++) {
        path f = {.p0 = {k % 2 ? sin(k) : 0, 0.4 + 0.04 * k}};
        resida_mechanism m = test_mechanism();
        m.n_p = m.n_v = 2, m.residual = turret_residual;
        if (follow(&f, &m, NULL) != RESIDA_OK) fail_msg("guess %d: %s", k, f.why.text);
        bench_near(f.p[0], f.p0[0], 1e-9);
        bench_near(1e4 * (sin(f.p[1]) - 0.8) * cos(f.p[1]), -hanging_gravity * sin(f.p[1]), 1e-4);
        assert_string_equal(f.report.free.text, "p[0]");
        if (f.report.stability != RESIDA_STABILITY_NEUTRAL) fail_msg("guess %d: %s", k, f.report.judged.text);
    }
}

/* --- angles that have turned --- */

/* From 1 rad; to the rounding of the angle, and what differences of dg/dp leave. */
CLAIM(a_body_hangs_after_a_million_turns)
{
    static const double turns[] = {0, 1e3, 1e4, 1e5, 1e6};
    for (int k = 0; k < 10; k++) {
        path f;
        scaled s = {.kind = SCALED_BODY, .length = 1, .rate = 1, .turns = turns[k / 2], .given = k % 2};
        const resida_mechanism m = scaled_mechanism(&s, f.p0, f.v0);
        if (follow(&f, &m, NULL) != RESIDA_OK) fail_msg("%g turns, given %d: %s", s.turns, s.given, f.why.text);
        const double rounding = 1e-9 + 2 * DBL_EPSILON * TURN * s.turns;
        bench_near(f.p[0], 0, rounding);
        bench_near(f.p[1], -1, rounding);
        bench_near(f.p[2] - TURN * s.turns, 0, rounding);
    }
}

/* --- far from the origin --- */

static const double stiff = 1000, weight = 9.81; /* N/m, N */

/* A rod of 1 kg and 1 m hangs by its end on springs at (x, 0). */
static int hanging_rod(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                       double *r, void *user)
{
    const double *x = user, s = sin(p[2]) / 2, c = cos(p[2]) / 2, fx = -stiff * (p[0] + s - *x),
                 fz = -stiff * (p[1] + c);
    r[0] = a[0] - fx, r[1] = a[1] + weight - fz, r[2] = a[2] / 12 - (fx * c - fz * s);
    return 0;
}

/* From 0.1 rad. What x is rounded to is a force on the springs, and turns the rod. */
CLAIM(a_rod_on_springs_hangs_however_far_it_is)
{
    for (int k = 3; k <= 12; k++) {
        double x = pow(10, k);
        path f = {.p0 = {x - 0.05, -0.5, 0.1}};
        resida_mechanism m = test_mechanism();
        m.user = &x, m.n_p = m.n_v = 3, m.residual = hanging_rod;
        if (follow(&f, &m, NULL) != RESIDA_OK) fail_msg("x %g: %s", x, f.why.text);
        const double rounding = DBL_EPSILON * x;
        bench_near(f.p[0], x, 1e-9 + rounding);
        bench_near(f.p[1], -0.5 - weight / stiff, 1e-9);
        bench_near(f.p[2], 0, 1e-9 + rounding * stiff / weight);
        if (f.report.n_growing > 0) fail_msg("x %g: %s", x, f.report.judged.text);
    }
}

/* --- a load that turns back --- */

/* The y < 0 at which the truss carries P. */
static double beyond(const truss *c)
{
    double low = -10 * c->rise, high = -c->rise;
    for (int i = 0; i < 200; i++) {
        const double y = (low + high) / 2;
        if (truss_load(c, y) > c->load)
            low = y;
        else
            high = y;
    }
    return low;
}

/* The load falls and turns twice on the way to the branch that hangs; by a soft spring its length jumps. */
CLAIM(a_truss_above_its_limit_load_hangs)
{
    static const double rises[] = {0.02, 0.3, 1}, above[] = {1.0001, 1.01, 1.5}, springs[] = {1e-3, 1, 1e3};
    for (int k = 0; k < 27; k++) {
        truss c = {.EA = 1e3, .rise = rises[k / 9]};
        const double limit = truss_load(&c, truss_limit(&c));
        c.load = above[k / 3 % 3] * limit;
        c.k = springs[k % 3] * limit / c.rise;
        path f = {.p0 = {c.rise, c.rise}};
        const resida_mechanism m = truss_mechanism(&c);
        if (follow(&f, &m, NULL) != RESIDA_OK) fail_msg("rise %g, load %g, k %g: %s", c.rise, c.load, c.k, f.why.text);
        const double y = beyond(&c);
        bench_near(f.p[0], y, 1e-7);
        bench_near(f.p[1], y - c.load / c.k, 1e-7 * (1 + c.load / c.k));
        assert_int_equal(f.report.n_growing, 0);
    }
}

/* Below it the truss stays up. */
CLAIM(a_truss_below_its_limit_load_stands)
{
    for (int k = 1; k <= 3; k++) {
        truss c = {.EA = 1e3, .rise = 0.3, .k = 1e3};
        c.load = (1 - pow(0.01, k)) * truss_load(&c, truss_limit(&c));
        path f = {.p0 = {c.rise, c.rise}};
        const resida_mechanism m = truss_mechanism(&c);
        if (follow(&f, &m, NULL) != RESIDA_OK) fail_msg("%s", f.why.text);
        assert_true(f.p[0] > truss_limit(&c) && f.p[0] < c.rise);
        assert_int_equal(f.report.n_growing, 0);
    }
}

/* --- a rigid rod in x, y and its angle, on a pin --- */

typedef struct pinned_rod {
    double length, mass;
} pinned_rod;

static int pinned_force(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                        double *r, void *user)
{
    const pinned_rod *s = user;
    const double J = s->mass * s->length * s->length / 12;
    r[0] = s->mass * (a[0] + 0.01 * v[0]);
    r[1] = s->mass * (a[1] + hanging_gravity);
    r[2] = J * (a[2] + 0.01 * v[2]);
    return 0;
}

static int pin(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    const pinned_rod *s = user;
    g[0] = p[0] - s->length * sin(p[2]);
    g[1] = p[1] + s->length * cos(p[2]);
    return 0;
}

CLAIM(a_rod_of_a_nanometre_or_a_kilometre_and_of_any_mass_hangs_straight)
{
    for (int i = 0; i < 49; i++) {
        path f = {.why = {""}};
        pinned_rod s = {pow(10, 2 * (i % 7) - 9), pow(10, 6 * (i / 7 - 3))};
        resida_mechanism m = test_mechanism();
        m.user = &s, m.n_p = m.n_v = 3, m.n_g = 2, m.residual = pinned_force, m.constraint = pin;
        f.p0[2] = 0.64, f.p0[0] = s.length * sin(0.64), f.p0[1] = -s.length * cos(0.64);
        if (follow(&f, &m, NULL) != RESIDA_OK) fail_msg("%g m, %g kg: %s", s.length, s.mass, f.why.text);
        if (f.report.n_free > 0) fail_msg("%g m, %g kg: free: %s", s.length, s.mass, f.report.free.text);
        bench_near(f.p[2], 0, 1e-9);
        bench_near(f.p[1] / s.length, -1, 1e-9);
        bench_near(f.lam[1] / (s.mass * hanging_gravity), -1, 1e-7);
    }
}

/* --- a spring that stiffens over the length S, loaded so that it rests at S; stiffness k --- */

typedef struct small_spring {
    double S, k;
} small_spring;

static double spring_force(const small_spring *s, double x)
{
    return s->k * (x + x * x * x / (s->S * s->S) - 2 * s->S);
}

static int small_residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                          double *r, void *user)
{
    const small_spring *s = user;
    r[0] = s->k * (a[0] + 0.1 * v[0]) + spring_force(s, p[0]);
    return 0;
}

static int small_dae(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] + y[0] - y[1];
    r[1] = spring_force(user, y[1]);
    return 0;
}

CLAIM(a_spring_of_a_picometre_or_a_kilometre_rests_where_its_forces_balance)
{
    for (int i = 0; i < 64; i++) {
        small_spring s = {pow(10, i % 16 - 12), pow(10, 4 * (i / 16 % 2))};
        const double guess = i / 32 ? 3 * s.S : 0, y0[] = {guess, guess};
        const double part = s.S < 1e-9 ? 1e-5 : fmax(1e-5, 1e-11 / s.S); /* the tolerance is 1e-10 of 1 m */
        double y[2];
        path f = {.why = {""}, .p0 = {guess}};
        resida_mechanism m = test_mechanism();
        resida_dae d = test_dae();
        m.user = d.user = &s, m.n_p = m.n_v = 1, m.residual = small_residual, d.n = 2, d.residual = small_dae;
        if (follow(&f, &m, NULL) != RESIDA_OK) fail_msg("%g m, %g N/m: %s", s.S, s.k, f.why.text);
        bench_near(f.p[0] / s.S, 1, part);
        assert_int_equal(f.report.n_growing, 0);
        resida_problem *problem = test_problem_dae(&d, NULL);
        if (resida_problem_equilibrium_dae(problem, 0, y0, NULL, y, &f.report, &f.why) < 0)
            fail_msg("%g m, %g N/m: %s", s.S, s.k, f.why.text);
        bench_near(y[0] / s.S, 1, part);
        bench_near(y[1] / s.S, 1, part);
    }
}

/* --- a cooled stirred tank: concentration, temperature, and the rate of the reaction as an algebraic component --- */

static double tank_rate(double T)
{
    return 7.2e10 * exp(-8750 / T);
}

/* The heat that is missing, of which the concentration is in equilibrium. */
static double tank_heat(double T)
{
    const double c = 1 / (1 + tank_rate(T));
    return 350 - T + 209.2 * (1 - c) + 2.092 * (305 - T);
}

static int tank_residual(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] - (1 - y[0]) + y[2];
    r[1] = yp[1] - (350 - y[1]) - 209.2 * y[2] - 2.092 * (305 - y[1]);
    r[2] = y[2] - tank_rate(y[1]) * y[0];
    return 0;
}

CLAIM(a_tank_is_in_equilibrium_from_a_rate_that_is_not_known)
{
    static const resida_kind kinds[] = {RESIDA_DIFFERENTIAL, RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC};
    double from = 360, to = 400;
    while (to - from > 1e-11) *(tank_heat((from + to) / 2) * tank_heat(from) > 0 ? &from : &to) = (from + to) / 2;
    for (int k = 0; k < 12; k++) {
        const double y0[] = {k % 2 ? 0.5 : 0.9, 350 + 10 * (k / 2), 0};
        double y[3];
        resida_dae d = test_dae();
        resida_equilibrium_report report;
        resida_message why = {""};
        d.name = "tank", d.n = 3, d.residual = tank_residual, d.kinds = kinds;
        resida_problem *problem = test_problem_dae(&d, NULL);
        if (resida_problem_equilibrium_dae(problem, 0, y0, NULL, y, &report, &why) < 0)
            fail_msg("from c = %g, T = %g: %s", y0[0], y0[1], why.text);
        bench_near(y[1], from, 1e-8);
        bench_near(y[0], 1 / (1 + tank_rate(from)), 1e-9);
        bench_near(y[2], 1 - y[0], 1e-9);
        if (report.iterations > 80) fail_msg("from T = %g: %d iterations", y0[1], report.iterations);
    }
}
