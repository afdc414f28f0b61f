/* peer.h - other integrators applied to the problems of resida, with the same residual, consistent start and
 * tolerances.
 *
 *     rsd_peer_solve(rsd_peer_find("dassl"), &task, &result)
 *
 * Every run has a process of its own, because some integrators print, call STOP, or use global data. Printed text
 * becomes the message. The limits and the monitor of the options also apply to peers. */
#ifndef RSD_PEER_H
#define RSD_PEER_H

#include <resida/solver.h>

/** The integration task. */
typedef struct rsd_peer_task {
    resida_problem *problem; /**< not in use elsewhere */
    /** Options that apply: rtol, atol, atol_each, max_order, h_first, h_max, t_stop (the end), max_steps,
     *  max_residuals, time_limit_s, error_test, monitor. */
    const resida_solver_options *options;
    double t0;
    const double *y0, *yp0; /**< [n] a consistent start */

    long n_outputs;
    double (*output_time)(long k, void *user); /**< time of output k = 1 .. n_outputs, ascending, the last one t_stop */
    /** Receives the next output in the calling process. A nonzero return value ends the run. */
    int (*output)(double t, const double *y, const double *yp, void *user);
    void *user;
} rsd_peer_task;

/** The result. */
typedef struct rsd_peer_result {
    resida_status status;
    char message[RESIDA_MESSAGE_SIZE]; /**< of a failure, in the words of the peer if it prints any */
    double t;                          /**< time reached */
    /** Counters that the peer reports; else -1. residual_calls.total is always counted here. */
    resida_stats stats;
    double cpu_s, wall_s; /**< of the integration, without outputs */
} rsd_peer_result;

typedef struct rsd_peer rsd_peer;

/** Access the peers in this build, in the order of their table. */
int rsd_peer_count(void);
const rsd_peer *rsd_peer_at(int i);

/** Return the peer with this name, or NULL. */
const rsd_peer *rsd_peer_find(const char *name);

const char *rsd_peer_name(const rsd_peer *peer);
/** Return the version of its library, such as "liboctave 7.3.0". */
const char *rsd_peer_version(const rsd_peer *peer);
/** Return 1 if the peer solves M y' = f(t, y) with constant M, and not F(t, y, yp) = 0. It should get a problem with
 *  the explicit formalism, if there is one. */
int rsd_peer_prefers_explicit(const rsd_peer *peer);

/** Return 1 if the peer uses this option of resida/option.h. Options of the problem always apply, except projected
 *  steps. */
int rsd_peer_takes(const rsd_peer *peer, const char *option);

/** Integrate. @return result->status; RESIDA_INTERRUPTED if the monitor or an output ended the run */
resida_status rsd_peer_solve(const rsd_peer *peer, const rsd_peer_task *task, rsd_peer_result *result);

#endif
