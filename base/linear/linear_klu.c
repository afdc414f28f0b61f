/* linear_klu.c - the linear solver for sparse matrices: KLU of T. A. Davis and E. Palamadai Natarajan (Algorithm 907:
 * KLU, a direct sparse solver for circuit simulation problems), the version with 32-bit indices.
 *
 *     R^-1 P A Q = L U + F     R: largest entry of each row, P: pivots, Q: order by AMD or COLAMD of the diagonal
 *                              blocks of a block triangular form, F: the other blocks
 *
 * Order. AMD assumes pivots on the diagonal. If the diagonal has zeros, as in a saddle-point matrix, pivots are chosen
 * off the diagonal, and L fills: J of a chain of 300 rods then has 496,000 entries in L. Therefore, if the first
 * values have a zero on the diagonal, rows are matched with columns so that the product of the matched entries is
 * nearly the largest (matching.h). The matching is repeated whenever pivots are chosen. AMD orders the matrix with the
 * matched rows on the diagonal. A pivot is chosen off the diagonal only if the diagonal element is below 1e-6 of the
 * largest candidate. With 1e-3 the factors of J of a chain of 20,000 bars, of 200,000 unknowns, fill without end:
 * off-diagonal pivots undo the order. The test of factors below detects pivots that are too small. COLAMD assumes no
 * particular pivots. COLAMD is used, also for all later matrices, if there is no matching or if the required accuracy
 * is not reached. An axle of 7 bodies has 16,300 entries in L + U by COLAMD and 8,200 by matched rows, a chain of 300
 * rods 22,500 and 19,200. COLAMD is also used after rsd_linear_discard_factors(), because results must then depend on
 * the matrix only.
 *
 * Pivots. The pattern is analysed once. The first factorisation chooses pivots; later ones keep them. This saves most
 * of the work and all allocation, but inaccurate factors are not detected, for example growth of entries or a zero
 * pivot in a 1 x 1 block. Therefore every factorisation is tested with a known solution,
 *
 *     A z = b,    |z_j| about 1/(largest entry of column j of R^-1 A),    error = max_j |(LU)^-1 b - z|_j / |z_j|,
 *
 * and new pivots are chosen if the error exceeds 1e-6. A correction of the Newton iteration needs fewer digits, and new
 * factors of a chain of 1e5 rods still give 1e-8. If new factors do not reach 1e-6 (index 3 with small steps), ten
 * times their error is allowed, up to 1e-3. z is scaled when pivots are chosen. The test costs half of a
 * refactorisation on a chain of rods, and a tenth or less if there is much fill. The measures of KLU are not used: on
 * saddle-point matrices with alpha between 1 and 1e12 klu_rcond changed by factors from 1e-14 to 1e10 while the factors
 * remained accurate; klu_rgrowth (0.1 to 0.3 of a refactorisation) detects growth, but neither its effect on a solution
 * nor the zero on a 1 x 1 block.
 *
 * Rows are scaled here, by their largest entries when pivots are chosen. KLU would determine these at every
 * factorisation, which takes a quarter of its time on a chain.
 *
 * "klu-diagonal" is a factorisation without pivoting, as in skyline solvers of finite element codes: no order, pivots
 * on the diagonal. It fails if a pivot is zero, or so small that the known solution is lost (error above 1e-3).
 *
 * Pivots are at least a tenth of the largest candidate. KLU's default of a thousandth saves a tenth of the entries on
 * chains of rods and loses two digits. There is no iterative refinement. Singular means that a pivot is exactly zero or
 * not a number; nearly singular matrices are accepted. */
#include "linear_backend.h"
#include "matching.h"

#include "base/numbers.h"

#include <float.h>
#include <math.h>
#include <suitesparse/klu.h>

#define ORDER_AMD           0    /* number of the ordering AMD in KLU */
#define ORDER_COLAMD        1    /* number of the ordering COLAMD in KLU */
#define NO_SCALING          -1   /* number of "no scaling, no checks" in KLU */
#define MEMORY_FACTOR       1.2  /* memory of the first factors, relative to the predicted number of entries */
#define SPARSE_MIN_UNKNOWNS 1000 /* minimum number of unknowns for KLU without a prediction of its work */
#define SPARSE_MAX_DENSITY  0.01 /* maximum density of a matrix for KLU without a prediction of its work */
#define PIVOT_TOLERANCE     0.1  /* minimum pivot, relative to the largest candidate in its column */
#define MATCH_TOLERANCE     1e-6 /* minimum pivot on a diagonal of matched rows, relative to the largest candidate */
#define MAX_KEPT_ERROR      1e-6 /* maximum error of a solution with kept pivots */
#define ERROR_FACTOR        10   /* with kept pivots, ERROR_FACTOR times the error with new pivots is also allowed */
#define MAX_ERROR_EVER      1e-3 /* maximum error of a solution with kept pivots or with pivots on the diagonal */

