/* test_equilibrium_units.c - a point on a rod starts, and a mass on a spring settles, in many units of length and of
 * mass; test_equilibrium_every.c and test_start_every.c have other mechanisms. A four-bar linkage with springs is in
 * equilibrium soon: the oracle is its potential energy over the angle of the crank. */
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

enum { BODIES = 3, N = 3 * BODIES, N_G = 8 };

static const double gravity = 9.81, mass = 2.0, inertia = 0.05, bar[BODIES] = {0.3, 0.9, 0.7}, base = 1.0;
static const double stiffness = 200, torsion = 20, angle_at_rest = 1.2, anchor[2] = {0.4, -0.5};

/** Units: so many of them are a metre, a kilogram. */
typedef struct units {
    double metre, kilogram;
} units;

static const units of_table[] = {{1, 1},      {1e-9, 1e18}, {1e-6, 1e9}, {1e-3, 1e-3},
                                 {1e3, 1e-9}, {1e6, 1e3},   {1e9, 1e-18}};
enum { UNITS = sizeof of_table / sizeof *of_table };

/* The ends of bar i from its middle. */
static void ends(const double *p, int i, double *from, double *to)
{
    const double *q = p + 3 * i, x = bar[i] / 2 * cos(q[2]), y = bar[i] / 2 * sin(q[2]);
    from[0] = q[0] - x, from[1] = q[1] - y;
    to[0] = q[0] + x, to[1] = q[1] + y;
}

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    for (int i = 0; i < BODIES; i++) {
        r[3 * i] = mass * a[3 * i] + 0.1 * v[3 * i];
        r[3 * i + 1] = mass * (a[3 * i + 1] + gravity) + 0.1 * v[3 * i + 1];
        r[3 * i + 2] = inertia * a[3 * i + 2] + 0.1 * v[3 * i + 2];
    }
    r[2] += torsion * (p[2] - angle_at_rest);
    for (int c = 0; c < 2; c++) r[3 + c] += stiffness * (p[3 + c] - anchor[c]);
    return 0;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    double from[BODIES][2], to[BODIES][2];
    for (int i = 0; i < BODIES; i++) ends(p, i, from[i], to[i]);
    for (int c = 0; c < 2; c++) {
        g[c] = from[0][c];
        g[2 + c] = from[1][c] - to[0][c];
        g[4 + c] = to[2][c] - to[1][c];
        g[6 + c] = from[2][c] - (c == 0 ? base : 0);
    }
    return 0;
}

/* The derivative of x, y of an end of bar i, on the side `side`, by its coordinates, into row `row` of G. */
static void add_end(const double *q, int i, double side, double sign, int row, double *G)
{
    const double half = side * bar[i] / 2, angle = q[3 * i + 2];
    double *x = G + (long)row * N + 3 * i, *y = x + N;
    x[0] += sign, y[1] += sign;
    x[2] -= sign * half * sin(angle);
    y[2] += sign * half * cos(angle);
}

static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    memset(G, 0, sizeof(double) * N_G * N);
    add_end(p, 0, -1, 1, 0, G);
    add_end(p, 1, -1, 1, 2, G);
    add_end(p, 0, 1, -1, 2, G);
    add_end(p, 2, 1, 1, 4, G);
    add_end(p, 1, 1, -1, 4, G);
    add_end(p, 2, -1, 1, 6, G);
    return 0;
}

/* Positions in SI for an angle of the crank. */
static void assemble(double crank, double *p)
{
    const double A[2] = {bar[0] * cos(crank), bar[0] * sin(crank)}, dx = base - A[0], dy = -A[1], d = hypot(dx, dy);
    const double along = (bar[1] * bar[1] - bar[2] * bar[2] + d * d) / (2 * d),
                 across = sqrt(bar[1] * bar[1] - along * along);
    const double C[2] = {A[0] + (along * dx - across * dy) / d, A[1] + (along * dy + across * dx) / d};
    p[0] = A[0] / 2, p[1] = A[1] / 2, p[2] = crank;
    p[3] = (A[0] + C[0]) / 2, p[4] = (A[1] + C[1]) / 2, p[5] = atan2(C[1] - A[1], C[0] - A[0]);
    p[6] = (base + C[0]) / 2, p[7] = C[1] / 2, p[8] = atan2(C[1], C[0] - base);
}

