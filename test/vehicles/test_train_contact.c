/* test_train_contact.c - profiles and contact of the train: the published shapes, known pairs of contact points, the
 * smooth minimum and its derivatives against a plain second implementation and against differences, on canted track
 * too. */
#include "test/fixtures/bench_fixture.h"
#include "benchmarks/models/vehicles/train/train_model.h"
#include "test/fixtures/solver_fixture.h"

static train_profiles profiles;

/* A wheelset at (x, y, z, phi, theta, psi) over its frame. */
static mb_state wheelset_at(const double *q)
{
    mb_tree tree;
    mb_state s;
    assert_int_equal(mb_tree_open(&tree, 1, NULL), 0);
    mb_joint joint = mb_joint_free((mb_vec){0, 0, TRAIN_RADIUS});
    joint.rotor = 1;
    mb_tree_add(&tree, MB_ROOT(0), 1, (mb_vec){1, 1, 1}, joint);
    mb_place(&tree, q, NULL, &(mb_motion){NULL, NULL, NULL, NULL}, &s);
    mb_tree_close(&tree);
    return s;
}

static double rail_at(double o, double *slope)
{
    *slope = train_rail_slope(&profiles, o);
    return train_rail_height(&profiles, o);
}

static train_touch touch_at(int side, const double *q, train_rail_shape shape)
{
    const mb_state s = wheelset_at(q);
    train_touch touch;
    assert_int_equal(train_contact(&profiles, side, &s, shape, &touch), 0);
    assert_int_equal(train_shift(&touch, 0, q[2]), 0);
    return touch;
}

static const train_rail_shape straight = {0, 0}, curved = {1 / 600.0, 2e-3};

static int both_wheels_touch(double t, const double *x, const double *xp, const resida_excitation *e, double *r,
                             void *user)
{
    const double y = *(double *)user, q[6] = {0, y, x[0], x[1], 0, 0};
    r[0] = touch_at(1, q, straight).g;
    r[1] = touch_at(-1, q, straight).g;
    return 0;
}

/* x = (z, phi) of a wheelset that stands with both wheels at y; from the x given. */
static void stand(double y, double *x)
{
    static const resida_kind kinds[] = {RESIDA_ALGEBRAIC, RESIDA_ALGEBRAIC};
    const double guess[] = {x[0], x[1]};
    resida_dae d = test_dae();
    resida_equilibrium_options o;
    resida_message why;
    d.name = "wheelset", d.n = 2, d.kinds = kinds, d.residual = both_wheels_touch, d.user = &y;
    resida_equilibrium_options_init(&o);
    o.max_step = 5e-5; /* tables of profiles have corners */
    resida_problem *problem = test_problem_dae(&d, NULL);
    if (resida_problem_equilibrium_dae(problem, 0, guess, &o, x, NULL, &why) != RESIDA_OK) fail_msg("%s", why.text);
}

/* Radius of a wheel at s, linear between the points of the table. */
static double table_radius(double s)
{
    int j = 0;
    while (profiles.s[j + 1] < s) j++;
    const double part = (s - profiles.s[j]) / TRAIN_GRID;
    return (1 - part) * profiles.R[j] + part * profiles.R[j + 1];
}

/* y [mm]; z [mm], phi [mrad], s left and right [mm], difference of radii there [mm], slopes left and right: an
 * independent computation; last digits in `unit`. Contact jumps to the root of the flange beyond 5 mm and climbs it at
 * 7 mm. */
CLAIM(contact_points_of_a_wheelset_that_moves_sideways)
{
    static const double known[8][7] = {
        {-0.0929, 0, 2.94, 2.94, 0, 0.0259, -0.0259},
        {-0.0798, 0.0450, -8.13, 6.64, 0.5551, 0.0656, -0.0169},
        {-0.0497, 0.1047, -10.57, 8.84, 0.7602, 0.0777, -0.0130},
        {-0.0123, 0.1699, -12.50, 10.54, 0.9407, 0.0889, -0.0108},
        {0.0328, 0.2429, -14.67, 11.97, 1.1621, 0.1032, -0.0095},
        {0.0882, 0.3279, -17.50, 13.22, 1.4938, 0.1262, -0.0088},
        {0.2669, 0.5744, -30.67, 14.44, 4.4363, 0.4120, -0.0084},
        {4.2917, 5.8668, -41.0, 18.45, 18.70, 2.105, -0.0065},
    };
    static const double unit[7] = {1e-4, 1e-4, 1e-2, 1e-2, 1e-4, 1e-4, 1e-4};
    static const double unit_flange[7] = {1e-4, 1e-4, 0.1, 1e-2, 1e-2, 1e-3, 1e-4};
    double x[2] = {0, 0};
    for (int i = 0; i < 8; i++) {
        const double y = 1e-3 * i;
        if (i == 7) x[0] = 4.2e-3, x[1] = 5.8e-3;
        stand(y, x);
        const double q[6] = {0, y, x[0], x[1], 0, 0};
        const train_touch left = touch_at(1, q, straight), right = touch_at(-1, q, straight);
        const double radii = 1e3 * (table_radius(left.s) - table_radius(right.s));
        const double found[7] = {1e3 * x[0], 1e3 * x[1], 1e3 * left.s, 1e3 * right.s, radii, left.slope, right.slope};
        for (int k = 0; k < 7; k++) bench_near(found[k], known[i][k], 0.51 * (i < 7 ? unit : unit_flange)[k]);
    }
}

