/* curvature.c - see grouped.h. Second derivatives H of g are computed by second differences.
 *
 * For an iteration matrix, the increments are those of dg/dp, about eps^(1/3) of a length. The errors of H are then
 * about 1e-5. For linear models, the differences are symmetric and of fourth order,
 *
 *     H = (4 D(h) - D(2 h))/3,     D_ab(h) = (g(h_a + h_b) + g(-h_a - h_b) - g(h_a) - g(-h_a) - g(h_b) - g(-h_b) +
 *                                             2 g)/(2 h_a h_b)
 *
 * with increments h = nu^(1/6) L, where truncation and rounding errors are equal (scales.h). Excitations u are further
 * coordinates. Their increments change g as much as those of p do. An error bound of each entry follows from the
 * difference of D(h) and D(2 h) and from the rounding of g. If it is large, the lengths L are inaccurate. H is then
 * also computed with other increments, and the entry with the smallest error is used. */
#include "mechanism_impl.h"

#include "base/linear/dense.h"
#include "base/numbers.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define FOURTH_ORDER_PART 0.5  /* exponent of part = nu^(1/3) in the increment L nu^(1/6) */
#define ROUNDINGS         16   /* rounding error of a second difference, relative to eps times the terms of g */
#define ACCURATE          1e-8 /* maximum relative error of an entry; otherwise other increments are tried */
#define EQUAL_CHANGES     4    /* maximum ratio of changes of g by u and by p that count as equal */
#define MAX_RATIO         1e3  /* maximum ratio of successive trial increments of u */

enum {
    MAX_SECOND_DERIVATIVES = 4000000, /* maximum number of second derivatives for an iteration matrix */
    MAX_INPUT_TRIALS = 24             /* maximum number of trial increments of an excitation */
};

/* Factors of the increments, in the order in which they are tried. */
static const double factors[] = {1, 0.125, 8, 0.015625, 64, 0.001953125};

static void free_curvature(rsd_curvature *x, const resida_allocator *alloc)
{
    RSD_FREE(alloc, x->at, x->moved, x->step, x->values0, x->g0, x->up, x->down, x->H, x->D, x->D2, x->error, x->start,
             x->entry);
    *x = (rsd_curvature){0};
}

/* Allocate the arrays of H for the current groups and n_inputs excitations. Return 0 if there is no memory, or if H is
 * too large for an iteration matrix, else 1. */
static int allocate_curvature(rsd_curvature *x, const rsd_grouped *q, int n_inputs, int is_accurate,
                              const resida_allocator *a)
{
    const rsd_sparsity *s = &q->pattern;
    const int n_g = s->rows, n_groups = q->colours.n_groups, n = n_groups + n_inputs, n_all = s->cols + n_inputs;
    x->n_groups = n_groups, x->n_inputs = n_inputs, x->is_accurate = is_accurate;
    const int all = RSD_DOUBLES(a, n_all, &x->at, &x->moved, &x->step) && RSD_DOUBLES(a, q->A->nnz, &x->values0) &&
                    RSD_DOUBLES(a, n_g, &x->g0) && RSD_DOUBLES(a, (long)n * n_g, &x->up, &x->down);
    x->start = rsd_calloc(a, n_g + 1L, sizeof *x->start);
    x->entry = rsd_calloc(a, (long)n_g * n, sizeof *x->entry);
    if (!all || !x->start || !x->entry) return 0;
    for (int i = 0; i < n_g; i++) {
        const int m = s->row_start[i + 1] - s->row_start[i], *col = s->col + s->row_start[i];
        int *entry = x->entry + (long)i * n;
        x->start[i + 1] = x->start[i] + (long)(m + n_inputs) * m;
        for (int d = 0; d < n; d++) entry[d] = d < n_groups ? -1 : m + d - n_groups;
        for (int e = 0; e < m; e++) entry[q->colours.group[col[e]]] = e;
    }
    if (is_accurate) return RSD_DOUBLES(a, x->start[n_g], &x->H, &x->D, &x->D2, &x->error);
    return x->start[n_g] <= MAX_SECOND_DERIVATIVES && RSD_DOUBLES(a, x->start[n_g], &x->H);
}

/* Allocate or reuse the arrays of H for the current groups. Return 0 if there are no groups or no memory, else 1. */
static int allocate_for_groups(rsd_mechanism *k, int is_accurate)
{
    const rsd_grouped *q = &k->gp_groups;
    rsd_curvature *x = &k->curvature;
    if (!q->is_grouped || (!is_accurate && !q->is_cheaper)) return 0;
    if (x->number == q->number && x->is_accurate == is_accurate) return 1;
    free_curvature(x, &k->alloc);
    if (allocate_curvature(x, q, is_accurate ? k->m.n_u : 0, is_accurate, &k->alloc)) {
        x->number = q->number;
        return 1;
    }
    free_curvature(x, &k->alloc);
    return 0;
}

