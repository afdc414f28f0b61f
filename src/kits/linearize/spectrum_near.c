/* spectrum_near.c - computes some eigenvalues of lambda E x = A x near s = i 2 pi f. They have the largest theta in
 *
 *     S x = (A - s E)^-1 E x = theta x,    lambda = s + 1/theta
 *
 * by the block Arnoldi method, S V = V H + rest, V orthonormal (Y. Saad, Numerical Methods for Large Eigenvalue
 * Problems, 2011, section 6.5). It finds eigenvalues whose multiplicity is at most the block width. The basis grows
 * until the wanted eigenvalues have converged or it spans the whole space. Infinite eigenvalues have theta = 0 and are
 * defective, of order three at most. Start vectors are multiplied by S three times, which removes their components
 * along the vectors of infinite eigenvalues.
 *
 * Converged eigenvalues are improved with the original pencil (spectrum_improve.c). They are omitted if this fails. */
#include "shifted.h"

#include "base/linear/dense.h"

#include <math.h>
#include <string.h>

extern void zgeev_(const char *jobvl, const char *jobvr, const int *n, rsd_number *a, const int *lda, rsd_number *w,
                   rsd_number *vl, const int *ldvl, rsd_number *vr, const int *ldvr, rsd_number *work, const int *lwork,
                   double *rwork, int *info, unsigned long, unsigned long);

enum { BLOCK_WIDTH = 6 }; /* maximum multiplicity of an eigenvalue, that of rigid body motions */
enum { WARM_UP = 3 };     /* number of times that start vectors are multiplied by S; index 3 needs 3 */
enum { SPARE = 14 };      /* number of eigenvalues computed in addition: zeros of a free body, and a pair */
enum { PER_WANTED = 10 }; /* maximum number of basis vectors for each wanted eigenvalue */
enum { AT_LEAST = 200 };  /* number of basis vectors that is permitted in any case */
enum { SEARCHES = 8, MORE_WANTED = 4 }; /* maximum number of searches; factor of the wanted number in the next search */
#define CONVERGED       1e-7            /* maximum residual of a converged eigenvalue theta of H, relative to theta */
#define INDEPENDENT     1e-12 /* minimum independent component of a multiplied vector; a smaller one is rounding */
#define SHIFT_CHANGE    0.1 /* relative change of a shift that is an eigenvalue; factor of a failed shift if near = 0 */
#define ZERO_RATIO      1e-6  /* maximum |lambda| that counts as 0, relative to the shift; a double 0: sqrt(eps) */
#define MIN_THETA_RATIO 1e-10 /* minimum |theta| that is used, relative to the largest; smaller ones are inaccurate */

typedef struct work {
    const resida_linearization *l; /* linear model */
    const resida_allocator *alloc; /* allocator of the arrays */
    rsd_shifted at;                /* factors of A - s E */
    int n, max, m;                 /* number of unknowns; maximum and current number of basis vectors */
    int expanded;                  /* number of basis vectors that have been multiplied by S */
    rsd_number *V;                 /* [n x most] orthonormal basis */
    rsd_number *H;                 /* [most x most] projection V' S V of S */
    rsd_number *theta, *X, *room;  /* [most] eigenvalues of H; [most x most] their vectors; work space */
    double *rwork;                 /* [2 most] work space */
} work;

/* Orthogonalise vector m twice by the Gram-Schmidt method. Append it to the basis if it is linearly independent. Add
 * its components along the basis vectors to h, unless h is NULL. */
static void append_basis_vector(work *w, rsd_number *h)
{
    const int n = w->n;
    rsd_number *x = w->V + (long)w->m * n;
    const double before = rsd_norm((const double *)x, 2L * n);
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < w->m; k++) {
            const rsd_number *v = w->V + (long)k * n;
            rsd_number part = 0;
            for (int i = 0; i < n; i++) part += conj(v[i]) * x[i];
            for (int i = 0; i < n; i++) x[i] -= part * v[i];
            if (h) h[k] += part;
        }
    const double left = rsd_norm((const double *)x, 2L * n);
    if (!(left > INDEPENDENT * before)) return;
    for (int i = 0; i < n; i++) x[i] /= left;
    if (h) h[w->m] = left;
    w->m++;
}

/* Return sqrt(max |A|/max |E|) [1/s], or 1 if one of them is 0. It replaces the shift 0 if zero is an eigenvalue. */
static double estimate_first_shift(const resida_linearization *l)
{
    const double a = rsd_max_norm(l->A.values, l->A.start[l->A.columns]);
    const double e = rsd_max_norm(l->E.values, l->E.start[l->E.columns]);
    return a > 0 && e > 0 ? sqrt(a / e) : 1;
}

