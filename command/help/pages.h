/* pages.h - pages and scripts that are made from the tables of commands and options. */
#ifndef CMD_PAGES_H
#define CMD_PAGES_H

#include "program/program.h"

/** The command `resida`: its table is in command/main.c. */
extern const cmd_program cmd_resida;

/** The manual page resida(1) as macros of man(7); completion of command lines for bash, and for zsh.
 *  @return 0; -1 without memory */
int cmd_manual_write(FILE *stream);
int cmd_completion_bash(FILE *stream);
int cmd_completion_zsh(FILE *stream);

#endif
