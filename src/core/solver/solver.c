/* solver.c - the public solver: checks its arguments, stores the state that the user gets, and combines the parts:
 * guard, Jacobian engine, consistent start, integrator. It does not depend on SUNDIALS. */
#include "solver_impl.h"

#include "src/core/kits.h"

#include "src/core/problem/arguments.h"
#include "src/core/watch/signs.h"
#include "src/core/watch/tolerance.h"

#include "base/linear/linear_solver.h"
#include "src/core/newton/scaling.h"
#include "jacobian/jacobian.h"

#include <math.h>
#include <string.h>

/* Copy the words of the options, since the caller may free them. */
static int copy_words(resida_solver *s)
{
    for (int i = 0; i < rsd_solver_table.n; i++) {
        if (rsd_solver_table.lines[i].kind != RSD_WORD) continue;
        const char **word = (const char **)(void *)((char *)&s->given + rsd_solver_table.lines[i].offset);
        *word = rsd_strdup(&s->alloc, *word);
        if (!*word) return 0;
    }
    return 1;
}

static resida_status allocate_states(resida_solver *s)
{
    const resida_layout *l = &s->problem->layout;
    const resida_allocator *a = &s->alloc;
    rsd_by_parts *x = &s->by_parts;
    const int has_kind = s->problem->mechanism
                             ? RSD_DOUBLES(a, l->n_p, &x->p) && RSD_DOUBLES(a, l->n_v, &x->v, &x->a) &&
                                   RSD_DOUBLES(a, l->n_g + l->n_h, &x->lam) && RSD_DOUBLES(a, l->n, &s->y_given)
                             : RSD_DOUBLES(a, 4L * l->n, &s->points);
    const int all = has_kind && copy_words(s) &&
                    RSD_INTS(a, 2L * rsd_problem_get_n_root(s->problem), &s->root_directions) &&
                    RSD_INTS(a, l->n, &s->sign_each) &&
                    RSD_DOUBLES(a, l->n, &s->rtol_each, &s->atol_each, &s->y_new, &s->yp_new, &s->y_first);
    return all ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

static resida_status create_profile(resida_solver *s, resida_message *why)
{
    s->guard.tally.profile = &s->profile;
    s->guard.limits = &s->limits;
    if (rsd_limits_create(&s->limits, s->problem, &s->o, &s->alloc) >= 0) return RESIDA_OK;
    return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for the profile of %d unknowns", s->problem->layout.n);
}

static resida_status build_solver(resida_solver *s, const resida_solver_options *o, resida_message *why)
{
    int n = s->problem->layout.n;
    s->o = s->given = *o;
    for (int i = 0; resida_method_at(i); i++) /* static strings, since the caller may free the method's name */
        if (strcmp(resida_method_at(i), o->method) == 0) s->o.method = resida_method_at(i);
    s->o.linear_solver = rsd_find_linear_kind(o->linear_solver);
    s->o.call_cost = NULL; /* the caller may free the string */
    RSD_TRY(rsd_scaling_check(&s->o, s->problem, why));
    RSD_TRY(rsd_option_check_effects(&rsd_solver_table, &(rsd_option_case){s->problem, o, NULL}, o->method, why));
    if (allocate_states(s) < 0) return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for a solver with %d unknowns", n);
    s->guard =
        (rsd_guard){.problem = s->problem, .solver = s, .deadline = INFINITY, .message = &s->message, .o = &s->o};
    rsd_solver_apply_changes(s, o);
    if (o->sign_each) s->o.sign_each = memcpy(s->sign_each, o->sign_each, (size_t)n * sizeof(int));
    if (o->profile) RSD_TRY(create_profile(s, why));
    resida_system system;
    resida_jacobian_options engine;
    resida_jacobian_options_init(&engine);
    engine.strategy = o->jacobian;
    engine.allocator = &s->alloc;
    engine.differences = o->differences;
    engine.threads = o->threads;
    RSD_TRY(rsd_solver_make_workers(s, why));
    RSD_TRY(rsd_solver_create_system(s, &system, why));
    if (strcmp(o->call_cost, "measured") == 0) RSD_TRY(rsd_solver_allocate_measure(s, why));
    RSD_TRY(resida_jacobian_create(&s->engine, &system, &engine, why));
    rsd_solver_refresh_engine(s);
    rsd_solver_set_newton_tolerance(s);
    s->o.jacobian = resida_jacobian_strategy(s->engine);
    RSD_TRY(
        rsd_option_check_effects(&rsd_solver_table, &(rsd_option_case){s->problem, o, s->o.jacobian}, o->method, why));
    if (s->problem->mechanism) RSD_TRY(rsd_start_allocate(s->problem, why));
    s->guard.warnings = &s->warnings;
    if (rsd_kits_built.make_examiner && rsd_kits_built.make_examiner(s) < 0)
        return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for a solver with %d unknowns", n);
    const rsd_integrator_ops *integrator = strcmp(o->method, "bdf") == 0 ? &rsd_integrator_ida : &rsd_integrator_fixed;
    return integrator->create(&s->integration, &s->o, &s->guard, s->engine, why);
}

resida_status resida_solver_create(resida_solver **out, resida_problem *problem, const resida_solver_options *o,
                                   resida_message *why)
{
    resida_solver_options defaults;
    resida_solver_options_init(&defaults);
    if (!out) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "resida_solver_create: s is NULL");
    *out = NULL;
    if (!problem) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "resida_solver_create: problem is NULL");
    if (!o) o = &defaults;
    RSD_TRY(rsd_check_solver_options(o, problem, why));
    RSD_TRY(rsd_check_sundials_version(why));
    resida_solver *s = rsd_calloc(&problem->alloc, 1, sizeof *s);
    if (!s) return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for a solver");
    s->alloc = rsd_get_owned_allocator(&s->owner, &problem->alloc);
    s->problem = problem;
    s->t = NAN, s->t_break = INFINITY;
    resida_status status = build_solver(s, o, why);
    *out = status < 0 ? NULL : s;
    if (status < 0) resida_solver_free(s);
    return status;
}

