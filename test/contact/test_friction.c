/* test_friction.c - applied forces that depend on the constraint forces: motions and starts of the bodies of ground.h
 * against closed forms, both formalisms, all forms, matrices given and not given; no solution, refusals. */
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/mechanisms/complex_mechanism.h"
#include "ground.h"
#include "test/fixtures/solver_fixture.h"

static resida_problem *problem_of(const resida_mechanism *m, const char *form, resida_formalism formalism)
{
    resida_problem_options o = test_problem_options();
    o.form = form, o.formalism = formalism;
    return test_problem(m, &o);
}

/* Where M has no entry J is Phi_v, and Phi_lam + G' in the column of lam, bit for bit. */
static void check_derivatives(const ground *k, const resida_solver *s)
{
    resida_jacobian_matrix J;
    int found = 0;
    assert_int_equal(resida_jacobian_get_matrix(resida_solver_jacobian(s), &J), RESIDA_OK);
    for (int c = 3; c <= 6; c++)
        for (int e = J.start[c]; e < J.start[c + 1]; e++) {
            const int i = J.row[e] - 3;
            if (i < 0 || i >= 3 || i == c - 3) continue;
            found++;
            if (c < 6) assert_true(J.values[e] == k->Phi_v[3 * i + c - 3]);
            if (c == 6) assert_true(J.values[e] == k->Phi_lam[i] + (i == 1));
        }
    assert_int_equal(found, 9);
}

/** p and v at the end of a motion. */
typedef struct outcome {
    double p[3], v[3];
    long calls;
    char strategy[40];
} outcome;

static outcome move(ground *k, given what, const char *form, resida_formalism formalism, const char *strategy,
                    const double *p0, const double *v0, double t_end)
{
    outcome x = {.calls = 0};
    const resida_mechanism m = ground_mechanism(k, what);
    resida_problem *problem = problem_of(&m, form, formalism);
    resida_solver_options o = test_solver_options();
    resida_state s;
    o.rtol = o.atol = 1e-9, o.t_stop = t_end, o.jacobian = strategy;
    resida_solver *solver = test_solver_of(problem, &o);
    k->calls = 0;
    if (resida_solver_start(solver, 0, p0, v0, NULL, NULL) < 0 || resida_solver_advance(solver, t_end) < 0)
        fail_msg("%s", resida_solver_message(solver));
    s = test_state(solver);
    assert_int_equal(test_stats(solver).residual_calls.total, k->calls);
    resida_jacobian_counts counts;
    assert_int_equal(resida_jacobian_get_counts(resida_solver_jacobian(solver), &counts), RESIDA_OK);
    if (what == PATTERNS) assert_int_equal(counts.pattern_updates, 0); /* nothing was missing */
    if (k->Phi_v[0] > 0) check_derivatives(k, solver);
    memcpy(x.p, s.p, sizeof x.p), memcpy(x.v, s.v, sizeof x.v);
    x.calls = k->calls;
    strcpy(x.strategy, resida_jacobian_strategy(resida_solver_jacobian(solver)));
    return x;
}

/* In all forms and formalisms, with all that may be given. */
static void in_all_ways(kind which, given most, double mu, const double *p0, const double *v0, double t_end,
                        void (*check)(const outcome *x))
{
    static const char *const forms[] = {"ggl", "index2"}, *const strategies[] = {"auto", "dense", "sparse+extended"};
    for (int form = 0; form < 2; form++)
        for (int formalism = RESIDA_FORMALISM_RESIDUAL; formalism <= RESIDA_FORMALISM_EXPLICIT; formalism++)
            for (int what = BARE; what <= (int)most; what++) {
                ground k = {.kind = which, .bodies = 1, .rows = 1, .mu = mu};
                const char *strategy = what == DERIVATIVES ? "auto" : strategies[what];
                const outcome x =
                    move(&k, (given)what, forms[form], (resida_formalism)formalism, strategy, p0, v0, t_end);
                if (what == DERIVATIVES && formalism == RESIDA_FORMALISM_RESIDUAL)
                    assert_true(strcmp(x.strategy, "user") == 0 && k.Phi_v[0] > 0);
                check(&x);
            }
}

