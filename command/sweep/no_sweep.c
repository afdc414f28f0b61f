/* no_sweep.c - the command in a build without SQLite. */
#include "command/cli/commands.h"

#include "command/base/complain.h"

int bench_cmd_sweep(const bench_settings *s)
{
    (void)s;
    return bench_complain_lack(BENCH_EXIT_FAILED, "sweep", "SQLite");
}
