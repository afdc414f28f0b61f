/* start_kernel.c - computes rank and kernel of M, and the factors of B (start_dae.h), with sparse M and K. M is
 * permuted to block diagonal form. Columns of different blocks share no row. Therefore rank and kernel are computed
 * block by block, in O(nnz) for small blocks. QR with column pivoting determines the rank of a block (rank.c). A large
 * square block is first tested with sparse factors, because it may be clearly regular. The mass matrix of finite
 * elements is an example. Inverse iteration with A'A computes the smallest singular value of a matrix A. */
#include "start_dae.h"

#include "base/linear/condition.h"

#include <math.h>
#include <string.h>

enum { KERNEL = -1, NO_COLUMN = -1 }; /* x->source of a column of K N (start_dae.h); x->mark of a row without a mark */
enum {
    MAX_DENSE_COLUMNS = 32
}; /* maximum size of a square block that is tested only by QR; larger blocks are first tested by sparse factors */
#define MIN_SINGULAR_VALUE 1e-14 /* minimum singular value of a matrix that is not singular to rounding */
#define RANK_MARGIN        10.0  /* minimum singular value of a regular block, relative to the rank tolerance */

/* --- factors and smallest singular values --- */

void rsd_start_free_factors(rsd_start_matrix *x)
{
    rsd_sparsity_free(&x->lu.pattern, &x->alloc);
    RSD_FREE(&x->alloc, x->lu.values, x->lu.by_rows);
    rsd_linear_free(x->lu.direct);
    rsd_linear_free(x->lu.transposed);
    memset(&x->lu, 0, sizeof x->lu);
}

static int has_same_pattern(const rsd_sparsity *q, int n, const rsd_entries *list)
{
    int has = q->rows == n && q->nnz == list->n;
    for (long e = 0; e < list->n && has; e++) has = rsd_sparsity_find(q, list->row[e], list->column[e]) >= 0;
    return has;
}

static resida_status set_kernel_pattern(rsd_start_matrix *x, int n, const rsd_entries *list)
{
    rsd_sparsity *q = &x->lu.pattern;
    rsd_start_free_factors(x);
    RSD_TRY(rsd_sparsity_from_pairs(q, n, n, list->n, list->row, list->column, &x->alloc, NULL));
    if (!RSD_DOUBLES(&x->alloc, q->nnz, &x->lu.values, &x->lu.by_rows)) return RESIDA_ERR_MEMORY;
    RSD_TRY(rsd_linear_create(&x->lu.direct, n, "auto", &x->alloc, NULL));
    RSD_TRY(rsd_linear_set_pattern(x->lu.direct, q->col_start, q->row, NULL));
    RSD_TRY(rsd_linear_create(&x->lu.transposed, n, "auto", &x->alloc, NULL));
    return rsd_linear_set_pattern(x->lu.transposed, q->row_start, q->col, NULL);
}

/* Set x->lu to the matrix [n x n] of a list of entries without repetitions. The matrix is not factored. If its pattern
 * is that of the previous matrix, as in starts after events, no memory is allocated. */
static resida_status set_factored_matrix(rsd_start_matrix *x, int n, const rsd_entries *list)
{
    const rsd_sparsity *q = &x->lu.pattern;
    if (list->failed) return RESIDA_ERR_MEMORY;
    const resida_status status = has_same_pattern(q, n, list) ? RESIDA_OK : set_kernel_pattern(x, n, list);
    if (status < 0) rsd_start_free_factors(x);
    for (long e = 0; e < list->n && status >= 0; e++)
        x->lu.values[rsd_sparsity_find(q, list->row[e], list->column[e])] = list->value[e];
    return status;
}

static void solve_normal_equations(void *context, double *s)
{
    const rsd_start_matrix *x = context;
    rsd_linear_solve(x->lu.transposed, s);
    rsd_linear_solve(x->lu.direct, s);
}

/* Factor x->lu. *inverse is set to the 2-norm of the inverse, or INFINITY if the matrix x->lu is singular. x->s is set
 * to the right singular vector of the smallest singular value. */
static resida_status find_inverse_norm(rsd_start_matrix *x, double *inverse)
{
    const rsd_sparsity *q = &x->lu.pattern;
    for (int e = 0; e < q->nnz; e++) x->lu.by_rows[e] = x->lu.values[q->csr_to_csc[e]];
    rsd_linear_discard_factors(x->lu.direct);
    rsd_linear_discard_factors(x->lu.transposed);
    int verdict = rsd_linear_factor(x->lu.direct, x->lu.values);
    memset(x->s, 0, (size_t)q->cols * sizeof *x->s);
    if (verdict > 0) x->s[verdict - 1] = 1;
    *inverse = INFINITY;
    if (!verdict) verdict = rsd_linear_factor(x->lu.transposed, x->lu.by_rows);
    if (!verdict) *inverse = sqrt(rsd_estimate_inverse_norm(q->cols, solve_normal_equations, x, x->s));
    return verdict < 0 ? RESIDA_ERR_MEMORY : RESIDA_OK;
}

