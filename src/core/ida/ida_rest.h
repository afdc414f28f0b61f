/* ida_rest.h - a model at rest has no errors, and IDA doubles its steps: one of them goes over what acts for a
 * while alone, or ends whenever a periodic excitation is zero. So, as long as nothing moves, F is looked at once
 * more within each step, at a place that is no simple part of it, where the excitations differ most from those at
 * its end. What acts for much less than a step may still be missed. */
#ifndef RSD_IDA_REST_H
#define RSD_IDA_REST_H

#include "ida_newton.h"

/** An attempt has converged. 0; > 0: the step is too long, something acts within it; < 0 stop, the guard says why.
 *  Cost: O(n); at rest a residual call, and some of the excitation. */
int rsd_ida_rest_look(rsd_ida_newton *nw);

#endif
