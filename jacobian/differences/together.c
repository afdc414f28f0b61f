/* together.c - differences of several groups at once, each thread with a user of its own to call F with.
 *
 * What comes out is what one thread would have found: every group is differenced from the same point by the same
 * operations. When F is not possible somewhere, the block is forgotten and made again one by one, with the other sides,
 * counters and verdicts of one thread. After a fatal verdict no call begins; those that other threads are in come to
 * their end, and count. */
#include "differences.h"

#include <string.h>

#include "src/base/callback.h"

typedef struct meeting {
    const rsd_task *t;
    int n;
    atomic_int next, ended;
} meeting;

static void take_part(int number, void *context)
{
    meeting *m = context;
    rsd_walkers *w = &m->t->d->walkers;
    rsd_lane *lane = &w->lanes[number];
    for (int k; !lane->verdict && (k = atomic_fetch_add(&m->next, 1)) < m->n;)
        lane->verdict = rsd_difference_group(m->t, lane, &w->changes[k], 0);
}

static void set_lanes(rsd_walkers *w, const rsd_task *t, atomic_int *ended)
{
    const double *y = t->d->y, *yp = t->d->yp; /* where the walk begins */
    size_t bytes = (size_t)t->d->f->n * sizeof(double);
    for (int i = 0; i < w->n_lanes; i++) {
        rsd_lane *lane = &w->lanes[i];
        memcpy(lane->y, y, bytes);
        memcpy(lane->yp, yp, bytes);
        lane->calls = lane->verdict = 0;
        lane->ended = ended;
    }
}

int rsd_difference_together(const rsd_task *t, int n, int *done)
{
    const resida_system *s = &t->d->f->s;
    rsd_walkers *w = &t->d->walkers;
    int verdict = 0;
    long calls = 0;
    *done = 0;
    rsd_thrown thrown = {0, ""};
    const int is_exact = rsd_is_exact(t->d, t->part);
    const long admitted = is_exact ? 0 : n * (w->central ? 2L : 1L); /* residual calls */
    if (s->begin_workers && !rsd_call_begin_workers(admitted, &thrown, s)) return 0;
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
    *(is_exact ? &t->d->counts->products : &t->d->counts->residual_calls) += calls;
    *done = 1;
    return verdict;
}