/* sinh(w/S) = sinh(w0/S) exp(-mu/S (GRAV t + h' - h'(0))),  w = x' - B; without lam N would be MASS GRAV. */
static void block_is_where_it_must_be(const outcome *x)
{
    const double t = 0.35, mu = 0.4, rate = H * W * (cos(W * t) - 1);
    const double w = S * asinh(sinh((2 - B) / S) * exp(-mu / S * (GRAV * t + rate)));
    const double constant_load = S * asinh(sinh((2 - B) / S) * exp(-mu / S * GRAV * t));
    assert_true(fabs(w - constant_load) > 0.1);
    bench_near(x->v[0], B + w, 1e-6);
    bench_near(x->p[1], H * sin(W * t), 1e-6);
    bench_near(x->v[1], H * W * cos(W * t), 1e-6);
}

CLAIM(a_block_slides_on_a_moving_plane)
{
    in_all_ways(BLOCK, PATTERNS, 0.4, (const double[]){0, 0, 0}, (const double[]){2, H * W, 1}, 0.35,
                block_is_where_it_must_be);
}

/* The slip s = x' - R th' falls as exp(-q t). */
static void wheel_is_where_it_must_be(const outcome *x)
{
    const double t = 1.5, slip = 1 - R * 2, q = C * MASS * GRAV * (1 / MASS + R * R / INERTIA);
    const double gone = (1 - exp(-q * t)) / q, force = -C * GRAV * slip;
    bench_near(x->v[0], 1 + force * gone, 1e-6);
    bench_near(x->v[0] - R * x->v[2], slip * exp(-q * t), 1e-6);
    bench_near(x->p[0], t + force / q * (t - gone), 1e-6);
    bench_near(x->p[1], R, 1e-9);
}

CLAIM(a_wheel_creeps_until_it_rolls)
{
    in_all_ways(WHEEL, DERIVATIVES, 0, (const double[]){0, R, 0}, (const double[]){1, 0, 2}, 1.5,
                wheel_is_where_it_must_be);
}

static outcome first_rod;

static void rod_is_where_the_first_one_was(const outcome *x)
{
    if (first_rod.calls == 0) first_rod = *x;
    for (int i = 0; i < 3; i++) {
        bench_near(x->p[i], first_rod.p[i], 1e-6);
        bench_near(x->v[i], first_rod.v[i], 1e-6);
    }
}

/* No closed form: both formalisms and forms agree. */
CLAIM(a_falling_rod_has_the_same_motion_in_all_formalisms)
{
    first_rod.calls = 0;
    in_all_ways(ROD, PATTERNS, 0.3, (const double[]){0, L * cos(0.5), 0.5}, (const double[]){1, 0, 0}, 0.3,
                rod_is_where_the_first_one_was);
    assert_true(fabs(first_rod.v[0] - 1) > 0.1);
}

/* Rods that lean and slide differently: (A - mu f) N = GRAV - L cos(th) th'^2,  A = 1/m + (L sin(th))^2/I,
 * f = tanh(tip/S) L^2 sin(th) cos(th)/I, as long as N > 0. */
static void place_rod(int b, double *p, double *v)
{
    p[0] = b, p[2] = 0.3 + 0.02 * b, p[1] = L * cos(p[2]);
    v[2] = 0.1 * sin(b), v[1] = -L * sin(p[2]) * v[2], v[0] = 1 + 0.05 * b;
}

static double load_of_rod(double mu, const double *p, const double *v)
{
    const double s = L * sin(p[2]), c = L * cos(p[2]), A = 1 / MASS + s * s / INERTIA;
    return (GRAV - c * v[2] * v[2]) / (A - mu * tanh((v[0] + c * v[2]) / S) * s * c / INERTIA);
}

typedef struct started {
    resida_status status;
    double p[SIZE], v[SIZE], a[SIZE], lam[2 * MOST];
    resida_start_report report;
    resida_message why;
} started;

static void start_rods(ground *k, given what, resida_formalism formalism, started *x)
{
    double p0[SIZE], v0[SIZE];
    resida_start_options o = test_start_options();
    o.redundant = RESIDA_REDUNDANT_DROP;
    *x = (started){.status = RESIDA_OK};
    const resida_mechanism m = ground_mechanism(k, what);
    resida_problem *problem = problem_of(&m, "auto", formalism);
    for (int b = 0; b < k->bodies; b++) place_rod(b, p0 + 3 * b, v0 + 3 * b);
    for (int again = 0; again < 2; again++) { /* nothing is left of the first time */
        k->calls = 0;
        x->status = resida_problem_start(problem, 0, p0, v0, &o, x->p, x->v, x->a, x->lam, &x->report, &x->why);
        assert_int_equal(x->report.residual_calls, k->calls);
    }
}

