/* spectrum_full.c - all eigenvalues of lambda E x = A x by full matrices.
 *
 * Infinite eigenvalues are removed first. They are usually defective (of order three for the multipliers of an index-3
 * formulation), so that rounding would scatter them by up to the cube root of eps. With Z an orthonormal basis of the
 * null space of E, V = (Z, Y) and U orthogonal,
 *
 *     U' A V = ( R  A12 )     U' E V = ( 0  E12 )        R upper triangular
 *              (    A22 )              ( 0  E22 )
 *
 * The pencil has as many infinite eigenvalues as Z has columns, in addition to the infinite eigenvalues of (A22, E22).
 * The next stage reduces (A22, E22). (P. Van Dooren, The computation of Kronecker's canonical form of a singular
 * pencil, 1979, for regular pencils.) Rows and columns are balanced before (R. Ward, Balancing the generalized
 * eigenvalue problem, 1981).
 *
 * In the remaining pencil E is regular: (A22 - s E22)^-1 E22 has the eigenvalues 1/(lambda - s). With s of the size of
 * balanced entries, rounding affects neither the slowest nor the fastest eigenvalues; errors of dggev are eps times the
 * largest eigenvalue. The rank of A is not determined. An eigenvalue is zero if it does not exceed its rounding error.
 * Vectors x, y of the whole pencil follow by back substitution. Then each lambda is improved (spectrum_improve.c). */
#include "full.h"
#include "linearize_impl.h"

#include "base/linear/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define STAGE_ROUNDING 1e-14 /* rounding error of orthogonal transformations of a matrix of norm one */
#define E_TOLERANCE    1e-9  /* maximum entry of balanced E that counts as zero, relative to its row; masses span 1e9 */
#define SHIFT          0.118 /* shift, relative to the ratio of the largest entries of A and E; an unusual value */
#define SAME_DIRECTION 1e-4  /* minimum independent component of a vector of norm 1; about 3 sqrt(1e-9) */
#define SAME_VALUE     0.1   /* maximum relative change of an eigenvalue by its refinement */

typedef struct work {
    const resida_allocator *alloc; /* allocator of the arrays */
    int n, done;                   /* number of unknowns; number of infinite eigenvalues removed so far */
    double *A, *E, *V, *W;         /* [n x n] balanced, transformed A and E; bases: x = right V z, y = left W' z */
    double *left, *right;          /* [n] scale factors of rows; [n] scale factors of columns */
    double size, unit;             /* largest entry of balanced A; factor of the eigenvalues of the scaled A, E */
    double *B, *T, *U;             /* [n x n] work space */
    rsd_number *x, *y, *z;         /* [n] right vector; left vector; work space */
    rsd_number *room;              /* [n] work space */
} work;

static resida_status allocate_full_spectrum(work *w, int n)
{
    w->n = n;
    rsd_number **vectors[] = {&w->x, &w->y, &w->z, &w->room};
    int all = 1;
    for (int i = 0; i < 4; i++) all &= (*vectors[i] = rsd_calloc(w->alloc, n, sizeof *w->x)) != NULL;
    all = all && RSD_DOUBLES(w->alloc, n, &w->left, &w->right) &&
          RSD_DOUBLES(w->alloc, (long)n * n, &w->A, &w->E, &w->V, &w->W, &w->B, &w->T, &w->U);
    return all ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

/* Balance the matrices A and E, and divide each by its largest entry. */
static resida_status balance_and_scale(work *w, const resida_linearization *l)
{
    const int n = w->n;
    rsd_sparse_to_full(&l->A, w->A);
    rsd_sparse_to_full(&l->E, w->E);
    RSD_TRY(rsd_balance(n, w->A, w->E, l->noise, w->left, w->right, w->alloc));
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const double factor = w->left[i] * w->right[j];
            w->A[(long)j * n + i] *= factor;
            w->E[(long)j * n + i] *= factor;
        }
    const double a = rsd_max_norm(w->A, (long)n * n), e = rsd_max_norm(w->E, (long)n * n);
    w->size = a > 0 ? a : 1;
    w->unit = (a > 0 ? a : 1) / (e > 0 ? e : 1);
    for (long i = 0; i < (long)n * n; i++) {
        w->A[i] /= a > 0 ? a : 1;
        w->E[i] /= e > 0 ? e : 1;
    }
    for (int j = 0; j < n; j++) w->V[(long)j * n + j] = w->W[(long)j * n + j] = 1;
    return RESIDA_OK;
}

