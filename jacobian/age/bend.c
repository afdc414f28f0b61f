/* bend.c - how fast the parts of J move that cost no residual call: where constraints hardly bend and masses hardly
 * change, their renewal, and the factors with it, can wait. What the last one changed in a column, relative to rows as
 * in stale.c,
 *
 *     bend_c = max_i |change of (C + alpha B)_ic| / w_c / (largest of row i of J, scaled alike) / |time between|,
 *
 * is taken for the next one. A wrong guess costs an iteration: a slow one renews them at once. What is known is renewed
 * as a whole; what is differenced, the curvature of the constraints, where the iteration corrects J only in the columns
 * that have changed by a part of what makes them due: half the calls of the constraints of a train carriage. Elsewhere
 * J of an attempt is exact. */
#include "jacobian/engine_impl.h"

#include <math.h>
#include <string.h>

#include "src/base/lanes.h"

/* Parts of a row. With 0.05 chains and flexible bodies are factored half as often, for 1 to 4 % more calls, and 12 %
 * with 0.1. Where an evaluation is dear, so that the iteration corrects J, 0.2 halves the renewals of a train at no
 * more calls. */
#define LITTLE      0.02
#define LITTLE_DEAR 0.2
#define SMALL       30.0 /* unknowns, up to which factors cost no more than a few iterations */
#define PART        0.25 /* of that: a column that has changed by less keeps its differences */
#define LEAST       0.02 /* of the fastest column: no column is taken to stand still */

/* Factors of a large matrix are dear, too. */
static double allowed(const resida_jacobian *j)
{
    return rsd_engine_is_dear(j) ? LITTLE_DEAR : fmin(LITTLE * fmax(1, j->n / SMALL), LITTLE_DEAR);
}

/* At the start nothing is known of it. */
static int has_moved(const resida_jacobian *j, int c, double t, double allowed)
{
    return !(j->bend[c] * fabs(t - j->t_renewed[c]) <= allowed);
}

int rsd_is_bent(const resida_jacobian *j, double t)
{
    double little = allowed(j);
    for (int c = 0; c < j->n && j->bends; c++)
        if (has_moved(j, c, t, little)) return 1;
    return 0;
}

void rsd_forget_bend(resida_jacobian *j)
{
    for (int c = 0; c < j->n; c++) j->bend[c] = INFINITY;
}

/* The model's own derivatives are taken at every attempt in any case. */
static int is_measured(const resida_jacobian *j)
{
    return j->bends && j->ready && !j->strategy->user;
}

void rsd_renew_all(resida_jacobian *j)
{
    memset(j->bent, 1, (size_t)j->n);
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

static void keep_differences_of_still_columns(resida_jacobian *j, double t)
{
    double part = PART * allowed(j);
    for (int c = 0; c < j->n; c++) j->bent[c] = !(j->columns[c] & RESIDA_COLUMN_CHEAP) || has_moved(j, c, t, part);
}

/* J is assembled later. One that is not due is asked for because the iteration was slow: then all is renewed. */
void rsd_begin_bend(resida_jacobian *j, const resida_jacobian_point *at)
{
    rsd_renew_all(j);
    if (!is_measured(j)) return;
    if (rsd_engine_is_dear(j) && rsd_is_bent(j, at->t)) keep_differences_of_still_columns(j, at->t);
    rsd_size_rows(j, at);
    take(j->C, at->alpha, j->B, j->J, j->pattern.nnz);
}

/* How much column c changed of its rows. */
static double change_of(const resida_jacobian *j, const resida_jacobian_point *at, int c)
{
    const double *change = j->J, *per_row = j->per_row;
    const int *row = j->pattern.row, end = j->pattern.col_start[c + 1];
    double most = 0;
    for (int e = j->pattern.col_start[c]; e < end; e++) most = rsd_larger(most, change[e] * per_row[row[e]]);
    return most / rsd_weight(at, c);
}

void rsd_end_bend(resida_jacobian *j, const resida_jacobian_point *at)
{
    double fastest = 0;
    int measured = is_measured(j);
    if (measured) compare(j->C, at->alpha, j->B, j->J, j->pattern.nnz);
    for (int c = 0; c < j->n; c++) {
        double elapsed = fabs(at->t - j->t_renewed[c]);
        if (!j->bent[c]) continue;
        if (!j->ready)
            j->bend[c] = INFINITY;
        else if (elapsed > 0)
            j->bend[c] = measured ? change_of(j, at, c) / elapsed : 0;
        j->t_renewed[c] = at->t;
        fastest = rsd_larger(fastest, j->bend[c]);
    }
    for (int c = 0; c < j->n; c++) j->bend[c] = rsd_larger(LEAST * fastest, j->bend[c]);
}
