/* run_sensitivity.c - sensitivities s = dy/dtheta across events. Let dt be the derivative of the time of the event by
 * theta, let y- be the state before the event and y+ = E(y-, theta) the state after it. Then s- before the event
 * becomes
 *
 *     s+ = dE/dy- (s- + y'- dt) + dE/dtheta - y'+ dt.
 *
 * The first two terms are computed as one difference quotient of E, with one call of event() of the perturbed model.
 * For a root function r, dt r' = -(r_y s + r_y' s' + r_theta), where r' is the rate of r along the solution. Both r'
 * and the right-hand side are difference quotients. If several functions cross zero at once, their dt must be equal:
 * otherwise their order depends on theta, and one dt does not describe the event. */
#include "run_impl.h"

#include <math.h>
#include <string.h>

#include "src/kits/plugin/model_impl.h"

#define ROOT_RATE_INCREMENT 1e-3 /* increment of t for the rate of a root function, relative to the step */
#define EQUAL_DT            1e-3 /* maximum relative difference of dt that count as equal; 1e-5 to 0.1 are as good */

static rsd_tangent *get_tangent(const resida_run *run, int i)
{
    return &rsd_get_sensitivities(run->solver)->each[i];
}

static resida_status report_sensitivity_failure(resida_run *run, int i, double t, const char *what)
{
    return rsd_fail(&run->solver->message, RESIDA_ERR_USER, "the sensitivity by %s: at the event at t = %.9g %s",
                    get_tangent(run, i)->by.name, t, what);
}

static void free_perturbed(resida_run *run)
{
    rsd_owner_free(&run->moved_owner);
    run->moved = NULL;
    run->n_moved = 0;
}

static int has_other_contacts(const resida_run *run, const resida_model *model)
{
    const resida_model_contacts *c = run->model->contacts, *moved = model->contacts;
    if (run->model->is_dae || (!c && !moved)) return 0;
    return !c || !moved || rsd_model_find_contact_error(model) != NULL || c->n != moved->n || c->first != moved->first;
}

static resida_status check_perturbed_model(resida_run *run, int n, const resida_model *const *models)
{
    const rsd_sensitivities *x = rsd_get_sensitivities(run->solver);
    resida_message *why = &run->solver->message;
    if (n != (x ? x->carried.n : 0))
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "resida_run_set_moved: n = %d, the solver has %d sensitivities", n,
                        x ? x->carried.n : 0);
    if (n > 0 && !models) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "resida_run_set_moved: models is NULL");
    for (int i = 0; i < n; i++)
        if (!models[i] || models[i] == run->model || !models[i]->is_dae != !run->model->is_dae)
            return rsd_fail(why, RESIDA_ERR_ARGUMENT, "resida_run_set_moved: models[%d] is %s", i,
                            !models[i]                ? "NULL"
                            : models[i] == run->model ? "the run's own"
                                                      : "of another kind");
    if (run->contacts.held)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "resida_run_set_moved: no sensitivities with contacts that hold");
    for (int i = 0; i < n; i++)
        if (has_other_contacts(run, models[i]))
            return rsd_fail(why, RESIDA_ERR_ARGUMENT, "resida_run_set_moved: models[%d] has other contacts", i);
    return RESIDA_OK;
}

