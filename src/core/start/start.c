/* start.c - the consistent start of a mechanism, in stages:
 *
 *     rank of G        redundant rows are described, and rejected or dropped; faint rows may be rounding (faint_rows.c)
 *     invariants       k(p) = 0 by the dp of minimal norm, first and after each position step. K T = 0 is checked
 *     position         g(p) = 0 by Gauss-Newton steps dp = T dq,  M dq + G' mu = 0,  G dq = -g (damped_newton.h)
 *     velocity         M dv + G' mu = 0,  G dv = -(G v + gI), repeated once for rounding
 *     acceleration     M a + G' lam = Psi,  G a = -bias; if Psi depends on lam, by Newton's method
 *
 * Corrections that are orthogonal in the norm of M do not depend on the units of coordinates. They are equal to those
 * of the first implicit step of an integrator for index 2. IDACalcIC is not used, because for v != 0 it returns success
 * with wrong multipliers. The caller's arrays are written only on success. */
#include "start_impl.h"

#include "src/core/kits.h"

#include "base/numbers.h"
#include "base/linear/dense.h"
#include "src/core/problem/arguments.h"
#include "src/core/problem/rows.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    START_ITERATIONS = 50, /* maximum number of Newton iterations */
    VELOCITY_PASSES = 3,   /* maximum number of corrections of v; the second one reduces rounding errors */
    CONTACT_PASSES = 3     /* maximum number of times that the closed contacts are determined */
};

#define ROUNDINGS_OF_ROW 4 /* rounding error of a constraint [RSD_NEGLIGIBLE times the sum of its |terms|] */

static resida_status evaluate_g(rsd_start *s, const double *p, double *g)
{
    RSD_TRY(rsd_start_convert_verdict(s, rsd_eval_constraint(s->k, s->t, p, g)));
    return rsd_start_check_finite(s, "g", g, s->k->m.n_g);
}

/* Return the active row of g with the largest |g_i|. */
static int find_worst_row(const rsd_start *s)
{
    int worst = s->kkt.rows[0];
    for (int r = 1; r < s->kkt.n_rows; r++)
        if (s->kkt.rows[r] < s->k->m.n_g && fabs(s->g[s->kkt.rows[r]]) > fabs(s->g[worst])) worst = s->kkt.rows[r];
    return worst;
}

static resida_status report_position_failure(const rsd_start *s, int is_limit)
{
    char name[RSD_ROW_NAME];
    const int row = find_worst_row(s);
    rsd_fail(s->why, RESIDA_ERR_INCONSISTENT,
             is_limit
                 ? "%s: the iteration for the positions does not converge at t = %g: |g| = %g, of %s, after %d steps"
                 : "%s: no position near the given one satisfies the constraints at t = %g: |g| remains at %g, of %s",
             s->k->m.name, s->t, fabs(s->g[row]), rsd_row_name(s->k, row, name, sizeof name), START_ITERATIONS);
    rsd_start_suggest_accuracy(s);
    return RESIDA_ERR_INCONSISTENT;
}

double rsd_start_get_rounding(const rsd_start *s, int row, const double *x, const double *v)
{
    const rsd_mechanism *k = s->k;
    const int n_g = k->m.n_g;
    return ROUNDINGS_OF_ROW * RSD_NEGLIGIBLE *
           (row < n_g ? rsd_csr_sum_row_terms(&k->gp, k->gp_values, row, x)
                      : rsd_csr_sum_row_terms(&k->Gh, k->Gh_values, row - n_g, v));
}

/* Return 1 if the residuals r [n_l] of all active rows are at most `roundings` times their rounding errors, which
 * depend on x and v (rsd_start_get_rounding()). If v is NULL, nonholonomic rows are ignored. */
static int are_residuals_rounding(const rsd_start *s, const double *r, const double *x, const double *v, int roundings)
{
    for (int row = 0; row < s->kkt.n_rows; row++) {
        const int i = s->kkt.rows[row];
        if (i >= s->k->m.n_g && !v) continue;
        if (!(fabs(r[i]) <= roundings * rsd_start_get_rounding(s, i, x, v))) return 0;
    }
    return 1;
}

