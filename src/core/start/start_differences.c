/* start_differences.c - computes M = dF/dyp and K = dF/dy at the point of a start (start_dae.h), from the derivatives
 * of the model or by differences. If an entry may be smaller than the rounding error of its difference quotient, the
 * quotient is computed again with a larger increment. */
#include "start_dae.h"

#include "base/numbers.h"
#include "src/core/problem/problem_impl.h"

#include <math.h>
#include <string.h>

#define YP_INCREMENT       1e-2   /* increment of yp, relative to |yp_i|; large, since F is usually linear in yp */
#define MIN_RATE_INCREMENT 1e-2   /* minimum of the first increment of yp */
#define CONFIRM_INCREMENT  1e-3   /* relative increment of y, yp in the check whether a nearly singular B is regular */
#define CONFIRM_TOL        0.1    /* maximum relative error of the change of F predicted by a regular B */
#define NOISE_FACTOR       64.0   /* displacement of y, yp that measures the rounding error of F [rounding errors] */
#define Y_INCREMENT        1.5e-8 /* increment of y, relative to its size */
#define MAX_COLUMN_ERROR   1e-9   /* relative rounding error of a column above which a larger increment is used */
#define LARGE_INCREMENT    1e8    /* minimum of the larger increment for a column in which no entry was detected */
#define UNIT_ENTRY         1.0    /* entry that is detected with the larger increment in such a column */
#define JACOBIAN_ALPHA     1e16   /* alpha for which the model's J determines dF/dyp */

resida_status rsd_start_move_pattern(rsd_start_matrix *x, rsd_sparsity *pattern)
{
    const resida_allocator *a = &x->alloc;
    rsd_sparsity_free(&x->pattern, a);
    rsd_colouring_free(&x->colours, a);
    RSD_FREE(a, x->M, x->K);
    x->pattern = *pattern;
    if (!RSD_DOUBLES(a, pattern->nnz, &x->M, &x->K)) return RESIDA_ERR_MEMORY;
    return x->is_given || !x->has_pattern ? RESIDA_OK : rsd_colour_columns(&x->colours, &x->pattern, NULL, a, NULL);
}

static int has_derivative(const rsd_start_matrix *x, int c)
{
    return x->problem->kinds[c] == RESIDA_DIFFERENTIAL;
}

/* Displace component c of x->yp, or of x->y if is_yp is 0, by delta. Store the rounded displacement in x->delta[c]. */
static void displace_component(rsd_start_matrix *x, int is_yp, int c, double delta)
{
    double *z = is_yp ? x->yp : x->y;
    volatile double perturbed = z[c] + delta;
    x->delta[c] = perturbed - z[c];
    z[c] = perturbed;
}

/* Evaluate F into x->r at the displaced point x->y, x->yp. Return as rsd_guard_eval_part(). */
static int eval_displaced(rsd_start_matrix *x, const rsd_start_point *at)
{
    return rsd_guard_eval_part(at->guard, RSD_FOR_START, RSD_ROWS_ALL, at->t, x->y, x->yp, x->r);
}

/* Return an entry of M or K, or 0 if |entry| does not exceed its rounding error. */
static double drop_rounding(double entry, double rounding)
{
    return fabs(entry) <= rounding ? 0 : entry;
}

/* Return the rounding error of the difference quotient `entry` in row i with the increment delta. */
static double estimate_rounding(const rsd_start_matrix *x, const rsd_start_point *at, int i, double entry, double delta)
{
    return (RSD_NEGLIGIBLE * (fabs(at->F[i] + entry * delta) + fabs(at->F[i])) + x->F_noise[i]) / fabs(delta);
}

/* Evaluate F into x->r, with y and yp displaced by `side` times NOISE_FACTOR times their rounding errors. The
 * displacements have different sizes and signs, so that their effects do not cancel. */
static int eval_with_rounding(rsd_start_matrix *x, const rsd_start_point *at, double side)
{
    for (int i = 0; i < x->n; i++) {
        double part = side * NOISE_FACTOR * RSD_NEGLIGIBLE * (i % 2 ? -1 : 1) * (1 + (double)i / x->n);
        x->y[i] = at->y[i] * (1 + part);
        x->yp[i] = at->yp[i] * (1 + part);
    }
    int verdict = eval_displaced(x, at);
    memcpy(x->y, at->y, (size_t)x->n * sizeof *x->y);
    memcpy(x->yp, at->yp, (size_t)x->n * sizeof *x->yp);
    return verdict;
}

