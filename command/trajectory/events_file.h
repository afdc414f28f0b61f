/* events_file.h - the events of a run, a row each; and the first of them in memory for JSON. */
#ifndef BENCH_EVENTS_FILE_H
#define BENCH_EVENTS_FILE_H

#include "columns.h"
#include "command/base/out_file.h"
#include <jansson.h>

typedef struct bench_events {
    bench_out *out;                        /**< without a stream: no file; borrowed */
    const bench_columns *columns;          /**< of the states before and after; NULL: not written; borrowed */
    const resida_model_contacts *contacts; /**< of the model; NULL: none */
    int n_root;
    double *x;    /**< [columns->n] */
    long rows;    /**< events */
    json_t *list; /**< the first ones */
} bench_events;

/** Begin; columns must be of p and v, or of y and y'.
 *  @return 0; BENCH_EXIT_FAILED after one complaint; to be freed in any case */
int bench_events_make(bench_events *events, bench_out *out, const bench_columns *columns, const resida_model *model);
void bench_events_free(bench_events *events);

/** A sink of events alone. Both structs must outlive the run. */
void bench_events_sink(bench_events *events, bench_sink *sink);

#endif
