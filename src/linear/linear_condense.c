/* linear_condense.c - static condensation of a sparse system: where entries go is found once per pattern. */
#include "linear_condense.h"

#include <string.h>

/* The part of a product A(i, e_k) A(i_k, j)/d_k in an entry of A*. */
typedef struct product {
    int left, right, pair, to;
} product;

/* An entry of a pair's column, or row, beside d: where it is, and its value. */
typedef struct beside {
    int place, value, pair;
} beside;

struct rsd_condensed {
    int n, n_pairs, n_kept, nnz, n_products, n_in_columns, n_in_rows;
    int nnz_reduced;
    int *pair_row, *pair_column, *pivot; /* [n_pairs] */
    int *kept_row, *kept_column;         /* [n_kept] */
    int *row_place, *column_place;       /* [n] place in the reduced system; -1 - k: of pair k */
    int n_zeros, *zeros;                 /* entries of pairs' rows in columns of other pairs: must be 0 */
    int *to;                             /* [nnz] entry of A*, -1: of none */
    beside *in_columns, *in_rows;
    product *products;
    double *values; /* [nnz] of A */
    double *given;  /* [n_pairs] b(i_k)/d_k, then x(e_k) */
};

void rsd_condense_free(rsd_condensed *c, const resida_allocator *alloc)
{
    if (!c) return;
    RSD_FREE(alloc, c->pair_row, c->pair_column, c->pivot, c->kept_row, c->kept_column, c->row_place, c->column_place,
             c->to, c->in_columns, c->in_rows, c->products, c->values, c->given, c->zeros, c);
}

/* Which rows and columns stay, and in which order. */
static void number(rsd_condensed *c, const rsd_pairs *pairs)
{
    for (int k = 0; k < c->n_pairs; k++) {
        c->pair_row[k] = pairs->row[k], c->pair_column[k] = pairs->column[k];
        c->row_place[pairs->row[k]] = c->column_place[pairs->column[k]] = -1 - k;
    }
    for (int i = 0, rows = 0, columns = 0; i < c->n; i++) {
        if (c->row_place[i] >= 0) c->kept_row[rows] = i, c->row_place[i] = rows++;
        if (c->column_place[i] >= 0) c->kept_column[columns] = i, c->column_place[i] = columns++;
    }
}

/* What stands beside the pivots. @return the first pair whose row does not hold its unknown; -1: none */
static int list_beside(rsd_condensed *c, const rsd_csr *A)
{
    int wrong = -1;
    for (int k = 0; k < c->n_pairs; k++) c->pivot[k] = -1;
    for (int j = 0; j < c->n; j++)
        for (int e = A->row[j]; e < A->row[j + 1]; e++) {
            int row = c->row_place[A->col[e]], column = c->column_place[j];
            if (row < 0 && row == column)
                c->pivot[-1 - row] = e;
            else if (row < 0 && column < 0)
                c->zeros[c->n_zeros++] = e;
            else if (row < 0)
                c->in_rows[c->n_in_rows++] = (beside){j, e, -1 - row};
            else if (column < 0)
                c->in_columns[c->n_in_columns++] = (beside){A->col[e], e, -1 - column};
        }
    for (int k = 0; k < c->n_pairs && wrong < 0; k++)
        if (c->pivot[k] < 0) wrong = k;
    return wrong;
}

/* Put row i in its place among the rising ones from begin on. */
static void insert(int *rows, int begin, int end, int i)
{
    for (; end > begin && rows[end - 1] > i; end--) rows[end] = rows[end - 1];
    rows[end] = i;
}

/* Entries of A*, column by column; seen [n_kept] marks those of the column under way. With `fill` they are put down. */
static int count_reduced(const rsd_condensed *c, const rsd_csr *A, const int *first, int *seen, rsd_csr *fill)
{
    int nnz = 0;
    for (int i = 0; i < c->n_kept; i++) seen[i] = -1;
    for (int j = 0; j < c->n_kept; j++) {
        int begin = nnz, column = c->kept_column[j];
        for (int e = A->row[column]; e < A->row[column + 1]; e++) {
            int row = c->row_place[A->col[e]], from = row < 0 ? first[-1 - row] : 0, to = row < 0 ? first[-row] : 1;
            for (int s = from; s < to; s++) {
                int i = row < 0 ? c->row_place[c->in_columns[s].place] : row;
                if (seen[i] == j) continue;
                seen[i] = j;
                if (fill) insert(fill->col, begin, nnz, i);
                nnz++;
            }
        }
        if (fill) fill->row[j + 1] = nnz;
    }
    return nnz;
}

