/* examine_dae.c - see examine_dae.h. F has units of its own in each row, so it is compared with what it becomes at a
 * point nearby: y moved by up to one tolerance, to one side and the other by turns, and yp by a thousandth; by parts of
 * them that differ, so that nothing cancels. */
#include "examine_dae.h"

#include "src/problem/problem_impl.h"
#include "src/watch/tolerance.h"

#include <float.h>
#include <math.h>

#define YP_MOVED 1e-3 /* of yp: what it is moved by */
#define INCONSISTENT                                                                                                   \
    100.0 /* times the change: y off by 100 tolerances, yp by a tenth; a first step puts right what is less */
#define F_ROUNDING (100 * DBL_EPSILON) /* of |F| + |F moved|: its terms may be larger */

static void move(const rsd_given_start *s, int n)
{
    for (int i = 0; i < n; i++) {
        double side = (i % 2 ? -1 : 1) * (1 + (double)i / n) / 2;
        s->y_moved[i] = s->y[i] + side * rsd_tolerance(s->o, i, s->y[i]);
        s->yp_moved[i] = s->yp[i] * (1 + side * YP_MOVED);
    }
}

/* How many times F is off by what moves made of it, at the worst row. */
static double worst(const rsd_given_start *s, int n, int *row)
{
    double most = 0;
    *row = -1;
    for (int i = 0; i < n; i++) {
        double off = fabs(s->F[i]), change = fabs(s->F_moved[i] - s->F[i]);
        double times = off / fmax(change, F_ROUNDING * (off + fabs(s->F_moved[i])));
        if (!(off > 0) || !(times > most)) continue;
        most = times;
        *row = i;
    }
    return most;
}

resida_status rsd_examine_given_start(rsd_guard *g, const rsd_given_start *s, rsd_warnings *warnings)
{
    const int n = g->problem->layout.n;
    int row;
    g->cause = RSD_START;
    g->run = 0;
    int verdict = rsd_guard_residual(s->t, s->y, s->yp, s->F, g);
    if (verdict == 0) {
        move(s, n);
        verdict = rsd_guard_residual(s->t, s->y_moved, s->yp_moved, s->F_moved, g);
    }
    if (verdict < 0) return g->stop;
    if (verdict > 0) return RESIDA_OK; /* the first step will say so */
    double times = worst(s, n, &row);
    if (times > INCONSISTENT)
        rsd_warn(warnings, RSD_CLAIM_START,
                 "start: F[%d] = %.3g at t = %.6g with the y0 and yp0 given, %.1g times what a change of y by "
                 "the tolerances and of yp by a thousandth makes of it: y0 and yp0 are not consistent",
                 row, s->F[row], s->t, times);
    return RESIDA_OK;
}
