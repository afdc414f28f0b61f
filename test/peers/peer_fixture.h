/* peer_fixture.h - lets a peer integrate a built-in model, whose residual calls are counted by the model itself. */
#ifndef RESIDA_TEST_PEER_FIXTURE_H
#define RESIDA_TEST_PEER_FIXTURE_H

#include "test/fixtures/bench_fixture.h"

#include <resida/all.h>

#include "program/builtin/peer.h"

/** What the model does from call number `from` on. */
typedef enum peer_mischief {
    PEER_BEHAVE,
    PEER_REFUSE, /**< returns 1 */
    PEER_FAIL,   /**< returns -1 */
    PEER_NAN,    /**< gives NaN */
    PEER_DIE,    /**< by a signal */
    PEER_LEAVE,  /**< ends the process with code 3 */
    PEER_SLEEP,  /**< 0.1 s in each call */
    PEER_HANG    /**< for an hour */
} peer_mischief;

/** What to run; zero fields: the model's defaults, formalism as the peer likes it, 10 outputs, no limits. */
typedef struct peer_order {
    const char *model, *peer;
    double rtol, atol, t_end, h_first, time_limit;
    int max_order;
    long max_steps, max_residuals, outputs, refuse_output; /**< the taker refuses output of this number */
    peer_mischief mischief;
    long from;
    resida_monitor_fn *monitor;
} peer_order;

/** How it went. */
typedef struct peer_outcome {
    rsd_peer_result result;
    int n;
    long start_calls; /**< residual calls of the start */
    long model_calls; /**< of the peer, counted in the model */
    long outputs;     /**< that arrived */
    long nonfinite;   /**< of those, with NaN or Inf */
    int rising;       /**< their times rise, and the last one is t_end */
    double error_p;   /**< at t_end against the reference; NaN without */
    double worst_p;   /**< at any output that has a reference */
    double worst_yp;  /**< largest difference between p' and v at outputs; 0 for a general DAE */
} peer_outcome;

peer_outcome peer_run(peer_order order);

/** Calls that the peer under way has made of its model. */
long peer_calls_so_far(void);

#endif
