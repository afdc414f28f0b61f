/* test_events.c - declared discontinuities are found and never stepped over, undeclared ones are got over or named.
 *
 * The bouncing mass: p'' = -g, root p; after an impact with speed v it starts again with e v, so that the impacts are
 *
 *     t_1 = sqrt(2 h/g),  v_1 = g t_1,  t_(k+1) = t_k + 2 e^k v_1/g
 *
 * The pendulum at a wall: p = (x, y), g = (x^2 + y^2 - 1)/2, root x - wall. Energy gives the speed at the wall: the
 * k-th time e^(k-1) times that of the first. */
#include "falling_mass.h"
#include "test/fixtures/check_contract.h"
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/mechanisms/small.h"

#define RESTITUTION 0.9
#define WALL        0.3

typedef struct fixture {
    resida_problem *problem;
    resida_solver *s;
} fixture;

static void open_mechanism(fixture *f, const resida_mechanism *m, double tol)
{
    resida_solver_options o = test_solver_options();
    o.rtol = o.atol = tol;
    test_solver_make(&f->problem, &f->s, m, NULL, &o);
}

/* --- the bouncing mass -------------------------------------------------------------------------------------------- */

static void open_ball(fixture *f, double tol)
{
    const resida_mechanism m = falling_mass();
    open_mechanism(f, &m, tol);
}

typedef resida_status advance_fn(resida_solver *s, double t);

/* To the next event by small outputs or steps, none of which may be below the ground; the status of the last one. */
static resida_status until_event(fixture *f, advance_fn *advance, double dt)
{
    resida_status status;
    do {
        status = advance(f->s, test_state(f->s).t + dt);
        assert_true(test_state(f->s).p[0] > -1e-9);
        int direction = 7;
        assert_int_equal(resida_solver_event(f->s, &direction), status == RESIDA_EVENT ? RESIDA_OK : RESIDA_ERR_STATE);
    } while (status == RESIDA_OK);
    return status;
}

/* The largest error of 20 impact times. */
static double bounce(advance_fn *advance, double dt, double tol)
{
    fixture f;
    const double h = 1, t_1 = sqrt(2 * h / GRAVITY);
    double exact = t_1, v = GRAVITY * t_1, worst = 0;
    open_ball(&f, tol);
    assert_int_equal(resida_solver_start(f.s, 0, &h, &(double){0}, NULL, NULL), RESIDA_OK);
    for (int k = 1; k <= 20; k++) {
        int direction = 0;
        assert_int_equal(until_event(&f, advance, dt), RESIDA_EVENT);
        assert_int_equal(resida_solver_event(f.s, &direction), RESIDA_OK);
        assert_int_equal(direction, -1);
        resida_state at = test_state(f.s);
        worst = fmax(worst, fabs(at.t - exact));
        assert_true(fabs(at.p[0]) < 1e-9);
        const double up = -RESTITUTION * at.v[0];
        assert_int_equal(resida_solver_start(f.s, at.t, &(double){0}, &up, NULL, NULL), RESIDA_OK);
        v *= RESTITUTION;
        exact += 2 * v / GRAVITY;
    }
    resida_stats stats = test_stats(f.s);
    assert_int_equal(stats.events, 20);
    assert_int_equal(stats.restarts, 20);
    return worst;
}

CLAIM(twenty_impacts_are_right_to_a_nanosecond)
{
    const double long_way = 100, output = 1e-3, tol = 1e-10;
    double worst = bounce(resida_solver_advance, long_way, tol);
    worst = fmax(worst, bounce(resida_solver_advance, output, tol));
    worst = fmax(worst, bounce(resida_solver_step, long_way, tol));
    int runs = 3;
    for (double dt = output / 100; dt < 1; dt *= 1.3, runs++) /* steps are cut short before the event */
        worst = fmax(worst, bounce(resida_solver_step, dt, tol));
    print_message("bouncing mass: %d runs of 20 impacts, worst error of the times %.1e s\n", runs, worst);
    assert_true(worst < 1e-9);
}

