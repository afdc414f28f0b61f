/* start.c - the consistent start of a mechanism, stage by stage:
 *
 *     rank of G        redundant rows are described, and refused or dropped; rounding is no row (faint_rows.c)
 *     invariants       k(p) = 0 by the dp of least norm, at first and after each position step. K T = 0 is checked
 *     position         g(p) = 0 by Gauss-Newton steps dp = T dq,  M dq + G' mu = 0,  G dq = -g, halved until |g| falls
 *     velocity         M dv + G' mu = 0,  G dv = -(G v + gI), repeated once for rounding
 *     acceleration     M a + G' lam = Psi,  G a = -bias; where Psi depends on lam by Newton's method
 *
 * M-orthogonal corrections do not depend on the units of coordinates, and equal those of the first implicit step of an
 * index-2 code. IDACalcIC is not used: for v != 0 it returns success with wrong multipliers.
 * The caller's arrays are written after success only. */
#include "start_impl.h"

#include "src/base/numbers.h"
#include "src/linear/dense.h"
#include "src/problem/arguments.h"
#include "src/problem/rows.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    START_ITERATIONS = 50, /* of Newton's method: convergence takes far fewer */
    START_HALVINGS = 12,   /* of a step of Newton's method */
    VELOCITY_PASSES = 3,   /* of a linear equation: the others remove rounding errors */
    CONTACT_PASSES = 3
};

static resida_status evaluate_g(rsd_start *s, const double *p, double *g)
{
    RSD_TRY(rsd_start_verdict(s, rsd_eval_constraint(s->k, s->t, p, g)));
    return rsd_start_finite(s, "g", g, s->k->m.n_g);
}

static double norm_of_rows(const rsd_start *s, const double *g)
{
    double norm = 0;
    for (int r = 0; r < s->kkt.n_rows; r++)
        if (s->kkt.rows[r] < s->k->m.n_g)
            norm = isfinite(g[s->kkt.rows[r]]) ? fmax(norm, fabs(g[s->kkt.rows[r]])) : INFINITY;
    return norm;
}

static resida_status no_position(const rsd_start *s, double norm)
{
    rsd_fail(s->why, RESIDA_ERR_INCONSISTENT,
             "%s: no position near the given one satisfies the constraints at t = %g: |g| stays at %g", s->k->m.name,
             s->t, norm);
    rsd_start_suggest_accuracy(s);
    return RESIDA_ERR_INCONSISTENT;
}

/* One Gauss-Newton step, halved until |g| decreases. *done: the correction is at rounding level, or helps no more. */
static resida_status position_step(rsd_start *s, double *g, int moved, int *done)
{
    int n_p = s->k->m.n_p, n_l = s->k->n_l;
    for (int i = 0; i < n_l; i++) s->c[i] = i < s->k->m.n_g ? -g[i] : 0;
    resida_status status = rsd_start_factor(s);
    if (status == RESIDA_ERR_SINGULAR && moved) return no_position(s, norm_of_rows(s, g));
    RSD_TRY(status);
    rsd_kkt_solve(&s->kkt, 0, s->c, s->dq, s->mu);
    rsd_apply_T(s->k, s->dq, s->dp);
    double size = rsd_finite_norm(s->dp, n_p), before = norm_of_rows(s, g), part = 1;
    *done = size <= RSD_NEGLIGIBLE * (1 + rsd_finite_norm(s->p, n_p));
    if (*done) return RESIDA_OK;
    for (int h = 0; h <= START_HALVINGS; h++, part /= 2) {
        for (int i = 0; i < n_p; i++) s->p_try[i] = s->p[i] + part * s->dp[i];
        int verdict = rsd_hold_invariants(s->k, s->t, s->p_try);
        if (!verdict) verdict = rsd_eval_constraint(s->k, s->t, s->p_try, s->c);
        if (verdict < 0) return rsd_start_verdict(s, verdict);
        if (verdict == 0 && norm_of_rows(s, s->c) < before) {
            memcpy(s->p, s->p_try, (size_t)n_p * sizeof *s->p);
            memcpy(g, s->c, (size_t)s->k->m.n_g * sizeof *g);
            rsd_scales_look_again(s->k);
            return rsd_start_rows(s, s->p);
        }
        rsd_fault_forget(&s->k->calls.fault); /* too far: half the way is tried */
    }
    *done = 1;
    if (size <= RSD_STALLED * (1 + rsd_finite_norm(s->p, n_p)))
        return RESIDA_OK; /* rounding of g, nothing left to gain */
    return no_position(s, before);
}

