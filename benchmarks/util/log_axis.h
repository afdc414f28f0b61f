/* log_axis.h - the range of a logarithmic axis: whole decades, extended so that no point is on the frame. */
#ifndef CMD_LOG_AXIS_H
#define CMD_LOG_AXIS_H

#include <stdio.h>

/** The range of the data. Initialize with zeros. */
typedef struct cmd_log_axis {
    double least, most;
} cmd_log_axis;

/** Include a value. Values that are not positive and finite are ignored. */
void cmd_log_axis_take(cmd_log_axis *axis, double x);

/** Compute the ends of the axis as powers of ten. @return 0, or -1 if there are no data */
int cmd_log_axis_ends(const cmd_log_axis *axis, double ends[2]);

/** Write the range as a command of gnuplot; without data, write nothing.
 *  @param[in] name  "x", "y"
 *  @param[in] falls  1: the axis begins with the largest number */
void cmd_log_axis_put(const cmd_log_axis *axis, const char *name, int falls, FILE *script);

#endif
