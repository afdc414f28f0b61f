/* jumps.h - differences of d(dear)/dy that went across a jump of F: they are found and replaced by those beyond it. */
#ifndef RSD_JUMPS_H
#define RSD_JUMPS_H

#include "differences.h"

typedef struct rsd_jumps {
    unsigned char *marked; /* [n] columns that look like a jump */
    unsigned char *jumped; /* [n] rows of A that went across one: no check explains them */
    int unsettled;         /* A has entries that look like a jump, but do no harm at this alpha */
} rsd_jumps;

/** 0: no memory. */
int rsd_jumps_create(rsd_jumps *x, const rsd_frame *f);

/** Replace in the values [nnz] of d(dear)/dy what went across a jump. B and C must be known.
 *  @param before  [nnz] what the values were when they were last free of jumps
 *  Cost: none where nothing looks like a jump; else a call for each group that does (two with central differences). */
int rsd_jumps_replace(rsd_jumps *x, rsd_differences *d, const rsd_parts *p, const resida_jacobian_point *at,
                      double *values, const double *before);

/** The same for A, after which it is accepted. */
int rsd_jumps_accept(rsd_jumps *x, rsd_differences *d, rsd_parts *p, const resida_jacobian_point *at);

/** A kept at a new alpha: what did no harm at the old one may now. Cost: two calls for each group that looks like a
 *  jump. */
int rsd_jumps_accept_again(rsd_jumps *x, rsd_differences *d, rsd_parts *p, const resida_jacobian_point *at);

#endif
