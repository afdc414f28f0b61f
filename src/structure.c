/* structure.c - the known entries of J, see structure.h for the blocks; numbers (7), (9), (10) of Arnold, Fuchs, Fuehrer.
 *
 * Lists are made once, in the order of list_entries(); values are written in the same order by rsd_structure_known(). */
#include "structure.h"

#include "rows.h"

#include <string.h>

/* Takes the entries one by one: counts them, or writes their places. */
typedef struct lister {
    int n, *row, *column;
} lister;

static void put(lister *l, int row, int column)
{
    if (l->row) {
        l->row[l->n] = row;
        l->column[l->n] = column;
    }
    l->n++;
}

static void put_matrix(lister *l, const rsd_csr *A, int row, int column, int transposed)
{
    for (int i = 0; i < A->rows; i++)
        for (int k = A->row[i]; k < A->row[i + 1]; k++)
            put(l, row + (transposed ? A->col[k] : i), column + (transposed ? i : A->col[k]));
}

static void put_diagonal(lister *l, int n, int row, int column)
{
    for (int i = 0; i < n; i++) put(l, row + i, column + i);
}

static const rsd_csr *pattern_of_G(const rsd_structure *s)
{
    const rsd_mechanism *k = s->problem->mechanism;
    return k->m.kinematic_matrix ? &s->G : &k->gp;
}

static void list_y(const rsd_structure *s, lister *l)
{
    const resida_layout *q = &s->problem->layout;
    const rsd_mechanism *k = s->problem->mechanism;
    const rsd_csr *G = pattern_of_G(s);
    if (k->m.kinematic_matrix)
        put_matrix(l, &k->T, q->p, q->v, 0);
    else
        put_diagonal(l, q->n_v, q->p, q->v);
    if (q->lam >= 0) {
        put_matrix(l, G, q->lam, q->v, 0);
        put_matrix(l, &k->Gh, q->lam + q->n_g, q->v, 0);
        put_diagonal(l, k->n_l, q->lam, q->lam);
        if (!k->is_explicit) {
            put_matrix(l, G, q->v, q->lam, 1);
            put_matrix(l, &k->Gh, q->v, q->lam + q->n_g, 1);
        }
    }
    if (q->eta >= 0) {
        put_matrix(l, &k->gp, q->eta, q->p, 0);
        put_matrix(l, &k->gp, q->p, q->eta, 1);
        put_diagonal(l, q->n_g, q->eta, q->eta);
    }
}

static void list_yp(const rsd_structure *s, lister *l)
{
    const resida_layout *q = &s->problem->layout;
    const rsd_mechanism *k = s->problem->mechanism;
    put_diagonal(l, q->n_p, q->p, q->p);
    if (k->is_explicit)
        put_diagonal(l, q->n_v, q->v, q->v);
    else if (k->m.mass_matrix)
        put_matrix(l, &k->M, q->v, q->v, 0);
}

static void set_columns(rsd_structure *s)
{
    const resida_layout *q = &s->problem->layout;
    const rsd_mechanism *k = s->problem->mechanism;
    int curved = k->n_l > 0 || k->m.kinematic_matrix, open_M = !k->is_explicit && !k->m.mass_matrix;
    for (int i = 0; i < q->n; i++)
        if (i < q->v)
            s->columns[i] = (unsigned char)(RESIDA_COLUMN_DEAR | (curved ? RESIDA_COLUMN_CHEAP : 0));
        else if (i < q->v + q->n_v)
            s->columns[i] = (unsigned char)(RESIDA_COLUMN_DEAR | (open_M ? RESIDA_COLUMN_YP : 0));
        else if (k->is_explicit && (q->eta < 0 || i < q->eta))
            s->columns[i] = RESIDA_COLUMN_DEAR;
}

/* The pattern of (dg/dp) T: row i of G has the columns of all rows of T that row i of dg/dp has. */
static resida_status multiply_patterns(rsd_structure *s, resida_message *why)
{
    const rsd_mechanism *k = s->problem->mechanism;
    const resida_allocator *a = &s->problem->alloc;
    int n_g = k->m.n_g, n_v = k->m.n_v;
    int *mark = rsd_calloc(a, n_v, sizeof(int)), *row = rsd_calloc(a, n_g + 1L, sizeof(int)), *col = NULL;
    resida_status status = mark && row ? RESIDA_OK : RESIDA_ERR_MEMORY;
    for (int pass = 0; pass < 2 && status >= 0; pass++) {
        int nnz = 0;
        for (int i = 0; i < n_g; i++) {
            for (int e = k->gp.row[i]; e < k->gp.row[i + 1]; e++)
                for (int q = k->T.row[k->gp.col[e]]; q < k->T.row[k->gp.col[e] + 1]; q++)
                    mark[k->T.col[q]] = 2 * i + pass + 1;
            for (int c = 0; c < n_v; c++)
                if (mark[c] == 2 * i + pass + 1) {
                    if (pass) col[nnz] = c;
                    nnz++;
                }
            row[i + 1] = nnz;
        }
        if (pass == 0 && !(col = rsd_calloc(a, nnz, sizeof(int)))) status = RESIDA_ERR_MEMORY;
        if (pass == 0) memset(mark, 0, (size_t)n_v * sizeof *mark);
    }
    if (status >= 0) status = rsd_csr_create(&s->G, "G", n_g, n_v, &(resida_pattern){row, col}, a, why);
    rsd_free(a, mark);
    rsd_free(a, row);
    rsd_free(a, col);
    return status;
}

