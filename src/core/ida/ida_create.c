/* ida_create.c - creates and frees the integrator: IDA, its vectors and its rules. */
#include "ida_impl.h"

#include "src/core/watch/tolerance.h"

#include <math.h>

/* Maximum number of convergence failures, and of error test failures, of a step. A contact may be at 1e-8 of the step.
 * After 10 failures, the default of IDA, the step is still 1e-6 of its first size. */
enum { MAX_FAILS = 13 };

static void store_ida_text(const char *text, void *user)
{
    rsd_ida *ida = user;
    rsd_write(ida->ida_text, sizeof ida->ida_text, "%s", text);
}

static int reject_residual_call(sunrealtype t, N_Vector y, N_Vector yp, N_Vector r, void *user)
{
    (void)t, (void)y, (void)yp, (void)r, (void)user; /* the corrector iteration calls F itself */
    return -1;
}

static int configure_ida(rsd_ida *ida)
{
    const resida_solver_options *o = ida->base.o;
    N_Vector y, yn, ypn, r;
    double t, alpha;
    void *user;
    return IDASetUserData(ida->mem, ida) != IDA_SUCCESS ||
           IDAInit(ida->mem, reject_residual_call, 0, ida->start.y, ida->start.yp) != IDA_SUCCESS ||
           IDAGetNonlinearSystemData(ida->mem, &t, &y, &ida->yp_predicted, &yn, &ypn, &r, &alpha, &user) !=
               IDA_SUCCESS ||
           IDAWFtolerances(ida->mem, rsd_rules_after_step) != IDA_SUCCESS ||
           IDASetNonlinearSolver(ida->mem, rsd_ida_newton_attach(ida)) != IDA_SUCCESS ||
           IDASetId(ida->mem, ida->id) != IDA_SUCCESS ||
           IDASetSuppressAlg(ida->mem, ida->n_tested < ida->base.n || ida->base.problem->contacts.given.n > 0) !=
               IDA_SUCCESS ||
           IDASetNonlinConvCoef(ida->mem, o->newton_tolerance) != IDA_SUCCESS ||
           IDASetMaxConvFails(ida->mem, MAX_FAILS) != IDA_SUCCESS ||
           IDASetMaxErrTestFails(ida->mem, MAX_FAILS) != IDA_SUCCESS ||
           (o->h_max < INFINITY && IDASetMaxStep(ida->mem, o->h_max) != IDA_SUCCESS);
}

/* Create IDA and its vectors, in an order that lets rsd_ida_free() free the existing parts after a failure. */
static resida_status create_ida(rsd_ida *ida)
{
    if (!rsd_is_memory_sufficient()) return RESIDA_ERR_MEMORY;
    if (SUNContext_Create(RSD_NO_COMM, &ida->ctx) != 0) return RESIDA_ERR_MEMORY;
    if (rsd_silence_ida(ida->ctx, NULL, &ida->receiver)) return RESIDA_ERR_MEMORY;
    ida->pool = rsd_pool_create(ida->base.n, ida->ctx, &ida->alloc);
    if (!ida->pool) return RESIDA_ERR_MEMORY;
    N_Vector *vectors[] = {&ida->y_ida, &ida->yp_ida, &ida->start.y, &ida->start.yp,
                           &ida->id,    &ida->work,   &ida->weights};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) *vectors[i] = rsd_pool_get_vector(ida->pool);
    ida->n_tested = rsd_select_tested(ida->base.o, ida->base.problem, rsd_get_components(ida->id));
    ida->min_order.is_on = ida->base.o->min_order > 1 && ida->base.o->max_order > 1;
    rsd_pool_set_norms(ida->pool, ida->n_tested, &ida->min_order);
    ida->mem = IDACreate(ida->ctx);
    if (!ida->mem || rsd_silence_ida(ida->ctx, ida->mem, &ida->receiver) || configure_ida(ida))
        return RESIDA_ERR_MEMORY;
    return RESIDA_OK;
}

/* Return 1 if steps can pass a jump or a kink of the position constraints g: F does not contain g, or it determines lam
 * at acceleration level, which does not contain the impulse at a kink. */
static int can_pass_jump(const resida_problem *q)
{
    const rsd_form *f = q->form;
    return q->layout.n_g > 0 && (f->level == RSD_ACCELERATION || (f->level == RSD_VELOCITY && !f->has_eta));
}

resida_status rsd_ida_create(rsd_integration **out, const resida_solver_options *o, rsd_guard *guard,
                             resida_jacobian *engine, resida_message *why)
{
    rsd_ida *ida = rsd_calloc(&guard->problem->alloc, 1, sizeof *ida);
    if (!ida) return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for the integrator");
    ida->alloc = rsd_get_owned_allocator(&ida->owner, &guard->problem->alloc);
    ida->base.is_watched = can_pass_jump(guard->problem);
    ida->receiver = (rsd_message_receiver){store_ida_text, ida};
    ida->chatter = (rsd_chatter){.n = guard->problem->layout.n};
    resida_status status = rsd_integration_create(&ida->base, &rsd_integrator_ida, o, guard, &ida->alloc);
    if (status >= 0) status = rsd_ida_newton_create(ida, engine);
    if (status >= 0) status = rsd_order_limits_create(&ida->order, o, ida->base.n, &ida->alloc);
    if (status >= 0) status = rsd_chatter_create(&ida->chatter, &ida->alloc);
    if (status >= 0) status = create_ida(ida);
    if (status < 0) {
        rsd_fail(why, status, "no memory for the integrator (%d unknowns)%s%s", ida->base.n,
                 ida->ida_text[0] ? ": " : "", ida->ida_text);
        rsd_ida_free(&ida->base);
        return status;
    }
    *out = &ida->base;
    return RESIDA_OK;
}

void rsd_ida_free(rsd_integration *base)
{
    rsd_ida *ida = (rsd_ida *)base;
    if (!ida) return;
    const resida_allocator alloc = ida->owner.from;
    if (ida->mem) IDAFree(&ida->mem);
    rsd_pool_free(ida->pool, &ida->alloc);
    if (ida->ctx) SUNContext_Free(&ida->ctx);
    rsd_owner_free(&ida->owner);
    rsd_free(&alloc, ida);
}
