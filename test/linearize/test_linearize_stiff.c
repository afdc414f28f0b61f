/* test_linearize_stiff.c - models that are stiff, free, or turn, whose eigenvalues are known in closed form:
 *
 *   a free strip of steel: 6 motions as a rigid body, 12 zero eigenvalues; Euler's free beam, cos(x) cosh(x) = 1
 *   masses 1 - 1, 1 - 1 on springs k, s, k: value^2 - (2 k + 2 s) value + 2 k s = 0, and 2 k, 0
 *   n pairs of masses 1, stiff in themselves, on springs s from a wall: value = 2 s sin^2((2 j - 1) pi/(4 n + 2))
 *   a ring of n masses on springs k: value = 4 k sin^2(pi j/n), each twice
 *   a disk that whirls, x'' + 2 i g x' + k x = 0 with x = y + i z: om = -g +- sqrt(g^2 + k)
 *   Ziegler's column of masses 2 m, m on rods l with joints of stiffness c, damping d, under a force P that follows the
 *   upper rod (H. Ziegler, Die Stabilitaetskriterien der Elastomechanik, Ing.-Arch. 20, 1952): it flutters above
 *   P l/c = 7/2 - sqrt 2 = 2.086, with vanishing equal damping of both joints above 41/28 = 1.464 */
#include "linear_models.h"
#include "test/fixtures/bench_fixture.h"

static const double pi = 3.14159265358979323846;

/* Largest growth, as a part of the eigenvalue. */
static double growth(const linear *x)
{
    double most = -1;
    for (int k = 0; k < x->modes.n; k++) most = fmax(most, x->modes.re[k] / hypot(x->modes.re[k], x->modes.im[k]));
    return most;
}

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

/* --- beams --- */

/* Euler's value is above that of the beam by some h^2/L^2 = 4e-6 times 10; cubic elements of 1/8 are as near. */
CLAIM(a_free_strip_swings_as_a_free_beam_and_does_not_grow)
{
    const bm_section section = beam_rectangle(0.02, 0.002, 2.1e11, 0.3, 7850);
    static const int orders[] = {1, 2, 3, 3}, elements[] = {4, 8, 8, 24};
    for (int k = 0; k < 4; k++) {
        bm_system s;
        linear x;
        strip_open(&s, &x, NULL, &(strip){.order = orders[k], .elements = elements[k]});
        assert_int_equal(x.modes.n_zero, 12);
        assert_int_equal(x.modes.n_still, 6);
        assert_int_equal(count(&x), x.model.n);
        assert_true(growth(&x) < 1e-12);
        const double euler = 4.730040744862704 * 4.730040744862704 * sqrt(section.EI1 / section.rho_A);
        assert_true(slowest(&x) > 0.999 * euler && slowest(&x) < (orders[k] == 3 ? 1 + 1e-4 : 1.1) * euler);
        bm_end(&s);
    }
}

