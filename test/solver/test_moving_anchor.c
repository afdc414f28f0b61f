/* test_moving_anchor.c - a constraint whose anchor moves on, of a model that gives neither dg/dp nor the velocity bias:
 * a run has the accuracy of the run with them however fast the anchor is. One that begins to shake late is seen: a run
 * arrives with that accuracy or fails by name, and none arrives elsewhere. Exact solutions: anchor.h. */
#include "test/fixtures/claims.h"
#include "test/fixtures/mechanisms/anchor.h"
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/mechanisms/small.h"

/* Errors of two runs that differ in their steps alone, and what tolerances add up to in some seconds. */
#define SAME_ACCURACY 10
#define ADDED_UP      100
#define RTOL          1e-12 /* of positions that grow with V t: absolute tolerances hold beside the anchor */
enum { MAX_Y = 6, OUTPUTS = 20 };

static const char *const strategies[] = {"auto", "dense"};

/* What came out. */
typedef struct outcome {
    resida_status status;
    double error; /* largest one of positions, over L */
    char message[RESIDA_MESSAGE_SIZE];
} outcome;

static void open_solver(anchor *s, const char *jacobian, double rtol, double tolerance, resida_problem **problem,
                        resida_solver **solver, double *p, double *v)
{
    const resida_mechanism m = anchor_mechanism(s, p, v);
    resida_solver_options o = test_solver_options();
    double atol[MAX_Y];
    for (int i = 0; i < MAX_Y; i++) atol[i] = tolerance * s->length;
    o.rtol = rtol, o.atol_each = atol, o.jacobian = jacobian;
    *problem = test_problem(&m, NULL);
    *solver = test_solver_of(*problem, &o);
}

static outcome run(anchor s, const char *jacobian, double rtol, double tolerance, double t_end)
{
    outcome r = {.error = 0};
    resida_problem *problem = NULL;
    resida_solver *solver = NULL;
    resida_state at;
    double p[2], v[2], x[4];
    open_solver(&s, jacobian, rtol, tolerance, &problem, &solver, p, v);
    r.status = resida_solver_start(solver, 0, p, v, NULL, NULL);
    for (int k = 1; k <= OUTPUTS && r.status >= 0; k++) {
        r.status = resida_solver_advance(solver, t_end * k / OUTPUTS);
        if (r.status < 0) break;
        at = test_state(solver);
        anchor_exact(&s, at.t, x);
        r.error = fmax(r.error, hypot(at.p[0] - anchor_at(&s, at.t) - x[0], at.p[1] - x[1]) / s.length);
    }
    strcpy(r.message, resida_solver_message(solver));
    return r;
}

/* The run without dg/dp and the bias. *is_wrong 1: it arrived elsewhere. */
static outcome compare(anchor s, const char *jacobian, double rtol, double tolerance, double t_end, int *is_wrong)
{
    s.given = 1;
    const outcome with = run(s, jacobian, rtol, tolerance, t_end);
    s.given = 0;
    const outcome without = run(s, jacobian, rtol, tolerance, t_end);
    const double size = 1 + rtol / tolerance * s.speed * t_end / s.length; /* what the tolerance is a part of, over L */
    const double most = fmax(SAME_ACCURACY * with.error, ADDED_UP * tolerance * size);
    *is_wrong = without.status >= 0 && !(without.error <= most);
    if (*is_wrong || without.status < 0)
        print_message(
            "V %.0e a %.0e w %.0f from %.3f knocks %d tolerance %.0e %s: %.1e with the bias, %.1e without it: %s\n",
            s.speed, s.shake, s.w, s.begins, s.knocks, tolerance, jacobian, with.error, without.error,
            *is_wrong ? "WRONG" : without.message);
    return without;
}

