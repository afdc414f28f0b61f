/* blocks.c - the parts of J that cost no residual call: d(cheap)/dy from known entries and from differences of the
 * cheap part alone, dF/dyp from known entries. In GGL these are G in the constraint rows, G' in the columns of lam and
 * eta, -T, the curvature of the constraint forces, and alpha M. */
#include "engine_impl.h"

#include <math.h>
#include <string.h>

#define SAME 1e-5 /* of B's largest entry: a smaller change is rounding */

static int known_entries(resida_jacobian *j, const resida_jacobian_point *at)
{
    const resida_system *s = &j->s;
    return s->known ? rsd_call_known(at->t, at->y, at->yp, j->known_y, j->known_yp, NULL, s) : 0;
}

static void put_B(resida_jacobian *j)
{
    for (int k = 0; k < j->s.n_yp; k++) j->B[j->yp_at[k]] = j->known_yp[k];
}

/* Its places are the same as long as the pattern is; all others stay zero. Columns that have not bent keep their
 * differences. */
static int all_of_C(resida_jacobian *j, const resida_jacobian_point *at)
{
    if (!j->s.cheap) return 0;
    int verdict = j->combined ? 0 : rsd_difference(j, RSD_CHEAP, at, 1, 0, RESIDA_COLUMN_CHEAP, j->bent, j->C);
    for (int k = 0; k < j->s.n_y && !verdict; k++) j->C[j->y_at[k]] = j->known_y[k];
    return verdict;
}

void rsd_take_B(resida_jacobian *j)
{
    double largest = 0, change = 0;
    for (int e = 0; e < j->pattern.nnz; e++) {
        largest = fmax(largest, fabs(j->J[e]));
        change = fmax(change, fabs(j->J[e] - j->B[e]));
    }
    j->B_same = change <= SAME * largest ? j->B_same + 1 : 0;
    memcpy(j->B, j->J, (size_t)j->pattern.nnz * sizeof *j->B);
}

/* Entries of B that are not known, by differences. */
static int open_part_of_B(resida_jacobian *j, const resida_jacobian_point *at)
{
    memcpy(j->J, j->B, (size_t)j->pattern.nnz * sizeof *j->B); /* J is assembled later */
    int verdict = rsd_difference(j, RSD_WHOLE, at, 0, 1, RESIDA_COLUMN_YP, NULL, j->J);
    if (!verdict) rsd_take_B(j);
    return verdict;
}

int rsd_blocks(resida_jacobian *j, const resida_jacobian_point *at, int with_C, int with_B)
{
    int verdict = known_entries(j, at);
    if (!verdict && with_B && !j->combined) verdict = open_part_of_B(j, at);
    put_B(j);
    return verdict || !with_C ? verdict : all_of_C(j, at);
}
