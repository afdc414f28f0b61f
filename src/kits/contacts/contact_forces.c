/* contact_forces.c - decides which of the contacts with constraints (resida/contact.h) are closed, and computes their
 * forces N, at a consistent state:
 *
 *     phi'' = D N + q,   0 <= N, phi'' >= 0, N' phi'' = 0,   q = n T a_0 + bias,   D_ij = n_i T x_j
 *
 * for the contacts that touch and do not open. n_i is dphi_i/dp. a_0 are the accelerations without contact forces, x_j
 * those by a unit force at contact j, as for an impact (impact.c). With friction, forces along the rows of sliding are
 * also unknown, and the equations also contain the accelerations of sliding. Contacts that push are closed.
 * Without friction their rows are independent of each other and of the joints. F. Pfeiffer, C. Glocker, Multibody
 * Dynamics with Unilateral Contacts, 1996. */
#include "complementarity.h"
#include "impact_impl.h"
#include "base/linear/dense.h"

#include <math.h>
#include <string.h>

#define FORCE_ROUNDING 1e-10 /* rounding error of the acceleration of a row, relative to its largest term */

/** Work space for the forces of contacts that touch. */
typedef struct decision {
    rsd_unilateral *held;          /* contacts with constraints */
    const resida_allocator *alloc; /* allocator of the arrays */
    rsd_impact x;                  /* x.n rows: gaps of n contacts, then their sliding directions */
    resida_contacts c;             /* contacts of x; only their number is set */
    int n, n_touching, *of;        /* [n_touching] contacts that touch; the first n of them are in the problem */
    double *a;                     /* [n_v] accelerations with the current contact forces */
    double *row;                   /* [n_p] work space: derivative of a gap by p */
    double *gap, *speed, *bias;    /* [n_l] g; [n_l] velocity constraints; [n_l] acceleration biases */
    double *q, *size;     /* [2 n] accelerations of the rows without contact forces; [2 n] their largest terms */
    double *force;        /* [2 n] normal forces, then friction forces */
    int *state, *follows; /* [n] sliding states of contacts with a force, as in rsd_complementarity */
} decision;

static resida_status allocate_decision(decision *d, rsd_start *s)
{
    const long n = d->held->given.n, n_l = s->k->n_l;
    if (RSD_INTS(d->alloc, n, &d->of, &d->state, &d->follows) && RSD_DOUBLES(d->alloc, s->k->m.n_p, &d->row) &&
        RSD_DOUBLES(d->alloc, s->k->m.n_v, &d->a) && RSD_DOUBLES(d->alloc, 2 * n, &d->q, &d->size, &d->force) &&
        RSD_DOUBLES(d->alloc, n_l, &d->gap, &d->speed, &d->bias))
        return RESIDA_OK;
    return rsd_fail(s->why, RESIDA_ERR_MEMORY, "no memory for the forces of %d contacts", (int)n);
}

static const char *format_contact_name(const decision *d, int i, char *text, size_t size)
{
    return rsd_get_contact_name(&d->held->given, i, text, size);
}

/* Set row k of the problem to row r of the velocity constraints, and q_k to its acceleration with a [n_v]. */
static void set_problem_row(decision *d, const rsd_start *s, int r, int k, const double *a)
{
    const rsd_mechanism *mech = s->k;
    const int n_g = mech->m.n_g;
    double *out = d->x.rows + (long)k * mech->m.n_v;
    if (r < n_g) {
        memset(d->row, 0, (size_t)mech->m.n_p * sizeof *d->row);
        for (int e = mech->gp.row[r]; e < mech->gp.row[r + 1]; e++) d->row[mech->gp.col[e]] = mech->gp_values[e];
        rsd_impact_compute_row(mech, d->row, out);
    } else {
        memset(out, 0, (size_t)mech->m.n_v * sizeof *out);
        for (int e = mech->Gh.row[r - n_g]; e < mech->Gh.row[r - n_g + 1]; e++)
            out[mech->Gh.col[e]] = mech->Gh_values[e];
    }
    d->q[k] = d->bias[r];
    d->size[k] = fabs(d->bias[r]);
    for (int j = 0; j < mech->m.n_v; j++) {
        d->q[k] += out[j] * a[j];
        d->size[k] = fmax(d->size[k], fabs(out[j] * a[j]));
    }
}

