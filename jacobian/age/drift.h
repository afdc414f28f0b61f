/* drift.h - how fast the columns of a part of J change. What the last renewal changed in a column, relative to its
 * rows,
 *
 *     speed_c = max_i |change_ic| / w_c / (largest of row i of J, scaled alike) / |time between|,
 *
 * is expected of the time to come. */
#ifndef RSD_DRIFT_H
#define RSD_DRIFT_H

#include "jacobian/parts/parts.h"

#include <math.h>

typedef struct rsd_drift {
    double *speed;   /* [n] infinite: not known */
    double *t_found; /* [n] when the column was found; NaN: never */
    double *per_row; /* [n] 1 / largest of a row of J, columns scaled by the weights; 0: it is empty */
} rsd_drift;

/** 0: no memory. */
int rsd_drift_create(rsd_drift *x, const rsd_frame *f);

/** Nothing is known. */
void rsd_drift_forget(rsd_drift *x, int n);

/** The change of column c that is expected by t; not a number where nothing is known, and infinite. */
static inline double rsd_drift_expect(const rsd_drift *x, int c, double t)
{
    return x->speed[c] * fabs(t - x->t_found[c]);
}

/** Before some columns are found: the sizes of the rows of J as it is. */
void rsd_drift_begin(rsd_drift *x, const rsd_parts *p, const resida_jacobian_point *at);

/** The marked columns are found. @return the fastest of their speeds
 *  @param[in] now, before  [nnz] entries on the pattern of J; before NULL: `now` is by how much they have changed; both
 *                          NULL: they have not */
double rsd_drift_end(rsd_drift *x, const rsd_parts *p, const resida_jacobian_point *at, const unsigned char *marked,
                     const double *now, const double *before);

#endif
