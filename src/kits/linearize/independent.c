/* independent.c - linearisation of a mechanism in independent coordinates, resida/linearize.h. The linear model follows
 * from the derivatives of the GGL form
 *
 *     p' - T v = 0,    Phi + G' lam = 0,    G v + gI = 0, Gh v + gh = 0,    g = 0,    k = 0
 *
 * and the derivatives of the acceleration constraints G a + gamma = 0 of the index-1 form. Each independent coordinate
 * and each input gives one column. The column contains the dp, dv, da of minimum norm that satisfy the constraints, and
 * their products with the derivatives of the equations of p' and v'. */
#include "full.h"
#include "linearize_impl.h"

#include "base/linear/dense.h"

#include <math.h>
#include <string.h>

#define RANK 1e-8 /* minimum independent component of a row of norm 1, as rank_tolerance of a start */

/* Each column of `moves` and of `changes` belongs to an independent coordinate or to an input. A column of `moves` is a
 * motion (dp, dv, da). The column of `changes` is the change of the residuals of p' and v' by the motion. */
typedef struct work {
    rsd_owner owner;         /* owner of temporary memory */
    resida_allocator alloc;  /* allocator of temporary memory */
    const rsd_mechanism *k;  /* the mechanism */
    rsd_pencil at, levels;   /* derivatives of F in form "ggl" or "ode"; in form "index1" if has_levels */
    resida_layout l, l1;     /* offsets in the forms, which both begin with p and v */
    int has_levels;          /* 1: `levels` is used */
    rsd_sparse N;            /* [n_y x height] derivatives of the equations of p' and v' by (p, v, v') */
    rsd_split p, v;          /* row and null spaces of (dg/dp; dk/dp); row and null spaces of (G; Gh) */
    rsd_split force;         /* row and null space of d(Phi + G'lam)/dlam for independent constraints */
    const double *left;      /* [n_v x d_v] left null space of d(Phi + G'lam)/dlam */
    int d_p, d_v, n;         /* number of independent positions; number of independent velocities; their sum */
    int n_columns;           /* number of independent coordinates and inputs */
    int n_y, height;         /* number of components of (p, v); number of components of (dp, dv, da) */
    double *moves, *changes; /* [height x n_columns] motions (dp, dv, da); [n_y x n_columns] changes of the residuals */
} work;

