/* live.c - see live.h.
 *
 * A function of the program may leave a call by longjmp (R does so at an error). The integration then remains marked as
 * in a call. The stack frame of such a call no longer exists. Such a call is detected if another call of the same
 * thread has a frame at the same or a higher address. */
#include "live.h"

#include <pthread.h>
#include <stdint.h>

static const double max_memory = 0x1.0p+28;                            /* bytes of all integrations that are not in a
                                                                        * call, estimated by the next two */
static const double memory_of_each = 0x1.0p+15, memory_of_number = 16; /* bytes of each, and for each element of
                                                                        * RWORK (LRW): two numbers, as measured */
static const double mark = 0x1.5e51dap+77;   /* a number that is unlikely in a program's RWORK */
static const double last_of_all = 0x1.0p+53; /* handles are integers */

static struct place {
    das_integration *x;
    const double *rwork;
    long lrw;
    long long turn; /* number of its last call in the sequence of all calls */
    int in_call;
    pthread_t thread;
    uintptr_t frame;
} places[DAS_MAX];
static int n_used; /* places from this one on have never been used */
static long long turns;
static long long handles; /* a handle is a value of this counter times DAS_MAX, plus the index of the place */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int was_call_left(const struct place *p, const void *frame)
{
    return p->in_call && pthread_equal(p->thread, pthread_self()) && p->frame <= (uintptr_t)frame;
}

static void mark_in_call(struct place *p, const das_call *c, const void *frame)
{
    p->rwork = c->rwork;
    p->lrw = c->lrw;
    p->turn = ++turns;
    p->in_call = 1;
    p->thread = pthread_self();
    p->frame = (uintptr_t)frame;
}

static void discard_integration(struct place *p)
{
    das_free(p->x);
    p->x = NULL;
    p->in_call = 0;
}

/* Return the integration with the oldest call among those that are not in a call. */
static struct place *find_oldest_idle(void)
{
    struct place *found = NULL;
    for (int i = 0; i < n_used; i++)
        if (places[i].x && !places[i].in_call && (!found || places[i].turn < found->turn)) found = &places[i];
    return found;
}

static double sum_idle_memory(void)
{
    double sum = 0;
    for (int i = 0; i < n_used; i++)
        if (places[i].x && !places[i].in_call) sum += memory_of_each + memory_of_number * (double)places[i].lrw;
    return sum;
}

static struct place *find_empty_place(void)
{
    for (int i = 0; i < n_used; i++)
        if (!places[i].x) return &places[i];
    return n_used < DAS_MAX ? &places[n_used++] : NULL;
}

das_found das_live_find(const das_call *c, const void *frame, das_integration **x)
{
    das_found found = DAS_NOT_THERE;
    *x = NULL;
    if (c->lrw <= R_HANDLE) return found;
    const double handle = c->rwork[R_HANDLE];
    if (c->rwork[R_MARK] != mark || !(handle >= 0 && handle <= last_of_all)) return found;
    found = DAS_GIVEN_UP;
    pthread_mutex_lock(&lock);
    struct place *p = &places[(long long)handle % DAS_MAX];
    if (p->x && was_call_left(p, frame)) discard_integration(p);
    if (p->x && p->x->handle == handle) found = DAS_DIFFERS;
    if (found == DAS_DIFFERS && p->x->routine == c->routine && p->x->n == c->n && p->x->n_root == c->n_root) {
        found = p->in_call ? DAS_IN_A_CALL : DAS_FOUND;
        if (!p->in_call && p->rwork != c->rwork && p->x->t_told != *c->t) found = DAS_COPY;
        if (found == DAS_FOUND) mark_in_call(p, c, frame), *x = p->x;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

int das_live_add(das_integration *x, const das_call *c, const void *frame)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < n_used; i++) {
        struct place *old = &places[i];
        const int is_same = !old->in_call && old->rwork == c->rwork;
        if (old->x && (is_same || was_call_left(old, frame))) discard_integration(old);
    }
    while (find_oldest_idle() && (!find_empty_place() || sum_idle_memory() > max_memory))
        discard_integration(find_oldest_idle());
    struct place *p = find_empty_place();
    if (p) {
        p->x = x;
        mark_in_call(p, c, frame);
        x->handle = (double)(++handles * DAS_MAX + (p - places));
        c->rwork[R_MARK] = mark;
        c->rwork[R_HANDLE] = x->handle;
    }
    pthread_mutex_unlock(&lock);
    return p ? 0 : -1;
}

static struct place *find_place(const das_integration *x)
{
    return &places[(long long)x->handle % DAS_MAX];
}

void das_live_release(das_integration *x)
{
    pthread_mutex_lock(&lock);
    find_place(x)->in_call = 0;
    pthread_mutex_unlock(&lock);
}

void das_live_discard(das_integration *x, const das_call *c)
{
    pthread_mutex_lock(&lock);
    discard_integration(find_place(x));
    c->rwork[R_MARK] = 0;
    pthread_mutex_unlock(&lock);
}