int rsd_start_matrix_find_noise(rsd_start_matrix *x, const rsd_start_point *at)
{
    for (int i = 0; i < x->n; i++) x->F_noise[i] = INFINITY;
    for (int side = -1; side < 2; side += 2) { /* F may be discontinuous at y, yp: use the smaller change */
        int verdict = eval_with_rounding(x, at, side);
        if (verdict < 0) return verdict;
        for (int i = 0; i < x->n && !verdict; i++)
            x->F_noise[i] = fmin(x->F_noise[i], fabs(x->r[i] - at->F[i]) / NOISE_FACTOR);
    }
    for (int i = 0; i < x->n; i++)
        if (isinf(x->F_noise[i])) x->F_noise[i] = 0;
    return 0;
}

/* The numbers *first .. *(end - 1) of columns of M or K that share no row, and are displaced together. */
typedef struct columns {
    const int *first, *end;
} columns;

/* Compute column c of M (is_yp = 1) or K from F at the displaced point, x->r. Return 1 if the increment is large
 * enough. Otherwise return the ratio of a larger increment, with small rounding errors, to the current one. For a
 * column of M or of an algebraic component in which no entry was detected, it is so large that an entry still hidden by
 * rounding is negligible. In other columns of K, as F is nonlinear in y, the increment is enlarged only if rounding
 * hides an entry, or may hide it because the increment is less than that of a component of size 1. */
static double compute_column(rsd_start_matrix *x, const rsd_start_point *at, int is_yp, int c)
{
    double *values = is_yp ? x->M : x->K, max = 0, rounding = 0;
    int is_hidden = 0;
    for (int e = x->pattern.col_start[c]; e < x->pattern.col_start[c + 1]; e++) {
        const int i = x->pattern.row[e];
        values[e] = (x->r[i] - at->F[i]) / x->delta[c];
        double error = estimate_rounding(x, at, i, values[e], x->delta[c]);
        rounding = fmax(rounding, error);
        if (fabs(values[e]) > error)
            max = fmax(max, fabs(values[e]));
        else
            is_hidden |= values[e] != 0 || 2 * fabs(x->delta[c]) < Y_INCREMENT;
    }
    if (max == 0 && (is_yp || !has_derivative(x, c)))
        return fmax(fmax(LARGE_INCREMENT / fabs(x->delta[c]), rounding / (MAX_COLUMN_ERROR * UNIT_ENTRY)), 1);
    if (!is_yp) return is_hidden ? RSD_FARTHER * fmax(1, Y_INCREMENT / fabs(x->delta[c])) : 1;
    return fmax(rounding / (MAX_COLUMN_ERROR * max), 1);
}

/* Compute column c of M or K again from F in x->r, with the increment `larger`. If `larger` is 0, the entries are kept.
 * A new entry replaces the previous one if both agree within rounding errors, because it is more accurate. They
 * agree if F is linear. If all entries of a column of M agree, later evaluations use the larger increment. Entries that
 * are rounding errors are set to zero. */
static void refine_column(rsd_start_matrix *x, const rsd_start_point *at, int is_yp, int c, double larger)
{
    double *values = is_yp ? x->M : x->K;
    int all_agree = is_yp && larger != 0;
    for (int e = x->pattern.col_start[c]; e < x->pattern.col_start[c + 1]; e++) {
        const int i = x->pattern.row[e];
        const double again = larger != 0 ? (x->r[i] - at->F[i]) / larger : 0;
        const double first_rounding = estimate_rounding(x, at, i, values[e], x->delta[c]),
                     rounding = larger != 0 ? estimate_rounding(x, at, i, again, larger) : 0;
        const int agrees = larger != 0 && fabs(again - values[e]) <= RSD_SAME_ENTRY * (first_rounding + rounding);
        values[e] = agrees ? drop_rounding(again, rounding) : drop_rounding(values[e], first_rounding);
        if (is_yp) x->noise[i] = fmax(x->noise[i], agrees ? rounding : first_rounding);
        all_agree &= agrees;
    }
    if (all_agree) x->min_increment[c] = fabs(larger);
}

