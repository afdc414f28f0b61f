/* test_contacts_friction.c - contacts that stick and slip, against closed forms. */
#include "contact_scene.h"
#include "test/fixtures/solver_fixture.h"

#define PI 3.14159265358979323846

/* --- A block on a slope: along it, and off it --- */

static double slope;

static void on_slope(double t, const double *p, const double *v, double *f)
{
    f[0] = 2 * G * sin(slope);
    f[1] = -2 * G * cos(slope);
}

static void second_coordinate(double t, const double *p, double *out)
{
    out[0] = p[1];
}

static void first_speed(const double *p, double *rows)
{
    rows[0] = 1;
}

static void set_block(scene *s, double mu, double speed)
{
    *s = (scene){.mass = {2, 2}, .forces = on_slope, .gaps = second_coordinate, .sliding = first_speed, .mu = {mu}};
    s->thing.v0[0] = speed;
    set_scene(s, 2, 1, 0);
}

/* Up: a = -G (sin + mu cos) until v_0/a; it stays, because tan is 3 % below mu, or comes down with G (sin - mu cos). In
 * all forms. */
CLAIM(a_block_slides_up_a_slope_and_stays_or_comes_down)
{
    slope = 0.3;
    for (int i = 0; resida_form_at(i); i++)
        for (int stays = 0; stays < 2; stays++) {
            const double mu = stays ? 0.32 : 0.2, v = 2, up = G * (sin(slope) + mu * cos(slope)), t = v / up,
                         down = stays ? 0 : G * (sin(slope) - mu * cos(slope));
            scene s;
            if (strcmp(resida_form_at(i), "ode") == 0) continue;
            set_block(&s, mu, -v);
            flight f = fly(&s.model, resida_form_at(i), stays ? RESIDA_FORMALISM_EXPLICIT : RESIDA_FORMALISM_RESIDUAL);
            NEARLY(state_of(&f).a[0], up, 1e-10);
            NEARLY(when(&f, 0, stays ? RESIDA_CONTACT_STICKS : RESIDA_CONTACT_SLIPS), t, NEAR);
            NEARLY(state_of(&f).p[0], -v * v / (2 * up), NEAR);
            assert_int_equal(go(&f, t + 1), RESIDA_OK);
            NEARLY(state_of(&f).p[0], -v * v / (2 * up) + down / 2, 2 * NEAR);
            NEARLY(state_of(&f).lam[0], -2 * G * cos(slope), 1e-4);
            NEARLY(state_of(&f).lam[1], stays ? 2 * G * sin(slope) : mu * 2 * G * cos(slope), 1e-4);
        }
}

/* --- A ball, x, y and its angle --- */

static const double radius = 0.5, inertia = 0.2; /* 2/5 m r^2 with m = 2 */

static void falls(double t, const double *p, const double *v, double *f)
{
    f[1] = -2 * G;
}

static void above_floor(double t, const double *p, double *out)
{
    out[0] = p[1] - radius;
}

static void at_floor(const double *p, double *rows)
{
    rows[0] = 1, rows[2] = -radius; /* rolls to the right with a positive angle */
}

static void set_ball(scene *s, double mu, double e)
{
    *s = (scene){.mass = {2, 2, inertia}, .forces = falls, .gaps = above_floor, .sliding = at_floor, .mu = {mu}};
    s->thing.p0[1] = radius;
    set_scene(s, 3, 1, e);
}

/* It falls with a speed across: the impulse of friction is mu (1 + e) m v_n, or stops the sliding: 5/7 of v_x. */
CLAIM(a_ball_that_bounces_takes_spin_by_both_laws)
{
    for (int law = 0; law < 2; law++)
        for (int sticks = 0; sticks < 2; sticks++) {
            const double mu = sticks ? 0.9 : 0.05, e = 0.6, v = 2, fall = sqrt(2 * G * 1);
            scene s;
            set_ball(&s, mu, e);
            s.contacts.law = (resida_impact_law)law;
            s.thing.p0[1] += 1, s.thing.v0[0] = v;
            flight f = fly_as_ever(&s.model);
            NEARLY(when(&f, 0, RESIDA_CONTACT_REBOUNDS), fall / G, NEAR);
            const double v_x = sticks ? 5 * v / 7 : v - mu * (1 + e) * fall;
            NEARLY(state_of(&f).v[0], v_x, NEAR);
            NEARLY(state_of(&f).v[1], e * fall, 10 * NEAR);
            NEARLY(state_of(&f).v[2], 2 * (v - v_x) / inertia * radius, 10 * NEAR);
            assert_int_equal(go(&f, 10), RESIDA_OK); /* it lies and rolls */
            NEARLY(state_of(&f).p[1], radius, NEAR);
            NEARLY(state_of(&f).v[0], 5 * v / 7, 5 * NEAR);
        }
}