static void set_start_vectors(work *w)
{
    for (int b = 0; b < BLOCK_WIDTH && w->m < w->max; b++) {
        rsd_number *x = w->V + (long)w->m * w->n;
        for (int i = 0; i < w->n; i++) x[i] = sin((b + 1.0) * (i + 1.0)) + 0.5 * cos((b + 2.0) * i * i);
        for (int k = 0; k < WARM_UP; k++) rsd_shifted_apply_right(&w->at, &w->l->E, x);
        append_basis_vector(w, NULL);
    }
}

/* Multiply the new basis vectors by S and append the products to the basis. Return 1 if the basis is full. */
static int expand_basis(work *w)
{
    const int first = w->expanded, end = w->m;
    for (; w->expanded < end && w->m < w->max; w->expanded++) {
        rsd_number *x = w->V + (long)w->m * w->n;
        memcpy(x, w->V + (long)w->expanded * w->n, (size_t)w->n * sizeof *x);
        rsd_shifted_apply_right(&w->at, &w->l->E, x);
        append_basis_vector(w, w->H + (long)w->expanded * w->max);
    }
    return w->expanded == first || w->expanded == w->m;
}

/* Compute the eigenvalues theta of H in descending order of |theta|, and their vectors. Return the number of converged
 * ones before the first that has not converged, at most `wanted`, or < 0 if LAPACK fails. */
static int solve_projected_problem(work *w, int wanted)
{
    const int k = w->expanded, lwork = 4 * w->max;
    int info = 0, one = 1, good = 0;
    rsd_number *H = w->room + 4L * w->max;
    for (int j = 0; j < k; j++) memcpy(H + (long)j * k, w->H + (long)j * w->max, (size_t)k * sizeof *H);
    zgeev_("N", "V", &k, H, &k, w->theta, NULL, &one, w->X, &k, w->room, &lwork, w->rwork, &info, 1, 1);
    if (info != 0) return -1;
    for (int a = 0; a < k && a < wanted; a++) {
        int best = a;
        for (int b = a + 1; b < k; b++)
            if (cabs(w->theta[b]) > cabs(w->theta[best])) best = b;
        const rsd_number kept = w->theta[a];
        w->theta[a] = w->theta[best], w->theta[best] = kept;
        for (int i = 0; i < k; i++) {
            const rsd_number x = w->X[(long)a * k + i];
            w->X[(long)a * k + i] = w->X[(long)best * k + i], w->X[(long)best * k + i] = x;
        }
        double residual = 0;
        for (int i = k; i < w->m; i++) {
            rsd_number sum = 0;
            for (int j = 0; j < k; j++) sum += w->H[(long)j * w->max + i] * w->X[(long)a * k + j];
            residual = hypot(residual, cabs(sum));
        }
        if (!(residual <= CONVERGED * cabs(w->theta[a]))) break;
        good++;
    }
    return good;
}

static resida_status iterate_arnoldi(work *w, int wanted, int *found)
{
    set_start_vectors(w);
    for (int is_all = 0;;) {
        for (int k = 0; k < 2 + w->m / (4 * BLOCK_WIDTH) && !is_all; k++) is_all = expand_basis(w);
        if (w->expanded == 0) return RESIDA_ERR_NEWTON;
        *found = solve_projected_problem(w, wanted < w->expanded ? wanted : w->expanded);
        if (*found < 0) return RESIDA_ERR_NEWTON;
        if (is_all || *found >= wanted) return *found > 0 || w->m < w->max ? RESIDA_OK : RESIDA_ERR_NEWTON;
    }
}

/* Compute the Ritz vector x [n] of eigenvalue a of H. */
static void compute_ritz_vector(const work *w, int a, rsd_number *x)
{
    memset(x, 0, (size_t)w->n * sizeof *x);
    for (int j = 0; j < w->expanded; j++)
        for (int i = 0; i < w->n; i++) x[i] += w->V[(long)j * w->n + i] * w->X[(long)a * w->expanded + j];
}

/* Store the eigenvalues found. Of a pair, store the eigenvalue with im > 0. Omit zeros and eigenvalues that cannot be
 * improved. */
