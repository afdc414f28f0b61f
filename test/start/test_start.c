/* test_start.c - the consistent start against closed forms, published values, and the same linear systems solved in
 * long double by another method (start_fixture.c); what it costs; what it refuses.
 *
 * The systems have conditions up to some 1e4, so that double precision gives 1e-12; EXACT leaves a factor of 100. */
#include "test/fixtures/mechanisms/complex_mechanism.h"
#include "test/fixtures/oracle.h"
#include "start_fixture.h"
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/mechanisms/small.h"

#define EXACT 1e-10

static const resida_formalism formalisms[] = {RESIDA_FORMALISM_RESIDUAL, RESIDA_FORMALISM_EXPLICIT};

static const bench_setting moving[] = {{"n", 4}, {"alpha0", 0.5}, {"omega", 2}, {NULL, 0}};
static const bench_setting damped[] = {{"n", 10}, {"alpha0", 0.5}, {"d", 0.7}, {NULL, 0}};

static const struct {
    const char *model;
    const bench_setting *settings;
} cases[] = {{"pendulum", NULL},          {"slider-crank", NULL}, {"chain-cartesian", moving},
             {"chain-cartesian", damped}, {"andrews", NULL},      {"car-axis", NULL}};
enum { N_CASES = sizeof cases / sizeof *cases, STATES = 20 };

/* lam = m (v^2 - g y)/(2 L^2) is that of the tangential velocity; the radial part of v0 is to be removed. */
CLAIM(pendulum_starts_with_the_closed_form)
{
    starter s;
    double worst = 0;
    for (int k = 0; k < 200; k++) {
        starter_open(&s, "pendulum", NULL, formalisms[k % 2]);
        const double g = s.b.cls->parameters[2].value, rate = k % 7 - 3, radial = k % 3 - 1;
        const double p0[] = {cos(0.1 * k), sin(0.1 * k)};
        const double v0[] = {-p0[1] * rate + p0[0] * radial, p0[0] * rate + p0[1] * radial};
        assert_int_equal(starter_start(&s, 0, p0, v0, NULL), RESIDA_OK);
        const long double x = s.p[0], y = s.p[1], L2 = x * x + y * y, omega = (x * v0[1] - y * v0[0]) / L2;
        const long double lam[] = {(L2 * omega * omega - g * y) / (2 * L2)};
        const long double v[] = {-y * omega, x * omega}, a[] = {-2 * x * lam[0], -2 * y * lam[0] - g};
        worst = fmax(worst, starter_off(2, s.v, v));
        worst = fmax(worst, starter_off(2, s.a, a));
        worst = fmax(worst, starter_off(1, s.lam, lam));
    }
    print_message("pendulum: v, a, lam off by %.1e\n", worst);
    assert_true(worst < EXACT);
}

/* Reference values: SUNDIALS' idaSlCrank_dns as index-3 DAE, solved for a consistent start with 15 digits. */
CLAIM(slider_crank_at_rest_has_the_reference_values)
{
    const long double a[] = {-0.513397459621556L, 0.256698729810778L, 0}, lam[] = {1.310288568297L, -1.17017059221718L};
    for (int f = 0; f < 2; f++) {
        starter s;
        starter_open(&s, "slider-crank", NULL, formalisms[f]);
        assert_int_equal(starter_start(&s, 0, s.b.model.p0, s.b.model.v0, NULL), RESIDA_OK);
        double off_a = starter_off(3, s.a, a), off_lam = starter_off(2, s.lam, lam);
        print_message("slider-crank: a off by %.1e, lam by %.1e\n", off_a, off_lam);
        assert_true(off_a < 1e-14 && off_lam < 1e-12); /* the digits that are printed */
    }
}

static void fill_near(int n, const double *x0, double size, double *x, uint64_t *seed)
{
    for (int i = 0; i < n; i++) x[i] = x0[i] + size * bench_random(seed);
}

