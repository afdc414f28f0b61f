/* equilibrium_newton.c - solves r(x) = (1 - s) r(x0) by the damped Newton iteration of damped_newton.h with limited
 * steps. In the first search s = 1. The type `search` lists all searches. */
#include "equilibrium_impl.h"

#include <math.h>
#include <string.h>

#define PATH_TOLERANCE 1e-5 /* maximum scaled residual and correction of a point on the path with s < 1 */
#define SMALL_STEP     1e-6 /* maximum scaled correction for which Newton's method converges fast */
#define FIRST_LOAD     0.1  /* load factor of the first step on the path */
#define MIN_LOAD       1e-4 /* length below which a failed step on the path is not divided again */
#define PATH_SHARE     0.6  /* maximum iterations on the path, relative to max_iterations */

#define LARGEST_DRIFT  1e-3 /* maximum scaled drift along free directions that counts as rounding */

enum {
    RELAXATIONS = 10,         /* maximum number of relaxations (motions from rest) */
    MAX_ITERATIONS = 40,      /* maximum Newton iterations of a search */
    MAX_PATH_ITERATIONS = 10, /* maximum Newton iterations of a step on the path */
    FEW_ITERATIONS = 4        /* maximum iterations of a step on the path that doubles the next one */
};

static void set_load_factor(rsd_equilibrium *eq, double s)
{
    eq->load_factor = s;
    eq->t = eq->t_to - (1 - s) * (eq->t_to - eq->t_from);
}

/* Set the trial point to y + lambda dx. Project its positions onto the invariants, because dp = T dq satisfies the
 * invariants only to first order. @return as rsd_guard_judge() */
static int set_trial(rsd_equilibrium *eq, double lambda)
{
    rsd_mechanism *k = eq->problem->mechanism;
    const resida_layout *l = &eq->problem->layout;
    memcpy(eq->y_trial, eq->y, 2 * (size_t)eq->n * sizeof *eq->y);
    for (int j = 0; j < eq->n_x; j++) {
        const int c = eq->column_of[j];
        eq->y_trial[c] += lambda * eq->dx[j];
        if (eq->report->n_steady > 0 && c >= l->v && c < l->v + l->n_v - l->n_z) /* p' = v */
            eq->yp_trial[l->p + c - l->v] = eq->y_trial[c];
    }
    if (!k || k->m.n_k == 0) return 0;
    const int verdict = rsd_project_onto_invariants(k, eq->t, eq->y_trial + l->p);
    return rsd_guard_judge(&eq->solver->guard, eq->t, verdict, NULL, 0);
}

/* Accept the trial point as current point. If active constraints have become dependent, select the redundant ones
 * again.
 * @return as rsd_guard_judge() */
static int accept_trial(rsd_equilibrium *eq)
{
    rsd_guard *g = &eq->solver->guard;
    const resida_layout *l = &eq->problem->layout;
    int changed = 0;
    memcpy(eq->y, eq->y_trial, 3 * (size_t)eq->n * sizeof *eq->y);
    if (!eq->problem->active_rows.kkt) return 0;
    int verdict = rsd_active_rows_update(&eq->problem->active_rows, eq->t, eq->y + l->p, &changed);
    verdict = rsd_guard_judge(g, eq->t, verdict, NULL, 0);
    for (int i = 0; i < l->n_g + l->n_h && changed; i++)
        if (eq->problem->mechanism->dropped[i]) eq->y[l->lam + i] = 0;
    return verdict || !changed ? verdict : rsd_equilibrium_evaluate(eq, 0);
}

/* Return max |dx_j|/size_j over positions, velocities and states, or INFINITY if dx is not finite. Sizes are at
 * least min_size. */
static double compute_correction_size(const rsd_equilibrium *eq, double min_size)
{
    const resida_layout *l = &eq->problem->layout;
    double max = 0;
    for (int j = 0; j < eq->n_x; j++) {
        const int c = eq->column_of[j], is_lam = l->lam >= 0 && c >= l->lam;
        if (!isfinite(eq->dx[j])) return INFINITY;
        if (!is_lam) max = fmax(max, fabs(eq->dx[j]) / fmax(min_size, rsd_equilibrium_full_size(eq, c)));
    }
    return max;
}

static int call_monitor(rsd_equilibrium *eq, double residual)
{
    const resida_equilibrium_options *o = eq->options;
    eq->is_interrupted = o->monitor && o->monitor(eq->report->iterations, residual, eq->load_factor, o->monitor_user);
    return eq->is_interrupted;
}