/* --- position --- */

/* Solve M dq + G' mu = 0, G dq = -g with the current factors, and compute dp [n_p] = T dq. */
static void solve_position(rsd_start *s, const double *g, double *dp)
{
    for (int i = 0; i < s->k->n_l; i++) s->c[i] = i < s->k->m.n_g ? -g[i] : 0;
    rsd_kkt_solve(&s->kkt, 0, s->c, s->dq, s->mu);
    rsd_apply_T(s->k, s->dq, dp);
}

static int find_position_step(void *self, double *max_lambda)
{
    rsd_start *s = self;
    if (s->has_moved) {
        rsd_scales_allow_search(s->k);
        const resida_status status = rsd_start_eval_rows(s, s->p);
        if (status < 0) return status;
    }
    const resida_status status = rsd_start_factor(s);
    if (status == RESIDA_ERR_SINGULAR && s->has_moved) return report_position_failure(s, 0);
    if (status < 0) return status;
    solve_position(s, s->g, s->dp);
    const double step = rsd_csr_compute_weighted_norm(&s->k->gp, s->k->gp_values, s->dp);
    if (step > s->size) *max_lambda = s->size / step;
    const int roundings = s->has_moved ? 1 : 2; /* an accurate given p is kept */
    const int is_found = are_residuals_rounding(s, s->g, s->p, NULL, roundings);
    return is_found ? RSD_IS_SOLVED : RSD_HAS_CORRECTION;
}

static int try_position(void *self, double lambda)
{
    rsd_start *s = self;
    for (int i = 0; i < s->k->m.n_p; i++) s->p_try[i] = s->p[i] + lambda * s->dp[i];
    int verdict = rsd_project_onto_invariants(s->k, s->t, s->p_try);
    if (!verdict) verdict = rsd_eval_constraint(s->k, s->t, s->p_try, s->g_try);
    if (verdict < 0) return rsd_start_convert_verdict(s, verdict);
    rsd_fault_clear(&s->k->calls.fault); /* if g could not be evaluated, a shorter step follows */
    if (verdict || !rsd_all_finite(s->g_try, s->k->m.n_g)) return 1;
    solve_position(s, s->g_try, s->dp_next);
    return 0;
}

static double compute_step_norm(void *self, double a, double b)
{
    rsd_start *s = self;
    for (int i = 0; i < s->k->m.n_p; i++) s->dp_sum[i] = (a != 0 ? a * s->dp_next[i] : 0) + b * s->dp[i];
    return rsd_csr_compute_weighted_norm(&s->k->gp, s->k->gp_values, s->dp_sum);
}

static int accept_position(void *self)
{
    rsd_start *s = self;
    memcpy(s->p, s->p_try, (size_t)s->k->m.n_p * sizeof *s->p);
    memcpy(s->g, s->g_try, (size_t)s->k->m.n_g * sizeof *s->g);
    s->has_moved = 1;
    return 0;
}

/* Return 1 if no damped step was possible and the correction of p is negligible. It is then due to rounding of g. */
static int is_position_solved(void *self, int has_moved)
{
    rsd_start *s = self;
    const double enough = fmax(RSD_STALLED * s->size, ROUNDINGS_OF_ROW * RSD_NEGLIGIBLE);
    return !has_moved && compute_step_norm(s, 0, 1) <= enough;
}

/* Return RESIDA_ERR_INCONSISTENT if a change of positions or velocities exceeds max_change. */
static resida_status check_change(const rsd_start *s, const char *what, double change)
{
    if (!(change > s->o->max_change)) return RESIDA_OK;
    return rsd_fail(s->why, RESIDA_ERR_INCONSISTENT,
                    "%s: the nearest %s that satisfies the constraints at t = %g is %g away, more than max_change = %g",
                    s->k->m.name, what, s->t, change, s->o->max_change);
}