static resida_status make_lists(rsd_structure *s)
{
    const resida_allocator *a = &s->problem->alloc;
    lister y = {0, NULL, NULL}, yp = {0, NULL, NULL};
    list_y(s, &y);
    list_yp(s, &yp);
    s->y_row = rsd_calloc(a, y.n, sizeof(int));
    s->y_column = rsd_calloc(a, y.n, sizeof(int));
    s->yp_row = rsd_calloc(a, yp.n, sizeof(int));
    s->yp_column = rsd_calloc(a, yp.n, sizeof(int));
    if (!s->y_row || !s->y_column || !s->yp_row || !s->yp_column) return RESIDA_ERR_MEMORY;
    y = (lister){0, s->y_row, s->y_column};
    yp = (lister){0, s->yp_row, s->yp_column};
    list_y(s, &y);
    list_yp(s, &yp);
    s->n_y = y.n;
    s->n_yp = yp.n;
    return RESIDA_OK;
}

resida_status rsd_structure_create(rsd_structure *s, resida_problem *problem, resida_message *why)
{
    *s = (rsd_structure){.problem = problem};
    const rsd_mechanism *k = problem->mechanism;
    if (!k) return RESIDA_OK;
    const resida_allocator *a = &problem->alloc;
    resida_status status = k->m.kinematic_matrix ? multiply_patterns(s, why) : RESIDA_OK;
    s->columns = rsd_calloc(a, problem->layout.n, 1);
    s->M = rsd_doubles(a, k->M.nnz);
    s->G_row = rsd_doubles(a, k->m.n_v);
    if (!s->columns || !s->M || !s->G_row) status = RESIDA_ERR_MEMORY;
    if (status >= 0) status = make_lists(s);
    if (status < 0) {
        rsd_structure_free(s);
        return rsd_fail(why, status, "%s: no memory for the structure of J", k->m.name);
    }
    set_columns(s);
    return RESIDA_OK;
}

void rsd_structure_free(rsd_structure *s)
{
    if (!s->problem) return;
    const resida_allocator *a = &s->problem->alloc;
    rsd_csr_free(&s->G, a);
    void *blocks[] = {s->G_row, s->M, s->y_row, s->y_column, s->yp_row, s->yp_column, s->columns};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) rsd_free(a, blocks[i]);
    *s = (rsd_structure){.problem = NULL};
}

/* Values in the order of the lists. */
static double *write_values(double *out, const double *values, int n, double sign)
{
    for (int k = 0; k < n; k++) out[k] = sign * values[k];
    return out + n;
}

/* A matrix with one row for each constraint: rows that were dropped are zero. */
static double *write_rows(double *out, const rsd_csr *A, const double *values, const unsigned char *dropped)
{
    for (int i = 0; i < A->rows; i++)
        for (int k = A->row[i]; k < A->row[i + 1]; k++) *out++ = dropped && dropped[i] ? 0 : values[k];
    return out;
}

/* Row by row of G = (dg/dp) T, or of dg/dp itself. */
static double *write_G(rsd_structure *s, double *out, const unsigned char *dropped)
{
    const rsd_mechanism *k = s->problem->mechanism;
    if (!k->m.kinematic_matrix) return write_rows(out, &k->gp, k->gp_values, dropped);
    for (int i = 0; i < k->m.n_g; i++) {
        for (int e = s->G.row[i]; e < s->G.row[i + 1]; e++) s->G_row[s->G.col[e]] = 0;
        for (int e = k->gp.row[i]; e < k->gp.row[i + 1]; e++)
            for (int q = k->T.row[k->gp.col[e]]; q < k->T.row[k->gp.col[e] + 1]; q++)
                s->G_row[k->T.col[q]] += k->gp_values[e] * k->T_values[q];
        for (int e = s->G.row[i]; e < s->G.row[i + 1]; e++) *out++ = dropped && dropped[i] ? 0 : s->G_row[s->G.col[e]];
    }
    return out;
}

static void write_y(rsd_structure *s, double *out)
{
    const resida_layout *q = &s->problem->layout;
    const rsd_mechanism *k = s->problem->mechanism;
    if (k->m.kinematic_matrix)
        out = write_values(out, k->T_values, k->T.nnz, -1);
    else
        for (int i = 0; i < q->n_v; i++) *out++ = -1;
    if (q->lam >= 0) {
        out = write_G(s, out, k->dropped);
        out = write_rows(out, &k->Gh, k->Gh_values, k->dropped + q->n_g);
        for (int i = 0; i < k->n_l; i++) *out++ = k->dropped[i];
        if (!k->is_explicit) {
            out = write_G(s, out, NULL);
            out = write_values(out, k->Gh_values, k->Gh.nnz, 1);
        }
    }
    if (q->eta >= 0) {
        out = write_rows(out, &k->gp, k->gp_values, k->dropped);
        out = write_values(out, k->gp_values, k->gp.nnz, 1);
        for (int i = 0; i < q->n_g; i++) *out++ = k->dropped[i];
    }
}

static int write_yp(rsd_structure *s, double t, const double *p, double *out)
{
    const resida_layout *q = &s->problem->layout;
    rsd_mechanism *k = s->problem->mechanism;
    for (int i = 0; i < q->n_p + (k->is_explicit ? q->n_v : 0); i++) *out++ = 1;
    if (k->is_explicit || !k->m.mass_matrix) return 0;
    int verdict = rsd_eval_mass_matrix(k, t, p, s->M);
    write_values(out, s->M, k->M.nnz, 1);
    return verdict;
}

int rsd_structure_known(rsd_structure *s, double t, const double *y, double *dy, double *dyp)
{
    int verdict = rsd_rows_begin(s->problem->mechanism, t, y + s->problem->layout.p);
    if (verdict) return verdict;
    write_y(s, dy);
    return write_yp(s, t, y + s->problem->layout.p, dyp);
}
