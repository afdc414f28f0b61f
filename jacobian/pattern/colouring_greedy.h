/* colouring_greedy.h - the own distance-2 colouring, one column after the other. */
#ifndef RSD_COLOURING_GREEDY_H
#define RSD_COLOURING_GREEDY_H

#include "sparsity.h"

/** The order in which columns are taken. Neighbours: columns with a row in common. */
typedef enum rsd_greedy_order {
    RSD_GREEDY_NATURAL,      /**< as they stand */
    RSD_GREEDY_SMALLEST_LAST /**< from the back: always the one with the fewest neighbours among those left */
} rsd_greedy_order;

/** @param[out] group  [s->cols] from 0; every number below the largest is used
 *  @return RESIDA_OK; RESIDA_ERR_MEMORY
 *  Cost: the lengths of the rows of every column, summed. */
resida_status rsd_greedy_colour(rsd_greedy_order order, const rsd_sparsity *s, int *group,
                                const resida_allocator *alloc);

#endif
