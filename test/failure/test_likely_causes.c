/* test_likely_causes.c - a run that fails says what may be the cause, and nothing that the model rules out: the index
 * of a general DAE, kinds that are given, an excitation or a constraint that jumps. */
#include "test/fixtures/file_util.h"
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/mechanisms/small.h"

static const char *const strategies[] = {"auto", "dense"};

enum { HIGHEST = 5 };

static double derivative(double t, int k)
{
    static const double quarter = 1.57079632679489661923;
    return sin(t + k * quarter);
}

/* y_0 = sin t, y_i = y_i-1': of index n. user: n */
static int chain(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = y[0] - derivative(t, 0);
    for (int i = 1; i < *(const int *)user; i++) r[i] = y[i] - yp[i - 1];
    return 0;
}

/* A run of the chain to t = 10 with these kinds; its message in text. */
static resida_status run_chain(int n, const resida_kind *kinds, const char *strategy, char *text, size_t size)
{
    double y0[HIGHEST], yp0[HIGHEST];
    resida_dae d = test_dae();
    resida_solver_options o = test_solver_options();
    for (int i = 0; i < n; i++) y0[i] = derivative(0, i), yp0[i] = derivative(0, i + 1);
    d.n = n, d.kinds = kinds, d.residual = chain, d.user = &n;
    o.rtol = o.atol = 1e-6, o.max_steps = 20000, o.jacobian = strategy;
    resida_solver *s = test_solver_dae(&d, NULL, &o);
    resida_status status = resida_solver_start_dae(s, 0, y0, yp0);
    if (status >= 0) status = resida_solver_advance(s, 10);
    snprintf(text, size, "%s", resida_solver_message(s));
    return status;
}

CLAIM(a_high_index_is_named_by_what_is_known_of_it)
{
    static const resida_kind kinds[HIGHEST] = {RESIDA_DIFFERENTIAL}; /* all of them: given, and wrong */
    int named = 0;
    char text[RESIDA_MESSAGE_SIZE];
    for (int k = 0; k < 2 * 2 * 2; k++) {
        const int n = 4 + k % 2, is_given = k / 2 % 2;
        const resida_status status = run_chain(n, is_given ? kinds : NULL, strategies[k / 4], text, sizeof text);
        print_message("index %d, kinds %d, %s: %s\n", n, is_given, strategies[k / 4], text);
        assert_true(status < 0);
        if (status == RESIDA_ERR_LIMIT_STEPS) continue;
        named++;
        assert_non_null(strstr(text, "not supported"));
        assert_true((strstr(text, "give kinds") == NULL) == is_given);
    }
    assert_true(named >= 4); /* the others go on in steps of 1e-33 s */
}

/* Index 2 may get there: "auto" takes steps that no error test cuts. */
CLAIM(index_2_and_3_without_kinds_ask_for_them)
{
    char text[RESIDA_MESSAGE_SIZE];
    for (int k = 0; k < 4; k++) {
        const resida_status status = run_chain(2 + k / 2, NULL, strategies[k % 2], text, sizeof text);
        print_message("index %d, %s: %s\n", 2 + k / 2, strategies[k % 2], text);
        if (k == 0 && status >= 0) continue;
        assert_true(status < 0);
        assert_non_null(strstr(text, "if the index is 2 or 3"));
        assert_non_null(strstr(text, "give kinds"));
    }
}

/* A mass that is led, x = u, u = ramp of slope 1 from `at` on; user: at, and how smooth u is there. */
typedef struct led {
    double at;
    int jump; /* of u, or of ud; 2: of the force alone */
} led;

static int excitation(double t, double *u, double *ud, double *udd, void *user)
{
    const led *l = user;
    const double s = t > l->at ? t - l->at : 0, on = t > l->at;
    u[0] = l->jump == 0 ? on : l->jump == 1 ? s : s * s * s;
    ud[0] = l->jump == 1 ? on : l->jump == 2 ? 3 * s * s : 0;
    udd[0] = l->jump == 2 ? 6 * s : 0;
    return 0;
}

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    const led *l = user;
    r[0] = a[0];
    r[1] = a[1] + v[1] - (l->jump == 2 && t > l->at ? 1e300 : 0); /* which nothing can follow */
    return 0;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    g[0] = p[0] - e->u[0];
    return 0;
}

