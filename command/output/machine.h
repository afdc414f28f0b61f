/* machine.h - on what something was measured. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include "text_table.h"

typedef struct bench_machine {
    char cpu[128], system[128], kernel[128]; /**< "" is unknown */
    char date[32];                           /**< UTC, when it was asked */
    long cores;                              /**< online; -1: unknown */
    double load;                             /**< processes that wanted a core in the last minute; < 0: unknown */
} bench_machine;

void bench_machine_ask(bench_machine *m);

/** A row of two cells for each fact, and for each version of what takes part. */
void bench_machine_fill(bench_table *table, const bench_machine *before, const bench_machine *after);

#endif
