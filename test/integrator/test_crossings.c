/* test_crossings.c - root functions that cross zero more than once within a step: each crossing is found, in steps that
 * adapt and in steps of a fixed size, at a price that is counted.
 *
 * Root functions of t alone have known zeros; y' = -y beside them soon lets the steps grow without limit. */
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/mechanisms/small.h"
#include "test/fixtures/claims.h"

enum { N_ROOT = 2 };
typedef struct bell {
    void (*ring)(const struct bell *b, double t, double *out);
    double rate, phase, level;
    long calls;
} bell;

typedef struct run {
    resida_problem *problem;
    resida_solver *solver;
} run;

/* How steps are taken. */
static const struct {
    const char *method;
    double step;
} ways[] = {{"bdf", 0}, {"bdf2", 0.01}, {"radau-iia-3", 0.73}, {"midpoint", 3}, {"radau-iia-3", 0}};
enum { N_WAYS = sizeof ways / sizeof *ways };

static int rings(double t, const double *y, const double *yp, const resida_excitation *e, double *out, void *user)
{
    bell *b = user;
    b->calls++;
    out[1] = 1;
    b->ring(b, t, out);
    return 0;
}

static resida_solver_options options(int way)
{
    resida_solver_options o = test_solver_options();
    o.method = ways[way].method;
    o.step = ways[way].step;
    return o;
}

static void open_bell(run *r, bell *b, const resida_solver_options *o)
{
    resida_dae d = test_dae();
    d.n = 1;
    d.n_root = N_ROOT;
    d.user = b;
    d.residual = small_decay;
    d.root = rings;
    test_solver_make_dae(&r->problem, &r->solver, &d, NULL, o);
    assert_int_equal(resida_solver_start_dae(r->solver, 0, &(double){1}, &(double){-1}), RESIDA_OK);
}

/* The next event before t_out: its time, INFINITY when there is none; and its direction. */
static double next_event(run *r, double t_out, int *direction)
{
    int found[N_ROOT];
    resida_status status = resida_solver_advance(r->solver, t_out);
    if (status < 0) fail_msg("%s", resida_solver_message(r->solver));
    if (status != RESIDA_EVENT) return INFINITY;
    assert_int_equal(resida_solver_event(r->solver, found), RESIDA_OK);
    resida_state at = test_state(r->solver);
    *direction = found[0];
    return at.t;
}

/* --- many in a step
 * ------------------------------------------------------------------------------------------------ */

static void sine(const bell *b, double t, double *out)
{
    out[0] = sin(b->rate * t + b->phase) - b->level;
}

CLAIM(a_fast_oscillation_is_followed_through_long_steps)
{
    enum { ALL = 101859, CALLS = 16 };
    const double t_end = 320;
    for (int way = 0; way < N_WAYS; way++)
        for (int j = 0; j < (way == 0 ? 2 : 1); j++) {
            run r;
            bell b = {.ring = sine, .rate = 1000};
            resida_solver_options o = options(way);
            o.jacobian = j ? "dense" : "auto";
            open_bell(&r, &b, &o);
            int direction = 0;
            long found = 0;
            for (double t; (t = next_event(&r, t_end, &direction)) < INFINITY; found++) {
                assert_true(fabs(t - (double)(found + 1) * acos(-1) / b.rate) < 1e-9);
                assert_int_equal(direction, found % 2 ? 1 : -1);
            }
            const resida_stats stats = test_stats(r.solver);
            print_message("%s, %s: %ld of %d events in %ld steps, %ld calls\n", o.method, o.jacobian, found, ALL,
                          stats.steps, stats.root_calls);
            assert_int_equal(found, ALL);
            assert_int_equal(stats.events, ALL);
            assert_int_equal(stats.events_in_doubt, 0);
            assert_int_equal(stats.root_calls, b.calls);
            assert_true(stats.root_calls < CALLS * (long)ALL);
        }
}

/* Of sin(rate t + phase) = level, for t in (0, t_end]. */
static long crossings(const bell *b, double t_end)
{
    const double pi = acos(-1), x = asin(b->level), at[2] = {x, pi - x};
    long count = 0;
    for (int k = 0; k < 2; k++)
        count += (long)(floor((b->rate * t_end + b->phase - at[k]) / (2 * pi)) - floor((b->phase - at[k]) / (2 * pi)));
    return count;
}

/* The level is near the top, so that crossings come in pairs that are close together. */
CLAIM(random_oscillations_lose_no_pair)
{
    const double t_end = 10;
    srand(7);
    for (int k = 0; k < 160; k++) {
        run r;
        int direction = 0;
        long found = 0;
        bell b = {.ring = sine, .rate = pow(10, 2.7 * rand() / RAND_MAX), .phase = 6.0 * rand() / RAND_MAX};
        b.level = (k % 2 ? -1 : 1) * (1 - pow(10, -6.0 * rand() / RAND_MAX));
        const resida_solver_options o = options(k % N_WAYS);
        open_bell(&r, &b, &o);
        while (next_event(&r, t_end, &direction) < INFINITY) found++;
        if (found != crossings(&b, t_end))
            fail_msg("%s: sin(%g t + %g) = %.9g: %ld of %ld", o.method, b.rate, b.phase, b.level, found,
                     crossings(&b, t_end));
        assert_int_equal(test_stats(r.solver).events_in_doubt, 0);
    }
}

