/* test_charge_pump.c - entries that no check of the pattern sees, because columns have very different units: the charge
 * pump of the Test Set for IVP Solvers in SI units, charges of 1e-12 As beside voltages of 20 V. When the transistor
 * begins to conduct there are entries of 1e-12 F in rows whose entries for charges are 1. Newton's method fails without
 * them at every step size. */
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

static const double vt0 = 0.2, gamma_B = 0.035, phi = 1.01, c_ox = 4e-12, c_source = 1.6e-12, c_drain = 0.4e-12;
static const double ns = 1e-9, t_end = 1150e-9; /* within the tenth pulse, at its full voltage */

enum { GATE, SOURCE_C, SOURCE, DRAIN_C, DRAIN, U_GATE, U_SOURCE, U_DRAIN, CURRENT, N }; /* charges, voltages, current */

/* The voltage at the gate: pulses of 20 V with a period of 120 ns. */
static double pulse(double t)
{
    const double in = fmod(t / ns, 120);
    return in < 50 ? 0 : in < 60 ? 2 * (in - 50) : in < 110 ? 20 : 2 * (120 - in);
}

/* Charges of the transistor at its gate, and at source and drain each. */
static void charges(double gate, double source, double drain, double *at_gate, double *each)
{
    const double root = sqrt(fmax(phi + source, 0)), band = vt0 - gamma_B * sqrt(phi) - phi;
    const double threshold = vt0 + gamma_B * (root - sqrt(phi));
    const double over_s = gate - source - threshold, over_d = fmax(gate - drain - threshold, 0);
    *each = 0;
    if (gate <= band)
        *at_gate = c_ox * (gate - band);
    else if (over_s <= 0)
        *at_gate = c_ox * gamma_B * (sqrt(gamma_B * gamma_B / 4 + gate - band) - gamma_B / 2);
    else {
        const double both = over_d + over_s - over_d * over_s / (over_d + over_s);
        *at_gate = c_ox * (2 * both / 3 + gamma_B * root);
        *each = -c_ox * both / 3;
    }
}

static int pump(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    double at_gate, each;
    charges(y[U_GATE], y[U_SOURCE], y[U_DRAIN], &at_gate, &each);
    r[0] = yp[GATE] + y[CURRENT];
    r[1] = yp[SOURCE_C] + yp[SOURCE];
    r[2] = yp[DRAIN_C] + yp[DRAIN];
    r[3] = y[U_GATE] - pulse(t);
    r[4] = y[GATE] - at_gate;
    r[5] = y[SOURCE_C] - c_source * y[U_SOURCE];
    r[6] = y[SOURCE] - each;
    r[7] = y[DRAIN_C] - c_drain * y[U_DRAIN];
    r[8] = y[DRAIN] - each;
    return 0;
}

/* Source and drain keep their charges: 0 = C_source u + q(u) with C_drain u_drain = C_source u, by bisection. */
static double source_voltage(double gate)
{
    double low = -1, high = gate, at_gate, each;
    for (int k = 0; k < 100; k++) {
        const double u = (low + high) / 2;
        charges(gate, u, u * c_source / c_drain, &at_gate, &each);
        *(c_source * u + each > 0 ? &high : &low) = u;
    }
    return low;
}

/* atol of charges is `unit` times that of voltages. u is an algebraic function of the voltage at the gate. */
static void run(double rtol, double unit)
{
    static const resida_kind kinds[N] = {[U_GATE] = RESIDA_ALGEBRAIC,
                                         [U_SOURCE] = RESIDA_ALGEBRAIC,
                                         [U_DRAIN] = RESIDA_ALGEBRAIC,
                                         [CURRENT] = RESIDA_ALGEBRAIC_2};
    resida_dae d = test_dae();
    resida_solver_options o = test_solver_options();
    double y0[N] = {0}, yp0[N] = {0}, atol[N];
    d.n = N;
    d.kinds = kinds;
    d.residual = pump;
    charges(0, 0, 0, &y0[GATE], &y0[SOURCE]);
    for (int i = 0; i < N; i++) atol[i] = i < U_GATE ? unit * rtol : rtol;
    o.rtol = rtol;
    o.atol_each = atol;
    o.max_steps = 20000;
    resida_solver *s = test_solver_dae(&d, NULL, &o);
    assert_int_equal(resida_solver_start_dae(s, 0, y0, yp0), RESIDA_OK);
    if (resida_solver_advance(s, t_end) != RESIDA_OK) fail_msg("%g, %g: %s", rtol, unit, resida_solver_message(s));
    bench_near(test_state(s).y[U_SOURCE], source_voltage(pulse(t_end)), rtol);
}

CLAIM(a_transistor_that_begins_to_conduct_is_found)
{
    for (int k = 3; k <= 9; k++) run(pow(10, -k), 1);
    for (int k = 3; k <= 9; k++) run(pow(10, -k), 1e-6);
    for (int k = 3; k <= 9; k++) run(pow(10, -k), 1e-12);
}
