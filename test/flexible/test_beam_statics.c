/* test_beam_statics.c - known equilibria of beams: the roll-up to a circle, the bend of 45 degrees, lateral buckling;
 * and the orders at which elements converge. */
#include "beam_fixture.h"

static const double pi = 3.14159265358979323846;

/* --- roll-up --- */

static const double bending = 2; /* EI [N m^2], of a beam of 1 m */

/* A cantilever under an end moment of `turns` 2 pi EI/L: how far its tip is from that of the arc. */
static double roll_up(int order, int elements, double turns, int steps)
{
    const bm_section section = {1e4, 5e3, 5e3, bending, bending, bending, 1, 1e-4, 1e-4, 0};
    const double angle = 2 * pi * turns;
    beam b;
    beam_begin_line(&b, &section, order, elements, 1, 1);
    bm_add_load(&b.s, b.last, (mb_vec){0, 0, 0}, (mb_vec){0, -1, 0}, 1);
    beam_open(&b);
    beam_settle(&b, bending * angle, steps);
    const double *tip = b.p + BM_P * b.last;
    const double error = hypot(tip[0] - sin(angle) / angle, tip[2] - (1 - cos(angle)) / angle);
    assert_true(fabs(tip[1]) < 1e-12);
    for (int i = 0; i < BM_P; i++) assert_true(fabs(b.p[i] - b.s.p0[i]) < 8 * DBL_EPSILON); /* the clamped end */
    beam_close(&b);
    return error;
}

CLAIM(a_moment_of_2_pi_EI_by_L_rolls_a_cantilever_up_to_a_circle)
{
    const double coarse = roll_up(1, 16, 1, 10), fine = roll_up(2, 8, 1, 10), finest = roll_up(3, 8, 1, 10);
    assert_true(coarse < 0.15);
    assert_true(fine < coarse / 20);
    assert_true(finest < fine / 5);
    assert_true(finest < 1e-3);
}

/* Displacements at nodes of Lagrange elements of order k with k points of integration are of order 2 k. Directors of
 * unit length at nodes are shorter between them, by h^(k + 1): that leaves order 4 for cubic elements. For quadratic
 * ones the h^3 is odd about the middle of the element and cancels. */
CLAIM(tips_converge_at_orders_2_4_4)
{
    const double orders[] = {2, 4, 4};
    for (int order = 1; order <= BM_MAX_ORDER; order++) {
        const double coarse = roll_up(order, 8, 0.25, 4), fine = roll_up(order, 16, 0.25, 4);
        bench_near(log(coarse / fine) / log(2), orders[order - 1], 0.3);
    }
}

/* --- bend: an arc of 45 degrees, radius 100, unit square section, E = 1e7, nu = 0, a load out of its plane. K. J.
 * Bathe, S. Bolourchi, Int. J. Numer. Meth. Engng. 14 (1979); J. C. Simo, L. Vu-Quoc, Comp. Meth. Appl. Mech. Engng. 58
 * (1986), whose torsional stiffness G (I1 + I2) this is. --- */

static const double radius = 100, load = 600;
static const double arc = 45 * 3.14159265358979323846 / 180;
static const bm_section square = {1e7, 5e6, 5e6, 5e6 / 6, 1e7 / 12, 1e7 / 12, 1, 0.1, 0.1, 0};

/* z out of the plane; the root at the origin, along x, the centre at (0, R, 0). */
static void bow(double x, const void *data, mb_vec *r, mb_mat *axes)
{
    const double c = cos(arc * x), s = sin(arc * x);
    *r = (mb_vec){radius * s, radius * (1 - c), 0};
    axes->z = (mb_vec){c, s, 0}, axes->x = (mb_vec){-s, c, 0}, axes->y = (mb_vec){0, 0, 1};
}

static mb_vec bend(int order, int elements)
{
    beam b;
    beam_begin(&b);
    const int root = bm_add_curve(&b.s, &square, order, elements, bow, NULL), last = root + order * elements;
    bm_add_weld(&b.s, BM_SPACE, root, (mb_vec){0, 0, 0});
    bm_add_load(&b.s, last, (mb_vec){0, 0, 1}, (mb_vec){0, 0, 0}, 1);
    beam_open(&b);
    beam_settle(&b, load, 6);
    const double *tip = b.p + BM_P * last;
    const mb_vec r = {tip[0], tip[1], tip[2]};
    beam_close(&b);
    return r;
}

/* The same by integration along the beam: r' = Gamma, d_a' = kappa x d_a, m' = -r' x n, n the load. */
typedef struct section_state {
    mb_vec r, m;
    mb_mat d;
} section_state;

