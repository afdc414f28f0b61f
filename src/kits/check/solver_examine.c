/* solver_examine.c - compares derivatives of the model with difference quotients, at a start, after a failure, and
 * completely in resida_solver_examine(). A given start of a general DAE is compared with its tolerances. */
#include "examine.h"

#include "src/core/solver/solver_impl.h"

#include "src/core/start/start_impl.h"
#include "src/core/watch/tolerance.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define YP_CHANGE          1e-3                /* relative change of yp between the start and the nearby point */
#define MAX_RESIDUAL_RATIO 100.0               /* maximum |F| of a consistent start, relative to its change */
#define F_ROUNDING         (100 * DBL_EPSILON) /* rounding error of F, relative to |F| at both points */

/* Maximum error of constraints that the form enforces, in tolerances. In runs of built-in models it is below 1. */
static const double held = 1e3;

/* Maximum change of a component by a start, in tolerances. After a larger change the start is a different state. */
static const double another_state = 10;

static int compare_gI_at_step(void *solver, double t, const double *y)
{
    resida_solver *s = solver;
    const resida_layout *l = &s->problem->layout;
    return rsd_examine_gI(s->examiner, t, y + l->p, y + l->v);
}

resida_status rsd_solver_create_examiner(resida_solver *s)
{
    rsd_mechanism *k = s->problem->mechanism;
    if (!k) return RESIDA_OK;
    s->examiner = rsd_calloc(&s->alloc, 1, sizeof *s->examiner);
    if (!s->examiner) return RESIDA_ERR_MEMORY;
    if (k->m.velocity_bias) s->guard.comparison = (rsd_model_comparison){.compare = compare_gI_at_step, .user = s};
    return rsd_examiner_create(s->examiner, k, &s->warnings, &s->alloc);
}

/* Return the stop status of the guard if a callback returned < 0. Other failures are ignored. */
static resida_status get_examination_status(resida_solver *s, double t, int verdict)
{
    if (verdict < 0) (void)rsd_guard_judge(&s->guard, t, verdict, NULL, 0);
    rsd_fault_clear(&s->problem->calls->fault);
    return verdict < 0 ? s->guard.stop : RESIDA_OK;
}

/* Warn of the component that the start has changed most, in tolerances: y[offset + i] is compared with x0[i], i < n.
 * Components that start at 0 come last, because 0 is often no value that the user gave. */
static void warn_of_moved_start(resida_solver *s, rsd_claim claim, double t, int offset, int n, const double *x0)
{
    char name[RSD_COMPONENT_NAME];
    double max = 0;
    int worst = -1;
    for (int i = 0; i < n; i++) {
        const double part = fabs(s->y_new[offset + i] - x0[i]) / rsd_tolerance(&s->o, offset + i, x0[i]);
        const int rank = worst < 0 ? 1 : (x0[i] != 0) - (x0[worst] != 0);
        if (part > another_state && (rank > 0 || (rank == 0 && part > max))) max = part, worst = i;
    }
    if (worst < 0) return;
    resida_problem_component_name(s->problem, offset + worst, name, sizeof name);
    rsd_add_warning(&s->warnings, claim, "start: %s moves by %.3g from %.10g at t = %g, to satisfy the constraints",
                    name, s->y_new[offset + worst] - x0[worst], x0[worst], t);
}

resida_status rsd_solver_examine_start(resida_solver *s, double t, const double *p0, const double *v0,
                                       const resida_start_options *o)
{
    const resida_layout *l = &s->problem->layout;
    const double *y = s->y_new;
    if (s->starts > 0 || !s->problem->mechanism) return RESIDA_OK;
    if (!rsd_examine_inertia(&s->problem->start->kkt, t, &s->warnings))
        return rsd_fail(&s->message, RESIDA_ERR_MEMORY, "no memory to examine the mass matrix");
    int verdict = rsd_examine_start(s->examiner, t, y + l->p, y + l->v);
    if (!verdict && !s->problem->contacts.row_t) /* a start determines friction before the projection */
        verdict = rsd_examine_start_mass(s->examiner, s->by_parts.a, s->by_parts.lam);
    RSD_TRY(get_examination_status(s, t, verdict));
    if (s->examiner->wrong && !(o && o->wrong_matrix == RESIDA_WRONG_MATRIX_WARN))
        return rsd_fail(&s->message, RESIDA_ERR_MODEL, "%s: the results would be wrong; correct it or omit it%s",
                        s->examiner->wrong, l->n_g + l->n_h > 0 ? ", or allow it (wrong_matrix = warn)" : "");
    warn_of_moved_start(s, RSD_CLAIM_START, t, l->p, l->n_p, p0); /* after the warnings about possible causes */
    warn_of_moved_start(s, RSD_CLAIM_START_VELOCITY, t, l->v, l->n_v, v0);
    return RESIDA_OK;
}

