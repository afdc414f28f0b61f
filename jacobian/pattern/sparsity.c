/* sparsity.c - sparsity patterns by columns and by rows.
 *
 * Whatever a pattern is made of, it is brought into one of two raw forms, and the rest is the same for all:
 *   rows whose columns stand in any order, some more than once  ->  columns: walking the rows in rising order fills
 *     every column in rising order, and a repeated entry is the last one of its column
 *   columns with rising rows  ->  rows: walking the columns fills every row in rising order
 * Both are distributions by counting, without a sort. Not here: values. */
#include "sparsity.h"

#include <limits.h>
#include <string.h>

static resida_status allocate(rsd_sparsity *s, int rows, int cols, int nnz, const resida_allocator *alloc,
                              resida_message *why)
{
    *s = (rsd_sparsity){.rows = rows, .cols = cols, .nnz = nnz};
    s->col_start = rsd_calloc(alloc, (long)cols + 1, sizeof(int));
    s->row_start = rsd_calloc(alloc, (long)rows + 1, sizeof(int));
    s->row = rsd_calloc(alloc, nnz, sizeof(int));
    s->col = rsd_calloc(alloc, nnz, sizeof(int));
    s->csr_to_csc = rsd_calloc(alloc, nnz, sizeof(int));
    if (s->col_start && s->row_start && s->row && s->col && s->csr_to_csc) return RESIDA_OK;
    rsd_sparsity_free(s, alloc);
    return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for a pattern of %d x %d with %d entries", rows, cols, nnz);
}

static resida_status check_sizes(int rows, int cols, resida_message *why)
{
    if (rows >= 0 && cols >= 0) return RESIDA_OK;
    return rsd_fail(why, RESIDA_ERR_ARGUMENT, "a pattern of %d x %d", rows, cols);
}

/* Counts, shifted by one, become starts: start[k] = count[0] + ... + count[k - 1]. */
static void counts_to_starts(int n, int *start)
{
    for (int k = 0; k < n; k++) start[k + 1] += start[k];
}

/* The walk has moved every start to the next one: move them back. */
static void rewind_starts(int n, int *start)
{
    for (int k = n; k > 0; k--) start[k] = start[k - 1];
    start[0] = 0;
}

/* Fill the rows from the columns. */
static void fill_rows(rsd_sparsity *s)
{
    for (int k = 0; k < s->nnz; k++) s->row_start[s->row[k] + 1]++;
    counts_to_starts(s->rows, s->row_start);
    for (int c = 0; c < s->cols; c++)
        for (int k = s->col_start[c]; k < s->col_start[c + 1]; k++) {
            int at = s->row_start[s->row[k]]++;
            s->col[at] = c;
            s->csr_to_csc[at] = k;
        }
    rewind_starts(s->rows, s->row_start);
}

/* How many entries each column gets from raw rows: start [cols + 1], zeroed, takes starts; last [cols] is work space.
 * @return the sum */
static int count_columns(int rows, int cols, const int *row_start, const int *col, int *start, int *last)
{
    for (int c = 0; c < cols; c++) last[c] = -1;
    for (int i = 0; i < rows; i++)
        for (int k = row_start[i]; k < row_start[i + 1]; k++)
            if (last[col[k]] != i) {
                last[col[k]] = i;
                start[col[k] + 1]++;
            }
    counts_to_starts(cols, start);
    return start[cols];
}

/* Fill the columns from raw rows; s->col_start is set. */
static void fill_columns(rsd_sparsity *s, const int *row_start, const int *col, int *last)
{
    for (int c = 0; c < s->cols; c++) last[c] = -1;
    for (int i = 0; i < s->rows; i++)
        for (int k = row_start[i]; k < row_start[i + 1]; k++)
            if (last[col[k]] != i) {
                last[col[k]] = i;
                s->row[s->col_start[col[k]]++] = i;
            }
    rewind_starts(s->cols, s->col_start);
}

static resida_status from_raw_rows(rsd_sparsity *s, int rows, int cols, const int *row_start, const int *col,
                                   const resida_allocator *alloc, resida_message *why)
{
    int *start = rsd_calloc(alloc, (long)cols + 1, sizeof(int)), *last = rsd_calloc(alloc, cols, sizeof(int));
    resida_status status = RESIDA_ERR_MEMORY;
    if (start && last)
        status = allocate(s, rows, cols, count_columns(rows, cols, row_start, col, start, last), alloc, why);
    else
        rsd_fail(why, status, "no memory for a pattern of %d x %d", rows, cols);
    if (status == RESIDA_OK) {
        memcpy(s->col_start, start, ((size_t)cols + 1) * sizeof(int));
        fill_columns(s, row_start, col, last);
        fill_rows(s);
    }
    rsd_free(alloc, start);
    rsd_free(alloc, last);
    return status;
}