/* Evaluate the derivatives of F in the form `form` at the state. Set *l to the offsets of its unknowns. */
static resida_status evaluate_in_form(work *w, const char *form, const resida_problem *problem, const resida_state *at,
                                      rsd_pencil *pencil, resida_layout *l, resida_message *why)
{
    resida_problem *q = NULL;
    double *y, *yp, *r;
    RSD_TRY(rsd_problem_create_in_form(&q, problem, form, why));
    *l = q->layout;
    rsd_unilateral_copy_state(q->mechanism, problem->mechanism);
    resida_status status = RSD_DOUBLES(&w->alloc, l->n, &y, &yp, &r) ? RESIDA_OK : RESIDA_ERR_MEMORY;
    if (status >= 0) {
        memcpy(y + l->p, at->p, (size_t)l->n_p * sizeof *y);
        memcpy(y + l->v, at->v, (size_t)l->n_v * sizeof *y);
        memcpy(yp + l->v, at->a, (size_t)l->n_v * sizeof *y);
        if (l->lam >= 0) memcpy(y + l->lam, at->lam, (size_t)(l->n_g + l->n_h) * sizeof *y);
        if (resida_problem_residual(at->t, y, yp, r, q) == 0) /* else the engine reports the failure */
            for (int i = 0; i < l->n_p; i++) yp[l->p + i] = -r[l->p + i];
        status = rsd_pencil_compute(pencil, q, at->t, y, yp, &w->alloc, &w->alloc, why);
    }
    resida_problem_free(q);
    return status;
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

/* Set N [n_y x height] to the rows of the equations of p' and v' in dFdy (columns p, v) and dFdyp (columns v'). */
static resida_status select_equations(const work *w, const rsd_sparse *dFdy, const rsd_sparse *dFdyp, rsd_sparse *N,
                                      const resida_allocator *alloc)
{
    int k = 0;
    RSD_TRY(rsd_sparse_create(N, w->n_y, w->height, (long)dFdy->start[w->n_y] + dFdyp->start[w->n_y], alloc));
    for (int j = 0; j < w->height; j++) {
        const rsd_sparse *A = j < w->n_y ? dFdy : dFdyp;
        const int c = j < w->n_y ? j : j - w->l.n_v;
        for (int e = A->start[c]; e < A->start[c + 1]; e++)
            if (A->row[e] < w->n_y) N->row[k] = A->row[e], N->values[k++] = A->values[e];
        N->start[j + 1] = k;
    }
    return RESIDA_OK;
}

/* Compute the null spaces of the position constraints and of the velocity constraints. */
static resida_status find_null_spaces(work *w)
{
    const resida_layout *l = &w->l;
    const int n_l = l->n_g + l->n_h, max = l->n_g + l->n_k > n_l ? l->n_g + l->n_k : n_l;
    double *rows = rsd_matrix(&w->alloc, max, l->n_p > l->n_v ? l->n_p : l->n_v);
    if (!rows) return RESIDA_ERR_MEMORY;
    if (l->n_g > 0) copy_block_transposed(&w->at.dFdy, l->eta, l->n_g, l->p, l->n_p, rows);
    if (l->n_k > 0) copy_block_transposed(&w->at.dFdy, l->eta_k, l->n_k, l->p, l->n_p, rows + (long)l->n_g * l->n_p);
    RSD_TRY(rsd_split_compute(&w->p, l->n_g + l->n_k, l->n_p, rows, 0, RANK, &w->alloc));
    memset(rows, 0, (size_t)n_l * (size_t)l->n_v * sizeof *rows);
    if (n_l > 0) copy_block_transposed(&w->at.dFdy, l->lam, n_l, l->v, l->n_v, rows);
    RSD_TRY(rsd_split_compute(&w->v, n_l, l->n_v, rows, 0, RANK, &w->alloc));
    w->d_p = l->n_p - w->p.rank, w->d_v = l->n_v - w->v.rank, w->n = w->d_p + w->d_v;
    w->n_columns = w->n + w->at.n_inputs;
    return RESIDA_OK;
}

/* Compute the left null space of d(Phi + G'lam)/dlam. It is the null space of (G; Gh) unless forces depend on lam. */
static resida_status find_left_null_space(work *w, resida_message *why)
{
    const resida_layout *l = &w->l;
    w->left = rsd_split_get_null_space(&w->v);
    if (w->v.rank == 0) return RESIDA_OK;
    double *reached = rsd_matrix(&w->alloc, w->v.rank, l->n_v);
    if (!reached) return RESIDA_ERR_MEMORY;
    for (int i = 0; i < w->v.rank; i++) {
        const double one = 1;
        add_block_times_vector(&w->at.dFdy, l->v, l->n_v, l->lam + w->v.perm[i], 1, &one, reached + (long)i * l->n_v);
    }
    RSD_TRY(rsd_split_compute(&w->force, w->v.rank, l->n_v, reached, 0, RANK, &w->alloc));
    if (!w->k->is_explicit && !w->k->uses_lam) return RESIDA_OK;
    if (w->force.rank < w->v.rank)
        return rsd_fail(why, RESIDA_ERR_SINGULAR,
                        "the model cannot be linearized: forces that depend on lam compensate the constraint forces");
    w->left = rsd_split_get_null_space(&w->force);
    return RESIDA_OK;
}

/* Add the rows of dF/du, from `row` on, to the columns of the inputs in Y [height x n_columns]. */
static void add_input_columns(const work *w, const rsd_pencil *of, int row, int rows, double *Y, int height)
{
    for (int j = 0; j < of->n_inputs; j++)
        for (int i = 0; i < rows; i++) Y[(long)(w->n + j) * height + i] += of->dFdu[(long)j * of->n + row + i];
}

/* Add the product of rows of dF/dy, from `row` on, with `columns` components of each motion to B [rows x n_columns]. */
static void add_constraint_rates(const work *w, const rsd_pencil *of, int row, int rows, int columns, double *B)
{
    for (int c = 0; c < w->n_columns; c++)
        add_block_times_vector(&of->dFdy, row, rows, 0, columns, w->moves + (long)c * w->height, B + (long)c * rows);
    add_input_columns(w, of, row, rows, B, rows);
}

/* For each motion, compute the x of minimum norm with rows x = b, where b is its column of B. Subtract x from the
 * components of the motion from `first` on. Then set B to 0. */
static void subtract_constrained_part(const work *w, const rsd_split *s, double *B, int first, double *room)
{
    for (int c = 0; c < w->n_columns && s->m > 0; c++) {
        rsd_split_solve(s, B + (long)c * s->m, room, room + s->n);
        for (int i = 0; i < s->n; i++) w->moves[(long)c * w->height + first + i] -= room[i];
    }
    memset(B, 0, (size_t)w->n_columns * (size_t)s->m * sizeof *B);
}

/* Copy X [n_x x columns] into out [rows x ..] at (row, column). */
static void insert_columns(double *out, int rows, int row, int column, int n_x, int columns, const double *X)
{
    for (int j = 0; j < columns; j++)
        memcpy(out + (long)(column + j) * rows + row, X + (long)j * n_x, (size_t)n_x * sizeof *X);
}

/* Compute the motions: vectors of the null spaces, and motions that satisfy the constraints. B [rows x n_columns] and
 * room are work arrays. */
static void compute_motions(const work *w, double *B, double *room)
{
    const resida_layout *l = &w->l;
    const int n_l = l->n_g + l->n_h;
    insert_columns(w->moves, w->height, 0, 0, l->n_p, w->d_p, rsd_split_get_null_space(&w->p));
    insert_columns(w->moves, w->height, l->n_p, w->d_p, l->n_v, w->d_v, rsd_split_get_null_space(&w->v));
    if (n_l == 0) return;
    add_input_columns(w, &w->at, l->eta, l->n_g, B, w->p.m); /* rows of k do not depend on inputs */
    subtract_constrained_part(w, &w->p, B, 0, room);
    add_constraint_rates(w, &w->at, l->lam, n_l, l->n_p, B);
    subtract_constrained_part(w, &w->v, B, l->n_p, room);
    if (!w->has_levels) return;
    add_constraint_rates(w, &w->levels, w->l1.lam, n_l, w->n_y, B);
    subtract_constrained_part(w, &w->v, B, w->n_y, room);
}

static resida_status compute_columns(work *w)
{
    const resida_layout *l = &w->l;
    const resida_allocator *a = &w->alloc;
    const long n = w->n_columns, rows = l->n_g + l->n_k + l->n_h, wide = l->n_p > l->n_v ? l->n_p : l->n_v;
    double *B, *room;
    if (!RSD_DOUBLES(a, n * rows, &B) || !RSD_DOUBLES(a, wide + rows, &room) ||
        !RSD_DOUBLES(a, n * w->height, &w->moves) || !RSD_DOUBLES(a, n * w->n_y, &w->changes))
        return RESIDA_ERR_MEMORY;
    compute_motions(w, B, room);
    for (int c = 0; c < n; c++)
        add_block_times_vector(&w->N, 0, w->n_y, 0, w->height, w->moves + (long)c * w->height,
                               w->changes + (long)c * w->n_y);
    add_input_columns(w, &w->at, 0, w->n_y, w->changes, w->n_y);
    return RESIDA_OK;
}

/* Compute out [n x n_columns]: the changes of the equations of p' times -P', and the changes of the equations of v'
 * times -left'. P is the basis of the null space of the position constraints. */
static void project_changes(const work *w, double *out)
{
    const int n_p = w->l.n_p, n_v = w->l.n_v;
    rsd_multiply(w->d_p, w->n_columns, n_p, -1, rsd_split_get_null_space(&w->p), n_p, 1, w->changes, w->n_y, out, w->n);
    rsd_multiply(w->d_v, w->n_columns, n_v, -1, w->left, n_v, 1, w->changes + n_p, w->n_y, out + w->d_p, w->n);
}

/* Compute out = diag(I, left' M N) [n x n]. M is dF/dv', and N is the basis of the null space of the velocity
 * constraints. out and the work array MN [n_v x d_v] must be zero. */
static void project_inertia(const work *w, double *MN, double *out)
{
    const resida_layout *l = &w->l;
    const int n = w->n, n_v = l->n_v;
    const double *N = rsd_split_get_null_space(&w->v);
    for (int j = 0; j < w->d_p; j++) out[(long)j * n + j] = 1;
    for (int j = 0; j < w->d_v; j++)
        add_block_times_vector(&w->at.dFdyp, l->v, n_v, l->v, n_v, N + (long)j * n_v, MN + (long)j * n_v);
    rsd_multiply(w->d_v, w->d_v, n_v, 1, w->left, n_v, 1, MN, n_v, out + (long)w->d_p * n + w->d_p, n);
}

/* Compute the w' [d_v] with which multipliers can balance the change of the equations of v'. Add N w' to da and M N w'
 * to the change. M and N are defined at project_inertia(). */
static void add_acceleration(const work *w, const rsd_split *inertia, double *da, double *change, double *b,
                             double *room)
{
    const resida_layout *l = &w->l;
    double *more = b + w->d_v;
    rsd_multiply(w->d_v, 1, l->n_v, -1, w->left, l->n_v, 1, change, l->n_v, b, w->d_v);
    rsd_split_solve(inertia, b, room, room + w->d_v);
    rsd_multiply(l->n_v, 1, w->d_v, 1, rsd_split_get_null_space(&w->v), l->n_v, 0, room, w->d_v, more, l->n_v);
    for (int i = 0; i < l->n_v; i++) da[i] += more[i];
    add_block_times_vector(&w->at.dFdyp, l->v, l->n_v, l->v, l->n_v, more, change);
}

/* Compute the responses da and dlam of each column. The responses are NaN if a direction has no inertia or lam is not
 * unique. Overwrites w->moves and w->changes. */
static resida_status compute_responses(resida_linearization *to, work *w, const double *E)
{
    const resida_layout *l = &w->l;
    const int n = w->n, rows = l->n_v + l->n_g + l->n_h, wide = 2 * (rows + l->n_v);
    rsd_split inertia;
    double *E_t = rsd_matrix(&w->alloc, w->d_v, w->d_v), *b = rsd_doubles(&w->alloc, wide);
    double *room = rsd_doubles(&w->alloc, wide), *out = to->answers = rsd_matrix(&to->alloc, rows, w->n_columns);
    if (!E_t || !b || !room || !out) return RESIDA_ERR_MEMORY;
    for (int i = 0; i < w->d_v; i++)
        for (int j = 0; j < w->d_v; j++) E_t[(long)i * w->d_v + j] = E[(long)(w->d_p + j) * n + w->d_p + i];
    RSD_TRY(rsd_split_compute(&inertia, w->d_v, w->d_v, E_t, 0, RANK, &w->alloc));
    const int is_known = inertia.rank == w->d_v && w->force.rank == w->v.rank;
    for (int c = 0; c < w->n_columns; c++) {
        double *answer = out + (long)c * rows, *da = w->moves + (long)c * w->height + w->n_y;
        double *change = w->changes + (long)c * w->n_y + l->n_p;
        add_acceleration(w, &inertia, da, change, b, room);
        memcpy(answer, da, (size_t)l->n_v * sizeof *da);
        rsd_split_find_weights(&w->force, change, b, room);
        for (int i = 0; i < w->v.rank; i++) answer[l->n_v + w->v.perm[i]] = -b[i];
        for (int i = 0; i < rows && !is_known; i++) answer[i] = NAN;
    }
    return RESIDA_OK;
}

/* Store error bounds of the entries of N, and the factors left and right of A = left' N right. Errors relative to the
 * entries of A alone would be too small if large terms cancel in the products. */
static resida_status store_error_bounds(resida_linearization *to, const work *w)
{
    const resida_layout *l = &w->l;
    const rsd_sparse *N = &to->A_error;
    double *left = rsd_matrix(&w->alloc, w->n_y, w->n);
    to->room = rsd_calloc(&to->alloc, (long)w->n_y + w->height, sizeof *to->room);
    if (!left || !to->room) return RESIDA_ERR_MEMORY;
    insert_columns(left, w->n_y, 0, 0, l->n_p, w->d_p, rsd_split_get_null_space(&w->p));
    insert_columns(left, w->n_y, l->n_p, w->d_p, l->n_v, w->d_v, w->left);
    to->noise = w->at.noise;
    RSD_TRY(select_equations(w, &w->at.dFdy_error, &w->at.dFdyp, &to->A_error, &to->alloc));
    for (int e = N->start[w->n_y]; e < N->start[w->height]; e++) N->values[e] = w->at.noise * fabs(N->values[e]);
    RSD_TRY(rsd_sparse_from_full(&to->left, w->n_y, w->n, left, w->n_y, &to->alloc));
    return rsd_sparse_from_full(&to->right, w->height, w->n, w->moves, w->height, &to->alloc);
}

static resida_status fill_linear_model(resida_linearization *to, work *w)
{
    const resida_layout *l = &w->l;
    const int n = w->n, n_u = w->at.n_inputs, n_y = w->n_y;
    const double *input_moves = w->moves + (long)n * w->height;
    double *AB = rsd_matrix(&w->alloc, n, w->n_columns), *E = rsd_matrix(&w->alloc, n, n);
    double *MN = rsd_matrix(&w->alloc, l->n_v, w->d_v);
    if (!AB || !E || !MN) return RESIDA_ERR_MEMORY;
    project_inertia(w, MN, E);
    project_changes(w, AB);
    RSD_TRY(rsd_sparse_from_full(&to->E, n, n, E, n, &to->alloc));
    RSD_TRY(rsd_sparse_from_full(&to->A, n, n, AB, n, &to->alloc));
    RSD_TRY(rsd_sparse_from_full(&to->B, n, n_u, AB + (long)n * n, n, &to->alloc));
    RSD_TRY(rsd_sparse_from_full(&to->C, n_y, n, w->moves, w->height, &to->alloc));
    RSD_TRY(rsd_sparse_from_full(&to->D, n_y, n_u, input_moves, w->height, &to->alloc));
    resida_linear_model *m = &to->model;
    m->n = n, m->n_inputs = n_u, m->n_outputs = m->n_components = n_y, m->is_independent = 1;
    m->n_q = w->d_p, m->n_w = w->d_v - l->n_z;
    m->n_unreached = l->n_p - (l->n_v - l->n_z) - l->n_k;
    m->n_redundant = w->v.m - w->v.rank;
    for (int i = 0; i < w->v.m; i++) m->n_redundant -= w->k->open[i] != 0;
    m->is_differenced = w->at.is_differenced;
    RSD_TRY(store_error_bounds(to, w));
    return compute_responses(to, w, E);
}

static resida_status linearize_at_state(resida_linearization *to, work *w, const resida_problem *problem,
                                        const resida_state *at, resida_message *why)
{
    const resida_layout *l = &w->l;
    const int n_l = problem->layout.n_g + problem->layout.n_h;
    RSD_TRY(evaluate_in_form(w, n_l > 0 ? "ggl" : "ode", problem, at, &w->at, &w->l, why));
    w->n_y = l->n_p + l->n_v, w->height = w->n_y + l->n_v;
    to->model.acceleration = rsd_max_norm(at->a, l->n_v);
    to->model.speed = rsd_max_norm(at->v, l->n_v - l->n_z);
    /* derivatives of acceleration constraints are zero at rest without inputs */
    w->has_levels = n_l > 0 && (to->model.speed > 0 || to->model.acceleration > 0 || w->at.n_inputs > 0 || l->n_h > 0);
    if (w->has_levels) RSD_TRY(evaluate_in_form(w, "index1", problem, at, &w->levels, &w->l1, why));
    RSD_TRY(select_equations(w, &w->at.dFdy, &w->at.dFdyp, &w->N, &w->alloc));
    RSD_TRY(find_null_spaces(w));
    RSD_TRY(find_left_null_space(w, why));
    RSD_TRY(compute_columns(w));
    return fill_linear_model(to, w);
}

resida_status rsd_linearize_independent(resida_linearization *l, resida_problem *problem, const resida_state *at,
                                        resida_message *why)
{
    work w = {.k = problem->mechanism};
    w.alloc = rsd_get_owned_allocator(&w.owner, &l->alloc);
    const resida_status status = linearize_at_state(l, &w, problem, at, why);
    rsd_owner_free(&w.owner);
    return status;
}
