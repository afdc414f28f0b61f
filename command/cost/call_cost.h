/* call_cost.h - what one residual call of a job costs. */
#ifndef BENCH_CALL_COST_H
#define BENCH_CALL_COST_H

#include "command/run/run.h"

/** Processor time [s] of F(t, y, yp) in the formalism of the job, at its start: the median of some thousand calls in
 *  batches, one behind the other, so with all data in the cache.
 *  @return NaN when there is no start, or F fails there */
double bench_call_cost(const bench_job *job);

#endif
