/* together.c - differences of several groups at once, each thread with a user of its own to call F with.
 *
 * What comes out is what one thread would have found: every group is differenced from the same point by the same
 * operations. When F is not possible somewhere, the block is forgotten and made again one by one, with the other sides,
 * counters and verdicts of one thread. After a fatal verdict no call begins; those that other threads are in come to
 * their end, and count. */
#include "jacobian/engine_impl.h"

#include <string.h>

enum { AT_ONCE = 16 }; /* groups for each thread between two hand-overs */

typedef struct meeting {
    const rsd_task *t;
    int n;
    atomic_int next, ended;
} meeting;

static void take_part(int number, void *context)
{
    meeting *m = context;
    rsd_walkers *w = &m->t->j->walkers;
    rsd_lane *lane = &w->lanes[number];
    for (int k; !lane->verdict && (k = atomic_fetch_add(&m->next, 1)) < m->n;)
        lane->verdict = rsd_difference_group(m->t, lane, &w->changes[k], 0);
}

static void set_lanes(rsd_walkers *w, const rsd_task *t, atomic_int *ended)
{
    size_t bytes = (size_t)t->j->n * sizeof(double);
    for (int i = 0; i < w->n_lanes; i++) {
        rsd_lane *lane = &w->lanes[i];
        memcpy(lane->y, t->at->y, bytes);
        memcpy(lane->yp, t->at->yp, bytes);
        lane->calls = lane->verdict = 0;
        lane->ended = ended;
    }
}

int rsd_difference_together(const rsd_task *t, int n, int *done)
{
    const resida_system *s = &t->j->s;
    rsd_walkers *w = &t->j->walkers;
    int verdict = 0;
    long calls = 0;
    *done = 0;
    rsd_thrown thrown = {0, ""};
    if (s->begin_workers && !rsd_call_begin_workers(n * (w->central ? 2L : 1L), &thrown, s)) return 0;
    *done = thrown.is_new;
    if (thrown.is_new) return RESIDA_ERR_USER;
    meeting m = {.t = t, .n = n};
    atomic_init(&m.next, 0);
    atomic_init(&m.ended, 0);
    set_lanes(w, t, &m.ended);
    rsd_parallel(w->n_lanes < n ? w->n_lanes : n, take_part, &m);
    for (int i = 0; i < w->n_lanes; i++) {
        calls += w->lanes[i].calls;
        if (verdict >= 0 && w->lanes[i].verdict != 0) verdict = w->lanes[i].verdict;
    }
    int ended = s->end_workers ? rsd_call_end_workers(verdict, NULL, s) : 0;
    if (verdict > 0 && !ended) return 0;
    if (verdict >= 0) verdict = ended;
    t->j->counts.residual_calls += calls;
    *done = 1;
    return verdict;
}

static int reserve_lanes(resida_jacobian *j, rsd_walkers *w)
{
    w->lanes = rsd_calloc(&j->alloc, w->n_lanes, sizeof *w->lanes);
    if (!w->lanes) return 0;
    for (int i = 0; i < w->n_lanes; i++) {
        rsd_lane *lane = &w->lanes[i];
        *lane =
            (rsd_lane){.user = j->s.worker[i], .y = rsd_doubles(&j->alloc, j->n), .yp = rsd_doubles(&j->alloc, j->n)};
        if (!lane->y || !lane->yp) return 0;
    }
    return 1;
}

int rsd_walkers_reserve(resida_jacobian *j, const resida_jacobian_options *o)
{
    rsd_walkers *w = &j->walkers;
    w->central = o->differences == RESIDA_DIFFERENCES_CENTRAL;
    w->own = (rsd_lane){.user = j->s.user, .y = j->y, .yp = j->yp};
    w->n_lanes = o->threads;
    if (w->n_lanes > 1 && !reserve_lanes(j, w)) return 0;
    int n = w->n_lanes > 1 ? AT_ONCE * w->n_lanes : 1;
    w->side = rsd_doubles(&j->alloc, j->n);
    w->changes = rsd_calloc(&j->alloc, n, sizeof *w->changes);
    if (!w->side || !w->changes) return 0;
    w->n_changes = n;
    for (int k = 0; k < n; k++) {
        w->changes[k].up = rsd_doubles(&j->alloc, j->n);
        w->changes[k].down = rsd_doubles(&j->alloc, w->central || k == 0 ? j->n : 0); /* the first: for a look beyond */
        if (!w->changes[k].up || !w->changes[k].down) return 0;
    }
    return 1;
}

void rsd_walkers_free(resida_jacobian *j)
{
    rsd_walkers *w = &j->walkers;
    for (int i = 0; w->lanes && i < w->n_lanes; i++) {
        rsd_free(&j->alloc, w->lanes[i].y);
        rsd_free(&j->alloc, w->lanes[i].yp);
    }
    for (int k = 0; k < w->n_changes; k++) {
        rsd_free(&j->alloc, w->changes[k].up);
        rsd_free(&j->alloc, w->changes[k].down);
    }
    rsd_free(&j->alloc, w->lanes);
    rsd_free(&j->alloc, w->changes);
    rsd_free(&j->alloc, w->side);
}
