/* grouped.c - differences by groups of columns, see grouped.h. The increments are those of scales.h.
 *
 * The check for missing entries displaces all columns along a direction, each column by a different multiple of its
 * increment. The change of x between both sides of p is compared with the change that the entries predict. If no entry
 * is missing, both changes differ only by a truncation error of third order, rounding, noise or a kink of x. A
 * difference that occurs twice is allowed in later checks. */
#include "grouped.h"
#include "mechanism_impl.h"

#include "jacobian/pattern/entries.h"
#include "base/numbers.h"

#include <math.h>
#include <string.h>

#define MIN_ALLOWED        1e-9  /* minimum allowed error of a predicted change, relative to the terms of a row */
#define MAX_ALLOWED        1e-3  /* maximum allowed error of a predicted change, relative to the terms of a row */
#define ALLOWANCE_FACTOR   4     /* allowed error of a row, relative to an error that has occurred in two checks */
#define ALLOWANCE_DECAY    0.98  /* factor by which the allowed error of a row decreases in each check */
#define MIN_MULTIPLE       0.5   /* minimum displacement of a column in a check, relative to its increment */
#define SIDE_TURN          0.414 /* phase difference of successive columns, in turns; it selects the sign */
#define ROUNDINGS_CHECK    (32 * DBL_EPSILON) /* rounding error of a change of x_i, relative to the terms of x_i */
#define QUOTIENT_OF_FOURTH 0.6 /* exponent in the increment L nu^(exponent/3) of a fourth-order quotient */

enum {
    MIN_QUIET = 2,  /* consecutive evaluations by columns without new entries before groups are used */
    CHECK_CALLS = 2 /* calls of x in a check, or in a difference for a column or a group */
};

int rsd_grouped_create(rsd_grouped *q, const rsd_csr *A, int is_given, const resida_allocator *alloc)
{
    *q = (rsd_grouped){.A = A, .is_cheaper = 1, .quiet = is_given ? MIN_QUIET : 0};
    q->seen = rsd_calloc(alloc, A->nnz, 1);
    q->scale = rsd_calloc(alloc, A->cols, sizeof *q->scale);
    if (q->seen && is_given) memset(q->seen, 1, (size_t)A->nnz);
    const int all = q->seen && q->scale && RSD_DOUBLES(alloc, A->cols, &q->last_p, &q->step, &q->moved, &q->move) &&
                    RSD_DOUBLES(alloc, A->rows, &q->change, &q->size, &q->allowed, &q->unexplained) &&
                    RSD_INTS(alloc, A->cols, &q->all);
    for (int c = 0; c < A->cols && all; c++) q->all[c] = c;
    for (int i = 0; i < A->rows && all; i++) q->allowed[i] = q->unexplained[i] = MIN_ALLOWED;
    return all;
}

static void free_groups(rsd_grouped *q, const resida_allocator *alloc)
{
    if (!q->is_grouped) return;
    rsd_sparsity_free(&q->pattern, alloc);
    rsd_colouring_free(&q->colours, alloc);
    rsd_free(alloc, q->at);
    q->at = NULL;
    q->is_grouped = 0;
}

/* Return the index of entry (i, j) in the values of A, or -1 if A does not contain the entry. */
static int find_entry(const rsd_csr *A, int i, int j)
{
    int e = A->row[i], end = A->row[i + 1];
    if (end - e == A->cols) return e + j;
    while (e < end && A->col[e] < j) e++;
    return e < end && A->col[e] == j ? e : -1;
}

/* Build the pattern of the entries that have been nonzero. Return 1 on success, 0 if there is no memory. */
static int build_pattern(rsd_grouped *q, const resida_allocator *alloc)
{
    const rsd_csr *A = q->A;
    rsd_entries list = {.n = 0};
    for (int i = 0; i < A->rows; i++)
        for (int e = A->row[i]; e < A->row[i + 1]; e++)
            if (q->seen[e]) rsd_entries_add(&list, alloc, A->nnz, i, A->col[e], 0);
    const int status = rsd_build_pattern(&list, A->rows, A->cols, &q->pattern, alloc);
    rsd_entries_free(&list, alloc);
    return status >= 0;
}

