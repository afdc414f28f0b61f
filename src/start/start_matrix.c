/* start_matrix.c - the matrix B of start_dae.h: its parts, and whether it is singular. */
#include "start_dae.h"

#include "src/base/numbers.h"
#include "src/problem/problem_impl.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define FULL_PART      0.25  /* of n^2: with more entries, the pattern is treated as full */
#define DEPENDENT      1e-6  /* rank tolerance of M by differences, of a column */
#define DEPENDENT_ALSO 1e-12 /* the same of a given M */
#define CLEARLY        0.01  /* of that: allowed rounding error of an entry */
#define SINGULAR       1e-7  /* least 1/cond of B by differences */
#define SINGULAR_ALSO  1e-14 /* the same of a given B */

static resida_status no_memory(rsd_start_matrix *x, resida_message *why)
{
    int n = x->n;
    rsd_start_matrix_free(x);
    return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for the consistent start of a DAE of %d unknowns", n);
}

/* The model's pattern by columns, or the full one. */
static resida_status make_pattern(rsd_start_matrix *x)
{
    const rsd_csr *J = &x->problem->J;
    const resida_allocator *a = &x->alloc;
    const long nnz = x->has_pattern ? J->nnz : (long)x->n * x->n;
    rsd_sparsity pattern = {.rows = 0};
    int *row = rsd_calloc(a, nnz, sizeof(int)), *col = rsd_calloc(a, nnz, sizeof(int));
    for (long e = 0; e < nnz && row && col && !x->has_pattern; e++) row[e] = (int)(e % x->n), col[e] = (int)(e / x->n);
    for (int i = 0; i < J->rows && row && col && x->has_pattern; i++)
        for (int e = J->row[i]; e < J->row[i + 1]; e++) row[e] = i, col[e] = J->col[e];
    resida_status status =
        row && col ? rsd_sparsity_from_pairs(&pattern, x->n, x->n, nnz, row, col, a, NULL) : RESIDA_ERR_MEMORY;
    RSD_FREE(a, row, col);
    return status < 0 ? status : rsd_start_take_pattern(x, &pattern);
}

resida_status rsd_start_matrix_create(rsd_start_matrix *x, resida_problem *problem, int learn_from, resida_message *why)
{
    const int n = problem->layout.n;
    *x = (rsd_start_matrix){.problem = problem, .n = n, .is_given = problem->dae.jacobian != NULL};
    const resida_allocator *a = &x->alloc;
    x->alloc = rsd_owned_by(&x->owner, &problem->alloc);
    x->has_pattern = problem->J.row != NULL;
    x->learns = !x->has_pattern && n >= learn_from;
    int all = RSD_DOUBLES(a, n, &x->delta, &x->y, &x->yp, &x->r, &x->row, &x->column, &x->noise, &x->least, &x->F_noise,
                          &x->B_row, &x->B_column, &x->s, &x->sum) &&
              RSD_INTS(a, n + 1L, &x->source, &x->list, &x->leader, &x->mark, &x->place);
    if (all && !x->learns) all = make_pattern(x) >= 0;
    if (all && x->is_given) all = (x->J = rsd_doubles(a, problem->J.nnz)) != NULL;
    return all ? RESIDA_OK : no_memory(x, why);
}

void rsd_start_matrix_free(rsd_start_matrix *x)
{
    rsd_start_free_factors(x);
    rsd_owner_free(&x->owner);
    *x = (rsd_start_matrix){.problem = NULL};
}

double rsd_start_rank_tolerance(const rsd_start_matrix *x)
{
    return x->is_given ? DEPENDENT_ALSO : DEPENDENT;
}

/* Scale rows of M to a largest entry of 1, but not beyond the level of their rounding errors. */
static void scale_M(rsd_start_matrix *x)
{
    memset(x->row, 0, (size_t)x->n * sizeof *x->row);
    for (int e = 0; e < x->pattern.nnz; e++) x->row[x->pattern.row[e]] = fmax(x->row[x->pattern.row[e]], fabs(x->M[e]));
    for (int i = 0; i < x->n; i++) {
        double most = fmax(x->row[i], x->noise[i] / (CLEARLY * rsd_start_rank_tolerance(x)));
        x->row[i] = most > 0 ? 1 / most : 0;
    }
}

/* Learn the pattern of a large system; use a full one if it is nearly full. */
static int learn(rsd_start_matrix *x, const rsd_start_point *at)
{
    const int verdict = rsd_start_learn(x, at);
    if (verdict || x->pattern.nnz <= FULL_PART * x->n * x->n) return verdict;
    x->learns = x->has_pattern = 0;
    return make_pattern(x);
}

int rsd_start_matrix_find(rsd_start_matrix *x, const rsd_start_point *at)
{
    const size_t bytes = (size_t)x->n * sizeof *x->y;
    x->at = at;
    memcpy(x->y, at->y, bytes);
    memcpy(x->yp, at->yp, bytes);
    memset(x->noise, 0, bytes);
    int is_regular = 0, verdict = x->learns ? learn(x, at) : 0;
    if (!verdict) verdict = rsd_start_find_parts(x, at);
    if (verdict) return verdict;
    scale_M(x);
    verdict = rsd_start_kernel_find(x);
    if (verdict || !rsd_start_matrix_is_singular(x) || !(x->rcond > SINGULAR_ALSO)) return verdict;
    memset(x->y, 0, bytes);
    memset(x->yp, 0, bytes);
    memset(x->column, 0, bytes);
    rsd_start_kernel_worst(x, x->y, x->yp, x->column);
    verdict = rsd_start_confirm(x, at, x->B_row, &is_regular);
    if (is_regular) x->rcond = 2 * SINGULAR;
    return verdict;
}

int rsd_start_matrix_is_singular(const rsd_start_matrix *x)
{
    return !(x->rcond > (x->is_given ? SINGULAR_ALSO : SINGULAR));
}

void rsd_start_matrix_solve(rsd_start_matrix *x, const double *F, double *dy, double *dyp)
{
    memset(dy, 0, (size_t)x->n * sizeof *dy);
    memset(dyp, 0, (size_t)x->n * sizeof *dyp);
    rsd_start_kernel_solve(x, F, dy, dyp);
}