/* v against the M-orthogonal projection of v0 at the p that came out, a and lam against the system at (p, v). */
CLAIM(every_model_in_motion_matches_an_independent_solution)
{
    uint64_t seed = 3;
    for (int i = 0; i < 2 * N_CASES; i++) {
        starter s;
        double worst_v = 0, worst_a = 0, worst_lam = 0;
        starter_open(&s, cases[i / 2].model, cases[i / 2].settings, formalisms[i % 2]);
        for (int k = 0; k < STATES; k++) {
            double p0[START_MAX], v0[START_MAX], t = k % 2 ? 0.5 : 0;
            long double v[START_MAX], a[START_MAX], lam[START_MAX];
            fill_near(s.n_p, s.b.model.p0, k < STATES / 2 ? 0 : 1e-2, p0, &seed);
            fill_near(s.n_v, s.b.model.v0, 2, v0, &seed);
            if (starter_start(&s, t, p0, v0, NULL) != RESIDA_OK) fail_msg("%s", s.why.text);
            starter_expected_velocity(&s, t, s.p, v0, v);
            starter_expected_acceleration(&s, t, s.p, s.v, a, lam);
            worst_v = fmax(worst_v, starter_off(s.n_v, s.v, v));
            worst_a = fmax(worst_a, starter_off(s.n_v, s.a, a));
            worst_lam = fmax(worst_lam, starter_off(s.n_g, s.lam, lam));
        }
        print_message("%s, %s: v off by %.1e, a by %.1e, lam by %.1e\n", cases[i / 2].model,
                      resida_problem_formalism(s.problem), worst_v, worst_a, worst_lam);
        assert_true(worst_v < EXACT && worst_a < EXACT && worst_lam < EXACT);
    }
}

/* A mechanism with T(p), M(p), nonholonomic rows and excitation, its matrices from complex_mechanism.c. */
typedef struct rich {
    cm c;
    resida_problem *problem;
    double p[CM_MAX], v[CM_MAX], a[CM_MAX], lam[CM_MAX];
    resida_start_report report;
    resida_message why;
} rich;

static void open_rich(rich *r, uint64_t seed, int given, resida_formalism formalism)
{
    cm_make_rich(&r->c, seed);
    resida_mechanism m = cm_mechanism(&r->c, given);
    resida_problem_options o = test_problem_options();
    o.formalism = formalism;
    r->problem = test_problem(&m, &o);
}

static resida_status start_rich(rich *r, double t, const double *p0, const double *v0, const resida_start_options *o)
{
    r->c.calls = 0;
    return resida_problem_start(r->problem, t, p0, v0, o, r->p, r->v, r->a, r->lam, &r->report, &r->why);
}

static void real_parts(int n, const cm_number *z, double s, double *x)
{
    for (int i = 0; i < n; i++) x[i] = s * creal(z[i]);
}

/* How far v is off the projection of v0, and (a, lam) off the system, in long double. */
static void check_rich(rich *r, double t, const double *v0, double *off_v, double *off_a)
{
    const cm *c = &r->c;
    int n_l = c->n_g + c->n_h;
    double M[CM_MAX * CM_MAX], A[CM_MAX * CM_MAX], psi[CM_MAX], w[CM_MAX], zero[CM_MAX] = {0}, udd[CM_MAX];
    cm_number z[2 * CM_MAX * CM_MAX];
    long double x[CM_MAX], mu[CM_MAX];
    cm_point at = cm_at(c, t, r->p, v0, udd);
    cm_mass(c, &at, z), real_parts(c->n_v * c->n_v, z, 1, M);
    cm_rows(c, &at, z), real_parts(n_l * c->n_v, z, 1, A);
    cm_velocity_level(c, &at, z), real_parts(n_l, z, -1, w);
    assert_true(oracle_kkt(c->n_v, n_l, M, A, zero, w, x, mu));
    for (int i = 0; i < c->n_v; i++) x[i] += v0[i];
    *off_v = fmax(*off_v, starter_off(c->n_v, r->v, x));
    at = cm_at(c, t, r->p, r->v, udd);
    cm_forces(c, &at, z), real_parts(c->n_v, z, 1, psi);
    cm_exact_bias(c, &at, udd, w);
    for (int i = 0; i < n_l; i++) w[i] = -w[i];
    assert_true(oracle_kkt(c->n_v, n_l, M, A, psi, w, x, mu));
    *off_a = fmax(*off_a, fmax(starter_off(c->n_v, r->a, x), starter_off(n_l, r->lam, mu)));
}

