/* examine_jacobian.c - see examine_jacobian.h. Central differences with increments from coarse to fine: bends spoil the
 * coarse ones, rounding the fine ones, so the one that agrees best with a row counts for it. */
#include "examine_jacobian.h"

#include "examine.h"
#include "src/problem/problem_impl.h"

#include <math.h>
#include <string.h>

#define WRONG 1e-5 /* of the terms of a row: more is not bends and rounding */

static const double increments[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7};
enum {
    N_INCREMENTS = sizeof increments / sizeof *increments,
    DIRECTIONS = 8 /* that a product is told apart in: so the size of its terms is seen */
};

typedef struct work work;
typedef int ask_fn(work *w);

struct work {
    rsd_owner owner;
    rsd_guard *guard;
    ask_fn *ask;        /* J(alpha) d into said, the sizes of its terms into terms. The verdict of the callback */
    rsd_rows_part part; /* of F, that it is the derivative of */
    int n;
    double t, alpha;
    const double *y, *yp;
    double *J;                  /* [entries of J]; or of products [3 x DIRECTIONS x n] */
    double *d, *said, *terms;   /* [n] direction; J d; sum |j_ik d_k| */
    double *F, *F_before;       /* [n] at one side and the other */
    double *y_moved, *yp_moved; /* [n] */
    double *off;                /* [n] smallest disagreement so far */
};

static int ask_jacobian(work *w)
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
    }
    return verdict;
}

/* Component c of d is in direction c mod DIRECTIONS. */
static int ask_times(work *w)
{
    const size_t all = DIRECTIONS * (size_t)w->n;
    double *dy = w->J, *dyp = dy + all, *out = dyp + all;
    memset(dy, 0, 2 * all * sizeof *dy);
    for (int c = 0; c < w->n; c++) {
        const size_t at = (size_t)(c % DIRECTIONS) * (size_t)w->n + (size_t)c;
        dy[at] = w->d[c];
        dyp[at] = w->alpha * w->d[c];
    }
    int verdict = rsd_guard_times(w->t, w->y, w->yp, DIRECTIONS, dy, dyp, out, w->guard);
    for (int i = 0; i < w->n && !verdict; i++) {
        w->said[i] = w->terms[i] = 0;
        for (int k = 0; k < DIRECTIONS; k++) {
            const double term = out[(size_t)k * (size_t)w->n + (size_t)i];
            w->said[i] += term;
            w->terms[i] += fabs(term);
        }
    }
    return verdict;
}

static int call(work *w, double s, double *F)
{
    for (int i = 0; i < w->n; i++) {
        w->y_moved[i] = w->y[i] + s * w->d[i];
        w->yp_moved[i] = w->yp[i] + s * w->alpha * w->d[i];
    }
    return rsd_guard_part(w->guard, w->part, w->t, w->y_moved, w->yp_moved, F);
}

/* A place where F is not possible tells nothing. */
static int compare(work *w)
{
    int verdict = w->ask(w);
    for (int i = 0; i < w->n; i++) w->off[i] = INFINITY;
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

static void judge(const work *w, rsd_claim claim, const char *callback, rsd_warnings *warnings)
{
    char name[RSD_COMPONENT_NAME];
    for (int i = 0; i < w->n; i++) {
        if (!isfinite(w->off[i]) || w->off[i] <= WRONG * (w->terms[i] + w->off[i])) continue;
        resida_problem_component_name(w->guard->problem, i, name, sizeof name);
        rsd_warn(warnings, claim,
                 "%s: row %d (%s) is %.6g along a random direction at t = %.6g, alpha = %.3g, and differences of "
                 "F are "
                 "%.3g off",
                 callback, i, name, w->said[i], w->t, w->alpha, w->off[i]);
        return;
    }
}

static resida_status take_memory(work *w, long entries)
{
    const resida_allocator own = rsd_owned_by(&w->owner, &w->guard->problem->alloc), *a = &own;
    if (!RSD_DOUBLES(a, entries, &w->J) ||
        !RSD_DOUBLES(a, w->n, &w->d, &w->said, &w->terms, &w->F, &w->F_before, &w->y_moved, &w->yp_moved, &w->off))
        return rsd_fail(w->guard->message, RESIDA_ERR_MEMORY, "no memory to examine the jacobian");
    for (int i = 0; i < w->n; i++) w->d[i] = rsd_random_move(i) * fmax(fabs(w->y[i]), 1);
    return RESIDA_OK;
}

/* For both alphas. status: of the memory, which is given back. */
static resida_status examine(work *w, resida_status status, double alpha, rsd_claim claim, const char *callback,
                             rsd_warnings *warnings)
{
    for (int with_yp = 0; with_yp < 2 && status >= 0; with_yp++) {
        w->alpha = with_yp ? alpha : 0;
        int verdict = compare(w);
        if (verdict < 0) status = w->guard->stop;
        if (verdict == 0) judge(w, claim, callback, warnings);
    }
    rsd_owner_free(&w->owner);
    return status;
}

resida_status rsd_examine_jacobian(rsd_guard *guard, double t, double alpha, const double *y, const double *yp,
                                   rsd_warnings *warnings)
{
    const resida_problem *q = guard->problem;
    work w = {.guard = guard, .ask = ask_jacobian, .part = RSD_ROWS_ALL, .n = q->layout.n, .t = t, .y = y, .yp = yp};
    return examine(&w, take_memory(&w, q->J.nnz), alpha, RSD_CLAIM_DERIVATIVES, "jacobian", warnings);
}

resida_status rsd_examine_times(rsd_guard *guard, double t, double alpha, const double *y, const double *yp,
                                rsd_warnings *warnings)
{
    const resida_problem *q = guard->problem;
    const resida_layout *l = &q->layout;
    const char *callback = q->mechanism ? "residual_times" : "jacobian_times";
    work w = {.guard = guard, .ask = ask_times, .part = RSD_ROWS_FORMALISM, .n = l->n, .t = t, .y = y, .yp = yp};
    const resida_status status = take_memory(&w, 3L * DIRECTIONS * l->n);
    if (status == RESIDA_OK && l->rates) /* G' is a part of the product there */
        memset(w.d + l->lam, 0, (size_t)(l->n_g + l->n_h) * sizeof *w.d);
    return examine(&w, status, alpha, RSD_CLAIM_PRODUCTS, callback, warnings);
}
