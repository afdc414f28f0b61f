/* test_linearize_outputs.c - outputs of models as rows of C and D: against closed forms, against what a start computes
 * of states nearby, and what is left out or refused, with the reason in words. */
#include "linear_fixture.h"
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

static const double close_to = 1e-8;

static resida_model with_outputs(int n, const char *const *names,
                                 int (*output)(const resida_model *, const resida_model_point *, double *))
{
    resida_model m;
    memset(&m, 0, sizeof m);
    m.size = sizeof m;
    m.n_outputs = n, m.output_names = names, m.output = output;
    return m;
}

static void add(linear *x, const resida_model *m, const char *expected)
{
    resida_message why = {"not empty"};
    const resida_status status = resida_linearization_add_outputs(x->l, m, &why);
    if (status < 0) fail_msg("%s: %s", resida_status_name(status), why.text);
    if (strstr(why.text, expected) == NULL || (!expected[0] && why.text[0])) fail_msg("%s", why.text);
    assert_int_equal(resida_linearization_get(x->l, &x->model), RESIDA_OK);
    assert_int_equal(resida_linearization_modes(x->l, 0, 0, &x->modes, &why), RESIDA_OK);
}

/* T = m (L phi'^2 - g sin phi), E = m ((L phi')^2/2 + g L sin phi); dx = -L sin(phi) dphi, and dv of a w alone is
 * L (-sin, cos) dphi'. */
CLAIM(tension_and_energy_of_a_pendulum_have_their_closed_derivatives)
{
    const double m = 3, L = 1.5, g = 9.81, phi = -2, rate = 3;
    const bench_setting settings[] = {{"m", m}, {"L", L}, {"g", g}, {"phi0", phi}, {"w0", rate}, {NULL, 0}};
    for (int formalism = 1; formalism <= 2; formalism++) {
        linear x;
        bench *b = bench_make("pendulum", settings);
        linear_open(&x, b->m, (resida_formalism)formalism, 0, b->model.p0, b->model.v0);
        add(&x, &b->model, "");
        assert_int_equal(x.model.n_outputs, 6);
        assert_int_equal(x.model.n_components, 4);
        assert_string_equal(x.model.outputs[3], "y'");
        assert_string_equal(x.model.outputs[4], "out.tension");
        assert_string_equal(x.model.outputs[5], "out.energy");
        const double dphi = linear_entry(&x.model.C, 0, 0) / (-L * sin(phi));
        const double drate = linear_entry(&x.model.C, 2, 1) / (-L * sin(phi));
        assert_true(fabs(fabs(dphi) - 1 / L) < close_to && fabs(fabs(drate) - 1 / L) < close_to);
        assert_true(fabs(linear_entry(&x.model.C, 4, 0) + m * g * cos(phi) * dphi) < 10 * close_to);
        assert_true(fabs(linear_entry(&x.model.C, 4, 1) - 2 * m * L * rate * drate) < 10 * close_to);
        assert_true(fabs(linear_entry(&x.model.C, 5, 0) - m * g * L * cos(phi) * dphi) < 10 * close_to);
        assert_true(fabs(linear_entry(&x.model.C, 5, 1) - m * L * L * rate * drate) < 10 * close_to);
        const double *re = x.modes.shape_re, *im = x.modes.shape_im; /* of the one mode: x is 1 */
        assert_int_equal(x.modes.n, 1);
        assert_true(fabs(re[0] - 1) < close_to && fabs(im[0]) < close_to);
        assert_true(hypot(re[4], im[4]) > 1 && hypot(re[5], im[5]) > 1);
    }
}

/* Of the slope of a pendulum over its middle, y/x at x = 0, the angle jumps by pi; a stiff spring does not jump. */
static int jumping_output(const resida_model *model, const resida_model_point *at, double *out)
{
    out[0] = at->p[0] > 0 ? 0 : acos(-1);
    out[1] = 1e12 * at->p[0];
    return 0;
}