static int store_positions(rsd_grouped *q, const resida_allocator *alloc)
{
    const rsd_sparsity *s = &q->pattern;
    if (!(q->at = rsd_calloc(alloc, s->nnz, sizeof(int)))) return 0;
    for (int c = 0; c < s->cols; c++)
        for (int e = s->col_start[c]; e < s->col_start[c + 1]; e++) q->at[e] = find_entry(q->A, s->row[e], c);
    return 1;
}

/* Group the columns by the entries that have been nonzero. If memory is exhausted, evaluations continue by columns. */
static void build_groups(rsd_grouped *q, const resida_allocator *alloc)
{
    q->is_cheaper = 0;
    if (!build_pattern(q, alloc)) return;
    unsigned char *skip = rsd_calloc(alloc, q->A->cols, 1);
    for (int c = 0; skip && c < q->A->cols; c++) skip[c] = q->pattern.col_start[c] == q->pattern.col_start[c + 1];
    int has_colours = skip && rsd_colour_columns(&q->colours, &q->pattern, skip, alloc, NULL) >= 0;
    rsd_free(alloc, skip);
    q->is_grouped = 1;
    q->number++;
    if (!has_colours || !store_positions(q, alloc))
        free_groups(q, alloc);
    else
        q->is_cheaper = q->is_learnt || 2 * q->colours.n_groups + CHECK_CALLS < 2 * q->A->cols;
}

int rsd_grouped_group_seen(rsd_grouped *q, const resida_allocator *alloc)
{
    free_groups(q, alloc);
    build_groups(q, alloc);
    return q->is_grouped;
}

int rsd_grouped_rebuild_groups(rsd_grouped *q, const resida_allocator *alloc)
{
    rsd_free(alloc, q->seen);
    q->seen = rsd_calloc(alloc, q->A->nnz, 1);
    if (!q->seen) return 0;
    memset(q->seen, 1, (size_t)q->A->nnz);
    return rsd_grouped_group_seen(q, alloc);
}

/* Return 1 if fourth-order quotients are used. They are not used if the caller needs x on both sides of p. */
static int is_fourth_order(const rsd_mechanism *k, const rsd_grouped *q)
{
    return k->fourth_order && !q->up;
}

/* Evaluate the product of the derivative with the displacement q->moved of the listed columns into work.x_g, and set
 * work.x_g2 to 0. work.x_g - work.x_g2 is then the difference between both sides, as after eval_both_sides(). work.x_np
 * must be 0, and is 0 after the call. */
static int eval_product_of_columns(rsd_mechanism *k, rsd_grouped *q, rsd_product_fn *product, double t, const double *p,
                                   const int *columns, int n)
{
    for (int i = 0; i < n; i++) k->work.x_np[columns[i]] = q->moved[columns[i]];
    int verdict = product(k, t, p, k->work.x_np, k->work.x_g);
    memset(k->work.x_g2, 0, (size_t)q->A->rows * sizeof *k->work.x_g2);
    for (int i = 0; i < n; i++) k->work.x_np[columns[i]] = 0;
    return verdict;
}

/* Evaluate x into up [rows] and down [rows], with the n listed columns displaced from p by +times and -times q->moved.
 * work.x_np must be p, and is p after the call. */
static int eval_both_sides(rsd_mechanism *k, const rsd_grouped *q, const rsd_function *f, double t, const double *p,
                           const int *columns, int n, double times, double *up, double *down)
{
    double *point = k->work.x_np;
    for (int i = 0; i < n; i++) {
        volatile double right = p[columns[i]] + times * q->moved[columns[i]];
        point[columns[i]] = right;
    }
    int verdict = f->value(k, t, point, up);
    for (int i = 0; i < n; i++) {
        volatile double left = p[columns[i]] - times * q->moved[columns[i]];
        point[columns[i]] = left;
    }
    if (!verdict) verdict = f->value(k, t, point, down);
    for (int i = 0; i < n; i++) point[columns[i]] = p[columns[i]];
    return verdict;
}