/* Compute s->p with k(p) = 0 and g(p) = 0 by damped Newton steps. p0 [n_p] is the given position, for the report. */
static resida_status project_position(rsd_start *s, const double *p0)
{
    static const rsd_damped_equations equations = {find_position_step, try_position, compute_step_norm, accept_position,
                                                   is_position_solved};
    rsd_damped_iteration it = {.equations = &equations, .self = s, .max_iterations = START_ITERATIONS};
    const int n_p = s->k->m.n_p, n_g = s->k->m.n_g;
    if (n_g > 0) RSD_TRY(evaluate_g(s, s->p, s->g));
    s->report.g_before = rsd_finite_norm(s->g, n_g);
    s->has_moved = 0;
    s->size = rsd_csr_compute_weighted_norm(&s->k->gp, s->k->gp_values, s->p);
    if (!(s->size > 0)) s->size = 1;
    const rsd_damped_end end = n_g > 0 ? rsd_damped_iterate(&it) : RSD_DAMPED_SOLVED;
    if (end == RSD_DAMPED_STOPPED) return (resida_status)it.verdict;
    if (end != RSD_DAMPED_SOLVED) return report_position_failure(s, end == RSD_DAMPED_LIMIT);
    s->report.g_after = rsd_finite_norm(s->g, n_g);
    RSD_TRY(rsd_start_convert_verdict(s, rsd_eval_invariant(s->k, s->t, s->p, s->k->invariants.r)));
    s->report.k_after = rsd_finite_norm(s->k->invariants.r, s->k->m.n_k);
    for (int i = 0; i < n_p; i++) s->report.p_change = fmax(s->report.p_change, fabs(s->p[i] - p0[i]));
    return check_change(s, "position", s->report.p_change);
}

/* Compute s->v that satisfies the velocity constraints at s->p. v0 [n_v] is the given velocity, for the report. */
static resida_status project_velocity(rsd_start *s, const double *v0)
{
    int n_w = s->k->n_w, n_l = s->k->n_l;
    if (s->report.p_change > 0) RSD_TRY(rsd_start_eval_metric(s)); /* M, or M^-1 G', at the projected position */
    RSD_TRY(rsd_start_factor(s));
    for (int pass = 0; pass < VELOCITY_PASSES && n_l > 0; pass++) {
        rsd_motion_set_rate(s->k, rsd_get_rate_of_p(s->k, s->v));
        RSD_TRY(rsd_start_eval_velocity_level(s, s->c));
        if (pass == 0) s->report.gv_before = rsd_finite_norm(s->c, n_l);
        s->report.gv_after = rsd_finite_norm(s->c, n_l);
        rsd_apply_T(s->k, s->v, s->dp);
        if (pass == VELOCITY_PASSES - 1 || are_residuals_rounding(s, s->c, s->dp, s->v, pass > 0 ? 1 : 2)) break;
        for (int i = 0; i < n_l; i++) s->c[i] = -s->c[i];
        rsd_kkt_solve(&s->kkt, 0, s->c, s->dq, s->mu);
        for (int i = 0; i < n_w; i++) s->v[i] += s->dq[i];
    }
    for (int i = 0; i < n_w; i++) s->report.v_change = fmax(s->report.v_change, fabs(s->v[i] - v0[i]));
    return check_change(s, "velocity", s->report.v_change);
}

/* --- applied forces that depend on lam --- */

/* Compute a, and the Newton correction d [n_l] of lam, from Psi evaluated at the multipliers `from` [n_l]. */
static void solve_lam(rsd_start *s, const double *from, double *d)
{
    rsd_kkt_solve(&s->kkt, 1, s->c, s->a, d);
    for (int i = 0; i < s->k->n_l; i++) d[i] -= from[i];
}

static int find_lam_step(void *self, double *max_lambda)
{
    rsd_start *s = self;
    rsd_kkt *q = &s->kkt;
    (void)max_lambda;
    resida_status status = rsd_start_convert_verdict(s, rsd_kkt_linearise(q, s->t, s->p, s->v, s->lam));
    if (status >= 0) status = rsd_start_check_finite(s, "its derivative by lam", q->D_values, q->D.nnz);
    if (status >= 0) status = rsd_start_factor(s);
    if (status == RESIDA_ERR_SINGULAR) return RSD_IS_SINGULAR;
    if (status < 0) return status;
    solve_lam(s, s->lam, s->mu);
    return RSD_HAS_CORRECTION;
}

