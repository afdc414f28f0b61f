/* text_table.h - columns of words and numbers for people; as aligned text here, as HTML in html.h. */
#ifndef BENCH_TEXT_TABLE_H
#define BENCH_TEXT_TABLE_H

#include <stdio.h>

/** A column: its heading; left-aligned words or right-aligned numbers. */
typedef struct bench_column {
    const char *heading;
    int left;
    const char *title; /**< the heading where there is room for words; NULL: as above */
    const char *group; /**< columns side by side with the same group belong together; NULL: none */
} bench_column;

/** A table that grows by cells, row by row. */
typedef struct bench_table {
    const bench_column *columns;
    int n_columns;
    char **cells; /**< rows of n_columns each */
    int n_cells;
    int shown; /**< rows that bench_table_show() has shown */
} bench_table;

/** An empty table; columns [n_columns] are borrowed. */
void bench_table_init(bench_table *table, const bench_column *columns, int n_columns);

/** The next cell. Without memory it stays empty. */
void bench_table_cell(bench_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** The next cells, a tab between each two of them in the format. */
void bench_table_cells(bench_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Rows so far; the text of a cell, "" when there is none. */
int bench_table_rows(const bench_table *table);
const char *bench_table_at(const bench_table *table, int row, int column);

/** Headings, then all rows, each column as wide as its widest cell; lines start with `indent` blanks. A group begins
 *  with a bar and its name. The table is freed. */
void bench_table_print(bench_table *table, int indent, FILE *stream);

/** The rows that are new since the last call, the headings before the first of them.
 *  @param[in] widths  [n_columns] cells that are wider stand out */
void bench_table_show(bench_table *table, const int *widths, int indent, FILE *stream);

void bench_table_free(bench_table *table);

#endif
