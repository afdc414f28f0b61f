/* test_progress.c - a run goes on, or it says that it does not: a constraint that jumps without a root function ends
 * every form, by its name; a kink is passed correctly, or named; starts whose first steps are below the rounding of t
 * continue. */
#include "test/fixtures/file_util.h"
#include "test/fixtures/mechanisms/jumping.h"
#include "test/fixtures/solver_fixture.h"

enum { MAX_STEPS = 5000 }; /* of a run to a jump and 1,000 steps there; 1,300 for the longest */
#define STEP 0.01          /* units, of the methods of fixed steps */

static const char *const strategies[] = {"auto", "dense"};

/* Which ends at t_end, or before. What it says goes to text. */
static resida_status run(jumping *j, const char *form, const char *method, const char *strategy, double t0, double way,
                         long *steps, char *text, size_t size)
{
    resida_mechanism m = jumping_mechanism(j);
    resida_problem_options po = test_problem_options();
    resida_solver_options so = test_solver_options();
    po.form = form;
    so.jacobian = strategy, so.rtol = so.atol = 1e-6, so.max_steps = MAX_STEPS, so.t_stop = t0 + way;
    if (method) so.method = method, so.step = STEP * j->unit;
    double atol[12]; /* [n]: velocities in m/unit */
    resida_problem *problem = test_problem(&m, &po);
    resida_layout l;
    resida_problem_layout(problem, &l);
    assert_true(l.n <= 12);
    for (int i = 0; i < l.n; i++) atol[i] = i >= l.v && i < l.v + l.n_v ? 1e-6 / j->unit : 1e-6;
    so.atol_each = atol;
    resida_solver *s = test_solver_of(problem, &so);
    assert_int_equal(resida_solver_start(s, t0, jumping_p0, jumping_v0, NULL, NULL), RESIDA_OK);
    const resida_status status = resida_solver_advance(s, t0 + way);
    snprintf(text, size, "%s", resida_solver_message(s));
    *steps = test_stats(s).steps;
    return status;
}

CLAIM(a_jump_of_g_ends_the_forms_that_hold_it)
{
    static const char *const forms[] = {"ggl", "index3", "projected1", "projected2", "state-space"};
    static const double amplitudes[] = {0.1, 1e-2, 1e-3}, begins[] = {0, 1e3, 1e6}, units[] = {1, 1e-6, 1e9};
    enum { PROJECTED = 2, SLOW = 2 }; /* the first form of them; the unit in which velocities are 1e-9 m/s */
    char text[RESIDA_MESSAGE_SIZE];
    for (int k = 0; k < 2 * 5 * 3 * 3 * 3; k++) {
        if (k % 3 == SLOW && k / 27 % 5 >= PROJECTED) continue; /* they take 20,000 steps to the jump */
        const double unit = units[k % 3], t0 = begins[k / 3 % 3] * unit;
        jumping j = {.amplitude = amplitudes[k / 9 % 3], .at = t0 + 0.5 * unit, .unit = unit};
        const char *form = forms[k / 27 % 5], *strategy = strategies[k / 135];
        long steps = 0;
        const resida_status status = run(&j, form, NULL, strategy, t0, 10 * unit, &steps, text, sizeof text);
        if (status >= 0 || status == RESIDA_ERR_LIMIT_STEPS || !strstr(text, "jump"))
            fail_msg("%s, %s, jump of %g at %g s, unit %g s: status %d, %ld steps, %s", form, strategy, j.amplitude,
                     j.at, unit, (int)status, steps, text);
    }
}

/* Of a form, a method (NULL: IDA), and the amplitude of a jump at 0.5123 s or at a grid point: the run ends where the
 * step ends that has passed it, and names time and row. */
static void check_jump(const char *form, const char *method, const char *strategy, double amplitude, double at)
{
    jumping j = {.amplitude = amplitude, .at = at, .unit = 1};
    long steps = 0;
    char text[RESIDA_MESSAGE_SIZE];
    const char *says = claims_text("g[0] jumps by %.3g at t = %.9g:", -amplitude, at);
    const resida_status status = run(&j, form, method, strategy, 0, 1, &steps, text, sizeof text);
    if (status != RESIDA_ERR_STEP_TOO_SMALL || !strstr(text, says))
        fail_msg("%s, %s, %s, jump of %g at %g s: status %d, %ld steps, %s", form, method ? method : "bdf", strategy,
                 amplitude, at, (int)status, steps, text);
}

