/* independent.c - linearisation of a mechanism in independent coordinates, resida/linearize.h. It uses the derivatives
 * of the GGL form
 *
 *     p' - T v = 0,    Phi + G' lam = 0,    G v + gI = 0, Gh v + gh = 0,    g = 0,    k = 0
 *
 * and those of the acceleration constraints G a + gamma = 0 of the index-1 form. Each independent coordinate and each
 * input gives one column: the dp, dv, da of least norm that satisfy the constraints, and their products with the
 * derivatives of the equations of p' and v'. */
#include "full.h"
#include "linearize_impl.h"

#include "base/linear/dense.h"

#include <math.h>
#include <string.h>

#define RANK 1e-8 /* smallest independent part of a row of norm 1; as rank_tolerance of resida/start.h */

typedef struct work {
    rsd_owner owner;
    resida_allocator alloc; /* for everything except the result */
    resida_problem *q;      /* owned copy in the form "ggl", or "ode" */
    rsd_pencil at, levels;  /* derivatives of q; of the index-1 form, if has_levels */
    resida_layout l, l1;    /* layouts of q and of the index-1 form */
    int has_levels;
    rsd_split p, v;          /* row and null spaces of (dg/dp; dk/dp); of (G; Gh) */
    rsd_split force;         /* row and null space of d(Phi + G'lam)/dlam, independent constraints only */
    const double *left;      /* [n_v x d_v] left null space of d(Phi + G'lam)/dlam */
    int d_p, d_v, n_columns; /* independent positions; independent velocities; d_p + d_v + inputs */
    double *dp, *dv, *da;    /* [n_p x n_columns], [n_v x n_columns] twice; da at first without N w' */
    double *kin, *dyn;       /* [n_p x n_columns], [n_v x n_columns] changes of the rows of p' and of v' */
} work;

/* Evaluate the derivatives of problem q at the state. */
static resida_status evaluate_derivatives(work *w, rsd_pencil *pencil, resida_problem *q, const rsd_state_by_parts *at,
                                          resida_message *why)
{
    const resida_layout *l = &q->layout;
    double *y, *yp, *r;
    if (!RSD_DOUBLES(&w->alloc, l->n, &y, &yp, &r)) return RESIDA_ERR_MEMORY;
    memcpy(y + l->p, at->p, (size_t)l->n_p * sizeof *y);
    memcpy(y + l->v, at->v, (size_t)l->n_v * sizeof *y);
    memcpy(yp + l->v, at->a, (size_t)l->n_v * sizeof *y);
    if (l->lam >= 0) memcpy(y + l->lam, at->lam, (size_t)(l->n_g + l->n_h) * sizeof *y);
    if (resida_problem_residual(at->t, y, yp, r, q) == 0) /* otherwise the engine reports the failure */
        for (int i = 0; i < l->n_p; i++) yp[l->p + i] = -r[l->p + i];
    return rsd_pencil_compute(pencil, q, at->t, y, yp, &w->alloc, &w->alloc, why);
}

/* Compute y += B x. B [rows x columns] is the block of A that begins at (row, column). */
static void add_block_times_vector(const rsd_sparse *A, int row, int rows, int column, int columns, const double *x,
                                   double *y)
{
    for (int j = 0; j < columns; j++)
        for (int e = A->start[column + j]; e < A->start[column + j + 1] && x[j] != 0; e++) {
            const int i = A->row[e] - row;
            if (i >= 0 && i < rows) y[i] += A->values[e] * x[j];
        }
}

/* Copy the transposed block of A into out [columns x rows]. The block [rows x columns] begins at (row, column). */
static void copy_block_transposed(const rsd_sparse *A, int row, int rows, int column, int columns, double *out)
{
    for (int j = 0; j < columns; j++)
        for (int e = A->start[column + j]; e < A->start[column + j + 1]; e++) {
            const int i = A->row[e] - row;
            if (i >= 0 && i < rows) out[(long)i * columns + j] = A->values[e];
        }
}

