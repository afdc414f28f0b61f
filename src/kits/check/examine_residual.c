/* examine_residual.c - F compared with its jacobian, its pattern and its products.
 *
 * J(alpha) d is compared with difference quotients of F (curve.h). Each row has its own unit.
 *
 * For a pattern without a jacobian, J d is formed by differences by groups of columns, along another direction than d.
 * An entry of J outside the pattern is attributed to another entry of its row, or omitted. Therefore J d differs from
 * the difference quotient. */
#include "examine.h"

#include <math.h>
#include <string.h>

#define USUAL_STEP 1e-5 /* increment of differences by groups of columns */

static const rsd_closeness close_rows = {3e-6, 0, 100}; /* differences of smooth functions agree within 1e-8 */
enum { DIRECTIONS = 8 };                                /* number of products of the model whose sum is J d */

typedef struct work {
    rsd_owner owner;            /* owner of the arrays */
    rsd_guard *guard;           /* guard that evaluates F */
    rsd_rows_part part;         /* examined part of F */
    rsd_curve c;                /* given product J d and differences of F */
    int n;                      /* number of unknowns */
    double t, alpha;            /* time [s]; coefficient of dF/dyp in J */
    const double *y, *yp;       /* [n] examined point */
    double *J;                  /* [nnz] values of J; or [3 x DIRECTIONS x n] dy, dyp and products of the model */
    double *d, *all;            /* [n] direction d, or some of its components; [n] all components of d */
    double *y_moved, *yp_moved; /* [n] point at which F is evaluated */
    rsd_colouring groups;       /* groups of columns of a pattern */
} work;

/* A function that computes w->c.given [n] = J(alpha) d and its scales. It returns the value of the callback. */
typedef int derivative_fn(work *w);

static int eval_jacobian_product(work *w)
{
    resida_problem *q = w->guard->problem;
    const rsd_csr *J = &q->J;
    int verdict = rsd_problem_eval_dae_J(q, w->t, w->alpha, w->y, w->yp, w->J);
    verdict = rsd_guard_judge(w->guard, w->t, verdict, w->J, J->nnz);
    if (!verdict) rsd_curve_add_product(&w->c, J, w->J, w->d);
    return verdict;
}

/* Compute J d as the sum of DIRECTIONS products. Product k contains the components c of d with c mod DIRECTIONS = k. */
static int eval_product_of_model(work *w)
{
    const size_t n = (size_t)w->n, all = DIRECTIONS * n;
    double *dy = w->J, *dyp = dy + all, *out = dyp + all;
    memset(dy, 0, 2 * all * sizeof *dy);
    for (size_t c = 0; c < n; c++) {
        dy[c % DIRECTIONS * n + c] = w->d[c];
        dyp[c % DIRECTIONS * n + c] = w->alpha * w->d[c];
    }
    int verdict = rsd_guard_multiply(w->t, w->y, w->yp, DIRECTIONS, dy, dyp, out, w->guard);
    for (int i = 0; i < w->n && !verdict; i++)
        for (size_t k = 0; k < DIRECTIONS; k++) rsd_curve_add_term(&w->c, i, out[k * n + (size_t)i]);
    return verdict;
}

static int evaluate_F_at(double s, double *F, void *context)
{
    work *w = context;
    for (int i = 0; i < w->n; i++) {
        w->y_moved[i] = w->y[i] + s * w->d[i];
        w->yp_moved[i] = w->yp[i] + s * w->alpha * w->d[i];
    }
    return rsd_guard_eval_part(w->guard, RSD_FOR_START, w->part, w->t, w->y_moved, w->yp_moved, F);
}

static int eval_differenced_product(work *w)
{
    const rsd_csr *J = &w->guard->problem->J;
    double *const *F = w->c.x;
    int verdict = 0;
    memcpy(w->all, w->d, (size_t)w->n * sizeof *w->d);
    for (int g = 0; g < w->groups.n_groups && !verdict; g++) {
        for (int c = 0; c < w->n; c++)
            w->d[c] = w->groups.group[c] == g ? w->all[c] * rsd_get_random_component(w->n + c) : 0;
        for (int side = 0; side < 2 && !verdict; side++)
            verdict = evaluate_F_at(side ? USUAL_STEP : -USUAL_STEP, F[side], w);
        for (int i = 0; i < w->n && !verdict; i++)
            for (int e = J->row[i]; e < J->row[i + 1]; e++)
                if (w->groups.group[J->col[e]] == g)
                    rsd_curve_add_term(
                        &w->c, i, (F[1][i] - F[0][i]) / (2 * USUAL_STEP) / rsd_get_random_component(w->n + J->col[e]));
    }
    memcpy(w->d, w->all, (size_t)w->n * sizeof *w->d);
    return verdict;
}

/* A source of the product J(alpha) d. */
typedef struct source {
    rsd_claim claim;         /* kind of the warning */
    const char *name, *hint; /* first and last words of the warning */
    derivative_fn *eval;     /* computes J(alpha) d */
    rsd_rows_part part;      /* part of F that contains the derivatives */
} source;

static int compare_product_with_differences(work *w, const source *from, int *row)
{
    rsd_curve_clear(&w->c, w->n);
    const int verdict = from->eval(w);
    *row = -1;
    return verdict ? verdict : rsd_curve_compare(&w->c, w->n, evaluate_F_at, w, row);
}

/* Find the column with a wrong entry in row i by bisection of the direction d. Return the column, or -1 if no single
 * column is wrong. On return d contains this column only. */
