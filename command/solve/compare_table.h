/* compare_table.h - the rows of `compare` as a text table. */
#ifndef CMD_COMPARE_TABLE_H
#define CMD_COMPARE_TABLE_H

#include "program/output/row_text.h"

/** Functions to build a table: start it, add rows, show it, and call cmd_table_free() at the end.
 *  @param[in] whole  number of residual calls that count as 100 %; -1 if unknown */
void cmd_rows_start_table(cmd_table *table);
void cmd_rows_add(cmd_table *table, const cmd_row *row, long whole);

/** Print the new rows. The columns are wide enough for later rows. */
void cmd_rows_show(cmd_table *table, int has_peers, FILE *stream);

/** Explain the columns of the table. */
void cmd_rows_legend(FILE *stream);

#endif
