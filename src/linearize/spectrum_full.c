/* spectrum_full.c - all eigenvalues of lambda E x = A x by full matrices.
 *
 * Zero and infinite eigenvalues are taken out first, since they are defective as a rule (a body that nothing holds:
 * position and velocity; multipliers of an index-3 formulation: three) and rounding would scatter them as far as the
 * root of eps. With Z an orthonormal basis of the null space of A, V = (Z, Y) and U orthogonal,
 *
 *     U' E V = ( R  E12 )     U' A V = ( 0  A12 )        R upper triangular
 *              (    E22 )              ( 0  A22 )
 *
 * so the pencil has as many zero eigenvalues as Z has columns, and those of (A22, E22), where it goes on; then the same
 * with E for A and infinite ones. (P. Van Dooren, The computation of Kronecker's canonical form of a singular pencil,
 * 1979, for regular pencils.) Of what remains A is regular, and 1/lambda are the eigenvalues of A^-1 E, by LAPACK's
 * dgeev. dggev loses the low frequencies of stiff models: its errors are eps times the largest eigenvalue, in a beam of
 * 8 cubic elements more than the lowest one. Vectors of the whole by back substitution. Before all that rows and
 * columns are brought to like sizes (R. Ward, Balancing the generalized eigenvalue problem, 1981). */
#include "full.h"
#include "linearize_impl.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SWEEPS = 8 };         /* halve the logarithms of what is to be scaled each, and a last one for the rows */
#define LEFT_BY_STAGES 1e-14 /* rounding of the orthogonal transformations, matrices of norm one */
#define E_EXACT        1e-12 /* of its largest entry, balanced: less of a row of E is none. Masses within ten digits */

typedef struct work {
    const resida_allocator *alloc;
    int n, done;          /* unknowns; of these taken out */
    double *A, *E, *V;    /* [n x n] balanced and transformed; x = right V z */
    double *left, *right; /* [n] */
    double unit;          /* lambda = unit mu */
    double *B, *T, *U;    /* [n x n] work */
} work;

static double largest_of(long n, const double *x)
{
    double largest = 0;
    for (long i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
    return largest;
}

static resida_status take_memory(work *w, int n)
{
    double **const squares[] = {&w->A, &w->E, &w->V, &w->B, &w->T, &w->U};
    w->n = n;
    w->left = rsd_doubles(w->alloc, n), w->right = rsd_doubles(w->alloc, n);
    resida_status status = w->left && w->right ? RESIDA_OK : RESIDA_ERR_MEMORY;
    for (size_t i = 0; i < sizeof squares / sizeof *squares; i++)
        if (!(*squares[i] = rsd_matrix(w->alloc, n, n))) status = RESIDA_ERR_MEMORY;
    return status;
}

static void give_back(work *w)
{
    double *const blocks[] = {w->A, w->E, w->V, w->B, w->T, w->U, w->left, w->right};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) rsd_free(w->alloc, blocks[i]);
}

/* Balanced, of norm about one each. */
static resida_status begin(work *w, const resida_linearization *l)
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
    const double a = largest_of((long)n * n, w->A), e = largest_of((long)n * n, w->E);
    w->unit = (a > 0 ? a : 1) / (e > 0 ? e : 1);
    for (long i = 0; i < (long)n * n; i++) {
        w->A[i] /= a > 0 ? a : 1;
        w->E[i] /= e > 0 ? e : 1;
    }
    for (int j = 0; j < n; j++) w->V[(long)j * n + j] = 1;
    return RESIDA_OK;
}

/* Scalings of the rest of X by which the largest entry of each row and column is about one (D. Ruiz, A scaling
 * algorithm to equilibrate both rows and columns norms in matrices, 2001); what is noise counts for nothing. T gets the
 * scaled rest, its rows as columns, m x m. rows, columns [m]. */
