/* start_matrix.c - see start_matrix.h. */
#include "start_matrix.h"

#include "src/base/numbers.h"
#include "src/linear/dense.h"
#include "src/problem/problem_impl.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define DENSE_PART     0.25  /* of all places: with so many entries factors are full */
#define DEPENDENT      1e-6  /* of a column of M by differences: less is not new */
#define DEPENDENT_ALSO 1e-12 /* of one that is given */
#define CLEARLY        0.01  /* of that: as much rounding may be */
#define SINGULAR       1e-7  /* 1/cond of B by differences */
#define SINGULAR_ALSO  1e-14 /* of one that is given */
#define DOUBTFUL       1e-4  /* 1/cond: B may be singular, and what it leads to far away says nothing */

static resida_status no_memory(rsd_start_matrix *x, resida_message *why)
{
    int n = x->n;
    rsd_start_matrix_free(x);
    return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for the consistent start of a DAE of %d unknowns", n);
}

/* The model's pattern by columns, or where it gives none all places. */
static resida_status make_pattern(rsd_start_matrix *x)
{
    const rsd_csr *J = &x->problem->J;
    const resida_allocator *a = &x->problem->alloc;
    const long nnz = x->has_pattern ? J->nnz : (long)x->n * x->n;
    rsd_sparsity pattern = {.rows = 0};
    int *row = rsd_calloc(a, nnz, sizeof(int)), *col = rsd_calloc(a, nnz, sizeof(int));
    for (long e = 0; e < nnz && row && col && !x->has_pattern; e++) row[e] = (int)(e % x->n), col[e] = (int)(e / x->n);
    for (int i = 0; i < J->rows && row && col && x->has_pattern; i++)
        for (int e = J->row[i]; e < J->row[i + 1]; e++) row[e] = i, col[e] = J->col[e];
    resida_status status =
        row && col ? rsd_sparsity_from_pairs(&pattern, x->n, x->n, nnz, row, col, a, NULL) : RESIDA_ERR_MEMORY;
    rsd_free(a, row);
    rsd_free(a, col);
    return status < 0 ? status : rsd_start_take_pattern(x, &pattern);
}

/* What a dense start needs besides. */
static int make_dense(rsd_start_matrix *x, resida_message *why)
{
    const resida_allocator *a = &x->problem->alloc;
    const int n = x->n;
    x->N = rsd_matrix(a, n, n);
    x->B = rsd_matrix(a, n, n);
    x->work = rsd_doubles(a, 4L * n);
    x->pivots = rsd_calloc(a, n, sizeof(int));
    x->iwork = rsd_calloc(a, n, sizeof(int));
    return x->N && x->B && x->work && x->pivots && x->iwork && rsd_rank_create(&x->rank, n, n, a, why) >= 0 &&
           rsd_rank_reserve(&x->rank, a, why) >= 0;
}

resida_status rsd_start_matrix_create(rsd_start_matrix *x, resida_problem *problem, int sparse_from,
                                      resida_message *why)
{
    const resida_allocator *a = &problem->alloc;
    const int n = problem->layout.n;
    *x = (rsd_start_matrix){.problem = problem, .n = n, .is_given = problem->dae.jacobian != NULL};
    x->has_pattern = problem->J.row != NULL;
    x->is_sparse = n >= sparse_from;
    double **const vectors[] = {&x->delta,  &x->y,     &x->yp,    &x->r,      &x->row,
                                &x->column, &x->noise, &x->least, &x->F_noise};
    int all = 1;
    for (int k = 0; k < 9; k++) all &= (*vectors[k] = rsd_doubles(a, n)) != NULL;
    if (all && !x->is_sparse) all = make_dense(x, why);
    if (all && (x->has_pattern || !x->is_sparse)) all = make_pattern(x) >= 0;
    if (all && x->is_given) all = (x->J = rsd_doubles(a, problem->J.nnz)) != NULL;
    if (all && x->is_sparse) all = rsd_start_kernel_create(&x->kernel, n, a) >= 0;
    return all ? RESIDA_OK : no_memory(x, why);
}

void rsd_start_matrix_free(rsd_start_matrix *x)
{
    const resida_allocator *a = &x->problem->alloc;
    void *blocks[] = {x->M,      x->N,    x->B,      x->delta, x->y,     x->yp, x->r,     x->row,    x->J,
                      x->column, x->work, x->pivots, x->iwork, x->noise, x->K,  x->least, x->F_noise};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) rsd_free(a, blocks[k]);
    rsd_rank_free(&x->rank, a);
    rsd_sparsity_free(&x->pattern, a);
    rsd_colouring_free(&x->colours, a);
    rsd_start_kernel_free(&x->kernel, a);
    *x = (rsd_start_matrix){.problem = NULL};
}