static int matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    G[0] = 1, G[1] = 0;
    return 0;
}

static int bias(double t, const double *p, const resida_excitation *e, double *gI, void *user)
{
    gI[0] = -e->ud[0];
    return 0;
}

CLAIM(an_excitation_that_jumps_is_named_and_no_other)
{
    static const char *const forms[] = {"ggl", "index3", "index2"};
    static const char *const named[] = {"u[0] jumps there from 0 to 1", "ud[0] jumps there from 0 to 1",
                                        "if a force or g jumps"};
    static const double begins[] = {0, 1e4};
    const double p0[2] = {0, 0}, v0[2] = {0, 0};
    for (int k = 0; k < 3 * 3 * 2 * 2; k++) {
        led l = {.at = begins[k / 9 % 2] + 0.3, .jump = k % 3};
        resida_mechanism m = test_mechanism();
        resida_problem_options po = test_problem_options();
        resida_solver_options so = test_solver_options();
        m.n_p = m.n_v = 2, m.n_g = m.n_u = 1, m.user = &l;
        m.residual = residual, m.excitation = excitation;
        m.constraint = constraint, m.constraint_matrix = matrix, m.velocity_bias = bias;
        po.form = forms[k / 3 % 3], so.jacobian = strategies[k / 18], so.rtol = so.atol = 1e-6;
        resida_solver *s = test_solver(&m, &po, &so);
        assert_int_equal(resida_solver_start(s, begins[k / 9 % 2], p0, v0, NULL, NULL), RESIDA_OK);
        const resida_status status = resida_solver_advance(s, begins[k / 9 % 2] + 1);
        const char *text = resida_solver_message(s);
        print_message("%s, %s, from %g: %d, %s\n", po.form, so.jacobian, begins[k / 9 % 2], (int)status, text);
        if (status < 0 && !strstr(text, named[l.jump])) fail_msg("that should be: %s", named[l.jump]);
    }
}

/* --- a constraint that jumps in time, without excitations --- */

/* A pendulum whose rod is longer by user[1] from t = user[0] on. */
static int rod(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    const double *jump = user;
    g[0] = hypot(p[0], p[1]) - 1 - (t > jump[0] ? jump[1] : 0);
    return 0;
}

static int rod_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    G[0] = p[0] / hypot(p[0], p[1]), G[1] = p[1] / hypot(p[0], p[1]);
    return 0;
}

CLAIM(a_constraint_that_jumps_is_named_with_its_size_and_time)
{
    static const double sizes[] = {-0.5, 1e-3, 0.1, 1};
    for (int k = 0; k < 4 * 2 * 2; k++) {
        double jump[2] = {0.5123, sizes[k % 4]};
        const double p0[2] = {1, 0}, v0[2] = {0, 0};
        resida_mechanism m = test_mechanism();
        resida_solver_options so = test_solver_options();
        m.n_p = m.n_v = 2, m.n_g = 1, m.user = jump;
        m.residual = small_particle, m.constraint = rod, m.constraint_matrix = k / 4 % 2 ? rod_matrix : NULL;
        so.jacobian = strategies[k / 8], so.rtol = so.atol = 1e-6;
        resida_solver *s = test_solver(&m, NULL, &so);
        assert_int_equal(resida_solver_start(s, 0, p0, v0, NULL, NULL), RESIDA_OK);
        assert_true(resida_solver_advance(s, 2) < 0);
        const char *words = claims_text("constraint g[0] jumps by %.3g at t = %.9g", -jump[1], jump[0]);
        if (!strstr(resida_solver_message(s), words)) fail_msg("%s: not in %s", words, resida_solver_message(s));
        assert_null(strstr(resida_solver_message(s), "give constraint_matrix"));
    }
}

/* --- a pendulum of two rods of 1 m below a pivot at (0.03 sin 20 t, 0), t within g, at tolerances below what
 * differences of g leave of gI --- */

