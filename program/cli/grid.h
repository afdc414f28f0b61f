/* grid.h - the times at which outputs are asked for. */
#ifndef CMD_GRID_H
#define CMD_GRID_H

#include "settings.h"

/** t_0 = t0 < t_1 < ... < t_n = t_end. */
typedef struct cmd_grid {
    double t0, t_end, step;
    long n;
} cmd_grid;

/** The grid of --points or --every, 200 steps when neither is said, of an animation 600.
 *  @return 0; CMD_EXIT_USAGE after one complaint (too many outputs, or closer than numbers near t_end are) */
int cmd_grid_make(cmd_grid *grid, double t0, double t_end, const cmd_settings *s);

/** Time k, 0 <= k <= n; the last is t_end exactly. */
double cmd_grid_time(const cmd_grid *grid, long k);

#endif
