/* best_order.h - a peer at its best. */
#ifndef BENCH_BEST_ORDER_H
#define BENCH_BEST_ORDER_H

#include "run.h"

/** The maximum order of the BDF, below that of a row, at which the peer of a job takes the fewest residual calls for an
 *  error no larger: what a user finds who knows the result. One run for each order.
 *  @param[in]  row    the run of the job
 *  @param[out] order  0: none takes fewer, the row has failed, there is no reference, or the peer is no BDF code
 *  @return 0; 128 + signal */
int bench_best_order(const bench_job *job, const bench_row *row, int *order);

#endif
