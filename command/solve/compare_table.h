/* compare_table.h - rows for people, of `compare`: a table. */
#ifndef CMD_COMPARE_TABLE_H
#define CMD_COMPARE_TABLE_H

#include "program/output/row_text.h"

/** A table of rows: begin, add each, show it, cmd_table_free() at the end.
 *  @param[in] whole  the residual calls that are 100 %; -1: not known */
void cmd_rows_begin(cmd_table *table);
void cmd_rows_add(cmd_table *table, const cmd_row *row, long whole);

/** The rows that are new, in columns that have room for rows to come. */
void cmd_rows_show(cmd_table *table, int has_peers, FILE *stream);

/** What the columns of the table mean. */
void cmd_rows_legend(FILE *stream);

#endif
