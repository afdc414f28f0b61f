/* curves.c - see curves.h. */
#include "curves.h"

#include "picture.h"

#include <math.h>

enum { DASHES = 5 };                    /* dash types of gnuplot */
static const double line_width = 0.005; /* of the height of a panel */

/** Return the range of all curves. */
static double compute_range(const cmd_curves *c)
{
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < c->n; k++)
        for (long row = 0; row < c->rows; row++) {
            const double x = c->at(c->self, k, row);
            if (isfinite(x)) low = fmin(low, x), high = fmax(high, x);
        }
    return high > low ? high - low : 0;
}

/** Return 1 if the curves have points in the same rows, which differ by at most `distance`. */
static int do_coincide(const cmd_curves *c, int i, int k, double distance)
{
    for (long row = 0; row < c->rows; row++) {
        const double x = c->at(c->self, i, row), y = c->at(c->self, k, row);
        if (!isfinite(x) != !isfinite(y) || fabs(x - y) > distance) return 0;
    }
    return 1;
}

void cmd_curves_dash(const cmd_curves *c, int *dash)
{
    const double distance = line_width * compute_range(c);
    for (int i = 0; i < c->n; i++) {
        int before = 0;
        for (int k = 0; k < i; k++) before += do_coincide(c, i, k, distance);
        dash[i] = 1 + (i / CMD_PICTURE_COLOURS + before) % DASHES;
    }
}
