/* halves.h - which rows a column can touch, learnt from columns that move together. */
#ifndef RSD_HALVES_H
#define RSD_HALVES_H

#include "jacobian/differences/differences.h"

/** Columns of a task from which on they are looked at together: eight calls, which may tell nothing, are then a
 *  sixteenth of what they cost one by one. */
#define RSD_HALVES_FROM 128

/** What is known of the difference quotients of a task: only what it does not explain is looked for. */
typedef struct rsd_known {
    const rsd_grouping *dear;
    const double *values;         /* [nnz] of J's pattern */
    double share;                 /* of the sizes that add up to a row's change: a smaller difference is none */
    const double *terms;          /* [n] sizes of the terms of rows, for their rounding */
    const unsigned char *ignored; /* [n] rows that are not looked at */
    double *change, *sizes;       /* [n] work space: of rows in a call */
} rsd_known;

/** What these columns change when they are moved by side increments: known->change, ->sizes. */
void rsd_known_predict(const rsd_known *known, const rsd_task *t, const int *columns, int n, double side);

/** 1: the row's change is not the predicted one; size: of the row itself, for its rounding. */
int rsd_known_denies(const rsd_known *known, int row, double change, double size);

/** Where the columns that the task moves (its colours: NULL) can have entries beyond what is known (NULL: nothing): all
 *  that single columns would show, and perhaps more. *found 0: together they tell too little, or F is not possible
 *  there; *possible is then empty.
 *  F at the point itself is left in d->r0, increments are lost.
 *  The verdict of F where it is fatal, or RESIDA_ERR_MEMORY.
 *  Cost: where the entries lie in a band, or are few, some calls for each halving of the columns down to its width;
 *  where they are all over the matrix, a sixteenth of the columns at most. */
int rsd_halves(const rsd_task *t, const rsd_known *known, rsd_sparsity *possible, int *found);

#endif
