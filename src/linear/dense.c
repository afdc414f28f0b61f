/* dense.c - LU with partial pivoting, QR with column pivoting and condition estimates through LAPACK (Fortran
 * interface; work space comes from the caller, so nothing is allocated here).
 *
 * LAPACK ends the process, with code 0, where an argument is not as it wants it: a leading dimension of 0 (all matrices
 * without rows), a norm that is no number. So nothing is asked of it that it would refuse. */
#include "dense.h"

#include <limits.h>
#include <math.h>

extern void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
extern void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a, const int *lda, const int *ipiv,
                    double *b, const int *ldb, int *info, unsigned long trans_length);
extern void dgecon_(const char *norm, const int *n, const double *a, const int *lda, const double *anorm, double *rcond,
                    double *work, int *iwork, int *info, unsigned long norm_length);
extern void dgeqp3_(const int *m, const int *n, double *a, const int *lda, int *jpvt, double *tau, double *work,
                    const int *lwork, int *info);
extern void dtrtrs_(const char *uplo, const char *trans, const char *diag, const int *n, const int *nrhs,
                    const double *a, const int *lda, double *b, const int *ldb, int *info, unsigned long, unsigned long,
                    unsigned long);

extern void dpstrf_(const char *uplo, const int *n, double *a, const int *lda, int *piv, int *rank, const double *tol,
                    double *work, int *info, unsigned long uplo_length);
extern void dgelsy_(const int *m, const int *n, const int *nrhs, double *a, const int *lda, double *b, const int *ldb,
                    int *jpvt, const double *rcond, int *rank, double *work, const int *lwork, int *info);

enum { WORK_BLOCK = 32, WORK_VECTORS = 8 }; /* of work space: columns at a time, and single vectors besides */

int rsd_dense_work(int m, int n)
{
    const long most = m > n ? m : n;
    const long work = (WORK_BLOCK + WORK_VECTORS) * most + WORK_VECTORS * WORK_BLOCK;
    return work > INT_MAX ? -1 : (int)work;
}

int rsd_least_norm(int m, int n, double *A, double *b, double tolerance, int *perm, double *work, int n_work)
{
    const int one = 1, most = m > n ? m : n;
    int rank = 0, info = 0;
    for (int k = 0; k < n; k++) perm[k] = 0; /* 0: free to be moved */
    if (m > 0 && n > 0) dgelsy_(&m, &n, &one, A, &m, b, &most, perm, &tolerance, &rank, work, &n_work, &info);
    return rank;
}

int rsd_lu_factor(int n, double *A, int *pivots)
{
    int info = 0;
    if (n < 1) return 0;
    dgetrf_(&n, &n, A, &n, pivots, &info);
    return info;
}

int rsd_cholesky_pivoted(int n, double *A, double tolerance, int *pivots, double *work)
{
    int rank = 0, info = 0;
    if (n > 0) dpstrf_("L", &n, A, &n, pivots, &rank, &tolerance, work, &info, 1);
    return rank;
}

void rsd_lu_solve(int n, const double *LU, const int *pivots, double *x)
{
    int one = 1, info = 0;
    if (n < 1) return;
    dgetrs_("N", &n, &one, LU, &n, pivots, x, &n, &info, 1);
}

double rsd_lu_rcond(int n, const double *LU, double norm1, double *work, int *iwork)
{
    int info = 0;
    double rcond = 0;
    if (n < 1) return 1;
    if (!(norm1 >= 0) || !isfinite(norm1)) return 0;
    dgecon_("1", &n, LU, &n, &norm1, &rcond, work, iwork, &info, 1);
    return rcond;
}

double rsd_norm1(int n, const double *A)
{
    double norm = 0;
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++) sum += fabs(A[(long)j * n + i]);
        norm = fmax(norm, sum);
    }
    return norm;
}

void rsd_qr_pivoted(int m, int n, double *A, int *perm, double *tau, double *work)
{
    int info = 0, lwork = 3 * n + 1;
    for (int k = 0; k < n; k++) perm[k] = 0; /* 0: free to be moved */
    if (m > 0 && n > 0) dgeqp3_(&m, &n, A, &m, perm, tau, work, &lwork, &info);
    for (int k = 0; k < n; k++) perm[k] = m > 0 ? perm[k] - 1 : k;
}

void rsd_upper_solve(int r, const double *A, int lda, double *x)
{
    int one = 1, info = 0;
    if (r > 0) dtrtrs_("U", "N", "N", &r, &one, A, &lda, x, &r, &info, 1, 1, 1);
}