/* Compute the null spaces of the position constraints and of the velocity constraints. */
static resida_status find_null_spaces(work *w)
{
    const resida_layout *l = &w->l;
    const int n_l = l->n_g + l->n_h, most = l->n_g + l->n_k > n_l ? l->n_g + l->n_k : n_l;
    double *rows = rsd_matrix(&w->alloc, most, l->n_p > l->n_v ? l->n_p : l->n_v);
    if (!rows) return RESIDA_ERR_MEMORY;
    if (l->n_g > 0) copy_block_transposed(&w->at.dFdy, l->eta, l->n_g, l->p, l->n_p, rows);
    if (l->n_k > 0) copy_block_transposed(&w->at.dFdy, l->eta_k, l->n_k, l->p, l->n_p, rows + (long)l->n_g * l->n_p);
    RSD_TRY(rsd_split_compute(&w->p, l->n_g + l->n_k, l->n_p, rows, 0, RANK, &w->alloc));
    memset(rows, 0, (size_t)n_l * (size_t)l->n_v * sizeof *rows);
    if (n_l > 0) copy_block_transposed(&w->at.dFdy, l->lam, n_l, l->v, l->n_v, rows);
    RSD_TRY(rsd_split_compute(&w->v, n_l, l->n_v, rows, 0, RANK, &w->alloc));
    w->d_p = l->n_p - w->p.rank, w->d_v = l->n_v - w->v.rank;
    w->n_columns = w->d_p + w->d_v + w->at.n_inputs;
    return RESIDA_OK;
}

/* Compute the left null space of d(Phi + G'lam)/dlam. It is the null space of (G; Gh) unless forces depend on lam. */
static resida_status find_left_null_space(work *w, resida_message *why)
{
    const resida_layout *l = &w->l;
    const rsd_mechanism *k = w->q->mechanism;
    w->left = rsd_split_null(&w->v);
    if (w->v.rank == 0) return RESIDA_OK;
    double *reached = rsd_matrix(&w->alloc, w->v.rank, l->n_v);
    if (!reached) return RESIDA_ERR_MEMORY;
    for (int i = 0; i < w->v.rank; i++) {
        const double one = 1;
        add_block_times_vector(&w->at.dFdy, l->v, l->n_v, l->lam + w->v.perm[i], 1, &one, reached + (long)i * l->n_v);
    }
    RSD_TRY(rsd_split_compute(&w->force, w->v.rank, l->n_v, reached, 0, RANK, &w->alloc));
    if (!k->is_explicit && !k->uses_lam) return RESIDA_OK;
    if (w->force.rank < w->v.rank)
        return rsd_fail(why, RESIDA_ERR_SINGULAR,
                        "the model cannot be linearized: forces that depend on lam compensate the constraint forces");
    w->left = rsd_split_null(&w->force);
    return RESIDA_OK;
}

/* Compute Y += B X [rows x n_columns]. B [rows x columns] is the block of A that begins at (row, column). */
static void add_block_times_columns(const work *w, const rsd_sparse *A, int row, int rows, int column, int columns,
                                    const double *X, double *Y)
{
    for (int c = 0; c < w->n_columns; c++)
        add_block_times_vector(A, row, rows, column, columns, X + (long)c * columns, Y + (long)c * rows);
}

/* Add rows of dF/du, from `row` on, to the columns of the inputs in Y [rows x n_columns]. */
static void add_input_columns(const work *w, const rsd_pencil *of, int row, int rows, double *Y)
{
    double *y = Y + (long)(w->d_p + w->d_v) * rows;
    for (int j = 0; j < of->n_inputs; j++)
        for (int i = 0; i < rows; i++) y[(long)j * rows + i] += of->dFdu[(long)j * of->n + row + i];
}

