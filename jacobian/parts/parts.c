/* parts.c - builds the layout of J. The pattern of J is the union of those of the differenced parts and of the known
 * entries. The columns of each part are divided into groups. The layout is rebuilt when a pattern grows. */
#include "parts.h"

#include <math.h>
#include <string.h>

#include "base/lanes.h"
#include "jacobian/pattern/entries.h"
#include "base/memory.h"

#define SAME_B 1e-5 /* maximum change of an entry of dF/dyp by rounding, relative to the largest entry */

static void free_grouping(rsd_grouping *q, const resida_allocator *a)
{
    rsd_sparsity_free(&q->pattern, a);
    rsd_colouring_free(&q->colours, a);
    rsd_free(a, q->at);
    q->at = NULL;
}

/* Number of arrays of values on the pattern of J, without D. They are in one block of memory, which begins with A. */
enum { VALUES = 6 };

static void free_layout(rsd_parts *p, const resida_allocator *a)
{
    RSD_FREE(a, p->A, p->D, p->B_at, p->B_column);
    rsd_sparsity_free(&p->pattern, a);
    free_grouping(&p->formalism, a);
    free_grouping(&p->constraint, a);
}

static rsd_parts copy_without_layout(const rsd_parts *p)
{
    return (rsd_parts){
        .number = p->number, .y_at = p->y_at, .yp_at = p->yp_at, .y = p->y, .yp = p->yp, .derived_at = p->derived_at};
}

int rsd_parts_create(rsd_parts *p, const rsd_frame *f)
{
    return RSD_INTS(&f->alloc, f->s.n_y, &p->y_at) && RSD_INTS(&f->alloc, f->s.n_yp, &p->yp_at) &&
           RSD_INTS(&f->alloc, f->strategy->user ? f->s.n_formalism : 0, &p->derived_at) &&
           rsd_structural_zeros_create(&p->y, f->s.y_latent, f->s.n_y, &f->alloc) &&
           rsd_structural_zeros_create(&p->yp, f->s.yp_latent, f->s.n_yp, &f->alloc);
}

void rsd_parts_free(rsd_parts *p, const rsd_frame *f)
{
    const resida_allocator *a = &f->alloc;
    free_layout(p, a);
    RSD_FREE(a, p->y_at, p->yp_at, p->derived_at, p->y.is_zero, p->y.list, p->yp.is_zero, p->yp.list);
    *p = (rsd_parts){.number = p->number};
}

void rsd_parts_clear(rsd_parts *p, const rsd_frame *f)
{
    free_layout(p, &f->alloc);
    *p = copy_without_layout(p);
    rsd_structural_zeros_reset(&p->y, f->s.y_latent, f->s.n_y);
    rsd_structural_zeros_reset(&p->yp, f->s.yp_latent, f->s.n_yp);
}

static void list_known_entries(const rsd_structural_zeros *z, int n, const int *row, const int *column,
                               const rsd_frame *f, rsd_entries *e)
{
    for (int k = 0; k < n; k++)
        if (!z->is_zero || !z->is_zero[k]) rsd_entries_add(e, &f->alloc, n, row[k], column[k], 0);
}

/* Unite the known entries, the formalism part and the constraint part to the pattern of J. */
static int unite_patterns(rsd_parts *p, const rsd_frame *f)
{
    const resida_system *s = &f->s;
    const rsd_sparsity *formalism = &p->formalism.pattern, *constraint = &p->constraint.pattern;
    rsd_entries all = {.n = 0};
    list_known_entries(&p->y, s->n_y, s->y_row, s->y_column, f, &all);
    list_known_entries(&p->yp, s->n_yp, s->yp_row, s->yp_column, f, &all);
    rsd_entries_add_columns(&all, &f->alloc, f->n, formalism->col_start, formalism->row);
    rsd_entries_add_columns(&all, &f->alloc, f->n, constraint->col_start, constraint->row);
    const int status = rsd_build_pattern(&all, f->n, f->n, &p->pattern, &f->alloc);
    rsd_entries_free(&all, &f->alloc);
    return status;
}

