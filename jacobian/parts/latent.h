/* latent.h - known entries that may be zero for good: those of a matrix that a model gives as a full one. They are no
 * part of the pattern of J before they are seen not to be zero for the first time; from then on they are. What is seen
 * costs nothing: the values are there at every setup. */
#ifndef RSD_LATENT_H
#define RSD_LATENT_H

#include "frame.h"
#include "jacobian/pattern/sparsity.h"

/** A list of known entries. */
typedef struct rsd_latent {
    unsigned char *sleeps; /* [all] 1: it was always zero. NULL: there are none of that kind */
    int *list, n;          /* those that sleep */
} rsd_latent;

/** latent [n]: 1: the entry is of that kind; NULL: none is. 0: no memory. */
int rsd_latent_create(rsd_latent *x, const unsigned char *latent, int n, const resida_allocator *a);

/** All of them sleep again. */
void rsd_latent_reset(rsd_latent *x, const unsigned char *latent, int n);

/** The places of those that do not sleep, of the n places (row, column), as a pattern. RESIDA_ERR_MEMORY. */
int rsd_latent_pattern(const rsd_latent *x, int n, const int *row, const int *column, const rsd_frame *f,
                       rsd_sparsity *s);

/** Where the entries are in s, at [n]; those that sleep, and are not in it, have its place past the end. */
void rsd_latent_place(rsd_latent *x, int n, const int *row, const int *column, const rsd_sparsity *s, int *at);

/** Wake those that are not zero any more, values [n]. @return how many */
int rsd_latent_wake(rsd_latent *x, const double *values);

#endif
