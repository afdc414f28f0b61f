/* choice.c - see choice.h. The rows are looked at often enough that the room, going on as between the last two looks,
 * would not be used up by a quarter until the next one. */
#include "choice.h"

#include "kkt_backend.h"
#include "src/linear/dense.h"

#include <math.h>
#include <string.h>

#define LEAST_ROOM    0.4  /* below it, the rows are chosen anew */
#define PART_OF_WAY   0.25 /* to the least room, until the next look */
#define STEPS_TO_LOOK 3.0  /* until then */
#define FADING_STEPS  10.0 /* in which the multipliers of a row that is dropped on the way go to zero */
#define MOST_TOLD     8    /* changes that are told one by one */
#define FOLLOWS       1e-5 /* what a dropped row may be off besides what comes from the others, over its norm: ... */
#define TIMES_OTHERS  100  /* ... so many times that */
#define CHANGES       1e-6 /* of the forces: by more they depend on a change of lam */
#define SHARES        1e-6 /* of the largest component of that change */

/* "joint y2, joint z4" */
static void tell(rsd_choice *c)
{
    const rsd_mechanism *k = c->kkt->k;
    char name[RSD_ROW_NAME];
    for (int i = 0, told = 0; i < k->n_l; i++)
        if (k->dropped[i])
            rsd_message_append(&c->story, "%s%s", told++ ? ", " : "", rsd_row_name(k, i, name, sizeof name));
}

static void tell_change(rsd_choice *c, double t)
{
    const long told = c->changes - c->changes_before;
    if (told > MOST_TOLD) return;
    rsd_message_append(&c->story, told < MOST_TOLD ? "; from t = %.6g on " : "; from t = %.6g on others", t);
    if (told < MOST_TOLD) tell(c);
}

void rsd_choice_begin(rsd_choice *c, rsd_kkt *kkt, rsd_rank *rank, double t)
{
    rsd_mechanism *k = kkt->k;
    *c = (rsd_choice){.rank = rank,
                      .t_step = t,
                      .t_seen = t,
                      .room = NAN,
                      .next = t,
                      .looks = c->looks,
                      .changes = c->changes,
                      .changes_before = c->changes};
    memset(k->fading.lam, 0, (size_t)k->n_l * sizeof *k->fading.lam);
    for (int i = 0; i < k->n_l; i++) c->n_dropped += k->dropped[i];
    if (c->n_dropped == 0) return;
    c->kkt = kkt;
    tell(c);
}

/* The rows that are kept become those that the system lists. */
static void list_kept(rsd_choice *c)
{
    const rsd_mechanism *k = c->kkt->k;
    c->kkt->n_rows = 0;
    for (int i = 0; i < k->n_l; i++)
        if (!k->dropped[i]) c->kkt->rows[c->kkt->n_rows++] = i;
}

/* The rows chosen anew. 0: there is no better choice, as G itself has lost rank, or it is the one at hand; < 0 no
 * memory */
static int choose(rsd_choice *c)
{
    rsd_mechanism *k = c->kkt->k;
    const int kept = k->n_l - c->n_dropped;
    int changed = 0;
    if (rsd_rank_reserve(c->rank, &k->owner.from, NULL) < 0) return RESIDA_ERR_MEMORY;
    rsd_kkt_full_rows(c->kkt, c->rank->Q);
    int has_rank = rsd_rank_order(c->rank, c->rank->Q, kept);
    for (int q = 0; q < k->n_l && has_rank; q++) changed |= k->dropped[c->rank->perm[q]] != (q >= kept);
    for (int q = 0; q < k->n_l && changed; q++) k->dropped[c->rank->perm[q]] = q >= kept;
    if (!rsd_kkt_is_full(c->kkt)) rsd_rank_shrink(c->rank, &k->owner.from);
    return changed;
}

/* From now on the multipliers of dropped rows fade from what they are. */
static void fade(rsd_choice *c, const rsd_choice_state *at, double h)
{
    rsd_mechanism *k = c->kkt->k;
    for (int i = 0; i < k->n_l; i++) k->fading.lam[i] = k->dropped[i] && at->lam ? at->lam[i] : 0;
    k->fading.t = at->t;
    k->fading.time = FADING_STEPS * h;
}

/* When to look again. */
static void plan(rsd_choice *c, double t, double h, double room)
{
    double slope = (room - c->room) / (t - c->t_seen), ahead = STEPS_TO_LOOK * h;
    if (isnan(c->room))
        ahead = 0;
    else if (slope < 0)
        ahead = fmin(ahead, PART_OF_WAY * fmax(room - LEAST_ROOM, 0) / -slope);
    c->next = t + ahead;
    c->t_seen = t;
    c->looks++;
    c->room = room;
}

/* Of the rows first .. end - 1 with the values x: do the dropped ones hold as well as those from which they follow?
 * size: of what x is a function of. */
static int check_rows(const rsd_choice *c, const rsd_choice_state *at, int first, int end, const double *x, double size,
                      resida_message *why)
{
    const rsd_mechanism *k = c->kkt->k;
    double off = 0;
    char name[RSD_ROW_NAME];
    for (int i = first; i < end; i++)
        if (!k->dropped[i]) off = fmax(off, fabs(x[i]) * rsd_kkt_scale_of(c->kkt, i));
    for (int i = first; i < end; i++)
        if (k->dropped[i] && fabs(x[i]) * rsd_kkt_scale_of(c->kkt, i) > FOLLOWS * size + TIMES_OTHERS * off)
            return rsd_fail(
                why, RESIDA_ERR_REDUNDANT,
                "%s: constraint %s was dropped as redundant, but does not follow from the others any more at t = "
                "%.9g: it is off by %g, they by %g",
                k->m.name, rsd_row_name(k, i, name, sizeof name), at->t, x[i], off);
    return 0;
}

