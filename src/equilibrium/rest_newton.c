/* rest_newton.c - Newton's method for r(x) = (1 - s) r(x0): steps that are limited, and halved until the next
 * correction, by the same matrix, is shorter by a quarter of the part that was taken (P. Deuflhard, Newton Methods for
 * Nonlinear Problems, 2004, section 3.3: the natural monotonicity test, which no scaling of equations changes). First
 * s = 1 at once; where that fails, other ways, below. */
#include "rest.h"

#include <math.h>
#include <string.h>

#define ON_THE_WAY 1e-5 /* of its weight a residual at s < 1 may be */
#define SMALL_STEP 1e-6 /* of the sizes: from there on Newton's method is in its last steps */
#define FIRST_LOAD 0.1  /* of the load, when the whole is too much */
#define LEAST_LOAD 1e-4 /* a smaller one, or a shorter way on the path, leads nowhere */
#define PATH_SHARE 0.6  /* of max_iterations the path may take, from where it begins: the others are for other ways */

#define SHORT      0.04 /* of max_step */

#define RELAXED    0.1 /* of max(|p|, 1): a step the way the forces go */

#define DRIFT      1e-3 /* of the sizes: what is free has moved no farther by rounding */

enum {
    RELAXATIONS = 10,
    FALLS = 4,
    HALVINGS = 14,
    ROUNDS_AT_ONCE = 40,
    ROUNDS_SHORT = 200,
    ROUNDS_ON_THE_WAY = 10,
    QUICK = 4,
    RETURNS = 3
};

static int has_rate(const rsd_rest *x, int j)
{
    const resida_layout *l = &x->q->layout;
    return x->report->n_steady > 0 && x->column[j] >= l->v && x->column[j] < l->v + l->n_v - l->n_z;
}

static void set_load(rsd_rest *x, double s)
{
    x->load = s;
    x->t = x->t_to - (1 - s) * (x->t_to - x->t_from);
}

/* The trial, positions put back onto the invariants, which T dq leaves only to first order. The verdict. */
static int move(rsd_rest *x, double part)
{
    rsd_guard *g = &x->s->guard;
    memcpy(x->y1, x->y, (size_t)x->n * sizeof *x->y);
    memcpy(x->yp1, x->yp, (size_t)x->n * sizeof *x->yp);
    for (int j = 0; j < x->n_x; j++) {
        const int c = x->column[j];
        x->y1[c] += part * x->dx[j];
        if (has_rate(x, j)) x->yp1[c - x->q->layout.v + x->q->layout.p] = x->y1[c];
    }
    if (!x->q->mechanism || x->q->mechanism->m.n_k == 0) return 0;
    rsd_guard_expect(g);
    return rsd_guard_judge(g, x->t, rsd_hold_invariants(x->q->mechanism, x->t, x->y1 + x->q->layout.p), NULL, 0);
}

/* The trial becomes the point; there redundant rows are chosen anew where those that are kept come to depend on each
 * other. The verdict. */
static int accept(rsd_rest *x)
{
    rsd_guard *g = &x->s->guard;
    const resida_layout *l = &x->q->layout;
    int changed = 0;
    memcpy(x->y, x->y1, (size_t)x->n * sizeof *x->y);
    memcpy(x->yp, x->yp1, (size_t)x->n * sizeof *x->yp);
    memcpy(x->F, x->F1, (size_t)x->n * sizeof *x->F);
    if (!x->q->choice.kkt) return 0;
    rsd_guard_expect(g);
    int verdict = rsd_choice_renew(&x->q->choice, x->t, x->y + l->p, &changed);
    verdict = rsd_guard_judge(g, x->t, verdict, NULL, 0);
    for (int i = 0; i < l->n_g + l->n_h && changed; i++)
        if (x->q->mechanism->dropped[i]) x->y[l->lam + i] = 0;
    return verdict || !changed ? verdict : rsd_rest_evaluate(x, 0);
}

/* Of positions, rates and states, as a part of what they are, or of 1. */
static double size_of_step(const rsd_rest *x)
{
    const resida_layout *l = &x->q->layout;
    double most = 0;
    for (int j = 0; j < x->n_x; j++) {
        const int is_lam = l->lam >= 0 && x->column[j] >= l->lam;
        if (!isfinite(x->dx[j])) return INFINITY;
        if (!is_lam) most = fmax(most, fabs(x->dx[j]) / fmax(fabs(x->y[x->column[j]]), 1));
    }
    return most;
}

static int is_interrupted(rsd_rest *x, double residual)
{
    const resida_equilibrium_options *o = x->o;
    x->interrupted = o->monitor && o->monitor(x->report->iterations, residual, x->load, o->monitor_user);
    return x->interrupted;
}

