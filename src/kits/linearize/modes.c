/* modes.c - selects and sorts the modes of a spectrum, and computes their shapes in the outputs, y = C x.
 *
 * The basis of the null space A x = 0 is brought to reduced row echelon form in the outputs, so that a cyclic
 * coordinate has a vector of its own. H contains the constraint derivatives (linearize_impl.h). A shape with H y != 0
 * violates the constraints: it is a mode of the formulation. */
#include "linearize_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BROKEN    1e-4 /* maximum |H y| of a mode of the mechanism, relative to its terms; rounding reaches 1e-5 */
#define NO_OUTPUT 1e-9 /* maximum output that counts as zero, relative to the largest component */

static double compute_max_abs(long n, const rsd_number *x)
{
    double max = 0;
    for (long i = 0; i < n; i++) max = fmax(max, cabs(x[i]));
    return max;
}

/* Return the component that is scaled to 1: the largest position, or the largest output if all positions are zero. */
static int find_largest_component(const resida_linearization *l, const rsd_number *y)
{
    const int n = l->model.n_components;
    const double all = compute_max_abs(n, y);
    double size = 0;
    int best = 0;
    for (int i = 0; i < n; i++) {
        if (i == l->n_positions && size > NO_OUTPUT * all) break;
        if (cabs(y[i]) > size) size = cabs(y[i]), best = i;
    }
    return best;
}

/* Return 1 if an entry of H y exceeds BROKEN times its terms for the largest position and velocity. sum, terms: work */
static int violates_constraints(const resida_linearization *l, const rsd_number *y, rsd_number *sum, double *terms)
{
    const int n_p = l->n_positions, rows = l->n_H_rows;
    const double max[] = {compute_max_abs(l->model.n_components - n_p, y + n_p), compute_max_abs(n_p, y)};
    memset(sum, 0, (size_t)rows * sizeof *sum);
    memset(terms, 0, (size_t)rows * sizeof *terms);
    for (int e = 0; e < l->n_H; e++) {
        const rsd_entry *h = &l->H[e];
        sum[h->row] += h->value * y[h->column];
        terms[h->row] += fabs(h->value) * max[h->column < n_p];
    }
    for (int i = 0; i < rows; i++)
        if (cabs(sum[i]) > BROKEN * terms[i]) return 1;
    return 0;
}

/* Reduce the rows of Y [k x n], real, to reduced row echelon form. */
static void reduce_to_echelon_form(const resida_linearization *l, int k, rsd_number *Y)
{
    const int n = l->model.n_outputs;
    for (int i = 0; i < k; i++) { /* the pivot of row i is a position if possible */
        int row = i, column = -1;
        double best = 0;
        for (int r = i; r < k; r++) {
            const int c = find_largest_component(l, Y + (long)r * n);
            const double size = cabs(Y[(long)r * n + c]);
            if (size > best) best = size, row = r, column = c;
        }
        if (column < 0) return;
        for (int c = 0; c < n; c++) {
            const rsd_number kept = Y[(long)row * n + c];
            Y[(long)row * n + c] = Y[(long)i * n + c];
            Y[(long)i * n + c] = kept;
        }
        const rsd_number pivot = Y[(long)i * n + column];
        for (int c = 0; c < n; c++) Y[(long)i * n + c] /= pivot;
        for (int r = 0; r < k; r++) {
            const rsd_number factor = Y[(long)r * n + column];
            for (int c = 0; c < n && r != i; c++) Y[(long)r * n + c] -= factor * Y[(long)i * n + c];
        }
    }
}

/* The lists of modes that resida_linearization_modes() returns. */
typedef struct mode_lists {
    double *re, *im, *error, *shape_re, *shape_im, *still; /* [n]; shapes [n x outputs]; [n_still x outputs] */
    int *breaks, *still_breaks;                            /* [n], [n_still] 1: the shape violates the constraints */
} mode_lists;

/* Eigenvalue k of the spectrum, sorted by `first`, then by `second`. */
typedef struct ranked {
    double first, second; /* keys of the order */
    int k;                /* index of the eigenvalue in the spectrum */
} ranked;

static int compare_ranked(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->first != y->first) return x->first < y->first ? -1 : 1;
    if (x->second != y->second) return x->second < y->second ? -1 : 1;
    return x->k - y->k;
}

/* Select the `count` eigenvalues closest to i 2 pi near, or all if count is 0. Sort the selected eigenvalues by
 * frequency into order [s->n]. Return the number of selected eigenvalues. */
static int select_eigenvalues(const rsd_spectrum *s, int count, double near, ranked *order)
{
    const int n = count > 0 && count < s->n ? count : s->n;
    for (int k = 0; k < s->n; k++) order[k] = (ranked){cabs(s->lambda[k] - I * RSD_TWO_PI * near), 0, k};
    if (count > 0) qsort(order, (size_t)s->n, sizeof *order, compare_ranked);
    for (int i = 0; i < n; i++) {
        const rsd_number lambda = s->lambda[order[i].k];
        order[i] = (ranked){cimag(lambda), creal(lambda), order[i].k};
    }
    qsort(order, (size_t)n, sizeof *order, compare_ranked);
    return n;
}

