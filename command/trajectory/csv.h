/* csv.h - a trajectory as comma-separated values. */
#ifndef CMD_CSV_H
#define CMD_CSV_H

#include "columns.h"
#include "program/files/out_file.h"

typedef struct cmd_csv {
    cmd_out *out; /**< borrowed */
    const cmd_columns *columns;
    double *x; /**< [columns->n] values of a row */
    long rows; /**< rows written, without the header */
} cmd_csv;

/** Initialize; columns are borrowed. @return 0; CMD_EXIT_FAILED after one complaint; to be freed in any case */
int cmd_csv_make(cmd_csv *csv, cmd_out *out, const cmd_columns *columns);
void cmd_csv_free(cmd_csv *csv);

/** Initialize a sink that writes a header with t and the names of the columns, and a row for each output. Both structs
 *  must outlive the run. */
void cmd_csv_sink(cmd_csv *csv, cmd_sink *sink);

/** Write a text followed by `end` as one field, quoted if necessary. */
void cmd_csv_text(FILE *f, const char *text, const char *end);

/** Write a comma and a name, or a comma and a number. */
void cmd_csv_name(FILE *f, const char *name);
void cmd_csv_number(FILE *f, double x);

/** Write the value x of column i of the state evaluated last, as text if the column has texts. */
void cmd_csv_value(FILE *f, const cmd_columns *columns, int i, double x);

#endif