static resida_status report_penetration(const decision *d, const rsd_start *s, int i)
{
    char name[RSD_ROW_NAME];
    return rsd_fail(s->why, RESIDA_ERR_INCONSISTENT,
                    "%s: contact %.60s penetrates by %.3g at t = %.9g, without an impact before", s->k->m.name,
                    format_contact_name(d, i, name, sizeof name), -d->gap[d->held->row[i]], s->t);
}

/* Return the maximum error of gap i, the sum of its tolerance and its rounding error. */
static double get_room(const decision *d, const rsd_start *s, int i)
{
    return d->held->tolerance[i] + rsd_start_get_rounding(s, d->held->row[i], s->p, s->v);
}

/* Return the rounding error of velocity constraint `row`. */
static double get_pace(const rsd_start *s, int row)
{
    return rsd_start_get_rounding(s, row, rsd_get_rate_of_p(s->k, s->v), s->v);
}

/* List the contacts that touch in d->of, and set their margins. Report an open contact that penetrates. */
static resida_status collect_touching(decision *d, const rsd_start *s)
{
    rsd_unilateral *held = d->held;
    for (int i = 0; i < held->given.n; i++) {
        const double gap = d->gap[held->row[i]], room = get_room(d, s, i), margin = held->margin[i];
        held->margin[i] = 0;
        if (!held->closed[i]) held->max_force[i] = 0;
        if (!held->closed[i] && gap > room) continue;
        if (!held->closed[i] && gap < -2 * room - margin) return report_penetration(d, s, i);
        held->margin[i] = fmax(0, -gap) + (held->closed[i] ? room : 0); /* it opens slowly */
        d->of[d->n_touching++] = i;
    }
    return RESIDA_OK;
}

/* Add to the problem the touching contacts that are slow: with the present acceleration they would rebound by less than
 * the tolerance of the gap. Other contacts open, or have an impact at once. Return 1 if a contact was added. */
static int add_slow_contacts(decision *d, const rsd_start *s)
{
    rsd_unilateral *held = d->held;
    const int n = d->n;
    for (int k = n; k < d->n_touching; k++) {
        const int i = d->of[k], row = held->row[i];
        set_problem_row(d, s, row, 0, d->a);
        const double speed = d->speed[row], pace = get_pace(s, row),
                     slow = pace + sqrt(2 * held->tolerance[i] * fabs(d->q[0]));
        if (speed > slow || (!held->closed[i] && speed < -slow)) continue;
        if (!held->closed[i]) held->margin[i] += get_room(d, s, i);
        d->of[k] = d->of[d->n];
        d->of[d->n++] = i;
        if (speed > pace) /* the start then projects v, and decides about contacts again */
            memset(d->bias + s->k->m.n_g, 0, (size_t)s->k->m.n_h * sizeof *d->bias);
    }
    return d->n > n;
}

/* Return the sign of the sliding speed of contact i, or 0 if the contact sticks or the direction of sliding depends on
 * the force. */
static int get_sliding_sign(const decision *d, const rsd_start *s, int i)
{
    const int row = d->held->row_t[i];
    const double speed = d->speed[row], slow = get_pace(s, row) + d->held->slide_tolerance[i];
    if (d->held->given.friction[i] == 0) return 1;
    return speed > slow ? 1 : speed < -slow ? -1 : 0;
}

/* Report a contact that closes although the joints prescribe its motion. */
static resida_status check_prescribed_motion(const decision *d, const rsd_start *s)
{
    char name[RSD_ROW_NAME];
    for (int k = 0; k < d->n; k++)
        if (d->x.size[k] == 0 && d->q[k] < -RSD_START_FOLLOWS * d->size[k])
            return rsd_fail(
                s->why, RESIDA_ERR_REDUNDANT,
                "%s: contact %.60s closes at t = %g, and the joints prescribe its motion: no force can stop it",
                s->k->m.name, format_contact_name(d, d->of[k], name, sizeof name), s->t);
    return RESIDA_OK;
}

