/* curve.c - the monotone hull of a work-precision diagram, and its value at an error.
 *
 * At some tolerance the error happens to be tiny, because it changes its sign there: that cannot be relied on, so a run
 * counts when all runs at tighter tolerances are more exact. A time may be long, because the machine was busy: a
 * tighter run that was cheaper would have done as well, so its work counts.
 *
 *     run i is kept  <=>  error_j < error_i for all j > i,  with  min_{j >= i} work_j,   j known
 *
 * What is left falls in error and does not fall in work. Nothing is extrapolated. */
#include "curve.h"

#include <math.h>

/** Has it a place in a diagram with logarithmic axes? */
static int is_known(cmd_point p)
{
    return p.error > 0 && p.work > 0 && isfinite(p.error) && isfinite(p.work);
}

int cmd_curve_hull(cmd_point *points, int n)
{
    double error = 0, work = INFINITY; /* largest and least so far, from the tightest run on */
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
