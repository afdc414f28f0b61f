/* test_equilibrium_linear.c - equilibria of small linear systems, which leave directions open, turn steadily, are
 * unstable, or have no equilibrium at all; what is refused, and what fails. */
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/rationed.h"
#include "test/fixtures/solver_fixture.h"

/* --- two coordinates and a state: m_i a_i + d_i v_i + k_i p_i + udd = f_i,  z' = p_1 - z --- */

typedef struct plain {
    double k[2], d[2], f[2];
    int calls, verdict, verdict_from, spoils;
} plain;

static int plain_residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                          double *r, void *user)
{
    plain *c = user;
    for (int i = 0; i < 2; i++) r[i] = a[i] + c->d[i] * v[i] + c->k[i] * p[i] - c->f[i] + e->udd[0] + e->ud[0];
    r[2] = a[2] - (p[0] - v[2]);
    if (c->spoils) r[0] = NAN;
    return ++c->calls >= c->verdict_from ? c->verdict : 0;
}

static int moving(double t, double *u, double *ud, double *udd, void *user)
{
    *u = exp(t), *ud = exp(t), *udd = exp(t);
    return 0;
}

static resida_mechanism plain_mechanism(plain *c)
{
    static const char *const p_names[] = {"x", "y"}, *const v_names[] = {"x'", "y'", "bristle"};
    resida_mechanism m = test_mechanism();
    m.name = "plain", m.user = c;
    m.n_p = 2, m.n_v = 3, m.n_z = 1, m.n_u = 1;
    m.residual = plain_residual, m.excitation = moving;
    m.p_names = p_names, m.v_names = v_names;
    return m;
}

/* Both of them tied to the middle, twice. */
static int tie(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    g[0] = p[0] + p[1];
    g[1] = 2 * p[0] + 2 * p[1];
    return 0;
}

static int tie_once(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    g[0] = p[0] + p[1];
    return 0;
}

typedef struct plain_found {
    double p[2], v[3], lam[2];
    resida_equilibrium_options o;
    resida_equilibrium_report report;
    resida_message why;
} plain_found;

static const double guess_p[] = {0.5, 0.25}, guess_v[] = {7, 0, 3};

static void begin_plain(plain_found *f)
{
    memset(f, 0, sizeof *f);
    f->p[0] = f->v[0] = 77;
    resida_equilibrium_options_init(&f->o);
}

static resida_status find_plain(plain_found *f, const resida_mechanism *m, const resida_allocator *a)
{
    resida_problem *problem;
    resida_problem_options o = test_problem_options();
    o.allocator = a;
    resida_status status = resida_problem_create(&problem, m, &o, &f->why);
    if (status < 0) return status;
    status = resida_problem_equilibrium(problem, 0, guess_p, guess_v, &f->o, f->p, f->v, m->n_g > 0 ? f->lam : NULL,
                                        &f->report, &f->why);
    resida_problem_free(problem);
    return status;
}

/* u moves, but it is held where it is: neither ud nor udd. A state comes to z = p_1. */
CLAIM(excitations_stand_still_and_states_settle)
{
    plain c = {{4, 2}, {0.5, 0.25}, {8, 1}, 0, 0, 0, 0};
    const resida_mechanism m = plain_mechanism(&c);
    plain_found f;
    begin_plain(&f);
    assert_int_equal(find_plain(&f, &m, NULL), RESIDA_OK);
    bench_near(f.p[0], 2, 1e-12);
    bench_near(f.p[1], 0.5, 1e-12);
    assert_true(f.v[0] == 0 && f.v[1] == 0);
    bench_near(f.v[2], 2, 1e-12);
    assert_int_equal(f.report.stability, RESIDA_STABILITY_DECAYING);
    assert_int_equal(f.report.n_modes, 5);
    bench_near(f.report.growth, -0.125, 1e-7); /* -d_2/2 */
    bench_near(f.report.frequency, sqrt(2 - 0.125 * 0.125), 1e-7);
    assert_int_equal(f.report.load_steps, 1);
    f.o.load_steps = 4;
    assert_int_equal(find_plain(&f, &m, NULL), RESIDA_OK);
    assert_in_range(f.report.load_steps, 3, 4);
    bench_near(f.p[0], 2, 1e-12);
}

