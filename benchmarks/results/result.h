/* result.h - the result of a study, which is stored in a file and quoted by doc/results.md: a JSON object
 *
 *     {"study": NAME, "resida": VERSION, "compiler": NAME, "date": DAY, "load": X, "seconds": X,
 *      "columns": [NAME ...], "rows": [[CELL ...] ...]} */
#ifndef BENCH_RESULT_H
#define BENCH_RESULT_H

#include <jansson.h>

#include "benchmarks/studies/studies.h"

/** Run the study.
 *  @param[out] result  a new reference, NULL unless 0 is returned
 *  @return 0; an exit code after one error message; 128 + signal number */
int bench_result_measure(const bench_study *study, const cmd_settings *s, json_t **result);

/** Store a result in a folder; read it. NULL: the file is missing or damaged; damage is reported with the file name. */
int bench_result_keep(const char *folder, const json_t *result);
json_t *bench_result_kept(const char *folder, const bench_study *study);

/** Write a result as Markdown to `stream`. `what` selects:
 *
 *      a table    "COLUMN, COLUMN = CELL, ..."  these columns, of the rows that have the cell; "": all
 *      a cell     "ROW: COLUMN"                 of the first row that begins with this cell
 *
 *  A NULL result is written as "?", which matches any words.
 *  @return 0; CMD_EXIT_USAGE after one error message if the row or column does not exist */
int bench_result_table(const json_t *result, const char *what, FILE *stream);
int bench_result_cell(const json_t *result, const char *what, FILE *stream);

/** Write the origin of a result, "resida 0.9, gcc 12.2, 2026-01-31, load 1.5"; load: average of the last minute. */
void bench_result_made_by(const json_t *result, FILE *stream);

#endif