static int try_lam(void *self, double lambda)
{
    rsd_start *s = self;
    rsd_kkt *q = &s->kkt;
    for (int i = 0; i < s->k->n_l; i++) s->g[i] = s->lam[i] + lambda * s->mu[i];
    const int verdict = rsd_kkt_eval_force(q, s->t, s->p, s->v, s->g);
    if (verdict < 0) return rsd_start_convert_verdict(s, verdict);
    rsd_fault_clear(&s->k->calls.fault);
    if (verdict || !rsd_all_finite(q->force, s->k->m.n_v)) return 1;
    solve_lam(s, s->g, s->g_try);
    return 0;
}

/* Return the norm of d = a * (next correction of lam) + b * (current correction of lam). The norm is the largest change
 * of a constraint force, the maximum over the active rows i of |d_i| times the norm of row i of G. */
static double compute_lam_step_norm(void *self, double a, double b)
{
    const rsd_start *s = self;
    const rsd_kkt *q = &s->kkt;
    double max = 0;
    for (int r = 0; r < q->n_rows; r++) {
        const int i = q->rows[r];
        const double change = (a != 0 ? a * s->g_try[i] : 0) + b * s->mu[i];
        max = isfinite(change) ? fmax(max, fabs(change) / rsd_kkt_get_row_scale(q, i)) : INFINITY;
    }
    return max;
}

static int accept_lam(void *self)
{
    const rsd_start *s = self;
    memcpy(s->lam, s->g, (size_t)s->k->n_l * sizeof *s->lam);
    return 0;
}

/* If the iteration has converged, add the last correction to lam and return 1. If lam has moved, the next correction
 * must be a rounding error. If no damping factor passed the test (has_moved = 0), the current correction must be
 * negligible, and a is computed for the current lam. */
static int is_lam_solved(void *self, int has_moved)
{
    rsd_start *s = self;
    const rsd_kkt *q = &s->kkt;
    for (int r = 0; r < q->n_rows; r++)
        s->size = fmax(s->size, fabs(s->lam[q->rows[r]]) / rsd_kkt_get_row_scale(q, q->rows[r]));
    if (compute_lam_step_norm(s, has_moved, !has_moved) > (has_moved ? RSD_NEGLIGIBLE : RSD_STALLED) * s->size)
        return 0;
    if (!has_moved) {
        const int verdict = rsd_kkt_eval_force(&s->kkt, s->t, s->p, s->v, s->lam);
        if (verdict) return rsd_start_convert_verdict(s, verdict);
        solve_lam(s, s->lam, s->g_try);
    }
    for (int i = 0; i < s->k->n_l; i++) s->lam[i] += s->g_try[i];
    return 1;
}

/* Solve M a + G' lam = Psi(lam) by a damped Newton iteration, starting with the a and lam for Psi(0). */
static resida_status solve_for_lam(rsd_start *s)
{
    static const rsd_damped_equations equations = {find_lam_step, try_lam, compute_lam_step_norm, accept_lam,
                                                   is_lam_solved};
    rsd_damped_iteration it = {.equations = &equations, .self = s, .max_iterations = START_ITERATIONS};
    s->size = 0;
    RSD_TRY(rsd_start_convert_verdict(s, rsd_kkt_eval_force(&s->kkt, s->t, s->p, s->v, s->lam)));
    RSD_TRY(rsd_start_check_finite(s, "the formalism at zero acceleration", s->kkt.force, s->k->m.n_v));
    const rsd_damped_end end = rsd_damped_iterate(&it);
    if (end == RSD_DAMPED_SOLVED) return RESIDA_OK;
    if (end == RSD_DAMPED_STOPPED) return (resida_status)it.verdict;
    if (end == RSD_DAMPED_SINGULAR)
        return rsd_fail(
            s->why, RESIDA_ERR_SINGULAR,
            "%s: the multipliers lam are not determined (jamming), because applied forces depend on them, at t = %g",
            s->k->m.name, s->t);
    return rsd_fail(s->why, RESIDA_ERR_INCONSISTENT,
                    "%s: the iteration for the multipliers lam, on which applied forces depend, does not converge at t "
                    "= %g: relative change %g in the last of %d steps",
                    s->k->m.name, s->t, compute_lam_step_norm(s, 0, 1) / fmax(s->size, DBL_MIN), it.iterations);
}