static double pivot(double t)
{
    return 0.03 * sin(20 * t);
}

static int rods_fall(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                     void *user)
{
    for (int i = 0; i < 4; i++) r[i] = a[i] + (i % 2 ? 9.81 : 0);
    return 0;
}

static int rods_hold(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    const double x = p[0] - pivot(t), dx = p[2] - p[0], dy = p[3] - p[1];
    g[0] = x * x + p[1] * p[1] - 1;
    g[1] = dx * dx + dy * dy - 1;
    return 0;
}

static int rods_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    const double dx = 2 * (p[2] - p[0]), dy = 2 * (p[3] - p[1]);
    const double rows[8] = {2 * (p[0] - pivot(t)), 2 * p[1], 0, 0, -dx, -dy, dx, dy};
    memcpy(G, rows, sizeof rows);
    return 0;
}

static int rods_rate(double t, const double *p, const resida_excitation *e, double *gI, void *user)
{
    gI[0] = -2 * (p[0] - pivot(t)) * 0.6 * cos(20 * t);
    gI[1] = 0;
    return 0;
}

static resida_status run_rods(int has_matrix, int has_rate, char *text, size_t size)
{
    const double p0[4] = {sin(1), -cos(1), sin(1) + sin(0.5), -cos(1) - cos(0.5)}, v0[4] = {0.6, 0, 0.6, 0};
    resida_mechanism m = test_mechanism();
    resida_solver_options o = test_solver_options();
    m.name = "rods", m.n_p = m.n_v = 4, m.n_g = 2, m.residual = rods_fall, m.constraint = rods_hold;
    if (has_matrix) m.constraint_matrix = rods_matrix;
    if (has_rate) m.velocity_bias = rods_rate;
    o.rtol = o.atol = 1e-11;
    resida_solver *s = test_solver(&m, NULL, &o);
    resida_status status = resida_solver_start(s, 0, p0, v0, NULL, NULL);
    if (status >= 0) status = resida_solver_advance(s, 1);
    snprintf(text, size, "%s", resida_solver_message(s));
    return status;
}

CLAIM(a_rate_by_differences_that_is_too_coarse_is_named)
{
    char text[RESIDA_MESSAGE_SIZE];
    assert_int_equal(run_rods(1, 1, text, sizeof text), RESIDA_OK);
    for (int has_matrix = 0; has_matrix < 2; has_matrix++) {
        const resida_status status = run_rods(has_matrix, 0, text, sizeof text);
        print_message("%d: %s\n", (int)status, text);
        assert_true(status < 0);
        assert_non_null(strstr(text, has_matrix ? "give velocity_bias" : "give constraint_matrix and velocity_bias"));
    }
}

static int drive_x(double t, double *u, double *ud, double *udd, void *user)
{
    u[0] = 0.5 + t, ud[0] = 1, udd[0] = 0;
    return 0;
}

/* On the circle of radius 1, x is driven: at x = 1 both gradients are parallel. */
static int driven_on_circle(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    g[0] = p[0] * p[0] + p[1] * p[1] - 1, g[1] = p[0] - e->u[0];
    return 0;
}

CLAIM(a_dead_centre_is_named_with_the_row_that_depends_on_others)
{
    static const char *const names[] = {"rod", "drive"};
    const double p0[2] = {0.5, sqrt(0.75)}, v0[2] = {1, -0.5 / sqrt(0.75)};
    resida_mechanism k = test_mechanism();
    k.n_p = k.n_v = k.n_g = 2, k.n_u = 1, k.g_names = names;
    k.residual = small_inert, k.constraint = driven_on_circle, k.excitation = drive_x;
    resida_solver *s = test_solver(&k, NULL, NULL);
    assert_int_equal(resida_solver_start(s, 0, p0, v0, NULL, NULL), RESIDA_OK);
    assert_true(resida_solver_advance(s, 1) < 0);
    if (!strstr(resida_solver_message(s), "G is nearly singular there: its row of "))
        fail_msg("%s", resida_solver_message(s));
}