CLAIM(mechanism_with_everything_matches_an_independent_solution)
{
    uint64_t seed = 4;
    for (int f = 0; f < 4; f++) {
        double off_v = 0, off_a = 0;
        int all = f < 2;
        for (uint64_t k = 0; k < 3 * STATES; k++) {
            rich r;
            double p0[CM_MAX], v0[CM_MAX], t = k % 2 ? 0.1 : 0;
            open_rich(&r, k % 8, all ? CM_ALL : CM_NOTHING, formalisms[f % 2]);
            fill_near(r.c.n_p, r.c.p0, k < STATES ? 0 : 0.05, p0, &seed);
            fill_near(r.c.n_v, r.c.v0, 1, v0, &seed);
            if (start_rich(&r, t, p0, v0, NULL) != RESIDA_OK) fail_msg("%s", r.why.text);
            check_rich(&r, t, v0, &off_v, &off_a);
        }
        print_message("random mechanism, %s, %s: v off by %.1e, a and lam by %.1e\n", f % 2 ? "explicit" : "residual",
                      all ? "everything given" : "nothing given", off_v, off_a);
        assert_true(all ? off_v < EXACT && off_a < EXACT : off_v < 1e-8 && off_a < 1e-7); /* as differences are */
    }
}

CLAIM(start_again_gives_the_same_bits)
{
    uint64_t seed = 5;
    for (uint64_t k = 0; k < 20; k++) {
        rich r, again;
        double p0[CM_MAX], v0[CM_MAX];
        open_rich(&r, k, k % 2 ? CM_ALL : CM_NOTHING, formalisms[k / 2 % 2]);
        fill_near(r.c.n_p, r.c.p0, 0.05, p0, &seed);
        fill_near(r.c.n_v, r.c.v0, 1, v0, &seed);
        assert_int_equal(start_rich(&r, 0.3, p0, v0, NULL), RESIDA_OK);
        again = r;
        assert_int_equal(start_rich(&again, 0.9, v0, p0, NULL) == RESIDA_ERR_ARGUMENT, 0); /* something else between */
        assert_int_equal(start_rich(&again, 0.3, p0, v0, NULL), RESIDA_OK);
        assert_memory_equal(r.p, again.p, (size_t)r.c.n_p * sizeof(double));
        assert_memory_equal(r.v, again.v, (size_t)r.c.n_v * sizeof(double));
        assert_memory_equal(r.a, again.a, (size_t)r.c.n_v * sizeof(double));
        assert_memory_equal(r.lam, again.lam, (size_t)(r.c.n_g + r.c.n_h) * sizeof(double));
    }
}

/* One evaluation of the system for each stage that has changed something: 1 call with M, else n_v + 1, and n_l + 1 of
 * the explicit formalism. */
CLAIM(residual_calls_are_reported_exactly)
{
    for (int k = 0; k < 16; k++) {
        rich r;
        int is_explicit = k % 2, given = k / 2 % 2 ? CM_ALL : CM_ALL - CM_M, move_p = k / 4 % 2, move_v = k / 8 % 2;
        double p[CM_MAX], v[CM_MAX];
        open_rich(&r, 1, given, formalisms[is_explicit]);
        assert_int_equal(start_rich(&r, 0, r.c.p0, r.c.v0, NULL), RESIDA_OK);
        memcpy(p, r.p, sizeof p);
        memcpy(v, r.v, sizeof v);
        if (move_p) p[0] += 1e-3;
        if (move_v) v[0] += 1e-3;
        assert_int_equal(start_rich(&r, 0, p, v, NULL), RESIDA_OK);
        long each = is_explicit ? r.c.n_g + r.c.n_h + 1 : given & CM_M ? 1 : r.c.n_v + 1;
        assert_int_equal(r.report.p_change > 0, move_p);
        assert_int_equal(r.report.residual_calls, r.c.calls);
        assert_int_equal(r.c.calls, each * (1 + (r.report.p_change > 0) + (r.report.v_change > 0)));
        if (!move_p && !move_v) assert_int_equal(r.c.calls, each); /* nothing was changed */
    }
}

