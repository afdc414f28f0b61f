/* sparsity.c - sparsity patterns by columns and by rows, without values. Each form is computed from the other by
 * transposition. Pairs in any order are transposed twice. This sorts the pairs, and repeated pairs become adjacent. */
#include "sparsity.h"

#include <limits.h>
#include <string.h>

resida_status rsd_sparsity_from_csc(rsd_sparsity *s, int rows, int cols, const int *col_start, const int *row,
                                    const resida_allocator *alloc, resida_message *why)
{
    const int nnz = col_start[cols];
    *s = (rsd_sparsity){.rows = rows, .cols = cols, .nnz = nnz};
    if (!(RSD_INTS(alloc, cols + 1L, &s->col_start) & RSD_INTS(alloc, rows + 1L, &s->row_start) &
          RSD_INTS(alloc, nnz, &s->row, &s->col, &s->csr_to_csc))) {
        rsd_sparsity_free(s, alloc);
        return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for a pattern of %d x %d", rows, cols);
    }
    memcpy(s->col_start, col_start, ((size_t)cols + 1) * sizeof *col_start);
    if (nnz > 0) memcpy(s->row, row, (size_t)nnz * sizeof *row);
    rsd_transpose_pattern(cols, rows, s->col_start, s->row, s->row_start, s->col, s->csr_to_csc);
    return RESIDA_OK;
}

resida_status rsd_sparsity_from_csr(rsd_sparsity *s, const rsd_csr *A, const resida_allocator *alloc,
                                    resida_message *why)
{
    rsd_csr B;
    *s = (rsd_sparsity){.rows = 0};
    RSD_TRY(rsd_csr_create_transpose(&B, A, alloc));
    const resida_status status = rsd_sparsity_from_csc(s, A->rows, A->cols, B.row, B.col, alloc, why);
    rsd_csr_free(&B, alloc);
    return status;
}

/* Remove repeated entries of a pattern by columns; repeated entries are adjacent. */
static void remove_repeated_entries(int cols, int *start, int *row)
{
    for (int c = 0, e = 0, kept = 0; c < cols; c++) {
        const int first = kept;
        for (; e < start[c + 1]; e++)
            if (kept == first || row[kept - 1] != row[e]) row[kept++] = row[e];
        start[c + 1] = kept;
    }
}

resida_status rsd_sparsity_from_pairs(rsd_sparsity *s, int rows, int cols, long n, const int *i, const int *j,
                                      const resida_allocator *alloc, resida_message *why)
{
    int *by_row, *by_column, *item, *col;
    *s = (rsd_sparsity){.rows = 0};
    if (n > INT_MAX)
        return rsd_fail(why, RESIDA_ERR_MEMORY, "a pattern has %ld pairs, at most %d are allowed", n, INT_MAX);
    const int all =
        RSD_INTS(alloc, rows + 1L, &by_row) & RSD_INTS(alloc, cols + 1L, &by_column) & RSD_INTS(alloc, n, &item, &col);
    if (all) {
        rsd_transpose_pattern((int)n, rows, NULL, i, by_row, item, NULL);
        for (long k = 0; k < n; k++) col[k] = j[item[k]];
        rsd_transpose_pattern(rows, cols, by_row, col, by_column, item, NULL);
        remove_repeated_entries(cols, by_column, item);
    }
    RSD_FREE(alloc, by_row, col);
    const resida_status status =
        all ? rsd_sparsity_from_csc(s, rows, cols, by_column, item, alloc, why)
            : rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for a pattern of %d x %d", rows, cols);
    RSD_FREE(alloc, by_column, item);
    return status;
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