resida_status rsd_start_solve_acceleration(rsd_start *s)
{
    int n_l = s->k->n_l;
    if (s->report.v_change > 0) RSD_TRY(rsd_start_eval_metric(s));
    RSD_TRY(rsd_start_factor(s));
    RSD_TRY(rsd_start_convert_verdict(s, rsd_eval_acceleration_bias(s->k, s->t, s->p, s->v, s->c)));
    RSD_TRY(rsd_start_check_finite(s, "the acceleration bias", s->c, n_l));
    for (int i = 0; i < n_l; i++) s->c[i] = -s->c[i];
    rsd_kkt_solve(&s->kkt, 1, s->c, s->a, s->lam);
    return isfinite(rsd_finite_norm(s->a, s->k->m.n_v)) ? RESIDA_OK : rsd_start_report_singular(s);
}

/* Add the friction forces of slipping contacts to Psi, and solve for a and lam again. The friction forces are computed
 * from the normal forces that were found when the closed contacts were determined. The normal forces in s->lam differ
 * from those by the effect of the later projection of p and v. */
static resida_status add_friction(rsd_start *s)
{
    rsd_kkt *q = &s->kkt;
    rsd_mechanism *k = s->k;
    const int n_l = k->n_l;
    memset(s->mu, 0, (size_t)n_l * sizeof *s->mu);
    for (int i = 0; i < n_l; i++) s->mu[i] = k->slip[i] * s->problem->contacts.lam[k->normal_row[i]];
    if (rsd_max_norm(s->mu, n_l) == 0) return RESIDA_OK;
    memcpy(s->base, q->psi, (size_t)k->m.n_v * sizeof *s->base);
    memset(s->dq, 0, (size_t)k->m.n_v * sizeof *s->dq);
    rsd_add_constraint_force(k, -1, s->mu, s->dq);
    RSD_TRY(rsd_start_convert_verdict(s, rsd_kkt_set_force(q, s->t, s->p, s->v, s->dq, s->base)));
    for (int i = 0; i < k->m.n_v; i++) q->psi[i] += s->base[i];
    rsd_kkt_solve(q, 1, s->c, s->a, s->lam);
    for (int i = 0; i < n_l; i++)
        if (k->slip[i] != 0) s->lam[i] = k->slip[i] * s->lam[k->normal_row[i]];
    return RESIDA_OK;
}

static resida_status find_acceleration(rsd_start *s)
{
    RSD_TRY(rsd_start_solve_acceleration(s));
    if (s->problem->contacts.row_t) RSD_TRY(add_friction(s));
    return s->k->uses_lam ? solve_for_lam(s) : RESIDA_OK;
}

/* Return RESIDA_ERR_REDUNDANT if the solution violates a dropped row, which then contradicts the active rows. */
static resida_status check_dropped_rows(rsd_start *s)
{
    char name[RSD_ROW_NAME];
    if (s->rank.n_redundant == 0) return RESIDA_OK;
    RSD_TRY(evaluate_g(s, s->p, s->c));
    RSD_TRY(rsd_start_eval_velocity_level(s, s->mu));
    for (int i = 0; i < s->rank.n_redundant; i++) {
        int row = s->rank.redundant[i];
        const double follows = fmax(RSD_START_FOLLOWS, s->o->rank_tolerance);
        double g = row < s->k->m.n_g ? s->c[row] : 0, tolerance = follows * (1 + s->rank.scale[row]);
        if (fabs(g) > tolerance * (1 + rsd_finite_norm(s->p, s->k->m.n_p)) ||
            fabs(s->mu[row]) > tolerance * (1 + rsd_finite_norm(s->v, s->k->n_w)))
            return rsd_fail(s->why, RESIDA_ERR_REDUNDANT,
                            "%s: constraint %s contradicts the others at t = %g: g = %g, gv = %g; violations below "
                            "rank_tolerance are accepted as the accuracy of the model",
                            s->k->m.name, rsd_row_name(s->k, row, name, sizeof name), s->t, g, s->mu[row]);
    }
    return RESIDA_OK;
}