CLAIM(a_jump_of_g_that_steps_pass_is_named)
{
    static const char *const drifting[] = {"index1", "index2", "baumgarte"};
    static const char *const forms[] = {"index1", "index2", "baumgarte", "ggl", "index3", "projected2"};
    static const char *const methods[] = {"bdf2", "newmark", "generalized-alpha", "radau-iia-3", "midpoint"};
    static const double amplitudes[] = {0.1, 1e-3}, times[] = {0.5123, 0.5, 0.9999};
    for (int k = 0; k < 2 * 2 * 3; k++) {
        for (int i = 0; i < 3; i++)
            check_jump(drifting[i], NULL, strategies[k % 2], amplitudes[k / 2 % 2], times[k / 4]);
        for (int i = 0; i < 6 * 5; i++)
            check_jump(forms[i % 6], methods[i / 6], strategies[k % 2], amplitudes[k / 2 % 2], times[k / 4]);
    }
}

/* g that is smooth within a hundredth of a step, by a tolerance that its fourth differences over a step exceed by 1e4;
 * and a jump within the rounding of the stop time, from where the caller may start anew. */
CLAIM(no_other_g_is_taken_for_one_that_jumps)
{
    char text[RESIDA_MESSAGE_SIZE];
    long steps;
    for (int k = 0; k < 2; k++) {
        jumping smooth = {.amplitude = 1e-2, .at = 0.5123, .unit = 1, .width = 1e-4};
        if (run(&smooth, "index3", "newmark", strategies[k], 0, 1, &steps, text, sizeof text) < 0) fail_msg("%s", text);
        jumping last = {.amplitude = 0.1, .at = nextafter(0.5, 0), .unit = 1};
        if (run(&last, "index2", NULL, strategies[k], 0, 0.5, &steps, text, sizeof text) < 0) fail_msg("%s", text);
        if (run(&last, "index2", "newmark", strategies[k], 0, 0.5, &steps, text, sizeof text) < 0) fail_msg("%s", text);
    }
}

static int declared(double t, const double *p, const double *v, const resida_excitation *e, double *out, void *user)
{
    out[0] = t - nextafter(((jumping *)user)->at, INFINITY); /* the first t at which g is another one */
    return 0;
}

/* The run ends at the event, and a start puts p onto the g that holds from there on. */
CLAIM(a_jump_of_g_at_an_event_is_the_callers)
{
    static const char *const forms[] = {"index1", "index2", "baumgarte", "index2", "index3"};
    static const char *const methods[] = {NULL, NULL, NULL, "newmark", "radau-iia-3"};
    for (int k = 0; k < 5 * 3 * 7; k++) {
        const double t0 = (const double[]){0, 1e3, 1e6}[k / 5 % 3];
        jumping j = {.amplitude = 1e-2, .at = t0 + 0.1 + 0.11 * (k / 15) + 0.01 / 3, .unit = 1};
        resida_mechanism m = jumping_mechanism(&j);
        resida_problem_options po = test_problem_options();
        resida_solver_options so = test_solver_options();
        m.n_root = 1, m.root = declared, po.form = forms[k % 5];
        so.rtol = so.atol = 1e-6;
        if (methods[k % 5]) so.method = methods[k % 5], so.step = STEP;
        resida_solver *s = test_solver(&m, &po, &so);
        assert_int_equal(resida_solver_start(s, t0, jumping_p0, jumping_v0, NULL, NULL), RESIDA_OK);
        if (resida_solver_advance(s, t0 + 1) != RESIDA_EVENT) fail_msg("%d: %s", k, resida_solver_message(s));
        resida_state at = test_state(s);
        const double p[2] = {at.p[0], at.p[1]}, v[2] = {at.v[0], at.v[1]};
        assert_int_equal(resida_solver_start(s, at.t, p, v, NULL, NULL), RESIDA_OK);
        if (resida_solver_advance(s, t0 + 1) != RESIDA_OK) fail_msg("%d: %s", k, resida_solver_message(s));
    }
}

/* Two masses of 1 kg with the coupling M_01 = 1/2. A constraint prescribes p_0 = |t - KINK|; p_1 has a spring, 4 N/m.
 * At the kink v_0 jumps by 2, therefore v_1 by -1. */
#define KINK 1.2345

static int coupled(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                   void *user)
{
    r[0] = a[0] + a[1] / 2;
    r[1] = a[0] / 2 + a[1] + 4 * p[1];
    return 0;
}

