/* complementarity.h - linear complementarity problems: impulses of an impact, forces of contacts that hold, with and
 * without friction. */
#ifndef RSD_COMPLEMENTARITY_H
#define RSD_COMPLEMENTARITY_H

#include "src/base/memory.h"

/** w = M z + q of size m, as a tableau: w - M z - z_0 e = q. */
typedef struct rsd_lcp {
    int m, width;  /* width of a row: w, z, z_0, q */
    double *row;   /* [m x width] */
    int *variable; /* [m] basic: 0 .. m - 1 w, m .. 2 m - 1 z, 2 m z_0 */
} rsd_lcp;

/** A tableau of zeros; the caller sets -M and q by rsd_lcp_row(). Memory is left to the owner of a.
 *  RESIDA_ERR_MEMORY */
resida_status rsd_lcp_create(rsd_lcp *l, int m, const resida_allocator *a);

/** Row i: -M_ij in [m + j], q_i in [2 m + 1]. */
static inline double *rsd_lcp_row(const rsd_lcp *l, int i)
{
    return l->row + (long)i * l->width;
}

/** z [m] >= 0 with w >= 0, w'z = 0; the tableau is overwritten. |q_i| up to `rounding` is zero. *last: the index of the
 *  last variable that entered, one of those that exclude a solution.
 *  @return 1: solved; 0: there is no solution, if M is symmetric and positive semidefinite; < 0: none was found */
int rsd_lcp_solve(rsd_lcp *l, double rounding, double *z, int *last);

#endif
