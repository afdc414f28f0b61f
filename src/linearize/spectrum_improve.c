/* spectrum_improve.c - what is left of rounding in an eigenvalue, by its vectors and the pencil as it is:
 *
 *     lambda = y A x/(y E x),    error = noise |y| |A| |x|/|y E x|
 *
 * with sums in long double, and not more than the root of that times the distance of the next eigenvalue, where the
 * error is larger than this distance: so far a defective one is scattered. Errors of x and y of size d change lambda by
 * d^2 (A. Ostrowski, On the convergence of the Rayleigh quotient iteration, 1958), so what the transformations have
 * lost comes back. The error is the largest that relative changes of the entries of A by `noise` make. */
#include "linearize_impl.h"

#include <float.h>
#include <math.h>

#define OF_SUMS (8 * DBL_EPSILON) /* of the terms: what sums and transformations leave */

#define SLOW    1e-5 /* of the fastest: rounding makes 1e-8 and some of a double zero */

typedef long double complex long_number;

static long_number form_of(const rsd_sparse *A, const rsd_number *y, const rsd_number *x, long double *terms)
{
    long_number sum = 0;
    for (int j = 0; j < A->columns; j++) {
        long_number column = 0;
        long double size = 0;
        for (int e = A->start[j]; e < A->start[j + 1]; e++) {
            column += (long_number)y[A->row[e]] * A->values[e];
            size += (long double)(cabs(y[A->row[e]]) * fabs(A->values[e]));
        }
        sum += column * x[j];
        *terms += size * cabs(x[j]);
    }
    return sum;
}

/* What changes of the terms by one part of them make of an eigenvalue: the first order, or, of one that is defective
 * within that, the root. */
static double spread(long double part, long double gap)
{
    const long double error = part <= gap ? part : sqrtl(part * gap);
    return isfinite(error) ? (double)error : (double)gap;
}

int rsd_improve(const resida_linearization *l, const rsd_number *x, const rsd_number *y, double norm, double gap,
                double fastest, rsd_number *lambda, double *error)
{
    long double terms = 0, none = 0;
    const long_number a = form_of(&l->A, y, x, &terms), e = form_of(&l->E, y, x, &none);
    const rsd_number better = (rsd_number)(a / e);
    *error = spread(l->noise * terms / cabsl(e), gap);
    if (cabs(better - *lambda) <= gap) *lambda = cimag(*lambda) > 0 ? better : creal(better);
    const double least = fmax(OF_SUMS * fastest, spread(OF_SUMS * (terms + norm) / cabsl(e), gap)),
                 size = cabs(*lambda);
    return size > 2 * least ? RSD_KNOWN : size < SLOW * fastest ? RSD_ZERO : RSD_LOST;
}

int rsd_is_zero(double value, double terms)
{
    return fabs(value) <= OF_SUMS * terms;
}

resida_status rsd_spectrum_open(rsd_spectrum *s, int most, int unknowns, const resida_allocator *a)
{
    *s = (rsd_spectrum){.n = 0};
    s->re = rsd_doubles(a, most), s->im = rsd_doubles(a, most), s->error = rsd_doubles(a, most);
    s->x_re = rsd_matrix(a, most, unknowns), s->x_im = rsd_matrix(a, most, unknowns);
    return s->re && s->im && s->error && s->x_re && s->x_im ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

void rsd_spectrum_add(rsd_spectrum *s, rsd_number lambda, double error, const rsd_number *x, int unknowns)
{
    s->re[s->n] = creal(lambda), s->im[s->n] = cimag(lambda), s->error[s->n] = error;
    for (int i = 0; i < unknowns; i++) {
        s->x_re[(long)s->n * unknowns + i] = creal(x[i]);
        s->x_im[(long)s->n * unknowns + i] = cimag(x[i]);
    }
    s->n++;
}

void rsd_spectrum_free(rsd_spectrum *s, const resida_allocator *alloc)
{
    double *const blocks[] = {s->re, s->im, s->error, s->x_re, s->x_im, s->still};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) rsd_free(alloc, blocks[i]);
    *s = (rsd_spectrum){.n = 0};
}
