/* modes.c - the modes of a spectrum: selection, order, and shapes in the outputs, y = C x.
 *
 * The basis of the null space A x = 0 has outputs in reduced row echelon form, so that a cyclic coordinate stands
 * alone. A shape violates the constraints if H y is not zero, H their derivatives: it is a mode of the formulation. */
#include "linearize_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BROKEN    1e-4 /* of the terms of H y: a larger residual violates a constraint; rounding leaves up to 1e-5 */
#define NO_OUTPUT 1e-9 /* of the largest component: smaller outputs are zero */

/* y [A->rows] = A x. */
static void multiply(const rsd_sparse *A, const double *x, double *y)
{
    memset(y, 0, (size_t)A->rows * sizeof *y);
    for (int j = 0; j < A->columns; j++)
        for (int e = A->start[j]; e < A->start[j + 1]; e++) y[A->row[e]] += A->values[e] * x[j];
}

/* The component that is scaled to 1: the largest position, or the largest output if positions are zero. */
static int largest_component(const resida_linearization *l, const double *re, const double *im)
{
    const int n = l->model.n_components;
    double all = 0, size = 0;
    int best = 0;
    for (int i = 0; i < n; i++) all = fmax(all, hypot(re[i], im ? im[i] : 0));
    for (int i = 0; i < n; i++) {
        const double here = hypot(re[i], im ? im[i] : 0);
        if (i == l->n_positions && size > NO_OUTPUT * all) break;
        if (!(here > size)) continue;
        size = here;
        best = i;
    }
    return best;
}

/* y / y[leading] */
static void normalise(const resida_linearization *l, double *re, double *im)
{
    const int k = largest_component(l, re, im);
    const double a = re[k], b = im[k], size = hypot(a, b);
    if (!(size > 0)) return;
    for (int i = 0; i < l->model.n_outputs; i++) {
        const double x = re[i] / size, y = im[i] / size;
        re[i] = x * (a / size) + y * (b / size);
        im[i] = y * (a / size) - x * (b / size);
    }
}

/* 1: a row of H y is not zero, relative to its terms with the largest output of each kind. work [3 rows] */
static int breaks_constraints(const resida_linearization *l, const double *re, const double *im, double *work)
{
    const int n = l->model.n_components, rows = l->n_H_rows;
    double *sum = work, *terms = work + 2 * (long)rows, most[] = {0, 0};
    memset(work, 0, 3 * (size_t)rows * sizeof *work);
    for (int i = 0; i < n; i++) most[i < l->n_positions] = fmax(most[i < l->n_positions], hypot(re[i], im ? im[i] : 0));
    for (int e = 0; e < l->n_H; e++) {
        const rsd_entry *h = &l->H[e];
        sum[2 * (long)h->row] += h->value * re[h->column];
        sum[2 * (long)h->row + 1] += im ? h->value * im[h->column] : 0;
        terms[h->row] += fabs(h->value) * most[h->column < l->n_positions];
    }
    for (int i = 0; i < rows; i++)
        if (hypot(sum[2 * (long)i], sum[2 * (long)i + 1]) > BROKEN * terms[i]) return 1;
    return 0;
}

/* Reduce Y [k x n], row by row, to reduced row echelon form. */
static void reduce(const resida_linearization *l, int k, double *Y)
{
    const int n = l->model.n_outputs;
    for (int i = 0; i < k; i++) { /* pivot of row i: among the positions if possible */
        int row = i, column = -1;
        double best = 0;
        for (int r = i; r < k; r++) {
            const int c = largest_component(l, Y + (long)r * n, NULL);
            const double size = fabs(Y[(long)r * n + c]);
            if (size > best) best = size, row = r, column = c;
        }
        if (column < 0) return;
        for (int c = 0; c < n; c++) {
            const double kept = Y[(long)row * n + c];
            Y[(long)row * n + c] = Y[(long)i * n + c];
            Y[(long)i * n + c] = kept;
        }
        const double pivot = Y[(long)i * n + column];
        for (int c = 0; c < n; c++) Y[(long)i * n + c] /= pivot;
        for (int r = 0; r < k; r++) {
            const double factor = Y[(long)r * n + column];
            for (int c = 0; c < n && r != i; c++) Y[(long)r * n + c] -= factor * Y[(long)i * n + c];
        }
    }
}

typedef struct ranked {
    double re, im, distance;
    int k;
} ranked;

static int by_distance(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->distance != y->distance) return x->distance < y->distance ? -1 : 1;
    return x->k - y->k;
}

static int by_frequency(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->im != y->im) return x->im < y->im ? -1 : 1;
    if (x->re != y->re) return x->re < y->re ? -1 : 1;
    return x->k - y->k;
}

/* order [s->n]: the selected pairs, sorted. @return how many */
static int select_pairs(const rsd_spectrum *s, int count, double near, ranked *order)
{
    for (int k = 0; k < s->n; k++)
        order[k] = (ranked){s->re[k], s->im[k], hypot(s->re[k], s->im[k] - RSD_TWO_PI * near), k};
    if (count > 0) qsort(order, (size_t)s->n, sizeof *order, by_distance);
    const int n = count > 0 && count < s->n ? count : s->n;
    qsort(order, (size_t)n, sizeof *order, by_frequency);
    return n;
}

