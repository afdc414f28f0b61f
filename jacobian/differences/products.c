/* products.c - products of the derivatives of F with directions, computed by the system instead of differences:
 *
 *     j_ir = (J d)_i / d_r    d: direction of the group that contains column r
 *
 * The products replace the differences of equation (20). One call computes the products of several groups, because this
 * is cheaper for some systems. */
#include "differences.h"

#include <string.h>

#include "base/callback.h"

int rsd_evaluate_products(rsd_differences *d, double t, const double *y, const double *yp, int k, const double *dy,
                          const double *dyp, double *out)
{
    d->counts->products += k;
    return rsd_call_times(t, y, yp, k, dy, dyp, out, d->f->s.user, NULL, &d->f->s);
}

int rsd_evaluate_group_products(const rsd_task *t, int n)
{
    rsd_difference_workspace *w = &t->d->work;
    const rsd_product_directions *dir = &w->directions;
    const size_t each = (size_t)t->d->f->n, bytes = (size_t)n * each * sizeof(double);
    memset(dir->dy, 0, bytes);
    memset(dir->dyp, 0, bytes);
    for (int k = 0; k < n; k++) {
        rsd_change *q = &w->changes[k];
        rsd_difference_worker at = {.y = dir->dy + (size_t)k * each, .yp = dir->dyp + (size_t)k * each};
        rsd_perturb_columns(t, &at, q->columns, q->n_columns, 1);
        q->hi = dir->out + (size_t)k * each;
        q->lo = t->d->r0;
        q->hi_side = 1, q->lo_side = 0;
    }
    return n > 0 ? rsd_evaluate_products(t->d, t->at->t, t->at->y, t->at->yp, n, dir->dy, dir->dyp, dir->out) : 0;
}
