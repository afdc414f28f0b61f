/* row_text.h - rows for people: a block of lines for one, a table for many. */
#ifndef BENCH_ROW_TEXT_H
#define BENCH_ROW_TEXT_H

#include <stdio.h>

#include "command/base/number.h"
#include "row.h"
#include "text_table.h"

/** @name Numbers as text, "-" for what is not known. @return as bench_number() @{ */
const char *bench_count(long value);
/** An error or a drift: its size matters, not its digits. */
const char *bench_tiny(double value);
/** Seconds as milliseconds. */
const char *bench_millis(double seconds);
/** @} */

/** The strategy, and also what it was asked for, when that left the choice to the library. @return text, or a
 *  constant */
enum { BENCH_STRATEGY_SIZE = 112 };
const char *bench_row_strategy(const bench_row *row, char text[BENCH_STRATEGY_SIZE]);

/** What parameters the model has, "n = 14, d = 0, ", each with a comma behind it. */
void bench_text_parameters(const bench_model *model, FILE *stream);

/** One row as a block of lines. */
void bench_row_text(const bench_row *row, FILE *stream);

/** A table of rows: begin, add each, show it, bench_table_free() at the end.
 *  @param[in] whole  the residual calls that are 100 %; -1: not known */
void bench_rows_begin(bench_table *table);
void bench_rows_add(bench_table *table, const bench_row *row, long whole);

/** The rows that are new, in columns that have room for rows to come. */
void bench_rows_show(bench_table *table, int has_peers, FILE *stream);

/** "ok", "inaccurate", "interrupted", or the name of the status that ended it. */
const char *bench_row_state(const bench_row *row);

/** value in percent of whole, "-" when one of them is not known. @return as bench_number() */
const char *bench_percent(double value, double whole);

/** Jacobians found by differences, column by column or by groups; -1: not known. */
long bench_row_evaluations(const bench_row *row);

/** What the columns of the table mean. */
void bench_rows_legend(FILE *stream);

#endif
