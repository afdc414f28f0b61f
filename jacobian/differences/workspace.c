/* workspace.c - allocates the workspace of differences: workers, points, changes and directions. */
#include "differences.h"

#include "base/memory.h"

enum { GROUPS_PER_THREAD = 16 }; /* groups of columns in a block for each thread */

static int allocate_workers(rsd_difference_workspace *w, const rsd_frame *f)
{
    w->workers = rsd_calloc(&f->alloc, w->n_workers, sizeof *w->workers);
    if (!w->workers) return 0;
    for (int i = 0; i < w->n_workers; i++) {
        rsd_difference_worker *worker = &w->workers[i];
        *worker = (rsd_difference_worker){
            .user = f->s.worker[i], .y = rsd_doubles(&f->alloc, f->n), .yp = rsd_doubles(&f->alloc, f->n)};
        if (!worker->y || !worker->yp) return 0;
    }
    return 1;
}

static int allocate_directions(rsd_product_directions *dir, const rsd_frame *f)
{
    return !f->s.times || RSD_DOUBLES(&f->alloc, (long)RSD_AT_ONCE * f->n, &dir->dy, &dir->dyp, &dir->out);
}

static int get_max_changes_of_block(const rsd_difference_workspace *w, const rsd_frame *f)
{
    if (w->n_workers > 1) return GROUPS_PER_THREAD * w->n_workers;
    return f->s.times ? RSD_AT_ONCE : 1;
}

static int allocate_workspace(rsd_differences *d, const resida_jacobian_options *o)
{
    rsd_difference_workspace *w = &d->work;
    const rsd_frame *f = d->f;
    w->central = o->differences == RESIDA_DIFFERENCES_CENTRAL;
    w->caller = (rsd_difference_worker){.user = f->s.user, .y = d->y, .yp = d->yp};
    w->n_workers = o->threads;
    if (w->n_workers > 1 && !allocate_workers(w, f)) return 0;
    if (!allocate_directions(&w->directions, f)) return 0;
    const int n = get_max_changes_of_block(w, f);
    w->side = rsd_doubles(&f->alloc, f->n);
    w->changes = rsd_calloc(&f->alloc, n, sizeof *w->changes);
    if (!w->side || !w->changes || !RSD_INTS(&f->alloc, f->n, &w->columns)) return 0;
    w->n_changes = n;
    for (int k = 0; k < n; k++) {
        w->changes[k].up = rsd_doubles(&f->alloc, f->n);
        w->changes[k].down = rsd_doubles(&f->alloc, w->central || k == 0 ? f->n : 0); /* [0]: also for jumps.c */
        if (!w->changes[k].up || !w->changes[k].down) return 0;
    }
    return 1;
}

int rsd_differences_create(rsd_differences *d, const rsd_frame *f, const resida_jacobian_options *o,
                           resida_jacobian_counts *counts)
{
    d->f = f;
    d->counts = counts;
    if (!RSD_DOUBLES(&f->alloc, f->n, &d->y, &d->yp, &d->r, &d->r0, &d->delta, &d->nominal, &d->max_increment, &d->sum,
                     &d->scale) ||
        !allocate_workspace(d, o))
        return 0;
    rsd_set_first_nominals(d);
    return 1;
}
