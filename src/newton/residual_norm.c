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

resida_status rsd_residual_norm_create(rsd_residual_norm *rn, int n, int stages, int by_costs,
                                       const resida_allocator *alloc)
{
    *rn = (rsd_residual_norm){.n = n, .stages = 1, .by_costs = by_costs};
    rn->per = rsd_doubles(alloc, n);
    rn->F = rsd_matrix(alloc, stages, n);
    return rn->per && rn->F ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

static double norm_of_sum(const rsd_residual_norm *rn, double sum)
{
    return sqrt(sum / (rn->n * rn->stages)) / fabs(rn->alpha);
}

/* |x| of F. */
static double norm_of_F(const rsd_residual_norm *rn, const double *F)
{
    double sum = 0;
    for (int j = 0; j < rn->stages; j++) sum += rsd_vector_weighted(F + (size_t)j * (size_t)rn->n, rn->per, rn->n);
    return norm_of_sum(rn, sum);
}

/* |x| of the change of F. */
static double norm_of_change(const rsd_residual_norm *rn, const double *F)
{
    double sum = 0;
    for (int j = 0; j < rn->stages; j++)
        for (int i = 0; i < rn->n; i++) {
            const size_t k = (size_t)j * (size_t)rn->n + (size_t)i;
            const double part = (F[k] - rn->F[k]) * rn->per[i];
            sum += part * part;
        }
    return norm_of_sum(rn, sum);
}

void rsd_residual_norm_forget(rsd_residual_norm *rn)
{
    rn->is_known = 0;
}

static void get_unit(rsd_residual_norm *rn, const resida_jacobian *engine, const double *w)
{
    rn->is_known = 1;
    rn->has_unit = rsd_engine_inertia(engine, w, rn->per) == RESIDA_OK;
    for (int i = 0; rn->has_unit && i < rn->n; i++) rn->per[i] = rn->per[i] > 0 ? 1 / rn->per[i] : 0;
}

void rsd_residual_norm_measure(rsd_residual_norm *rn, const resida_jacobian *engine, const rsd_newton_attempt *a,
                               const double *F)
{
    rn->stages = a->stages;
    if (!rn->is_known) get_unit(rn, engine, a->at.weights);
    rn->alpha = rn->has_unit ? a->at.alpha : 0;
    rn->before = rn->has_unit ? norm_of_F(rn, F) : 0;
}

void rsd_residual_norm_keep(rsd_residual_norm *rn, const double *F)
{
    memcpy(rn->F, F, (size_t)rn->n * (size_t)rn->stages * sizeof *F);
}

int rsd_residual_norm_is_large(const rsd_residual_norm *rn, double norm)
{
    return rn->before > fmax(RSD_RESIDUAL_TOLERANCE, RSD_RESIDUAL_RATIO * norm);
}

int rsd_residual_norm_is_small(const rsd_residual_norm *rn, const double *F)
{
    return rn->alpha == 0 || norm_of_F(rn, F) <= RSD_RESIDUAL_TOLERANCE;
}

int rsd_residual_norm_is_the_same(const rsd_residual_norm *rn, const double *F)
{
    if (rn->alpha == 0) return 0;
    double left = norm_of_F(rn, F);
    if (left <= RSD_RESIDUAL_TOLERANCE) return 0;
    return rn->by_costs ? norm_of_change(rn, F) < RSD_RESIDUAL_CHANGED * rn->before
                        : left > RSD_RESIDUAL_LEFT * rn->before;
}