/* --- blocks of M --- */

/* List the columns of M block by block in x->list. Two columns with entries in a common row belong to the same block.
 * Set x->first_column of each column to the first column of its block. */
static void find_blocks_of_M(rsd_start_matrix *x)
{
    const rsd_sparsity *q = &x->pattern;
    for (int i = 0; i < x->n; i++) x->mark[i] = NO_COLUMN, x->first_column[i] = i;
    for (int c = 0; c < x->n; c++)
        for (int e = q->col_start[c]; e < q->col_start[c + 1]; e++) {
            if (x->M[e] == 0) continue;
            int *seen = &x->mark[q->row[e]];
            if (*seen != NO_COLUMN) (void)rsd_unite_sets(x->first_column, c, *seen);
            *seen = c;
        }
    for (int c = 0; c < x->n; c++) x->first_column[c] = rsd_find_set(x->first_column, c);
    rsd_transpose_pattern(x->n, x->n, NULL, x->first_column, x->place, x->list, NULL);
    for (int i = 0; i < x->n; i++) x->mark[i] = NO_COLUMN;
}

/* A block of M: indices of its columns, and its number of rows. x->mark contains the index of each row in the block. */
typedef struct block {
    const int *columns;
    int n_columns, n_rows;
} block;

static void append_entry(rsd_start_matrix *x, rsd_entries *list, int row, int column, double value)
{
    rsd_entries_add(list, &x->alloc, 4L * x->n, row, column, value);
}

/* Append column c of M, a column of M_r, to B. */
static void add_range_column(rsd_start_matrix *x, int c)
{
    const rsd_sparsity *q = &x->pattern;
    for (int e = q->col_start[c]; e < q->col_start[c + 1]; e++)
        if (x->M[e] != 0) append_entry(x, &x->B, q->row[e], x->n_columns, x->M[e]);
    x->source[x->n_columns++] = c;
}

/* Append a column to B: K times the column of N whose entries begin at index `from`. x->sum [n] must be 0, and is 0
 * after the call. Return 0 on success, RESIDA_ERR_MEMORY, or else as rsd_start_find_K_column(). */
static int add_kernel_column(rsd_start_matrix *x, long from)
{
    const rsd_sparsity *q = &x->pattern;
    int n_touched = 0, verdict = x->N.failed ? RESIDA_ERR_MEMORY : 0;
    for (long i = from; i < x->N.n && !verdict; i++) {
        const int c = x->N.row[i];
        if ((verdict = rsd_start_find_K_column(x, c))) break;
        for (int e = q->col_start[c]; e < q->col_start[c + 1]; e++) {
            if (x->K[e] == 0) continue;
            if (x->sum[q->row[e]] == 0) x->place[n_touched++] = q->row[e];
            x->sum[q->row[e]] += x->K[e] * x->N.value[i];
        }
    }
    for (int i = 0; i < n_touched; i++) {
        const int row = x->place[i];
        if (x->sum[row] != 0) append_entry(x, &x->B, row, x->n_columns, x->sum[row]);
        x->sum[row] = 0;
    }
    x->source[x->n_columns++] = KERNEL;
    return verdict;
}

/* Return the norm of column c of M with rows scaled by x->row. */
static double compute_scaled_norm(const rsd_start_matrix *x, int c)
{
    double norm = 0;
    for (int e = x->pattern.col_start[c]; e < x->pattern.col_start[c + 1]; e++)
        norm = hypot(norm, x->row[x->pattern.row[e]] * x->M[e]);
    return norm;
}

/* Set the direction x->y, x->yp and the predicted change of F, x->column, to 0 (rsd_start_confirm_regular()). */
static void clear_direction(rsd_start_matrix *x)
{
    for (int i = 0; i < x->n; i++) x->y[i] = x->yp[i] = x->column[i] = 0;
}

/* Displace yp along x->s, in the columns of block b. Set *is_regular to 1 if F changes as M predicts, else to 0. */
static int confirm_block(rsd_start_matrix *x, const block *b, int *is_regular)
{
    const rsd_sparsity *q = &x->pattern;
    clear_direction(x);
    for (int j = 0; j < b->n_columns; j++) {
        const int c = b->columns[j];
        x->yp[c] = x->s[j] / compute_scaled_norm(x, c);
        for (int e = q->col_start[c]; e < q->col_start[c + 1]; e++) x->column[q->row[e]] += x->M[e] * x->yp[c];
    }
    return rsd_start_confirm_regular(x, x->row, is_regular);
}

