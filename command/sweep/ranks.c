/* ranks.c - loads the module for MPI. Its symbols are global, because libraries that MPI loads need them. Waiting
 * sleeps in intervals after a while, so that a waiting rank uses little processor time. */
#include "ranks.h"

#include "program/process/stopwatch.h"
#include "program/base/complain.h"
#include "program/process/signals.h"
#include "command/modules/module.h"

#include <dlfcn.h>
#include <resida_features.h>
#include <stdlib.h>
#include <time.h>

enum { BUSY = 10, NAP_NS = 50000 };
static const char name[] = "resida-mpi.so";

/** Environment variables that launchers set. */
static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_SIZE", "MPI_LOCALNRANKS"};

static int is_launched(void)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (getenv(sizes[i]) && atoi(getenv(sizes[i])) > 1) return 1;
    return 0;
}

int cmd_ranks_begin(cmd_ranks *ranks)
{
    char why[CMD_MODULE_WHY] = "of another version";
    *ranks = (cmd_ranks){.n = 1};
    if (!is_launched()) return 0;
    const cmd_ranks_module *found = cmd_load_module("MPI", name, "resida_ranks", RTLD_GLOBAL, why);
    if (!found && !rsd_feature_of("MPI")->is_built)
        return cmd_complain_missing(CMD_EXIT_FAILED, "started as one of several ranks", "MPI");
    if (!found || found->size != sizeof *found)
        return cmd_complain(CMD_EXIT_FAILED, "started as one of several ranks, but MPI is missing: %s", why);
    ranks->module = found;
    found->begin(&ranks->rank, &ranks->n);
    return 0;
}

int cmd_ranks_wait(const cmd_ranks *ranks, double seconds, size_t *n, int *from)
{
    const struct timespec nap = {.tv_nsec = NAP_NS};
    const double until = bench_wall_s() + seconds;
    for (int i = 0; !cmd_signal_caught(); i++) {
        if (ranks->module->probe(n, from)) return 1;
        if (bench_wall_s() > until) return 0;
        if (i >= BUSY) nanosleep(&nap, NULL); /* not sched_yield(), which can take milliseconds */
    }
    return 0;
}

void cmd_ranks_end(cmd_ranks *ranks)
{
    if (ranks->module) ranks->module->end();
    *ranks = (cmd_ranks){.n = 1};
}