static resida_status get_stop_status(rsd_equilibrium *eq)
{
    if (!eq->is_interrupted) return rsd_equilibrium_get_failure(eq);
    return rsd_fail(eq->why, RESIDA_INTERRUPTED, "interrupted after %d iterations", eq->report->iterations);
}

static int stop_iteration(rsd_equilibrium *eq)
{
    eq->status = get_stop_status(eq);
    return -1;
}

/* Compute residual r and correction dx at the current point with known F. @return as rsd_equilibrium_search() */
static resida_status compute_correction(rsd_equilibrium *eq)
{
    resida_jacobian_matrix J;
    if (rsd_equilibrium_linearize(eq, &J)) return rsd_equilibrium_get_failure(eq);
    eq->report->residual = rsd_equilibrium_residual(eq, eq->F);
    eq->report->iterations++;
    return call_monitor(eq, eq->report->residual) ? get_stop_status(eq) : rsd_equilibrium_correct(eq, &J);
}

/* Set the trial point to y + lambda dx, and evaluate F there. @return as rsd_guard_judge() */
static int evaluate_trial(rsd_equilibrium *eq, double lambda)
{
    const int verdict = set_trial(eq, lambda);
    return verdict ? verdict : rsd_equilibrium_evaluate(eq, 1);
}

static int find_limited_correction(void *self, double *max_lambda)
{
    rsd_equilibrium *eq = self;
    if ((eq->status = compute_correction(eq)) != RESIDA_OK) return -1;
    eq->step = compute_correction_size(eq, 0);
    eq->is_small = eq->step <= SMALL_STEP;
    eq->is_last = eq->is_small && eq->report->residual <= eq->options->tolerance;
    const resida_layout *l = &eq->problem->layout;
    const double max = eq->problem->mechanism && l->lam < 0 ? rsd_max_norm(eq->y + l->p, l->n_p) : 0;
    const double step = compute_correction_size(eq, max);
    if (step > eq->options->max_step) *max_lambda = eq->options->max_step / step;
    return RSD_HAS_CORRECTION;
}

static int try_correction(void *self, double lambda)
{
    rsd_equilibrium *eq = self;
    const int verdict = evaluate_trial(eq, lambda);
    if (verdict) return verdict < 0 ? stop_iteration(eq) : verdict;
    eq->part = lambda;
    if (call_monitor(eq, rsd_equilibrium_residual(eq, eq->F_trial))) return stop_iteration(eq);
    (void)rsd_equilibrium_solve(eq, eq->d_next);
    return 0;
}

static double compute_correction_norm(void *self, double a, double b)
{
    const rsd_equilibrium *eq = self;
    double sum = 0;
    for (int i = 0; i < eq->n_d; i++) {
        const double d = (a != 0 ? a * eq->d_next[i] : 0) + b * eq->d[i];
        sum += d * d;
    }
    return isfinite(eq->step) ? sqrt(sum) : INFINITY;
}

static int accept_correction(void *self)
{
    rsd_equilibrium *eq = self;
    const int verdict = accept_trial(eq);
    if (verdict < 0) return stop_iteration(eq);
    if (!verdict) eq->report->correction = eq->part * eq->step;
    return verdict;
}

static int is_equilibrium_found(void *self, int has_moved)
{
    rsd_equilibrium *eq = self;
    eq->report->residual = rsd_equilibrium_residual(eq, eq->F);
    if (!has_moved && eq->is_small) eq->is_last = rsd_equilibrium_is_rounding(eq, eq->options->tolerance);
    if (!has_moved && eq->is_last) eq->report->correction = eq->step;
    return eq->is_last;
}

/* Solve r(x) = 0 at the full load s = 1. @return RESIDA_OK; RESIDA_ERR_NEWTON: no convergence, without a message */
static resida_status solve_at_full_load(rsd_equilibrium *eq)
{
    static const rsd_damped_equations equations = {find_limited_correction, try_correction, compute_correction_norm,
                                                   accept_correction, is_equilibrium_found};
    const int left = eq->options->max_iterations - eq->report->iterations;
    rsd_damped_iteration it = {.equations = &equations,
                               .self = eq,
                               .max_iterations = MAX_ITERATIONS < left ? MAX_ITERATIONS : left,
                               .is_untested = eq->is_untested};
    const rsd_damped_end end = rsd_damped_iterate(&it);
    return end == RSD_DAMPED_SOLVED ? RESIDA_OK : end == RSD_DAMPED_STOPPED ? eq->status : RESIDA_ERR_NEWTON;
}