/* Set yp [n] to s->yp_new with changed derivatives of the components first .. end - 1 that are declared algebraic.
 * Evaluate F [n] of a general DAE at (s->y_new, yp). Return the verdict of F. */
static int eval_with_other_rates(resida_solver *s, double t, int first, int end, double *yp, double *F)
{
    const int n = s->problem->layout.n;
    const resida_kind *kinds = s->problem->kinds;
    memcpy(yp, s->yp_new, (size_t)n * sizeof *yp);
    for (int i = first; i < end; i++)
        if (kinds[i] != RESIDA_DIFFERENTIAL && kinds[i] != RESIDA_DIFFERENTIAL_2)
            yp[i] += fmax(fabs(yp[i]), 1) * (1 + (double)i / n);
    return rsd_guard_eval_part(&s->guard, RSD_FOR_START, RSD_ROWS_ALL, t, s->y_new, yp, F);
}

/* Set *i to the first component that is declared algebraic although F depends on its derivative, or to n. Return the
 * verdict of F. */
static int find_wrong_kind(resida_solver *s, double t, int *i)
{
    const int n = s->problem->layout.n;
    double *F = s->points, *F_moved = F + n, *yp = F_moved + 2L * n;
    int verdict = eval_with_other_rates(s, t, 0, 0, yp, F);
    if (!verdict) verdict = eval_with_other_rates(s, t, 0, n, yp, F_moved);
    const int has_wrong = !verdict && memcmp(F, F_moved, (size_t)n * sizeof *F) != 0;
    for (*i = has_wrong ? 0 : n; *i < n && !verdict; ++*i) {
        verdict = eval_with_other_rates(s, t, *i, *i + 1, yp, F_moved);
        if (!verdict && memcmp(F, F_moved, (size_t)n * sizeof *F) != 0) break;
    }
    return verdict;
}

/* Compare F with its change at a nearby point, since each row of F has its own unit. At the nearby point, y is changed
 * by up to one tolerance with alternating signs, and yp by a thousandth. The fractions of the changes differ among the
 * components, so that the changes do not cancel. At both points algebraic components have other derivatives, so that F
 * is not small if it depends on one of them. *wrong: see find_wrong_kind(). */
static int compare_start_with_change(resida_solver *s, double t, rsd_warnings *warnings, int *wrong)
{
    const int n = s->problem->layout.n;
    double *F = s->points, *F_moved = F + n, *y = F_moved + n, *yp = y + n, max = MAX_RESIDUAL_RATIO;
    int worst = -1;
    *wrong = n;
    int verdict = eval_with_other_rates(s, t, 0, n, yp, F);
    for (int i = 0; i < n; i++) {
        const double side = (i % 2 ? -1 : 1) * (1 + (double)i / n) / 2;
        y[i] = s->y_new[i] + side * rsd_tolerance(&s->o, i, s->y_new[i]);
        yp[i] *= 1 + side * YP_CHANGE;
    }
    if (!verdict) verdict = rsd_guard_eval_part(&s->guard, RSD_FOR_START, RSD_ROWS_ALL, t, y, yp, F_moved);
    if (verdict) return verdict;
    for (int i = 0; i < n; i++) {
        const double off = fabs(F[i]), rounding = F_ROUNDING * (off + fabs(F_moved[i]));
        const double ratio = off / fmax(fabs(F_moved[i] - F[i]), rounding);
        if (off > 0 && ratio > max) max = ratio, worst = i;
    }
    if (worst < 0) return 0;
    const double off = F[worst];
    if ((verdict = find_wrong_kind(s, t, wrong)) || *wrong < n) return verdict;
    rsd_add_warning(warnings, RSD_CLAIM_POSITION,
                    "start: y0 and yp0 are not consistent: F[%d] = %.3g at t = %.6g, %.1g times its change due to "
                    "the tolerances of y and a thousandth of yp: correct them, or omit yp0",
                    worst, off, t, max);
    return 0;
}