/* Compute columns with large rounding errors again, with increments larger[c] times as large. If F cannot be evaluated
 * with the larger increments, keep the first values. Return 0 on success, < 0 on a fatal error. */
static int refine_columns(rsd_start_matrix *x, const rsd_start_point *at, int is_yp, columns s, const double *larger)
{
    double *z = is_yp ? x->yp : x->y;
    const double *from = is_yp ? at->yp : at->y;
    int any = 0, verdict = 0;
    for (const int *c = s.first; c < s.end; c++) {
        if (larger[*c] > 1) z[*c] += larger[*c] * x->delta[*c];
        any |= larger[*c] > 1;
    }
    if (any) verdict = eval_displaced(x, at);
    for (const int *c = s.first; c < s.end && verdict >= 0; c++) {
        if (!is_yp || has_derivative(x, *c)) refine_column(x, at, is_yp, *c, verdict == 0 ? z[*c] - from[*c] : 0);
        z[*c] = from[*c];
    }
    return verdict < 0 ? verdict : 0;
}

/* Compute the columns s of M, or of K if is_yp is 0, by differences. Return as rsd_start_matrix_find(). */
static int difference_columns(rsd_start_matrix *x, const rsd_start_point *at, int is_yp, columns s)
{
    double *larger = x->column; /* the array x->column is free until B is scaled */
    for (const int *c = s.first; c < s.end; c++)
        if (!is_yp)
            displace_component(x, 0, *c, Y_INCREMENT * rsd_start_get_size(at->o, *c, at->y[*c]));
        else if (has_derivative(x, *c))
            displace_component(x, 1, *c, fmax(YP_INCREMENT * fabs(at->yp[*c]), x->min_increment[*c]));
    int verdict = eval_displaced(x, at);
    for (const int *c = s.first; c < s.end; c++) {
        *(is_yp ? &x->yp[*c] : &x->y[*c]) = is_yp ? at->yp[*c] : at->y[*c];
        larger[*c] = !verdict && (!is_yp || has_derivative(x, *c)) ? compute_column(x, at, is_yp, *c) : 1;
    }
    return verdict ? verdict : refine_columns(x, at, is_yp, s, larger);
}

/* Compute M and K by groups of columns. If there is no pattern, compute only M, column by column. */
static int compute_all_differences(rsd_start_matrix *x, const rsd_start_point *at)
{
    const int by_groups = x->has_pattern, *start = x->colours.start, *all = x->colours.columns;
    int verdict = 0;
    for (int g = 0; g < (by_groups ? x->colours.n_groups : x->n) && !verdict; g++) {
        const columns s = by_groups ? (columns){all + start[g], all + start[g + 1]} : (columns){&g, &g + 1};
        if (by_groups || has_derivative(x, g)) verdict = difference_columns(x, at, 1, s);
        if (by_groups && !verdict) verdict = difference_columns(x, at, 0, s);
    }
    return verdict;
}

/* Evaluate F for the Jacobian engine. The engine learns the pattern with the same increments of yp as M. */
static int eval_F_for_engine(double t, const double *y, const double *yp, double *r, void *guard)
{
    return rsd_guard_eval_part(guard, RSD_FOR_START, RSD_ROWS_ALL, t, y, yp, r);
}

int rsd_start_learn_pattern(rsd_start_matrix *x, const rsd_start_point *at)
{
    const resida_allocator *a = &x->alloc;
    resida_jacobian *engine;
    resida_jacobian_matrix J;
    resida_jacobian_options o;
    resida_system s;
    rsd_entries list = {.n = 0};
    rsd_sparsity all;
    int current;
    resida_jacobian_options_init(&o);
    resida_system_init(&s);
    o.allocator = a;
    s.n = x->n, s.F = eval_F_for_engine, s.user = at->guard;
    if (resida_jacobian_create(&engine, &s, &o, NULL) < 0) return RESIDA_ERR_MEMORY;
    const resida_jacobian_point point = {
        .t = at->t, .alpha = YP_INCREMENT / RSD_SQRT_EPS, .y = at->y, .yp = at->yp, .F = at->F};
    int verdict = resida_jacobian_setup(engine, RESIDA_SETUP_FIRST, &point, &current);
    if (!verdict) verdict = resida_jacobian_get_matrix(engine, &J);
    if (!verdict) rsd_entries_add_columns(&list, a, x->n, J.start, J.row);
    resida_jacobian_free(engine);
    if (!verdict && x->has_pattern) rsd_entries_add_columns(&list, a, x->n, x->pattern.col_start, x->pattern.row);
    if (!verdict) verdict = rsd_build_pattern(&list, x->n, x->n, &all, a);
    rsd_entries_free(&list, a);
    x->has_pattern = 1;
    return verdict ? verdict : rsd_start_move_pattern(x, &all);
}

