/* secant.c - Broyden's correction of J by the steps of the corrector iteration, as pairs of vectors. */
#include "secant.h"

#include <math.h>
#include <string.h>

#include "src/linear/dense.h"
#include "src/base/memory.h"
#include "tuning.h"

struct rsd_secant {
    resida_allocator alloc;
    rsd_linear_solver *linear;
    int n, most, pairs;
    double *U, *V, *Z; /* [most] columns of n; pair k is column (first + k) % most */
    int first;         /* column of the oldest pair */
    double *LU, *c;    /* [most x most] factors of I + V'Z, [most] */
    int *pivots;       /* [most] */
    int factored;      /* LU is of the pairs as they are */
};

resida_status rsd_secant_create(rsd_secant **out, int n, rsd_linear_solver *linear, const resida_allocator *alloc)
{
    rsd_secant *q = *out = rsd_calloc(alloc, 1, sizeof *q);
    if (!q) return RESIDA_ERR_MEMORY;
    int most = RSD_MOST_NUMBERS / n < RSD_MOST_PAIRS ? RSD_MOST_NUMBERS / n : RSD_MOST_PAIRS;
    *q = (rsd_secant){
        .alloc = *alloc, .linear = linear, .n = n, .most = most < RSD_LEAST_PAIRS ? RSD_LEAST_PAIRS : most};
    q->U = rsd_matrix(alloc, n, q->most);
    q->V = rsd_matrix(alloc, n, q->most);
    q->Z = rsd_matrix(alloc, n, q->most);
    q->LU = rsd_matrix(alloc, q->most, q->most);
    q->c = rsd_doubles(alloc, q->most);
    q->pivots = rsd_calloc(alloc, q->most, sizeof *q->pivots);
    if (q->U && q->V && q->Z && q->LU && q->c && q->pivots) return RESIDA_OK;
    rsd_secant_free(q);
    *out = NULL;
    return RESIDA_ERR_MEMORY;
}

void rsd_secant_free(rsd_secant *q)
{
    if (!q) return;
    resida_allocator alloc = q->alloc;
    void *blocks[] = {q->U, q->V, q->Z, q->LU, q->c, q->pivots, q};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) rsd_free(&alloc, blocks[i]);
}

void rsd_secant_forget(rsd_secant *q)
{
    q->pairs = q->first = q->factored = 0;
}

int rsd_secant_pairs(const rsd_secant *q)
{
    return q->pairs;
}

static double *column(const rsd_secant *q, double *of, int k)
{
    return of + (size_t)((q->first + k) % q->most) * (size_t)q->n;
}

static double product(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static void add(int n, double factor, const double *a, double *to)
{
    for (int i = 0; i < n; i++) to[i] += factor * a[i];
}

static void solve_for_Z(rsd_secant *q, int k)
{
    double *z = column(q, q->Z, k);
    memcpy(z, column(q, q->U, k), (size_t)q->n * sizeof *z);
    rsd_linear_solve(q->linear, 1, z);
    q->factored = 0;
}

void rsd_secant_refactored(rsd_secant *q)
{
    q->factored = 0;
    if (q->pairs == 0) return;
    memcpy(q->Z, q->U, (size_t)q->pairs * (size_t)q->n * sizeof *q->Z); /* the ring turns only when it is full */
    rsd_linear_solve(q->linear, q->pairs, q->Z);
}

/* I + V'Z. Pairs that make it singular tell nothing. 0: there are no pairs. */
static int factor(rsd_secant *q)
{
    int m = q->pairs;
    if (q->factored || m == 0) return m > 0;
    for (int k = 0; k < m; k++)
        for (int i = 0; i < m; i++) q->LU[k * m + i] = product(q->n, column(q, q->V, i), column(q, q->Z, k)) + (i == k);
    q->factored = rsd_lu_factor(m, q->LU, q->pivots) == 0;
    for (int k = 0; k < m && q->factored; k++) q->factored = fabs(q->LU[k * m + k]) >= RSD_LEAST_PIVOT;
    if (!q->factored) rsd_secant_forget(q);
    return q->factored;
}

void rsd_secant_correct(rsd_secant *q, double *x)
{
    if (!factor(q)) return;
    for (int k = 0; k < q->pairs; k++) q->c[k] = product(q->n, column(q, q->V, k), x);
    rsd_lu_solve(q->pairs, q->LU, q->pivots, q->c);
    for (int k = 0; k < q->pairs; k++) add(q->n, -q->c[k], column(q, q->Z, k), x);
}

void rsd_secant_learn(rsd_secant *q, const double *w, const double *s, double c, const double *F_before,
                      const double *F_after)
{
    double size = 0, lost = 0;
    for (int i = 0; i < q->n; i++) size += w[i] * s[i] * w[i] * s[i];
    size = sqrt(size);
    if (!(size > 0) || !isfinite(size)) return;
    if (q->pairs == q->most) { /* what the oldest did along s is the newest one's part now, which takes its column */
        lost = product(q->n, column(q, q->V, 0), s);
        q->first = (q->first + 1) % q->most;
        q->pairs--;
    }
    int k = q->pairs;
    double *u = column(q, q->U, k), *v = column(q, q->V, k);
    for (int i = 0; i < q->n; i++) { /* both of the size of a step of length one: pivots of I + V'Z can be compared */
        u[i] = (F_after[i] - F_before[i] + c * F_before[i] + lost * u[i]) / size;
        v[i] = w[i] * w[i] * s[i] / size;
    }
    q->pairs++;
    solve_for_Z(q, k);
}
