/* text_table.h - aligned columns for people. */
#ifndef BENCH_TEXT_TABLE_H
#define BENCH_TEXT_TABLE_H

#include <stdio.h>

/** A column: its heading; left-aligned words or right-aligned numbers. */
typedef struct bench_column {
    const char *heading;
    int left;
} bench_column;

/** A table that grows by cells, row by row. */
typedef struct bench_table {
    const bench_column *columns;
    int n_columns;
    char **cells; /**< rows of n_columns each */
    int n_cells, capacity;
} bench_table;

/** An empty table; columns [n_columns] are borrowed. */
void bench_table_init(bench_table *table, const bench_column *columns, int n_columns);

/** The next cell. Without memory it stays empty. */
void bench_table_cell(bench_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Headings, then all rows, each column as wide as its widest cell; lines start with `indent` blanks. */
void bench_table_print(const bench_table *table, int indent, FILE *stream);

void bench_table_free(bench_table *table);

#endif