static resida_status stopped(rsd_rest *x)
{
    if (!x->interrupted) return rsd_rest_stopped(x);
    return rsd_fail(x->why, RESIDA_INTERRUPTED, "interrupted after %d iterations", x->report->iterations);
}

/* @return 1 a step was taken; 0 none helps; < 0 stop */
static int search_line(rsd_rest *x, double norm)
{
    const double size = size_of_step(x);
    const double most = x->o->max_step * (x->plain > 0 ? x->plain : 1);
    double part = size > most ? most / size : 1;
    if (!isfinite(size)) return 0;
    for (int i = 0; i < HALVINGS; i++, part /= 2) {
        int verdict = move(x, part);
        if (!verdict) verdict = rsd_rest_evaluate(x, 1);
        if (verdict < 0) return verdict;
        if (verdict > 0) continue;
        if (is_interrupted(x, rsd_rest_residual(x, x->F1))) return -1;
        if (!(x->plain > 0) && !(rsd_rest_natural(x) <= (1 - part / FALLS) * norm)) continue;
        if ((verdict = accept(x))) return verdict < 0 ? verdict : 0;
        x->report->correction = part * size;
        return 1;
    }
    return 0;
}

/* One iteration. *done: 1 converged; -1 no step helps. */
static resida_status iterate(rsd_rest *x, int *done)
{
    const double tolerance = x->o->tolerance;
    resida_jacobian_matrix J;
    if (rsd_rest_linearize(x, &J)) return rsd_rest_stopped(x);
    double norm = 0;
    const double residual = rsd_rest_residual(x, x->F);
    x->report->residual = residual;
    x->report->iterations++;
    if (is_interrupted(x, residual)) return stopped(x);
    RSD_TRY(rsd_rest_correct(x, &J, &norm));
    const int is_small = size_of_step(x) <= SMALL_STEP;
    int is_last = residual <= tolerance && is_small;
    const int moved = norm > 0 ? search_line(x, norm) : 0;
    if (moved < 0) return stopped(x);
    if (!moved) (void)rsd_rest_residual(x, x->F);
    if (!moved && is_small) is_last = rsd_rest_is_rounding(x, tolerance);
    if (is_last && !moved) x->report->correction = size_of_step(x);
    *done = is_last ? 1 : moved ? 0 : -1;
    x->report->residual = rsd_rest_residual(x, x->F);
    return RESIDA_OK;
}

/* At s = 1. @return RESIDA_OK found; RESIDA_ERR_NEWTON not, without a message */
static resida_status settle(rsd_rest *x)
{
    int done = 0;
    const int is_short = x->plain > 0 && x->plain < 1, most = is_short ? ROUNDS_SHORT : ROUNDS_AT_ONCE;
    for (int i = 0; !done && i < most && x->report->iterations < x->o->max_iterations; i++) {
        resida_status status = iterate(x, &done);
        if (status != RESIDA_OK) return status;
    }
    return done == 1 ? RESIDA_OK : RESIDA_ERR_NEWTON;
}

/* A point that is kept: y, yp, F. */
static void keep(rsd_rest *x, double *kept, int back)
{
    double *const parts[] = {x->y, x->yp, x->F};
    const size_t bytes = (size_t)x->n * sizeof *kept;
    for (int i = 0; i < 3; i++)
        memcpy(back ? parts[i] : kept + (long)i * x->n, back ? kept + (long)i * x->n : parts[i], bytes);
}

/* The trial, dx away, becomes the point. The verdict. */
static int go(rsd_rest *x)
{
    int verdict = move(x, 1);
    if (!verdict) verdict = rsd_rest_evaluate(x, 1);
    return verdict ? verdict : accept(x);
}

/* a'b of positions, rates and states, in their sizes: multipliers may be anything where the load turns. */
static double product(const rsd_rest *x, const double *a, const double *b)
{
    const resida_layout *l = &x->q->layout;
    double sum = 0;
    for (int j = 0; j < x->n_x; j++)
        if (l->lam < 0 || x->column[j] < l->lam) sum += a[j] / x->size[j] * b[j] / x->size[j];
    return sum;
}

/* dx and z = dx/ds of the path at the point. RESIDA_OK; what stopped it */
static resida_status linearize_path(rsd_rest *x, double *z)
{
    resida_jacobian_matrix J;
    double norm;
    if (rsd_rest_linearize(x, &J)) return rsd_rest_stopped(x);
    x->report->residual = rsd_rest_residual(x, x->F);
    x->report->iterations++;
    if (is_interrupted(x, x->report->residual)) return stopped(x);
    RSD_TRY(rsd_rest_correct(x, &J, &norm));
    const int verdict = rsd_rest_by_load(x, z);
    return verdict < 0 ? stopped(x) : verdict ? RESIDA_ERR_NEWTON : RESIDA_OK;
}

