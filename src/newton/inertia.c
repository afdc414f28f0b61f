/* inertia.c - see inertia.h.
 *
 * How far F has to have moved: halfway to zero, where J is kept whole from one evaluation to the next. Where its known
 * parts are renewed around an old dF/dy, iterations that go past zero are usual and end well (wheels on rails); there
 * it is enough that F is not where it was. A body on a soft spring above hard ground, at 41 tolerances: errors above
 * ten times those with a J of every setup in 63 of 492 runs without the look, in 1 of 328 with it
 * ("sparse+partitioned"); in 6 and 0 of 328 ("fresh"). */
#include "inertia.h"

#include "src/base/memory.h"
#include "tuning.h"
#include "jacobian/engine.h"

#include <math.h>
#include <string.h>

resida_status rsd_inertia_create(rsd_inertia *x, int n, int renews, const resida_allocator *alloc)
{
    *x = (rsd_inertia){.n = n, .renews = renews};
    x->unit = rsd_doubles(alloc, n);
    x->F = rsd_doubles(alloc, n);
    return x->unit && x->F ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

void rsd_inertia_free(rsd_inertia *x, const resida_allocator *alloc)
{
    rsd_free(alloc, x->unit);
    rsd_free(alloc, x->F);
}

/* |x| of F, or of its change from another one. */
static double size(const rsd_inertia *x, const double *F, const double *from)
{
    double sum = 0;
    for (int i = 0; i < x->n; i++) {
        if (!(x->unit[i] > 0)) continue;
        double part = (F[i] - (from ? from[i] : 0)) / (x->alpha * x->unit[i]);
        sum += part * part;
    }
    return sqrt(sum / x->n);
}

void rsd_inertia_forget(rsd_inertia *x)
{
    x->is_known = 0;
}

void rsd_inertia_begin(rsd_inertia *x, const resida_jacobian *engine, double alpha, const double *w, const double *F)
{
    if (!x->is_known) x->has_unit = rsd_engine_inertia(engine, w, x->unit) == RESIDA_OK;
    x->is_known = 1;
    x->alpha = x->has_unit ? alpha : 0;
    if (x->alpha == 0) return;
    memcpy(x->F, F, (size_t)x->n * sizeof *F);
}

int rsd_inertia_is_small(const rsd_inertia *x, const double *F)
{
    return x->alpha == 0 || size(x, F, NULL) <= RSD_INERTIA_AT_ALL;
}

int rsd_inertia_is_unmoved(const rsd_inertia *x, const double *F)
{
    if (x->alpha == 0) return 0;
    double left = size(x, F, NULL);
    if (left <= RSD_INERTIA_AT_ALL) return 0;
    const double before = size(x, x->F, NULL);
    return x->renews ? size(x, F, x->F) < RSD_INERTIA_CHANGED * before : left > RSD_INERTIA_LEFT * before;
}