/* Nothing holds y, nothing acts on it: it stays where it was. */
CLAIM(a_free_direction_is_named_and_stays)
{
    plain c = {{4, 0}, {1, 1}, {8, 0}, 0, 0, 0, 0};
    const resida_mechanism m = plain_mechanism(&c);
    plain_found f;
    begin_plain(&f);
    assert_int_equal(find_plain(&f, &m, NULL), RESIDA_OK);
    bench_near(f.p[0], 2, 1e-12);
    bench_near(f.p[1], guess_p[1], 1e-12);
    assert_int_equal(f.report.n_free, 1);
    assert_string_equal(f.report.free.text, "y");
    assert_int_equal(f.report.stability, RESIDA_STABILITY_NEUTRAL);
    assert_int_equal(f.report.n_modes, 4); /* the zero of y is not among them */
    assert_string_equal(f.report.judged.text, "neutral: all 4 modes decay; in free directions it does not move");
}

CLAIM(a_falling_body_has_no_equilibrium_and_its_weight_is_named)
{
    plain c = {{4, 0}, {1, 0}, {8, -9.81}, 0, 0, 0, 0};
    const resida_mechanism m = plain_mechanism(&c);
    plain_found f;
    begin_plain(&f);
    for (int steady = 0; steady < 2; steady++) {
        f.o.steady = steady;
        assert_int_equal(find_plain(&f, &m, NULL), RESIDA_ERR_NEWTON);
        assert_non_null(strstr(f.why.text, "worst: y "));
        assert_string_equal(f.report.free.text, "y");
        assert_true(f.report.residual > 0.1);
        assert_true(f.p[0] == 77 && f.v[0] == 77); /* untouched */
    }
}

/* d y' = f; and x, which something depends on, rests. ud and udd are those of the model then. */
CLAIM(a_position_on_which_nothing_depends_may_move_at_a_constant_rate)
{
    plain c = {{4, 0}, {1, 5}, {8, 10}, 0, 0, 0, 0};
    const resida_mechanism m = plain_mechanism(&c);
    plain_found f;
    begin_plain(&f);
    f.o.steady = 1;
    assert_int_equal(find_plain(&f, &m, NULL), RESIDA_OK);
    bench_near(f.p[0], (8 - 2.0) / 4, 1e-12);
    bench_near(f.v[1], (10 - 2.0) / 5, 1e-12);
    bench_near(f.p[1], guess_p[1], 1e-12);
    assert_true(f.v[0] == 0);
    assert_int_equal(f.report.n_steady, 1);
    assert_int_equal(f.report.stability, RESIDA_STABILITY_DECAYING);
}

/* So many modes of the system grow, the fastest one so fast, while so many directions are free. */
static void expect_growth(plain c, int n_growing, int n_free, double growth, double accuracy)
{
    const resida_mechanism m = plain_mechanism(&c);
    plain_found f;
    begin_plain(&f);
    assert_int_equal(find_plain(&f, &m, NULL), RESIDA_OK);
    assert_int_equal(f.report.stability, RESIDA_STABILITY_GROWING);
    assert_int_equal(f.report.n_growing, n_growing);
    assert_int_equal(f.report.n_free, n_free);
    bench_near(f.report.growth, growth, accuracy);
}

CLAIM(negative_stiffness_and_damping_are_unstable)
{
    expect_growth((plain){.k = {4, -9}}, 1, 0, 3, 1e-6);
    expect_growth((plain){.k = {4, 9}, .d = {0, -0.5}}, 2, 0, 0.25, 1e-6);
}

/* Slower by 1e5 than the fastest mode: a stiffness in equations of its own, and a damping of what is free. */
CLAIM(slow_growth_is_named)
{
    expect_growth((plain){.k = {4e2, -1e-8}, .d = {1, 0}}, 1, 0, 1e-4, 1e-8);
    expect_growth((plain){.k = {4e2, 0}, .d = {1, -1e-4}}, 1, 1, 1e-4, 1e-8);
}