/* Displace p and u from the expansion point by `by` increments of direction d, a group of columns or an excitation. */
static void displace(rsd_mechanism *k, int d, double by)
{
    const rsd_curvature *x = &k->curvature;
    const rsd_colouring *c = &k->gp_groups.colours;
    const int input = d - x->n_groups, n_p = k->m.n_p;
    if (input >= 0) k->u_moved[input] += by * x->step[n_p + input];
    for (int i = input < 0 ? c->start[d] : 0; input < 0 && i < c->start[d + 1]; i++)
        k->work.x_np[c->columns[i]] += by * x->step[c->columns[i]];
}

/* Evaluate g into out [n_g], displaced by `by` increments of direction a, and of b if b >= 0. */
static int eval_g_displaced(rsd_mechanism *k, double t, int a, int b, double by, double *out)
{
    const int n_u = k->m.n_u;
    memcpy(k->work.x_np, k->curvature.at, (size_t)k->m.n_p * sizeof *out);
    if (k->curvature.n_inputs > 0) {
        memcpy(k->u_moved, k->calls.u, 3 * (size_t)n_u * sizeof *out);
        k->calls.e = (resida_excitation){k->u_moved, k->u_moved + n_u, k->u_moved + 2 * n_u};
    }
    displace(k, a, by);
    if (b >= 0) displace(k, b, by);
    const int verdict = rsd_eval_constraint(k, t, k->work.x_np, out);
    rsd_move_excitation(k, 0, 0);
    return verdict ? verdict : !rsd_all_finite(out, k->m.n_g);
}

/* Return the coordinate of entry a of row i: a column, or n_p plus the index of an excitation. */
static int get_coordinate(const rsd_sparsity *s, int i, int a)
{
    const int m = s->row_start[i + 1] - s->row_start[i];
    return a < m ? s->col[s->row_start[i] + a] : s->cols + a - m;
}

/* Store the second difference of g_i by entries a and b of row i. Its second argument is a column. */
static void store_second_difference(const rsd_curvature *x, const rsd_sparsity *s, int i, int a, int b, double value,
                                    double *D)
{
    const int m = s->row_start[i + 1] - s->row_start[i];
    if (b < m) D[x->start[i] + (long)a * m + b] = value;
    if (a < m) D[x->start[i] + (long)b * m + a] = value;
}

/* Return 1 if some row of dg/dp depends on both directions. */
static int have_common_row(const rsd_curvature *x, int n_g, int a, int b)
{
    const int n = x->n_groups + x->n_inputs;
    for (int i = 0; i < n_g; i++)
        if (x->entry[(long)i * n + a] >= 0 && x->entry[(long)i * n + b] >= 0) return 1;
    return 0;
}

/* Add weight (g(a, b) - g(a) - g(b) + g) to the differences D, with both directions displaced by `by` increments.
 * single: g displaced in one direction. */
static int add_mixed_difference(rsd_mechanism *k, double t, int a, int b, double by, double weight,
                                const double *single, double *D)
{
    const rsd_sparsity *s = &k->gp_groups.pattern;
    const rsd_curvature *x = &k->curvature;
    const int n = x->n_groups + x->n_inputs, verdict = eval_g_displaced(k, t, a, b, by, k->work.x_g);
    for (int i = 0; i < s->rows && !verdict; i++) {
        const int p = x->entry[(long)i * n + a], q = x->entry[(long)i * n + b];
        const int m = s->row_start[i + 1] - s->row_start[i];
        if (p < 0 || q < 0) continue;
        const double sum = single[(long)a * s->rows + i] + single[(long)b * s->rows + i];
        const double before = D[x->start[i] + (long)p * m + q];
        store_second_difference(x, s, i, p, q, before + weight * (k->work.x_g[i] - sum + x->g0[i]), D);
    }
    return verdict;
}

/* Evaluate g displaced by `by` increments forwards and backwards in the first `end` directions into x->up, x->down. */
static int eval_both_sides(rsd_mechanism *k, double t, double by, int end)
{
    const rsd_curvature *x = &k->curvature;
    int verdict = 0;
    for (int d = 0; d < end && !verdict; d++) {
        verdict = eval_g_displaced(k, t, d, -1, by, x->up + (long)d * k->m.n_g);
        if (!verdict) verdict = eval_g_displaced(k, t, d, -1, -by, x->down + (long)d * k->m.n_g);
    }
    return verdict;
}

