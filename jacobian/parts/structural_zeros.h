/* structural_zeros.h - known entries that may be zero at every point, such as entries of a sparse matrix that a model
 * gives as a full one. An entry is activated when its value is first nonzero: it is added to the pattern of J and
 * remains in the pattern. The test costs no call, because every setup evaluates the known entries. */
#ifndef RSD_STRUCTURAL_ZEROS_H
#define RSD_STRUCTURAL_ZEROS_H

#include "frame.h"
#include "jacobian/pattern/sparsity.h"

/** Known entries that have been zero so far, and are not in the pattern. */
typedef struct rsd_structural_zeros {
    unsigned char *is_zero; /* [number of known entries] 1: the entry has been zero so far; NULL: no zeros */
    int *list, n;           /* [n] indices of the known entries that are not in the pattern, because they were zero */
} rsd_structural_zeros;

/** Allocate the marks of n known entries. may_be_zero[k] = 1: entry k may be a structural zero; NULL: no entry is.
 *  @return 0 if there is no memory */
int rsd_structural_zeros_create(rsd_structural_zeros *z, const unsigned char *may_be_zero, int n,
                                const resida_allocator *a);

/** Mark all known entries with may_be_zero [n] 1 as structural zeros again. */
void rsd_structural_zeros_reset(rsd_structural_zeros *z, const unsigned char *may_be_zero, int n);

/** Find the positions at [n] of the entries in s. Structural zeros that are not in s get the position s->nnz. */
void rsd_structural_zeros_find_positions(rsd_structural_zeros *z, int n, const int *row, const int *column,
                                         const rsd_sparsity *s, int *at);

/** Activate the structural zeros whose values [n] are nonzero. @return the number of activated zeros */
int rsd_structural_zeros_activate(rsd_structural_zeros *z, const double *values);

#endif
