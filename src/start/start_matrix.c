/* start_matrix.c - see start_matrix.h. */
#include "start_matrix.h"

#include "src/base/numbers.h"
#include "src/linear/dense.h"
#include "src/problem/problem_impl.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define MANY           64.0   /* that y and yp are moved by to see what rounding makes of F */
#define PART_Y         1.5e-8 /* of a component, at least UNIT_SIZE: its increment */
#define PART_YP        1e-2   /* of a derivative: F is linear in it as a rule */
#define UNIT_SIZE      1.0    /* of a component: a smaller one is moved as if it were so large */
#define EXACT          1e-9   /* of a column of M by differences: where rounding may be more, it is moved by more */
#define HIDDEN         1e8    /* an increment that shows what rounding hid, .. */
#define UNIT_ENTRY     1.0    /* .. and an entry of M that shows, however large F is */
#define SAME_ENTRY     10.0   /* times the rounding of two entries that are the same */
#define LARGE          1e16   /* alpha */
#define DEPENDENT      1e-6   /* of a column of M by differences: less is not new */
#define DEPENDENT_ALSO 1e-12  /* of one that is given */
#define CLEARLY        0.01   /* of that: as much rounding may be */
#define SINGULAR       1e-7   /* 1/cond of B by differences */
#define SINGULAR_ALSO  1e-14  /* of one that is given */
#define DOUBTFUL       1e-4   /* 1/cond: B may be singular, and what it leads to far away says nothing */

static resida_status no_memory(rsd_start_matrix *x, resida_message *why)
{
    int n = x->n;
    rsd_start_matrix_free(x);
    return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for the consistent start of a DAE of %d unknowns", n);
}

/* The model's pattern by columns, in groups where differences have to be taken. */
static resida_status take_pattern(rsd_start_matrix *x, resida_message *why)
{
    const rsd_csr *J = &x->problem->J;
    const resida_allocator *a = &x->problem->alloc;
    int *row = rsd_calloc(a, J->nnz, sizeof(int));
    resida_status status = row ? RESIDA_OK : RESIDA_ERR_MEMORY;
    for (int i = 0; i < J->rows && row; i++)
        for (int e = J->row[i]; e < J->row[i + 1]; e++) row[e] = i;
    if (status >= 0) status = rsd_sparsity_from_pairs(&x->pattern, x->n, x->n, J->nnz, row, J->col, a, why);
    rsd_free(a, row);
    x->has_pattern = status >= 0;
    if (status >= 0 && !x->is_given) status = rsd_colour(&x->colours, &x->pattern, NULL, a, why);
    x->K_values = status >= 0 ? rsd_doubles(a, J->nnz) : NULL;
    return x->K_values ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

resida_status rsd_start_matrix_create(rsd_start_matrix *x, resida_problem *problem, resida_message *why)
{
    const resida_allocator *a = &problem->alloc;
    const int n = problem->layout.n;
    *x = (rsd_start_matrix){.problem = problem, .n = n, .is_given = problem->dae.jacobian != NULL};
    double **const matrices[] = {&x->M, &x->N, &x->B};
    double **const vectors[] = {&x->delta,  &x->y,     &x->yp,    &x->r,      &x->row,
                                &x->column, &x->noise, &x->least, &x->F_noise};
    int all = 1;
    for (int k = 0; k < 3; k++) all &= (*matrices[k] = rsd_matrix(a, n, n)) != NULL;
    for (int k = 0; k < 9; k++) all &= (*vectors[k] = rsd_doubles(a, n)) != NULL;
    all &= (x->work = rsd_doubles(a, 4L * n)) != NULL;
    all &= (x->pivots = rsd_calloc(a, n, sizeof(int))) != NULL;
    all &= (x->iwork = rsd_calloc(a, n, sizeof(int))) != NULL;
    all = all && rsd_rank_create(&x->rank, n, n, a, why) >= 0 && rsd_rank_reserve(&x->rank, a, why) >= 0;
    if (all && problem->J.row) all = take_pattern(x, why) >= 0;
    return all ? RESIDA_OK : no_memory(x, why);
}

void rsd_start_matrix_begin(rsd_start_matrix *x)
{
    for (int c = 0; c < x->n; c++) x->least[c] = PART_YP * UNIT_SIZE;
}

void rsd_start_matrix_free(rsd_start_matrix *x)
{
    const resida_allocator *a = &x->problem->alloc;
    void *blocks[] = {x->M,      x->N,    x->B,      x->delta, x->y,     x->yp,       x->r,     x->row,
                      x->column, x->work, x->pivots, x->iwork, x->noise, x->K_values, x->least, x->F_noise};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) rsd_free(a, blocks[k]);
    rsd_rank_free(&x->rank, a);
    if (x->has_pattern) rsd_sparsity_free(&x->pattern, a);
    rsd_colouring_free(&x->colours, a);
    *x = (rsd_start_matrix){.problem = NULL};
}