CLAIM(an_output_that_jumps_at_the_state_is_left_out_by_name)
{
    static const char *const names[] = {"angle", "force"};
    const bench_setting settings[] = {{"phi0", -acos(-1) / 2}, {"w0", 0}, {NULL, 0}};
    const resida_model model = with_outputs(2, names, jumping_output);
    const double p0[] = {0, -1};
    linear x;
    bench *b = bench_make("pendulum", settings);
    linear_open(&x, b->m, RESIDA_FORMALISM_AUTO, 0, p0, b->model.v0);
    add(&x, &model, "out.angle is not in the linear model: it jumps at the state");
    assert_int_equal(x.model.n_outputs, x.model.n_components + 1);
    assert_string_equal(x.model.outputs[x.model.n_components], "out.force");
    assert_true(fabs(fabs(linear_entry(&x.model.C, x.model.n_components, 0)) - 1e12) < 1e12 * close_to);
}

/* --- p0 = u, m p1'' = -k (p1 - p0) - d (p1' - p0'), 5 p0'' = k (p1 - p0) + d (p1' - p0') - lam --- */

enum { M = 2, K = 18, D = 3, CART = 5 };

static int cart(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                void *user)
{
    const double f = K * (p[1] - p[0]) + D * (v[1] - v[0]);
    r[0] = CART * a[0] - f, r[1] = M * a[1] + f;
    return 0;
}

static int held(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    const int *copies = user;
    for (int i = 0; i < *copies; i++) g[i] = p[0] - e->u[0];
    return 0;
}

static int held_rate(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const int *copies = user;
    for (int i = 0; i < *copies; i++) out[i] = -e->ud[0];
    return 0;
}

static int held_bias(double t, const double *p, const double *v, const resida_excitation *e, double *out, void *user)
{
    const int *copies = user;
    for (int i = 0; i < *copies; i++) out[i] = -e->udd[0];
    return 0;
}

static int still(double t, double *u, double *ud, double *udd, void *user)
{
    u[0] = 0.25, ud[0] = udd[0] = 0;
    return 0;
}

static const char *const cart_names[] = {"a0", "a1", "force"};

static int cart_output(const resida_model *model, const resida_model_point *at, double *out)
{
    const int *copies = model->user;
    out[0] = at->a[0], out[1] = at->a[1], out[2] = 0;
    for (int i = 0; i < *copies; i++) out[2] += at->lam[i];
    return 0;
}

CLAIM(accelerations_and_reactions_follow_from_state_and_inputs)
{
    static const double p0[] = {0.25, 0.25}, v0[] = {0, 0};
    for (int copies = 1; copies <= 3; copies += 2) { /* three: two of them redundant */
        resida_mechanism m = test_mechanism();
        resida_model model = with_outputs(3, cart_names, cart_output);
        linear x;
        m.n_p = m.n_v = 2, m.n_g = copies, m.n_u = 1, m.user = model.user = &copies;
        m.residual = cart, m.constraint = held, m.velocity_bias = held_rate, m.acceleration_bias = held_bias;
        m.excitation = still;
        linear_open(&x, &m, RESIDA_FORMALISM_AUTO, 0, p0, v0);
        add(&x, &model, "");
        const double sign = linear_entry(&x.model.C, 1, 0), sign_v = linear_entry(&x.model.C, 3, 1);
        const double of_q[] = {0, -(double)K / M, K}, of_w[] = {0, -(double)D / M, D};
        const double of_u[3][3] = {{0, 0, 1}, {(double)K / M, (double)D / M, 0}, {-K, -D, -CART}};
        for (int i = 0; i < 3; i++) {
            assert_true(fabs(linear_entry(&x.model.C, 4 + i, 0) - sign * of_q[i]) < 10 * close_to);
            assert_true(fabs(linear_entry(&x.model.C, 4 + i, 1) - sign_v * of_w[i]) < 10 * close_to);
            for (int j = 0; j < 3; j++)
                assert_true(fabs(linear_entry(&x.model.D, 4 + i, j) - of_u[i][j]) < 10 * close_to);
        }
    }
}

/* --- a front axle: all accelerations and multipliers --- */

enum { MOST = 400 };