/* Of the form as it is, with its multipliers: zeros, the slowest frequency, no growth beside rounding. */
CLAIM(forms_of_a_free_strip_have_its_modes)
{
    static const char *const forms[] = {"index3", "ggl", "index2", "index1"};
    bm_system s;
    linear x;
    strip_open(&s, &x, NULL, &(strip){.order = 1, .elements = 4});
    const double om = slowest(&x);
    bm_end(&s);
    for (int k = 0; k < 4; k++) {
        strip_open(&s, &x, forms[k], &(strip){.order = 1, .elements = 4});
        const int mode = linear_find(&x, 0, om, 1e-6);
        assert_false(x.modes.breaks[mode]);
        assert_true(growth(&x) < 1e-3);
        assert_int_equal(count(&x), x.model.n);
        bm_end(&s);
    }
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

/* --- springs of 1e12 --- */

CLAIM(masses_on_springs_of_1e12_swing_as_their_closed_form)
{
    const double k = 1e12, s = 1;
    for (int told = 0; told < 2; told++) {
        linear x;
        matrices two = matrices_make(2, 0);
        matrices_add_spring(&two, 0, 1, k);
        matrices_open(&x, &two, NULL, told);
        assert_int_equal(x.modes.n_zero, 2);
        assert_int_equal(x.modes.n, 1);
        assert_true(x.modes.re[linear_find(&x, 0, sqrt(2 * k), told ? 1e-12 : 1e-9)] == 0);
    }
    linear x;
    matrices four = matrices_make(4, 0);
    for (int i = 0; i < 3; i++) matrices_add_spring(&four, i, i + 1, i == 1 ? s : k);
    matrices_open(&x, &four, NULL, 1);
    const double fast = k + s + sqrt((k + s) * (k + s) - 2 * k * s);
    linear_find(&x, 0, sqrt(2 * k * s / fast), 1e-6);
    linear_find(&x, 0, sqrt(2 * k), 1e-9);
    assert_int_equal(x.modes.n_zero, 2);
}

/* The pairs are stiff by 1e12 of the springs between them; no slow frequency is one of the zeros. */
CLAIM(pairs_of_masses_swing_as_one_mass_each)
{
    enum { PAIRS = 20 };
    linear x;
    matrices chain = matrices_make(2 * PAIRS, 0);
    chain.K[0] = 1;
    for (int i = 0; i + 1 < 2 * PAIRS; i++) matrices_add_spring(&chain, i, i + 1, i % 2 ? 1 : 1e12);
    matrices_open(&x, &chain, NULL, 1);
    for (int j = 1; j <= PAIRS; j++) linear_find(&x, 0, sqrt(2) * sin((2 * j - 1) * pi / (4 * PAIRS + 2)), 1e-9);
    assert_int_equal(x.modes.n, 2 * PAIRS);
}

/* --- loops --- */

/* Masses 0 and n/2 of the ring are one: modes with a node between them stay, sin(2 pi i j/n) for all j and cosines of
 * even j. */
CLAIM(a_ring_with_a_tie_has_each_frequency)
{
    enum { N = 12 };
    static const char *const forms[] = {NULL, "index3", "ggl"};
    const double k = 1e6;
    for (int f = 0; f < 3; f++) {
        linear x;
        matrices ring = matrices_make(N, 1);
        for (int i = 0; i < N; i++) matrices_add_spring(&ring, i, (i + 1) % N, k);
        ring.G[0] = 1, ring.G[N / 2] = -1;
        matrices_open(&x, &ring, forms[f], 1);
        for (int j = 1; j < N / 2; j++) linear_find(&x, 0, 2 * sqrt(k) * sin(pi * j / N), 1e-9);
        assert_int_equal(x.modes.n_zero, 2);
        assert_int_equal(count(&x), x.model.n);
        assert_true(growth(&x) < 1e-9);
    }
}

/* --- rotors --- */

CLAIM(a_whirling_disk_has_a_forward_and_a_backward_frequency)
{
    const double k = 1e8, g = 300;
    linear x;
    matrices disk = matrices_make(4, 0); /* and a second one that nothing holds */
    for (int i = 0; i < 2; i++) {
        disk.K[i * 4 + i] = k;
        disk.D[2 * i * 4 + 2 * i + 1] = 2 * g, disk.D[(2 * i + 1) * 4 + 2 * i] = -2 * g;
    }
    matrices_open(&x, &disk, NULL, 1);
    linear_find(&x, 0, sqrt(g * g + k) + g, 1e-12);
    linear_find(&x, 0, sqrt(g * g + k) - g, 1e-12);
    linear_find(&x, 0, 2 * g, 1e-12);
    assert_int_equal(x.modes.n_zero, 2);
    assert_true(growth(&x) < 1e-12);
}

/* --- Ziegler's column, m = l = c = 1 --- */

static double ziegler(double P, double d)
{
    linear x;
    matrices c = matrices_make(2, 0);
    const double M[] = {3, 1, 1, 1}, K[] = {2 - P, -1 + P, -1, 1}, D[] = {2 * d, -d, -d, d};
    memcpy(c.M, M, sizeof M), memcpy(c.K, K, sizeof K), memcpy(c.D, D, sizeof D);
    matrices_open(&x, &c, NULL, 1);
    const double most = growth(&x);
    return most;
}

CLAIM(zieglers_column_flutters_at_his_loads)
{
    const double undamped = 3.5 - sqrt(2), damped = 41.0 / 28, near = 1e-3;
    assert_true(ziegler(undamped * (1 - near), 0) < 1e-12);
    assert_true(ziegler(undamped * (1 + near), 0) > 1e-3);
    assert_true(ziegler(damped * (1 - near), 1e-4) < 0);
    assert_true(ziegler(damped * (1 + near), 1e-4) > 0);
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
