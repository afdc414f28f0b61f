/* test_linearize.c - mechanisms whose linear equations are known: every term of them, and what zero and infinite
 * eigenvalues mean. */
#include "linear_fixture.h"
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/mechanisms/small.h"

static const double close_to = 1e-8; /* central differences of 1e-10 */

/* --- a driven cart with a mass on a spring: 0 = p0 - u; m p1'' = -k (p1 - p0) - d (p1' - p0') --- */

enum { CART_M = 2, CART_K = 18, CART_D = 3 };

static int cart_residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                         double *r, void *user)
{
    const double f = CART_K * (p[1] - p[0]) + CART_D * (v[1] - v[0]);
    r[0] = 5 * a[0] - f;
    r[1] = CART_M * a[1] + f;
    return 0;
}

static int cart_acceleration(double t, const double *p, const double *v, const double *f, const resida_excitation *e,
                             double *a, void *user)
{
    const double s = CART_K * (p[1] - p[0]) + CART_D * (v[1] - v[0]);
    a[0] = (f[0] + s) / 5;
    a[1] = (f[1] - s) / CART_M;
    return 0;
}

static int cart_constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    const int *copies = user;
    for (int i = 0; i < *copies; i++) g[i] = (i + 1) * (p[0] - e->u[0]);
    return 0;
}

static int cart_bias(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const int *copies = user;
    for (int i = 0; i < *copies; i++) out[i] = -(i + 1) * e->ud[0];
    return 0;
}

static int cart_acceleration_bias(double t, const double *p, const double *v, const resida_excitation *e, double *out,
                                  void *user)
{
    const int *copies = user;
    for (int i = 0; i < *copies; i++) out[i] = -(i + 1) * e->udd[0];
    return 0;
}

static int cart_excitation(double t, double *u, double *ud, double *udd, void *user)
{
    u[0] = 0.25, ud[0] = udd[0] = 0;
    return 0;
}

static const double cart_p0[] = {0.25, 0.25}, cart_v0[] = {0, 0};

static resida_mechanism cart(int *copies)
{
    resida_mechanism m = test_mechanism();
    m.n_p = m.n_v = 2, m.n_g = *copies, m.n_u = 1, m.user = copies;
    m.residual = cart_residual, m.acceleration = cart_acceleration;
    m.constraint = cart_constraint, m.velocity_bias = cart_bias, m.acceleration_bias = cart_acceleration_bias;
    m.excitation = cart_excitation;
    return m;
}

/* With q = +-dp1, w = +-dv1: q' = w, m w' = -k q - d w +- (k u + d ud). */
static void expect_cart(const linear *x)
{
    assert_int_equal(x->model.n, 2);
    assert_int_equal(x->model.n_inputs, 3);
    assert_int_equal(x->model.n_q + x->model.n_w, 2);
    linear_find(x, -CART_D / (2.0 * CART_M), sqrt(CART_K / 2.0 - CART_D * CART_D / 16.0), close_to);
    assert_int_equal(x->modes.n, 1);
    assert_int_equal(x->modes.n_zero + x->modes.n_infinite, 0);
    const double sign = linear_entry(&x->model.C, 1, 0), E = linear_entry(&x->model.E, 1, 1);
    assert_true(fabs(fabs(sign) - 1) < close_to);
    assert_true(fabs(linear_entry(&x->model.C, 0, 0)) < close_to); /* the cart is where u is */
    const double B[] = {CART_K / 2.0, CART_D / 2.0, 0}, D[] = {1, 1};
    for (int j = 0; j < 3; j++) {
        assert_true(fabs(linear_entry(&x->model.B, 1, j) / E - sign * B[j]) < 10 * close_to);
        assert_true(fabs(linear_entry(&x->model.B, 0, j)) < close_to);
        assert_true(fabs(linear_entry(&x->model.D, 0, j) - (j == 0 ? D[0] : 0)) < close_to); /* p0 = u */
        assert_true(fabs(linear_entry(&x->model.D, 2, j) - (j == 1 ? D[1] : 0)) < close_to); /* v0 = ud */
    }
}

