/* test_contacts_trust.c - contacts that hold where something else changes at the same time: forces that jump, units,
 * Jacobian strategies, threads, options, interruptions, checkpoints, many contacts, long times. */
#include "contact_scene.h"
#include "test/fixtures/solver_fixture.h"

/* --- A mass on a floor, and a force that lifts it suddenly, with the unit of time `unit_s` --- */

static double unit_s = 1;
static const double lift = 25;

static void lifted(double t, const double *p, const double *v, double *f)
{
    f[0] = (-2 * G + (t * unit_s > 1 ? lift : 0)) * unit_s * unit_s;
}

static void floor_gap(double t, const double *p, double *out)
{
    out[0] = p[0];
}

/* Tolerances of 1e-7 in m, s, N; where lam is not in y, but its integral, in N s. */
static flight fly_in_units(const scene *s, const char *form)
{
    flight f;
    double each[20];
    resida_layout l;
    resida_solver_options o = test_solver_options();
    resida_problem_options po = test_problem_options();
    po.form = form, po.contacts = s->model.contacts;
    f.problem = test_problem(&s->model.mechanism, &po);
    assert_int_equal(resida_problem_layout(f.problem, &l), RESIDA_OK);
    const resida_kind *kinds = resida_problem_kinds(f.problem);
    for (int i = 0; i < l.n; i++)
        each[i] = 1e-7 * (i == 0 ? 1 : i == 1 || kinds[i] == RESIDA_DIFFERENTIAL ? unit_s : unit_s * unit_s);
    o.rtol = 1e-7, o.atol_each = each;
    f.solver = test_solver_of(f.problem, &o);
    f.run = test_model_run(&s->model, f.solver);
    if (resida_run_start(f.run, NULL, NULL) < 0) fail_msg("%s", resida_solver_message(f.solver));
    return f;
}

/* v = (lift/m - G) (t - 1), though nothing of it is a root function, and the mass was at rest in long steps before; in
 * forms without a velocity constraint the force is rougher, and the mass leaves up to 1e-3 s late. */
CLAIM(a_force_that_jumps_opens_a_contact_in_all_forms_and_units)
{
    static const double units[] = {1, 1e3, 1e-3};
    for (int i = 0; resida_form_at(i); i++)
        for (int k = 0; k < 3; k++) {
            const char *form = resida_form_at(i);
            if (strcmp(form, "ode") == 0) continue;
            const double room = strcmp(form, "index3") && strcmp(form, "augmented") ? 5e-7 : 3e-3;
            scene s = {.mass = {2}, .forces = lifted, .gaps = floor_gap};
            unit_s = units[k];
            set_scene(&s, 1, 1, 0);
            flight f = fly_in_units(&s, form);
            if (go(&f, 3 / unit_s) != RESIDA_OK) fail_msg("%s: %s", form, resida_solver_message(f.solver));
            NEARLY(state_of(&f).v[0] / unit_s, lift - 2 * G, room);
            NEARLY(state_of(&f).p[0], lift - 2 * G, 2 * room);
        }
    unit_s = 1;
}

/* --- A mass that is drawn off the floor, and held back by a force 1e9 times its speed --- */

static void held_back(double t, const double *p, const double *v, double *f)
{
    f[0] = 5 - 1e9 * v[0];
}

/* With 1e-8 m/s it is pressed down by 5 N, on the floor it is drawn up by 5 N. */
CLAIM(a_contact_that_pulls_ends_the_run_by_name)
{
    static const char *const names[] = {"floor"};
    scene s = {.mass = {2}, .forces = held_back, .gaps = floor_gap};
    s.thing.v0[0] = 1e-8;
    set_scene(&s, 1, 1, 0);
    s.contacts.names = names;
    flight f = open_flight(&s.model, "auto", RESIDA_FORMALISM_AUTO);
    assert_int_equal(resida_run_start(f.run, NULL, NULL), RESIDA_ERR_INCONSISTENT);
    assert_non_null(
        strstr(resida_solver_message(f.solver), "contact floor is closed at t = 0 with a force of -5 and pulls"));
}

/* --- A block on a floor, pushed suddenly: it sticks up to mu m G --- */

static void pushed(double t, const double *p, const double *v, double *f)
{
    f[0] = t > 1 ? 12 : 0;
    f[1] = -2 * G;
}

