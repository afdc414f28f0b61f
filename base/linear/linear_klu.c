/* linear_klu.c - the linear solver for sparse matrices: KLU of T. A. Davis and E. Palamadai Natarajan (Algorithm 907:
 * KLU, a direct sparse solver for circuit simulation problems), the version with 32-bit indices.
 *
 *     R^-1 P A Q = L U + F     R: largest entry of each row, P: pivots, Q: order by block triangular form and AMD or
 *                              COLAMD
 *
 * AMD orders for pivots on the diagonal. Where the diagonal has zeros, as that of a saddle-point matrix, pivots leave
 * it, and what AMD kept sparse fills up: J of a chain of 300 rods gets 496,000 entries in L for 9,600 of COLAMD, which
 * orders for any choice of pivots. So COLAMD takes over when the first values show a zero on the diagonal.
 *
 * Beside COLAMD's order stands one that puts other rows on the diagonal: those of a matching with nearly the largest
 * product (matching.h), ordered by AMD; pivots leave the diagonal where it is below a thousandth of the largest
 * candidate. When what COLAMD's order has cost is three times what a trial costs, both are tried, and the cheaper one
 * stays: an axle of 7 bodies gets 8,100 entries in L + U for 16,300, a chain of 300 rods 19,200 for 22,500. COLAMD
 * comes back for good where factors cost more than by COLAMD then, as pivots have left the diagonal, or the digits
 * that are wanted are lost. A solver that has to forget stays with COLAMD: its results are to depend on its matrix
 * alone.
 *
 * The pattern is analysed once. The first factorisation chooses pivots; later ones keep them, which saves most of the
 * work and all allocation, but says nothing of their quality: growth, and even a zero on a 1 x 1 block, goes unnoticed.
 * So every set of factors is tried on a solution known beforehand,
 *
 *     A z = b,    |z_j| about 1/(largest entry of column j of R^-1 A),    error = max_j |(LU)^-1 b - z|_j / |z_j|,
 *
 * and new pivots are chosen when the error is above 1e-6: a correction of the Newton iteration needs fewer digits, and
 * fresh factors of a chain of 1e5 rods still give 1e-8. Where fresh factors cannot (index 3 with small steps), ten
 * times their error is endured, up to 1e-3. z is scaled when pivots are chosen. The trial costs half of a
 * refactorisation on a chain of rods, a tenth and less where there is much fill. Of KLU's own measures klu_rcond moves
 * with alpha: on saddle-point matrices with alpha between 1 and 1e12 it fell to 1e-14 and rose to 1e10 of itself while
 * the factors stayed good; klu_rgrowth (0.1 to 0.3 of a refactorisation) sees growth, but neither what it does to a
 * solution nor the zero on a 1 x 1 block.
 *
 * Rows are scaled here, by their largest entries when pivots are chosen: KLU would look for them at every
 * factorisation, which takes a quarter of its time on a chain.
 *
 * "klu-diagonal" is factorisation without pivoting, as skyline solvers of finite element codes have it: no order,
 * pivots on the diagonal as they come. A pivot that is zero, or so small that the known solution is lost (error above
 * 1e-3), is a failure.
 *
 * Pivots: at least a tenth of the largest candidate. KLU's default of a thousandth saves a tenth of the entries on
 * chains of rods and costs two digits. Nothing here is refined, and singular means a pivot that is exactly zero or not
 * a number: near-singular matrices pass. */
#include "linear_backend.h"
#include "matching.h"

#include "base/numbers.h"

#include <float.h>
#include <math.h>
#include <suitesparse/klu.h>

