/* bisection.h - finds the rows in which a column can have entries, by bisection of blocks of columns. */
#ifndef RSD_BISECTION_H
#define RSD_BISECTION_H

#include "search.h"

/** Minimum number of columns of a task for bisection. The first eight calls, which may be wasted, are then at most a
 *  sixteenth of the calls column by column. */
#define RSD_BISECTION_FROM 128

/** Find the positions (row, column) of possible entries in the columns of the task, whose colours are NULL. The result
 *  contains all entries that differences column by column would show, and perhaps more. *found is set to 0, with
 *  *possible empty, if bisection is too expensive or F cannot be evaluated at a perturbed point. d->r0 contains F at
 *  the point itself; increments are overwritten.
 *  @return 0 on success; RESIDA_ERR_MEMORY; a fatal result of F
 *  Cost: some calls per halving, down to the width of a band, if entries are few or lie in a band; at most a sixteenth
 *  of the columns if entries are distributed over the whole matrix. */
int rsd_bisect_columns(const rsd_task *t, rsd_sparsity *possible, int *found);

#endif
