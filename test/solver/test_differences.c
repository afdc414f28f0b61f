/* test_differences.c - what a model leaves out of its constraints is found by differences whose increments suit the
 * constraints: over lengths from 1e-9 to 1e9 m, after 1e6 turns, at 1e6 1/s, with ripples of a slope. A run without
 * dg/dp and velocity_bias has the digits of the run with them, to half a digit, and its drift is the true one. Exact
 * solutions: scaled.h. Digits beyond what rounding of p leaves are not compared. */
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/mechanisms/scaled.h"
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/mechanisms/small.h"

#define RTOL  1e-8
#define SPINS 1e-8 /* tolerance of what spins, v beside 1 */
#define HALF  0.5
#define TURN  6.283185307179586

static const char *const strategies[] = {"auto", "dense"};

/* What came out. */
typedef struct outcome {
    resida_status status;
    double x[2 * SCALED_MAX]; /* the end */
    double digits;            /* of all outputs */
    double drift, slip;       /* largest |G v + gI| over L rate that the library says, and in truth */
    long g_calls;
    int warnings; /* 1: the right model was warned of */
    char message[RESIDA_MESSAGE_SIZE];
} outcome;

static void open_solver(scaled *s, const char *jacobian, resida_problem **problem, resida_solver **solver, double *p,
                        double *v)
{
    resida_mechanism m = scaled_mechanism(s, p, v);
    resida_solver_options o = test_solver_options();
    double atol[6 * SCALED_MAX];
    const double rtol = s->spin != 0 ? SPINS : RTOL;
    const int by_default = s->kind == SCALED_TETHER || s->begins != 0;
    *problem = test_problem(&m, NULL);
    for (int i = 0; i < 6 * SCALED_MAX; i++) atol[i] = rtol * s->length;
    for (int i = 0; i < m.n_v; i++) atol[m.n_p + i] = rtol * s->length * s->rate;
    if (s->kind == SCALED_BODY) atol[2] = rtol, atol[5] = rtol * s->rate;
    if (s->kind == SCALED_SCREW) atol[1] = rtol, atol[3] = rtol * s->rate;
    if (!by_default) o.rtol = rtol, o.atol_each = atol;
    o.jacobian = jacobian;
    *solver = test_solver_of(*problem, &o);
}

/* |d(rows)/dt| of the true constraints at a state. */
static double true_slip(const scaled *s, const resida_state *at)
{
    scaled exact = *s;
    double p[SCALED_MAX], v[SCALED_MAX], G[2 * SCALED_MAX], gI[2] = {0}, u[3], worst = 0;
    const resida_excitation e = {u, u + 1, u + 2};
    exact.given = 1;
    const resida_mechanism m = scaled_mechanism(&exact, p, v);
    if (m.excitation) assert_int_equal(m.excitation(at->t, u, u + 1, u + 2, &exact), 0);
    assert_int_equal(m.constraint_matrix(at->t, at->p, &e, G, &exact), 0);
    assert_int_equal(m.velocity_bias(at->t, at->p, &e, gI, &exact), 0);
    for (int i = 0; i < m.n_g; i++) {
        for (int j = 0; j < m.n_p; j++) gI[i] += G[i * m.n_p + j] * at->v[j];
        worst = fmax(worst, fabs(gI[i]));
    }
    return worst / s->length / s->rate;
}

static outcome run(scaled s, const char *jacobian, double t_end)
{
    enum { OUTPUTS = 20 };
    outcome r = {.digits = 99};
    resida_problem *problem = NULL;
    resida_solver *solver = NULL;
    resida_state at;
    double p[SCALED_MAX], v[SCALED_MAX], exact[2 * SCALED_MAX], g[2], gv[2];
    s.g_calls = 0;
    open_solver(&s, jacobian, &problem, &solver, p, v);
    r.status = resida_solver_start(solver, s.t0, p, v, NULL, NULL);
    for (int k = 1; k <= OUTPUTS && r.status >= 0; k++) {
        r.status = resida_solver_advance(solver, s.t0 + t_end * k / OUTPUTS);
        const long calls = s.g_calls;
        at = test_state(solver);
        assert_int_equal(resida_problem_constraints(problem, at.t, at.p, at.v, g, gv), RESIDA_OK);
        s.g_calls = calls;
        r.drift = fmax(r.drift, fmax(fabs(gv[0]), s.kind == SCALED_BODY ? fabs(gv[1]) : 0) / s.length / s.rate);
        r.slip = fmax(r.slip, true_slip(&s, &at));
        scaled_state(&s, at.p, at.v, r.x);
        scaled_exact(&s, at.t - s.t0, exact);
        for (int i = 0; i < 2 * SCALED_MAX; i++)
            r.digits = fmin(r.digits, -log10(fabs(r.x[i] - exact[i]) / fmax(1, fabs(exact[i])) + DBL_EPSILON));
    }
    strcpy(r.message, resida_solver_message(solver));
    r.warnings = test_stats(solver).n_warnings > 0;
    r.g_calls = s.g_calls;
    return r;
}