void resida_solver_free(resida_solver *s)
{
    if (!s) return;
    const resida_allocator alloc = s->owner.from;
    rsd_calls_set_meter(s->problem->calls, (rsd_meter){.context = NULL});
    if (s->integration) s->integration->ops->free(s->integration);
    resida_jacobian_free(s->engine);
    rsd_solver_free_workers(s);
    rsd_structure_free(&s->structure);
    rsd_dae_start_free(&s->dae_start);
    rsd_owner_free(&s->quadratures.owner);
    rsd_owner_free(&s->owner);
    rsd_free(&alloc, s);
}

resida_status rsd_solver_enter(resida_solver *s)
{
    s->was_called_within = s->is_in_call;
    if (s->is_in_call) return RESIDA_ERR_STATE; /* the message belongs to the outer call */
    s->is_in_call = 1;
    s->message.text[0] = 0;
    rsd_guard_install(&s->guard);
    rsd_guard_begin(&s->guard, s->o.time_limit_s);
    rsd_profile_begin(s->guard.tally.profile);
    if (s->problem->mechanism) s->problem->mechanism->fourth_order = s->fourth_order;
    return RESIDA_OK;
}

resida_status rsd_solver_leave(resida_solver *s, resida_status status)
{
    s->is_in_call = 0;
    rsd_profile_end(s->guard.tally.profile);
    rsd_calls_set_meter(s->problem->calls,
                        (rsd_meter){.context = NULL}); /* later calls by the user's program are not counted */
    return status;
}