static resida_status reserve_lists(resida_linearization *l, int n, int n_still)
{
    const resida_allocator from = l->mode_memory.from, own = rsd_owned_by(&l->mode_memory, &from), *a = &own;
    const int outputs = l->model.n_outputs;
    rsd_mode_lists *m = &l->lists;
    const int all = RSD_DOUBLES(a, n, &m->re, &m->im, &m->error) &&
                    RSD_DOUBLES(a, (long)n * outputs, &m->shape_re, &m->shape_im) &&
                    RSD_DOUBLES(a, (long)n_still * outputs, &m->still) && RSD_INTS(a, n, &m->breaks) &&
                    RSD_INTS(a, n_still, &m->still_breaks);
    return all ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

/* 1: the outputs of x are zero: it moves multipliers of the formulation only. */
static int moves_no_output(const resida_linearization *l, const double *x_re, const double *x_im, const double *re,
                           const double *im)
{
    double all = 0, seen = 0;
    for (int i = 0; i < l->model.n; i++) all = fmax(all, hypot(x_re[i], x_im ? x_im[i] : 0));
    for (int i = 0; i < l->model.n_components; i++) seen = fmax(seen, hypot(re[i], im ? im[i] : 0));
    return seen <= NO_OUTPUT * all;
}

static void fill_lists(resida_linearization *l, const rsd_spectrum *s, const ranked *order, int n, double *work)
{
    rsd_mode_lists *m = &l->lists;
    const int outputs = l->model.n_outputs, unknowns = l->model.n;
    for (int i = 0; i < n; i++) {
        const long k = order[i].k;
        double *re = m->shape_re + (long)i * outputs, *im = m->shape_im + (long)i * outputs;
        m->re[i] = order[i].re, m->im[i] = order[i].im, m->error[i] = s->error[k];
        multiply(&l->C, s->x_re + k * unknowns, re);
        multiply(&l->C, s->x_im + k * unknowns, im);
        m->breaks[i] = moves_no_output(l, s->x_re + k * unknowns, s->x_im + k * unknowns, re, im);
        normalise(l, re, im);
        m->breaks[i] |= breaks_constraints(l, re, im, work);
    }
    int seen = 0; /* vectors with outputs, which come first */
    for (int k = 0; k < s->n_still; k++) {
        const double *x = s->still + (long)k * unknowns;
        double *y = m->still + (long)seen * outputs;
        multiply(&l->C, x, y);
        seen += !moves_no_output(l, x, NULL, y, NULL);
    }
    memset(m->still + (long)seen * outputs, 0, (size_t)(s->n_still - seen) * (size_t)outputs * sizeof *m->still);
    reduce(l, seen, m->still);
    for (int k = 0; k < s->n_still; k++)
        m->still_breaks[k] = k >= seen || breaks_constraints(l, m->still + (long)k * outputs, NULL, work);
}

static resida_status report_modes(resida_linearization *l, const rsd_spectrum *s, int count, double near,
                                  resida_modes *modes)
{
    rsd_owner_free(&l->mode_memory);
    ranked *order = rsd_calloc(&s->alloc, s->n, sizeof *order);
    double *work = rsd_matrix(&s->alloc, l->n_H_rows, 3);
    if (!order || !work) return RESIDA_ERR_MEMORY;
    const int n = select_pairs(s, count, near, order);
    RSD_TRY(reserve_lists(l, n, s->n_still));
    fill_lists(l, s, order, n, work);
    const rsd_mode_lists *m = &l->lists;
    *modes = (resida_modes){.n = n,
                            .re = m->re,
                            .im = m->im,
                            .error = m->error,
                            .shape_re = m->shape_re,
                            .shape_im = m->shape_im,
                            .breaks = m->breaks,
                            .n_zero = s->n_zero,
                            .n_infinite = s->n_infinite,
                            .n_lost = s->n_lost,
                            .n_still = s->n_still,
                            .still = m->still,
                            .still_breaks = m->still_breaks};
    return RESIDA_OK;
}

resida_status resida_linearization_modes(resida_linearization *l, int count, double near, resida_modes *modes,
                                         resida_message *why)
{
    if (!l || !modes) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "modes: %s is NULL", l ? "modes" : "l");
    if (count < 0) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "modes: count = %d, must be >= 0", count);
    if (count > 0 && !(near >= 0 && near < INFINITY))
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "modes: near = %g, must be finite and >= 0", near);
    const int n = l->model.n;
    if (count == 0 && n > RSD_MODES_UNKNOWNS)
        return rsd_fail(
            why, RESIDA_ERR_OPTION,
            "%d unknowns are too many for full matrices, at most %d: request some eigenvalues near a frequency", n,
            RSD_MODES_UNKNOWNS);
    resida_status status = RESIDA_OK;
    rsd_spectrum s = {.n = 0};
    s.alloc = rsd_owned_by(&s.owner, &l->alloc);
    const int is_symmetric = n <= RSD_MODES_UNKNOWNS && rsd_spectrum_symmetric(&s, l, &status);
    if (!is_symmetric) status = count > 0 ? rsd_spectrum_near(&s, l, count, near, why) : rsd_spectrum_full(&s, l, why);
    if (status >= 0) status = report_modes(l, &s, count, near, modes);
    rsd_owner_free(&s.owner);
    if (status == RESIDA_ERR_MEMORY) return rsd_fail(why, status, "no memory for the eigenvalues of %d unknowns", n);
    if (status == RESIDA_ERR_NEWTON) return rsd_fail(why, status, "the eigenvalue iteration did not converge");
    return status;
}