/* Subtract the x of least norm with rows x = b from each column of X, b the same column of B. Then set B to 0. */
static void subtract_constrained_part(const work *w, const rsd_split *s, double *B, double *X, double *room)
{
    for (int c = 0; c < w->n_columns && s->m > 0; c++) {
        rsd_split_solve(s, B + (long)c * s->m, room, room + s->n);
        for (int i = 0; i < s->n; i++) X[(long)c * s->n + i] -= room[i];
    }
    memset(B, 0, (size_t)w->n_columns * (size_t)s->m * sizeof *B);
}

/* Compute dp, dv and da of all columns: vectors of the null spaces, and motions that satisfy the constraints. B [rows x
 * n_columns] and room are work arrays. */
static void compute_motions(const work *w, double *B, double *room)
{
    const resida_layout *l = &w->l, *l1 = &w->l1;
    const int n_l = l->n_g + l->n_h;
    memcpy(w->dp, rsd_split_null(&w->p), (size_t)w->d_p * (size_t)l->n_p * sizeof *B);
    memcpy(w->dv + (long)w->d_p * l->n_v, rsd_split_null(&w->v), (size_t)w->d_v * (size_t)l->n_v * sizeof *B);
    if (n_l == 0) return;
    for (int j = 0; j < w->at.n_inputs; j++) /* without the rows of k, which do not depend on inputs */
        memcpy(B + (long)(w->d_p + w->d_v + j) * w->p.m, w->at.dFdu + (long)j * l->n + l->eta,
               (size_t)l->n_g * sizeof *B);
    subtract_constrained_part(w, &w->p, B, w->dp, room);
    add_block_times_columns(w, &w->at.dFdy, l->lam, n_l, l->p, l->n_p, w->dp, B);
    add_input_columns(w, &w->at, l->lam, n_l, B);
    subtract_constrained_part(w, &w->v, B, w->dv, room);
    if (!w->has_levels) return;
    add_block_times_columns(w, &w->levels.dFdy, l1->lam, n_l, l1->p, l->n_p, w->dp, B);
    add_block_times_columns(w, &w->levels.dFdy, l1->lam, n_l, l1->v, l->n_v, w->dv, B);
    add_input_columns(w, &w->levels, l1->lam, n_l, B);
    subtract_constrained_part(w, &w->v, B, w->da, room);
}

/* Compute the changes of the equations of p' and v' by all columns. */
static void multiply_columns(const work *w)
{
    const resida_layout *l = &w->l;
    const rsd_sparse *A = &w->at.dFdy;
    add_block_times_columns(w, A, l->p, l->n_p, l->p, l->n_p, w->dp, w->kin);
    add_block_times_columns(w, A, l->p, l->n_p, l->v, l->n_v, w->dv, w->kin);
    add_input_columns(w, &w->at, l->p, l->n_p, w->kin);
    add_block_times_columns(w, A, l->v, l->n_v, l->p, l->n_p, w->dp, w->dyn);
    add_block_times_columns(w, A, l->v, l->n_v, l->v, l->n_v, w->dv, w->dyn);
    add_block_times_columns(w, &w->at.dFdyp, l->v, l->n_v, l->v, l->n_v, w->da, w->dyn);
    add_input_columns(w, &w->at, l->v, l->n_v, w->dyn);
}

static resida_status compute_columns(work *w)
{
    const resida_layout *l = &w->l;
    const resida_allocator *a = &w->alloc;
    const int n = w->n_columns, rows = l->n_g + l->n_k + l->n_h, wide = l->n_p > l->n_v ? l->n_p : l->n_v;
    double *B, *room;
    if (!RSD_DOUBLES(a, (long)n * rows, &B) || !RSD_DOUBLES(a, (long)wide + rows, &room) ||
        !RSD_DOUBLES(a, (long)n * l->n_p, &w->dp, &w->kin) ||
        !RSD_DOUBLES(a, (long)n * l->n_v, &w->dv, &w->da, &w->dyn))
        return RESIDA_ERR_MEMORY;
    compute_motions(w, B, room);
    multiply_columns(w);
    return RESIDA_OK;
}