CLAIM(max_change_is_respected_and_reported)
{
    for (int k = 0; k < 2; k++) {
        rich r;
        resida_start_options o = test_start_options();
        open_rich(&r, 2, CM_ALL, RESIDA_FORMALISM_AUTO);
        assert_int_equal(start_rich(&r, 0, r.c.p0, r.c.v0, NULL), RESIDA_OK);
        double p0[CM_MAX], v0[CM_MAX];
        memcpy(p0, r.p, sizeof p0);
        memcpy(v0, r.v, sizeof v0);
        if (k == 0) p0[1] += 0.01;
        if (k == 1) v0[1] += 0.01;
        assert_int_equal(start_rich(&r, 0, p0, v0, NULL), RESIDA_OK);
        double change = k == 0 ? r.report.p_change : r.report.v_change, largest = 0;
        for (int i = 0; i < r.c.n_p; i++) largest = fmax(largest, fabs(r.p[i] - p0[i]));
        for (int i = 0; i < r.c.n_v && k == 1; i++) largest = fmax(largest, fabs(r.v[i] - v0[i]));
        assert_true(change == largest && change > 1e-4);
        o.max_change = fmax(r.report.p_change, r.report.v_change);
        assert_int_equal(start_rich(&r, 0, p0, v0, &o), RESIDA_OK);
        o.max_change = change * (1 - 1e-9);
        assert_int_equal(start_rich(&r, 0, p0, v0, &o), RESIDA_ERR_INCONSISTENT);
        assert_non_null(strstr(r.why.text, k == 0 ? "nearest position" : "nearest velocity"));
        assert_non_null(strstr(r.why.text, "max_change"));
    }
}

/* x^2 + y^2 = -1: from some points the iteration passes through the origin, where G is zero. */
static int impossible_g(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    out[0] = p[0] * p[0] + p[1] * p[1] + 1;
    return 0;
}

static int impossible_G(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    out[0] = 2 * p[0], out[1] = 2 * p[1];
    return 0;
}

CLAIM(impossible_constraints_are_inconsistent_and_change_nothing)
{
    resida_mechanism m = test_mechanism();
    resida_problem *problems[2]; /* with G by differences, and exact: (1, 0) then goes to the origin */
    resida_message why;
    uint64_t seed = 7;
    m.n_p = m.n_v = 2, m.n_g = 1, m.residual = small_particle, m.constraint = impossible_g;
    problems[0] = test_problem(&m, NULL);
    m.constraint_matrix = impossible_G;
    problems[1] = test_problem(&m, NULL);
    for (int k = 0; k < 200; k++) {
        double out[7] = {1, 2, 3, 4, 5, 6, 7}, p0[] = {1, 0}, v0[] = {1, 1};
        if (k > 1) fill_near(2, p0, 2, p0, &seed);
        const double p_before[] = {p0[0], p0[1]};
        resida_start_report report;
        resida_status status =
            resida_problem_start(problems[k % 2], 0, p0, v0, NULL, out, out + 2, out + 4, out + 6, &report, &why);
        if (status != RESIDA_ERR_INCONSISTENT)
            fail_msg("%s from (%g, %g): %s", resida_status_name(status), p0[0], p0[1], why.text);
        for (int i = 0; i < 7; i++) assert_true(out[i] == i + 1);
        assert_memory_equal(p0, p_before, sizeof p0);
        bench_near(report.g_before, p0[0] * p0[0] + p0[1] * p0[1] + 1, 1e-14 * report.g_before);
        assert_non_null(strstr(why.text, "constraints at t = 0"));
    }
}
