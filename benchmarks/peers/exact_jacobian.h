/* exact_jacobian.h - J = dF/dy + alpha dF/dyp with the accuracy of an analytic Jacobian, without counted residual
 * calls. */
#ifndef RSD_EXACT_JACOBIAN_H
#define RSD_EXACT_JACOBIAN_H

#include "peer_impl.h"

typedef struct exact_jacobian exact_jacobian;

/** The object is static and never freed. */
exact_jacobian *exact_jacobian_create(rsd_peer_run *run);

/** Compute J [n x n, by columns] at a step size h. @return 0, or > 0 if F could not be evaluated */
int exact_jacobian_at(exact_jacobian *e, double t, double h, double alpha, const double *y, const double *yp,
                      double *J);

#endif
