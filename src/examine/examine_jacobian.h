/* examine_jacobian.h - is the jacobian of a general DAE that of its F, and are the products of a model those of it? */
#ifndef RSD_EXAMINE_JACOBIAN_H
#define RSD_EXAMINE_JACOBIAN_H

#include <resida/problem.h>

#include "src/watch/guard.h"
#include "src/watch/warnings.h"

/** Warn where J(alpha) d is not what differences of F along (d, alpha d) say, d a random direction, for alpha = 0 and
 *  the one given. Takes memory for the time of the call. y, yp [n]. Ten residual calls for each alpha, one of the
 *  jacobian.
 *  @return RESIDA_OK; RESIDA_ERR_MEMORY; what the guard stopped for */
resida_status rsd_examine_jacobian(rsd_guard *guard, double t, double alpha, const double *y, const double *yp,
                                   rsd_warnings *warnings);

/** The same of products that the model gives (resida/products.h), beside differences of the part of F that they are of:
 *  eight products for each alpha in the place of a jacobian. */
resida_status rsd_examine_times(rsd_guard *guard, double t, double alpha, const double *y, const double *yp,
                                rsd_warnings *warnings);

#endif