/* Less than this part of a column of M is not new. */
static double dependent(const rsd_start_matrix *x)
{
    return x->is_given ? DEPENDENT_ALSO : DEPENDENT;
}

/* --- B --- */

/* Rows of M are scaled to a largest entry of 1, but not so far that rounding would look like an entry. */
static void scale_M(rsd_start_matrix *x)
{
    memset(x->row, 0, (size_t)x->n * sizeof *x->row);
    for (int e = 0; e < x->pattern.nnz; e++) x->row[x->pattern.row[e]] = fmax(x->row[x->pattern.row[e]], fabs(x->M[e]));
    for (int i = 0; i < x->n; i++) {
        double most = fmax(x->row[i], x->noise[i] / (CLEARLY * dependent(x)));
        x->row[i] = most > 0 ? 1 / most : 0;
    }
}

static void find_rank(rsd_start_matrix *x)
{
    const rsd_sparsity *q = &x->pattern;
    memset(x->rank.Q, 0, (size_t)x->n * (size_t)x->n * sizeof *x->rank.Q);
    for (int c = 0; c < x->n; c++)
        for (int e = q->col_start[c]; e < q->col_start[c + 1]; e++)
            x->rank.Q[(long)c * x->n + q->row[e]] = x->row[q->row[e]] * x->M[e];
    rsd_rank_find(&x->rank, x->rank.Q, dependent(x));
}

/* Columns of N from M: component c is free, and takes others with it. */
static void find_kernel(rsd_start_matrix *x)
{
    const int n = x->n;
    for (int k = 0; k < x->rank.n_redundant; k++) {
        const double *c = rsd_rank_combination(&x->rank, k);
        double *N = x->N + (long)k * n, most = 1;
        memset(N, 0, (size_t)n * sizeof *N);
        N[x->rank.redundant[k]] = 1;
        for (int i = 0; i < x->rank.rank; i++) {
            N[x->rank.perm[i]] = -c[i];
            most = fmax(most, fabs(c[i]));
        }
        for (int i = 0; i < n; i++) N[i] /= most;
    }
}

static void multiply(const rsd_start_matrix *x, const double *N, double *out)
{
    memset(out, 0, (size_t)x->n * sizeof *out);
    for (int c = 0; c < x->n; c++)
        for (int e = x->pattern.col_start[c]; e < x->pattern.col_start[c + 1]; e++)
            out[x->pattern.row[e]] += x->K[e] * N[c];
}

static int fill(rsd_start_matrix *x, const rsd_start_point *at)
{
    const int n = x->n, rank = x->rank.rank;
    const rsd_sparsity *q = &x->pattern;
    int verdict = 0;
    memset(x->B, 0, (size_t)rank * (size_t)n * sizeof *x->B);
    for (int k = 0; k < rank; k++)
        for (int e = q->col_start[x->rank.perm[k]]; e < q->col_start[x->rank.perm[k] + 1]; e++)
            x->B[(long)k * n + q->row[e]] = x->M[e];
    for (int k = 0; k < n - rank && !verdict; k++) {
        const double *N = x->N + (long)k * n;
        double *out = x->B + (long)(rank + k) * n;
        if (x->has_pattern)
            multiply(x, N, out);
        else
            verdict = rsd_start_difference_along(x, at, N, out);
    }
    return verdict;
}

/* Rows, then columns, to a largest entry of 1; the factors. */
static void factor(rsd_start_matrix *x)
{
    const int n = x->n;
    memset(x->row, 0, (size_t)n * sizeof *x->row);
    for (long k = 0; k < (long)n * n; k++) x->row[k % n] = fmax(x->row[k % n], fabs(x->B[k]));
    for (int i = 0; i < n; i++) x->row[i] = x->row[i] > 0 ? 1 / x->row[i] : 0;
    for (int c = 0; c < n; c++) {
        double *B = x->B + (long)c * n, most = 0;
        for (int i = 0; i < n; i++) most = fmax(most, fabs(B[i] *= x->row[i]));
        x->column[c] = most > 0 ? 1 / most : 0;
        for (int i = 0; i < n; i++) B[i] *= x->column[c];
    }
    double norm = rsd_norm1(n, x->B);
    x->rcond = rsd_lu_factor(n, x->B, x->pivots) ? 0 : rsd_lu_rcond(n, x->B, norm, x->work, x->iwork);
}