static double potential(double crank)
{
    double p[N];
    assemble(crank, p);
    const double turn = crank - angle_at_rest, x = p[3] - anchor[0], y = p[4] - anchor[1];
    return mass * gravity * (p[1] + p[4] + p[7]) + torsion / 2 * turn * turn + stiffness / 2 * (x * x + y * y);
}

/* A point on a rod, of which the guess is off by a part of 1e-8, and its velocity, too. */
static int rod(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    const units *u = user;
    g[0] = (p[0] * p[0] + p[1] * p[1] - u->metre * u->metre) / 2;
    return 0;
}

static int rod_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    G[0] = p[0], G[1] = p[1];
    return 0;
}

static int point_force(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                       double *r, void *user)
{
    const units *u = user;
    r[0] = u->kilogram * a[0];
    r[1] = u->kilogram * (a[1] + gravity * u->metre);
    return 0;
}

CLAIM(a_point_on_a_rod_starts_to_rounding_in_any_units)
{
    for (int k = 0; k < UNITS; k++) {
        units u = of_table[k];
        const double L = u.metre, p0[] = {0.6 * L * (1 + 1e-8), -0.8 * L}, v0[] = {0.8 * L, 0.6 * L * (1 + 1e-8)};
        double p[2], v[2], a[2], lam[1];
        resida_message why = {""};
        resida_mechanism m = test_mechanism();
        m.user = &u, m.n_p = m.n_v = 2, m.n_g = 1;
        m.residual = point_force, m.constraint = rod, m.constraint_matrix = rod_matrix;
        resida_problem *problem = test_problem(&m, NULL);
        if (resida_problem_start(problem, 0, p0, v0, NULL, p, v, a, lam, NULL, &why) < 0) fail_msg("%s", why.text);
        bench_near(hypot(p[0], p[1]) / L, 1, 1e-15);
        bench_near((p[0] * v[0] + p[1] * v[1]) / L / L, 0, 1e-15);
    }
}

/* A mass on a spring under gravity, from rest at its length without load. */
typedef struct sprung {
    double metre, kilogram;
} sprung;

static int sprung_force(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                        double *r, void *user)
{
    const sprung *s = user;
    r[0] = s->kilogram * (a[0] + gravity * s->metre + 0.24 * v[0] + 36 * p[0]);
    return 0;
}

CLAIM(a_mass_on_a_spring_settles_in_any_units)
{
    for (int i = 0; i < 49; i++) {
        sprung s = {pow(10, 3 * (i % 7) - 9), pow(10, 6 * (i / 7 - 3))};
        const double p0 = 0, v0 = 0;
        double p, v;
        resida_equilibrium_report report;
        resida_message why = {""};
        resida_mechanism m = test_mechanism();
        m.user = &s, m.n_p = m.n_v = 1, m.residual = sprung_force;
        resida_problem *problem = test_problem(&m, NULL);
        if (resida_problem_equilibrium(problem, 0, &p0, &v0, NULL, &p, &v, NULL, &report, &why) < 0)
            fail_msg("%g, %g: %s", s.metre, s.kilogram, why.text);
        bench_near(p / s.metre, -gravity / 36, 1e-9);
        if (report.iterations > 100) fail_msg("%g, %g: %d iterations", s.metre, s.kilogram, report.iterations);
    }
}

/* The potential is stationary to the error of a central difference, 1e-8 of its size. */
CLAIM(a_linkage_with_springs_is_in_equilibrium_within_tens_of_iterations)
{
    const double h = 1e-4, v0[N] = {0};
    for (double from = -1.65; from < 3; from += 0.1) {
        double p0[N], p[N], v[N], lam[N_G];
        resida_equilibrium_report report;
        resida_message why = {""};
        resida_mechanism m = test_mechanism();
        m.n_p = m.n_v = N, m.n_g = N_G;
        m.residual = residual, m.constraint = constraint, m.constraint_matrix = constraint_matrix;
        assemble(from, p0);
        resida_problem *problem = test_problem(&m, NULL);
        if (resida_problem_equilibrium(problem, 0, p0, v0, NULL, p, v, lam, &report, &why) < 0)
            fail_msg("from %g rad: %s", from, why.text);
        const double slope = (potential(p[2] + h) - potential(p[2] - h)) / (2 * h);
        print_message("from %5.2f rad: %.9f rad after %d iterations, slope %.1e\n", from, p[2], report.iterations,
                      slope);
        assert_true(fabs(slope) < 1e-4);
        if (report.iterations > 50) fail_msg("from %g rad: %d iterations", from, report.iterations);
    }
}
