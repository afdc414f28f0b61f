/* modes.c - eigenvalues of E x' = A x. With E = U S V', x = V (x1, x2), the first r of S not 0:
 *
 *     S x1' = A11 x1 + A12 x2,   0 = A21 x1 + A22 x2,   so   x1' = S^-1 (A11 - A12 A22^-1 A21) x1
 *
 * A22 is regular if and only if the index is 1 (E. Griepentrog, R. Maerz, Differential-Algebraic Equations and Their
 * Numerical Treatment, 1986). Nothing is left to the rounding of infinite eigenvalues.
 *
 * Eigenvalues that rounding hides beside the fastest are found a second way, as 1/mu of A^-1 E, where A is regular. */
#include "modes.h"

#include "src/linear/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define NO_MASS    1e-9  /* of the largest singular value of E, scaled */
#define SLOW       1e-9  /* of the fastest eigenvalue: what is slower rounding hides */
#define SINGULAR_A 1e-10 /* 1/condition of A22 */

typedef struct pencil {
    int n, r;
    double *E, *A;          /* [n x n] */
    double *E0, *A0;        /* [n x n] as they were, scaled */
    double *U, *Vt, *s;     /* of E */
    double *B, *A22, *work; /* [n x n] twice, [n_work] */
    double *cond;           /* [4 n], and behind it: */
    double *re1, *im1;      /* [n] eigenvalues the second way */
    int *pivots, n_work;    /* [2 n] */
} pencil;

/* Rows to a largest entry of E of 1, or of A where there is none; then columns. */
static void scale(pencil *q)
{
    const int n = q->n;
    for (int by_column = 0; by_column < 2; by_column++)
        for (int i = 0; i < n; i++) {
            const long step = by_column ? 1 : n, from = by_column ? (long)i * n : i;
            double e = 0, a = 0;
            for (int j = 0; j < n; j++) {
                e = fmax(e, fabs(q->E[from + j * step]));
                a = fmax(a, fabs(q->A[from + j * step]));
            }
            const double size = fmax(e, NO_MASS * a);
            for (int j = 0; j < n && size > 0; j++) q->E[from + j * step] /= size, q->A[from + j * step] /= size;
        }
}

/* C [n x n] = U' A V, by way of the work matrix W. */
static void rotate(const pencil *q, double *W, double *C)
{
    const int n = q->n;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += q->U[(long)i * n + k] * q->A[(long)j * n + k];
            W[(long)j * n + i] = sum;
        }
    memset(C, 0, (size_t)n * (size_t)n * sizeof *C);
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++) {
            const double v = q->Vt[(long)k * n + j];
            for (int i = 0; i < n; i++) C[(long)j * n + i] += W[(long)k * n + i] * v;
        }
}

/* B [r x r] of x1' = B x1, from C = U' A V in q->A; 0: A22 is singular. */
static int reduce(pencil *q)
{
    const int n = q->n, r = q->r, m = n - r;
    const double *C = q->A;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++) q->A22[(long)j * m + i] = C[(long)(r + j) * n + r + i];
    const double norm = rsd_norm1(m, q->A22);
    if (rsd_lu_factor(m, q->A22, q->pivots)) return 0;
    if (m > 0 && !(rsd_lu_rcond(m, q->A22, norm, q->cond, q->pivots + n) > SINGULAR_A)) return 0;
    for (int j = 0; j < r; j++) {
        double *x = q->work;
        memcpy(x, C + (long)j * n + r, (size_t)m * sizeof *x);
        rsd_lu_solve(m, q->A22, q->pivots, x);
        for (int i = 0; i < r; i++) {
            double sum = C[(long)j * n + i];
            for (int k = 0; k < m; k++) sum -= C[(long)(r + k) * n + i] * x[k];
            q->B[(long)j * r + i] = sum / q->s[i];
        }
    }
    return 1;
}

static double size_of(const double *re, const double *im, int i)
{
    return hypot(re[i], im[i]);
}

/* Rising, pairs stay together. Insertion: there are a few hundred. */
static void sort(int n, double *re, double *im)
{
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && size_of(re, im, k) < size_of(re, im, k - 1); k--) {
            const double x = re[k], y = im[k];
            re[k] = re[k - 1], im[k] = im[k - 1];
            re[k - 1] = x, im[k - 1] = y;
        }
}

