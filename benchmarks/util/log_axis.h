/* log_axis.h - the range of a logarithmic axis: whole decades, and no point on the frame. */
#ifndef CMD_LOG_AXIS_H
#define CMD_LOG_AXIS_H

#include <stdio.h>

/** What is drawn along it. Zeroed: nothing yet. */
typedef struct cmd_log_axis {
    double least, most;
} cmd_log_axis;

/** A point; one that is not a positive number is not drawn either. */
void cmd_log_axis_take(cmd_log_axis *axis, double x);

/** Ends of the axis, as powers of ten. @return 0; -1: nothing is drawn */
int cmd_log_axis_ends(const cmd_log_axis *axis, double ends[2]);

/** The range as a command of gnuplot; nothing when there is nothing to draw.
 *  @param[in] name  "x", "y"
 *  @param[in] falls  the largest number comes first */
void cmd_log_axis_put(const cmd_log_axis *axis, const char *name, int falls, FILE *script);

#endif
