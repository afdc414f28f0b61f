/* equilibrium_correction.c - computes the correction dx of least norm that minimises |(dr/dx) dx + r|. Equations are
 * scaled by weights and unknowns by sizes. A full matrix is solved by a complete orthogonal factorisation
 * (rsd_solve_least_norm()). A large matrix is factored by KLU if it is well conditioned. */
#include "equilibrium_impl.h"

#include "base/linear/condition.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define UNSOLVED_PART  0.1   /* maximum relative residual of a solution of the linear system */
#define TIME_INCREMENT 1e-7  /* increment of the load factor s in differences */
#define ROUNDING       1e-13 /* maximum scaled residual that is a rounding error */
#define UNIT_RATIO     1e-3  /* ratio of successive values of `unit` in rsd_equilibrium_reduce_unit() */
#define MIN_UNIT       1e-24 /* minimum value of `unit` */
#define MAX_ROUNDING   1e-14 /* maximum correction that may be a rounding error, relative to the unit */
#define SAME_STEP      0.5   /* maximum relative difference of the corrections with two units if forces are linear */

enum {
    FULL_UP_TO = 64,          /* maximum number of unknowns for which a full matrix is as fast as KLU */
    MAX_FULL_UNKNOWNS = 3000, /* maximum number of unknowns of a full matrix, which takes 72 MB and minutes */
};

/* Return 1 if column c of J belongs to a position that is corrected by dp = T dq. */
static int is_corrected_by_T(const rsd_equilibrium *eq, int c)
{
    const resida_layout *l = &eq->problem->layout;
    return eq->n_d != eq->n_x && c >= l->p && c < l->p + l->n_p;
}

/* The vector x begins with the positions p. The vector d begins with the coordinates q, where dp = T dq. */
void rsd_equilibrium_scaled_matrix(const rsd_equilibrium *eq, const resida_jacobian_matrix *J, double *A)
{
    const rsd_mechanism *k = eq->problem->mechanism;
    memset(A, 0, (size_t)eq->n_r * (size_t)eq->n_d * sizeof *A);
    for (int j = 0; j < eq->n_x; j++)
        for (int c = eq->column_of[j], e = J->start[c]; e < J->start[c + 1] && !eq->is_cyclic[c]; e++) {
            const int i = eq->equation_of[J->row[e]];
            if (i < 0) continue;
            if (!is_corrected_by_T(eq, c)) {
                A[(long)(j - eq->n_x + eq->n_d) * eq->n_r + i] = J->values[e] * eq->size[j] / eq->weight[i];
                continue;
            }
            for (int at = k->T.row[j]; at < k->T.row[j + 1]; at++)
                A[(long)k->T.col[at] * eq->n_r + i] +=
                    J->values[e] * k->T_values[at] * eq->turn_size[k->T.col[at]] / eq->weight[i];
        }
}

void rsd_equilibrium_unscale(const rsd_equilibrium *eq, const double *d, double *out)
{
    const rsd_mechanism *k = eq->problem->mechanism;
    for (int j = 0; j < eq->n_x; j++) {
        if (!is_corrected_by_T(eq, eq->column_of[j])) {
            out[j] = d[j - eq->n_x + eq->n_d] * eq->size[j];
            continue;
        }
        out[j] = 0;
        for (int at = k->T.row[j]; at < k->T.row[j + 1]; at++)
            out[j] += k->T_values[at] * eq->turn_size[k->T.col[at]] * d[k->T.col[at]];
    }
}

/* Allocate a full matrix unless it exists. Return 0 if memory is exhausted. */
static int allocate_full_matrix(rsd_equilibrium *eq)
{
    const resida_allocator *a = &eq->alloc;
    return eq->A || (RSD_DOUBLES(a, (long)eq->n_r * eq->n_d, &eq->A, &eq->A_work) &&
                     RSD_DOUBLES(a, (eq->n_d + 1L) * eq->n_d, &eq->work) && RSD_INTS(a, eq->n_d, &eq->perm));
}