/* mu of A^-1 E into re1, im1, as 1/mu, infinite ones last. 0: A is singular */
static int invert(pencil *q)
{
    const int n = q->n;
    const double norm = rsd_norm1(n, q->A0);
    if (rsd_lu_factor(n, q->A0, q->pivots)) return 0;
    if (!(rsd_lu_rcond(n, q->A0, norm, q->cond, q->pivots + n) > n * DBL_EPSILON)) return 0;
    for (int j = 0; j < n; j++) rsd_lu_solve(n, q->A0, q->pivots, q->E0 + (long)j * n);
    if (rsd_dense_eigenvalues(n, q->E0, q->re1, q->im1, q->work, q->n_work)) return 0;
    for (int i = 0; i < n; i++) {
        const double size = size_of(q->re1, q->im1, i), square = size * size;
        q->re1[i] = square > 0 ? q->re1[i] / square : INFINITY;
        q->im1[i] = square > 0 ? -q->im1[i] / square : 0;
    }
    sort(n, q->re1, q->im1);
    return 1;
}

/* What is slow beside the fastest is taken from the inverse, as far as it is fast beside the slowest. A pair is not
 * parted: both are as fast. @return how many remain that are not told from 0 */
static int find_slow(pencil *q, double *re, double *im)
{
    int slow = 0;
    sort(q->r, re, im);
    while (slow < q->r && size_of(re, im, slow) <= SLOW * size_of(re, im, q->r - 1)) slow++;
    if (slow == 0 || !invert(q)) return slow;
    const double least = size_of(q->re1, q->im1, 0);
    if (!(size_of(q->re1, q->im1, slow - 1) * SLOW < least)) return slow;
    memcpy(re, q->re1, (size_t)slow * sizeof *re);
    memcpy(im, q->im1, (size_t)slow * sizeof *im);
    return 0;
}

static rsd_modes_outcome solve(pencil *q, int *n_modes, int *n_hidden, double *re, double *im)
{
    const size_t bytes = (size_t)q->n * (size_t)q->n * sizeof *q->A;
    scale(q);
    memcpy(q->E0, q->E, bytes);
    memcpy(q->A0, q->A, bytes);
    if (rsd_dense_singular_values(q->n, q->n, q->E, q->s, q->U, q->Vt, q->work, q->n_work))
        return RSD_MODES_NOT_CONVERGED;
    while (q->r < q->n && q->s[q->r] > NO_MASS * q->s[0]) q->r++;
    rotate(q, q->B, q->E);
    memcpy(q->A, q->E, bytes);
    if (!reduce(q)) return RSD_MODES_INDEX;
    if (rsd_dense_eigenvalues(q->r, q->B, re, im, q->work, q->n_work)) return RSD_MODES_NOT_CONVERGED;
    *n_modes = q->r;
    *n_hidden = q->r > 0 ? find_slow(q, re, im) : 0;
    return RSD_MODES_FOUND;
}

rsd_modes_outcome rsd_modes_find(int n, double *E, double *A, const resida_allocator *a, int *n_modes, int *n_hidden,
                                 double *re, double *im)
{
    *n_modes = *n_hidden = 0;
    if (n < 1) return RSD_MODES_FOUND;
    pencil q = {.n = n, .E = E, .A = A, .n_work = rsd_dense_work(n, n)};
    double **squares[] = {&q.U, &q.Vt, &q.B, &q.A22, &q.E0, &q.A0};
    int all = q.n_work > 0;
    for (int i = 0; i < 6; i++) all &= (*squares[i] = rsd_matrix(a, n, n)) != NULL;
    q.s = rsd_doubles(a, n), q.work = rsd_doubles(a, q.n_work), q.cond = rsd_doubles(a, 6L * n);
    q.re1 = q.cond ? q.cond + 4L * n : NULL, q.im1 = q.cond ? q.re1 + n : NULL;
    q.pivots = rsd_calloc(a, 2L * n, sizeof *q.pivots);
    all &= q.s && q.work && q.cond && q.pivots;
    const rsd_modes_outcome outcome = all ? solve(&q, n_modes, n_hidden, re, im) : RSD_MODES_NO_MEMORY;
    for (int i = 0; i < 6; i++) rsd_free(a, *squares[i]);
    rsd_free(a, q.s);
    rsd_free(a, q.work);
    rsd_free(a, q.cond);
    rsd_free(a, q.pivots);
    return outcome;
}
