/* start_kernel.c - see start_kernel.h. The rank of a block is found by rank.c, by QR with column pivoting. A large
 * square block that is clearly regular, such as the mass matrix of finite elements, is recognised by its sparse
 * factors. The least singular value of a matrix A is found by inverse iteration with A'A. */
#include "start_kernel.h"

#include "src/linear/condition.h"

#include <math.h>
#include <string.h>

enum { KERNEL = -1, NO_COLUMN = -1 };
enum { DENSE_UP_TO = 32 };   /* columns of a block: QR is as fast as sparse factors */
#define SINGULAR_VALUE 1e-14 /* least relative singular value of a matrix that is regular to rounding */
#define RANK_MARGIN    10.0  /* times the tolerance of the rank: a least singular value above is clearly regular */

/* --- factors and least singular values --- */

static void free_factors(rsd_start_factors *f, const resida_allocator *alloc)
{
    rsd_sparsity_free(&f->pattern, alloc);
    RSD_FREE(alloc, f->values, f->by_rows);
    rsd_linear_free(f->direct);
    rsd_linear_free(f->transposed);
    *f = (rsd_start_factors){.values = NULL};
}

static int has_same_pattern(const rsd_start_factors *f, int n, const rsd_entries *list)
{
    int has = f->transposed && f->pattern.rows == n && f->pattern.nnz == list->n;
    for (long e = 0; e < list->n && has; e++) has = rsd_sparsity_contains(&f->pattern, list->row[e], list->column[e]);
    return has;
}

static resida_status set_pattern(rsd_start_factors *f, int n, const rsd_entries *list, const resida_allocator *alloc)
{
    rsd_sparsity *q = &f->pattern;
    free_factors(f, alloc);
    RSD_TRY(rsd_sparsity_from_pairs(q, n, n, list->n, list->row, list->column, alloc, NULL));
    if (!RSD_DOUBLES(alloc, q->nnz, &f->values, &f->by_rows)) return RESIDA_ERR_MEMORY;
    RSD_TRY(rsd_linear_create(&f->direct, n, "auto", alloc, NULL));
    RSD_TRY(rsd_linear_set_pattern(f->direct, q->col_start, q->row, NULL));
    RSD_TRY(rsd_linear_create(&f->transposed, n, "auto", alloc, NULL));
    return rsd_linear_set_pattern(f->transposed, q->row_start, q->col, NULL);
}

/* The matrix [n x n] of a list of entries without repetitions. */
static resida_status set_matrix(rsd_start_factors *f, int n, const rsd_entries *list, const resida_allocator *alloc)
{
    if (list->failed) return RESIDA_ERR_MEMORY;
    const resida_status status = has_same_pattern(f, n, list) ? RESIDA_OK : set_pattern(f, n, list, alloc);
    if (status < 0) free_factors(f, alloc);
    if (status < 0) return status;
    for (long e = 0; e < list->n; e++)
        f->values[rsd_sparsity_find(&f->pattern, list->row[e], list->column[e])] = list->value[e];
    return RESIDA_OK;
}

static void solve_both(void *context, double *x)
{
    const rsd_start_factors *f = context;
    rsd_linear_solve(f->transposed, 1, x);
    rsd_linear_solve(f->direct, 1, x);
}

/* *inverse: the 2-norm of the inverse; INFINITY: singular. x [n]: the right singular vector of the least singular
 * value. */
static resida_status inverse_norm(rsd_start_factors *f, double *x, double *inverse)
{
    const rsd_sparsity *q = &f->pattern;
    for (int e = 0; e < q->nnz; e++) f->by_rows[e] = f->values[q->csr_to_csc[e]];
    rsd_linear_forget(f->direct);
    rsd_linear_forget(f->transposed);
    int verdict = rsd_linear_factor(f->direct, f->values);
    memset(x, 0, (size_t)q->cols * sizeof *x);
    if (verdict > 0) x[verdict - 1] = 1;
    *inverse = INFINITY;
    if (!verdict) verdict = rsd_linear_factor(f->transposed, f->by_rows);
    if (!verdict) *inverse = sqrt(rsd_inverse_norm(q->cols, solve_both, f, x));
    return verdict < 0 ? RESIDA_ERR_MEMORY : RESIDA_OK;
}

