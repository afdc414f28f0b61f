/* known.h - rows that change when columns are perturbed: by more than rounding, or otherwise than known difference
 * quotients predict. Every search for entries judges rows by these. */
#ifndef RSD_KNOWN_H
#define RSD_KNOWN_H

#include "jacobian/differences/differences.h"

/** Known difference quotients of a task. */
typedef struct rsd_known {
    const rsd_grouping *grouping;
    const double *values;           /* [nnz] of J's pattern */
    const unsigned char *evaluated; /* [n] 1: the column was evaluated at this point; NULL: all */
    double share, old_share;        /* tolerance of a row's change, relative to its parts: of such columns, of others */
    const unsigned char *ignored;   /* [n] 1: the row is not compared */
    const double *terms;            /* [n] sizes of the terms of each row, which cause its rounding */
    double *change, *tolerance;     /* [n] predicted change of each row, and its tolerance */
} rsd_known;

/** The task of dF_a/dy, or of dF/dy + alpha dF/dyp when combined; and that of dF/dyp. Column by column. */
rsd_task rsd_task_of_A(rsd_differences *d, const resida_jacobian_point *at);
rsd_task rsd_task_of_B(rsd_differences *d, const resida_jacobian_point *at);

/** The number of columns that the task perturbs. */
int rsd_task_columns(const rsd_task *t);

/** The rounding of a change of row i from lo to hi. F at the point may be F minus its constraint part, so it has the
 *  rounding of F. Products have none. */
double rsd_row_rounding(const rsd_task *t, int i, double hi, double lo);

/** Set terms, which lie in d->scale, and the work space of known quotients; the values are p->A or p->B. */
void rsd_known_begin(rsd_known *known, rsd_differences *d, const rsd_parts *p, const resida_jacobian_point *at);

/** Call F into d->r with n columns of the task perturbed at once by `side` times d->delta; predict the change by the
 *  known quotients (NULL: none). @return the result of F */
int rsd_call_columns(const rsd_task *t, const rsd_known *known, const int *columns, int n, double side);

/** 1: after such a call row i has changed otherwise than predicted, or is not a number. */
int rsd_row_is_unexplained(const rsd_task *t, const rsd_known *known, int i);

#endif
