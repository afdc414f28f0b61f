/* test_contacts_scenes.c - machines and bodies whose contacts close, stick, slip and open in turn, against closed
 * forms, with default options but for tolerances. */
#include "contact_scene.h"

/* Where f falls through 0 between below and above. */
static double zero_of(double (*f)(double t), double below, double above)
{
    for (int k = 0; k < 100; k++) {
        const double t = (below + above) / 2;
        if (f(t) > 0)
            below = t;
        else
            above = t;
    }
    return below;
}

/* --- A block on a table with an edge of radius r: x, y --- */

static const double edge = 0.05;

static void falls(double t, const double *p, const double *v, double *f)
{
    f[1] = -2 * G;
}

static void above_table(double t, const double *p, double *out)
{
    out[0] = p[0] <= 0 ? p[1] : hypot(p[0], p[1] + edge) - edge;
}

static void along_table(const double *p, double *rows)
{
    const double length = p[0] <= 0 ? 1 : hypot(p[0], p[1] + edge);
    rows[0] = p[0] <= 0 ? 1 : (p[1] + edge) / length;
    rows[1] = p[0] <= 0 ? 0 : -p[0] / length;
}

static int table_matrix(double t, const double *p, const resida_excitation *u, double *Gm, void *user)
{
    const double length = p[0] <= 0 ? 1 : hypot(p[0], p[1] + edge);
    Gm[0] = p[0] <= 0 ? 0 : p[0] / length;
    Gm[1] = p[0] <= 0 ? 1 : (p[1] + edge) / length;
    return 0;
}

/* Of forms: with accelerations second differences of g see the edge 1e-4 m off. */
static double error_at_an_edge(const char *form)
{
    const int by_second_differences = strcmp(form, "projected2") == 0 || strcmp(form, "state-space") == 0;
    const int is_position_alone = strcmp(form, "index3") == 0 || strcmp(form, "augmented") == 0;
    return by_second_differences ? 3e-3 : is_position_alone ? 3e-4 : 1e-5;
}

/* With v^2 = v_0^2 - 2 mu G d at the edge, v^2 > G r, it flies off at once. */
CLAIM(a_block_slides_over_the_edge_of_a_table_and_falls)
{
    const double v_0 = 2, mu = 0.3, d = 0.5, v = sqrt(v_0 * v_0 - 2 * mu * G * d), t = (v_0 - v) / (mu * G);
    for (int i = 0; resida_form_at(i); i++) {
        scene s = {.mass = {2, 2}, .forces = falls, .gaps = above_table, .sliding = along_table, .mu = {mu}};
        s.thing.p0[0] = -d, s.thing.v0[0] = v_0;
        if (strcmp(resida_form_at(i), "ode") == 0) continue;
        set_scene(&s, 2, 1, 0);
        s.model.mechanism.constraint_matrix = table_matrix;
        const double room = error_at_an_edge(resida_form_at(i));
        flight f = fly(&s.model, resida_form_at(i), RESIDA_FORMALISM_AUTO);
        assert_int_equal(go(&f, t + 0.3), RESIDA_OK);
        NEARLY(state_of(&f).v[0], v, room);
        NEARLY(state_of(&f).p[0], 0.3 * v, room);
        NEARLY(state_of(&f).p[1], -G * 0.3 * 0.3 / 2, room);
        assert_true(state_of(&f).lam[0] == 0 && state_of(&f).lam[1] == 0);
    }
}

/* --- A block that is thrown onto a floor, bounces, and slides to rest: x, y --- */

static void above_floor(double t, const double *p, double *out)
{
    out[0] = p[1];
}

static void along_floor(const double *p, double *rows)
{
    rows[0] = 1;
}

/* Each impact takes mu times its impulse, (1 + e) w, of x'; what closes has the impulse w, and what slides then takes
 * the rest of the series. So x at rest is that of all bounces, whatever the tolerance closes at. */
