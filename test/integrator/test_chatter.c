/* test_chatter.c - which series of steps chatter: the changes of their slopes are known. */
#include "src/core/ida/chatter.h"
#include "test/fixtures/bench_fixture.h"

enum { STEPS = 5000, NONE = -1 };

/** y at step k, in tolerances. */
typedef double series(int k, double size);

/* The slope changes by `size` tolerances in each step, with alternating signs. */
static double to_and_fro(int k, double size)
{
    return (k % 2 ? size : -size) / 4;
}

/* Noise of that size. */
static double noise(int k, double size)
{
    const double x = sin(12.9898 * k) * 43758.5453;
    return (x - floor(x) - 0.5) * size;
}

/* A vibration with ten steps per period. */
static double vibration(int k, double size)
{
    return size * sin(0.628318530717959 * k);
}

/* Watch steps of size h from t = 1 on. Every `failing`-th step fails once; 0: none fails. Return the component that
 * chatters, or NONE. */
static int watch(series *y, double size, double h, int failing)
{
    rsd_owner owner;
    const resida_allocator from = rsd_allocator(NULL), alloc = rsd_get_owned_allocator(&owner, &from);
    const double w = 1e6, tested = 1;
    rsd_chatter c = {.n = 1};
    int at = NONE;
    assert_true(rsd_chatter_create(&c, &alloc) >= 0);
    for (int k = 1; k <= STEPS && at == NONE; k++) {
        const double value = y(k, size) / w;
        at = rsd_chatter_add_step(&c, 1 + k * h, failing ? k / failing : 0, &value, &w, &tested);
    }
    rsd_owner_free(&owner);
    return at;
}

#define SHORT 1e-6
#define LONG  1e-1

CLAIM(slopes_that_alternate_by_a_third_of_the_tolerance_chatter)
{
    assert_int_equal(watch(to_and_fro, 1, SHORT, 0), 0);
    assert_int_equal(watch(to_and_fro, 0.35, SHORT, 0), 0);
    assert_int_equal(watch(to_and_fro, 0.1, SHORT, 2), 0);
}

CLAIM(errors_of_the_iteration_and_noise_are_not_chattering)
{
    assert_int_equal(watch(to_and_fro, 0.25, SHORT, 0), NONE);
    assert_int_equal(watch(to_and_fro, 0.005, SHORT, 2), NONE);
    assert_int_equal(watch(noise, 1, SHORT, 0), NONE);
    assert_int_equal(watch(noise, 100, SHORT, 0), NONE);
}

CLAIM(a_vibration_is_not_chattering)
{
    for (int failing = 0; failing <= 2; failing += 2) {
        assert_int_equal(watch(vibration, 1, SHORT, failing), NONE);
        assert_int_equal(watch(vibration, 1e4, SHORT, failing), NONE);
    }
}

CLAIM(steps_that_advance_t_are_not_chattering)
{
    assert_int_equal(watch(to_and_fro, 1, LONG, 0), NONE);
    assert_int_equal(watch(to_and_fro, 1, LONG, 2), NONE);
}
