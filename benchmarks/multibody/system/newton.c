/* newton.c - see newton.h. */
#include "newton.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "benchmarks/util/model_util.h"

enum { MOST_ITERATIONS = 200 };

static void swap_rows(int n, double *A, double *b, int i, int k)
{
    for (int j = 0; j < n; j++) {
        const double x = A[(ptrdiff_t)i * n + j];
        A[(ptrdiff_t)i * n + j] = A[(ptrdiff_t)k * n + j];
        A[(ptrdiff_t)k * n + j] = x;
    }
    const double x = b[i];
    b[i] = b[k], b[k] = x;
}

int mb_solve(int n, double *A, double *b)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[(ptrdiff_t)i * n + k]) > fabs(A[(ptrdiff_t)pivot * n + k])) pivot = i;
        if (!(fabs(A[(ptrdiff_t)pivot * n + k]) > 0)) return 1;
        swap_rows(n, A, b, k, pivot);
        const double *top = A + (ptrdiff_t)k * n;
        for (int i = k + 1; i < n; i++) {
            double *row = A + (ptrdiff_t)i * n;
            const double factor = row[k] / top[k];
            for (int j = k + 1; j < n; j++) row[j] -= factor * top[j];
            b[i] -= factor * b[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) b[i] -= A[(ptrdiff_t)i * n + j] * b[j];
        b[i] /= A[(ptrdiff_t)i * n + i];
    }
    return 0;
}

/* Rows scaled by their largest entry: equations differ by many orders of magnitude. */
static void scale_rows(int n, double *A, double *b)
{
    for (int i = 0; i < n; i++) {
        double most = 0;
        for (int j = 0; j < n; j++) most = fmax(most, fabs(A[(ptrdiff_t)i * n + j]));
        for (int j = 0; j < n && most > 0; j++) A[(ptrdiff_t)i * n + j] /= most;
        if (most > 0) b[i] /= most;
    }
}

/* J [n x n] and F(x) in r; work [2 n]. */
static int jacobian(int n, mb_function *F, void *user, double *x, double *J, double *r, double *work)
{
    const double step = 1e-7;
    for (int j = 0; j < n; j++) {
        const double at = x[j], h = step * (1 + fabs(at));
        x[j] = at + h;
        int failed = F(x, work, user);
        x[j] = at - h;
        if (!failed) failed = F(x, work + n, user);
        x[j] = at;
        if (failed) return 1;
        for (int i = 0; i < n; i++) J[(ptrdiff_t)i * n + j] = (work[i] - work[n + i]) / (2 * h);
    }
    return F(x, r, user);
}

/* One iteration; the size of the correction, relative to 1 + |x|; negative when there is none. */
static double iterate(int n, mb_function *F, void *user, double most, double *x, double *work)
{
    double *r = work, *J = work + 3 * n, largest = 0, size = 0;
    if (jacobian(n, F, user, x, J, r, work + n)) return -1;
    scale_rows(n, J, r);
    if (mb_solve(n, J, r)) return -1;
    for (int i = 0; i < n; i++) {
        largest = fmax(largest, fabs(r[i]) / (1 + fabs(x[i])));
        size = fmax(size, fabs(r[i]));
    }
    const double part = size > most ? most / size : 1;
    for (int i = 0; i < n; i++) x[i] -= part * r[i];
    return isfinite(largest) ? largest : -1;
}

int mb_newton(int n, mb_function *F, void *user, double most, double *x, resida_message *why)
{
    double *work = bench_alloc(n * (n + 3), sizeof *work, why);
    if (!work) return 1;
    double before = INFINITY, now = 0;
    int done = 0;
    for (int i = 0; i < MOST_ITERATIONS && !done && now >= 0; i++) {
        now = iterate(n, F, user, most, x, work);
        done = now >= 0 && (now < 1e-16 || (now < 1e-9 && now >= before));
        before = now;
    }
    free(work);
    if (!done && why) snprintf(why->text, sizeof why->text, "no equilibrium: Newton's method does not converge");
    return !done;
}