CLAIM(a_block_that_bounces_with_friction_comes_to_rest_as_the_series_of_bounces)
{
    static const double restitutions[] = {0, 0.3, 0.5, 0.7};
    const double mu = 0.3, height = 1, pace = 10;
    for (int k = 0; k < 8; k++) {
        const double e = restitutions[k / 2];
        double w = sqrt(2 * G * height), v = pace, t = w / G, x = pace * t;
        for (int i = 0; i < 200; i++, w *= e) {
            v -= mu * (1 + e) * w;
            t += 2 * e * w / G;
            x += v * 2 * e * w / G;
        }
        x += v * v / (2 * mu * G);
        t += v / (mu * G);
        scene s = {.mass = {2, 2}, .forces = falls, .gaps = above_floor, .sliding = along_floor, .mu = {mu}};
        s.thing.p0[1] = height, s.thing.v0[0] = pace;
        set_scene(&s, 2, 1, e);
        s.contacts.law = k % 2 ? RESIDA_IMPACT_POISSON : RESIDA_IMPACT_NEWTON;
        flight f = fly_as_ever(&s.model);
        resida_status status;
        while ((status = go(&f, t + 0.1)) == RESIDA_EVENT) continue;
        assert_int_equal(status, RESIDA_OK);
        NEARLY(state_of(&f).p[0], x, 10 * NEAR);
        NEARLY(state_of(&f).v[0], 0, NEAR);
    }
}

/* --- A mass on a spring whose foot moves, and an end stop at 0 --- */

#define OMEGA 3.0
static const double pull = 0.5, foot_pace = 0.7;

/* The foot is at -pull cos(foot_pace t): it presses, then draws. */
static void spring(double t, const double *p, const double *v, double *f)
{
    f[0] = -2 * OMEGA * OMEGA * (p[0] + pull * cos(foot_pace * t));
}

static void stop(double t, const double *p, double *out)
{
    out[0] = p[0];
}

/* x'' + W^2 x = -W^2 a cos w t, x = A cos W t + B sin W t + C cos w t, from x_0 and v_0 at t_0. */
static void swing(double t_0, double x_0, double v_0, double t, double *x, double *v)
{
    const double W = OMEGA, w = foot_pace, C = -W * W * pull / (W * W - w * w), X = x_0 - C * cos(w * t_0),
                 V = (v_0 + C * w * sin(w * t_0)) / W, c = cos(W * (t - t_0)), s = sin(W * (t - t_0));
    *x = X * c + V * s + C * cos(w * t);
    *v = W * (V * c - X * s) - C * w * sin(w * t);
}

static double stop_t0, stop_x0, stop_v0;

static double height_over_stop(double t)
{
    double x, v;
    swing(stop_t0, stop_x0, stop_v0, t, &x, &v);
    return x;
}

/* It comes to rest with its bounces, is pressed by k times the foot, and leaves as that passes 0. */
CLAIM(a_mass_runs_against_a_stop_is_pressed_and_leaves)
{
    const double e = 0.3, leaves = acos(0) / foot_pace;
    double x, v, t = 0;
    scene s = {.mass = {2}, .forces = spring, .gaps = stop};
    s.thing.p0[0] = 0.4;
    set_scene(&s, 1, 1, e);
    flight f = fly_as_ever(&s.model);
    stop_t0 = 0, stop_x0 = 0.4, stop_v0 = 0;
    for (int bounce = 0; bounce < 3; bounce++) {
        t = zero_of(height_over_stop, stop_t0 + 1e-3, stop_t0 + (bounce ? 2 * stop_v0 / (OMEGA * OMEGA * 0.2) : 1));
        swing(stop_t0, stop_x0, stop_v0, t, &x, &v);
        NEARLY(when(&f, 0, RESIDA_CONTACT_REBOUNDS), t, NEAR);
        NEARLY(state_of(&f).v[0], -e * v, 10 * NEAR);
        stop_t0 = t, stop_x0 = 0, stop_v0 = -e * v;
    }
    (void)when(&f, 0, RESIDA_CONTACT_CLOSES);
    assert_int_equal(go(&f, 2), RESIDA_OK);
    NEARLY(state_of(&f).p[0], 0, NEAR);
    NEARLY(state_of(&f).lam[0], -2 * OMEGA * OMEGA * pull * cos(foot_pace * 2), 1e-5);
    NEARLY(when(&f, 0, RESIDA_CONTACT_OPENS), leaves, 1e-5);
    assert_int_equal(go(&f, leaves + 1), RESIDA_OK);
    swing(leaves, 0, 0, leaves + 1, &x, &v);
    NEARLY(state_of(&f).p[0], x, 10 * NEAR);
    NEARLY(state_of(&f).v[0], v, 10 * NEAR);
}

