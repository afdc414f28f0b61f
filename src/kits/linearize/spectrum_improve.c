/* spectrum_improve.c - reduces the rounding error of an eigenvalue by its vectors and the original pencil:
 *
 *     lambda = y A x/(y E x),    error = |y| (errors of A) |x|/|y E x|
 *
 * with sums in long double, because the terms of an eigenvalue of a stiff model exceed their sum by 1e12 and more.
 * Where long double is double, more eigenvalues of such models are lost (n_lost). If the error exceeds the distance to
 * the closest other eigenvalue, lambda is treated as defective, with the error sqrt(error distance). Errors d of x and
 * y change lambda by d^2 (A. Ostrowski, On the convergence of the Rayleigh quotient iteration, 1958). This removes
 * rounding errors of the transformations. */
#include "shifted.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define SUM_EPS (8 * DBL_EPSILON) /* rounding error of sums and transformations, relative to the terms */

#define ZERO_LAMBDA                                                                                                    \
    1e-5 /* maximum |lambda| that counts as 0, relative to the largest; rounding moves a double 0 to 1e-8 */

#define OFF_BY           1e-9 /* relative distance of the shift from an eigenvalue */
#define LAMBDA_TOLERANCE 1e-9 /* maximum relative change of an eigenvalue in the last iteration */
#define IS_REAL          1e-9 /* maximum imaginary part of a real eigenvalue, relative to its size */
enum { REFINEMENTS = 6 };     /* maximum number of inverse iterations for an eigenvalue */

/* Return y A x, and add the absolute values of its terms to *terms. */
static rsd_number evaluate_bilinear_form(const rsd_sparse *A, const rsd_number *y, const rsd_number *x, double *terms)
{
    long double complex sum = 0;
    for (int j = 0; j < A->columns; j++) {
        long double complex column = 0;
        double size = 0;
        for (int e = A->start[j]; e < A->start[j + 1]; e++) {
            column += (long double)A->values[e] * y[A->row[e]];
            size += cabs(y[A->row[e]]) * fabs(A->values[e]);
        }
        sum += column * x[j];
        *terms += size * cabs(x[j]);
    }
    return (rsd_number)sum;
}

double rsd_bound_entry_errors(const resida_linearization *l, const rsd_number *y, const rsd_number *x)
{
    const rsd_sparse *A = &l->A_error;
    double sum = 0;
    if (l->room) {
        memset(l->room, 0, ((size_t)A->rows + (size_t)A->columns) * sizeof *l->room);
        rsd_sparse_add_product(&l->left, y, l->room);
        rsd_sparse_add_product(&l->right, x, l->room + A->rows);
        y = l->room, x = l->room + A->rows;
    }
    for (int j = 0; j < A->columns; j++)
        for (int e = A->start[j]; e < A->start[j + 1]; e++) sum += cabs(y[A->row[e]]) * A->values[e] * cabs(x[j]);
    return sum;
}

/* Return the error of an eigenvalue whose first-order error is `part`. If `part` exceeds the gap to the closest other
 * eigenvalue, both eigenvalues are nearly defective, and the error is sqrt(part gap). */
static double bound_defective_error(double part, double gap)
{
    const double error = part <= gap ? part : sqrt(part) * sqrt(gap);
    return isfinite(error) ? error : gap;
}

/* Return |y| |A x - lambda E x|, the residual of an eigenvalue lambda. r [n]: work. */
static double compute_residual_norm(const resida_linearization *l, const rsd_number *x, const rsd_number *y,
                                    rsd_number lambda, rsd_number *r)
{
    const int n = l->model.n;
    double sum = 0;
    memset(r, 0, (size_t)n * sizeof *r);
    rsd_sparse_add_product(&l->E, x, r);
    for (int i = 0; i < n; i++) r[i] *= -lambda;
    rsd_sparse_add_product(&l->A, x, r);
    for (int i = 0; i < n; i++) sum += cabs(y[i]) * cabs(r[i]);
    return sum;
}

static void normalise_vector(int n, rsd_number *x)
{
    rsd_number max = 0;
    for (int i = 0; i < n; i++)
        if (cabs(x[i]) > cabs(max)) max = x[i];
    for (int i = 0; i < n && cabs(max) > 0; i++) x[i] /= max;
}

