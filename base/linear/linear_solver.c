/* linear_solver.c - chooses the kind of linear solver, stores the pattern, rejects values that are not finite, and
 * counts.
 *
 * The rule of "auto": KLU analyses the pattern. "work" is the number of operations that KLU predicts, divided by that
 * of the dense kind, 2/3 n^3. The dense kind is used if "work" exceeds a limit. test/linear/measure_linear_solver.c has
 * measured the time of a factorisation and two solutions by KLU, divided by that of the dense kind (up to 128 unknowns
 * small_lu.c, otherwise LAPACK on the reference BLAS 3.11, x86-64):
 *
 *     work    random pattern, density       work    random pattern, density      work     chain of rods
 *     0.13    n = 30, 0.13: 0.50            0.04    n = 150, 0.02: 0.07          0.10     n = 30:  0.53
 *     0.35    n = 30, 0.2:  0.89            0.28    n = 150, 0.05: 0.62          0.03     n = 60:  0.39
 *     0.58    n = 30, 0.3:  1.81            0.54    n = 150, 0.1:  1.03          0.01     n = 102: 0.23
 *     0.08    n = 60, 0.07: 0.52            0.19    n = 300, 0.02: 0.29          0.005    n = 150: 0.03
 *     0.25    n = 60, 0.11: 1.07            0.28    n = 400, 0.02: 0.52          0.001    n = 402: 0.001
 *     0.17    n = 100, 0.06: 1.32           0.57    n = 400, 0.05: 1.14
 *
 * In an integration caches are colder, and numbers of instructions are a better measure. small_lu.c takes fewer
 * instructions if "work" exceeds 0.1 (n = 20 to 100), and below 30 unknowns also on chains, because of their heads
 * (small_lu.h). Beyond 128 unknowns the limit is 0.4: LAPACK is several times faster with OpenBLAS, and the selected
 * kind never takes twice the time of the better one. A limit on n or on the density alone cannot do this, because it
 * does not distinguish a chain from a random pattern. */
#include "linear_solver.h"

#include <math.h>
#include <string.h>

#include "base/vector_ops.h"
#include "dense.h"
#include "linear_backend.h"
#include "linear_stage.h"

#define MAX_DENSE_UNKNOWNS  30  /* maximum number of real or complex unknowns for which "auto" is always dense */
#define MAX_SPARSE_WORK     0.4 /* maximum of "work" for which "auto" uses KLU, if LAPACK is the alternative */
#define MAX_SPARSE_WORK_OWN 0.1 /* maximum of "work" for which "auto" uses KLU, if small_lu.c is the alternative */

/* A pattern, and a backend with its state for the pattern. */
typedef struct backend_state {
    const rsd_linear_backend *backend; /* kind of solver */
    void *self;                        /* state of the solver for the pattern */
    int is_factored;                   /* 1: the state contains factors */
    rsd_stage stage;                   /* elimination and scaling of the matrix */
} backend_state;

struct rsd_linear_solver {
    resida_allocator alloc;
    int n;                                /* number of unknowns */
    const rsd_linear_backend *asked;      /* requested kind of solver; NULL: "auto" */
    backend_state now;                    /* solver for the current pattern; backend NULL: no pattern yet */
    int is_complex;                       /* 1: the matrix is the real form of a complex matrix */
    int n_pairs, *pair_row, *pair_column; /* [n_pairs] rows and unknowns to be eliminated first (linear_stage.h) */
    double *row_scale, *column_scale;     /* [n] scale factors of rows and of unknowns; NULL: never set */
    int is_scaled;                        /* 1: row_scale and column_scale are in use */
    long factors, refactors;              /* number of factorisations with new pivots; with kept pivots */
};

static void free_backend(backend_state *h, const resida_allocator *alloc)
{
    if (h->backend) h->backend->free(h->self);
    rsd_stage_free(&h->stage, alloc);
    *h = (backend_state){.backend = NULL};
}

const char *const rsd_linear_kinds[] = {"auto", "dense", "klu", "klu-diagonal", NULL};

const char *rsd_find_linear_kind(const char *name)
{
    for (int i = 0; rsd_linear_kinds[i]; i++)
        if (strcmp(name, rsd_linear_kinds[i]) == 0) return rsd_linear_kinds[i];
    return NULL;
}

