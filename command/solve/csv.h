/* csv.h - a trajectory as comma-separated values. */
#ifndef BENCH_CSV_H
#define BENCH_CSV_H

#include "command/base/out_file.h"
#include "command/run/run.h"

typedef struct bench_csv {
    bench_out *out;       /**< borrowed */
    resida_layout layout; /**< of the problem */
    int is_dae;
    long rows; /**< rows written, without the header */
} bench_csv;

/** A sink that writes a header t, p..., v..., a..., lam... (t, y... for a general DAE) and a row for each output.
 *  Both structs must outlive the run. */
void bench_csv_sink(bench_csv *csv, bench_out *out, int is_dae, bench_sink *sink);

#endif