static void equilibrate(const work *w, const double *X, double noise, double *rows, double *columns, double *T)
{
    const int n = w->n, o = w->done, m = n - o;
    const double least = o > 0 ? LEFT_BY_STAGES : 0;
    for (int i = 0; i < m; i++) rows[i] = columns[i] = 1;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int i = 0; i < m; i++) {
            double most = 0;
            for (int j = 0; j < m; j++)
                if (fabs(X[(long)(j + o) * n + i + o]) > least)
                    most = fmax(most, rows[i] * columns[j] * fabs(X[(long)(j + o) * n + i + o]));
            if (most > 0) rows[i] /= sweep + 1 < SWEEPS ? sqrt(most) : most;
        }
        for (int j = 0; j < m && sweep + 1 < SWEEPS; j++) {
            double most = 0;
            for (int i = 0; i < m; i++) {
                const double x = fabs(X[(long)(j + o) * n + i + o]), here = rows[i] * columns[j] * x;
                if (x > least && here > noise) most = fmax(most, here);
            }
            if (most > 0) columns[j] /= sqrt(most);
        }
    }
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++) T[(long)i * m + j] = rows[i] * columns[j] * X[(long)(j + o) * n + i + o];
}

/* An orthonormal basis of the null space of the rest of X: the first *taken columns of basis->Q, to be freed in any
 * case. */
static resida_status find_null(const work *w, const double *X, double noise, rsd_split *basis, int *taken)
{
    const int m = w->n - w->done;
    rsd_split null = {.n = 0};
    double *scale = rsd_matrix(w->alloc, 2, m);
    *basis = (rsd_split){.n = 0};
    *taken = 0;
    if (!scale) return RESIDA_ERR_MEMORY;
    equilibrate(w, X, noise, scale, scale + m, w->T);
    resida_status status = rsd_split_make(&null, m, m, w->T, 1, noise, w->alloc);
    const int k = status >= 0 ? m - null.rank : 0;
    if (k > 0) {
        double *Z = rsd_split_null(&null);
        for (int j = 0; j < k; j++)
            for (int i = 0; i < m; i++) Z[(long)j * m + i] *= scale[m + i];
        status = rsd_split_make(basis, k, m, Z, 0, 0, w->alloc);
        *taken = k;
    }
    rsd_split_free(&null, w->alloc);
    rsd_free(w->alloc, scale);
    return status;
}

/* Columns from w->done on times V [m x m], `rows` of them. */
static void times_right(work *w, double *X, int rows, const double *V)
{
    const int n = w->n, o = w->done, m = n - o;
    for (int j = 0; j < m; j++) {
        double *out = w->B + (long)j * n;
        memset(out, 0, (size_t)rows * sizeof *out);
        for (int k = 0; k < m; k++) {
            const double factor = V[(long)j * m + k], *x = X + (long)(k + o) * n;
            for (int i = 0; i < rows; i++) out[i] += factor * x[i];
        }
    }
    for (int j = 0; j < m; j++) memcpy(X + (long)(j + o) * n, w->B + (long)j * n, (size_t)rows * sizeof *X);
}

/* Rows and columns from w->done on: X = U' X. */
static void times_left(work *w, double *X, const double *U)
{
    const int n = w->n, o = w->done, m = n - o;
    for (int j = 0; j < m; j++) {
        double *x = X + (long)(j + o) * n + o;
        rsd_multiply(m, 1, m, 1, U, 1, x, w->B, 0);
        memcpy(x, w->B, (size_t)m * sizeof *x);
    }
}

/* V = (Z, Y) into w->T, the columns of Z in the order of the pivots of Y Z. 1: Y Z is singular. */
static int order_columns(work *w, const rsd_split *basis, const rsd_split *image, int k)
{
    const int m = basis->n;
    if (image->rank < k) return 1;
    memcpy(w->T, basis->Q, (size_t)m * (size_t)m * sizeof *w->T);
    for (int j = 0; j < k; j++)
        memcpy(w->T + (long)j * m, basis->Q + (long)image->perm[j] * m, (size_t)m * sizeof *w->T);
    return 0;
}

