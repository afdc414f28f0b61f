/* solver_sensitivity.c - the sensitivities of a solver: their options, their start and their results. */
#include "sensitivity.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_OF_NUMBER = 24 }; /* size of the text "parameter NUMBER" */

void resida_sensitivity_init(resida_sensitivity *x)
{
    if (x) *x = (resida_sensitivity){.size = sizeof *x, .scale = 1};
}

rsd_sensitivities *rsd_get_sensitivities(const resida_solver *s)
{
    return (rsd_sensitivities *)s->carried; /* `carried` is the first member of rsd_sensitivities */
}

static void free_sensitivities(resida_solver *s)
{
    rsd_sensitivities *x = rsd_get_sensitivities(s);
    if (!x) return;
    rsd_owner_free(&x->owner);
    rsd_free(&s->alloc, x);
    s->carried = NULL;
}

/* --- Options --- */

static resida_status check_solver(resida_solver *s)
{
    const resida_problem *q = s->problem;
    const char *what = NULL;
    if (!s->integration->ops->carry) what = s->o.step > 0 ? "steps of a fixed size" : s->o.method;
    if (q->form && q->form->is_frozen) what = "the form state-space";
    if (q->mechanism && q->o.step_projection) what = "step_projection";
    if (!what) return RESIDA_OK;
    return rsd_fail(&s->message, RESIDA_ERR_OPTION, "sensitivities are not supported with %s", what);
}

static resida_status check_sensitivity(resida_solver *s, int i, const resida_sensitivity *x)
{
    resida_message *why = &s->message;
    const resida_problem *q = s->problem, *m = x->moved;
    if (x->size != sizeof *x)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "sensitivity %d: size = %zu, must be %zu (call the _init function)",
                        i, x->size, sizeof *x);
    if (!m || m == q)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "sensitivity %d: moved is %s", i, m ? "the solver's own" : "NULL");
    if (!isfinite(x->delta) || x->delta == 0)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "sensitivity %d: delta = %g, must be finite and not 0", i, x->delta);
    if (!isfinite(x->scale) || !(x->scale > 0))
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "sensitivity %d: scale = %g, must be > 0", i, x->scale);
    if (m->form != q->form || memcmp(&m->layout, &q->layout, sizeof q->layout) != 0 ||
        strcmp(resida_problem_formalism(m), resida_problem_formalism(q)) != 0)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "sensitivity %d: the moved problem is of another form or size", i);
    const int is_dae = q->mechanism == NULL;
    if ((x->dy0 && !rsd_all_finite(x->dy0, is_dae ? q->layout.n : q->layout.n_p)) ||
        (x->dyp0 && !rsd_all_finite(x->dyp0, is_dae ? q->layout.n : q->layout.n_v)))
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "sensitivity %d: dy0 or dyp0 is not finite", i);
    return RESIDA_OK;
}

static resida_status check_sensitivities(resida_solver *s, int n, const resida_sensitivity *x)
{
    for (int i = 0; i < n; i++) {
        RSD_TRY(check_sensitivity(s, i, &x[i]));
        for (int k = 0; k < i; k++)
            if (x[k].moved == x[i].moved)
                return rsd_fail(&s->message, RESIDA_ERR_ARGUMENT,
                                "sensitivities %d and %d must not share a moved problem", k, i);
    }
    return RESIDA_OK;
}

static double *copy_array(const resida_allocator *a, const double *from, int n)
{
    double *to = rsd_doubles(a, n);
    if (to && from) memcpy(to, from, (size_t)n * sizeof *to);
    return to;
}

static resida_status create_sensitivity(resida_solver *s, rsd_tangent *one, int i, const resida_sensitivity *by)
{
    const rsd_sensitivities *x = rsd_get_sensitivities(s);
    const resida_allocator *a = &x->alloc;
    char number[NAME_OF_NUMBER];
    snprintf(number, sizeof number, "parameter %d", i);
    one->by = *by;
    one->by.name = rsd_strdup(a, by->name ? by->name : number);
    one->computes_yp = !s->problem->mechanism && !by->dyp0;
    one->by.dy0 = one->dy0 = copy_array(a, by->dy0, x->n_start);
    one->by.dyp0 = one->dyp0 = copy_array(a, by->dyp0, x->n_rate);
    int all = one->by.name && one->dy0 && one->dyp0;
    for (int k = 0; k < RSD_SENSITIVITY_POINTS; k++) all &= (one->s[k] = rsd_doubles(a, x->n_y)) != NULL;
    all &= RSD_DOUBLES(a, x->n_y, &one->sp, &one->out, &one->out_rate, &one->size);
    if (!all) return RESIDA_ERR_MEMORY;
    return s->problem->mechanism ? rsd_start_allocate(by->moved, &s->message) : RESIDA_OK;
}