static resida_status check_start_signs(resida_solver *s, double t0)
{
    const int *sign = s->o.sign_each;
    for (int i = 0; sign && i < s->problem->layout.n; i++)
        if (!rsd_has_sign(sign[i], s->y_new[i]))
            return rsd_report_wrong_sign(s->problem, i, sign[i], s->y_new[i], t0, " at a start", &s->message);
    return RESIDA_OK;
}

/* Begin a run, or continue a run after an event, from y_new, yp_new. Return RESIDA_OK or the status of the failure. */
static resida_status store_start(resida_solver *s, const rsd_carried_start *at)
{
    const double t0 = at->t;
    if (s->carried) RSD_TRY(s->carried->start(s, at));
    RSD_TRY(check_start_signs(s, t0));
    RSD_TRY(rsd_solver_start_quadratures(s, t0));
    RSD_TRY(rsd_solver_measure_costs(s, t0));
    s->guard.continues_run = s->started && !s->failed && t0 == s->t;
    if (s->failed) resida_jacobian_reset(s->engine);
    s->failed = 0;
    rsd_integration_restart(s->integration, t0, s->y_new, s->yp_new);
    if (t0 != s->t) { /* a start at another time begins a run; a restart after an event continues the run */
        s->t_first = s->burst.t = t0;
        s->burst.events = 0;
        s->guard.y_first = memcpy(s->y_first, s->y_new, (size_t)s->problem->layout.n * sizeof *s->y_first);
        s->guard.moved = s->guard.state_moved = 0;
    } else
        s->guard.y_first = NULL;
    s->t = s->t_start = t0;
    s->direction = 1;
    s->started = 1;
    s->problem_starts = s->problem->starts;
    s->has_history = rsd_problem_has_history(s->problem);
    s->at_event = 0;
    rsd_solver_reset_actions(s);
    if (s->starts == 0 && s->warnings.n > 0) (void)rsd_fail(&s->message, RESIDA_OK, "warning: %s", s->warnings.line[0]);
    s->starts++;
    return RESIDA_OK;
}

resida_status resida_solver_start(resida_solver *s, double t0, const double *p0, const double *v0,
                                  const resida_start_options *o, resida_start_report *report)
{
    if (!s) return RESIDA_ERR_ARGUMENT;
    RSD_TRY(rsd_solver_enter(s));
    if (!s->problem->mechanism)
        return rsd_solver_leave(s, rsd_fail(&s->message, RESIDA_ERR_STATE,
                                            "the problem is a general DAE: start it by resida_solver_start_dae()"));
    if (!isfinite(t0))
        return rsd_solver_leave(s, rsd_fail(&s->message, RESIDA_ERR_ARGUMENT, "start: t0 = %g, must be finite", t0));
    const resida_layout *l = &s->problem->layout;
    (void)rsd_profile_enter(s->guard.tally.profile, RSD_IN_START);
    resida_status status = resida_problem_start(s->problem, t0, p0, v0, o, s->by_parts.p, s->by_parts.v, s->by_parts.a,
                                                s->by_parts.lam, report, &s->message);
    if (status < 0) return rsd_solver_leave(s, status);
    s->message.text[0] = 0;
    rsd_problem_set_y(s->problem, s->by_parts.p, s->by_parts.v, s->by_parts.a, s->by_parts.lam, s->y_new, s->yp_new);
    memcpy(s->y_given, s->y_new, (size_t)l->n * sizeof *s->y_given);
    memcpy(s->y_given + l->p, p0, (size_t)l->n_p * sizeof *p0);
    memcpy(s->y_given + l->v, v0, (size_t)l->n_v * sizeof *v0);
    s->guard.y_given = s->y_given;
    if (rsd_kits_built.examine_start) status = rsd_kits_built.examine_start(s, t0, p0, v0, o);
    const rsd_carried_start at = {t0, p0, v0, o, s->y_new, s->yp_new};
    return rsd_solver_leave(s, status < 0 ? status : store_start(s, &at));
}

