/* fault.c - keeps the first failure of a callback, so that a NaN that has gone through half the model is blamed on
 * where it came from. It judges nothing: an output that nobody uses may be NaN. */
#include "fault.h"

#include <math.h>
#include <stddef.h>

int rsd_all_finite(const double *x, long n)
{
    double sum = 0; /* stays 0 unless something is NaN or Inf; vectorises, unlike an early exit */
    for (long i = 0; i < n; i++) sum += 0 * x[i];
    return sum == 0;
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
