/* stopwatch.h - processor time of the process (all its threads) and wall-clock time. */
#ifndef BENCH_STOPWATCH_H
#define BENCH_STOPWATCH_H

typedef struct bench_stopwatch {
    double cpu_s, wall_s; /**< measured so far, while it ran */
    double cpu_from, wall_from;
} bench_stopwatch;

/** Seconds of a clock that only goes forward. */
double bench_wall_s(void);

void bench_stopwatch_run(bench_stopwatch *watch);
void bench_stopwatch_pause(bench_stopwatch *watch);

#endif