/* The pivots that the order of columns assumes: the diagonal of A, the rows matched with columns, or any rows. */
typedef enum order { ROWS_AS_THEY_ARE, MATCHED_ROWS, ANY_ROWS } order;

typedef struct sparse {
    resida_allocator alloc;
    rsd_csr A;              /* pattern of the matrix by columns */
    int n;                  /* number of unknowns */
    int on_diagonal;        /* 1: all pivots are on the diagonal */
    double *scale;          /* [n] scale factors of the rows, 1/(largest entry) */
    double *values;         /* [nnz] values of the scaled matrix */
    klu_common common;      /* options and status of KLU */
    klu_symbolic *symbolic; /* order of rows and columns */
    klu_numeric *numeric;   /* factors; NULL: none */
    double *z, *x;          /* [n] known solution z of the test of factors; the solution computed with the factors */
    double error_allowed;   /* maximum relative error of x with kept pivots; new pivots are chosen above it */
    double work;            /* operations of a factorisation, predicted by AMD or counted; 0: unknown */
    order order;            /* pivots that `symbolic` assumes */
    int forgets;            /* 1: factors were discarded by the caller; the order is then COLAMD's, not matched rows */
} sparse;

static void sparse_free(void *self)
{
    sparse *s = self;
    if (!s) return;
    resida_allocator alloc = s->alloc;
    klu_free_numeric(&s->numeric, &s->common);
    klu_free_symbolic(&s->symbolic, &s->common);
    RSD_FREE(&alloc, s->scale, s->values, s->z, s->x, s);
}

/* Return 1 if the matrix is so large and sparse that KLU is used without a prediction of its work. The pattern is then
 * analysed with the first values. */
static int is_clearly_sparse(const rsd_csr *A)
{
    return A->cols > SPARSE_MIN_UNKNOWNS && A->nnz < A->cols * SPARSE_MAX_DENSITY * A->cols;
}

/* Replace the order of pivots by `symbolic`. Return 0, and keep the old order, if symbolic is NULL. */
static int replace_order(sparse *s, klu_symbolic *symbolic)
{
    if (!symbolic) return 0;
    klu_free_symbolic(&s->symbolic, &s->common);
    s->symbolic = symbolic;
    s->work = fmax(symbolic->est_flops, 0);
    return 1;
}

/* Analyse the pattern without matching. Return 0, and keep the old order, if there is no memory. */
static int analyse_pattern(sparse *s)
{
    return replace_order(s, s->on_diagonal ? klu_analyze_given(s->n, s->A.row, s->A.col, NULL, NULL, &s->common)
                                           : klu_analyze(s->n, s->A.row, s->A.col, &s->common));
}

static resida_status sparse_create(void **self, int on_diagonal, const rsd_csr *A, const resida_allocator *alloc,
                                   resida_message *why)
{
    sparse *s = *self = rsd_calloc(alloc, 1, sizeof *s);
    if (s) {
        *s = (sparse){.alloc = *alloc, .A = *A, .n = A->cols, .on_diagonal = on_diagonal};
        klu_defaults(&s->common);
        s->common.tol = on_diagonal ? 0 : PIVOT_TOLERANCE;
        if (on_diagonal) s->common.btf = 0;
        s->common.scale = NO_SCALING;
        const int all = RSD_DOUBLES(alloc, A->cols, &s->scale, &s->z, &s->x) && RSD_DOUBLES(alloc, A->nnz, &s->values);
        if (all && (is_clearly_sparse(A) || analyse_pattern(s))) return RESIDA_OK;
    }
    int invalid = s && s->common.status == KLU_INVALID;
    sparse_free(s);
    *self = NULL;
    if (invalid) return rsd_fail(why, RESIDA_ERR_INTERNAL, "KLU refuses the pattern (%d entries)", A->nnz);
    return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory to analyse a sparse matrix of %d unknowns and %d entries",
                    A->cols, A->nnz);
}

static void scale_rows(sparse *s, const double *values)
{
    for (int k = 0; k < s->A.nnz; k++) s->values[k] = values[k] * s->scale[s->A.col[k]];
}

