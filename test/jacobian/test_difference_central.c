/* test_difference_central.c - central differences: the error falls with the square of the increment, |y| eps^(1/3), so
 * what is left is some eps^(2/3) = 4e-11 of truncation and eps/delta = 4e-11 of rounding, against eps^(1/2) = 1.5e-8 of
 * forward ones. A group takes two calls. */
#include <resida/jacobian.h>

#include "test/fixtures/bench_fixture.h"
#include "jacobian_fixture.h"
#include "test/fixtures/solver_fixture.h"

#define CENTRAL 1e-9 /* of a row */
#define FORWARD 1e-6

enum { N = 12, TRIALS = 100 };

/* F_i = sum over a band of sin(a y_j + b) + (1 + 0.2 cos(y_i)) yp_i, and its calls. */
typedef struct probe {
    double a[N][N], b[N][N];
    int half_width;
    long calls;
    int refused, side; /* component; 1: above the base, -1: below */
    double base[N];
} probe;

static int is_in_band(const probe *q, int i, int c)
{
    return abs(i - c) <= q->half_width;
}

static int probe_F(double t, const double *y, const double *yp, double *r, void *user)
{
    probe *q = user;
    q->calls++;
    for (int i = 0; i < N; i++) {
        r[i] = (1 + 0.2 * cos(y[i])) * yp[i];
        for (int c = 0; c < N; c++)
            if (is_in_band(q, i, c)) r[i] += sin(q->a[i][c] * y[c] + q->b[i][c]);
    }
    return q->side != 0 && (y[q->refused] - q->base[q->refused]) * q->side > 0;
}

static void exact(const probe *q, double alpha, const double *y, const double *yp, double *J)
{
    for (int c = 0; c < N; c++)
        for (int i = 0; i < N; i++) {
            J[c * N + i] = is_in_band(q, i, c) ? q->a[i][c] * cos(q->a[i][c] * y[c] + q->b[i][c]) : 0;
            if (i == c) J[c * N + i] += alpha * (1 + 0.2 * cos(y[i])) - 0.2 * sin(y[i]) * yp[i];
        }
}

typedef struct result {
    double off;
    long calls;
    int verdict;
    resida_jacobian_counts counts;
} result;

/* The second evaluation at a random point, after which a pattern is there. */
static result evaluate(probe *q, const char *strategy, resida_differences differences, uint64_t *seed)
{
    resida_jacobian_options o;
    resida_system s;
    double yp[N], F[N], found[N * N], J[N * N];
    result out = {.verdict = 0};
    int current, side = q->side;
    for (int i = 0; i < N; i++) {
        double x = 2 * bench_random(seed), xp = bench_random(seed);
        q->base[i] = x + copysign(1, x);
        yp[i] = xp + copysign(1, xp); /* increments of both are relative */
        for (int c = 0; c < N; c++) q->a[i][c] = bench_random(seed), q->b[i][c] = bench_random(seed);
    }
    resida_system_init(&s);
    s.n = N, s.F = probe_F, s.user = q;
    resida_jacobian_options_init(&o);
    o.strategy = strategy, o.differences = differences;
    resida_jacobian *j = test_jacobian(&s, &o);
    q->side = 0;
    assert_int_equal(probe_F(0, q->base, yp, F, q), 0);
    resida_jacobian_point at = {.alpha = 3, .h = 0.1, .y = q->base, .yp = yp, .F = F};
    assert_int_equal(resida_jacobian_setup(j, RESIDA_SETUP_FIRST, &at, &current), 0);
    q->side = side;
    q->calls = 0;
    out.verdict = resida_jacobian_setup(j, RESIDA_SETUP_OTHER, &at, &current);
    out.calls = q->calls;
    assert_int_equal(resida_jacobian_get_counts(j, &out.counts), RESIDA_OK);
    if (out.verdict == 0) {
        get_full(j, N, found);
        exact(q, at.alpha, q->base, yp, J);
        out.off = off_by_row(N, found, J);
    }
    return out;
}

CLAIM(central_differences_are_exact_to_1e_9_where_forward_ones_are_to_1e_7_at_best)
{
    static const char *const strategies[] = {"dense", "sparse", "dense+partitioned", "sparse+partitioned", "fresh"};
    double worst[2] = {0, 0};
    for (int s = 0; s < 5; s++) {
        uint64_t seed = 3;
        for (int trial = 0; trial < TRIALS; trial++)
            for (int central = 0; central < 2; central++) {
                probe q = {.half_width = trial % 2 ? 1 : N};
                result r = evaluate(&q, strategies[s], (resida_differences)central, &seed);
                assert_int_equal(r.verdict, 0);
                worst[central] = fmax(worst[central], r.off);
            }
    }
    print_message("J off by %.1e of its row forward, %.1e central\n", worst[0], worst[1]);
    assert_true(worst[0] < FORWARD && worst[0] > CENTRAL);
    assert_true(worst[1] < CENTRAL);
}

CLAIM(a_group_takes_two_calls)
{
    uint64_t seed = 1;
    probe q = {.half_width = N}, band = {.half_width = 1};
    result one = evaluate(&q, "dense", RESIDA_DIFFERENCES_FORWARD, &seed);
    result two = evaluate(&q, "dense", RESIDA_DIFFERENCES_CENTRAL, &seed);
    assert_int_equal(one.calls, N);
    assert_int_equal(two.calls, 2 * N);
    assert_int_equal(two.counts.residual_calls, 4 * N);
    one = evaluate(&band, "sparse", RESIDA_DIFFERENCES_FORWARD, &seed);
    two = evaluate(&band, "sparse", RESIDA_DIFFERENCES_CENTRAL, &seed);
    assert_int_equal(two.counts.groups, one.counts.groups);
    assert_true(one.counts.groups < N);
    assert_int_equal(one.calls, one.counts.groups + 1); /* and the check */
    assert_int_equal(two.calls, 2 * two.counts.groups + 1);
}

/* One side is enough, at its accuracy. */
CLAIM(a_refused_side_of_a_central_difference_is_not_used)
{
    uint64_t seed = 8;
    for (int side = -1; side < 2; side += 2) {
        probe q = {.half_width = N, .refused = 4, .side = side};
        result r = evaluate(&q, "dense", RESIDA_DIFFERENCES_CENTRAL, &seed);
        assert_int_equal(r.verdict, 0);
        assert_int_equal(r.calls, 2 * N);
        assert_true(r.off < 1e-4 && r.off > CENTRAL);
    }
}
