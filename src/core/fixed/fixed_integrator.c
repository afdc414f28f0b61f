/* fixed_integrator.c - the integrator with steps of a fixed size h, by any method of method.h. */
#include "fixed.h"

#include "src/core/watch/tolerance.h"

#include <math.h>
#include <string.h>

static void free_fixed(rsd_integration *base)
{
    rsd_fixed *it = (rsd_fixed *)base;
    if (!it) return;
    const resida_allocator alloc = it->owner.from;
    for (int i = 0; i < RSD_MAX_STAGES; i++) rsd_linear_free(it->matrix.linear[i]);
    rsd_linear_free(it->transform.real);
    rsd_linear_free(it->transform.pair);
    rsd_owner_free(&it->owner);
    rsd_free(&alloc, it);
}

static resida_status reserve_vectors(rsd_fixed *it)
{
    if (!RSD_DOUBLES(&it->alloc, it->base.n, &it->y_end, &it->yp_end)) return RESIDA_ERR_MEMORY;
    RSD_TRY(rsd_past_create(&it->past, &it->alloc));
    RSD_TRY(rsd_fixed_newton_create(it));
    rsd_select_tested(it->base.o, it->base.problem, it->tested);
    return RESIDA_OK;
}

static resida_status create_fixed(rsd_integration **base, const resida_solver_options *o, rsd_guard *guard,
                                  resida_jacobian *engine, resida_message *why)
{
    const rsd_method *method = rsd_method_find(o->method);
    if (method->check) RSD_TRY(method->check(guard->problem, o, why));
    rsd_fixed *it = rsd_calloc(&guard->problem->alloc, 1, sizeof *it);
    if (!it) return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for the integrator");
    it->alloc = rsd_get_owned_allocator(&it->owner, &guard->problem->alloc);
    it->base.is_watched = 1;
    it->engine = engine;
    it->method = method;
    it->is_variable = !(o->step > 0);
    it->transform.of = method->collocation;
    it->first_origin = NAN;
    it->past = (rsd_past){.problem = guard->problem, .o = o};
    if (rsd_integration_create(&it->base, &rsd_integrator_fixed, o, guard, &it->alloc) < 0 || reserve_vectors(it) < 0) {
        free_fixed(&it->base);
        return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for the integrator (%d unknowns)", guard->problem->layout.n);
    }
    *base = &it->base;
    return RESIDA_OK;
}

void rsd_fixed_copy(const rsd_fixed *it, double *to, const double *from)
{
    if (to != from) memcpy(to, from, (size_t)it->base.n * sizeof *to);
}

static void restart_fixed(rsd_integration *base, const double *y0, const double *yp0, int is_within)
{
    rsd_fixed *it = (rsd_fixed *)base;
    if (isnan(it->first_origin)) it->first_origin = base->origin;
    rsd_past_begin(&it->past, y0, yp0);
    it->control = (rsd_step_control){.h = 0};
    if (it->is_variable && is_within)
        rsd_newton_restart(&it->newton);
    else
        rsd_newton_discard_J(&it->newton); /* J belongs to another start-up step */
    it->t = 0;
    rsd_fixed_begin_grid(it, it->base.o->step); /* 0: the size of the first step is computed */
    it->is_rough = 0;
    it->is_begun = it->inputs_move = it->is_F_known = 0;
    it->is_reported = 1;
}

static rsd_last_step last_step(const rsd_integration *base)
{
    const rsd_fixed *it = (const rsd_fixed *)base;
    const int is_there = it->past.count > 1;
    return (rsd_last_step){is_there, is_there ? it->step_from : it->t, it->t, it->h, it->past.y[0], it->past.yp};
}

static resida_status interpolate_fixed(void *self, double t, double *y, double *yp)
{
    rsd_fixed *it = self;
    if (t == it->t) {
        rsd_fixed_copy(it, y, it->past.y[0]);
        if (yp) rsd_fixed_copy(it, yp, it->past.yp);
        return RESIDA_OK;
    }
    if (it->past.count < 2 || t > it->t || t < it->step_from - RSD_SAME_TIME * it->past.h[0])
        return RESIDA_ERR_ARGUMENT;
    rsd_past_interpolate(&it->past, 1 - (it->t - t) / it->past.h[0], y, yp);
    return RESIDA_OK;
}

static void shorten_step(rsd_integration *base, double h)
{
    if (h > 0) rsd_fixed_begin_grid((rsd_fixed *)base, h);
}

static resida_status take_step(rsd_integration *base, double t_out, double t_stop, int one_step)
{
    rsd_fixed *it = (rsd_fixed *)base;
    (void)one_step; /* one step in any case */
    if (base->reached < it->t) rsd_integration_set_state(base, it->t, it->past.y[0], it->past.yp);
    return rsd_fixed_take_step(it, t_out, t_stop);
}

/* Check that a step changes the rounded t before t_out, and adopt the present inputs. */
static resida_status begin_call(rsd_integration *base, double t_out, int one_step)
{
    rsd_fixed *it = (rsd_fixed *)base;
    if (it->t >= t_out) return RESIDA_OK;
    if (!one_step && !rsd_fixed_has_variable_size(it) && !(t_out - it->h < t_out))
        return rsd_fail(base->guard->message, RESIDA_ERR_STEP_TOO_SMALL, "step = %g is below the rounding of t = %.17g",
                        it->h, rsd_integration_t(base, t_out));
    return rsd_fixed_correct_for_inputs(it) < 0 ? base->guard->stop : RESIDA_OK;
}

static resida_status end_call(rsd_integration *base, resida_status status)
{
    rsd_fixed *it = (rsd_fixed *)base;
    if (status == RESIDA_OK && base->reached == it->t && rsd_fixed_store_input_residual(it) < 0)
        return base->guard->stop;
    return status;
}

static void get_stats(const rsd_integration *base, resida_stats *s)
{
    const rsd_fixed *it = (const rsd_fixed *)base;
    const rsd_fixed_matrix *m = &it->matrix;
    s->steps = it->steps;
    s->events_in_doubt = it->base.events.known.in_doubt;
    s->error_test_fails = it->error_test_fails;
    s->order = it->order;
    s->h = it->past.h[0];
    rsd_newton_stats(&it->newton, s);
    s->factorisations = m->factorisations;
    s->last_correction.norm = it->largest[0];
    s->last_correction.p = it->largest[1 + RSD_FIELD_P];
    s->last_correction.v = fmax(it->largest[1 + RSD_FIELD_V], it->largest[1 + RSD_FIELD_Z]);
    s->last_correction.lam = it->largest[1 + RSD_FIELD_REST];
    const rsd_linear_solver *linear = m->s > 0 ? m->linear[m->s - 1] : it->transform.real;
    s->linear_solver = linear ? rsd_linear_get_report(linear).name : "";
}

const rsd_integrator_ops rsd_integrator_fixed = {
    .create = create_fixed,
    .free = free_fixed,
    .restart = restart_fixed,
    .begin_call = begin_call,
    .step = take_step,
    .last_step = last_step,
    .interpolate = interpolate_fixed,
    .shorten = shorten_step,
    .end_call = end_call,
    .stats = get_stats,
};