/* --- a ball that only just reaches a height
 * ------------------------------------------------------------------------ */

static int flies(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                 void *user)
{
    r[0] = a[0] + 10;
    return 0;
}

static int height(double t, const double *p, const double *v, const resida_excitation *e, double *out, void *user)
{
    out[0] = p[0] - *(const double *)user;
    out[1] = 1;
    return 0;
}

/* p = 10 t - 5 t^2 has its top 5 at t = 1, and is integrated without error in steps of any length. */
CLAIM(a_ball_that_only_just_reaches_a_height_is_seen_twice)
{
    static const double below[] = {1, 1e-2, 1e-4, 1e-6};
    static const struct {
        const char *method;
        double step;
    } methods[] = {{"bdf", 0}, {"bdf3", 0.4}, {"radau-iia-2", 1.9}, {"newmark", 0.8}, {"radau-iia-3", 0}};
    for (int m = 0; m < 5; m++)
        for (int k = 0; k < 4; k++) {
            run r;
            resida_mechanism model = test_mechanism();
            double goal = 5 - below[k];
            int direction = 0;
            resida_solver_options o = test_solver_options();
            o.method = methods[m].method;
            o.step = methods[m].step;
            o.rtol = o.atol = 1e-10;
            model.n_p = model.n_v = 1;
            model.n_root = N_ROOT;
            model.user = &goal;
            model.residual = flies;
            model.root = height;
            test_solver_make(&r.problem, &r.solver, &model, NULL, &o);
            assert_int_equal(resida_solver_start(r.solver, 0, &(double){0}, &(double){10}, NULL, NULL), RESIDA_OK);
            for (int side = -1; side <= 1; side += 2) {
                double t = next_event(&r, 2.5, &direction), exact = 1 + side * sqrt(below[k] / 5);
                if (!(fabs(t - exact) < 1e-5)) fail_msg("%s, %g below: %g, not %g", o.method, below[k], t, exact);
                assert_int_equal(direction, -side);
            }
            assert_true(next_event(&r, 2.5, &direction) == INFINITY);
        }
}

/* --- several functions in one step
 * ---------------------------------------------------------------------------------- */

static void two_lines(const bell *b, double t, double *out)
{
    out[0] = t - b->phase;
    out[1] = b->level - t;
}

CLAIM(the_remainder_of_a_step_after_an_event_is_searched)
{
    for (int way = 0; way < N_WAYS; way++) {
        run r;
        int direction = 0;
        bell b = {.ring = two_lines, .phase = 50.001, .level = 50.004};
        const resida_solver_options o = options(way);
        open_bell(&r, &b, &o);
        assert_true(fabs(next_event(&r, 60, &direction) - b.phase) < 1e-12);
        assert_int_equal(direction, 1);
        assert_true(fabs(next_event(&r, 60, &direction) - b.level) < 1e-12);
        assert_int_equal(direction, 0);
        assert_true(next_event(&r, 60, &direction) == INFINITY);
    }
}

/* --- what it costs
 * -------------------------------------------------------------------------------------------------- */

static void slope(const bell *b, double t, double *out)
{
    out[0] = 3 + b->rate * t;
    out[1] = t - 7.25;
}

CLAIM(functions_that_are_straight_cost_two_calls_a_step)
{
    enum { FOR_START_AND_EVENT = 20, FOR_GROWING_STEPS = 30 }; /* Radau IIA: up to 10 times the step before */
    for (int way = 0; way < N_WAYS; way++) {
        run r;
        int direction = 0;
        bell b = {.ring = slope, .rate = 2};
        const resida_solver_options o = options(way);
        open_bell(&r, &b, &o);
        assert_true(fabs(next_event(&r, 30, &direction) - 7.25) < 1e-12);
        assert_true(next_event(&r, 30, &direction) == INFINITY);
        const resida_stats stats = test_stats(r.solver);
        print_message("%s: %ld steps, %ld calls\n", o.method, stats.steps, stats.root_calls);
        const int grows = o.step == 0 && strcmp(o.method, "bdf") != 0;
        assert_true(stats.root_calls <= 2 * stats.steps + (grows ? FOR_GROWING_STEPS : FOR_START_AND_EVENT));
    }
}

