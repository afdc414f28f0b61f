/* start_dae.h - a consistent start of a general DAE of index 1. */
#ifndef RSD_START_DAE_H
#define RSD_START_DAE_H

#include "guard.h"

/** Solve F(t, y, yp) = 0 for yp, and for y where M y, M = dF/dyp, stays what it is: for algebraic components, and the others
 *  along the kernel of M. What of yp F does not depend on stays what it is. Takes memory for the time of the call.
 *  y, yp [n] in and out. @return RESIDA_OK; RESIDA_ERR_INCONSISTENT, _MEMORY; what the guard stopped for */
resida_status rsd_start_dae(rsd_guard *guard, double t, double *y, double *yp);

#endif
