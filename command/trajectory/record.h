/* record.h - a trajectory in memory until it is written. */
#ifndef CMD_RECORD_H
#define CMD_RECORD_H

#include "columns.h"

typedef struct cmd_record {
    const cmd_columns *columns; /**< borrowed */
    long rows;
    double *x; /**< [rows][1 + columns->n], t first */
} cmd_record;

/** Initialize a sink that stores each output; to be freed in any case. Both structs must outlive the run. */
void cmd_record_sink(cmd_record *record, const cmd_columns *columns, cmd_sink *sink);

/** Initialize a sink for curves, which also stores states between outputs, and both states at a discontinuity. */
void cmd_record_curves(cmd_record *record, const cmd_columns *columns, cmd_sink *sink);
void cmd_record_free(cmd_record *record);

/** Return the width of a row, or number k of a row. */
int cmd_record_width(const cmd_record *record);
double cmd_record_at(const cmd_record *record, long row, int k);

#endif