/* --- differences --- */

static int has_derivative(const rsd_start_matrix *x, int c)
{
    return x->problem->kinds[c] == RESIDA_DIFFERENTIAL;
}

/* Move component c of yp or y by delta. */
static void move(rsd_start_matrix *x, int is_yp, int c, double delta)
{
    double *z = is_yp ? x->yp : x->y;
    volatile double moved = z[c] + delta;
    x->delta[c] = moved - z[c];
    z[c] = moved;
}

static int call(rsd_start_matrix *x, const rsd_start_point *at)
{
    return rsd_guard_residual(at->t, x->y, x->yp, x->r, at->guard);
}

/* What is left of an entry when its rounding is taken away: all or nothing. */
static double cleaned(double entry, double rounding)
{
    return fabs(entry) <= rounding ? 0 : entry;
}

/* The same of one of M in row i. */
static double cleaned_of_M(rsd_start_matrix *x, int i, double entry, double rounding)
{
    x->noise[i] = fmax(x->noise[i], rounding);
    return cleaned(entry, rounding);
}

/* What rounding can make of an entry in row i that was differenced by delta. */
static double rounding_of(const rsd_start_matrix *x, const rsd_start_point *at, int i, double entry, double delta)
{
    return (RSD_NEGLIGIBLE * (fabs(at->F[i] + entry * delta) + fabs(at->F[i])) + x->F_noise[i]) / fabs(delta);
}

static double quotient(const rsd_start_matrix *x, const rsd_start_point *at, int i, double delta)
{
    double entry = (x->r[i] - at->F[i]) / delta;
    return cleaned(entry, rounding_of(x, at, i, entry, delta));
}

/* F where all of y and yp is moved by MANY times its rounding, by sizes that differ so that nothing cancels. */
static int call_rounded(rsd_start_matrix *x, const rsd_start_point *at, double side)
{
    for (int i = 0; i < x->n; i++) {
        double part = side * MANY * RSD_NEGLIGIBLE * (i % 2 ? -1 : 1) * (1 + (double)i / x->n);
        x->y[i] = at->y[i] * (1 + part);
        x->yp[i] = at->yp[i] * (1 + part);
    }
    int verdict = call(x, at);
    memcpy(x->y, at->y, (size_t)x->n * sizeof *x->y);
    memcpy(x->yp, at->yp, (size_t)x->n * sizeof *x->yp);
    return verdict;
}

int rsd_start_matrix_find_noise(rsd_start_matrix *x, const rsd_start_point *at)
{
    for (int i = 0; i < x->n; i++) x->F_noise[i] = INFINITY;
    for (int side = -1; side < 2; side += 2) { /* F may jump at this very point */
        int verdict = call_rounded(x, at, side);
        if (verdict < 0) return verdict;
        for (int i = 0; i < x->n && !verdict; i++) x->F_noise[i] = fmin(x->F_noise[i], fabs(x->r[i] - at->F[i]) / MANY);
    }
    for (int i = 0; i < x->n; i++)
        if (isinf(x->F_noise[i])) x->F_noise[i] = 0;
    return 0;
}

/* Columns of a matrix that are moved together, as they have no row in common. */
typedef struct columns {
    const int *first, *end;
} columns;

/* Rows of column c: how many, and which is the k-th. */
static int n_rows(const rsd_start_matrix *x, int c)
{
    return x->has_pattern ? x->pattern.col_start[c + 1] - x->pattern.col_start[c] : x->n;
}

