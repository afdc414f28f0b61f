/* stopwatch.c - CLOCK_PROCESS_CPUTIME_ID counts all threads, so that the work of a threaded Jacobian is included. */
#include "stopwatch.h"

#include <time.h>

static double read_clock(clockid_t id)
{
    struct timespec now = {0};
    clock_gettime(id, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double bench_wall_s(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

void bench_stopwatch_run(bench_stopwatch *watch)
{
    watch->wall_from = read_clock(CLOCK_MONOTONIC);
    watch->cpu_from = read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

void bench_stopwatch_pause(bench_stopwatch *watch)
{
    watch->cpu_s += read_clock(CLOCK_PROCESS_CPUTIME_ID) - watch->cpu_from;
    watch->wall_s += read_clock(CLOCK_MONOTONIC) - watch->wall_from;
}