/* Report a sliding contact whose friction is so large that N grows with the acceleration of its gap. The
 * complementarity problem then has two solutions, or no solution. */
static resida_status check_jamming(const decision *d, const rsd_start *s)
{
    const rsd_impact *x = &d->x;
    char name[RSD_ROW_NAME];
    for (int k = 0; k < d->n; k++) {
        const double mu = d->held->given.friction[d->of[k]],
                     own = x->D[(long)k * x->n + k] - d->state[k] * mu * x->D[(long)k * x->n + d->n + k];
        const int slips = get_sliding_sign(d, s, d->of[k]) != 0 || (d->force[k] > 0 && d->state[k] != 0);
        if (slips && !d->follows[k] && !(own > 0))
            return rsd_fail(
                s->why, RESIDA_ERR_INCONSISTENT,
                "%s: contact %.60s jams at t = %.9g: with its friction the accelerations are not determined",
                s->k->m.name, format_contact_name(d, d->of[k], name, sizeof name), s->t);
    }
    return RESIDA_OK;
}

static resida_status report_no_solution(const decision *d, const rsd_start *s, int by_rounding, int i)
{
    char name[RSD_ROW_NAME];
    return rsd_fail(s->why, by_rounding ? RESIDA_ERR_SINGULAR : RESIDA_ERR_INCONSISTENT,
                    by_rounding ? "%s: rounding errors determine the contact forces at t = %g, first at contact %.60s"
                                : "%s: no accelerations at t = %g satisfy all contacts: %.60s contradicts the others",
                    s->k->m.name, s->t, format_contact_name(d, i, name, sizeof name));
}

/* Solve the scaled problem for the contact forces and, with friction, the sliding states. Update d->a. */
static resida_status compute_forces(decision *d, rsd_start *s)
{
    rsd_impact *x = &d->x;
    const int n = d->n, has_friction = d->held->row_t != NULL;
    int found = 0;
    for (int k = 0; k < n && has_friction; k++) {
        const int i = d->of[k];
        d->state[k] = get_sliding_sign(d, s, i);
        x->z[k] = x->size[n + k] == 0 ? 0 : d->held->given.friction[i] * x->size[k] / x->size[n + k];
        if (d->state[k] == 0) x->z[k] *= 1 - d->held->loosened[i];
    }
    rsd_complementarity f = {.n = n,
                             .D = x->D_1,
                             .q = x->q,
                             .mu = has_friction ? x->z : NULL,
                             .slides = d->state,
                             .rounding = x->rounding,
                             .force = d->force,
                             .result = d->state,
                             .follows = d->follows};
    if (rsd_complementarity_solve(&f, d->alloc, &found) < 0)
        return rsd_fail(s->why, RESIDA_ERR_MEMORY, "no memory for the forces of %d contacts", n);
    if (found <= 0) return report_no_solution(d, s, found < 0, d->of[f.blocking_contact]);
    for (int k = 0; k < x->n; k++) {
        d->force[k] *= x->size[k];
        for (int j = 0; j < x->n_v; j++) d->a[j] += d->force[k] * x->x[(long)k * x->n_v + j];
    }
    return has_friction ? check_jamming(d, s) : RESIDA_OK;
}

/* Set up the problem of the first d->n contacts in d->of, and compute their forces and sliding states. */
static resida_status solve_collected(decision *d, rsd_start *s)
{
    rsd_impact *x = &d->x;
    const int n = d->n;
    x->n = d->held->row_t ? 2 * n : n;
    for (int k = 0; k < x->n; k++)
        set_problem_row(d, s, k < n ? d->held->row[d->of[k]] : d->held->row_t[d->of[k - n]], k, s->a);
    memcpy(d->a, s->a, (size_t)x->n_v * sizeof *d->a);
    if (n == 0) return RESIDA_OK;
    RSD_TRY(rsd_impact_solve_unit_impulses(x, s->v));
    for (int k = 0; k < x->n; k++) /* in free fall the terms of x'Psi cancel, and only rounding errors remain */
        for (int j = 0; j < x->n_v; j++) d->size[k] = fmax(d->size[k], fabs(x->x[(long)k * x->n_v + j] * x->base[j]));
    memcpy(s->kkt.psi, x->base, (size_t)x->n_v * sizeof *x->base); /* the start continues with Psi */
    RSD_TRY(check_prescribed_motion(d, s));
    rsd_impact_scale_matrix(x);
    x->rounding = 0;
    for (int k = 0; k < x->n; k++) {
        x->q[k] = x->size[k] * d->q[k];
        x->rounding = fmax(x->rounding, FORCE_ROUNDING * x->size[k] * d->size[k]);
    }
    return compute_forces(d, s);
}

