/* program.h - a program with commands: main() of `resida` and of `resida-bench`. Help comes from its table and from the
 * table of options. */
#ifndef CMD_PROGRAM_H
#define CMD_PROGRAM_H

#include "program/cli/options.h"
#include "program/cli/settings.h"

typedef struct cmd_command {
    const char *name;
    unsigned mask; /**< which options it knows */
    cmd_command_fn *run;
    const char *words; /**< after its name */
    const char *text;
    void (*items)(FILE *stream); /**< what its word can be, a line each; NULL: said by `words` */
} cmd_command;

/** A page or a script that is made from the tables: "help --man". */
typedef struct cmd_page {
    const char *option;
    int (*write)(FILE *stream); /**< @return 0; -1 without memory */
} cmd_page;

typedef struct cmd_program {
    const char *name, *text;     /**< "resida", "integrates ..." */
    const cmd_command *commands; /**< [n_commands + n_refused] */
    int n_commands;
    int n_refused;             /**< that the build lacks, and that are refused by name */
    const cmd_option *options; /**< [*n_options] that only its commands have */
    const int *n_options;
    const cmd_page *pages;                /**< ended by NULL; or NULL */
    const char *pages_text;               /**< behind the commands, in the help */
    const char *other;                    /**< a program that has further commands, */
    const char *const *commands_of_other; /**< these; ended by NULL */
} cmd_program;

/** What is said of both programs, paragraph by paragraph; ended by NULL. */
extern const char *const cmd_about_words[], *const cmd_about_exit[];

/** Reads the words, runs the command, and makes sure that what it wrote has arrived. @return exit code */
int cmd_program_main(const cmd_program *program, int argc, char **argv);

#endif
