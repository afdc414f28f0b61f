/* test_vector_ops.c - sums and norms of vectors of every length up to a few lanes, against loops without lanes: they
 * differ by rounding at the most, in elementwise sums of two not at all. */
#include "base/vector_ops.h"
#include "test/fixtures/bench_fixture.h"
#include "base/vector_ops.h"
#include "base/lanes.h"

enum { MOST = 17, ROOM = 20, VECTORS = 7 };

static void fill(double *x, uint64_t *seed)
{
    for (int i = 0; i < ROOM; i++) x[i] = bench_random(seed);
}

CLAIM(a_sum_of_two_may_be_written_over_one_of_them)
{
    static const double factors[][2] = {{1, 1}, {1, -0.3}, {0.7, 1}, {-2, 0.1}};
    uint64_t seed = 1;
    double x[ROOM], y[ROOM], z[ROOM], expected[ROOM];
    for (int f = 0; f < 4; f++)
        for (int n = RSD_LANE; n <= ROOM; n += RSD_LANE) {
            double a = factors[f][0], b = factors[f][1];
            fill(x, &seed);
            fill(y, &seed);
            for (int i = 0; i < n; i++) expected[i] = a * x[i] + b * y[i];
            rsd_vector_add_scaled(a, x, b, y, z, n);
            assert_memory_equal(z, expected, (size_t)n * sizeof *z);
            memcpy(z, y, sizeof z);
            rsd_vector_add_scaled(a, x, b, z, z, n);
            assert_memory_equal(z, expected, (size_t)n * sizeof *z);
            rsd_vector_add_scaled(a, x, b, y, x, n);
            assert_memory_equal(x, expected, (size_t)n * sizeof *x);
        }
}

CLAIM(what_lies_beyond_the_length_is_left_alone)
{
    uint64_t seed = 2;
    double x[ROOM], z[ROOM], before[ROOM];
    const double *both[] = {x, x}, c[] = {2, 3};
    fill(x, &seed);
    fill(z, &seed);
    memcpy(before, z, sizeof z);
    rsd_vector_add_scaled(2, x, 3, x, z, 8);
    rsd_vector_scale(2, x, z, 8);
    rsd_vector_scale(1, x, z, 8);
    rsd_vector_combine(2, c, both, z, 8);
    assert_memory_equal(z + 8, before + 8, (ROOM - 8) * sizeof *z);
    assert_memory_not_equal(z, before, 8 * sizeof *z);
}

CLAIM(combinations_of_any_number_add_up)
{
    uint64_t seed = 3;
    double v[VECTORS][ROOM], z[ROOM], c[VECTORS];
    const double *x[VECTORS];
    for (int count = 1; count <= VECTORS; count++)
        for (int in_place = 0; in_place < 2; in_place++) {
            double expected[ROOM] = {0}, size[ROOM] = {0};
            for (int j = 0; j < count; j++) {
                fill(v[j], &seed);
                c[j] = j % 3 ? bench_random(&seed) : 1;
                x[j] = v[j];
                for (int i = 0; i < ROOM; i++) expected[i] += c[j] * v[j][i], size[i] += fabs(c[j] * v[j][i]);
            }
            double *to = in_place ? v[0] : z;
            rsd_vector_combine(count, c, x, to, ROOM);
            for (int i = 0; i < ROOM; i++) bench_near(to[i], expected[i], VECTORS * DBL_EPSILON * size[i]);
        }
}

CLAIM(norms_see_every_component_once)
{
    uint64_t seed = 4;
    double x[ROOM], w[ROOM], id[ROOM];
    for (int n = 0; n <= MOST; n++) {
        double all = 0, masked = 0;
        fill(x, &seed);
        fill(w, &seed);
        for (int i = 0; i < ROOM; i++) id[i] = i % 3 != 1;
        for (int i = n; i < ROOM; i++) x[i] = w[i] = id[i] = NAN; /* nobody's */
        for (int i = 0; i < n; i++) {
            all += x[i] * w[i] * x[i] * w[i];
            masked += id[i] * x[i] * w[i] * x[i] * w[i];
        }
        bench_near(rsd_vector_sum_weighted_squares(x, w, n), all, MOST * DBL_EPSILON * all);
        bench_near(rsd_vector_sum_masked_squares(x, w, id, n), masked, MOST * DBL_EPSILON * masked);
    }
}

CLAIM(what_is_added_is_measured)
{
    uint64_t seed = 5;
    double x[ROOM], d[ROOM], w[ROOM], before[ROOM];
    for (int n = 0; n <= MOST; n++) {
        fill(x, &seed);
        fill(d, &seed);
        fill(w, &seed);
        memcpy(before, x, sizeof x);
        const double norm = rsd_vector_add_weighted(x, d, w, n), all = rsd_vector_sum_weighted_squares(d, w, n);
        assert_true(norm == all);
        for (int i = 0; i < ROOM; i++) assert_true(x[i] == (i < n ? before[i] + d[i] : before[i]));
    }
}

CLAIM(a_correction_moves_states_and_rates)
{
    uint64_t seed = 7;
    double x[5][ROOM], before[ROOM];
    for (int n = 0; n <= MOST; n++) {
        for (int k = 0; k < 5; k++) fill(x[k], &seed);
        memcpy(before, x[4], sizeof before);
        rsd_vector_correct(n, x[0], x[1], x[2], 3.7, x[3], x[4]);
        for (int i = 0; i < n; i++) assert_true(x[3][i] == x[0][i] + x[2][i] && x[4][i] == x[1][i] + 3.7 * x[2][i]);
        assert_memory_equal(x[4] + n, before + n, (size_t)(ROOM - n) * sizeof(double));
    }
}

CLAIM(one_number_that_is_not_finite_is_found_wherever_it_stands)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    double x[ROOM];
    for (int n = 0; n <= MOST; n++) {
        for (int i = 0; i < ROOM; i++) x[i] = i < n ? DBL_MAX * (i % 2 ? -1 : 1) : NAN;
        assert_true(rsd_all_finite(x, n));
        for (int i = 0; i < n; i++) {
            double kept = x[i];
            x[i] = bad[i % 3];
            assert_false(rsd_all_finite(x, n));
            x[i] = kept;
        }
    }
}
