/* text_table.h - tables of texts and numbers, written as aligned text; html.h writes them as HTML. */
#ifndef CMD_TEXT_TABLE_H
#define CMD_TEXT_TABLE_H

#include <stdio.h>

/** A column: its heading, with left-aligned texts or right-aligned numbers. */
typedef struct cmd_column {
    const char *heading;
    int left;
    const char *title; /**< longer heading for HTML; NULL: heading is used */
    const char *group; /**< adjacent columns with the same group belong together; or NULL */
} cmd_column;

/** A table, filled cell by cell in row order. */
typedef struct cmd_table {
    const cmd_column *columns;
    int n_columns;
    char **cells; /**< rows of n_columns each */
    int n_cells;
    int shown;       /**< number of rows already shown by cmd_table_show() */
    cmd_column *own; /**< columns of cmd_table_begin(), followed by their texts; or NULL */
} cmd_table;

/** Initialize an empty table; columns [n_columns] are borrowed. */
void cmd_table_init(cmd_table *table, const cmd_column *columns, int n_columns);

/** Initialize an empty table with columns from a text, separated by tabs: "heading", "<heading" for texts,
 *  "heading=title" and "heading@group", or all of these. Without memory it has one column without a heading. */
void cmd_table_begin(cmd_table *table, const char *columns);

/** Append a cell. Without memory it stays empty. */
void cmd_table_cell(cmd_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Append cells, separated by tabs in the format. */
void cmd_table_cells(cmd_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Return the number of rows, or the text of a cell, "" if there is none. */
int cmd_table_rows(const cmd_table *table);
const char *cmd_table_at(const cmd_table *table, int row, int column);

/** Write headings and all rows. Each column is as wide as its widest cell; lines begin with `indent` blanks. A group
 *  begins with a bar and its name. The table is freed. */
void cmd_table_print(cmd_table *table, int indent, FILE *stream);

/** Write the rows that are new since the last call; the first call also writes the headings.
 *  @param[in] widths  [n_columns] of the columns; wider cells are not truncated */
void cmd_table_show(cmd_table *table, const int *widths, int indent, FILE *stream);

void cmd_table_free(cmd_table *table);

#endif
