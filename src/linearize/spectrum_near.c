/* spectrum_near.c - some eigenvalues of lambda E x = A x near s = i 2 pi f, of large sparse pencils: those of
 *
 *     (A - s E)^-1 E x = theta x,    lambda = s + 1/theta
 *
 * of largest theta, by ARPACK's Arnoldi iteration for complex matrices (R. Lehoucq, D. Sorensen, C. Yang, ARPACK Users'
 * Guide, 1998), with factors by KLU of the real matrix of twice the size,
 *
 *     (   A    2 pi f E ) ( Re x )
 *     ( -2 pi f E   A   ) ( Im x ),    for f = 0 of A alone.
 *
 * Infinite eigenvalues have theta = 0; of a start vector that was multiplied twice nothing is left along them. */
#include "linearize_impl.h"

#ifdef RSD_HAVE_ARPACK

#include "src/linear/linear_solver.h"

#include <complex.h>
#include <math.h>
#include <string.h>

typedef double complex number;

extern void znaupd_(int *ido, const char *bmat, const int *n, const char *which, const int *nev, const double *tol,
                    number *resid, const int *ncv, number *v, const int *ldv, int *iparam, int *ipntr, number *workd,
                    number *workl, const int *lworkl, double *rwork, int *info, unsigned long, unsigned long);
extern void zneupd_(const int *rvec, const char *howmny, int *select, number *d, number *z, const int *ldz,
                    const number *sigma, number *workev, const char *bmat, const int *n, const char *which,
                    const int *nev, const double *tol, number *resid, const int *ncv, number *v, const int *ldv,
                    int *iparam, int *ipntr, number *workd, number *workl, const int *lworkl, double *rwork, int *info,
                    unsigned long, unsigned long, unsigned long);

enum { BESIDE = 20, RESTARTS = 300, PARAMETERS = 11, POINTERS = 14, WARM_UP = 2 };
enum { SHARE_OF_SOME = 4 }; /* of the unknowns: more eigenvalues are not some */
#define FAR_AWAY 1e-10      /* of the largest theta: infinite, or too far to be right */
static const double two_pi = 6.283185307179586476925;

typedef struct work {
    const resida_allocator *alloc;
    const rsd_sparse *E;
    int n, doubled; /* unknowns; 1: factors of twice the size */
    rsd_sparse M;   /* what is factored */
    rsd_linear_solver *solver;
    double *room; /* [2 n], the right-hand sides; [2 n] more */
    int nev, ncv, lworkl;
    number *resid, *V, *workd, *workl, *d, *workev;
    double *rwork;
    int *select;
} work;

static void give_back(work *w)
{
    void *const blocks[] = {w->room, w->resid, w->V, w->workd, w->workl, w->d, w->workev, w->rwork, w->select};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) rsd_free(w->alloc, blocks[i]);
    rsd_linear_free(w->solver);
    rsd_sparse_free(&w->M, w->alloc);
}

/* Column j of s A + t E, its rows moved by `down`, behind entry k of M. @return the entry behind it */
static int put_sum(rsd_sparse *M, int k, const rsd_sparse *A, double s, const rsd_sparse *E, double t, int j, int down)
{
    int a = A->start[j], e = E->start[j];
    while (a < A->start[j + 1] || e < E->start[j + 1]) {
        const int row_a = a < A->start[j + 1] ? A->row[a] : A->rows, row_e = e < E->start[j + 1] ? E->row[e] : A->rows;
        const int row = row_a < row_e ? row_a : row_e;
        double value = 0;
        if (row_a == row) value += s * A->values[a++];
        if (row_e == row) value += t * E->values[e++];
        M->row[k] = row + down;
        M->values[k++] = value;
    }
    return k;
}

