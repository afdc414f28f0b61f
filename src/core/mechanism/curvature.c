/* curvature.c - see grouped.h. Second derivatives H of g are computed by second differences. The increments are those
 * of dg/dp, about eps^(1/3) of a length. The errors of H are then about 1e-5, sufficient for an iteration matrix. */
#include "mechanism_impl.h"

#include <string.h>

enum { MAX_SECOND_DERIVATIVES = 4000000 }; /* maximum number of second derivatives */

static void free_curvature(rsd_curvature *x, const resida_allocator *alloc)
{
    RSD_FREE(alloc, x->p0, x->moved, x->values0, x->g0, x->up, x->down, x->H, x->start, x->entry);
    *x = (rsd_curvature){0};
}

/* Allocate the arrays of H for the current groups. Return 0 if there is no memory, or if H is too large, else 1. */
static int allocate_curvature(rsd_curvature *x, const rsd_grouped *q, const resida_allocator *a)
{
    const rsd_sparsity *s = &q->pattern;
    const int n_g = s->rows, n_groups = q->colours.n_groups;
    x->n_groups = n_groups;
    const int all = RSD_DOUBLES(a, s->cols, &x->p0, &x->moved) && RSD_DOUBLES(a, q->A->nnz, &x->values0) &&
                    RSD_DOUBLES(a, n_g, &x->g0) && RSD_DOUBLES(a, (long)n_groups * n_g, &x->up, &x->down);
    x->start = rsd_calloc(a, n_g + 1L, sizeof *x->start);
    x->entry = rsd_calloc(a, (long)n_g * n_groups, sizeof *x->entry);
    if (!all || !x->start || !x->entry) return 0;
    for (int i = 0; i < n_g; i++) {
        const long entries = s->row_start[i + 1] - s->row_start[i];
        x->start[i + 1] = x->start[i] + entries * entries;
        for (int g = 0; g < n_groups; g++) x->entry[(long)i * n_groups + g] = -1;
        for (int e = s->row_start[i]; e < s->row_start[i + 1]; e++)
            x->entry[(long)i * n_groups + q->colours.group[s->col[e]]] = e - s->row_start[i];
    }
    return x->start[n_g] <= MAX_SECOND_DERIVATIVES && (x->H = rsd_doubles(a, x->start[n_g])) != NULL;
}

/* Allocate or reuse the arrays of H for the current groups. Return 0 if there are no groups or no memory, else 1. */
static int allocate_for_groups(rsd_mechanism *k)
{
    const rsd_grouped *q = &k->gp_groups;
    rsd_curvature *x = &k->curvature;
    if (!rsd_grouped_will_use_groups(q)) return 0;
    if (x->number == q->number) return 1;
    free_curvature(x, &k->alloc);
    if (allocate_curvature(x, q, &k->alloc)) {
        x->number = q->number;
        return 1;
    }
    free_curvature(x, &k->alloc);
    return 0;
}

/* Store the second derivative of g_i by two coordinates, whose entries have the indices a and b in row i of dg/dp. */
static void store_second_derivative(rsd_curvature *x, const rsd_sparsity *s, int i, int a, int b, double value)
{
    const int n = s->row_start[i + 1] - s->row_start[i];
    x->H[x->start[i] + (long)a * n + b] = x->H[x->start[i] + (long)b * n + a] = value;
}

static void store_differences_of_group(rsd_curvature *x, const rsd_grouped *q, int g)
{
    const rsd_sparsity *s = &q->pattern;
    const double *up = x->up + (long)g * s->rows, *down = x->down + (long)g * s->rows;
    for (int i = 0; i < s->rows; i++) {
        const int a = x->entry[(long)i * x->n_groups + g];
        if (a < 0) continue;
        const double step = q->step[s->col[s->row_start[i] + a]];
        store_second_derivative(x, s, i, a, a, (up[i] - 2 * x->g0[i] + down[i]) / (step * step));
    }
}