static const char *status_of(const outcome *r)
{
    return r->status >= 0 ? "ok" : r->message;
}

/* Digits that rounding of p may leave: that of angles is a part of all turns; of a ripple, of all its waves, where more
 * than those of the tolerance are chance. */
static double max_digits(const scaled *s)
{
    const double of_turns = 16 * DBL_EPSILON * (1 + s->turns) * TURN;
    if (s->kind == SCALED_SCREW) return fmin(-log10(RTOL), -log10(of_turns * fmax(1, s->waves)));
    return s->kind == SCALED_BODY ? -log10(of_turns) : 12;
}

/* Both runs, by each strategy; the number of cases that are not as they should be. */
static int compare(scaled s, double t_end)
{
    int wrong = 0;
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
        s.given = 1;
        const outcome with = run(s, strategies[i], t_end);
        s.given = 0;
        const outcome without = run(s, strategies[i], t_end);
        const double wanted = fmin(with.digits, max_digits(&s)) - HALF;
        const int is_wrong =
            with.status < 0 || without.status < 0 || !(without.digits >= wanted) || with.warnings || without.warnings;
        if (s.kind == SCALED_SCREW) print_message("ripple %.0e waves %.0f ", s.ripple, s.waves);
        print_message("%d L %.0e rate %.0e turns %.0e spin %.0e t0 %.0e %-5s given %5.2f (%s), missing %5.2f (%s), %ld "
                      "calls of g%s\n",
                      (int)s.kind, s.length, s.rate, s.turns, s.spin, s.t0, strategies[i], with.digits,
                      status_of(&with), without.digits, status_of(&without), without.g_calls, is_wrong ? " WRONG" : "");
        wrong += is_wrong;
    }
    return wrong;
}

CLAIM(angles_that_have_turned_keep_their_digits)
{
    static const double turns[] = {0, 1e3, 1e4, 1e5, 1e6};
    int wrong = 0;
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++)
        wrong += compare((scaled){.kind = SCALED_BODY, .length = 1, .rate = 1, .turns = turns[i]}, 3);
    assert_int_equal(wrong, 0);
}

CLAIM(lengths_from_1e_9_to_1e9_have_the_same_digits)
{
    int wrong = 0;
    for (int e = -9; e <= 9; e += 3) {
        wrong += compare((scaled){.kind = SCALED_ROD, .length = pow(10, e), .rate = 1}, 5);
        wrong += compare((scaled){.kind = SCALED_BODY, .length = pow(10, e), .rate = 1}, 5);
    }
    assert_int_equal(wrong, 0);
}

CLAIM(fast_times_keep_their_digits)
{
    static const double rates[] = {1e-3, 1, 1e3, 1e5, 1e6};
    int wrong = 0;
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        wrong += compare((scaled){.kind = SCALED_SHAKER, .length = 1, .rate = rates[i]}, 5 / rates[i]);
        wrong += compare((scaled){.kind = SCALED_DRIVEN, .length = 1, .rate = rates[i]}, 5 / rates[i]);
        wrong += compare((scaled){.kind = SCALED_SHAKER, .length = 1e-3, .rate = rates[i]}, 5 / rates[i]);
    }
    assert_int_equal(wrong, 0);
}

/* The last 60 turns of a minute at 6,000 rpm. The drift that is said is that of g, whatever G is. */
CLAIM(angles_that_turn_on_the_way_keep_their_digits_and_their_drift_is_true)
{
    enum { TURNS = 60 };
    const double rpm_6000 = 628.3185307179587, t_end = TURNS * 0.01;
    int wrong = compare((scaled){.kind = SCALED_BODY, .length = 1, .rate = 1, .spin = rpm_6000, .turns = 5940}, t_end);
    const scaled s = {.kind = SCALED_BODY, .length = 1, .rate = 1, .spin = rpm_6000, .turns = 5940};
    const outcome r = run(s, "auto", t_end);
    print_message("drift %.1e, in truth %.1e of %.0f\n", r.drift, r.slip, rpm_6000);
    assert_true(r.slip < 1e3 * SPINS * rpm_6000);
    assert_true(r.drift < 1e3 * SPINS * rpm_6000);
    assert_int_equal(wrong, 0);
}

