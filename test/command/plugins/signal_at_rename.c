/* signal_at_rename.c - to be loaded before the C library: rename() waits for a moment behind a signal that is sent to
 * the process, SIGSEGV, so that another thread can take it. */
#define _GNU_SOURCE /* RTLD_NEXT */

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

typedef int rename_fn(const char *, const char *);

__attribute__((visibility("default"))) int rename(const char *from, const char *to)
{
    const struct timespec moment = {0, 300000000};
    union {
        void *symbol;
        rename_fn *fn;
    } next = {dlsym(RTLD_NEXT, "rename")};
    kill(getpid(), SIGSEGV);
    nanosleep(&moment, NULL);
    return next.fn(from, to);
}
