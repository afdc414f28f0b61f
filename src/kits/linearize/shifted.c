/* shifted.c - see shifted.h. The diagonal of a model with multipliers has zeros. Therefore columns are ordered by
 * COLAMD, and each pivot is the largest candidate. */
#include "shifted.h"

#include <string.h>

#define BY_COLAMD     1   /* number of the ordering COLAMD in KLU */
#define LARGEST_PIVOT 1.0 /* minimum pivot, relative to the largest candidate */

/* Compute A - s E, stored by columns: start [n + 1], row and values [nonzero entries of A and of E]. */
static void assemble_shifted_matrix(const resida_linearization *l, rsd_number s, int *start, int *row,
                                    rsd_number *values)
{
    const rsd_sparse *A = &l->A, *E = &l->E;
    int k = 0;
    for (int j = 0; j < A->columns; j++) {
        int a = A->start[j], e = E->start[j];
        while (a < A->start[j + 1] || e < E->start[j + 1]) {
            const int of_A = a < A->start[j + 1] ? A->row[a] : A->rows,
                      of_E = e < E->start[j + 1] ? E->row[e] : A->rows;
            row[k] = of_A < of_E ? of_A : of_E;
            if (of_A <= of_E) values[k] += A->values[a++];
            if (of_E <= of_A) values[k] -= s * E->values[e++];
            k++;
        }
        start[j + 1] = k;
    }
}

resida_status rsd_shifted_factor(rsd_shifted *w, const resida_linearization *l, rsd_number s)
{
    const int n = l->model.n;
    const long max = (long)l->A.start[n] + l->E.start[n];
    int *start, *row;
    *w = (rsd_shifted){.n = n};
    const resida_allocator a = rsd_get_owned_allocator(&w->owner, &l->alloc);
    rsd_number *values = rsd_calloc(&a, max, sizeof *values);
    w->b = rsd_calloc(&a, n, sizeof *w->b);
    if (!values || !w->b || !RSD_INTS(&a, n + 1L, &start) || !RSD_INTS(&a, max, &row)) return RESIDA_ERR_MEMORY;
    assemble_shifted_matrix(l, s, start, row, values);
    klu_defaults(&w->common);
    w->common.ordering = BY_COLAMD, w->common.tol = LARGEST_PIVOT;
    w->symbolic = klu_analyze(n, start, row, &w->common);
    if (w->symbolic) w->numeric = klu_z_factor(start, row, (double *)values, w->symbolic, &w->common);
    if (w->numeric) return RESIDA_OK;
    return w->common.status == KLU_OUT_OF_MEMORY ? RESIDA_ERR_MEMORY : RESIDA_ERR_SINGULAR;
}

void rsd_shifted_free(rsd_shifted *w)
{
    klu_z_free_numeric(&w->numeric, &w->common);
    klu_free_symbolic(&w->symbolic, &w->common);
    rsd_owner_free(&w->owner);
}

void rsd_shifted_solve(rsd_shifted *w, rsd_number *x)
{
    klu_z_solve(w->symbolic, w->numeric, w->n, 1, (double *)x, &w->common);
}

void rsd_shifted_apply_right(rsd_shifted *w, const rsd_sparse *E, rsd_number *x)
{
    memset(w->b, 0, (size_t)w->n * sizeof *w->b);
    rsd_sparse_add_product(E, x, w->b);
    rsd_shifted_solve(w, w->b);
    memcpy(x, w->b, (size_t)w->n * sizeof *x);
}

void rsd_shifted_apply_left(rsd_shifted *w, const rsd_sparse *E, rsd_number *y)
{
    for (int j = 0; j < w->n; j++) {
        w->b[j] = 0;
        for (int e = E->start[j]; e < E->start[j + 1]; e++) w->b[j] += y[E->row[e]] * E->values[e];
    }
    memcpy(y, w->b, (size_t)w->n * sizeof *y);
    klu_z_tsolve(w->symbolic, w->numeric, w->n, 1, (double *)y, 0, &w->common);
}