static resida_status assemble(work *w, const resida_linearization *l, double om, double real)
{
    const int n = w->n, size = (w->doubled + 1) * n;
    const long most = 4L * (l->A.start[n] + (long)l->E.start[n]);
    rsd_sparse *M = &w->M;
    rsd_sparse_free(M, w->alloc);
    *M = (rsd_sparse){size, size, rsd_calloc(w->alloc, (long)size + 1, sizeof(int)),
                      rsd_calloc(w->alloc, most, sizeof(int)), rsd_doubles(w->alloc, most)};
    if (!M->start || !M->row || !M->values) return RESIDA_ERR_MEMORY;
    int k = 0;
    for (int j = 0; j < size; j++) {
        const int column = j % n, is_imaginary = j >= n;
        k = is_imaginary ? put_sum(M, k, &l->A, 0, &l->E, om, column, 0)
                         : put_sum(M, k, &l->A, 1, &l->E, -real, column, 0);
        if (w->doubled)
            k = is_imaginary ? put_sum(M, k, &l->A, 1, &l->E, -real, column, n)
                             : put_sum(M, k, &l->A, 0, &l->E, -om, column, n);
        M->start[j + 1] = k;
    }
    return RESIDA_OK;
}

/* Factors of A - (real + i om) E. RESIDA_ERR_SINGULAR: there are none. */
static resida_status factor(work *w, const resida_linearization *l, double om, double real, resida_message *why)
{
    RSD_TRY(assemble(w, l, om, real));
    rsd_linear_free(w->solver);
    RSD_TRY(rsd_linear_create(&w->solver, w->M.rows, "klu", w->alloc, why));
    RSD_TRY(rsd_linear_set_pattern(w->solver, w->M.start, w->M.row, why));
    const int verdict = rsd_linear_factor(w->solver, w->M.values);
    return verdict < 0 ? RESIDA_ERR_MEMORY : verdict > 0 ? RESIDA_ERR_SINGULAR : RESIDA_OK;
}

/* out = (A - s E)^-1 E x */
static void multiply(work *w, const number *x, number *out)
{
    const int n = w->n;
    double *b = w->room, *part = w->room + 2 * (long)n;
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < n; i++) part[i] = k == 0 ? creal(x[i]) : cimag(x[i]);
        rsd_sparse_times(w->E, part, b + (long)k * n);
    }
    rsd_linear_solve(w->solver, w->doubled ? 1 : 2, b);
    for (int i = 0; i < n; i++) out[i] = b[i] + b[n + i] * I;
}

static resida_status take_memory(work *w)
{
    const resida_allocator *a = w->alloc;
    const long n = w->n, ncv = w->ncv;
    w->lworkl = (int)(3 * ncv * ncv + 5 * ncv);
    w->room = rsd_doubles(a, 4 * n);
    w->resid = rsd_calloc(a, n, sizeof(number)), w->V = rsd_calloc(a, n * ncv, sizeof(number));
    w->workd = rsd_calloc(a, 3 * n, sizeof(number)), w->workl = rsd_calloc(a, w->lworkl, sizeof(number));
    w->d = rsd_calloc(a, w->nev + 1, sizeof(number)), w->workev = rsd_calloc(a, 2 * ncv, sizeof(number));
    w->rwork = rsd_doubles(a, ncv), w->select = rsd_calloc(a, ncv, sizeof(int));
    return w->room && w->resid && w->V && w->workd && w->workl && w->d && w->workev && w->rwork && w->select
               ? RESIDA_OK
               : RESIDA_ERR_MEMORY;
}

/* theta into w->d, vectors into the first columns of w->V; how many. */
static resida_status iterate(work *w, int *found)
{
    const double tol = 0; /* to rounding */
    const int rvec = 1;
    const number sigma = 0;
    int ido = 0, info = 1, iparam[PARAMETERS] = {1, 0, RESTARTS, 1, 0, 0, 1}, ipntr[POINTERS] = {0};
    for (int i = 0; i < w->n; i++) w->resid[i] = 1 + 0.5 * sin(i + 1.0);
    for (int k = 0; k < WARM_UP; k++) {
        multiply(w, w->resid, w->workd);
        memcpy(w->resid, w->workd, (size_t)w->n * sizeof *w->resid);
    }
    do {
        znaupd_(&ido, "I", &w->n, "LM", &w->nev, &tol, w->resid, &w->ncv, w->V, &w->n, iparam, ipntr, w->workd,
                w->workl, &w->lworkl, w->rwork, &info, 1, 2);
        if (ido == 1 || ido == -1) multiply(w, w->workd + ipntr[0] - 1, w->workd + ipntr[1] - 1);
    } while (ido == 1 || ido == -1);
    if (info != 0) return RESIDA_ERR_NEWTON;
    zneupd_(&rvec, "A", w->select, w->d, w->V, &w->n, &sigma, w->workev, "I", &w->n, "LM", &w->nev, &tol, w->resid,
            &w->ncv, w->V, &w->n, iparam, ipntr, w->workd, w->workl, &w->lworkl, w->rwork, &info, 1, 1, 2);
    *found = iparam[4] < w->nev ? iparam[4] : w->nev;
    return info == 0 ? RESIDA_OK : RESIDA_ERR_NEWTON;
}

