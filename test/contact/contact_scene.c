/* contact_scene.c - see contact_scene.h. */
#include "contact_scene.h"

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

static int sliding_matrix(double t, const double *p, const resida_excitation *u, double *Gh, void *user)
{
    const scene *s = user;
    for (int i = 0; i < s->contacts.n * s->model.mechanism.n_v; i++) Gh[i] = 0;
    s->sliding(p, Gh);
    return 0;
}

void set_scene(scene *s, int n, int n_contacts, double e)
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
    if (s->sliding) {
        m->n_h = n_contacts;
        m->nonholonomic_matrix = sliding_matrix;
        s->contacts.friction = s->mu;
    }
    s->model.rtol = s->model.atol = 1e-7;
}

double when(flight *f, int i, resida_contact_change change)
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

void block_corner(const double *p, int i, double *at)
{
    const double x = (i ? 1 : -1) * HALF_B, y = -HALF_H;
    at[0] = cos(p[2]) * x - sin(p[2]) * y;
    at[1] = sin(p[2]) * x + cos(p[2]) * y;
}

void block_gaps(double t, const double *p, double *out)
{
    double at[2];
    for (int i = 0; i < 2; i++) {
        block_corner(p, i, at);
        out[i] = p[1] + at[1];
    }
}

void block_slides(const double *p, double *rows)
{
    double at[2];
    for (int i = 0; i < 2; i++) {
        block_corner(p, i, at);
        rows[3 * i] = 1;
        rows[3 * i + 2] = -at[1];
    }
}
