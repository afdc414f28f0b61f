/* contact_forces.c - which contacts that hold are closed (resida/contact.h), and their forces N, at a consistent state:
 *
 *     phi'' = D N + q,   0 <= N, phi'' >= 0, N' phi'' = 0,   q = n T a_0 + bias,   D_ij = n_i T x_j
 *
 * for those that touch and do not open, a_0 the accelerations without forces of contacts and x_j what a unit force
 * makes, as an impact has them (impact.c). Those that push are closed: they are independent, of each other and of the
 * joints. F. Pfeiffer, C. Glocker, Multibody Dynamics with Unilateral Contacts, 1996. */
#include "impact_impl.h"

#include "src/linear/dense.h"

#include <math.h>
#include <string.h>

#define FORCE_ROUNDING 1e-10 /* of the largest term of an acceleration: a smaller one is rounding */

/** Work of one decision. */
typedef struct decision {
    rsd_unilateral *held;
    rsd_impact x;
    resida_contacts c;
    int *of;                    /* [n] the contacts that the complementarity problem is for */
    double *rows, *gap, *speed; /* [n x n_p], [n_l], [n_l] */
    double *q, *size;           /* [n] accelerations of gaps without forces of contacts; largest terms */
} decision;

static resida_status reserve(decision *d, rsd_start *s, const resida_allocator *a)
{
    const long n = d->held->given.n, n_l = s->k->n_l;
    if (RSD_INTS(a, n, &d->of) && RSD_DOUBLES(a, n * s->k->m.n_p, &d->rows) && RSD_DOUBLES(a, n, &d->q, &d->size) &&
        RSD_DOUBLES(a, n_l, &d->gap, &d->speed))
        return RESIDA_OK;
    return rsd_fail(s->why, RESIDA_ERR_MEMORY, "no memory for the forces of %d contacts", (int)n);
}

static const char *name_of(const decision *d, int i, char *text, size_t size)
{
    return rsd_contact_name(&d->held->given, i, text, size);
}

/* The row of contact i. */
static void copy_row(const rsd_mechanism *k, int row, double *out)
{
    memset(out, 0, (size_t)k->m.n_p * sizeof *out);
    for (int e = k->gp.row[row]; e < k->gp.row[row + 1]; e++) out[k->gp.col[e]] = k->gp_values[e];
}

/* n_i T a_0 + bias, and the size of its terms, for contact i; its row is the last one of d->rows. */
static void find_acceleration(decision *d, rsd_start *s, int i)
{
    const int k = d->x.n, row = d->held->row[i];
    const double *n_i = d->rows + (long)k * s->k->m.n_p;
    double *given = d->x.rows + (long)k * s->k->m.n_v;
    rsd_impact_row(s->k, n_i, given);
    d->q[k] = -s->c[row];
    d->size[k] = fabs(s->c[row]);
    for (int j = 0; j < s->k->m.n_v; j++) {
        d->q[k] += given[j] * s->a[j];
        d->size[k] = fmax(d->size[k], fabs(given[j] * s->a[j]));
    }
}

/* A gap that is below 0 at a start where it was not closed before, or a speed that wants an impact. */
static resida_status refuse(const decision *d, const rsd_start *s, int i)
{
    char name[RSD_ROW_NAME];
    const int row = d->held->row[i];
    return rsd_fail(s->why, RESIDA_ERR_INCONSISTENT,
                    "%s: contact %.60s is closed by %.3g at t = %.9g, and closes with %.3g: no impact has come before",
                    s->k->m.name, name_of(d, i, name, sizeof name), -d->gap[row], s->t, -d->speed[row]);
}

/* Collect the contacts that touch and do not open. */
static resida_status collect(decision *d, rsd_start *s)
{
    const rsd_mechanism *k = s->k;
    const double length = RSD_START_FOLLOWS * (1 + rsd_finite_norm(s->p, k->m.n_p)),
                 pace = RSD_START_FOLLOWS * (1 + rsd_finite_norm(s->v, k->n_w));
    for (int i = 0; i < d->held->given.n; i++) {
        const int row = d->held->row[i], was_closed = d->held->closed[i];
        const double gap = d->gap[row], speed = d->speed[row], room = length + d->held->tolerance[i];
        const double margin = d->held->margin[i];
        d->held->closed[i] = 0;
        d->held->margin[i] = 0;
        if (!was_closed) d->held->most_force[i] = 0;
        if (!was_closed && gap > room) continue;
        copy_row(k, row, d->rows + (long)d->x.n * k->m.n_p);
        find_acceleration(d, s, i);
        const double slow = pace + sqrt(2 * d->held->tolerance[i] * fabs(d->q[d->x.n]));
        if (!was_closed && (gap < -2 * room - margin || speed < -slow)) return refuse(d, s, i);
        if (speed > slow) continue;
        d->held->margin[i] = room + fmax(0, -gap);
        d->of[d->x.n++] = i;
    }
    return RESIDA_OK;
}