/* The distance between satellites beside the radius of their orbit. Without a closed form: all coordinates beside those
 * of the run with dg/dp, over the length of the tether, both being off by the tolerances of 7e6 m. */
CLAIM(a_tether_of_ten_metres_in_an_orbit_runs)
{
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
        scaled s = {.kind = SCALED_TETHER, .length = 10, .rate = 1e-3, .given = 1};
        const outcome with = run(s, strategies[i], 600);
        s.given = 0;
        const outcome without = run(s, strategies[i], 600);
        double off = 0;
        for (int j = 0; j < 2; j++)
            off = fmax(off, fabs((with.x[j] - with.x[j + 2]) - (without.x[j] - without.x[j + 2])));
        print_message("%-5s %s %s tether off by %.1e of its length\n", strategies[i], status_of(&with),
                      status_of(&without), off);
        assert_true(with.status >= 0 && without.status >= 0);
        assert_true(off < 1e-3);
    }
}

/* v of a start from a v0 that G does not fulfil. */
static void project(scaled s, int given, double *v)
{
    resida_message why = {""};
    resida_start_options o = test_start_options();
    resida_start_report report;
    double p[SCALED_MAX], v0[SCALED_MAX], p0[SCALED_MAX], a[SCALED_MAX], lam[2];
    s.given = given;
    const resida_mechanism m = scaled_mechanism(&s, p0, v0);
    v0[0] *= 1.1;
    resida_problem *problem = test_problem(&m, NULL);
    if (resida_problem_start(problem, 0, p0, v0, &o, p, v, a, lam, &report, &why) < 0) fail_msg("%s", why.text);
}

/* How far v without dg/dp is off that with it. */
static double off_of_v(const scaled *s)
{
    double with[SCALED_MAX], without[SCALED_MAX];
    project(*s, 1, with);
    project(*s, 0, without);
    const double size = fabs(with[0]) + s->length * fabs(with[1]);
    return fmax(fabs(with[0] - without[0]) / size, fabs(with[1] - without[1]) / fabs(with[1]));
}

/* Screws with errors of their pitch, gears, cams: over many waves g changes by its mean slope alone. Bounds: 100
 * tolerances, or where a central quotient of a g that rounds as |p| does is best: (eps |p| waves)^(2/3), times what
 * is left where g rounds alike at h and 3 h, which hides it. */