resida_status resida_run_set_moved(resida_run *run, int n, const resida_model *const *models)
{
    if (!run) return RESIDA_ERR_ARGUMENT;
    run->solver->message.text[0] = 0;
    RSD_TRY(check_perturbed_model(run, n, models));
    free_perturbed(run);
    if (n == 0) return RESIDA_OK;
    const resida_allocator own = rsd_get_owned_allocator(&run->moved_owner, &run->owner.from), *a = &own;
    run->moved_for = run->solver->sensitivities_set;
    run->moved = rsd_calloc(a, n, sizeof *run->moved);
    int all = run->moved != NULL;
    for (int i = 0; i < n && all; i++) {
        rsd_perturbed_model *m = &run->moved[run->n_moved++];
        *m = (rsd_perturbed_model){.model = models[i]};
        all = RSD_DOUBLES(a, run->n, &m->y, &m->given) && RSD_DOUBLES(a, run->n_yp, &m->yp, &m->given_rate);
        if (!all) break;
        memcpy(m->given, get_tangent(run, i)->by.dy0, (size_t)run->n * sizeof *m->given);
        memcpy(m->given_rate, get_tangent(run, i)->by.dyp0, (size_t)run->n_yp * sizeof *m->given_rate);
    }
    if (all) return RESIDA_OK;
    free_perturbed(run);
    return rsd_fail(&run->solver->message, RESIDA_ERR_MEMORY, "resida_run_set_moved: no memory");
}

/* Check that the perturbed models belong to the present sensitivities. Free them if there are no sensitivities. */
static resida_status check_perturbed_models(resida_run *run)
{
    resida_solver *s = run->solver;
    if (run->n_moved > 0 && !s->carried) free_perturbed(run);
    if (run->n_moved == 0 || run->moved_for == s->sensitivities_set) return RESIDA_OK;
    return rsd_fail(&s->message, RESIDA_ERR_STATE,
                    "the sensitivities were set again: call resida_run_set_moved() after that");
}

/* --- Starts --- */

/* Call event() of perturbed model i, and check that it returns the same kind of event as the model of the run. */
static resida_status call_perturbed_event(resida_run *run, int i, resida_model_event *e, const resida_model_event *own)
{
    rsd_perturbed_model *m = &run->moved[i];
    e->y = m->y;
    e->yp = m->yp;
    e->t_next = m->t_next;
    RSD_TRY(rsd_run_call_event(run, m->model, e));
    m->t_next = e->t_next;
    if (!e->changed != !own->changed || !e->ends != !own->ends || !e->find_yp != !own->find_yp ||
        isfinite(e->t_next) != isfinite(own->t_next))
        return report_sensitivity_failure(run, i, own->t, "the model with the moved parameter acts differently");
    return RESIDA_OK;
}

resida_status rsd_run_start_perturbed(resida_run *run, const resida_model_event *own)
{
    RSD_TRY(check_perturbed_models(run));
    for (int i = 0; i < run->n_moved; i++) {
        rsd_perturbed_model *m = &run->moved[i];
        rsd_tangent *one = get_tangent(run, i);
        resida_model_event e = {.kind = RESIDA_AT_START, .t = own->t};
        rsd_run_copy_start_values(run, m->model, m->y, m->yp);
        m->t_next = INFINITY;
        RSD_TRY(call_perturbed_event(run, i, &e, own));
        int is_given = 0;
        for (int k = 0; k < run->n; k++) {
            is_given |= m->given[k] != 0;
            one->dy0[k] = (m->y[k] - run->y[k]) / one->by.delta + m->given[k];
        }
        for (int k = 0; k < run->n_yp; k++) one->dyp0[k] = (m->yp[k] - run->yp[k]) / one->by.delta + m->given_rate[k];
        const int knows = own->changed ? !own->find_yp : run->model->yp0 != NULL;
        one->computes_yp = run->model->is_dae && (is_given || !knows);
    }
    return RESIDA_OK;
}

/* --- Events --- */

/* Compute slope = dr/dt along the solution at t, where r is known. The difference quotient is of second order with
 * points on either side of t, because the event may be at an end of the last step. */
