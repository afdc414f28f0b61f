/* test_chatter.c - what is told to chatter and what is not: series of steps whose changes of slope are known. */
#include "src/core/ida/chatter.h"
#include "test/fixtures/bench_fixture.h"

enum { STEPS = 5000, NOBODY = -1 };

/** y at step k, in tolerances. */
typedef double series(int k, double size);

/* The slope changes by `size` tolerances over a step, to and fro. */
static double to_and_fro(int k, double size)
{
    return (k % 2 ? size : -size) / 4;
}

/* The same sizes without an order: noise. */
static double noise(int k, double size)
{
    const double x = sin(12.9898 * k) * 43758.5453;
    return (x - floor(x) - 0.5) * size;
}

/* Ten steps for a period. */
static double vibration(int k, double size)
{
    return size * sin(0.628318530717959 * k);
}

/* Steps of size h from t = 1 on, of which every `failing`th fails once; 0: none does. */
static int watch(series *y, double size, double h, int failing)
{
    rsd_owner owner;
    const resida_allocator from = rsd_allocator(NULL), alloc = rsd_owned_by(&owner, &from);
    const double w = 1e6, tested = 1;
    rsd_chatter c = {.n = 1};
    int at = NOBODY;
    assert_true(rsd_chatter_create(&c, &alloc) >= 0);
    for (int k = 1; k <= STEPS && at == NOBODY; k++) {
        const double value = y(k, size) / w;
        at = rsd_chatter_watch(&c, 1 + k * h, failing ? k / failing : 0, &value, &w, &tested);
    }
    rsd_owner_free(&owner);
    return at;
}

#define SHORT 1e-6
#define LONG  1e-1

CLAIM(steps_that_turn_each_time_chatter_also_where_none_fails)
{
    assert_int_equal(watch(to_and_fro, 1, SHORT, 0), 0);
    assert_int_equal(watch(to_and_fro, 0.35, SHORT, 0), 0);
    assert_int_equal(watch(to_and_fro, 0.1, SHORT, 2), 0);
}

CLAIM(what_the_iteration_leaves_is_no_chattering)
{
    assert_int_equal(watch(to_and_fro, 0.25, SHORT, 0), NOBODY);
    assert_int_equal(watch(to_and_fro, 0.005, SHORT, 2), NOBODY);
    assert_int_equal(watch(noise, 1, SHORT, 0), NOBODY);
    assert_int_equal(watch(noise, 100, SHORT, 0), NOBODY);
}

CLAIM(a_vibration_is_none)
{
    for (int failing = 0; failing <= 2; failing += 2) {
        assert_int_equal(watch(vibration, 1, SHORT, failing), NOBODY);
        assert_int_equal(watch(vibration, 1e4, SHORT, failing), NOBODY);
    }
}

CLAIM(steps_that_lead_on_are_not_watched)
{
    assert_int_equal(watch(to_and_fro, 1, LONG, 0), NOBODY);
    assert_int_equal(watch(to_and_fro, 1, LONG, 2), NOBODY);
}
