/* fault.h - which callback failed last, and how: the verdict it returned, or the component that is NaN or Inf. */
#ifndef RSD_FAULT_H
#define RSD_FAULT_H

/** A failure of a callback. */
typedef struct rsd_fault {
    const char *callback; /* its name in resida_mechanism or resida_dae; NULL: none */
    int verdict;          /* what it returned; 0: its output is not finite */
    int component;        /* of its output, -1 unknown */
    double t;
} rsd_fault;

/** 1 if all of x [n] is finite. */
int rsd_all_finite(const double *x, long n);

/** Judge a callback: keep a verdict that is not 0, or else the first output out [n] that is not finite since the last
 *  rsd_fault_forget() - what is computed from it is not finite either, but not to blame. @return verdict */
int rsd_fault_note(rsd_fault *fault, const char *callback, double t, int verdict, const double *out, int n);

/** 1 if an output was not finite. */
int rsd_fault_nonfinite(const rsd_fault *fault);

void rsd_fault_forget(rsd_fault *fault);

#endif