CLAIM(a_driven_constraint_gives_every_matrix)
{
    int copies = 1;
    linear x;
    const resida_mechanism m = cart(&copies);
    linear_open(&x, &m, RESIDA_FORMALISM_RESIDUAL, 0, cart_p0, cart_v0);
    expect_cart(&x);
    assert_int_equal(x.model.n_redundant, 0);
    assert_string_equal(x.model.states[0], "q[0]");
    assert_string_equal(x.model.states[1], "w[0]");
    assert_string_equal(x.model.inputs[2], "udd[0]");
    assert_string_equal(x.model.outputs[3], "v[1]");
    linear_open(&x, &m, RESIDA_FORMALISM_EXPLICIT, 0, cart_p0, cart_v0);
    expect_cart(&x);
}

CLAIM(redundant_constraints_are_left_out_and_counted)
{
    int copies = 3;
    linear x;
    const resida_mechanism m = cart(&copies);
    linear_open(&x, &m, RESIDA_FORMALISM_RESIDUAL, 0, cart_p0, cart_v0);
    expect_cart(&x);
    assert_int_equal(x.model.n_redundant, 2);
}

/* Forms have the same modes, and besides infinite eigenvalues, decay of Baumgarte's method, or drift. */
CLAIM(every_form_has_the_modes_of_the_mechanism)
{
    int copies = 1, forms = 0;
    const resida_mechanism m = cart(&copies);
    for (int i = 0; resida_form_at(i); i++) {
        const char *form = resida_form_at(i);
        linear x;
        if (strcmp(form, "ode") == 0) continue;
        forms++;
        linear_open_form(&x, &m, form, 0, cart_p0, cart_v0);
        const int k = linear_find(&x, -CART_D / (2.0 * CART_M), sqrt(CART_K / 2.0 - CART_D * CART_D / 16.0), close_to);
        assert_false(x.modes.breaks[k]);
        int own = 0, pairs = 0;
        for (int j = 0; j < x.modes.n; j++) own += x.modes.breaks[j], pairs += x.modes.im[j] > 0;
        assert_int_equal(own, strcmp(form, "baumgarte") == 0 ? 2 : 0);
        assert_int_equal(x.modes.n, 1 + own);
        for (int j = 0; j < x.modes.n_still; j++) assert_true(x.modes.still_breaks[j]);
        if (strcmp(form, "index1") == 0) assert_int_equal(x.modes.n_zero, 2);
        if (strcmp(form, "index2") == 0) assert_int_equal(x.modes.n_zero, 1);
        if (strcmp(form, "index3") == 0 || strcmp(form, "ggl") == 0) assert_int_equal(x.modes.n_zero, 0);
        assert_int_equal(x.modes.n + pairs + x.modes.n_zero + x.modes.n_infinite, x.model.n);
    }
    assert_true(forms > 5);
}

/* --- free masses --- */

static int masses(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                  void *user)
{
    const double f = 8 * (p[1] - p[0]);
    r[0] = a[0] - f;
    r[1] = a[1] + f;
    r[2] = 3 * a[2] + 6 * v[2]; /* a third one with a damper and without a spring */
    return 0;
}

CLAIM(cyclic_coordinates_are_told_apart_from_noise)
{
    static const double p0[] = {1e3, 1e3, -7}, v0[] = {0, 0, 0};
    resida_mechanism m = test_mechanism();
    linear x;
    m.n_p = m.n_v = 3, m.residual = masses;
    linear_open(&x, &m, RESIDA_FORMALISM_AUTO, 0, p0, v0);
    assert_int_equal(x.modes.n, 2);
    linear_find(&x, 0, 4, close_to);
    linear_find(&x, -2, 0, close_to);
    assert_int_equal(x.modes.n_zero, 3); /* both masses together, their velocity, the place of the third */
    assert_int_equal(x.modes.n_still, 2);
    for (int k = 0; k < 2; k++) {
        const double *y = x.modes.still + (long)k * x.model.n_outputs;
        const int is_third = fabs(y[2]) > 0.5;
        assert_true(fabs(y[0] - (is_third ? 0 : 1)) < close_to && fabs(y[1] - (is_third ? 0 : 1)) < close_to);
        assert_true(fabs(y[2] - (is_third ? 1 : 0)) < close_to);
        assert_false(x.modes.still_breaks[k]);
    }
}

/* --- a state beside a spring: p'' = -9 p + z, z' = -2 z --- */

static int with_state(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                      double *r, void *user)
{
    r[0] = a[0] + 9 * p[0] - v[1];
    r[1] = a[1] + 2 * v[1];
    return 0;
}