resida_status rsd_start_kernel_create(rsd_start_kernel *k, int n, const resida_allocator *alloc)
{
    *k = (rsd_start_kernel){.n = n};
    return RSD_INTS(alloc, n + 1L, &k->source, &k->list, &k->leader, &k->mark, &k->place) &&
                   RSD_DOUBLES(alloc, n, &k->row, &k->column, &k->x, &k->sum)
               ? RESIDA_OK
               : RESIDA_ERR_MEMORY;
}

void rsd_start_kernel_free(rsd_start_kernel *k, const resida_allocator *alloc)
{
    RSD_FREE(alloc, k->source, k->list, k->leader, k->mark, k->place, k->row, k->column, k->x, k->sum);
    rsd_entries_free(&k->N, alloc);
    rsd_entries_free(&k->B, alloc);
    free_factors(&k->of_B, alloc);
    free_factors(&k->of_M, alloc);
    rsd_rank_free(&k->rank, alloc);
    *k = (rsd_start_kernel){.n = 0};
}

/* --- blocks of M --- */

static int leader_of(rsd_start_kernel *k, int c)
{
    while (k->leader[c] != c) c = k->leader[c] = k->leader[k->leader[c]];
    return c;
}

/* Columns that are connected by rows have the same leader, the first of them, and are adjacent in the list. */
static void find_blocks(rsd_start_kernel *k, const rsd_start_parts *p)
{
    const rsd_sparsity *q = p->pattern;
    for (int i = 0; i < k->n; i++) k->mark[i] = NO_COLUMN, k->leader[i] = i;
    for (int c = 0; c < k->n; c++)
        for (int e = q->col_start[c]; e < q->col_start[c + 1]; e++) {
            if (p->M[e] == 0) continue;
            int *seen = &k->mark[q->row[e]];
            const int a = leader_of(k, c), b = *seen == NO_COLUMN ? a : leader_of(k, *seen);
            k->leader[a > b ? a : b] = a > b ? b : a;
            *seen = c;
        }
    memset(k->place, 0, ((size_t)k->n + 1) * sizeof *k->place);
    for (int c = 0; c < k->n; c++) k->place[(k->leader[c] = leader_of(k, c)) + 1]++;
    for (int c = 0; c < k->n; c++) k->place[c + 1] += k->place[c];
    for (int c = 0; c < k->n; c++) k->list[k->place[k->leader[c]]++] = c;
    for (int i = 0; i < k->n; i++) k->mark[i] = NO_COLUMN;
}

/* A block: its columns, and the number of its rows; mark is the index of a row in it. */
typedef struct block {
    const int *columns;
    int n_columns, n_rows;
} block;

static void number_rows(rsd_start_kernel *k, const rsd_start_parts *p, block *b)
{
    const rsd_sparsity *q = p->pattern;
    for (int j = 0; j < b->n_columns; j++)
        for (int e = q->col_start[b->columns[j]]; e < q->col_start[b->columns[j] + 1]; e++)
            if (p->M[e] != 0 && k->mark[q->row[e]] == NO_COLUMN) k->mark[q->row[e]] = b->n_rows++;
}

static void add_range_column(rsd_start_kernel *k, const rsd_start_parts *p, int c, const resida_allocator *alloc)
{
    const rsd_sparsity *q = p->pattern;
    for (int e = q->col_start[c]; e < q->col_start[c + 1]; e++)
        if (p->M[e] != 0) rsd_entries_add(&k->B, alloc, 4L * k->n, q->row[e], k->n_columns, p->M[e]);
    k->source[k->n_columns++] = c;
}