CLAIM(an_anchor_of_any_speed_leaves_the_accuracy_of_the_run_with_biases)
{
    static const double speeds[] = {1e2, 1e3, 1e4}, tolerances[] = {1e-4, 1e-6, 1e-8};
    enum { CASES = 72 };
    int wrong = 0, failed = 0;
    for (int n = 0; n < CASES; n++) {
        const double tolerance = tolerances[n / 2 % 3], length = n / 36 ? 1e-3 : 1;
        const anchor s = {.length = length, .speed = speeds[n / 6 % 3] * length, .is_explicit = n / 18 % 2};
        int is_wrong;
        failed += compare(s, strategies[n % 2], RTOL, tolerance, 5, &is_wrong).status < 0;
        wrong += is_wrong;
    }
    assert_int_equal(failed, 0);
    assert_int_equal(wrong, 0);
}

/* The tolerances of a user who gives one number. */
CLAIM(an_anchor_of_any_speed_arrives_with_relative_tolerances)
{
    static const double speeds[] = {1e2, 1e3, 1e4}, tolerances[] = {1e-4, 1e-6, 1e-8};
    enum { CASES = 36 };
    int failed = 0;
    for (int n = 0; n < CASES; n++) {
        const double tolerance = tolerances[n / 2 % 3];
        const anchor s = {.length = 1, .speed = speeds[n / 6 % 3], .is_explicit = n / 18};
        int is_wrong;
        failed += compare(s, strategies[n % 2], tolerance, tolerance, 5, &is_wrong).status < 0 || is_wrong;
    }
    assert_int_equal(failed, 0);
}

/* By all strategies, tolerances and places; the number of runs that arrived elsewhere. */
static int shake(anchor s, int *arrived)
{
    static const double places[] = {2.123, 12.123};
    const double last = fmin(3, 100 / s.w); /* so long it shakes */
    int wrong = 0;
    for (int n = 0; n < 8; n++) {
        int is_wrong;
        s.begins = places[n / 4];
        *arrived +=
            compare(s, strategies[n % 2], RTOL, n / 2 % 2 ? 1e-6 : 1e-4, s.begins + last, &is_wrong).status >= 0;
        wrong += is_wrong;
    }
    return wrong;
}

/* Where it begins to shake the acceleration of the anchor jumps, of which differences say nothing over less than their
 * increments: where V t rounds by more than the tolerance allows there, a run may fail. */
CLAIM(an_anchor_that_shakes_late_is_followed_or_fails_by_name)
{
    static const double speeds[] = {0, 1e2, 1e3, 1e4};
    static const struct {
        double a, w;
    } shakes[] = {{1e-3, 10}, {1e-2, 10}, {0.1, 10}, {1e-3, 100}, {1e-2, 100}, {0.1, 100}, {1e-3, 1e3}};
    enum { ARRIVE = 160 };
    int wrong = 0, arrived = 0;
    for (int n = 0; n < 28; n++)
        wrong += shake((anchor){.length = 1,
                                .speed = speeds[n / 7],
                                .shake = shakes[n % 7].a,
                                .w = shakes[n % 7].w,
                                .is_explicit = n % 2},
                       &arrived);
    assert_int_equal(wrong, 0);
    assert_true(arrived >= ARRIVE);
}

/* The velocity of the anchor jumps: runs with the bias fail there, too. */
CLAIM(an_anchor_that_is_knocked_is_followed_or_fails_by_name)
{
    static const double speeds[] = {0, 1e2, 1e3, 1e4};
    int wrong = 0, arrived = 0;
    for (int n = 0; n < 8; n++)
        wrong += shake((anchor){.length = 1, .speed = speeds[n / 2], .shake = 0.01, .w = n % 2 ? 100 : 10, .knocks = 1},
                       &arrived);
    assert_int_equal(wrong, 0);
}

/* --- an anchor that an excitation moves: a pendulum of 1 m below (u, 0), or below the pin (cos u, sin u) of a crank */

typedef struct driven {
    double size, w; /* u = size sin w t */
    int is_crank;
} driven;