/* --- A wheel, x, y and its angle, and the pad of its brake, which a force presses that fades --- */

static const double radius = 0.5, inertia = 0.2, brake_radius = 0.3, press_0 = 150, fades = 4, mu_road = 0.3,
                    mu_pad = 0.4, speed_0 = 13.5;

static void pressed(double t, const double *p, const double *v, double *f)
{
    f[1] = -2 * G;
    f[3] = -press_0 * (1 - t / fades);
}

static void road_and_pad(double t, const double *p, double *out)
{
    out[0] = p[1] - radius;
    out[1] = p[3];
}

static void road_and_rim(const double *p, double *rows)
{
    rows[0] = 1, rows[2] = -radius;
    rows[4 + 2] = brake_radius;
}

static double moment_of_road(void)
{
    return mu_road * 2 * G * radius;
}

/* Impulse of the moment of the pad from 0 to t, when it slips one way. */
static double impulse_of_pad(double t)
{
    return mu_pad * brake_radius * press_0 * (t - t * t / (2 * fades));
}

/* The angular speed as long as both slip. */
static double locking(double t)
{
    return speed_0 / radius - (impulse_of_pad(t) - moment_of_road() * t) / inertia;
}

static double wheel_free_at;

/* By how much the rim is slower than the road, from when the pad lets go. */
static double rolling(double t)
{
    const double turns =
        (moment_of_road() * (t - wheel_free_at) - impulse_of_pad(t) + impulse_of_pad(wheel_free_at)) / inertia;
    return speed_0 - mu_road * G * t - turns * radius;
}

CLAIM(a_wheel_locks_and_rolls_again_as_its_brake_fades)
{
    scene s = {.mass = {2, 2, 0.2, 0.1}, .forces = pressed, .gaps = road_and_pad, .sliding = road_and_rim};
    s.mu[0] = mu_road, s.mu[1] = mu_pad;
    s.thing.p0[1] = radius, s.thing.v0[0] = speed_0, s.thing.v0[2] = speed_0 / radius;
    set_scene(&s, 4, 2, 0);
    flight f = fly_as_ever(&s.model);
    const double locks = zero_of(locking, 0, 1);
    wheel_free_at = fades * (1 - moment_of_road() / (mu_pad * brake_radius * press_0));
    const double rolls = zero_of(rolling, wheel_free_at, fades);
    assert_true(locks < wheel_free_at && wheel_free_at < rolls && rolls < fades);
    NEARLY(when(&f, 1, RESIDA_CONTACT_STICKS), locks, 10 * NEAR);
    NEARLY(state_of(&f).v[2], 0, NEAR);
    NEARLY(state_of(&f).v[0], speed_0 - mu_road * G * locks, 10 * NEAR);
    NEARLY(when(&f, 1, RESIDA_CONTACT_SLIPS), wheel_free_at, 1e-5);
    NEARLY(state_of(&f).v[0], speed_0 - mu_road * G * wheel_free_at, 1e-4);
    NEARLY(when(&f, 0, RESIDA_CONTACT_STICKS), rolls, 1e-5);
    NEARLY(state_of(&f).v[2] * radius, speed_0 - mu_road * G * rolls, 1e-4);
    NEARLY(when(&f, 1, RESIDA_CONTACT_OPENS), fades, 1e-4);
    /* Rolling, the pad takes its impulse from m r^2 + J. */
    const double slower = (impulse_of_pad(fades) - impulse_of_pad(rolls)) * radius / (2 * radius * radius + inertia);
    NEARLY(state_of(&f).v[0], speed_0 - mu_road * G * rolls - slower, 1e-4);
    assert_int_equal(go(&f, fades + 1), RESIDA_OK);
    NEARLY(state_of(&f).v[0], speed_0 - mu_road * G * rolls - slower, 1e-4);
    NEARLY(state_of(&f).v[2] * radius, state_of(&f).v[0], NEAR);
}

/* --- A block on two corners, pushed at its middle by a force that grows --- */

