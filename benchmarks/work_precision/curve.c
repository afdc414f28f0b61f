/* curve.c - the monotone hull of a work-precision diagram, and its value at an error.
 *
 * The error at some tolerance may be very small because it changes sign there. Therefore a run is used only if all runs
 * at tighter tolerances have smaller errors. A time may be too long because the machine was busy. Therefore the work of
 * a run is the minimum over the run and all tighter runs.
 *
 *     run i is kept  <=>  error_j < error_i for all j > i,  with  min_{j >= i} work_j,   j known
 *
 * The error decreases along the remaining points, and the work does not decrease. There is no extrapolation. */
#include "curve.h"

#include <math.h>

/** Return 1 if the point can be drawn with logarithmic axes. */
static int is_known(cmd_point p)
{
    return p.error > 0 && p.work > 0 && isfinite(p.error) && isfinite(p.work);
}

int cmd_curve_hull(cmd_point *points, int n)
{
    double error = 0, work = INFINITY; /* largest error and minimum work, from the tightest run on */
    int first = n;
    for (int i = n - 1; i >= 0; i--) {
        cmd_point p = points[i];
        if (!is_known(p)) continue;
        work = fmin(work, p.work);
        if (p.error > error) points[--first] = (cmd_point){p.error, work};
        error = fmax(error, p.error);
    }
    for (int i = first; i < n; i++) points[i - first] = points[i];
    return n - first;
}

double cmd_curve_work(const cmd_point *hull, int n, double error)
{
    for (int i = 0; i < n; i++)
        if (hull[i].error == error) return hull[i].work;
    for (int i = 0; i + 1 < n; i++) {
        cmd_point a = hull[i], b = hull[i + 1];
        if (!(error < a.error && error > b.error)) continue;
        return a.work * pow(b.work / a.work, log(a.error / error) / log(a.error / b.error));
    }
    return NAN;
}
