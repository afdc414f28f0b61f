/* ida_create.c - creates and frees the integrator: IDA, its vectors and its rules. */
#include "ida_rules.h"

#include "src/core/watch/tolerance.h"

#include <math.h>
#include <stdio.h>

/* Limit of the failures of a step, for each cause. A contact may be as near as 1e-8 of the step. 10 failures reach only
 * 1e-6 of the step. */
enum { MAX_FAILS = 13 };

static void keep_text(const char *text, void *user)
{
    rsd_ida *it = user;
    snprintf(it->ida_text, sizeof it->ida_text, "%s", text);
}

static int residual_is_not_called(sunrealtype t, N_Vector y, N_Vector yp, N_Vector r, void *user)
{
    (void)t, (void)y, (void)yp, (void)r, (void)user; /* the corrector iteration calls F itself */
    return -1;
}

/* Return the number of components in the error test. */
static int count_tested(const rsd_ida *it)
{
    const double *id = rsd_vector_data(it->id);
    int count = 0;
    for (int i = 0; i < it->base.n; i++) count += id[i] != 0;
    return count;
}

static int configure_ida(rsd_ida *it)
{
    const resida_solver_options *o = it->base.o;
    return IDASetUserData(it->ida, it) != IDA_SUCCESS ||
           IDAInit(it->ida, residual_is_not_called, 0, it->start.y, it->start.yp) != IDA_SUCCESS ||
           IDAWFtolerances(it->ida, rsd_rules_after_step) != IDA_SUCCESS ||
           IDASetNonlinearSolver(it->ida, rsd_ida_newton_attach(it)) != IDA_SUCCESS ||
           IDASetId(it->ida, it->id) != IDA_SUCCESS ||
           IDASetSuppressAlg(it->ida, it->n_tested < it->base.n || it->base.problem->contacts.given.n > 0) !=
               IDA_SUCCESS ||
           IDASetNonlinConvCoef(it->ida, o->newton_tolerance) != IDA_SUCCESS ||
           IDASetMaxConvFails(it->ida, MAX_FAILS) != IDA_SUCCESS ||
           IDASetMaxErrTestFails(it->ida, MAX_FAILS) != IDA_SUCCESS ||
           (o->h_max < INFINITY && IDASetMaxStep(it->ida, o->h_max) != IDA_SUCCESS);
}

/* Create IDA and its vectors. The order matters, because rsd_ida_free() must be able to free the parts that exist after
 * a failure. */
static resida_status create_ida(rsd_ida *it)
{
    if (!rsd_is_memory_to_spare()) return RESIDA_ERR_MEMORY;
    if (SUNContext_Create(RSD_NO_COMM, &it->ctx) != 0) return RESIDA_ERR_MEMORY;
    if (rsd_make_quiet(it->ctx, NULL, &it->quiet)) return RESIDA_ERR_MEMORY;
    it->pool = rsd_pool_create(it->base.n, it->ctx, &it->alloc);
    if (!it->pool) return RESIDA_ERR_MEMORY;
    N_Vector *vectors[] = {&it->y_ida, &it->yp_ida, &it->start.y, &it->start.yp, &it->id};
    for (int i = 0; i < 5; i++) *vectors[i] = rsd_pool_take(it->pool);
    rsd_select_tested(it->base.o, it->base.problem, rsd_vector_data(it->id));
    it->n_tested = count_tested(it);
    it->least.is_on = it->base.o->min_order > 1 && it->base.o->max_order > 1;
    rsd_pool_set_norms(it->pool, it->n_tested, &it->least);
    it->ida = IDACreate(it->ctx);
    if (!it->ida || rsd_make_quiet(it->ctx, it->ida, &it->quiet) || configure_ida(it)) return RESIDA_ERR_MEMORY;
    return RESIDA_OK;
}

/* Return 1 if F contains the position constraints g, or if the error test would detect their violation. */
static int enforces_g(const resida_problem *q)
{
    return q->layout.n_g == 0 || q->form->has_eta || q->form->level == RSD_POSITION;
}

resida_status rsd_ida_create(rsd_integration **out, const resida_solver_options *o, rsd_guard *guard,
                             resida_jacobian *engine, resida_message *why)
{
    rsd_ida *it = rsd_calloc(&guard->problem->alloc, 1, sizeof *it);
    if (!it) return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for the integrator");
    it->alloc = rsd_owned_by(&it->owner, &guard->problem->alloc);
    it->base.is_watched = !enforces_g(guard->problem);
    it->quiet = (rsd_quiet){keep_text, it};
    it->chatter = (rsd_chatter){.n = guard->problem->layout.n};
    resida_status status = rsd_integration_create(&it->base, &rsd_integrator_ida, o, guard, &it->alloc);
    if (status >= 0) status = rsd_ida_newton_create(it, engine);
    if (status >= 0) status = rsd_order_limits_create(&it->order, o, it->base.n, &it->alloc);
    if (status >= 0) status = rsd_chatter_create(&it->chatter, &it->alloc);
    if (status >= 0) status = create_ida(it);
    if (status < 0) {
        rsd_fail(why, status, "no memory for the integrator (%d unknowns)%s%s", it->base.n, it->ida_text[0] ? ": " : "",
                 it->ida_text);
        rsd_ida_free(&it->base);
        return status;
    }
    *out = &it->base;
    return RESIDA_OK;
}

void rsd_ida_free(rsd_integration *base)
{
    rsd_ida *it = (rsd_ida *)base;
    if (!it) return;
    const resida_allocator alloc = it->owner.from;
    if (it->ida) IDAFree(&it->ida);
    rsd_pool_free(it->pool, &it->alloc);
    if (it->ctx) SUNContext_Free(&it->ctx);
    rsd_owner_free(&it->owner);
    rsd_free(&alloc, it);
}
