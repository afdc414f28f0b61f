/* test_contacts_hold.c - contacts that stay closed while they push, against closed forms: a ball that comes to rest,
 * bodies that leave a ground which falls away or curves, rows of blocks, a table with more feet than it needs. */
#include "contact_scene.h"
#include "test/fixtures/solver_fixture.h"

/* --- One ball and a floor --- */

static void weight(double t, const double *p, const double *v, double *f)
{
    f[0] = -2 * G;
}

static void floor_gap(double t, const double *p, double *out)
{
    out[0] = p[0];
}

static void set_ball(scene *s, double e)
{
    *s = (scene){.mass = {2}, .forces = weight, .gaps = floor_gap, .thing.p0 = {1}};
    set_scene(s, 1, 1, e);
}

/* Rest at t_0 (1 + e)/(1 - e) = t_0 + 2 v_0 e/(G (1 - e)). */
CLAIM(a_ball_that_bounces_comes_to_rest_and_lies_with_its_weight)
{
    const double es[] = {0.7, 0.3, 0};
    for (int i = 0; i < 3; i++)
        for (int way = 0; way < 2; way++) {
            scene s;
            set_ball(&s, es[i]);
            flight f = fly(&s.model, "auto", way ? RESIDA_FORMALISM_EXPLICIT : RESIDA_FORMALISM_RESIDUAL);
            const double rest = sqrt(2 / G) * (1 + es[i]) / (1 - es[i]), t = when(&f, 0, RESIDA_CONTACT_CLOSES);
            /* what is left when the bounce is lower than the tolerance: 2 v/(G (1 - e)), v^2 = 2 G tol */
            assert_true(t < rest + NEAR && t > rest - 2 * sqrt(2 * 1e-7 / G) / (1 - es[i]) - NEAR);
            assert_int_equal(resida_run_advance(f.run, 20), RESIDA_OK);
            NEARLY(state_of(&f).p[0], 0, NEAR);
            NEARLY(state_of(&f).v[0], 0, NEAR);
            NEARLY(state_of(&f).lam[0], -2 * G, 1e-5);
        }
}

CLAIM(a_ball_that_begins_on_the_floor_stays_there)
{
    scene s;
    set_ball(&s, 0.5);
    s.thing.p0[0] = 0;
    flight f = fly_as_ever(&s.model);
    assert_int_equal(resida_run_advance(f.run, 20), RESIDA_OK);
    NEARLY(state_of(&f).p[0], 0, NEAR);
}

CLAIM(a_ball_that_begins_on_the_floor_with_a_speed_rebounds_at_once)
{
    scene s;
    set_ball(&s, 0.5);
    s.thing.p0[0] = 0, s.thing.v0[0] = -2;
    flight f = fly_as_ever(&s.model);
    NEARLY(when(&f, 0, RESIDA_CONTACT_REBOUNDS), 0, NEAR);
    NEARLY(state_of(&f).v[0], 1, NEAR);
    NEARLY(when(&f, 0, RESIDA_CONTACT_REBOUNDS), 2 / G, NEAR);
    NEARLY(state_of(&f).v[0], 0.5, NEAR);
}

static void weights(double t, const double *p, const double *v, double *f)
{
    f[0] = -3 * G, f[1] = -2 * G;
}

static void floor_and_plate(double t, const double *p, double *out)
{
    out[0] = p[0];
    out[1] = p[1] - p[0];
}

/* The plate stays on the floor, so that the ball comes to rest as on the floor. Without the force of the floor both
 * fall, and the ball would not fall onto the plate. */
CLAIM(a_ball_that_bounces_on_a_plate_comes_to_rest_on_it)
{
    const double es[] = {0.7, 0.3, 0};
    for (int i = 0; i < 3; i++) {
        scene s = {.mass = {3, 2}, .forces = weights, .gaps = floor_and_plate, .thing.p0 = {0, 1}};
        set_scene(&s, 2, 2, es[i]);
        flight f = fly_as_ever(&s.model);
        const double rest = sqrt(2 / G) * (1 + es[i]) / (1 - es[i]), t = when(&f, 1, RESIDA_CONTACT_CLOSES);
        assert_true(t < rest + NEAR && t > rest - 2 * sqrt(4 * 1e-7 / G) / (1 - es[i]) - NEAR);
        assert_int_equal(go(&f, 20), RESIDA_OK);
        for (int k = 0; k < 2; k++) NEARLY(state_of(&f).p[k], 0, NEAR);
        NEARLY(state_of(&f).lam[0], -5 * G, 1e-4);
        NEARLY(state_of(&f).lam[1], -2 * G, 1e-4);
    }
}

