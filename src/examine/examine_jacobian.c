/* examine_jacobian.c - see examine_jacobian.h. Central differences with increments from coarse to fine: bends spoil the
 * coarse ones, rounding the fine ones, so the one that agrees best with a row counts for it. */
#include "examine_jacobian.h"

#include "examine.h"
#include "src/problem/problem_impl.h"

#include <math.h>
#include <string.h>

#define WRONG 1e-5 /* of the terms of a row: more is not bends and rounding */

static const double increments[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7};
enum { N_INCREMENTS = sizeof increments / sizeof *increments, VECTORS = 7 };

typedef struct work {
    rsd_guard *guard;
    int n;
    double t, alpha;
    const double *y, *yp;
    double *J;                  /* [entries of J] */
    double *d, *said, *terms;   /* [n] direction; J d; sum |j_ik d_k| */
    double *F, *F_before;       /* [n] at one side and the other */
    double *y_moved, *yp_moved; /* [n] */
    double *block, *off;        /* off [n]: smallest disagreement so far */
} work;

/* J(alpha) d. The verdict of the callback. */
static int ask(work *w)
{
    resida_problem *q = w->guard->problem;
    const rsd_csr *J = &q->J;
    rsd_guard_expect(w->guard);
    int verdict = rsd_problem_dae_jacobian(q, w->t, w->alpha, w->y, w->yp, w->J);
    verdict = rsd_guard_judge(w->guard, w->t, verdict, w->J, J->nnz);
    for (int i = 0; i < w->n && !verdict; i++) {
        w->said[i] = w->terms[i] = 0;
        for (int e = J->row[i]; e < J->row[i + 1]; e++) {
            double term = w->J[e] * w->d[J->col[e]];
            w->said[i] += term;
            w->terms[i] += fabs(term);
        }
        w->off[i] = INFINITY;
    }
    return verdict;
}

static int call(work *w, double s, double *F)
{
    for (int i = 0; i < w->n; i++) {
        w->y_moved[i] = w->y[i] + s * w->d[i];
        w->yp_moved[i] = w->yp[i] + s * w->alpha * w->d[i];
    }
    return rsd_guard_residual(w->t, w->y_moved, w->yp_moved, F, w->guard);
}

/* A place where F is not possible tells nothing. */
static int compare(work *w)
{
    int verdict = ask(w);
    for (int k = 0; k < N_INCREMENTS && !verdict; k++) {
        const double s = increments[k];
        verdict = call(w, -s, w->F_before);
        if (!verdict) verdict = call(w, s, w->F);
        for (int i = 0; i < w->n && !verdict; i++)
            w->off[i] = fmin(w->off[i], fabs((w->F[i] - w->F_before[i]) / (2 * s) - w->said[i]));
        if (verdict > 0) verdict = 0;
    }
    return verdict;
}

static void judge(const work *w, rsd_warnings *warnings)
{
    char name[RSD_COMPONENT_NAME];
    for (int i = 0; i < w->n; i++) {
        if (!isfinite(w->off[i]) || w->off[i] <= WRONG * (w->terms[i] + w->off[i])) continue;
        resida_problem_component_name(w->guard->problem, i, name, sizeof name);
        rsd_warn(warnings, RSD_CLAIM_DERIVATIVES,
                 "jacobian: row %d (%s) is %.6g along a random direction at t = %.6g, alpha = %.3g, and differences of "
                 "F are "
                 "%.3g off",
                 i, name, w->said[i], w->t, w->alpha, w->off[i]);
        return;
    }
}

static resida_status take_memory(work *w)
{
    resida_problem *q = w->guard->problem;
    double **const vectors[] = {&w->d, &w->said, &w->terms, &w->F, &w->F_before, &w->y_moved, &w->yp_moved};
    w->J = rsd_doubles(&q->alloc, q->J.nnz);
    w->block = rsd_matrix(&q->alloc, w->n, VECTORS + 1);
    if (!w->J || !w->block) return rsd_fail(w->guard->message, RESIDA_ERR_MEMORY, "no memory to examine the jacobian");
    for (long k = 0; k < VECTORS; k++) *vectors[k] = w->block + k * w->n;
    w->off = w->block + (long)VECTORS * w->n;
    for (int i = 0; i < w->n; i++) w->d[i] = rsd_random_move(i) * fmax(fabs(w->y[i]), 1);
    return RESIDA_OK;
}

resida_status rsd_examine_jacobian(rsd_guard *guard, double t, double alpha, const double *y, const double *yp,
                                   rsd_warnings *warnings)
{
    const resida_allocator *a = &guard->problem->alloc;
    work w = {.guard = guard, .n = guard->problem->layout.n, .t = t, .y = y, .yp = yp};
    resida_status status = take_memory(&w);
    for (int with_yp = 0; with_yp < 2 && status >= 0; with_yp++) {
        w.alpha = with_yp ? alpha : 0;
        int verdict = compare(&w);
        if (verdict < 0) status = guard->stop;
        if (verdict == 0) judge(&w, warnings);
    }
    rsd_free(a, w.block);
    rsd_free(a, w.J);
    return status;
}
