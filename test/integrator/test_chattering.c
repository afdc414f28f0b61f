/* test_chattering.c - runs that cannot go on because something jumps to and fro end soon, with a status that says so;
 * runs that are only hard do not.
 *
 * Dry friction without a root function: p' = v, v' = f - mu sign(v - w), which sticks at v = w while |f| < mu. With a
 * root function and a new start at each event, time stands still there. A ball that bounces with less speed each time
 * comes to rest. */
#include "falling_mass.h"
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/mechanisms/small.h"
#include "test/fixtures/claims.h"

enum { N = 4, FEW_STEPS = 20000, TOLERANCES = 31 };

typedef struct friction {
    double mu, belt, f;
    double width; /* 0: a jump; else tanh over it */
    double side;  /* not 0: the sign, which events switch */
} friction;

/* Two masses, the second one slides without friction: y = (p, v, p2, v2). */
static int slides(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const friction *c = user;
    const double slip = y[1] - c->belt, sign = c->side != 0   ? c->side
                                               : c->width > 0 ? tanh(slip / c->width)
                                                              : (slip > 0) - (slip < 0);
    r[0] = yp[0] - y[1];
    r[1] = yp[1] - c->f + c->mu * sign;
    r[2] = yp[2] - y[3];
    r[3] = yp[3] + y[2];
    return 0;
}

static int slip_of(double t, const double *y, const double *yp, const resida_excitation *e, double *out, void *user)
{
    const friction *c = user;
    out[0] = y[1] - c->belt + c->side * 1e-14; /* it switches a little beyond, so that it has been on the other side */
    return 0;
}

typedef struct run {
    resida_problem *problem;
    resida_solver *solver;
} run;

static void open_friction(run *r, friction *c, const resida_solver_options *o, int n_root)
{
    static const char *const names[N] = {"place", "speed", "place 2", "speed 2"};
    const double y0[N] = {0, c->belt + 1, 1, 0}, yp0[N] = {c->belt + 1, c->f - c->mu, 0, -1};
    resida_dae d = test_dae();
    d.n = N;
    d.names = names;
    d.residual = slides;
    d.n_root = n_root;
    d.root = n_root ? slip_of : NULL;
    d.user = c;
    test_solver_make_dae(&r->problem, &r->solver, &d, NULL, o);
    assert_int_equal(resida_solver_start_dae(r->solver, 0, y0, yp0), RESIDA_OK);
}

static resida_solver_options options(const char *jacobian, double tol)
{
    resida_solver_options o = test_solver_options();
    o.jacobian = jacobian;
    o.rtol = o.atol = tol;
    o.max_steps = FEW_STEPS;
    return o;
}

CLAIM(dry_friction_without_a_root_ends_as_chattering)
{
    static const char *const jacobians[] = {"auto", "dense", "sparse+partitioned"};
    static const friction frictions[] = {{1, 0, 0, 0, 0}, {5, 1, 0.5, 0, 0}, {2, -3, -1.5, 0, 0}};
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < TOLERANCES; i++) {
                run r;
                friction c = frictions[k];
                const resida_solver_options o = options(jacobians[j], pow(10, -5 - 0.1 * i));
                const double stop = 1 / (c.mu - c.f);
                open_friction(&r, &c, &o, 0);
                resida_status status = resida_solver_advance(r.solver, 10 * stop);
                const char *why = resida_solver_message(r.solver);
                resida_state at = test_state(r.solver);
                if (status != RESIDA_ERR_CHATTERING)
                    fail_msg("%s, friction %d, %g: %s at t = %g", o.jacobian, k, o.rtol, resida_status_name(status),
                             at.t);
                assert_non_null(strstr(why, "speed chatters"));
                assert_non_null(strstr(why, "root function"));
                assert_true(at.t > 0.999 * stop && at.t < 3 * stop);
                assert_true(fabs(at.y[1] - c.belt) < 10 * o.rtol * (1 + fabs(c.belt)));
            }
}

/* The same, smoothed: as hard as it may be, it goes through and stops; where the width is no more than the tolerance,
 * one in ten may still creep. */
CLAIM(smoothed_friction_goes_through)
{
    enum { NEIGHBOURS = 21, CREEP = NEIGHBOURS / 10 };
    for (double width = 1e-1; width > 5e-7; width /= 10) {
        int creep = 0;
        for (int k = 0; k < NEIGHBOURS; k++) {
            run r;
            friction c = {5, 1, 0.5, width, 0};
            const resida_solver_options o = options("auto", 1e-6 * (1 + 0.02 * k));
            open_friction(&r, &c, &o, 0);
            if (resida_solver_advance(r.solver, 5) != RESIDA_OK)
                fail_msg("width %g: %s", width, resida_solver_message(r.solver));
            creep += !(fabs(test_state(r.solver).y[1] - c.belt) < width + 10 * o.rtol);
        }
        print_message("width %g: %d of %d creep\n", width, creep, NEIGHBOURS);
        assert_in_range(creep, 0, width > 5e-6 ? 0 : CREEP);
    }
}