/* The rest of Y times the first k columns of Z [m x m], into w->U. */
static void image_of(work *w, const double *Y, const double *Z, int k)
{
    const int n = w->n, o = w->done, m = n - o;
    memset(w->U, 0, (size_t)k * (size_t)m * sizeof *w->U);
    for (int j = 0; j < k; j++)
        for (int c = 0; c < m; c++) {
            const double factor = Z[(long)j * m + c], *y = Y + (long)(c + o) * n + o;
            for (int i = 0; i < m; i++) w->U[(long)j * m + i] += factor * y[i];
        }
}

/* Both matrices in the new bases; the first k columns are as they are to be. */
static void transform(work *w, double *X, double *Y, const double *U, int k)
{
    const int n = w->n, o = w->done;
    times_right(w, X, n, w->T);
    times_right(w, Y, n, w->T);
    times_right(w, w->V, n, w->T);
    times_left(w, X, U);
    times_left(w, Y, U);
    for (int j = o; j < o + k; j++) {
        for (int i = o; i < n; i++) X[(long)j * n + i] = 0;
        for (int i = j + 1; i < n; i++) Y[(long)j * n + i] = 0;
    }
    w->done += k;
}

/* One stage: of the rest, take the null space of X out; Y is the other matrix. *taken columns. */
static resida_status take_out(work *w, double *X, double *Y, double noise, int *taken, resida_message *why)
{
    const int m = w->n - w->done;
    rsd_split basis, image = {.n = 0};
    resida_status status = find_null(w, X, noise, &basis, taken);
    if (status >= 0 && *taken > 0) {
        image_of(w, Y, basis.Q, *taken);
        status = rsd_split_make(&image, *taken, m, w->U, 1, E_EXACT, w->alloc);
        if (status >= 0 && order_columns(w, &basis, &image, *taken))
            status = rsd_fail(why, RESIDA_ERR_SINGULAR,
                              "the pencil is singular: a direction has neither inertia nor force, any number would be "
                              "an eigenvalue");
        if (status >= 0) transform(w, X, Y, image.Q, *taken);
    }
    rsd_split_free(&basis, w->alloc);
    rsd_split_free(&image, w->alloc);
    return status;
}

/* x = right V z, z with w->done components in front of those that are known. */
static void whole_vector(const work *w, double mu_re, double mu_im, double *z_re, double *z_im, double *x_re,
                         double *x_im)
{
    const int n = w->n;
    for (int i = w->done - 1; i >= 0; i--) {
        double sum_re = 0, sum_im = 0;
        for (int j = i + 1; j < n; j++) {
            const double a = w->A[(long)j * n + i], e = w->E[(long)j * n + i];
            const double m_re = a - mu_re * e, m_im = -mu_im * e;
            sum_re += m_re * z_re[j] - m_im * z_im[j];
            sum_im += m_re * z_im[j] + m_im * z_re[j];
        }
        const double a = w->A[(long)i * n + i], e = w->E[(long)i * n + i];
        const double d_re = a - mu_re * e, d_im = -mu_im * e, size = d_re * d_re + d_im * d_im;
        z_re[i] = -(sum_re * d_re + sum_im * d_im) / size;
        z_im[i] = -(sum_im * d_re - sum_re * d_im) / size;
    }
    rsd_multiply(n, 1, n, 1, w->V, 0, z_re, x_re, 0);
    rsd_multiply(n, 1, n, 1, w->V, 0, z_im, x_im, 0);
    for (int i = 0; i < n; i++) x_re[i] *= w->right[i], x_im[i] *= w->right[i];
}

