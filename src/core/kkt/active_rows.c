/* active_rows.c - see active_rows.h. The time of the next check is extrapolated from the margins at the last two
 * checks. Until the next check, the predicted margin decreases by at most a quarter of its distance to MIN_MARGIN. */
#include "active_rows.h"

#include "base/linear/dense.h"

#include <math.h>
#include <string.h>

#define MIN_MARGIN         0.4  /* margin of the active rows below which they are chosen again */
#define MARGIN_PART        0.25 /* maximum relative decrease of margin - MIN_MARGIN until the next check */
#define MAX_STEPS          3.0  /* maximum time until the next check, in steps */
#define FADING_STEPS       10.0 /* duration of the decay of a multiplier that becomes inactive, in steps */
#define MAX_LISTED_CHANGES 8    /* maximum number of changes of rows in the message */
#define DEPENDENCE_TOL     1e-5 /* maximum residual of a dropped row, relative to its norm and to 1 + |p| or 1 + |v| */
#define OTHERS_FACTOR      100  /* this maximum grows by OTHERS_FACTOR times the largest residual of an active row */
#define FORCE_CHANGE       1e-6 /* minimum relative change of forces that shows a dependence on lam */
#define MIN_ROW            1e-6 /* norm of a row, relative to max |G_ij|, below which the row is a rounding error */
#define LISTED_PART        1e-6 /* minimum component of a change of lam in a message, relative to the largest one */

/* Append the names of the dropped rows to c->dropped_text, as in "joint y2, joint z4". */
static void append_dropped_names(rsd_active_rows *c)
{
    const rsd_mechanism *k = c->kkt->k;
    char name[RSD_ROW_NAME];
    for (int i = 0, listed = 0; i < k->n_l; i++)
        if (k->dropped[i] && !k->open[i])
            rsd_message_append(&c->dropped_text, "%s%s", listed++ ? ", " : "", rsd_row_name(k, i, name, sizeof name));
}

static void append_change_of_rows(rsd_active_rows *c, double t)
{
    const long listed = c->changes - c->changes_before;
    if (listed > MAX_LISTED_CHANGES) return;
    rsd_message_append(&c->dropped_text,
                       listed < MAX_LISTED_CHANGES ? "; from t = %.6g on " : "; others from t = %.6g on", t);
    if (listed < MAX_LISTED_CHANGES) append_dropped_names(c);
}

void rsd_active_rows_begin(rsd_active_rows *c, rsd_kkt *kkt, rsd_rank *rank, double accuracy, double t)
{
    rsd_mechanism *k = kkt->k;
    *c = (rsd_active_rows){.rank = rank,
                           .accuracy = accuracy,
                           .t_step = t,
                           .t_checked = t,
                           .margin = NAN,
                           .t_next = t,
                           .checks = c->checks,
                           .changes = c->changes,
                           .changes_before = c->changes};
    memset(k->fading.lam, 0, (size_t)k->n_l * sizeof *k->fading.lam);
    for (int i = 0; i < k->n_l; i++) c->n_dropped += k->dropped[i] && !k->open[i];
    if (c->n_dropped == 0) return;
    c->kkt = kkt;
    append_dropped_names(c);
}

/* Return the maximum of 1/norm of a row of G that does not consist of rounding errors. */
static double get_max_scale(const rsd_active_rows *c)
{
    return 1 / (fmax(MIN_ROW, c->accuracy) * rsd_kkt_get_max_entry(c->kkt));
}

/* List the active rows and compute their margin at (t, p). Return as rsd_kkt_eval_rows(). */
static int compute_active_margin(rsd_active_rows *c, double t, const double *p, double *margin)
{
    const rsd_mechanism *k = c->kkt->k;
    c->kkt->n_rows = 0;
    for (int i = 0; i < k->n_l; i++)
        if (!k->dropped[i]) c->kkt->rows[c->kkt->n_rows++] = i;
    const int verdict = rsd_kkt_eval_rows(c->kkt, t, p);
    return verdict ? verdict : rsd_kkt_compute_margin(c->kkt, get_max_scale(c), margin);
}

/* Choose the active rows again by QR with pivoting. Return 1 if the choice has changed, 0 if it is the same or G has
 * lost rank, < 0 if there is no memory. */
