/* twofold.h - sums of products in twice the precision (T. Ogita, S. Rump, S. Oishi, Accurate sum and dot product,
 * 2005): an eigenvalue of a stiff model is what is left of terms that are 1e12 times and more as large. */
#ifndef RSD_TWOFOLD_H
#define RSD_TWOFOLD_H

#include <math.h>

typedef struct rsd_twofold {
    double hi, lo; /* the sum is hi + lo */
} rsd_twofold;

static inline void rsd_add(rsd_twofold *s, double x)
{
    const double sum = s->hi + x, of_x = sum - s->hi;
    s->lo += (s->hi - (sum - of_x)) + (x - of_x);
    s->hi = sum;
}

/** s += a b */
static inline void rsd_add_product(rsd_twofold *s, double a, double b)
{
    const double product = a * b;
    rsd_add(s, product);
    s->lo += fma(a, b, -product);
}

/** s += a b */
static inline void rsd_add_twofold(rsd_twofold *s, double a, rsd_twofold b)
{
    rsd_add_product(s, a, b.hi);
    s->lo += a * b.lo;
}

static inline double rsd_sum_of(rsd_twofold s)
{
    return s.hi + s.lo;
}

#endif