static int all_of_axle(const resida_model *model, const resida_model_point *at, double *out)
{
    const resida_mechanism *m = &model->mechanism;
    for (int i = 0; i < m->n_v; i++) out[i] = at->a[i];
    for (int i = 0; i < m->n_g; i++) out[m->n_v + i] = at->lam[i];
    return 0;
}

/* a, lam of the state beside the start, by columns of C. */
static void start_beside(const linear *x, const bench *b, int column, double step, double *a, double *lam)
{
    const resida_mechanism *m = b->m;
    double p[MOST], v[MOST], p_there[MOST], v_there[MOST];
    resida_message why = {""};
    resida_start_options o = test_start_options();
    for (int i = 0; i < m->n_p; i++) p[i] = b->model.p0[i] + step * linear_entry(&x->model.C, i, column);
    for (int i = 0; i < m->n_v; i++) v[i] = b->model.v0[i] + step * linear_entry(&x->model.C, m->n_p + i, column);
    if (resida_problem_start(x->problem, 0, p, v, &o, p_there, v_there, a, lam, NULL, &why) < 0)
        fail_msg("%s", why.text);
}

CLAIM(an_axle_answers_as_starts_nearby_do)
{
    static char names[MOST][16];
    static const char *list[MOST];
    static double plus[2 * MOST], minus[2 * MOST];
    const double step = 1e-5;
    linear x;
    bench *b = bench_make("double-wishbone", NULL);
    const int n_v = b->m->n_v, n_out = n_v + b->m->n_g;
    assert_true(n_out < MOST);
    for (int i = 0; i < n_out; i++) snprintf(names[i], sizeof names[i], "%d", i), list[i] = names[i];
    b->model.n_outputs = n_out, b->model.output_names = list, b->model.output = all_of_axle;
    linear_open(&x, b->m, RESIDA_FORMALISM_AUTO, 0, b->model.p0, b->model.v0);
    const int first = x.model.n_outputs;
    add(&x, &b->model, "");
    assert_int_equal(x.model.n_outputs, first + n_out);
    for (int j = 0; j < x.model.n; j++) {
        double most[2] = {0}, off[2] = {0}; /* of accelerations, and of multipliers */
        start_beside(&x, b, j, step, plus, plus + n_v);
        start_beside(&x, b, j, -step, minus, minus + n_v);
        for (int i = 0; i < n_out; i++) {
            const double slope = (plus[i] - minus[i]) / (2 * step);
            most[i >= n_v] = fmax(most[i >= n_v], fmax(fabs(slope), fabs(plus[i])));
            off[i >= n_v] = fmax(off[i >= n_v], fabs(slope - linear_entry(&x.model.C, first + i, j)));
        }
        for (int k = 0; k < 2; k++)
            if (!(off[k] < 1e-6 * most[k])) fail_msg("column %d: %g of %g", j, off[k], most[k]);
    }
}

/* --- what is left out --- */

static int weightless(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                      double *r, void *user)
{
    r[0] = a[0] - 4 * (p[1] - p[0]);
    r[1] = 4 * (p[1] - p[0]) + 4 * p[1];
    return 0;
}

static const char *const two_names[] = {"first", "second"};

static int length_and_acceleration(const resida_model *model, const resida_model_point *at, double *out)
{
    out[0] = at->a[0], out[1] = at->p[1] - at->p[0];
    return 0;
}

CLAIM(what_does_not_follow_from_the_state_is_left_out_by_name)
{
    static const double p[] = {0, 0}, v[] = {0, 0}, a[] = {0, 0};
    resida_mechanism m = test_mechanism();
    resida_message why = {""};
    const resida_model model = with_outputs(2, two_names, length_and_acceleration);
    linear x = {NULL, NULL, {0}, {0}};
    m.n_p = m.n_v = 2, m.residual = weightless;
    x.problem = test_problem(&m, NULL);
    assert_int_equal(resida_linearize_mechanism(&x.l, x.problem, 0, p, v, a, NULL, &why), RESIDA_OK);
    linear_own(&x);
    add(&x, &model, "out.first is not in the linear model: it depends on quantities that x does not determine: a");
    assert_int_equal(x.model.n_outputs, 5);
    assert_string_equal(x.model.outputs[4], "out.second");
    for (int j = 0; j < 4; j++)
        assert_true(fabs(linear_entry(&x.model.C, 4, j) - linear_entry(&x.model.C, 1, j) +
                         linear_entry(&x.model.C, 0, j)) < close_to);
}