/* Compute the second differences D from x->up and x->down, which belong to `by` increments. Mixed differences are
 * symmetric if is_accurate, else one-sided. Then divide D by by^2. */
static int compute_differences(rsd_mechanism *k, double t, double by, double *D)
{
    const rsd_sparsity *s = &k->gp_groups.pattern;
    const rsd_curvature *x = &k->curvature;
    const int n = x->n_groups + x->n_inputs;
    int verdict = 0;
    memset(D, 0, (size_t)x->start[s->rows] * sizeof *D);
    for (int a = 0; a < n && !verdict; a++) {
        const double *up = x->up + (long)a * s->rows, *down = x->down + (long)a * s->rows;
        for (int i = 0; i < s->rows; i++) {
            const int e = x->entry[(long)i * n + a];
            if (e >= 0 && a < x->n_groups) store_second_difference(x, s, i, e, e, up[i] - 2 * x->g0[i] + down[i], D);
        }
        for (int b = 0; b < a && b < x->n_groups && !verdict; b++) {
            if (!have_common_row(x, s->rows, a, b)) continue;
            verdict = add_mixed_difference(k, t, a, b, by, x->is_accurate ? 0.5 : 1, x->up, D);
            if (!verdict && x->is_accurate) verdict = add_mixed_difference(k, t, a, b, -by, 0.5, x->down, D);
        }
    }
    for (long e = 0; e < x->start[s->rows]; e++) D[e] /= by * by;
    return verdict;
}

/* --- accurate differences --- */

/* Return the increment of column c for second differences of fourth order, whose outermost points are at twice the
 * increment. */
static double choose_increment(const rsd_scale *s, double p)
{
    const double size = rsd_scale_get_increment(s, p, FOURTH_ORDER_PART);
    return rsd_round_to_exact_step(p, s->reach > 0 ? fmin(size, s->reach / 2) : size);
}

/* Mark the entries of dg/dp whose rows change if a column is displaced, because dg/dp may be zero where g is not
 * constant. Then rebuild the groups. */
static int find_entries(rsd_mechanism *k, double t, const double *p)
{
    rsd_grouped *q = &k->gp_groups;
    const rsd_fault before = k->calls.fault;
    double *here = k->work.x_g2, *moved = k->work.x_g, *point = k->work.x_np;
    int verdict = rsd_eval_constraint(k, t, p, here);
    memcpy(point, p, (size_t)k->m.n_p * sizeof *p);
    for (int try = 0; try < 2 * k->m.n_p && verdict >= 0; try++) {
        const int c = try / 2;
        const double by = choose_increment(&q->scale[c], p[c]);
        point[c] = p[c] + (try % 2 ? by : -by);
        verdict = rsd_eval_constraint(k, t, point, moved);
        point[c] = p[c];
        for (int e = 0, i = 0; e < q->A->nnz && !verdict; e++) {
            while (e >= q->A->row[i + 1]) i++;
            if (q->A->col[e] == c && moved[i] != here[i]) q->seen[e] = 1;
        }
    }
    if (verdict < 0) return verdict;
    k->calls.fault = before;
    return rsd_grouped_group_seen(q, &k->alloc) ? 0 : RESIDA_ERR_MEMORY;
}

/* Return the largest change of a row of g from g0 to g, relative to the smallest change of the row by an increment of
 * p. */
static double compare_changes(const rsd_curvature *x, int n_g, const double *g)
{
    double ratio = 0;
    for (int i = 0; i < n_g; i++) {
        double smallest = INFINITY;
        for (int d = 0; d < x->n_groups; d++) {
            const double change = fabs(x->up[(long)d * n_g + i] - x->g0[i]);
            if (change > 0) smallest = fmin(smallest, change);
        }
        ratio = fmax(ratio, fabs(g[i] - x->g0[i]) / smallest);
    }
    return ratio;
}

/* Choose an increment of each excitation that changes g as much as the increments of p do. x->up must be known. */
static int choose_input_increments(rsd_mechanism *k, double t)
{
    rsd_curvature *x = &k->curvature;
    const int n_p = k->m.n_p;
    for (int j = 0; j < x->n_inputs; j++) {
        double *step = &x->step[n_p + j], ratio = 0;
        *step = rsd_max_norm(x->step, n_p);
        for (int n = 0; n < MAX_INPUT_TRIALS; n++) {
            const int verdict = eval_g_displaced(k, t, x->n_groups + j, -1, 1, k->work.x_g);
            if (verdict < 0) return verdict;
            ratio = verdict ? MAX_RATIO : compare_changes(x, k->m.n_g, k->work.x_g);
            if (ratio <= EQUAL_CHANGES && ratio * EQUAL_CHANGES >= 1) break;
            *step *= fmin(MAX_RATIO, fmax(1 / MAX_RATIO, 1 / sqrt(ratio))); /* g may be quadratic in u */
        }
        if (ratio == 0) *step = 1; /* g does not depend on u */
    }
    return 0;
}