static int choose_active_rows(rsd_active_rows *c)
{
    rsd_mechanism *k = c->kkt->k;
    const double max = get_max_scale(c);
    int changed = 0, n_active = 0;
    for (int i = 0; i < k->n_l; i++) n_active += !k->dropped[i];
    if (rsd_rank_allocate_Q(c->rank, &k->owner.from, NULL) < 0) return RESIDA_ERR_MEMORY;
    rsd_kkt_write_full_rows(c->kkt, c->rank->Q);
    for (int i = 0; i < k->n_l; i++)
        if (k->dropped[i] && rsd_kkt_get_row_scale(c->kkt, i) > max)
            memset(c->rank->Q + (long)i * k->m.n_v, 0, (size_t)k->m.n_v * sizeof(double));
    const int has_rank = rsd_rank_sort_rows(c->rank, c->rank->Q, n_active);
    for (int q = 0; q < k->n_l && has_rank; q++) changed |= k->dropped[c->rank->perm[q]] != (q >= n_active);
    for (int q = 0; q < k->n_l && changed; q++) k->dropped[c->rank->perm[q]] = q >= n_active;
    return changed;
}

/* Begin the decay of the multipliers of dropped rows from at->lam, over FADING_STEPS steps of size h. */
static void begin_decay(rsd_active_rows *c, const rsd_active_rows_state *at, double h)
{
    rsd_mechanism *k = c->kkt->k;
    for (int i = 0; i < k->n_l; i++) k->fading.lam[i] = k->dropped[i] && at->lam ? at->lam[i] : 0;
    k->fading.t = at->t;
    k->fading.time = FADING_STEPS * h;
}

/* Store the margin at t, and set the time of the next check from its rate of change. h is the last step size. */
static void set_next_check_time(rsd_active_rows *c, double t, double h, double margin)
{
    double slope = (margin - c->margin) / (t - c->t_checked), ahead = MAX_STEPS * h;
    if (isnan(c->margin))
        ahead = 0;
    else if (slope < 0)
        ahead = fmin(ahead, MARGIN_PART * fmax(margin - MIN_MARGIN, 0) / -slope);
    c->t_next = t + ahead;
    c->t_checked = t;
    c->checks++;
    c->margin = margin;
}

/* Check that the dropped rows first .. end - 1 are satisfied as accurately as the active rows. x [n_l] are the
 * residuals of the rows. size is 1 + the norm of p or v, on which x depends. Return 0 or RESIDA_ERR_REDUNDANT. */
static int check_residuals_of_rows(const rsd_active_rows *c, const rsd_active_rows_state *at, int first, int end,
                                   const double *x, double size, resida_message *why)
{
    const rsd_mechanism *k = c->kkt->k;
    const double largest = 1 / rsd_kkt_get_max_entry(c->kkt), max = c->accuracy > 0 ? largest : get_max_scale(c);
    const double follows = fmax(DEPENDENCE_TOL, c->accuracy) * size;
    double off = 0;
    char name[RSD_ROW_NAME];
    for (int i = first; i < end; i++)
        if (!k->dropped[i]) off = fmax(off, fabs(x[i]) * rsd_kkt_get_row_scale(c->kkt, i));
    for (int i = first; i < end; i++)
        if (k->dropped[i] && !k->open[i] &&
            fabs(x[i]) * fmin(rsd_kkt_get_row_scale(c->kkt, i), max) > follows + OTHERS_FACTOR * off)
            return rsd_fail(why, RESIDA_ERR_REDUNDANT,
                            "%s: constraint %s was dropped as redundant, but no longer depends on the others at t = "
                            "%.9g: it is violated by %g, the others by %g",
                            k->m.name, rsd_row_name(k, i, name, sizeof name), at->t, x[i], off);
    return 0;
}

/* Check all dropped rows: position constraints by g, nonholonomic constraints by Gh v + gh. */
static int check_dropped_rows(rsd_active_rows *c, const rsd_active_rows_state *at, resida_message *why)
{
    rsd_mechanism *k = c->kkt->k;
    double *x = c->kkt->rhs + c->kkt->n_v;
    int n_g = k->m.n_g, verdict = n_g > 0 ? rsd_eval_constraint(k, at->t, at->p, x) : 0;
    if (!verdict) verdict = check_residuals_of_rows(c, at, 0, n_g, x, 1 + rsd_max_norm(at->p, k->m.n_p), why);
    if (verdict || k->m.n_h == 0) return verdict;
    verdict = rsd_eval_velocity_level(k, at->t, at->p, at->v, x);
    return verdict ? verdict : check_residuals_of_rows(c, at, n_g, k->n_l, x, 1 + rsd_max_norm(at->v, k->m.n_v), why);
}

