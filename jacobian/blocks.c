/* blocks.c - the parts of J that cost no residual call: d(cheap)/dy from known entries and from differences of the
 * cheap part alone, dF/dyp from known entries. In GGL these are G in the constraint rows, G' in the columns of lam and
 * eta, -T, the curvature of the constraint forces, and alpha M. */
#include "engine_impl.h"

#include <string.h>

#include "src/base/callback.h"

static int known_entries(resida_jacobian *j, const resida_jacobian_point *at)
{
    const resida_system *s = &j->f.s;
    int verdict = s->known ? rsd_call_known(at->t, at->y, at->yp, j->given.y, j->given.yp, NULL, s) : 0;
    if (verdict || j->p.y.n + j->p.yp.n == 0) return verdict;
    return rsd_parts_activate(&j->p, &j->f, j->given.y, j->given.yp);
}

static void put_B(resida_jacobian *j)
{
    for (int k = 0; k < j->f.s.n_yp; k++) j->p.B[j->p.yp_at[k]] = j->given.yp[k];
}

static int differences_of_C(resida_jacobian *j, const resida_jacobian_point *at)
{
    const resida_system *s = &j->f.s;
    int verdict = s->around ? rsd_call_around(at->t, at->y, at->yp, NULL, s) : 0;
    if (!verdict) verdict = rsd_difference(&j->d, RSD_CHEAP, &j->p.cheap, at, 1, 0, RESIDA_COLUMN_CHEAP, NULL, j->p.C);
    if (s->around) (void)rsd_call_around(at->t, NULL, NULL, NULL, s);
    return verdict;
}

/* Its places are the same as long as the pattern is; all others stay zero. */
static int all_of_C(resida_jacobian *j, const resida_jacobian_point *at)
{
    if (!j->f.s.cheap) return 0;
    int verdict = j->f.combined ? 0 : differences_of_C(j, at);
    for (int k = 0; k < j->f.s.n_y && !verdict; k++) j->p.C[j->p.y_at[k]] = j->given.y[k];
    return verdict;
}

/* Entries of B that are not known, by differences. */
static int open_part_of_B(resida_jacobian *j, const resida_jacobian_point *at)
{
    double *B = j->p.before;
    memcpy(B, j->p.B, (size_t)j->p.pattern.nnz * sizeof *B);
    int verdict = rsd_difference(&j->d, RSD_WHOLE, &j->p.dear, at, 0, 1, RESIDA_COLUMN_YP, NULL, B);
    if (!verdict) rsd_parts_take_B(&j->p, B);
    return verdict;
}

int rsd_blocks(resida_jacobian *j, const resida_jacobian_point *at, int with_C, int with_B)
{
    int verdict = known_entries(j, at);
    if (!verdict && with_B && !j->f.combined) verdict = open_part_of_B(j, at);
    put_B(j);
    return verdict || !with_C ? verdict : all_of_C(j, at);
}
