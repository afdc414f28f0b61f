/* rest_correction.c - a correction dx with (dr/dx) dx = -r, equations in their weights and unknowns in their sizes: of
 * several the shortest, where there is none that of the least residual. A full matrix by a complete orthogonal
 * factorisation (LAPACK's dgelsy); a large one by KLU first, which does as long as the matrix is clearly regular. */
#include "rest.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define LEFT_OVER 0.1   /* of the residual: more is not solved */
#define TIME_STEP 1e-7  /* of the way from t_from to t: for the derivative by the load */
#define ROUNDING  1e-13 /* of the weights a residual may be by its own rounding */

enum {
    FULL_UP_TO = 64,         /* unknowns: by a full matrix, which takes as long as KLU there */
    FULL_AT_THE_MOST = 3000, /* 72 MB, and minutes */
};

/* 1: column c of J is that of a position, which moves by T alone. */
static int is_by_T(const rsd_rest *x, int c)
{
    const resida_layout *l = &x->q->layout;
    return x->n_d != x->n_x && c >= l->p && c < l->p + l->n_p;
}

/* Positions are the first unknowns; q the first of a correction. */
void rsd_rest_fill(const rsd_rest *x, const resida_jacobian_matrix *J, double *A)
{
    const rsd_mechanism *k = x->q->mechanism;
    memset(A, 0, (size_t)x->n_r * (size_t)x->n_d * sizeof *A);
    for (int j = 0; j < x->n_x; j++)
        for (int c = x->column[j], e = J->start[c]; e < J->start[c + 1]; e++) {
            const int i = x->equation[J->row[e]];
            if (i < 0) continue;
            if (!is_by_T(x, c)) {
                A[(long)(j - x->n_x + x->n_d) * x->n_r + i] = J->values[e] * x->size[j] / x->weight[i];
                continue;
            }
            for (int at = k->T.row[j]; at < k->T.row[j + 1]; at++)
                A[(long)k->T.col[at] * x->n_r + i] += J->values[e] * k->T_values[at] / x->weight[i];
        }
}

void rsd_rest_expand(const rsd_rest *x, const double *d, double *out)
{
    const rsd_mechanism *k = x->q->mechanism;
    for (int j = 0; j < x->n_x; j++) {
        if (!is_by_T(x, x->column[j])) {
            out[j] = d[j - x->n_x + x->n_d] * x->size[j];
            continue;
        }
        out[j] = 0;
        for (int at = k->T.row[j]; at < k->T.row[j + 1]; at++) out[j] += k->T_values[at] * d[k->T.col[at]];
    }
}

static resida_status reserve(rsd_rest *x)
{
    const resida_allocator *a = &x->alloc;
    if (x->A) return RESIDA_OK;
    x->n_w = rsd_dense_work(x->n_r, x->n_d);
    x->A = x->n_w > 0 ? rsd_matrix(a, x->n_r, x->n_d) : NULL;
    x->A1 = rsd_matrix(a, x->n_r, x->n_d);
    if (x->A && x->A1 && RSD_DOUBLES(a, x->n_r > x->n_d ? x->n_r : x->n_d, &x->d) && RSD_DOUBLES(a, x->n_w, &x->w) &&
        RSD_INTS(a, x->n_d, &x->perm))
        return RESIDA_OK;
    return rsd_fail(x->why, RESIDA_ERR_MEMORY, "no memory for a full matrix %d x %d", x->n_r, x->n_d);
}

/* d of the r at hand. @return the rank */
static int solve_full(rsd_rest *x)
{
    memcpy(x->A1, x->A, (size_t)x->n_r * (size_t)x->n_d * sizeof *x->A);
    for (int i = 0; i < x->n_r; i++) x->d[i] = -x->r[i] / x->weight[i];
    return rsd_least_norm(x->n_r, x->n_d, x->A1, x->d, x->rank_tolerance, x->perm, x->w, x->n_w);
}

/* 1: A d = -r, but for a small part of r. */
static int is_solved(const rsd_rest *x)
{
    double left = 0, all = 0;
    for (int i = 0; i < x->n_r; i++) {
        const double r = x->r[i] / x->weight[i];
        double sum = r;
        for (int j = 0; j < x->n_d; j++) sum += x->A[(long)j * x->n_r + i] * x->d[j];
        left += sum * sum;
        all += r * r;
    }
    return left <= (LEFT_OVER * LEFT_OVER) * all || all <= ROUNDING * ROUNDING;
}

/* What looks like rounding of the matrix is no free direction where the residual has a part that nothing else can take
 * away: near an equilibrium that is singular itself. */
static int solve_by_rank(rsd_rest *x)
{
    x->rank_tolerance = rsd_rest_rounding(x);
    const int rank = solve_full(x);
    if (rank == x->n_d || is_solved(x)) return rank;
    x->rank_tolerance = x->n_d * DBL_EPSILON;
    return solve_full(x);
}

static resida_status correct_full(rsd_rest *x, const resida_jacobian_matrix *J, double *norm)
{
    RSD_TRY(reserve(x));
    rsd_rest_fill(x, J, x->A);
    x->is_sparse = 0;
    x->n_free = x->n_d - solve_by_rank(x);
    *norm = sqrt(rsd_dot(x->d, x->d, x->n_d));
    rsd_rest_expand(x, x->d, x->dx);
    return RESIDA_OK;
}

