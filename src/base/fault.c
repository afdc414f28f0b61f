/* fault.c - keeps the first failure of a callback, so that a NaN that has gone through half the model is blamed on
 * where it came from. It judges nothing: an output that is not used may be NaN. Exceptions are caught for work of the
 * caller's own, too. */
#include "fault.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "message.h"

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
        fault->callback = callback;
        fault->verdict = verdict;
        fault->component = -1;
        fault->t = t;
        fault->threw = fault->thrown.is_new;
        fault->thrown.is_new = 0;
    } else if (!rsd_fault_nonfinite(fault)) {
        int i = 0;
        while (i < n - 1 && isfinite(out[i])) i++;
        *fault = (rsd_fault){.callback = callback, .component = i, .t = t};
    }
    return verdict;
}

rsd_fault_end rsd_fault_said(const rsd_fault *fault, int verdict)
{
    rsd_fault_end end;
    if (fault->threw && fault->verdict == verdict)
        snprintf(end.text, sizeof end.text, "threw %s", fault->thrown.text);
    else
        snprintf(end.text, sizeof end.text, "returned %d", verdict);
    return end;
}

int rsd_fault_nonfinite(const rsd_fault *fault)
{
    return fault->callback != NULL && fault->verdict == 0;
}

void rsd_fault_forget(rsd_fault *fault)
{
    fault->callback = NULL;
}

int resida_catches_exceptions(void)
{
    return rsd_callbacks_are_caught;
}

resida_status resida_catch(void (*work)(void *context), void *context, resida_message *why)
{
    rsd_thrown thrown = {0, ""};
    if (!work) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "resida_catch: work is NULL");
    if (!rsd_call_work(context, &thrown, work)) return RESIDA_OK;
    return rsd_fail(why, RESIDA_ERR_USER, "threw %s", thrown.text);
}
