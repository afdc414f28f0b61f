/* parts.c - the layout of J: one pattern of the differenced parts and the known entries, with groups of columns for
 * each part. It is made anew when a pattern grows. */
#include "parts.h"

#include <math.h>
#include <string.h>

#include "src/base/lanes.h"
#include "jacobian/pattern/entries.h"
#include "src/base/memory.h"

#define SAME_B 1e-5 /* of its largest entry: a smaller change is rounding */

static void free_grouping(rsd_grouping *q, const resida_allocator *a)
{
    rsd_sparsity_free(&q->pattern, a);
    rsd_colouring_free(&q->colours, a);
    rsd_free(a, q->at);
    q->at = NULL;
}

/* Arrays of values on the pattern, without D. */
enum { VALUES = 6 };

static void list_values(rsd_parts *p, double **values[VALUES])
{
    double **all[VALUES] = {&p->A, &p->B, &p->C, &p->J, &p->accepted, &p->before};
    memcpy(values, all, sizeof all);
}

static void free_layout(rsd_parts *p, const resida_allocator *a)
{
    double **values[VALUES];
    list_values(p, values);
    for (int i = 0; i < VALUES; i++) rsd_free(a, *values[i]);
    rsd_free(a, p->D);
    rsd_free(a, p->B_at);
    rsd_free(a, p->B_column);
    rsd_sparsity_free(&p->pattern, a);
    free_grouping(&p->formalism, a);
    free_grouping(&p->constraint, a);
}

/* The parts without pattern and values. */
static rsd_parts without_layout(const rsd_parts *p)
{
    return (rsd_parts){
        .number = p->number, .y_at = p->y_at, .yp_at = p->yp_at, .y = p->y, .yp = p->yp, .derived_at = p->derived_at};
}

int rsd_parts_create(rsd_parts *p, const rsd_frame *f)
{
    p->y_at = rsd_calloc(&f->alloc, f->s.n_y, sizeof(int));
    p->yp_at = rsd_calloc(&f->alloc, f->s.n_yp, sizeof(int));
    p->derived_at = rsd_calloc(&f->alloc, f->strategy->user ? f->s.n_formalism : 0, sizeof(int));
    return p->y_at && p->yp_at && p->derived_at &&
           rsd_structural_zeros_create(&p->y, f->s.y_latent, f->s.n_y, &f->alloc) &&
           rsd_structural_zeros_create(&p->yp, f->s.yp_latent, f->s.n_yp, &f->alloc);
}

void rsd_parts_clear(rsd_parts *p, const rsd_frame *f)
{
    free_layout(p, &f->alloc);
    *p = without_layout(p);
    rsd_structural_zeros_reset(&p->y, f->s.y_latent, f->s.n_y);
    rsd_structural_zeros_reset(&p->yp, f->s.yp_latent, f->s.n_yp);
}

/* The pattern of all known entries without structural zeros. */
static int known_pattern(const rsd_parts *p, const rsd_frame *f, rsd_sparsity *known)
{
    const resida_system *s = &f->s;
    rsd_sparsity y, yp;
    if (rsd_structural_zeros_pattern(&p->y, s->n_y, s->y_row, s->y_column, f, &y) < 0) return RESIDA_ERR_MEMORY;
    int status = rsd_structural_zeros_pattern(&p->yp, s->n_yp, s->yp_row, s->yp_column, f, &yp);
    if (status >= 0) status = rsd_sparsity_union(known, &y, &yp, &f->alloc, NULL);
    rsd_sparsity_free(&y, &f->alloc);
    rsd_sparsity_free(&yp, &f->alloc);
    return status < 0 ? RESIDA_ERR_MEMORY : 0;
}

/* Unite J's pattern from known entries, formalism part and constraint part. */
static int unite_all(rsd_parts *p, const rsd_frame *f, const rsd_sparsity *formalism, const rsd_sparsity *constraint)
{
    rsd_sparsity known, some;
    if (known_pattern(p, f, &known) < 0) return RESIDA_ERR_MEMORY;
    int status = rsd_sparsity_union(&some, &known, formalism, &f->alloc, NULL);
    rsd_sparsity_free(&known, &f->alloc);
    if (status < 0) return RESIDA_ERR_MEMORY;
    status = rsd_sparsity_union(&p->pattern, &some, constraint, &f->alloc, NULL);
    rsd_sparsity_free(&some, &f->alloc);
    return status < 0 ? RESIDA_ERR_MEMORY : 0;
}