CLAIM(first_order_states_are_part_of_the_linear_model)
{
    static const double p0[] = {0}, v0[] = {0, 0};
    resida_mechanism m = test_mechanism();
    linear x;
    m.n_p = 1, m.n_v = 2, m.n_z = 1, m.residual = with_state;
    linear_open(&x, &m, RESIDA_FORMALISM_AUTO, 0, p0, v0);
    assert_int_equal(x.model.n, 3);
    assert_string_equal(x.model.states[2], "z[0]");
    linear_find(&x, 0, 3, close_to);
    const int k = linear_find(&x, -2, 0, close_to);
    /* (4 + 9) p = z */
    assert_true(fabs(x.modes.shape_re[3 * k] - 1) < close_to && fabs(x.modes.shape_re[3 * k + 2] - 13) < 1e-6);
}

/* --- a coordinate without inertia: 0 = 4 (p1 - p0) + 4 p1, a0 = 4 (p1 - p0) --- */

static int massless(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    r[0] = a[0] - 4 * (p[1] - p[0]);
    r[1] = 4 * (p[1] - p[0]) + 4 * p[1];
    return 0;
}

static int in_plane(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    r[0] = a[0];
    r[1] = 0; /* neither inertia nor force */
    return 0;
}

/* A spring, a damper and a mass along one direction, which is no axis; across it neither inertia nor force. */
static int along_a_line(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                        double *r, void *user)
{
    static const double line[] = {0.8, 0.6};
    double force = 0;
    for (int i = 0; i < 2; i++) force += line[i] * (a[i] + 0.3 * v[i] + 4 * p[i]);
    for (int i = 0; i < 2; i++) r[i] = line[i] * force;
    return 0;
}

CLAIM(a_direction_across_the_axes_without_inertia_and_force_is_refused)
{
    static const double p[] = {0, 0}, v[] = {0, 0}, a[] = {0, 0};
    resida_mechanism m = test_mechanism();
    resida_message why = {""};
    linear x = {NULL, NULL, {0}, {0}};
    m.n_p = m.n_v = 2, m.residual = along_a_line;
    x.problem = test_problem(&m, NULL);
    assert_int_equal(resida_linearize_mechanism(&x.l, x.problem, 0, p, v, a, NULL, &why), RESIDA_OK);
    linear_own(&x);
    assert_int_equal(resida_linearization_modes(x.l, 0, 0, &x.modes, &why), RESIDA_ERR_SINGULAR);
}

CLAIM(what_has_no_inertia_is_infinite_and_what_has_no_force_either_is_refused)
{
    static const double p[] = {0, 0}, v[] = {0, 0}, a[] = {0, 0};
    resida_mechanism m = test_mechanism();
    resida_message why = {""};
    linear x = {NULL, NULL, {0}, {0}};
    m.n_p = m.n_v = 2, m.residual = massless;
    x.problem = test_problem(&m, NULL);
    assert_int_equal(resida_linearize_mechanism(&x.l, x.problem, 0, p, v, a, NULL, &why), RESIDA_OK);
    linear_own(&x);
    assert_int_equal(resida_linearization_modes(x.l, 0, 0, &x.modes, &why), RESIDA_OK);
    assert_int_equal(x.modes.n_infinite, 2); /* position and velocity of p1 */
    linear_find(&x, 0, sqrt(2), close_to);
    m.residual = in_plane;
    x.problem = test_problem(&m, NULL);
    assert_int_equal(resida_linearize_mechanism(&x.l, x.problem, 0, p, v, a, NULL, &why), RESIDA_OK);
    linear_own(&x);
    assert_int_equal(resida_linearization_modes(x.l, 0, 0, &x.modes, &why), RESIDA_ERR_SINGULAR);
    assert_non_null(strstr(why.text, "neither inertia nor force"));
}

/* --- on the circle x^2 + y^2 = 1 with a mass of 1 along x and 4 along y, free of forces --- */

static int bead(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                void *user)
{
    r[0] = a[0], r[1] = 4 * a[1];
    return 0;
}

static int circle_bias(double t, const double *p, const double *v, const resida_excitation *e, double *out, void *user)
{
    out[0] = 2 * (v[0] * v[0] + v[1] * v[1]);
    return 0;
}

/* phi'' = f = 3 s c/(1 + 3 c^2) phi'^2; q = sin(phi - phi0), w = phi' cos(phi - phi0). At 45 degrees, phi' = 2:
 * w' = (0.72 - 1) phi'^2 q + 1.2 phi' w. */