/* Two bars of length 1 beside a joint at height p, of stiffness k: von Mises' truss, loaded by a part of k. */
static int truss_residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                          double *r, void *user)
{
    const double k = ((plain *)user)->k[0], rest = sqrt(1 + 0.1 * 0.1), l = sqrt(1 + p[0] * p[0]);
    r[0] = a[0] + 2 * k * (l - rest) / rest * p[0] / l + 5e-4 * k;
    return 0;
}

/* Without damping nothing decays, however stiff it is: what is not found is not judged. */
CLAIM(undetermined_modes_are_not_reported_as_stable)
{
    for (double k = 1e8; k < 1e15; k *= 10) {
        plain c = {.k = {k}};
        resida_mechanism m = plain_mechanism(&c);
        m.n_p = m.n_v = 1, m.n_z = m.n_u = 0;
        m.residual = truss_residual, m.excitation = NULL;
        plain_found f;
        begin_plain(&f);
        assert_int_equal(find_plain(&f, &m, NULL), RESIDA_OK);
        if (f.report.stability != RESIDA_STABILITY_NEUTRAL)
            assert_non_null(strstr(f.report.judged.text, "stability unknown: "));
    }
}

/* The second row is twice the first: f_1 - k_1 p_1 = lam. */
CLAIM(redundant_rows_are_refused_or_dropped_by_name)
{
    plain c = {{4, 4}, {1, 1}, {8, 0}, 0, 0, 0, 0};
    resida_mechanism m = plain_mechanism(&c);
    static const char *const g_names[] = {"tie", "tie again"};
    m.n_g = 2, m.constraint = tie, m.g_names = g_names;
    plain_found f;
    begin_plain(&f);
    assert_int_equal(find_plain(&f, &m, NULL), RESIDA_ERR_REDUNDANT);
    assert_non_null(strstr(f.why.text, "tie"));
    f.o.redundant = RESIDA_REDUNDANT_DROP;
    assert_int_equal(find_plain(&f, &m, NULL), RESIDA_OK);
    assert_non_null(strstr(f.report.redundant.text, "tie"));
    bench_near(f.p[0], 1, 1e-10);
    bench_near(f.p[1], -1, 1e-10);
    bench_near(f.lam[0] + 2 * f.lam[1], 4, 1e-9);
    assert_int_equal(f.report.n_modes, 3);
}

/* --- general DAEs --- */

/* y1' = y2 - y1,  0 = y2 - 3;   with index 2: 0 = y1 - 3 */
static int circuit(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] + y[0] - y[1];
    r[1] = (*(const int *)user ? y[0] : y[1]) - 3;
    return 0;
}

CLAIM(a_general_dae_of_any_index_rests_and_is_judged)
{
    for (int index_2 = 0; index_2 < 2; index_2++) {
        resida_dae d = test_dae();
        d.n = 2, d.residual = circuit, d.user = &index_2;
        const double y0[] = {1, -1};
        double y[2] = {0};
        resida_equilibrium_report report;
        resida_message why;
        resida_problem *problem = test_problem_dae(&d, NULL);
        assert_int_equal(resida_problem_equilibrium_dae(problem, 0, y0, NULL, y, &report, &why), RESIDA_OK);
        bench_near(y[0], 3, 1e-9);
        bench_near(y[1], 3, 1e-9);
        assert_int_equal(report.stability, RESIDA_STABILITY_DECAYING);
        assert_int_equal(report.n_modes, !index_2); /* with index 2 nothing is left that could move */
        if (!index_2) bench_near(report.growth, -1, 1e-9);
        resida_equilibrium_options o;
        resida_equilibrium_options_init(&o);
        o.steady = 1;
        assert_int_equal(resida_problem_equilibrium_dae(problem, 0, y0, &o, y, &report, &why), RESIDA_ERR_OPTION);
    }
}

/* --- x' = s (x/2 + z - 3), 0 = 2 z - x: at x = 3, z = 3/2 all modes are s; each unknown and row in its unit --- */

typedef struct unequal {
    double s, x, z, rows[2];
} unequal;

