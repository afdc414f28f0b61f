/* trajectory_picture.h - columns of a trajectory over t, drawn by gnuplot. */
#ifndef CMD_TRAJECTORY_PICTURE_H
#define CMD_TRAJECTORY_PICTURE_H

#include "program/picture/picture.h"
#include "record.h"

/** Panels one below the other: one for each of p, v, a, lam, y, y', for outputs of each unit, and for derivatives of
 *  each of these by each parameter. */
int cmd_trajectory_panels(const cmd_columns *columns);

/** Pixels of the picture: names stand right of their panel, in as many columns as that takes. */
void cmd_trajectory_size(const cmd_columns *columns, int *width, int *height);

/** The script of all panels. */
void cmd_trajectory_draw(const cmd_record *record, const char *title, const cmd_picture *picture);

#endif
