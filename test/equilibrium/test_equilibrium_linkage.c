/* test_equilibrium_linkage.c - a four-bar linkage with springs is in equilibrium soon: the oracle is its potential
 * energy over the angle of the crank. Units: test_equilibrium_every.c. */
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

enum { BODIES = 3, N = 3 * BODIES, N_G = 8 };

static const double gravity = 9.81, mass = 2.0, inertia = 0.05, bar[BODIES] = {0.3, 0.9, 0.7}, base = 1.0;
static const double stiffness = 200, torsion = 20, angle_at_rest = 1.2, anchor[2] = {0.4, -0.5};

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
