/* record.h - a trajectory in memory, until it is written as a whole. */
#ifndef BENCH_RECORD_H
#define BENCH_RECORD_H

#include "columns.h"

typedef struct bench_record {
    const bench_columns *columns; /**< borrowed */
    long rows;
    double *x; /**< [rows][1 + columns->n], t first */
} bench_record;

/** A sink that keeps each output; to be freed in any case. Both structs must outlive the run. */
void bench_record_sink(bench_record *record, const bench_columns *columns, bench_sink *sink);
void bench_record_free(bench_record *record);

/** Numbers in a row, and number k of it. */
int bench_record_width(const bench_record *record);
double bench_record_at(const bench_record *record, long row, int k);

#endif
