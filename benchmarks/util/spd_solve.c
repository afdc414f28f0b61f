/* spd_solve.c - a = M^-1 (Psi + f) by Cholesky's M = L L', and r = M a - Psi, for mechanisms with a handful of
 * coordinates. The lower triangle of M is read and overwritten by L. No scaling and no pivoting: a mass matrix is
 * positive definite, and where it is not (a state without physical meaning), the caller asks for a smaller step. */
#include "spd_solve.h"

#include <math.h>

static int factor(int n, double *M)
{
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            double sum = M[i * n + j];
            for (int k = 0; k < j; k++) sum -= M[i * n + k] * M[j * n + k];
            if (i == j && !(sum > 0)) return 1;
            M[i * n + j] = i == j ? sqrt(sum) : sum / M[j * n + j];
        }
    return 0;
}

int bench_spd_acceleration(int n, double *M, const double *psi, const double *f, double *a)
{
    if (factor(n, M)) return 1;
    for (int i = 0; i < n; i++) { /* a = L \ (psi + f) */
        a[i] = psi[i] + f[i];
        for (int k = 0; k < i; k++) a[i] -= M[i * n + k] * a[k];
        a[i] /= M[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) { /* a = L' \ a */
        for (int k = i + 1; k < n; k++) a[i] -= M[k * n + i] * a[k];
        a[i] /= M[i * n + i];
    }
    return 0;
}

void bench_dense_residual(int n, const double *M, const double *psi, const double *a, double *r)
{
    for (int i = 0; i < n; i++) {
        r[i] = -psi[i];
        for (int k = 0; k < n; k++) r[i] += M[i * n + k] * a[k];
    }
}
