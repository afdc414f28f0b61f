/* fixed_events.c - root finding by bisection on the interpolant of the last step, down to the rounding of t: a few dozen calls of
 * cheap functions for each event. A function that becomes exactly zero has crossed there, and what stays at zero crosses no more;
 * one that is zero from the start on is waited for. */
#include "fixed_events.h"

#include <float.h>
#include <math.h>

resida_status rsd_events_create(rsd_events *e, const resida_allocator *alloc)
{
    e->n_root = rsd_problem_n_root(e->guard->problem);
    e->value = rsd_doubles(alloc, e->n_root);
    e->side = rsd_calloc(alloc, e->n_root, sizeof *e->side);
    e->at_zero = rsd_calloc(alloc, e->n_root, sizeof *e->at_zero);
    e->direction = rsd_calloc(alloc, e->n_root, sizeof *e->direction);
    e->y = rsd_doubles(alloc, e->past->n);
    e->yp = rsd_doubles(alloc, e->past->n);
    return e->value && e->side && e->at_zero && e->direction && e->y && e->yp ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

void rsd_events_free(rsd_events *e, const resida_allocator *alloc)
{
    void *blocks[] = {e->value, e->side, e->at_zero, e->direction, e->y, e->yp};
    for (int i = 0; i < 6; i++) rsd_free(alloc, blocks[i]);
}

static int sign(double x)
{
    return (x > 0) - (x < 0);
}

int rsd_events_begin(rsd_events *e, double t, const double *y, const double *yp)
{
    if (e->n_root == 0) return 0;
    int verdict = rsd_guard_roots(e->guard, t, y, yp, e->value);
    for (int i = 0; i < e->n_root && !verdict; i++) {
        e->side[i] = sign(e->value[i]);
        e->at_zero[i] = e->side[i] == 0;
    }
    return verdict;
}

/* Does function i lie on another side than where it was looked at last? */
static int has_crossed(const rsd_events *e, int i)
{
    return e->side[i] != 0 && sign(e->value[i]) != e->side[i] && !(e->value[i] == 0 && e->at_zero[i]);
}

/* From here on. */
static void look(rsd_events *e, int i)
{
    e->direction[i] = has_crossed(e, i) ? -e->side[i] : 0;
    e->side[i] = e->direction[i] ? e->direction[i] : e->value[i] == 0 ? e->side[i] : sign(e->value[i]);
    e->at_zero[i] = e->value[i] == 0;
}

/* *crossed: has any function at t, within the step from t1 - h to t1? */
static int look_at(rsd_events *e, double t1, double t, int *crossed)
{
    double h = e->past->h[0];
    rsd_past_interpolate(e->past, t == t1 ? 1 : 1 - (t1 - t) / h, e->y, e->yp);
    int verdict = rsd_guard_roots(e->guard, t, e->y, e->yp, e->value);
    *crossed = 0;
    for (int i = 0; i < e->n_root && !verdict; i++) *crossed |= has_crossed(e, i);
    return verdict;
}

int rsd_events_find(rsd_events *e, double t0, double t1, double *t_event)
{
    int crossed = 0, verdict = 0;
    double before = t0, after = t1;
    *t_event = INFINITY;
    if (e->n_root == 0) return 0;
    if ((verdict = look_at(e, t1, t1, &crossed))) return verdict;
    const int is_event = crossed;
    while (is_event && after - before > 4 * DBL_EPSILON * fmax(fabs(before), fabs(after))) {
        double middle = before + (after - before) / 2;
        if ((verdict = look_at(e, t1, middle, &crossed))) return verdict;
        *(crossed ? &after : &before) = middle;
    }
    if (is_event && (verdict = look_at(e, t1, after, &crossed))) return verdict;
    for (int i = 0; i < e->n_root; i++) look(e, i);
    if (is_event) *t_event = after;
    return 0;
}