/* Evaluate x on both sides of p into work.x_g and work.x_g2, with the listed columns displaced by q->moved. q->moved is
 * then set to the distance between both sides. For quotients of fourth order, (8 x(h) - x(2 h))/6 replaces x(h). */
static int difference_sides(rsd_mechanism *k, rsd_grouped *q, const rsd_function *f, double t, const double *p,
                            const int *columns, int n)
{
    double *up = k->work.x_g, *down = k->work.x_g2, *far_up = q->change, *far_down = q->size;
    if (f->product) return eval_product_of_columns(k, q, f->product, t, p, columns, n);
    int verdict = eval_both_sides(k, q, f, t, p, columns, n, 1, up, down);
    if (!verdict && is_fourth_order(k, q)) {
        verdict = eval_both_sides(k, q, f, t, p, columns, n, 2, far_up, far_down);
        for (int i = 0; i < q->A->rows; i++) {
            up[i] = (8 * up[i] - far_up[i]) / 6;
            down[i] = (8 * down[i] - far_down[i]) / 6;
        }
    }
    for (int i = 0; i < n; i++) {
        const int c = columns[i];
        volatile double right = p[c] + q->moved[c], left = p[c] - q->moved[c];
        q->moved[c] = right - left;
    }
    return verdict;
}

/* Return the increment of column c of A. For quotients of fourth order, twice the increment is bounded by the `reach`
 * of the scale, unless the increment of a central quotient is larger. */
static double compute_increment(const rsd_mechanism *k, const rsd_grouped *q, const double *p, int c)
{
    const rsd_scale *s = &q->scale[c];
    const double central = rsd_scale_get_increment(s, p[c], 1);
    if (!is_fourth_order(k, q) || !(s->length > 0)) return rsd_round_to_exact_step(p[c], central);
    return rsd_round_to_exact_step(
        p[c], fmax(central, fmin(rsd_scale_get_increment(s, p[c], QUOTIENT_OF_FOURTH), s->reach / 2)));
}

static void compute_increments(rsd_mechanism *k, rsd_grouped *q, const rsd_function *f, const double *p)
{
    const size_t size = (size_t)q->A->cols * sizeof *p;
    if (f->product)
        memset(k->work.x_np, 0, size);
    else
        memcpy(k->work.x_np, p, size);
    for (int c = 0; c < q->A->cols; c++) q->moved[c] = q->step[c] = f->product ? 1 : compute_increment(k, q, p, c);
}

/* Compute entry e of A, in row i, from the change of x_i caused by the column. Return 1 if e was always 0 before. */
static int store_nonzero_entry(const rsd_mechanism *k, rsd_grouped *q, int i, int column, int e, double *values)
{
    values[e] = (k->work.x_g[i] - k->work.x_g2[i]) / q->moved[column];
    if (q->seen[e] || values[e] == 0 || !isfinite(values[e])) return 0;
    return q->seen[e] = 1;
}

/* Evaluate the matrix A with one difference for each column. *grows is set to the number of new entries. */
static int eval_by_columns(rsd_mechanism *k, rsd_grouped *q, const rsd_function *f, double t, const double *p,
                           double *values, int *grows)
{
    *grows = 0;
    compute_increments(k, q, f, p);
    for (int c = 0; c < q->A->cols; c++) {
        int verdict = difference_sides(k, q, f, t, p, &c, 1);
        if (verdict) return verdict;
        for (int i = 0; i < q->A->rows; i++) {
            int e = find_entry(q->A, i, c);
            if (e >= 0) *grows += store_nonzero_entry(k, q, i, c, e, values);
        }
    }
    return 0;
}