/* The formulas of train_contact.c once more, one point after the other, all of them, in long double. */
static long double plain_g(int side, const double *q, train_rail_shape shape)
{
    const long double phi = q[3], psi = q[5];
    const long double l[3] = {-sinl(psi) * cosl(phi), cosl(psi) * cosl(phi), sinl(phi)};
    long double delta[TRAIN_POINTS], m = 1, sum = 0;
    for (int j = 0; j < TRAIN_POINTS; j++) {
        const long double R = profiles.R[j], Rp = side * profiles.slope[j], d = side * (0.750L + profiles.s[j]);
        const long double q2 = 1 - l[0] * l[0], w = sqrtl(q2 - Rp * Rp * l[0] * l[0]);
        const long double Ny = -Rp * l[0] * l[0] * l[1] + w * l[2], Nz = -Rp * l[0] * l[0] * l[2] - w * l[1];
        const long double x = q[0] + d * l[0] + R * Rp * l[0], y = q[1] + d * l[1] + R * Ny / q2;
        const long double z = 0.46L + q[2] + d * l[2] + R * Nz / q2;
        double slope;
        const double rail = rail_at((double)(side * (y - shape.kappa * x * x / 2) - 0.7532L), &slope);
        delta[j] = z - shape.twist * x * y - rail;
        m = fminl(m, delta[j]);
    }
    for (int j = 0; j < TRAIN_POINTS; j++) sum += expl(-(delta[j] - m) / 5e-6L);
    return -(m - 5e-6L * logl(0.5L / 7.5L * sum));
}

/* A wheelset near the middle of the track, deviations of a few mm and mrad. */
static void random_place(uint64_t *seed, double *q)
{
    static const double size[6] = {5e-3, 4e-3, 2e-4, 1e-3, 1, 4e-3};
    for (int i = 0; i < 6; i++) q[i] = size[i] * bench_random(seed);
}

CLAIM(penetration_is_that_of_the_plain_formula)
{
    uint64_t seed = 3;
    for (int trial = 0; trial < 200; trial++) {
        double q[6];
        random_place(&seed, q);
        for (int side = -1; side <= 1; side += 2)
            bench_near(touch_at(side, q, curved).g, (double)plain_g(side, q, curved), 1e-15);
    }
}

/* G against differences: g varies over eps/(change of slope) = 5e-6/0.05 m or more, so with h = 1e-7 the error is 1e-7
 * of dg/dy through the third derivative and 1e-9 through rounding; Richardson's step takes the first away. */
static double difference(int side, const double *q, int i, double h, train_rail_shape shape)
{
    double ahead[6], behind[6];
    memcpy(ahead, q, sizeof ahead), memcpy(behind, q, sizeof behind);
    ahead[i] += h, behind[i] -= h;
    return (double)((plain_g(side, ahead, shape) - plain_g(side, behind, shape)) / (2 * (long double)h));
}

CLAIM(derivatives_are_those_of_the_penetration)
{
    uint64_t seed = 4;
    for (int trial = 0; trial < 50; trial++) {
        double q[6];
        random_place(&seed, q);
        for (int side = -1; side <= 1; side += 2) {
            const train_touch t = touch_at(side, q, curved);
            double row[6];
            train_row(&t, row);
            for (int i = 0; i < 6; i++) {
                const double once = difference(side, q, i, 2e-7, curved), twice = difference(side, q, i, 4e-7, curved);
                bench_near(row[i], (4 * once - twice) / 3, 1e-8);
            }
            const double h = 1e-7;
            train_rail_shape more = curved, less = curved;
            more.kappa += h, less.kappa -= h;
            bench_near(t.kappa, (double)((plain_g(side, q, more) - plain_g(side, q, less)) / (2 * (long double)h)),
                       1e-8);
            more = less = curved, more.twist += h, less.twist -= h;
            bench_near(t.twist, (double)((plain_g(side, q, more) - plain_g(side, q, less)) / (2 * (long double)h)),
                       1e-8);
        }
    }
}

CLAIM(a_wheelset_beside_the_track_is_refused)
{
    const double beside[6] = {0, 0.1, 0, 0, 0, 0}, across[6] = {0, 0, 0, 0, 0, 1.5};
    train_touch touch;
    mb_state s = wheelset_at(beside);
    assert_int_equal(
        train_contact(&profiles, 1, &s, straight, &touch) + train_contact(&profiles, -1, &s, straight, &touch), 2);
    s = wheelset_at(across);
    assert_int_equal(train_contact(&profiles, 1, &s, straight, &touch), 1);
}

/* Height moves g and the place, way along a straight track the place alone; some mm off the rail, or in it, is too
 * far. */
CLAIM(contacts_follow_from_those_at_height_zero)
{
    uint64_t seed = 6;
    for (int trial = 0; trial < 20; trial++) {
        double q[6], level[6];
        random_place(&seed, q);
        memcpy(level, q, sizeof q);
        level[0] = level[2] = 0;
        for (int side = -1; side <= 1; side += 2) {
            const train_touch t = touch_at(side, q, straight);
            train_touch u = touch_at(side, level, straight);
            bench_near(u.g, (double)plain_g(side, level, straight), 1e-16);
            assert_int_equal(train_shift(&u, q[0], q[2]), 0);
            bench_near(u.g, (double)plain_g(side, q, straight), 1e-16);
            bench_near(u.P.x, t.P.x, 1e-15), bench_near(u.P.z, t.P.z, 1e-15);
            bench_near(u.phi, t.phi, 1e-13), bench_near(u.psi, t.psi, 1e-13);
            train_touch high = u, low = u;
            assert_int_equal(train_shift(&high, 0, 4e-3) + train_shift(&low, 0, -4e-3), 2);
            assert_int_equal(train_shift(&u, 0, NAN), 1);
        }
    }
}

static int make_profiles(void **state)
{
    train_profiles_make(&profiles);
    return 0;
}

int main(void)
{
    return claims_run(make_profiles, NULL);
}
