/* bisection.h - the rows in which a column can have entries, found by bisection of blocks of columns. */
#ifndef RSD_BISECTION_H
#define RSD_BISECTION_H

#include "known.h"

/** Columns of a task from which on bisection is tried: the first eight calls, which may be lost, are then a sixteenth
 *  of the calls column by column. */
#define RSD_BISECTION_FROM 128

/** Find the places at which the columns of the task (its colours: NULL) can have entries that `known` (NULL: none) does
 *  not explain: all that differences column by column would show, and perhaps more. *found 0: bisection does not pay,
 *  or F is not possible there; *possible is then empty. F at the point itself is left in d->r0, increments are lost.
 *  @return 0; RESIDA_ERR_MEMORY; a fatal result of F
 *  Cost: some calls per halving, down to the width of a band, where entries are few or lie in a band; at most a
 *  sixteenth of the columns where entries are all over the matrix. */
int rsd_bisect(const rsd_task *t, const rsd_known *known, rsd_sparsity *possible, int *found);

#endif