static void set_tolerances(resida_solver *s)
{
    for (int i = 0; i < s->problem->layout.n; i++)
        rsd_get_sensitivities(s)->rtol[i] = s->o.rtol_each ? s->o.rtol_each[i] : s->o.rtol;
}

static resida_status create_sensitivities(resida_solver *s, int n, const resida_sensitivity *by)
{
    const resida_layout *l = &s->problem->layout;
    rsd_sensitivities *x = rsd_calloc(&s->alloc, 1, sizeof *x);
    if (!x) return RESIDA_ERR_MEMORY;
    s->carried = &x->carried;
    x->carried = (rsd_carried){.start = rsd_sensitivities_start,
                               .restart = rsd_sensitivities_restart,
                               .step = rsd_sensitivities_step,
                               .reach = rsd_sensitivities_interpolate,
                               .set_tolerances = set_tolerances};
    x->alloc = rsd_get_owned_allocator(&x->owner, &s->alloc);
    const resida_allocator *a = &x->alloc;
    x->n_y = l->n;
    x->n_start = s->problem->mechanism ? l->n_p : l->n;
    x->n_rate = s->problem->mechanism ? l->n_v : l->n;
    x->counts.size = sizeof x->counts;
    int all = (x->each = rsd_calloc(a, n, sizeof *x->each)) != NULL;
    x->carried.n = all ? n : 0;
    all &=
        RSD_DOUBLES(a, l->n, &x->y, &x->yp, &x->F, &x->F_theta, &x->size, &x->rtol, &x->tested, &x->R, &x->w, &x->ewt);
    for (int i = 0; i < l->n && all; i++) x->tested[i] = s->problem->kinds[i] < RESIDA_ALGEBRAIC_2;
    if (all) set_tolerances(s);
    for (int i = 0; i < n && all; i++) RSD_TRY(create_sensitivity(s, &x->each[i], i, &by[i]));
    return all ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

resida_status resida_solver_set_sensitivities(resida_solver *s, int n, const resida_sensitivity *x)
{
    if (!s) return RESIDA_ERR_ARGUMENT;
    if (s->is_in_call) return RESIDA_ERR_STATE;
    s->message.text[0] = 0;
    if (n < 0 || (n > 0 && !x))
        return rsd_fail(&s->message, RESIDA_ERR_ARGUMENT, n < 0 ? "sensitivities: n = %d" : "sensitivities: x is NULL",
                        n);
    if (n > 0) RSD_TRY(check_solver(s));
    RSD_TRY(check_sensitivities(s, n, x));
    free_sensitivities(s);
    s->sensitivities_set++;
    if (s->integration->ops->carry) s->integration->ops->carry(s->integration, NULL);
    if (n == 0) return RESIDA_OK;
    const resida_status status = create_sensitivities(s, n, x);
    if (status < 0) {
        free_sensitivities(s);
        return rsd_fail(&s->message, status, "no memory for %d sensitivities", n);
    }
    s->integration->ops->carry(s->integration, s->carried);
    return RESIDA_OK;
}

/* --- Start --- */

void rsd_tangent_begin_calls(rsd_tangent *one, const rsd_guard *guard)
{
    one->guard.problem = one->by.moved;
    one->guard.message = &one->message;
    rsd_guard_copy_limits(&one->guard, guard);
    one->guard.max_calls = guard->max_calls - guard->all_calls;
}

void rsd_tangent_end_calls(rsd_tangent *one, rsd_guard *guard)
{
    rsd_tally_add(&guard->tally, &one->guard.tally);
    rsd_guard_add_counts(guard, &one->guard);
    rsd_calls_set_meter(one->by.moved->calls, (rsd_meter){.context = NULL});
}

static resida_status report_start_failure(resida_solver *s, const rsd_tangent *one, resida_status status,
                                          const resida_message *why)
{
    const resida_message copy = *why;
    return rsd_fail(&s->message, status, "the sensitivity by %s: the start of the moved problem: %s", one->by.name,
                    copy.text[0] ? copy.text : resida_status_name(status));
}

/* Compute x = x0 + delta dx [n]. */
static void add_scaled(int n, const double *x0, double delta, const double *dx, double *x)
{
    for (int i = 0; i < n; i++) x[i] = x0[i] + delta * dx[i];
}

/* Start the perturbed problem of a mechanism, and return y, yp of the perturbed problem. */
static resida_status start_mechanism(resida_solver *s, rsd_tangent *one, const rsd_carried_start *at, double *y,
                                     double *yp)
{
    const resida_layout *l = &s->problem->layout;
    const rsd_sensitivities *x = rsd_get_sensitivities(s);
    double *p0 = x->F, *v0 = x->F_theta, *p = one->s[1], *v = one->s[2], *a = one->s[3], *lam = one->s[4];
    resida_message why = {""};
    add_scaled(l->n_p, at->y0, one->by.delta, one->dy0, p0);
    add_scaled(l->n_v, at->yp0, one->by.delta, one->dyp0, v0);
    const resida_status status = resida_problem_start(one->by.moved, at->t, p0, v0, at->o, p, v, a, lam, NULL, &why);
    if (status < 0) return s->guard.stop < 0 ? s->guard.stop : report_start_failure(s, one, status, &why);
    const rsd_mechanism *own = s->problem->mechanism, *moved = one->by.moved->mechanism;
    if (memcmp(own->dropped, moved->dropped, (size_t)own->n_l) != 0)
        return rsd_fail(&s->message, RESIDA_ERR_OPTION, "the sensitivity by %s: the moved problem drops other rows",
                        one->by.name);
    rsd_problem_set_y(one->by.moved, p, v, a, lam, y, yp);
    return RESIDA_OK;
}

static resida_status start_dae(resida_solver *s, rsd_tangent *one, const rsd_carried_start *at, double *y, double *yp)
{
    const int n = s->problem->layout.n;
    one->by.moved->calls->t_u = NAN;
    add_scaled(n, at->y0, one->by.delta, one->dy0, y);
    if (!one->computes_yp) {
        add_scaled(n, at->yp0, one->by.delta, one->dyp0, yp);
        return RESIDA_OK;
    }
    memcpy(yp, at->yp0, (size_t)n * sizeof *yp);
    const resida_status status = rsd_start_dae(&s->dae_start, &one->guard, &s->o, at->t, y, yp);
    return status < 0 ? report_start_failure(s, one, status, &one->message) : RESIDA_OK;
}

resida_status rsd_sensitivities_start(resida_solver *s, const rsd_carried_start *at)
{
    rsd_sensitivities *x = rsd_get_sensitivities(s);
    if (!x || x->skips_start) return RESIDA_OK;
    for (int i = 0; i < x->carried.n; i++) {
        rsd_tangent *one = &x->each[i];
        one->measured.rate = (rsd_tangent_rate){.factor = 0};
        one->measured.first_norm = 0;
        rsd_tangent_begin_calls(one, &s->guard);
        const resida_status status = (s->problem->mechanism ? start_mechanism : start_dae)(s, one, at, x->y, x->yp);
        rsd_tangent_end_calls(one, &s->guard);
        if (status < 0) return status;
        for (int k = 0; k < x->n_y; k++) {
            one->s[0][k] = (x->y[k] - at->y[k]) / one->by.delta;
            one->sp[k] = (x->yp[k] - at->yp[k]) / one->by.delta;
        }
    }
    x->carried.row_changes = s->problem->active_rows.changes;
    x->carried.points = 1;
    rsd_sensitivities_restart(&x->carried);
    x->t[0] = 0; /* the integrator's time is 0 at a start */
    rsd_sensitivities_interpolate(&x->carried, 0);
    return RESIDA_OK;
}

/* --- Results --- */

resida_status resida_solver_sensitivity(const resida_solver *s, int i, resida_state *state)
{
    if (!s) return RESIDA_ERR_ARGUMENT;
    if (!state) return rsd_solver_refuse(s, RESIDA_ERR_ARGUMENT, "resida_solver_sensitivity: state is NULL");
    const rsd_sensitivities *x = rsd_get_sensitivities(s);
    if (i < 0 || i >= (x ? x->carried.n : 0))
        return rsd_solver_refuse(s, RESIDA_ERR_ARGUMENT, "resida_solver_sensitivity: there is no sensitivity i");
    if (!s->started || s->is_in_call || x->carried.points == 0) return RESIDA_ERR_STATE;
    *state = rsd_solver_make_state(s, s->t, x->each[i].out, x->each[i].out_rate);
    return RESIDA_OK;
}

resida_status resida_solver_sensitivity_counts(const resida_solver *s, resida_sensitivity_counts *counts)
{
    if (!s) return RESIDA_ERR_ARGUMENT;
    if (!counts) return rsd_solver_refuse(s, RESIDA_ERR_ARGUMENT, "resida_solver_sensitivity_counts: counts is NULL");
    if (counts->size != sizeof *counts)
        return rsd_solver_refuse(s, RESIDA_ERR_ARGUMENT, "resida_solver_sensitivity_counts: counts.size is wrong");
    const rsd_sensitivities *x = rsd_get_sensitivities(s);
    if (!x) return RESIDA_ERR_STATE;
    *counts = x->counts;
    counts->residual_calls = x->carried.residual_calls;
    return RESIDA_OK;
}
