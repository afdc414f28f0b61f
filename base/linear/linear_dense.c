/* linear_dense.c - the linear solvers with full matrices: L U by columns (small_lu.c). One of the two solvers first
 * eliminates some unknowns, the head (small_lu.h). A sparse matrix is scattered into zeros. Rows are not scaled.
 *
 * The head is determined from the pattern. It consists of unknowns with an entry on the diagonal and with short rows,
 * such that no row of the head has an entry in another unknown of the head. In the formulations of mechanics the head
 * is p, with the rows p' = v. Of 2 n_v + 2 n_g unknowns n_v + 2 n_g remain to be factored; in a tree n_v of 2 n_v. */
#include "linear_backend.h"

#include <string.h>

#include "dense.h"
#include "small_lu.h"

typedef struct dense {
    resida_allocator alloc;
    rsd_csr A;      /* pattern by columns; row NULL: all entries */
    int n;          /* number of unknowns */
    int *unknown;   /* [n] unknown at each position of f.a; the head comes first */
    int *to;        /* [nnz] index in f.a of each entry of A */
    rsd_small_lu f; /* matrix, later its factors */
} dense;

static void dense_free(void *self)
{
    dense *s = self;
    if (!s) return;
    resida_allocator alloc = s->alloc;
    rsd_small_lu_free(&s->f, &alloc);
    RSD_FREE(&alloc, s->unknown, s->to, s);
}

/* Return 1 if unknown c can be added to the head, marked in in_head [n]. has [n x n], by rows, is 1 at entries of A. */
static int can_join_head(const unsigned char *has, const unsigned char *in_head, int n, int c)
{
    int listed = 0;
    if (!has[c * n + c]) return 0;
    for (int j = 0; j < n; j++) {
        if (in_head[j] && (has[c * n + j] || has[j * n + c])) return 0;
        listed += j != c && has[c * n + j];
    }
    return 2 * listed <= n;
}

/* Mark the unknowns of the head in in_head [n]. *listed is set to the number of off-diagonal entries in their rows.
 * Return the number of unknowns of the head, or < 0 if there is no memory. */
static int choose_unknowns_of_head(const dense *s, unsigned char *in_head, int *listed)
{
    const int n = s->n;
    int n_head = 0;
    unsigned char *has = rsd_calloc(&s->alloc, (long)n * n, 1);
    if (!has) return -1;
    for (int j = 0; j < n; j++)
        for (int k = s->A.row[j]; k < s->A.row[j + 1]; k++) has[s->A.col[k] * n + j] = 1;
    *listed = 0;
    for (int c = 0; c < n; c++) {
        if (!can_join_head(has, in_head, n, c)) continue;
        in_head[c] = 1;
        n_head++;
        for (int j = 0; j < n; j++) *listed += j != c && has[c * n + j];
    }
    rsd_free(&s->alloc, has);
    return n_head;
}

/* Set place [n], the new number of each unknown, with the head first, and s->to, the index of each entry in f.a. */
static void renumber_unknowns(dense *s, const unsigned char *in_head, int *place)
{
    rsd_small_lu *f = &s->f;
    for (int c = 0, head = 0, rest = f->n_head; c < s->n; c++) {
        place[c] = in_head[c] ? head++ : rest++;
        s->unknown[place[c]] = c;
    }
    for (int j = 0; j < s->n && s->A.row; j++)
        for (int k = s->A.row[j]; k < s->A.row[j + 1]; k++) s->to[k] = place[j] * f->ld + place[s->A.col[k]];
}

/* List the off-diagonal entries of the rows of the head in f, row by row. */
static void list_head_entries(dense *s, const int *place)
{
    rsd_small_lu *f = &s->f;
    for (int k = 0; k < f->n_head; k++) {
        f->start[k + 1] = f->start[k];
        for (int j = f->n_head; j < s->n; j++) {
            int c = s->unknown[j];
            for (int e = s->A.row[c]; e < s->A.row[c + 1]; e++)
                if (place[s->A.col[e]] == k) f->column[f->start[k + 1]++] = j;
        }
    }
}

static resida_status build_dense(dense *s, int with_head)
{
    int listed = 0;
    unsigned char *in_head = rsd_calloc(&s->alloc, s->n, 1);
    int *place = NULL;
    int n_head = !in_head ? -1 : with_head && s->n <= RSD_OWN_UP_TO ? choose_unknowns_of_head(s, in_head, &listed) : 0;
    int all = n_head >= 0 && RSD_INTS(&s->alloc, s->n, &place, &s->unknown) && RSD_INTS(&s->alloc, s->A.nnz, &s->to) &&
              rsd_small_lu_create(&s->f, s->n, n_head, listed, &s->alloc) == 0;
    if (all) {
        renumber_unknowns(s, in_head, place);
        list_head_entries(s, place);
    }
    RSD_FREE(&s->alloc, in_head, place);
    return all ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

static resida_status dense_create(void **self, int with_head, const rsd_csr *A, const resida_allocator *alloc,
                                  resida_message *why)
{
    dense *s = *self = rsd_calloc(alloc, 1, sizeof *s);
    if (s) *s = (dense){.alloc = *alloc, .A = *A, .n = A->cols};
    if (s && build_dense(s, with_head) == RESIDA_OK) return RESIDA_OK;
    dense_free(s);
    *self = NULL;
    return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for a dense matrix of %d x %d", A->cols, A->cols);
}

static int dense_factor(void *self, const double *values, int *kept)
{
    dense *s = self;
    *kept = 0;
    rsd_small_lu_clear(&s->f);
    const int nnz = s->A.row ? s->A.nnz : 0;
    for (int k = 0; k < nnz; k++) s->f.a[s->to[k]] = values[k];
    for (size_t j = 0, n = (size_t)s->n; j < n && !s->A.row; j++)
        memcpy(s->f.a + j * (size_t)s->f.ld, values + j * n, n * sizeof *values);
    int singular = rsd_small_lu_factor(&s->f);
    return singular ? s->unknown[singular - 1] + 1 : 0;
}

static void dense_solve(void *self, double *x)
{
    dense *s = self;
    rsd_small_lu_solve(&s->f, s->unknown, x);
}

static void dense_measure(const void *self, rsd_linear_report *report)
{
    const dense *s = self;
    double n = s->n, rest = n - s->f.n_head;
    report->nnz_factors = (long)s->n * s->n;
    report->work = 2 * rest * rest * rest / 3 + 2 * rest * s->f.start[s->f.n_head];
}

const rsd_linear_backend rsd_linear_dense = {
    "dense", 0, 0, dense_create, dense_free, dense_factor, dense_solve, NULL, dense_measure,
};

const rsd_linear_backend rsd_linear_headed = {
    "dense", 1, 1, dense_create, dense_free, dense_factor, dense_solve, NULL, dense_measure,
};
