/* linear_solver.c - chooses the kind of linear solver, keeps the pattern, refuses what is not finite, and counts.
 *
 * The rule of "auto": a pattern is analysed by KLU, and dealt with by the dense kind if the operations that KLU predicts
 * are more than a part of the dense ones, 2/3 n^3. Measured by test/measure_linear_solver.c, time of a factorisation and
 * two solves by KLU over that by the dense kind, up to 128 unknowns our own (linear_small.c), beyond LAPACK on the
 * reference BLAS 3.11 (x86-64):
 *
 *     work    random pattern, density       work    random pattern, density      work     chain of rods
 *     0.13    n = 30, 0.13: 0.50            0.04    n = 150, 0.02: 0.07          0.10     n = 30:  0.53
 *     0.35    n = 30, 0.2:  0.89            0.28    n = 150, 0.05: 0.62          0.03     n = 60:  0.39
 *     0.58    n = 30, 0.3:  1.81            0.54    n = 150, 0.1:  1.03          0.01     n = 102: 0.23
 *     0.08    n = 60, 0.07: 0.52            0.19    n = 300, 0.02: 0.29          0.005    n = 150: 0.03
 *     0.25    n = 60, 0.11: 1.07            0.28    n = 400, 0.02: 0.52          0.001    n = 402: 0.001
 *     0.17    n = 100, 0.06: 1.32           0.57    n = 400, 0.05: 1.14
 *
 * In instructions, which an integration with its colder caches is nearer to, our own wins from 0.1 on (n = 20 to 100), and
 * below 30 unknowns on chains, too, thanks to their heads. Beyond 128 it is 0.4: with OpenBLAS LAPACK is several times as
 * fast, and the choice never twice as slow as the better kind. No limit on n or on the density alone does this: they do
 * not tell a chain from a random pattern. */
#include "linear_solver.h"

#include <math.h>
#include <string.h>

#include "fault.h"
#include "linear_backend.h"

#define SMALL              128 /* unknowns: no blocks needed yet, our own beats the reference LAPACK by two to four */
#define ALWAYS_DENSE       30  /* unknowns: nothing to gain, and dense allocates nothing when pivots change */
#define SPARSE_UP_TO       0.4 /* of the work of the dense kind: KLU; ... */
#define SPARSE_UP_TO_SMALL 0.1 /* where that is our own */

/* A pattern with the state of a backend for it. */
typedef struct held {
    const rsd_linear_backend *backend;
    void *self;
    rsd_csr A; /* A' by rows; row == NULL: dense storage */
} held;

struct rsd_linear_solver {
    resida_allocator alloc;
    int n;
    const rsd_linear_backend *full;  /* the dense kind for so many unknowns */
    const rsd_linear_backend *asked; /* NULL: auto */
    held now;                        /* backend == NULL: no pattern yet */
    long factors, refactors, solves;
};

static void release(held *h, const resida_allocator *alloc)
{
    if (h->backend) h->backend->free(h->self);
    rsd_csr_free(&h->A, alloc);
    *h = (held){.backend = NULL};
}

resida_status rsd_linear_create(rsd_linear_solver **ls, int n, const char *kind, const resida_allocator *alloc,
                                resida_message *why)
{
    const rsd_linear_backend *asked = NULL, *full = n <= SMALL ? &rsd_linear_small : &rsd_linear_dense;
    *ls = NULL;
    if (n < 1) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "linear solver: n = %d, must be > 0", n);
    if (strcmp(kind, full->name) == 0)
        asked = full;
    else if (strcmp(kind, rsd_linear_klu.name) == 0)
        asked = &rsd_linear_klu;
    else if (strcmp(kind, "auto") != 0)
        return rsd_fail(why, RESIDA_ERR_OPTION, "linear solver \"%s\", must be \"dense\", \"klu\" or \"auto\"", kind);
    resida_allocator a = rsd_allocator(alloc);
    *ls = rsd_calloc(&a, 1, sizeof **ls);
    if (!*ls) return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for a linear solver");
    **ls = (rsd_linear_solver){.alloc = a, .n = n, .full = full, .asked = asked};
    return RESIDA_OK;
}

void rsd_linear_free(rsd_linear_solver *ls)
{
    if (!ls) return;
    resida_allocator alloc = ls->alloc;
    release(&ls->now, &alloc);
    rsd_free(&alloc, ls);
}

