/* together.c - computes the differences of several groups at once by threads. Each thread calls F with its own `user`
 * argument.
 *
 * The result is bitwise the same as with one thread, because every group is differenced from the same point by the same
 * operations. If F cannot be evaluated in a call, the block is discarded. Its groups are then differenced one by one in
 * the caller's thread, with the same sides, counters and results as with one thread. After a fatal result no thread
 * begins a call; calls in progress are completed. */
#include "differences.h"

#include <string.h>

#include "base/callback.h"

typedef struct shared_block {
    const rsd_task *t;      /* task whose changes the threads evaluate */
    int n;                  /* number of changes */
    atomic_int next, ended; /* next: index of the next change; ended: 1 after a failed call of F */
} shared_block;

static void evaluate_changes_by_worker(int number, void *context)
{
    shared_block *m = context;
    rsd_difference_workspace *w = &m->t->d->work;
    rsd_difference_worker *worker = &w->workers[number];
    for (int k; !worker->verdict && (k = atomic_fetch_add(&m->next, 1)) < m->n;)
        worker->verdict = rsd_get_group_change(m->t, worker, &w->changes[k], 0);
}

static void reset_workers(rsd_difference_workspace *w, const rsd_task *t, atomic_int *ended)
{
    const double *y = t->d->y, *yp = t->d->yp; /* the unperturbed point */
    size_t bytes = (size_t)t->d->f->n * sizeof(double);
    for (int i = 0; i < w->n_workers; i++) {
        rsd_difference_worker *worker = &w->workers[i];
        memcpy(worker->y, y, bytes);
        memcpy(worker->yp, yp, bytes);
        worker->calls = worker->verdict = 0;
        worker->ended = ended;
    }
}

int rsd_evaluate_changes_in_threads(const rsd_task *t, int n, int *done)
{
    const resida_system *s = &t->d->f->s;
    rsd_difference_workspace *w = &t->d->work;
    int verdict = 0;
    long calls = 0;
    *done = 0;
    rsd_thrown thrown = {0, ""};
    const int is_exact = rsd_uses_products(t->d, t->part);
    const long admitted = is_exact ? 0 : n * (w->central ? 2L : 1L); /* number of residual calls */
    if (s->begin_workers && !rsd_call_begin_workers(admitted, &thrown, s)) return 0;
    *done = thrown.is_new;
    if (thrown.is_new) return RESIDA_ERR_USER;
    shared_block m = {.t = t, .n = n};
    atomic_init(&m.next, 0);
    atomic_init(&m.ended, 0);
    reset_workers(w, t, &m.ended);
    rsd_execute_in_threads(w->n_workers < n ? w->n_workers : n, evaluate_changes_by_worker, &m);
    for (int i = 0; i < w->n_workers; i++) {
        calls += w->workers[i].calls;
        if (verdict >= 0 && w->workers[i].verdict != 0) verdict = w->workers[i].verdict;
    }
    int ended = s->end_workers ? rsd_call_end_workers(verdict, NULL, s) : 0;
    if (verdict > 0 && !ended) return 0;
    if (verdict >= 0) verdict = ended;
    *(is_exact ? &t->d->counts->products : &t->d->counts->residual_calls) += calls;
    *done = 1;
    return verdict;
}
