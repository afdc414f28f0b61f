/* grid.h - the output times. */
#ifndef CMD_GRID_H
#define CMD_GRID_H

#include "settings.h"

/** The output times t_0 = t0 < t_1 < ... < t_n = t_end. */
typedef struct cmd_grid {
    double t0, t_end, step;
    long n;
} cmd_grid;

/** Compute the grid of --points or --every. The default is 200 steps, or 600 for an animation. @return 0;
 *  CMD_EXIT_USAGE after one complaint: too many outputs, or closer than adjacent numbers near t_end */
int cmd_grid_make(cmd_grid *grid, double t0, double t_end, const cmd_settings *s);

/** Return time k, 0 <= k <= n. The last one is exactly t_end. */
double cmd_grid_time(const cmd_grid *grid, long k);

#endif
