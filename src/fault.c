/* fault.c - keeps the first failure of a callback, so that a NaN that has gone through half the model is blamed on
 * where it came from. It judges nothing: an output that nobody uses may be NaN. */
#include "fault.h"

#include <math.h>
#include <stddef.h>

#include "lanes.h"

RSD_WIDE static int all_finite(const double *x, long n)
{
    double sum[RSD_LANE] = {0, 0, 0, 0}; /* stay 0 unless something is NaN or Inf; no early exit: it vectorises */
    long whole = n & ~(long)(RSD_LANE - 1);
    for (long i = 0; i < whole; i += RSD_LANE)
        for (int q = 0; q < RSD_LANE; q++) sum[q] += 0 * x[i + q];
    double rest = 0;
    for (long i = whole; i < n; i++) rest += 0 * x[i];
    return rsd_lane_sum(sum) + rest == 0;
}

int rsd_all_finite(const double *x, long n)
{
    return all_finite(x, n);
}

int rsd_fault_note(rsd_fault *fault, const char *callback, double t, int verdict, const double *out, int n)
{
    if (verdict != 0) {
        *fault = (rsd_fault){callback, verdict, -1, t};
    } else if (!rsd_fault_nonfinite(fault) && !rsd_all_finite(out, n)) {
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