/* The same by a difference along N, in work space that is free until B is scaled. */
static int add_kernel_by_difference(rsd_start_kernel *k, const rsd_start_parts *p, long from,
                                    const resida_allocator *alloc)
{
    double *N = k->row, *KN = k->column;
    if (k->N.failed) return RESIDA_ERR_MEMORY;
    memset(N, 0, (size_t)k->n * sizeof *N);
    for (long i = from; i < k->N.n; i++) N[k->N.row[i]] = k->N.value[i];
    const int verdict = p->along(p->context, N, KN);
    for (int i = 0; i < k->n && !verdict; i++)
        if (KN[i] != 0) rsd_entries_add(&k->B, alloc, 4L * k->n, i, k->n_columns, KN[i]);
    k->source[k->n_columns++] = KERNEL;
    return verdict;
}

/* Add K N to B, for the column of N with the entries from `from` on. */
static int add_kernel_column(rsd_start_kernel *k, const rsd_start_parts *p, long from, const resida_allocator *alloc)
{
    const rsd_sparsity *q = p->pattern;
    int n_touched = 0;
    if (!p->K) return add_kernel_by_difference(k, p, from, alloc);
    for (long i = from; i < k->N.n && !k->N.failed; i++) {
        const int c = k->N.row[i];
        for (int e = q->col_start[c]; e < q->col_start[c + 1]; e++) {
            if (p->K[e] == 0) continue;
            if (k->sum[q->row[e]] == 0) k->place[n_touched++] = q->row[e];
            k->sum[q->row[e]] += p->K[e] * k->N.value[i];
        }
    }
    for (int i = 0; i < n_touched; i++) {
        const int row = k->place[i];
        if (k->sum[row] != 0) rsd_entries_add(&k->B, alloc, 4L * k->n, row, k->n_columns, k->sum[row]);
        k->sum[row] = 0;
    }
    k->source[k->n_columns++] = KERNEL;
    return 0;
}

/* Norm of column c of M, rows scaled. */
static double scaled_norm(const rsd_start_parts *p, int c)
{
    double norm = 0;
    for (int e = p->pattern->col_start[c]; e < p->pattern->col_start[c + 1]; e++)
        norm = hypot(norm, p->row[p->pattern->row[e]] * p->M[e]);
    return norm;
}

/* Confirm the change of F along the direction k->x of the block. */
static int confirm(rsd_start_kernel *k, const rsd_start_parts *p, const block *b, int *is_regular)
{
    const rsd_sparsity *q = p->pattern;
    double *dyp = k->row, *change = k->column; /* free until B is scaled */
    memset(dyp, 0, (size_t)k->n * sizeof *dyp);
    memset(change, 0, (size_t)k->n * sizeof *change);
    for (int j = 0; j < b->n_columns; j++) {
        const int c = b->columns[j];
        dyp[c] = k->x[j] / scaled_norm(p, c);
        for (int e = q->col_start[c]; e < q->col_start[c + 1]; e++) change[q->row[e]] += p->M[e] * dyp[c];
    }
    return p->confirm(p->context, dyp, change, is_regular);
}

/* *is_regular 1: a large block, scaled as in rank.c, is clearly regular; 0: rank.c decides. */
static resida_status test_large_block(rsd_start_kernel *k, const rsd_start_parts *p, const block *b, int *is_regular,
                                      const resida_allocator *alloc)
{
    const rsd_sparsity *q = p->pattern;
    rsd_entries M = {.n = 0};
    double inverse = INFINITY;
    for (int j = 0; j < b->n_columns; j++) {
        const int c = b->columns[j];
        const double norm = scaled_norm(p, c);
        for (int e = q->col_start[c]; e < q->col_start[c + 1]; e++)
            if (p->M[e] != 0)
                rsd_entries_add(&M, alloc, 4L * b->n_columns, k->mark[q->row[e]], j,
                                p->row[q->row[e]] * p->M[e] / norm);
    }
    resida_status status = set_matrix(&k->of_M, b->n_columns, &M, alloc);
    if (status >= 0) status = inverse_norm(&k->of_M, k->x, &inverse);
    *is_regular = inverse * RANK_MARGIN * p->tolerance < 1;
    if (status >= 0 && !*is_regular && inverse * SINGULAR_VALUE < 1 && p->confirm)
        status = confirm(k, p, b, is_regular);
    rsd_entries_free(&M, alloc);
    return status;
}