static section_state slope_of(const section_state *x, double force)
{
    const mb_vec n = mb_back(&x->d, (mb_vec){0, 0, force}), m = mb_back(&x->d, x->m);
    const mb_vec gamma = {n.x / square.GA1, n.y / square.GA2, 1 + n.z / square.EA};
    const mb_vec kappa = {m.x / square.EI1, m.y / square.EI2, m.z / square.GJ};
    /* d1 points to the centre: the undeformed arc turns about d2 = z by 1/R */
    const mb_vec turn = mb_turn(&x->d, mb_add(kappa, (mb_vec){0, 1 / radius, 0}));
    section_state out;
    out.r = mb_turn(&x->d, gamma);
    out.m = mb_scale(-1, mb_cross(out.r, (mb_vec){0, 0, force}));
    out.d = (mb_mat){mb_cross(turn, x->d.x), mb_cross(turn, x->d.y), mb_cross(turn, x->d.z)};
    return out;
}

static section_state ahead(const section_state *x, double h, const section_state *k)
{
    return (section_state){mb_along(x->r, h, k->r),
                           mb_along(x->m, h, k->m),
                           {mb_along(x->d.x, h, k->d.x), mb_along(x->d.y, h, k->d.y), mb_along(x->d.z, h, k->d.z)}};
}

/* The end of the beam by Runge and Kutta's method, from a moment at the root. */
static section_state shoot(mb_vec moment, double force)
{
    enum { STEPS = 300 };
    const double h = radius * arc / STEPS;
    section_state x = {{0, 0, 0}, moment, {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}};
    for (int i = 0; i < STEPS; i++) {
        const section_state k1 = slope_of(&x, force), x2 = ahead(&x, h / 2, &k1), k2 = slope_of(&x2, force);
        const section_state x3 = ahead(&x, h / 2, &k2), k3 = slope_of(&x3, force);
        const section_state x4 = ahead(&x, h, &k3), k4 = slope_of(&x4, force);
        x = ahead(&x, h / 6, &k1), x = ahead(&x, h / 3, &k2), x = ahead(&x, h / 3, &k3), x = ahead(&x, h / 6, &k4);
    }
    return x;
}

/* The moment at the root that leaves none at the end, by Newton's method with differences. */
static mb_vec bend_by_shooting(void)
{
    enum { LOADS = 10, ITERATIONS = 8 };
    const double step = 1;
    mb_vec moment = {0, 0, 0};
    for (int k = 1; k <= LOADS * ITERATIONS; k++) {
        const double force = load * ((k - 1) / ITERATIONS + 1) / LOADS;
        const mb_vec at = shoot(moment, force).m;
        const mb_vec x = mb_scale(1 / step, mb_sub(shoot(mb_add(moment, (mb_vec){step, 0, 0}), force).m, at));
        const mb_vec y = mb_scale(1 / step, mb_sub(shoot(mb_add(moment, (mb_vec){0, step, 0}), force).m, at));
        const mb_vec z = mb_scale(1 / step, mb_sub(shoot(mb_add(moment, (mb_vec){0, 0, step}), force).m, at));
        const double det = mb_dot(x, mb_cross(y, z)); /* Cramer's rule */
        moment.x -= mb_dot(at, mb_cross(y, z)) / det;
        moment.y -= mb_dot(x, mb_cross(at, z)) / det;
        moment.z -= mb_dot(x, mb_cross(y, at)) / det;
    }
    const section_state end = shoot(moment, load);
    assert_true(mb_norm(end.m) < 1e-4); /* of some 1e4 */
    return end.r;
}

CLAIM(the_bend_is_that_of_the_differential_equation)
{
    const mb_vec exact = bend_by_shooting();
    const double coarse = mb_norm(mb_sub(bend(2, 4), exact)), fine = mb_norm(mb_sub(bend(2, 8), exact));
    assert_true(fine < 1e-2);
    bench_near(log(coarse / fine) / log(2), 4, 0.3);
    assert_true(mb_norm(mb_sub(bend(3, 8), exact)) < 2e-3);
}

/* --- lateral buckling --- */

/* Is the tip of a deep cantilever stable under this load? */
static int is_stable(const bm_section *section, double tip_load)
{
    beam b;
    beam_begin_line(&b, section, 3, 4, 1, 1);
    bm_add_load(&b.s, b.last, (mb_vec){0, 0, -1}, (mb_vec){0, 0, 0}, 1);
    beam_open(&b);
    beam_settle(&b, tip_load, 2);
    const int n = 6 * (b.s.n_node - 1);
    double *K = bench_doubles((long)n * n), *value = bench_doubles(n);
    beam_reduce(&b, tip_load, 1, K, NULL);
    beam_eigenvalues(n, K, NULL, value);
    const int stable = value[0] > 0;
    beam_close(&b);
    return stable;
}

/* 4.013 sqrt(EI2 GJ)/L^2, where the beam does not bend before: EI2 is 1e-5 of EI1, shear and stretch are stiff
 * (S. P. Timoshenko, J. M. Gere, Theory of Elastic Stability, 6.3). */
CLAIM(a_narrow_cantilever_buckles_sideways_at_its_load)
{
    const bm_section deep = {1e8, 1e8, 1e8, 3, 1e5, 1, 1, 1e-3, 1e-3, 0};
    const double published = 4.013 * sqrt(deep.EI2 * deep.GJ);
    assert_true(is_stable(&deep, 0.999 * published));
    assert_false(is_stable(&deep, 1.001 * published));
}
