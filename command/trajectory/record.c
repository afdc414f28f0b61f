/* record.c - rows one behind the other in a block that doubles. */
#include "record.h"

#include "command/base/complain.h"
#include "command/base/grow.h"

#include <stdlib.h>

int bench_record_width(const bench_record *record)
{
    return 1 + record->columns->n;
}

double bench_record_at(const bench_record *record, long row, int k)
{
    return record->x[row * bench_record_width(record) + k];
}

static int begin(void *self, const resida_problem *problem)
{
    (void)problem;
    bench_record *r = self;
    r->rows = 0;
    return 0;
}

static int output(void *self, const resida_state *state, const double *outputs)
{
    bench_record *r = self;
    double *all = bench_grow(r->x, r->rows, (size_t)bench_record_width(r) * sizeof *all);
    if (!all) return bench_complain(BENCH_EXIT_FAILED, "no memory for %ld rows", r->rows + 1);
    r->x = all;
    double *x = all + r->rows * bench_record_width(r);
    x[0] = state->t;
    bench_columns_values(r->columns, state, outputs, x + 1);
    r->rows++;
    return 0;
}

void bench_record_sink(bench_record *record, const bench_columns *columns, bench_sink *sink)
{
    *record = (bench_record){.columns = columns};
    *sink = (bench_sink){.begin = begin, .output = output, .self = record};
}

void bench_record_free(bench_record *record)
{
    free(record->x);
    *record = (bench_record){.rows = 0};
}
