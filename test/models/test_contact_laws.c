/* test_contact_laws.c - the laws of benchmarks/multibody/contact in motion. A mass m hits a wall: the restitution of
 * spring and damper (T. Schwager, T. Poeschel, Granular Matter 9 (2007) 465-469), and of Hunt and Crossley's law, which
 * has a first integral for any spring. A mass on a spring and a belt of speed v_b: it slides steadily, sticks like a
 * spring, sticks and slips as Coulomb's law has it, never gains energy. A block on a slope, pressed on it by a
 * constraint force: its speed at last. */
#include "benchmarks/multibody/contact/contact.h"
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

/** A run from t = 0 on. */
typedef struct run {
    resida_problem *problem;
    resida_solver *solver;
} run;

static void run_open(run *r, const resida_mechanism *m, const char *form, double tolerance, const double *atol,
                     const double *p0, const double *v0)
{
    resida_problem_options po = test_problem_options();
    resida_solver_options o = test_solver_options();
    po.form = form;
    o.rtol = tolerance;
    o.atol_each = atol;
    test_solver_make(&r->problem, &r->solver, m, &po, &o);
    if (resida_solver_start(r->solver, 0, p0, v0, NULL, NULL) < 0) fail_msg("%s", resida_solver_message(r->solver));
}

static resida_state run_to(run *r, double t)
{
    if (resida_solver_advance(r->solver, t) < 0) fail_msg("%s", resida_solver_message(r->solver));
    resida_state at = test_state(r->solver);
    return at;
}

/* --- against a wall at x = 0, from below --- */

enum { K = 10000, M = 4 };
static const double v_hit = 0.5, deepest = 0.01; /* v sqrt(m/k), undamped */

static int bounce(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                  void *user)
{
    r[0] = M * a[0] + ct_normal_force(user, p[0], v[0]);
    return 0;
}

/* Speed after the contact over the one before it. */
static double restitution(ct_normal law)
{
    static const double p0[] = {-0.01}, atol[] = {1e-12, 1e-10};
    resida_mechanism m = test_mechanism();
    run r;
    m.n_p = m.n_v = 1;
    m.residual = bounce;
    m.user = &law;
    run_open(&r, &m, "ode", 1e-9, atol, p0, &v_hit);
    resida_solver_set_stop_time(r.solver, 1);
    const double e = -run_to(&r, 0.5).v[0] / v_hit;
    return e;
}

CLAIM(a_spring_gives_all_back)
{
    assert_true(fabs(restitution((ct_normal){.k = K, .onset = 0.3 * deepest}) - 1) <= 1e-6);
}

/* The onset is a length of which the spring is too short: 0.5 .. 1 of its part of the way. */
CLAIM(a_damper_in_parallel_has_its_closed_form)
{
    static const double dampings[] = {20, 80, 200};
    for (int i = 0; i < 3; i++) {
        const double b = dampings[i] / (2.0 * M), w = sqrt((double)K / M - b * b), onset = 1e-3;
        const double exact = exp(-b / w * (acos(-1) - atan(2 * b * w / (w * w - b * b))));
        const double e = restitution((ct_normal){.k = K, .onset = onset * deepest, .c = dampings[i]});
        print_message("  c = %g: %.6f, closed form %.6f\n", dampings[i], e, exact);
        assert_true(fabs(e - exact) <= onset);
    }
}

/* m v'(e)/(1 + mu v) = -F(e): v/mu - ln(1 + mu v)/mu^2 is the same before and after. */
static double of_speed(double v, double mu)
{
    return v / mu - log1p(mu * v) / (mu * mu);
}

CLAIM(the_damper_of_hunt_and_crossley_has_its_first_integral_with_any_onset)
{
    static const double mus[] = {0.1, 1, 10}, onsets[] = {1e-3, 0.5, 3};
    for (int i = 0; i < 9; i++) {
        const double mu = mus[i / 3], before = of_speed(v_hit, mu);
        double low = 0, high = fmin(v_hit, 1 / mu);
        for (int k = 0; k < 60; k++) {
            const double middle = (low + high) / 2, after = of_speed(-middle, mu);
            *(after < before ? &low : &high) = middle;
        }
        const double e = restitution((ct_normal){.k = K, .onset = onsets[i % 3] * deepest, .mu = mu});
        print_message("  mu = %g, onset %g: %.8f, first integral %.8f\n", mu, onsets[i % 3], e, low / v_hit);
        assert_true(fabs(e - low / v_hit) <= 1e-6);
    }
}

