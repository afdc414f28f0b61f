/* bend.c - the parts of J that cost no residual call: where constraints hardly bend and masses hardly change, their
 * renewal, and the factors with it, can wait (drift.h). A wrong guess costs an iteration: a slow one renews them at
 * once. What is known is renewed as a whole; what is differenced, the curvature of the constraints, where the iteration
 * corrects J only in the columns that have changed by a part of what makes them due: half the calls of the constraints
 * of a train carriage. Elsewhere J of an attempt is exact. */
#include "bend.h"

#include <math.h>
#include <string.h>

#include "src/base/lanes.h"
#include "src/base/memory.h"

/* Parts of a row. With 0.05 chains and flexible bodies are factored half as often, for 1 to 4 % more calls, and 12 %
 * with 0.1. Where an evaluation is dear, so that the iteration corrects J, 0.2 halves the renewals of a train at no
 * more calls. */
#define LITTLE_BENT      0.02
#define LITTLE_BENT_DEAR 0.2
#define SMALL_N          30.0 /* unknowns, up to which factors cost no more than a few iterations */
#define PART_OF_LITTLE   0.25 /* of that: a column that has changed by less keeps its differences */
#define LEAST            0.02 /* of the fastest column: no column is taken to stand still */

int rsd_bend_create(rsd_bend *x, const rsd_frame *f)
{
    x->marked = rsd_calloc(&f->alloc, f->n, 1);
    return rsd_drift_create(&x->drift, f) && x->marked;
}

void rsd_bend_free(rsd_bend *x, const rsd_frame *f)
{
    rsd_drift_free(&x->drift, f);
    rsd_free(&f->alloc, x->marked);
}

void rsd_bend_forget(rsd_bend *x, const rsd_frame *f)
{
    rsd_drift_forget(&x->drift, f->n);
}

/* Factors of a large matrix are dear, too. */
static double allowed(const rsd_frame *f, int is_dear)
{
    return is_dear ? LITTLE_BENT_DEAR : fmin(LITTLE_BENT * fmax(1, f->n / SMALL_N), LITTLE_BENT_DEAR);
}

/* At the start nothing is known of it. */
static int has_moved(const rsd_bend *x, int c, double t, double allowed)
{
    return !(rsd_drift_expect(&x->drift, c, t) <= allowed);
}

int rsd_bend_is_due(const rsd_bend *x, const rsd_frame *f, double t, int is_dear)
{
    if (!f->has_open_C) return 0;
    const double little = allowed(f, is_dear);
    const int n = f->n;
    for (int c = 0; c < n; c++)
        if (has_moved(x, c, t, little)) return 1;
    return 0;
}

void rsd_bend_mark_all(rsd_bend *x, const rsd_frame *f)
{
    memset(x->marked, 1, (size_t)f->n);
}

void rsd_bend_found(rsd_bend *x, const rsd_frame *f, double t)
{
    rsd_drift_found(&x->drift, f->n, t);
}

/* The model's own derivatives are taken at every attempt in any case. */
static int is_measured(const rsd_frame *f)
{
    return f->has_open_C && !f->strategy->user;
}

/* x = C + alpha B */
RSD_WIDE static void take(const double *C, double alpha, const double *B, double *x, int nnz)
{
    RSD_ELEMENTWISE for (int e = 0; e < nnz; e++) x[e] = C[e] + alpha * B[e];
}

/* x = |C + alpha B - x| */
RSD_WIDE static void compare(const double *C, double alpha, const double *B, double *x, int nnz)
{
    RSD_ELEMENTWISE for (int e = 0; e < nnz; e++) x[e] = fabs(C[e] + alpha * B[e] - x[e]);
}

/* One that is not due is asked for because the iteration was slow: then all is renewed. */
void rsd_bend_begin(rsd_bend *x, const rsd_frame *f, const rsd_parts *p, const resida_jacobian_point *at, int is_dear)
{
    rsd_bend_mark_all(x, f);
    if (!is_measured(f)) return;
    if (is_dear && rsd_bend_is_due(x, f, at->t, is_dear)) {
        const double part = PART_OF_LITTLE * allowed(f, is_dear);
        for (int c = 0; c < f->n; c++)
            x->marked[c] = !(f->columns[c] & RESIDA_COLUMN_CHEAP) || has_moved(x, c, at->t, part);
    }
    rsd_drift_begin(&x->drift, p, at);
    take(p->C, at->alpha, p->B, p->before, p->pattern.nnz);
}

void rsd_bend_end(rsd_bend *x, const rsd_frame *f, const rsd_parts *p, const resida_jacobian_point *at)
{
    const int measured = is_measured(f);
    if (measured) compare(p->C, at->alpha, p->B, p->before, p->pattern.nnz);
    const double fastest = rsd_drift_end(&x->drift, p, at, x->marked, measured ? p->before : NULL, NULL);
    rsd_drift_floor(&x->drift, f->n, LEAST * fastest);
}