/* Factor a large square block of M, scaled as in rank.c. Set *is_regular to 1 if the block is clearly regular. If it is
 * 0, the caller must determine the rank by rank.c. Return 0 on success, < 0 on a fatal error. */
static resida_status test_large_block(rsd_start_matrix *x, const block *b, int *is_regular)
{
    const rsd_sparsity *q = &x->pattern;
    rsd_entries M = {.n = 0};
    double inverse = INFINITY;
    for (int j = 0; j < b->n_columns; j++) {
        const int c = b->columns[j];
        const double norm = compute_scaled_norm(x, c);
        for (int e = q->col_start[c]; e < q->col_start[c + 1]; e++)
            if (x->M[e] != 0) append_entry(x, &M, x->mark[q->row[e]], j, x->row[q->row[e]] * x->M[e] / norm);
    }
    resida_status status = set_factored_matrix(x, b->n_columns, &M);
    if (status >= 0) status = find_inverse_norm(x, &inverse);
    *is_regular = inverse * RANK_MARGIN * rsd_start_get_rank_tolerance(x) < 1;
    if (status >= 0 && !*is_regular && inverse * MIN_SINGULAR_VALUE < 1 && !x->is_given)
        status = confirm_block(x, b, is_regular);
    rsd_entries_free(&M, &x->alloc);
    return status;
}

/* Allocate x->rank for a block of M if the allocated size is too small, and set the matrix of x->rank to zero. */
static resida_status allocate_rank(rsd_start_matrix *x, const block *b)
{
    rsd_rank *rank = &x->rank;
    if (b->n_columns > x->rank_columns || b->n_rows > x->rank_rows) {
        rsd_rank_free(rank, &x->alloc);
        x->rank_columns = x->rank_rows = 0;
        RSD_TRY(rsd_rank_create(rank, b->n_columns, b->n_rows, &x->alloc, NULL));
        RSD_TRY(rsd_rank_allocate_Q(rank, &x->alloc, NULL));
        x->rank_columns = b->n_columns, x->rank_rows = b->n_rows;
    }
    rank->n_l = b->n_columns, rank->n_v = b->n_rows;
    memset(rank->Q, 0, (size_t)b->n_columns * (size_t)b->n_rows * sizeof *rank->Q);
    return RESIDA_OK;
}

/* Compute range and kernel of block b. A dependent column is a combination of the independent columns. The coefficients
 * of the combination make a column of N. */
static resida_status find_block_kernel(rsd_start_matrix *x, const block *b)
{
    const rsd_sparsity *q = &x->pattern;
    rsd_rank *rank = &x->rank;
    resida_status status = allocate_rank(x, b);
    if (status < 0) return status;
    for (int j = 0; j < b->n_columns; j++)
        for (int e = q->col_start[b->columns[j]]; e < q->col_start[b->columns[j] + 1]; e++)
            if (x->M[e] != 0) rank->Q[(long)j * b->n_rows + x->mark[q->row[e]]] = x->row[q->row[e]] * x->M[e];
    rsd_rank_compute_rank(rank, rank->Q, rsd_start_get_rank_tolerance(x));
    for (int r = 0; r < rank->rank; r++) add_range_column(x, b->columns[rank->perm[r]]);
    for (int i = 0; i < rank->n_redundant && !status; i++) {
        const double *c = rsd_rank_compute_combination(rank, i);
        const long from = x->N.n;
        double max = 1;
        for (int r = 0; r < rank->rank; r++) max = fmax(max, fabs(c[r]));
        append_entry(x, &x->N, b->columns[rank->redundant[i]], x->n_columns, 1 / max);
        for (int r = 0; r < rank->rank; r++)
            if (c[r] != 0) append_entry(x, &x->N, b->columns[rank->perm[r]], x->n_columns, -c[r] / max);
        status = add_kernel_column(x, from);
    }
    return status;
}

static resida_status process_block(rsd_start_matrix *x, block b)
{
    const rsd_sparsity *q = &x->pattern;
    resida_status status = RESIDA_OK;
    int is_regular = 0;
    for (int j = 0; j < b.n_columns; j++)
        for (int e = q->col_start[b.columns[j]]; e < q->col_start[b.columns[j] + 1]; e++)
            if (x->M[e] != 0 && x->mark[q->row[e]] == NO_COLUMN) x->mark[q->row[e]] = b.n_rows++;
    if (b.n_columns == b.n_rows && b.n_columns > MAX_DENSE_COLUMNS) status = test_large_block(x, &b, &is_regular);
    is_regular |= b.n_columns == 1 && b.n_rows > 0;
    for (int j = 0; j < b.n_columns && is_regular; j++) add_range_column(x, b.columns[j]);
    if (status >= 0 && !is_regular && b.n_rows == 0) {
        append_entry(x, &x->N, b.columns[0], x->n_columns, 1);
        status = add_kernel_column(x, x->N.n - 1);
    } else if (status >= 0 && !is_regular)
        status = find_block_kernel(x, &b);
    for (int j = 0; j < b.n_columns; j++)
        for (int e = q->col_start[b.columns[j]]; e < q->col_start[b.columns[j] + 1]; e++)
            x->mark[q->row[e]] = NO_COLUMN;
    return status;
}

