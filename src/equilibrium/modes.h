/* modes.h - eigenvalues of E x' = A x of index 1 or 0. */
#ifndef RSD_MODES_H
#define RSD_MODES_H

#include "src/base/memory.h"

typedef enum rsd_modes_outcome {
    RSD_MODES_FOUND,
    RSD_MODES_INDEX,         /**< the index is above 1, or the pencil singular */
    RSD_MODES_NOT_CONVERGED, /**< the iteration for eigenvalues */
    RSD_MODES_NO_MEMORY
} rsd_modes_outcome;

/** The finite eigenvalues; there are as many as E has rank.
 *  @param[in]  E, A      [n x n] column by column, overwritten
 *  @param[out] n_modes   how many; re, im [n] [1/s], the slowest first
 *  @param[out] n_hidden  the first of them that are so slow beside the fastest that they are not told from 0 */
rsd_modes_outcome rsd_modes_find(int n, double *E, double *A, const resida_allocator *alloc, int *n_modes,
                                 int *n_hidden, double *re, double *im);

#endif