static void second_coordinate(double t, const double *p, double *out)
{
    out[0] = p[1];
}

static void first_speed(const double *p, double *rows)
{
    rows[0] = 1;
}

CLAIM(a_force_that_jumps_breaks_friction_in_all_forms)
{
    for (int i = 0; resida_form_at(i); i++) {
        const char *form = resida_form_at(i);
        scene s = {.mass = {2, 2}, .forces = pushed, .gaps = second_coordinate, .sliding = first_speed, .mu = {0.3}};
        if (strcmp(form, "ode") == 0) continue;
        set_scene(&s, 2, 1, 0);
        flight f = fly(&s.model, form, RESIDA_FORMALISM_AUTO);
        if (go(&f, 2) != RESIDA_OK) fail_msg("%s: %s", form, resida_solver_message(f.solver));
        NEARLY(state_of(&f).v[0], 6 - 0.3 * G, strcmp(form, "index3") && strcmp(form, "augmented") ? 1e-6 : 1e-3);
    }
}

/* --- A ball, x, y and its angle, with the unit of length `unit_m`: it rolls at last, with 5/7 of its speed --- */

static double unit_m = 1;
static const double speed = 2, radius = 0.5, inertia = 0.2;

static void falls(double t, const double *p, const double *v, double *f)
{
    f[1] = -2 * G / unit_m;
}

static void above_floor(double t, const double *p, double *out)
{
    out[0] = p[1] - radius / unit_m;
}

static void at_floor(const double *p, double *rows)
{
    rows[0] = 1, rows[2] = -radius / unit_m;
}

static void set_ball(scene *s)
{
    *s = (scene){.mass = {2, 2}, .forces = falls, .gaps = above_floor, .sliding = at_floor, .mu = {0.05}};
    s->mass[2] = inertia / (unit_m * unit_m);
    s->thing.p0[1] = (radius + 1) / unit_m, s->thing.v0[0] = speed / unit_m;
    set_scene(s, 3, 1, 0.6);
}

static void expect_rolling(const flight *f, double room)
{
    const resida_state at = state_of(f);
    NEARLY(at.p[1] * unit_m, radius, room);
    NEARLY(at.v[0] * unit_m, 5 * speed / 7, room);
    NEARLY(at.v[2] * radius, 5 * speed / 7, room);
    NEARLY(at.lam[0] * unit_m, -2 * G, 1e-4);
}

static flight fly_by(const resida_model *m, const resida_solver_options *o)
{
    flight f;
    resida_problem_options po = test_problem_options();
    po.contacts = m->contacts;
    test_solver_make(&f.problem, &f.solver, &m->mechanism, &po, o);
    f.run = test_model_run(m, f.solver);
    if (resida_run_start(f.run, NULL, NULL) < 0) fail_msg("%s", resida_solver_message(f.solver));
    return f;
}

static resida_solver_options options_of(double tolerance)
{
    resida_solver_options o = test_solver_options();
    o.rtol = o.atol = tolerance;
    return o;
}

CLAIM(a_sliding_ball_rolls_with_every_strategy_and_method)
{
    static const char *const strategies[] = {
        "fresh", "dense", "sparse", "dense+partitioned", "sparse+extended", "dense+extended", "sparse+partitioned"};
    static const char *const methods[] = {"bdf2",     "newmark",     "hht",        "generalized-alpha",
                                          "midpoint", "radau-iia-2", "radau-iia-3"};
    scene s;
    set_ball(&s);
    for (int i = 0; i < 7 + 7; i++) {
        resida_solver_options o = options_of(1e-7);
        if (i < 7) o.jacobian = strategies[i];
        if (i >= 7) o.method = methods[i - 7];
        if (i >= 7 && i < 7 + 6) o.step = 2e-3;
        flight f = fly_by(&s.model, &o);
        if (go(&f, 6) != RESIDA_OK) fail_msg("%d: %s", i, resida_solver_message(f.solver));
        expect_rolling(&f, NEAR);
    }
}

CLAIM(threads_change_no_bit)
{
    double ends[2][3];
    scene s;
    set_ball(&s);
    s.model.mechanism.thread_safe = 1;
    for (int k = 0; k < 2; k++) {
        resida_solver_options o = options_of(1e-7);
        o.threads = 1 + 3 * k;
        flight f = fly_by(&s.model, &o);
        assert_int_equal(go(&f, 3), RESIDA_OK);
        memcpy(ends[k], state_of(&f).p, sizeof ends[k]);
    }
    assert_memory_equal(ends[0], ends[1], sizeof ends[0]);
}

