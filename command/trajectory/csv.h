/* csv.h - a trajectory as comma-separated values. */
#ifndef BENCH_CSV_H
#define BENCH_CSV_H

#include "columns.h"
#include "command/base/out_file.h"

typedef struct bench_csv {
    bench_out *out; /**< borrowed */
    const bench_columns *columns;
    double *x; /**< [columns->n] of a row */
    long rows; /**< rows written, without the header */
} bench_csv;

/** Begin; columns are borrowed. @return 0; BENCH_EXIT_FAILED after one complaint; to be freed in any case */
int bench_csv_make(bench_csv *csv, bench_out *out, const bench_columns *columns);
void bench_csv_free(bench_csv *csv);

/** A sink that writes a header with t and the names of the columns, and a row for each output. Both structs must
 *  outlive the run. */
void bench_csv_sink(bench_csv *csv, bench_sink *sink);

/** A text as a field, `end` behind it, in quotes where it needs some. */
void bench_csv_text(FILE *f, const char *text, const char *end);

/** Behind a comma: a name; a number. */
void bench_csv_name(FILE *f, const char *name);
void bench_csv_number(FILE *f, double x);

#endif
