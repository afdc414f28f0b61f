/* counted_process.h - runs the program of a counted run (counted_run.h) under valgrind. */
#ifndef RESIDA_BENCH_COUNTED_PROCESS_H
#define RESIDA_BENCH_COUNTED_PROCESS_H

#include <stdio.h>

/** Write the path of the program measure_overhead, which is expected in peers/ next to this program. @return 0 if it
 *  exists */
int counted_find(char *path, size_t size);

/** A run under valgrind. The program prints its number of steps first. */
typedef struct counted_process {
    FILE *out; /**< NULL: the process could not be started */
} counted_process;

/** Start `self what kind` under valgrind. Several runs can be active at a time. */
counted_process counted_begin(const char *self, const char *what, const char *kind);

/** Wait for a run. @param[out] steps @return instructions per step without those of the callbacks; 0: the run failed */
double counted_end(counted_process *p, long *steps);

#endif