/* The square matrix by columns. start [n_x + 1], row, values [nnz] of J, sorted as those of J but for the numbers. */
static void pick(const rsd_rest *x, const resida_jacobian_matrix *J, int *start, int *row, double *values)
{
    int n = 0;
    for (int j = 0; j < x->n_x; j++) {
        start[j] = n;
        for (int c = x->column[j], e = J->start[c]; e < J->start[c + 1]; e++) {
            const int i = x->equation[J->row[e]];
            if (i < 0) continue;
            row[n] = i;
            values[n++] = J->values[e] * x->size[j] / x->weight[i];
        }
    }
    start[x->n_x] = n;
}

/* A solution with fixed right-hand sides of size one shows how large the inverse is. */
static int is_regular(rsd_rest *x, double *probe)
{
    double fraction = 0;
    for (int j = 0; j < x->n_x; j++) {
        fraction = fmod(fraction + RSD_GOLDEN, 1);
        probe[j] = fraction < 0.5 ? -1 : 1;
    }
    rsd_linear_solve(x->linear, 1, probe);
    return rsd_finite_norm(probe, x->n_x) < 1 / rsd_rest_rounding(x);
}

/* @return 1 done; 0 the matrix is not clearly regular; < 0 no memory */
static int correct_sparse(rsd_rest *x, const resida_jacobian_matrix *J)
{
    const resida_allocator *a = &x->alloc;
    double *values = rsd_doubles(a, (long)J->nnz + x->n_x);
    int *start = rsd_calloc(a, x->n_x + 1L, sizeof *start), *row = rsd_calloc(a, J->nnz, sizeof *row), done = -1;
    if (values && start && row) {
        pick(x, J, start, row, values);
        done = x->linear || rsd_linear_create(&x->linear, x->n_x, "klu", a, NULL) >= 0 ? 0 : -1;
        if (!done) done = rsd_linear_set_pattern(x->linear, start, row, NULL) == RESIDA_ERR_MEMORY ? -1 : 0;
        if (!done && rsd_linear_factor(x->linear, values) == 0 && is_regular(x, values + J->nnz)) {
            x->n_free = 0;
            done = 1;
        }
    }
    RSD_FREE(a, values, start, row);
    return done;
}

/* dx [n_x] of the r at hand, in sizes; how long it is. */
static double solve_sparse(rsd_rest *x, double *dx)
{
    for (int i = 0; i < x->n_r; i++) dx[i] = -x->r[i] / x->weight[i];
    rsd_linear_solve(x->linear, 1, dx);
    return sqrt(rsd_dot(dx, dx, x->n_x));
}

resida_status rsd_rest_correct(rsd_rest *x, const resida_jacobian_matrix *J, double *norm)
{
    if (x->n_x > FULL_UP_TO && x->n_x == x->n_r && x->n_d == x->n_x) {
        const int done = correct_sparse(x, J);
        if (done < 0) return rsd_fail(x->why, RESIDA_ERR_MEMORY, "no memory for a sparse matrix of an equilibrium");
        if (done) {
            x->is_sparse = 1;
            *norm = solve_sparse(x, x->dx);
            for (int j = 0; j < x->n_x; j++) x->dx[j] *= x->size[j];
            return RESIDA_OK;
        }
    }
    if (x->n_x > FULL_AT_THE_MOST)
        return rsd_fail(x->why, RESIDA_ERR_SINGULAR,
                        "the equilibrium is not determined, or nearly so; with %d unknowns the free directions are not "
                        "looked for, %d at the most",
                        x->n_x, FULL_AT_THE_MOST);
    return correct_full(x, J, norm);
}

double rsd_rest_natural(rsd_rest *x)
{
    if (x->is_sparse) return solve_sparse(x, x->dx1);
    (void)solve_full(x);
    return sqrt(rsd_dot(x->d, x->d, x->n_d));
}

int rsd_rest_by_load(rsd_rest *x, double *z)
{
    const double way = x->t_to - x->t_from, t = x->t + TIME_STEP * way;
    const int moves = t < x->t || t > x->t;
    x->s->guard.cause = RSD_JACOBIAN;
    const int verdict = moves ? rsd_guard_residual(t, x->y, x->yp, x->F1, &x->s->guard) : 0;
    if (verdict) return verdict;
    for (int i = 0; i < x->n_r; i++)
        x->r[i] = x->dead[i] + (moves ? (x->F1[x->row[i]] - x->F[x->row[i]]) / TIME_STEP : 0);
    if (x->is_sparse) {
        (void)solve_sparse(x, z);
        for (int j = 0; j < x->n_x; j++) z[j] *= x->size[j];
    } else {
        (void)solve_by_rank(x);
        if (!is_solved(x)) return 1;
        rsd_rest_expand(x, x->d, z);
    }
    return 0;
}

void rsd_rest_come_back(rsd_rest *x, const double *y0)
{
    for (int j = 0; j < x->n_x; j++) x->dx1[j] = (x->y[x->column[j]] - y0[x->column[j]]) / x->size[j];
    for (int i = 0; i < x->n_r; i++)
        for (int j = 0; j < x->n_x; j++) x->r[i] -= x->A[(long)j * x->n_r + i] * x->dx1[j] * x->weight[i];
    (void)solve_full(x);
    for (int j = 0; j < x->n_x; j++) x->dx[j] = (x->d[j] - x->dx1[j]) * x->size[j];
}
