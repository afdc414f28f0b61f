/* colouring_greedy.h - greedy distance-2 colouring without a library. */
#ifndef RSD_COLOURING_GREEDY_H
#define RSD_COLOURING_GREEDY_H

#include "sparsity.h"

/** Colour the columns of the pattern s in the order "smallest last": the column with the fewest uncoloured neighbours
 *  is last. Neighbours are columns with a common row.
 *  @param[out] group  [s->cols] colours from 0 without gaps
 *  @return RESIDA_OK; RESIDA_ERR_MEMORY
 *  Cost: sum over the columns of the lengths of their rows. */
resida_status rsd_colour_greedily(const rsd_sparsity *s, int *group, const resida_allocator *alloc);

#endif