static int unequal_residual(double t, const double *y, const double *yp, const resida_excitation *e, double *r,
                            void *user)
{
    const unequal *u = user;
    r[0] = u->rows[0] * (yp[0] / u->x - u->s * (y[0] / u->x / 2 + y[1] / u->z - 3));
    r[1] = u->rows[1] * (2 * y[1] / u->z - y[0] / u->x);
    return 0;
}

CLAIM(units_of_a_general_dae_change_neither_its_equilibrium_nor_the_stability)
{
    static const double units[] = {1e-12, 1e-9, 1e-3, 1, 1e9};
    int n_unknown = 0;
    for (int k = 0; k < 625; k++) {
        unequal u = {k % 2 ? 1 : -1, units[k % 5], units[k / 5 % 5], {units[k / 25 % 5], units[k / 125]}};
        const double y0[] = {2 * u.x, 5 * u.z};
        double y[2] = {0};
        resida_dae d = test_dae();
        resida_equilibrium_report report;
        resida_message why = {""};
        d.n = 2, d.residual = unequal_residual, d.user = &u;
        resida_problem *problem = test_problem_dae(&d, NULL);
        if (resida_problem_equilibrium_dae(problem, 0, y0, NULL, y, &report, &why) < 0) fail_msg("%d: %s", k, why.text);
        bench_near(y[0] / u.x, 3, 1e-9);
        bench_near(y[1] / u.z, 1.5, 1e-9);
        assert_int_equal(report.n_free, 0);
        if (report.stability == RESIDA_STABILITY_UNKNOWN) { /* linearize refuses rows of 1e-12 beside 1 */
            n_unknown++;
            continue;
        }
        assert_int_equal(report.stability, u.s > 0 ? RESIDA_STABILITY_GROWING : RESIDA_STABILITY_DECAYING);
        bench_near(report.growth, u.s, 1e-7);
    }
    print_message("%d unknown\n", n_unknown);
}

/* --- C y1' = I,  y2' = k (y2 - 1); of a mechanism C a1 = -I, a2 = -k x2 --- */

typedef struct tiny {
    double C, I, k;
} tiny;

static int tiny_circuit(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const tiny *c = user;
    r[0] = c->C * yp[0] - c->I;
    r[1] = yp[1] - c->k * (y[1] - 1);
    return 0;
}

static int tiny_bodies(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                       double *r, void *user)
{
    const tiny *c = user;
    r[0] = c->C * a[0] + c->I;
    r[1] = a[1] + c->k * p[1];
    return 0;
}

static resida_status find_tiny(tiny *c, int is_dae, resida_equilibrium_report *report, resida_message *why)
{
    const double zero[2] = {0, 0};
    double y[2], v[2];
    resida_problem *problem;
    resida_dae d = test_dae();
    resida_mechanism m = test_mechanism();
    d.n = 2, d.residual = tiny_circuit, d.user = c;
    m.n_p = m.n_v = 2, m.residual = tiny_bodies, m.user = c;
    const resida_status made =
        is_dae ? resida_problem_create_dae(&problem, &d, NULL, why) : resida_problem_create(&problem, &m, NULL, why);
    assert_int_equal(made, RESIDA_OK);
    const resida_status status =
        is_dae ? resida_problem_equilibrium_dae(problem, 0, zero, NULL, y, report, why)
               : resida_problem_equilibrium(problem, 0, zero, zero, NULL, y, v, NULL, report, why);
    resida_problem_free(problem);
    return status;
}

/* A picofarad at 10 V/s, a microgram in free fall: little in amperes and newtons, and no rest. */
CLAIM(a_tiny_residual_is_compared_with_inertia_if_there_is_no_other_scale)
{
    resida_equilibrium_report report;
    resida_message why;
    for (int is_dae = 0; is_dae < 2; is_dae++)
        for (double k = 0; k < 1e3; k += 500) {
            tiny c = {1e-12, 1e-11, -k};
            if (!is_dae) c.k = k;
            assert_int_equal(find_tiny(&c, is_dae, &report, &why), RESIDA_ERR_NEWTON);
            if (is_dae && k == 0) continue; /* y2 is free, too */
            c.I = 0;
            assert_int_equal(find_tiny(&c, is_dae, &report, &why), RESIDA_OK);
        }
}