/* Copy y, yp and F of the current point to saved [3 n]. */
static void save_point(const rsd_equilibrium *eq, double *saved)
{
    memcpy(saved, eq->y, 3 * (size_t)eq->n * sizeof *saved);
}

static void restore_point(rsd_equilibrium *eq, const double *saved)
{
    memcpy(eq->y, saved, 3 * (size_t)eq->n * sizeof *saved);
}

/* Move to x + dx without a line search, dx: the last correction. @return as rsd_guard_judge() */
static int take_full_step(rsd_equilibrium *eq)
{
    const int verdict = evaluate_trial(eq, 1);
    return verdict ? verdict : accept_trial(eq);
}

/* Return the inner product of a and b in scaled positions, velocities and states. Multipliers are omitted, because
 * multipliers may be unbounded at a turning point. */
static double compute_inner_product(const rsd_equilibrium *eq, const double *a, const double *b)
{
    const resida_layout *l = &eq->problem->layout;
    double sum = 0;
    for (int j = 0; j < eq->n_x; j++) {
        const double size = eq->problem->mechanism ? rsd_equilibrium_full_size(eq, eq->column_of[j]) : eq->size[j];
        if (l->lam < 0 || eq->column_of[j] < l->lam) sum += a[j] / size * b[j] / size;
    }
    return sum;
}

/* Compute the correction dx and the derivative z = dx/ds of the path at the current point. @return RESIDA_OK;
 * RESIDA_ERR_NEWTON; a status of the guard */
static resida_status compute_path_derivative(rsd_equilibrium *eq, double *z)
{
    const resida_status status = compute_correction(eq);
    if (status != RESIDA_OK) return status;
    const int verdict = rsd_equilibrium_path_derivative(eq, z);
    return verdict < 0 ? get_stop_status(eq) : verdict ? RESIDA_ERR_NEWTON : RESIDA_OK;
}

/* Correct a predicted point to the closest point of the path (E. L. Allgower, K. Georg, Numerical Continuation Methods,
 * 1990, chapter 3). With z = dx/ds, the correction of (x, s) is (dx + z ds, ds). It is orthogonal to the path: (dx + z
 * ds)'z + ds = 0. *n: number of iterations.
 * @return RESIDA_OK; RESIDA_ERR_NEWTON: no convergence, or a correction longer than the step */
static resida_status correct_to_path(rsd_equilibrium *eq, double *z, double step, int *n)
{
    for (*n = 1; *n <= MAX_PATH_ITERATIONS; ++*n) {
        RSD_TRY(compute_path_derivative(eq, z));
        const double ds = -compute_inner_product(eq, eq->dx, z) / (1 + compute_inner_product(eq, z, z)),
                     residual = eq->report->residual;
        for (int j = 0; j < eq->n_x; j++) eq->dx[j] += ds * z[j];
        const double size = hypot(ds, compute_correction_size(eq, 0));
        if (residual <= PATH_TOLERANCE && size <= PATH_TOLERANCE) return RESIDA_OK;
        if (!(size <= step)) return RESIDA_ERR_NEWTON;
        set_load_factor(eq, eq->load_factor + ds);
        const int verdict = take_full_step(eq);
        if (verdict) return verdict < 0 ? get_stop_status(eq) : RESIDA_ERR_NEWTON;
    }
    return RESIDA_ERR_NEWTON;
}

/* Take a step from the saved point along the tangent of the path, limited to s <= 1. Then correct the point to the
 * path. at: s of the saved point. slope: ds per unit of the step. *n: number of iterations */
static resida_status take_step_on_path(rsd_equilibrium *eq, double *z, double at, double slope, double step, int *n)
{
    const double *tangent = eq->tangent;
    const int ends = at + step * slope >= 1;
    if (ends) step = (1 - at) / slope;
    for (int j = 0; j < eq->n_x; j++) eq->dx[j] = step * tangent[j];
    set_load_factor(eq, ends ? 1 : at + step * slope);
    eq->report->load_steps++;
    const int verdict = take_full_step(eq);
    if (verdict) return verdict < 0 ? get_stop_status(eq) : RESIDA_ERR_NEWTON;
    return ends ? solve_at_full_load(eq) : correct_to_path(eq, z, step, n);
}

