/* structural_zeros.h - known entries that may be zero at every point, as those of a matrix that a model gives as a full
 * one. They get a place in the pattern of J when they are first not zero, and keep it: they are activated. This costs
 * no call, as every setup has their values. */
#ifndef RSD_STRUCTURAL_ZEROS_H
#define RSD_STRUCTURAL_ZEROS_H

#include "frame.h"
#include "jacobian/pattern/sparsity.h"

/** The structural zeros in a list of known entries. */
typedef struct rsd_structural_zeros {
    unsigned char *is_zero; /* [all entries] 1: the entry was zero so far; NULL: no entry of the list may be */
    int *list, n;           /* [n] entries that were zero when the pattern was made */
} rsd_structural_zeros;

/** Allocate for n known entries. latent [n] 1: the entry may be a structural zero; NULL: none. 0: no memory. */
int rsd_structural_zeros_create(rsd_structural_zeros *z, const unsigned char *latent, int n, const resida_allocator *a);

/** Mark all entries with latent [n] 1 as structural zeros again. */
void rsd_structural_zeros_reset(rsd_structural_zeros *z, const unsigned char *latent, int n);

/** Find the places of the entries in s, at [n]; structural zeros outside of it have the place past its end. */
void rsd_structural_zeros_place(rsd_structural_zeros *z, int n, const int *row, const int *column,
                                const rsd_sparsity *s, int *at);

/** Activate the structural zeros whose values [n] are not zero. @return their number */
int rsd_structural_zeros_activate(rsd_structural_zeros *z, const double *values);

#endif
