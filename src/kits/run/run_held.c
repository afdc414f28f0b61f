/* run_held.c - handles closed contacts that are constraints (resida/contact.h): rows of gaps and sliding directions,
 * tolerances, and changes at an event. */
#include "run_impl.h"

#include "base/message.h"
#include "src/core/watch/tolerance.h"

#include <math.h>
#include <string.h>

#define TOLERANCE_GROWTH 10   /* factor of the force tolerance if the force becomes zero and the contact stays closed */
#define MAX_LOOSENED     0.5  /* maximum reduction of mu between sticking and sliding, relative to mu */
#define MIN_VIOLATION    1e3  /* minimum violation of a closed or sliding state that is an error, in tolerances */
#define MAX_PENETRATION  10   /* maximum penetration at the start without a warning, in tolerances of p */
#define MIN_FORCE_RATIO  1e-3 /* minimum violation of a force that is an error, relative to the largest force */

int rsd_run_compute_gap_rows(const rsd_model_state *a)
{
    rsd_run_contacts *x = &a->run->contacts;
    rsd_mechanism *k = a->guard->problem->mechanism;
    const int n_p = a->run->n, *row = x->held->row;
    int verdict = rsd_eval_excitation(k, a->t);
    if (!verdict) verdict = rsd_eval_matrices(k, a->t, a->p);
    if (!verdict) verdict = rsd_eval_velocity_level(k, a->t, a->p, a->v, x->speeds);
    if ((verdict = rsd_guard_judge(a->guard, a->t, verdict, x->speeds, k->n_l))) return verdict;
    const double *pd = rsd_get_rate_of_p(k, a->v);
    memset(x->rows, 0, (size_t)a->c->n * (size_t)n_p * sizeof *x->rows);
    for (int i = 0; i < a->c->n; i++) {
        x->rates[i] = x->speeds[row[i]];
        for (int e = k->gp.row[row[i]]; e < k->gp.row[row[i] + 1]; e++) {
            x->rows[(long)i * n_p + k->gp.col[e]] = k->gp_values[e];
            x->rates[i] -= k->gp_values[e] * pd[k->gp.col[e]];
        }
    }
    return 0;
}

void rsd_run_set_gap_tolerances(const rsd_model_state *a)
{
    const rsd_run_contacts *x = &a->run->contacts;
    const rsd_mechanism *k = a->run->solver->problem->mechanism;
    const resida_layout *l = &a->run->solver->problem->layout;
    const resida_solver_options *o = &a->run->solver->o;
    double *of_p = x->p, *of_v = x->y;
    for (int i = 0; x->held && i < l->n_p; i++) of_p[i] = rsd_tolerance(o, l->p + i, a->p[i]);
    for (int i = 0; x->held && i < l->n_v; i++) of_v[i] = rsd_tolerance(o, l->v + i, a->v[i]);
    for (int i = 0; x->held && i < a->c->n; i++) {
        x->held->tolerance[i] = rsd_csr_sum_row_terms(&k->gp, k->gp_values, x->held->row[i], of_p);
        if (x->held->row_t)
            x->held->slide_tolerance[i] = rsd_csr_sum_row_terms(&k->Gh, k->Gh_values, x->held->row_t[i] - l->n_g, of_v);
    }
}

void rsd_run_set_sliding_row(const rsd_model_state *a, int k, int i)
{
    const rsd_run_contacts *x = &a->run->contacts;
    const rsd_mechanism *mech = a->guard->problem->mechanism;
    const int n_v = mech->m.n_v, row = x->held->row_t[i] - mech->m.n_g;
    double *out = x->slides + (long)k * n_v, rate = x->speeds[x->held->row_t[i]];
    memset(out, 0, (size_t)n_v * sizeof *out);
    for (int e = mech->Gh.row[row]; e < mech->Gh.row[row + 1]; e++) {
        out[mech->Gh.col[e]] = mech->Gh_values[e];
        rate -= mech->Gh_values[e] * a->v[mech->Gh.col[e]];
    }
    x->slide_rates[k] = rate;
    x->selected_mu[k] = x->held->given.friction[i];
}

void rsd_run_update_min_forces(const rsd_model_state *a, const int *direction)
{
    const rsd_run_contacts *x = &a->run->contacts;
    const rsd_unilateral *held = x->held;
    const resida_solver_options *o = &a->run->solver->o;
    for (int i = 0; held && i < a->c->n; i++) {
        const int lam = a->run->solver->problem->layout.lam + held->row[i];
        if (held->closed[i] && direction[a->c->first + i] < 0) {
            const double min = pow(TOLERANCE_GROWTH, x->releases[i]++) * rsd_tolerance(o, lam, held->max_force[i]);
            held->min_force[i] = min;
            held->loosened[i] = held->slides[i] == 0 ? fmin(min / held->max_force[i], MAX_LOOSENED) : 0;
        } else if (!held->closed[i])
            x->releases[i] = 0;
    }
}

