/* dependence.h - finds the arguments on which each component of a function depends. It uses the search for the pattern
 * of J: bisection of blocks of arguments, or one argument at a time if there are few. */
#ifndef RSD_DEPENDENCE_H
#define RSD_DEPENDENCE_H

#include "jacobian/pattern/sparsity.h"

/** A function f(x) with `rows` components of `cols` arguments x, at a point x of the caller. */
typedef struct rsd_dependence {
    int rows, cols; /* number of components of f; number of its arguments */
    /** Compute out [rows] = f(x + move) - f(x). Components of move [cols] are 0 or of size 1/2 to 1. out_i must be
     *  exactly 0 if f_i does not depend on the changed arguments.
     *  @return 0 on success; > 0 if f cannot be evaluated there; < 0 on a fatal error */
    int (*change)(const double *move, double *out, void *user);
    void *user; /* last argument of change */
} rsd_dependence;

/** Add the pairs (component i, argument j) for which f_i depends on x_j to *pattern, which must be initialised and may
 *  be empty. *grows is set to 1 if there are new pairs.
 *  @return 0 on success; RESIDA_ERR_MEMORY or the result of change, with *pattern unchanged
 *  Cost: rsd_bisect_columns(), and a call for each group of arguments */
int rsd_find_dependence(const rsd_dependence *f, rsd_sparsity *pattern, int *grows, const resida_allocator *alloc);

#endif