/* Make a state of one kind in h, whose pattern is there. */
static resida_status attach(held *h, const rsd_linear_backend *backend, const resida_allocator *alloc,
                            resida_message *why)
{
    RSD_TRY(backend->create(&h->self, &h->A, alloc, why));
    h->backend = backend;
    return RESIDA_OK;
}

static double predicted_work(const held *h)
{
    rsd_linear_report report;
    h->backend->measure(h->self, &report);
    return report.work;
}

/* The rule of "auto": analyse, and go back to dense where that predicts no gain. */
static resida_status attach_cheaper(held *h, const resida_allocator *alloc, resida_message *why)
{
    const int is_small = h->A.cols <= SMALL;
    const rsd_linear_backend *full = is_small ? &rsd_linear_headed : &rsd_linear_dense;
    double n = h->A.cols, up_to = is_small ? SPARSE_UP_TO_SMALL : SPARSE_UP_TO;
    if (n <= ALWAYS_DENSE) return attach(h, full, alloc, why);
    RSD_TRY(attach(h, &rsd_linear_klu, alloc, why));
    if (predicted_work(h) <= up_to * 2 / 3 * n * n * n) return RESIDA_OK;
    h->backend->free(h->self);
    h->backend = NULL;
    return attach(h, full, alloc, why);
}

static resida_status build(held *h, const rsd_linear_solver *ls, const int *col_start, const int *row,
                           resida_message *why)
{
    const rsd_linear_backend *backend = ls->asked ? ls->asked : col_start ? NULL : ls->full;
    resida_pattern given = {col_start, row};
    h->A = (rsd_csr){.rows = ls->n, .cols = ls->n};
    if (col_start || (backend && backend->needs_pattern))
        RSD_TRY(rsd_csr_create(&h->A, "transposed J", ls->n, ls->n, &given, &ls->alloc, why));
    return backend ? attach(h, backend, &ls->alloc, why) : attach_cheaper(h, &ls->alloc, why);
}

resida_status rsd_linear_set_pattern(rsd_linear_solver *ls, const int *col_start, const int *row, resida_message *why)
{
    held made = {.backend = NULL};
    resida_status status = build(&made, ls, col_start, row, why);
    if (status == RESIDA_OK) {
        held old = ls->now;
        ls->now = made;
        made = old;
    }
    release(&made, &ls->alloc);
    return status;
}

/* The first column that holds NaN or Inf, from 1; 0: none. */
static int column_not_finite(const rsd_csr *A, const double *values)
{
    long nnz = A->row ? A->nnz : (long)A->cols * A->cols, first = 0;
    int j = 1;
    if (rsd_all_finite(values, nnz)) return 0;
    while (isfinite(values[first])) first++;
    if (!A->row) return (int)(first / A->cols) + 1;
    while (A->row[j] <= first) j++;
    return j;
}

int rsd_linear_factor(rsd_linear_solver *ls, const double *values)
{
    if (!ls->now.backend) return -1;
    int column = column_not_finite(&ls->now.A, values), kept = 0;
    if (column) return column;
    int verdict = ls->now.backend->factor(ls->now.self, values, &kept);
    if (verdict == 0) ++*(kept ? &ls->refactors : &ls->factors);
    return verdict;
}

void rsd_linear_solve(rsd_linear_solver *ls, int columns, double *X)
{
    ls->now.backend->solve(ls->now.self, columns, X);
    ls->solves += columns;
}

void rsd_linear_forget(rsd_linear_solver *ls)
{
    if (ls->now.backend) ls->now.backend->forget(ls->now.self);
}

rsd_linear_report rsd_linear_get_report(const rsd_linear_solver *ls)
{
    const held *h = &ls->now;
    rsd_linear_report r = {.name = "", .factors = ls->factors, .refactors = ls->refactors, .solves = ls->solves};
    if (!h->backend) return r;
    h->backend->measure(h->self, &r);
    r.name = h->backend->name;
    r.nnz = h->A.row ? h->A.nnz : (long)ls->n * ls->n;
    r.bytes += sizeof *ls;
    if (h->A.row) r.bytes += ((size_t)ls->n + 1 + (size_t)h->A.nnz) * sizeof(int);
    return r;
}