static resida_status report_wrong_kind(resida_solver *s, double t, int wrong)
{
    char name[RSD_COMPONENT_NAME];
    resida_problem_component_name(s->problem, wrong, name, sizeof name);
    return rsd_fail(&s->message, RESIDA_ERR_MODEL,
                    "%s is declared algebraic, and F depends on its derivative at t = %g: correct "
                    "kinds; " RSD_KINDS_ARE_NOT_IDS,
                    name, t);
}

resida_status rsd_solver_examine_given_start(resida_solver *s, double t)
{
    int wrong;
    if (s->starts > 0) return RESIDA_OK;
    s->guard.run = 0;
    const int verdict = compare_start_with_change(s, t, &s->warnings, &wrong);
    if (verdict < 0) return s->guard.stop;
    if (verdict > 0 || wrong == s->problem->layout.n) return RESIDA_OK; /* the first step reports other failures */
    return report_wrong_kind(s, t, wrong);
}

/* Return 1 if the solver of a general DAE is at its last start, which was not the first. */
static int is_after_restart(const resida_solver *s)
{
    return !s->problem->mechanism && s->starts > 1 && s->t == s->t_start;
}

/* If the first step after a restart of a general DAE has failed, first compare F at the restart with its change. Then
 * compare the jacobian of a general DAE, or dg/dp and the biases of a mechanism, with difference quotients. The point
 * is at a relative distance from the state, for a mechanism also from the time, since F or dg/dp may jump at the state.
 * Return a warning, or NULL. */
static const char *find_contradiction(resida_solver *s, double distance, rsd_warnings *found)
{
    const resida_layout *l = &s->problem->layout;
    const double *y = s->integration->y;
    const resida_state at = {.t = s->t, .y = s->y_new, .yp = s->integration->yp};
    const int known = s->warnings.n;
    const size_t bytes = (size_t)l->n * sizeof *y;
    const double h = rsd_solver_get_last_step(s).h;
    int wrong;
    s->guard.stop = RESIDA_OK;
    if (is_after_restart(s)) {
        memcpy(s->y_new, y, bytes);
        memcpy(s->yp_new, s->integration->yp, bytes);
        (void)compare_start_with_change(s, s->t, found, &wrong);
        if (found->n > 0) return found->line[0];
    }
    for (int i = 0; i < l->n; i++) s->y_new[i] = y[i] + distance * rsd_get_random_component(i) * fmax(fabs(y[i]), 1);
    if (!s->problem->mechanism) {
        (void)rsd_examine_dF(&s->guard, h > 0 ? 1 / h : 1, &at, found);
        return found->n > 0 ? found->line[0] : NULL;
    }
    (void)rsd_examine_start(s->examiner, s->t + distance * (s->t - s->t_first), s->y_new + l->p, y + l->v);
    return s->warnings.n > known ? s->warnings.line[known] : NULL;
}

resida_status rsd_solver_explain_failure(resida_solver *s, resida_status status)
{
    static const double beside = 1e-2; /* distance of the point from the state, relative to max(|y|, 1) */
    const resida_message why = s->message;
    const resida_problem *q = s->problem;
    const int is_of_steps = status == RESIDA_ERR_CHATTERING || status == RESIDA_ERR_STEP_TOO_SMALL ||
                            status == RESIDA_ERR_NEWTON || status == RESIDA_ERR_ERROR_TEST;
    const int has_derivative = q->mechanism ? q->mechanism->m.constraint_matrix != NULL : q->dae.jacobian != NULL;
    if (!is_of_steps || !(has_derivative || is_after_restart(s))) return status;
    const rsd_outcome last = s->guard.last;
    rsd_warnings found = {.n = 0};
    const char *contradiction = find_contradiction(s, beside, &found);
    if (!contradiction) contradiction = find_contradiction(s, -beside, &found);
    s->guard.stop = status;
    s->guard.last = last;
    s->message = why;
    const int reason = (int)strcspn(why.text, ";"); /* the reason without other possible causes */
    return contradiction ? rsd_fail(&s->message, status, "%s; %.*s", contradiction, reason, why.text) : status;
}

/* Report component i, which the start has changed by more than its tolerance. The change is an error if the model
 * declares the component differential, otherwise a warning. */
