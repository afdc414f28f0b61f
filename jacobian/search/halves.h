/* halves.h - which rows a column can touch, learnt from columns that move together. */
#ifndef RSD_HALVES_H
#define RSD_HALVES_H

#include "jacobian/differences/differences.h"

/** Columns of a task from which on they are looked at together: eight calls, which may tell nothing, are then a
 *  sixteenth of what they cost one by one. */
#define RSD_HALVES_FROM 128

/** Where the columns that the task moves (its colours: NULL) can have entries: all that single columns would show, and
 *  perhaps more. *found 0: together they tell too little, or F is not possible there; *possible is then empty.
 *  F at the point itself is left in d->r0, increments are lost.
 *  The verdict of F where it is fatal, or RESIDA_ERR_MEMORY.
 *  Cost: where the entries lie in a band, some calls for each halving of the columns down to its width; where they are
 *  all over the matrix, a sixteenth of the columns at most. */
int rsd_halves(const rsd_task *t, rsd_sparsity *possible, int *found);

#endif