/* Follow the path of solutions (x, s) from s = 0 to s = 1. s may decrease after a turning point. Steps are limited to
 * max_step and to `first` in s, and reduced if the corrector fails. The path uses at most PATH_SHARE of
 * max_iterations. */
static resida_status follow_path(rsd_equilibrium *eq, double *saved, double first)
{
    const int share = eq->report->iterations + (int)(PATH_SHARE * eq->options->max_iterations);
    const int max = share < eq->options->max_iterations ? share : eq->options->max_iterations;
    double *z = eq->dx_ds, part = INFINITY, at = 0, slope = 0;
    int n = 0;
    set_load_factor(eq, 0);
    resida_status status = compute_path_derivative(eq, z);
    while (status == RESIDA_OK && eq->report->iterations < max) {
        const double length = sqrt(1 + compute_inner_product(eq, z, z)),
                     ahead = slope + compute_inner_product(eq, z, eq->tangent);
        if (!isfinite(length)) return RESIDA_ERR_NEWTON; /* r(x0) is not in the range of the matrix */
        slope = (n > 0 && ahead < 0 ? -1 : 1) / length;
        for (int j = 0; j < eq->n_x; j++) eq->tangent[j] = eq->dx[j] = z[j] * slope;
        part = fmin(part, fmin(first / fabs(slope), eq->options->max_step / compute_correction_size(eq, 0)));
        save_point(eq, saved);
        while ((status = take_step_on_path(eq, z, at, slope, part, &n)) == RESIDA_ERR_NEWTON && part >= MIN_LOAD) {
            restore_point(eq, saved);
            part /= 4;
        }
        if (status == RESIDA_OK && eq->load_factor >= 1 && eq->load_factor <= 1) return status;
        at = eq->load_factor;
        if (n <= FEW_ITERATIONS) part *= 2;
    }
    return status == RESIDA_OK ? RESIDA_ERR_NEWTON : status;
}

/* Report that no equilibrium was found, with residual and free unknowns at the point `best`. Return the status. */
static resida_status report_newton_failure(rsd_equilibrium *eq, double *best)
{
    resida_jacobian_matrix J;
    restore_point(eq, best);
    set_load_factor(eq, 1);
    const int verdict = rsd_equilibrium_linearize(eq, &J);
    if (verdict < 0) return rsd_equilibrium_get_failure(eq);
    if (verdict == 0) RSD_TRY(rsd_equilibrium_find_null(eq, &J));
    eq->report->residual = rsd_equilibrium_residual(eq, eq->F);
    rsd_equilibrium_report_worst(eq);
    return rsd_fail(eq->why, RESIDA_ERR_NEWTON,
                    "no equilibrium found near the start at t = %g: after %d iterations the residual is %.3g of its "
                    "weight; worst: %s",
                    eq->t, eq->report->iterations, eq->report->residual, eq->report->worst.text);
}

/* Take up to RELAXATIONS steps along the motion. Solve with s = 1 after each step, until a search succeeds. */
static resida_status solve_after_relaxation(rsd_equilibrium *eq, double *relaxed)
{
    resida_status status = RESIDA_ERR_NEWTON;
    for (int i = 0; i < RELAXATIONS && status == RESIDA_ERR_NEWTON; i++) {
        status = rsd_equilibrium_relax(eq);
        if (status != RESIDA_OK) return status;
        save_point(eq, relaxed);
        status = solve_at_full_load(eq);
        if (status == RESIDA_ERR_NEWTON) restore_point(eq, relaxed);
    }
    return status;
}

/* Follow the path from the point `from`, or from the guess at t_from if the time is varied. The first step in s is
 * `part`. */
static resida_status solve_by_path(rsd_equilibrium *eq, double *from, double *reached, double part)
{
    restore_point(eq, from);
    eq->is_untested = 0;
    set_load_factor(eq, 0);
    if (eq->t < eq->t_to || eq->t > eq->t_to) {
        RSD_TRY(rsd_equilibrium_start_from_guess(eq));
        if (rsd_equilibrium_evaluate(eq, 0)) return rsd_equilibrium_get_failure(eq);
    }
    for (int i = 0; i < eq->n_r; i++) eq->load_residual[i] = eq->F[eq->row_of[i]];
    return follow_path(eq, reached, part);
}

/* Follow the path with the requested number of load steps. After a failure, take steps along the motion and try again.
 * For example, a pendulum held horizontally has no equilibrium nearby under a part of the load. */