static resida_status report_moved_component(resida_solver *s, double t, const double *y0, int i, const char *wrong)
{
    const resida_problem *q = s->problem;
    char name[RSD_COMPONENT_NAME];
    resida_problem_component_name(q, i, name, sizeof name);
    if (wrong)
        return rsd_fail(&s->message, RESIDA_ERR_INCONSISTENT,
                        "no consistent start of the DAE at t = %g: the start would change %s from %.10g to %.10g "
                        "because of a wrong %s",
                        t, name, y0[i], s->y_new[i], wrong);
    if (q->dae.kinds)
        return rsd_fail(
            &s->message, RESIDA_ERR_INCONSISTENT,
            "no consistent start of the DAE at t = %g: F = 0 would change %s, which is declared differential, from "
            "%.10g to %.10g: correct y0, declare the component algebraic, or add its derivative to "
            "F; " RSD_KINDS_ARE_NOT_IDS,
            t, name, y0[i], s->y_new[i]);
    rsd_add_warning(&s->warnings, RSD_CLAIM_START,
                    "start: F = 0 changes %s from %.10g to %.10g at t = %.6g: give kinds if it is algebraic", name,
                    y0[i], s->y_new[i], t);
    return RESIDA_OK;
}

/* Report a component that is declared algebraic although F depends on its derivative. Return the status. */
static resida_status check_kinds(resida_solver *s, double t)
{
    int wrong;
    const int verdict = find_wrong_kind(s, t, &wrong);
    if (verdict < 0) return s->guard.stop;
    return verdict > 0 || wrong == s->problem->layout.n ? RESIDA_OK : report_wrong_kind(s, t, wrong);
}

/* If the start has failed or changed a component, check the kinds, the jacobian and its pattern. Their errors are
 * reported first. */
resida_status rsd_solver_examine_computed_start(resida_solver *s, double t, const double *y0, resida_status status)
{
    const size_t n = (size_t)s->problem->layout.n;
    const resida_message why = s->message;
    const resida_state at = {.t = t, .y = y0, .yp = s->yp_new};
    rsd_warnings found = {.n = 0};
    double max = 1;
    int worst = -1, moved = 0;
    if (status < 0 && status != RESIDA_ERR_INCONSISTENT) return status;
    for (size_t i = 0; i < n && status >= 0; i++) {
        const double part = fabs(s->y_new[i] - y0[i]) / rsd_tolerance(&s->o, (int)i, y0[i]);
        if (s->problem->kinds[i] == RESIDA_DIFFERENTIAL && part > max) max = part, worst = (int)i;
        moved |= s->problem->kinds[i] != RESIDA_DIFFERENTIAL && part > 1;
    }
    if (status >= 0 && worst < 0) return moved && s->starts == 0 ? check_kinds(s, t) : RESIDA_OK;
    if (status < 0) memset(s->yp_new, 0, n * sizeof *s->yp_new);
    RSD_TRY(rsd_examine_dF(&s->guard, 1, &at, &found));
    if (status >= 0) return report_moved_component(s, t, y0, worst, found.n > 0 ? found.line[0] : NULL);
    return found.n == 0 ? status : rsd_fail(&s->message, status, "%s; %s", found.line[0], why.text);
}

/* Set weights [n] to the tolerances of the n components of y from `offset` on, which are p or v. */
static void set_weights_by_tolerances(const resida_solver *s, const double *y, int offset, int n, double *weights)
{
    for (int i = 0; i < n; i++) weights[i] = rsd_tolerance(&s->o, offset + i, y[offset + i]);
}

static void warn_of_drift(resida_solver *s, rsd_claim claim, const char *what, const double *g, const double *weights,
                          double t)
{
    const rsd_mechanism *k = s->problem->mechanism;
    char name[RSD_ROW_NAME];
    int row = -1;
    double worst = held;
    for (int i = 0; i < k->m.n_g; i++) {
        double part = fabs(g[i]) / rsd_csr_sum_row_terms(&k->gp, k->gp_values, i, weights);
        if (k->dropped[i] || !(part > worst)) continue;
        worst = part;
        row = i;
    }
    if (row >= 0)
        rsd_add_warning(&s->warnings, claim,
                        "%s of %s is %.3g at t = %.6g, %.1g times the tolerance: g, dg/dp or their time derivatives "
                        "may be wrong",
                        what, rsd_row_name(k, row, name, sizeof name), g[row], t, worst);
}

