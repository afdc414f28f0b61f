/* ida_roots.c - root functions that may become zero and stay there, such as the force of a contact that opens.
 *
 * IDA takes an exact zero at the end of a step for a root at that very end, up to a step too late, and fails when the
 * function is still zero afterwards. Here a zero is replaced by the value that the function had at the beginning of the
 * step, with the other sign: IDA finds the time where it becomes zero, and no second root as long as it stays there.
 * Functions that are zero from the start on are left to IDA, which waits until they are not. */
#include "ida_roots.h"

#include <math.h>
#include <string.h>

resida_status rsd_roots_create(rsd_roots *q, rsd_guard *guard, const resida_allocator *alloc)
{
    *q = (rsd_roots){.guard = guard, .n = rsd_problem_n_root(guard->problem)};
    q->latest = rsd_doubles(alloc, q->n);
    q->instead = rsd_doubles(alloc, q->n);
    rsd_roots_reset(q);
    return q->latest && q->instead ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

void rsd_roots_free(rsd_roots *q, const resida_allocator *alloc)
{
    rsd_free(alloc, q->latest);
    rsd_free(alloc, q->instead);
}

void rsd_roots_reset(rsd_roots *q)
{
    for (int i = 0; q->latest && q->instead && i < q->n; i++) q->latest[i] = q->instead[i] = 0;
    q->t_latest = -INFINITY;
}

void rsd_roots_begin_step(rsd_roots *q)
{
    for (int i = 0; i < q->n; i++)
        if (q->latest[i] != 0) q->instead[i] = -q->latest[i];
}

int rsd_roots_eval(rsd_roots *q, double t, const double *y, const double *yp, double *out)
{
    int verdict = rsd_guard_roots(q->guard, t, y, yp, out);
    if (verdict) return verdict;
    if (t >= q->t_latest) {
        q->t_latest = t;
        memcpy(q->latest, out, (size_t)q->n * sizeof *out);
    }
    for (int i = 0; i < q->n; i++)
        if (out[i] == 0) out[i] = q->instead[i];
    return 0;
}