/* Of a pair the one with im > 0. */
static resida_status list_found(rsd_spectrum *s, const work *w, int found, number shift)
{
    double most = 0;
    const long n = w->n;
    s->re = rsd_doubles(w->alloc, found), s->im = rsd_doubles(w->alloc, found), s->error = rsd_doubles(w->alloc, found);
    s->x_re = rsd_matrix(w->alloc, found, n), s->x_im = rsd_matrix(w->alloc, found, n);
    s->still = rsd_doubles(w->alloc, 0);
    if (!s->re || !s->im || !s->x_re || !s->x_im || !s->still) return RESIDA_ERR_MEMORY;
    for (int k = 0; k < found; k++) most = fmax(most, cabs(w->d[k]));
    for (int k = 0; k < found; k++) {
        if (!(cabs(w->d[k]) > FAR_AWAY * most)) continue;
        const number lambda = shift + 1 / w->d[k];
        const int is_real = fabs(cimag(lambda)) <= FAR_AWAY * cabs(lambda);
        if (!is_real && cimag(lambda) < 0) continue;
        s->re[s->n] = creal(lambda), s->im[s->n] = is_real ? 0 : cimag(lambda);
        for (long i = 0; i < n; i++) {
            s->x_re[s->n * n + i] = creal(w->V[k * n + i]);
            s->x_im[s->n * n + i] = cimag(w->V[k * n + i]);
        }
        s->n++;
    }
    return RESIDA_OK;
}

int rsd_spectrum_has_near(void)
{
    return 1;
}

resida_status rsd_spectrum_near(rsd_spectrum *s, const resida_linearization *l, int count, double near,
                                resida_message *why)
{
    const int n = l->model.n, wanted = count < n / SHARE_OF_SOME ? 2 * count + 2 : n / 2; /* pairs have two */
    work w = {.alloc = &l->alloc, .E = &l->E, .n = n, .doubled = near > 0, .nev = wanted};
    int found = 0;
    w.ncv = 2 * wanted + BESIDE < n ? 2 * wanted + BESIDE : n;
    *s = (rsd_spectrum){.n_zero = -1, .n_infinite = -1};
    double real = 0;
    resida_status status = take_memory(&w);
    if (status >= 0) status = factor(&w, l, two_pi * near, real, why);
    if (status == RESIDA_ERR_SINGULAR) { /* an eigenvalue is there: beside it */
        real = 1e-2 * (1 + two_pi * near);
        status = factor(&w, l, two_pi * near, real, why);
    }
    if (status == RESIDA_ERR_SINGULAR) rsd_fail(why, status, "the pencil is singular, or nearly so");
    if (status >= 0) status = iterate(&w, &found);
    if (status >= 0) status = list_found(s, &w, found, real + two_pi * near * I);
    give_back(&w);
    return status;
}

#else

int rsd_spectrum_has_near(void)
{
    return 0;
}

resida_status rsd_spectrum_near(rsd_spectrum *s, const resida_linearization *l, int count, double near,
                                resida_message *why)
{
    (void)l, (void)count, (void)near;
    *s = (rsd_spectrum){.n = 0};
    return rsd_fail(why, RESIDA_ERR_STATE, "the library was built without ARPACK");
}

#endif
