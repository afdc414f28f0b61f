/* min_order.c - see min_order.h. */
#include "min_order.h"

#include <math.h>
#include <stddef.h>

#define RAISED 0.3   /* of the norm of e: IDA raises the order where it is below about 0.5, and does not double h */
enum { START = 10 }; /* attempts: transients of the start die away at order 1, and do not excite vibrations */

void rsd_min_order_start(rsd_min_order *x)
{
    x->attempts = 0;
    rsd_min_order_begin_anew(x);
}

void rsd_min_order_begin_anew(rsd_min_order *x)
{
    x->e = NULL;
    x->order = x->is_held = x->below = 0;
}

void rsd_min_order_begin(rsd_min_order *x, int order, int may_fall)
{
    x->is_other |= x->is_held && order < RSD_MIN_ORDER && !may_fall;
    x->is_held = 0;
    x->e = NULL;
    x->order = order;
    x->below = order < RSD_MIN_ORDER ? x->below + 1 : 0;
    if (x->attempts <= START) x->attempts++;
}

int rsd_min_order_is_below(const rsd_min_order *x)
{
    return x->is_on && !x->is_other && x->below > START;
}

void rsd_min_order_solved(rsd_min_order *x, const double *e)
{
    x->is_held = x->is_on && !x->is_other && x->order == RSD_MIN_ORDER && x->attempts > START;
    x->e = e;
    x->norms = 0;
    x->norm = x->norm_below = 0;
}

double rsd_min_order_norm(rsd_min_order *x, const double *v, double norm)
{
    if (!x->e) return norm;
    if (x->norms++ == 0) {
        if (v != x->e) x->e = NULL;
        x->norm = norm;
        return norm;
    }
    x->e = NULL;
    x->norm_below = norm;
    if (x->is_held) return INFINITY;
    return rsd_min_order_is_below(x) ? fmin(norm, RAISED * x->norm) : norm;
}
