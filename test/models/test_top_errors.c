/* test_top_errors.c - heavy tops in Euler parameters, their norm an invariant: the error falls with the tolerance.
 *
 * BDF of order k whose steps err by the tolerance each errs by tol^(k/(k+1)) at the end: 0.67 for order 2, 0.83 for
 * order 5. A single error scatters about that: a step is kept until twice as long a one would do, or another order, so
 * that errors at equal tolerances differ by a factor of up to 2^k. So 41 tolerances are looked at, and medians of those
 * of a decade. */
#include "test/fixtures/bench_fixture.h"
#include "free_mechanism.h"
#include "gyro.h"
#include "test/fixtures/solver_fixture.h"

enum { RUNS = 41, DECADE = 10, MOST = FB_P };
enum { TIP, JOINT, FAST, TOPS };
static const double loosest = 1e-4;
static const double min_slope = 0.7;     /* 0.77 to 1.03 measured */
static const double min_fall = 0.6;      /* of medians, per decade: 0.06 to 0.40 measured */
static const double max_tolerances = 50; /* an error may be: 24 measured */

/* A top, and where it is in the end. */
typedef struct top {
    const char *name;
    gyro body;
    heavy_top fast;
    resida_mechanism m;
    const double *p0, *v0;
    double p[GYRO_MAX], v[GYRO_MAX], t_end;
    double fine_step; /* of the reference, and of a second one with half of it */
    double right[MOST], right_v[MOST];
} top;

/* How to integrate; zero: the default. */
typedef struct way {
    const char *jacobian;
    int max_order;
    double tol, step;
} way;

/* Errors over tolerances. */
typedef struct series {
    double tol[RUNS], steps[RUNS], error[RUNS];
} series;

static int norm(double t, const double *p, const resida_excitation *e, double *k, void *user)
{
    k[0] = resida_quaternion_norm(p + 3);
    return 0;
}

static int norm_matrix(double t, const double *p, const resida_excitation *e, double *K, void *user)
{
    memcpy(K, p + 3, 4 * sizeof *K);
    return 0;
}

static void open_gyro(top *x, int is_joint)
{
    *x = (top){.name = is_joint ? "on a ball joint" : "about its tip", .t_end = 1, .fine_step = 1.0 / 512};
    x->body = (gyro){.is_joint = is_joint, .n_k = 1};
    x->m = gyro_mechanism(&x->body);
    gyro_start(&x->body, x->p, x->v);
    x->p0 = x->p, x->v0 = x->v;
}

static void open_fast(top *x)
{
    static const int row[2] = {0, 4}, col[4] = {3, 4, 5, 6};
    *x = (top){.name = "at 150 rad/s", .t_end = 0.2, .fine_step = 1.0 / 40000};
    heavy_top_open(&x->fast);
    x->m = x->fast.mechanism;
    x->m.n_k = 1;
    x->m.invariant = norm;
    x->m.invariant_matrix = norm_matrix;
    x->m.K_pattern = (resida_pattern){row, col};
    x->p0 = x->fast.p0, x->v0 = x->fast.v0;
}

/* To the end: p, v there. @return steps */
static double integrate(const top *x, const way *how, double *p, double *v)
{
    resida_solver_options o = test_solver_options();
    o.rtol = o.atol = how->tol;
    o.t_stop = x->t_end;
    if (how->jacobian) o.jacobian = how->jacobian;
    if (how->max_order > 0) o.max_order = how->max_order;
    if (how->step > 0) o.method = "radau-iia-3", o.step = how->step, o.newton_to_rounding = 1;
    resida_solver *s = test_solver(&x->m, NULL, &o);
    if (resida_solver_start(s, 0, x->p0, x->v0, NULL, NULL) < 0 || resida_solver_advance(s, x->t_end) < 0)
        fail_msg("%s at %g: %s", x->name, how->tol, resida_solver_message(s));
    resida_state end = test_state(s);
    resida_stats stats = test_stats(s);
    memcpy(p, end.p, (size_t)x->m.n_p * sizeof *p);
    memcpy(v, end.v, (size_t)x->m.n_v * sizeof *v);
    return (double)stats.steps;
}

static double apart(const double *x, const double *y, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = isfinite(x[i]) ? fmax(most, fabs(x[i] - y[i])) : INFINITY;
    return most;
}

/* By Radau IIA of order 5 in two step sizes. */
static void find_reference(top *x)
{
    double p[MOST], v[MOST];
    const way whole = {.tol = 1e-13, .step = x->fine_step}, half = {.tol = 1e-13, .step = x->fine_step / 2};
    integrate(x, &whole, p, v);
    integrate(x, &half, x->right, x->right_v);
    assert_true(apart(p, x->right, x->m.n_p) < 1e-12);
}

static top tops[TOPS];

static int open_tops(void **state)
{
    open_gyro(&tops[TIP], 0);
    open_gyro(&tops[JOINT], 1);
    open_fast(&tops[FAST]);
    for (int i = 0; i < TOPS; i++) find_reference(&tops[i]);
    return 0;
}

