/* stopwatch.h - processor time of the process (all its threads) and wall-clock time. */
#ifndef BENCH_STOPWATCH_H
#define BENCH_STOPWATCH_H

typedef struct bench_stopwatch {
    double cpu_s, wall_s; /**< time measured while running */
    double cpu_from, wall_from;
} bench_stopwatch;

/** Return the seconds of a monotonic clock. */
double bench_wall_s(void);

void bench_stopwatch_run(bench_stopwatch *watch);
void bench_stopwatch_pause(bench_stopwatch *watch);

#endif