static int find_wrong_column(work *w, const source *from, int i)
{
    int begin = 0, end = w->n, row;
    if (from->eval == eval_differenced_product) return -1; /* an entry outside the pattern has no column */
    memcpy(w->all, w->d, (size_t)w->n * sizeof *w->d);
    while (end - begin > 0) {
        const int middle = end - begin > 1 ? begin + (end - begin) / 2 : end;
        for (int k = 0; k < w->n; k++) w->d[k] = k >= begin && k < middle ? w->all[k] : 0;
        const int verdict = compare_product_with_differences(w, from, &row),
                  is_here = rsd_curve_find_worst(&w->c, i, 1) >= 0;
        if (verdict || middle == end) return !verdict && is_here ? begin : -1;
        if (is_here)
            end = middle;
        else
            begin = middle;
    }
    return -1;
}

/* Warn of a wrong row i of J(alpha) d, and name the wrong column if it is known. */
static void warn_of_row(work *w, const source *from, int i, rsd_warnings *warnings)
{
    char row[RSD_COMPONENT_NAME], column[RSD_COMPONENT_NAME];
    if (warnings->is_given[from->claim]) return;
    const double given = w->c.given[i], off = w->c.off[i];
    resida_problem_component_name(w->guard->problem, i, row, sizeof row);
    const int k = find_wrong_column(w, from, i);
    if (k < 0) {
        rsd_add_warning(warnings, from->claim,
                        "%s: row %d (%s) is %.6g along a random direction at t = %.6g, alpha = %.3g; it differs from a "
                        "difference of F by %.3g%s",
                        from->name, i, row, given, w->t, w->alpha, off, from->hint);
        return;
    }
    resida_problem_component_name(w->guard->problem, k, column, sizeof column);
    rsd_add_warning(
        warnings, from->claim,
        "%s: row %d (%s), column %d (%s) is %.6g at t = %.6g, alpha = %.3g; it differs from a difference of F by %.3g",
        from->name, i, row, k, column, w->c.given[i] / w->d[k], w->t, w->alpha, w->c.off[i] / fabs(w->d[k]));
}

static resida_status allocate_examination(work *w, const source *from, const resida_allocator *a)
{
    const resida_problem *q = w->guard->problem;
    const long products = 3L * DIRECTIONS * w->n; /* dy, dyp and the products */
    if (!RSD_DOUBLES(a, from->eval == eval_product_of_model ? products : q->J.nnz, &w->J) ||
        !RSD_DOUBLES(a, w->n, &w->d, &w->all, &w->y_moved, &w->yp_moved) || !rsd_curve_allocate(&w->c, w->n, a))
        return RESIDA_ERR_MEMORY;
    return from->eval == eval_differenced_product ? rsd_examine_find_groups(&w->groups, &q->J, a) : RESIDA_OK;
}

/* Compare J(alpha) d with difference quotients, for alpha = 0 and the given alpha. */
static resida_status compare_derivative(rsd_guard *guard, double alpha, const resida_state *at, const source *from,
                                        rsd_warnings *warnings)
{
    const resida_layout *l = &guard->problem->layout;
    work w = {.guard = guard, .part = from->part, .n = guard->problem->layout.n, .t = at->t, .y = at->y, .yp = at->yp};
    const resida_allocator own = rsd_get_owned_allocator(&w.owner, &guard->problem->alloc);
    resida_status status = allocate_examination(&w, from, &own);
    if (status < 0) status = rsd_fail(guard->message, status, "no memory to examine %s", from->name);
    w.c.close = close_rows;
    for (int with_yp = 0; with_yp < 2 && status >= 0; with_yp++) {
        int row;
        w.alpha = with_yp ? alpha : 0;
        for (int i = 0; i < w.n; i++) w.d[i] = rsd_get_random_component(i) * fmax(fabs(w.y[i]), 1);
        if (from->eval == eval_product_of_model && l->rates) /* the product of the model contains G' */
            memset(w.d + l->lam, 0, (size_t)(l->n_g + l->n_h) * sizeof *w.d);
        const int verdict = compare_product_with_differences(&w, from, &row);
        if (verdict == 0 && row >= 0) warn_of_row(&w, from, row, warnings);
        if (verdict < 0 || guard->stop < 0) status = guard->stop;
    }
    rsd_owner_free(&w.owner);
    return status;
}

resida_status rsd_examine_dF(rsd_guard *guard, double alpha, const resida_state *at, rsd_warnings *warnings)
{
    const resida_problem *q = guard->problem;
    const source jacobian = {RSD_CLAIM_DERIVATIVES, "jacobian", "", eval_jacobian_product, RSD_ROWS_ALL};
    const source pattern = {RSD_CLAIM_PATTERN, "J_pattern", ": the pattern lacks entries", eval_differenced_product,
                            RSD_ROWS_ALL};
    const source products = {RSD_CLAIM_PRODUCTS, q->mechanism ? "residual_times" : "jacobian_times", "",
                             eval_product_of_model, RSD_ROWS_FORMALISM};
    if (!q->mechanism && q->dae.jacobian)
        RSD_TRY(compare_derivative(guard, alpha, at, &jacobian, warnings));
    else if (!q->mechanism && q->J.row && rsd_csr_is_sparse(&q->J))
        RSD_TRY(compare_derivative(guard, alpha, at, &pattern, warnings));
    return rsd_problem_has_products(q) ? compare_derivative(guard, alpha, at, &products, warnings) : RESIDA_OK;
}
