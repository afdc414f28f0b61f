/* test_linearize_models.c - built-in models against closed forms, and against their own motion.
 *
 *   chain of n equal links and masses, hanging: om^2 = x g/l with L_n(x) = 0, L_n Laguerre's polynomial (A. Kneser's
 *   chain of beads; from the recursion (2k + 1 - x) s_k = k s_(k-1) + (k + 1) s_(k+1) of the deflections, counted from
 *   the lower end, with s_n = 0 at the support)
 *   bar of N linear elements, clamped and free, stretched or twisted: om^2 = c^2 6/h^2 (1 - cos th)/(2 + cos th),
 *   th = (2 k - 1) pi/(2 N), with consistent masses */
#include "benchmarks/models/flexible/beam_model.h"
#include "linear_fixture.h"
#include "linear_models.h"
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

static const double pi = 3.14159265358979323846;
static const double close_to = 1e-8; /* asked of closed forms */

static double laguerre(int n, double x)
{
    double before = 1, now = 1 - x;
    for (int k = 1; k < n; k++) {
        const double next = ((2 * k + 1 - x) * now - k * before) / (k + 1);
        before = now, now = next;
    }
    return n == 0 ? 1 : now;
}

/* Root number k from 0 on: signs change on a grid that is fine where the roots are close, at the lower end. */
static double laguerre_root(int n, int k)
{
    double low = 1e-6;
    for (;;) {
        double high = low * 1.02 + 1e-4;
        if (laguerre(n, low) * laguerre(n, high) <= 0 && k-- == 0) {
            for (int i = 0; i < 200 && high - low > 1e-15 * high; i++) {
                const double middle = low + (high - low) / 2;
                if (laguerre(n, low) * laguerre(n, middle) <= 0)
                    high = middle;
                else
                    low = middle;
            }
            return low;
        }
        low = high;
    }
}

static void open_model(bench *b, linear *x, const char *name, const bench_setting *settings, resida_formalism formalism)
{
    bench_open(b, name, settings);
    linear_open(x, b->m, formalism, b->model.t0, b->model.p0, b->model.v0);
}

CLAIM(a_hanging_chain_swings_at_the_roots_of_laguerre)
{
    static const char *const names[] = {"chain", "chain-cartesian"};
    const double g = 9.81, l = 0.7;
    for (int n = 1; n <= 10; n += 3)
        for (int kind = 0; kind < 2; kind++)
            for (int formalism = 1; formalism <= 2; formalism++) {
                const bench_setting settings[] = {{"n", n}, {"l", l}, {"ax", 0}, {"ay", 0}, {NULL, 0}};
                bench b;
                linear x;
                open_model(&b, &x, names[kind], settings, (resida_formalism)formalism);
                assert_int_equal(x.modes.n, n);
                assert_int_equal(x.modes.n_zero + x.modes.n_infinite, 0);
                for (int k = 0; k < n; k++) linear_find(&x, 0, sqrt(g / l * laguerre_root(n, k)), close_to);
            }
}

/* The form index3 of a long chain, 450 unknowns. */
CLAIM(some_modes_of_a_long_chain_are_found_near_a_frequency)
{
    enum { LINKS = 90, NUMBER = 20 };
    const bench_setting settings[] = {{"n", LINKS}, {"ax", 0}, {"ay", 0}, {NULL, 0}};
    const double om = sqrt(9.81 * laguerre_root(LINKS, NUMBER));
    resida_problem_options o = test_problem_options();
    resida_message why = {""};
    linear x = {NULL, NULL, {0}, {0}};
    bench *b = bench_make("chain-cartesian", settings);
    o.form = "index3";
    x.problem = test_problem(b->m, &o);
    resida_solver *s = test_solver_of(x.problem, NULL);
    assert_int_equal(resida_solver_start(s, 0, b->model.p0, b->model.v0, NULL, NULL), RESIDA_OK);
    resida_state at = test_state(s);
    assert_int_equal(resida_linearize(&x.l, x.problem, 0, at.y, at.yp, &why), RESIDA_OK);
    linear_own(&x);
    const resida_status status = resida_linearization_modes(x.l, 3, 1.001 * om / (2 * pi), &x.modes, &why);
    if (status < 0) fail_msg("%s", why.text);
    assert_int_equal(x.modes.n, 3);
    for (int k = -1; k <= 1; k++)
        assert_false(x.modes.breaks[linear_find(&x, 0, sqrt(9.81 * laguerre_root(LINKS, NUMBER + k)), close_to)]);
}

/* Damping in proportion to mass: the eigenvalues 0 and -c of the rigid motion, and -c/2 + i om_k, twice. */
CLAIM(modes_near_zero_of_a_damped_free_ring_are_those_of_all_modes)
{
    enum { N = 12 };
    const double c = 0.5, stiffness = 1e4;
    matrices ring = matrices_make(N, 0);
    for (int i = 0; i < N; i++) {
        matrices_add_spring(&ring, i, (i + 1) % N, stiffness);
        ring.D[i * N + i] = c;
    }
    linear x;
    matrices_open(&x, &ring, NULL, 1);
    for (int count = 1; count < N; count++) {
        resida_message why = {""};
        const resida_status status = resida_linearization_modes(x.l, count, 0, &x.modes, &why);
        if (status < 0) fail_msg("%d: %s", count, why.text);
        assert_int_equal(x.modes.n, count);
        linear_find(&x, -c, 0, close_to);
        for (int k = 1; k <= (count - 1) / 2; k++)
            linear_find(&x, -c / 2, sqrt(4 * stiffness * pow(sin(pi * k / N), 2) - c * c / 4), close_to);
    }
}