/* Remove one contact with 0 < force <= min_force. The integrated force of such a contact has reached zero at an event.
 * Return 1 if a contact was removed, else 0. */
static int remove_weak_contact(decision *d)
{
    for (int k = 0; k < d->n; k++) {
        if (d->force[k] <= 0 || d->force[k] > d->held->min_force[d->of[k]]) continue;
        d->n--, d->n_touching--;
        memmove(d->of + k, d->of + k + 1, (size_t)(d->n_touching - k) * sizeof *d->of);
        return 1;
    }
    return 0;
}

/* Store the acceleration that a unit force along row k of the problem causes, as row `to` of held->moves. */
static void store_unit_acceleration(const decision *d, const rsd_start *s, int k, int to)
{
    const double *a = d->x.x + (long)k * d->x.n_v;
    double *move = d->held->moves + to * rsd_unilateral_get_width(s->k);
    if (s->problem->form->level == RSD_POSITION)
        rsd_apply_T(s->k, a, move);
    else
        memcpy(move, a, (size_t)d->x.n_v * sizeof *a);
}

static void close_contact(const decision *d, const rsd_start *s, int k)
{
    rsd_unilateral *held = d->held;
    const int i = d->of[k];
    held->closed[i] = held->row_t && d->follows[k] ? RSD_FOLLOWS : 1;
    held->margin[i] = 0;
    held->lam[held->row[i]] = -d->force[k];
    held->max_force[i] = fmax(held->max_force[i], d->force[k]);
    store_unit_acceleration(d, s, k, i);
    if (!held->row_t) return;
    store_unit_acceleration(d, s, d->n + k, held->given.n + i);
    held->slides[i] = d->state[k];
    held->slide_margin[i] = 0;
    if ((d->state[k] != 0 || d->follows[k]) && get_sliding_sign(d, s, i) == 0)
        held->slide_margin[i] = held->slide_tolerance[i] + fabs(d->speed[held->row_t[i]]);
}

static resida_status decide_contacts(decision *d, rsd_start *s)
{
    rsd_unilateral *held = d->held;
    RSD_TRY(allocate_decision(d, s));
    d->c.n = d->x.n = held->row_t ? 2 * held->given.n : held->given.n;
    RSD_TRY(rsd_impact_allocate(&d->x, d->alloc, s->why));
    RSD_TRY(rsd_start_convert_verdict(s, rsd_eval_constraint(s->k, s->t, s->p, d->gap)));
    RSD_TRY(rsd_start_eval_velocity_level(s, d->speed));
    RSD_TRY(rsd_start_solve_acceleration(s));
    for (int i = 0; i < s->k->n_l; i++) d->bias[i] = -s->c[i];
    RSD_TRY(collect_touching(d, s));
    do RSD_TRY(solve_collected(d, s));
    while (remove_weak_contact(d) || add_slow_contacts(d, s));
    memset(held->closed, 0, (size_t)held->given.n);
    for (int k = 0; k < d->n; k++)
        if (d->force[k] > 0) close_contact(d, s, k);
    return RESIDA_OK;
}

resida_status rsd_start_find_closed_contacts(rsd_start *s, int *n_closed)
{
    rsd_owner owner;
    const resida_allocator alloc = rsd_get_owned_allocator(&owner, &s->problem->alloc);
    decision d = {.held = &s->problem->contacts, .alloc = &alloc};
    d.x = (rsd_impact){.s = s, .c = &d.c, .n_v = s->k->m.n_v, .n_l = s->k->n_l};
    const resida_status status = decide_contacts(&d, s);
    *n_closed = 0;
    for (int i = 0; i < d.held->given.n; i++) *n_closed += d.held->closed[i];
    rsd_owner_free(&owner);
    return status;
}
