/* test_contacts_hold.c - contacts that stay closed while they push, against closed forms: a ball that comes to rest,
 * bodies that leave a ground which falls away or curves, rows of blocks, a table with more feet than it needs. */
#include <math.h>
#include <string.h>

#include "contacts_fixture.h"

/* A scene: masses of its coordinates, their forces, and gaps. */
typedef struct scene {
    thing thing;
    resida_model_contacts contacts;
    resida_model model;
    double mass[MOST];
    void (*forces)(double t, const double *p, const double *v, double *f);
    void (*gaps)(double t, const double *p, double *out);
} scene;

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *u, double *r,
                    void *user)
{
    const scene *s = user;
    double f[MOST] = {0};
    s->forces(t, p, v, f);
    for (int i = 0; i < s->model.mechanism.n_v; i++) r[i] = s->mass[i] * a[i] - f[i];
    return 0;
}

static int acceleration(double t, const double *p, const double *v, const double *f, const resida_excitation *u,
                        double *a, void *user)
{
    const scene *s = user;
    double applied[MOST] = {0};
    s->forces(t, p, v, applied);
    for (int i = 0; i < s->model.mechanism.n_v; i++) a[i] = (applied[i] + f[i]) / s->mass[i];
    return 0;
}

static int constraint(double t, const double *p, const resida_excitation *u, double *g, void *user)
{
    ((const scene *)user)->gaps(t, p, g);
    return 0;
}

static int root(double t, const double *p, const double *v, const resida_excitation *u, double *out, void *user)
{
    ((const scene *)user)->gaps(t, p, out);
    return 0;
}

static void set_scene(scene *s, int n, int n_contacts, double e)
{
    s->thing.e[0] = s->thing.e[1] = e;
    s->model = model_of(&s->thing, &s->contacts);
    s->contacts.n = n_contacts;
    s->contacts.holds = 1;
    s->contacts.names = NULL;
    resida_mechanism *m = &s->model.mechanism;
    m->n_p = m->n_v = n;
    m->n_g = m->n_root = n_contacts;
    m->residual = residual, m->acceleration = acceleration;
    m->constraint = constraint, m->root = root;
    m->user = s;
    s->model.rtol = s->model.atol = 1e-7;
}

#define NEAR (10 * 1e-7) /* ten times the tolerance, of numbers near 1 */

/* To the next event at which contact i does that; its time. */
static double when(flight *f, int i, resida_contact_change change)
{
    resida_happening what;
    resida_status status;
    while ((status = resida_run_advance(f->run, 100)) == RESIDA_EVENT) {
        assert_int_equal(resida_run_event(f->run, &what), RESIDA_OK);
        if (what.contacts && what.contacts[i] == change) return what.t;
    }
    fail_msg("no such event: %s", resida_solver_message(f->solver));
    return 0;
}

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
            land(&f);
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
    land(&f);
}
