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

/* Walk rows whose columns stand in any order, some more than once. s->row NULL: count the entries of each column, and
 * make starts of the counts; else fill the columns. last [cols] is work space. */
static void walk_rows(rsd_sparsity *s, const int *row_start, const int *col, int *last)
{
    for (int c = 0; c < s->cols; c++) last[c] = -1;
    for (int i = 0; i < s->rows; i++)
        for (int k = row_start[i]; k < row_start[i + 1]; k++) {
            if (last[col[k]] == i) continue;
            last[col[k]] = i;
            if (s->row)
                s->row[s->col_start[col[k]]++] = i;
            else
                s->col_start[col[k] + 1]++;
        }
    if (s->row)
        rewind_starts(s->cols, s->col_start);
    else
        counts_to_starts(s->cols, s->col_start);
}

/* The pattern of rows whose columns stand in any order: start [rows + 1], col [start[rows]]; a column that is repeated
 * in a row counts once. Frees both; NULL: there was no memory for them. */
static resida_status from_rows(rsd_sparsity *s, int rows, int cols, int *start, int *col, const resida_allocator *alloc,
                               resida_message *why)
{
    int *last;
    *s = (rsd_sparsity){.rows = rows, .cols = cols};
    int all = RSD_INTS(alloc, cols, &last) & RSD_INTS(alloc, cols + 1L, &s->col_start) &
              RSD_INTS(alloc, rows + 1L, &s->row_start);
    if ((all &= start && col)) {
        walk_rows(s, start, col, last);
        s->nnz = s->col_start[cols];
        all = RSD_INTS(alloc, s->nnz, &s->row, &s->col, &s->csr_to_csc);
    }
    if (all) {
        walk_rows(s, start, col, last);
        fill_rows(s);
    }
    RSD_FREE(alloc, start, col, last);
    if (all) return RESIDA_OK;
    rsd_sparsity_free(s, alloc);
    return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for a pattern of %d x %d", rows, cols);
}

static resida_status check_pairs(int rows, int cols, long n, const int *i, const int *j, resida_message *why)
{
    if (rows < 0 || cols < 0) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "a pattern of %d x %d", rows, cols);
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
    RSD_TRY(check_pairs(rows, cols, n, i, j, why));
    int *start, *col;
    if (RSD_INTS(alloc, rows + 1L, &start) & RSD_INTS(alloc, n, &col)) {
        for (long k = 0; k < n; k++) start[i[k] + 1]++;
        counts_to_starts(rows, start);
        for (long k = 0; k < n; k++) col[start[i[k]]++] = j[k];
        rewind_starts(rows, start);
    }
    return from_rows(s, rows, cols, start, col, alloc, why);
}

resida_status rsd_sparsity_union(rsd_sparsity *s, const rsd_sparsity *a, const rsd_sparsity *b,
                                 const resida_allocator *alloc, resida_message *why)
{
    const rsd_sparsity *both[] = {a, b};
    const long nnz = (long)a->nnz + b->nnz;
    int *start, *col, at = 0;
    *s = (rsd_sparsity){.rows = 0};
    if (a->rows != b->rows || a->cols != b->cols)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "union of patterns of %d x %d and %d x %d", a->rows, a->cols, b->rows,
                        b->cols);
    if (nnz > INT_MAX) return rsd_fail(why, RESIDA_ERR_MEMORY, "union of %ld entries, at most %d", nnz, INT_MAX);
    int all = RSD_INTS(alloc, a->rows + 1L, &start) & RSD_INTS(alloc, nnz, &col);
    for (int i = 0; all && i < a->rows; i++) {
        for (int side = 0; side < 2; side++)
            for (int k = both[side]->row_start[i]; k < both[side]->row_start[i + 1]; k++)
                col[at++] = both[side]->col[k];
        start[i + 1] = at;
    }
    return from_rows(s, a->rows, a->cols, start, col, alloc, why);
}

/* Columns of a pattern, one after the other: the chosen ones [n], or the first n for NULL. */
static resida_status copy_columns(rsd_sparsity *s, int rows, int n, const int *start, const int *row, const int *chosen,
                                  const resida_allocator *alloc, resida_message *why)
{
    long nnz = 0;
    *s = (rsd_sparsity){.rows = 0};
    for (int c = 0; c < n; c++) nnz += start[(chosen ? chosen[c] : c) + 1] - start[chosen ? chosen[c] : c];
    if (nnz > INT_MAX) return rsd_fail(why, RESIDA_ERR_MEMORY, "a choice of %ld entries, at most %d", nnz, INT_MAX);
    *s = (rsd_sparsity){.rows = rows, .cols = n, .nnz = (int)nnz};
    if (!(RSD_INTS(alloc, n + 1L, &s->col_start) & RSD_INTS(alloc, rows + 1L, &s->row_start) &
          RSD_INTS(alloc, nnz, &s->row, &s->col, &s->csr_to_csc))) {
        rsd_sparsity_free(s, alloc);
        return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for a pattern of %d x %d", rows, n);
    }
    for (int c = 0; c < n; c++) {
        const int from = start[chosen ? chosen[c] : c], length = start[(chosen ? chosen[c] : c) + 1] - from;
        if (length > 0) memcpy(s->row + s->col_start[c], row + from, (size_t)length * sizeof *row);
        s->col_start[c + 1] = s->col_start[c] + length;
    }
    fill_rows(s);
    return RESIDA_OK;
}

resida_status rsd_sparsity_from_csc(rsd_sparsity *s, int rows, int cols, const int *col_start, const int *row,
                                    const resida_allocator *alloc, resida_message *why)
{
    return copy_columns(s, rows, cols, col_start, row, NULL, alloc, why);
}

resida_status rsd_sparsity_select(rsd_sparsity *s, const rsd_sparsity *a, int n, const int *columns,
                                  const resida_allocator *alloc, resida_message *why)
{
    return copy_columns(s, a->rows, n, a->col_start, a->row, columns, alloc, why);
}

void rsd_sparsity_free(rsd_sparsity *s, const resida_allocator *alloc)
{
    RSD_FREE(alloc, s->col_start, s->row, s->row_start, s->col, s->csr_to_csc);
    *s = (rsd_sparsity){.rows = 0};
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

int rsd_sparsity_fullest_row(const rsd_sparsity *s)
{
    int most = 0;
    for (int i = 0; i < s->rows; i++) {
        const int count = s->row_start[i + 1] - s->row_start[i];
        if (count > most) most = count;
    }
    return most;
}