/* Write to c->shared_text that a change x [n_l] of lam with G' x = 0 has changed the forces, and its constraints. */
static void describe_lam_change(rsd_active_rows *c, double t, const double *x)
{
    const rsd_mechanism *k = c->kkt->k;
    const double min = LISTED_PART * rsd_max_norm(x, k->n_l);
    char name[RSD_ROW_NAME];
    rsd_message_append(&c->shared_text, "%s: at t = %.6g forces depend on the distribution of constraint forces among",
                       rsd_formalism_name(k), t);
    for (int i = 0, listed = 0; i < k->n_l; i++)
        if (fabs(x[i]) > min)
            rsd_message_append(&c->shared_text, "%s %s", listed++ ? "," : "", rsd_row_name(k, i, name, sizeof name));
    rsd_message_append(&c->shared_text, ", which are redundant: the motion depends on which of them is dropped");
}

/* Check whether forces depend on individual multipliers. Compare forces at lam and lam + x, for a basis of solutions of
 * G' x = 0. The sign of x alternates from check to check, because a force may depend on one sign only. */
static int check_forces(rsd_active_rows *c, const rsd_active_rows_state *at)
{
    rsd_kkt *q = c->kkt;
    rsd_mechanism *k = q->k;
    double *forces = q->psi, *x = k->work.bias, *out = k->work.out;
    if (!k->uses_lam || !at->lam || c->shared_text.text[0]) return 0;
    if (rsd_rank_allocate_Q(c->rank, &k->owner.from, NULL) < 0) return RESIDA_ERR_MEMORY;
    rsd_kkt_write_full_rows(q, c->rank->Q);
    const int has_rank = rsd_rank_sort_rows(c->rank, c->rank->Q, c->rank->rank);
    int verdict = rsd_kkt_eval_at_rest(q, at->t, at->p, at->v, at->lam);
    memcpy(forces, out, (size_t)k->m.n_v * sizeof *forces);
    const double size = (c->checks % 2 ? -1 : 1) * rsd_max_norm(at->lam, k->n_l);
    for (int r = 0; r < c->n_dropped && has_rank && !verdict && !c->shared_text.text[0]; r++) {
        rsd_rank_compute_null_vector(c->rank, r, x);
        const double s = size / rsd_max_norm(x, k->n_l);
        for (int i = 0; i < k->n_l; i++) q->moved[i] = at->lam[i] + s * x[i];
        verdict = rsd_kkt_eval_at_rest(q, at->t, at->p, at->v, q->moved);
        const double min = FORCE_CHANGE * rsd_max_norm(forces, k->m.n_v);
        for (int i = 0; i < k->m.n_v && !verdict && !c->shared_text.text[0]; i++)
            if (fabs(out[i] - forces[i]) > min) describe_lam_change(c, at->t, x);
    }
    return verdict;
}

int rsd_active_rows_update(rsd_active_rows *c, double t, const double *p, int *changed)
{
    double margin = 0;
    *changed = 0;
    if (!c->kkt) return 0;
    int verdict = compute_active_margin(c, t, p, &margin);
    if (verdict || margin >= MIN_MARGIN) return verdict;
    if ((verdict = choose_active_rows(c)) <= 0) return verdict;
    *changed = 1;
    rsd_message_append(&c->dropped_text, "; then ");
    append_dropped_names(c);
    return 0;
}

int rsd_active_rows_check_step(rsd_active_rows *c, const rsd_active_rows_state *at, int *changed, resida_message *why)
{
    const double h = at->t - c->t_step;
    *changed = 0;
    if (!c->kkt || !(h > 0)) return 0;
    c->t_step = at->t;
    if (at->t < c->t_next) return 0;
    double margin = 0;
    int verdict = compute_active_margin(c, at->t, at->p, &margin);
    if (verdict) return verdict;
    if ((verdict = check_dropped_rows(c, at, why))) return verdict;
    if ((verdict = check_forces(c, at))) return verdict;
    set_next_check_time(c, at->t, h, margin);
    if (margin >= MIN_MARGIN) return 0;
    if ((verdict = choose_active_rows(c)) <= 0) return verdict;
    begin_decay(c, at, h);
    c->margin = NAN;
    c->t_next = at->t;
    c->changes++;
    append_change_of_rows(c, at->t);
    *changed = 1;
    return 0;
}