/* The caller switches the sign at each event and starts again; in steps of a fixed size, too. */
CLAIM(a_switch_that_flips_at_each_event_ends_as_chattering)
{
    static const struct {
        const char *method;
        double step;
    } ways[] = {{"bdf", 0}, {"bdf2", 0.01}};
    for (int w = 0; w < 2; w++) {
        enum { MOST = 5000 };
        run r;
        friction c = {1, 0, 0, 0, 1};
        resida_solver_options o = options("auto", 1e-6);
        resida_status status;
        int events = 0;
        o.method = ways[w].method;
        o.step = ways[w].step;
        open_friction(&r, &c, &o, 1);
        while ((status = resida_solver_advance(r.solver, 3)) == RESIDA_EVENT && ++events < MOST) {
            c.side = -c.side;
            resida_state at = test_state(r.solver);
            const double y[N] = {at.y[0], at.y[1], at.y[2], at.y[3]}, yp[N] = {y[1], -c.side, y[3], -y[2]};
            assert_int_equal(resida_solver_start_dae(r.solver, at.t, y, yp), RESIDA_OK);
        }
        print_message("%s: %s after %d events: %s\n", o.method, resida_status_name(status), events,
                      resida_solver_message(r.solver));
        assert_int_equal(status, RESIDA_ERR_CHATTERING);
        assert_non_null(strstr(resida_solver_message(r.solver), "events within"));
    }
}

/* All impacts are before t = sqrt(2 height/g) (1 + e)/(1 - e). turns: each event turns the speed round, and leaves the
 * ball where it is; else one that goes down, and the ball is put at 0. method: of steps of 0.01 s; NULL: BDF. */
static void bounce(double height, double e, double tolerance, int turns, const char *method)
{
    enum { MOST = 100000 };
    run r;
    resida_state at;
    resida_status status;
    int events = 0;
    const resida_mechanism m = falling_mass();
    const double rest = sqrt(2 * height / GRAVITY) * (1 + e) / (1 - e), none = 0;
    resida_solver_options o = options("auto", tolerance);
    o.max_steps = 10000000;
    if (method) o.method = method, o.step = 0.01;
    test_solver_make(&r.problem, &r.solver, &m, NULL, &o);
    assert_int_equal(resida_solver_start(r.solver, 0, &height, &none, NULL, NULL), RESIDA_OK);
    while ((status = resida_solver_advance(r.solver, 2 * rest)) == RESIDA_EVENT && ++events < MOST) {
        at = test_state(r.solver);
        const double up = turns || at.v[0] < 0 ? -e * at.v[0] : at.v[0], place = turns ? at.p[0] : 0;
        assert_int_equal(resida_solver_start(r.solver, at.t, &place, &up, NULL, NULL), RESIDA_OK);
    }
    at = test_state(r.solver);
    if (status != RESIDA_ERR_CHATTERING)
        fail_msg("height %g, e = %g: %s after %d events at t = %.9g of %.9g, %g m", height, e,
                 resida_status_name(status), events, at.t, rest, at.p[0]);
    assert_true(fabs(at.t - rest) < sqrt(tolerance) * rest); /* flights below the tolerance take no time */
}

CLAIM(a_ball_that_comes_to_rest_does_not_bounce_for_ever)
{
    bounce(1, 0.5, 1e-8, 0, NULL);
    bounce(1, 0.9, 1e-8, 0, NULL);
}

/* The error of first order of a step after a start keeps the last rebounds of bdf2 at 2e-5 m/s. */
CLAIM(a_ball_comes_to_rest_with_steps_of_a_fixed_size)
{
    static const char *const methods[] = {"bdf2", "newmark", "generalized-alpha", "midpoint", "radau-iia-3"};
    for (int k = 0; k < 5; k++) bounce(1, 0.9, 1e-2, 1, methods[k]);
}

/* Its last rebounds have no speed and change nothing. */
CLAIM(a_ball_that_has_come_to_rest_does_not_fall_through_the_floor)
{
    enum { HEIGHTS = 60 };
    for (int k = 0; k < HEIGHTS; k++) {
        bounce(0.3 + 0.045 * k, 0.8, 1e-6, 1, NULL);
        bounce(0.3 + 0.045 * k, 0.9, 1e-6, 1, NULL);
    }
}

/* Its last flights are far shorter than the tolerances: at the end of one the computed velocity is upwards. */
CLAIM(a_rebound_from_a_velocity_of_the_wrong_sign_stays_above_the_floor)
{
    static const struct {
        double height, e;
    } balls[] = {{0.4008, 0.8}, {0.4026, 0.8}, {0.6348, 0.8}, {0.9777, 0.8}, {2.6616, 0.9},
                 {2.6652, 0.9}, {2.7705, 0.9}, {2.7723, 0.9}, {2.784, 0.9},  {2.8092, 0.9}};
    for (size_t k = 0; k < sizeof balls / sizeof *balls; k++) bounce(balls[k].height, balls[k].e, 1e-6, 1, NULL);
}