static resida_status project_position(rsd_start *s, const double *p0)
{
    int n_p = s->k->m.n_p, done = s->k->m.n_g == 0;
    double *g = s->lam; /* not in use yet, and [n_l] */
    if (!done) RSD_TRY(evaluate_g(s, s->p, g));
    s->report.g_before = rsd_finite_norm(g, s->k->m.n_g);
    for (int it = 0; it < START_ITERATIONS && !done; it++) RSD_TRY(position_step(s, g, it > 0, &done));
    if (!done)
        return rsd_fail(s->why, RESIDA_ERR_INCONSISTENT,
                        "%s: positions do not settle on the constraints at t = %g: |g| = %g after %d steps",
                        s->k->m.name, s->t, norm_of_rows(s, g), START_ITERATIONS);
    s->report.g_after = rsd_finite_norm(g, s->k->m.n_g);
    RSD_TRY(rsd_start_verdict(s, rsd_eval_invariant(s->k, s->t, s->p, s->k->invariants.r)));
    s->report.k_after = rsd_finite_norm(s->k->invariants.r, s->k->m.n_k);
    for (int i = 0; i < n_p; i++) s->report.p_change = fmax(s->report.p_change, fabs(s->p[i] - p0[i]));
    if (s->report.p_change > s->o->max_change)
        return rsd_fail(s->why, RESIDA_ERR_INCONSISTENT,
                        "%s: the nearest position on the constraints at t = %g is %g away, max_change is %g",
                        s->k->m.name, s->t, s->report.p_change, s->o->max_change);
    return RESIDA_OK;
}

static resida_status project_velocity(rsd_start *s, const double *v0)
{
    int n_w = s->k->n_w, n_l = s->k->n_l;
    if (s->report.p_change > 0) RSD_TRY(rsd_start_metric(s)); /* M, or M^-1 G', of the projected position */
    RSD_TRY(rsd_start_factor(s));
    for (int pass = 0; pass < VELOCITY_PASSES && n_l > 0; pass++) {
        rsd_motion_begin(s->k, rsd_velocity_of_p(s->k, s->v));
        RSD_TRY(rsd_start_velocity_level(s, s->c));
        if (pass == 0) s->report.gv_before = rsd_finite_norm(s->c, n_l);
        s->report.gv_after = rsd_finite_norm(s->c, n_l);
        for (int i = 0; i < n_l; i++) s->c[i] = -s->c[i];
        rsd_kkt_solve(&s->kkt, 0, s->c, s->dq, s->mu);
        if (pass == VELOCITY_PASSES - 1 ||
            rsd_finite_norm(s->dq, n_w) <= RSD_NEGLIGIBLE * (1 + rsd_finite_norm(s->v, n_w)))
            break;
        for (int i = 0; i < n_w; i++) s->v[i] += s->dq[i];
    }
    for (int i = 0; i < n_w; i++) s->report.v_change = fmax(s->report.v_change, fabs(s->v[i] - v0[i]));
    if (s->report.v_change > s->o->max_change)
        return rsd_fail(s->why, RESIDA_ERR_INCONSISTENT,
                        "%s: the nearest velocity on the constraints at t = %g is %g away, max_change is %g",
                        s->k->m.name, s->t, s->report.v_change, s->o->max_change);
    return RESIDA_OK;
}

