/* fixed_integrator.c - the integrator with steps of a fixed size h, by any method of method.h. */
#include "fixed.h"

#include "src/core/watch/tolerance.h"

#include <math.h>
#include <string.h>

static void free_fixed(rsd_integration *base)
{
    rsd_fixed *fixed = (rsd_fixed *)base;
    if (!fixed) return;
    const resida_allocator alloc = fixed->owner.from;
    for (int i = 0; i < RSD_MAX_STAGES; i++) rsd_linear_free(fixed->matrix.system[i].linear);
    rsd_owner_free(&fixed->owner);
    rsd_free(&alloc, fixed);
}

/* Select the components of the error test. With a given step these are positions and first-order states. */
static void select_tested(rsd_fixed *fixed)
{
    rsd_select_tested(fixed->base.o, fixed->base.problem, fixed->tested);
    for (int i = 0; i < fixed->base.n && !fixed->is_variable; i++)
        fixed->tested[i] *= fixed->past.field[i] == RSD_FIELD_P || fixed->past.field[i] == RSD_FIELD_Z;
}

static resida_status reserve_vectors(rsd_fixed *fixed)
{
    if (!RSD_DOUBLES(&fixed->alloc, fixed->base.n, &fixed->y_end, &fixed->yp_end)) return RESIDA_ERR_MEMORY;
    RSD_TRY(rsd_past_create(&fixed->past, &fixed->alloc));
    RSD_TRY(rsd_fixed_newton_create(fixed));
    select_tested(fixed);
    return RESIDA_OK;
}

static resida_status create_fixed(rsd_integration **base, const resida_solver_options *o, rsd_guard *guard,
                                  resida_jacobian *engine, resida_message *why)
{
    const rsd_method *method = rsd_method_find(o->method);
    if (method->check) RSD_TRY(method->check(guard->problem, o, why));
    rsd_fixed *fixed = rsd_calloc(&guard->problem->alloc, 1, sizeof *fixed);
    if (!fixed) return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for the integrator");
    fixed->alloc = rsd_get_owned_allocator(&fixed->owner, &guard->problem->alloc);
    fixed->base.is_watched = 1;
    fixed->engine = engine;
    fixed->method = method;
    fixed->is_variable = !(o->step > 0);
    fixed->first_origin = NAN;
    fixed->past = (rsd_past){.problem = guard->problem, .o = o};
    if (rsd_integration_create(&fixed->base, &rsd_integrator_fixed, o, guard, &fixed->alloc) < 0 ||
        reserve_vectors(fixed) < 0) {
        free_fixed(&fixed->base);
        return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for the integrator (%d unknowns)", guard->problem->layout.n);
    }
    *base = &fixed->base;
    return RESIDA_OK;
}

void rsd_fixed_copy(const rsd_fixed *fixed, double *to, const double *from)
{
    if (to != from) memcpy(to, from, (size_t)fixed->base.n * sizeof *to);
}

static void restart_fixed(rsd_integration *base, const double *y0, const double *yp0, int is_within)
{
    rsd_fixed *fixed = (rsd_fixed *)base;
    if (isnan(fixed->first_origin)) fixed->first_origin = base->origin;
    rsd_past_begin(&fixed->past, y0, yp0);
    fixed->control = (rsd_step_control){.h = 0};
    rsd_newton_restart(&fixed->newton, fixed->is_variable && is_within); /* a start-up step has another matrix */
    fixed->t = 0;
    rsd_fixed_begin_grid(fixed, fixed->base.o->step); /* with the option `step` = 0 the first size is computed */
    fixed->has_failed_test = 0;
    fixed->is_begun = fixed->inputs_changed = fixed->is_F_known = 0;
    fixed->is_reported = 1;
}

static rsd_last_step last_step(const rsd_integration *base)
{
    const rsd_fixed *fixed = (const rsd_fixed *)base;
    const int has_step = fixed->past.count > 1;
    return (rsd_last_step){has_step,      has_step ? fixed->step_from : fixed->t, fixed->t, fixed->h, fixed->past.y[0],
                           fixed->past.yp};
}

static resida_status interpolate_fixed(void *self, double t, double *y, double *yp)
{
    rsd_fixed *fixed = self;
    if (t == fixed->t) {
        rsd_fixed_copy(fixed, y, fixed->past.y[0]);
        if (yp) rsd_fixed_copy(fixed, yp, fixed->past.yp);
        return RESIDA_OK;
    }
    if (fixed->past.count < 2 || t > fixed->t || t < fixed->step_from - RSD_SAME_TIME * fixed->past.h[0])
        return RESIDA_ERR_ARGUMENT;
    rsd_past_interpolate(&fixed->past, 1 - (fixed->t - t) / fixed->past.h[0], y, yp);
    return RESIDA_OK;
}

static void shorten_step(rsd_integration *base, double h)
{
    if (h > 0) rsd_fixed_begin_grid((rsd_fixed *)base, h);
}

static resida_status take_step(rsd_integration *base, double t_out, double t_stop, int one_step)
{
    rsd_fixed *fixed = (rsd_fixed *)base;
    (void)one_step; /* a call takes one step in any case */
    if (base->reached < fixed->t) rsd_integration_set_state(base, fixed->t, fixed->past.y[0], fixed->past.yp);
    return rsd_fixed_take_step(fixed, t_out, t_stop);
}

/* Check that a step changes the rounded t before t_out. Correct the state if the inputs have changed. */
static resida_status begin_call(rsd_integration *base, double t_out, int one_step)
{
    rsd_fixed *fixed = (rsd_fixed *)base;
    if (fixed->t >= t_out) return RESIDA_OK;
    if (!one_step && !rsd_fixed_has_variable_size(fixed) && !(t_out - fixed->h < t_out))
        return rsd_fail(base->guard->message, RESIDA_ERR_STEP_TOO_SMALL, "step = %g is below the rounding of t = %.17g",
                        fixed->h, rsd_integration_t(base, t_out));
    return rsd_fixed_correct_for_inputs(fixed) < 0 ? base->guard->stop : RESIDA_OK;
}

static resida_status end_call(rsd_integration *base, resida_status status)
{
    rsd_fixed *fixed = (rsd_fixed *)base;
    if (status == RESIDA_OK && base->reached == fixed->t && rsd_fixed_store_input_residual(fixed) < 0)
        return base->guard->stop;
    return status;
}

static void get_stats(const rsd_integration *base, resida_stats *s)
{
    const rsd_fixed *fixed = (const rsd_fixed *)base;
    const rsd_fixed_matrix *m = &fixed->matrix;
    s->steps = fixed->steps;
    s->events_in_doubt = fixed->base.events.known.num_stopped_searches;
    s->error_test_fails = fixed->error_test_fails;
    s->order = fixed->order;
    s->h = fixed->past.h[0];
    rsd_newton_stats(&fixed->newton, s);
    s->factorisations = m->factorisations;
    s->last_correction.norm = fixed->largest[0];
    s->last_correction.p = fixed->largest[1 + RSD_FIELD_P];
    s->last_correction.v = fmax(fixed->largest[1 + RSD_FIELD_V], fixed->largest[1 + RSD_FIELD_Z]);
    s->last_correction.lam = fixed->largest[1 + RSD_FIELD_REST];
    s->linear_solver = m->s > 0 ? rsd_linear_get_report(m->system[m->s - 1].linear).name : "";
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