/* No force stops a contact that the joints hold. */
static resida_status check_joints(const decision *d, const rsd_start *s)
{
    char name[RSD_ROW_NAME];
    for (int k = 0; k < d->x.n; k++)
        if (d->x.size[k] == 0 && d->q[k] < -RSD_START_FOLLOWS * d->size[k])
            return rsd_fail(s->why, RESIDA_ERR_REDUNDANT,
                            "%s: contact %.60s closes at t = %g, and its direction depends on the joints: no force "
                            "stops it",
                            s->k->m.name, name_of(d, d->of[k], name, sizeof name), s->t);
    return RESIDA_OK;
}

static resida_status solve(decision *d, rsd_start *s)
{
    char name[RSD_ROW_NAME];
    rsd_impact *x = &d->x;
    x->n_set = 0;
    if (x->n == 0) return RESIDA_OK;
    RSD_TRY(rsd_impact_units(x, s->v));
    memcpy(s->kkt.psi, x->base, (size_t)x->n_v * sizeof *x->base); /* the start goes on with Psi */
    RSD_TRY(check_joints(d, s));
    rsd_impact_scale(x);
    x->least = 0;
    for (int k = 0; k < x->n; k++) {
        x->q[k] = x->size[k] * d->q[k];
        x->least = fmax(x->least, FORCE_ROUNDING * x->size[k] * d->size[k]);
    }
    const int found = rsd_impact_complement(x);
    if (found > 0) return RESIDA_OK;
    return rsd_fail(s->why, found ? RESIDA_ERR_SINGULAR : RESIDA_ERR_INCONSISTENT,
                    found ? "%s: the forces of contacts at t = %g are decided by rounding, at %.60s first"
                          : "%s: no accelerations at t = %g are allowed by all contacts: %.60s is against the others",
                    s->k->m.name, s->t, name_of(d, d->of[x->culprit], name, sizeof name));
}

static double force_of(const decision *d, int k)
{
    return d->x.size[k] * d->x.P[k];
}

/* A contact whose force has fallen to zero opens also where it would push by less than the tolerance of its force: the
 * root was found in lam as it was integrated. 1: it was left out */
static int leave_weakest(decision *d)
{
    for (int r = 0; r < d->x.n_set; r++) {
        const int k = d->x.set[r];
        if (force_of(d, k) > d->held->least_force[d->of[k]]) continue;
        d->x.n--;
        memmove(d->of + k, d->of + k + 1, (size_t)(d->x.n - k) * sizeof *d->of);
        memmove(d->q + k, d->q + k + 1, (size_t)(d->x.n - k) * sizeof *d->q);
        memmove(d->size + k, d->size + k + 1, (size_t)(d->x.n - k) * sizeof *d->size);
        const long n_v = d->x.n_v;
        memmove(d->x.rows + k * n_v, d->x.rows + (k + 1) * n_v, (size_t)((d->x.n - k) * n_v) * sizeof *d->x.rows);
        return 1;
    }
    return 0;
}

static resida_status decide(decision *d, rsd_start *s, const resida_allocator *a)
{
    RSD_TRY(reserve(d, s, a));
    d->c.n = d->x.n = d->held->given.n;
    RSD_TRY(rsd_impact_reserve(&d->x, a, s->why));
    d->x.n = 0;
    RSD_TRY(rsd_start_verdict(s, rsd_eval_constraint(s->k, s->t, s->p, d->gap)));
    RSD_TRY(rsd_start_velocity_level(s, d->speed));
    RSD_TRY(rsd_start_acceleration(s));
    RSD_TRY(collect(d, s));
    do RSD_TRY(solve(d, s));
    while (leave_weakest(d));
    for (int i = 0; i < d->held->given.n; i++) d->held->least_force[i] = 0;
    for (int r = 0; r < d->x.n_set; r++) {
        const int k = d->x.set[r], i = d->of[k];
        d->held->closed[i] = 1;
        d->held->margin[i] = 0;
        d->held->most_force[i] = fmax(d->held->most_force[i], force_of(d, k));
    }
    return RESIDA_OK;
}

resida_status rsd_start_find_closed(rsd_start *s, int *n_closed)
{
    rsd_owner owner;
    const resida_allocator alloc = rsd_owned_by(&owner, &s->problem->alloc);
    decision d = {.held = &s->problem->contacts};
    d.x = (rsd_impact){.s = s, .c = &d.c, .n_v = s->k->m.n_v, .n_l = s->k->n_l};
    const resida_status status = decide(&d, s, &alloc);
    *n_closed = d.x.n_set;
    rsd_owner_free(&owner);
    return status;
}
