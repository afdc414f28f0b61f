/* signal_at_rename.c - to be loaded before the C library: rename() sends SIGSEGV to the process and waits for a moment,
 * in which another thread takes it: that of the command, or with RESIDA_TEST_THREAD one of a library, as some have. */
#define _GNU_SOURCE /* RTLD_NEXT */

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static pthread_t idle;
static int has_thread;

static void *wait_for_ever(void *nothing)
{
    for (;;) pause();
    return nothing;
}

__attribute__((constructor)) static void begin(void)
{
    has_thread = getenv("RESIDA_TEST_THREAD") && pthread_create(&idle, NULL, wait_for_ever, NULL) == 0;
}

typedef int rename_fn(const char *, const char *);

__attribute__((visibility("default"))) int rename(const char *from, const char *to)
{
    const struct timespec moment = {0, 300000000};
    union {
        void *symbol;
        rename_fn *fn;
    } next = {dlsym(RTLD_NEXT, "rename")};
    if (has_thread)
        pthread_kill(idle, SIGSEGV);
    else
        kill(getpid(), SIGSEGV);
    nanosleep(&moment, NULL);
    return next.fn(from, to);
}