/* Return the violation of the closed or sliding state of contact i, relative to the maximum accepted violation. Sliding
 * speeds are those of the last call of the root functions. */
static double compute_violation(const resida_run *run, const double *lam, int i)
{
    const rsd_unilateral *held = run->contacts.held;
    const resida_problem *q = run->solver->problem;
    const double N = -lam[held->row[i]], mu = held->row_t ? held->given.friction[i] : 0,
                 tolerance = rsd_tolerance(&run->solver->o, q->layout.lam + held->row[i], held->max_force[i]),
                 force = fmax(MIN_VIOLATION * tolerance, MIN_FORCE_RATIO * held->max_force[i]);
    if (mu == 0) return -N / force;
    const double speed = held->speeds[held->row_t[i] - q->layout.n_g],
                 wrong = held->closed[i] == RSD_FOLLOWS ? fabs(speed) : -held->slides[i] * speed;
    if (held->closed[i] == 1 && held->slides[i] == 0) return fmax(-N, fabs(lam[held->row_t[i]]) - mu * N) / force;
    return fmax(-N / force, wrong / (held->slide_margin[i] + MIN_VIOLATION * held->slide_tolerance[i]));
}

resida_status rsd_run_check_closed(const resida_run *run, const resida_state *at)
{
    const rsd_unilateral *held = run->contacts.held;
    char name[RSD_ROW_NAME];
    for (int i = 0; held && i < held->given.n; i++)
        if (held->closed[i] && at->lam && compute_violation(run, at->lam, i) > 1)
            return rsd_fail(&run->solver->message, RESIDA_ERR_INCONSISTENT,
                            "contact %.60s is closed at t = %.9g with a force of %.3g and %s, but no event was "
                            "detected: if a force or g jumps there, give a root function; if differences for dg/dp are "
                            "too inaccurate, give constraint_matrix",
                            rsd_get_contact_name(&held->given, i, name, sizeof name), at->t, -at->lam[held->row[i]],
                            at->lam[held->row[i]] > 0 ? "pulls"
                            : held->slides[i]         ? "slides with its friction"
                                                      : "sticks beyond its friction");
    return RESIDA_OK;
}

void rsd_run_save_contacts(resida_run *run)
{
    rsd_run_contacts *x = &run->contacts;
    if (x->held) memcpy(x->decided, x->held->decided, x->held->decided_size);
}

void rsd_run_restore_contacts(resida_run *run)
{
    const rsd_run_contacts *x = &run->contacts;
    if (!x->held) return;
    memcpy(x->held->decided, x->decided, x->held->decided_size);
    rsd_unilateral_mark_open(x->held, run->solver->problem->mechanism, 0);
}

void rsd_run_record_changes(resida_run *run)
{
    rsd_run_contacts *x = &run->contacts;
    for (int i = 0; x->held && i < x->held->given.n; i++) {
        const int is = x->held->closed[i], was = x->was_closed[i];
        const int slides = is == 1 ? x->held->slides[i] : 0, slid = was == 1 ? x->was_sliding[i] : 0;
        const int turns = is && was && slides != slid;
        if (turns || is != was) x->releases[i] = 0;
        x->change[i] = is && !was                               ? RESIDA_CONTACT_CLOSES
                       : was && !is                             ? RESIDA_CONTACT_OPENS
                       : !is && x->was_impact && x->push[i] > 0 ? RESIDA_CONTACT_REBOUNDS
                       : turns                                  ? slides ? RESIDA_CONTACT_SLIPS : RESIDA_CONTACT_STICKS
                                                                : RESIDA_CONTACT_STAYS;
    }
}

void rsd_run_warn_of_penetration(resida_run *run)
{
    const resida_model_contacts *c = run->model->contacts;
    const resida_layout *l = &run->solver->problem->layout;
    char name[RSD_ROW_NAME];
    double tolerance = 0;
    if (!c || run->model->is_dae) return;
    for (int k = 0; k < l->n_p; k++) tolerance = fmax(tolerance, rsd_tolerance(&run->solver->o, l->p + k, run->y[k]));
    for (int i = 0; i < c->n; i++)
        if (-run->contacts.e[i] > MAX_PENETRATION * tolerance)
            rsd_add_warning(&run->solver->warnings, RSD_CLAIM_START,
                            "start: contact %.60s penetrates by %.3g at t = %.6g: it has no impact until it has opened",
                            rsd_get_contact_name(c, i, name, sizeof name), -run->contacts.e[i], run->model->t0);
}
