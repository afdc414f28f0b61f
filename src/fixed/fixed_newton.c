/* fixed_newton.c - Newton's method for the stages of a step of fixed size, with the J of the Jacobian engine at the
 * last stage.
 *
 * A strategy that renews J is asked at each step attempt, others as long as the matrix is of the same step size only
 * when the iteration is slow; dF/dy is evaluated anew when a correction is not below half of the one before.
 * Corrections are measured in the norm of the error weights, those of index 2 times h, of index 3 times h^2; rate/(1 -
 * rate) |delta| <= tolerance ends the iteration, and corrections that do not shrink any more although J is of this
 * attempt are rounding.
 *
 * To the engine an evaluation at a time t is good for that t; so one at another place is asked for as the first one.
 *
 * "To rounding": J is evaluated at each iteration, and corrections go on as long as their 2-norm decreases, (33) of
 * Bottasso, Bauchau, Cardona, SIAM J. Sci. Comput. 29 (2007) 397-414, in the unknowns of the scaled system; the one
 * that does not is not applied. */
#include "fixed_newton.h"

#include "src/watch/tolerance.h"
#include "jacobian/engine.h"

#include <math.h>
#include <string.h>

enum { MOST_ITERATIONS = 12, MOST_FULL = 40, MOST_TO_ROUNDING = 60 };
#define SLOW_RATE        0.5
#define TINY             1e-2 /* of the tolerance: a first correction that needs no second one */
#define ROUNDING_ALLOWED 0.33 /* of the tolerances, where corrections do not shrink although J is of this attempt */
#define DIVERGED         1e-4 /* of the unknowns: the last correction to rounding, of what has a derivative */

typedef struct attempt {
    const rsd_method *m;
    const rsd_stages *st;
    double t, h;
    const double *k;
    double *X;
    int size;    /* s n */
    int is_full; /* J is evaluated at each iteration: all that is left where no step can be cut */
} attempt;

static void set_stage(rsd_fixed_newton *nw, const attempt *a, int i)
{
    const double *y = nw->past->y[0];
    for (int c = 0; c < nw->n; c++) {
        const double *e = a->st->e[nw->past->field[c]][i], *d = a->st->d[nw->past->field[c]][i];
        double sum = 0, here = 0, slope = 0;
        for (int j = 0; j < a->st->s; j++) {
            const double X = a->X[j * nw->n + c];
            sum += e[j];
            here += e[j] * X;
            slope += d[j] * (X - y[c]);
        }
        nw->Y[i * nw->n + c] = sum == 1 ? here : here + (1 - sum) * y[c];
        nw->Yp[i * nw->n + c] = slope / a->h + a->k[i * nw->n + c];
    }
}

/* The rows of constraints at X_i instead; or the multipliers of X_i are those of the last X. */
static int hold(rsd_fixed_newton *nw, const attempt *a, int i)
{
    const size_t at = (size_t)i * (size_t)nw->n;
    const int last = a->st->s - 1, is_tied = a->st->holding == RSD_AT_END && i < last;
    const double *X = a->X + at, *X_last = a->X + (size_t)last * (size_t)nw->n;
    double *R = nw->R + at, *r = nw->delta;
    int verdict = is_tied ? 0 : rsd_guard_cheap(a->t + a->st->b[i] * a->h, X, nw->Yp + at, r, nw->guard);
    for (int c = 0; c < nw->n && !verdict; c++)
        if (nw->held[c]) R[c] = is_tied ? X[c] - X_last[c] : r[c];
    return verdict;
}

/* R of all stages; F at the last one, as it is without anything besides. */
static int evaluate(rsd_fixed_newton *nw, const attempt *a)
{
    int verdict = 0;
    nw->guard->cause = RSD_NEWTON;
    for (int i = 0; i < a->st->s && !verdict; i++) {
        const size_t at = (size_t)i * (size_t)nw->n;
        set_stage(nw, a, i);
        verdict = rsd_guard_residual(a->t + a->st->c[i] * a->h, nw->Y + at, nw->Yp + at, nw->R + at, nw->guard);
        if (i + 1 == a->st->s) memcpy(nw->F, nw->R + at, (size_t)nw->n * sizeof *nw->F);
        if (!verdict && a->st->holding != RSD_IN_STAGES) verdict = hold(nw, a, i);
    }
    return !verdict && a->m->add ? a->m->add(nw->past, nw->guard, a->t, a->h, a->X, nw->R) : verdict;
}