static int row_of(const rsd_start_matrix *x, int c, int k)
{
    return x->has_pattern ? x->pattern.row[x->pattern.col_start[c] + k] : k;
}

/* Column c of M, with all rounding, and how many times as large an increment makes that little; where nothing is seen,
 * so large a one that what it hides does not matter. */
static double take_column(rsd_start_matrix *x, const rsd_start_point *at, int c)
{
    double *M = x->M + (long)c * x->n, most = 0, rounding = 0;
    for (int k = 0; k < n_rows(x, c); k++) {
        int i = row_of(x, c, k);
        M[i] = (x->r[i] - at->F[i]) / x->delta[c];
        double doubt = rounding_of(x, at, i, M[i], x->delta[c]);
        rounding = fmax(rounding, doubt);
        if (fabs(M[i]) > doubt) most = fmax(most, fabs(M[i]));
    }
    if (most == 0) return fmax(fmax(HIDDEN / fabs(x->delta[c]), rounding / (EXACT * UNIT_ENTRY)), 1);
    return fmax(rounding / (EXACT * most), 1);
}

/* Without rounding. Where F was looked at with a larger increment, too, moved (else 0), entries that agree, as where F
 * is linear, are more exact then; and if all do, such an increment will do from now on. */
static void finish_column(rsd_start_matrix *x, const rsd_start_point *at, int c, double moved)
{
    double *M = x->M + (long)c * x->n;
    int agrees = moved != 0;
    for (int k = 0; k < n_rows(x, c); k++) {
        int i = row_of(x, c, k);
        double entry = M[i], rounding = rounding_of(x, at, i, entry, x->delta[c]);
        double again = moved != 0 ? (x->r[i] - at->F[i]) / moved : INFINITY;
        double less = moved != 0 ? rounding_of(x, at, i, again, moved) : 0;
        int same = fabs(again - entry) <= SAME_ENTRY * (rounding + less);
        M[i] = same ? cleaned_of_M(x, i, again, less) : cleaned_of_M(x, i, entry, rounding);
        agrees &= same;
    }
    if (agrees) x->least[c] = fabs(moved);
}

/* Those of the columns for which rounding is not little are moved by more, larger[c] times. Where F is not possible,
 * nothing is new. */
static int look_again(rsd_start_matrix *x, const rsd_start_point *at, columns s, const double *larger)
{
    int any = 0, verdict = 0;
    for (const int *c = s.first; c < s.end; c++) {
        if (larger[*c] > 1) x->yp[*c] += larger[*c] * x->delta[*c];
        any |= larger[*c] > 1;
    }
    if (any) verdict = call(x, at);
    for (const int *c = s.first; c < s.end && verdict >= 0; c++) {
        if (has_derivative(x, *c)) finish_column(x, at, *c, verdict == 0 ? x->yp[*c] - at->yp[*c] : 0);
        x->yp[*c] = at->yp[*c];
    }
    return verdict < 0 ? verdict : 0;
}

static int difference_M(rsd_start_matrix *x, const rsd_start_point *at, columns s)
{
    double *larger = x->column; /* free until B is scaled */
    for (const int *c = s.first; c < s.end; c++)
        if (has_derivative(x, *c)) move(x, 1, *c, fmax(PART_YP * fabs(at->yp[*c]), x->least[*c]));
    int verdict = call(x, at);
    for (const int *c = s.first; c < s.end; c++) {
        x->yp[*c] = at->yp[*c];
        larger[*c] = !verdict && has_derivative(x, *c) ? take_column(x, at, *c) : 1;
    }
    return verdict ? verdict : look_again(x, at, s, larger);
}

static int difference_K(rsd_start_matrix *x, const rsd_start_point *at, columns s)
{
    for (const int *c = s.first; c < s.end; c++) move(x, 0, *c, PART_Y * fmax(fabs(at->y[*c]), UNIT_SIZE));
    int verdict = call(x, at);
    for (const int *c = s.first; c < s.end && !verdict; c++)
        for (int e = x->pattern.col_start[*c]; e < x->pattern.col_start[*c + 1]; e++)
            x->K_values[e] = quotient(x, at, x->pattern.row[e], x->delta[*c]);
    for (const int *c = s.first; c < s.end; c++) x->y[*c] = at->y[*c];
    return verdict;
}