/* Make one group of each differenced column, as a full pattern needs. */
static int group_single_columns(const rsd_frame *f, rsd_colouring *c, unsigned bits)
{
    *c = (rsd_colouring){.cols = f->n, .method = "column by column"};
    c->group = rsd_calloc(&f->alloc, f->n, sizeof(int));
    c->start = rsd_calloc(&f->alloc, f->n + 1L, sizeof(int));
    c->columns = rsd_calloc(&f->alloc, f->n, sizeof(int));
    if (!c->group || !c->start || !c->columns) return RESIDA_ERR_MEMORY;
    for (int i = 0; i < f->n; i++) {
        c->group[i] = f->columns[i] & bits ? c->n_groups : -1;
        if (c->group[i] < 0) continue;
        c->columns[c->n_groups++] = i;
        c->start[c->n_groups] = c->n_groups;
    }
    c->bound = c->n_groups;
    return 0;
}

static int group_columns(rsd_parts *p, const rsd_frame *f, rsd_grouping *q, unsigned bits)
{
    q->at = rsd_calloc(&f->alloc, q->pattern.nnz, sizeof(int));
    if (!q->at) return RESIDA_ERR_MEMORY;
    for (int c = 0; c < f->n; c++)
        for (int e = q->pattern.col_start[c]; e < q->pattern.col_start[c + 1]; e++)
            q->at[e] = rsd_sparsity_find(&p->pattern, q->pattern.row[e], c);
    if (!f->strategy->coloured && !f->strategy->user) return group_single_columns(f, &q->colours, bits);
    unsigned char *skip = rsd_calloc(&f->alloc, f->n, 1);
    if (!skip) return RESIDA_ERR_MEMORY;
    for (int c = 0; c < f->n; c++) /* a column without entries needs no call */
        skip[c] = !(f->columns[c] & bits) || q->pattern.col_start[c] == q->pattern.col_start[c + 1];
    int status = rsd_colour(&q->colours, &q->pattern, skip, &f->alloc, NULL);
    rsd_free(&f->alloc, skip);
    return status < 0 ? RESIDA_ERR_MEMORY : 0;
}

static int reserve_values(rsd_parts *p, const rsd_frame *f)
{
    double **values[VALUES];
    list_values(p, values);
    for (int i = 0; i < VALUES; i++)
        if (!(*values[i] = rsd_doubles(&f->alloc, p->pattern.nnz + 1L))) return RESIDA_ERR_MEMORY;
    p->B_at = rsd_calloc(&f->alloc, p->pattern.nnz + 1L, sizeof(int));
    p->B_column = rsd_calloc(&f->alloc, p->pattern.nnz + 1L, sizeof(int));
    return p->B_at && p->B_column ? 0 : RESIDA_ERR_MEMORY;
}

static void find_places(rsd_parts *p, const rsd_frame *f)
{
    const resida_system *s = &f->s;
    rsd_structural_zeros_place(&p->y, s->n_y, s->y_row, s->y_column, &p->pattern, p->y_at);
    rsd_structural_zeros_place(&p->yp, s->n_yp, s->yp_row, s->yp_column, &p->pattern, p->yp_at);
    for (int k = 0; f->strategy->user && k < s->n_formalism; k++)
        p->derived_at[k] = rsd_sparsity_find(&p->pattern, s->formalism_row[k], s->formalism_column[k]);
}

/* List the entries that B may have, known or differenced. B_at holds marks first, then the list. */
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

static void copy_values(rsd_parts *p, rsd_parts *old)
{
    double **to[VALUES], **from[VALUES];
    list_values(p, to);
    list_values(old, from);
    for (int c = 0; c < old->pattern.cols && old->is_there; c++)
        for (int e = old->pattern.col_start[c]; e < old->pattern.col_start[c + 1]; e++) {
            int at = rsd_sparsity_find(&p->pattern, old->pattern.row[e], c);
            for (int i = 0; i < VALUES && at >= 0; i++) (*to[i])[at] = (*from[i])[e];
        }
}

int rsd_parts_set(rsd_parts *p, const rsd_frame *f, rsd_sparsity *formalism, rsd_sparsity *constraint)
{
    const unsigned differenced = RESIDA_COLUMN_FORMALISM | RESIDA_COLUMN_YP;
    rsd_parts old = *p;
    *p = without_layout(p);
    p->formalism.pattern = *formalism;
    p->constraint.pattern = *constraint;
    p->is_there = unite_all(p, f, formalism, constraint) >= 0 && reserve_values(p, f) >= 0 &&
                  group_columns(p, f, &p->formalism, differenced) >= 0 &&
                  group_columns(p, f, &p->constraint, RESIDA_COLUMN_CONSTRAINT) >= 0;
    if (!p->is_there) { /* everything stays as it was */
        free_layout(p, &f->alloc);
        *p = old;
        return RESIDA_ERR_MEMORY;
    }
    copy_values(p, &old);
    free_layout(&old, &f->alloc);
    find_places(p, f);
    list_entries_of_B(p, f);
    p->number++;
    return 0;
}

int rsd_parts_grow(rsd_parts *p, const rsd_frame *f, rsd_sparsity *formalism)
{
    rsd_sparsity constraint;
    const rsd_sparsity *q = &p->constraint.pattern;
    if (rsd_sparsity_from_csc(&constraint, q->rows, q->cols, q->col_start, q->row, &f->alloc, NULL) < 0) {
        rsd_sparsity_free(formalism, &f->alloc);
        return RESIDA_ERR_MEMORY;
    }
    return rsd_parts_set(p, f, formalism, &constraint);
}

