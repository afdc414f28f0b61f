/* run_contacts.c - contacts that a model declares: selects those that close at an event, and computes rows and rates of
 * their gaps phi and the impact (resida/impact.h). Gaps are root functions. Derivatives that the model does not provide
 * are difference quotients,
 *
 *     dphi/dp_i = (phi(t, p + d e_i) - phi(t, p - d e_i)) / 2 d,    dphi/dt = (phi(t + d, p) - phi(t - d, p)) / 2 d
 *
 * All contacts that close at the same time share one impact. A contact must open after its impact. If the gap closes
 * further, as for a ball without rebound velocity, the contact has not opened and the run ends. Therefore each step
 * after an impact is checked until the gap is open. */
#include "run_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/callback.h"
#include "base/linear/dense.h"
#include "base/memory.h"
#include "base/message.h"

#define GAP_INCREMENT     1e-6  /* increment of a coordinate, relative to max(1, |coordinate|), and of time [s] */
#define TIME_ROUNDING     1e-9  /* minimum increment of time, relative to t */
#define SAME_IMPACT       1e-6  /* maximum time between closings that share an impact, relative to the last step */
#define SAME_TIME         1e-12 /* maximum time between closings that share an impact, relative to t */
#define GAP_ROW_TOLERANCE 1e-3  /* maximum relative error of a gap speed computed from rows and rates of the model */
#define RATE_ROUNDINGS    1e3   /* maximum error of a gap speed [rounding errors of a difference quotient] */
#define GAP_ROUNDING      1e-14 /* rounding error of a gap, relative to max(1, |p|) */