resida_status rsd_linear_create(rsd_linear_solver **ls, int n, const char *kind, const resida_allocator *alloc,
                                resida_message *why)
{
    const rsd_linear_backend *asked = NULL;
    *ls = NULL;
    if (n < 1) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "linear solver: n = %d, must be > 0", n);
    const rsd_linear_backend *const all[] = {&rsd_linear_dense, &rsd_linear_klu, &rsd_linear_klu_diagonal};
    for (int i = 0; i < 3; i++)
        if (strcmp(kind, all[i]->name) == 0) asked = all[i];
    if (!rsd_find_linear_kind(kind))
        return rsd_fail(why, RESIDA_ERR_OPTION,
                        "linear solver \"%s\", must be \"dense\", \"klu\", \"klu-diagonal\" or \"auto\"", kind);
    resida_allocator a = rsd_allocator(alloc);
    *ls = rsd_calloc(&a, 1, sizeof **ls);
    if (!*ls) return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for a linear solver");
    **ls = (rsd_linear_solver){.alloc = a, .n = n, .asked = asked};
    return RESIDA_OK;
}

void rsd_linear_set_complex(rsd_linear_solver *ls)
{
    ls->is_complex = 1;
}

void rsd_linear_free(rsd_linear_solver *ls)
{
    if (!ls) return;
    resida_allocator alloc = ls->alloc;
    free_backend(&ls->now, &alloc);
    RSD_FREE(&alloc, ls->pair_row, ls->pair_column, ls->row_scale, ls->column_scale, ls);
}

/* Create the state of `backend` for the pattern in h->stage. */
static resida_status create_backend(backend_state *h, const rsd_linear_backend *backend, const resida_allocator *alloc,
                                    resida_message *why)
{
    RSD_TRY(backend->create(&h->self, backend->variant, rsd_stage_get_pattern(&h->stage), alloc, why));
    h->backend = backend;
    return RESIDA_OK;
}

static double predict_work(const backend_state *h)
{
    rsd_linear_report report;
    h->backend->measure(h->self, &report);
    return report.work;
}

/* Choose the backend of "auto": dense factors, unless KLU predicts less work. */
static resida_status create_cheaper_backend(backend_state *h, int is_complex, const resida_allocator *alloc,
                                            resida_message *why)
{
    const double n = rsd_stage_get_pattern(&h->stage)->cols,
                 up_to = n <= RSD_OWN_UP_TO ? MAX_SPARSE_WORK_OWN : MAX_SPARSE_WORK;
    if (n <= MAX_DENSE_UNKNOWNS * (1 + is_complex)) return create_backend(h, &rsd_linear_headed, alloc, why);
    RSD_TRY(create_backend(h, &rsd_linear_klu, alloc, why));
    if (predict_work(h) <= up_to * 2 / 3 * n * n * n) return RESIDA_OK;
    h->backend->free(h->self);
    h->backend = NULL;
    return create_backend(h, &rsd_linear_headed, alloc, why);
}

static resida_status create_backend_for_pattern(backend_state *h, const rsd_linear_solver *ls, const int *col_start,
                                                const int *row, resida_message *why)
{
    const rsd_linear_backend *backend = ls->asked ? ls->asked : col_start ? NULL : &rsd_linear_dense;
    const rsd_pairs pairs = {ls->n_pairs, ls->pair_row, ls->pair_column};
    resida_pattern given = {col_start, row};
    rsd_csr A = {.rows = ls->n, .cols = ls->n};
    if (col_start || pairs.n > 0 || (backend && backend->needs_pattern))
        RSD_TRY(rsd_csr_create(&A, "transposed J", ls->n, ls->n, &given, &ls->alloc, why));
    RSD_TRY(rsd_stage_create(&h->stage, &A, &pairs, &ls->alloc, why));
    if (ls->row_scale && rsd_stage_allocate(&h->stage, &ls->alloc) < 0)
        return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory to scale a matrix of %d unknowns", ls->n);
    return backend ? create_backend(h, backend, &ls->alloc, why)
                   : create_cheaper_backend(h, ls->is_complex, &ls->alloc, why);
}

resida_status rsd_linear_set_pattern(rsd_linear_solver *ls, const int *col_start, const int *row, resida_message *why)
{
    backend_state made = {.backend = NULL};
    resida_status status = create_backend_for_pattern(&made, ls, col_start, row, why);
    if (status == RESIDA_OK) {
        backend_state old = ls->now;
        ls->now = made;
        made = old;
    }
    free_backend(&made, &ls->alloc);
    return status;
}