static int compute_root_slope(resida_run *run, int k, double t, double r, double *values, double *slope)
{
    resida_solver *s = run->solver;
    rsd_sensitivities *x = rsd_get_sensitivities(s);
    resida_stats stats = {.size = sizeof stats};
    double by[2], along[2];
    (void)resida_solver_stats(s, &stats);
    const double end = rsd_integration_get_end(s->integration), part = ROOT_RATE_INCREMENT * stats.h;
    const double before = t - part < end - stats.h ? part / 2 : -part, behind = t + part > end ? -part / 2 : part;
    const double at[2] = {t + before, t + behind};
    for (int i = 0; i < 2; i++) {
        if (rsd_integration_interpolate(s->integration, at[i], x->y, x->yp) < 0) return -1;
        const int verdict = rsd_guard_eval_roots(&s->guard, at[i], x->y, x->yp, values);
        if (verdict < 0) return verdict;
        by[i] = at[i] - t;
        along[i] = (values[k] - r) / by[i];
    }
    *slope = (along[0] * by[1] - along[1] * by[0]) / (by[1] - by[0]);
    return 0;
}

/* Compute change = dr/dtheta at constant t. Return 0, or nonzero on an error. */
static int compute_root_sensitivity(resida_run *run, int i, int k, double t, double r, double *values, double *change)
{
    resida_solver *s = run->solver;
    rsd_sensitivities *x = rsd_get_sensitivities(s);
    rsd_tangent *one = get_tangent(run, i);
    const double *y = s->integration->y, *yp = s->integration->yp;
    for (int m = 0; m < x->n_y; m++) {
        x->y[m] = y[m] + one->by.delta * one->out[m];
        x->yp[m] = yp[m] + one->by.delta * one->out_rate[m];
    }
    rsd_tangent_begin_calls(one, &s->guard);
    const int verdict = rsd_guard_eval_roots(&one->guard, t, x->y, x->yp, values);
    rsd_tangent_end_calls(one, &s->guard);
    *change = (values[k] - r) / one->by.delta;
    return verdict;
}

/* Compute dt of each perturbed model at a zero of root function k, or of a gap that closes within rounding of t. If
 * *is_first is 1, store dt and set *is_first to 0. Otherwise compare dt with that of an earlier function, and set
 * *differs to the index of a model for which both differ. */
static int compute_time_sensitivities(resida_run *run, const resida_model_event *event, int k, int *is_first,
                                      int *differs)
{
    resida_solver *s = run->solver;
    const double t = event->t;
    double *values = run->roots, slope = 0, change = 0;
    int verdict = rsd_guard_eval_roots(&s->guard, t, s->integration->y, s->integration->yp, values);
    const double r = values[k];
    if (!verdict) verdict = compute_root_slope(run, k, t, r, values, &slope);
    if (event->direction[k] == 0 && !(r > 0 && rsd_run_closes_at_once(run, t, r, slope))) return verdict;
    for (int i = 0; i < run->n_moved && !verdict; i++) {
        verdict = compute_root_sensitivity(run, i, k, t, r, values, &change);
        const double dt = -change / slope, known = run->moved[i].dt;
        const double rounding =
            rsd_events_get_rounding(&s->integration->events, t) / fabs(get_tangent(run, i)->by.delta);
        if (*is_first)
            run->moved[i].dt = dt;
        else if (!(fabs(dt - known) <= EQUAL_DT * fabs(known) + rounding))
            *differs = i;
    }
    *is_first = 0;
    return verdict;
}

static int is_gap(const resida_model *m, int k)
{
    return !m->is_dae && m->contacts && k >= m->contacts->first && k < m->contacts->first + m->contacts->n;
}

/* Compute the state y- + delta (s- + y'- dt) at t + delta dt. */
void rsd_run_perturb_state(resida_run *run, int i)
{
    const resida_solver *s = run->solver;
    const resida_layout *l = &s->problem->layout;
    const int is_dae = run->model->is_dae, p = is_dae ? 0 : l->p, v = is_dae ? 0 : l->v;
    const double *y = s->integration->y, *yp = s->integration->yp;
    const rsd_perturbed_model *m = &run->moved[i];
    const rsd_tangent *one = get_tangent(run, i);
    const double d = one->by.delta, *rate = is_dae ? one->out_rate : one->out + v;
    for (int k = 0; k < run->n; k++) m->y[k] = y[p + k] + d * (one->out[p + k] + yp[p + k] * m->dt);
    for (int k = 0; k < run->n_yp; k++)
        m->yp[k] = (is_dae ? yp : y + v)[k] + d * (rate[k] + (is_dae ? 0 : yp[v + k] * m->dt));
}