resida_status rsd_run_create_contacts(resida_run *run)
{
    const resida_model_contacts *c = run->model->contacts;
    const resida_allocator *a = &run->alloc;
    const int n_root = run->model->mechanism.n_root;
    rsd_run_contacts *x = &run->contacts;
    if (!c || run->model->is_dae) return RESIDA_OK;
    x->names = rsd_calloc(a, c->n, sizeof *x->names);
    x->has_impact = rsd_calloc(a, c->n, 1);
    if (c->holds) x->held = &run->solver->problem->contacts;
    x->decided = rsd_calloc(a, x->held ? (long)x->held->decided_size : 0, 1);
    if (x->held && x->decided) {
        x->was_closed = (unsigned char *)x->decided + (x->held->closed - (unsigned char *)x->held->decided);
        x->was_sliding = (int *)x->decided + (x->held->slides - (int *)x->held->decided);
    }
    x->inelastic = rsd_calloc(a, c->n, 1);
    x->change = rsd_calloc(a, c->n, sizeof *x->change);
    const int n_slides = x->held && x->held->row_t ? c->n : 0;
    const int all = RSD_DOUBLES(a, (long)n_slides * run->n_yp, &x->slides) &&
                    RSD_DOUBLES(a, n_slides, &x->slide_rates, &x->selected_mu) && x->names && x->has_impact &&
                    x->decided && x->inelastic && x->change && RSD_INTS(a, c->n, &x->closed, &x->releases) &&
                    RSD_DOUBLES(a, run->solver->problem->mechanism->n_l, &x->speeds) &&
                    RSD_DOUBLES(a, run->solver->problem->layout.n, &x->y) && RSD_DOUBLES(a, run->n, &x->p, &x->pd) &&
                    RSD_DOUBLES(a, n_root, &x->phi, &x->phi_2) && RSD_DOUBLES(a, (long)c->n * run->n, &x->rows) &&
                    RSD_DOUBLES(a, c->n, &x->rates, &x->e, &x->push, &x->selected_push);
    return all ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

/* Evaluate all root functions of the model at t, p [n_p] into phi [n_root]. Return 0, or nonzero on an error. */
static int evaluate_gaps(const rsd_model_state *a, double t, const double *p, double *phi)
{
    rsd_run_contacts *x = &a->run->contacts;
    const resida_layout *l = &a->guard->problem->layout;
    memset(x->y, 0, (size_t)l->n * sizeof *x->y);
    memcpy(x->y + l->p, p, (size_t)l->n_p * sizeof *p);
    memcpy(x->y + l->v, a->v, (size_t)l->n_v * sizeof *a->v);
    return rsd_guard_eval_roots(a->guard, t, x->y, x->y, phi);
}

/* Evaluate a callback of the contacts. out [n]. Return 0, or nonzero on an error. */
static int evaluate_callback(const rsd_model_state *a, resida_position_fn *callback, const char *name, double *out,
                             int n)
{
    rsd_mechanism *k = a->guard->problem->mechanism;
    int verdict = rsd_eval_excitation(k, a->t);
    if (!verdict) {
        verdict = rsd_call_gaps(a->t, a->p, &k->calls.e, out, k->m.user, &k->calls.fault.thrown, callback);
        if (verdict || !rsd_all_finite(out, n)) rsd_fault_record(&k->calls.fault, name, a->t, verdict, out, n);
    }
    verdict = rsd_guard_judge(a->guard, a->t, verdict, out, n);
    if (verdict <= 0) return verdict;
    rsd_fail(a->guard->message, RESIDA_ERR_USER, "callback %s of contacts cannot be evaluated at t = %.9g", name, a->t);
    return a->guard->stop = RESIDA_ERR_USER;
}

/* Set x->phi to the rates of all root functions along (dt, dp), by central differences with increment h. Overwrites
 * x->phi_2. Return 0, or nonzero on an error. */
static int difference_roots(const rsd_model_state *a, double h, double dt, const double *dp)
{
    rsd_run_contacts *x = &a->run->contacts;
    int verdict = 0;
    for (int side = 0; side < 2 && !verdict; side++) {
        const double s = side == 0 ? h : -h;
        for (int i = 0; i < a->run->n; i++) x->p[i] = a->p[i] + s * dp[i];
        verdict = evaluate_gaps(a, a->t + s * dt, x->p, side == 0 ? x->phi : x->phi_2);
    }
    for (int i = 0; i < a->run->model->mechanism.n_root; i++) x->phi[i] = (x->phi[i] - x->phi_2[i]) / (2 * h);
    return verdict;
}

static double compute_time_increment(const rsd_model_state *a, double increment)
{
    return fmax(increment, TIME_ROUNDING * fabs(a->t));
}

/* Compute x->rows = dphi/dp [n x n_p] and x->rates = dphi/dt [n] at constant p. Return 0, or nonzero on an error. */
static int compute_gap_rows(const rsd_model_state *a)
{
    rsd_run_contacts *x = &a->run->contacts;
    const int n = a->c->n, n_p = a->run->n;
    const double *phi = x->phi + a->c->first;
    int verdict = 0;
    if (x->held) return rsd_run_compute_gap_rows(a);
    memset(x->pd, 0, (size_t)n_p * sizeof *x->pd);
    if (a->c->matrix) verdict = evaluate_callback(a, a->c->matrix, "matrix", x->rows, n * n_p);
    for (int k = 0; k < n_p && !a->c->matrix && !verdict; k++) {
        x->pd[k] = 1;
        verdict = difference_roots(a, GAP_INCREMENT * fmax(1, fabs(a->p[k])), 0, x->pd);
        x->pd[k] = 0;
        for (int i = 0; i < n; i++) x->rows[(long)i * n_p + k] = phi[i];
    }
    if (!verdict && a->c->rate) return evaluate_callback(a, a->c->rate, "rate", x->rates, n);
    if (!verdict) verdict = difference_roots(a, compute_time_increment(a, GAP_INCREMENT), 1, x->pd);
    if (!verdict) memcpy(x->rates, phi, (size_t)n * sizeof *phi);
    return verdict;
}

/* Return the rate of a gap along the motion, dphi/dp p' + dphi/dt, from row = dphi/dp, rate = dphi/dt and pd = p'. */
static double compute_gap_rate(const resida_run *run, const double *row, double rate, const double *pd)
{
    for (int k = 0; k < run->n; k++) rate += row[k] * pd[k];
    return rate;
}

int rsd_run_closes_at_once(const resida_run *run, double t, double phi, double w)
{
    resida_stats stats = {.size = sizeof stats};
    (void)resida_solver_stats(run->solver, &stats);
    return phi <= -w * (SAME_IMPACT * stats.h + SAME_TIME * fabs(t));
}

/* Select the contacts that close at the event, and those that close within rounding of its time. Also select a contact
 * that is a constraint if it is closed, or was closed and has not left its margin. */
static void select_closing_contacts(const rsd_model_state *a, const int *direction, const double *pd)
{
    rsd_run_contacts *x = &a->run->contacts;
    x->n_closed = 0;
    for (int i = 0; i < a->c->n; i++) {
        const double w = compute_gap_rate(a->run, x->rows + (long)i * a->run->n, x->rates[i], pd),
                     phi = x->phi[a->c->first + i], margin = x->held ? x->held->margin[i] : 0;
        const int touches = x->held && (x->held->closed[i] || (margin > 0 && phi <= 2 * margin));
        if (touches || direction[a->c->first + i] < 0 || phi <= 0 || rsd_run_closes_at_once(a->run, a->t, phi, w))
            x->closed[x->n_closed++] = i;
    }
}

/* Compute the impact of the selected contacts. The rows and rates of their gaps are moved to the front of the arrays. v
 * [n_v] is updated, and push [n] is set for all contacts. */
static resida_status compute_impact(const rsd_model_state *a, double *v, double *push, resida_impact_report *report)
{
    rsd_run_contacts *x = &a->run->contacts;
    const size_t n_p = (size_t)a->run->n;
    resida_contacts c;
    resida_contacts_init(&c);
    c.n = x->n_closed, c.rows = x->rows, c.rates = x->rates, c.restitution = x->e;
    if (a->c->names) c.names = x->names;
    if (x->held && x->held->row_t)
        c.friction = x->selected_mu, c.slides = x->slides, c.slide_rates = x->slide_rates, c.law = x->held->given.law;
    for (int k = 0; k < c.n; k++) {
        const int i = x->closed[k];
        memmove(x->rows + (size_t)k * n_p, x->rows + (size_t)i * n_p, n_p * sizeof *x->rows);
        x->rates[k] = x->rates[i];
        x->e[k] = x->inelastic[i] ? 0 : a->c->restitution[i];
        x->names[k] = a->c->names ? a->c->names[i] : NULL;
        if (c.friction) rsd_run_set_sliding_row(a, k, i);
    }
    RSD_TRY(resida_problem_impact(a->guard->problem, a->t, a->p, v, &c, &a->run->start, v, x->selected_push, NULL,
                                  report, a->guard->message));
    a->guard->message->text[0] = 0;
    memset(push, 0, (size_t)a->c->n * sizeof *push);
    for (int k = 0; k < c.n; k++) push[x->closed[k]] = x->selected_push[k];
    return RESIDA_OK;
}

/* Compute the rate pd = T v of positions at p. Return 0, or nonzero on an error. */
static int compute_pd(const rsd_model_state *a, double *pd)
{
    rsd_mechanism *k = a->guard->problem->mechanism;
    const int verdict = k->m.kinematic_matrix ? rsd_eval_kinematic_matrix(k, a->t, a->p) : 0;
    if (!verdict) memcpy(pd, rsd_get_rate_of_p(k, a->v), (size_t)a->run->n * sizeof *pd);
    return verdict;
}

static resida_status get_stop_status(const rsd_model_state *a)
{
    return a->guard->stop < 0 ? a->guard->stop : rsd_fail(a->guard->message, RESIDA_ERR_USER, "contacts failed");
}

/* Compute the rates of all root functions along the motion into x->phi. *rounding is the rounding error of a rate.
 * Return 0, or nonzero on an error. */
static int compute_root_rates(const rsd_model_state *a, const double *pd, double *rounding)
{
    const double size = fmax(1, rsd_max_norm(a->p, a->run->n)), fastest = fmax(1, rsd_max_norm(pd, a->run->n));
    const double d = compute_time_increment(a, GAP_INCREMENT * size / fastest);
    *rounding = GAP_ROUNDING * size / d;
    return difference_roots(a, d, 1, pd);
}

/* Check that the rows and rates of the model agree with the gap rates x->e along the motion. */
static resida_status check_gap_rows(const rsd_model_state *a, double rounding)
{
    const rsd_run_contacts *x = &a->run->contacts;
    char name[RSD_ROW_NAME];
    for (int k = 0; k < x->n_closed; k++) {
        const int i = x->closed[k];
        const double w = compute_gap_rate(a->run, x->rows + (long)i * a->run->n, x->rates[i], x->pd);
        if (x->held && x->held->closed[i]) continue; /* the root function of a closed contact is not its gap */
        if (fabs(w - x->e[i]) > GAP_ROW_TOLERANCE * (fabs(w) + fabs(x->e[i])) + RATE_ROUNDINGS * rounding)
            return rsd_fail(a->guard->message, RESIDA_ERR_MODEL,
                            "contact %.60s: the gap changes with %.9g at t = %.9g, but its matrix and rate give %.9g",
                            rsd_get_contact_name(a->c, i, name, sizeof name), x->e[i], a->t, w);
    }
    return RESIDA_OK;
}

/* Return 1 if a gap has closed, 0 if only forces of closed contacts have become zero. */
static int has_gap_closed(const resida_run *run, const resida_model_event *event)
{
    const rsd_run_contacts *x = &run->contacts;
    int is = 0;
    for (int i = 0; i < run->model->contacts->n; i++)
        is |= event->direction[run->model->contacts->first + i] < 0 && !(x->held && x->held->closed[i]);
    return is;
}

/* Compute the impact of the contacts that close at the event. */
static resida_status process_impact(const rsd_model_state *a, const resida_model_event *event, double rounding)
{
    rsd_run_contacts *x = &a->run->contacts;
    resida_impact_report report;
    memset(x->inelastic, 0, (size_t)a->c->n);
    select_closing_contacts(a, event->direction, x->pd);
    RSD_TRY(check_gap_rows(a, rounding));
    RSD_TRY(compute_impact(a, a->run->yp, x->push, &report));
    for (int k = 0; k < x->n_closed; k++) x->has_impact[x->closed[k]] = 1;
    x->was_impact = 1;
    x->energy_change = report.energy_change;
    return RESIDA_OK;
}

/* Clear has_impact of the gaps that are open. A gap that falls to zero at the event may be open by rounding. */
static void clear_impacts_of_open_gaps(const rsd_model_state *a, const int *direction)
{
    const double rounding = GAP_ROUNDING * fmax(1, rsd_max_norm(a->p, a->run->n));
    for (int i = 0; i < a->c->n; i++)
        if (direction[a->c->first + i] >= 0 && a->run->contacts.phi[a->c->first + i] > rounding)
            a->run->contacts.has_impact[i] = 0;
}

static resida_status process_contact_event(resida_run *run, const resida_model_event *event)
{
    rsd_run_contacts *x = &run->contacts;
    const rsd_model_state a = {run, run->model->contacts, &run->solver->guard, event->t, run->y, run->yp};
    double rounding = 0;
    if (compute_gap_rows(&a) || compute_pd(&a, x->pd) || compute_root_rates(&a, x->pd, &rounding))
        return get_stop_status(&a);
    memcpy(x->e, x->phi + a.c->first, (size_t)a.c->n * sizeof *x->e);
    if (evaluate_gaps(&a, a.t, a.p, x->phi)) return get_stop_status(&a);
    clear_impacts_of_open_gaps(&a, event->direction);
    rsd_run_set_gap_tolerances(&a);
    if (has_gap_closed(run, event)) RSD_TRY(process_impact(&a, event, rounding));
    rsd_run_update_min_forces(&a, event->direction);
    return RESIDA_OK;
}
/* Check that constraints and gaps of contacts agree at the start run->y, run->yp, and set their tolerances. */
static resida_status check_contacts_at_start(resida_run *run)
{
    rsd_run_contacts *x = &run->contacts;
    rsd_mechanism *k = run->solver->problem->mechanism;
    const rsd_model_state a = {run, run->model->contacts, &run->solver->guard, run->model->t0, run->y, run->yp};
    char name[RSD_ROW_NAME];
    if (compute_gap_rows(&a) || evaluate_gaps(&a, a.t, a.p, x->phi)) return get_stop_status(&a);
    rsd_run_set_gap_tolerances(&a);
    if (rsd_guard_judge(a.guard, a.t, rsd_eval_constraint(k, a.t, a.p, x->speeds), x->speeds, k->m.n_g))
        return get_stop_status(&a);
    for (int i = 0; i < a.c->n; i++) {
        const double gap = x->phi[a.c->first + i], g = x->speeds[x->held->row[i]];
        if (fabs(gap - g) > GAP_ROW_TOLERANCE * fabs(gap) + x->held->tolerance[i] + RATE_ROUNDINGS * GAP_ROUNDING)
            return rsd_fail(a.guard->message, RESIDA_ERR_MODEL,
                            "contact %.60s: its gap is %.9g at t = %.9g, but its constraint is %.9g",
                            rsd_get_contact_name(a.c, i, name, sizeof name), gap, a.t, g);
    }
    return RESIDA_OK;
}

/* Compute the impact of the same contacts again from the velocities before it. On failure the first impact is kept. */
static resida_status recompute_impact(resida_run *run, double t)
{
    rsd_run_contacts *x = &run->contacts;
    double *v = x->y; /* the array is work space, since gaps are not evaluated here */
    const rsd_model_state a = {run, run->model->contacts, &run->solver->guard, t, run->y, v};
    resida_impact_report report;
    memcpy(v, run->yp_before, (size_t)run->n_yp * sizeof *v);
    if (compute_gap_rows(&a)) return get_stop_status(&a);
    RSD_TRY(compute_impact(&a, v, x->push, &report));
    memcpy(run->yp, v, (size_t)run->n_yp * sizeof *v);
    x->energy_change = report.energy_change;
    return RESIDA_OK;
}

resida_status rsd_run_repeat_impact(resida_run *run, double t, int *repeated)
{
    rsd_run_contacts *x = &run->contacts;
    const resida_model_contacts *c = run->model->contacts;
    *repeated = 0;
    for (int i = 0; x->held && x->was_impact && i < c->n; i++) {
        const int is = x->held->closed[i] && !x->was_closed[i] && x->push[i] > 0 && c->restitution[i] > 0;
        *repeated |= is && !x->inelastic[i];
        if (is) x->inelastic[i] = 1;
    }
    if (!*repeated) return RESIDA_OK;
    rsd_run_restore_contacts(run);
    RSD_TRY(rsd_solver_enter(run->solver));
    const resida_status status = rsd_solver_leave(run->solver, recompute_impact(run, t));
    if (status < 0) memset(x->inelastic, 0, (size_t)c->n);
    return status;
}

/* Compute the impact of the same contacts for perturbed model i. */
static resida_status compute_perturbed_impact(resida_run *run, int i, double t)
{
    rsd_run_contacts *x = &run->contacts;
    rsd_perturbed_model *m = &run->moved[i];
    rsd_tangent *one = &rsd_get_sensitivities(run->solver)->each[i];
    const rsd_model_state a = {run, m->model->contacts, &one->guard, t + one->by.delta * m->dt, m->y, m->yp};
    rsd_tangent_begin_calls(one, &run->solver->guard);
    resida_status status = compute_gap_rows(&a)
                               ? get_stop_status(&a)
                               : compute_impact(&a, m->yp, x->selected_push, &(resida_impact_report){.rank = 0});
    if (status < 0) run->solver->message = one->message;
    rsd_tangent_end_calls(one, &run->solver->guard);
    return status;
}

resida_status rsd_run_reset_contacts(resida_run *run)
{
    const resida_model_contacts *c = run->model->contacts;
    rsd_run_contacts *x = &run->contacts;
    if (!c || run->model->is_dae) return RESIDA_OK;
    memset(x->has_impact, RSD_NEVER_OPEN, (size_t)c->n);
    if (!x->held) return RESIDA_OK;
    memset(x->held->closed, 0, (size_t)c->n);
    memset(x->releases, 0, (size_t)c->n * sizeof *x->releases);
    memset(x->held->margin, 0, (size_t)c->n * sizeof *x->held->margin);
    RSD_TRY(rsd_solver_enter(run->solver));
    const resida_status status = check_contacts_at_start(run);
    return rsd_solver_leave(run->solver, status);
}

/* End the run because contact i has not opened after its impact. */
static resida_status end_run_by_contact(resida_run *run, int i)
{
    char name[RSD_ROW_NAME];
    run->ended = 1;
    return rsd_fail(&run->why_ended, RESIDA_OK, "contact %.60s stays closed",
                    rsd_get_contact_name(run->model->contacts, i, name, sizeof name));
}

resida_status rsd_run_compute_impact(resida_run *run, resida_model_event *event)
{
    const resida_model_contacts *c = run->model->contacts;
    int falls = 0, rests = -1;
    run->contacts.was_impact = 0;
    if (!c || run->model->is_dae || event->kind != RESIDA_AT_ROOT || event->changed || event->ends) return RESIDA_OK;
    for (int i = 0; i < c->n; i++)
        if (event->direction[c->first + i] < 0) {
            falls = 1;
            if (run->contacts.has_impact[i] == 1 && !run->contacts.held) rests = i;
        }
    if (rests >= 0) return end_run_by_contact(run, rests);
    if (!falls) return RESIDA_OK;
    memcpy(run->yp, run->yp_before, (size_t)run->n_yp * sizeof *run->yp); /* run->yp may contain a failed impact */
    for (int i = 0; i < run->n_moved; i++) rsd_run_perturb_state(run, i);
    RSD_TRY(rsd_solver_enter(run->solver));
    resida_status status = process_contact_event(run, event);
    for (int i = 0; i < run->n_moved && status >= 0; i++) status = compute_perturbed_impact(run, i, event->t);
    rsd_solver_leave(run->solver, status);
    event->changed = status >= 0;
    run->contacts.was_impact &= event->changed;
    return status;
}

/* Find a contact i that penetrates and whose gap decreases. Return i + 1, 0 if no contact does, < 0 on an error. */
static int find_penetrating_contact(const rsd_model_state *a, const double *pd)
{
    rsd_run_contacts *x = &a->run->contacts;
    double rounding = 0;
    int below = 0, verdict = evaluate_gaps(a, a->t, a->p, x->phi);
    for (int i = 0; i < a->c->n && !verdict; i++) {
        const int is_closed = x->held && x->held->closed[i];
        const double allowed = x->held ? 2 * x->held->tolerance[i] + x->held->margin[i] : 0,
                     phi = is_closed || fabs(x->phi[a->c->first + i]) <= allowed ? 0 : x->phi[a->c->first + i];
        if (phi > 0 || is_closed) x->has_impact[i] = 0;
        below |= phi < 0;
        x->e[i] = phi;
    }
    if (verdict || !below) return verdict;
    verdict = compute_root_rates(a, pd, &rounding);
    for (int i = 0; i < a->c->n && !verdict; i++) {
        const double slope = x->phi[a->c->first + i];
        if (x->e[i] < slope * SAME_TIME * fabs(a->t) - GAP_ROUNDING && slope < -rounding) return i + 1;
    }
    return verdict;
}

resida_status rsd_run_check_contacts(resida_run *run)
{
    const resida_model_contacts *c = run->model->contacts;
    resida_solver *s = run->solver;
    resida_state at;
    char name[RSD_ROW_NAME];
    if (!c || run->model->is_dae) return RESIDA_OK;
    RSD_TRY(resida_solver_state(s, &at));
    const rsd_model_state a = {run, c, &s->guard, at.t, at.p, at.v};
    const resida_message said = s->message;
    RSD_TRY(rsd_solver_enter(s));
    const int i = find_penetrating_contact(&a, at.yp + s->problem->layout.p);
    (void)rsd_solver_leave(s, RESIDA_OK);
    if (i < 0) return get_stop_status(&a);
    s->message = said;
    if (i == 0) return rsd_run_check_closed(run, &at);
    const int was_open = run->contacts.has_impact[i - 1] != RSD_NEVER_OPEN;
    run->ended = run->contacts.has_impact[i - 1] == 1 && !run->contacts.held;
    if (run->ended) {
        run->last = (resida_happening){.kind = RESIDA_AT_STEP, .t = at.t, .ended = 1};
        run->is_last = 1;
        run->contacts.was_impact = 0;
        memcpy(run->y_before, at.p, (size_t)run->n * sizeof *at.p);
        memcpy(run->yp_before, at.v, (size_t)run->n_yp * sizeof *at.v);
        return end_run_by_contact(run, i - 1);
    }
    return rsd_fail(&s->message, RESIDA_ERR_INCONSISTENT, "contact %.60s penetrates by %.3g at t = %.9g: %s%s",
                    rsd_get_contact_name(c, i - 1, name, sizeof name), -run->contacts.e[i - 1], at.t,
                    was_open ? "its closing was missed, because it opened within the same step (event_parts)"
                             : "it was closed at the start",
                    was_open || run->contacts.held ? "" : ", and cannot stay closed without `holds`");
}
