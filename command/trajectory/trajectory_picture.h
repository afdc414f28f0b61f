/* trajectory_picture.h - columns of a trajectory over t, drawn by gnuplot. */
#ifndef BENCH_TRAJECTORY_PICTURE_H
#define BENCH_TRAJECTORY_PICTURE_H

#include "command/picture/picture.h"
#include "record.h"

enum { BENCH_PANEL_WIDTH = 900, BENCH_PANEL_HEIGHT = 260 };

/** Panels one below the other: one for each of p, v, a, lam, y, y', and for outputs of each unit. */
int bench_trajectory_panels(const bench_columns *columns);

/** The script of all panels. */
void bench_trajectory_draw(const bench_record *record, const char *title, const bench_picture *picture);

#endif
