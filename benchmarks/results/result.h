/* result.h - what a study has found, as it is kept in a file and quoted by doc/results.md: a JSON object
 *
 *     {"study": NAME, "resida": VERSION, "compiler": NAME, "date": DAY, "load": X, "seconds": X,
 *      "columns": [NAME ...], "rows": [[CELL ...] ...]} */
#ifndef BENCH_RESULT_H
#define BENCH_RESULT_H

#include <jansson.h>

#include "benchmarks/studies/studies.h"

/** Run the study.
 *  @param[out] result  a new reference, NULL unless 0 is returned
 *  @return 0; an exit code after one complaint; 128 + signal */
int bench_result_measure(const bench_study *study, const cmd_settings *s, json_t **result);

/** Keep it in a folder; read it from there. NULL: it is not there, or not whole, which is said with the file's name. */
int bench_result_keep(const char *folder, const json_t *result);
json_t *bench_result_kept(const char *folder, const bench_study *study);

/** What quotes it: in Markdown, into `stream`. `what` selects:
 *
 *     a table    "COLUMN, COLUMN = CELL, ..."  these columns, of the rows that have the cell; "": all
 *     a cell     "ROW: COLUMN"                 of the first row that begins with this cell
 *
 *  A NULL result is written as "?", which stands for any words.
 *  @return 0; CMD_EXIT_USAGE after one complaint: there is no such row or column */
int bench_result_table(const json_t *result, const char *what, FILE *stream);
int bench_result_cell(const json_t *result, const char *what, FILE *stream);

/** "resida 0.9, gcc 12.2, 2026-01-31, load 1.5": that of the machine in the last minute. */
void bench_result_made_by(const json_t *result, FILE *stream);

#endif
