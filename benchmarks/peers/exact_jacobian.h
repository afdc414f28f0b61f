/* exact_jacobian.h - J = dF/dy + alpha dF/dyp as good as an analytic one, and free of charge. */
#ifndef RSD_EXACT_JACOBIAN_H
#define RSD_EXACT_JACOBIAN_H

#include "peer_impl.h"

typedef struct exact_jacobian exact_jacobian;

/** Lives as long as the process. */
exact_jacobian *exact_jacobian_create(rsd_peer_run *run);

/** J [n x n], column by column, at a step size h. @return 0; > 0 not possible here */
int exact_jacobian_at(exact_jacobian *e, double t, double h, double alpha, const double *y, const double *yp,
                      double *J);

#endif
