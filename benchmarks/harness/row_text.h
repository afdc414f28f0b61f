/* row_text.h - rows for people: a block of lines for one, a table for many. */
#ifndef BENCH_ROW_TEXT_H
#define BENCH_ROW_TEXT_H

#include <stdio.h>

#include "row.h"
#include "text_table.h"

/** One row as a block of lines. */
void bench_row_text(const bench_row *row, FILE *stream);

/** A table of rows: begin, add each, then bench_table_print() and bench_table_free(). */
void bench_rows_begin(bench_table *table);
void bench_rows_add(bench_table *table, const bench_row *row);

/** What the columns of the table mean. */
void bench_rows_legend(FILE *stream);

#endif