static int force_alone(const resida_model *model, const resida_model_point *at, double *out)
{
    out[0] = at->lam[0], out[1] = at->a[1];
    return 0;
}

/* lam and a are rows where they are unknowns of the form, and only there. */
CLAIM(a_form_has_what_is_among_its_unknowns)
{
    static const struct {
        const char *form;
        int has_lam, has_a;
    } cases[] = {{"index3", 1, 0}, {"ggl", 1, 0}, {"state-space", 1, 1}, {"hiller-anantharaman", 0, 0}};
    const resida_model model = with_outputs(2, two_names, force_alone);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        linear x;
        resida_layout layout;
        bench *b = bench_make("pendulum", NULL);
        linear_open_form(&x, b->m, cases[i].form, 0, b->model.p0, b->model.v0);
        resida_problem_layout(x.problem, &layout);
        add(&x, &model, cases[i].has_a ? "" : "out.second is");
        assert_int_equal(x.model.n_outputs, 4 + cases[i].has_lam + cases[i].has_a);
        for (int j = 0; j < x.model.n; j++) {
            if (cases[i].has_lam) assert_true(fabs(linear_entry(&x.model.C, 4, j) - (j == layout.lam)) < close_to);
            if (cases[i].has_a) assert_true(fabs(linear_entry(&x.model.C, 5, j) - (j == layout.a + 1)) < close_to);
        }
    }
}

/* --- a general DAE: y0' = -3 y0 + u, 0 = y1 - 2 y0 --- */

static int descriptor(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] + 3 * y[0] - e->u[0], r[1] = y[1] - 2 * y[0];
    return 0;
}

static const char *const dae_names[] = {"product", "rate", "unknown", "edge"};

static int dae_output(const resida_model *model, const resida_model_point *at, double *out)
{
    const int *verdict = model->user;
    out[0] = at->y[0] * at->y[1], out[1] = at->yp[0], out[2] = NAN;
    out[3] = at->y[1] <= 1 ? at->y[1] : NAN; /* not known on one side of the state */
    return *verdict;
}

CLAIM(outputs_of_a_general_dae_follow_from_its_unknowns)
{
    static const double y[] = {0.5, 1}, yp[] = {-1.5, -3};
    static const int verdicts[] = {0, 1, -1};
    for (int i = 0; i < 3; i++) {
        resida_dae d = test_dae();
        resida_message why = {""};
        linear x = {NULL, NULL, {0}, {0}};
        resida_model model = with_outputs(4, dae_names, dae_output);
        int verdict = verdicts[i];
        model.is_dae = 1, model.user = &verdict;
        d.n = 2, d.n_u = 1, d.residual = descriptor, d.excitation = still;
        x.problem = test_problem_dae(&d, NULL);
        assert_int_equal(resida_linearize(&x.l, x.problem, 0, y, yp, &why), RESIDA_OK);
        linear_own(&x);
        if (verdict < 0) {
            assert_int_equal(resida_linearization_add_outputs(x.l, &model, &why), RESIDA_ERR_USER);
            assert_non_null(strstr(why.text, "output() failed at t = 0"));
            assert_int_equal(resida_linearization_get(x.l, &x.model), RESIDA_OK);
        } else if (verdict > 0) {
            add(&x, &model, "out.product is not in the linear model: it is unknown at the state");
        } else {
            add(&x, &model, "out.unknown is not in the linear model: it is unknown at the state");
            assert_true(fabs(linear_entry(&x.model.C, 2, 0) - 1) < close_to);
            assert_true(fabs(linear_entry(&x.model.C, 2, 1) - 0.5) < close_to);
            assert_int_equal(resida_linearization_add_outputs(x.l, &model, &why), RESIDA_ERR_STATE);
            assert_non_null(strstr(why.text, "added before"));
        }
        assert_int_equal(x.model.n_outputs, verdict ? 2 : 3);
    }
}