static resida_status list_near_eigenvalues(rsd_spectrum *s, const work *w, int found, rsd_number shift)
{
    const int n = w->n;
    rsd_number *x = rsd_calloc(w->alloc, 2L * n, sizeof *x), *y = x + n;
    if (!x) return RESIDA_ERR_MEMORY;
    RSD_TRY(rsd_spectrum_allocate(s, found, 0, n));
    for (int k = 0; k < found; k++) {
        if (!(cabs(w->theta[k]) > MIN_THETA_RATIO * cabs(w->theta[0]))) continue;
        rsd_number lambda = shift + 1 / w->theta[k];
        double gap = INFINITY, error;
        if (cimag(lambda) < -MIN_THETA_RATIO * cabs(lambda)) continue;
        for (int b = 0; b < found; b++)
            if (b != k) gap = fmin(gap, cabs(1 / w->theta[b] - 1 / w->theta[k]));
        compute_ritz_vector(w, k, x);
        resida_status one = cabs(lambda) <= ZERO_RATIO * cabs(shift)
                                ? RESIDA_ERR_NEWTON
                                : rsd_refine_eigenpair(w->l, x, y, gap, 0, &lambda, &error);
        if (one == RESIDA_OK)
            rsd_spectrum_append(s, lambda, error, x, n);
        else if (one != RESIDA_ERR_NEWTON && one != RESIDA_ERR_SINGULAR)
            return one;
    }
    return RESIDA_OK;
}

/* Compute eigenvalues near the shift. @return RESIDA_ERR_SINGULAR if the shift is an eigenvalue, or is 0 and
 *  only zeros were found */
static resida_status find_near_shift(rsd_spectrum *s, work *w, rsd_number shift, int wanted)
{
    const resida_allocator *a = w->alloc;
    const long max = w->max;
    int found = 0;
    w->V = rsd_calloc(a, w->n * max, sizeof *w->V), w->H = rsd_calloc(a, max * max, sizeof *w->H);
    w->theta = rsd_calloc(a, max, sizeof *w->theta), w->X = rsd_calloc(a, max * max, sizeof *w->X);
    w->room = rsd_calloc(a, max * (max + 4), sizeof *w->room), w->rwork = rsd_doubles(a, 2 * max);
    if (!w->V || !w->H || !w->theta || !w->X || !w->room || !w->rwork) return RESIDA_ERR_MEMORY;
    resida_status status = rsd_shifted_factor(&w->at, w->l, shift);
    if (status >= 0) status = iterate_arnoldi(w, wanted, &found);
    const double zero = cabs(shift) > 0 ? ZERO_RATIO * cabs(shift) : MIN_THETA_RATIO * estimate_first_shift(w->l);
    if (status >= 0 && found > 0 && 1 / cabs(w->theta[0]) <= zero) status = RESIDA_ERR_SINGULAR;
    if (status >= 0) status = list_near_eigenvalues(s, w, found, shift);
    return status >= 0 && s->n == 0 && !(cabs(shift) > 0) ? RESIDA_ERR_SINGULAR : status;
}

resida_status rsd_spectrum_compute_near(rsd_spectrum *s, const resida_linearization *l, int count, double near,
                                        resida_message *why)
{
    const int n = l->model.n;
    rsd_number shift = I * RSD_TWO_PI * near;
    resida_status status = RESIDA_OK;
    int wanted = count < (n - SPARE) / 2 ? 2 * count + SPARE : n; /* a complex pair counts twice */
    for (int k = 0, is_done = 0; !is_done; k++) {
        const long max = PER_WANTED * (long)wanted > AT_LEAST ? PER_WANTED * (long)wanted : AT_LEAST;
        work w = {.l = l, .alloc = &s->alloc, .n = n, .max = 1 + (max < n ? (int)max : n)};
        rsd_owner_free(&s->owner); /* frees memory of the previous search */
        s->n = 0;
        status = find_near_shift(s, &w, shift, wanted);
        rsd_shifted_free(&w.at);
        const int fails = status == RESIDA_ERR_SINGULAR || status == RESIDA_ERR_NEWTON;
        is_done = k == SEARCHES || (!fails && (status < 0 || s->n >= count || wanted == n));
        if (status == RESIDA_ERR_SINGULAR) /* the shift is an eigenvalue, so it is moved */
            shift += near > 0 ? SHIFT_CHANGE * RSD_TWO_PI * near : estimate_first_shift(l);
        else if (fails && near == 0)
            shift *= SHIFT_CHANGE;
        else
            wanted = wanted < n / MORE_WANTED ? MORE_WANTED * wanted : n;
    }
    s->n_zero = s->n_infinite = -1;
    return status == RESIDA_ERR_SINGULAR ? rsd_fail(why, status, "the pencil is singular, or nearly so") : status;
}