/* Position constraints by their values, as their rates may drift; nonholonomic ones have rates alone. */
static int check_dropped(rsd_choice *c, const rsd_choice_state *at, resida_message *why)
{
    rsd_mechanism *k = c->kkt->k;
    double *x = c->kkt->rhs + c->kkt->n_v;
    int n_g = k->m.n_g, verdict = n_g > 0 ? rsd_eval_constraint(k, at->t, at->p, x) : 0;
    if (!verdict) verdict = check_rows(c, at, 0, n_g, x, 1 + rsd_max_norm(at->p, k->m.n_p), why);
    if (verdict || k->m.n_h == 0) return verdict;
    verdict = rsd_eval_velocity_level(k, at->t, at->p, at->v, x);
    return verdict ? verdict : check_rows(c, at, n_g, k->n_l, x, 1 + rsd_max_norm(at->v, k->m.n_v), why);
}

/* The rows of a change x of lam with G' x = 0 are those whose multipliers the forces depend on. */
static void tell_shared(rsd_choice *c, double t, const double *x)
{
    const rsd_mechanism *k = c->kkt->k;
    const double least = SHARES * rsd_max_norm(x, k->n_l);
    char name[RSD_ROW_NAME];
    rsd_message_append(&c->shared, "%s: at t = %.6g forces depend on how constraint forces are shared among",
                       rsd_formalism_name(k), t);
    for (int i = 0, told = 0; i < k->n_l; i++)
        if (fabs(x[i]) > least)
            rsd_message_append(&c->shared, "%s %s", told++ ? "," : "", rsd_row_name(k, i, name, sizeof name));
    rsd_message_append(&c->shared, ", which are redundant: the motion depends on which of them is dropped");
}

/* Forces at lam + x beside those at lam, for each x that leaves G' lam as it is; one sign at a look, the other at the
 * next, as forces may be one-sided. */
static int check_forces(rsd_choice *c, const rsd_choice_state *at)
{
    rsd_kkt *q = c->kkt;
    rsd_mechanism *k = q->k;
    double *forces = q->psi, *x = k->work.bias, *out = k->work.out;
    if (!k->uses_lam || !at->lam || c->shared.text[0]) return 0;
    if (rsd_rank_reserve(c->rank, &k->owner.from, NULL) < 0) return RESIDA_ERR_MEMORY;
    rsd_kkt_full_rows(q, c->rank->Q);
    const int has_rank = rsd_rank_order(c->rank, c->rank->Q, c->rank->rank);
    int verdict = rsd_kkt_at_rest(q, at->t, at->p, at->v, at->lam);
    memcpy(forces, out, (size_t)k->m.n_v * sizeof *forces);
    const double size = (c->looks % 2 ? -1 : 1) * rsd_max_norm(at->lam, k->n_l);
    for (int r = 0; r < c->n_dropped && has_rank && !verdict && !c->shared.text[0]; r++) {
        rsd_rank_null(c->rank, r, x);
        const double s = size / rsd_max_norm(x, k->n_l);
        for (int i = 0; i < k->n_l; i++) q->moved[i] = at->lam[i] + s * x[i];
        verdict = rsd_kkt_at_rest(q, at->t, at->p, at->v, q->moved);
        const double least = CHANGES * rsd_max_norm(forces, k->m.n_v);
        for (int i = 0; i < k->m.n_v && !verdict && !c->shared.text[0]; i++)
            if (fabs(out[i] - forces[i]) > least) tell_shared(c, at->t, x);
    }
    if (!rsd_kkt_is_full(q)) rsd_rank_shrink(c->rank, &k->owner.from);
    return verdict;
}

int rsd_choice_renew(rsd_choice *c, double t, const double *p, int *changed)
{
    double room = 0;
    *changed = 0;
    if (!c->kkt) return 0;
    list_kept(c);
    int verdict = rsd_kkt_rows(c->kkt, t, p);
    if (!verdict) verdict = rsd_kkt_room(c->kkt, &room);
    if (verdict || room >= LEAST_ROOM) return verdict;
    if ((verdict = choose(c)) <= 0) return verdict;
    *changed = 1;
    rsd_message_append(&c->story, "; then ");
    tell(c);
    return 0;
}

int rsd_choice_follow(rsd_choice *c, const rsd_choice_state *at, int *changed, resida_message *why)
{
    const double h = at->t - c->t_step;
    *changed = 0;
    if (!c->kkt || !(h > 0)) return 0;
    c->t_step = at->t;
    if (at->t < c->next) return 0;
    list_kept(c);
    int verdict = rsd_kkt_rows(c->kkt, at->t, at->p);
    if (verdict) return verdict;
    double room = 0;
    if ((verdict = rsd_kkt_room(c->kkt, &room))) return verdict;
    if ((verdict = check_dropped(c, at, why))) return verdict;
    if ((verdict = check_forces(c, at))) return verdict;
    plan(c, at->t, h, room);
    if (room >= LEAST_ROOM) return 0;
    if ((verdict = choose(c)) <= 0) return verdict;
    fade(c, at, h);
    c->room = NAN;
    c->next = at->t;
    c->changes++;
    tell_change(c, at->t);
    *changed = 1;
    return 0;
}
