/* drift.h - the rate of change of the columns of a part of J, from the last two evaluations of each column:
 *
 *     speed_c = max_i |change_ic| / w_c / (largest of row i of J, scaled alike) / |time between|
 *
 * w_c is the error weight of component c. */
#ifndef RSD_DRIFT_H
#define RSD_DRIFT_H

#include "jacobian/parts/parts.h"

#include <math.h>

typedef struct rsd_drift {
    double *speed;   /* [n] rate of change of each column; infinite: unknown */
    double *t_found; /* [n] time of the last evaluation of the column; NaN: never */
    double *per_row; /* [n] 1 / largest entry of a row of J, columns scaled by the weights; 0: an empty row */
} rsd_drift;

/** Allocate the arrays. @return 0 if there is no memory */
int rsd_drift_create(rsd_drift *drift, const rsd_frame *f);

/** Set all speeds to unknown. */
void rsd_drift_reset(rsd_drift *drift, int n);

/** Return the expected change of column c until t; NaN or infinite if the speed is unknown. */
static inline double rsd_drift_expect(const rsd_drift *drift, int c, double t)
{
    return drift->speed[c] * fabs(t - drift->t_found[c]);
}

/** Call this before columns are evaluated: record the sizes of the rows of J. */
void rsd_drift_record_row_sizes(rsd_drift *drift, const rsd_parts *p, const resida_jacobian_point *at);

/** Call this after the marked columns were evaluated: compute their speeds. @return the largest of these speeds
 *  @param[in] now, before  [nnz] entries on the pattern of J; before NULL: `now` is the change; both NULL: no change */
double rsd_drift_compute_speeds(rsd_drift *drift, const rsd_parts *p, const resida_jacobian_point *at,
                                const unsigned char *marked, const double *now, const double *before);

#endif