static resida_status check_start_dae(resida_solver *s, double t0, const double *y0, const double *yp0)
{
    const int n = s->problem->layout.n;
    const rsd_argument in[] = {{"y0", y0, n, RSD_READ, s->problem->dae.names},
                               {"yp0", yp0, n, RSD_READ_IF_GIVEN, s->problem->dae.names}};
    if (s->problem->mechanism)
        return rsd_fail(&s->message, RESIDA_ERR_STATE, "the problem is a mechanism: start it by resida_solver_start()");
    if (!isfinite(t0)) return rsd_fail(&s->message, RESIDA_ERR_ARGUMENT, "start: t0 = %g, must be finite", t0);
    return rsd_check_arrays("start", in, sizeof in / sizeof *in, &s->message);
}

resida_status resida_solver_start_dae(resida_solver *s, double t0, const double *y0, const double *yp0)
{
    if (!s) return RESIDA_ERR_ARGUMENT;
    RSD_TRY(rsd_solver_enter(s));
    resida_status status = check_start_dae(s, t0, y0, yp0);
    if (status < 0) return rsd_solver_leave(s, status);
    (void)rsd_profile_enter(s->guard.tally.profile, RSD_IN_START);
    size_t bytes = (size_t)s->problem->layout.n * sizeof(double);
    s->problem->calls->t_u = NAN; /* the model may have changed since the last evaluation of the excitation */
    memcpy(s->y_new, y0, bytes);
    if (yp0) {
        memcpy(s->yp_new, yp0, bytes);
        if (rsd_kits_built.examine_given_start) status = rsd_kits_built.examine_given_start(s, t0);
    } else {
        memset(s->yp_new, 0, bytes);
        status = rsd_start_dae(&s->dae_start, &s->guard, &s->o, t0, s->y_new, s->yp_new);
        if (rsd_kits_built.examine_found_start) status = rsd_kits_built.examine_found_start(s, t0, y0, status);
    }
    const rsd_carried_start at = {t0, y0, yp0 ? yp0 : s->yp_new, NULL, s->y_new, s->yp_new};
    return rsd_solver_leave(s, status < 0 ? status : store_start(s, &at));
}

/* Fail if a start of another solver has changed the dropped rows or the reference point of the shared problem. */
static resida_status check_common_problem(resida_solver *s)
{
    if (s->problem_starts == s->problem->starts) return RESIDA_OK;
    if (!s->has_history && !rsd_problem_has_history(s->problem)) return RESIDA_OK;
    return rsd_fail(&s->message, RESIDA_ERR_STATE,
                    "a start of another solver has changed the dropped rows, contacts or reference point of their "
                    "common problem: start this solver again, or create a separate problem for it");
}

static resida_status check_target(resida_solver *s, const char *name, double t)
{
    if (!s->started)
        return rsd_fail(&s->message, RESIDA_ERR_STATE,
                        "the solver is not started: call resida_solver_start() or resida_solver_start_dae()");
    RSD_TRY(check_common_problem(s));
    if (!isfinite(t)) return rsd_fail(&s->message, RESIDA_ERR_ARGUMENT, "%s = %g, must be finite", name, t);
    return rsd_solver_set_direction(s, name, t);
}

int rsd_solver_correct_output(resida_solver *s, double t, double *y)
{
    int verdict = rsd_problem_project_output(s->problem, t, y);
    rsd_clip_signs(s->o.sign_each, s->problem->layout.n, y);
    return verdict < 0 ? rsd_guard_judge(&s->guard, t, verdict, y, 0) : 0;
}

