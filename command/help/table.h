/* table.h - the table of commands: name, words, what it does. Help, manual page and completion are made from it and
 * from the table of options. */
#ifndef CMD_TABLE_H
#define CMD_TABLE_H

#include "program/cli/settings.h"

#include <resida_features.h>

typedef struct cmd_command {
    const char *name;
    unsigned mask; /**< which options it knows */
    int (*run)(const cmd_settings *s);
    const char *words; /**< after its name */
    const char *text;
    void (*items)(FILE *stream); /**< what its word can be, a line each; NULL: said by `words` */
} cmd_command;

/** Those that the build has, then those that it refuses by name. */
enum { CMD_ALL_COMMANDS = 13, CMD_N_COMMANDS = CMD_ALL_COMMANDS - !RSD_HAS_SQLITE };
extern const cmd_command cmd_commands[CMD_ALL_COMMANDS];

/** What is said of the command as a whole, paragraph by paragraph; ends with NULL. */
extern const char *const cmd_about_words[], *const cmd_about_exit[];

/** What the words of a command can be, as its `items` writes them; to be freed, NULL without memory. */
char *cmd_items_text(const cmd_command *command);

/** The manual page resida(1) as macros of man(7); completion of command lines for bash, and for zsh.
 *  @return 0; -1 without memory */
int cmd_manual_write(FILE *stream);
int cmd_completion_bash(FILE *stream);
int cmd_completion_zsh(FILE *stream);

#endif
