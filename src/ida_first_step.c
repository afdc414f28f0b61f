/* ida_first_step.c - the size of the first step, by IDA's rule but for the way that it is a part of. */
#include "ida_first_step.h"

#include <float.h>
#include <math.h>

double rsd_first_step(const rsd_first_state *s, const resida_solver_options *o, double t_out, double t_stop)
{
    if (o->h_first > 0) return o->h_first;
    double way = (isfinite(t_stop) ? t_stop : t_out) - s->t, sum = 0, count = 0;
    for (int i = 0; i < s->n; i++) {
        double part = s->tested[i] * s->yp[i] / (o->rtol * fabs(s->y[i]) + s->atol[i]);
        sum += part * part;
        count += s->tested[i];
    }
    double rounding = DBL_EPSILON * (fabs(s->t) + fabs(t_out));
    double norm = count > 0 ? sqrt(sum / count) : 0, h = fmax(1e-3 * way, 4 * rounding);
    return norm * h > 0.5 ? 0.5 / norm : h;
}

int rsd_is_too_close_to_begin(double t, double t_out)
{
    return t_out - t <= 4 * DBL_EPSILON * (fabs(t) + fabs(t_out)) + DBL_MIN / DBL_EPSILON;
}