/* One step of Newton's method in lam: a and lam with applied forces linearised at the current lam. */
static resida_status lam_step(rsd_start *s)
{
    rsd_kkt *q = &s->kkt;
    RSD_TRY(rsd_start_verdict(s, rsd_kkt_linearise(q, s->t, s->p, s->v, s->lam)));
    RSD_TRY(rsd_start_finite(s, "the formalism at zero acceleration", q->psi, s->k->m.n_v));
    RSD_TRY(rsd_start_finite(s, "its derivative by lam", q->D_values, q->D.nnz));
    RSD_TRY(rsd_start_factor(s));
    rsd_kkt_solve(q, 1, s->c, s->a, s->lam);
    return RESIDA_OK;
}

static double largest_difference(const double *x, const double *y, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = isfinite(x[i]) ? fmax(most, fabs(x[i] - y[i])) : INFINITY;
    return most;
}

/* 1: the change is rounding, or the next one, by quadratic convergence, will be. */
static int has_converged(double change, double before)
{
    if (change <= RSD_NEGLIGIBLE) return 1;
    return change <= RSD_STALLED && isfinite(before) &&
           (change >= before || change * change <= RSD_NEGLIGIBLE * before);
}

/* Solve M a + G' lam = Psi(lam) to rounding, from the a and lam for Psi(0). */
static resida_status solve_for_lam(rsd_start *s)
{
    int n_v = s->k->m.n_v, n_w = s->k->n_w, n_z = n_v - n_w, n_l = s->k->n_l;
    double size = DBL_MIN, change = INFINITY;
    for (int it = 0; it < START_ITERATIONS && !(it > 0 && isinf(change)); it++) {
        double before = change;
        memcpy(s->mu, s->lam, (size_t)n_l * sizeof *s->mu);
        memcpy(s->dq, s->a, (size_t)n_v * sizeof *s->dq);
        size = fmax(size, rsd_finite_norm(s->lam, n_l));
        resida_status status = lam_step(s);
        if (status == RESIDA_ERR_SINGULAR)
            return rsd_fail(s->why, status,
                            "%s: applied forces that depend on lam leave lam undetermined (jamming) at t = %g",
                            s->k->m.name, s->t);
        RSD_TRY(status);
        change = fmax(largest_difference(s->lam, s->mu, n_l) / size,
                      fmax(largest_difference(s->a, s->dq, n_w) / (1 + rsd_finite_norm(s->a, n_w)),
                           largest_difference(s->a + n_w, s->dq + n_w, n_z) / (1 + rsd_finite_norm(s->a + n_w, n_z))));
        if (has_converged(change, before)) return RESIDA_OK;
    }
    return rsd_fail(
        s->why, RESIDA_ERR_INCONSISTENT,
        "%s: no constraint forces are found with which the applied forces that depend on them agree at t = %g: "
        "relative change %g after the last of %d steps",
        s->k->m.name, s->t, change, START_ITERATIONS);
}

resida_status rsd_start_acceleration(rsd_start *s)
{
    int n_l = s->k->n_l;
    if (s->report.v_change > 0) RSD_TRY(rsd_start_metric(s));
    RSD_TRY(rsd_start_factor(s));
    RSD_TRY(rsd_start_verdict(s, rsd_eval_acceleration_bias(s->k, s->t, s->p, s->v, s->c)));
    RSD_TRY(rsd_start_finite(s, "the acceleration bias", s->c, n_l));
    for (int i = 0; i < n_l; i++) s->c[i] = -s->c[i];
    rsd_kkt_solve(&s->kkt, 1, s->c, s->a, s->lam);
    return isfinite(rsd_finite_norm(s->a, s->k->m.n_v)) ? RESIDA_OK : rsd_start_singular(s);
}

/* Once more with the friction of contacts that slip, by the N of their decision, which s->lam has but for what making p
 * and v consistent has changed since. */