#define ORDER_AMD       0    /* of KLU */
#define ORDER_COLAMD    1    /* of KLU */
#define NO_SCALING      -1   /* by KLU, and no checks */
#define FIRST_ROOM      1.2  /* times the entries that are predicted: the memory of first factors */
#define SURE_FROM       1000 /* unknowns, .. */
#define SURE_DENSITY    0.01 /* .. and part of all entries: sparse without a prediction */
#define PIVOT_TOLERANCE 0.1  /* of the largest candidate, see above */
#define MATCH_TOLERANCE 1e-3 /* the same on a diagonal of matched rows */
#define MATCH_WINS_FROM 0.9  /* of the cost with COLAMD */
#define TRIAL_WORK      150  /* operations for each entry: matching, analysis and scales of a trial */
#define TRIAL_PAYS_FROM 3    /* times what the trial costs, spent with COLAMD: it saves a fifth of it at least */
#define SOLUTIONS       4    /* for each factorisation, when orders are compared */
#define ERROR_WANTED    1e-6 /* of the known solution: kept pivots are good enough, whatever fresh ones gave */
#define ERROR_FACTOR    10   /* over that of fresh factors: kept pivots may be as much worse */
#define ERROR_ENDURED   1e-3 /* of the known solution, without pivoting */

typedef struct sparse {
    resida_allocator alloc;
    rsd_csr A; /* row: starts of columns, col: row numbers */
    int n;
    int on_diagonal; /* no choice of pivots */
    double *scale;   /* [n] of rows */
    double *values;  /* [nnz] R^-1 A */
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric; /* NULL: no factors */
    double *z, *x;        /* [n] known solution, work space */
    double error_allowed; /* of kept pivots */
    double work;          /* operations as AMD predicts them, or as counted; 0: not known yet */
    int is_settled;       /* the order: by matched rows it is not tried any more */
    double n_factored;    /* factorisations until it is settled */
    int is_matched;       /* the order: it is by matched rows */
    double colamd_cost;   /* with COLAMD's order; 0: not known yet */
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

/* So large and so empty that it takes no prediction: the order waits for the first values. */
static int is_sparse_for_sure(const rsd_csr *A)
{
    return A->cols > SURE_FROM && A->nnz < A->cols * SURE_DENSITY * A->cols;
}

/* Order the unknowns. Not 0: no memory, an old order stays. */
static int analyse(sparse *s)
{
    klu_symbolic *symbolic = s->on_diagonal ? klu_analyze_given(s->n, s->A.row, s->A.col, NULL, NULL, &s->common)
                                            : klu_analyze(s->n, s->A.row, s->A.col, &s->common);
    if (!symbolic) return -1;
    klu_free_symbolic(&s->symbolic, &s->common);
    s->symbolic = symbolic;
    if (symbolic->est_flops > 0) s->work = symbolic->est_flops;
    return 0;
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
        if (all && (is_sparse_for_sure(A) || analyse(s) == 0)) return RESIDA_OK;
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

/* R: the largest entry of each row. z_j: a number between 1/2 and 1 of either sign, over the largest entry of column j
 * of R^-1 A. */
static void choose_scale(sparse *s, const double *values)
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

static double component_error(const sparse *s, int j)
{
    return fabs((s->x[j] - s->z[j]) / s->z[j]);
}

/* The error of the known solution as the factors give it; it is left in x. NaN and Inf come through. */
static double known_solution_error(sparse *s)
{
    const rsd_csr *A = &s->A;
    double error = 0;
    for (int i = 0; i < s->n; i++) s->x[i] = 0;
    for (int j = 0; j < s->n; j++)
        for (int k = A->row[j]; k < A->row[j + 1]; k++) s->x[A->col[k]] += s->values[k] * s->z[j];
    klu_solve(s->symbolic, s->numeric, s->n, 1, s->x, &s->common);
    for (int j = 0; j < s->n && !isnan(error); j++) {
        double part = component_error(s, j);
        if (!(part <= error)) error = part;
    }
    return error;
}

/* Regular by its pivots, but its solutions overflow: the column of the first component that does. */
static int column_out_of_range(const sparse *s)
{
    int j = 0;
    while (j + 1 < s->n && isfinite(component_error(s, j))) j++;
    return j;
}

/* 1: some diagonal entry is zero, or not there. */
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

/* AMD's order with the matched rows on the diagonal. NULL: no matching, or no memory. */
static klu_symbolic *analyse_matched(sparse *s, const double *values)
{
    const rsd_csr *A = &s->A;
    klu_symbolic *symbolic = NULL;
    klu_common how = s->common;
    int *row_of = NULL, *column_of = NULL, *renamed = NULL;
    if (RSD_INTS(&s->alloc, s->n, &row_of, &column_of) && RSD_INTS(&s->alloc, A->nnz, &renamed) &&
        rsd_matching(A, values, row_of, &s->alloc) > 0) {
        for (int j = 0; j < s->n; j++) column_of[row_of[j]] = j;
        for (int k = 0; k < A->nnz; k++) renamed[k] = column_of[A->col[k]];
        how.ordering = ORDER_AMD;
        how.btf = 0; /* it would look for another diagonal */
        symbolic = klu_analyze(s->n, A->row, renamed, &how);
        for (int k = 0; symbolic && k < s->n; k++) symbolic->P[k] = row_of[symbolic->P[k]];
    }
    s->common.memusage = how.memusage;
    RSD_FREE(&s->alloc, row_of, column_of, renamed);
    return symbolic;
}

/* The order for a choice of pivots: for any where the diagonal has a zero, which no prediction knows. 0: there is
 * one. */
static int choose_order(sparse *s, const double *values)
{
    int for_any = !s->on_diagonal && s->common.ordering != ORDER_COLAMD && has_zero_on_diagonal(s, values);
    if (for_any) {
        s->common.ordering = ORDER_COLAMD;
        s->common.initmem = FIRST_ROOM; /* COLAMD predicts nothing; KLU would begin with ten times the entries of A */
    }
    if (for_any || !s->symbolic) analyse(s);
    return !s->symbolic;
}

/* The first unknown whose pivot is not its own, else the one with the smallest: KLU leaves the diagonal where it has no
 * entry. */
static int worst_pivot(const sparse *s)
{
    const double *pivot = s->numeric->Udiag;
    int worst = 0;
    for (int k = 0; k < s->n; k++) {
        if (s->numeric->Pnum[k] != k) return k;
        if (fabs(pivot[k]) < fabs(pivot[worst])) worst = k;
    }
    return worst;
}

/* Without a choice of pivots: are they good enough? 0; k > 0: that of unknown k - 1 is not. */
static int judge_diagonal(const sparse *s, double error)
{
    int worst = worst_pivot(s);
    return s->numeric->Pnum[worst] == worst && error <= ERROR_ENDURED ? 0 : worst + 1;
}

static long entries_of_factors(const sparse *s)
{
    const klu_numeric *f = s->numeric;
    return f ? (long)f->lnz + f->unz - f->n + f->nzoff : 0;
}

static double count_work(sparse *s)
{
    return klu_flops(s->symbolic, s->numeric, &s->common) ? s->common.flops : 0;
}

/* Of a factorisation with its solutions. */
static double count_cost(sparse *s)
{
    return count_work(s) + SOLUTIONS * 2.0 * (double)entries_of_factors(s);
}

/* Factor with a choice of pivots, in the order that is there. */
static int factor_in_order(sparse *s)
{
    s->common.tol = s->on_diagonal ? 0 : s->is_matched ? MATCH_TOLERANCE : PIVOT_TOLERANCE;
    s->numeric = klu_factor(s->A.row, s->A.col, s->values, s->symbolic, &s->common);
    if (!s->numeric) return s->common.status == KLU_SINGULAR ? s->common.singular_col + 1 : -1;
    if (s->work == 0) s->work = count_work(s);
    double error = known_solution_error(s);
    int unfit = s->on_diagonal ? judge_diagonal(s, error) : isfinite(error) ? 0 : column_out_of_range(s) + 1;
    s->error_allowed = fmin(fmax(ERROR_WANTED, ERROR_FACTOR * error), ERROR_ENDURED);
    if (unfit) klu_free_numeric(&s->numeric, &s->common);
    return unfit;
}

/* Factor in an order by matched rows, too, and keep what is cheaper. Without memory for it, nothing is lost. */
static void try_matched_rows(sparse *s, const double *values)
{
    sparse before = *s;
    before.work = count_work(s);
    s->work = 0;
    s->symbolic = analyse_matched(s, values);
    s->numeric = NULL;
    s->is_matched = 1;
    int wins = s->symbolic && factor_in_order(s) == 0 && s->error_allowed <= ERROR_WANTED &&
               count_cost(s) <= MATCH_WINS_FROM * s->colamd_cost;
    sparse *loser = wins ? &before : s;
    klu_free_numeric(&loser->numeric, &s->common);
    klu_free_symbolic(&loser->symbolic, &s->common);
    before.common = s->common;
    if (!wins) *s = before;
    s->is_settled = 1;
}

/* 1: the order by matched rows has lost what it was chosen for. */
static int match_is_lost(sparse *s, int verdict)
{
    return verdict > 0 || s->error_allowed > ERROR_WANTED || count_cost(s) > s->colamd_cost;
}

/* 1: it is time to look for another order than COLAMD's. */
static int is_trial_due(const sparse *s)
{
    const double trial = TRIAL_WORK * (double)s->A.nnz + s->colamd_cost;
    return !s->is_settled && s->colamd_cost > 0 && s->n_factored * s->colamd_cost >= TRIAL_PAYS_FROM * trial;
}

static int choose_pivots(sparse *s, const double *values)
{
    klu_free_numeric(&s->numeric, &s->common);
    if (choose_order(s, values)) return -1;
    choose_scale(s, values);
    int verdict = factor_in_order(s);
    if (s->is_matched && verdict >= 0 && match_is_lost(s, verdict)) {
        klu_free_numeric(&s->numeric, &s->common);
        s->is_matched = 0;
        s->work = 0;
        if (analyse(s)) return -1;
        verdict = factor_in_order(s);
    }
    if (verdict == 0 && !s->is_settled && s->common.ordering == ORDER_COLAMD) s->colamd_cost = count_cost(s);
    if (verdict == 0 && is_trial_due(s)) try_matched_rows(s, values);
    return verdict;
}
static int sparse_factor(void *self, const double *values, int *kept)
{
    sparse *s = self;
    if (!s->is_settled) s->n_factored++;
    const int can_keep = s->numeric && !is_trial_due(s);
    if (can_keep) scale_rows(s, values);
    *kept = can_keep && klu_refactor(s->A.row, s->A.col, s->values, s->symbolic, s->numeric, &s->common) &&
            known_solution_error(s) <= s->error_allowed;
    return *kept ? 0 : choose_pivots(s, values);
}

/* KLU goes through its factors once for four columns. */
static void sparse_solve(void *self, int columns, double *X)
{
    sparse *s = self;
    double *x = X;
    for (int k = 0; k < columns; k++, x += s->n)
        for (int i = 0; i < s->n; i++) x[i] *= s->scale[i];
    klu_solve(s->symbolic, s->numeric, s->n, columns, X, &s->common);
}

static void sparse_forget(void *self)
{
    sparse *s = self;
    klu_free_numeric(&s->numeric, &s->common);
    if (s->is_matched) klu_free_symbolic(&s->symbolic, &s->common);
    s->is_matched = 0;
    s->is_settled = 1;
}

static void sparse_measure(const void *self, rsd_linear_report *report)
{
    const sparse *s = self;
    report->nnz_factors = entries_of_factors(s);
    report->work = s->work;
    report->bytes = sizeof *s + (3 * (size_t)s->n + (size_t)s->A.nnz) * sizeof(double) + s->common.memusage;
}

const rsd_linear_backend rsd_linear_klu = {
    "klu", 1, 0, sparse_create, sparse_free, sparse_factor, sparse_solve, sparse_forget, sparse_measure,
};

const rsd_linear_backend rsd_linear_klu_diagonal = {
    "klu-diagonal", 1, 1, sparse_create, sparse_free, sparse_factor, sparse_solve, sparse_forget, sparse_measure,
};