/* Integrate towards t_out, at most to `target` in the present call. Return the status for the user. */
static resida_status integrate(resida_solver *s, double t_out, double target, int one_step)
{
    s->at_event = 0;
    const int is_done = rsd_solver_has_no_actions(s);
    if (t_out == s->t && is_done) return RESIDA_OK;
    const double stop = rsd_solver_get_stop_time(s);
    if (s->direction * (stop - s->t) < 0)
        return rsd_fail(&s->message, RESIDA_ERR_ARGUMENT, "t_stop = %.17g is not between %.17g and %.17g", stop, s->t,
                        t_out);
    target = rsd_solver_get_nearer(s, target, stop);
    if (s->direction * (target - s->t) <= 0 && is_done)
        return rsd_fail(&s->message, RESIDA_STOP_TIME, "at the stop time %.9g", stop);
    const int back = rsd_profile_enter(s->guard.tally.profile, RSD_IN_STEPS);
    resida_status status = RESIDA_OK;
    if (s->satisfies_invariants && (s->o.accepted || s->quadratures.is_begun))
        status = rsd_solver_advance_and_report(s, target, one_step);
    else if (s->satisfies_invariants)
        status = rsd_integration_advance(s->integration, target, stop, one_step, &s->t);
    rsd_profile_leave(s->guard.tally.profile, back);
    s->failed = status < 0;
    if (status < 0) return rsd_kits_built.explain_failure ? rsd_kits_built.explain_failure(s, status) : status;
    if (s->problem->active_rows.shared_text.text[0])
        rsd_add_warning(&s->warnings, RSD_CLAIM_SHARED, "%s", s->problem->active_rows.shared_text.text);
    if (status == RESIDA_EVENT) {
        s->at_event = 1;
        s->events++;
        rsd_clip_signs(s->o.sign_each, s->problem->layout.n, s->integration->y);
        RSD_TRY(rsd_solver_check_burst(s));
    }
    if (status == RESIDA_OK && !one_step) s->t = target;
    s->satisfies_invariants = status != RESIDA_OK || rsd_solver_correct_output(s, s->t, s->integration->y) >= 0;
    if (!s->satisfies_invariants) return s->guard.stop;
    if (status == RESIDA_OK && s->direction * (s->t - stop) >= 0 && s->t != t_out)
        return rsd_fail(&s->message, RESIDA_STOP_TIME, "at the stop time %.9g", stop);
    return status;
}

resida_status resida_solver_advance(resida_solver *s, double t_out)
{
    if (!s) return RESIDA_ERR_ARGUMENT;
    RSD_TRY(rsd_solver_enter(s));
    resida_status status = check_target(s, "t_out", t_out);
    return rsd_solver_leave(s, status < 0 ? status : integrate(s, t_out, t_out, 0));
}

resida_status resida_solver_step(resida_solver *s, double t_max)
{
    if (!s) return RESIDA_ERR_ARGUMENT;
    RSD_TRY(rsd_solver_enter(s));
    resida_status status = check_target(s, "t_max", t_max);
    if (status < 0) return rsd_solver_leave(s, status);
    double internal = rsd_integration_get_end(s->integration);
    int ahead = s->direction * (internal - s->t) > 0; /* the last step ends after the last output */
    return rsd_solver_leave(s, integrate(s, t_max, ahead ? rsd_solver_get_nearer(s, internal, t_max) : t_max, !ahead));
}

resida_status rsd_solver_refuse(const resida_solver *s, resida_status status, const char *reason)
{
    return rsd_fail(s->is_in_call ? NULL : s->guard.message, status, "%s", reason);
}

resida_state rsd_solver_make_state(const resida_solver *s, double t, const double *y, const double *yp)
{
    const resida_layout *l = &s->problem->layout;
    resida_state state = {.t = t, .y = y, .yp = yp};
    if (l->p >= 0) state.p = y + l->p;
    if (l->v >= 0) state.v = y + l->v, state.a = rsd_problem_get_a(s->problem, y, yp);
    const double *multipliers = l->rates ? yp : y;
    if (l->lam >= 0) state.lam = multipliers + l->lam;
    if (l->eta >= 0) state.eta = multipliers + l->eta;
    return state;
}