/* --- A point on a circle of radius 1, outside of it, or inside as on a rope --- */

static void weight_in_plane(double t, const double *p, const double *v, double *f)
{
    f[0] = 0;
    f[1] = -2 * G;
}

static void outside(double t, const double *p, double *out)
{
    out[0] = hypot(p[0], p[1]) - 1;
}

static void inside(double t, const double *p, double *out)
{
    out[0] = 1 - hypot(p[0], p[1]);
}

static double energy_in_plane(const resida_state *s)
{
    return s->v[0] * s->v[0] + s->v[1] * s->v[1] + 2 * G * s->p[1];
}

/* From the top with v_0 it leaves at the height y = 2/3 + v_0^2/(3 G), and flies on. */
CLAIM(a_point_leaves_a_circle_where_it_should_in_all_forms)
{
    const double v_0 = 0.5, y = 2. / 3 + v_0 * v_0 / (3 * G), x = sqrt(1 - y * y),
                 v = sqrt(v_0 * v_0 + 2 * G * (1 - y));
    for (int i = 0; resida_form_at(i); i++) {
        scene s = {.mass = {2, 2}, .forces = weight_in_plane, .gaps = outside};
        const char *form = resida_form_at(i);
        if (strcmp(form, "ode") == 0) continue;
        s.thing.p0[1] = 1, s.thing.v0[0] = v_0;
        set_scene(&s, 2, 1, 0.5);
        flight f = fly(&s.model, form, RESIDA_FORMALISM_AUTO);
        const double t = when(&f, 0, RESIDA_CONTACT_OPENS);
        NEARLY(state_of(&f).p[1], y, (strcmp(form, "index3") && strcmp(form, "augmented") ? 2 : 20) * NEAR);
        assert_int_equal(resida_run_advance(f.run, t + 0.1), RESIDA_OK);
        const resida_state at = state_of(&f);
        const double d = (at.p[0] - x) / (v * y); /* since it left, by x */
        NEARLY(at.p[1], y - v * x * d - G * d * d / 2, (i == 0 ? 1 : 3) * NEAR);
        NEARLY(energy_in_plane(&at), v_0 * v_0 + 2 * G, 30 * NEAR);
        assert_true(at.lam[0] == 0);
    }
}

/* From below with v_0^2 = 3.5 G it goes round until the rope is slack, at y = (v_0^2/G - 2)/3 = 1/2 with v^2 = G y, and
 * flies until the rope is tight again: x^2 + y^2 - 1 along the parabola is G^2 d^4/4 - G v x d^3, so that d = 4 v x/G.
 * There it loses its speed along the rope. */
CLAIM(a_point_on_a_rope_flies_and_is_caught)
{
    const double y = 0.5, x = sqrt(1 - y * y), v = sqrt(G * y), t_flight = 4 * v * x / G;
    scene s = {.mass = {2, 2}, .forces = weight_in_plane, .gaps = inside};
    s.thing.p0[1] = -1, s.thing.v0[0] = sqrt(3.5 * G);
    set_scene(&s, 2, 1, 0);
    flight f = fly_as_ever(&s.model);
    const double t = when(&f, 0, RESIDA_CONTACT_OPENS);
    NEARLY(state_of(&f).p[1], y, 3 * NEAR);
    NEARLY(state_of(&f).p[0], x, 3 * NEAR);
    const double caught = when(&f, 0, RESIDA_CONTACT_CLOSES);
    NEARLY(caught - t, t_flight, 10 * NEAR); /* of the time, that of the third order contact */
    const double p_x = x - v * y * t_flight, p_y = y + v * x * t_flight - G * t_flight * t_flight / 2;
    NEARLY(state_of(&f).p[0], p_x, 15 * NEAR);
    NEARLY(state_of(&f).p[1], p_y, 15 * NEAR);
    const double along = -v * y * -p_y + (v * x - G * t_flight) * p_x; /* speed along the circle */
    NEARLY(hypot(state_of(&f).v[0], state_of(&f).v[1]), fabs(along), 20 * NEAR);
}

