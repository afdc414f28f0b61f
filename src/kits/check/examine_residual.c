/* examine_residual.c - F beside its start, its jacobian, its pattern and its products.
 *
 * A given start of a general DAE: F has units of its own in each row, so it is compared with what it becomes at a point
 * nearby: y moved by up to one tolerance, to one side and the other by turns, and yp by a thousandth; by parts of them
 * that differ, so that nothing cancels.
 *
 * J(alpha) d: central differences with increments from coarse to fine: bends spoil the coarse ones, rounding the fine
 * ones, so the one that agrees best with a row counts for it. No more are tried once all rows agree.
 *
 * Of a pattern without a jacobian J d is made of differences by groups of columns, along another direction than d: what
 * F has beyond the pattern is taken for another entry of its row there, or left out, and does not agree. */
#include "examine.h"

#include "src/core/watch/tolerance.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define YP_MOVED 1e-3 /* of yp: what it is moved by */
#define INCONSISTENT                                                                                                   \
    100.0 /* times the change: y off by 100 tolerances, yp by a tenth; a first step puts right what is less */
#define F_ROUNDING (100 * DBL_EPSILON) /* of |F| + |F moved|: its terms may be larger */
#define WRONG      1e-5                /* of the terms of a row: more is not bends and rounding */

static const double increments[] = {1e-5, 1e-4, 1e-6, 1e-3, 1e-7}; /* in the order of trial */
enum {
    N_INCREMENTS = sizeof increments / sizeof *increments,
    DIRECTIONS = 8 /* of products: so many show the size of their terms */
};

/* --- a given start --- */

static void move(const rsd_given_start *s, int n)
{
    for (int i = 0; i < n; i++) {
        double side = (i % 2 ? -1 : 1) * (1 + (double)i / n) / 2;
        s->y_moved[i] = s->y[i] + side * rsd_tolerance(s->o, i, s->y[i]);
        s->yp_moved[i] = s->yp[i] * (1 + side * YP_MOVED);
    }
}

/* How many times F is off by what moves made of it, at the worst row. */
static double worst(const rsd_given_start *s, int n, int *row)
{
    double most = 0;
    *row = -1;
    for (int i = 0; i < n; i++) {
        double off = fabs(s->F[i]), change = fabs(s->F_moved[i] - s->F[i]);
        double times = off / fmax(change, F_ROUNDING * (off + fabs(s->F_moved[i])));
        if (off > 0 && times > most) most = times, *row = i;
    }
    return most;
}

resida_status rsd_examine_given_start(rsd_guard *g, const rsd_given_start *s, rsd_warnings *warnings)
{
    const int n = g->problem->layout.n;
    int row;
    g->run = 0;
    int verdict = rsd_guard_residual(g, RSD_FOR_START, s->t, s->y, s->yp, s->F);
    if (verdict == 0) {
        move(s, n);
        verdict = rsd_guard_residual(g, RSD_FOR_START, s->t, s->y_moved, s->yp_moved, s->F_moved);
    }
    if (verdict < 0) return g->stop;
    if (verdict > 0) return RESIDA_OK; /* the first step will say so */
    double times = worst(s, n, &row);
    if (times > INCONSISTENT)
        rsd_warn(warnings, RSD_CLAIM_START,
                 "start: y0 and yp0 are not consistent: F[%d] = %.3g at t = %.6g, %.1g times what a change of y by the "
                 "tolerances and of yp by a thousandth makes of it",
                 row, s->F[row], s->t, times);
    return RESIDA_OK;
}

/* --- J(alpha) d --- */

typedef struct work {
    rsd_owner owner;
    rsd_guard *guard;
    int n;
    double t, alpha;
    const double *y, *yp;
    double *J;                  /* [entries of J]; or of products [3 x DIRECTIONS x n] */
    double *d, *said, *terms;   /* [n] direction; J d; sum |j_ik d_k| */
    double *all;                /* [n] d, while that is a part of it */
    double *F, *F_before;       /* [n] at one side and the other */
    double *y_moved, *yp_moved; /* [n] */
    double *off;                /* [n] smallest disagreement so far */
    rsd_colouring groups;       /* of a pattern */
    double *d_group;            /* [n] */
} work;

/* J(alpha) d into said, the sizes of its terms into terms. The verdict of the callback. */
typedef int derivative_fn(work *w);

static void add_term(work *w, int i, double term)
{
    w->said[i] += term;
    w->terms[i] += fabs(term);
}

static int eval_jacobian(work *w)
{
    resida_problem *q = w->guard->problem;
    const rsd_csr *J = &q->J;
    int verdict = rsd_problem_dae_jacobian(q, w->t, w->alpha, w->y, w->yp, w->J);
    verdict = rsd_guard_judge(w->guard, w->t, verdict, w->J, J->nnz);
    for (int i = 0; i < w->n && !verdict; i++)
        for (int e = J->row[i]; e < J->row[i + 1]; e++) add_term(w, i, w->J[e] * w->d[J->col[e]]);
    return verdict;
}

