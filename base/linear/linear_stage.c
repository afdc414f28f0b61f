/* linear_stage.c - condensation and scaling of a linear system, each only if requested. Positions in the reduced system
 * are computed once per pattern. A* is computed by columns: multiples of the columns e_k of A are added to the
 * others. */
#include "linear_stage.h"

#include <string.h>

const rsd_csr *rsd_stage_get_pattern(const rsd_stage *s)
{
    return s->n_pairs > 0 ? &s->reduced : &s->A;
}

int rsd_stage_get_column(const rsd_stage *s, int column)
{
    return s->n_pairs > 0 ? s->kept_column[column] : column;
}

resida_status rsd_stage_allocate(rsd_stage *s, const resida_allocator *alloc)
{
    const rsd_csr *B = rsd_stage_get_pattern(s);
    if (!s->values) s->values = B->row ? rsd_doubles(alloc, B->nnz) : rsd_matrix(alloc, B->cols, B->cols);
    if (!s->x) s->x = rsd_doubles(alloc, B->cols);
    return s->values && s->x ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

/* Copy the pairs, and number the rows and columns of A that are not eliminated. */
static void renumber_remaining_rows(rsd_stage *s, const rsd_pairs *pairs)
{
    for (int k = 0; k < pairs->n; k++) {
        s->pair_row[k] = pairs->row[k], s->pair_column[k] = pairs->column[k];
        s->row_place[pairs->row[k]] = s->column_place[pairs->column[k]] = -1 - k;
    }
    for (int i = 0, rows = 0, columns = 0; i < s->A.cols; i++) {
        if (s->row_place[i] >= 0) s->kept_row[rows] = i, s->row_place[i] = rows++;
        if (s->column_place[i] >= 0) s->kept_column[columns] = i, s->column_place[i] = columns++;
    }
}

/* Find the positions of the pivots d_k in A. Return the first pair whose row has no entry in its unknown, or -1 if all
 * pivots exist. */
static int find_pivots(rsd_stage *s)
{
    for (int k = 0; k < s->n_pairs; k++) {
        int e = s->A.row[s->pair_column[k]];
        const int end = s->A.row[s->pair_column[k] + 1];
        while (e < end && s->A.col[e] != s->pair_row[k]) e++;
        if (e == end) return k;
        s->pivot[k] = e;
    }
    return -1;
}

/* List the rows in which column `column` of A has entries in A*, in ascending order, in `rows`. If `rows` is NULL, only
 * count them. seen[i] == stamp marks row i as listed. Return the number of rows. */
static int list_reduced_rows(const rsd_stage *s, int column, int stamp, int *seen, int *rows)
{
    const rsd_csr *A = &s->A;
    int n = 0;
    for (int e = A->row[column]; e < A->row[column + 1]; e++) {
        const int row = s->row_place[A->col[e]], *of_pair = row < 0 ? &A->row[s->pair_column[-1 - row]] : NULL;
        for (int q = of_pair ? of_pair[0] : e; q < (of_pair ? of_pair[1] : e + 1); q++) {
            const int i = s->row_place[A->col[q]];
            if (i < 0 || seen[i] == stamp) continue;
            seen[i] = stamp;
            if (rows) rsd_insert_ascending(rows, n, i);
            n++;
        }
    }
    return n;
}

/* Set the pattern of A* and allocate its workspace. seen [n] must be zero. */
static resida_status create_reduced_pattern(rsd_stage *s, int *seen, const resida_allocator *alloc)
{
    const int n = s->A.cols - s->n_pairs;
    int nnz = 0;
    for (int j = 0; j < n; j++) nnz += list_reduced_rows(s, s->kept_column[j], j + 1, seen, NULL);
    RSD_TRY(rsd_csr_allocate(&s->reduced, n, n, nnz, alloc));
    for (int j = 0; j < n; j++) {
        int *rows = s->reduced.col + s->reduced.row[j];
        s->reduced.row[j + 1] = s->reduced.row[j] + list_reduced_rows(s, s->kept_column[j], -1 - j, seen, rows);
    }
    return rsd_stage_allocate(s, alloc);
}

resida_status rsd_stage_create(rsd_stage *s, const rsd_csr *A, const rsd_pairs *pairs, const resida_allocator *alloc,
                               resida_message *why)
{
    const int n_kept = A->cols - pairs->n;
    int *seen = NULL, wrong = -1;
    *s = (rsd_stage){.A = *A, .n_pairs = pairs->n};
    if (pairs->n == 0) return RESIDA_OK;
    int all = RSD_INTS(alloc, pairs->n, &s->pair_row, &s->pair_column, &s->pivot) &&
              RSD_INTS(alloc, n_kept, &s->kept_row, &s->kept_column) &&
              RSD_INTS(alloc, A->cols, &s->row_place, &s->column_place, &seen) &&
              RSD_DOUBLES(alloc, A->nnz, &s->A_values) && RSD_DOUBLES(alloc, pairs->n, &s->given);
    if (all) {
        renumber_remaining_rows(s, pairs);
        wrong = find_pivots(s);
        all = wrong < 0 && create_reduced_pattern(s, seen, alloc) == RESIDA_OK;
    }
    rsd_free(alloc, seen);
    if (all) return RESIDA_OK;
    if (wrong < 0) return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory to condense %d unknowns", A->cols);
    return rsd_fail(why, RESIDA_ERR_MODEL, "row %d does not determine unknown %d", s->pair_row[wrong],
                    s->pair_column[wrong]);
}

void rsd_stage_free(rsd_stage *s, const resida_allocator *alloc)
{
    rsd_csr_free(&s->A, alloc);
    rsd_csr_free(&s->reduced, alloc);
    RSD_FREE(alloc, s->pair_row, s->pair_column, s->pivot, s->kept_row, s->kept_column, s->row_place, s->column_place,
             s->A_values, s->given, s->values, s->x);
    *s = (rsd_stage){.x = NULL};
}

/* Add c times column e_k of A, where e_k is the unknown of pair k, to s->x in the remaining rows. */
static void add_pair_column(const rsd_stage *s, int k, double c)
{
    const rsd_csr *A = &s->A;
    for (int e = A->row[s->pair_column[k]]; e < A->row[s->pair_column[k] + 1]; e++) {
        const int i = s->row_place[A->col[e]];
        if (i >= 0) s->x[i] += c * s->A_values[e];
    }
}

/* Compute the values of the reduced matrix A* (linear_stage.h) in s->values. Return as rsd_stage_transform(). */
static int condense_values(rsd_stage *s, const double *values)
{
    const rsd_csr *A = &s->A, *B = &s->reduced;
    memcpy(s->A_values, values, (size_t)A->nnz * sizeof *values);
    for (int k = 0; k < s->n_pairs; k++)
        if (values[s->pivot[k]] == 0) return s->pair_column[k] + 1;
    for (int k = 0; k < s->n_pairs; k++)
        for (int e = A->row[s->pair_column[k]]; e < A->row[s->pair_column[k] + 1]; e++)
            if (e != s->pivot[k] && s->row_place[A->col[e]] < 0 && values[e] != 0) return s->pair_column[0] + 1;
    for (int j = 0; j < B->cols; j++) {
        const int begin = A->row[s->kept_column[j]], end = A->row[s->kept_column[j] + 1];
        for (int e = B->row[j]; e < B->row[j + 1]; e++) s->x[B->col[e]] = 0;
        for (int e = begin; e < end; e++)
            if (s->row_place[A->col[e]] >= 0) s->x[s->row_place[A->col[e]]] += values[e];
        for (int e = begin; e < end; e++) {
            const int k = -1 - s->row_place[A->col[e]];
            if (k >= 0) add_pair_column(s, k, -(values[e] / values[s->pivot[k]]));
        }
        for (int e = B->row[j]; e < B->row[j + 1]; e++) s->values[e] = s->x[B->col[e]];
    }
    return 0;
}

/* Compute s->values = R A* C, the scaled matrix, from the values `from` of A* (of A if no unknown is eliminated). */
static void scale_values(const rsd_stage *s, const double *from)
{
    const rsd_csr *B = rsd_stage_get_pattern(s);
    for (int j = 0; j < B->cols; j++) {
        double column = s->scales.columns[rsd_stage_get_column(s, j)];
        int begin = B->row ? B->row[j] : j * B->cols, end = B->row ? B->row[j + 1] : begin + B->cols;
        for (int e = begin; e < end; e++) {
            const int row = B->row ? B->col[e] : e - begin, row_of_A = s->n_pairs > 0 ? s->kept_row[row] : row;
            s->values[e] = s->scales.rows[row_of_A] * from[e] * column;
        }
    }
}

int rsd_stage_transform(rsd_stage *s, const double *values, rsd_scales scales, const double **out)
{
    const int column = s->n_pairs > 0 ? condense_values(s, values) : 0;
    s->scales = scales;
    *out = s->n_pairs > 0 ? s->values : values;
    if (!scales.rows) return column;
    scale_values(s, *out);
    *out = s->values;
    return column;
}

double *rsd_stage_reduce_rhs(rsd_stage *s, double *b)
{
    const int n = rsd_stage_get_pattern(s)->cols;
    double *x = s->n_pairs > 0 ? s->x : b;
    for (int i = 0; s->n_pairs > 0 && i < n; i++) x[i] = b[s->kept_row[i]];
    for (int k = 0; k < s->n_pairs; k++) {
        s->given[k] = b[s->pair_row[k]] / s->A_values[s->pivot[k]];
        add_pair_column(s, k, -s->given[k]);
    }
    for (int i = 0; s->scales.rows && i < n; i++) x[i] *= s->scales.rows[s->n_pairs > 0 ? s->kept_row[i] : i];
    return x;
}

/* Compute x from `reduced`, the solution of the reduced system, and the eliminated unknowns x(e_k) (linear_stage.h). */
static void expand_solution(rsd_stage *s, const double *reduced, double *x)
{
    const rsd_csr *A = &s->A;
    for (int j = 0; j < A->cols; j++)
        for (int e = A->row[j]; s->column_place[j] >= 0 && e < A->row[j + 1]; e++) {
            const int k = -1 - s->row_place[A->col[e]];
            if (k < 0) continue;
            const double part = s->A_values[e] / s->A_values[s->pivot[k]];
            s->given[k] -= part * reduced[s->column_place[j]];
        }
    for (int k = 0; k < s->n_pairs; k++) x[s->pair_column[k]] = s->given[k];
    for (int i = 0; i < s->reduced.cols; i++) x[s->kept_column[i]] = reduced[i];
}

void rsd_stage_expand_solution(rsd_stage *s, double *solved, double *x)
{
    const int n = rsd_stage_get_pattern(s)->cols;
    for (int j = 0; s->scales.rows && j < n; j++) solved[j] *= s->scales.columns[rsd_stage_get_column(s, j)];
    if (s->n_pairs > 0) expand_solution(s, solved, x);
}