/* Group the columns of a part that have one of the resida_column bits, and find the positions q->at of its entries. */
static int group_columns(rsd_parts *p, const rsd_frame *f, rsd_grouping *q, unsigned bits)
{
    unsigned char *skip = rsd_calloc(&f->alloc, f->n, 1);
    int status = RESIDA_ERR_MEMORY;
    if (skip && RSD_INTS(&f->alloc, q->pattern.nnz, &q->at)) {
        for (int c = 0; c < f->n; c++) { /* columns without entries need no call */
            const int begin = q->pattern.col_start[c], end = q->pattern.col_start[c + 1];
            skip[c] = !(f->columns[c] & bits) || begin == end;
            for (int e = begin; e < end; e++) q->at[e] = rsd_sparsity_find(&p->pattern, q->pattern.row[e], c);
        }
        status = rsd_colour_columns(&q->colours, &q->pattern, skip, &f->alloc, NULL);
    }
    rsd_free(&f->alloc, skip);
    return status < 0 ? RESIDA_ERR_MEMORY : 0;
}
static int allocate_values(rsd_parts *p, const rsd_frame *f)
{
    const long each = p->pattern.nnz + 1L;
    p->A = rsd_matrix(&f->alloc, VALUES, each);
    if (!p->A || !RSD_INTS(&f->alloc, each, &p->B_at, &p->B_column)) return RESIDA_ERR_MEMORY;
    double **others[VALUES - 1] = {&p->B, &p->C, &p->J, &p->accepted, &p->before};
    for (int i = 1; i < VALUES; i++) *others[i - 1] = p->A + i * each;
    return 0;
}

static void find_positions(rsd_parts *p, const rsd_frame *f)
{
    const resida_system *s = &f->s;
    rsd_structural_zeros_find_positions(&p->y, s->n_y, s->y_row, s->y_column, &p->pattern, p->y_at);
    rsd_structural_zeros_find_positions(&p->yp, s->n_yp, s->yp_row, s->yp_column, &p->pattern, p->yp_at);
    for (int k = 0; f->strategy->user && k < s->n_formalism; k++)
        p->derived_at[k] = rsd_sparsity_find(&p->pattern, s->formalism_row[k], s->formalism_column[k]);
}

/* List the entries that B may have, known or differenced. B_at first contains marks and then the list. */
static void list_entries_of_B(rsd_parts *p, const rsd_frame *f)
{
    const rsd_grouping *q = &p->formalism;
    const int *start = p->pattern.col_start;
    int *mark = p->B_at;
    for (int k = 0; k < f->s.n_yp; k++) mark[p->yp_at[k]] = 1;
    for (int c = 0; c < f->n; c++)
        for (int e = q->pattern.col_start[c]; e < q->pattern.col_start[c + 1] && f->columns[c] & RESIDA_COLUMN_YP; e++)
            mark[q->at[e]] = 1;
    p->n_B = 0;
    for (int c = 0; c < f->n; c++)
        for (int e = start[c]; e < start[c + 1]; e++) {
            if (!mark[e]) continue;
            p->B_column[p->n_B] = c;
            p->B_at[p->n_B++] = e;
        }
}

static void copy_values_of_old_pattern(rsd_parts *p, const rsd_parts *old)
{
    const long each = p->pattern.nnz + 1L, old_each = old->pattern.nnz + 1L;
    for (int c = 0; c < old->pattern.cols && old->has_pattern; c++)
        for (int e = old->pattern.col_start[c]; e < old->pattern.col_start[c + 1]; e++) {
            const int at = rsd_sparsity_find(&p->pattern, old->pattern.row[e], c);
            for (int i = 0; i < VALUES && at >= 0; i++) p->A[i * each + at] = old->A[i * old_each + e];
        }
}

/* Take the ownership of the given pattern of a part of J. If no pattern is given, copy the old pattern. */
static int choose_pattern(rsd_sparsity *to, const rsd_sparsity *given, const rsd_sparsity *old, const rsd_frame *f)
{
    if (!given) return rsd_sparsity_from_csc(to, old->rows, old->cols, old->col_start, old->row, &f->alloc, NULL);
    *to = *given;
    return 0;
}

int rsd_set_patterns(rsd_parts *p, const rsd_frame *f, const rsd_sparsity *formalism, const rsd_sparsity *constraint)
{
    const unsigned differenced = RESIDA_COLUMN_FORMALISM | RESIDA_COLUMN_YP;
    rsd_parts old = *p;
    *p = copy_without_layout(p);
    const int taken = choose_pattern(&p->constraint.pattern, constraint, &old.constraint.pattern, f);
    p->has_pattern = choose_pattern(&p->formalism.pattern, formalism, &old.formalism.pattern, f) >= 0 && taken >= 0 &&
                     unite_patterns(p, f) >= 0 && allocate_values(p, f) >= 0 &&
                     group_columns(p, f, &p->formalism, differenced) >= 0 &&
                     group_columns(p, f, &p->constraint, RESIDA_COLUMN_CONSTRAINT) >= 0;
    if (!p->has_pattern) { /* the old layout is restored */
        free_layout(p, &f->alloc);
        *p = old;
        return RESIDA_ERR_MEMORY;
    }
    copy_values_of_old_pattern(p, &old);
    free_layout(&old, &f->alloc);
    find_positions(p, f);
    list_entries_of_B(p, f);
    p->number++;
    return 0;
}