static int choose_reason(const rsd_fixed_newton *nw, const attempt *a)
{
    if (!nw->has_matrix) return RESIDA_SETUP_FIRST;
    if (resida_jacobian_is_requested(nw->engine)) return RESIDA_SETUP_OTHER;
    if (nw->o->newton_to_rounding) return RESIDA_SETUP_FIRST;
    if (rsd_engine_renews(nw->engine)) return RESIDA_SETUP_ATTEMPT;
    if (nw->matrix_s != a->st->s || nw->alpha_matrix != rsd_stages_alpha(a->st, a->h)) return RESIDA_SETUP_ALPHA;
    return -1;
}

/* One call of the engine. */
static int ask(rsd_fixed_newton *nw, const attempt *a, int reason, double alpha, int *current)
{
    const size_t last = (size_t)(a->st->s - 1) * (size_t)nw->n;
    resida_jacobian_point at = {.t = a->t + a->st->c[a->st->s - 1] * a->h,
                                .alpha = alpha,
                                .h = a->h,
                                .y = nw->Y + last,
                                .yp = nw->Yp + last,
                                .F = nw->F,
                                .weights = nw->ewt};
    nw->guard->cause = RSD_JACOBIAN;
    nw->setups[reason]++;
    int verdict = resida_jacobian_setup(nw->engine, (resida_setup_reason)reason, &at, current);
    if (verdict < 0 && nw->guard->stop == RESIDA_OK)
        nw->guard->stop = rsd_fail(nw->guard->message, (resida_status)verdict, "J cannot be set up at t = %.9g: %s",
                                   a->t, resida_status_name((resida_status)verdict));
    return verdict;
}

/* J, in parts where they are needed, and the factors. > 0: not possible here, or singular. */
static int setup(rsd_fixed_newton *nw, const attempt *a, int reason)
{
    const double alpha = rsd_stages_alpha(a->st, a->h);
    resida_jacobian_matrix J;
    int current = 0, unused, verdict;
    nw->has_matrix = 0;
    do {
        verdict = ask(nw, a, reason, alpha, &current);
        if (verdict) return verdict;
        nw->is_fresh = current || rsd_engine_is_new(nw->engine);
        resida_jacobian_get_matrix(nw->engine, &J);
        if (!rsd_stages_are_plain(a->st)) {
            if (rsd_fixed_matrix_keep(&nw->matrix, &J) < 0) return nw->guard->stop = RESIDA_ERR_MEMORY;
            if ((verdict = ask(nw, a, RESIDA_SETUP_ALPHA, 0, &unused))) return verdict;
            resida_jacobian_get_matrix(nw->engine, &J);
        }
        verdict = rsd_fixed_matrix_factor(&nw->matrix, a->st, a->h, &J, nw->guard->message);
        if (verdict < 0) nw->guard->stop = (resida_status)verdict;
        reason = RESIDA_SETUP_FAILURE;
    } while (verdict > 0 && !current);
    if (verdict) return verdict;
    nw->has_matrix = 1;
    nw->matrix_s = a->st->s;
    nw->alpha_matrix = alpha;
    return 0;
}

static void correct(rsd_fixed_newton *nw, const attempt *a)
{
    for (int i = 0; i < a->size; i++) nw->delta[i] = -nw->R[i];
    rsd_fixed_matrix_solve(&nw->matrix, nw->delta);
    nw->solves++;
    nw->iterations++;
}

static double weighted_norm(const rsd_fixed_newton *nw, const attempt *a)
{
    double sum = 0;
    for (int i = 0; i < a->size; i++) {
        double part = nw->delta[i] * nw->w[i % nw->n];
        sum += part * part;
    }
    return sqrt(sum / a->size);
}

