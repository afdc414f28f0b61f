/* condition.c - estimates the norm of an inverse by inverse iteration. x <- A^-1 x / |x| finally grows by the factor
 * |A^-1|.
 *
 * Let c be the component of the first x in the direction of the largest growth. After k steps the largest factor is at
 * least c^(1/k) |A^-1|. A pseudo-random start has c about 1/sqrt(n). Therefore POWER_STEPS steps give at least a tenth
 * of the norm for any n that fits into memory. For a singular matrix one step is enough. */
#include "condition.h"

#include "dense.h"

#include <math.h>
#include <stdint.h>

enum { POWER_STEPS = 4 }; /* number of steps of the inverse iteration */

/* Fill x with pseudo-random numbers between -1/2 and 1/2, the same at each call. The linear congruential generator is
 * that of W. H. Press et al., Numerical Recipes in C, second edition, section 7.1. */
static void fill_start_vector(int n, double *x)
{
    uint32_t state = 1;
    for (int i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        x[i] = state / 4294967296.0 - 0.5;
    }
}

double rsd_estimate_inverse_norm(int n, rsd_apply_inverse *solve, void *context, double *x)
{
    double max = 0;
    fill_start_vector(n, x);
    for (int step = 0; step <= POWER_STEPS; step++) {
        double size = rsd_norm(x, n);
        if (step > 0) max = fmax(max, size);
        if (!(size > 0 && isfinite(size))) return INFINITY;
        for (int i = 0; i < n && step < POWER_STEPS; i++) x[i] /= size;
        if (step < POWER_STEPS) solve(context, x);
    }
    return max;
}
