/* pages.h - the manual page and the completion scripts, generated from the tables of commands and options. */
#ifndef CMD_PAGES_H
#define CMD_PAGES_H

#include "program/program.h"

/** The command `resida`. Its table is in command/main.c. */
extern const cmd_program cmd_resida;

/** Write the manual page resida(1) with macros of man(7), or a completion script for bash or zsh. @return 0; -1 without
 *  memory */
int cmd_manual_write(FILE *stream);
int cmd_completion_bash(FILE *stream);
int cmd_completion_zsh(FILE *stream);

#endif