/* Return 1 if some row of dg/dp has an entry in group g and an entry in group h. */
static int have_common_row(const rsd_curvature *x, int n_g, int g, int h)
{
    for (int i = 0; i < n_g; i++)
        if (x->entry[(long)i * x->n_groups + g] >= 0 && x->entry[(long)i * x->n_groups + h] >= 0) return 1;
    return 0;
}

/* Evaluate g into work.x_g, with the coordinates of groups g and h displaced by their increments. */
static int eval_g_at_pair(rsd_mechanism *k, double t, int g, int h)
{
    const rsd_grouped *q = &k->gp_groups;
    const rsd_colouring *c = &q->colours;
    memcpy(k->work.x_np, k->curvature.p0, (size_t)k->m.n_p * sizeof *k->work.x_np);
    for (int i = c->start[g]; i < c->start[g + 1]; i++) k->work.x_np[c->columns[i]] += q->step[c->columns[i]];
    for (int i = c->start[h]; i < c->start[h + 1]; i++) k->work.x_np[c->columns[i]] += q->step[c->columns[i]];
    return rsd_eval_constraint(k, t, k->work.x_np, k->work.x_g);
}

static int difference_groups(rsd_mechanism *k, double t, int g, int h)
{
    const rsd_grouped *q = &k->gp_groups;
    const rsd_sparsity *s = &q->pattern;
    rsd_curvature *x = &k->curvature;
    int verdict = have_common_row(x, s->rows, g, h) ? eval_g_at_pair(k, t, g, h) : 0;
    for (int i = 0; i < s->rows && !verdict; i++) {
        const int a = x->entry[(long)i * x->n_groups + g], b = x->entry[(long)i * x->n_groups + h];
        if (a < 0 || b < 0) continue;
        const int *col = s->col + s->row_start[i];
        const double sum = x->up[(long)g * s->rows + i] + x->up[(long)h * s->rows + i];
        store_second_derivative(x, s, i, a, b, (k->work.x_g[i] - sum + x->g0[i]) / (q->step[col[a]] * q->step[col[b]]));
    }
    return verdict;
}

static int compute_H(rsd_mechanism *k, double t)
{
    rsd_curvature *x = &k->curvature;
    int verdict = rsd_eval_constraint(k, t, x->p0, x->g0);
    for (int g = 0; g < x->n_groups && !verdict; g++) {
        store_differences_of_group(x, &k->gp_groups, g);
        for (int h = 0; h < g && !verdict; h++) verdict = difference_groups(k, t, g, h);
    }
    return verdict;
}

int rsd_curvature_begin(rsd_mechanism *k, double t, const double *p)
{
    rsd_curvature *x = &k->curvature;
    rsd_grouped *q = &k->gp_groups;
    if (k->m.n_g == 0 || k->m.constraint_matrix || k->m.constraint_velocity || !allocate_for_groups(k)) return 0;
    const rsd_fault before = k->calls.fault;
    x->is_on = 0;
    memcpy(x->p0, p, (size_t)k->m.n_p * sizeof *p);
    q->up = x->up, q->down = x->down;
    int verdict = rsd_eval_matrices(k, t, p);
    q->up = q->down = NULL;
    if (verdict || !rsd_grouped_will_use_groups(q) || x->number != q->number) return verdict;
    memcpy(x->values0, k->gp_values, (size_t)k->gp.nnz * sizeof *x->values0);
    verdict = compute_H(k, t);
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
    for (int c = 0; c < s->cols; c++) x->moved[c] = p[c] - x->p0[c];
    for (int i = 0; i < s->rows; i++) {
        const int *col = s->col + s->row_start[i], n = s->row_start[i + 1] - s->row_start[i];
        for (int b = 0; b < n; b++) {
            const double *H = x->H + x->start[i] + (long)b * n, move = x->moved[col[b]];
            for (int a = 0; a < n && move != 0; a++)
                k->gp_values[q->at[s->csr_to_csc[s->row_start[i] + a]]] += H[a] * move;
        }
    }
}