/* Scale the rows of A by R^-1; R_i is the largest entry of row i. Choose the known solution z: |z_j| is 1/2 to 1,
 * divided by the largest entry of column j of R^-1 A. */
static void choose_scaling(sparse *s, const double *values)
{
    const rsd_csr *A = &s->A;
    for (int i = 0; i < s->n; i++) s->scale[i] = 0;
    for (int k = 0; k < A->nnz; k++) {
        double size = fabs(values[k]);
        if (size > s->scale[A->col[k]]) s->scale[A->col[k]] = size;
    }
    for (int i = 0; i < s->n; i++) s->scale[i] = s->scale[i] > DBL_MIN ? 1 / s->scale[i] : 1;
    scale_rows(s, values);
    for (int j = 0; j < s->n; j++) {
        double size = 0, part = fmod(RSD_GOLDEN * (j + 1), 1);
        for (int k = A->row[j]; k < A->row[j + 1]; k++) size = fmax(size, fabs(s->values[k]));
        s->z[j] = (part < 0.5 ? -0.5 - part : part) / (size > 0 ? size : 1);
    }
}

static double compute_component_error(const sparse *s, int j)
{
    return fabs((s->x[j] - s->z[j]) / s->z[j]);
}

/* Solve for the known solution with the factors. The result is stored in s->x. Return its largest relative error, which
 * may be NaN or Inf. */
static double compute_solution_error(sparse *s)
{
    const rsd_csr *A = &s->A;
    double error = 0;
    for (int i = 0; i < s->n; i++) s->x[i] = 0;
    for (int j = 0; j < s->n; j++)
        for (int k = A->row[j]; k < A->row[j + 1]; k++) s->x[A->col[k]] += s->values[k] * s->z[j];
    klu_solve(s->symbolic, s->numeric, s->n, 1, s->x, &s->common);
    for (int j = 0; j < s->n && !isnan(error); j++) {
        double part = compute_component_error(s, j);
        if (!(part <= error)) error = part;
    }
    return error;
}

/* Return the column of the first component of the solution that overflows. All pivots are finite and not zero. */
static int find_overflow_column(const sparse *s)
{
    int j = 0;
    while (j + 1 < s->n && isfinite(compute_component_error(s, j))) j++;
    return j;
}

/* Return 1 if a diagonal entry is zero or not in the pattern. */
static int has_zero_on_diagonal(const sparse *s, const double *values)
{
    for (int j = 0; j < s->n; j++) {
        double pivot = 0;
        for (int k = s->A.row[j]; k < s->A.row[j + 1]; k++)
            if (s->A.col[k] == j) pivot = values[k];
        if (pivot == 0) return 1;
    }
    return 0;
}

/* Order by AMD with the matched rows on the diagonal. Return 0 if there is no matching or no memory. */
static int analyse_matched(sparse *s, const double *values)
{
    const rsd_csr *A = &s->A;
    klu_symbolic *symbolic = NULL;
    int *row_of = NULL, *column_of = NULL, *renamed = NULL;
    if (RSD_INTS(&s->alloc, s->n, &row_of, &column_of) && RSD_INTS(&s->alloc, A->nnz, &renamed) &&
        rsd_match_rows(A, values, row_of, &s->alloc) > 0) {
        for (int j = 0; j < s->n; j++) column_of[row_of[j]] = j;
        for (int k = 0; k < A->nnz; k++) renamed[k] = column_of[A->col[k]];
        symbolic = klu_analyze(s->n, A->row, renamed, &s->common);
        for (int k = 0; symbolic && k < s->n; k++) symbolic->P[k] = row_of[symbolic->P[k]];
    }
    RSD_FREE(&s->alloc, row_of, column_of, renamed);
    return replace_order(s, symbolic);
}

/* Replace the order by the order of COLAMD, which assumes no particular pivots. Return 0, and keep the old order,
 * if there is no memory. COLAMD makes no prediction, and KLU would then allocate ten times the entries of A. */
static int order_by_colamd(sparse *s)
{
    s->order = ANY_ROWS;
    s->common.ordering = ORDER_COLAMD;
    s->common.btf = 1;
    s->common.tol = PIVOT_TOLERANCE;
    s->common.initmem = MEMORY_FACTOR;
    return analyse_pattern(s);
}