static int difference_groups(rsd_start_matrix *x, const rsd_start_point *at)
{
    int verdict = 0;
    for (int g = 0; g < x->colours.n_groups && !verdict; g++) {
        const int *start = x->colours.start + g;
        const columns s = {x->colours.columns + start[0], x->colours.columns + start[1]};
        verdict = difference_M(x, at, s);
        if (!verdict) verdict = difference_K(x, at, s);
    }
    return verdict;
}

static int difference_columns(rsd_start_matrix *x, const rsd_start_point *at)
{
    int verdict = 0;
    for (int c = 0; c < x->n && !verdict; c++)
        if (has_derivative(x, c)) verdict = difference_M(x, at, (columns){&c, &c + 1});
    return verdict;
}

/* What the model says of dF/dy + alpha dF/dyp, with alpha = 0 and so large that dF/dy is no more than rounding. */
static int ask(rsd_start_matrix *x, const rsd_start_point *at)
{
    const rsd_csr *J = &x->problem->J;
    int verdict = 0;
    for (int is_K = 0; is_K < 2 && !verdict; is_K++) {
        rsd_guard_expect(at->guard);
        verdict = rsd_problem_dae_jacobian(x->problem, at->t, is_K ? 0 : LARGE, at->y, at->yp, x->K_values);
        verdict = rsd_guard_judge(at->guard, at->t, verdict, x->K_values, J->nnz);
        for (int i = 0; i < J->rows && !verdict; i++)
            for (int e = J->row[i]; e < J->row[i + 1]; e++) {
                double *M = &x->M[(long)J->col[e] * x->n + i], with = *M, K = x->K_values[e];
                if (!is_K)
                    *M = K;
                else
                    *M = cleaned_of_M(x, i, (with - K) / LARGE, RSD_NEGLIGIBLE * (fabs(with) + fabs(K)) / LARGE);
            }
    }
    return verdict;
}

/* --- B --- */

/* The rank of M. Its rows are scaled to a largest entry of 1, but not so far that rounding would look like an entry. */
static void find_rank(rsd_start_matrix *x)
{
    const double tolerance = x->is_given ? DEPENDENT_ALSO : DEPENDENT;
    const int n = x->n;
    memset(x->row, 0, (size_t)n * sizeof *x->row);
    for (long k = 0; k < (long)n * n; k++) x->row[k % n] = fmax(x->row[k % n], fabs(x->M[k]));
    for (int i = 0; i < n; i++) {
        double most = fmax(x->row[i], x->noise[i] / (CLEARLY * tolerance));
        x->row[i] = most > 0 ? 1 / most : 0;
    }
    for (long k = 0; k < (long)n * n; k++) x->rank.Q[k] = x->row[k % n] * x->M[k];
    rsd_rank_find(&x->rank, x->rank.Q, tolerance);
}

/* Columns of N from M: component c is free, and takes others with it. */
static void find_kernel(rsd_start_matrix *x)
{
    const int n = x->n;
    for (int k = 0; k < x->rank.n_redundant; k++) {
        const double *c = rsd_rank_combination(&x->rank, k);
        double *N = x->N + (long)k * n, most = 1;
        memset(N, 0, (size_t)n * sizeof *N);
        N[x->rank.redundant[k]] = 1;
        for (int i = 0; i < x->rank.rank; i++) {
            N[x->rank.perm[i]] = -c[i];
            most = fmax(most, fabs(c[i]));
        }
        for (int i = 0; i < n; i++) N[i] /= most;
    }
}

/* K N_k by a difference along it. */
static int difference_along(rsd_start_matrix *x, const rsd_start_point *at, const double *N, double *out)
{
    double size = UNIT_SIZE;
    for (int i = 0; i < x->n; i++)
        if (N[i] != 0) size = fmax(size, fabs(at->y[i]));
    double delta = PART_Y * size;
    for (int i = 0; i < x->n; i++) x->y[i] = at->y[i] + delta * N[i];
    int verdict = call(x, at);
    memcpy(x->y, at->y, (size_t)x->n * sizeof *x->y);
    for (int i = 0; i < x->n && !verdict; i++) out[i] = quotient(x, at, i, delta);
    return verdict;
}

