/* clock_ahead.c - to be loaded before the C library: the clock that people set says an hour more than the system's, as
 * if it were set back after each look. */
#define _GNU_SOURCE /* RTLD_NEXT */

#include <dlfcn.h>
#include <time.h>

typedef int clock_gettime_fn(clockid_t, struct timespec *);

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec *now)
{
    union {
        void *symbol;
        clock_gettime_fn *fn;
    } next = {dlsym(RTLD_NEXT, "clock_gettime")};
    const int status = next.fn(clock, now);
    if (status == 0 && clock == CLOCK_REALTIME) now->tv_sec += 3600;
    return status;
}