CLAIM(a_body_at_rest_remains_at_rest)
{
    scene s;
    set_ball(&s);
    s.thing.v0[0] = 0;
    flight f = fly_as_ever(&s.model);
    assert_int_equal(go(&f, 1e8), RESIDA_OK);
    NEARLY(state_of(&f).p[0], 0, NEAR);
    NEARLY(state_of(&f).p[1], radius, NEAR);
    assert_true(test_stats(f.solver).steps < 400);
}

/* --- Options, interruptions, checkpoints --- */

CLAIM(options_change_on_the_way)
{
    scene s;
    set_ball(&s);
    resida_solver_options o = options_of(1e-7);
    flight f = fly_by(&s.model, &o);
    for (int k = 1; k <= 60; k++) {
        if (go(&f, 0.1 * k) != RESIDA_OK) fail_msg("%s", resida_solver_message(f.solver));
        o.rtol = o.atol = k % 2 ? 1e-5 : 1e-8;
        o.h_max = k % 3 ? 0.01 : INFINITY;
        assert_int_equal(resida_solver_change(f.solver, &o), RESIDA_OK);
    }
    expect_rolling(&f, 1e-4);
}

CLAIM(a_contact_that_could_not_be_seen_to_close_is_refused_by_name)
{
    static const char *const names[] = {"floor"};
    const int rises = 1, falls_only = -1;
    scene s;
    set_ball(&s);
    s.contacts.names = names;
    resida_solver_options o = options_of(1e-7);
    o.root_directions = &falls_only;
    flight f = fly_by(&s.model, &o);
    assert_int_equal(go(&f, 0.2), RESIDA_OK);
    o.root_directions = &rises;
    assert_int_equal(resida_solver_change(f.solver, &o), RESIDA_OK);
    assert_int_equal(go(&f, 6), RESIDA_ERR_OPTION);
    assert_non_null(strstr(resida_solver_message(f.solver), "root_directions[0] = 1: the closing of contact floor"));
    o.root_directions = NULL;
    assert_int_equal(resida_solver_change(f.solver, &o), RESIDA_OK);
    assert_int_equal(go(&f, 6), RESIDA_OK);
    expect_rolling(&f, NEAR);
}

static int third_time(double t, void *user)
{
    int *calls = user;
    return ++*calls % 3 == 0;
}

CLAIM(interruptions_change_no_bit)
{
    scene s;
    set_ball(&s);
    int calls = 0, interrupted = 0;
    resida_status status;
    resida_solver_options o = options_of(1e-7);
    flight f = fly_by(&s.model, &o);
    o.monitor = third_time, o.monitor_user = &calls;
    flight g = fly_by(&s.model, &o);
    assert_int_equal(go(&f, 4), RESIDA_OK);
    while ((status = go(&g, 4)) == RESIDA_INTERRUPTED) interrupted++;
    assert_int_equal(status, RESIDA_OK);
    assert_true(interrupted > 20);
    assert_memory_equal(state_of(&f).y, state_of(&g).y, sizeof(double) * 6);
}

CLAIM(signs_hold_beside_contacts)
{
    scene s;
    set_ball(&s);
    int sign[20] = {0};
    resida_layout l;
    flight f = fly_as_ever(&s.model);
    assert_int_equal(resida_problem_layout(f.problem, &l), RESIDA_OK);
    sign[l.p + 1] = 1, sign[l.lam] = -1; /* the ball above the floor, which pushes */
    resida_solver_options o = options_of(1e-7);
    o.sign_each = sign;
    f = fly_by(&s.model, &o);
    if (go(&f, 6) != RESIDA_OK) fail_msg("%s", resida_solver_message(f.solver));
    expect_rolling(&f, NEAR);
}

CLAIM(runs_with_contacts_cannot_go_backward)
{
    scene s;
    set_ball(&s);
    flight f = fly_as_ever(&s.model);
    assert_int_equal(resida_run_advance(f.run, -1), RESIDA_ERR_ARGUMENT);
    assert_non_null(strstr(resida_solver_message(f.solver), "runs of models go forward"));
}