/* --- A ball on a table that shakes --- */

#define AMPLITUDE 1.0
static const double pace = 4.429446918320 /* sqrt(2 G / AMPLITUDE) */;

static void shaken(double t, const double *p, double *out)
{
    out[0] = p[0] - AMPLITUDE * sin(pace * t);
}

/* It is thrown off where A w^2 sin(w t) = G, w t = pi/6, and lies again when its parabola meets the table. */
CLAIM(a_ball_leaves_a_table_that_falls_faster)
{
    scene s = {.mass = {2}, .forces = weight, .gaps = shaken};
    s.thing.v0[0] = AMPLITUDE * pace;
    set_scene(&s, 1, 1, 0);
    flight f = fly_as_ever(&s.model);
    const double off = asin(G / (AMPLITUDE * pace * pace)) / pace, up = AMPLITUDE * pace * cos(pace * off);
    NEARLY(when(&f, 0, RESIDA_CONTACT_OPENS), off, 1e-5);
    double below = off + 0.1, above = off + 2 * up / G + 0.5;
    for (int k = 0; k < 100; k++) {
        const double t = (below + above) / 2, d = t - off;
        const double gap = AMPLITUDE * sin(pace * off) + up * d - G * d * d / 2 - AMPLITUDE * sin(pace * t);
        if (gap > 0)
            below = t;
        else
            above = t;
    }
    NEARLY(when(&f, 0, RESIDA_CONTACT_CLOSES), below, NEAR);
    NEARLY(state_of(&f).v[0], AMPLITUDE * pace * cos(pace * below), 10 * NEAR);
}

/* lam of index3 is rough. At each opening it is zero, and the ball has a speed of a few tolerances. */
CLAIM(a_ball_on_a_table_that_shakes_has_few_events_in_index3)
{
    for (double tolerance = 1e-4; tolerance > 1e-10; tolerance /= 10) {
        scene s = {.mass = {2}, .forces = weight, .gaps = shaken};
        s.thing.v0[0] = AMPLITUDE * pace;
        set_scene(&s, 1, 1, 0);
        s.model.rtol = s.model.atol = tolerance;
        flight f = fly(&s.model, "index3", RESIDA_FORMALISM_AUTO);
        if (go(&f, 5) != RESIDA_OK) fail_msg("%g: %s", tolerance, resida_solver_message(f.solver));
        if (test_stats(f.solver).restarts > 20) fail_msg("%g: %ld restarts", tolerance, test_stats(f.solver).restarts);
    }
}

/* --- Blocks in a row between a wall and a hand --- */

static void hand(double t, const double *p, const double *v, double *f)
{
    f[0] = f[1] = 0;
    f[2] = -cos(t);
}

static void row_of_blocks(double t, const double *p, double *out)
{
    out[0] = p[0];
    out[1] = p[1] - p[0];
    out[2] = p[2] - p[1];
}

/* All push with the force of the hand, until it draws: only the last one goes. */
CLAIM(a_row_of_blocks_hands_a_force_on)
{
    scene s = {.mass = {1, 2, 3}, .forces = hand, .gaps = row_of_blocks};
    set_scene(&s, 3, 3, 0.5);
    const double e[] = {0.5, 0.5, 0.5}, quarter = acos(0);
    s.contacts.restitution = e;
    flight f = fly_as_ever(&s.model);
    assert_int_equal(resida_run_advance(f.run, 1), RESIDA_OK);
    for (int i = 0; i < 3; i++) NEARLY(state_of(&f).lam[i], -cos(1), NEAR);
    NEARLY(when(&f, 2, RESIDA_CONTACT_OPENS), quarter, NEAR);
    assert_int_equal(resida_run_advance(f.run, quarter + 1), RESIDA_OK);
    NEARLY(state_of(&f).p[2], (1 - cos(quarter + 1)) * 0 + (1 - sin(1)) / 3, 100 * NEAR);
    NEARLY(state_of(&f).p[1], 0, NEAR);
    NEARLY(state_of(&f).p[0], 0, NEAR);
}

/* --- A stiff bar on three feet, one more than hold it, with a load that wanders --- */

#define LOAD 2.0

