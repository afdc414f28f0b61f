/* program.h - main() of the programs with commands, `resida` and `resida-bench`. The help text is generated from the
 * table of commands and the table of options. */
#ifndef CMD_PROGRAM_H
#define CMD_PROGRAM_H

#include "program/cli/options.h"
#include "program/cli/settings.h"

typedef struct cmd_command {
    const char *name;
    unsigned mask; /**< bit of its options */
    cmd_command_fn *run;
    const char *words; /**< arguments, for the help text */
    const char *text;
    void (*items)(FILE *stream); /**< lists the values of its argument, one per line; NULL if `words` is sufficient */
} cmd_command;

/** A page or script generated from the tables, for "help --man" and the like. */
typedef struct cmd_page {
    const char *option;
    int (*write)(FILE *stream); /**< @return 0; -1 without memory */
} cmd_page;

typedef struct cmd_program {
    const char *name, *text;     /**< "resida", "integrates ..." */
    const cmd_command *commands; /**< [n_commands + n_refused] */
    int n_commands;
    int n_refused;             /**< commands that the build lacks, which are refused by name */
    const cmd_option *options; /**< [*n_options] options of this program only */
    const int *n_options;
    const cmd_page *pages;                /**< terminated by NULL; or NULL */
    const char *pages_text;               /**< lines after the commands in the help text */
    const char *other;                    /**< another program with further commands */
    const char *const *commands_of_other; /**< commands of the other program, terminated by NULL */
} cmd_program;

/** Paragraphs of help for both programs, terminated by NULL. */
extern const char *const cmd_about_words[], *const cmd_about_exit[];

/** Parse the arguments, execute the command, and check that its output was written. @return exit code */
int cmd_program_main(const cmd_program *program, int argc, char **argv);

#endif