/* Return the first column with NaN or Inf, counted from 1, or 0 if all values are finite. */
static int find_nonfinite_column(const rsd_csr *A, const double *values)
{
    long nnz = A->row ? A->nnz : (long)A->cols * A->cols, first = 0;
    int j = 1;
    if (rsd_all_finite(values, nnz)) return 0;
    while (isfinite(values[first])) first++;
    if (!A->row) return (int)(first / A->cols) + 1;
    while (A->row[j] <= first) j++;
    return j;
}

resida_status rsd_linear_set_pairs(rsd_linear_solver *ls, int n_pairs, const int *row, const int *column)
{
    int **lists[] = {&ls->pair_row, &ls->pair_column};
    const int *const given[] = {row, column};
    ls->n_pairs = n_pairs;
    for (int i = 0; i < 2; i++) {
        rsd_free(&ls->alloc, *lists[i]);
        *lists[i] = rsd_calloc(&ls->alloc, n_pairs, sizeof(int));
        if (*lists[i] && n_pairs > 0) memcpy(*lists[i], given[i], (size_t)n_pairs * sizeof(int));
    }
    return ls->pair_row && ls->pair_column ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

resida_status rsd_linear_set_scales(rsd_linear_solver *ls, const double *rows, const double *columns)
{
    ls->is_scaled = rows != NULL;
    if (!rows) return RESIDA_OK;
    if (!ls->row_scale) ls->row_scale = rsd_doubles(&ls->alloc, ls->n);
    if (!ls->column_scale) ls->column_scale = rsd_doubles(&ls->alloc, ls->n);
    if (!ls->row_scale || !ls->column_scale) return RESIDA_ERR_MEMORY;
    memcpy(ls->row_scale, rows, (size_t)ls->n * sizeof *rows);
    memcpy(ls->column_scale, columns, (size_t)ls->n * sizeof *columns);
    return ls->now.backend ? rsd_stage_allocate(&ls->now.stage, &ls->alloc) : RESIDA_OK;
}

int rsd_linear_factor(rsd_linear_solver *ls, const double *values)
{
    backend_state *h = &ls->now;
    if (!h->backend) return -1;
    int column = find_nonfinite_column(&h->stage.A, values), kept = 0;
    h->is_factored = 0;
    if (column) return column;
    const rsd_scales scales = {ls->is_scaled ? ls->row_scale : NULL, ls->column_scale};
    const double *staged;
    column = rsd_stage_transform(&h->stage, values, scales, &staged);
    if (column) return column;
    int verdict = h->backend->factor(h->self, staged, &kept);
    h->is_factored = verdict == 0;
    if (verdict == 0) ++*(kept ? &ls->refactors : &ls->factors);
    return verdict > 0 ? rsd_stage_get_column(&h->stage, verdict - 1) + 1 : verdict;
}

void rsd_linear_solve(rsd_linear_solver *ls, double *x)
{
    backend_state *h = &ls->now;
    if (h->stage.n_pairs == 0 && !h->stage.scales.rows) {
        h->backend->solve(h->self, x);
        return;
    }
    double *right = rsd_stage_reduce_rhs(&h->stage, x);
    h->backend->solve(h->self, right);
    rsd_stage_expand_solution(&h->stage, right, x);
}

void rsd_linear_discard_factors(rsd_linear_solver *ls)
{
    backend_state *h = &ls->now;
    h->is_factored = 0;
    if (h->backend && h->backend->forget) h->backend->forget(h->self);
}

rsd_linear_report rsd_linear_get_report(const rsd_linear_solver *ls)
{
    const backend_state *h = &ls->now;
    rsd_linear_report r = {.name = "", .factors = ls->factors, .refactors = ls->refactors};
    if (!h->backend) return r;
    h->backend->measure(h->self, &r);
    if (!h->is_factored) r.nnz_factors = 0;
    r.name = h->backend->name;
    return r;
}

/* Weight of a floating-point operation in the costs. KLU addresses entries indirectly; dense LU uses vector registers,
 * and an operation takes a fifth of the instructions. */
#define DENSE_WORK 1.0
#define KLU_WORK   5.0

void rsd_linear_get_costs(const rsd_linear_solver *ls, rsd_linear_costs *c)
{
    const rsd_linear_report r = rsd_linear_get_report(ls);
    const int is_sparse = ls->now.backend == &rsd_linear_klu || ls->now.backend == &rsd_linear_klu_diagonal;
    const double each = is_sparse ? KLU_WORK : DENSE_WORK;
    c->factor = each * (r.work + 4.0 * (double)r.nnz_factors);
    c->solve = 2 * each * (double)r.nnz_factors;
}