int rsd_equilibrium_solve(rsd_equilibrium *eq, double *d)
{
    for (int i = 0; i < eq->n_r; i++) d[i] = -eq->r[i] / eq->weight[i];
    if (eq->is_sparse) {
        rsd_linear_solve(eq->linear, d);
        return eq->n_d;
    }
    memcpy(eq->A_work, eq->A, (size_t)eq->n_r * (size_t)eq->n_d * sizeof *eq->A);
    return rsd_solve_least_norm(eq->n_r, eq->n_d, eq->A_work, d, eq->rank_tolerance, eq->perm, eq->work);
}

/* Return 1 if the linear residual |A d + r| is much smaller than |r|. */
static int is_residual_removed(const rsd_equilibrium *eq, const double *d)
{
    double left = 0, all = 0;
    for (int i = 0; i < eq->n_r; i++) {
        const double r = eq->r[i] / eq->weight[i];
        double sum = r;
        for (int j = 0; j < eq->n_d; j++) sum += eq->A[(long)j * eq->n_r + i] * d[j];
        left += sum * sum;
        all += r * r;
    }
    return left <= (UNSOLVED_PART * UNSOLVED_PART) * all || all <= ROUNDING * ROUNDING;
}

/* Compute d and return the rank. First ignore singular values below the error of the derivatives. If |A d + r| remains
 * large, use all singular values above rounding errors. This occurs near an equilibrium with a singular matrix. */
static int solve_with_min_rank(rsd_equilibrium *eq, double *d)
{
    eq->rank_tolerance = rsd_equilibrium_get_error(eq);
    const int rank = rsd_equilibrium_solve(eq, d);
    if (rank == eq->n_d || is_residual_removed(eq, d)) return rank;
    eq->rank_tolerance = eq->n_d * DBL_EPSILON;
    return rsd_equilibrium_solve(eq, d);
}

/* Compute the square scaled matrix in compressed columns: start [n_x + 1], row, values [nnz of J]. */
static void scale_columns(const rsd_equilibrium *eq, const resida_jacobian_matrix *J, int *start, int *row,
                          double *values)
{
    int n = 0;
    for (int j = 0; j < eq->n_x; j++) {
        start[j] = n;
        for (int c = eq->column_of[j], e = J->start[c]; e < J->start[c + 1]; e++) {
            const int i = eq->equation_of[J->row[e]];
            if (i < 0) continue;
            row[n] = i;
            values[n++] = J->values[e] * eq->size[j] / eq->weight[i];
        }
    }
    start[eq->n_x] = n;
}

static void apply_inverse(void *linear, double *x)
{
    rsd_linear_solve(linear, x);
}

/* Factor the matrix by KLU. Return 1 on success, 0 if the matrix is ill conditioned, < 0 if memory is exhausted. */
static int factor_sparse(rsd_equilibrium *eq, const resida_jacobian_matrix *J)
{
    const resida_allocator *a = &eq->alloc;
    double *values = rsd_doubles(a, (long)J->nnz + eq->n_x);
    int *start = rsd_calloc(a, eq->n_x + 1L, sizeof *start), *row = rsd_calloc(a, J->nnz, sizeof *row), done = -1;
    if (values && start && row) {
        scale_columns(eq, J, start, row, values);
        done = eq->linear || rsd_linear_create(&eq->linear, eq->n_x, "klu", a, NULL) >= 0 ? 0 : -1;
        if (!done) done = rsd_linear_set_pattern(eq->linear, start, row, NULL) == RESIDA_ERR_MEMORY ? -1 : 0;
        if (!done && rsd_linear_factor(eq->linear, values) == 0)
            done = rsd_estimate_inverse_norm(eq->n_x, apply_inverse, eq->linear, values + J->nnz) <
                   1 / rsd_equilibrium_get_error(eq);
    }
    RSD_FREE(a, values, start, row);
    return done;
}

