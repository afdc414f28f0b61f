/* peer_impl.h - interface of the adapters of peers: the current run and the entry of a peer in the table. */
#ifndef RSD_PEER_IMPL_H
#define RSD_PEER_IMPL_H

#include <signal.h>

#include "program/builtin/peer.h"

/** The current run, in the process of the peer. */
typedef struct rsd_peer_run {
    const rsd_peer_task *task;
    const resida_solver_options *o; /**< task->options */
    int n;
    resida_layout layout;
    const resida_kind *kinds; /**< [n] */
    rsd_peer_result *result;  /**< the adapter writes t and stats; rsd_peer_fail() writes the rest */
    long next_output;
    int lets_go;                       /**< 1: components outside the error test have the tolerance RSD_PEER_FAR_OFF */
    const volatile sig_atomic_t *told; /**< nonzero: stop */
    int (*emit)(struct rsd_peer_run *run, double t, const double *y, const double *yp);
    void (*clock)(struct rsd_peer_run *run, int on);
} rsd_peer_run;

typedef resida_status rsd_peer_solve_fn(rsd_peer_run *run);

struct rsd_peer {
    const char *name, *version;
    const char *jacobian;      /**< how J is computed: "dense" differences, "coloured" ... */
    const char *linear_solver; /**< "dense" ... */
    int prefers_explicit;
    const char *ignores; /**< options of peer.h without effect, names separated by blanks; NULL: none */
    /** Integrate to t_stop. Allocated memory may remain until the process ends. */
    rsd_peer_solve_fn *solve;
    const char *module, *symbol; /**< if solve is NULL: the file of the module and its solve function */
};

/** @name Solve functions without a module @{ */
rsd_peer_solve_fn rsd_peer_solve_ida, rsd_peer_solve_ida_analytic;
/** @} */

/** A module uses a third-party library and is loaded only in the process of its peer. */
#define RSD_MODULE __attribute__((visibility("default")))

/** @name Functions of modules @{ */
RSD_MODULE rsd_peer_solve_fn rsd_peer_solve_dassl, rsd_peer_solve_daspk, rsd_peer_solve_radau5,
    rsd_peer_solve_petsc_bdf;
/** @} */

/** Evaluate F(t, y, yp) and count the call. @return 0 on success; > 0 if F could not be evaluated or is not finite; < 0
 *  if the run has ended and its status is set */
int rsd_peer_residual(rsd_peer_run *run, double t, const double *y, const double *yp, double *r);

/** Evaluate F without counters and budgets, for data that a peer gets at no cost. */
int rsd_peer_free_residual(rsd_peer_run *run, double t, const double *y, const double *yp, double *r);

/** Return 1 if component i is in the error test. */
int rsd_peer_tested(const rsd_peer_run *run, int i);

/** A tolerance larger than any multiplier. Increments of difference quotients, sqrt(rounding) times it, are about 1. */
#define RSD_PEER_FAR_OFF 1e8

/** Return the absolute tolerance of component i. */
double rsd_peer_atol(const rsd_peer_run *run, int i);

/** Decide whether to repeat a run whose Newton test failed at the start and included multipliers that are not in the
 *  error test. If so, reset the run and set lets_go. @return 1: repeat; 0: the result is final */
int rsd_peer_begins_again(rsd_peer_run *run);

/** Return the first step size: the user's value, or that of DASSL and IDA with the interval to t_stop instead of that
 *  to the first output: a thousandth of it, less if y would change by more than half a tolerance. */
double rsd_peer_first_step(const rsd_peer_run *run);

/** Return the time of the next output, or infinity after the last one. */
double rsd_peer_next_output(const rsd_peer_run *run);
/** Emit the state at the next output. @return 0, or -1 if the run has ended */
int rsd_peer_output(rsd_peer_run *run, const double *y, const double *yp);

/** Run the stopwatch during the integration. on = 1: reset and start it, so that the setup does not count. on = 0: stop
 *  it for good. */
void rsd_peer_clock(rsd_peer_run *run, int on);

/** Allocate count zeros. The process exits if memory is exhausted. */
double *rsd_peer_doubles(long count);
int *rsd_peer_ints(long count);

/** Record the first failure. @return its status */
resida_status rsd_peer_fail(rsd_peer_run *run, resida_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Check the budget of steps. @return RESIDA_OK, or the status of the failure */
resida_status rsd_peer_check_steps(rsd_peer_run *run, long steps);

#endif
