/* trajectory_picture.h - columns of a trajectory over t, drawn by gnuplot. */
#ifndef CMD_TRAJECTORY_PICTURE_H
#define CMD_TRAJECTORY_PICTURE_H

#include "program/picture/picture.h"
#include "record.h"

/** Return the number of panels: one for each unit of each of p, v, a, lam, y, y', outputs, and of the derivatives of
 *  these with respect to each parameter. */
int cmd_trajectory_panels(const cmd_columns *columns);

/** Compute the size of the picture in pixels. Names are in one or more columns to the right of their panel. */
void cmd_trajectory_size(const cmd_columns *columns, int *width, int *height);

/** Write the script of all panels. @return 0; CMD_EXIT_FAILED after one complaint */
int cmd_trajectory_draw(const cmd_record *record, const char *title, const cmd_picture *picture);

#endif