/* Return the rounding error of g_i: eps times its terms, or the rounding that the search for scales has measured. */
static double estimate_rounding(const rsd_mechanism *k, int i)
{
    const rsd_curvature *x = &k->curvature;
    const rsd_csr *A = k->gp_groups.A;
    const int n = x->n_groups + x->n_inputs;
    double size = fabs(x->g0[i]), measured = 0;
    for (int d = 0; d < n; d++)
        size = fmax(size, fmax(fabs(x->up[(long)d * A->rows + i]), fabs(x->down[(long)d * A->rows + i])));
    for (int e = A->row[i]; e < A->row[i + 1]; e++) {
        const rsd_scale *s = &k->gp_groups.scale[A->col[e]];
        if (s->is_seen && s->part > RSD_CUBE_ROOT_EPS)
            measured = fmax(measured, s->part * s->part * s->part * s->length * fabs(x->values0[e]));
    }
    return ROUNDINGS * (DBL_EPSILON * (size + rsd_csr_sum_row_terms(A, x->values0, i, x->at)) + measured);
}

/* Improve entries of H by differences with `by` times the increments. Return 1 if the relative error of an entry above
 * its error bound is still larger than ACCURATE. */
static int improve_entries(rsd_mechanism *k, double by)
{
    rsd_curvature *x = &k->curvature;
    int is_poor = 0;
    for (int i = 0; i < k->m.n_g; i++) {
        const double rounding = estimate_rounding(k, i) / by / by;
        for (long e = x->start[i]; e < x->start[i + 1]; e++) {
            const double change = fabs(x->D[e] - x->D2[e]) / 3, value = (4 * x->D[e] - x->D2[e]) / 3;
            const double error = change * fmin(1, change / fmax(fabs(value), DBL_MIN)) + rounding;
            if (error < x->error[e]) x->error[e] = error, x->H[e] = value;
            is_poor |= x->error[e] > ACCURATE * fabs(x->H[e]) && x->error[e] < fabs(x->H[e]);
        }
    }
    return is_poor;
}

/* Compute H with several increments, until the error of each entry is small. */
static int compute_accurate_H(rsd_mechanism *k, double t)
{
    rsd_curvature *x = &k->curvature;
    const int n = x->n_groups + x->n_inputs;
    const rsd_fault before = k->calls.fault;
    int is_poor = 1, is_known = 0, has_input_steps = x->n_inputs == 0, verdict = 0;
    for (int c = 0; c < k->m.n_p; c++) x->step[c] = choose_increment(&k->gp_groups.scale[c], x->at[c]);
    for (long e = 0; e < x->start[k->m.n_g]; e++) x->error[e] = INFINITY;
    for (size_t f = 0; f < sizeof factors / sizeof *factors && is_poor && verdict >= 0; f++) {
        verdict = has_input_steps ? 0 : eval_both_sides(k, t, factors[f], x->n_groups);
        if (!verdict && !has_input_steps) verdict = choose_input_increments(k, t);
        has_input_steps |= !verdict;
        if (!verdict) verdict = eval_both_sides(k, t, 2 * factors[f], n);
        if (!verdict) verdict = compute_differences(k, t, 2 * factors[f], x->D2);
        if (!verdict) verdict = eval_both_sides(k, t, factors[f], n);
        if (!verdict) verdict = compute_differences(k, t, factors[f], x->D);
        if (verdict) continue;
        is_poor = improve_entries(k, factors[f]);
        is_known = 1;
    }
    if (verdict > 0 && is_known) k->calls.fault = before, verdict = 0;
    return verdict;
}

