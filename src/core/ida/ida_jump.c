/* ida_jump.c - see ida_jump.h. */
#include "ida_jump.h"

#include "ida_growth.h"
#include "base/vector_ops.h"

#include <math.h>
#include <string.h>

#define TOO_LARGE 2.0   /* tolerances: of a step from the last state on, whose error is half its correction */
#define FORETOLD  0.3   /* of a correction that y_n + h y'_n misses: sharp turns 0.14, contacts about 1 */
#define CUT       0.1   /* of the last accepted step: a shorter one has no history */
#define MOST_OFF  100.0 /* tolerances that a state is put right by; more than that is a force, not a state */
#define AT_REST   0.3   /* of a correction: smooth motion goes less far in a step that sees nothing but the state */
#define THE_SAME  0.1   /* of a correction */

enum { ARRAYS = 6 };

resida_status rsd_jump_create(rsd_jump *x, int n, const resida_allocator *alloc)
{
    *x = (rsd_jump){.is_off = 0};
    double **const arrays[ARRAYS] = {&x->e, &x->d, &x->y, &x->yp, &x->y_end, &x->yp_end};
    int all = 1;
    for (int k = 0; k < ARRAYS; k++) all &= (*arrays[k] = rsd_doubles(alloc, n)) != NULL;
    rsd_jump_reset(x);
    return all ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

void rsd_jump_reset(rsd_jump *x)
{
    x->h = x->h_e = 0;
    x->is_off = 0;
    x->from = x->put_at = INFINITY;
    x->most_off = MOST_OFF;
}

void rsd_jump_tighten(rsd_jump *x, double times)
{
    x->most_off = fmax(x->most_off * times, MOST_OFF);
}

double rsd_jump_size(int n, const resida_kind *kinds, const double *tested, const double *x, const double *w)
{
    double sum = 0;
    int n_tested = 0;
    for (int i = 0; i < n; i++) {
        const double part = rsd_jump_counts(kinds[i]) ? 1 : tested ? tested[i] : 0, size = part * x[i] * w[i];
        sum += size * size;
        n_tested += part > 0;
    }
    return n_tested ? sqrt(sum / n_tested) : 0;
}

/* By how much e differs from the last one. */
static double change(const rsd_jump *x, const rsd_jump_attempt *a)
{
    for (int i = 0; i < a->n; i++) x->d[i] = a->e[i] - x->e[i];
    return rsd_jump_size(a->n, a->kinds, NULL, x->d, a->weight);
}

/* By how much y_n + h y'_n, the last state with its derivatives, misses the end of the step. */
static double missed(const rsd_jump *x, const rsd_jump_attempt *a)
{
    for (int i = 0; i < a->n; i++) x->d[i] = a->y[i] + a->e[i] - x->y[i] - copysign(a->h, a->alpha) * x->yp[i];
    return rsd_jump_size(a->n, a->kinds, a->tested, x->d, a->weight);
}

/* A shorter step from the same point has led to the same correction, though nothing moves in it. */
static int is_of_the_state(const rsd_jump *x, const rsd_jump_attempt *a)
{
    if (fabs(a->from - x->from) > RSD_SAME_PLACE * a->h || !(a->h < x->h_e) || a->size > x->most_off) return 0;
    if (a->from == x->put_at) return 0;
    return a->h * rsd_jump_size(a->n, a->kinds, NULL, a->yp, a->weight) < AT_REST * a->size &&
           change(x, a) < THE_SAME * a->size;
}

void rsd_jump_begin(rsd_jump *x)
{
    double *y = x->y, *yp = x->yp;
    const double t = x->t;
    x->t = x->t_end, x->t_end = t;
    x->y = x->y_end, x->y_end = y;
    x->yp = x->yp_end, x->yp_end = yp;
}

void rsd_jump_end(rsd_jump *x, const rsd_jump_attempt *a)
{
    rsd_vector_corrected(a->n, a->y, a->yp, a->e, a->alpha, x->y_end, x->yp_end);
    x->t_end = a->from + a->h;
}

const double *rsd_jump_derivatives(const rsd_jump *x, double t, double h)
{
    if (fabs(x->t_end - t) < RSD_SAME_PLACE * h) return x->yp_end;
    return fabs(x->t - t) < RSD_SAME_PLACE * h ? x->yp : NULL;
}

int rsd_jump_is_cut(double h, double h_last)
{
    return h < CUT * h_last;
}

int rsd_jump_watch(rsd_jump *x, double h_last, const rsd_jump_attempt *a)
{
    const double size = rsd_jump_size(a->n, a->kinds, a->tested, a->e, a->weight);
    if (size <= TOO_LARGE) return 0;
    x->is_off = a->size > TOO_LARGE && is_of_the_state(x, a);
    if (x->is_off || (rsd_jump_is_cut(a->h, h_last) && missed(x, a) > FORETOLD * size)) x->h = a->h;
    memcpy(x->e, a->e, (size_t)a->n * sizeof *a->e);
    x->from = a->from;
    x->h_e = a->h;
    return x->h > 0;
}

void rsd_jump_take(rsd_jump *x, int n, const resida_kind *kinds, double *y)
{
    for (int i = 0; i < n && x->is_off; i++)
        if (rsd_jump_counts(kinds[i])) y[i] += x->e[i];
    if (x->is_off) x->put_at = x->from, x->most_off = MOST_OFF;
    x->h = x->h_e = 0;
    x->is_off = 0;
}