static void check_rods(const ground *k, const started *x)
{
    if (x->status < 0) fail_msg("%s", x->why.text);
    assert_int_equal(x->report.n_redundant, k->bodies * (k->rows - 1));
    for (int b = 0; b < k->bodies; b++) {
        const double *p = x->p + 3 * b, *v = x->v + 3 * b, *a = x->a + 3 * b;
        const double N = load_of_rod(k->mu, p, v), tip = v[0] + L * cos(p[2]) * v[2], T = -k->mu * N * tanh(tip / S);
        bench_near(normal_force(k, body_lam(k, x->lam, b)), N, 1e-10 * fabs(N));
        bench_near(a[0], T / MASS, 1e-10 * GRAV);
        bench_near(a[1], N / MASS - GRAV, 1e-10 * GRAV);
        bench_near(a[2], L * (sin(p[2]) * N + cos(p[2]) * T) / INERTIA, 1e-9 * GRAV);
    }
}

/* 40 rods are stored sparsely where matrices are given. */
CLAIM(starts_are_exact_to_1e_10)
{
    static const int bodies[] = {1, 5, MOST};
    for (int size = 0; size < 3; size++)
        for (int rows = 1; rows <= 2; rows++)
            for (int formalism = RESIDA_FORMALISM_RESIDUAL; formalism <= RESIDA_FORMALISM_EXPLICIT; formalism++)
                for (int what = BARE; what <= PATTERNS; what++) {
                    /* -30: pushed on so hard that forces put in where lam came from would grow ever larger */
                    ground k = {.kind = ROD, .bodies = bodies[size], .rows = rows, .mu = what == BARE ? 0.3 : -30};
                    started x;
                    start_rods(&k, (given)what, (resida_formalism)formalism, &x);
                    check_rods(&k, &x);
                }
}

/* One call with M for Psi(0), one more for each stage that moved; the law is linear where N > 0, so one step of
 * Newton's method goes there, and one or two see that it is done. All rods are moved in one call where it is said that
 * their forces have no multiplier in common. */
CLAIM(a_step_of_newton_costs_a_call_and_one_for_each_group_of_multipliers)
{
    static const int bodies[] = {1, 5, MOST};
    for (int size = 0; size < 3; size++)
        for (int what = MATRICES; what <= PATTERNS; what++) {
            ground k = {.kind = ROD, .bodies = bodies[size], .rows = 1, .mu = 0.3};
            const int each = 1 + (what == PATTERNS ? 1 : bodies[size]);
            started x;
            start_rods(&k, (given)what, RESIDA_FORMALISM_RESIDUAL, &x);
            check_rods(&k, &x);
            assert_in_range(x.report.residual_calls, 1 + 2 * each, 3 + 4 * each);
        }
}

/* Curved in lam, nonholonomic rows, T: M a + A' lam = Psi(lam) and A a = -gamma hold for random mechanisms. */
CLAIM(random_mechanisms_start_exactly)
{
    double worst = 0;
    for (int trial = 0; trial < 40; trial++) {
        cm c = {.n_p = 7, .n_v = 6, .n_g = 2, .n_h = 1, .n_u = 2, .with_T = 1, .sparse = 1, .friction = 0.2};
        double p[CM_MAX], v[CM_MAX], a[CM_MAX], lam[CM_MAX], udd[CM_MAX], gamma[CM_MAX];
        cm_make(&c, (uint64_t)trial + 1);
        const resida_mechanism m = cm_mechanism(&c, CM_ALL);
        resida_problem *problem =
            problem_of(&m, "index2", trial % 2 ? RESIDA_FORMALISM_EXPLICIT : RESIDA_FORMALISM_RESIDUAL);
        resida_message why = {""};
        resida_start_report report;
        c.calls = 0;
        if (resida_problem_start(problem, 0, c.p0, c.v0, NULL, p, v, a, lam, &report, &why) < 0)
            fail_msg("%s", why.text);
        assert_int_equal(report.residual_calls, c.calls);
        double again[4][CM_MAX]; /* nothing is left of the first start */
        assert_int_equal(
            resida_problem_start(problem, 0, c.p0, c.v0, NULL, again[0], again[1], again[2], again[3], NULL, NULL), 0);
        assert_memory_equal(again[1], v, 6 * sizeof *v);
        assert_memory_equal(again[3], lam, 3 * sizeof *lam);
        cm_number y[CM_MAX_Y] = {0}, yp[CM_MAX_Y] = {0}, r[CM_MAX_Y], A[2 * CM_MAX * CM_MAX];
        for (int i = 0; i < 7; i++) y[i] = p[i];
        for (int i = 0; i < 6; i++) y[7 + i] = v[i], yp[7 + i] = a[i];
        for (int i = 0; i < 3; i++) y[13 + i] = lam[i];
        cm_F(&c, "index2", 0, 0, y, yp, r);
        const cm_point x = cm_at(&c, 0, p, v, udd);
        cm_exact_bias(&c, &x, udd, gamma);
        cm_rows(&c, &x, A);
        for (int i = 0; i < 6; i++) worst = fmax(worst, fabs(creal(r[7 + i])));
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 6; j++) gamma[i] += creal(A[i * 6 + j]) * a[j];
            worst = fmax(worst, fabs(gamma[i]));
        }
    }
    print_message("equations off by %.1e\n", worst);
    assert_true(worst < 1e-10);
}