static void load(double t, const double *p, const double *v, double *f)
{
    f[0] = -1 - LOAD;
    f[1] = -LOAD * 0.25 * t;
}

static void feet(double t, const double *p, double *out)
{
    for (int i = 0; i < 3; i++) out[i] = p[0] + (i - 1) * p[1];
}

/* Whatever feet carry it, together they carry weight and moment. It tips where its load is 1 + 1/LOAD off, 1 beyond the
 * last foot by 1/LOAD: at t = 4 (1 + 1/LOAD). */
CLAIM(a_bar_with_three_feet_stands_until_it_tips)
{
    const double t_tip = 4 * (1 + 1 / LOAD), e[] = {0, 0, 0};
    scene s = {.mass = {1, 0.5}, .forces = load, .gaps = feet};
    set_scene(&s, 2, 3, 0);
    s.contacts.restitution = e;
    flight f = fly_as_ever(&s.model);
    for (double t = 0.5; t < t_tip; t += 0.5) {
        resida_status status = go(&f, t);
        const resida_state at = state_of(&f);
        assert_int_equal(status, RESIDA_OK);
        NEARLY(at.lam[0] + at.lam[1] + at.lam[2], -1 - LOAD, NEAR);
        NEARLY(at.lam[2] - at.lam[0], -LOAD * 0.25 * t, 1e-5);
        for (int i = 0; i < 3; i++) assert_true(at.lam[i] <= 0);
    }
    assert_int_equal(go(&f, t_tip), RESIDA_OK);
    NEARLY(state_of(&f).p[1], 0, NEAR);
    assert_int_equal(go(&f, t_tip + 1), RESIDA_OK);
    /* about the last foot, with inertia 1.5: 1.5 phi'' = -LOAD (t - t_tip)/4 */
    NEARLY(state_of(&f).p[1], -LOAD / 4 / 1.5 / 6, 1e-5);
    NEARLY(state_of(&f).p[0] + state_of(&f).p[1], 0, NEAR);
}

/* --- What cannot be --- */

static void press(double t, const double *p, double *out)
{
    out[0] = p[0] - 0.5 * t;
    out[1] = 1 - p[0];
}

CLAIM(contacts_that_close_on_a_body_from_both_sides_end_the_run_by_name)
{
    static const char *const names[] = {"press", "ceiling"};
    scene s = {.mass = {2}, .forces = weight, .gaps = press};
    s.thing.v0[0] = 0.5;
    set_scene(&s, 1, 2, 0);
    s.contacts.names = names;
    flight f = fly_as_ever(&s.model);
    assert_int_equal(go(&f, 3), RESIDA_ERR_INCONSISTENT);
    assert_non_null(strstr(resida_solver_message(f.solver), "contradicts the others"));
    NEARLY(state_of(&f).t, 2, NEAR);
}

static void raised(double t, const double *p, double *out)
{
    out[0] = p[0] + 0.1;
}

static int other_root(double t, const double *p, const double *v, const resida_excitation *u, double *out, void *user)
{
    out[0] = 2 * p[0];
    return 0;
}

CLAIM(an_impossible_start_on_contacts_is_refused_by_name)
{
    static const char *const says[] = {"without an impact before", "its constraint is 1.1", "without them"};
    for (int i = 0; i < 3; i++) {
        scene s;
        resida_message why = {""};
        set_ball(&s, 0);
        s.contacts.names = NULL;
        if (i == 0) s.thing.p0[0] = -0.1;
        if (i == 1) s.gaps = raised, s.model.mechanism.root = other_root;
        flight f = open_flight(&s.model, "auto", RESIDA_FORMALISM_AUTO);
        if (i < 2) {
            assert_int_equal(resida_run_start(f.run, NULL, NULL), i == 0 ? RESIDA_ERR_INCONSISTENT : RESIDA_ERR_MODEL);
            assert_non_null(strstr(resida_solver_message(f.solver), says[i]));
        } else {
            resida_run *run;
            resida_problem *without = test_problem(&s.model.mechanism, NULL);
            resida_solver *solver = test_solver_of(without, NULL);
            assert_int_equal(resida_run_create(&run, &s.model, solver, &why), RESIDA_ERR_ARGUMENT);
            assert_non_null(strstr(why.text, says[i]));
        }
    }
}

/* --- Balls in a row, the first one comes --- */

