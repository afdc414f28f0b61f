/* test_linearize_vehicles.c - eigenvalues of the train, the car and the rear axle beside those that others found for
 * the same models: by a prototype in Python with matrices of its own, told to two to four digits. Frequencies there
 * are |lambda|/(2 pi). */
#include "linear_fixture.h"
#include "test/fixtures/bench_fixture.h"

static const double pi = 3.14159265358979323846;

/* `times` modes of a frequency and a damping ratio, each to the unit of its last digit; a damping of 1 is a real
 * eigenvalue -2 pi hz. */
typedef struct told {
    double hz, hz_unit, damping, damping_unit;
    int times;
} told;
#define REAL(value, unit) -(value) / (2 * 3.14159265358979323846), (unit) / (2 * 3.14159265358979323846), 1, 1e-4

static const told train[] = {{0.586, 0.001, 0.222, 0.001, 1},
                             {0.875, 0.001, 0.525, 0.001, 1},
                             {1.08, 0.01, 0.135, 0.001, 1},
                             {1.26, 0.01, 0.363, 0.001, 1},
                             {1.30, 0.01, 0.162, 0.001, 1},
                             {1.99, 0.01, 0.365, 0.001, 1},
                             {2.00, 0.01, 0.368, 0.001, 1},
                             {4.22, 0.01, 0.063, 0.001, 1},
                             {4.25, 0.01, 0.063, 0.001, 1},
                             {7.41, 0.01, 0.24, 0.01, 1},
                             {7.43, 0.01, 0.24, 0.01, 1},
                             {9.62, 0.01, 0.32, 0.01, 1},
                             {9.65, 0.01, 0.32, 0.01, 1},
                             {11.66, 0.01, 0.121, 0.001, 2},
                             {13.1, 0.1, 0.21, 0.01, 2},
                             {26.06, 0.01, 0.052, 0.001, 2},
                             {37.4, 0.1, 0.857, 0.001, 2},
                             {40.9, 0.1, 0.297, 0.001, 2},
                             {44.4, 0.1, 0.084, 0.001, 2},
                             {REAL(-31.5, 0.1), 1},
                             {REAL(-252, 1), 2},
                             {REAL(-361, 1), 4},
                             {REAL(-1806, 1), 4}};
static const told car[] = {{REAL(-0.18, 0.01), 1},      {REAL(-2.44, 0.01), 1},      {REAL(-11.2, 0.1), 1},
                           {REAL(-20.5, 0.1), 1},       {REAL(-243, 13), 4},         {1.36, 0.01, 0.33, 0.01, 1},
                           {1.52, 0.01, 0.27, 0.01, 1}, {1.76, 0.01, 0.48, 0.01, 1}, {12.05, 0.5, 0.395, 0.03, 4},
                           {254, 1, 0.32, 0.01, 1},     {301, 1, 0.39, 0.01, 1}};
static const told axle[] = {{12.10, 0.01, 0.34, 0.01, 1}, {12.33, 0.01, 0.34, 0.01, 1}, {16.8, 0.1, 0.11, 0.01, 1},
                            {17.5, 0.1, 0.10, 0.01, 1},   {33.1, 0.1, 0.08, 0.01, 1},   {34.3, 0.1, 0.07, 0.01, 1},
                            {37.7, 0.1, 0.10, 0.01, 1},   {41.4, 0.1, 0.10, 0.01, 1},   {51.2, 0.1, 0.07, 0.01, 1},
                            {254, 1, 0.32, 0.01, 1},      {301, 1, 0.38, 0.01, 1}};

static int is_near(const linear *x, int k, const told *m)
{
    const double size = hypot(x->modes.re[k], x->modes.im[k]);
    return fabs(size / (2 * pi) - m->hz) <= m->hz_unit && fabs(-x->modes.re[k] / size - m->damping) <= m->damping_unit;
}

/* Pairs count once, real ones each: im >= 0 in the list of modes. Two real ones that are one may have come out as a
 * pair, by rounding. */
static int number_near(const linear *x, const told *m)
{
    int n = 0;
    for (int k = 0; k < x->modes.n; k++)
        if (is_near(x, k, m)) n += m->damping == 1 && x->modes.im[k] > 0 ? 2 : 1;
    return n;
}

static void compare(const char *name, const bench_setting *settings, const told *modes, int n)
{
    linear x;
    bench *b = bench_make(name, settings);
    linear_open(&x, b->m, RESIDA_FORMALISM_RESIDUAL, b->model.t0, b->model.p0, b->model.v0);
    for (int i = 0; i < n; i++) {
        const int found = number_near(&x, &modes[i]);
        if (found < modes[i].times)
            fail_msg("%s: %d of %d modes at %g Hz, damping %g", name, found, modes[i].times, modes[i].hz,
                     modes[i].damping);
    }
}

CLAIM(the_train_has_the_modes_that_are_known_of_it)
{
    compare("train", NULL, train, (int)(sizeof train / sizeof *train));
}

CLAIM(the_car_has_the_modes_that_are_known_of_it)
{
    compare("car", NULL, car, (int)(sizeof car / sizeof *car));
}

CLAIM(the_rear_axle_has_the_modes_that_are_known_of_it)
{
    compare("rear-axle", NULL, axle, (int)(sizeof axle / sizeof *axle));
}

/* The smallest damping ratio of all vibrations of the train at a speed. */
static double min_damping(double v)
{
    linear x;
    const bench_setting settings[] = {{"v", v}, {NULL, 0}};
    bench *b = bench_make("train", settings);
    double min = 1;
    linear_open(&x, b->m, RESIDA_FORMALISM_RESIDUAL, b->model.t0, b->model.p0, b->model.v0);
    for (int k = 0; k < x.modes.n; k++)
        if (x.modes.im[k] > 1) min = fmin(min, -x.modes.re[k] / hypot(x.modes.re[k], x.modes.im[k]));
    return min;
}

CLAIM(critical_speed_of_the_train_is_76_metres_per_second)
{
    static const double known[][2] = {{15, 0.047}, {25, 0.052}, {60, 0.064}, {70, 0.041}};
    for (int k = 0; k < 4; k++) bench_near(min_damping(known[k][0]), known[k][1], 6e-4);
    assert_true(min_damping(76.2) > 0);
    assert_true(min_damping(76.4) < 0);
}