/* Compute the null space of the remaining block of E. After the first stage, entries below STAGE_ROUNDING are zero. */
static resida_status find_null_space(const work *w, rsd_split *null, const resida_allocator *a)
{
    const int n = w->n, o = w->done, m = n - o;
    const double min = o > 0 ? STAGE_ROUNDING : 0;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++) {
            const double x = w->E[(long)(j + o) * n + i + o];
            w->T[(long)i * m + j] = fabs(x) > min ? x : 0;
        }
    return rsd_split_compute(null, m, m, w->T, 0, E_TOLERANCE, a);
}

/* Multiply the columns of X, from w->done on, by the basis V [m x m] from the right. */
static void multiply_from_right(work *w, double *X, const double *V)
{
    const int n = w->n, o = w->done, m = n - o;
    rsd_multiply(n, m, m, 1, X + (long)o * n, n, 0, V, m, w->B, n);
    memcpy(X + (long)o * n, w->B, (size_t)n * (size_t)m * sizeof *X);
}

/* Multiply the rows of X, from w->done on and in the columns from `first` on, by U' from the left. */
static void multiply_from_left(work *w, double *X, int first, const double *U)
{
    const int n = w->n, o = w->done, m = n - o;
    rsd_multiply(m, n - first, m, 1, U, m, 1, X + (long)first * n + o, n, w->B, m);
    for (int j = first; j < n; j++) memcpy(X + (long)j * n + o, w->B + (long)(j - first) * m, (size_t)m * sizeof *X);
}

/* Set w->T to V = (Z, Y), with the columns of Z in the order of the pivots of A Z. */
static void order_columns(work *w, const rsd_split *null, const rsd_split *image)
{
    const int m = null->n, k = m - null->rank;
    for (int j = 0; j < k; j++)
        memcpy(w->T + (long)j * m, rsd_split_get_null_space(null) + (long)image->perm[j] * m, (size_t)m * sizeof *w->T);
    memcpy(w->T + (long)k * m, null->Q, (size_t)null->rank * (size_t)m * sizeof *w->T);
}

/* Transform A, E, V and W to the bases of a stage. Entries of the first k columns that must be zero are set to 0. */
static void transform_to_bases(work *w, const double *U, int k)
{
    const int n = w->n, o = w->done;
    multiply_from_right(w, w->E, w->T);
    multiply_from_right(w, w->A, w->T);
    multiply_from_right(w, w->V, w->T);
    multiply_from_left(w, w->E, o, U);
    multiply_from_left(w, w->A, o, U);
    multiply_from_left(w, w->W, 0, U);
    for (int j = o; j < o + k; j++) {
        for (int i = o; i < n; i++) w->E[(long)j * n + i] = 0;
        for (int i = j + 1; i < n; i++) w->A[(long)j * n + i] = 0;
    }
    w->done += k;
}

/* Compute the rank of the matrix A Z [m x k] in w->U. Each row is divided by the largest entry of the same row of A,
 * because stiff rows exceed constraints by 1e10. Rows that contain only rounding errors are not scaled. @return
 * RESIDA_OK; RESIDA_ERR_MEMORY */
static resida_status find_image_rank(work *w, int k, int *rank, const resida_allocator *a)
{
    const int n = w->n, o = w->done, m = n - o;
    rsd_split scaled;
    for (int i = 0; i < m; i++) {
        double max = 0;
        for (int j = o; j < n; j++) max = fmax(max, fabs(w->A[(long)j * n + o + i]));
        for (int j = 0; j < k; j++) w->B[(long)j * m + i] = w->U[(long)j * m + i] / (max > STAGE_ROUNDING ? max : 1);
    }
    RSD_TRY(rsd_split_compute(&scaled, k, m, w->B, 1, E_TOLERANCE, a));
    *rank = scaled.rank;
    return RESIDA_OK;
}

/* Remove the null space of the remaining block of E. *taken is the dimension of the null space. */
static resida_status remove_null_space(work *w, int *taken, const resida_allocator *a, resida_message *why)
{
    const int n = w->n, o = w->done, m = n - o;
    rsd_split null, image;
    int rank;
    RSD_TRY(find_null_space(w, &null, a));
    *taken = m - null.rank;
    if (*taken == 0) return RESIDA_OK;
    rsd_multiply(m, *taken, m, 1, w->A + (long)o * n + o, n, 0, rsd_split_get_null_space(&null), m, w->U, m); /* A Z */
    RSD_TRY(find_image_rank(w, *taken, &rank, a));
    if (rank < *taken)
        return rsd_fail(why, RESIDA_ERR_SINGULAR,
                        "the pencil is singular: a direction has neither inertia nor force, any number would be an "
                        "eigenvalue");
    RSD_TRY(rsd_split_compute(&image, *taken, m, w->U, 1, 0, a));
    order_columns(w, &null, &image);
    transform_to_bases(w, image.Q, *taken);
    return RESIDA_OK;
}