static void nothing(double t, const double *p, const double *v, double *f)
{
}

static void cradle(double t, const double *p, double *out)
{
    out[0] = p[1] - p[0] - 1;
    out[1] = p[2] - p[1] - 1;
}

/* Elastic balls that touch are struck at once: -1/3, 2/3, 2/3 (J. J. Moreau); with a gap between, however small, one
 * after the other, and the last one alone goes. */
CLAIM(newtons_cradle_depends_on_whether_the_balls_touch)
{
    for (int apart = 0; apart < 2; apart++) {
        scene s = {.mass = {1, 1, 1}, .forces = nothing, .gaps = cradle};
        s.thing.p0[0] = -1, s.thing.p0[1] = 1, s.thing.p0[2] = 2 + 1e-4 * apart, s.thing.v0[0] = 1;
        set_scene(&s, 3, 2, 1);
        flight f = fly_as_ever(&s.model);
        assert_int_equal(go(&f, 3), RESIDA_OK);
        const double touching[] = {-1. / 3, 2. / 3, 2. / 3}, one[] = {0, 0, 1};
        for (int i = 0; i < 3; i++) NEARLY(state_of(&f).v[i], (apart ? one : touching)[i], NEAR);
    }
}

/* Without restitution they go on together. */
CLAIM(balls_that_do_not_rebound_stay_together)
{
    scene s = {.mass = {1, 1, 1}, .forces = nothing, .gaps = cradle};
    s.thing.p0[0] = -1, s.thing.p0[1] = 1, s.thing.p0[2] = 2, s.thing.v0[0] = 1;
    set_scene(&s, 3, 2, 0);
    flight f = fly_as_ever(&s.model);
    assert_int_equal(go(&f, 30), RESIDA_OK);
    for (int i = 0; i < 3; i++) NEARLY(state_of(&f).v[i], 1. / 3, NEAR);
    NEARLY(state_of(&f).p[2] - state_of(&f).p[0], 2, NEAR);
}

static int residual_of_lam(double t, const double *p, const double *v, const double *a, const double *lam,
                           const resida_excitation *u, double *r, void *user)
{
    r[0] = 2 * (a[0] + G) + 0 * lam[0];
    return 0;
}

CLAIM(contacts_that_hold_do_not_go_with_forces_that_depend_on_lam_nor_with_sensitivities)
{
    scene s;
    resida_message why = {""};
    resida_problem *problem;
    resida_problem_options o = test_problem_options();
    set_ball(&s, 0);
    flight f = open_flight(&s.model, "auto", RESIDA_FORMALISM_AUTO);
    const resida_model *const models[] = {&s.model};
    assert_int_equal(resida_run_set_moved(f.run, 1, models), RESIDA_ERR_ARGUMENT);
    o.contacts = &s.contacts;
    s.model.mechanism.residual = NULL, s.model.mechanism.acceleration = NULL;
    s.model.mechanism.residual_lam = residual_of_lam;
    assert_int_equal(resida_problem_create(&problem, &s.model.mechanism, &o, &why), RESIDA_ERR_MODEL);
    assert_non_null(strstr(why.text, "forces that depend on lam"));
}

/* --- A body that a joint holds above a floor, which rises --- */

static int joint_and_floor(double t, const double *p, const resida_excitation *u, double *g, void *user)
{
    g[0] = p[0] - 1;
    g[1] = p[0] - 0.5 * t * t;
    return 0;
}

static void rising(double t, const double *p, double *out)
{
    out[0] = p[0] - 0.5 * t * t;
}

CLAIM(a_contact_that_joints_hold_ends_the_run_by_name)
{
    static const char *const names[] = {"floor"};
    scene s = {.mass = {2}, .forces = weight, .gaps = rising};
    s.thing.p0[0] = 1;
    set_scene(&s, 1, 1, 0);
    s.model.mechanism.n_g = 2, s.model.mechanism.constraint = joint_and_floor;
    s.contacts.first_g = 1, s.contacts.names = names;
    flight f = fly_as_ever(&s.model);
    assert_int_equal(go(&f, 3), RESIDA_ERR_REDUNDANT);
    assert_non_null(strstr(resida_solver_message(f.solver), "floor closes"));
    NEARLY(state_of(&f).t, sqrt(2), NEAR);
}
