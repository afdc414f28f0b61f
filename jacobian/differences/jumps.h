/* jumps.h - detects difference quotients of dF_a/dy across a jump of F, and replaces them. */
#ifndef RSD_JUMPS_H
#define RSD_JUMPS_H

#include "differences.h"

typedef struct rsd_jumps {
    unsigned char *marked; /* [n] 1: a difference of the column crosses a jump of F */
    unsigned char *jumped; /* [n] 1: a difference in the row crossed a jump; pattern checks omit the row */
} rsd_jumps;

/** Allocate the arrays. @return 0 if there is no memory */
int rsd_jumps_create(rsd_jumps *jumps, const rsd_frame *f);

/** Replace jumps in the values [nnz] of dF_a/dy. B and C must be known.
 *  @param before  [nnz] the last values without jumps
 *  @return 0 on success; the result of F if it is not 0
 *  Cost: a call for each group with a jump, two with central differences. */
int rsd_jumps_replace(rsd_jumps *jumps, rsd_differences *d, const rsd_parts *p, const resida_jacobian_point *at,
                      double *values, const double *before);

/** Replace jumps in A. Then copy the entries that are not jumps to p->accepted. @return as rsd_jumps_replace() */
int rsd_jumps_replace_and_accept(rsd_jumps *jumps, rsd_differences *d, rsd_parts *p, const resida_jacobian_point *at);

#endif
