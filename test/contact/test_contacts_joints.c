/* test_contacts_joints.c - impacts of mechanisms with joints: a pendulum in all forms against the same in one angle,
 * redundant joints, two contacts at once. */
#include "contacts_fixture.h"
#include "test/fixtures/solver_fixture.h"

#define PI 3.14159265358979323846

/* --- A rod in a pin, that swings against a wall: x, y, angle with two constraints, and the angle alone --- */

static const double m_rod = 3, L = 2, J = 1, wall = 0.1;

static int rod(double t, const double *p, const double *v, const double *a, const resida_excitation *u, double *r,
               void *user)
{
    r[0] = m_rod * a[0];
    r[1] = m_rod * (a[1] + G);
    r[2] = J * a[2];
    return 0;
}

static int rod_a(double t, const double *p, const double *v, const double *f, const resida_excitation *u, double *a,
                 void *user)
{
    a[0] = f[0] / m_rod;
    a[1] = f[1] / m_rod - G;
    a[2] = f[2] / J;
    return 0;
}

/* The pin; and a third row that follows from these, where there is one. */
static int pin(double t, const double *p, const resida_excitation *u, double *g, void *user)
{
    g[0] = p[0] - L / 2 * sin(p[2]);
    g[1] = p[1] + L / 2 * cos(p[2]);
    if (((const thing *)user)->answers) g[2] = g[0] - 2 * g[1];
    return 0;
}

static int tip(double t, const double *p, const double *v, const resida_excitation *u, double *out, void *user)
{
    out[0] = p[0] + L / 2 * sin(p[2]) + wall;
    return 0;
}

static int swing(double t, const double *p, const double *v, const double *a, const resida_excitation *u, double *r,
                 void *user)
{
    r[0] = (J + m_rod * L * L / 4) * a[0] + m_rod * G * L / 2 * sin(p[0]);
    return 0;
}

static int swing_tip(double t, const double *p, const double *v, const resida_excitation *u, double *out, void *user)
{
    out[0] = L * sin(p[0]) + wall;
    return 0;
}

static resida_model pendulum(thing *b, resida_model_contacts *c, int in_angle)
{
    *b = (thing){.e = {0.7}, .p0 = {L / 2, 0, PI / 2}};
    if (in_angle) b->p0[0] = PI / 2;
    resida_model m = model_of(b, c);
    m.mechanism.n_p = m.mechanism.n_v = in_angle ? 1 : 3;
    m.mechanism.n_root = 1;
    m.mechanism.root = in_angle ? swing_tip : tip;
    m.mechanism.residual = in_angle ? swing : rod;
    if (!in_angle) m.mechanism.acceleration = rod_a, m.mechanism.n_g = 2, m.mechanism.constraint = pin;
    m.rtol = m.atol = 1e-8;
    return m;
}

CLAIM(a_pendulum_rebounds_in_every_form_as_in_one_angle)
{
    const double t_end = 3;
    thing b;
    resida_model_contacts c;
    resida_model m = pendulum(&b, &c, 1);
    flight f = fly_as_ever(&m);
    assert_int_equal(go(&f, t_end), RESIDA_OK);
    const double angle = state_of(&f).p[0], omega = state_of(&f).v[0];
    assert_true(test_stats(f.solver).restarts >= 2);
    const char *const forms[] = {"ggl", "index2", "index3", "projected2", "hiller-anantharaman"};
    for (int k = 0; k < 6; k++) {
        m = pendulum(&b, &c, 0);
        f = fly(&m, forms[k % 5], k == 5 ? RESIDA_FORMALISM_EXPLICIT : RESIDA_FORMALISM_RESIDUAL);
        const resida_status status = go(&f, t_end);
        if (status != RESIDA_OK) fail_msg("%s: %s", forms[k % 5], resida_solver_message(f.solver));
        NEARLY(state_of(&f).p[2], angle, k == 2 ? 1e-3 : 1e-4);
        NEARLY(state_of(&f).v[2], omega, k == 2 ? 1e-2 : 1e-3);
    }
}

CLAIM(redundant_joints_are_dropped_in_impacts_as_at_the_start)
{
    thing b;
    resida_model_contacts c;
    resida_start_options o = test_start_options();
    o.redundant = RESIDA_REDUNDANT_DROP;
    resida_model m = pendulum(&b, &c, 0);
    b.answers = 1;
    m.mechanism.n_g = 3;
    flight f = open_flight(&m, "ggl", RESIDA_FORMALISM_RESIDUAL);
    if (resida_run_start(f.run, &o, NULL) < 0) fail_msg("%s", resida_solver_message(f.solver));
    resida_happening what;
    assert_int_equal(resida_run_advance(f.run, 3), RESIDA_EVENT);
    assert_int_equal(resida_run_event(f.run, &what), RESIDA_OK);
    NEARLY(state_of(&f).v[2], -0.7 * what.yp[2], 1e-6);
    NEARLY(what.push[0], -(J + m_rod * L * L / 4) * 1.7 * what.yp[2] / (L * cos(what.y[2])), 1e-4);
}

/* --- A rod that falls flat on two supports, and between a floor and a ceiling --- */

static int falls(double t, const double *p, const double *v, const double *a, const resida_excitation *u, double *r,
                 void *user)
{
    r[0] = m_rod * (a[0] + G);
    r[1] = J * a[1];
    return 0;
}

static int both_ends(double t, const double *p, const double *v, const resida_excitation *u, double *out, void *user)
{
    out[0] = p[0] - L / 2 * sin(p[1]);
    out[1] = p[0] + L / 2 * sin(p[1]);
    return 0;
}

CLAIM(a_rod_that_falls_flat_stays_flat)
{
    for (int tilt = 0; tilt < 2; tilt++) {
        thing b = {.e = {0.5, 0.5}, .p0 = {1, tilt * 1e-9}};
        resida_model_contacts c;
        resida_happening what;
        resida_model m = model_of(&b, &c);
        c.n = 2;
        m.mechanism.n_p = m.mechanism.n_v = m.mechanism.n_root = 2;
        m.mechanism.residual = falls, m.mechanism.root = both_ends;
        flight f = fly_as_ever(&m);
        assert_int_equal(resida_run_advance(f.run, 1), RESIDA_EVENT);
        assert_int_equal(resida_run_event(f.run, &what), RESIDA_OK);
        NEARLY(what.push[0], m_rod * 1.5 * sqrt(2 * G) / 2, 1e-5);
        NEARLY(what.push[1], what.push[0], 1e-5);
        NEARLY(state_of(&f).v[0], 0.5 * sqrt(2 * G), 1e-6);
        NEARLY(state_of(&f).v[1], 0, 1e-6);
    }
}
