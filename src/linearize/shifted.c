/* shifted.c - see shifted.h. */
#include "shifted.h"

#include <string.h>

/* Column j of s A + t E, its rows moved by `down`, behind entry k of M. @return the entry behind it */
static int put_sum(rsd_sparse *M, int k, const rsd_sparse *A, double s, const rsd_sparse *E, double t, int j, int down)
{
    int a = A->start[j], e = E->start[j];
    while (a < A->start[j + 1] || e < E->start[j + 1]) {
        const int row_a = a < A->start[j + 1] ? A->row[a] : A->rows, row_e = e < E->start[j + 1] ? E->row[e] : A->rows;
        const int row = row_a < row_e ? row_a : row_e;
        double value = 0;
        if (row_a == row) value += s * A->values[a++];
        if (row_e == row) value += t * E->values[e++];
        M->row[k] = row + down;
        M->values[k++] = value;
    }
    return k;
}

static resida_status assemble(rsd_shifted *w, const resida_linearization *l, rsd_number s)
{
    const int n = w->n, size = (w->doubled + 1) * n;
    rsd_sparse *M = &w->M;
    RSD_TRY(rsd_sparse_create(M, size, size, 4L * (l->A.start[n] + (long)l->E.start[n]), &w->alloc));
    int k = 0;
    for (int j = 0; j < size; j++) {
        const int column = j % n, is_imaginary = j >= n;
        k = is_imaginary ? put_sum(M, k, &l->A, 0, &l->E, cimag(s), column, 0)
                         : put_sum(M, k, &l->A, 1, &l->E, -creal(s), column, 0);
        if (w->doubled)
            k = is_imaginary ? put_sum(M, k, &l->A, 1, &l->E, -creal(s), column, n)
                             : put_sum(M, k, &l->A, 0, &l->E, -cimag(s), column, n);
        M->start[j + 1] = k;
    }
    return RESIDA_OK;
}

static resida_status transpose(const rsd_sparse *M, rsd_sparse *T, const resida_allocator *alloc)
{
    const int n = M->columns;
    RSD_TRY(rsd_sparse_create(T, n, n, M->start[n], alloc));
    for (int e = 0; e < M->start[n]; e++) T->start[M->row[e] + 1]++;
    for (int i = 0; i < n; i++) T->start[i + 1] += T->start[i];
    for (int j = 0; j < n; j++)
        for (int e = M->start[j]; e < M->start[j + 1]; e++) {
            const int k = T->start[M->row[e]]++;
            T->row[k] = j, T->values[k] = M->values[e];
        }
    for (int i = n; i > 0; i--) T->start[i] = T->start[i - 1];
    T->start[0] = 0;
    return RESIDA_OK;
}

static resida_status factor(rsd_linear_solver **solver, const rsd_sparse *M, const resida_allocator *alloc)
{
    RSD_TRY(rsd_linear_create(solver, M->rows, "auto", alloc, NULL));
    RSD_TRY(rsd_linear_set_pattern(*solver, M->start, M->row, NULL));
    const int verdict = rsd_linear_factor(*solver, M->values);
    return verdict < 0 ? RESIDA_ERR_MEMORY : verdict > 0 ? RESIDA_ERR_SINGULAR : RESIDA_OK;
}

resida_status rsd_shifted_open(rsd_shifted *w, const resida_linearization *l, rsd_number s, int with_transposed)
{
    rsd_sparse T;
    *w = (rsd_shifted){.n = l->model.n, .doubled = cimag(s) != 0};
    w->alloc = rsd_owned_by(&w->owner, &l->alloc);
    w->b = rsd_doubles(&w->alloc, 2L * w->n);
    if (!w->b) return RESIDA_ERR_MEMORY;
    RSD_TRY(assemble(w, l, s));
    RSD_TRY(factor(&w->solver, &w->M, &w->alloc));
    if (!with_transposed) return RESIDA_OK;
    RSD_TRY(transpose(&w->M, &T, &w->alloc));
    return factor(&w->transposed, &T, &w->alloc);
}

void rsd_shifted_close(rsd_shifted *w)
{
    rsd_linear_free(w->solver);
    rsd_linear_free(w->transposed);
    rsd_owner_free(&w->owner);
}

/* x = (A - s E)^-1 b, with b in w. */
static void solve(rsd_shifted *w, rsd_number *x)
{
    rsd_linear_solve(w->solver, w->doubled ? 1 : 2, w->b);
    for (int i = 0; i < w->n; i++) x[i] = w->b[i] + I * w->b[w->n + i];
}

void rsd_shifted_solve(rsd_shifted *w, rsd_number *x)
{
    for (int i = 0; i < w->n; i++) w->b[i] = creal(x[i]), w->b[w->n + i] = cimag(x[i]);
    solve(w, x);
}

void rsd_shifted_right(rsd_shifted *w, const rsd_sparse *E, rsd_number *x)
{
    const int n = w->n;
    memset(w->b, 0, 2 * (size_t)n * sizeof *w->b);
    for (int j = 0; j < n; j++)
        for (int e = E->start[j]; e < E->start[j + 1]; e++) {
            w->b[E->row[e]] += E->values[e] * creal(x[j]);
            w->b[n + E->row[e]] += E->values[e] * cimag(x[j]);
        }
    solve(w, x);
}

/* The transposed matrix of twice the size is that of the conjugate shift: of the conjugate y. */
void rsd_shifted_left(rsd_shifted *w, const rsd_sparse *E, rsd_number *y)
{
    const int n = w->n;
    for (int j = 0; j < n; j++) {
        rsd_number sum = 0;
        for (int e = E->start[j]; e < E->start[j + 1]; e++) sum += y[E->row[e]] * E->values[e];
        w->b[j] = creal(sum), w->b[n + j] = -cimag(sum);
    }
    rsd_linear_solve(w->transposed, w->doubled ? 1 : 2, w->b);
    for (int i = 0; i < n; i++) y[i] = w->b[i] - I * w->b[n + i];
}