/* The anchor and its velocity. */
static void driven_anchor(const driven *d, double t, double *at, double *speed)
{
    const double u = d->size * sin(d->w * t), ud = d->size * d->w * cos(d->w * t);
    at[0] = d->is_crank ? cos(u) : u, at[1] = d->is_crank ? sin(u) : 0;
    speed[0] = d->is_crank ? -sin(u) * ud : ud, speed[1] = d->is_crank ? cos(u) * ud : 0;
}

static int driven_constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    const driven *d = user;
    const double x = p[0] - (d->is_crank ? cos(e->u[0]) : e->u[0]), y = p[1] - (d->is_crank ? sin(e->u[0]) : 0);
    g[0] = x * x + y * y - 1;
    return 0;
}

static int driven_excitation(double t, double *u, double *ud, double *udd, void *user)
{
    const driven *d = user;
    u[0] = d->size * sin(d->w * t), ud[0] = d->size * d->w * cos(d->w * t), udd[0] = -d->w * d->w * u[0];
    return 0;
}

/* Largest error of gI, as a part of its largest size, along a run. */
static double error_of_gI(driven *d)
{
    resida_mechanism m = test_mechanism();
    resida_solver_options o = test_solver_options();
    resida_state x;
    double c[2], cd[2], worst = 0, most = 0;
    m.name = "driven", m.n_p = m.n_v = 2, m.n_g = m.n_u = 1, m.user = d;
    m.residual = small_particle, m.constraint = driven_constraint, m.excitation = driven_excitation;
    o.rtol = o.atol = 1e-8;
    resida_problem *problem = test_problem(&m, NULL);
    resida_solver *solver = test_solver_of(problem, &o);
    driven_anchor(d, 0, c, cd);
    assert_int_equal(resida_solver_start(solver, 0, (double[]){c[0], c[1] - 1}, cd, NULL, NULL), RESIDA_OK);
    for (int i = 1; i <= OUTPUTS; i++) {
        if (resida_solver_advance(solver, 0.05 * i) < 0) fail_msg("%s", resida_solver_message(solver));
        x = test_state(solver);
        driven_anchor(d, x.t, c, cd);
        double gv, G[2] = {2 * (x.p[0] - c[0]), 2 * (x.p[1] - c[1])};
        assert_int_equal(resida_problem_constraints(problem, x.t, x.p, x.v, NULL, &gv), RESIDA_OK);
        const double gI = -G[0] * cd[0] - G[1] * cd[1];
        worst = fmax(worst, fabs(gv - G[0] * x.v[0] - G[1] * x.v[1] - gI));
        most = fmax(most, fabs(gI));
    }
    return worst / most;
}

/* As little as the differences leave of dg/dp, which is not given either; u'' is zero at the start alone. */
CLAIM(the_bias_of_an_excitation_is_right_wherever_the_run_is)
{
    static const double sizes[] = {0.3, 0.3, 0.05, 1}, w[] = {2, 20, 100, 5};
    for (int k = 0; k < 8; k++) {
        driven d = {sizes[k / 2], w[k / 2], k % 2};
        const double error = error_of_gI(&d);
        print_message("u = %g sin %g t%s: %.1e of gI\n", d.size, d.w, d.is_crank ? ", crank" : "", error);
        assert_true(error < 1e-8);
    }
}

/* --- a support at the origin, where all terms of g are zero: 0.7 x + 0.4 y = 0.9 sin(w t) moves two masses of 1 kg */

static int support(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    g[0] = 0.7 * p[0] + 0.4 * p[1] - 0.9 * e->u[0];
    return 0;
}

static int support_bias(double t, const double *p, const resida_excitation *e, double *gI, void *user)
{
    gI[0] = -0.9 * e->ud[0];
    return 0;
}

static int support_spring(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                          double *r, void *user)
{
    const driven *d = user;
    r[0] = a[0];
    r[1] = a[1] + 0.3 * d->w * (v[1] - v[0]) + d->w * d->w * (p[1] - p[0]);
    return 0;
}

