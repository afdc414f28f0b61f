/* twofold.h - sums of products in twice the precision (T. Ogita, S. Rump, S. Oishi, Accurate sum and dot product,
 * 2005). The terms of an eigenvalue of a stiff model can exceed their sum by 1e12 and more. */
#ifndef RSD_TWOFOLD_H
#define RSD_TWOFOLD_H

#include <math.h>

typedef struct rsd_twofold {
    double hi, lo; /* leading and trailing part; the value is hi + lo */
} rsd_twofold;

/** Compute s += x. */
static inline void rsd_twofold_add(rsd_twofold *s, double x)
{
    const double sum = s->hi + x, of_x = sum - s->hi;
    s->lo += (s->hi - (sum - of_x)) + (x - of_x);
    s->hi = sum;
}

/** Compute s += a b, where a and b are doubles. */
static inline void rsd_twofold_add_product(rsd_twofold *s, double a, double b)
{
    const double product = a * b;
    rsd_twofold_add(s, product);
    s->lo += fma(a, b, -product);
}

/** Compute s += a b, where b is a sum in twice the precision. */
static inline void rsd_twofold_add_scaled(rsd_twofold *s, double a, rsd_twofold b)
{
    rsd_twofold_add_product(s, a, b.hi);
    s->lo += a * b.lo;
}

/** Return the sum hi + lo as one number. */
static inline double rsd_twofold_get_sum(rsd_twofold s)
{
    return s.hi + s.lo;
}

#endif