static int close_tops(void **state)
{
    heavy_top_close(&tops[FAST].fast);
    return 0;
}

static void run_series(const top *x, const way *how, series *s)
{
    double p[MOST], v[MOST];
    for (int i = 0; i < RUNS; i++) {
        way one = *how;
        one.tol = s->tol[i] = loosest * pow(10, -(double)i / DECADE);
        s->steps[i] = integrate(x, &one, p, v);
        s->error[i] = apart(p, x->right, x->m.n_p);
    }
}

/* log10 y over log10 x, least squares. @param[out] scatter  root of the mean square of what is left */
static double slope_of(const double *x, const double *y, double *scatter)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0, left = 0;
    for (int i = 0; i < RUNS; i++) {
        const double a = log10(x[i]), b = log10(y[i]);
        sx += a, sy += b, sxx += a * a, sxy += a * b;
    }
    const double slope = (RUNS * sxy - sx * sy) / (RUNS * sxx - sx * sx), at_1 = (sy - slope * sx) / RUNS;
    for (int i = 0; i < RUNS; i++) left += pow(log10(y[i]) - at_1 - slope * log10(x[i]), 2);
    *scatter = sqrt(left / RUNS);
    return slope;
}

/* Of the errors of the k-th decade. */
static double median_of(const series *s, int k)
{
    double sorted[DECADE + 1];
    memcpy(sorted, s->error + k * DECADE, sizeof sorted);
    qsort(sorted, DECADE + 1, sizeof *sorted, bench_by_size);
    return sorted[DECADE / 2];
}

static int risen(const series *s)
{
    int n = 0;
    for (int i = 0; i + DECADE < RUNS; i++) n += s->error[i + DECADE] > s->error[i];
    return n;
}

/* The end is not that of another motion: the same body by two sets of equations, and what stays in each motion. */
CLAIM(references_conserve_their_invariants)
{
    assert_true(apart(tops[TIP].right, tops[JOINT].right + 3, 4) < 1e-12);
    const top *x = &tops[FAST];
    const heavy_top *f = &x->fast;
    const double energy = heavy_top_energy(f, f->p0, f->v0), momentum = heavy_top_momentum(f, f->p0, f->v0);
    assert_true(fabs(heavy_top_energy(f, x->right, x->right_v) / energy - 1) < 1e-11);
    assert_true(fabs(heavy_top_momentum(f, x->right, x->right_v) / momentum - 1) < 1e-11);
    assert_true(fabs(x->right_v[4] / f->v0[4] - 1) < 1e-12); /* about its axis */
}

static void expect_fall(const top *x, const char *jacobian)
{
    series s;
    double scatter, least = 1, most = 0;
    run_series(x, &(way){.jacobian = jacobian}, &s);
    const double slope = slope_of(s.tol, s.error, &scatter);
    for (int k = 1; (k + 1) * DECADE < RUNS; k++) {
        const double fall = median_of(&s, k) / median_of(&s, k - 1);
        least = fmin(least, fall), most = fmax(most, fall);
    }
    double worst = 0;
    for (int i = 0; i < RUNS; i++) worst = fmax(worst, s.error[i] / s.tol[i]);
    print_message(
        "%-15s %-5s slope %.2f, medians fall to %.2f .. %.2f per decade, at most %.0f tolerances; single errors "
        "scatter by %.1f, %d of %d are larger a decade on\n",
        x->name, jacobian, slope, least, most, worst, pow(10, scatter), risen(&s), RUNS - DECADE);
    assert_true(slope >= min_slope);
    assert_true(most <= min_fall);
    assert_true(worst <= max_tolerances);
}

CLAIM(the_error_falls_with_the_tolerance)
{
    for (int i = 0; i < TOPS; i++) {
        expect_fall(&tops[i], "auto");
        expect_fall(&tops[i], "dense");
    }
}

/* One formula: the error is that of the steps that were taken, h^2, and no error is larger at a tenth of the
 * tolerance. */
CLAIM(scatter_of_errors_comes_from_the_choice_of_order_and_step)
{
    series s;
    double over_tol, over_steps;
    for (int i = 0; i < TOPS; i++) {
        run_series(&tops[i], &(way){.max_order = 2}, &s);
        const double of_tol = slope_of(s.tol, s.error, &over_tol), of_steps = slope_of(s.steps, s.error, &over_steps);
        print_message("%-15s order 2: slope %.2f, scatter %.2f; over steps %.2f, %.2f\n", tops[i].name, of_tol,
                      pow(10, over_tol), of_steps, pow(10, over_steps));
        assert_true(fabs(of_tol - 2.0 / 3) <= 0.05);
        assert_true(fabs(of_steps + 2) <= 0.1);
        assert_true(pow(10, over_steps) <= 1.2);
        assert_int_equal(risen(&s), 0);
    }
}

int main(void)
{
    return claims_run(open_tops, close_tops);
}