CLAIM(what_constraints_prescribe_of_accelerations_takes_part)
{
    const double p0[] = {sqrt(0.5), sqrt(0.5)}, v0[] = {-sqrt(2), sqrt(2)};
    resida_mechanism m = test_mechanism();
    linear x;
    m.n_p = m.n_v = 2, m.n_g = 1, m.residual = bead, m.constraint = small_circle, m.acceleration_bias = circle_bias;
    linear_open(&x, &m, RESIDA_FORMALISM_AUTO, 0, p0, v0);
    assert_int_equal(x.modes.n, 2);
    linear_find(&x, 1.2 + 2 * sqrt(0.08), 0, 1e-6);
    linear_find(&x, 1.2 - 2 * sqrt(0.08), 0, 1e-6);
}

/* --- a general DAE: y0' = -3 y0 + u, 0 = y1 - 2 y0 --- */

static int dae_residual(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] + 3 * y[0] - e->u[0];
    r[1] = y[1] - 2 * y[0];
    return 0;
}

static int dae_jacobian(double t, double alpha, const double *y, const double *yp, const resida_excitation *e,
                        double *J, void *user)
{
    J[0] = 3 + alpha, J[1] = 0, J[2] = -2, J[3] = 1;
    return 0;
}

static int dae_excitation(double t, double *u, double *ud, double *udd, void *user)
{
    u[0] = t, ud[0] = 1, udd[0] = 0;
    return 0;
}

CLAIM(a_general_dae_is_linearized_without_reduction)
{
    static const double y[] = {0.5, 1}, yp[] = {-1.5, -3};
    for (int told = 0; told < 2; told++) {
        resida_dae d = test_dae();
        resida_message why = {""};
        linear x = {NULL, NULL, {0}, {0}};
        d.n = 2, d.n_u = 1, d.residual = dae_residual, d.excitation = dae_excitation;
        if (told) d.jacobian = dae_jacobian;
        x.problem = test_problem_dae(&d, NULL);
        assert_int_equal(resida_linearize(&x.l, x.problem, 0, y, yp, &why), RESIDA_OK);
        linear_own(&x);
        assert_int_equal(resida_linearization_get(x.l, &x.model), RESIDA_OK);
        assert_int_equal(x.model.is_differenced, !told);
        assert_true(fabs(linear_entry(&x.model.E, 0, 0) - 1) < close_to && linear_entry(&x.model.E, 1, 1) == 0);
        assert_true(fabs(linear_entry(&x.model.A, 0, 0) + 3) < close_to);
        assert_true(fabs(linear_entry(&x.model.A, 1, 0) - 2) < close_to);
        assert_true(fabs(linear_entry(&x.model.B, 0, 0) - 1) < close_to && linear_entry(&x.model.B, 1, 0) == 0);
        assert_true(linear_entry(&x.model.C, 1, 1) == 1);
        assert_int_equal(resida_linearization_modes(x.l, 0, 0, &x.modes, &why), RESIDA_OK);
        assert_int_equal(x.modes.n, 1);
        assert_int_equal(x.modes.n_infinite, 1);
        const int k = linear_find(&x, -3, 0, close_to);
        assert_true(fabs(x.modes.shape_re[2 * k] - 0.5) < close_to && fabs(x.modes.shape_re[2 * k + 1] - 1) < close_to);
    }
}

/* --- a mass on a sphere of radius 1, of which the model gives g alone --- */

#define BALL_G 9.81

static int ball_residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                         double *r, void *user)
{
    for (int i = 0; i < 3; i++) r[i] = a[i] + (i == 2 ? BALL_G : 0);
    return 0;
}

static int ball_constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    g[0] = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] - 1;
    return 0;
}

/* dg/dp is differenced then, and its derivative once more: that of an iteration is good to 1e-3. */
CLAIM(curvature_of_a_constraint_without_its_matrix_is_that_of_the_sphere)
{
    static const double p0[] = {0, 0, -1}, v0[3];
    static const char *const forms[] = {NULL, "index3", "index2"};
    linear x;
    resida_mechanism m = test_mechanism();
    m.n_p = m.n_v = 3, m.n_g = 1;
    m.residual = ball_residual, m.constraint = ball_constraint;
    for (int i = 0; i < 3; i++) {
        if (forms[i])
            linear_open_form(&x, &m, forms[i], 0, p0, v0);
        else
            linear_open(&x, &m, RESIDA_FORMALISM_RESIDUAL, 0, p0, v0);
        linear_find(&x, 0, sqrt(BALL_G), 1e-6);
    }
}
