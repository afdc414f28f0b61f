/* rank.c - rank of G by a QR factorisation with column pivoting of G' (rows of G scaled to norm one):
 *
 *     G' P = Q [ R11 R12 ],  |R11(k,k)| decreasing;  rank = number of k with |R(k,k)| > tolerance
 *              [ 0   0   ]
 *
 * The rows after the rank are redundant: such a row is c' (independent rows), where R11 c is its column of R12. The
 * scale factor decreases slightly with the row number. Therefore the later one of two equal rows is redundant. */
#include "rank.h"

#include "csr.h"
#include "dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define PREFER_EARLIER 1e-5 /* relative decrease of the norm of scaled rows, from the first row to the last row */

resida_status rsd_rank_create(rsd_rank *r, int n_l, int n_v, const resida_allocator *alloc, resida_message *why)
{
    *r = (rsd_rank){.n_l = n_l, .n_v = n_v};
    if (RSD_INTS(alloc, n_l, &r->perm, &r->redundant) && RSD_DOUBLES(alloc, n_l, &r->scale, &r->min_scale, &r->c))
        return RESIDA_OK;
    rsd_rank_free(r, alloc);
    return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for the rank of %d constraints", n_l);
}

resida_status rsd_rank_allocate_Q(rsd_rank *r, const resida_allocator *alloc, resida_message *why)
{
    if (!r->Q) r->Q = rsd_matrix(alloc, r->n_v, r->n_l);
    if (r->Q) return RESIDA_OK;
    return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for the rank of a %d x %d constraint matrix", r->n_l, r->n_v);
}

void rsd_rank_free(rsd_rank *r, const resida_allocator *alloc)
{
    RSD_FREE(alloc, r->perm, r->redundant, r->Q, r->scale, r->min_scale, r->c);
    *r = (rsd_rank){.n_l = 0};
}

/* Copy A' to Q with columns of norm one. A norm below `min` is replaced by `min`; a zero row of A stays zero. */
static void scale_rows(rsd_rank *r, const double *A)
{
    for (int i = 0; i < r->n_l; i++) {
        const double *row = A + (long)i * r->n_v;
        double *column = r->Q + (long)i * r->n_v;
        const double norm = fmax(rsd_norm(row, r->n_v), r->min_scale[i]);
        r->scale[i] = norm;
        double s = norm > 0 ? (1 - PREFER_EARLIER * i / r->n_l) / norm : 0;
        for (int j = 0; j < r->n_v; j++) column[j] = s * row[j];
    }
}

/* List the redundant rows, those after position `rank` in perm, in ascending order. */
static void list_redundant_rows(rsd_rank *r)
{
    r->n_redundant = r->n_l - r->rank;
    for (int k = r->rank; k < r->n_l; k++) rsd_insert_ascending(r->redundant, k - r->rank, r->perm[k]);
}

void rsd_rank_set_full(rsd_rank *r, int n_rows)
{
    r->rank = n_rows;
    r->n_redundant = 0;
    for (int i = 0; i < r->n_l; i++) r->perm[i] = i;
}

void rsd_rank_compute_rank(rsd_rank *r, const double *A, double tolerance)
{
    r->rank = r->n_redundant = 0;
    if (r->n_l == 0) return;
    scale_rows(r, A);
    rsd_factor_qr(r->n_v, r->n_l, r->Q, r->perm, NULL);
    int max = r->n_l < r->n_v ? r->n_l : r->n_v;
    while (r->rank < max && fabs(r->Q[(long)r->rank * r->n_v + r->rank]) > tolerance) r->rank++;
    list_redundant_rows(r);
}

int rsd_rank_sort_rows(rsd_rank *r, const double *A, int rank)
{
    if (rank == 0) return 1;
    scale_rows(r, A);
    rsd_factor_qr(r->n_v, r->n_l, r->Q, r->perm, NULL);
    const double *last = r->Q + (long)(rank - 1) * r->n_v + rank - 1;
    return fabs(*last) > r->n_v * DBL_EPSILON;
}

/* Return the coefficients of the redundant row perm[k] as a combination of the independent rows. */
static const double *compute_combination(rsd_rank *r, int k)
{
    memcpy(r->c, r->Q + (long)k * r->n_v, (size_t)r->rank * sizeof *r->c);
    rsd_solve_upper(r->rank, r->Q, r->n_v, r->c);
    double own = r->scale[r->perm[k]] / (1 - PREFER_EARLIER * r->perm[k] / r->n_l);
    for (int q = 0; q < r->rank; q++)
        r->c[q] *= own * (1 - PREFER_EARLIER * r->perm[q] / r->n_l) / r->scale[r->perm[q]];
    return r->c;
}

const double *rsd_rank_compute_combination(rsd_rank *r, int i)
{
    int k = r->rank;
    while (r->perm[k] != r->redundant[i]) k++;
    return compute_combination(r, k);
}

void rsd_rank_compute_null_vector(rsd_rank *r, int i, double *x)
{
    const double *c = compute_combination(r, r->rank + i);
    memset(x, 0, (size_t)r->n_l * sizeof *x);
    x[r->perm[r->rank + i]] = 1;
    for (int q = 0; q < r->rank; q++) x[r->perm[q]] = -c[q];
}