CLAIM(with_no_parts_the_ends_of_steps_alone_are_looked_at)
{
    for (int way = 0; way < N_WAYS; way++) {
        run r;
        int direction = 0;
        bell b = {.ring = sine, .rate = 1000};
        resida_solver_options o = options(way);
        o.event_parts = 0;
        open_bell(&r, &b, &o);
        while (next_event(&r, 30, &direction) < INFINITY) {
        };
        const resida_stats stats = test_stats(r.solver);
        assert_true(stats.events <= stats.steps);
    }
}

/* A dip of width 0.05 somewhere in 100 s: seen where parts are short enough. */
static void dip(const bell *b, double t, double *out)
{
    out[0] = 1 - 2 * exp(-pow((t - b->phase) / 0.025, 2));
}

CLAIM(a_narrow_dip_is_seen_in_parts_that_are_short_enough)
{
    for (int way = 0; way < N_WAYS; way++)
        for (int k = 0; k < 5; k++) {
            run r;
            int direction = 0;
            bell b = {.ring = dip, .phase = 1 + 19.3 * k};
            resida_solver_options o = options(way);
            const double longest = o.step > 0 ? o.step : 3;
            if (o.step == 0) o.h_max = longest;
            o.event_parts = 1 + (int)(longest / 0.03);
            open_bell(&r, &b, &o);
            assert_true(fabs(next_event(&r, 100, &direction) - (b.phase - 0.025 * sqrt(log(2)))) < 1e-9);
            assert_true(fabs(next_event(&r, 100, &direction) - (b.phase + 0.025 * sqrt(log(2)))) < 1e-9);
            assert_true(next_event(&r, 100, &direction) == INFINITY);
        }
}

/* Noise between 0.001 and 1. */
static void noise(const bell *b, double t, double *out)
{
    uint64_t bits;
    memcpy(&bits, &t, sizeof bits);
    bits = (bits ^ (bits >> 31)) * UINT64_C(0x9E3779B97F4A7C15);
    bits = (bits ^ (bits >> 29)) * UINT64_C(0xBF58476D1CE4E5B9);
    out[0] = 0.001 + (double)(bits >> 12) / 4503599627370496.0;
}

CLAIM(a_function_that_cannot_be_resolved_is_counted_at_a_bounded_cost)
{
    enum { CALLS = 1100 };
    for (int way = 0; way < N_WAYS; way++) {
        run r;
        int direction = 0;
        bell b = {.ring = noise};
        const resida_solver_options o = options(way);
        open_bell(&r, &b, &o);
        assert_true(next_event(&r, 30, &direction) == INFINITY);
        const resida_stats stats = test_stats(r.solver);
        assert_true(stats.events_in_doubt > 0);
        assert_true(stats.root_calls < CALLS * (stats.steps + 1));
    }
}

static void noise_beside_a_sine(const bell *b, double t, double *out)
{
    noise(b, t, out);
    out[1] = sin(b->rate * t + b->phase) - b->level;
}

/* Zero at the start, and for a long time known in a few units of rounding alone. */
static void touch_beside_a_sine(const bell *b, double t, double *out)
{
    volatile double height = 0.5 + 5e-4 * t;
    out[0] = (height - 0.5) * (height - 0.5) + 1e-40;
    out[1] = sin(b->rate * t + b->phase) - b->level;
}

/* Crossings come in pairs, 1e-4 s apart. */
CLAIM(a_function_that_cannot_be_followed_hides_no_other)
{
    static void (*const rings_of[])(const bell *, double, double *) = {noise_beside_a_sine, touch_beside_a_sine};
    for (int k = 0; k < 2; k++)
        for (int way = 0; way < N_WAYS; way++) {
            run r;
            int direction = 0;
            long found = 0;
            bell b = {.ring = rings_of[k], .rate = 200, .level = 0.9999};
            const resida_solver_options o = options(way);
            open_bell(&r, &b, &o);
            while (next_event(&r, 1, &direction) < INFINITY) found += direction == 0;
            if (found != crossings(&b, 1)) fail_msg("%s, %d: %ld of %ld", o.method, k, found, crossings(&b, 1));
            if (k == 0) assert_true(test_stats(r.solver).events_in_doubt > 0);
        }
}

/* The function t - level, whose level rises at each event. */
static void alarm(const bell *b, double t, double *out)
{
    out[0] = t - b->level;
}

CLAIM(a_function_changed_after_its_event_begins_on_its_new_side)
{
    for (int way = 0; way < N_WAYS; way++) {
        run r;
        bell b = {.ring = alarm, .level = 0.5};
        const resida_solver_options o = options(way);
        open_bell(&r, &b, &o);
        for (int k = 0; k < 20; k++) {
            int direction = 0;
            const double t = next_event(&r, 30, &direction);
            assert_true(fabs(t - b.level) < 1e-9 && direction == 1);
            b.level += k % 3 ? 0.01 : 1.3;
        }
        b.level = -1; /* on the side of the last crossing: no event */
        assert_true(next_event(&r, 30, &(int){0}) == INFINITY);
    }
}