static void pushed(double t, const double *p, const double *v, double *f)
{
    f[0] = t;
    f[1] = -2 * G;
}

/* It slips at mu m G, or rocks at b/h m G, whichever comes first: about its corner with 4/3 m (b^2 + h^2) of inertia,
 * where the moment is F h - m G b at first. */
CLAIM(a_block_that_is_pushed_slips_or_rocks)
{
    for (int rocks = 0; rocks < 2; rocks++) {
        const double mu = rocks ? 0.6 : 0.15, m = 2, inertia_of = m * (HALF_B * HALF_B + HALF_H * HALF_H) / 3;
        const double at = m * G * (rocks ? HALF_B / HALF_H : mu), d = 0.05;
        scene s = {.mass = {2, 2, 0}, .forces = pushed, .gaps = block_gaps, .sliding = block_slides};
        s.mass[2] = inertia_of, s.mu[0] = s.mu[1] = mu;
        s.thing.p0[1] = HALF_H;
        set_scene(&s, 3, 2, 0);
        flight f = fly_as_ever(&s.model);
        NEARLY(when(&f, 0, rocks ? RESIDA_CONTACT_OPENS : RESIDA_CONTACT_SLIPS), at, 1e-4);
        NEARLY(state_of(&f).v[0], 0, 1e-5);
        assert_int_equal(go(&f, at + d), RESIDA_OK);
        /* I'' = -h t: v_x = h omega */
        NEARLY(state_of(&f).v[rocks ? 2 : 0], rocks ? -HALF_H * d * d / 2 / (4 * inertia_of) : d * d / 2 / m, 2e-6);
    }
}

/* --- A block on a wedge that may slide: X of the wedge, x and y of the block --- */

static const double incline = 0.5; /* tan of the angle */

static void block_falls(double t, const double *p, const double *v, double *f)
{
    f[2] = -1 * G;
}

/* Off the face of the wedge, which rises to the right from its foot X on; and off the floor. */
static void face_and_floor(double t, const double *p, double *out)
{
    out[0] = (p[2] - incline * (p[1] - p[0])) / sqrt(1 + incline * incline);
    out[1] = p[2];
}

/* Without friction A = m G sin cos/(M + m sin^2) of the wedge, N = M A/sin; on the floor it goes on with the speed that
 * it has there, the wedge with what it was given by then. */
CLAIM(a_block_slides_down_a_wedge_that_gives_way)
{
    const double M = 3, m = 1, angle = atan(incline), s_ = sin(angle), c_ = cos(angle);
    const double A = m * G * s_ * c_ / (M + m * s_ * s_), a_x = -M * A / m, a_y = -incline * (A - a_x), height = 0.5;
    const double t = sqrt(2 * height / -a_y), e[] = {0, 0};
    scene s = {.mass = {3, 1, 1}, .forces = block_falls, .gaps = face_and_floor};
    s.thing.p0[1] = height / incline, s.thing.p0[2] = height;
    set_scene(&s, 3, 2, 0);
    s.contacts.restitution = e;
    flight f = fly_as_ever(&s.model);
    assert_int_equal(go(&f, t / 2), RESIDA_OK);
    NEARLY(state_of(&f).v[0], A * t / 2, NEAR);
    NEARLY(state_of(&f).lam[0], -M * A / s_, 1e-5);
    NEARLY(when(&f, 1, RESIDA_CONTACT_CLOSES), t, NEAR);
    /* The floor stops it, the wedge is struck with it: P of the floor alone is along y, and the face would close with
     * incline (A - a_x) t unless it pushes; both speeds after it fulfil v_y = 0 and the speed of the face >= 0. */
    NEARLY(state_of(&f).v[2], 0, NEAR);
    NEARLY(state_of(&f).p[2], 0, NEAR);
    NEARLY(M * state_of(&f).v[0] + m * state_of(&f).v[1], 0, 10 * NEAR);
    const double X = state_of(&f).v[0], x = state_of(&f).v[1];
    assert_int_equal(go(&f, t + 1), RESIDA_OK);
    NEARLY(state_of(&f).v[0], X, NEAR);
    NEARLY(state_of(&f).v[1], x, NEAR);
    NEARLY(X, A * t, 10 * NEAR);
    NEARLY(x, a_x * t, 10 * NEAR);
}