/* Compute out = -(P' kin; left' dyn), [(d_p + d_v) x columns], for the columns from c on. */
static void project_rows(const work *w, int c, int columns, double *out)
{
    const resida_layout *l = &w->l;
    const int n = w->d_p + w->d_v, n_p = l->n_p, n_v = l->n_v;
    rsd_multiply(w->d_p, columns, n_p, -1, rsd_split_null(&w->p), n_p, 1, w->kin + (long)c * n_p, n_p, out, n);
    rsd_multiply(w->d_v, columns, n_v, -1, w->left, n_v, 1, w->dyn + (long)c * n_v, n_v, out + w->d_p, n);
}

/* Compute out = diag(I, left' M N) [n x n], M = dF/dv'. out and the work array MN [n_v x d_v] must be zero. */
static void project_inertia(const work *w, double *MN, double *out)
{
    const resida_layout *l = &w->l;
    const int n = w->d_p + w->d_v, n_v = l->n_v;
    const double *N = rsd_split_null(&w->v);
    for (int j = 0; j < w->d_p; j++) out[(long)j * n + j] = 1;
    for (int j = 0; j < w->d_v; j++)
        add_block_times_vector(&w->at.dFdyp, l->v, n_v, l->v, n_v, N + (long)j * n_v, MN + (long)j * n_v);
    rsd_multiply(w->d_v, w->d_v, n_v, 1, w->left, n_v, 1, MN, n_v, out + (long)w->d_p * n + w->d_p, n);
}

/* Add an acceleration N w' to column c of da, and M N w' to that of dyn, such that lam can balance dyn. w' [d_v] */
static void add_acceleration(const work *w, const rsd_split *inertia, int c, double *b, double *room)
{
    const resida_layout *l = &w->l;
    double *da = w->da + (long)c * l->n_v, *dyn = w->dyn + (long)c * l->n_v, *more = b + w->d_v;
    rsd_multiply(w->d_v, 1, l->n_v, -1, w->left, l->n_v, 1, dyn, l->n_v, b, w->d_v);
    rsd_split_solve(inertia, b, room, room + w->d_v);
    rsd_multiply(l->n_v, 1, w->d_v, 1, rsd_split_null(&w->v), l->n_v, 0, room, w->d_v, more, l->n_v);
    for (int i = 0; i < l->n_v; i++) da[i] += more[i];
    add_block_times_vector(&w->at.dFdyp, l->v, l->n_v, l->v, l->n_v, more, dyn);
}

/* Compute the responses da and dlam of each column. They are NaN if a direction has no inertia or lam is not unique.
 * w->da and w->dyn are changed. */
static resida_status compute_responses(resida_linearization *to, work *w, const double *E)
{
    const resida_layout *l = &w->l;
    const int n = w->d_p + w->d_v, rows = l->n_v + l->n_g + l->n_h, wide = 2 * (rows + l->n_v);
    rsd_split inertia;
    double *E_t = rsd_matrix(&w->alloc, w->d_v, w->d_v), *b = rsd_doubles(&w->alloc, wide);
    double *room = rsd_doubles(&w->alloc, wide), *out = to->answers = rsd_matrix(&to->alloc, rows, w->n_columns);
    if (!E_t || !b || !room || !out) return RESIDA_ERR_MEMORY;
    for (int i = 0; i < w->d_v; i++)
        for (int j = 0; j < w->d_v; j++) E_t[(long)i * w->d_v + j] = E[(long)(w->d_p + j) * n + w->d_p + i];
    RSD_TRY(rsd_split_compute(&inertia, w->d_v, w->d_v, E_t, 0, RANK, &w->alloc));
    const int is_known = inertia.rank == w->d_v && w->force.rank == w->v.rank;
    for (int c = 0; c < w->n_columns; c++) {
        double *answer = out + (long)c * rows;
        add_acceleration(w, &inertia, c, b, room);
        for (int i = 0; i < l->n_v; i++) answer[i] = w->da[(long)c * l->n_v + i];
        rsd_split_find_weights(&w->force, w->dyn + (long)c * l->n_v, b, room);
        for (int i = 0; i < w->v.rank; i++) answer[l->n_v + w->v.perm[i]] = -b[i];
        for (int i = 0; i < rows && !is_known; i++) answer[i] = NAN;
    }
    return RESIDA_OK;
}