static resida_status add_friction(rsd_start *s)
{
    rsd_kkt *q = &s->kkt;
    rsd_mechanism *k = s->k;
    const int n_l = k->n_l;
    memset(s->mu, 0, (size_t)n_l * sizeof *s->mu);
    for (int i = 0; i < n_l; i++) s->mu[i] = k->slip[i] * s->problem->contacts.lam[k->slips_on[i]];
    if (rsd_max_norm(s->mu, n_l) == 0) return RESIDA_OK;
    memcpy(s->base, q->psi, (size_t)k->m.n_v * sizeof *s->base);
    memset(s->dq, 0, (size_t)k->m.n_v * sizeof *s->dq);
    rsd_add_constraint_force(k, -1, s->mu, s->dq);
    RSD_TRY(rsd_start_verdict(s, rsd_kkt_set_force(q, s->t, s->p, s->v, s->dq, s->base)));
    for (int i = 0; i < k->m.n_v; i++) q->psi[i] += s->base[i];
    rsd_kkt_solve(q, 1, s->c, s->a, s->lam);
    for (int i = 0; i < n_l; i++)
        if (k->slip[i] != 0) s->lam[i] = k->slip[i] * s->lam[k->slips_on[i]];
    return RESIDA_OK;
}

static resida_status find_acceleration(rsd_start *s)
{
    RSD_TRY(rsd_start_acceleration(s));
    if (s->problem->contacts.row_t) RSD_TRY(add_friction(s));
    return s->k->uses_lam ? solve_for_lam(s) : RESIDA_OK;
}

/* Dropped rows must be satisfied by the solution; otherwise they contradict the others. */
static resida_status check_dropped(rsd_start *s)
{
    char name[RSD_ROW_NAME];
    if (s->rank.n_redundant == 0) return RESIDA_OK;
    RSD_TRY(evaluate_g(s, s->p, s->c));
    RSD_TRY(rsd_start_velocity_level(s, s->mu));
    for (int i = 0; i < s->rank.n_redundant; i++) {
        int row = s->rank.redundant[i];
        const double follows = fmax(RSD_START_FOLLOWS, s->o->rank_tolerance);
        double g = row < s->k->m.n_g ? s->c[row] : 0, tolerance = follows * (1 + s->rank.scale[row]);
        if (fabs(g) > tolerance * (1 + rsd_finite_norm(s->p, s->k->m.n_p)) ||
            fabs(s->mu[row]) > tolerance * (1 + rsd_finite_norm(s->v, s->k->n_w)))
            return rsd_fail(
                s->why, RESIDA_ERR_REDUNDANT,
                "%s: constraint %s contradicts the others at t = %g: g = %g, gv = %g; rank_tolerance takes less than "
                "itself as the accuracy of the model",
                s->k->m.name, rsd_row_name(s->k, row, name, sizeof name), s->t, g, s->mu[row]);
    }
    return RESIDA_OK;
}

/* Redundant rows, positions and velocities, with the active rows. */
static resida_status make_consistent(rsd_start *s, const double *p0, const double *v0)
{
    RSD_TRY(rsd_start_rank(s));
    RSD_TRY(project_position(s, p0));
    return project_velocity(s, v0);
}

/* Where contacts hold, the same without and with those that are closed. With friction once more where the gaps that
 * close have changed speeds of sliding, by which it was decided. */
