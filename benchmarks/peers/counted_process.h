/* counted_process.h - the program of a counted run (counted_run.h) under valgrind. */
#ifndef RESIDA_BENCH_COUNTED_PROCESS_H
#define RESIDA_BENCH_COUNTED_PROCESS_H

#include <stdio.h>

/** A run under valgrind, of a program that prints its steps first. */
typedef struct counted_process {
    FILE *out; /**< NULL: it could not begin */
} counted_process;

/** Begin `self what kind` under valgrind; several can run at a time. */
counted_process counted_begin(const char *self, const char *what, const char *kind);

/** Wait for it. @param[out] steps @return instructions of a step beside the callbacks; 0: it failed */
double counted_end(counted_process *p, long *steps);

#endif