CLAIM(a_root_at_the_start_is_no_event)
{
    fixture f;
    const double p0 = 0, v0 = 2;
    open_ball(&f, 1e-10);
    assert_int_equal(resida_solver_start(f.s, 0, &p0, &v0, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_advance(f.s, 1), RESIDA_EVENT);
    assert_true(fabs(test_state(f.s).t - 2 * v0 / GRAVITY) < 1e-9);
}

CLAIM(without_a_new_start_an_event_is_reported_once)
{
    fixture f;
    const double p0 = 1, v0 = 0;
    open_ball(&f, 1e-10);
    assert_int_equal(resida_solver_start(f.s, 0, &p0, &v0, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_advance(f.s, 1), RESIDA_EVENT);
    for (int i = 0; i < 100; i++) assert_int_equal(resida_solver_advance(f.s, 0.5 + 0.01 * i), RESIDA_OK);
    double t = test_state(f.s).t;
    assert_true(fabs(test_state(f.s).p[0] - (1 - GRAVITY / 2 * t * t)) < 1e-8); /* it has gone on falling */
    int direction = 0;
    assert_int_equal(resida_solver_event(f.s, &direction), RESIDA_ERR_STATE);
    assert_non_null(strstr(resida_solver_message(f.s), "the last call did not end with an event"));
}

/* --- root functions of time --------------------------------------------------------------------------------------- */

enum { N_ROOT = 4 };
typedef void clock_fn(double t, double *out);

static int rings(double t, const double *y, const double *yp, const resida_excitation *e, double *out, void *user)
{
    (*(clock_fn **)user)(t, out);
    return 0;
}

static void open_clock(fixture *f, clock_fn **roots, double t_stop)
{
    resida_dae d = test_dae();
    resida_solver_options o = test_solver_options();
    d.n = 1;
    d.n_root = N_ROOT;
    d.user = roots;
    d.residual = small_decay;
    d.root = rings;
    o.t_stop = t_stop;
    test_solver_make_dae(&f->problem, &f->s, &d, NULL, &o);
    assert_int_equal(resida_solver_start_dae(f->s, 0, &(double){1}, &(double){-1}), RESIDA_OK);
}

static void expect_event(fixture *f, double t_out, double t, const int *direction)
{
    int found[N_ROOT] = {7, 7, 7, 7};
    resida_status status = resida_solver_advance(f->s, t_out);
    if (status != RESIDA_EVENT) fail_msg("%s: %s", resida_status_name(status), resida_solver_message(f->s));
    assert_true(fabs(test_state(f->s).t - t) < 1e-12);
    assert_true(fabs(test_state(f->s).y[0] - exp(-t)) < 1e-4);
    assert_int_equal(resida_solver_event(f->s, found), RESIDA_OK);
    for (int i = 0; i < N_ROOT; i++) assert_int_equal(found[i], direction[i]);
}

static void at_once(double t, double *out)
{
    out[0] = t - 1;
    out[1] = 3 * (1 - t);
    out[2] = 1;
    out[3] = t - 1.5;
}

CLAIM(simultaneous_events_are_reported_with_their_directions)
{
    fixture f;
    clock_fn *roots = at_once;
    open_clock(&f, &roots, INFINITY);
    expect_event(&f, 2, 1, (int[]){1, -1, 0, 0});
    expect_event(&f, 2, 1.5, (int[]){0, 0, 0, 1});
    assert_int_equal(resida_solver_advance(f.s, 2), RESIDA_OK);
}

static void close_together(double t, double *out)
{
    out[0] = t - 1;
    out[1] = 1 + 1e-9 - t;
    out[2] = t - (1 + 1e-6);
    out[3] = 2 - t;
}

CLAIM(events_close_together_come_one_by_one)
{
    fixture f;
    clock_fn *roots = close_together;
    open_clock(&f, &roots, 2);
    expect_event(&f, 5, 1, (int[]){1, 0, 0, 0});
    expect_event(&f, 5, 1 + 1e-9, (int[]){0, -1, 0, 0});
    expect_event(&f, 5, 1 + 1e-6, (int[]){0, 0, 1, 0});
    expect_event(&f, 5, 2, (int[]){0, 0, 0, -1}); /* at the very stop time */
    assert_int_equal(resida_solver_advance(f.s, 5), RESIDA_STOP_TIME);
}

static void again_and_again(double t, double *out)
{
    out[0] = sin(40 * t);
    out[1] = out[2] = out[3] = 1;
}

CLAIM(no_other_event_is_reported_in_the_remainder_of_the_step)
{
    int rests = 0;
    for (int k = 0; k < 50; k++) { /* ends of steps, counted from t0, that are rounded up, and down */
        fixture f;
        clock_fn *roots = again_and_again;
        const double t0 = 0.1 + k;
        open_clock(&f, &roots, INFINITY);
        assert_int_equal(resida_solver_start_dae(f.s, t0, &(double){1}, &(double){-1}), RESIDA_OK);
        resida_status status = RESIDA_OK;
        while (test_state(f.s).t < t0 + 1) {
            const long steps = test_stats(f.s).steps;
            const int is_behind_event = status == RESIDA_EVENT;
            status = resida_solver_step(f.s, t0 + 2);
            assert_true(status == RESIDA_EVENT || status == RESIDA_OK);
            if (is_behind_event) assert_int_equal(test_stats(f.s).steps, steps);
            rests += is_behind_event;
        }
    }
    assert_true(rests > 50);
}

static void that_stay_zero(double t, double *out)
{
    out[0] = fmax(0, t - 1); /* zero at the start, wakes at 1 */
    out[1] = fmax(0, 1 - t); /* falls asleep at 1 */
    out[2] = 0;
    out[3] = t - 1.5;
}

CLAIM(root_functions_that_remain_zero_cause_no_event)
{
    fixture f;
    clock_fn *roots = that_stay_zero;
    open_clock(&f, &roots, INFINITY);
    expect_event(&f, 2, 1, (int[]){0, -1, 0, 0});
    expect_event(&f, 2, 1.5, (int[]){0, 0, 0, 1});
    assert_int_equal(resida_solver_advance(f.s, 2), RESIDA_OK);
}

/* The load of a wheel that lifts off at 1 and 3, and touches down at 2 and 4. */
static void of_a_wheel(double t, double *out)
{
    double load = fabs(t - 1.5 - 2 * (t > 2.5)) - 0.5;
    out[0] = fmax(0, load);
    out[1] = -fmax(0, load);
    out[2] = out[3] = 1;
}

CLAIM(lift_off_and_touch_down_of_a_load_are_found)
{
    fixture f;
    clock_fn *roots = of_a_wheel;
    open_clock(&f, &roots, 5);
    for (int i = 1; i <= 4; i++) {
        int falls_or_rises = i % 2 ? -1 : 1;
        expect_event(&f, 10, i, (int[]){falls_or_rises, -falls_or_rises, 0, 0});
    }
    assert_int_equal(resida_solver_advance(f.s, 10), RESIDA_STOP_TIME);
}

/* --- the pendulum at the wall ------------------------------------------------------------------------------------- */

static int distance(double t, const double *p, const double *v, const resida_excitation *e, double *out, void *user)
{
    out[0] = p[0] - WALL;
    return 0;
}

/* To the next crossing into the wall. The start may have put the pendulum into it, by no more than g was off: then it
 * leaves the wall at once, which is an event, too, with the other direction. */
static void until_impact(fixture *f)
{
    int direction = 0;
    for (int leaves = 0; direction != 1; leaves++) {
        double t = test_state(f->s).t;
        assert_int_equal(resida_solver_advance(f->s, 1000), RESIDA_EVENT);
        assert_int_equal(resida_solver_event(f->s, &direction), RESIDA_OK);
        assert_true(direction == 1 || (direction == -1 && leaves == 0 && test_state(f->s).t - t < 1e-8));
    }
}

CLAIM(a_pendulum_at_a_wall_keeps_its_constraint_over_twenty_impacts)
{
    const double tol = 1e-10, p0[2] = {-0.8, -0.6}, v0[2] = {0, 0};
    double speed = sqrt(2 * GRAVITY * (p0[1] + sqrt(1 - WALL * WALL))), worst = 0, worst_g = 0, g, gv;
    fixture f;
    resida_mechanism m = test_mechanism();
    m.n_p = m.n_v = 2;
    m.n_g = m.n_root = 1;
    m.residual = small_particle;
    m.constraint = small_rod;
    m.root = distance;
    open_mechanism(&f, &m, tol);
    assert_int_equal(resida_solver_start(f.s, 0, p0, v0, NULL, NULL), RESIDA_OK);
    for (int k = 0; k < 20; k++) {
        until_impact(&f);
        resida_state at = test_state(f.s);
        worst = fmax(worst, fabs(hypot(at.v[0], at.v[1]) / speed - 1));
        assert_true(fabs(at.p[0] - WALL) < 1e-9);
        const double p[2] = {WALL, at.p[1]}, v[2] = {-RESTITUTION * at.v[0], -RESTITUTION * at.v[1]};
        assert_int_equal(resida_solver_start(f.s, at.t, p, v, NULL, NULL), RESIDA_OK);
        at = test_state(f.s);
        assert_int_equal(resida_problem_constraints(f.problem, at.t, at.p, at.v, &g, &gv), RESIDA_OK);
        worst_g = fmax(worst_g, fmax(fabs(g), fabs(gv)));
        speed *= RESTITUTION;
    }
    print_message("pendulum at a wall: 20 impacts, speeds to %.1e, constraints after the starts %.1e\n", worst,
                  worst_g);
    assert_true(worst < 1e-6);
    assert_true(worst_g < 1e-14);
}

/* --- undeclared discontinuities ----------------------------------------------------------------------------------- */

static int jumps(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                 void *user)
{
    r[0] = a[0] - (t < 1 ? 1 : *(const double *)user);
    return 0;
}

CLAIM(a_jump_of_the_force_is_passed_or_named_at_its_time)
{
    const double forces[] = {-1, 50, -1e3, 1e6, 1e9, -1e12, 1e15}, tol = 1e-6;
    for (size_t i = 0; i < sizeof forces / sizeof forces[0]; i++) {
        fixture f;
        resida_mechanism m = test_mechanism();
        double force = forces[i];
        m.n_p = m.n_v = 1;
        m.user = &force;
        m.residual = jumps;
        open_mechanism(&f, &m, tol);
        assert_int_equal(resida_solver_start(f.s, 0, &(double){0}, &(double){0}, NULL, NULL), RESIDA_OK);
        contract c;
        contract_begin(&c, f.s);
        resida_status status = resida_solver_advance(f.s, 2);
        if (status < 0)
            check_contract(&c, status, CONTRACT_STEPPED, NULL);
        else
            contract_end(&c);
        resida_state at = test_state(f.s);
        resida_stats stats = test_stats(f.s);
        double v = 1 + force * (at.t - 1), p = 0.5 + (at.t - 1) + force / 2 * (at.t - 1) * (at.t - 1);
        print_message("force 1 to %g: %s at t = %.12g, %ld steps, relative errors %.1e, %.1e %s\n", force,
                      resida_status_name(status), at.t, stats.steps, fabs(at.p[0] - p) / (1 + fabs(p)),
                      fabs(at.v[0] - v) / (1 + fabs(v)), resida_solver_message(f.s));
        assert_true(stats.residual_calls.total < 5000);
        if (status == RESIDA_OK) {
            assert_true(fabs(at.p[0] - p) < 1000 * tol * (1 + fabs(p)));
            assert_true(fabs(at.v[0] - v) < 1000 * tol * (1 + fabs(v)));
        } else {
            assert_true(status == RESIDA_ERR_STEP_TOO_SMALL || status == RESIDA_ERR_ERROR_TEST);
            assert_true(fabs(at.t - 1) < 1e-6);
            assert_non_null(strstr(resida_solver_message(f.s), "t = "));
        }
    }
}