/* --- A block on its two lower corners, b wide and h high: x, y of its middle, and its angle --- */

static double block_inertia(void)
{
    return 2 * (HALF_B * HALF_B + HALF_H * HALF_H) / 3; /* m = 2 */
}

static double block_energy(const resida_state *s)
{
    return s->v[0] * s->v[0] + s->v[1] * s->v[1] + block_inertia() * s->v[2] * s->v[2] / 2 + 2 * G * s->p[1];
}

/* It rocks about a corner, and changes over to the other one with 1 - 3/2 sin^2 alpha of its speed, tan alpha = b/h
 * (G. W. Housner, The behavior of inverted pendulum structures during earthquakes, 1963), until it stands. */
CLAIM(a_rocking_block_follows_housners_solution)
{
    const double theta = 0.1, alpha = atan(HALF_B / HALF_H), diagonal = hypot(HALF_B, HALF_H);
    const double part = 1 - 1.5 * sin(alpha) * sin(alpha), weight_of = 2 * G * diagonal,
                 about_corner = block_inertia() + 2 * diagonal * diagonal;
    scene s = {.mass = {2, 2, 0}, .forces = falls, .gaps = block_gaps, .sliding = block_slides, .mu = {1, 1}};
    s.mass[2] = block_inertia();
    s.thing.p0[2] = -theta; /* on the right corner */
    double at[2], most = INFINITY;
    block_corner(s.thing.p0, 1, at);
    s.thing.p0[1] = -at[1];
    set_scene(&s, 3, 2, 0);
    flight f = fly_as_ever(&s.model);
    const double speed = sqrt(2 * weight_of * (cos(alpha - theta) - cos(alpha)) / about_corner);
    (void)when(&f, 0, RESIDA_CONTACT_CLOSES);
    NEARLY(state_of(&f).v[2], part * speed, 10 * NEAR);
    NEARLY(state_of(&f).p[2], 0, NEAR);
    for (double t = state_of(&f).t; t < 20; t += 0.05) {
        if (go(&f, t) != RESIDA_OK) fail_msg("%s", resida_solver_message(f.solver));
        const resida_state now = state_of(&f);
        assert_true(block_energy(&now) <= most + 10 * NEAR);
        most = block_energy(&now);
    }
    NEARLY(state_of(&f).p[2], 0, NEAR);
    NEARLY(state_of(&f).v[0], 0, NEAR);
    NEARLY(state_of(&f).v[2], 0, NEAR);
    NEARLY(state_of(&f).lam[0] + state_of(&f).lam[1], -2 * G, 1e-4);
    assert_true(test_stats(f.solver).restarts < 100);
}

/* Both corners stick. Their friction forces could press against each other with up to mu N, and do not. */
CLAIM(a_block_that_lands_flat_rests)
{
    static const double mus[] = {0.1, 0.5, 1, 10};
    for (int k = 0; k < 4; k++) {
        scene s = {.mass = {2, 2, 0}, .forces = falls, .gaps = block_gaps, .sliding = block_slides};
        s.mass[2] = block_inertia(), s.mu[0] = s.mu[1] = mus[k];
        s.thing.p0[1] = HALF_H + 0.01, s.thing.p0[2] = 1e-3;
        set_scene(&s, 3, 2, 0);
        s.contacts.law = RESIDA_IMPACT_POISSON;
        flight f = fly_as_ever(&s.model);
        if (go(&f, 100) != RESIDA_OK) fail_msg("mu %g: %s", mus[k], resida_solver_message(f.solver));
        for (int i = 0; i < 3; i++) NEARLY(state_of(&f).v[i], 0, NEAR);
        NEARLY(state_of(&f).p[2], 0, NEAR);
        for (int i = 0; i < 2; i++) NEARLY(state_of(&f).lam[2 + i], 0, 1e-4);
        assert_true(test_stats(f.solver).restarts < 50);
    }
}