/* Compute vectors of the whole pencil from column j of X and Y, and for a pair from its imaginary part in column j + 1.
 * x = right V z with (A - mu E) z = 0, y = left W' (0, y_j). */
static void compute_whole_vectors(const work *w, rsd_number mu, int is_pair, const double *X, const double *Y, int j)
{
    const int n = w->n, o = w->done, m = n - o;
    rsd_number *z = w->z;
    for (int i = 0; i < n; i++) {
        const long k = (long)j * m + i - o;
        z[i] = i < o ? 0 : X[k] + (is_pair ? I * X[k + m] : 0);
        w->x[i] = w->y[i] = 0;
    }
    for (int i = o - 1; i >= 0; i--) {
        rsd_number sum = 0;
        for (int c = i + 1; c < n; c++) sum += (w->A[(long)c * n + i] - mu * w->E[(long)c * n + i]) * z[c];
        z[i] = -sum / (w->A[(long)i * n + i] - mu * w->E[(long)i * n + i]);
    }
    for (int c = 0; c < n; c++)
        for (int i = 0; i < n; i++) w->x[i] += w->V[(long)c * n + i] * z[c];
    for (int i = 0; i < n; i++) {
        const double *row = w->W + (long)i * n + o, *y = Y + (long)j * m;
        for (int c = 0; c < m; c++) w->y[i] += row[c] * (y[c] + (is_pair ? I * y[c + m] : 0));
    }
    for (int i = 0; i < n; i++) w->x[i] *= w->right[i], w->y[i] *= w->left[i];
}

/* Compute a basis of the null space A x = 0 from the vectors of the zero eigenvalues. zeros [2 s->n_zero x n] contains
 * their real and imaginary parts, scaled to 1. Vectors of a double eigenvalue differ by the square root of rounding
 * errors. */
static resida_status store_null_vectors(rsd_spectrum *s, const work *w, const double *zeros)
{
    const int n = w->n, rows = 2 * s->n_zero;
    rsd_split span;
    RSD_TRY(rsd_split_compute(&span, rows, n, zeros, 1, SAME_DIRECTION, w->alloc));
    s->still = rsd_calloc(w->alloc, (long)span.rank * n, sizeof *s->still);
    if (!s->still) return RESIDA_ERR_MEMORY;
    s->n_still = span.rank;
    for (int k = 0; k < s->n_still; k++)
        for (int i = 0; i < n; i++) s->still[(long)k * n + i] = w->right[i] * zeros[(long)span.perm[k] * n + i];
    return RESIDA_OK;
}

static void store_zero_vector(rsd_spectrum *s, const work *w, int is_pair, double *zeros)
{
    double size = 0;
    for (int i = 0; i < w->n; i++) size = fmax(size, cabs(w->x[i]) / w->right[i]);
    double *row = zeros + 2L * s->n_zero * w->n;
    for (int i = 0; i < w->n; i++) {
        row[i] = creal(w->x[i]) / w->right[i] / size;
        row[w->n + i] = cimag(w->x[i]) / w->right[i] / size;
    }
    s->n_zero += 1 + is_pair;
}

static double compute_scaled_norm(int n, const rsd_number *x, const double *scale)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += cabs(x[i]) / scale[i] * (cabs(x[i]) / scale[i]);
    return sqrt(sum);
}

/* Return the distance of eigenvalue j from the closest other eigenvalue. */
static double compute_gap(int m, const double *re, const double *im, const double *beta, int j)
{
    double gap = INFINITY;
    for (int k = 0; k < m; k++)
        if (k != j && beta[k] > 0) gap = fmin(gap, hypot(re[k] - re[j], im[k] - im[j]));
    return gap;
}

/* Refine lambda and w->x by inverse iteration. Both remain unchanged on failure. */
static resida_status refine_eigenpair(const resida_linearization *l, work *w, double gap, double fastest,
                                      rsd_number *lambda, double *error)
{
    rsd_number better = *lambda;
    memcpy(w->z, w->x, (size_t)w->n * sizeof *w->z);
    const resida_status status = rsd_refine_eigenpair(l, w->z, w->y, gap, fastest, &better, error);
    if (status != RESIDA_OK) return status;
    if (!(cabs(better - *lambda) <= SAME_VALUE * cabs(*lambda))) return RESIDA_ERR_NEWTON;
    memcpy(w->x, w->z, (size_t)w->n * sizeof *w->x);
    *lambda = better;
    return RESIDA_OK;
}

