/* dependence.h - finds on which of its arguments each component of a function depends, by the search for the pattern of
 * J: bisection of blocks of arguments, or one by one where these are few. */
#ifndef RSD_DEPENDENCE_H
#define RSD_DEPENDENCE_H

#include "jacobian/pattern/sparsity.h"

/** A function of `cols` arguments with `rows` components, at some point. */
typedef struct rsd_dependence {
    int rows, cols;
    /** out [rows] = f(x + move) - f(x), move [cols]: components of size 1/2 to 1, or 0. A component that does not
     *  depend on what is moved is 0 to the last bit.
     *  @return 0; > 0: not possible there; < 0 fatal */
    int (*change)(const double *move, double *out, void *user);
    void *user;
} rsd_dependence;

/** Add the places (component, argument) to *pattern, which may be empty, but not freed. *grows 1: there were new ones.
 *  @return 0; RESIDA_ERR_MEMORY; the result of change, *pattern stays as it was.
 *  Cost: rsd_bisect(), and a call for each group of arguments */
int rsd_find_dependence(const rsd_dependence *f, rsd_sparsity *pattern, int *grows, const resida_allocator *alloc);

#endif