resida_status resida_solver_state(const resida_solver *s, resida_state *state)
{
    if (!s) return RESIDA_ERR_ARGUMENT;
    if (!state) return rsd_solver_refuse(s, RESIDA_ERR_ARGUMENT, "resida_solver_state: state is NULL");
    if (!s->started || s->is_in_call) return RESIDA_ERR_STATE;
    *state = rsd_solver_make_state(s, s->t, s->integration->y, s->integration->yp);
    return RESIDA_OK;
}

resida_status resida_solver_interpolate(resida_solver *s, double t, double *y, double *yp)
{
    if (!s) return RESIDA_ERR_ARGUMENT;
    if (!y || !yp)
        return rsd_solver_refuse(s, RESIDA_ERR_ARGUMENT, y ? "interpolate: yp is NULL" : "interpolate: y is NULL");
    if (!s->started || s->is_in_call) return rsd_solver_refuse(s, RESIDA_ERR_STATE, "interpolate before start");
    if (rsd_arrays_overlap(y, s->problem->layout.n, yp, s->problem->layout.n))
        return rsd_solver_refuse(s, RESIDA_ERR_ARGUMENT, "interpolate: y and yp overlap");
    if (!isfinite(t)) return rsd_fail(&s->message, RESIDA_ERR_ARGUMENT, "interpolate: t = %g, must be finite", t);
    RSD_TRY(rsd_solver_enter(s));
    resida_status status = rsd_integration_interpolate(s->integration, t, y, yp);
    if (status < 0) {
        const double end = rsd_integration_get_end(s->integration);
        const resida_stats last = rsd_solver_get_last_step(s);
        rsd_fail(&s->message, status, "interpolate: t = %.17g is not within the last step, from %.9g to %.9g", t,
                 end - s->direction * fabs(last.h), end);
    }
    if (status >= 0 && rsd_solver_correct_output(s, t, y) < 0) status = s->guard.stop;
    return rsd_solver_leave(s, status);
}

resida_status resida_solver_event(const resida_solver *s, int *direction)
{
    if (!s) return RESIDA_ERR_ARGUMENT;
    if (!direction) return rsd_solver_refuse(s, RESIDA_ERR_ARGUMENT, "resida_solver_event: direction is NULL");
    if (!s->at_event || s->is_in_call)
        return rsd_solver_refuse(s, RESIDA_ERR_STATE, "resida_solver_event: the last call did not end with an event");
    (void)rsd_events_get_directions(&s->integration->events, direction);
    return RESIDA_OK;
}

resida_status resida_solver_set_stop_time(resida_solver *s, double t_stop)
{
    if (!s) return RESIDA_ERR_ARGUMENT;
    if (s->is_in_call) return RESIDA_ERR_STATE;
    s->message.text[0] = 0;
    if (!(t_stop > -INFINITY))
        return rsd_fail(&s->message, RESIDA_ERR_ARGUMENT, "t_stop = %g, must be a time, or infinite", t_stop);
    if (s->started && s->direction * (t_stop - s->t) < 0 && t_stop < INFINITY)
        return rsd_fail(&s->message, RESIDA_ERR_ARGUMENT, "t_stop = %.17g is before the time reached, %.17g", t_stop,
                        s->t);
    s->o.t_stop = t_stop;
    return RESIDA_OK;
}

resida_status resida_solver_request(resida_solver *s, resida_request what)
{
    if (!s) return RESIDA_ERR_ARGUMENT;
    if (resida_jacobian_request(s->engine, what) < 0)
        return rsd_solver_refuse(s, RESIDA_ERR_ARGUMENT, "resida_solver_request: what must be a resida_request");
    return RESIDA_OK;
}

const resida_jacobian *resida_solver_jacobian(const resida_solver *s)
{
    return s ? s->engine : NULL;
}

const char *resida_solver_message(const resida_solver *s)
{
    if (!s) return "";
    return s->is_in_call && !s->message.text[0]
               ? "a call of this solver is in progress, or a callback has left it by longjmp: then it can only be freed"
               : s->message.text;
}