/* No step has been tried at any size. */
CLAIM(a_residual_that_is_not_finite_is_named_without_steps)
{
    resida_equilibrium_report report;
    resida_message why;
    tiny c = {1, NAN, -1};
    assert_int_equal(find_tiny(&c, 1, &report, &why), RESIDA_ERR_NONFINITE);
    assert_string_equal(why.text, "callback residual, component 0 (y[0]) is NaN or Inf at t = 0");
}

/* --- many masses, each on its spring, one of them negative --- */

enum { MANY = 201 };

static int many_residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                         double *r, void *user)
{
    for (int i = 0; i < MANY; i++) r[i] = a[i] + v[i] + (i == 7 ? -1 : i + 1) * p[i] - 1;
    return 0;
}

CLAIM(the_unstable_mode_among_402_states_is_found)
{
    static const double zero[MANY] = {0};
    static double p[MANY], v[MANY];
    static int row[MANY + 1], col[MANY];
    resida_equilibrium_report report;
    resida_mechanism m = test_mechanism();
    m.n_p = m.n_v = MANY, m.residual = many_residual;
    for (int i = 0; i < MANY; i++) row[i + 1] = i + 1, col[i] = i;
    m.M_pattern = m.Phi_p_pattern = m.Phi_v_pattern = (resida_pattern){row, col};
    resida_problem *problem = test_problem(&m, NULL);
    assert_int_equal(resida_problem_equilibrium(problem, 0, zero, zero, NULL, p, v, NULL, &report, NULL), RESIDA_OK);
    for (int i = 0; i < MANY; i++) bench_near(p[i], i == 7 ? -1 : 1.0 / (i + 1), 1e-9);
    assert_int_equal(report.stability, RESIDA_STABILITY_GROWING);
    assert_int_equal(report.n_modes, 2 * MANY);
    assert_int_equal(report.n_growing, 1);
    bench_near(report.growth, (sqrt(5) - 1) / 2, 1e-8); /* x'' + x' - x = 0 */
}

/* --- failures --- */

CLAIM(budgets_hold_and_callbacks_that_fail_are_named)
{
    for (int way = 0; way < 5; way++) {
        plain c = {{4, 2}, {1, 1}, {8, 1}, 0, 0, 0, 0};
        const resida_mechanism m = plain_mechanism(&c);
        const resida_status expected[] = {RESIDA_ERR_LIMIT_RESIDUALS, RESIDA_ERR_LIMIT_TIME, RESIDA_ERR_USER,
                                          RESIDA_ERR_NONFINITE, RESIDA_ERR_USER};
        static const char *const words[] = {"budget", "time limit", "callback residual", "residual", "residual"};
        plain_found f;
        begin_plain(&f);
        if (way == 0) f.o.max_residuals = 6;
        if (way == 1) f.o.time_limit_s = 1e-9;
        if (way == 2) c.verdict = -1, c.verdict_from = 6;
        if (way == 3) c.spoils = 1;
        if (way == 4) c.verdict = 1, c.verdict_from = 1;
        assert_int_equal(find_plain(&f, &m, NULL), expected[way]);
        assert_non_null(strstr(f.why.text, words[way]));
        assert_true(f.p[0] == 77 && f.v[0] == 77);
    }
}

CLAIM(every_allocation_may_fail)
{
    plain c = {{4, 0}, {1, 1}, {8, 0}, 0, 0, 0, 0};
    resida_mechanism m = plain_mechanism(&c);
    m.n_g = 1, m.constraint = tie_once;
    c.k[0] = 0, c.f[0] = 0;
    long blocks = 0;
    for (int done = 0; !done; blocks++) {
        rationed r = {.left = blocks, .once = 1};
        const resida_allocator a = rationed_allocator(&r);
        plain_found f;
        begin_plain(&f);
        const resida_status status = find_plain(&f, &m, &a);
        done = r.left >= 0;
        assert_int_equal(r.out, 0);
        if (!done && status != RESIDA_OK) {
            assert_int_equal(status, RESIDA_ERR_MEMORY);
            assert_true(f.why.text[0] != 0 && f.p[0] == 77);
        }
    }
    assert_true(blocks > 50);
}