static int coupled_mass(double t, const double *p, const resida_excitation *e, double *M, void *user)
{
    M[0] = M[3] = 1;
    M[1] = M[2] = 0.5;
    return 0;
}

static int prescribed(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    g[0] = p[0] - e->u[0];
    return 0;
}

static int turning_back(double t, double *u, double *ud, double *udd, void *user)
{
    u[0] = fabs(t - KINK);
    ud[0] = t < KINK ? -1 : 1;
    udd[0] = 0;
    return 0;
}

static void check_kink(const char *form, const char *method, const char *strategy, double tolerance)
{
    const double p0[] = {KINK, 0.3}, v0[] = {-1, 0}, w = 2, end = 3, d = end - KINK;
    const double p = 0.3 * cos(w * KINK), v = -0.3 * w * sin(w * KINK) - 1;
    resida_mechanism m = test_mechanism();
    resida_problem_options po = test_problem_options();
    resida_solver_options o = test_solver_options();
    m.n_p = m.n_v = 2, m.n_g = m.n_u = 1, m.residual = coupled, m.mass_matrix = coupled_mass;
    m.constraint = prescribed, m.excitation = turning_back;
    po.form = form, o.method = method, o.jacobian = strategy, o.rtol = o.atol = tolerance;
    resida_solver *s = test_solver(&m, &po, &o);
    assert_int_equal(resida_solver_start(s, 0, p0, v0, NULL, NULL), RESIDA_OK);
    const resida_status status = resida_solver_advance(s, end);
    const char *says = resida_solver_message(s);
    if (status < 0 && strstr(says, "jumps") && strstr(says, "1.234")) return;
    if (status < 0) fail_msg("%s, %s, %s, %g: %s", form, method, strategy, tolerance, says);
    const resida_state at = test_state(s);
    const double off =
        fmax(fmax(fabs(at.p[0] - d), fabs(at.v[0] - 1)), fmax(fabs(at.p[1] - (p * cos(w * d) + v / w * sin(w * d))),
                                                              fabs(at.v[1] - (v * cos(w * d) - w * p * sin(w * d)))));
    if (!(off < 100 * tolerance)) fail_msg("%s, %s, %s, %g: off by %g", form, method, strategy, tolerance, off);
}

CLAIM(a_kink_of_g_is_passed_with_its_impulse_or_named)
{
    static const double tolerances[] = {1e-3, 1e-5, 1e-7};
    for (int i = 0; resida_form_at(i); i++)
        for (int k = 0; k < 2 * 2 * 3 && strcmp(resida_form_at(i), "ode") != 0; k++)
            check_kink(resida_form_at(i), k / 2 % 2 ? "radau-iia-3" : "bdf", strategies[k % 2], tolerances[k / 4]);
}

static int decay(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const double rate = *(const double *)user;
    r[0] = yp[0] + rate * y[0];
    return 0;
}

/* At t = 1e9 s times are 1.2e-7 s apart: e^(-t/tau) with tau = 1e-8 s is over before t moves, and goes on. */
CLAIM(a_transient_below_the_rounding_of_t_is_passed)
{
    static const double taus[] = {1e-8, 1e-12, 1e-15}, y0 = 1, tolerances[] = {1e-6, 1e-10};
    for (int k = 0; k < 3 * 2 * 2; k++) {
        double rate = 1 / taus[k % 3];
        resida_dae d = test_dae();
        resida_solver_options o = test_solver_options();
        d.n = 1, d.residual = decay, d.user = &rate;
        o.jacobian = strategies[k / 6], o.rtol = o.atol = tolerances[k / 3 % 2];
        resida_solver *s = test_solver_dae(&d, NULL, &o);
        assert_int_equal(resida_solver_start_dae(s, 1e9, &y0, NULL), RESIDA_OK);
        if (resida_solver_advance(s, 1e9 + 1) != RESIDA_OK)
            fail_msg("tau = %g: %s", 1 / rate, resida_solver_message(s));
        assert_true(fabs(test_state(s).y[0]) < 10 * o.atol);
    }
}

/* A mass of 1 kg that rests until a force acts, x'' = f(t/unit)/unit^2 m: a sine for ever, or half a sine of a second
 * once. The force comes by an excitation, or out of the residual; the mass as a mechanism, or as a general DAE. */