/* Copy (dp; dv) of the columns from c on to out [(n_p + n_v) x columns]. */
static void copy_motions(const work *w, int c, int columns, double *out)
{
    const resida_layout *l = &w->l;
    for (int j = 0; j < columns; j++) {
        double *column = out + (long)j * (l->n_p + l->n_v);
        memcpy(column, w->dp + (long)(c + j) * l->n_p, (size_t)l->n_p * sizeof *out);
        memcpy(column + l->n_p, w->dv + (long)(c + j) * l->n_v, (size_t)l->n_v * sizeof *out);
    }
}

/* Copy X [n_x x columns] into out [rows x ..] at (row, column). */
static void insert_columns(double *out, int rows, int row, int column, int n_x, int columns, const double *X)
{
    for (int j = 0; j < columns; j++)
        memcpy(out + (long)(column + j) * rows + row, X + (long)j * n_x, (size_t)n_x * sizeof *X);
}

/* Store the errors of the derivatives that project_rows() multiplies, and its factors. The errors of the products alone
 * would be too small if large terms cancel. */
static resida_status store_errors(resida_linearization *to, const work *w)
{
    const resida_layout *l = &w->l;
    const int n = w->d_p + w->d_v, rows = l->n_p + l->n_v, columns = rows + l->n_v;
    double *left = rsd_matrix(&w->alloc, rows, n), *right = rsd_matrix(&w->alloc, columns, n);
    double *E = rsd_matrix(&w->alloc, rows, columns);
    to->room = rsd_calloc(&to->alloc, (long)rows + columns, sizeof *to->room);
    if (!left || !right || !E || !to->room) return RESIDA_ERR_MEMORY;
    insert_columns(left, rows, 0, 0, l->n_p, w->d_p, rsd_split_null(&w->p));
    insert_columns(left, rows, l->n_p, w->d_p, l->n_v, w->d_v, w->left);
    insert_columns(right, columns, 0, 0, l->n_p, n, w->dp);
    insert_columns(right, columns, l->n_p, 0, l->n_v, n, w->dv);
    insert_columns(right, columns, rows, 0, l->n_v, n, w->da);
    for (int j = 0; j < columns; j++) {
        const rsd_sparse *A = j < rows ? &w->at.dFdy_error : &w->at.dFdyp;
        const int c = j < l->n_p ? l->p + j : j < rows ? l->v + j - l->n_p : l->v + j - rows;
        for (int e = A->start[c]; e < A->start[c + 1]; e++) {
            const int i = A->row[e], k = i >= l->p && i < l->p + l->n_p ? i - l->p : i - l->v + l->n_p;
            const int is_row = (i >= l->p && i < l->p + l->n_p) || (i >= l->v && i < l->v + l->n_v);
            if (is_row && (j < rows || k >= l->n_p))
                E[(long)j * rows + k] = j < rows ? A->values[e] : w->at.noise * fabs(A->values[e]);
        }
    }
    to->noise = w->at.noise;
    RSD_TRY(rsd_sparse_from_full(&to->left, rows, n, left, &to->alloc));
    RSD_TRY(rsd_sparse_from_full(&to->right, columns, n, right, &to->alloc));
    return rsd_sparse_from_full(&to->A_error, rows, columns, E, &to->alloc);
}