/* Store the eigenvalues of the remaining block. values [3 m]: re, im and beta; vectors X, Y [m x m] */
static resida_status list_eigenvalues(rsd_spectrum *s, const resida_linearization *l, work *w, const double *values,
                                      const double *X, const double *Y, double *zeros)
{
    const int n = w->n, m = n - w->done;
    const double *re = values, *im = values + m, *beta = im + m;
    double fastest = 0;
    for (int j = 0; j < m; j++)
        if (beta[j] > 0) fastest = fmax(fastest, w->unit * hypot(re[j], im[j]));
    for (int j = 0; j < m; j++) {
        const int is_pair = im[j] > 0;
        if (im[j] < 0) continue;
        if (!(beta[j] > 0)) { /* infinite, but not found by the stages, whose rank decision was too strict */
            s->n_infinite++;
            continue;
        }
        double error;
        resida_status status = RESIDA_OK;
        compute_whole_vectors(w, re[j] + I * im[j], is_pair, X, Y, j);
        rsd_number lambda = w->unit * (re[j] + I * im[j]);
        const double norm =
            n * w->size * compute_scaled_norm(n, w->x, w->right) * compute_scaled_norm(n, w->y, w->left);
        const double gap = compute_gap(m, re, im, beta, j) * w->unit;
        int kind = rsd_improve_eigenvalue(l, w->x, w->y, norm, gap, fastest, w->room, &lambda, &error);
        if (kind != RSD_KNOWN) {
            status = refine_eigenpair(l, w, gap, fastest, &lambda, &error);
            if (status == RESIDA_ERR_MEMORY) return status;
            kind = status == RESIDA_OK ? RSD_KNOWN : kind == RSD_ZERO ? RSD_ZERO : RSD_LOST;
        }
        if (kind == RSD_ZERO) store_zero_vector(s, w, is_pair, zeros);
        const int is_double = is_pair && cimag(lambda) <= 2 * error; /* a double real eigenvalue split by rounding */
        for (int k = 0; k <= is_double && kind == RSD_KNOWN; k++)
            rsd_spectrum_append(s, is_double ? creal(lambda) : lambda, error, w->x, n);
        if (kind == RSD_LOST) s->n_lost += 1 + is_pair;
    }
    return RESIDA_OK;
}

static resida_status solve_remaining_pencil(rsd_spectrum *s, const resida_linearization *l, work *w)
{
    const int n = w->n, o = w->done, m = n - o;
    const resida_allocator *a = w->alloc;
    double *values = rsd_matrix(a, 3, m), *X = rsd_matrix(a, m, m), *Y = rsd_matrix(a, m, m);
    double *zeros = rsd_matrix(a, 2L * m, n);
    if (!values || !X || !Y || !zeros) return RESIDA_ERR_MEMORY;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++) {
            w->T[(long)j * m + i] = w->A[(long)(j + o) * n + i + o];
            w->U[(long)j * m + i] = w->E[(long)(j + o) * n + i + o];
        }
    RSD_TRY(rsd_solve_pencil(m, SHIFT, w->T, w->U, values, values + m, values + 2 * m, X, Y, a));
    RSD_TRY(list_eigenvalues(s, l, w, values, X, Y, zeros));
    return store_null_vectors(s, w, zeros);
}

resida_status rsd_spectrum_compute_full(rsd_spectrum *s, const resida_linearization *l, resida_message *why)
{
    work w = {.alloc = &s->alloc};
    int taken = 1;
    RSD_TRY(rsd_spectrum_allocate(s, l->A.rows, 0, l->A.rows));
    RSD_TRY(allocate_full_spectrum(&w, l->A.rows));
    RSD_TRY(balance_and_scale(&w, l));
    while (taken > 0 && w.done < w.n) {
        rsd_owner owner;
        const resida_allocator of_a_stage = rsd_get_owned_allocator(&owner, w.alloc);
        const resida_status status = remove_null_space(&w, &taken, &of_a_stage, why);
        rsd_owner_free(&owner);
        RSD_TRY(status);
    }
    s->n_infinite = w.done;
    return solve_remaining_pencil(s, l, &w);
}
