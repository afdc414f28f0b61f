/* test_nothing_given.c - large models that give nothing but a residual, and g: their calls do not grow with the number
 * of unknowns, also where entries are zero at the start, and memory is proportional to the unknowns. A closed chain has
 * the same digits in any unit of length. */
#include "test/fixtures/claims.h"
#include "test/fixtures/rationed.h"
#include "test/fixtures/solver_fixture.h"

/* --- a grid of springs and rods --- */

/** n x n unit masses at distances of 1, which hang from two corners. Neighbours are connected by springs that are not
 *  stretched at the start; those of the first column by rods. A mass of the first column is then held along the rods,
 *  and its springs resist a motion along them only by the square of the motion. */
typedef struct grid {
    int n;
    double stiffness, *p0, *v0;
} grid;

static const double damping = 1, gravity = 9.81;

static void pull(double stiffness, const double *p, const double *v, int a, int b, double *r)
{
    const double dx = p[2 * b] - p[2 * a], dy = p[2 * b + 1] - p[2 * a + 1], length = sqrt(dx * dx + dy * dy);
    const double ux = dx / length, uy = dy / length;
    const double rate = ux * (v[2 * b] - v[2 * a]) + uy * (v[2 * b + 1] - v[2 * a + 1]);
    const double force = stiffness * (length - 1) + damping * rate;
    r[2 * a] -= force * ux, r[2 * a + 1] -= force * uy;
    r[2 * b] += force * ux, r[2 * b + 1] += force * uy;
}

static int springs(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                   void *user)
{
    const int n = ((const grid *)user)->n;
    const double k = ((const grid *)user)->stiffness;
    for (int i = 0; i < n * n; i++) r[2 * i] = a[2 * i], r[2 * i + 1] = a[2 * i + 1] + gravity;
    for (int row = 0; row < n; row++)
        for (int column = 0; column < n; column++) {
            const int i = row * n + column;
            if (column + 1 < n) pull(k, p, v, i, i + 1, r);
            if (row + 1 < n && column > 0) pull(k, p, v, i, i + n, r);
        }
    return 0;
}

static int rods(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    const int n = ((const grid *)user)->n;
    for (int corner = 0; corner < 2; corner++) {
        const int i = corner * (n - 1);
        *g++ = p[2 * i] - i, *g++ = p[2 * i + 1];
    }
    for (int i = 0; i < n * (n - 1); i += n) {
        const double dx = p[2 * (i + n)] - p[2 * i], dy = p[2 * (i + n) + 1] - p[2 * i + 1];
        *g++ = dx * dx + dy * dy - 1;
    }
    return 0;
}

