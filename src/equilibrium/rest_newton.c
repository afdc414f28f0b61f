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
#define LEAST_LOAD 1e-4 /* a smaller one leads nowhere */

#define SHORT      0.04 /* of max_step */

#define RELAXED    0.1 /* of max(|p|, 1): a step the way the forces go */

#define DRIFT      1e-3 /* of the sizes: what is free has moved no farther by rounding */

enum {
    RELAXATIONS = 10,
    FALLS = 4,
    HALVINGS = 14,
    ROUNDS_AT_ONCE = 40,
    ROUNDS_SHORT = 200,
    ROUNDS_ON_THE_WAY = 30,
    RETURNS = 3
};

static int has_rate(const rsd_rest *x, int j)
{
    const resida_layout *l = &x->q->layout;
    return x->report->n_steady > 0 && x->column[j] >= l->v && x->column[j] < l->v + l->n_v - l->n_z;
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

static void accept(rsd_rest *x)
{
    memcpy(x->y, x->y1, (size_t)x->n * sizeof *x->y);
    memcpy(x->yp, x->yp1, (size_t)x->n * sizeof *x->yp);
    memcpy(x->F, x->F1, (size_t)x->n * sizeof *x->F);
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
        accept(x);
        x->report->correction = part * size;
        return 1;
    }
    return 0;
}

/* One iteration. *done: 1 converged; -1 no step helps. */
static resida_status iterate(rsd_rest *x, double tolerance, int *done)
{
    resida_jacobian_matrix J;
    if (rsd_rest_linearize(x, &J)) return rsd_rest_stopped(x);
    double norm = 0;
    const double residual = rsd_rest_residual(x, x->F);
    x->report->residual = residual;
    x->report->iterations++;
    if (is_interrupted(x, residual)) return stopped(x);
    RSD_TRY(rsd_rest_correct(x, &J, &norm));
    const int is_last = residual <= tolerance && size_of_step(x) <= SMALL_STEP;
    const int moved = norm > 0 ? search_line(x, norm) : 0;
    if (moved < 0) return stopped(x);
    if (is_last && !moved) x->report->correction = size_of_step(x);
    *done = is_last ? 1 : moved ? 0 : -1;
    x->report->residual = rsd_rest_residual(x, x->F);
    return RESIDA_OK;
}

/* At the load of now. @return RESIDA_OK found; RESIDA_ERR_NEWTON not, without a message */
static resida_status settle(rsd_rest *x)
{
    const double tolerance = x->load < 1 ? fmax(ON_THE_WAY, x->o->tolerance) : x->o->tolerance;
    int done = 0;
    const int is_short = x->plain > 0 && x->plain < 1;
    const int most = x->load < 1 ? ROUNDS_ON_THE_WAY : is_short ? ROUNDS_SHORT : ROUNDS_AT_ONCE;
    for (int i = 0; !done && i < most && x->report->iterations < x->o->max_iterations; i++) {
        resida_status status = iterate(x, tolerance, &done);
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

/* From s = 0, where the start is the solution. */
static resida_status load_up(rsd_rest *x, double *kept, double first)
{
    double part = first, at = 0;
    keep(x, kept, 0);
    while (at < 1 && part >= LEAST_LOAD && x->report->iterations < x->o->max_iterations) {
        x->load = fmin(at + part, 1);
        x->report->load_steps++;
        resida_status status = settle(x);
        if (status == RESIDA_OK) {
            at = x->load;
            keep(x, kept, 0);
            part = x->o->load_steps > 0 ? fmin(2 * part, first) : 2 * part;
        } else if (status == RESIDA_ERR_NEWTON) {
            keep(x, kept, 1);
            part /= 2;
        } else {
            return status;
        }
    }
    return at < 1 ? RESIDA_ERR_NEWTON : RESIDA_OK;
}

/* At the point that is kept, in words. */
static resida_status none_found(rsd_rest *x, double *best)
{
    resida_jacobian_matrix J;
    keep(x, best, 1);
    x->load = 1;
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
    x->load = 1;
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

/* With load steps from there, the first one `part`. */
static resida_status settle_loaded(rsd_rest *x, double *from, double *reached, double part)
{
    keep(x, from, 1);
    x->plain = 0;
    for (int i = 0; i < x->n_r; i++) x->dead[i] = x->F[x->row[i]];
    return load_up(x, reached, part);
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

/* All of the load at once, with steps that are halved, then without, as large rotations want it; then after steps the
 * way the forces go; then load steps; then short steps, as forces with kinks and stops want it. The best point is where
 * the first way ended, if it was gone. */
static resida_status search_at_once(rsd_rest *x, double *start, double *best, double *reached)
{
    x->load = 1;
    x->report->load_steps = 1;
    resida_status status = settle(x);
    if (status != RESIDA_ERR_NEWTON) return status;
    keep(x, best, 0);
    status = settle_plainly(x, start, 1);
    if (status != RESIDA_ERR_NEWTON) return status;
    x->plain = 0;
    status = settle_relaxed(x, start, reached);
    if (status != RESIDA_ERR_NEWTON) return status;
    x->report->load_steps = 0;
    status = settle_loaded(x, start, reached, FIRST_LOAD);
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
        accept(x);
        if (rsd_rest_residual(x, x->F) <= x->o->tolerance) return 0;
    }
    keep(x, found, 1);
    return 0;
}

resida_status rsd_rest_search(rsd_rest *x)
{
    const long each = 3L * x->n;
    double *kept = rsd_doubles(&x->q->alloc, 3 * each);
    if (!kept) return rsd_fail(x->why, RESIDA_ERR_MEMORY, "no memory for an equilibrium with %d unknowns", x->n);
    double *const start = kept, *const best = kept + each, *const reached = kept + 2 * each;
    resida_status status = rsd_rest_evaluate(x, 0) ? rsd_rest_stopped(x) : RESIDA_OK;
    if (status == RESIDA_OK) {
        keep(x, start, 0);
        status = x->o->load_steps > 0 ? search_by_load(x, best, reached) : search_at_once(x, start, best, reached);
    }
    if (status == RESIDA_OK && take_drift_back(x, kept, kept + each) < 0) status = rsd_rest_stopped(x);
    rsd_free(&x->q->alloc, kept);
    return status;
}
