/* equilibrium_free.c - null vectors of the matrix of an equilibrium, by a QR factorisation with column pivoting. Each
 * column that depends on those before it gives one. */
#include "equilibrium_impl.h"

#include <math.h>
#include <string.h>

#define NAMED_PART 0.05 /* of the largest entry of a null vector: larger ones are named */

static int rank_of(const rsd_equilibrium *eq, const double *QR)
{
    const int most = eq->n_r < eq->n_d ? eq->n_r : eq->n_d;
    int rank = 0;
    while (rank < most && fabs(QR[(long)rank * eq->n_r + rank]) > rsd_equilibrium_rounding(eq) * fabs(QR[0])) rank++;
    return rank;
}

static void fill_vectors(rsd_equilibrium *eq, const double *QR, const int *perm, int rank, double *z, double *d)
{
    for (int k = rank; k < eq->n_d; k++) {
        memset(d, 0, (size_t)eq->n_d * sizeof *d);
        for (int i = 0; i < rank; i++) z[i] = QR[(long)k * eq->n_r + i];
        rsd_upper_solve(rank, QR, eq->n_r, z);
        for (int i = 0; i < rank; i++) d[perm[i]] = -z[i];
        d[perm[k]] = 1;
        rsd_equilibrium_unscale(eq, d, eq->null_vectors + (long)(k - rank) * eq->n_x);
    }
}

resida_status rsd_equilibrium_find_free(rsd_equilibrium *eq, const resida_jacobian_matrix *J)
{
    const resida_allocator *a = &eq->alloc;
    if (eq->n_free == 0) return RESIDA_OK;
    double *A = rsd_matrix(a, eq->n_r, eq->n_d), *tau = rsd_doubles(a, eq->n_d),
           *work = rsd_doubles(a, 3L * eq->n_d + 1);
    double *z = rsd_doubles(a, eq->n_d), *d = rsd_doubles(a, eq->n_d);
    int *perm = rsd_calloc(a, eq->n_d, sizeof *perm), rank = 0;
    if (A && tau && work && z && d && perm) {
        rsd_equilibrium_matrix(eq, J, A);
        rsd_qr_pivoted(eq->n_r, eq->n_d, A, perm, tau, work);
        rank = rank_of(eq, A);
        eq->n_free = eq->n_d - rank;
        eq->null_vectors = rsd_doubles(a, (long)eq->n_free * eq->n_x);
    }
    if (!eq->null_vectors)
        return rsd_fail(eq->why, RESIDA_ERR_MEMORY, "no memory for the free directions of an equilibrium");
    fill_vectors(eq, A, perm, rank, z, d);
    eq->report->n_free = eq->n_free;
    rsd_equilibrium_name_free(eq);
    return RESIDA_OK;
}

int rsd_equilibrium_is_in_vector(const rsd_equilibrium *eq, const double *vector, int j)
{
    double most = 0;
    for (int i = 0; i < eq->n_x; i++) most = fmax(most, fabs(vector[i]) / eq->size[i]);
    return fabs(vector[j]) / eq->size[j] > NAMED_PART * most;
}
