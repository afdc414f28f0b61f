/* rest_free.c - what an equilibrium leaves open: null vectors of its matrix, by a QR factorisation with column
 * pivoting. A column that depends on those before it is a free direction: its own unknown, and what has to go with
 * it. */
#include "rest.h"

#include <math.h>
#include <string.h>

#define TAKES_PART 0.05 /* of the largest entry of a null vector: then it is named */

static int rank_of(const rsd_rest *x, const double *QR)
{
    const int most = x->n_r < x->n_d ? x->n_r : x->n_d;
    int rank = 0;
    while (rank < most && fabs(QR[(long)rank * x->n_r + rank]) > rsd_rest_rounding(x) * fabs(QR[0])) rank++;
    return rank;
}

static void fill_vectors(rsd_rest *x, const double *QR, const int *perm, int rank, double *z, double *d)
{
    for (int k = rank; k < x->n_d; k++) {
        memset(d, 0, (size_t)x->n_d * sizeof *d);
        for (int i = 0; i < rank; i++) z[i] = QR[(long)k * x->n_r + i];
        rsd_upper_solve(rank, QR, x->n_r, z);
        for (int i = 0; i < rank; i++) d[perm[i]] = -z[i];
        d[perm[k]] = 1;
        rsd_rest_expand(x, d, x->free + (long)(k - rank) * x->n_x);
    }
}

resida_status rsd_rest_find_free(rsd_rest *x, const resida_jacobian_matrix *J)
{
    const resida_allocator *a = &x->alloc;
    if (x->n_free == 0) return RESIDA_OK;
    double *A = rsd_matrix(a, x->n_r, x->n_d), *tau = rsd_doubles(a, x->n_d), *work = rsd_doubles(a, 3L * x->n_d + 1);
    double *z = rsd_doubles(a, x->n_d), *d = rsd_doubles(a, x->n_d);
    int *perm = rsd_calloc(a, x->n_d, sizeof *perm), rank = 0;
    if (A && tau && work && z && d && perm) {
        rsd_rest_fill(x, J, A);
        rsd_qr_pivoted(x->n_r, x->n_d, A, perm, tau, work);
        rank = rank_of(x, A);
        x->n_free = x->n_d - rank;
        x->free = rsd_doubles(a, (long)x->n_free * x->n_x);
    }
    if (!x->free) return rsd_fail(x->why, RESIDA_ERR_MEMORY, "no memory for the free directions of an equilibrium");
    fill_vectors(x, A, perm, rank, z, d);
    x->report->n_free = x->n_free;
    rsd_rest_name_free(x);
    return RESIDA_OK;
}

int rsd_rest_takes_part(const rsd_rest *x, const double *vector, int j)
{
    double most = 0;
    for (int i = 0; i < x->n_x; i++) most = fmax(most, fabs(vector[i]) / x->size[i]);
    return fabs(vector[j]) / x->size[j] > TAKES_PART * most;
}
