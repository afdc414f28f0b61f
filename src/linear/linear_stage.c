/* linear_stage.c - condensation and scaling of a linear system, each where it is wanted. */
#include "linear_stage.h"

const rsd_csr *rsd_stage_pattern(const rsd_stage *s)
{
    return s->condensed ? &s->reduced : &s->A;
}

int rsd_stage_column(const rsd_stage *s, int column)
{
    return s->condensed ? rsd_condense_columns(s->condensed)[column] : column;
}

resida_status rsd_stage_reserve(rsd_stage *s, const resida_allocator *alloc)
{
    const rsd_csr *B = rsd_stage_pattern(s);
    if (!s->values) s->values = B->row ? rsd_doubles(alloc, B->nnz) : rsd_matrix(alloc, B->cols, B->cols);
    if (!s->x) s->x = rsd_doubles(alloc, B->cols);
    return s->values && s->x ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

resida_status rsd_stage_create(rsd_stage *s, const rsd_csr *A, const rsd_pairs *pairs, const resida_allocator *alloc,
                               resida_message *why)
{
    *s = (rsd_stage){.A = *A};
    if (pairs->n == 0) return RESIDA_OK;
    RSD_TRY(rsd_condense_create(&s->condensed, &s->A, pairs, &s->reduced, alloc, why));
    if (rsd_stage_reserve(s, alloc) == RESIDA_OK) return RESIDA_OK;
    return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory to condense %d unknowns", A->cols);
}

void rsd_stage_free(rsd_stage *s, const resida_allocator *alloc)
{
    rsd_condense_free(s->condensed, alloc);
    rsd_csr_free(&s->A, alloc);
    rsd_csr_free(&s->reduced, alloc);
    RSD_FREE(alloc, s->values, s->x);
    *s = (rsd_stage){.x = NULL};
}

static int row_of(const rsd_stage *s, int row)
{
    return s->condensed ? rsd_condense_rows(s->condensed)[row] : row;
}

static void scale(const rsd_stage *s, const double *from)
{
    const rsd_csr *B = rsd_stage_pattern(s);
    for (int j = 0; j < B->cols; j++) {
        double column = s->scales.columns[rsd_stage_column(s, j)];
        int begin = B->row ? B->row[j] : j * B->cols, end = B->row ? B->row[j + 1] : begin + B->cols;
        for (int e = begin; e < end; e++) {
            int row = B->row ? B->col[e] : e - begin;
            s->values[e] = s->scales.rows[row_of(s, row)] * from[e] * column;
        }
    }
}

int rsd_stage_values(rsd_stage *s, const double *values, rsd_scales scales, const double **out)
{
    int column = s->condensed ? rsd_condense_values(s->condensed, values, s->values) : 0;
    s->scales = scales;
    *out = s->condensed ? s->values : values;
    if (!scales.rows) return column;
    scale(s, *out);
    *out = s->values;
    return column;
}

double *rsd_stage_right(rsd_stage *s, double *b)
{
    const int n = rsd_stage_pattern(s)->cols;
    double *x = s->condensed ? s->x : b;
    if (s->condensed) rsd_condense_reduce(s->condensed, b, x);
    for (int i = 0; s->scales.rows && i < n; i++) x[i] *= s->scales.rows[row_of(s, i)];
    return x;
}

void rsd_stage_solution(rsd_stage *s, double *solved, double *x)
{
    const int n = rsd_stage_pattern(s)->cols;
    for (int j = 0; s->scales.rows && j < n; j++) solved[j] *= s->scales.columns[rsd_stage_column(s, j)];
    if (s->condensed) rsd_condense_expand(s->condensed, solved, x);
}