/* The place of entry (i, j) of A*. */
static int find(const rsd_csr *reduced, int i, int j)
{
    int e = reduced->row[j];
    while (reduced->col[e] != i) e++;
    return e;
}

/* Where each entry of A, and each product, goes; without `reduced` products are counted only. */
static void list_products(rsd_condensed *c, const rsd_csr *A, const int *first, const rsd_csr *reduced)
{
    c->n_products = 0;
    for (int e = 0; reduced && e < c->nnz; e++) c->to[e] = -1;
    for (int j = 0; j < c->n; j++) {
        int column = c->column_place[j];
        for (int e = A->row[j]; column >= 0 && e < A->row[j + 1]; e++) {
            int row = c->row_place[A->col[e]];
            if (row >= 0 && reduced) c->to[e] = find(reduced, row, column);
            for (int s = row < 0 ? first[-1 - row] : 0; row < 0 && s < first[-row]; s++) {
                const beside *b = &c->in_columns[s];
                if (reduced)
                    c->products[c->n_products] =
                        (product){b->value, e, b->pair, find(reduced, c->row_place[b->place], column)};
                c->n_products++;
            }
        }
    }
}

/* Entries of the pairs' columns by pair: first [n_pairs + 1]. */
static void sort_by_pair(rsd_condensed *c, beside *work, int *first)
{
    for (int s = 0; s < c->n_in_columns; s++) first[c->in_columns[s].pair + 1]++, work[s] = c->in_columns[s];
    for (int k = 0; k < c->n_pairs; k++) first[k + 1] += first[k];
    for (int s = c->n_in_columns - 1; s >= 0; s--) c->in_columns[--first[work[s].pair + 1]] = work[s];
    for (int k = 0; k < c->n_pairs; k++) first[k] = first[k + 1];
    first[c->n_pairs] = c->n_in_columns;
}

