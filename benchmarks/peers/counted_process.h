/* counted_process.h - runs the program of a counted run (counted_run.h) under valgrind. */
#ifndef RESIDA_BENCH_COUNTED_PROCESS_H
#define RESIDA_BENCH_COUNTED_PROCESS_H

#include <stdio.h>

/** A run under valgrind. The program prints its number of steps first. */
typedef struct counted_process {
    FILE *out; /**< NULL: the process could not be started */
} counted_process;

/** Start `self what kind` under valgrind. Several runs can be active at a time. */
counted_process counted_begin(const char *self, const char *what, const char *kind);

/** Wait for a run. @param[out] steps @return instructions per step without those of the callbacks; 0: the run failed */
double counted_end(counted_process *p, long *steps);

#endif