/* --- A mass on a floor, drawn by a force -L (0.5 + cos t) --- */

static double drawn_length;

static void floor_gap(double t, const double *p, double *out)
{
    out[0] = p[0];
}

static void drawn(double t, const double *p, const double *v, double *f)
{
    f[0] = -drawn_length * (0.5 + cos(t));
}

/* Opens where the force is zero, at 2 pi/3, and returns where its height over the length L is zero again. The results
 * do not depend on L: neither the time nor the speed has an error of a length. */
CLAIM(a_mass_returns_to_the_floor_within_its_tolerances_at_any_length)
{
    const double off = acos(-0.5), lengths[] = {1, 1e-3, 1e-6};
    double below = off + 1, above = off + 6;
    for (int k = 0; k < 60; k++) {
        const double t = (below + above) / 2, d = t - off;
        *(cos(t) - cos(off) + sin(off) * d - d * d / 4 > 0 ? &below : &above) = t;
    }
    for (int k = 0; k < 3; k++)
        for (int tight = 0; tight < 2; tight++) {
            const double rtol = tight ? 1e-10 : 1e-7;
            scene s = {.mass = {1}, .forces = drawn, .gaps = floor_gap};
            drawn_length = lengths[k];
            set_scene(&s, 1, 1, 1);
            s.model.rtol = rtol, s.model.atol = rtol * lengths[k];
            flight f = fly_as_ever(&s.model);
            NEARLY(when(&f, 0, RESIDA_CONTACT_OPENS), off, 100 * rtol);
            NEARLY(when(&f, 0, RESIDA_CONTACT_REBOUNDS), below, 20 * rtol);
            const double speed = sin(below) - sin(off) + (below - off) / 2;
            NEARLY(state_of(&f).v[0] / lengths[k], speed, 20 * rtol);
        }
}

/* --- A ball that falls on floors that vibrate --- */

static double floor_amplitude, floor_pace;

static void vibrating(double t, const double *p, double *out)
{
    out[0] = p[1] - floor_amplitude * sin(floor_pace * t);
}

static void plane_weight(double t, const double *p, const double *v, double *f)
{
    f[0] = 0, f[1] = -2 * G;
}

static void along_x(const double *p, double *rows)
{
    rows[0] = 1;
}

/* The time at which the height 1 - G t^2/2 is that of the floor, by bisection from the last time t_0 before it. */
static double meet_floor(double t_0)
{
    double below = t_0, above = t_0 + 0.01;
    for (int k = 0; k < 60; k++) {
        const double t = (below + above) / 2, gap = 1 - G * t * t / 2 - floor_amplitude * sin(floor_pace * t);
        *(gap > 0 ? &below : &above) = t;
    }
    return below;
}

/* The model gives neither dg/dp nor the rate of the gap. In the frame of the floor the ball rebounds with e times its
 * speed; the floor may do work. Friction does not act, because the ball does not slide. */
CLAIM(a_ball_rebounds_from_a_floor_that_vibrates)
{
    const double e[] = {1, 0.5};
    for (int i = 0; i < 40; i++) {
        scene s = {.mass = {2, 2}, .forces = plane_weight, .gaps = vibrating, .thing.p0 = {0, 1}};
        s.sliding = i % 2 ? along_x : NULL, s.mu[0] = i % 4 == 3 ? 0.3 : 0;
        s.contacts.law = i % 3 ? RESIDA_IMPACT_POISSON : RESIDA_IMPACT_NEWTON;
        floor_pace = 2 + 0.31 * i, floor_amplitude = 0.05 + 0.008 * ((7 * i) % 20);
        set_scene(&s, 2, 1, e[i % 2]);
        double t = 0;
        while (1 - G * t * t / 2 - floor_amplitude * sin(floor_pace * t) > 0) t += 0.01;
        t = meet_floor(t - 0.01);
        flight f = fly_as_ever(&s.model);
        const double speed = floor_amplitude * floor_pace * cos(floor_pace * t);
        NEARLY(when(&f, 0, RESIDA_CONTACT_REBOUNDS), t, NEAR);
        NEARLY(state_of(&f).v[1], speed + e[i % 2] * (speed + G * t), 10 * NEAR);
    }
}