CLAIM(small_ripples_of_a_slope_are_part_of_its_derivative)
{
    static const double ripples[] = {0.02, 0.1, 0.5}, waves[] = {1, 7, 40}, turns[] = {0, 1, 100, 1e4, 1e6};
    const double alike = 64;
    int wrong = 0;
    for (int n = 0; n < 3 * 3 * 5 * 5 * 2; n++) {
        const scaled s = {.kind = SCALED_SCREW,
                          .slope = n / 225 ? 7 : 1,
                          .ripple = ripples[n % 3],
                          .waves = waves[n / 3 % 3],
                          .turns = turns[n / 9 % 5],
                          .length = pow(10, 3 * (n / 45 % 5) - 6),
                          .rate = 1};
        const double rounding = DBL_EPSILON * TURN * s.turns * s.waves, off = off_of_v(&s);
        if (off <= fmax(100 * RTOL, alike * pow(rounding, 2.0 / 3))) continue;
        print_message("slope %.0f ripple %.0e waves %.0f turns %.0e L %.0e: v is off by %.1e WRONG\n", s.slope,
                      s.ripple, s.waves, s.turns, s.length, off);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

CLAIM(small_ripples_of_a_slope_keep_their_digits)
{
    static const struct {
        double slope, ripple, waves, turns, length;
    } screws[] = {{1, 0.01, 1, 1e3, 1},  {1, 0.1, 1, 3e3, 1},    {1, 1e-3, 10, 100, 1}, {1, 1e-5, 3000, 0, 1},
                  {1, 0.015, 1, 1e6, 1}, {1, 0.015, 1, 1e7, 1},  {1, 0.01, 30, 1e3, 1}, {1, 0.3, 1, 1e4, 1},
                  {1, 1e-3, 100, 0, 1},  {1, 1e-4, 10, 1e5, 1},  {7, 0.1, 1, 100, 1},   {7, 0.1, 1, 1e4, 1},
                  {7, 0.1, 1, 1e6, 1},   {1, 0.02, 7, 100, 1e3}, {1, 0.5, 1, 1e4, 1e6}, {7, 0.1, 7, 100, 1e-6}};
    int wrong = 0;
    for (size_t i = 0; i < sizeof screws / sizeof *screws; i++)
        wrong += compare((scaled){.kind = SCALED_SCREW,
                                  .length = screws[i].length,
                                  .rate = 1,
                                  .turns = screws[i].turns,
                                  .slope = screws[i].slope,
                                  .ripple = screws[i].ripple,
                                  .waves = screws[i].waves},
                         fmin(4, 40 / screws[i].waves));
    assert_int_equal(wrong, 0);
}

/* The energy at the end over that at the start; < 0: failed. */
static double energy_kept(scaled s, const char *jacobian, double t_end, char *message)
{
    resida_problem *problem = NULL;
    resida_solver *solver = NULL;
    double p[SCALED_MAX], v[SCALED_MAX];
    open_solver(&s, jacobian, &problem, &solver, p, v);
    const double before = scaled_screw_energy(&s, p, v);
    resida_status status = resida_solver_start(solver, s.t0, p, v, NULL, NULL);
    if (status >= 0) status = resida_solver_advance(solver, s.t0 + t_end);
    resida_state at = test_state(solver);
    const double behind = scaled_screw_energy(&s, at.p, at.v);
    strcpy(message, resida_solver_message(solver));
    return status < 0 ? -1 : behind / before;
}

/* Lengths that were found where the screw is smooth are trusted no farther than the motion shows them. Where the
 * ripples begin, v was found with the lengths of before: a run may fail there, or after many turns, of which rounding
 * allows no differences of short waves. None ends elsewhere. */
CLAIM(ripples_that_begin_late_are_seen)
{
    static const struct {
        double ripple, waves;
    } screws[] = {{0.02, 40}, {0.1, 7}, {0.001, 300}, {0.5, 2}};
    static const double places[] = {2, 12, 100, 1e4, 1e6};
    enum { CASES = 20, ARRIVE = 17 };
    const double most = 3e-3, before = 10 / TURN;
    int wrong = 0, arrived = 0;
    for (int n = 0; n < 2 * CASES; n++) {
        char message[RESIDA_MESSAGE_SIZE];
        scaled s = {.kind = SCALED_SCREW, .length = 1, .rate = 1, .slope = 1, .begins = places[n / 4 % 5]};
        s.ripple = screws[n % 4].ripple, s.waves = screws[n % 4].waves;
        s.turns = s.begins / TURN - before;
        const double kept = energy_kept(s, strategies[n / CASES], 12, message);
        arrived += n < CASES && kept > 0;
        if (kept < 0 || fabs(kept - 1) < most) continue;
        print_message("ripple %g waves %g from %g %s: energy is off by %.1e WRONG\n", s.ripple, s.waves, s.begins,
                      strategies[n / CASES], kept - 1);
        wrong++;
    }
    assert_int_equal(wrong, 0);
    assert_true(arrived >= ARRIVE);
}

/* A body on a pin, 1 m from its centre of mass: x = sin(phi), y = -cos(phi). */
static int pinned_body(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                       double *r, void *user)
{
    r[0] = a[0], r[1] = a[1] + 9.81, r[2] = 0.1 * a[2];
    return 0;
}

static int pin(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    g[0] = p[0] - sin(p[2]), g[1] = p[1] + cos(p[2]);
    return 0;
}

static int pin_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    G[0] = 1, G[1] = 0, G[2] = -cos(p[2]);
    G[3] = 0, G[4] = 1, G[5] = -sin(p[2]);
    return 0;
}

/* It goes over its top: steps to t = 5, and what its energy is off by. */
static long turn_over(resida_position_fn *matrix, double tolerance, double *off)
{
    const double p0[3] = {0, -1, 0}, v0[3] = {12, 0, 12};
    resida_solver_options o = test_solver_options();
    resida_mechanism k = test_mechanism();
    k.n_p = k.n_v = 3, k.n_g = 2;
    k.residual = pinned_body, k.constraint = pin, k.constraint_matrix = matrix;
    o.rtol = o.atol = tolerance;
    resida_solver *s = test_solver(&k, NULL, &o);
    if (resida_solver_start(s, 0, p0, v0, NULL, NULL) != RESIDA_OK || resida_solver_advance(s, 5) != RESIDA_OK)
        fail_msg("%g, %s: %s", tolerance, matrix ? "dg/dp" : "differences", resida_solver_message(s));
    const resida_state at = test_state(s);
    const long steps = test_stats(s).steps;
    *off = fabs((at.v[0] * at.v[0] + at.v[1] * at.v[1] + 0.1 * at.v[2] * at.v[2]) / 2 + 9.81 * (at.p[1] + 1) - 79.2);
    return steps;
}

/* Noise of dg/dp times v is as large as the tolerance: it must not limit the steps. */
CLAIM(a_tight_tolerance_costs_no_more_steps_without_the_matrix)
{
    double off_with, off;
    for (int i = 0; i < 2; i++) {
        const double tolerance = i ? 1e-11 : 1e-10;
        const long with = turn_over(pin_matrix, tolerance, &off_with), steps = turn_over(NULL, tolerance, &off);
        if (!((double)steps < 1.25 * (double)with) || !(off < 3 * off_with + 100 * tolerance))
            fail_msg("%g: %ld steps, with dg/dp %ld; energy %.1e, %.1e", tolerance, steps, with, off, off_with);
        print_message("  %g: %ld steps, with dg/dp %ld; energy %.1e, %.1e\n", tolerance, steps, with, off, off_with);
    }
}

/* A uniform cubic B-spline with 50 knots a metre: its third derivative jumps at each. */
static double spline(double x, double *slope)
{
    const double knots = 50, at = x * knots, i = floor(at), u = at - i, v = 1 - u;
    const double B[] = {v * v * v, 3 * u * u * u - 6 * u * u + 4, 3 * v * v * v - 6 * v * v + 4, u * u * u};
    const double D[] = {-v * v, 3 * u * u - 4 * u, 4 * v - 3 * v * v, u * u};
    double height = 0;
    *slope = 0;
    for (int k = 0; k < 4; k++) {
        const double c = 0.05 * sin(12.9898 * (i + k));
        height += c * B[k] / 6, *slope += c * D[k] / 2 * knots;
    }
    return height;
}

static int on_the_spline(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    double slope;
    g[0] = p[1] - spline(p[0], &slope);
    return 0;
}

static int spline_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    (void)spline(p[0], &G[0]);
    G[0] = -G[0], G[1] = 1;
    return 0;
}