/* 0 converged; > 0 not; < 0 stop. R is known. */
static int iterate(rsd_fixed_newton *nw, const attempt *a)
{
    double before = 0;
    for (int it = 0; it < (a->is_full ? MOST_FULL : MOST_ITERATIONS); it++) {
        correct(nw, a);
        double norm = weighted_norm(nw, a), rate = it > 0 ? norm / before : SLOW_RATE;
        if (!isfinite(norm)) return 1;
        int stalls = it > 0 && rate >= 1;
        if (stalls && norm > ROUNDING_ALLOWED && !a->is_full) return 1;
        for (int i = 0; i < a->size; i++) a->X[i] += nw->delta[i];
        if (norm <= TINY * nw->o->newton_tolerance ||
            (it > 0 && rate < 1 && rate / (1 - rate) * norm <= nw->o->newton_tolerance))
            return 0;
        if (stalls && norm <= ROUNDING_ALLOWED && nw->is_fresh) return 0;
        int verdict = evaluate(nw, a);
        if (!verdict && ((it > 0 && rate > SLOW_RATE) || a->is_full))
            verdict = setup(nw, a, a->is_full ? RESIDA_SETUP_FIRST : RESIDA_SETUP_FAILURE);
        if (verdict) return verdict;
        before = norm;
    }
    return 1;
}

/* Of the corrections `before`: 2-norm, then by field. */
static void measure(const rsd_fixed_newton *nw, const attempt *a, double *size)
{
    memset(size, 0, (1 + RSD_N_FIELDS) * sizeof *size);
    for (int i = 0; i < a->size; i++) {
        double *of_field = &size[1 + nw->past->field[i % nw->n]];
        size[0] = hypot(size[0], nw->before[i]);
        *of_field = fmax(*of_field, fabs(nw->before[i]));
    }
}

static int has_diverged(const rsd_fixed_newton *nw, const attempt *a)
{
    for (int i = 0; i < a->size; i++)
        if (nw->past->field[i % nw->n] != RSD_FIELD_REST && fabs(nw->before[i]) > DIVERGED * (1 + fabs(a->X[i])))
            return 1;
    return 0;
}

static int iterate_to_rounding(rsd_fixed_newton *nw, const attempt *a)
{
    double norm_before = INFINITY;
    for (int it = 0; it < MOST_TO_ROUNDING; it++) {
        double norm = 0;
        correct(nw, a);
        for (int i = 0; i < a->size; i++)
            norm = hypot(norm, nw->delta[i] / rsd_scaling_unit(nw->matrix.scaling, i % nw->n));
        if (!isfinite(norm)) return 1;
        if (norm >= norm_before) return has_diverged(nw, a);
        for (int i = 0; i < a->size; i++) a->X[i] += nw->delta[i];
        memcpy(nw->before, nw->delta, (size_t)a->size * sizeof *nw->before);
        if (norm == 0) return 0;
        norm_before = norm;
        int verdict = evaluate(nw, a);
        if (!verdict) verdict = setup(nw, a, RESIDA_SETUP_FIRST);
        if (verdict) return verdict;
    }
    return 1;
}

static int report(rsd_fixed_newton *nw, const attempt *a)
{
    double size[1 + RSD_N_FIELDS];
    if (!nw->o->newton_to_rounding) memcpy(nw->before, nw->delta, (size_t)a->size * sizeof *nw->before);
    measure(nw, a, size);
    for (int f = 0; f < 1 + RSD_N_FIELDS; f++) nw->largest[f] = fmax(nw->largest[f], size[f]);
    if (!nw->o->observer) return 0;
    resida_newton_end end = {.t = a->t + a->h,
                             .h = a->h,
                             .stages = a->st->s,
                             .matrix = rsd_fixed_matrix_get(&nw->matrix),
                             .correction = nw->before,
                             .row_scale = rsd_scaling_rows(nw->matrix.scaling),
                             .column_scale = rsd_scaling_columns(nw->matrix.scaling)};
    rsd_thrown thrown = {0, ""};
    if (!rsd_call_observer(&end, nw->o->observer_user, &thrown, nw->o->observer)) return 0;
    return rsd_guard_threw(nw->guard, end.t, "observer", &thrown);
}