typedef struct pushed {
    double t0, at, unit; /* begin; of the push, in units behind it; 0: a sine of period 20 */
    int by_excitation;
} pushed;

static double force(const pushed *m, double t)
{
    static const double pi = 3.14159265358979323846;
    const double s = (t - m->t0) / m->unit;
    if (m->at == 0) return sin(2 * pi * s / 20);
    return s > m->at && s < m->at + 1 ? sin(pi * (s - m->at)) : 0;
}

/* Position [m] at the end: the closed form. */
static double position_at(const pushed *m, double s)
{
    static const double pi = 3.14159265358979323846;
    if (m->at == 0) return 10 / pi * (s - 10 / pi * sin(pi * s / 10));
    return s >= m->at + 1 ? 1 / pi + 2 / pi * (s - m->at - 1) : 0;
}

static int push(double t, double *u, double *ud, double *udd, void *user)
{
    u[0] = force(user, t);
    ud[0] = udd[0] = 0; /* which nothing depends on */
    return 0;
}

static double acceleration(const pushed *m, double t, const resida_excitation *e)
{
    return (m->by_excitation ? e->u[0] : force(m, t)) / (m->unit * m->unit);
}

static int mass(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                void *user)
{
    r[0] = a[0] - acceleration(user, t, e);
    return 0;
}

static int mass_dae(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] - acceleration(user, t, e);
    return 0;
}

/* Position [m] at the end; *warned: that nothing moved. */
static double run_pushed(pushed *m, int is_dae, const resida_solver_options *given, double way, int *warned,
                         long *steps)
{
    const double zero[2] = {0, 0}, atol[2] = {1e-6, 1e-6 / m->unit};
    resida_mechanism k = test_mechanism();
    resida_dae d = test_dae();
    resida_solver_options o = *given;
    o.atol_each = atol;
    k.n_p = k.n_v = 1, k.n_u = d.n_u = m->by_excitation, d.n = 2, k.user = d.user = m;
    k.residual = mass, d.residual = mass_dae;
    if (m->by_excitation) k.excitation = d.excitation = push;
    resida_solver *s = is_dae ? test_solver_dae(&d, NULL, &o) : test_solver(&k, NULL, &o);
    assert_int_equal(is_dae ? resida_solver_start_dae(s, m->t0, zero, zero)
                            : resida_solver_start(s, m->t0, zero, zero, NULL, NULL),
                     RESIDA_OK);
    if (resida_solver_advance(s, m->t0 + way * m->unit) != RESIDA_OK) fail_msg("%s", resida_solver_message(s));
    assert_int_equal(resida_solver_examine(s), RESIDA_OK);
    resida_stats stats = test_stats(s);
    resida_state at = test_state(s);
    *warned = 0;
    for (int i = 0; i < stats.n_warnings; i++) *warned |= strncmp(stats.warnings[i], "nothing moved in", 16) == 0;
    *steps = stats.steps;
    const double x = is_dae ? at.y[0] : at.p[0];
    return x;
}

/* Steps of whole periods see a sine at its zeros alone. */
CLAIM(a_sine_that_begins_at_rest_is_detected_for_any_first_step)
{
    static const double ways[] = {10000, 20000}, units[] = {1, 1e-6, 1e9}, begins[] = {0, 1e5};
    for (int k = 0; k < 2 * 3 * 2 * 2 * 2 * 2; k++) {
        const double way = ways[k % 2], unit = units[k / 2 % 3], t0 = begins[k / 6 % 2] * unit;
        pushed m = {.t0 = t0, .unit = unit, .by_excitation = k / 12 % 2};
        resida_solver_options o = test_solver_options();
        int warned;
        long steps;
        o.jacobian = strategies[k / 24 % 2], o.rtol = 1e-6;
        const double x = run_pushed(&m, k / 48, &o, way, &warned, &steps), exact = position_at(&m, way);
        /* errors of 1e-6 of 6 in v at each of 50 steps in a period, at the most */
        if (warned || !(fabs(x - exact) < 50 * 6e-6 / 6 * way / 20 * exact))
            fail_msg("way %g, unit %g, from %g, dae %d, %s: x = %g, exact %g, %ld steps", way, unit, t0, k / 48,
                     o.jacobian, x, exact, steps);
    }
}