static resida_status search_by_load(rsd_equilibrium *eq, double *from, double *reached)
{
    resida_status status = RESIDA_ERR_NEWTON;
    eq->report->load_steps = 0;
    save_point(eq, from);
    for (int i = 0; i <= RELAXATIONS && status == RESIDA_ERR_NEWTON; i++) {
        restore_point(eq, from);
        if (i > 0 && (status = rsd_equilibrium_relax(eq)) != RESIDA_OK) break;
        save_point(eq, from);
        status = solve_by_path(eq, from, reached, 1.0 / eq->options->load_steps);
    }
    return status == RESIDA_ERR_NEWTON ? report_newton_failure(eq, reached) : status;
}

/* Searches from a start. WHOLE_LOAD: s = 1 with the monotonicity test. ALONG_PATH: s from 0 to 1. UNTESTED: s = 1
 * without the test, for large rotations. ALONG_MOTION: s = 1 after steps along the motion. */
typedef enum search { WHOLE_LOAD, ALONG_PATH, UNTESTED, ALONG_MOTION, ALL_SEARCHES } search;

static resida_status run_search(rsd_equilibrium *eq, search by, double *start, double *reached)
{
    restore_point(eq, start);
    set_load_factor(eq, 1);
    eq->is_untested = by == UNTESTED;
    eq->report->load_steps = by != ALONG_PATH;
    if (by == ALONG_PATH) return solve_by_path(eq, start, reached, FIRST_LOAD);
    return by == ALONG_MOTION ? solve_after_relaxation(eq, reached) : solve_at_full_load(eq);
}

/* Run the searches until one succeeds. For a general DAE, the second search takes steps along the motion, because this
 * makes algebraic components of the guess consistent. best: the last point of the first search */
static resida_status search_without_load_steps(rsd_equilibrium *eq, double *start, double *best, double *reached)
{
    static const search of_mechanism[] = {WHOLE_LOAD, ALONG_PATH, UNTESTED, ALONG_MOTION};
    static const search of_dae[] = {WHOLE_LOAD, ALONG_MOTION, ALONG_PATH, UNTESTED};
    const search *by = eq->problem->mechanism ? of_mechanism : of_dae;
    resida_status status = RESIDA_ERR_NEWTON;
    for (int i = 0; i < ALL_SEARCHES && status == RESIDA_ERR_NEWTON; i++) {
        status = run_search(eq, by[i], start, reached);
        if (i == 0) save_point(eq, best);
    }
    return status == RESIDA_ERR_NEWTON ? report_newton_failure(eq, best) : status;
}

/* Remove the drift along free directions that rounding errors cause. Return 0, also if the drift could not be removed,
 * or < 0 on a fatal error. */
static int remove_drift(rsd_equilibrium *eq, const double *start, double *found)
{
    if (!eq->problem->mechanism || eq->n_free == 0 || eq->is_sparse || eq->n_d != eq->n_x) return 0;
    save_point(eq, found);
    (void)rsd_equilibrium_residual(eq, eq->F);
    rsd_equilibrium_correct_drift(eq, start);
    const int verdict = compute_correction_size(eq, 0) <= LARGEST_DRIFT ? take_full_step(eq) : 1;
    if (verdict < 0) return verdict;
    if (verdict > 0 || rsd_equilibrium_residual(eq, eq->F) > eq->options->tolerance) restore_point(eq, found);
    return 0;
}

resida_status rsd_equilibrium_search(rsd_equilibrium *eq)
{
    const long each = 3L * eq->n;
    double *saved = rsd_doubles(&eq->alloc, 3 * each);
    if (!saved) return RESIDA_ERR_MEMORY;
    double *const start = saved, *const best = saved + each, *const reached = saved + 2 * each;
    resida_status status = rsd_equilibrium_evaluate(eq, 0) ? rsd_equilibrium_get_failure(eq) : RESIDA_OK;
    save_point(eq, start);
    for (int is_reduced = 1; is_reduced && status == RESIDA_OK;) {
        restore_point(eq, start);
        status = eq->options->load_steps > 0 ? search_by_load(eq, best, reached)
                                             : search_without_load_steps(eq, start, best, reached);
        if (status == RESIDA_OK && remove_drift(eq, start, best) < 0) status = rsd_equilibrium_get_failure(eq);
        if (status == RESIDA_OK) status = rsd_equilibrium_reduce_unit(eq, best, &is_reduced);
    }
    return status;
}