/* From the extrapolated values with the J at hand, where there is one; when that fails from y_n, with one evaluated
 * here. */
int rsd_fixed_newton_solve(rsd_fixed_newton *nw, const rsd_method *m, const rsd_stages *st, double t, double h,
                           const double *k, double *X, int is_step)
{
    attempt a = {m, st, t, h, k, X, st->s * nw->n, 0};
    nw->attempts++;
    nw->guard->h = h;
    rsd_error_weights(nw->o, nw->n, nw->past->y[0], nw->ewt);
    rsd_newton_weights(nw->o->newton_h_weights, h, nw->n, nw->guard->problem->kinds, nw->ewt, nw->w);
    nw->is_fresh = 0;
    int reason = choose_reason(nw, &a), verdict;
    do {
        verdict = evaluate(nw, &a);
        if (!verdict && reason >= 0) verdict = setup(nw, &a, reason);
        if (!verdict) verdict = nw->o->newton_to_rounding ? iterate_to_rounding(nw, &a) : iterate(nw, &a);
        if (verdict <= 0 || a.is_full) break;
        a.is_full = 1;
        nw->fails++;
        rsd_blame_note(&nw->blame, nw->n, nw->delta + (size_t)(st->s - 1) * (size_t)nw->n, nw->w);
        reason = RESIDA_SETUP_FIRST;
        for (int i = 0; i < a.size; i++) X[i] = nw->past->y[0][i % nw->n];
    } while (1);
    nw->fails += verdict > 0;
    if (verdict > 0) rsd_blame_note(&nw->blame, nw->n, nw->delta + (size_t)(st->s - 1) * (size_t)nw->n, nw->w);
    for (int i = 0; i < st->s && !verdict; i++) set_stage(nw, &a, i);
    if (!verdict && is_step) verdict = report(nw, &a);
    return verdict;
}

/* Constraints of positions and velocities, not of accelerations; invariants in any form. */
static void set_held(rsd_fixed_newton *nw)
{
    const resida_problem *q = nw->past->problem;
    int holds = q->form && (q->form->level == RSD_POSITION || q->form->level == RSD_VELOCITY) && !q->form->rates;
    for (int i = 0; i < nw->n; i++)
        nw->held[i] = (holds && i >= q->layout.lam) || (q->layout.eta_k >= 0 && i >= q->layout.eta_k);
}

resida_status rsd_fixed_newton_create(rsd_fixed_newton *nw, int stages, const resida_allocator *alloc)
{
    int n = nw->n = nw->past->n, all = 1;
    double **wide[] = {&nw->Y, &nw->Yp, &nw->R, &nw->delta, &nw->before}, **narrow[] = {&nw->F, &nw->ewt, &nw->w};
    for (int i = 0; i < 5; i++) all &= (*wide[i] = rsd_matrix(alloc, stages, n)) != NULL;
    for (int i = 0; i < 3; i++) all &= (*narrow[i] = rsd_doubles(alloc, n)) != NULL;
    nw->held = rsd_calloc(alloc, n, sizeof *nw->held);
    if (!all || !nw->held) return RESIDA_ERR_MEMORY;
    set_held(nw);
    nw->matrix =
        (rsd_fixed_matrix){.alloc = *alloc, .n = n, .most = stages, .field = nw->past->field, .held = nw->held};
    nw->matrix.kind = nw->o->linear_solver;
    return rsd_scaling_create(&nw->matrix.scaling, nw->o, nw->past->problem, stages);
}

void rsd_fixed_newton_free(rsd_fixed_newton *nw, const resida_allocator *alloc)
{
    void *blocks[] = {nw->Y, nw->Yp, nw->R, nw->delta, nw->before, nw->F, nw->ewt, nw->w, nw->held};
    rsd_fixed_matrix_free(&nw->matrix);
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) rsd_free(alloc, blocks[i]);
}

void rsd_fixed_newton_reset(rsd_fixed_newton *nw)
{
    nw->has_matrix = nw->blame.count = 0;
}