/* --- on a belt --- */

/** p = x, v = (x', z); the spring k holds the mass, the belt goes with v_b. */
typedef struct belt {
    ct_friction law;
    double m, k, N, v_b;
} belt;

static const belt usual = {
    {.sigma0 = 1e5, .mu_s = 0.4, .mu_k = 0.3, .v_s = 1e-3, .gamma = 2, .release = 1}, .m = 1, .k = 100, .N = 10};

static int on_belt(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                   void *user)
{
    const belt *x = user;
    const double slip = v[0] - x->v_b;
    double zd, f;
    ct_bristle_rate(&x->law, 1, 1, &slip, &v[1], &zd);
    ct_friction_force(&x->law, 1, x->N, &slip, &v[1], &zd, &f);
    r[0] = x->m * a[0] + x->k * p[0] - f;
    r[1] = a[1] - zd;
    return 0;
}

static void belt_open(run *r, belt *x, double p0, double v0)
{
    static const double atol[] = {1e-11, 1e-9, 1e-14};
    const double v[] = {v0, 0};
    resida_mechanism m = test_mechanism();
    m.n_p = 1, m.n_v = 2, m.n_z = 1;
    m.residual = on_belt;
    m.user = x;
    run_open(r, &m, "ode", 1e-8, atol, &p0, v);
}

CLAIM(a_steady_slide_has_the_force_of_stribeck_and_the_viscous_one)
{
    static const double speeds[] = {0.5, -0.5, 2e-3, -2e-3}, rounding[] = {0, 1e-6};
    for (int i = 0; i < 8; i++) {
        belt x = usual;
        run r;
        x.v_b = speeds[i % 4];
        x.law.v_0 = rounding[i / 4];
        x.law.sigma2 = 10; /* damps what the falling friction excites */
        x.m = 0.01;
        const double v = fabs(x.v_b), g = 0.3 + 0.1 * exp(-(v / 1e-3) * (v / 1e-3));
        belt_open(&r, &x, copysign(x.N * (g + 10 * v) / x.k, x.v_b), 0);
        const double p = run_to(&r, 30).p[0], exact = copysign(x.N * (g + 10 * v), x.v_b);
        print_message("  %g m/s, v_0 %g: %.9f N, exact %.9f\n", x.v_b, x.law.v_0, x.k * p, exact);
        assert_true(fabs(x.k * p - exact) <= 1e-6 * fabs(exact));
    }
}

/* Bristles that are bent by a ten-thousandth of what they bear: a spring sigma0 N and a damper (sigma1 + sigma2) N. */
CLAIM(a_sticking_contact_vibrates_on_its_bristles)
{
    static const double dampers[3][2] = {{0, 0}, {20, 0}, {10, 15}};
    for (int q = 0; q < 3; q++) {
        belt x = usual;
        run r;
        x.law.sigma1 = dampers[q][0], x.law.sigma2 = dampers[q][1];
        const double b = (dampers[q][0] + dampers[q][1]) * x.N / (2 * x.m), size = 1e-4 * x.law.mu_s / x.law.sigma0;
        const double w = sqrt((x.law.sigma0 * x.N + x.k) / x.m - b * b);
        belt_open(&r, &x, 0, size * w);
        for (int i = 1; i <= 40; i++) {
            const resida_state at = run_to(&r, i * 0.37 / w);
            assert_true(fabs(at.p[0] - size * exp(-b * at.t) * sin(w * at.t)) <= 3e-3 * size);
        }
    }
}

CLAIM(no_energy_is_gained)
{
    for (int rounded = 0; rounded < 2; rounded++) {
        belt x = usual;
        run r;
        double before = x.k * 0.05 * 0.05 / 2;
        const double begin = before;
        x.law.v_0 = rounded * 1e-5;
        belt_open(&r, &x, 0.05, 0);
        for (int i = 1; i <= 200; i++) {
            const resida_state at = run_to(&r, i * 0.005);
            const double energy =
                x.m * at.v[0] * at.v[0] / 2 + x.k * at.p[0] * at.p[0] / 2 + x.N * x.law.sigma0 * at.v[1] * at.v[1] / 2;
            assert_true(energy <= before + 1e-7 * begin);
            before = energy;
        }
        print_message("  %g J of %g J are left\n", before, begin);
        assert_true(before < 0.4 * begin);
    }
}