static void copy_both_sides(const rsd_mechanism *k, rsd_grouped *q, int group)
{
    const size_t n = (size_t)q->A->rows;
    if (!q->up) return;
    memcpy(q->up + (size_t)group * n, k->work.x_g, n * sizeof *q->up);
    memcpy(q->down + (size_t)group * n, k->work.x_g2, n * sizeof *q->down);
}

static int eval_by_groups(rsd_mechanism *k, rsd_grouped *q, const rsd_function *f, double t, const double *p,
                          double *values)
{
    const rsd_sparsity *s = &q->pattern;
    const rsd_colouring *x = &q->colours;
    compute_increments(k, q, f, p);
    memset(values, 0, (size_t)q->A->nnz * sizeof *values);
    for (int g = 0; g < x->n_groups; g++) {
        const int *columns = x->columns + x->start[g], n = x->start[g + 1] - x->start[g];
        int verdict = difference_sides(k, q, f, t, p, columns, n);
        if (verdict) return verdict;
        copy_both_sides(k, q, g);
        for (int i = 0; i < n; i++)
            for (int e = s->col_start[columns[i]]; e < s->col_start[columns[i] + 1]; e++)
                values[q->at[e]] = (k->work.x_g[s->row[e]] - k->work.x_g2[s->row[e]]) / q->moved[columns[i]];
    }
    return 0;
}

static double get_fraction(double x)
{
    return x - floor(x);
}

/* Return the multiple of the increment by which a column is displaced in check n. Its absolute value is at least
 * MIN_MULTIPLE. It is computed from multiples of RSD_GOLDEN modulo 1, so that the columns have different multiples. */
static double choose_multiple(long n, int column)
{
    double turn = get_fraction(RSD_GOLDEN * (double)n), size = MIN_MULTIPLE + get_fraction(RSD_GOLDEN * column + turn);
    return get_fraction(SIDE_TURN * column + turn) < 0.5 ? -size : size;
}

int rsd_grouped_eval_change(rsd_mechanism *k, rsd_grouped *q, const rsd_function *f, double t, const double *p)
{
    const double *up = k->work.x_g, *down = k->work.x_g2;
    const int verdict = difference_sides(k, q, f, t, p, q->all, q->A->cols);
    memcpy(q->move, q->moved, (size_t)q->A->cols * sizeof *q->move);
    for (int i = 0; i < q->A->rows && !verdict; i++) {
        q->change[i] = up[i] - down[i];
        q->size[i] = fabs(up[i]) + fabs(down[i]);
    }
    return verdict;
}

double rsd_grouped_compute_unpredicted_change(const rsd_grouped *q, int i, const double *p, const double *values,
                                              double *terms, double *rounding)
{
    double left = q->change[i], sum = 0, size = q->size[i];
    for (int e = q->A->row[i]; e < q->A->row[i + 1]; e++) {
        double term = values[e] * q->move[q->A->col[e]];
        left -= term;
        sum += fabs(term);
        size += fabs(values[e] * p[q->A->col[e]]);
    }
    *terms = sum;
    *rounding = ROUNDINGS_CHECK * size;
    return fabs(left);
}

/* Return the unpredicted change of x_i, divided by the sum of the |terms| of the prediction; 0 if it is rounding. */
static double compute_relative_error(const rsd_grouped *q, int i, const double *p, const double *values)
{
    double terms, rounding;
    const double left = rsd_grouped_compute_unpredicted_change(q, i, p, values, &terms, &rounding);
    return left <= rounding ? 0 : left / fmax(terms, DBL_MIN);
}

/* Return 1 if the entries of A predict the change of x within the allowed difference in all rows. */
static int is_change_predicted(const rsd_grouped *q, const double *p, const double *values)
{
    int explained = 1;
    for (int i = 0; i < q->A->rows; i++) {
        q->allowed[i] = fmax(MIN_ALLOWED, ALLOWANCE_DECAY * q->allowed[i]);
        explained &= compute_relative_error(q, i, p, values) <= q->allowed[i]; /* NaN: not predicted */
    }
    return explained;
}

