/* disc_face.c - see disc_face.h. e' and w are rows times v; the transposed rows times N and F are forces. */
#include "disc_face.h"

#include "benchmarks/multibody/beam/beam.h"

/** Coefficients of a scalar rate with respect to the velocities of the two nodes, [r, d1, d2, d3]. */
typedef struct row {
    mb_vec disc[4], face[4];
} row;

static mb_vec part(const double *p, int node, int which)
{
    const double *x = p + BM_P * node + 3 * which;
    return (mb_vec){x[0], x[1], x[2]};
}

static mb_vec between(const ct_disc_face *c, const double *p)
{
    return mb_sub(part(p, c->disc, 0), part(p, c->face, 0));
}

/* e' = -n . (r_disc' - r_face') - q . n' */
static row rate_row(const ct_disc_face *c, const double *p)
{
    const mb_vec n = part(p, c->face, 2), q = between(c, p);
    return (row){.disc = {mb_scale(-1, n)}, .face = {[0] = n, [2] = mb_scale(-1, q)}};
}

/* The contact is at -radius n from the disc's node, n = sum (n . D_k) D_k, and at a n + b d3 from the face's node. */
static row slip_row(const ct_disc_face *c, const double *p)
{
    const mb_vec n = part(p, c->face, 2), along = part(p, c->face, 3), q = between(c, p);
    row w = {.disc = {along}, .face = {mb_scale(-1, along)}};
    for (int k = 1; k < 4; k++) w.disc[k] = mb_scale(-c->radius * mb_dot(n, part(p, c->disc, k)), along);
    w.face[2] = mb_scale(c->radius - mb_dot(q, n), along);
    w.face[3] = mb_scale(-mb_dot(q, along), along);
    return w;
}

static double times(const ct_disc_face *c, const row *w, const double *v)
{
    double sum = 0;
    for (int k = 0; k < 4; k++)
        sum += mb_dot(w->disc[k], part(v, c->disc, k)) + mb_dot(w->face[k], part(v, c->face, k));
    return sum;
}

static void add(double *psi, int node, int which, double s, mb_vec x)
{
    double *out = psi + BM_P * node + 3 * which;
    out[0] += s * x.x, out[1] += s * x.y, out[2] += s * x.z;
}

static void push_along(const ct_disc_face *c, const row *w, double s, double *psi)
{
    for (int k = 0; k < 4; k++) {
        add(psi, c->disc, k, s, w->disc[k]);
        add(psi, c->face, k, s, w->face[k]);
    }
}

double ct_disc_face_penetration(const ct_disc_face *c, const double *p)
{
    return c->height + c->radius - mb_dot(between(c, p), part(p, c->face, 2));
}

ct_touch ct_disc_face_look(const ct_disc_face *c, const double *p, const double *v, const double *z)
{
    const row e = rate_row(c, p), w = slip_row(c, p);
    ct_touch t = {.e = ct_disc_face_penetration(c, p), .rate = times(c, &e, v), .slip = times(c, &w, v)};
    t.N = ct_normal_force(&c->normal, t.e, t.rate);
    ct_bristle_rate(&c->friction, 1, ct_closeness(&c->normal, t.e), &t.slip, z, &t.bristle);
    ct_friction_force(&c->friction, 1, t.N, &t.slip, z, &t.bristle, &t.F);
    return t;
}

void ct_disc_face_push(const ct_disc_face *c, const double *p, const ct_touch *touch, double s, double *out)
{
    const row e = rate_row(c, p), w = slip_row(c, p);
    push_along(c, &e, -s * touch->N, out);
    push_along(c, &w, s * touch->F, out);
}