/* Component c of d is in direction c mod DIRECTIONS. */
static int eval_products(work *w)
{
    const size_t n = (size_t)w->n, all = DIRECTIONS * n;
    double *dy = w->J, *dyp = dy + all, *out = dyp + all;
    memset(dy, 0, 2 * all * sizeof *dy);
    for (size_t c = 0; c < n; c++) {
        dy[c % DIRECTIONS * n + c] = w->d[c];
        dyp[c % DIRECTIONS * n + c] = w->alpha * w->d[c];
    }
    int verdict = rsd_guard_times(w->t, w->y, w->yp, DIRECTIONS, dy, dyp, out, w->guard);
    for (int i = 0; i < w->n && !verdict; i++)
        for (size_t k = 0; k < DIRECTIONS; k++) add_term(w, i, out[k * n + (size_t)i]);
    return verdict;
}

static int call(work *w, rsd_rows_part part, const double *d, double s, double *F)
{
    for (int i = 0; i < w->n; i++) {
        w->y_moved[i] = w->y[i] + s * d[i];
        w->yp_moved[i] = w->yp[i] + s * w->alpha * d[i];
    }
    return rsd_guard_part(w->guard, RSD_FOR_START, part, w->t, w->y_moved, w->yp_moved, F);
}

/* F and F_before at both sides along d. */
static int call_both(work *w, rsd_rows_part part, const double *d, double s)
{
    int verdict = call(w, part, d, -s, w->F_before);
    return verdict ? verdict : call(w, part, d, s, w->F);
}

static int eval_entries(work *w)
{
    const rsd_csr *J = &w->guard->problem->J;
    const double s = increments[0];
    int verdict = 0;
    for (int g = 0; g < w->groups.n_groups && !verdict; g++) {
        memset(w->d_group, 0, (size_t)w->n * sizeof *w->d_group);
        for (int k = w->groups.start[g]; k < w->groups.start[g + 1]; k++) {
            const int c = w->groups.columns[k];
            w->d_group[c] = w->d[c] * rsd_random_move(w->n + c);
        }
        verdict = call_both(w, RSD_ROWS_ALL, w->d_group, s);
        for (int i = 0; i < w->n && !verdict; i++)
            for (int e = J->row[i]; e < J->row[i + 1]; e++)
                if (w->groups.group[J->col[e]] == g)
                    add_term(w, i, (w->F[i] - w->F_before[i]) / (2 * s) / rsd_random_move(w->n + J->col[e]));
    }
    return verdict;
}

static int is_off(const work *w, int i)
{
    return w->off[i] > WRONG * (w->terms[i] + w->off[i]);
}

static int is_wrong(const work *w, int i)
{
    return isfinite(w->off[i]) && is_off(w, i);
}

/* A place where F is not possible tells nothing. */
static int compare(work *w, derivative_fn *eval, rsd_rows_part part)
{
    for (int i = 0; i < w->n; i++) w->said[i] = w->terms[i] = 0, w->off[i] = INFINITY;
    int verdict = eval(w), any_off = 1;
    for (int k = 0; k < N_INCREMENTS && any_off && !verdict; k++) {
        const double s = increments[k];
        verdict = call_both(w, part, w->d, s);
        any_off = verdict > 0;
        for (int i = 0; i < w->n && !verdict; i++) {
            const double rounding = F_ROUNDING * (fabs(w->F[i]) + fabs(w->F_before[i])) / (2 * s);
            const double off = fabs((w->F[i] - w->F_before[i]) / (2 * s) - w->said[i]);
            w->off[i] = fmin(w->off[i], fmax(off - rounding, 0));
            any_off |= is_off(w, i);
        }
        if (verdict > 0) verdict = 0;
    }
    return verdict;
}

/* What J(alpha) d is made of. */
typedef struct source {
    rsd_claim claim;
    const char *name, *hint;
    derivative_fn *eval;
    rsd_rows_part part;
} source;

/* The column of J by which row i is wrong, by halving the direction, which is then this column's alone; -1: none alone
 * is. */
static int wrong_column(work *w, const source *from, int i)
{
    int begin = 0, end = w->n;
    if (from->eval == eval_entries) return -1; /* what is not in the pattern is no column of it */
    while (end - begin > 1) {
        const int middle = begin + (end - begin) / 2;
        for (int k = 0; k < w->n; k++) w->d[k] = k >= begin && k < middle ? w->all[k] : 0;
        if (compare(w, from->eval, from->part) != 0) return -1;
        if (is_wrong(w, i))
            end = middle;
        else
            begin = middle;
    }
    for (int k = 0; k < w->n; k++) w->d[k] = k == begin ? w->all[k] : 0;
    return compare(w, from->eval, from->part) == 0 && is_wrong(w, i) ? begin : -1;
}

