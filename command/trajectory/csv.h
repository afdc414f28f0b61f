/* csv.h - a trajectory as comma-separated values. */
#ifndef CMD_CSV_H
#define CMD_CSV_H

#include "columns.h"
#include "program/files/out_file.h"

typedef struct cmd_csv {
    cmd_out *out; /**< borrowed */
    const cmd_columns *columns;
    double *x; /**< [columns->n] of a row */
    long rows; /**< rows written, without the header */
} cmd_csv;

/** Begin; columns are borrowed. @return 0; CMD_EXIT_FAILED after one complaint; to be freed in any case */
int cmd_csv_make(cmd_csv *csv, cmd_out *out, const cmd_columns *columns);
void cmd_csv_free(cmd_csv *csv);

/** A sink that writes a header with t and the names of the columns, and a row for each output. Both structs must
 *  outlive the run. */
void cmd_csv_sink(cmd_csv *csv, cmd_sink *sink);

/** A text as a field, `end` behind it, in quotes where it needs some. */
void cmd_csv_text(FILE *f, const char *text, const char *end);

/** Behind a comma: a name; a number. */
void cmd_csv_name(FILE *f, const char *name);
void cmd_csv_number(FILE *f, double x);

/** The value x of column i, as its text where it is one; values were asked for last. */
void cmd_csv_value(FILE *f, const cmd_columns *columns, int i, double x);

#endif