int rsd_parts_activate_zeros(rsd_parts *p, const rsd_frame *f, const double *y, const double *yp)
{
    const int activated = rsd_structural_zeros_activate(&p->y, y) + rsd_structural_zeros_activate(&p->yp, yp);
    return activated > 0 ? rsd_set_patterns(p, f, NULL, NULL) : 0;
}

/* Set *s to the pattern of all entries (i, c) of the columns c that have one of the resida_column bits `bits`. */
static int set_full_column_pattern(const rsd_frame *f, unsigned bits, rsd_sparsity *s)
{
    rsd_entries all = {.n = 0};
    for (int c = 0; c < f->n; c++)
        for (int i = 0; f->columns[c] & bits && i < f->n; i++) rsd_entries_add(&all, &f->alloc, f->n, i, c, 0);
    const int status = rsd_build_pattern(&all, f->n, f->n, s, &f->alloc);
    rsd_entries_free(&all, &f->alloc);
    return status;
}

int rsd_parts_set_full_pattern(rsd_parts *p, const rsd_frame *f)
{
    rsd_sparsity formalism, constraint;
    if (set_full_column_pattern(f, RESIDA_COLUMN_FORMALISM | RESIDA_COLUMN_YP, &formalism) < 0)
        return RESIDA_ERR_MEMORY;
    if (set_full_column_pattern(f, RESIDA_COLUMN_CONSTRAINT, &constraint) < 0) {
        rsd_sparsity_free(&formalism, &f->alloc);
        return RESIDA_ERR_MEMORY;
    }
    return rsd_set_patterns(p, f, &formalism, &constraint);
}

void rsd_parts_store_B(rsd_parts *p, const double *B)
{
    double largest = 0, change = 0;
    for (int e = 0; e < p->pattern.nnz; e++) {
        largest = fmax(largest, fabs(B[e]));
        change = fmax(change, fabs(B[e] - p->B[e]));
    }
    p->is_B_constant = change <= SAME_B * largest;
    memcpy(p->B, B, (size_t)p->pattern.nnz * sizeof *p->B);
}

/* Compute J = A + C + alpha B. */
RSD_WIDE static void add_parts_of_J(const double *A, const double *C, double alpha, const double *B, double *J, int nnz)
{
    RSD_ELEMENTWISE for (int e = 0; e < nnz; e++) J[e] = A[e] + C[e] + alpha * B[e];
}

void rsd_parts_assemble_J(rsd_parts *p, const rsd_frame *f, double alpha)
{
    if (!f->combined) {
        add_parts_of_J(p->A, p->C, alpha, p->B, p->J, p->pattern.nnz);
        return;
    }
    memcpy(p->J, p->A, (size_t)p->pattern.nnz * sizeof *p->J);
    for (int c = 0; c < f->n; c++)
        for (int e = p->pattern.col_start[c]; e < p->pattern.col_start[c + 1] && !f->columns[c]; e++)
            p->J[e] = p->C[e] + alpha * p->B[e];
}

/* Inverses of the largest entries of rows are stored because many changes are multiplied by them. */
void rsd_parts_set_inverse_row_sizes(const rsd_parts *p, const resida_jacobian_point *at, double *restrict per_row)
{
    const int *start = p->pattern.col_start, *row = p->pattern.row, n = p->pattern.cols;
    const double *restrict J = p->J;
    memset(per_row, 0, (size_t)n * sizeof *per_row);
    for (int c = 0; c < n; c++) {
        const double scale = 1 / rsd_get_weight(at, c);
        const int end = start[c + 1];
        for (int e = start[c]; e < end; e++) per_row[row[e]] = rsd_max(per_row[row[e]], fabs(J[e]) * scale);
    }
    for (int r = 0; r < n; r++) per_row[r] = per_row[r] > 0 ? 1 / per_row[r] : 0;
}