/* Steps to t = 1, and the positions there. */
static long run_support(driven *d, int has_bias, double *p)
{
    static const double zero[2] = {0, 0};
    resida_mechanism m = test_mechanism();
    resida_solver_options o = test_solver_options();
    m.n_p = m.n_v = 2, m.n_g = m.n_u = 1, m.user = d;
    m.residual = support_spring, m.constraint = support, m.excitation = driven_excitation;
    if (has_bias) m.velocity_bias = support_bias;
    o.max_steps = 1000;
    resida_problem *problem = test_problem(&m, NULL);
    resida_solver *solver = test_solver_of(problem, &o);
    assert_int_equal(resida_solver_start(solver, 0, zero, zero, NULL, NULL), RESIDA_OK);
    if (resida_solver_advance(solver, 1) < 0) fail_msg("w %g: %s", d->w, resida_solver_message(solver));
    memcpy(p, test_state(solver).p, 2 * sizeof *p);
    return test_stats(solver).steps;
}

CLAIM(the_bias_of_a_support_at_the_origin_is_no_rounding)
{
    static const double w[] = {0.01, 1, 3, 10};
    for (int k = 0; k < 4; k++) {
        driven d = {1, w[k], 0};
        double with[2], without[2];
        const long steps = run_support(&d, 1, with);
        assert_true(run_support(&d, 0, without) <= 2 * steps);
        for (int i = 0; i < 2; i++) assert_true(fabs(without[i] - with[i]) < 1e-6);
    }
}

/* A bar of length 2 hangs from the support u: p = (x, y, angle). At the start it only moves sideways, so that g is
 * linear along the motion. */
static int bar(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    g[0] = p[0] - sin(p[2]) - e->u[0];
    g[1] = p[1] + cos(p[2]);
    return 0;
}

static int bar_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    const double rows[] = {1, 0, -cos(p[2]), 0, 1, -sin(p[2])};
    memcpy(G, rows, sizeof rows);
    return 0;
}

static int bar_bias(double t, const double *p, const resida_excitation *e, double *gI, void *user)
{
    gI[0] = -e->ud[0], gI[1] = 0;
    return 0;
}

static int bar_residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                        double *r, void *user)
{
    r[0] = a[0], r[1] = a[1] + 9.81, r[2] = a[2] / 3;
    return 0;
}

static void run_bar(double tol, int has_matrix, int has_bias, double *p)
{
    driven d = {0.1, 3, 0};
    double u, ud, udd;
    resida_mechanism m = test_mechanism();
    resida_solver_options o = test_solver_options();
    m.n_p = m.n_v = 3, m.n_g = 2, m.n_u = 1, m.user = &d;
    m.residual = bar_residual, m.constraint = bar, m.excitation = driven_excitation;
    if (has_matrix) m.constraint_matrix = bar_matrix;
    if (has_bias) m.velocity_bias = bar_bias;
    o.rtol = o.atol = tol;
    resida_problem *problem = test_problem(&m, NULL);
    resida_solver *solver = test_solver_of(problem, &o);
    driven_excitation(0, &u, &ud, &udd, &d);
    const double p0[] = {u + sin(1), -cos(1), 1}, v0[] = {ud, 0, 0};
    assert_int_equal(resida_solver_start(solver, 0, p0, v0, NULL, NULL), RESIDA_OK);
    if (resida_solver_advance(solver, 2) < 0) fail_msg("%g: %s", tol, resida_solver_message(solver));
    memcpy(p, test_state(solver).p, 3 * sizeof *p);
}

CLAIM(the_bias_of_a_motion_that_begins_to_turn_has_the_accuracy_of_the_tolerances)
{
    double with[3], without[3];
    for (double tol = 1e-6; tol > 0.5e-10; tol /= 10)
        for (int has_matrix = 0; has_matrix < 2; has_matrix++) {
            run_bar(tol, 1, 1, with);
            run_bar(tol, has_matrix, 0, without);
            for (int i = 0; i < 3; i++) assert_true(fabs(without[i] - with[i]) < 100 * tol);
        }
}