/* A bead at 2 m/s along it: steps to t = 1. */
static long ride(resida_position_fn *matrix, double tolerance)
{
    double p0[2] = {0}, v0[2] = {2, 0}, slope;
    resida_solver_options o = test_solver_options();
    resida_mechanism k = test_mechanism();
    k.n_p = k.n_v = 2, k.n_g = 1;
    k.residual = small_particle, k.constraint = on_the_spline, k.constraint_matrix = matrix;
    p0[1] = spline(0, &slope), v0[1] = 2 * slope;
    o.rtol = o.atol = tolerance;
    resida_solver *s = test_solver(&k, NULL, &o);
    if (resida_solver_start(s, 0, p0, v0, NULL, NULL) != RESIDA_OK || resida_solver_advance(s, 1) != RESIDA_OK)
        fail_msg("%g, %s: %s", tolerance, matrix ? "dg/dp" : "differences", resida_solver_message(s));
    const long steps = test_stats(s).steps;
    return steps;
}

/* Quotients of fourth order are wider, and a spline is smooth between its knots alone. */
CLAIM(knots_of_a_spline_cost_no_more_steps_without_the_matrix)
{
    static const double tolerances[] = {1e-6, 1e-8, 3e-9, 6e-10, 3e-10};
    for (int i = 0; i < 5; i++) {
        const long with = ride(spline_matrix, tolerances[i]), steps = ride(NULL, tolerances[i]);
        print_message("  %g: %ld steps, with dg/dp %ld\n", tolerances[i], steps, with);
        if (!((double)steps < 1.25 * (double)with)) fail_msg("%g: %ld steps, %ld", tolerances[i], steps, with);
    }
}
