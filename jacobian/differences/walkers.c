/* walkers.c - memory of differences: of who calls F, and of the points and changes in between. */
#include "differences.h"

#include "src/base/memory.h"

enum { EACH_THREAD = 16 }; /* groups for each thread between two hand-overs */

static int reserve_lanes(rsd_walkers *w, const rsd_frame *f)
{
    w->lanes = rsd_calloc(&f->alloc, w->n_lanes, sizeof *w->lanes);
    if (!w->lanes) return 0;
    for (int i = 0; i < w->n_lanes; i++) {
        rsd_lane *lane = &w->lanes[i];
        *lane =
            (rsd_lane){.user = f->s.worker[i], .y = rsd_doubles(&f->alloc, f->n), .yp = rsd_doubles(&f->alloc, f->n)};
        if (!lane->y || !lane->yp) return 0;
    }
    return 1;
}

static int reserve_directions(rsd_directions *x, const rsd_frame *f)
{
    double **blocks[] = {&x->dy, &x->dyp, &x->out};
    int all = 1;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks && f->s.times; i++)
        all &= (*blocks[i] = rsd_matrix(&f->alloc, RSD_AT_ONCE, f->n)) != NULL;
    return all;
}

/* Groups between two hand-overs. */
static int count_changes(const rsd_walkers *w, const rsd_frame *f)
{
    if (w->n_lanes > 1) return EACH_THREAD * w->n_lanes;
    return f->s.times ? RSD_AT_ONCE : 1;
}

static int reserve_walkers(rsd_differences *d, const resida_jacobian_options *o)
{
    rsd_walkers *w = &d->walkers;
    const rsd_frame *f = d->f;
    w->central = o->differences == RESIDA_DIFFERENCES_CENTRAL;
    w->own = (rsd_lane){.user = f->s.user, .y = d->y, .yp = d->yp};
    w->n_lanes = o->threads;
    if (w->n_lanes > 1 && !reserve_lanes(w, f)) return 0;
    if (!reserve_directions(&w->directions, f)) return 0;
    const int n = count_changes(w, f);
    w->side = rsd_doubles(&f->alloc, f->n);
    w->changes = rsd_calloc(&f->alloc, n, sizeof *w->changes);
    if (!w->side || !w->changes) return 0;
    w->n_changes = n;
    for (int k = 0; k < n; k++) {
        w->changes[k].up = rsd_doubles(&f->alloc, f->n);
        w->changes[k].down = rsd_doubles(&f->alloc, w->central || k == 0 ? f->n : 0); /* the first: for a look beyond */
        if (!w->changes[k].up || !w->changes[k].down) return 0;
    }
    return 1;
}

int rsd_differences_create(rsd_differences *d, const rsd_frame *f, const resida_jacobian_options *o,
                           resida_jacobian_counts *counts)
{
    double **vectors[] = {&d->y, &d->yp, &d->r, &d->r0, &d->delta, &d->nominal, &d->most_increment, &d->sum, &d->scale};
    int all = 1;
    d->f = f;
    d->counts = counts;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        all &= (*vectors[i] = rsd_doubles(&f->alloc, f->n)) != NULL;
    if (!all || !reserve_walkers(d, o)) return 0;
    rsd_first_nominals(d);
    return 1;
}