/* y = (cos wt, sin wt), which crosses zero again and again. */
static int turns(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const double w = *(const double *)user;
    r[0] = yp[0] + w * y[1];
    r[1] = yp[1] - w * y[0];
    return 0;
}

/* A solver that is started for another run, earlier or far later than the one before: a thousand events in a row are
 * those of this run, and what moves t by little is a matter of its own length. */
CLAIM(events_of_an_earlier_run_do_not_count_as_a_burst)
{
    enum { EVENTS = 1100 };
    static const struct {
        double t_0, w, t_0_then, w_then;
    } runs[] = {{0, 1, 0, 100}, {100, 1, 0, 100}, {0, 100, 1e9, 1e4}};
    for (int k = 0; k < 3; k++) {
        run r;
        double w = 0;
        resida_dae d = test_dae();
        resida_solver_options o = test_solver_options();
        d.n = 2, d.n_root = 1, d.residual = turns, d.root = small_y0, d.user = &w;
        o.rtol = o.atol = 1e-4;
        test_solver_make_dae(&r.problem, &r.solver, &d, NULL, &o);
        for (int again = 0; again < 2; again++) {
            const double t_0 = again ? runs[k].t_0_then : runs[k].t_0;
            w = again ? runs[k].w_then : runs[k].w;
            assert_int_equal(resida_solver_start_dae(r.solver, t_0, (double[]){1, 0}, (double[]){0, w}), RESIDA_OK);
            for (int i = 0; i < EVENTS; i++)
                if (resida_solver_advance(r.solver, t_0 + 4 * EVENTS / w) != RESIDA_EVENT)
                    fail_msg("runs %d, run %d, event %d: %s", k, again, i, resida_solver_message(r.solver));
        }
    }
}

/* Robertson's kinetics with an entry of J of the wrong sign: ROW * 3 + COLUMN. */
static int robertson(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = yp[0] + 0.04 * y[0] - 1e4 * y[1] * y[2];
    r[1] = yp[1] - 0.04 * y[0] + 1e4 * y[1] * y[2] + 3e7 * y[1] * y[1];
    r[2] = yp[2] - 3e7 * y[1] * y[1];
    return 0;
}

static int robertson_jacobian(double t, double alpha, const double *y, const double *yp, const resida_excitation *e,
                              double *J, void *user)
{
    const double right[9] = {alpha + 0.04, -1e4 * y[2], -1e4 * y[1], -0.04, alpha + 1e4 * y[2] + 6e7 * y[1],
                             1e4 * y[1],   0,           -6e7 * y[1], alpha};
    memcpy(J, right, sizeof right);
    J[*(const int *)user] = -right[*(const int *)user];
    return 0;
}

CLAIM(a_wrong_entry_of_a_jacobian_is_named_where_steps_fail)
{
    int failures = 0;
    for (int entry = 0; entry < 9; entry++) {
        run r;
        resida_dae d = test_dae();
        resida_solver_options o = test_solver_options();
        d.n = 3, d.residual = robertson, d.jacobian = robertson_jacobian, d.user = &entry;
        o.max_steps = FEW_STEPS;
        test_solver_make_dae(&r.problem, &r.solver, &d, NULL, &o);
        assert_int_equal(resida_solver_start_dae(r.solver, 0, (double[]){1, 0, 0}, (double[]){-0.04, 0.04, 0}),
                         RESIDA_OK);
        resida_status status = resida_solver_advance(r.solver, 4e4);
        const char *expected =
            claims_text("jacobian: row %d (y[%d]), column %d (y[%d]) is ", entry / 3, entry / 3, entry % 3, entry % 3);
        failures += status < 0;
        if (status < 0 && strncmp(resida_solver_message(r.solver), expected, strlen(expected)) != 0)
            fail_msg("entry %d: %s", entry, resida_solver_message(r.solver));
    }
    assert_true(failures > 0);
}

static int slides_jacobian(double t, double alpha, const double *y, const double *yp, const resida_excitation *e,
                           double *J, void *user)
{
    memcpy(J, (double[N * N]){alpha, -1, 0, 0, 0, alpha, 0, 0, 0, 0, alpha, -1, 0, 0, 1, alpha}, N * N * sizeof *J);
    return 0;
}

CLAIM(a_right_jacobian_is_not_blamed_where_a_force_jumps)
{
    friction c = {.mu = 2, .f = 1};
    const double y0[N] = {0, 1, 1, 0}, yp0[N] = {1, -1, 0, -1};
    run r;
    resida_dae d = test_dae();
    d.n = N, d.residual = slides, d.jacobian = slides_jacobian, d.user = &c;
    test_solver_make_dae(&r.problem, &r.solver, &d, NULL, NULL);
    assert_int_equal(resida_solver_start_dae(r.solver, 0, y0, yp0), RESIDA_OK);
    assert_int_equal(resida_solver_advance(r.solver, 10), RESIDA_ERR_CHATTERING);
    if (strncmp(resida_solver_message(r.solver), "y[1] chatters", 13) != 0)
        fail_msg("%s", resida_solver_message(r.solver));
}
