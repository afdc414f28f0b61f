/* test_linearize_stiff.c - a clamped beam without damping, in each form: the slowest modes, and all modes, are those in
 * independent coordinates. Constraints with full rows. Other stiff models: test_linearize_suite.c. */
#include "linear_models.h"
#include "test/fixtures/bench_fixture.h"

static const double pi = 3.14159265358979323846;

static int count(const linear *x)
{
    int n = x->modes.n_zero + x->modes.n_infinite + x->modes.n_lost;
    for (int k = 0; k < x->modes.n; k++) n += 1 + (x->modes.im[k] > 0);
    return n;
}

static double slowest(const linear *x)
{
    double least = INFINITY;
    for (int k = 0; k < x->modes.n; k++) least = fmin(least, hypot(x->modes.re[k], x->modes.im[k]));
    return least;
}

/* The slowest modes of a clamped beam, asked for near a frequency below, at and above it: those of the independent
 * coordinates in each form, of 156 to 1,476 unknowns, none beside them. */
CLAIM(modes_near_a_frequency_are_those_of_all)
{
    static const struct {
        const char *form;
        double order, elements;
    } cases[] = {{"index3", 2, 4}, {"index3", 2, 24}, {"ggl", 2, 4}, {"index2", 2, 8}, {"index1", 1, 4}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const bench_setting settings[] = {
            {"damping", 0}, {"order", cases[c].order}, {"elements", cases[c].elements}, {NULL, 0}};
        linear all, x;
        bench *b = bench_make("beam-cantilever", settings);
        linear_open(&all, b->m, RESIDA_FORMALISM_AUTO, 0, b->model.p0, b->model.v0);
        const double slow = all.modes.im[0], next = all.modes.im[1];
        for (int k = 0; k < 3; k++) {
            linear_open_near(&x, b->m, cases[c].form, 2, 0.5 * k * slow / (2 * pi), 0, b->model.p0, b->model.v0);
            assert_int_equal(x.modes.n, 2);
            assert_false(x.modes.breaks[linear_find(&x, 0, slow, 1e-6)]);
            assert_false(x.modes.breaks[linear_find(&x, 0, next, 1e-6)]);
        }
    }
}

/* All modes of the form as it is, whose stiff rows are 1e10 times those of its constraints: the slowest ones of the
 * independent coordinates, and none slower. */
CLAIM(a_clamped_beam_without_damping_is_a_regular_pencil_in_each_form)
{
    static const char *const forms[] = {"index3", "ggl", "index2", "index1"};
    static const double sizes[][2] = {{2, 2}, {2, 4}, {3, 2}}; /* order, elements */
    for (int c = 0; c < 3; c++) {
        const bench_setting settings[] = {{"damping", 0}, {"order", sizes[c][0]}, {"elements", sizes[c][1]}, {NULL, 0}};
        linear all, x;
        bench *b = bench_make("beam-cantilever", settings);
        linear_open(&all, b->m, RESIDA_FORMALISM_AUTO, 0, b->model.p0, b->model.v0);
        for (int f = 0; f < 4; f++) {
            linear_open_form(&x, b->m, forms[f], 0, b->model.p0, b->model.v0);
            for (int k = 0; k < 4; k++) linear_find(&x, 0, all.modes.im[k], 1e-6);
            bench_near(slowest(&x), slowest(&all), 1e-6 * slowest(&all));
            assert_int_equal(count(&x), x.model.n);
        }
    }
}

/* M = 1, K = 4: every direction that the constraints leave swings with 2 rad/s. Given without patterns, each constraint
 * couples all coordinates. */
CLAIM(constraints_of_full_rows_are_linearised)
{
    enum { N = 20, N_G = 6 };
    matrices full = matrices_make(N, N_G);
    for (int i = 0; i < N; i++) full.K[i * N + i] = 4;
    for (int i = 0; i < N_G; i++)
        for (int j = 0; j < N; j++) full.G[i * N + j] = cos(0.1 + i * (j + 1));
    for (int with_derivatives = 0; with_derivatives < 2; with_derivatives++) {
        linear x;
        matrices_open(&x, &full, NULL, with_derivatives);
        assert_int_equal(x.modes.n, N - N_G);
        for (int k = 0; k < x.modes.n; k++) assert_true(hypot(x.modes.re[k], x.modes.im[k] - 2) < 1e-8);
    }
}