int rsd_parts_activate(rsd_parts *p, const rsd_frame *f, const double *y, const double *yp)
{
    const int activated = rsd_structural_zeros_activate(&p->y, y) + rsd_structural_zeros_activate(&p->yp, yp);
    rsd_sparsity formalism;
    if (activated == 0) return 0;
    const rsd_sparsity *q = &p->formalism.pattern;
    const int status = rsd_sparsity_from_csc(&formalism, q->rows, q->cols, q->col_start, q->row, &f->alloc, NULL);
    return status < 0 ? RESIDA_ERR_MEMORY : rsd_parts_grow(p, f, &formalism);
}

/* The pattern with every row in the columns with one of the bits. */
static int full_columns(const rsd_frame *f, unsigned bits, rsd_sparsity *s)
{
    rsd_entries all = {.n = 0};
    for (int c = 0; c < f->n; c++)
        for (int i = 0; f->columns[c] & bits && i < f->n; i++) rsd_entries_add(&all, &f->alloc, f->n, i, c, 0);
    const int status = rsd_entries_unite(&all, f->n, NULL, s, &f->alloc);
    rsd_entries_free(&all, &f->alloc);
    return status;
}

int rsd_parts_fill(rsd_parts *p, const rsd_frame *f)
{
    rsd_sparsity formalism, constraint;
    if (full_columns(f, RESIDA_COLUMN_FORMALISM | RESIDA_COLUMN_YP, &formalism) < 0) return RESIDA_ERR_MEMORY;
    if (full_columns(f, RESIDA_COLUMN_CONSTRAINT, &constraint) < 0) {
        rsd_sparsity_free(&formalism, &f->alloc);
        return RESIDA_ERR_MEMORY;
    }
    return rsd_parts_set(p, f, &formalism, &constraint);
}

void rsd_parts_take_B(rsd_parts *p, const double *B)
{
    double largest = 0, change = 0;
    for (int e = 0; e < p->pattern.nnz; e++) {
        largest = fmax(largest, fabs(B[e]));
        change = fmax(change, fabs(B[e] - p->B[e]));
    }
    p->B_same = change <= SAME_B * largest ? p->B_same + 1 : 0;
    memcpy(p->B, B, (size_t)p->pattern.nnz * sizeof *p->B);
}

void rsd_parts_forget_B(rsd_parts *p)
{
    p->B_same = 0;
}

void rsd_parts_forget_accepted(rsd_parts *p)
{
    if (p->accepted) memset(p->accepted, 0, (size_t)p->pattern.nnz * sizeof *p->accepted);
}

int rsd_parts_reserve_D(rsd_parts *p, const rsd_frame *f, int n_live)
{
    p->D = rsd_matrix(&f->alloc, n_live, p->pattern.nnz);
    return p->D ? 0 : RESIDA_ERR_MEMORY;
}

void rsd_parts_drop_D(rsd_parts *p, const rsd_frame *f)
{
    rsd_free(&f->alloc, p->D);
    p->D = NULL;
}

/* J = A + C + alpha B */
RSD_WIDE static void sum_of_parts(const double *A, const double *C, double alpha, const double *B, double *J, int nnz)
{
    RSD_ELEMENTWISE for (int e = 0; e < nnz; e++) J[e] = A[e] + C[e] + alpha * B[e];
}

void rsd_parts_assemble(rsd_parts *p, const rsd_frame *f, double alpha)
{
    if (!f->combined) {
        sum_of_parts(p->A, p->C, alpha, p->B, p->J, p->pattern.nnz);
        return;
    }
    memcpy(p->J, p->A, (size_t)p->pattern.nnz * sizeof *p->J);
    for (int c = 0; c < f->n; c++)
        for (int e = p->pattern.col_start[c]; e < p->pattern.col_start[c + 1] && !f->columns[c]; e++)
            p->J[e] = p->C[e] + alpha * p->B[e];
}

/* Inverses, because many changes are multiplied by them. */
void rsd_parts_size_rows(const rsd_parts *p, const resida_jacobian_point *at, double *restrict per_row)
{
    const int *start = p->pattern.col_start, *row = p->pattern.row, n = p->pattern.cols;
    const double *restrict J = p->J;
    memset(per_row, 0, (size_t)n * sizeof *per_row);
    for (int c = 0; c < n; c++) {
        const double scale = 1 / rsd_weight(at, c);
        const int end = start[c + 1];
        for (int e = start[c]; e < end; e++) per_row[row[e]] = rsd_larger(per_row[row[e]], fabs(J[e]) * scale);
    }
    for (int r = 0; r < n; r++) per_row[r] = per_row[r] > 0 ? 1 / per_row[r] : 0;
}