/* Allocate the rank of a block, and set its matrix to zero. */
static resida_status reserve_rank(rsd_start_kernel *k, const block *b, const resida_allocator *alloc)
{
    rsd_rank *rank = &k->rank;
    if (b->n_columns > k->rank_columns || b->n_rows > k->rank_rows) {
        rsd_rank_free(rank, alloc);
        k->rank_columns = k->rank_rows = 0;
        RSD_TRY(rsd_rank_create(rank, b->n_columns, b->n_rows, alloc, NULL));
        RSD_TRY(rsd_rank_reserve(rank, alloc, NULL));
        k->rank_columns = b->n_columns, k->rank_rows = b->n_rows;
    }
    rank->n_l = b->n_columns, rank->n_v = b->n_rows;
    memset(rank->Q, 0, (size_t)b->n_columns * (size_t)b->n_rows * sizeof *rank->Q);
    return RESIDA_OK;
}

/* Range and kernel of the block: each dependent column, as a combination of the others, gives a column of N. */
static resida_status find_block_kernel(rsd_start_kernel *k, const rsd_start_parts *p, const block *b,
                                       const resida_allocator *alloc)
{
    const rsd_sparsity *q = p->pattern;
    rsd_rank *rank = &k->rank;
    resida_status status = reserve_rank(k, b, alloc);
    if (status < 0) return status;
    for (int j = 0; j < b->n_columns; j++)
        for (int e = q->col_start[b->columns[j]]; e < q->col_start[b->columns[j] + 1]; e++)
            if (p->M[e] != 0) rank->Q[(long)j * b->n_rows + k->mark[q->row[e]]] = p->row[q->row[e]] * p->M[e];
    rsd_rank_find(rank, rank->Q, p->tolerance);
    for (int r = 0; r < rank->rank; r++) add_range_column(k, p, b->columns[rank->perm[r]], alloc);
    for (int i = 0; i < rank->n_redundant && !status; i++) {
        const double *c = rsd_rank_combination(rank, i);
        const long from = k->N.n;
        double most = 1;
        for (int r = 0; r < rank->rank; r++) most = fmax(most, fabs(c[r]));
        rsd_entries_add(&k->N, alloc, k->n, b->columns[rank->redundant[i]], k->n_columns, 1 / most);
        for (int r = 0; r < rank->rank; r++)
            if (c[r] != 0) rsd_entries_add(&k->N, alloc, k->n, b->columns[rank->perm[r]], k->n_columns, -c[r] / most);
        status = add_kernel_column(k, p, from, alloc);
    }
    return status;
}

static resida_status add_block(rsd_start_kernel *k, const rsd_start_parts *p, block b, const resida_allocator *alloc)
{
    const rsd_sparsity *q = p->pattern;
    resida_status status = RESIDA_OK;
    int is_regular = 0;
    number_rows(k, p, &b);
    if (b.n_columns == b.n_rows && b.n_columns > DENSE_UP_TO) status = test_large_block(k, p, &b, &is_regular, alloc);
    is_regular |= b.n_columns == 1 && b.n_rows > 0;
    for (int j = 0; j < b.n_columns && is_regular; j++) add_range_column(k, p, b.columns[j], alloc);
    if (status >= 0 && !is_regular && b.n_rows == 0) {
        rsd_entries_add(&k->N, alloc, k->n, b.columns[0], k->n_columns, 1);
        status = add_kernel_column(k, p, k->N.n - 1, alloc);
    } else if (status >= 0 && !is_regular)
        status = find_block_kernel(k, p, &b, alloc);
    for (int j = 0; j < b.n_columns; j++)
        for (int e = q->col_start[b.columns[j]]; e < q->col_start[b.columns[j] + 1]; e++)
            k->mark[q->row[e]] = NO_COLUMN;
    return status;
}

