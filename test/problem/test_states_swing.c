/* test_states_swing.c - a first-order state beside a constraint: a pendulum on a rod of length 1, g = (x^2 + y^2 -
 * 1)/2, with a controller that sees x and the force of the rod and pushes along the tangent; phi its angle:
 *
 *     phi'' = -9.81 sin phi - 4 z,   z' = sin phi - z/2 + lam/50,   lam = phi'^2 + 9.81 cos phi. */
#include "states_fixture.h"
#include "test/fixtures/oracle.h"
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/mechanisms/small.h"

static void push_and_rate(const double *p, const double *v, const double *lam, double *psi, double *zd)
{
    psi[0] = 4 * v[2] * p[1];
    psi[1] = -4 * v[2] * p[0] - 9.81;
    *zd = p[0] - v[2] / 2 + lam[0] / 50;
}

static int swing_residual(double t, const double *p, const double *v, const double *a, const double *lam,
                          const resida_excitation *e, double *r, void *user)
{
    double psi[2], zd;
    push_and_rate(p, v, lam, psi, &zd);
    for (int i = 0; i < 2; i++) r[i] = a[i] - psi[i];
    r[2] = a[2] - zd;
    return 0;
}

static int swing_acceleration(double t, const double *p, const double *v, const double *f, const double *lam,
                              const resida_excitation *e, double *a, void *user)
{
    double psi[2];
    push_and_rate(p, v, lam, psi, &a[2]);
    for (int i = 0; i < 2; i++) a[i] = psi[i] + f[i];
    return 0;
}

/* Zero once, near 0.1 s. */
static int z_rises(double t, const double *p, const double *v, const resida_excitation *e, double *out, void *user)
{
    out[0] = v[2];
    return 0;
}

static resida_mechanism swing_mechanism(void)
{
    resida_mechanism m = test_mechanism();
    m.name = "swing";
    m.n_p = 2, m.n_v = 3, m.n_z = 1, m.n_g = 1;
    m.residual_lam = swing_residual;
    m.acceleration_lam = swing_acceleration;
    m.constraint = small_rod;
    m.constraint_matrix = small_rod_matrix;
    return m;
}

static const double swing_p0[] = {1, 0}, swing_v0[] = {0, 0, -0.1};

static double swing_lam(const double *q)
{
    return q[1] * q[1] + 9.81 * cos(q[0]);
}

/* q = (phi, phi', z) */
static void swing_slope(double t, const double *q, double *slope, const void *user)
{
    slope[0] = q[1];
    slope[1] = -9.81 * sin(q[0]) - 4 * q[2];
    slope[2] = sin(q[0]) - q[2] / 2 + swing_lam(q) / 50;
}

static void swing_exact(double t_end, double *q)
{
    q[0] = asin(1), q[1] = 0, q[2] = swing_v0[2];
    oracle_integrate(swing_slope, NULL, 3, 0, t_end, 5000, q);
}

/* Largest error of p, v, z at t = 0.5. */
static double swing_error(const char *form, resida_formalism formalism, const resida_solver_options *o)
{
    run r;
    resida_problem_options po = test_problem_options();
    double q[3], slope[3], error = 0;
    const resida_mechanism m = swing_mechanism();
    po.form = form;
    po.formalism = formalism;
    run_open(&r, &m, &po, o, swing_p0, swing_v0);
    const resida_state at = run_to(&r, 0.5);
    swing_exact(0.5, q);
    swing_slope(0, q, slope, NULL);
    const double x[] = {at.p[0] - sin(q[0]), at.p[1] + cos(q[0]), at.v[0] - q[1] * cos(q[0]),
                        at.v[1] - q[1] * sin(q[0]), at.v[2] - q[2]};
    for (int i = 0; i < 5; i++) error = fmax(error, fabs(x[i]));
    print_message("  %-18s %-20s %d  error %.1e, lam %.1e\n", o->method, form, (int)formalism, error,
                  fabs(at.lam[0] - swing_lam(q)));
    assert_true(fabs(at.a[2] - slope[2]) <= 1e-2);
    return error;
}

CLAIM(a_controlled_pendulum_swings_as_in_its_angle_in_every_form)
{
    const char *form;
    for (int i = 0; (form = resida_form_at(i)); i++)
        for (int k = 1; k <= 2; k++) {
            resida_solver_options o = options("bdf", 0);
            const int is_index3 = strcmp(form, "index3") == 0 || strcmp(form, "augmented") == 0;
            if (strcmp(form, "ode") == 0) continue;
            o.rtol = o.atol = 1e-8;
            assert_true(swing_error(form, (resida_formalism)k, &o) <= (is_index3 ? 1e-4 : 1e-6));
        }
}

CLAIM(so_it_does_in_steps_of_a_fixed_size)
{
    static const struct {
        const char *method, *form;
        int n;
        double most;
    } cases[] = {
        {"radau-iia-3", "ggl", 100, 1e-8},
        {"radau-iia-2", "index2", 400, 1e-6},
        {"bdf3", "ggl", 400, 1e-5},
        {"midpoint", "index3", 1000, 1e-4},
        {"hht", "index3", 1000, 1e-4},
        {"newmark", "index2", 1000, 1e-4},
        {"generalized-alpha", "ggl", 1000, 1e-4},
        {"energy-decaying", "index3", 1000, 1e-4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        resida_solver_options o = options(cases[i].method, 1.0 / cases[i].n);
        assert_true(swing_error(cases[i].form, RESIDA_FORMALISM_RESIDUAL, &o) <= cases[i].most);
    }
}

CLAIM(scaling_of_index_3_changes_rounding_alone)
{
    static const char *const scalings[] = {"none",      "left",           "lam",          "lam+v",
                                           "two-field", "two-field-left", "two-field-lam"};
    double plain = 0;
    for (int i = 0; i < 7; i++) {
        resida_solver_options o = options("radau-iia-3", 0.005);
        o.scaling = scalings[i];
        const double error = swing_error("index3", RESIDA_FORMALISM_RESIDUAL, &o);
        if (i == 0) plain = error;
        assert_true(error <= 1e-5 && fabs(error - plain) <= 1e-10);
    }
}

CLAIM(a_root_function_sees_states)
{
    run r;
    resida_mechanism m = swing_mechanism();
    resida_solver_options o = options("bdf", 0);
    double q[3];
    m.n_root = 1;
    m.root = z_rises;
    o.rtol = o.atol = 1e-9;
    run_open(&r, &m, NULL, &o, swing_p0, swing_v0);
    assert_int_equal(resida_solver_advance(r.solver, 1), RESIDA_EVENT);
    resida_state at = test_state(r.solver);
    swing_exact(at.t, q);
    print_message("  z = 0 at %.6f\n", at.t);
    assert_true(fabs(q[2]) <= 1e-7);
}