/* Painleve: with mu = 30 no N at all satisfies A N - mu f |N| = GRAV - L cos(th) th'^2; the start ends, says so, and
 * leaves the caller's arrays alone. */
CLAIM(a_force_law_without_a_solution_ends_with_a_message)
{
    for (int formalism = RESIDA_FORMALISM_RESIDUAL; formalism <= RESIDA_FORMALISM_EXPLICIT; formalism++)
        for (int bodies = 1; bodies <= MOST; bodies += MOST - 1) {
            ground k = {.kind = ROD, .bodies = bodies, .rows = 1, .mu = 30};
            started x;
            double p[3], v[3];
            place_rod(bodies - 1, p, v);
            assert_true(load_of_rod(k.mu, p, v) < 0 && load_of_rod(-k.mu, p, v) > 0); /* neither has its sign */
            start_rods(&k, MATRICES, (resida_formalism)formalism, &x);
            assert_int_equal(x.status, RESIDA_ERR_INCONSISTENT);
            assert_non_null(strstr(x.why.text, "on which applied forces depend, does not converge"));
            assert_true(x.a[0] == 0 && x.lam[0] == 0);
            assert_true(k.calls <= 300 * (bodies + 1));
        }
}

static void refused(const resida_mechanism *m, const char *says)
{
    resida_problem *problem;
    resida_message why = {""};
    assert_int_equal(resida_problem_create(&problem, m, NULL, &why), RESIDA_ERR_MODEL);
    if (!strstr(why.text, says)) fail_msg("'%s' does not say '%s'", why.text, says);
}

CLAIM(contradictions_are_refused_by_name)
{
    ground k = {.kind = ROD, .bodies = 1, .rows = 1, .mu = 0.3};
    cm c = {.n_p = 3, .n_v = 3, .n_g = 1};
    cm_make(&c, 1);
    const resida_mechanism plain = cm_mechanism(&c, CM_NOTHING), good = ground_mechanism(&k, PATTERNS);
    resida_mechanism m = good;
    m.residual = plain.residual;
    refused(&m, "ground: residual and residual_lam are both given");
    m = good, m.acceleration = plain.acceleration;
    refused(&m, "acceleration and acceleration_lam are both given");
    m = good, m.acceleration_lam = NULL, m.acceleration = plain.acceleration;
    refused(&m, "residual_lam is given, but acceleration does not depend on lam");
    m = good, m.residual_lam = NULL, m.residual = plain.residual;
    refused(&m, "acceleration_lam is given, but residual does not depend on lam");
    m = good, m.Phi_lam_pattern.row = NULL;
    refused(&m, "Phi_lam_pattern and Phi_p_pattern must be given both or not at all");
    m = plain, m.Phi_lam_pattern = good.Phi_lam_pattern;
    refused(&m, "Phi_lam_pattern is given without residual_lam");
    m = good, m.n_g = 0, m.constraint = NULL, m.constraint_matrix = NULL;
    m.velocity_bias = NULL, m.acceleration_bias = NULL;
    refused(&m, "n_g + n_h = 0, but residual_lam or acceleration_lam is given");
}