static void shaken(double t, const double *p, const double *v, double *f)
{
    f[0] = 3 * sin(2 * t);
    f[1] = -2 * G;
}

/* mu m G = 5.9 N. One corner carries the force up to mu N, then the other one the rest. */
CLAIM(a_block_that_is_shaken_below_its_friction_rests)
{
    scene s = {.mass = {2, 2, 0}, .forces = shaken, .gaps = block_gaps, .sliding = block_slides, .mu = {0.3, 0.3}};
    s.mass[2] = block_inertia();
    s.thing.p0[1] = HALF_H;
    set_scene(&s, 3, 2, 0);
    flight f = fly_as_ever(&s.model);
    for (double t = 0.5; t < 20; t += 0.5) {
        if (go(&f, t) != RESIDA_OK) fail_msg("%s", resida_solver_message(f.solver));
        NEARLY(state_of(&f).lam[2] + state_of(&f).lam[3], 3 * sin(2 * t), 1e-4);
        for (int i = 0; i < 2; i++) assert_true(fabs(state_of(&f).lam[2 + i]) <= -0.3 * state_of(&f).lam[i] + 1e-4);
    }
    NEARLY(state_of(&f).p[0], 0, NEAR);
    assert_true(test_stats(f.solver).restarts < 60);
}

/* --- A rod that slides on its tip and jams --- */

static void tip_above(double t, const double *p, double *out)
{
    out[0] = p[1] - sin(p[2]);
}

static void tip_slides(const double *p, double *rows)
{
    rows[0] = 1;
    rows[2] = sin(p[2]);
}

/* A rod of length 2, m = 2, J = 2/3: N grows with the acceleration of its gap where 1/m + cos^2/J - mu sin cos/J < 0,
 * for which mu has to be above 4/3 (P. Painleve, 1895). */
CLAIM(a_rod_that_jams_ends_the_run_by_name)
{
    static const char *const names[] = {"tip"};
    for (int jams = 0; jams < 2; jams++) {
        scene s = {.mass = {2, 2, 2. / 3}, .forces = falls, .gaps = tip_above, .sliding = tip_slides};
        s.mu[0] = jams ? 1.8 : 0.3;
        s.thing.p0[2] = 1, s.thing.p0[1] = sin(1), s.thing.v0[0] = -4;
        set_scene(&s, 3, 1, 0);
        s.contacts.names = names;
        flight f = open_flight(&s.model, "auto", RESIDA_FORMALISM_AUTO);
        resida_status status = resida_run_start(f.run, NULL, NULL);
        if (jams) {
            assert_int_equal(status, RESIDA_ERR_INCONSISTENT);
            assert_non_null(strstr(resida_solver_message(f.solver), "tip"));
        } else {
            assert_int_equal(status, RESIDA_OK);
            assert_int_equal(go(&f, 0.1), RESIDA_OK);
        }
    }
}

/* --- A chain of blocks on the floor, pushed from behind --- */

static void push(double t, const double *p, const double *v, double *f)
{
    f[0] = t;
    f[1] = f[3] = -2 * G;
}

static void between_and_below(double t, const double *p, double *out)
{
    out[0] = p[2] - p[0];
    out[1] = p[1];
    out[2] = p[3];
}

static void slide_below(const double *p, double *rows)
{
    rows[4] = 1;
    rows[10] = 1;
}

/* The first one holds up to mu m G, the second one begins to be pushed then, both go at 2 mu m G. */
CLAIM(a_chain_of_blocks_moves_when_all_of_its_friction_is_spent)
{
    const double mu = 0.2, each = mu * 2 * G;
    const double e[] = {0, 0, 0};
    scene s = {.mass = {2, 2, 2, 2}, .forces = push, .gaps = between_and_below, .sliding = slide_below};
    s.mu[1] = s.mu[2] = mu;
    set_scene(&s, 4, 3, 0);
    s.contacts.restitution = e;
    flight f = fly_as_ever(&s.model);
    NEARLY(when(&f, 2, RESIDA_CONTACT_SLIPS), 2 * each, 1e-4);
    NEARLY(state_of(&f).p[2], 0, NEAR);
    assert_int_equal(go(&f, 2 * each + 1), RESIDA_OK);
    NEARLY(state_of(&f).v[0], 0.5 / 4, 1e-4);
    NEARLY(state_of(&f).v[2], 0.5 / 4, 1e-4);
}

