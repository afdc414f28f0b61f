/* best_order.c - tries all orders: fewest residual calls, which repeat exactly, at an error of p no larger. */
#include "best_order.h"

#include "command/base/signals.h"

#include <math.h>

int bench_best_order(const bench_job *job, const bench_row *row, int *order)
{
    long fewest = row->stats.residual_calls.total;
    *order = 0;
    if (row->outcome != BENCH_OK || !isfinite(row->error.p)) return 0;
    for (int k = row->max_order - 1; k >= 1; k--) {
        bench_job lower = *job;
        bench_row result;
        lower.max_order = k;
        lower.repeats = 1;
        bench_run(&lower, &result);
        if (bench_signal_caught()) return 128 + bench_signal_caught();
        if (result.outcome != BENCH_OK || !(result.error.p <= row->error.p)) continue;
        if (result.stats.residual_calls.total >= fewest) continue;
        fewest = result.stats.residual_calls.total;
        *order = k;
    }
    return 0;
}
