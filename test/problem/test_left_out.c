/* test_left_out.c - what a model leaves out is found by differences.
 *
 * Constraint matrix, velocity bias and acceleration bias by differences against the exact ones (complex_mechanism.h),
 * for curved constraints that move with u and with t, with T(p) and nonholonomic rows, in every combination of what is
 * given. Steps and orders of the differences promise, relative to sizes of about one: central of g, eps^(2/3) = 4e-11
 * for dg/dp and gI; fourth order of the velocity level, eps^(4/5) = 3e-13; nested fourth order, eps^(4/6) = 4e-11. The
 * rest is left for sums and higher derivatives. */
#include "src/core/problem/problem_impl.h"
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/mechanisms/complex_mechanism.h"
#include "test/fixtures/solver_fixture.h"

#define OFF_G     1e-9
#define OFF_GI    1e-8
#define OFF_GAMMA 1e-7
#define RTOL      1e-6

enum { SEEDS = 8, STATES = 20, COMBINATIONS = 16 };

/* A mechanism as the library holds it, at a random state with the exact values. */
typedef struct trial {
    cm c;
    rsd_mechanism *k;
    cm_point x;
    double t, p[CM_MAX], v[CM_MAX], udd[CM_MAX];
} trial;

static void open_trial(trial *q, uint64_t seed, int given)
{
    resida_allocator alloc = test_allocator();
    resida_message why = {""};
    cm_make_rich(&q->c, seed);
    q->c.sparse = (int)(seed % 2);
    cm_make(&q->c, seed);
    resida_mechanism m = cm_mechanism(&q->c, given);
    assert_int_equal(rsd_mechanism_create(&q->k, &m, 0, &alloc, &why), RESIDA_OK);
}

static void move_trial(trial *q, uint64_t *seed)
{
    q->t = 3 * bench_random(seed);
    for (int i = 0; i < q->c.n_p; i++) q->p[i] = bench_random(seed);
    for (int i = 0; i < q->c.n_v; i++) q->v[i] = 2 * bench_random(seed);
    q->x = cm_at(&q->c, q->t, q->p, q->v, q->udd);
    assert_int_equal(rsd_eval_excitation(q->k, q->t), 0);
    assert_int_equal(rsd_eval_matrices(q->k, q->t, q->p), 0);
}

/* max |x - y| over max(1, |y|) */
static double off(int n, const double *x, const double *y)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i] - y[i]));
    return most / fmax(1, bench_largest(n, y));
}

static double real_off(int n, const double *x, const cm_number *y)
{
    double real[2 * CM_MAX * CM_MAX];
    for (int i = 0; i < n; i++) real[i] = creal(y[i]);
    return off(n, x, real);
}

/* The fixture's matrix and velocity level follow from its g alone. */
CLAIM(the_exact_values_are_exact)
{
    uint64_t seed = 1;
    for (int i = 0; i < SEEDS; i++) {
        trial q;
        open_trial(&q, (uint64_t)i, CM_ALL);
        move_trial(&q, &seed);
        double gp[CM_MAX * CM_MAX], gI[CM_MAX];
        cm_number formula[CM_MAX * CM_MAX], w[2 * CM_MAX];
        cm_exact_matrix(&q.c, &q.x, gp);
        cm_constraint_matrix(&q.c, &q.x, formula);
        assert_true(real_off(q.c.n_g * q.c.n_p, gp, formula) < 16 * DBL_EPSILON);
        memset(q.x.v, 0, sizeof q.x.v);
        cm_exact_velocity_bias(&q.c, &q.x, gI);
        cm_velocity_level(&q.c, &q.x, w);
        assert_true(real_off(q.c.n_g, gI, w) < 16 * DBL_EPSILON);
    }
}

static double worst_matrix(int given)
{
    uint64_t seed = 2;
    double worst = 0, A[2 * CM_MAX * CM_MAX];
    cm_number exact[2 * CM_MAX * CM_MAX];
    for (int i = 0; i < SEEDS; i++) {
        trial q;
        open_trial(&q, (uint64_t)i, given);
        for (int s = 0; s < STATES; s++) {
            move_trial(&q, &seed);
            rsd_write_full_G(q.k, A);
            cm_rows(&q.c, &q.x, exact);
            worst = fmax(worst, real_off((q.c.n_g + q.c.n_h) * q.c.n_v, A, exact));
        }
    }
    return worst;
}

CLAIM(constraint_matrix_by_differences_is_exact_to_1e_9)
{
    double given = worst_matrix(CM_G), missing = worst_matrix(CM_NOTHING);
    print_message("G off by %.1e when given, %.1e by differences\n", given, missing);
    assert_true(given < 16 * DBL_EPSILON);
    assert_true(missing < OFF_G);
}