/* Most places have entries. */
static resida_status become_dense(rsd_start_matrix *x)
{
    x->is_sparse = 0;
    x->has_pattern = x->problem->J.row != NULL;
    if (!make_dense(x, NULL)) return RESIDA_ERR_MEMORY;
    return x->has_pattern ? RESIDA_OK : make_pattern(x);
}

typedef struct place {
    rsd_start_matrix *x;
    const rsd_start_point *at;
} place;

static int confirm_M(void *context, const double *dyp, const double *change, int *agrees)
{
    const place *here = context;
    rsd_start_matrix *x = here->x;
    const size_t bytes = (size_t)x->n * sizeof *dyp;
    memset(x->y, 0, bytes);
    memcpy(x->yp, dyp, bytes);
    memcpy(x->column, change, bytes);
    return rsd_start_confirm(x, here->at, x->row, agrees);
}

static int find_sparse(rsd_start_matrix *x, const rsd_start_point *at)
{
    place here = {x, at};
    const rsd_start_parts parts = {&x->pattern, x->M, x->K, x->row, dependent(x), x->is_given ? NULL : confirm_M,
                                   &here};
    const size_t bytes = (size_t)x->n * sizeof *x->y;
    int is_regular = 0;
    int verdict = rsd_start_kernel_find(&x->kernel, &parts, &x->rcond, &x->problem->alloc);
    if (verdict || rsd_start_matrix_is_singular(x) == 0 || !(x->rcond > SINGULAR_ALSO)) return verdict;
    memset(x->y, 0, bytes);
    memset(x->yp, 0, bytes);
    memset(x->column, 0, bytes);
    rsd_start_kernel_worst(&x->kernel, x->y, x->yp, x->column);
    verdict = rsd_start_confirm(x, at, x->kernel.row, &is_regular);
    if (is_regular) x->rcond = 2 * SINGULAR;
    return verdict;
}

int rsd_start_matrix_find(rsd_start_matrix *x, const rsd_start_point *at)
{
    memcpy(x->y, at->y, (size_t)x->n * sizeof *x->y);
    memcpy(x->yp, at->yp, (size_t)x->n * sizeof *x->yp);
    memset(x->noise, 0, (size_t)x->n * sizeof *x->noise);
    int verdict = x->is_sparse && !x->problem->J.row ? rsd_start_learn(x, at) : 0;
    if (!verdict && x->is_sparse && x->pattern.nnz > DENSE_PART * x->n * x->n) verdict = become_dense(x);
    if (!verdict) verdict = rsd_start_find_parts(x, at);
    if (verdict) return verdict;
    scale_M(x);
    if (x->is_sparse) return find_sparse(x, at);
    find_rank(x);
    find_kernel(x);
    verdict = fill(x, at);
    if (!verdict) factor(x);
    return verdict;
}

int rsd_start_matrix_is_singular(const rsd_start_matrix *x)
{
    return !(x->rcond > (x->is_given ? SINGULAR_ALSO : SINGULAR));
}

int rsd_start_matrix_is_doubtful(const rsd_start_matrix *x)
{
    return !(x->rcond > DOUBTFUL);
}

int rsd_start_matrix_worst(const rsd_start_matrix *x)
{
    const long n = x->n;
    int k = 0, worst = 0;
    if (x->is_sparse) return x->kernel.worst;
    for (int i = 1; i < n; i++)
        if (fabs(x->B[i * n + i]) < fabs(x->B[k * n + k])) k = i;
    if (k < x->rank.rank) return x->rank.perm[k];
    const double *N = x->N + (k - x->rank.rank) * n;
    for (int i = 1; i < n; i++)
        if (fabs(N[i]) > fabs(N[worst])) worst = i;
    return worst;
}

void rsd_start_matrix_solve(rsd_start_matrix *x, const double *F, double *dy, double *dyp)
{
    const int n = x->n, rank = x->rank.rank;
    double *s = x->r;
    memset(dy, 0, (size_t)n * sizeof *dy);
    memset(dyp, 0, (size_t)n * sizeof *dyp);
    if (x->is_sparse) {
        rsd_start_kernel_solve(&x->kernel, F, dy, dyp);
        return;
    }
    for (int i = 0; i < n; i++) s[i] = x->row[i] * F[i];
    rsd_lu_solve(n, x->B, x->pivots, s);
    for (int k = 0; k < rank; k++) dyp[x->rank.perm[k]] = x->column[k] * s[k];
    for (int k = rank; k < n; k++)
        for (int i = 0; i < n; i++) dy[i] += x->column[k] * s[k] * x->N[(long)(k - rank) * n + i];
}