static resida_status make_consistent_with_contacts(rsd_start *s, const double *p0, const double *v0)
{
    const rsd_unilateral *held = &s->problem->contacts;
    int n_closed = 0, is_other = 1;
    for (int pass = 0; pass < CONTACT_PASSES && is_other; pass++) {
        rsd_unilateral_mark_open(held, s->k, 1);
        RSD_TRY(make_consistent(s, p0, v0));
        const double change = s->report.v_change + RSD_START_FOLLOWS * (1 + rsd_finite_norm(s->v, s->k->n_w));
        RSD_TRY(rsd_start_find_closed(s, &n_closed));
        rsd_unilateral_mark_open(held, s->k, 0);
        if (n_closed > 0) RSD_TRY(make_consistent(s, p0, v0));
        is_other = held->row_t && s->report.v_change > change;
    }
    for (int i = 0; i < held->given.n; i++) held->least_force[i] = held->loosened[i] = 0;
    return RESIDA_OK;
}

static resida_status run_stages(rsd_start *s, const double *p0, const double *v0)
{
    RSD_TRY(rsd_start_find_invariants(s));
    RSD_TRY(rsd_start_rows(s, s->p));
    RSD_TRY(rsd_start_check_invariants(s));
    RSD_TRY(rsd_start_metric(s));
    RSD_TRY(s->problem->contacts.given.n > 0 ? make_consistent_with_contacts(s, p0, v0) : make_consistent(s, p0, v0));
    RSD_TRY(find_acceleration(s));
    return check_dropped(s);
}

static resida_status check_arguments(const resida_problem *q, double t, const double *p0, const double *v0,
                                     double *const out[4], resida_message *why)
{
    if (!q) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "resida_problem_start: problem is NULL");
    if (!q->mechanism)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "resida_problem_start: a general DAE has no constraints");
    const rsd_mechanism *k = q->mechanism;
    const rsd_argument arrays[] = {
        {"p0", p0, k->m.n_p, RSD_READ, k->m.p_names}, {"v0", v0, k->m.n_v, RSD_READ, k->m.v_names},
        {"p", out[0], k->m.n_p, RSD_WRITTEN, NULL},   {"v", out[1], k->m.n_v, RSD_WRITTEN, NULL},
        {"a", out[2], k->m.n_v, RSD_WRITTEN, NULL},   {"lam", out[3], k->n_l, RSD_WRITTEN, NULL}};
    if (!isfinite(t)) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "start: t = %g, must be finite", t);
    return rsd_check_arrays("start", arrays, sizeof arrays / sizeof *arrays, why);
}

resida_status resida_problem_start(resida_problem *q, double t, const double *p0, const double *v0,
                                   const resida_start_options *o, double *p, double *v, double *a, double *lam,
                                   resida_start_report *report, resida_message *why)
{
    resida_start_options defaults;
    resida_start_options_init(&defaults);
    if (!o) o = &defaults;
    RSD_TRY(rsd_start_check_options(o, why));
    RSD_TRY(check_arguments(q, t, p0, v0, (double *const[]){p, v, a, lam}, why));
    RSD_TRY(rsd_option_effects(&rsd_start_table, &(rsd_option_case){q, o, NULL}, NULL, why));
    RSD_TRY(rsd_start_reserve(q, why));
    rsd_start *s = q->start;
    rsd_mechanism *k = s->k;
    const size_t each = sizeof(double), n_v = (size_t)k->m.n_v;
    rsd_scales_forget(k);
    rsd_start_begin(s, t, p0, v0, o, why);
    const resida_status status = run_stages(s, p0, v0);
    s->report.residual_calls = k->formalism_calls - s->calls_before;
    if (report) *report = s->report;
    if (status < 0) return status;
    q->starts++;
    memcpy(k->dropped, k->open, (size_t)k->n_l); /* during the start no row is marked */
    for (int i = 0; i < s->rank.n_redundant; i++) k->dropped[s->rank.redundant[i]] = 1;
    rsd_active_rows_begin(&q->active_rows, &s->kkt, &s->rank, rsd_start_accuracy(o), t);
    memcpy(p, s->p, (size_t)k->m.n_p * each);
    memcpy(v, s->v, n_v * each);
    memcpy(a, s->a, n_v * each);
    if (lam) memcpy(lam, s->lam, (size_t)k->n_l * each);
    return RESIDA_OK;
}