/* From a point beside the path to one on it, the nearest (E. L. Allgower, K. Georg, Numerical Continuation Methods,
 * 1990, chapter 3): dx + z ds with (dx + z ds)'z + ds = 0. *n: iterations. RESIDA_ERR_NEWTON: a
 * correction is longer than the step that led there */
static resida_status correct_path(rsd_rest *x, double *z, double step, int *n)
{
    for (*n = 1; *n <= ROUNDS_ON_THE_WAY; ++*n) {
        RSD_TRY(linearize_path(x, z));
        const double ds = -product(x, x->dx, z) / (1 + product(x, z, z)), residual = x->report->residual;
        for (int j = 0; j < x->n_x; j++) x->dx[j] += ds * z[j];
        const double size = hypot(ds, size_of_step(x));
        if (residual <= ON_THE_WAY && size <= ON_THE_WAY) return RESIDA_OK;
        if (!(size <= step)) return RESIDA_ERR_NEWTON;
        set_load(x, x->load + ds);
        const int verdict = go(x);
        if (verdict) return verdict < 0 ? stopped(x) : RESIDA_ERR_NEWTON;
    }
    return RESIDA_ERR_NEWTON;
}

/* From the point that is kept, `step` along x->tangent and back to the path; s = 1 is met. *n: iterations */
static resida_status step_on_path(rsd_rest *x, double *z, double at, double slope, double step, int *n)
{
    const double *tangent = x->tangent;
    const int ends = at + step * slope >= 1;
    if (ends) step = (1 - at) / slope;
    for (int j = 0; j < x->n_x; j++) x->dx[j] = step * tangent[j];
    set_load(x, ends ? 1 : at + step * slope);
    x->report->load_steps++;
    const int verdict = go(x);
    if (verdict) return verdict < 0 ? stopped(x) : RESIDA_ERR_NEWTON;
    return ends ? settle(x) : correct_path(x, z, step, n);
}

/* From s = 0, where the start is the solution, along the path of solutions (x, s), on which s may turn back, to s = 1.
 * Steps are limited to max_step and to `first` of the load, halved where the way back to the path does not contract.
 * Iterations before the path do not shorten its share. */
static resida_status follow_path(rsd_rest *x, double *kept, double first)
{
    const int share = x->report->iterations + (int)(PATH_SHARE * x->o->max_iterations);
    const int most = share < x->o->max_iterations ? share : x->o->max_iterations;
    double *z = x->by_load, part = INFINITY, at = 0, slope = 0;
    int n = 0;
    set_load(x, 0);
    resida_status status = linearize_path(x, z);
    while (status == RESIDA_OK && x->report->iterations < most) {
        const double length = sqrt(1 + product(x, z, z)), ahead = slope + product(x, z, x->tangent);
        if (!(length <= (n > 0 ? INFINITY : 1 / LEAST_LOAD))) return RESIDA_ERR_NEWTON; /* held by nothing */
        slope = (n > 0 && ahead < 0 ? -1 : 1) / length;
        for (int j = 0; j < x->n_x; j++) x->tangent[j] = x->dx[j] = z[j] * slope;
        part = fmin(part, fmin(first / fabs(slope), x->o->max_step / size_of_step(x)));
        keep(x, kept, 0);
        while ((status = step_on_path(x, z, at, slope, part, &n)) == RESIDA_ERR_NEWTON && part >= LEAST_LOAD) {
            keep(x, kept, 1);
            part /= 4;
        }
        if (status == RESIDA_OK && x->load >= 1 && x->load <= 1) return status;
        at = x->load;
        if (n <= QUICK) part *= 2;
    }
    return status == RESIDA_OK ? RESIDA_ERR_NEWTON : status;
}

/* At the point that is kept, in words. */
static resida_status none_found(rsd_rest *x, double *best)
{
    resida_jacobian_matrix J;
    keep(x, best, 1);
    set_load(x, 1);
    const int verdict = rsd_rest_linearize(x, &J);
    if (verdict < 0) return rsd_rest_stopped(x);
    if (verdict == 0) RSD_TRY(rsd_rest_find_free(x, &J));
    x->report->residual = rsd_rest_residual(x, x->F);
    rsd_rest_name_worst(x);
    return rsd_fail(x->why, RESIDA_ERR_NEWTON,
                    "no equilibrium found near the start at t = %g: after %d iterations the residual is %.3g of its "
                    "weight; worst: %s",
                    x->t, x->report->iterations, x->report->residual, x->report->worst.text);
}

/* From the start again, with all of the load, the residual may rise; no step is longer than `part` of max_step. */
static resida_status settle_plainly(rsd_rest *x, double *start, double part)
{
    keep(x, start, 1);
    set_load(x, 1);
    x->plain = part;
    x->report->load_steps = 1;
    return settle(x);
}

