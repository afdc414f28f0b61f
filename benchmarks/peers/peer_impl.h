/* peer_impl.h - what an adapter of a peer sees: the run under way, and its own entry in the table. */
#ifndef RSD_PEER_IMPL_H
#define RSD_PEER_IMPL_H

#include <signal.h>

#include "program/builtin/peer.h"

/** A run under way, in the process of the peer. */
typedef struct rsd_peer_run {
    const rsd_peer_task *task;
    const resida_solver_options *o; /**< task->options */
    int n;
    resida_layout layout;
    const resida_kind *kinds; /**< [n] */
    rsd_peer_result *result;  /**< the adapter writes t, stats, and by rsd_peer_fail() the rest */
    long next_output;
    int lets_go;                       /**< 1: the tolerance of what is not in the error test cannot be missed */
    const volatile sig_atomic_t *told; /**< not 0: stop */
    int (*emit)(struct rsd_peer_run *run, double t, const double *y, const double *yp);
    void (*clock)(struct rsd_peer_run *run, int on);
} rsd_peer_run;

typedef resida_status rsd_peer_solve_fn(rsd_peer_run *run);

struct rsd_peer {
    const char *name, *version;
    const char *jacobian;      /**< how it comes by J: "dense" differences, "coloured" ... */
    const char *linear_solver; /**< "dense" ... */
    int prefers_explicit;
    const char *ignores; /**< options of peer.h that it has no use for, names with blanks between; NULL: none */
    /** Integrates to t_stop. What it allocates may be left to the end of the process. */
    rsd_peer_solve_fn *solve;
    const char *module, *symbol; /**< with solve NULL: the file and its function that does */
};

/** @name Those without a module @{ */
rsd_peer_solve_fn rsd_peer_solve_ida, rsd_peer_solve_ida_analytic;
/** @} */

/** A module uses a library of others and is loaded in the process of its peer alone. */
#define RSD_MODULE __attribute__((visibility("default")))

/** @name Functions of modules @{ */
RSD_MODULE rsd_peer_solve_fn rsd_peer_solve_dassl, rsd_peer_solve_daspk, rsd_peer_solve_radau5,
    rsd_peer_solve_petsc_bdf;
/** @} */

/** F(t, y, yp), counted. @return 0; > 0 not possible here (or not finite); < 0 the run is over: its status is set */
int rsd_peer_residual(rsd_peer_run *run, double t, const double *y, const double *yp, double *r);

/** The same outside all counters and budgets, for what a peer gets for nothing. */
int rsd_peer_free_residual(rsd_peer_run *run, double t, const double *y, const double *yp, double *r);

/** Is component i in the error test? */
int rsd_peer_tested(const rsd_peer_run *run, int i);

/** So large that no multiplier counts beside it; increments of differences are sqrt(rounding) of it, about 1. */
#define RSD_PEER_FAR_OFF 1e8

/** Absolute tolerance of component i. */
double rsd_peer_atol(const rsd_peer_run *run, int i);

/** The corrector has failed at the start, and its test saw multipliers that are not in the error test: forget this run,
 *  and let them go from now on. @return 1: begin again; 0: the result stands */
int rsd_peer_begins_again(rsd_peer_run *run);

/** The first step: the user's, else as DASSL and IDA choose it, with the way to the end instead of that to the first
 *  output: a thousandth of it, less if y would change by more than half a tolerance. */
double rsd_peer_first_step(const rsd_peer_run *run);

/** Time of the next output; infinite when all are done. */
double rsd_peer_next_output(const rsd_peer_run *run);
/** The state at the next output. @return 0; -1 the run is over */
int rsd_peer_output(rsd_peer_run *run, const double *y, const double *yp);

/** The stopwatch runs while the adapter does. 1: preparations do not count, it begins anew; 0: it has stopped, what
 *  follows does not count. */
void rsd_peer_clock(rsd_peer_run *run, int on);

/** Room for count doubles, zeroed; the process ends without memory. */
double *rsd_peer_doubles(long count);
int *rsd_peer_ints(long count);

/** Keep the first failure. @return its status */
resida_status rsd_peer_fail(rsd_peer_run *run, resida_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** The budget of steps is spent. @return RESIDA_OK, or the failure */
resida_status rsd_peer_check_steps(rsd_peer_run *run, long steps);

#endif
