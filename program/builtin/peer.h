/* peer.h - other people's integrators on the problems of resida: same residual, same consistent start, same tolerances.
 *
 *     rsd_peer_solve(rsd_peer_find("dassl"), &task, &result)
 *
 * Every run has a process of its own: some of them print, some call STOP, none of them was made to live with others.
 * What it prints becomes the message. Budgets and the monitor of the options hold for peers too. */
#ifndef RSD_PEER_H
#define RSD_PEER_H

#include <resida/solver.h>

/** What to integrate. */
typedef struct rsd_peer_task {
    resida_problem *problem; /**< nothing else may be using it */
    /** Those that fit: rtol, atol, atol_each, max_order, h_first, h_max, t_stop (the end), max_steps, max_residuals,
     *  time_limit_s, error_test, monitor. */
    const resida_solver_options *options;
    double t0;
    const double *y0, *yp0; /**< [n] a consistent start */

    long n_outputs;
    double (*output_time)(long k, void *user); /**< of output k = 1 .. n_outputs, rising, the last one t_stop */
    /** Takes the output that comes next, in the process of the caller; other than 0 ends the run. */
    int (*output)(double t, const double *y, const double *yp, void *user);
    void *user;
} rsd_peer_task;

/** How it went. */
typedef struct rsd_peer_result {
    resida_status status;
    char message[RESIDA_MESSAGE_SIZE]; /**< of a failure, in the words of the peer where it has any */
    double t;                          /**< reached */
    /** What the peer reports; else -1. residual_calls.total is counted here, whatever it reports. */
    resida_stats stats;
    double cpu_s, wall_s; /**< of the integration alone, not of the outputs */
} rsd_peer_result;

typedef struct rsd_peer rsd_peer;

/** All that this program was built with, in the order of a table. */
int rsd_peer_count(void);
const rsd_peer *rsd_peer_at(int i);

/** By name; NULL when there is none. */
const rsd_peer *rsd_peer_find(const char *name);

const char *rsd_peer_name(const rsd_peer *peer);
/** Of its library, such as "liboctave 7.3.0". */
const char *rsd_peer_version(const rsd_peer *peer);
/** 1 when it does not solve F(t, y, yp) = 0 but M y' = f(t, y) with a constant M: give it a problem with the explicit
 *  formalism where there is one. */
int rsd_peer_prefers_explicit(const rsd_peer *peer);

/** 1: it looks at the option of that name in resida/option.h; those of the problem count, but for projected steps. */
int rsd_peer_takes(const rsd_peer *peer, const char *option);

/** Integrate. @return result->status; RESIDA_INTERRUPTED after the monitor or an output that ended it */
resida_status rsd_peer_solve(const rsd_peer *peer, const rsd_peer_task *task, rsd_peer_result *result);

#endif
