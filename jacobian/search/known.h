/* known.h - finds rows that change when columns are perturbed. Without known quotients such a row changes by more than
 * rounding. With known difference quotients its change differs from their prediction. Every search for entries uses
 * these tests. */
#ifndef RSD_KNOWN_H
#define RSD_KNOWN_H

#include "jacobian/differences/differences.h"

/** Known difference quotients of a task, with which changes of F are predicted. */
typedef struct rsd_known {
    const rsd_grouping *grouping;
    const double *values;           /* [nnz] quotients in the pattern of J */
    const unsigned char *evaluated; /* [n] 1: the column was evaluated at this point; NULL: all */
    double share, old_share;        /* tolerances, relative to the changes by evaluated columns; by other columns */
    const unsigned char *ignored;   /* [n] 1: the row is not compared */
    const double *terms;            /* [n] size of the terms of each row, for its rounding error */
    double *change, *tolerance;     /* [n] predicted change of each row; its tolerance */
} rsd_known;

/** Return the task that differences A or B by columns. A is dF_a/dy, or dF/dy + alpha dF/dyp if combined; B is
 *  dF/dyp. */
rsd_task rsd_task_create_for_A(rsd_differences *d, const resida_jacobian_point *at);
rsd_task rsd_task_create_for_B(rsd_differences *d, const resida_jacobian_point *at);

/** Return the number of columns that the task perturbs. */
int rsd_task_count_columns(const rsd_task *t);

/** Return the rounding error of a change of row i from lo to hi. The rounding of F is included, because F_a at the
 *  point is computed as F - F_c. The rounding error of products is 0. */
double rsd_compute_row_rounding(const rsd_task *t, int i, double hi, double lo);

/** Set the terms (in d->scale) and the workspace of known quotients. The values are p->A or p->B. */
void rsd_known_prepare(rsd_known *known, rsd_differences *d, const rsd_parts *p, const resida_jacobian_point *at);

/** Evaluate F into d->r with n columns of the task perturbed at once by `side` times d->delta. Predict the change from
 *  the known quotients (NULL: no prediction). @return the result of F */
int rsd_evaluate_columns(const rsd_task *t, const rsd_known *known, const int *columns, int n, double side);

/** Return 1 if row i is NaN or has not changed as predicted, after rsd_evaluate_columns(). */
int rsd_is_row_unpredicted(const rsd_task *t, const rsd_known *known, int i);

/** Return the change of row i by rsd_evaluate_columns(), minus the predicted change. */
double rsd_get_unpredicted_change(const rsd_task *t, const rsd_known *known, int i);

/** Return 1 if curvature alone explains the unpredicted change of row i, after rsd_evaluate_columns() with side 1/2.
 *  rest: the same change with side 1. With side s the unpredicted change is L s + Q s^2, and L = 4 rest(1/2) - rest(1)
 *  is zero if no entry is missing. Terms of third order are assumed to be below known->share of rest. */
int rsd_is_row_curved(const rsd_task *t, const rsd_known *known, int i, double rest);

#endif