void rsd_grouped_tolerate_error(rsd_grouped *q, const double *p, const double *values)
{
    for (int i = 0; i < q->A->rows; i++) {
        double left = compute_relative_error(q, i, p, values), twice = fmin(left, q->unexplained[i]);
        if (!(left > q->allowed[i])) continue;
        q->allowed[i] = fmin(MAX_ALLOWED, fmax(q->allowed[i], ALLOWANCE_FACTOR * twice));
        q->unexplained[i] = left;
    }
}

/* Evaluate A by columns and mark its nonzero entries in q->seen, from which groups are built later. */
static int learn_entries(rsd_mechanism *k, rsd_grouped *q, const rsd_function *f, double t, const double *p,
                         double *values)
{
    int grows, verdict = eval_by_columns(k, q, f, t, p, values, &grows);
    if (verdict) return verdict;
    int is_elsewhere = memcmp(p, q->last_p, (size_t)q->A->cols * sizeof *p) != 0;
    memcpy(q->last_p, p, (size_t)q->A->cols * sizeof *p);
    if (grows) {
        free_groups(q, &k->alloc);
        q->is_cheaper = 1;
    }
    q->quiet = grows ? 0 : q->quiet + is_elsewhere;
    return 0;
}

/* Evaluate A by groups, and check for missing entries. *complete is 1 if the evaluation succeeded and no entry is
 * missing. *was_asked is 1 if the check was evaluated. Return < 0 on a fatal error, else 0. */
static int try_groups(rsd_mechanism *k, rsd_grouped *q, const rsd_function *f, double t, const double *p,
                      double *values, int *complete, int *was_asked)
{
    const rsd_fault before = k->calls.fault;
    int verdict = eval_by_groups(k, q, f, t, p, values);
    q->n_checks++;
    for (int c = 0; c < q->A->cols; c++) q->moved[c] = choose_multiple(q->n_checks, c) * q->step[c];
    if (!verdict) verdict = rsd_grouped_eval_change(k, q, f, t, p);
    *was_asked = !verdict;
    *complete = !verdict && is_change_predicted(q, p, values);
    if (verdict >= 0 && !*complete)
        k->calls.fault = before; /* not a failure of the evaluation: the caller repeats it column by column */
    return verdict < 0 ? verdict : 0;
}

/* Request a new search of scales if an entry is nonzero in a column in which the last search detected no change. */
static void request_scale_search(rsd_grouped *q, const double *values)
{
    for (int e = 0; e < q->A->nnz && q->search.is_done; e++)
        if (values[e] != 0 && !q->scale[q->A->col[e]].is_seen) q->search.is_done = 0;
}

static int difference_matrix(rsd_mechanism *k, rsd_grouped *q, const rsd_function *f, double t, const double *p,
                             double *values)
{
    int complete, was_asked;
    if (q->quiet < MIN_QUIET || !q->is_cheaper) return learn_entries(k, q, f, t, p, values);
    int verdict = try_groups(k, q, f, t, p, values, &complete, &was_asked);
    q->may_lack_entries = q->is_learnt && was_asked && !complete;
    if (verdict || complete || q->may_lack_entries) return verdict;
    verdict = learn_entries(k, q, f, t, p, values);
    if (!verdict && was_asked) rsd_grouped_tolerate_error(q, p, values);
    return verdict;
}

int rsd_difference_matrix(rsd_mechanism *k, rsd_grouped *q, const rsd_function *f, double t, const double *p,
                          double *values)
{
    if (q->quiet >= MIN_QUIET && q->is_cheaper && !q->is_grouped) build_groups(q, &k->alloc);
    int verdict = f->product ? 0 : rsd_scales_update(k, q, f->value, t, p);
    if (!verdict) verdict = difference_matrix(k, q, f, t, p, values);
    if (!verdict && !f->product) request_scale_search(q, values);
    return verdict;
}
