/* fault.h - which callback failed last, and how: the verdict it returned, what it threw, or the component that is NaN
 * or Inf. */
#ifndef RSD_FAULT_H
#define RSD_FAULT_H

#include "callback.h"
#include "lanes.h"

/** A failure of a callback. */
typedef struct rsd_fault {
    const char *callback; /* its name in resida_mechanism or resida_dae; NULL: none */
    int verdict;          /* what it returned, or stands for what it threw; 0: its output is not finite */
    int component;        /* of its output, -1 unknown */
    double t;
    int threw;         /* 1: it did not return, but threw */
    rsd_thrown thrown; /* what the last one that threw said */
} rsd_fault;

/** The sum of 0 x_i, 0 unless one of x [n] is NaN or Inf; n a multiple of a lane. */
double rsd_zero_times(const double *x, long n);

/** 1 if all of x [n] is finite. Outputs of callbacks are short, and looked at all the time: no call for less than a
 *  lane. */
static inline int rsd_all_finite(const double *x, long n)
{
    long whole = n & ~(long)(RSD_LANE - 1);
    double sum = whole > 0 ? rsd_zero_times(x, whole) : 0;
    for (long i = whole; i < whole + RSD_LANE && i < n; i++) sum += 0 * x[i]; /* compilers see that it is short */
    return sum == 0;
}

/** Keep a failure: a verdict that is not 0, or the first component of out [n] that is not finite. */
int rsd_fault_keep(rsd_fault *fault, const char *callback, double t, int verdict, const double *out, int n);

/** Judge a callback: keep a verdict that is not 0, or else the first output out [n] that is not finite since the last
 *  rsd_fault_forget() - what is computed from it is not finite either, but not to blame. @return verdict */
static inline int rsd_fault_note(rsd_fault *fault, const char *callback, double t, int verdict, const double *out,
                                 int n)
{
    return verdict == 0 && rsd_all_finite(out, n) ? 0 : rsd_fault_keep(fault, callback, t, verdict, out, n);
}

/** How a callback ended whose verdict is not 0: "returned -3", "threw ..." */
typedef struct rsd_fault_end {
    char text[sizeof "threw " + sizeof((rsd_thrown *)0)->text];
} rsd_fault_end;
rsd_fault_end rsd_fault_said(const rsd_fault *fault, int verdict);

/** 1 if an output was not finite. */
int rsd_fault_nonfinite(const rsd_fault *fault);

void rsd_fault_forget(rsd_fault *fault);

#endif