/* Coordinates of constant direction along the circle, q = L sin(phi - phi0) and w = L phi' cos(phi - phi0):
 * q' = w, w' = L phi'' cos(phi - phi0) - L phi'^2 sin(phi - phi0), so om^2 = g/L (-sin phi0) + phi'^2. */
CLAIM(a_pendulum_that_turns_has_the_frequency_of_the_moment)
{
    const bench_setting settings[] = {{"w0", 3}, {"phi0", -2}, {"L", 1.5}, {NULL, 0}};
    bench b;
    linear x;
    open_model(&b, &x, "pendulum", settings, RESIDA_FORMALISM_RESIDUAL);
    linear_find(&x, 0, sqrt(13.750371636040745 / 1.5 * -sin(-2.0) + 9), close_to);
    assert_true(fabs(x.model.speed - 4.5 * fabs(sin(-2.0))) < close_to);
    assert_true(x.model.acceleration > 1);
}

static void open_beam(bench *b, linear *x, int order, int elements)
{
    const bench_setting settings[] = {{"damping", 0}, {"order", order}, {"elements", elements}, {NULL, 0}};
    open_model(b, x, "beam-cantilever", settings, RESIDA_FORMALISM_AUTO);
    assert_int_equal(x->modes.n_zero, 0);
}

CLAIM(a_beam_of_linear_elements_stretches_and_twists_as_its_closed_form)
{
    enum { ELEMENTS = 5 };
    const bm_section s = beam_rectangle(0.02, 0.002, 2.1e11, 0.3, 7850);
    const double c2[] = {s.EA / s.rho_A, s.GJ / (s.rho_I1 + s.rho_I2)}, h = 1.0 / ELEMENTS;
    bench b;
    linear x;
    open_beam(&b, &x, 1, ELEMENTS);
    assert_false(x.model.is_differenced);
    for (int kind = 0; kind < 2; kind++)
        for (int k = 1; k <= ELEMENTS; k++) {
            const double angle = (2 * k - 1) * pi / (2 * ELEMENTS);
            linear_find(&x, 0, sqrt(c2[kind] * 6 / (h * h) * (1 - cos(angle)) / (2 + cos(angle))), close_to);
        }
}

/* --- vehicles: kicked along a mode they move as it says --- */

typedef struct kicked {
    const bench *b;
    resida_formalism formalism;
    double eps, t;
    const double *kick; /* [n_p + n_v] */
    double *end;        /* [n_p + n_v] */
} kicked;

static void run(const kicked *k)
{
    const resida_mechanism *m = k->b->m;
    resida_solver_options o = test_solver_options();
    double *p = claims_zeros((size_t)(m->n_p + m->n_v), sizeof *p), *v = p + m->n_p;
    for (int i = 0; i < m->n_p; i++) p[i] = k->b->model.p0[i] + k->eps * k->kick[i];
    for (int i = 0; i < m->n_v; i++) v[i] = k->b->model.v0[i] + k->eps * k->kick[m->n_p + i];
    o.rtol = 1e-9, o.atol = 1e-12;
    resida_solver *s = test_solver(m, NULL, &o);
    assert_int_equal(resida_solver_start(s, k->b->model.t0, p, v, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_advance(s, k->b->model.t0 + k->t), RESIDA_OK);
    resida_state at = test_state(s);
    memcpy(k->end, at.p, (size_t)m->n_p * sizeof *p);
    memcpy(k->end + m->n_p, at.v, (size_t)m->n_v * sizeof *p);
}

/* Half the difference of runs kicked to both sides, over eps, beside Re(phi exp(lambda t)); positions. */
static double off_the_mode(const bench *b, const linear *x, int mode, double t, double eps)
{
    const int n = x->model.n_outputs, n_p = b->m->n_p;
    const double *re = x->modes.shape_re + (long)mode * n, *im = x->modes.shape_im + (long)mode * n;
    const double grown = exp(x->modes.re[mode] * t), c = cos(x->modes.im[mode] * t), s = sin(x->modes.im[mode] * t);
    double *up = claims_zeros((size_t)n, sizeof *up), *down = claims_zeros((size_t)n, sizeof *down), off = 0, size = 0;
    run(&(kicked){b, RESIDA_FORMALISM_AUTO, eps, t, re, up});
    run(&(kicked){b, RESIDA_FORMALISM_AUTO, -eps, t, re, down});
    for (int i = 0; i < n_p; i++) {
        const double said = grown * (re[i] * c - im[i] * s);
        off = fmax(off, fabs((up[i] - down[i]) / (2 * eps) - said));
        size = fmax(size, fabs(said));
    }
    print_message("mode %.5g + %.5g i: off by %.2e after %.3g s\n", x->modes.re[mode], x->modes.im[mode], off / size,
                  t);
    return off / size;
}

/* The lightly damped mode of the lowest frequency. */
static int slow_mode(const linear *x)
{
    int k = 0;
    while (k < x->modes.n && !(x->modes.im[k] > 1 && fabs(x->modes.re[k]) < 0.5 * x->modes.im[k])) k++;
    assert_true(k < x->modes.n);
    return k;
}

CLAIM(a_car_kicked_along_a_mode_moves_as_the_mode_says)
{
    const bench_setting settings[] = {{"u", 0}, {NULL, 0}};
    bench b;
    linear x;
    open_model(&b, &x, "car", settings, RESIDA_FORMALISM_RESIDUAL);
    const int k = slow_mode(&x);
    assert_true(off_the_mode(&b, &x, k, 0.4, 1e-4) < 1e-3);
}

CLAIM(a_train_kicked_along_a_mode_moves_as_the_mode_says)
{
    bench b;
    linear x;
    open_model(&b, &x, "train", NULL, RESIDA_FORMALISM_RESIDUAL);
    const int k = slow_mode(&x);
    assert_true(off_the_mode(&b, &x, k, 0.4, 1e-4) < 1e-3);
}