/* Compute the outputs y = C x. Return 1 if y is zero, that is, x changes only multipliers of the formulation. */
static int compute_outputs(const resida_linearization *l, const rsd_number *x, rsd_number *y)
{
    memset(y, 0, (size_t)l->model.n_outputs * sizeof *y);
    rsd_sparse_add_product(&l->C, x, y);
    return compute_max_abs(l->model.n_components, y) <= NO_OUTPUT * compute_max_abs(l->model.n, x);
}

/* Fill the lists with n modes and all null vectors of A. Work: Y [(n_still + 1) x outputs], sum, terms [n_H_rows]. */
static void fill_mode_lists(const resida_linearization *l, const rsd_spectrum *s, const ranked *order, int n,
                            const mode_lists *m, rsd_number *Y, rsd_number *sum, double *terms)
{
    const long outputs = l->model.n_outputs, unknowns = l->model.n;
    for (int i = 0; i < n; i++) {
        m->re[i] = order[i].second, m->im[i] = order[i].first, m->error[i] = s->error[order[i].k];
        m->breaks[i] = compute_outputs(l, s->x + order[i].k * unknowns, Y);
        const rsd_number largest = Y[find_largest_component(l, Y)];
        for (int c = 0; c < outputs && cabs(largest) > 0; c++) Y[c] /= largest;
        m->breaks[i] |= violates_constraints(l, Y, sum, terms);
        for (int k = 0; k < outputs; k++)
            m->shape_re[i * outputs + k] = creal(Y[k]), m->shape_im[i * outputs + k] = cimag(Y[k]);
    }
    int seen = 0; /* number of null vectors with nonzero outputs, which are stored first */
    for (int k = 0; k < s->n_still; k++) seen += !compute_outputs(l, s->still + k * unknowns, Y + seen * outputs);
    reduce_to_echelon_form(l, seen, Y);
    for (int k = 0; k < s->n_still; k++) {
        m->still_breaks[k] = k >= seen || violates_constraints(l, Y + k * outputs, sum, terms);
        for (int i = 0; i < outputs && k < seen; i++) m->still[k * outputs + i] = creal(Y[k * outputs + i]);
    }
}

static resida_status report_modes(resida_linearization *l, const rsd_spectrum *s, int count, double near,
                                  resida_modes *modes)
{
    mode_lists m;
    rsd_owner_free(&l->mode_memory);
    const resida_allocator from = l->mode_memory.from, own = rsd_get_owned_allocator(&l->mode_memory, &from), *a = &own;
    const long outputs = l->model.n_outputs;
    ranked *order = rsd_calloc(&s->alloc, s->n, sizeof *order);
    rsd_number *Y = rsd_calloc(&s->alloc, (s->n_still + 1L) * outputs, sizeof *Y);
    rsd_number *sum = rsd_calloc(&s->alloc, l->n_H_rows, sizeof *sum);
    double *terms = rsd_doubles(&s->alloc, l->n_H_rows);
    if (!order || !Y || !sum || !terms) return RESIDA_ERR_MEMORY;
    const int n = select_eigenvalues(s, count, near, order);
    if (!RSD_DOUBLES(a, n, &m.re, &m.im, &m.error) || !RSD_DOUBLES(a, n * outputs, &m.shape_re, &m.shape_im) ||
        !RSD_DOUBLES(a, s->n_still * outputs, &m.still) || !RSD_INTS(a, n, &m.breaks) ||
        !RSD_INTS(a, s->n_still, &m.still_breaks))
        return RESIDA_ERR_MEMORY;
    fill_mode_lists(l, s, order, n, &m, Y, sum, terms);
    *modes = (resida_modes){.n = n,
                            .re = m.re,
                            .im = m.im,
                            .error = m.error,
                            .shape_re = m.shape_re,
                            .shape_im = m.shape_im,
                            .breaks = m.breaks,
                            .n_zero = s->n_zero,
                            .n_infinite = s->n_infinite,
                            .n_lost = s->n_lost,
                            .n_still = s->n_still,
                            .still = m.still,
                            .still_breaks = m.still_breaks};
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
    s.alloc = rsd_get_owned_allocator(&s.owner, &l->alloc);
    const int is_symmetric = n <= RSD_MODES_UNKNOWNS && rsd_spectrum_compute_symmetric(&s, l, &status);
    if (!is_symmetric)
        status = count > 0 ? rsd_spectrum_compute_near(&s, l, count, near, why) : rsd_spectrum_compute_full(&s, l, why);
    if (status >= 0) status = report_modes(l, &s, count, near, modes);
    rsd_owner_free(&s.owner);
    if (status == RESIDA_ERR_MEMORY) return rsd_fail(why, status, "no memory for the eigenvalues of %d unknowns", n);
    if (status == RESIDA_ERR_NEWTON) return rsd_fail(why, status, "the eigenvalue iteration did not converge");
    return status;
}