/* Saved at each phase, in flight, at rest, sliding, rolling, right at an event. */
CLAIM(a_run_with_contacts_is_resumed)
{
    enum { ROOM = 100000 };
    static unsigned char bytes[ROOM], again[ROOM];
    for (int k = 0; k < 40; k++) {
        scene s;
        size_t size = 0, size_2 = 0;
        set_ball(&s);
        flight f = fly_as_ever(&s.model);
        if (k < 20)
            assert_int_equal(go(&f, 0.15 * (k + 1)), RESIDA_OK);
        else
            for (int i = 0; i < k - 19; i++) (void)resida_run_advance(f.run, 4);
        if (resida_run_save(f.run, NULL, 0, bytes, ROOM, &size) < 0) fail_msg("%s", resida_solver_message(f.solver));
        flight resumed[2];
        for (int i = 0; i < 2; i++) {
            resumed[i] = open_flight(&s.model, "auto", RESIDA_FORMALISM_AUTO);
            if (resida_run_load(resumed[i].run, NULL, bytes, size) < 0)
                fail_msg("%d: %s", k, resida_solver_message(resumed[i].solver));
            if (go(&resumed[i], 6) != RESIDA_OK) fail_msg("%d: %s", k, resida_solver_message(resumed[i].solver));
            expect_rolling(&resumed[i], 2 * NEAR);
        }
        assert_memory_equal(state_of(&resumed[0]).y, state_of(&resumed[1]).y, sizeof(double) * 6);
        assert_int_equal(resida_run_save(resumed[0].run, NULL, 0, again, ROOM, &size_2), RESIDA_OK);
        assert_int_equal(resida_run_save(resumed[1].run, NULL, 0, bytes, ROOM, &size), RESIDA_OK);
        assert_true(size == size_2);
        assert_memory_equal(bytes, again, size);
    }
}

/* --- Fifty contacts --- */

enum { MANY = 50 };
static double no_restitution[MANY], some_restitution[MANY];

static void all_fall(double t, const double *p, const double *v, double *f)
{
    for (int i = 0; i < MANY; i++) f[i] = -G;
}

static void each_on_the_next(double t, const double *p, double *out)
{
    for (int i = 0; i < MANY; i++) out[i] = p[i] - (i > 0 ? p[i - 1] : 0);
}

static void each_on_the_floor(double t, const double *p, double *out)
{
    for (int i = 0; i < MANY; i++) out[i] = p[i];
}

static void set_many(scene *s, void (*gaps)(double t, const double *p, double *out), double e)
{
    *s = (scene){.forces = all_fall, .gaps = gaps};
    for (int i = 0; i < MANY; i++) s->mass[i] = 1, some_restitution[i] = e;
    set_scene(s, MANY, MANY, e);
    s->contacts.restitution = e > 0 ? some_restitution : no_restitution;
}

/* Fallen from 1 cm above each other; each carries those above it. */
CLAIM(a_tower_of_fifty_comes_to_stand)
{
    scene s;
    set_many(&s, each_on_the_next, 0);
    for (int i = 0; i < MANY; i++) s.thing.p0[i] = 0.01 * (i + 1);
    flight f = fly_as_ever(&s.model);
    assert_int_equal(go(&f, 2), RESIDA_OK);
    for (int i = 0; i < MANY; i++) {
        NEARLY(state_of(&f).p[i], 0, NEAR);
        NEARLY(state_of(&f).lam[i], -G * (MANY - i), 1e-4);
    }
}

/* They bounce each by itself, now and then two within rounding of each other; rest comes at t_0 (1 + e)/(1 - e). */
CLAIM(fifty_balls_bounce_independently)
{
    scene s;
    set_many(&s, each_on_the_floor, 0.5);
    for (int i = 0; i < MANY; i++) s.thing.p0[i] = 1 + 0.01 * i;
    flight f = fly_as_ever(&s.model);
    assert_int_equal(go(&f, 0.6), RESIDA_OK);
    for (int i = 0; i < MANY; i++) {
        const double falls_for = sqrt(2 * s.thing.p0[i] / G), since = 0.6 - falls_for;
        NEARLY(state_of(&f).p[i], 0.5 * G * falls_for * since - G * since * since / 2, 20 * NEAR);
    }
    if (go(&f, 3) != RESIDA_OK) fail_msg("%s", resida_solver_message(f.solver));
    for (int i = 0; i < MANY; i++) NEARLY(state_of(&f).lam[i], -G, 1e-4);
}
