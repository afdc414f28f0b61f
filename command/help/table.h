/* table.h - the table of commands: name, words, what it does. Help, manual page and completion are made from it and
 * from the table of options. */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include "command/cli/settings.h"

#include <resida_features.h>

typedef struct bench_command {
    const char *name;
    unsigned mask; /**< which options it knows */
    int (*run)(const bench_settings *s);
    const char *words; /**< after its name */
    const char *text;
    void (*items)(FILE *stream); /**< what its word can be, a line each; NULL: said by `words` */
} bench_command;

/** Those that the build has, then those that it refuses by name. */
enum { BENCH_ALL_COMMANDS = 13, BENCH_N_COMMANDS = BENCH_ALL_COMMANDS - !RSD_HAS_SQLITE };
extern const bench_command bench_commands[BENCH_ALL_COMMANDS];

/** What is said of the command as a whole, paragraph by paragraph; ends with NULL. */
extern const char *const bench_about_words[], *const bench_about_exit[];

/** What the words of a command can be, as its `items` writes them; to be freed, NULL without memory. */
char *bench_items_text(const bench_command *command);

/** The manual page resida(1) as macros of man(7); completion of command lines for bash, and for zsh.
 *  @return 0; -1 without memory */
int bench_manual_write(FILE *stream);
int bench_completion_bash(FILE *stream);
int bench_completion_zsh(FILE *stream);

#endif
