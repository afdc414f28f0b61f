/* text_table.h - columns of words and numbers for people; as aligned text here, as HTML in html.h. */
#ifndef CMD_TEXT_TABLE_H
#define CMD_TEXT_TABLE_H

#include <stdio.h>

/** A column: its heading; left-aligned words or right-aligned numbers. */
typedef struct cmd_column {
    const char *heading;
    int left;
    const char *title; /**< the heading where there is room for words; NULL: as above */
    const char *group; /**< columns side by side with the same group belong together; NULL: none */
} cmd_column;

/** A table that grows by cells, row by row. */
typedef struct cmd_table {
    const cmd_column *columns;
    int n_columns;
    char **cells; /**< rows of n_columns each */
    int n_cells;
    int shown;       /**< rows that cmd_table_show() has shown */
    cmd_column *own; /**< of cmd_table_begin(), with their words behind them; or NULL */
} cmd_table;

/** An empty table; columns [n_columns] are borrowed. */
void cmd_table_init(cmd_table *table, const cmd_column *columns, int n_columns);

/** An empty table with the columns of a text, separated by tabs: "heading",
 *  "<heading" of one of words, "heading=title" and "heading@group", or all of it. Without memory it has one column, and
 *  that has no heading. */
void cmd_table_begin(cmd_table *table, const char *columns);

/** The next cell. Without memory it stays empty. */
void cmd_table_cell(cmd_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** The next cells, a tab between each two of them in the format. */
void cmd_table_cells(cmd_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Rows so far; the text of a cell, "" when there is none. */
int cmd_table_rows(const cmd_table *table);
const char *cmd_table_at(const cmd_table *table, int row, int column);

/** Headings, then all rows, each column as wide as its widest cell; lines start with `indent` blanks. A group begins
 *  with a bar and its name. The table is freed. */
void cmd_table_print(cmd_table *table, int indent, FILE *stream);

/** The rows that are new since the last call, the headings before the first of them.
 *  @param[in] widths  [n_columns] cells that are wider stand out */
void cmd_table_show(cmd_table *table, const int *widths, int indent, FILE *stream);

void cmd_table_free(cmd_table *table);

#endif