/* Warn if g or G v + gI exceeds `held` tolerances although the form enforces it. Return the value of the callbacks. */
static int check_drift(resida_solver *s, double t, const double *y)
{
    const resida_layout *l = &s->problem->layout;
    rsd_examiner *w = s->examiner;
    rsd_level level = s->problem->form->level;
    int holds_g = s->problem->form->has_eta || level == RSD_POSITION || s->problem->o.step_projection;
    int holds_gv = s->problem->form->has_tau || level == RSD_VELOCITY || s->problem->o.step_projection;
    if (l->n_g == 0) return 0;
    int verdict = rsd_examine_set_state(w, t, y + l->p, y + l->v);
    if (!verdict) verdict = rsd_eval_constraint(w->k, t, y + l->p, w->c.given);
    if (!verdict) verdict = rsd_eval_velocity_level(w->k, t, y + l->p, y + l->v, w->c.found);
    if (verdict) return verdict;
    set_weights_by_tolerances(s, y, l->p, l->n_p, w->p_moved);
    if (holds_g) warn_of_drift(s, RSD_CLAIM_POSITION, "g", w->c.given, w->p_moved, t);
    const int n_w = l->n_v - l->n_z;
    for (int i = n_w; i < l->n_p; i++) w->p_moved[i] = s->o.atol;
    set_weights_by_tolerances(s, y, l->v, n_w, w->p_moved);
    if (holds_gv) warn_of_drift(s, RSD_CLAIM_VELOCITY, "G v + gI", w->c.found, w->p_moved, t);
    return 0;
}

/* Warn if no component has changed, or only by a few tolerances. Errors are then large compared with the motion. */
static void check_motion(resida_solver *s, const resida_state *at, long steps)
{
    static const double rest = 0.1; /* maximum change of a component of a system at rest, in tolerances */
    rsd_guard_update_motion(&s->guard, at->y);
    if (s->failed || !(at->t > s->t_first) || !s->guard.y_first) return;
    if (s->guard.moved <= rest)
        rsd_add_warning(
            &s->warnings, RSD_CLAIM_REST,
            "nothing moved in %ld steps, to t = %.6g: an excitation that is shorter than a step may be missed "
            "(set h_max)",
            steps, at->t);
    else if (s->guard.state_moved > rest)
        rsd_add_warning(
            &s->warnings, RSD_CLAIM_REST,
            "nothing moved by more than %.2g of its tolerances, to t = %.6g: relative errors are larger than rtol "
            "(reduce atol)",
            s->guard.state_moved, at->t);
}

/* Compare J(alpha) at alpha = 1/h and all derivatives of a mechanism with difference quotients. h is the last step
 * size. */
static resida_status check_state(resida_solver *s, const resida_state *at, double h)
{
    const resida_layout *l = &s->problem->layout;
    static const double none = 0;
    const double *lam = at->lam ? at->lam : &none;
    RSD_TRY(rsd_examine_dF(&s->guard, h > 0 ? 1 / h : 1, at, &s->warnings));
    if (!s->problem->mechanism) return RESIDA_OK;
    rsd_examiner *w = s->examiner;
    RSD_TRY(get_examination_status(s, at->t, rsd_examine_start(w, at->t, at->y + l->p, at->y + l->v)));
    RSD_TRY(get_examination_status(s, at->t, rsd_examine_forces(w, at->t, at->p, at->v, at->a, lam)));
    RSD_TRY(get_examination_status(s, at->t, rsd_examine_kinematics(w, at->t, at->p)));
    return get_examination_status(s, at->t, check_drift(s, at->t, at->y));
}

resida_status resida_solver_examine(resida_solver *s)
{
    resida_state at;
    if (!s) return RESIDA_ERR_ARGUMENT;
    resida_stats stats = {.size = sizeof stats};
    RSD_TRY(resida_solver_state(s, &at));
    RSD_TRY(resida_solver_stats(s, &stats));
    resida_message kept = s->message;
    RSD_TRY(rsd_solver_enter(s));
    const resida_status status = rsd_solver_leave(s, check_state(s, &at, stats.h));
    check_motion(s, &at, stats.steps);
    rsd_solver_find_hints(s, &stats);
    if (status >= 0) s->message = kept;
    return status;
}