int rsd_improve_eigenvalue(const resida_linearization *l, const rsd_number *x, const rsd_number *y, double norm,
                           double gap, double fastest, rsd_number *room, rsd_number *lambda, double *error)
{
    double terms = 0, none = 0;
    const rsd_number a = evaluate_bilinear_form(&l->A, y, x, &terms), e = evaluate_bilinear_form(&l->E, y, x, &none);
    const rsd_number better = a / e;
    *error = bound_defective_error(fmax(l->noise * terms, rsd_bound_entry_errors(l, y, x)) / cabs(e), gap);
    const int is_near = cabs(better - *lambda) <= fmax(gap, RSD_RESIDUAL * cabs(*lambda));
    if (is_near) *lambda = cimag(*lambda) > 0 ? better : creal(better);
    const double min = fmax(SUM_EPS * fastest, bound_defective_error(SUM_EPS * (terms + norm) / cabs(e), gap)),
                 size = cabs(*lambda);
    if (size <= 2 * min) return size < ZERO_LAMBDA * fastest ? RSD_ZERO : RSD_LOST;
    if (gap <= RSD_RESIDUAL * size) return RSD_KNOWN; /* y E x = 0 for a defective lambda */
    if (!is_near) return RSD_FAR;
    return compute_residual_norm(l, x, y, *lambda, room) <= RSD_RESIDUAL * size * cabs(e) ? RSD_KNOWN : RSD_OPEN;
}

/* Iterate inversely for both vectors from y = conj(E x) until the quotient converges. Return 1 if it converges. */
static int iterate_inversely(const resida_linearization *l, rsd_shifted *at, rsd_number *x, rsd_number *y, double gap,
                             double fastest, rsd_number *room, rsd_number *lambda, double *error)
{
    const int n = l->model.n;
    memset(y, 0, (size_t)n * sizeof *y);
    rsd_sparse_add_product(&l->E, x, y);
    for (int i = 0; i < n; i++) y[i] = conj(y[i]);
    for (int k = 0; k < REFINEMENTS; k++) {
        const rsd_number before = *lambda;
        rsd_shifted_apply_right(at, &l->E, x);
        rsd_shifted_apply_left(at, &l->E, y);
        normalise_vector(n, x);
        normalise_vector(n, y);
        const int kind = rsd_improve_eigenvalue(l, x, y, 0, gap, fastest, room, lambda, error);
        if (k > 0 && cabs(*lambda - before) <= LAMBDA_TOLERANCE * cabs(*lambda))
            return kind == RSD_KNOWN || kind == RSD_OPEN;
    }
    return 0;
}

resida_status rsd_refine_eigenpair(const resida_linearization *l, rsd_number *x, rsd_number *y, double gap,
                                   double fastest, rsd_number *lambda, double *error)
{
    rsd_shifted at;
    rsd_owner owner;
    const resida_allocator alloc = rsd_get_owned_allocator(&owner, &l->alloc);
    resida_status status = rsd_shifted_factor(&at, l, *lambda * (1 + OFF_BY));
    rsd_number *room = rsd_calloc(&alloc, l->model.n, sizeof *room);
    if (!room) status = RESIDA_ERR_MEMORY;
    if (status >= 0 && !iterate_inversely(l, &at, x, y, gap, fastest, room, lambda, error)) status = RESIDA_ERR_NEWTON;
    if (fabs(cimag(*lambda)) <= IS_REAL * cabs(*lambda)) {
        *lambda = creal(*lambda);
        for (int i = 0; i < l->model.n; i++) x[i] = creal(x[i]); /* real, since the largest component is 1 */
    }
    rsd_shifted_free(&at);
    rsd_owner_free(&owner);
    return status;
}

resida_status rsd_spectrum_allocate(rsd_spectrum *s, int max, int still, int unknowns)
{
    const resida_allocator *a = &s->alloc;
    s->lambda = rsd_calloc(a, max, sizeof *s->lambda);
    s->x = rsd_calloc(a, (long)max * unknowns, sizeof *s->x);
    s->still = rsd_calloc(a, (long)still * unknowns, sizeof *s->still);
    return s->lambda && s->x && s->still && RSD_DOUBLES(a, max, &s->error) ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

void rsd_spectrum_append(rsd_spectrum *s, rsd_number lambda, double error, const rsd_number *x, int unknowns)
{
    s->lambda[s->n] = lambda, s->error[s->n] = error;
    memcpy(s->x + (long)s->n++ * unknowns, x, (size_t)unknowns * sizeof *x);
}