/* Compute K and M from the model's J = dF/dy + alpha dF/dyp. K = J for alpha = 0. M = (J - K)/alpha. */
static int eval_user_jacobian(rsd_start_matrix *x, const rsd_start_point *at)
{
    const rsd_csr *J = &x->problem->J;
    int verdict = 0;
    for (int is_K = 0; is_K < 2 && !verdict; is_K++) {
        verdict = rsd_problem_eval_dae_J(x->problem, at->t, is_K ? 0 : JACOBIAN_ALPHA, at->y, at->yp, x->J);
        verdict = rsd_guard_judge(at->guard, at->t, verdict, x->J, J->nnz);
        for (int i = 0; i < J->rows && !verdict; i++)
            for (int e = J->row[i]; e < J->row[i + 1]; e++) {
                const int at_e = rsd_sparsity_find(&x->pattern, i, J->col[e]);
                const double with = x->M[at_e], K = x->K[at_e] = x->J[e];
                const double rounding = RSD_NEGLIGIBLE * (fabs(with) + fabs(K)) / JACOBIAN_ALPHA;
                x->M[at_e] = is_K ? drop_rounding((with - K) / JACOBIAN_ALPHA, rounding) : K;
                if (is_K) x->noise[i] = fmax(x->noise[i], rounding);
            }
    }
    return verdict;
}

int rsd_start_find_K_column(rsd_start_matrix *x, int c)
{
    if (x->has_K[c]) return 0;
    x->has_K[c] = 1;
    return difference_columns(x, x->at, 0, (columns){&c, &c + 1});
}

int rsd_start_find_M_and_K(rsd_start_matrix *x, const rsd_start_point *at)
{
    int verdict = x->is_given ? 0 : rsd_start_matrix_find_noise(x, at);
    if (verdict) return verdict;
    memset(x->M, 0, (size_t)x->pattern.nnz * sizeof *x->M);
    memset(x->has_K, x->has_pattern, (size_t)x->n);
    return x->is_given ? eval_user_jacobian(x, at) : compute_all_differences(x, at);
}

void rsd_start_matrix_reset_increments(rsd_start_matrix *x)
{
    for (int c = 0; c < x->n; c++) x->min_increment[c] = MIN_RATE_INCREMENT;
}

int rsd_start_confirm_regular(rsd_start_matrix *x, const double *unit, int *agrees)
{
    const rsd_start_point *at = x->at;
    const size_t bytes = (size_t)x->n * sizeof *x->y;
    const double *change = x->column;
    double max = 0, off = 0, sum = 0;
    for (int i = 0; i < x->n; i++)
        max = fmax(max, fmax(fabs(x->y[i]) / rsd_start_get_size(at->o, i, at->y[i]),
                             fabs(x->yp[i]) / rsd_start_get_size(at->o, i, at->yp[i])));
    const double part = CONFIRM_INCREMENT / max;
    for (int i = 0; i < x->n; i++) {
        x->y[i] = at->y[i] + part * x->y[i];
        x->yp[i] = at->yp[i] + part * x->yp[i];
    }
    const int verdict = eval_displaced(x, at);
    memcpy(x->y, at->y, bytes);
    memcpy(x->yp, at->yp, bytes);
    for (int i = 0; i < x->n && !verdict; i++) {
        off = hypot(off, unit[i] * (x->r[i] - at->F[i] - part * change[i]));
        sum = hypot(sum, unit[i] * part * change[i]);
    }
    *agrees = !verdict && off < CONFIRM_TOL * sum;
    return verdict < 0 ? verdict : 0;
}