static resida_status fill_model(resida_linearization *to, work *w)
{
    const resida_layout *l = &w->l;
    const int n = w->d_p + w->d_v, n_u = w->at.n_inputs, n_y = l->n_p + l->n_v, tall = n > n_y ? n : n_y;
    double *D = rsd_matrix(&w->alloc, tall, n > n_u ? n : n_u), *E = rsd_matrix(&w->alloc, n, n);
    double *MN = rsd_matrix(&w->alloc, l->n_v, w->d_v);
    if (!D || !E || !MN) return RESIDA_ERR_MEMORY;
    project_inertia(w, MN, E);
    RSD_TRY(rsd_sparse_from_full(&to->E, n, n, E, &to->alloc));
    project_rows(w, 0, n, D);
    RSD_TRY(rsd_sparse_from_full(&to->A, n, n, D, &to->alloc));
    project_rows(w, n, n_u, D);
    RSD_TRY(rsd_sparse_from_full(&to->B, n, n_u, D, &to->alloc));
    copy_motions(w, 0, n, D);
    RSD_TRY(rsd_sparse_from_full(&to->C, n_y, n, D, &to->alloc));
    copy_motions(w, n, n_u, D);
    RSD_TRY(rsd_sparse_from_full(&to->D, n_y, n_u, D, &to->alloc));
    resida_linear_model *m = &to->model;
    m->n = n, m->n_inputs = n_u, m->n_outputs = m->n_components = n_y, m->is_independent = 1;
    m->n_q = w->d_p, m->n_w = w->d_v - l->n_z;
    m->n_unreached = l->n_p - (l->n_v - l->n_z) - l->n_k;
    m->n_redundant = w->v.m - w->v.rank;
    for (int i = 0; i < w->v.m; i++) m->n_redundant -= w->q->mechanism->open[i] != 0;
    m->is_differenced = w->at.is_differenced;
    RSD_TRY(store_errors(to, w));
    return compute_responses(to, w, E);
}

/* Evaluate the derivatives of the acceleration constraints. They are zero at rest without inputs. */
static resida_status evaluate_acc_constraints(work *w, const resida_problem *problem, const rsd_state_by_parts *at,
                                              double speed, resida_message *why)
{
    const resida_layout *l = &w->l;
    resida_problem *q = NULL;
    w->has_levels =
        l->n_g + l->n_h > 0 && (speed > 0 || rsd_max_norm(at->a, l->n_v) > 0 || w->at.n_inputs > 0 || l->n_h > 0);
    if (!w->has_levels) return RESIDA_OK;
    RSD_TRY(rsd_problem_create_in_form(&q, problem, "index1", why));
    w->l1 = q->layout;
    rsd_unilateral_copy_state(q->mechanism, problem->mechanism);
    resida_status status = evaluate_derivatives(w, &w->levels, q, at, why);
    resida_problem_free(q);
    return status;
}

static resida_status linearize_at_state(resida_linearization *to, work *w, const resida_problem *problem,
                                        const rsd_state_by_parts *at, resida_message *why)
{
    const resida_layout *given = &problem->layout;
    RSD_TRY(rsd_problem_create_in_form(&w->q, problem, given->n_g + given->n_h > 0 ? "ggl" : "ode", why));
    const resida_layout *l = &w->l;
    w->l = w->q->layout;
    rsd_unilateral_copy_state(w->q->mechanism, problem->mechanism);
    RSD_TRY(evaluate_derivatives(w, &w->at, w->q, at, why));
    to->model.acceleration = rsd_max_norm(at->a, l->n_v);
    to->model.speed = rsd_max_norm(at->v, l->n_v - l->n_z);
    RSD_TRY(evaluate_acc_constraints(w, problem, at, to->model.speed, why));
    RSD_TRY(find_null_spaces(w));
    RSD_TRY(find_left_null_space(w, why));
    RSD_TRY(compute_columns(w));
    return fill_model(to, w);
}

resida_status rsd_linearize_independent(resida_linearization *l, resida_problem *problem, const rsd_state_by_parts *at,
                                        resida_message *why)
{
    work w = {.q = NULL};
    w.alloc = rsd_get_owned_allocator(&w.owner, &l->alloc);
    resida_status status = linearize_at_state(l, &w, problem, at, why);
    resida_problem_free(w.q);
    rsd_owner_free(&w.owner);
    return status;
}