static resida_status check_csc(int rows, int cols, const int *col_start, const int *row, resida_message *why)
{
    if (!col_start) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "pattern: col_start is NULL");
    if (col_start[0] != 0)
        return rsd_fail(why, RESIDA_ERR_MODEL, "pattern: col_start[0] = %d, must be 0", col_start[0]);
    for (int c = 0; c < cols; c++) {
        if (col_start[c + 1] < col_start[c])
            return rsd_fail(why, RESIDA_ERR_MODEL, "pattern: col_start falls behind column %d", c);
        if (col_start[c + 1] - col_start[c] > rows)
            return rsd_fail(why, RESIDA_ERR_MODEL, "pattern: column %d has %d entries, but there are %d rows", c,
                            col_start[c + 1] - col_start[c], rows);
        if (col_start[c + 1] > col_start[c] && !row)
            return rsd_fail(why, RESIDA_ERR_ARGUMENT, "pattern: col_start is given, row is NULL");
        for (int k = col_start[c]; k < col_start[c + 1]; k++) {
            if (row[k] < 0 || row[k] >= rows)
                return rsd_fail(why, RESIDA_ERR_MODEL, "pattern: row %d in column %d, must be in 0..%d", row[k], c,
                                rows - 1);
            if (k > col_start[c] && row[k] <= row[k - 1])
                return rsd_fail(why, RESIDA_ERR_MODEL, "pattern: rows of column %d do not rise (%d after %d)", c,
                                row[k], row[k - 1]);
        }
    }
    return RESIDA_OK;
}

resida_status rsd_sparsity_from_csc(rsd_sparsity *s, int rows, int cols, const int *col_start, const int *row,
                                    const resida_allocator *alloc, resida_message *why)
{
    *s = (rsd_sparsity){.rows = 0};
    RSD_TRY(check_sizes(rows, cols, why));
    RSD_TRY(check_csc(rows, cols, col_start, row, why));
    RSD_TRY(allocate(s, rows, cols, col_start[cols], alloc, why));
    memcpy(s->col_start, col_start, ((size_t)cols + 1) * sizeof(int));
    if (s->nnz > 0) memcpy(s->row, row, (size_t)s->nnz * sizeof(int));
    fill_rows(s);
    return RESIDA_OK;
}

resida_status rsd_sparsity_from_mask(rsd_sparsity *s, int rows, int cols, const unsigned char *mask,
                                     rsd_mask_order order, const resida_allocator *alloc, resida_message *why)
{
    *s = (rsd_sparsity){.rows = 0};
    RSD_TRY(check_sizes(rows, cols, why));
    size_t size = (size_t)rows * (size_t)cols, nnz = 0;
    if (size > 0 && !mask) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "pattern: mask is NULL");
    for (size_t k = 0; k < size; k++) nnz += mask[k] != 0;
    if (nnz > INT_MAX) return rsd_fail(why, RESIDA_ERR_MEMORY, "a pattern of %zu entries, at most %d", nnz, INT_MAX);
    RSD_TRY(allocate(s, rows, cols, (int)nnz, alloc, why));
    size_t per_row = order == RSD_BY_ROWS ? (size_t)cols : 1, per_col = order == RSD_BY_ROWS ? 1 : (size_t)rows;
    int k = 0;
    for (int c = 0; c < cols; c++) {
        for (int i = 0; i < rows; i++)
            if (mask[(size_t)i * per_row + (size_t)c * per_col]) s->row[k++] = i;
        s->col_start[c + 1] = k;
    }
    fill_rows(s);
    return RESIDA_OK;
}

static resida_status check_pairs(int rows, int cols, long n, const int *i, const int *j, resida_message *why)
{
    if (n < 0 || (n > 0 && (!i || !j)))
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "pattern: %s", n < 0 ? "fewer than 0 pairs" : "a list is NULL");
    if (n > INT_MAX) return rsd_fail(why, RESIDA_ERR_MEMORY, "a pattern of %ld pairs, at most %d", n, INT_MAX);
    for (long k = 0; k < n; k++)
        if (i[k] < 0 || i[k] >= rows || j[k] < 0 || j[k] >= cols)
            return rsd_fail(why, RESIDA_ERR_MODEL, "pattern: pair %ld is (%d, %d), outside of %d x %d", k, i[k], j[k],
                            rows, cols);
    return RESIDA_OK;
}

resida_status rsd_sparsity_from_pairs(rsd_sparsity *s, int rows, int cols, long n, const int *i, const int *j,
                                      const resida_allocator *alloc, resida_message *why)
{
    *s = (rsd_sparsity){.rows = 0};
    RSD_TRY(check_sizes(rows, cols, why));
    RSD_TRY(check_pairs(rows, cols, n, i, j, why));
    int *start = rsd_calloc(alloc, (long)rows + 1, sizeof(int)), *col = rsd_calloc(alloc, n, sizeof(int));
    resida_status status = RESIDA_ERR_MEMORY;
    if (start && col) {
        for (long k = 0; k < n; k++) start[i[k] + 1]++;
        counts_to_starts(rows, start);
        for (long k = 0; k < n; k++) col[start[i[k]]++] = j[k];
        rewind_starts(rows, start);
        status = from_raw_rows(s, rows, cols, start, col, alloc, why);
    } else
        rsd_fail(why, status, "no memory for %ld pairs of a pattern", n);
    rsd_free(alloc, start);
    rsd_free(alloc, col);
    return status;
}