resida_status rsd_run_find_time_sensitivity(resida_run *run, const resida_model_event *event)
{
    resida_solver *s = run->solver;
    int verdict = 0, is_first = 1, differs = -1;
    RSD_TRY(check_perturbed_models(run));
    if (run->n_moved == 0) return RESIDA_OK;
    for (int i = 0; i < run->n_moved; i++) run->moved[i].dt = 0;
    if (event->kind == RESIDA_AT_TIME)
        for (int i = 0; i < run->n_moved; i++)
            run->moved[i].dt = (run->moved[i].t_next - event->t) / get_tangent(run, i)->by.delta;
    if (event->kind == RESIDA_AT_ROOT) {
        RSD_TRY(rsd_solver_enter(s));
        for (int k = 0; k < rsd_problem_get_n_root(s->problem) && !verdict; k++) {
            if (event->direction[k] == 0 && !is_gap(run->model, k)) continue;
            verdict = compute_time_sensitivities(run, event, k, &is_first, &differs);
        }
        rsd_solver_leave(s, RESIDA_OK);
    }
    if (verdict) return verdict < 0 && s->guard.stop < 0 ? s->guard.stop : RESIDA_ERR_USER;
    for (int i = 0; i < run->n_moved; i++)
        if (!isfinite(run->moved[i].dt))
            return report_sensitivity_failure(run, i, event->t, "the root function only touches zero");
    if (differs >= 0)
        return report_sensitivity_failure(run, differs, event->t,
                                          "root functions cross zero at the same time, but the derivatives of their "
                                          "times differ: shift one of them slightly");
    return RESIDA_OK;
}

resida_status rsd_run_call_perturbed_events(resida_run *run, const resida_model_event *own)
{
    for (; run->n_asked < run->n_moved; run->n_asked++) {
        const int i = run->n_asked;
        rsd_perturbed_model *m = &run->moved[i];
        rsd_run_perturb_state(run, i);
        if (own->kind == RESIDA_AT_TIME) m->t_next = INFINITY;
        resida_model_event e = {
            .kind = own->kind, .t = own->t + get_tangent(run, i)->by.delta * m->dt, .direction = own->direction};
        RSD_TRY(call_perturbed_event(run, i, &e, own));
    }
    return RESIDA_OK;
}

resida_status rsd_run_restart_sensitivities(resida_run *run, double t)
{
    resida_solver *s = run->solver;
    const resida_layout *l = &s->problem->layout;
    const int is_dae = run->model->is_dae, p = is_dae ? 0 : l->p;
    const double *y = s->integration->y, *yp = s->integration->yp;
    const double *rate = yp + p, *a = is_dae ? NULL : rsd_problem_get_a(s->problem, y, yp);
    for (int i = 0; i < run->n_moved; i++) {
        const rsd_perturbed_model *m = &run->moved[i];
        rsd_tangent *one = get_tangent(run, i);
        for (int k = 0; k < run->n; k++) one->dy0[k] = (m->y[k] - run->y[k]) / one->by.delta - rate[k] * m->dt;
        for (int k = 0; k < run->n_yp && !is_dae; k++)
            one->dyp0[k] = (m->yp[k] - run->yp[k]) / one->by.delta - a[k] * m->dt;
        one->computes_yp = is_dae;
    }
    const rsd_carried_start at = {t, run->y, is_dae ? yp : run->yp, &run->start, y, yp};
    RSD_TRY(rsd_solver_enter(s));
    return rsd_solver_leave(s, rsd_sensitivities_start(s, &at));
}
