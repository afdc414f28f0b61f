/* grid.h - the times at which outputs are asked for. */
#ifndef BENCH_GRID_H
#define BENCH_GRID_H

#include "settings.h"

/** t_0 = t0 < t_1 < ... < t_n = t_end. */
typedef struct bench_grid {
    double t0, t_end, step;
    long n;
} bench_grid;

/** The grid of --points or --every, 200 steps when neither is said, of an animation 600.
 *  @return 0; BENCH_EXIT_USAGE after one complaint (too many outputs, or closer than numbers near t_end are) */
int bench_grid_make(bench_grid *grid, double t0, double t_end, const bench_settings *s);

/** Time k, 0 <= k <= n; the last is t_end exactly. */
double bench_grid_time(const bench_grid *grid, long k);

#endif
