/* commands.h - the subcommands of the command. Each returns its exit code, after at most one complaint. */
#ifndef CMD_COMMANDS_H
#define CMD_COMMANDS_H

#include "program/cli/settings.h"

cmd_command_fn cmd_cmd_models, cmd_cmd_solve, cmd_cmd_resume, cmd_cmd_compare, cmd_cmd_check, cmd_cmd_pattern,
    cmd_cmd_linearize, cmd_cmd_response, cmd_cmd_critical, cmd_cmd_equilibrium, cmd_cmd_export, cmd_cmd_sweep;

#endif
