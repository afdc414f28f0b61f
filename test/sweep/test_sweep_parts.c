/* test_sweep_parts.c - the numbers of a sweep: the generator by its published answers, Latin hypercubes by their
 * definition, quantiles against distribution functions that the C library computes, or that are written down here. */
#include "program/base/number.h"
#include "command/sweep/distribution.h"
#include "command/sweep/plan.h"
#include "command/sweep/random.h"
#include "test/fixtures/file_util.h"

/* kat_vectors of Random123 1.14, D. E. Shaw Research: philox4x32, 10 rounds. */
CLAIM(philox_gives_its_published_answers)
{
    static const struct {
        uint32_t counter[4], key[2], out[4];
    } known[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint32_t out[4];
        cmd_philox(known[i].counter, known[i].key, out);
        assert_memory_equal(out, known[i].out, sizeof out);
    }
}

CLAIM(places_of_a_hypercube_are_a_permutation)
{
    static const int sizes[] = {1, 2, 3, 5, 16, 17, 100, 1000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int axis = 0; axis < 3; axis++) {
            char *seen = claims_zeros((size_t)sizes[i], 1);
            int moved = 0;
            for (int k = 0; k < sizes[i]; k++) {
                const uint64_t place = cmd_random_permute(5, axis, (uint64_t)k, (uint64_t)sizes[i]);
                assert_in_range(place, 0, sizes[i] - 1);
                moved += (int)place != k;
                assert_int_equal(seen[place]++, 0);
            }
            if (sizes[i] >= 100) assert_true(moved > sizes[i] / 2);
        }
}

CLAIM(each_part_of_a_hypercube_has_one_case)
{
    enum { N = 500 };
    char seen[N] = "";
    for (int k = 0; k < N; k++) {
        const double u = cmd_random_stratum(9, 2, (uint64_t)k, N);
        assert_true(u > 0 && u < 1);
        assert_int_equal(seen[(int)(u * N)]++, 0);
    }
}

/* Mean 1/2 and variance 1/12 of n numbers, to five of their standard deviations; no correlation between axes or
 * neighbours. */
CLAIM(numbers_are_uniform_and_axes_have_nothing_in_common)
{
    enum { N = 20000 };
    double mean = 0, square = 0, axes = 0, neighbours = 0, before = 0;
    for (int k = 0; k < N; k++) {
        const double u = cmd_random_uniform(3, 0, (uint64_t)k) - 0.5, w = cmd_random_uniform(3, 1, (uint64_t)k) - 0.5;
        mean += u / N;
        square += u * u / N;
        axes += 12 * u * w / N;
        neighbours += 12 * u * before / N;
        before = u;
    }
    assert_true(fabs(mean) < 5 / sqrt(12.0 * N));
    assert_true(fabs(square - 1.0 / 12) < 5 / sqrt(180.0 * N));
    assert_true(fabs(axes) < 5 / sqrt(N));
    assert_true(fabs(neighbours) < 5 / sqrt(N));
}

/** F(x) of each kind, by its definition. */
static double function_of(const char *kind, const double *x, double at)
{
    if (strcmp(kind, "uniform") == 0) return (at - x[0]) / (x[1] - x[0]);
    if (strcmp(kind, "log-uniform") == 0) return log(at / x[0]) / log(x[1] / x[0]);
    if (strcmp(kind, "normal") == 0) return erfc((x[0] - at) / x[1] / sqrt(2)) / 2;
    if (strcmp(kind, "lognormal") == 0) return erfc((x[0] - log(at)) / x[1] / sqrt(2)) / 2;
    if (strcmp(kind, "exponential") == 0) return -expm1(-at / x[0]);
    assert_string_equal(kind, "triangular");
    const double a = x[0], c = x[1], b = x[2];
    return at < c ? (at - a) * (at - a) / ((b - a) * (c - a)) : 1 - (b - at) * (b - at) / ((b - a) * (b - c));
}

CLAIM(quantiles_invert_their_distribution_functions)
{
    static const double numbers[3] = {0.75, 1.5, 4};
    static const double parts[] = {1e-9, 1e-4, 0.01, 0.2, 0.5, 0.7, 0.99, 0.9999};
    int kinds = 0;
    for (; cmd_distribution_at(kinds); kinds++) {
        const cmd_distribution *d = cmd_distribution_at(kinds);
        assert_true(d->is_good(numbers));
        assert_ptr_equal(cmd_distribution_find(d->name), d);
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            const double u = parts[i], back = function_of(d->name, numbers, d->quantile(numbers, u));
            if (!(fabs(back - u) < 1e-6 * u + 1e-14)) fail_msg("%s: F(F^-1(%g)) = %.17g", d->name, u, back);
        }
    }
    assert_int_equal(kinds, 6);
}

/* Tables of the normal distribution: 1.959963984540054 = quantile of 0.975 (R, qnorm). */
CLAIM(the_normal_quantile_has_its_digits)
{
    assert_true(fabs(cmd_normal_quantile(0.975) - 1.959963984540054) < 1e-14);
    assert_true(fabs(cmd_normal_quantile(1e-10) + 6.361340902404056) < 1e-12);
    assert_true(cmd_normal_quantile(0.25) == -cmd_normal_quantile(0.75));
}

CLAIM(a_grid_has_all_combinations_the_last_axis_first)
{
    static const char text[] = "\xEF\xBB\xBF"
                               "{\"model\": \"x\", \"vary\": {\"a\": [1, 2, 3], \"b\": {\"from\": 1, \"to\": 100, "
                               "\"points\": 3, \"scale\": \"log\"}}}";
    static const char *const b[] = {"1", "10", "100"};
    cmd_plan plan;
    assert_int_equal(cmd_plan_read(&plan, "p.json", strdup(text), strlen(text), NULL), 0);
    assert_int_equal(plan.n_cases, 9);
    for (long k = 0; k < 9; k++) {
        assert_int_equal(atol(cmd_plan_word(&plan, 0, k)), 1 + k / 3);
        assert_string_equal(cmd_plan_word(&plan, 1, k), b[k % 3]);
    }
    cmd_plan_free(&plan);
}

CLAIM(cells_of_a_table_may_be_quoted_or_empty)
{
    static const char text[] = "\xEF\xBB\xBF"
                               "a, \"b,c\" ,d\r\n1,\"x\"\"y\",\r\n\r\n \"2\" , 3 ,4";
    static const char *const words[2][3] = {{"1", "x\"y", ""}, {"2", "3", "4"}};
    cmd_plan plan;
    assert_int_equal(cmd_plan_read(&plan, "p.csv", strdup(text), strlen(text), "m"), 0);
    assert_int_equal(plan.n_cases, 2);
    assert_string_equal(plan.axes[1].name, "b,c");
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++) assert_string_equal(plan.axes[i].words[k], words[k][i]);
    assert_int_equal(plan.lines[1], 4);
    cmd_plan_free(&plan);
}

CLAIM(lines_of_a_table_end_with_cr_or_lf_or_both)
{
    static const char *const texts[] = {"a\n12\n\n34\n", "a\r\n12\r\n\r\n34\r\n", "a\r12\r\r34\r"};
    for (int i = 0; i < 3; i++) {
        cmd_plan plan;
        assert_int_equal(cmd_plan_read(&plan, "p.csv", strdup(texts[i]), strlen(texts[i]), "m"), 0);
        assert_int_equal(plan.n_cases, 2);
        assert_string_equal(plan.axes[0].words[0], "12");
        assert_string_equal(plan.axes[0].words[1], "34");
        assert_int_equal(plan.lines[1], 4);
        cmd_plan_free(&plan);
    }
}