/* Rows of a, each followed by the same row of b: raw rows of the union. */
static void join_rows(const rsd_sparsity *a, const rsd_sparsity *b, int *start, int *col)
{
    const rsd_sparsity *both[] = {a, b};
    int at = 0;
    for (int i = 0; i < a->rows; i++) {
        for (int side = 0; side < 2; side++)
            for (int k = both[side]->row_start[i]; k < both[side]->row_start[i + 1]; k++)
                col[at++] = both[side]->col[k];
        start[i + 1] = at;
    }
}

resida_status rsd_sparsity_union(rsd_sparsity *s, const rsd_sparsity *a, const rsd_sparsity *b,
                                 const resida_allocator *alloc, resida_message *why)
{
    *s = (rsd_sparsity){.rows = 0};
    if (a->rows != b->rows || a->cols != b->cols)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "union of patterns of %d x %d and %d x %d", a->rows, a->cols, b->rows,
                        b->cols);
    long long both = (long long)a->nnz + b->nnz;
    if (both > INT_MAX) return rsd_fail(why, RESIDA_ERR_MEMORY, "union of %lld entries, at most %d", both, INT_MAX);
    int *start = rsd_calloc(alloc, (long)a->rows + 1, sizeof(int)), *col = rsd_calloc(alloc, (long)both, sizeof(int));
    resida_status status = RESIDA_ERR_MEMORY;
    if (start && col) {
        join_rows(a, b, start, col);
        status = from_raw_rows(s, a->rows, a->cols, start, col, alloc, why);
    } else
        rsd_fail(why, status, "no memory for the union of two patterns (%lld entries)", both);
    rsd_free(alloc, start);
    rsd_free(alloc, col);
    return status;
}

resida_status rsd_sparsity_select(rsd_sparsity *s, const rsd_sparsity *a, int n, const int *columns,
                                  const resida_allocator *alloc, resida_message *why)
{
    long long nnz = 0;
    *s = (rsd_sparsity){.rows = 0};
    for (int c = 0; c < n; c++) nnz += a->col_start[columns[c] + 1] - a->col_start[columns[c]];
    if (nnz > INT_MAX) return rsd_fail(why, RESIDA_ERR_MEMORY, "a choice of %lld entries, at most %d", nnz, INT_MAX);
    RSD_TRY(allocate(s, a->rows, n, (int)nnz, alloc, why));
    for (int c = 0; c < n; c++) {
        int first = a->col_start[columns[c]], length = a->col_start[columns[c] + 1] - first;
        memcpy(s->row + s->col_start[c], a->row + first, (size_t)length * sizeof(int));
        s->col_start[c + 1] = s->col_start[c] + length;
    }
    fill_rows(s);
    return RESIDA_OK;
}

void rsd_sparsity_free(rsd_sparsity *s, const resida_allocator *alloc)
{
    int *blocks[] = {s->col_start, s->row, s->row_start, s->col, s->csr_to_csc};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) rsd_free(alloc, blocks[i]);
    *s = (rsd_sparsity){.rows = 0};
}

int rsd_sparsity_equal(const rsd_sparsity *a, const rsd_sparsity *b)
{
    if (a->rows != b->rows || a->cols != b->cols || a->nnz != b->nnz) return 0;
    if (a->nnz == 0) return 1;
    return memcmp(a->col_start, b->col_start, ((size_t)a->cols + 1) * sizeof(int)) == 0 &&
           memcmp(a->row, b->row, (size_t)a->nnz * sizeof(int)) == 0;
}

int rsd_sparsity_find(const rsd_sparsity *s, int row, int col)
{
    if (col < 0 || col >= s->cols) return -1;
    int low = s->col_start[col], high = s->col_start[col + 1]; /* row[low - 1] < row <= row[high] */
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (s->row[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->col_start[col + 1] && s->row[low] == row ? low : -1;
}

int rsd_sparsity_contains(const rsd_sparsity *s, int row, int col)
{
    return rsd_sparsity_find(s, row, col) >= 0;
}

int rsd_sparsity_fullest_row(const rsd_sparsity *s, const unsigned char *skip)
{
    int most = 0;
    for (int i = 0; i < s->rows; i++) {
        int count = s->row_start[i + 1] - s->row_start[i];
        for (int k = s->row_start[i]; skip && k < s->row_start[i + 1]; k++) count -= skip[s->col[k]] != 0;
        if (count > most) most = count;
    }
    return most;
}