/* --- the matrix B = (M_r, K N) --- */

/* Scale the rows of B = (M_r, K N), then its columns, to a largest |entry| of 1. Return the 1-norm of scaled B. */
static double equilibrate_B(rsd_start_matrix *x)
{
    const rsd_sparsity *q = &x->lu.pattern;
    double *B = x->lu.values;
    double norm = 0;
    memset(x->B_row, 0, (size_t)x->n * sizeof *x->B_row);
    for (int e = 0; e < q->nnz; e++) x->B_row[q->row[e]] = fmax(x->B_row[q->row[e]], fabs(B[e]));
    for (int i = 0; i < x->n; i++) x->B_row[i] = x->B_row[i] > 0 ? 1 / x->B_row[i] : 0;
    for (int c = 0; c < x->n; c++) {
        double max = 0, sum = 0;
        for (int e = q->col_start[c]; e < q->col_start[c + 1]; e++) max = fmax(max, fabs(B[e] *= x->B_row[q->row[e]]));
        x->B_column[c] = max > 0 ? 1 / max : 0;
        for (int e = q->col_start[c]; e < q->col_start[c + 1]; e++) sum += fabs(B[e] *= x->B_column[c]);
        norm = fmax(norm, sum);
    }
    return norm;
}

/* Return the component of y or yp that is largest in the direction x->s, which has an entry for each column of B. */
static int find_worst_component(const rsd_start_matrix *x)
{
    int column = 0, worst = 0;
    double max = 0;
    for (int c = 1; c < x->n; c++)
        if (fabs(x->s[c]) > fabs(x->s[column])) column = c;
    if (x->source[column] != KERNEL) return x->source[column];
    for (long i = 0; i < x->N.n; i++)
        if (x->N.column[i] == column && fabs(x->N.value[i]) > max) {
            worst = x->N.row[i];
            max = fabs(x->N.value[i]);
        }
    return worst;
}

resida_status rsd_start_kernel_find(rsd_start_matrix *x)
{
    resida_status status = RESIDA_OK;
    double inverse;
    x->n_columns = x->N.failed = x->B.failed = 0;
    x->N.n = x->B.n = 0;
    find_blocks_of_M(x);
    for (int first = 0, last = 0; first < x->n && !status; first = last) {
        while (last < x->n && x->first_column[x->list[last]] == x->first_column[x->list[first]]) last++;
        status = process_block(x, (block){x->list + first, last - first, 0});
    }
    if (status || (status = set_factored_matrix(x, x->n, &x->B))) return status;
    const double norm = equilibrate_B(x);
    RSD_TRY(find_inverse_norm(x, &inverse));
    x->rcond = 1 / (norm * inverse);
    x->worst = find_worst_component(x);
    return RESIDA_OK;
}

/* Undo the scaling of x->s. Store its components of columns M_r in dyp [n]. Add N times those of K N to dy [n]. */
static void expand_solution(const rsd_start_matrix *x, double *dy, double *dyp)
{
    for (int c = 0; c < x->n; c++) {
        x->s[c] *= x->B_column[c];
        if (x->source[c] != KERNEL) dyp[x->source[c]] = x->s[c];
    }
    for (long i = 0; i < x->N.n; i++) dy[x->N.row[i]] += x->N.value[i] * x->s[x->N.column[i]];
}

int rsd_start_kernel_confirm(rsd_start_matrix *x, int *is_regular)
{
    clear_direction(x);
    expand_solution(x, x->y, x->yp);
    for (long e = 0; e < x->B.n; e++) x->column[x->B.row[e]] += x->B.value[e] * x->s[x->B.column[e]];
    return rsd_start_confirm_regular(x, x->B_row, is_regular);
}

void rsd_start_kernel_solve(rsd_start_matrix *x, const double *F, double *dy, double *dyp)
{
    memset(dy, 0, (size_t)x->n * sizeof *dy);
    memset(dyp, 0, (size_t)x->n * sizeof *dyp);
    for (int i = 0; i < x->n; i++) x->s[i] = x->B_row[i] * F[i];
    rsd_linear_solve(x->lu.direct, x->s);
    expand_solution(x, dy, dyp);
}
