/* curve.c - compares the derivative that a model gives with difference quotients (x(s) - x(-s))/2s. The quotient with
 * the first s costs two evaluations of x. If a row disagrees, other increments and one-sided quotients are evaluated,
 * because an excitation may begin at the state. A row is wrong if it agrees with no quotient. */
#include "curve.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define SHORT_INCREMENT 1e-7 /* quotients with smaller increments count only if rounding is below the tolerance */

/* Increments s for a motion at a speed of 1. The truncation error is about s^2, the rounding error eps/s. The first
 * increment is used for all rows. If a row disagrees, shorter increments are used near kinks, a longer one against
 * rounding, and very short ones for small models. */
static const double steps[] = {1e-4, 1e-5, 1e-6, 1e-3, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13};
enum { N_STEPS = sizeof steps / sizeof *steps, SIDES = 3 }; /* number of increments; number of quotients */

/* Weights of the values of x at s, -s, 0, 2s, -2s. The weighted sums are s times the central, the forward and the
 * backward difference quotient. */
static const double quotients[SIDES][RSD_PLACES] = {{0.5, -0.5, 0, 0, 0}, {2, 0, -1.5, -0.5, 0}, {0, -2, 1.5, 0, 0.5}};

int rsd_curve_allocate(rsd_curve *c, int n, const resida_allocator *a)
{
    int all = RSD_DOUBLES(a, n, &c->given, &c->scale, &c->off, &c->found);
    for (int i = 0; i < RSD_PLACES; i++) all &= RSD_DOUBLES(a, n, &c->x[i]);
    return all;
}

void rsd_curve_clear(rsd_curve *c, int n)
{
    memset(c->given, 0, (size_t)n * sizeof *c->given);
    memset(c->scale, 0, (size_t)n * sizeof *c->scale);
}

void rsd_curve_add_term(rsd_curve *c, int i, double term)
{
    c->given[i] += term;
    c->scale[i] += fabs(term);
}

/* For each row, keep the quotient with the given weights if its error is smaller than those of earlier quotients. */
static void keep_better_quotients(const rsd_curve *c, int n, double s, const double *weight)
{
    for (int i = 0; i < n; i++) {
        double sum = 0, all = 0;
        for (int j = 0; j < RSD_PLACES; j++)
            if (weight[j] != 0) sum += weight[j] * c->x[j][i], all += fabs(weight[j] * c->x[j][i]);
        const double rounding = c->close.rounding * DBL_EPSILON * all, given = s * c->given[i];
        if (s < SHORT_INCREMENT && !(rounding <= c->close.agrees * (fabs(sum) + fabs(given)))) continue;
        const double off = fmax(0, fabs(sum - given) - rounding) / s;
        if (!isfinite(all) || !(off < c->off[i])) continue;
        c->off[i] = off;
        c->found[i] = sum / s;
    }
}

int rsd_curve_find_worst(const rsd_curve *c, int first, int n)
{
    double largest = 0, worst = 1;
    int row = -1;
    for (int i = first; i < first + n; i++) largest = fmax(largest, c->scale[i]);
    for (int i = first; i < first + n; i++) {
        const double found = isfinite(c->found[i]) ? fabs(c->found[i]) : 0;
        const double size = c->scale[i] + fabs(c->given[i]) + found + c->close.floor * largest;
        const double times = c->off[i] / (c->close.agrees * size);
        if (times > worst && isfinite(times)) worst = times, row = i;
    }
    return row;
}

/* Compare n rows with the first `sides` quotients of increment s. Evaluate x at the first `places` points. Return the
 * value of the callbacks. */
static int compare_with_step(rsd_curve *c, int n, double s, int places, int sides, rsd_eval_along_fn *x, void *context)
{
    static const double at[RSD_PLACES] = {1, -1, 0, 2, -2};
    int verdict = 0;
    for (int j = 0; j < places && !verdict; j++) verdict = x(at[j] * s, c->x[j], context);
    for (int side = 0; side < sides && !verdict; side++) keep_better_quotients(c, n, s, quotients[side]);
    return verdict;
}

int rsd_curve_compare(rsd_curve *c, int n, rsd_eval_along_fn *x, void *context, int *row)
{
    for (int i = 0; i < n; i++) c->off[i] = c->found[i] = INFINITY;
    int verdict = compare_with_step(c, n, steps[0], 2, 1, x, context);
    *row = rsd_curve_find_worst(c, 0, n);
    for (int i = 0; i < N_STEPS && (verdict > 0 || (!verdict && *row >= 0)); i++) {
        verdict = compare_with_step(c, n, steps[i], RSD_PLACES, SIDES, x, context);
        *row = rsd_curve_find_worst(c, 0, n);
    }
    return verdict < 0 ? verdict : 0;
}