resida_status rsd_equilibrium_correct(rsd_equilibrium *eq, const resida_jacobian_matrix *J)
{
    int done = 0;
    if (eq->n_x > FULL_UP_TO && eq->n_x == eq->n_r && eq->n_d == eq->n_x) done = factor_sparse(eq, J);
    if (done < 0) return RESIDA_ERR_MEMORY;
    if (!done && eq->n_x > MAX_FULL_UNKNOWNS)
        return rsd_fail(eq->why, RESIDA_ERR_SINGULAR,
                        "the equilibrium is undetermined, or nearly so; free directions are not searched with %d "
                        "unknowns, at most %d",
                        eq->n_x, MAX_FULL_UNKNOWNS);
    eq->is_sparse = done;
    if (!done && !allocate_full_matrix(eq)) return RESIDA_ERR_MEMORY;
    if (!done) rsd_equilibrium_scaled_matrix(eq, J, eq->A);
    eq->n_free = eq->n_d - (done ? rsd_equilibrium_solve(eq, eq->d) : solve_with_min_rank(eq, eq->d));
    rsd_equilibrium_unscale(eq, eq->d, eq->dx);
    return RESIDA_OK;
}

resida_status rsd_equilibrium_reduce_unit(rsd_equilibrium *eq, double *x, int *is_reduced)
{
    const double first = eq->unit;
    resida_jacobian_matrix J;
    double length = MIN_UNIT, change = INFINITY, step = 0;
    const int n = eq->problem->layout.lam < 0 ? eq->n_x : eq->unknown_of[eq->problem->layout.lam];
    for (int j = 0; j < n; j++)
        length = fmax(length, fabs(eq->y[eq->column_of[j]]) / eq->column_scale[eq->column_of[j]]);
    for (*is_reduced = 0; length < UNIT_RATIO * eq->unit; eq->unit *= UNIT_RATIO) {
        if (rsd_equilibrium_linearize(eq, &J)) return rsd_equilibrium_get_failure(eq);
        (void)rsd_equilibrium_residual(eq, eq->F);
        RSD_TRY(rsd_equilibrium_correct(eq, &J));
        change = step = 0;
        for (int j = 0; j < n; j++) {
            const double scale = eq->column_scale[eq->column_of[j]];
            change = fmax(change, eq->unit < first ? fabs(eq->dx[j] - x[j]) / scale : INFINITY);
            step = fmax(step, fabs(eq->dx[j]) / scale);
        }
        if (change <= SAME_STEP * step) break;
        memcpy(x, eq->dx, (size_t)n * sizeof *x);
    }
    const int is_linear = change <= SAME_STEP * step && eq->unit >= UNIT_RATIO * first;
    *is_reduced = step > (is_linear ? fmax(length, MAX_ROUNDING * first) : 0);
    eq->unit = *is_reduced ? fmin(eq->unit, fmax(length, step)) : first;
    return RESIDA_OK;
}

int rsd_equilibrium_path_derivative(rsd_equilibrium *eq, double *z)
{
    const double interval = eq->t_to - eq->t_from, t = eq->t + TIME_INCREMENT * interval;
    const int is_timed = t < eq->t || t > eq->t;
    const int verdict = is_timed ? rsd_guard_eval_part(&eq->solver->guard, RSD_FOR_JACOBIAN, RSD_ROWS_ALL, t, eq->y,
                                                       eq->yp, eq->F_trial)
                                 : 0;
    if (verdict) return verdict;
    for (int i = 0; i < eq->n_r; i++)
        eq->r[i] = eq->load_residual[i] +
                   (is_timed ? (eq->F_trial[eq->row_of[i]] - eq->F[eq->row_of[i]]) / TIME_INCREMENT : 0);
    (void)(eq->is_sparse ? rsd_equilibrium_solve(eq, eq->d) : solve_with_min_rank(eq, eq->d));
    if (!eq->is_sparse && !is_residual_removed(eq, eq->d)) return 1;
    rsd_equilibrium_unscale(eq, eq->d, z);
    return 0;
}

void rsd_equilibrium_correct_drift(rsd_equilibrium *eq, const double *y0)
{
    for (int j = 0; j < eq->n_x; j++) eq->d_next[j] = (eq->y[eq->column_of[j]] - y0[eq->column_of[j]]) / eq->size[j];
    for (int i = 0; i < eq->n_r; i++)
        for (int j = 0; j < eq->n_x; j++) eq->r[i] -= eq->A[(long)j * eq->n_r + i] * eq->d_next[j] * eq->weight[i];
    (void)rsd_equilibrium_solve(eq, eq->d);
    for (int j = 0; j < eq->n_x; j++) eq->dx[j] = (eq->d[j] - eq->d_next[j]) * eq->size[j];
}