/* A push of a second in a thousand is seen, or the run says that nothing moved. */
CLAIM(a_late_force_is_detected_or_the_absence_of_motion_is_reported)
{
    static const double places[] = {3, 40, 500, 777.7, 998}, units[] = {1, 1e-6, 1e9}, begins[] = {0, 1e5};
    static const char *const methods[] = {"bdf", "radau-iia-3", "bdf2", "radau-iia-3"};
    int seen = 0, with_excitation = 0, cases = 0;
    for (int k = 0; k < 5 * 3 * 2 * 2 * 2 * 4; k++) {
        const double unit = units[k / 5 % 3], t0 = begins[k / 15 % 2] * unit;
        const char *method = methods[k / 120];
        pushed m = {.t0 = t0, .at = places[k % 5], .unit = unit, .by_excitation = k / 30 % 2};
        resida_solver_options o = test_solver_options();
        int warned;
        long steps;
        o.jacobian = strategies[k / 60 % 2], o.rtol = 1e-6, o.method = method;
        if (k / 120 > 0) o.jacobian = "auto";
        if (k / 120 > 0 && k / 120 < 3) o.step = 10 * unit;
        const double x = run_pushed(&m, 0, &o, 1000, &warned, &steps), exact = position_at(&m, 1000);
        const int is_right = fabs(x - exact) < 1e-2 * exact;
        if (k / 120 == 0) seen += is_right, with_excitation += is_right && m.by_excitation, cases++;
        if (k / 120 == 0 ? !is_right && !warned : !warned && fabs(x) < 1e-7)
            fail_msg("%s, push at %g, unit %g, from %g, %s: x = %g, exact %g, %ld steps, not warned", method, m.at,
                     unit, t0, o.jacobian, x, exact, steps);
        if (is_right && warned) fail_msg("%s: it moved", method);
    }
    print_message("  seen %d of %d, by excitation %d of %d\n", seen, cases, with_excitation, cases / 2);
    assert_true(10 * with_excitation >= 9 * cases / 2);
}

static int spring(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                  void *user)
{
    const double omega = *(const double *)user;
    r[0] = a[0] + omega * omega * p[0];
    return 0;
}

/* x'' = -omega^2 x from the given amplitude over a half period; *warned: that relative errors are larger. @return error
 * of x in amplitudes */
static double run_small(double amplitude, double omega, double rtol, int *warned)
{
    const double zero = 0, half_period = acos(-1) / omega;
    resida_mechanism k = test_mechanism();
    resida_solver_options o = test_solver_options();
    k.n_p = k.n_v = 1, k.residual = spring, k.user = &omega;
    o.rtol = rtol, o.atol = 1e-6;
    resida_solver *s = test_solver(&k, NULL, &o);
    assert_int_equal(resida_solver_start(s, 0, &amplitude, &zero, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_advance(s, half_period), RESIDA_OK);
    assert_int_equal(resida_solver_examine(s), RESIDA_OK);
    resida_stats stats = test_stats(s);
    resida_state at = test_state(s);
    *warned = 0;
    for (int i = 0; i < stats.n_warnings; i++) *warned |= strstr(stats.warnings[i], "relative errors are larger") != 0;
    const double error = fabs(at.p[0] + amplitude) / amplitude;
    return error;
}

/* With a motion of few atol there is no relative accuracy: a hundred times worse than rtol asks, and a percent. */
CLAIM(a_motion_of_few_tolerances_is_named)
{
    static const double amplitudes[] = {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1, 100}, rtols[] = {1e-3, 1e-5, 1e-7};
    int n_wrong = 0;
    for (int k = 0; k < 7 * 3; k++) {
        const double amplitude = amplitudes[k % 7], rtol = rtols[k / 7];
        int warned;
        const double error = run_small(amplitude, 1, rtol, &warned);
        n_wrong += error > 0.01 && error > 100 * rtol;
        if (error > 0.01 && error > 100 * rtol && !warned) fail_msg("%g, rtol %g: error %g", amplitude, rtol, error);
        if (amplitude >= 1e-2 && warned) fail_msg("%g, rtol %g: warned, error %g", amplitude, rtol, error);
    }
    assert_true(n_wrong >= 2);
}

/* Its speed is many tolerances, and its positions are in the error test of these alone. */
CLAIM(a_fast_motion_of_few_tolerances_is_named_too)
{
    for (double omega = 10; omega < 1e6; omega *= 10) {
        int warned;
        (void)run_small(1e-5, omega, 1e-6, &warned);
        if (!warned) fail_msg("omega %g", omega);
    }
}