static resida_status reserve(rsd_condensed *c, const resida_allocator *alloc)
{
    c->in_columns = rsd_calloc(alloc, c->nnz, sizeof(beside));
    c->in_rows = rsd_calloc(alloc, c->nnz, sizeof(beside));
    const int all =
        c->in_columns && c->in_rows && RSD_INTS(alloc, c->n_pairs, &c->pair_row, &c->pair_column, &c->pivot) &&
        RSD_INTS(alloc, c->n, &c->row_place, &c->column_place) &&
        RSD_INTS(alloc, c->n_kept, &c->kept_row, &c->kept_column) && RSD_INTS(alloc, c->nnz, &c->to, &c->zeros) &&
        RSD_DOUBLES(alloc, c->nnz, &c->values) && RSD_DOUBLES(alloc, c->n_pairs, &c->given);
    return all ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

/* Pattern and products. first [n_pairs + 1], seen [n_kept], work [nnz] */
static resida_status analyse(rsd_condensed *c, const rsd_csr *A, rsd_csr *reduced, int *first, int *seen, beside *work,
                             const resida_allocator *alloc)
{
    sort_by_pair(c, work, first);
    c->nnz_reduced = count_reduced(c, A, first, seen, NULL);
    list_products(c, A, first, NULL);
    c->products = rsd_calloc(alloc, c->n_products, sizeof(product));
    if (!c->products) return RESIDA_ERR_MEMORY;
    RSD_TRY(rsd_csr_reserve(reduced, c->n_kept, c->n_kept, c->nnz_reduced, alloc));
    count_reduced(c, A, first, seen, reduced);
    list_products(c, A, first, reduced);
    return RESIDA_OK;
}

static resida_status build(rsd_condensed *c, const rsd_csr *A, const rsd_pairs *pairs, rsd_csr *reduced,
                           const resida_allocator *alloc, resida_message *why)
{
    if (reserve(c, alloc) < 0) return RESIDA_ERR_MEMORY;
    number(c, pairs);
    int wrong = list_beside(c, A);
    if (wrong >= 0)
        return rsd_fail(why, RESIDA_ERR_MODEL, "row %d does not give unknown %d", c->pair_row[wrong],
                        c->pair_column[wrong]);
    int *first = rsd_calloc(alloc, c->n_pairs + 1L, sizeof(int)), *seen = rsd_calloc(alloc, c->n_kept, sizeof(int));
    beside *work = rsd_calloc(alloc, c->nnz, sizeof(beside));
    resida_status status = RESIDA_ERR_MEMORY;
    if (first && seen && work) status = analyse(c, A, reduced, first, seen, work, alloc);
    RSD_FREE(alloc, first, seen, work);
    return status;
}

resida_status rsd_condense_create(rsd_condensed **out, const rsd_csr *A, const rsd_pairs *pairs, rsd_csr *reduced,
                                  const resida_allocator *alloc, resida_message *why)
{
    rsd_condensed *c = *out = rsd_calloc(alloc, 1, sizeof *c);
    resida_status status = RESIDA_ERR_MEMORY;
    *reduced = (rsd_csr){.rows = 0};
    if (c) {
        *c = (rsd_condensed){.n = A->cols, .n_pairs = pairs->n, .n_kept = A->cols - pairs->n, .nnz = A->nnz};
        status = build(c, A, pairs, reduced, alloc, why);
    }
    if (status == RESIDA_OK) return RESIDA_OK;
    rsd_condense_free(c, alloc);
    rsd_csr_free(reduced, alloc);
    *out = NULL;
    return status == RESIDA_ERR_MEMORY ? rsd_fail(why, status, "no memory to condense %d unknowns", A->cols) : status;
}

int rsd_condense_values(rsd_condensed *c, const double *values, double *reduced)
{
    memcpy(c->values, values, (size_t)c->nnz * sizeof *values);
    memset(reduced, 0, (size_t)c->nnz_reduced * sizeof *reduced);
    for (int k = 0; k < c->n_pairs; k++)
        if (values[c->pivot[k]] == 0) return c->pair_column[k] + 1;
    for (int k = 0; k < c->n_zeros; k++)
        if (values[c->zeros[k]] != 0) return c->pair_column[0] + 1;
    for (int e = 0; e < c->nnz; e++)
        if (c->to[e] >= 0) reduced[c->to[e]] += values[e];
    for (int s = 0; s < c->n_products; s++) {
        const product *p = &c->products[s];
        reduced[p->to] -= values[p->left] * (values[p->right] / values[c->pivot[p->pair]]);
    }
    return 0;
}

void rsd_condense_reduce(rsd_condensed *c, const double *b, double *reduced)
{
    for (int k = 0; k < c->n_pairs; k++) c->given[k] = b[c->pair_row[k]] / c->values[c->pivot[k]];
    for (int i = 0; i < c->n_kept; i++) reduced[i] = b[c->kept_row[i]];
    for (int s = 0; s < c->n_in_columns; s++) {
        const beside *e = &c->in_columns[s];
        reduced[c->row_place[e->place]] -= c->values[e->value] * c->given[e->pair];
    }
}

void rsd_condense_expand(rsd_condensed *c, const double *reduced, double *x)
{
    for (int s = 0; s < c->n_in_rows; s++) {
        const beside *e = &c->in_rows[s];
        double part = c->values[e->value] / c->values[c->pivot[e->pair]];
        c->given[e->pair] -= part * reduced[c->column_place[e->place]];
    }
    for (int k = 0; k < c->n_pairs; k++) x[c->pair_column[k]] = c->given[k];
    for (int i = 0; i < c->n_kept; i++) x[c->kept_column[i]] = reduced[i];
}

const int *rsd_condense_rows(const rsd_condensed *c)
{
    return c->kept_row;
}

const int *rsd_condense_columns(const rsd_condensed *c)
{
    return c->kept_column;
}
