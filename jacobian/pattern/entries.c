/* entries.c - see entries.h. */
#include "entries.h"

#include <string.h>

/* Double the capacity of the list of entries. If the list has no memory, its capacity becomes `min_capacity`. */
static void double_capacity(rsd_entries *e, const resida_allocator *a, long min_capacity)
{
    long capacity = e->capacity ? 2 * e->capacity : min_capacity;
    rsd_entries more = {.n = e->n, .capacity = capacity};
    if (!RSD_INTS(a, capacity, &more.row, &more.column) || !RSD_DOUBLES(a, capacity, &more.value)) {
        rsd_entries_free(&more, a);
        e->failed = 1;
        return;
    }
    if (e->n > 0) {
        memcpy(more.row, e->row, (size_t)e->n * sizeof(int));
        memcpy(more.column, e->column, (size_t)e->n * sizeof(int));
        memcpy(more.value, e->value, (size_t)e->n * sizeof(double));
    }
    rsd_entries_free(e, a);
    *e = more;
}

void rsd_entries_add(rsd_entries *e, const resida_allocator *a, long min_capacity, int row, int column, double value)
{
    if (e->n == e->capacity && !e->failed) double_capacity(e, a, min_capacity);
    if (e->failed) return;
    e->row[e->n] = row;
    e->column[e->n] = column;
    e->value[e->n++] = value;
}

void rsd_entries_free(rsd_entries *e, const resida_allocator *a)
{
    RSD_FREE(a, e->row, e->column, e->value);
    *e = (rsd_entries){.n = 0};
}

int rsd_entries_has_new(const rsd_entries *e, const rsd_sparsity *s)
{
    for (long k = 0; k < e->n; k++)
        if (rsd_sparsity_find(s, e->row[k], e->column[k]) < 0) return 1;
    return e->failed;
}

void rsd_entries_add_columns(rsd_entries *e, const resida_allocator *a, int cols, const int *start, const int *row)
{
    for (int c = 0; c < cols; c++)
        for (int k = start[c]; k < start[c + 1]; k++) rsd_entries_add(e, a, start[cols], row[k], c, 0);
}

resida_status rsd_build_pattern(const rsd_entries *e, int rows, int cols, rsd_sparsity *s, const resida_allocator *a)
{
    *s = (rsd_sparsity){.rows = 0};
    return e->failed ? RESIDA_ERR_MEMORY : rsd_sparsity_from_pairs(s, rows, cols, e->n, e->row, e->column, a, NULL);
}
