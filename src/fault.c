/* fault.c - keeps the first failure of a callback, so that a NaN that has gone through half the model is blamed on
 * where it came from. It judges nothing: an output that nobody uses may be NaN. */
#include "fault.h"

#include <math.h>
#include <stddef.h>

#include "lanes.h"

/* No early exit: it vectorises. */
RSD_WIDE static double zero_times(const double *x, long n)
{
    double sum[RSD_LANE] = {0, 0, 0, 0};
    for (long i = 0; i < n; i += RSD_LANE)
        for (int q = 0; q < RSD_LANE; q++) sum[q] += 0 * x[i + q];
    return rsd_lane_sum(sum);
}

double rsd_zero_times(const double *x, long n)
{
    return zero_times(x, n);
}

int rsd_fault_keep(rsd_fault *fault, const char *callback, double t, int verdict, const double *out, int n)
{
    if (verdict != 0) {
        *fault = (rsd_fault){callback, verdict, -1, t};
    } else if (!rsd_fault_nonfinite(fault)) {
        int i = 0;
        while (i < n - 1 && isfinite(out[i])) i++;
        *fault = (rsd_fault){callback, 0, i, t};
    }
    return verdict;
}

int rsd_fault_nonfinite(const rsd_fault *fault)
{
    return fault->callback != NULL && fault->verdict == 0;
}

void rsd_fault_forget(rsd_fault *fault)
{
    fault->callback = NULL;
}
