/* no_sweep.c - the command `sweep` in a build without SQLite. */
#include "command/cli/commands.h"

#include "program/base/complain.h"

int cmd_cmd_sweep(const cmd_settings *s)
{
    (void)s;
    return cmd_complain_missing(CMD_EXIT_FAILED, "sweep", "SQLite");
}