/* After a step the way the forces go, and another one. */
static resida_status settle_relaxed(rsd_rest *x, double *start, double *relaxed)
{
    resida_status status = RESIDA_ERR_NEWTON;
    keep(x, start, 1);
    for (int i = 0; i < RELAXATIONS && status == RESIDA_ERR_NEWTON; i++) {
        status = rsd_rest_relax(x, RELAXED);
        if (status != RESIDA_OK) return status;
        keep(x, relaxed, 0);
        status = settle(x);
        if (status == RESIDA_ERR_NEWTON) keep(x, relaxed, 1);
    }
    return status;
}

/* With load steps from there, or from what the guess is at t_from; the first one `part`. */
static resida_status settle_loaded(rsd_rest *x, double *from, double *reached, double part)
{
    keep(x, from, 1);
    x->plain = 0;
    set_load(x, 0);
    if (x->t < x->t_to || x->t > x->t_to) {
        RSD_TRY(rsd_rest_begin(x));
        if (rsd_rest_evaluate(x, 0)) return rsd_rest_stopped(x);
    }
    for (int i = 0; i < x->n_r; i++) x->dead[i] = x->F[x->row[i]];
    return follow_path(x, reached, part);
}

/* As many load steps as were asked for; where they lead nowhere, after a step the way the forces go, and another one:
 * what is held where it hangs by nothing, as a pendulum is horizontally, has no equilibrium with a part of the load
 * near there. */
static resida_status search_by_load(rsd_rest *x, double *from, double *reached)
{
    resida_status status = RESIDA_ERR_NEWTON;
    x->report->load_steps = 0;
    keep(x, from, 0);
    for (int i = 0; i <= RELAXATIONS && status == RESIDA_ERR_NEWTON; i++) {
        keep(x, from, 1);
        if (i > 0 && (status = rsd_rest_relax(x, RELAXED)) != RESIDA_OK) break;
        keep(x, from, 0);
        status = settle_loaded(x, from, reached, 1.0 / x->o->load_steps);
    }
    return status == RESIDA_ERR_NEWTON ? none_found(x, reached) : status;
}

/* All of the load at once, with steps that are halved; then load steps; then at once without halving, as large
 * rotations want it; then after steps the way the forces go; then short steps, as forces with kinks and stops want it.
 * The best point is where the first way ended, if it was gone. */
static resida_status search_at_once(rsd_rest *x, double *start, double *best, double *reached)
{
    set_load(x, 1);
    x->report->load_steps = 1;
    resida_status status = settle(x);
    if (status != RESIDA_ERR_NEWTON) return status;
    keep(x, best, 0);
    x->report->load_steps = 0;
    status = settle_loaded(x, start, reached, FIRST_LOAD);
    if (status != RESIDA_ERR_NEWTON) return status;
    status = settle_plainly(x, start, 1);
    if (status != RESIDA_ERR_NEWTON) return status;
    x->plain = 0;
    status = settle_relaxed(x, start, reached);
    if (status == RESIDA_ERR_NEWTON) status = settle_plainly(x, start, SHORT);
    return status == RESIDA_ERR_NEWTON ? none_found(x, best) : status;
}

/* A direction that is free here may have been determined on the way, by rounding: what it has drifted is taken back.
 * < 0 stop */
static int take_drift_back(rsd_rest *x, const double *start, double *found)
{
    if (!x->q->mechanism || x->n_free == 0 || x->is_sparse || x->n_d != x->n_x) return 0;
    keep(x, found, 0);
    (void)rsd_rest_residual(x, x->F);
    for (int i = 0; i < RETURNS; i++) {
        rsd_rest_come_back(x, start);
        if (!(size_of_step(x) <= DRIFT)) break;
        int verdict = move(x, 1);
        if (!verdict) verdict = rsd_rest_evaluate(x, 1);
        if (verdict < 0) return verdict;
        if (verdict > 0) break;
        if ((verdict = accept(x)) < 0) return verdict;
        if (rsd_rest_residual(x, x->F) <= x->o->tolerance) return 0;
    }
    keep(x, found, 1);
    return 0;
}

resida_status rsd_rest_search(rsd_rest *x)
{
    const long each = 3L * x->n;
    double *kept = rsd_doubles(&x->alloc, 3 * each);
    if (!kept) return rsd_fail(x->why, RESIDA_ERR_MEMORY, "no memory for an equilibrium with %d unknowns", x->n);
    double *const start = kept, *const best = kept + each, *const reached = kept + 2 * each;
    resida_status status = rsd_rest_evaluate(x, 0) ? rsd_rest_stopped(x) : RESIDA_OK;
    if (status == RESIDA_OK) {
        keep(x, start, 0);
        status = x->o->load_steps > 0 ? search_by_load(x, best, reached) : search_at_once(x, start, best, reached);
    }
    if (status == RESIDA_OK && take_drift_back(x, kept, kept + each) < 0) status = rsd_rest_stopped(x);
    return status;
}