/* --- B --- */

/* Scale rows, then columns, to a largest entry of 1. @return the 1-norm */
static double scale_B(rsd_start_kernel *k, const rsd_sparsity *q, double *B)
{
    double norm = 0;
    memset(k->row, 0, (size_t)k->n * sizeof *k->row);
    for (int e = 0; e < q->nnz; e++) k->row[q->row[e]] = fmax(k->row[q->row[e]], fabs(B[e]));
    for (int i = 0; i < k->n; i++) k->row[i] = k->row[i] > 0 ? 1 / k->row[i] : 0;
    for (int c = 0; c < k->n; c++) {
        double most = 0, sum = 0;
        for (int e = q->col_start[c]; e < q->col_start[c + 1]; e++) most = fmax(most, fabs(B[e] *= k->row[q->row[e]]));
        k->column[c] = most > 0 ? 1 / most : 0;
        for (int e = q->col_start[c]; e < q->col_start[c + 1]; e++) sum += fabs(B[e] *= k->column[c]);
        norm = fmax(norm, sum);
    }
    return norm;
}

/* The component with the largest part of the direction x [n] of columns of B. */
static int worst_component(const rsd_start_kernel *k, const double *x)
{
    int column = 0, worst = 0;
    double most = 0;
    for (int c = 1; c < k->n; c++)
        if (fabs(x[c]) > fabs(x[column])) column = c;
    if (k->source[column] != KERNEL) return k->source[column];
    for (long i = 0; i < k->N.n; i++)
        if (k->N.column[i] == column && fabs(k->N.value[i]) > most) {
            worst = k->N.row[i];
            most = fabs(k->N.value[i]);
        }
    return worst;
}

static resida_status factor_B(rsd_start_kernel *k, double *rcond, const resida_allocator *alloc)
{
    double inverse;
    RSD_TRY(set_matrix(&k->of_B, k->n, &k->B, alloc));
    const double norm = scale_B(k, &k->of_B.pattern, k->of_B.values);
    RSD_TRY(inverse_norm(&k->of_B, k->x, &inverse));
    *rcond = 1 / (norm * inverse);
    k->worst = worst_component(k, k->x);
    return RESIDA_OK;
}

resida_status rsd_start_kernel_find(rsd_start_kernel *k, const rsd_start_parts *p, double *rcond,
                                    const resida_allocator *alloc)
{
    resida_status status = RESIDA_OK;
    k->n_columns = k->N.failed = k->B.failed = 0;
    k->N.n = k->B.n = 0;
    find_blocks(k, p);
    for (int first = 0, last = 0; first < k->n && !status; first = last) {
        while (last < k->n && k->leader[k->list[last]] == k->leader[k->list[first]]) last++;
        status = add_block(k, p, (block){k->list + first, last - first, 0}, alloc);
    }
    return status ? status : factor_B(k, rcond, alloc);
}

/* dyp and dy of the scaled solution s [n]. */
static void expand_solution(const rsd_start_kernel *k, double *s, double *dy, double *dyp)
{
    for (int c = 0; c < k->n; c++) {
        s[c] *= k->column[c];
        if (k->source[c] != KERNEL) dyp[k->source[c]] = s[c];
    }
    for (long i = 0; i < k->N.n; i++) dy[k->N.row[i]] += k->N.value[i] * s[k->N.column[i]];
}

void rsd_start_kernel_worst(rsd_start_kernel *k, double *dy, double *dyp, double *change)
{
    expand_solution(k, k->x, dy, dyp);
    for (long e = 0; e < k->B.n; e++) change[k->B.row[e]] += k->B.value[e] * k->x[k->B.column[e]];
}

void rsd_start_kernel_solve(rsd_start_kernel *k, const double *F, double *dy, double *dyp)
{
    for (int i = 0; i < k->n; i++) k->x[i] = k->row[i] * F[i];
    rsd_linear_solve(k->of_B.direct, 1, k->x);
    expand_solution(k, k->x, dy, dyp);
}