/* Choose the order of columns for a factorisation with new pivots. Return 0 if there is no memory for the order. */
static int choose_order(sparse *s, const double *values)
{
    if (s->order == ROWS_AS_THEY_ARE && !s->on_diagonal && has_zero_on_diagonal(s, values)) {
        s->order = MATCHED_ROWS;
        s->common.btf = 0; /* a block triangular form would choose another diagonal */
        s->common.tol = MATCH_TOLERANCE;
    }
    if (s->order == MATCHED_ROWS && (s->forgets || !analyse_matched(s, values))) order_by_colamd(s);
    return s->symbolic || analyse_pattern(s);
}

/* Return the first unknown whose pivot is not on the diagonal, or, if there is none, the unknown with the smallest
 * pivot. KLU chooses a pivot off the diagonal if there is no entry on the diagonal. */
static int find_worst_pivot(const sparse *s)
{
    const double *pivot = s->numeric->Udiag;
    int worst = 0;
    for (int k = 0; k < s->n; k++) {
        if (s->numeric->Pnum[k] != k) return k;
        if (fabs(pivot[k]) < fabs(pivot[worst])) worst = k;
    }
    return worst;
}

/* Check the accuracy of factors with pivots on the diagonal. Return 0 if they are accurate, or k > 0 if pivot k - 1 is
 * too small or not on the diagonal. */
static int check_diagonal(const sparse *s, double error)
{
    int worst = find_worst_pivot(s);
    return s->numeric->Pnum[worst] == worst && error <= MAX_ERROR_EVER ? 0 : worst + 1;
}

static long count_factor_entries(const sparse *s)
{
    const klu_numeric *f = s->numeric;
    return f ? (long)f->lnz + f->unz - f->n + f->nzoff : 0;
}

/* Factor the matrix with a choice of pivots, in the present order. */
static int factor_with_pivoting(sparse *s)
{
    s->numeric = klu_factor(s->A.row, s->A.col, s->values, s->symbolic, &s->common);
    if (!s->numeric) return s->common.status == KLU_SINGULAR ? s->common.singular_col + 1 : -1;
    if (s->order != ROWS_AS_THEY_ARE) s->work = klu_flops(s->symbolic, s->numeric, &s->common) ? s->common.flops : 0;
    double error = compute_solution_error(s);
    int unfit = s->on_diagonal ? check_diagonal(s, error) : isfinite(error) ? 0 : find_overflow_column(s) + 1;
    s->error_allowed = fmin(fmax(MAX_KEPT_ERROR, ERROR_FACTOR * error), MAX_ERROR_EVER);
    if (unfit) klu_free_numeric(&s->numeric, &s->common);
    return unfit;
}

/* Factor with new pivots. If the matched order is not accurate enough, factor again in the order of COLAMD. */
static int choose_pivots(sparse *s, const double *values)
{
    klu_free_numeric(&s->numeric, &s->common);
    if (!choose_order(s, values)) return -1;
    choose_scaling(s, values);
    const int verdict = factor_with_pivoting(s);
    if (s->order != MATCHED_ROWS || verdict < 0 || (verdict == 0 && s->error_allowed <= MAX_KEPT_ERROR)) return verdict;
    klu_free_numeric(&s->numeric, &s->common);
    return order_by_colamd(s) ? factor_with_pivoting(s) : -1;
}

static int sparse_factor(void *self, const double *values, int *kept)
{
    sparse *s = self;
    if (s->numeric) scale_rows(s, values);
    *kept = s->numeric && klu_refactor(s->A.row, s->A.col, s->values, s->symbolic, s->numeric, &s->common) &&
            compute_solution_error(s) <= s->error_allowed;
    return *kept ? 0 : choose_pivots(s, values);
}

static void sparse_solve(void *self, double *x)
{
    sparse *s = self;
    for (int i = 0; i < s->n; i++) x[i] *= s->scale[i];
    klu_solve(s->symbolic, s->numeric, s->n, 1, x, &s->common);
}

static void sparse_discard_factors(void *self)
{
    sparse *s = self;
    klu_free_numeric(&s->numeric, &s->common);
    s->forgets = 1;
    if (s->order == MATCHED_ROWS) order_by_colamd(s);
}

static void sparse_measure(const void *self, rsd_linear_report *report)
{
    const sparse *s = self;
    report->nnz_factors = count_factor_entries(s);
    report->work = s->work;
}

const rsd_linear_backend rsd_linear_klu = {
    "klu", 1, 0, sparse_create, sparse_free, sparse_factor, sparse_solve, sparse_discard_factors, sparse_measure,
};

const rsd_linear_backend rsd_linear_klu_diagonal = {
    "klu-diagonal", 1, 1, sparse_create, sparse_free, sparse_factor, sparse_solve, sparse_discard_factors,
    sparse_measure,
};