/* What was found of the rest: values [m], vectors X [m x m]. */
static void list_pairs(rsd_spectrum *s, const work *w, const double *re, const double *im, const double *beta,
                       const double *X)
{
    const int n = w->n, o = w->done, m = n - o;
    double *z_re = w->B, *z_im = w->B + n;
    for (int j = 0; j < m; j++) {
        const int is_pair = im[j] > 0;
        if (im[j] < 0) continue;
        if (!(fabs(beta[j]) > DBL_EPSILON * hypot(re[j], im[j]))) { /* a rank decision was too strict */
            s->n_infinite++;
            continue;
        }
        memset(z_re, 0, (size_t)n * sizeof *z_re);
        memset(z_im, 0, (size_t)n * sizeof *z_im);
        for (int i = 0; i < m; i++) {
            z_re[o + i] = X[(long)j * m + i];
            z_im[o + i] = is_pair ? X[(long)(j + 1) * m + i] : 0;
        }
        const double mu_re = re[j] / beta[j], mu_im = im[j] / beta[j];
        whole_vector(w, mu_re, mu_im, z_re, z_im, s->x_re + (long)s->n * n, s->x_im + (long)s->n * n);
        s->re[s->n] = w->unit * mu_re;
        s->im[s->n++] = w->unit * mu_im;
    }
}

static resida_status solve_rest(rsd_spectrum *s, work *w)
{
    const int n = w->n, o = w->done, m = n - o;
    const resida_allocator *a = w->alloc;
    double *values = rsd_matrix(a, 3, m);
    resida_status status = values ? RESIDA_OK : RESIDA_ERR_MEMORY;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++) {
            w->T[(long)j * m + i] = w->A[(long)(j + o) * n + i + o];
            w->U[(long)j * m + i] = w->E[(long)(j + o) * n + i + o];
        }
    double *X = rsd_matrix(a, m, m);
    if (!X) status = RESIDA_ERR_MEMORY;
    if (status >= 0) status = rsd_eigenvalues(m, w->T, w->U, values, values + m, values + 2 * m, X, a);
    if (status >= 0) list_pairs(s, w, values, values + m, values + 2 * m, X);
    rsd_free(a, values);
    rsd_free(a, X);
    return status;
}

/* Directions with A x = 0 are the columns of V that the first stage has found. */
static resida_status keep_still(rsd_spectrum *s, const work *w, int n_still)
{
    s->n_still = n_still;
    s->still = rsd_matrix(w->alloc, n_still, w->n);
    if (!s->still) return RESIDA_ERR_MEMORY;
    for (int k = 0; k < n_still; k++)
        for (int i = 0; i < w->n; i++) s->still[(long)k * w->n + i] = w->right[i] * w->V[(long)k * w->n + i];
    return RESIDA_OK;
}

static resida_status analyse(rsd_spectrum *s, work *w, const resida_linearization *l, resida_message *why)
{
    int taken = 0;
    RSD_TRY(begin(w, l));
    do {
        const int first = w->done == 0;
        RSD_TRY(take_out(w, w->A, w->E, l->noise, &taken, why));
        if (first) RSD_TRY(keep_still(s, w, taken));
    } while (taken > 0 && w->done < w->n);
    s->n_zero = w->done;
    if (w->done < w->n) do
            RSD_TRY(take_out(w, w->E, w->A, E_EXACT, &taken, why));
        while (taken > 0 && w->done < w->n);
    s->n_infinite = w->done - s->n_zero;
    s->rounding = w->unit * sqrt(l->noise);
    return solve_rest(s, w);
}

resida_status rsd_spectrum_full(rsd_spectrum *s, const resida_linearization *l, resida_message *why)
{
    const int n = l->A.rows;
    work w = {.alloc = &l->alloc};
    *s = (rsd_spectrum){.n = 0};
    s->re = rsd_doubles(&l->alloc, n), s->im = rsd_doubles(&l->alloc, n);
    s->x_re = rsd_matrix(&l->alloc, n, n), s->x_im = rsd_matrix(&l->alloc, n, n);
    resida_status status = take_memory(&w, n > 1 ? n : 2); /* two vectors of work fit into a square */
    w.n = n;
    if (!s->re || !s->im || !s->x_re || !s->x_im) status = RESIDA_ERR_MEMORY;
    if (status >= 0) status = analyse(s, &w, l, why);
    give_back(&w);
    return status;
}

void rsd_spectrum_free(rsd_spectrum *s, const resida_allocator *alloc)
{
    double *const blocks[] = {s->re, s->im, s->x_re, s->x_im, s->still};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) rsd_free(alloc, blocks[i]);
    *s = (rsd_spectrum){.n = 0};
}
