/* bisection.h - the rows in which a column can have entries, found by bisection of blocks of columns. */
#ifndef RSD_BISECTION_H
#define RSD_BISECTION_H

#include "jacobian/differences/differences.h"

/** Columns of a task from which on bisection is tried: the first eight calls, which may be lost, are then a sixteenth
 *  of the calls column by column. */
#define RSD_BISECTION_FROM 128

/** Known difference quotients of a task. Bisection finds the rows whose change they do not explain. */
typedef struct rsd_known {
    const rsd_grouping *grouping;
    const double *values;         /* [nnz] of J's pattern */
    double share;                 /* tolerance of a row's change, relative to the sum of the sizes of its parts */
    const double *terms;          /* [n] sizes of the terms of each row, which cause its rounding */
    const unsigned char *ignored; /* [n] 1: the row is not compared */
    double *change, *sizes;       /* [n] work space: predicted change of each row, sum of the sizes of its parts */
} rsd_known;

/** Find the places at which the columns of the task (its colours: NULL) can have entries that `known` (NULL: none) does
 *  not explain: all that differences column by column would show, and perhaps more. *found 0: bisection does not pay,
 *  or F is not possible there; *possible is then empty. F at the point itself is left in d->r0, increments are lost.
 *  @return 0; RESIDA_ERR_MEMORY; a fatal result of F
 *  Cost: some calls per halving, down to the width of a band, where entries are few or lie in a band; at most a
 *  sixteenth of the columns where entries are all over the matrix. */
int rsd_bisect(const rsd_task *t, const rsd_known *known, rsd_sparsity *possible, int *found);

#endif