int rsd_curvature_begin_accurate(rsd_mechanism *k, double t, const double *p)
{
    rsd_curvature *x = &k->curvature;
    x->is_on = 0;
    if (k->m.n_g == 0 || k->m.constraint_matrix || k->m.constraint_velocity) return 0;
    int verdict = rsd_eval_excitation(k, t);
    if (!verdict) verdict = rsd_eval_matrices(k, t, p);
    if (!verdict && !k->G_is_given && !k->G_is_learnt) verdict = find_entries(k, t, p);
    if (!verdict && !k->gp_groups.is_grouped && !rsd_grouped_group_seen(&k->gp_groups, &k->alloc))
        return RESIDA_ERR_MEMORY;
    if (verdict) return verdict;
    if (!allocate_for_groups(k, 1)) return RESIDA_ERR_MEMORY;
    memcpy(x->at, p, (size_t)k->m.n_p * sizeof *p);
    for (int j = 0; j < k->m.n_u; j++) x->at[k->m.n_p + j] = k->calls.u[j];
    memcpy(x->values0, k->gp_values, (size_t)k->gp.nnz * sizeof *x->values0);
    verdict = rsd_eval_constraint(k, t, p, x->g0);
    if (!verdict) verdict = compute_accurate_H(k, t);
    x->is_on = verdict == 0;
    return verdict;
}

void rsd_curvature_bound_errors(const rsd_mechanism *k, const double *lam, int c, double noise, double *out)
{
    const rsd_curvature *x = &k->curvature;
    const rsd_grouped *q = &k->gp_groups;
    const rsd_sparsity *s = &q->pattern;
    const int n = x->n_groups + x->n_inputs;
    memset(out, 0, (size_t)s->cols * sizeof *out);
    for (int r = s->col_start[c]; r < s->col_start[c + 1]; r++) {
        const int i = s->row[r], group = q->colours.group[c];
        const int m = s->row_start[i + 1] - s->row_start[i], *col = s->col + s->row_start[i];
        const long from = x->start[i] + (long)x->entry[(long)i * n + group] * m;
        const double *error = x->error + from, *H = x->H + from;
        for (int e = 0; e < m; e++)
            out[col[e]] += fabs(lam[i]) * (error[e] + noise * fabs(H[e])) / (x->step[c] * x->step[col[e]]);
    }
}

/* --- differences for an iteration matrix --- */

int rsd_curvature_begin(rsd_mechanism *k, double t, const double *p)
{
    rsd_curvature *x = &k->curvature;
    rsd_grouped *q = &k->gp_groups;
    if (k->m.n_g == 0 || k->m.constraint_matrix || k->m.constraint_velocity || !allocate_for_groups(k, 0)) return 0;
    const rsd_fault before = k->calls.fault;
    x->is_on = 0;
    memcpy(x->at, p, (size_t)k->m.n_p * sizeof *p);
    q->up = x->up, q->down = x->down;
    int verdict = rsd_eval_matrices(k, t, p);
    q->up = q->down = NULL;
    if (verdict || !rsd_grouped_will_use_groups(q) || x->number != q->number) return verdict;
    memcpy(x->values0, k->gp_values, (size_t)k->gp.nnz * sizeof *x->values0);
    memcpy(x->step, q->step, (size_t)k->m.n_p * sizeof *p);
    verdict = rsd_eval_constraint(k, t, p, x->g0);
    if (!verdict) verdict = compute_differences(k, t, 1, x->H);
    x->is_on = verdict == 0 && rsd_all_finite(x->H, x->start[k->m.n_g]);
    if (verdict >= 0 && !x->is_on)
        k->calls.fault = before; /* not a failure: if is_on is 0, the caller computes dg/dp without H */
    return verdict < 0 ? verdict : 0;
}

void rsd_curvature_end(rsd_mechanism *k)
{
    k->curvature.is_on = 0;
}

void rsd_curvature_eval(rsd_mechanism *k, const double *p)
{
    const rsd_curvature *x = &k->curvature;
    const rsd_grouped *q = &k->gp_groups;
    const rsd_sparsity *s = &q->pattern;
    memcpy(k->gp_values, x->values0, (size_t)k->gp.nnz * sizeof *x->values0);
    for (int c = 0; c < s->cols; c++) x->moved[c] = (p[c] - x->at[c]) / x->step[c];
    for (int j = s->cols; j < s->cols + x->n_inputs; j++)
        x->moved[j] = (k->calls.e.u[j - s->cols] - x->at[j]) / x->step[j];
    for (int i = 0; i < s->rows; i++) {
        const int m = s->row_start[i + 1] - s->row_start[i];
        for (int a = 0; a < m + x->n_inputs; a++) {
            const double *H = x->H + x->start[i] + (long)a * m, move = x->moved[get_coordinate(s, i, a)];
            for (int b = 0; b < m && move != 0; b++)
                k->gp_values[q->at[s->csr_to_csc[s->row_start[i] + b]]] +=
                    H[b] * move / x->step[get_coordinate(s, i, b)];
        }
    }
}
