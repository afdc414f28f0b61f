/* record.h - a trajectory in memory, until it is written as a whole. */
#ifndef CMD_RECORD_H
#define CMD_RECORD_H

#include "columns.h"

typedef struct cmd_record {
    const cmd_columns *columns; /**< borrowed */
    long rows;
    double *x; /**< [rows][1 + columns->n], t first */
} cmd_record;

/** A sink that keeps each output; to be freed in any case. Both structs must outlive the run. */
void cmd_record_sink(cmd_record *record, const cmd_columns *columns, cmd_sink *sink);

/** The same for curves: with the states between outputs, and both at an event that changes the state. */
void cmd_record_curves(cmd_record *record, const cmd_columns *columns, cmd_sink *sink);
void cmd_record_free(cmd_record *record);

/** Numbers in a row, and number k of it. */
int cmd_record_width(const cmd_record *record);
double cmd_record_at(const cmd_record *record, long row, int k);

#endif