/* Run a grid, and copy its positions at t to p [2 n n]. */
static resida_stats hang(int n, double stiffness, double t, const char *jacobian, double *p)
{
    grid w = {n, stiffness, calloc((size_t)(2 * n * n), sizeof(double)), calloc((size_t)(2 * n * n), sizeof(double))};
    resida_mechanism m = test_mechanism();
    resida_solver_options o = test_solver_options();
    for (int i = 0; i < n * n; i++) w.p0[2 * i] = i % n, w.p0[2 * i + 1] = -(i / n);
    m.n_p = m.n_v = 2 * n * n, m.n_g = n + 3, m.residual = springs, m.constraint = rods, m.user = &w;
    o.jacobian = jacobian;
    resida_solver *s = test_solver(&m, NULL, &o);
    assert_int_equal(resida_solver_start(s, 0, w.p0, w.v0, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_advance(s, t), RESIDA_OK);
    resida_state at = test_state(s);
    resida_stats stats = test_stats(s);
    memcpy(p, at.p, (size_t)m.n_p * sizeof *p);
    free(w.p0), free(w.v0);
    return stats;
}

/* The columns of dF/dy are 4 n^2. With stiff springs, terms of third order exceed rounding too. */
CLAIM(a_grid_with_unstretched_springs_takes_the_calls_of_a_smaller_one)
{
    enum { SMALL = 10, LARGE = 20 };
    static const double stiffness[] = {1e4, 1e8};
    double p[2 * LARGE * LARGE];
    for (int k = 0; k < 2; k++) {
        const resida_stats small = hang(SMALL, stiffness[k], 2e-3, "auto", p),
                           large = hang(LARGE, stiffness[k], 2e-3, "auto", p);
        const long few = small.residual_calls.jacobian + small.residual_calls.pattern,
                   more = large.residual_calls.jacobian + large.residual_calls.pattern;
        assert_int_equal(large.jacobian_evaluations.dense, 0);
        assert_in_range(more, 0, few + 100);
        assert_in_range(more, 0, 4 * LARGE * LARGE / 4);
    }
}

CLAIM(a_grid_with_unstretched_springs_moves_as_with_a_dense_J)
{
    enum { SMALL = 9 };
    double p[2 * SMALL * SMALL], q[2 * SMALL * SMALL], distance = 0;
    hang(SMALL, 1e4, 0.2, "auto", p);
    hang(SMALL, 1e4, 0.2, "dense", q);
    for (int i = 0; i < 2 * SMALL * SMALL; i++) distance = fmax(distance, fabs(p[i] - q[i]));
    assert_true(p[2 * SMALL * SMALL - 1] < -(SMALL - 1) - 1e-2); /* the last mass has fallen */
    assert_true(distance < 1e-4);
}

/* --- a method of lines --- */

enum { POINTS = 10000 };

/* u' = u_xx on 0 < x < 1 by central differences. */
static int heat(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const double per_h2 = (POINTS + 1.0) * (POINTS + 1.0);
    for (int i = 0; i < POINTS; i++) {
        const double before = i > 0 ? y[i - 1] : 0, after = i < POINTS - 1 ? y[i + 1] : 0;
        r[i] = yp[i] - per_h2 * (before - 2 * y[i] + after);
    }
    return 0;
}

/* sin(pi x) is an eigenvector of central differences. Its eigenvalue is -(2 / h sin(pi h / 2))^2. */
CLAIM(a_method_of_lines_of_ten_thousand_unknowns_takes_few_calls_and_little_memory)
{
    enum { BYTES = 3000 }; /* of an unknown; a row of a full matrix has 80,000 */
    const double pi = acos(-1), h = 1.0 / (POINTS + 1), rate = pow(2 / h * sin(pi * h / 2), 2), t_end = 0.1;
    static double y[POINTS];
    const resida_allocator counted = measured_memory();
    resida_dae d = test_dae();
    resida_problem_options o = test_problem_options();
    resida_solver_options so = test_solver_options();
    resida_problem *problem;
    resida_solver *s;
    resida_state at;
    resida_stats stats = {.size = sizeof stats};
    d.n = POINTS, d.residual = heat;
    o.allocator = &counted;
    for (int i = 0; i < POINTS; i++) y[i] = sin(pi * (i + 1) * h);
    max_memory_in_use = memory_in_use = 0;
    assert_int_equal(resida_problem_create_dae(&problem, &d, &o, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_create(&s, problem, &so, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_start_dae(s, 0, y, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_advance(s, t_end), RESIDA_OK);
    assert_int_equal(resida_solver_state(s, &at), RESIDA_OK);
    assert_int_equal(resida_solver_stats(s, &stats), RESIDA_OK);
    for (int i = 0; i < POINTS; i++) assert_true(fabs(at.y[i] - y[i] * exp(-rate * t_end)) < 1e-4);
    assert_in_range(stats.residual_calls.total, 0, 1000);
    assert_in_range(max_memory_in_use, 0, BYTES * (size_t)POINTS);
    resida_solver_free(s);
    resida_problem_free(problem);
    assert_int_equal(memory_in_use, 0);
}

/* --- a closed chain in other units of length --- */

enum { BARS = 60 };

/** Bars x, y, phi, pinned to each other and, at both ends of the chain, to the ground; torsion springs and dampers
 *  between neighbours. Lengths are in units of `unit` m, forces and torques follow from that. */
typedef struct chain {
    double unit, length, mass;
    double x_end, y_end; /* end of the last bar */
    double p0[3 * BARS], v0[3 * BARS];
} chain;

static int bars(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                void *user)
{
    const chain *w = user;
    const double k = 0.5 * BARS / (w->unit * w->unit), d = 0.02 * BARS / (w->unit * w->unit);
    for (int i = 0; i < BARS; i++, r += 3) {
        r[0] = w->mass * a[3 * i];
        r[1] = w->mass * (a[3 * i + 1] + gravity / w->unit);
        r[2] = w->mass * w->length * w->length / 12 * a[3 * i + 2];
        for (int j = i > 0 ? i - 1 : 1; j <= i + 1 && j < BARS; j += 2)
            r[2] -= k * (p[3 * j + 2] - p[3 * i + 2]) + d * (v[3 * j + 2] - v[3 * i + 2]);
    }
    return 0;
}

static int pins(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    const chain *w = user;
    double x = 0, y = 0; /* end of the bar before */
    for (int i = 0; i < BARS; i++, p += 3) {
        const double cx = w->length / 2 * cos(p[2]), cy = w->length / 2 * sin(p[2]);
        *g++ = p[0] - cx - x, *g++ = p[1] - cy - y;
        x = p[0] + cx, y = p[1] + cy;
    }
    *g++ = x - w->x_end, *g++ = y - w->y_end;
    return 0;
}

/* Bars of 10 m in all, which hang in an arc from both ends. */
static void lay_out(chain *w, double unit)
{
    const double half_angle = 1.9;
    *w = (chain){.unit = unit, .length = 10 / unit / BARS, .mass = 10.0 / BARS};
    for (int i = 0; i < BARS; i++) {
        const double phi = half_angle * (2.0 * i / (BARS - 1) - 1), cx = w->length * cos(phi),
                     cy = w->length * sin(phi);
        w->p0[3 * i] = w->x_end + cx / 2, w->p0[3 * i + 1] = w->y_end + cy / 2, w->p0[3 * i + 2] = phi;
        w->x_end += cx, w->y_end += cy;
    }
}

/* Run the chain, with tolerances of 1e-7 (m, rad), and return p and v [6 BARS] in m and rad. */
static void swing(double unit, double *state)
{
    chain w;
    double atol[6 * BARS + 2 * (2 * BARS + 2)]; /* p, v, lam, eta */
    resida_mechanism m = test_mechanism();
    resida_solver_options o = test_solver_options();
    lay_out(&w, unit);
    m.n_p = m.n_v = 3 * BARS, m.n_g = 2 * BARS + 2, m.residual = bars, m.constraint = pins, m.user = &w;
    for (size_t i = 0; i < sizeof atol / sizeof *atol; i++) atol[i] = i < 6 * BARS && i % 3 < 2 ? 1e-7 / unit : 1e-7;
    o.rtol = 1e-7, o.atol_each = atol;
    resida_solver *s = test_solver(&m, NULL, &o);
    assert_int_equal(resida_solver_start(s, 0, w.p0, w.v0, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_advance(s, 0.5), RESIDA_OK);
    resida_state at = test_state(s);
    for (int i = 0; i < 6 * BARS; i++)
        state[i] = (i < 3 * BARS ? at.p[i] : at.v[i - 3 * BARS]) * (i % 3 < 2 ? unit : 1);
}

/* Errors of p are some tolerances; v changes by p over the shortest time of the motion, some hundredths of a second. */
CLAIM(a_closed_chain_has_the_same_digits_in_any_unit_of_length)
{
    static const double units[] = {1e-6, 1e-3, 1e3, 1e6};
    double metre[6 * BARS], other[6 * BARS];
    swing(1, metre);
    for (int k = 0; k < 4; k++) {
        swing(units[k], other);
        for (int i = 0; i < 6 * BARS; i++) assert_true(fabs(other[i] - metre[i]) < (i < 3 * BARS ? 1e-6 : 5e-5));
    }
}