/* --- Laws of impacts --- */

static void nothing(double t, const double *p, const double *v, double *f)
{
}

/* A rod of length 1 and mass 1 strikes with one end, 0.83 rad from the floor, turning: its sliding turns round.
 * Newton's law would give it energy (after T. R. Kane, D. A. Levinson, Dynamics, 1985), which is named; Poisson's takes
 * it. */
CLAIM(newtons_impact_law_with_friction_reports_a_gain_of_energy)
{
    const double c = 0.5 * cos(0.83), h = 0.5 * sin(0.83), rows[] = {0, 1, -c}, slides[] = {1, 0, h}, mu = 0.5, e = 0.9;
    const double v[] = {0.87, -1.99, 2.99}, p[] = {0, h, 0.83}, mass[] = {1, 1, 1. / 12};
    scene s = {.mass = {1, 1, 1. / 12}, .forces = nothing, .gaps = above_floor, .sliding = at_floor};
    set_scene(&s, 3, 1, 0);
    flight f = open_flight(&s.model, "auto", RESIDA_FORMALISM_AUTO);
    resida_contacts contacts;
    resida_contacts_init(&contacts);
    contacts.n = 1, contacts.rows = rows, contacts.slides = slides, contacts.friction = &mu, contacts.restitution = &e;
    double after[3] = {0}, push = 0, before = 0, behind = 0;
    resida_message why;
    assert_int_equal(resida_problem_impact(f.problem, 0, p, v, &contacts, NULL, after, NULL, NULL, NULL, &why),
                     RESIDA_ERR_INCONSISTENT);
    assert_non_null(strstr(why.text, "gains energy"));
    assert_non_null(strstr(why.text, "Newton's law"));
    contacts.law = RESIDA_IMPACT_POISSON;
    resida_impact_report report;
    assert_int_equal(resida_problem_impact(f.problem, 0, p, v, &contacts, NULL, after, &push, NULL, &report, &why),
                     RESIDA_OK);
    for (int i = 0; i < 3; i++) before += mass[i] * v[i] * v[i] / 2, behind += mass[i] * after[i] * after[i] / 2;
    NEARLY(behind - before, report.energy_change, 1e-12);
    assert_true(behind < before);
    assert_true(after[1] - c * after[2] >= 0);
    NEARLY(push, after[1] - v[1], 1e-12);
    assert_true(fabs(after[0] - v[0]) <= mu * push * (1 + 1e-12));
}

CLAIM(invalid_friction_is_refused_by_name)
{
    static const char *const says[] = {"friction must be >= 0", "friction must be >= 0", "law must be 0 or 1",
                                       "speeds of sliding"};
    for (int i = 0; i < 4; i++) {
        scene s;
        resida_problem *problem;
        resida_problem_options o = test_problem_options();
        resida_message why = {""};
        set_block(&s, i == 0 ? -0.1 : i == 1 ? INFINITY : 0.1, 0);
        if (i == 2) s.contacts.law = (resida_impact_law)2;
        if (i == 3) s.contacts.first_h = 1;
        o.contacts = &s.contacts;
        assert_int_equal(resida_problem_create(&problem, &s.model.mechanism, &o, &why), RESIDA_ERR_MODEL);
        assert_non_null(strstr(why.text, says[i]));
    }
    scene s;
    resida_run *run;
    resida_message why = {""};
    set_block(&s, 0.1, 0);
    s.contacts.holds = 0;
    assert_int_equal(resida_run_create(&run, &s.model, test_solver(&s.model.mechanism, NULL, NULL), &why),
                     RESIDA_ERR_ARGUMENT);
    if (!strstr(why.text, "contacts.friction without contacts.holds")) fail_msg("%s", why.text);
}

CLAIM(a_solver_alone_does_not_save_contacts)
{
    scene s;
    size_t size;
    char bytes[100];
    set_block(&s, 0.1, 0);
    flight f = fly_as_ever(&s.model);
    assert_int_equal(resida_solver_save(f.solver, NULL, 0, bytes, sizeof bytes, &size), RESIDA_ERR_MODEL);
    assert_non_null(strstr(resida_solver_message(f.solver), "resida_run_save()"));
}
