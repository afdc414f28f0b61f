/* commands.h - what the command can do; each returns its exit code, after at most one complaint. */
#ifndef CMD_COMMANDS_H
#define CMD_COMMANDS_H

#include "program/cli/settings.h"

int cmd_cmd_models(const cmd_settings *s);
int cmd_cmd_solve(const cmd_settings *s);
int cmd_cmd_resume(const cmd_settings *s);
int cmd_cmd_compare(const cmd_settings *s);
int cmd_cmd_check(const cmd_settings *s);
int cmd_cmd_pattern(const cmd_settings *s);
int cmd_cmd_linearize(const cmd_settings *s);
int cmd_cmd_response(const cmd_settings *s);
int cmd_cmd_critical(const cmd_settings *s);
int cmd_cmd_equilibrium(const cmd_settings *s);
int cmd_cmd_sweep(const cmd_settings *s);

#endif