/* Warn of the first row that is wrong, with its entry. */
static void judge(work *w, const source *from, rsd_warnings *warnings)
{
    char row[RSD_COMPONENT_NAME], column[RSD_COMPONENT_NAME];
    int i = 0;
    while (i < w->n && !is_wrong(w, i)) i++;
    if (i == w->n || warnings->is_given[from->claim]) return;
    const double said = w->said[i], off = w->off[i];
    memcpy(w->all, w->d, (size_t)w->n * sizeof *w->d);
    resida_problem_component_name(w->guard->problem, i, row, sizeof row);
    const int k = wrong_column(w, from, i);
    if (k < 0) {
        rsd_warn(warnings, from->claim,
                 "%s: row %d (%s) is %.6g along a random direction at t = %.6g, alpha = %.3g, and differences of F are "
                 "%.3g off%s",
                 from->name, i, row, said, w->t, w->alpha, off, from->hint);
    } else {
        resida_problem_component_name(w->guard->problem, k, column, sizeof column);
        rsd_warn(warnings, from->claim,
                 "%s: row %d (%s), column %d (%s) is %.6g at t = %.6g, alpha = %.3g, and differences of F are %.3g off",
                 from->name, i, row, k, column, w->said[i] / w->d[k], w->t, w->alpha, w->off[i] / fabs(w->d[k]));
    }
    memcpy(w->d, w->all, (size_t)w->n * sizeof *w->d);
}

static resida_status take_memory(work *w, const source *from, const resida_allocator *a)
{
    const resida_problem *q = w->guard->problem;
    const long products = 3L * DIRECTIONS * w->n; /* dy, dyp and what is made of them */
    if (!RSD_DOUBLES(a, from->eval == eval_products ? products : q->J.nnz, &w->J) ||
        !RSD_DOUBLES(a, w->n, &w->d, &w->all, &w->said, &w->terms, &w->F, &w->F_before, &w->y_moved, &w->yp_moved,
                     &w->off, &w->d_group))
        return RESIDA_ERR_MEMORY;
    for (int i = 0; i < w->n; i++) w->d[i] = rsd_random_move(i) * fmax(fabs(w->y[i]), 1);
    return from->eval == eval_entries ? rsd_examine_groups(&w->groups, &q->J, a) : RESIDA_OK;
}

/* For alpha = 0, too. */
static resida_status examine(rsd_guard *guard, double alpha, const resida_state *at, const source *from,
                             rsd_warnings *warnings)
{
    const resida_layout *l = &guard->problem->layout;
    work w = {.guard = guard, .n = l->n, .t = at->t, .y = at->y, .yp = at->yp};
    const resida_allocator own = rsd_owned_by(&w.owner, &guard->problem->alloc);
    resida_status status = take_memory(&w, from, &own);
    if (status < 0)
        status = rsd_fail(guard->message, status, "no memory to examine %s", from->name);
    else if (from->eval == eval_products && l->rates) /* G' is a part of the product there */
        memset(w.d + l->lam, 0, (size_t)(l->n_g + l->n_h) * sizeof *w.d);
    for (int with_yp = 0; with_yp < 2 && status >= 0; with_yp++) {
        w.alpha = with_yp ? alpha : 0;
        const int verdict = compare(&w, from->eval, from->part);
        if (verdict == 0) judge(&w, from, warnings);
        if (verdict < 0 || guard->stop < 0) status = guard->stop;
    }
    rsd_owner_free(&w.owner);
    return status;
}

resida_status rsd_examine_dF(rsd_guard *guard, double alpha, const resida_state *at, rsd_warnings *warnings)
{
    const resida_problem *q = guard->problem;
    const source jacobian = {RSD_CLAIM_DERIVATIVES, "jacobian", "", eval_jacobian, RSD_ROWS_ALL};
    const source pattern = {RSD_CLAIM_PATTERN, "J_pattern", ": the pattern lacks entries", eval_entries, RSD_ROWS_ALL};
    const source products = {RSD_CLAIM_PRODUCTS, q->mechanism ? "residual_times" : "jacobian_times", "", eval_products,
                             RSD_ROWS_FORMALISM};
    if (!q->mechanism && q->dae.jacobian)
        RSD_TRY(examine(guard, alpha, at, &jacobian, warnings));
    else if (!q->mechanism && q->J.row && rsd_csr_is_sparse(&q->J))
        RSD_TRY(examine(guard, alpha, at, &pattern, warnings));
    return rsd_problem_has_products(q) ? examine(guard, alpha, at, &products, warnings) : RESIDA_OK;
}
