/* solver_costs.c - costs of calls: given by the model, estimated from its size, or measured at the first start (option
 * call_cost).
 *
 *     cost = (time of a call - time of a clock query)/(time of an operation)
 *
 * An operation is one of the 2 n^3/3 operations of our own factorisation. Calls and linear algebra then have the same
 * unit. Each time is the shortest of several rounds, which other programs rarely disturb. Costs are rounded to powers
 * of four, to be reproducible on the same machine in most cases. Each call is at another point, because a model may
 * store its last results and return them without work. */
#include "solver_impl.h"

#include "jacobian/engine.h"
#include "base/numbers.h"
#include "base/linear/small_lu.h"

#include <math.h>
#include <string.h>

enum {
    ROUNDS = 5,            /* number of measurements of a time; the shortest one is used */
    FACTORED = 64,         /* number of unknowns of the measured factorisation, as in a small mechanism */
    CALLS_OF_A_ROUND = 64, /* maximum number of calls of each callback in a measurement */
    ROUND_NS = 20000       /* time after which a measurement ends [ns], that of about a thousand clock queries */
};
#define OPERATIONS     (2.0 * FACTORED * FACTORED * FACTORED / 3)
#define MIN_COST       1.0  /* minimum cost of a call [operations], because 0 means that it is unknown */
#define POINT_DISTANCE 1e-6 /* distance between the points of two calls, in tolerances */

/* Fill the matrix with different numbers, the fractional parts of multiples of RSD_GOLDEN, and a dominant diagonal. */
static void fill_matrix(rsd_small_lu *f)
{
    rsd_small_lu_clear(f);
    for (int i = 0; i < FACTORED; i++)
        for (int k = 0; k < FACTORED; k++) {
            const double x = RSD_GOLDEN * (i * FACTORED + k);
            f->a[i * f->ld + k] = x - floor(x) + (i == k ? FACTORED : 0);
        }
}

/* Measure the time of an operation of the factorisation [ns]. Return NAN if there is no memory. */
static double measure_operation(const resida_allocator *alloc)
{
    rsd_small_lu f;
    double shortest = INFINITY;
    const int failed = rsd_small_lu_create(&f, FACTORED, 0, 0, alloc);
    for (int i = 0; i < ROUNDS && !failed; i++) {
        rsd_profile clock = {.ns = {0}};
        fill_matrix(&f);
        rsd_profile_begin(&clock);
        const int back = rsd_profile_enter(&clock, RSD_IN_FACTORS);
        (void)rsd_small_lu_factor(&f);
        rsd_profile_leave(&clock, back);
        shortest = fmin(shortest, (double)clock.ns[RSD_IN_FACTORS]);
    }
    rsd_small_lu_free(&f, alloc);
    return failed ? NAN : shortest / OPERATIONS;
}

/* Measure the time of a callback that does nothing [ns]. */
static double measure_empty_call(void)
{
    double shortest = INFINITY;
    for (int i = 0; i < ROUNDS; i++) {
        rsd_profile clock = {.ns = {0}};
        rsd_profile_begin(&clock);
        for (int k = 0; k < CALLS_OF_A_ROUND; k++) rsd_profile_leave(&clock, rsd_profile_switch(&clock, 0));
        shortest = fmin(shortest, (double)clock.ns[0] / CALLS_OF_A_ROUND);
    }
    return shortest;
}

resida_status rsd_solver_allocate_measure(resida_solver *s, resida_message *why)
{
    const rsd_structure *q = &s->structure;
    const long formalism = q->formalism.n > 0 ? q->formalism.n : 0;
    s->measure.operation_ns = measure_operation(&s->alloc);
    s->measure.values = rsd_doubles(&s->alloc, 2L * s->problem->layout.n + q->y.n + q->yp.n + formalism);
    if (s->measure.values && isfinite(s->measure.operation_ns)) return RESIDA_OK;
    return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory to measure the cost of calls");
}

/* Return point `number` of the measurement: y_new plus `number` POINT_DISTANCE tolerances in each component. */
static const double *displace_point(resida_solver *s, int number)
{
    const int n = s->problem->layout.n;
    const double *y = s->y_new;
    double *to = s->measure.values;
    for (int i = 0; i < n; i++) {
        const double tolerance = rsd_tolerance(&s->o, i, y[i]);
        to[i] = y[i] + number * POINT_DISTANCE * tolerance;
    }
    return to;
}

/* Call all callbacks repeatedly for a round. Compute the mean time of a call of each callback. If the mean of callback
 * i is shorter than shortest[i] [ns], it replaces shortest[i]. Return the verdict of the callbacks. */
static int measure_round_of_calls(resida_solver *s, double t, rsd_profile *clock, double *shortest)
{
    const rsd_tally before = s->guard.tally;
    int verdict = 0;
    memset(clock->ns, 0, sizeof clock->ns);
    rsd_profile_begin(clock);
    const long long begin = clock->since;
    for (int i = 0; i < CALLS_OF_A_ROUND && !verdict && clock->since < begin + ROUND_NS; i++)
        verdict = rsd_solver_call_all(s, t, displace_point(s, i), s->yp_new, s->measure.values + s->problem->layout.n);
    rsd_profile_end(clock);
    for (int i = 0; i < RSD_N_CALLBACKS && !verdict; i++) {
        const long calls = s->guard.tally.calls[i] - before.calls[i];
        if (calls > 0) shortest[i] = fmin(shortest[i], (double)clock->ns[i] / (double)calls);
    }
    return verdict;
}

/* Return the power of four that is closest to `cost`. */
static double round_cost(double cost)
{
    return ldexp(1, 2 * (int)lround(log2(fmax(cost, MIN_COST)) / 2));
}

/* Convert the measured times to costs. The cost of a callback that was not called is 0. */
static void set_measured_costs(resida_solver *s, const double *shortest)
{
    const double look = measure_empty_call();
    resida_system system = {.cost_known = 0};
    for (int i = 0; i < RSD_N_CALLBACKS; i++) {
        if (s->call_costs.of[i] == 0) continue;
        s->call_costs.of[i] = isfinite(shortest[i]) ? round_cost((shortest[i] - look) / s->measure.operation_ns) : 0;
        s->call_costs.is_assumed[i] = 0;
    }
    rsd_problem_set_costs(s->problem, &s->call_costs, &system);
    rsd_engine_set_costs(s->engine, &system);
}

resida_status rsd_solver_measure_costs(resida_solver *s, double t)
{
    rsd_profile *const profile = s->guard.tally.profile, clock = {.ns = {0}};
    double shortest[RSD_N_CALLBACKS];
    int verdict = 0, rounds = 0;
    if (s->starts > 0 || !s->measure.values) return RESIDA_OK;
    for (int i = 0; i < RSD_N_CALLBACKS; i++) shortest[i] = INFINITY;
    s->guard.tally.profile = &clock; /* in the user's profile the measurement is a part of the start */
    while (rounds < ROUNDS && rsd_guard_has_budget(&s->guard, CALLS_OF_A_ROUND)) {
        if ((verdict = measure_round_of_calls(s, t, &clock, shortest))) break;
        rounds++;
    }
    s->guard.tally.profile = profile;
    if (verdict < 0) return s->guard.stop;
    rsd_fault_clear(&s->problem->calls->fault);
    if (rounds > 0) set_measured_costs(s, shortest);
    return RESIDA_OK;
}