/* Coulomb: it sticks until k x = mu_s N, slips with mu_k N until it has the speed of the belt again. Slips are fast
 * beside v_s, and bristles short beside them. */
CLAIM(stick_slip_is_that_of_coulomb)
{
    belt x = usual;
    run r;
    x.v_b = 0.1;
    const double w = sqrt(x.k / x.m), at_k = x.law.mu_k * x.N / x.k, D = (x.law.mu_s - x.law.mu_k) * x.N / x.k;
    const double A = hypot(D, x.v_b / w), period = 2 * D / x.v_b + (acos(-1) + 2 * atan2(x.v_b / w, D)) / w;
    double most = 0, least = 1, before = 0, first = 0, last = 0;
    int crossings = 0;
    belt_open(&r, &x, 0, 0);
    for (int i = 1; i <= 6000; i++) {
        const double p = run_to(&r, i * 1e-3).p[0];
        if (i > 3000) most = fmax(most, p), least = fmin(least, p);
        if (i > 3000 && before < at_k && p >= at_k) {
            last = (i - (p - at_k) / (p - before)) * 1e-3;
            if (crossings++ == 0) first = last;
        }
        before = p;
    }
    const double found = (last - first) / (crossings - 1);
    print_message("  period %.5f (%.5f), x %.6f .. %.6f (%.6f .. %.6f)\n", found, period, least, most, at_k - A,
                  at_k + A);
    assert_true(fabs(found - period) <= 0.02 * period);
    assert_true(fabs(most - (at_k + A)) <= 0.02 * A && fabs(least - (at_k - A)) <= 0.02 * A);
}

/* --- on a slope of 30 degrees: p = (along, off), 0 = off, v = (.., z) --- */

static const ct_friction slope_law = {
    .sigma0 = 1e4, .sigma1 = 0.01, .sigma2 = 0.05, .mu_s = 0.5, .mu_k = 0.4, .v_s = 0.01, .gamma = 1, .release = 1};

static int on_slope(double t, const double *p, const double *v, const double *a, const double *lam,
                    const resida_excitation *e, double *r, void *user)
{
    double zd, f;
    ct_bristle_rate(&slope_law, 1, 1, v, &v[2], &zd);
    ct_friction_force(&slope_law, 1, -lam[0], v, &v[2], &zd, &f);
    r[0] = M * (a[0] - 9.81 * sin(acos(-1) / 6)) - f;
    r[1] = M * (a[1] + 9.81 * cos(acos(-1) / 6));
    r[2] = a[2] - zd;
    return 0;
}

static int off(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    g[0] = p[1];
    return 0;
}

CLAIM(a_block_slides_as_fast_as_its_constraint_force_lets_it)
{
    static const char *const forms[] = {"ggl", "index2", "index3", "projected2"};
    static const double start[3] = {0, 0, 0}, faster[3] = {3, 0, 0};
    const double exact = (tan(acos(-1) / 6) - slope_law.mu_k) / slope_law.sigma2;
    resida_mechanism m = test_mechanism();
    m.n_p = 2, m.n_v = 3, m.n_z = 1, m.n_g = 1;
    m.residual_lam = on_slope;
    m.constraint = off;
    for (int f = 0; f < 4; f++) {
        run r;
        run_open(&r, &m, forms[f], 1e-6, NULL, start, faster);
        const resida_state at = run_to(&r, 60);
        print_message("  %s: %.7f m/s (%.7f), lam %.6f\n", forms[f], at.v[0], exact, at.lam[0]);
        assert_true(fabs(at.v[0] - exact) <= 1e-4);
        assert_true(fabs(at.lam[0] + M * 9.81 * cos(acos(-1) / 6)) <= 1e-3);
    }
}

CLAIM(bristles_that_touch_nothing_go_back_along_their_direction)
{
    const double v[] = {3, -1}, z[] = {1e-5, 2e-5};
    double zd[2], f[2];
    ct_friction law = usual.law;
    law.release = 0.1;
    ct_bristle_rate(&law, 2, 0, v, z, zd);
    for (int i = 0; i < 2; i++) assert_true(fabs(zd[i] + 10 * z[i]) <= 1e-18);
    ct_friction_force(&law, 2, 0, v, z, zd, f);
    assert_true(f[0] == 0 && f[1] == 0);
    assert_true(ct_closeness(&(ct_normal){.onset = 1}, -1e-9) == 0 && ct_closeness(&(ct_normal){.onset = 1}, 1) == 1);
}