static void multiply(const rsd_start_matrix *x, const double *N, double *out)
{
    const rsd_csr *J = &x->problem->J;
    if (x->is_given) {
        rsd_csr_times(J, x->K_values, N, out);
        return;
    }
    memset(out, 0, (size_t)x->n * sizeof *out);
    for (int c = 0; c < x->n; c++)
        for (int e = x->pattern.col_start[c]; e < x->pattern.col_start[c + 1]; e++)
            out[x->pattern.row[e]] += x->K_values[e] * N[c];
}

static int fill(rsd_start_matrix *x, const rsd_start_point *at)
{
    const int n = x->n, rank = x->rank.rank;
    int verdict = 0;
    for (int k = 0; k < rank; k++)
        memcpy(x->B + (long)k * n, x->M + (long)x->rank.perm[k] * n, (size_t)n * sizeof *x->B);
    for (int k = 0; k < n - rank && !verdict; k++) {
        const double *N = x->N + (long)k * n;
        double *out = x->B + (long)(rank + k) * n;
        if (x->has_pattern)
            multiply(x, N, out);
        else
            verdict = difference_along(x, at, N, out);
    }
    return verdict;
}

/* Rows, then columns, to a largest entry of 1; the factors. */
static void factor(rsd_start_matrix *x)
{
    const int n = x->n;
    memset(x->row, 0, (size_t)n * sizeof *x->row);
    for (long k = 0; k < (long)n * n; k++) x->row[k % n] = fmax(x->row[k % n], fabs(x->B[k]));
    for (int i = 0; i < n; i++) x->row[i] = x->row[i] > 0 ? 1 / x->row[i] : 0;
    for (int c = 0; c < n; c++) {
        double *B = x->B + (long)c * n, most = 0;
        for (int i = 0; i < n; i++) most = fmax(most, fabs(B[i] *= x->row[i]));
        x->column[c] = most > 0 ? 1 / most : 0;
        for (int i = 0; i < n; i++) B[i] *= x->column[c];
    }
    double norm = rsd_norm1(n, x->B);
    x->rcond = rsd_lu_factor(n, x->B, x->pivots) ? 0 : rsd_lu_rcond(n, x->B, norm, x->work, x->iwork);
}

int rsd_start_matrix_find(rsd_start_matrix *x, const rsd_start_point *at)
{
    memcpy(x->y, at->y, (size_t)x->n * sizeof *x->y);
    memcpy(x->yp, at->yp, (size_t)x->n * sizeof *x->yp);
    memset(x->noise, 0, (size_t)x->n * sizeof *x->noise);
    memset(x->M, 0, (size_t)x->n * (size_t)x->n * sizeof *x->M);
    int verdict = x->is_given ? 0 : rsd_start_matrix_find_noise(x, at);
    if (verdict) return verdict;
    verdict = x->is_given ? ask(x, at) : x->has_pattern ? difference_groups(x, at) : difference_columns(x, at);
    if (verdict) return verdict;
    find_rank(x);
    find_kernel(x);
    verdict = fill(x, at);
    if (!verdict) factor(x);
    return verdict;
}

int rsd_start_matrix_is_singular(const rsd_start_matrix *x)
{
    return !(x->rcond > (x->is_given ? SINGULAR_ALSO : SINGULAR));
}

int rsd_start_matrix_is_doubtful(const rsd_start_matrix *x)
{
    return !(x->rcond > DOUBTFUL);
}

void rsd_start_matrix_solve(rsd_start_matrix *x, const double *F, double *dy, double *dyp)
{
    const int n = x->n, rank = x->rank.rank;
    double *s = x->r;
    for (int i = 0; i < n; i++) s[i] = x->row[i] * F[i];
    rsd_lu_solve(n, x->B, x->pivots, s);
    memset(dy, 0, (size_t)n * sizeof *dy);
    memset(dyp, 0, (size_t)n * sizeof *dyp);
    for (int k = 0; k < rank; k++) dyp[x->rank.perm[k]] = x->column[k] * s[k];
    for (int k = rank; k < n; k++)
        for (int i = 0; i < n; i++) dy[i] += x->column[k] * s[k] * x->N[(long)(k - rank) * n + i];
}
