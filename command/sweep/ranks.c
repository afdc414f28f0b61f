/* ranks.c - finds the module beside the library. It is loaded with its symbols for all: the parts that MPI loads itself
 * look for them there. Waiting naps after a while: a rank that waits for hours takes no processor from others. */
#define _GNU_SOURCE /* dladdr() */

#include "ranks.h"

#include "benchmarks/peers/stopwatch.h"
#include "command/base/complain.h"
#include "command/base/signals.h"

#include <dlfcn.h>
#include <resida/status.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PATH = 4096, BUSY = 10, NAP_NS = 50000 };
static const char name[] = "resida-mpi.so";

/** Words that launchers set. */
static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_SIZE", "MPI_LOCALNRANKS"};

static int is_launched(void)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (getenv(sizes[i]) && atoi(getenv(sizes[i])) > 1) return 1;
    return 0;
}

/** Beside the library. */
static void module_path(char path[PATH])
{
    Dl_info info;
    const void *there = NULL;
    const char *(*function)(resida_status) = resida_status_name;
    memcpy(&there, &function, sizeof there);
    const char *library = dladdr(there, &info) != 0 ? info.dli_fname : "";
    const char *slash = strrchr(library, '/');
    const int n = slash ? (int)(slash - library) + 1 : 0;
    snprintf(path, PATH, "%.*s%s", n, library, name);
}

int bench_ranks_begin(bench_ranks *ranks)
{
    char path[PATH];
    *ranks = (bench_ranks){.n = 1};
    if (!is_launched()) return 0;
    module_path(path);
    void *module = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    const char *why = module ? NULL : dlerror();
    const bench_ranks_module *found = module ? dlsym(module, "resida_ranks") : NULL;
    if (!found || found->size != sizeof *found)
        return bench_complain(BENCH_EXIT_FAILED, "started as one of several ranks, but there is no MPI here: %s",
                              why ? why : path);
    ranks->module = found;
    found->begin(&ranks->rank, &ranks->n);
    return 0;
}

int bench_ranks_wait(const bench_ranks *ranks, double seconds, size_t *n, int *from)
{
    const struct timespec nap = {.tv_nsec = NAP_NS};
    const double until = bench_wall_s() + seconds;
    for (int i = 0; !bench_signal_caught(); i++) {
        if (ranks->module->probe(n, from)) return 1;
        if (bench_wall_s() > until) return 0;
        if (i >= BUSY) nanosleep(&nap, NULL); /* no sched_yield(): where others work, it gives milliseconds away */
    }
    return 0;
}

void bench_ranks_end(bench_ranks *ranks)
{
    if (ranks->module) ranks->module->end();
    *ranks = (bench_ranks){.n = 1};
}
