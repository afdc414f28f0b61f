/* test_increment.c - increments of difference quotients: equation (17) of Arnold, Fuchs, Fuehrer where nothing else
 * applies, floored by the error weights, in the direction of the step, exact. */
#include "jacobian/differences/differences.h"
#include "test/fixtures/bench_fixture.h"

/* The increment of one component. */
static double increment(double y, double yp, double h, const double *weight)
{
    const resida_jacobian_point at = {.alpha = 1, .h = h, .y = &y, .yp = &yp, .F = &y, .weights = weight};
    return rsd_increment(&at, 0, RSD_MIN_NOMINAL, 0);
}

static const double sizes[] = {0, 1e-300, 1e-12, 1e-5, 1.2e-4, 1.3e-4, 1e-2, 0.3, 1, 7, 1e4, 1e100};
enum { N_SIZES = sizeof sizes / sizeof *sizes };

/* Exact but for the rounding of y + delta. */
CLAIM(increment_is_that_of_equation_17)
{
    for (int i = 0; i < N_SIZES; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            double delta = fabs(increment(sign * sizes[i], 1, 0.1, NULL));
            double expected = fmax(sizes[i], pow(DBL_EPSILON, 0.25)) * sqrt(DBL_EPSILON);
            bench_near(delta, expected, 1e-12 * expected + 2 * DBL_EPSILON * sizes[i]);
        }
}

CLAIM(increment_is_not_below_the_error_weight)
{
    for (int i = -6; i <= 6; i++) {
        double tolerance = pow(10, i), weight = 1 / tolerance;
        double expected = fmax(1, tolerance) * sqrt(DBL_EPSILON);
        bench_near(fabs(increment(1, 1, 0.1, &weight)), expected, 2 * DBL_EPSILON + 1e-12 * expected);
    }
}

CLAIM(increment_goes_where_the_step_goes)
{
    static const double rates[] = {1e-200, 1e-9, 1, 1e9};
    for (int i = 0; i < N_SIZES; i++)
        for (int r = 0; r < 4; r++)
            for (int y = -1; y <= 1; y += 2) {
                assert_true(increment(y * sizes[i], rates[r], 0.1, NULL) > 0);
                assert_true(increment(y * sizes[i], -rates[r], 0.1, NULL) < 0);
                assert_true(increment(y * sizes[i], rates[r], -0.1, NULL) < 0);
                assert_true(increment(y * sizes[i], -rates[r], -0.1, NULL) > 0);
            }
}

/* Moved alone, yp changes by alpha times what y does, at the least. */
CLAIM(increment_of_a_rate_is_not_below_what_an_iteration_changes)
{
    for (int i = -3; i <= 6; i++)
        for (int is_central = 0; is_central < 2; is_central++) {
            double alpha = pow(10, i), y = 2, part = is_central ? cbrt(DBL_EPSILON) : sqrt(DBL_EPSILON);
            double rates[] = {0, 5, -5};
            for (int k = 0; k < 3; k++) {
                const resida_jacobian_point at = {.alpha = alpha, .h = 0.1, .y = &y, .yp = &rates[k], .F = &y};
                double size = fmax(fmax(fabs(rates[k]), pow(DBL_EPSILON, 0.25)), alpha * y);
                double delta = rsd_rate_increment(&at, 0, RSD_MIN_NOMINAL, is_central);
                bench_near(fabs(delta), size * part, 1e-9 * size * part + 2 * DBL_EPSILON * fabs(rates[k]));
                assert_true(rates[k] == 0 || (delta > 0) == (rates[k] > 0));
            }
        }
}

/* At rest, or with an unknown step, there is no direction, but an increment all the same. */
CLAIM(increment_is_never_zero)
{
    static const double steps[] = {0, 0.1, -0.1}, rates[] = {0, 1, -1};
    for (int i = 0; i < N_SIZES; i++)
        for (int k = 0; k < 9; k++) assert_true(fabs(increment(sizes[i], rates[k / 3], steps[k % 3], NULL)) >= 1e-12);
}

/* y + delta is a number, and the difference to y is delta: also at steps over a power of two. */
CLAIM(increment_is_exactly_representable)
{
    uint64_t seed = 7;
    for (int i = 0; i < 10000; i++) {
        double y = ldexp(1 + (i % 2 ? 1e-8 : 1) * bench_random(&seed), i % 40 - 20);
        double delta = increment(y, bench_random(&seed), 1, NULL);
        volatile double perturbed = y + delta;
        assert_true(perturbed - y == delta);
    }
}
