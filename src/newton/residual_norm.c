/* residual_norm.c - see residual_norm.h.
 *
 * How far F has to have moved: halfway to zero, where J is kept whole from one evaluation to the next. Where its known
 * parts are renewed around an old dF/dy, iterations that go past zero are usual and end well (wheels on rails); there
 * it is enough that F is not where it was. A body on a soft spring above hard ground, at 41 tolerances: errors above
 * ten times those with a J of every setup in 63 of 492 runs without this check, in 1 of 328 with it
 * ("sparse+partitioned"); in 6 and 0 of 328 ("fresh"). */
#include "residual_norm.h"

#include "src/base/memory.h"
#include "src/base/vector_ops.h"
#include "tuning.h"
#include "jacobian/engine.h"

#include <math.h>
#include <string.h>

resida_status rsd_residual_norm_create(rsd_residual_norm *x, int n, int stages, int renews,
                                       const resida_allocator *alloc)
{
    *x = (rsd_residual_norm){.n = n, .stages = 1, .renews = renews};
    x->per = rsd_doubles(alloc, n);
    x->F = rsd_matrix(alloc, stages, n);
    return x->per && x->F ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

static double norm_of_sum(const rsd_residual_norm *x, double sum)
{
    return sqrt(sum / (x->n * x->stages)) / fabs(x->alpha);
}

/* |x| of F. */
static double norm_of_F(const rsd_residual_norm *x, const double *F)
{
    double sum = 0;
    for (int j = 0; j < x->stages; j++) sum += rsd_vector_weighted(F + (size_t)j * (size_t)x->n, x->per, x->n);
    return norm_of_sum(x, sum);
}

/* |x| of the change of F. */
static double norm_of_change(const rsd_residual_norm *x, const double *F)
{
    double sum = 0;
    for (int j = 0; j < x->stages; j++)
        for (int i = 0; i < x->n; i++) {
            const size_t k = (size_t)j * (size_t)x->n + (size_t)i;
            const double part = (F[k] - x->F[k]) * x->per[i];
            sum += part * part;
        }
    return norm_of_sum(x, sum);
}

void rsd_residual_norm_forget(rsd_residual_norm *x)
{
    x->is_known = 0;
}

static void get_unit(rsd_residual_norm *x, const resida_jacobian *engine, const double *w)
{
    x->is_known = 1;
    x->has_unit = rsd_engine_inertia(engine, w, x->per) == RESIDA_OK;
    for (int i = 0; x->has_unit && i < x->n; i++) x->per[i] = x->per[i] > 0 ? 1 / x->per[i] : 0;
}

void rsd_residual_norm_measure(rsd_residual_norm *x, const resida_jacobian *engine, const rsd_newton_attempt *a,
                               const double *F)
{
    x->stages = a->stages;
    if (!x->is_known) get_unit(x, engine, a->weights);
    x->alpha = x->has_unit ? a->alpha : 0;
    x->before = x->has_unit ? norm_of_F(x, F) : 0;
}

void rsd_residual_norm_keep(rsd_residual_norm *x, const double *F)
{
    memcpy(x->F, F, (size_t)x->n * (size_t)x->stages * sizeof *F);
}

int rsd_residual_norm_is_large(const rsd_residual_norm *x, double norm)
{
    return x->before > fmax(RSD_RESIDUAL_TOLERANCE, RSD_RESIDUAL_RATIO * norm);
}

int rsd_residual_norm_is_small(const rsd_residual_norm *x, const double *F)
{
    return x->alpha == 0 || norm_of_F(x, F) <= RSD_RESIDUAL_TOLERANCE;
}

int rsd_residual_norm_is_the_same(const rsd_residual_norm *x, const double *F)
{
    if (x->alpha == 0) return 0;
    double left = norm_of_F(x, F);
    if (left <= RSD_RESIDUAL_TOLERANCE) return 0;
    return x->renews ? norm_of_change(x, F) < RSD_RESIDUAL_CHANGED * x->before : left > RSD_RESIDUAL_LEFT * x->before;
}