/* Find the redundant rows. Then compute positions and velocities that satisfy the active rows. */
static resida_status make_consistent(rsd_start *s, const double *p0, const double *v0)
{
    RSD_TRY(rsd_start_find_independent_rows(s));
    RSD_TRY(project_position(s, p0));
    return project_velocity(s, v0);
}

/* Compute a state that is consistent with closed contacts. First compute a state that is consistent without contacts.
 * Then determine which contacts are closed, and compute a consistent state with the closed contacts. With friction both
 * steps are repeated if the correction has changed the sliding speeds, on which the closed contacts depend. */
static resida_status make_consistent_with_contacts(rsd_start *s, const double *p0, const double *v0)
{
    const rsd_unilateral *held = &s->problem->contacts;
    int n_closed = 0, is_other = 1;
    for (int pass = 0; pass < CONTACT_PASSES && is_other; pass++) {
        rsd_unilateral_mark_open(held, s->k, 1);
        RSD_TRY(make_consistent(s, p0, v0));
        const double change = s->report.v_change;
        RSD_TRY(rsd_kits_built.find_closed(s, &n_closed));
        rsd_unilateral_mark_open(held, s->k, 0);
        if (n_closed > 0) RSD_TRY(make_consistent(s, p0, v0));
        is_other = held->row_t && s->report.v_change > change;
    }
    for (int i = 0; i < held->given.n; i++) held->min_force[i] = held->loosened[i] = 0;
    return RESIDA_OK;
}

static resida_status run_stages(rsd_start *s, const double *p0, const double *v0)
{
    RSD_TRY(rsd_start_find_invariants(s));
    RSD_TRY(rsd_start_eval_rows(s, s->p));
    RSD_TRY(rsd_start_check_invariants(s));
    RSD_TRY(rsd_start_eval_metric(s));
    RSD_TRY(s->problem->contacts.given.n > 0 ? make_consistent_with_contacts(s, p0, v0) : make_consistent(s, p0, v0));
    RSD_TRY(find_acceleration(s));
    return check_dropped_rows(s);
}

static resida_status check_start_arguments(const resida_problem *q, double t, const double *p0, const double *v0,
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
    RSD_TRY(check_start_arguments(q, t, p0, v0, (double *const[]){p, v, a, lam}, why));
    RSD_TRY(rsd_option_check_effects(&rsd_start_table, &(rsd_option_case){q, o, NULL}, NULL, why));
    RSD_TRY(rsd_start_allocate(q, why));
    rsd_start *s = q->start;
    rsd_mechanism *k = s->k;
    const size_t each = sizeof(double), n_v = (size_t)k->m.n_v;
    rsd_scales_reset(k);
    rsd_start_begin(s, t, p0, v0, o, why);
    const resida_status status = run_stages(s, p0, v0);
    s->report.residual_calls = k->formalism_calls - s->calls_before;
    if (report) *report = s->report;
    if (status < 0) return status;
    q->starts++;
    memcpy(k->dropped, k->open, (size_t)k->n_l); /* the start decides which rows of joints are redundant */
    for (int i = 0; i < s->rank.n_redundant; i++) k->dropped[s->rank.redundant[i]] = 1;
    rsd_active_rows_begin(&q->active_rows, &s->kkt, &s->rank, rsd_start_accuracy(o), t);
    memcpy(p, s->p, (size_t)k->m.n_p * each);
    memcpy(v, s->v, n_v * each);
    memcpy(a, s->a, n_v * each);
    if (lam) memcpy(lam, s->lam, (size_t)k->n_l * each);
    return RESIDA_OK;
}