/* Largest errors of the velocity level and the acceleration bias; their excitation must be that of t afterwards. */
static void worst_biases(int given, double *w_off, double *gamma_off)
{
    uint64_t seed = 3;
    *w_off = *gamma_off = 0;
    for (int i = 0; i < SEEDS; i++) {
        trial q;
        open_trial(&q, (uint64_t)i, given);
        int n_l = q.c.n_g + q.c.n_h;
        for (int s = 0; s < STATES; s++) {
            double w[CM_MAX], gamma[CM_MAX], exact[CM_MAX], A[2 * CM_MAX * CM_MAX], again[2 * CM_MAX * CM_MAX];
            cm_number level[CM_MAX];
            move_trial(&q, &seed);
            rsd_write_full_G(q.k, A);
            assert_int_equal(rsd_eval_velocity_level(q.k, q.t, q.p, q.v, w), 0);
            cm_velocity_level(&q.c, &q.x, level);
            *w_off = fmax(*w_off, real_off(n_l, w, level));
            assert_int_equal(rsd_eval_acceleration_bias(q.k, q.t, q.p, q.v, gamma), 0);
            cm_exact_bias(&q.c, &q.x, q.udd, exact);
            *gamma_off = fmax(*gamma_off, off(n_l, gamma, exact));
            rsd_write_full_G(q.k, again);
            assert_memory_equal(A, again, (size_t)(n_l * q.c.n_v) * sizeof *A);
            assert_ptr_equal(q.k->calls.e.u, q.k->calls.u);
        }
    }
}

CLAIM(biases_by_differences_are_exact_to_1e_8_and_1e_7_whatever_is_given)
{
    for (int given = 0; given < COMBINATIONS; given++) {
        double w_off, gamma_off;
        worst_biases(given, &w_off, &gamma_off);
        print_message("given:%s%s%s%s%s  w off by %.1e, gamma by %.1e\n", given & CM_G ? " G" : "",
                      given & CM_GI ? " gI" : "", given & CM_GAMMA ? " gamma" : "",
                      given & CM_GAMMA_H ? " gamma_h" : "", given ? "" : " nothing", w_off, gamma_off);
        assert_true(w_off < OFF_GI);
        assert_true(gamma_off < OFF_GAMMA);
    }
}

enum { OUTPUTS = 20 };

/* How to integrate, at rtol = atol = 1e-6. */
typedef struct run {
    const char *form;
    resida_formalism formalism;
    double h_max;
} run;

/* States at OUTPUTS times up to t = 2, [OUTPUTS x n]. */
static int integrate(cm *c, int given, const run *how, double *y)
{
    resida_mechanism m = cm_mechanism(c, given);
    resida_problem_options po = test_problem_options();
    resida_solver_options so = test_solver_options();
    po.form = how->form, po.formalism = how->formalism;
    resida_problem *problem = test_problem(&m, &po);
    so.rtol = so.atol = RTOL, so.h_max = how->h_max, so.t_stop = 2;
    resida_solver *s = test_solver_of(problem, &so);
    assert_int_equal(resida_solver_start(s, 0, c->p0, c->v0, NULL, NULL), RESIDA_OK);
    int n = problem->layout.n;
    for (int i = 0; i < OUTPUTS; i++) {
        resida_status status = resida_solver_advance(s, 2.0 * (i + 1) / OUTPUTS);
        if (status != RESIDA_OK) fail_msg("%s", resida_solver_message(s));
        memcpy(y + (long)i * n, test_state(s).y, (size_t)n * sizeof *y);
    }
    return n;
}

/* How far two trajectories are apart in tolerances: p and v, and the multipliers. */
static void compare_trajectories(cm *c, const run *how, double *state_apart, double *lam_apart)
{
    double with[OUTPUTS * CM_MAX_Y], without[OUTPUTS * CM_MAX_Y];
    int n = integrate(c, CM_ALL, how, with);
    assert_int_equal(integrate(c, CM_NOTHING, how, without), n);
    for (int i = 0; i < OUTPUTS * n; i++) {
        double *most = i % n < c->n_p + c->n_v ? state_apart : lam_apart;
        *most = fmax(*most, fabs(with[i] - without[i]) / (RTOL * fabs(with[i]) + RTOL));
    }
}

/* Multipliers are not in the error test, and of the size of an error in a: only where h_max keeps steps small enough
 * are they as exact as tolerances, with a factor 1/h. */
CLAIM(trajectory_without_optional_callbacks_is_the_same_to_10_rtol)
{
    static const char *const forms[] = {"ggl", "index2"};
    static const double h_max[] = {INFINITY, 0.01};
    for (int i = 0; i < 8; i++) {
        run how = {forms[i % 2], i / 2 % 2 ? RESIDA_FORMALISM_EXPLICIT : RESIDA_FORMALISM_RESIDUAL, h_max[i / 4]};
        double state_apart = 0, lam_apart = 0;
        for (uint64_t seed = 0; seed < 3; seed++) {
            cm c;
            cm_make_rich(&c, seed);
            compare_trajectories(&c, &how, &state_apart, &lam_apart);
        }
        print_message("%s, %s, h_max %g: p, v apart by %.2g tolerances, multipliers by %.2g\n", how.form,
                      how.formalism == RESIDA_FORMALISM_EXPLICIT ? "explicit" : "residual", how.h_max, state_apart,
                      lam_apart);
        assert_true(state_apart <= 10);
        if (how.h_max < INFINITY) assert_true(lam_apart <= 100);
    }
}
