/* program.c - finds the command, parses its arguments, executes it, and checks that its output was written. */
#include "program.h"

#include "program/base/complain.h"
#include "program/base/number.h"
#include "program/process/signals.h"
#include "program/base/suggest.h"
#include "program/process/watchdog.h"
#include "program/base/wrap.h"
#include "program/cli/inputs.h"
#include "program/output/row.h"

#include <errno.h>
#include <fcntl.h>
#include <resida/solver.h>
#include <resida_features.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HELP_WIDTH = 79, HELP_WORDS = 200, ABOUT_WIDTH = 110, COMMANDS_MAX = 20 };

const char *const cmd_about_words[] = {
    "MODEL is a built-in name or a file (with a '/', or ending in " RSD_MODEL_ENDINGS "; or casadi:FILE). "
    "A model may have its own options; 'models MODEL' lists them.",
    "--format json prints one JSON object on each line of standard output and nothing else.", NULL};

const char *const cmd_about_exit[] = {
    "Exit codes: 0 success; 1 an integration or a check failed; 2 the command line is wrong, or a file that it names "
    "cannot be read; 74 output could not be written; 128 + number of the signal that ended the program (130 for "
    "Ctrl-C). After the first signal the program keeps finished data and ends within 5 s; a second signal ends it "
    "at once.",
    NULL};

static const cmd_command *find_command(const cmd_program *p, const char *name)
{
    for (int i = 0; i < p->n_commands + p->n_refused; i++)
        if (strcmp(name, p->commands[i].name) == 0) return &p->commands[i];
    return NULL;
}

static int print_help(const cmd_program *p)
{
    printf("%s %s\n\n", p->name, p->text);
    for (int i = 0; i < p->n_commands; i++)
        printf("  %s %-14s %-12s %s\n", p->name, p->commands[i].name, p->commands[i].words, p->commands[i].text);
    printf("  %s help           COMMAND      list the options of a command, and its ITEMs\n%s\n", p->name,
           p->pages ? p->pages_text : "");
    for (const char *const *words = cmd_about_words; *words; words++) cmd_wrap(*words, ABOUT_WIDTH, stdout);
    for (const char *const *words = cmd_about_exit; *words; words++) cmd_wrap(*words, ABOUT_WIDTH, stdout);
    return CMD_EXIT_OK;
}

static int print_version(const cmd_program *p)
{
    char sundials[32];
    if (resida_sundials_version(sundials, sizeof sundials) < 0) strcpy(sundials, "unknown");
    printf("%s %s (SUNDIALS %s, %s)\n", p->name, resida_version(), sundials, cmd_compiler());
    return CMD_EXIT_OK;
}

static int complain_unknown_command(const cmd_program *p, const char *word)
{
    const char *names[COMMANDS_MAX + 1];
    for (int i = 0; i < p->n_commands; i++) names[i] = p->commands[i].name;
    names[p->n_commands] = "help";
    for (const char *const *other = p->commands_of_other; *other; other++)
        if (strcmp(word, *other) == 0)
            return cmd_complain(CMD_EXIT_USAGE, "no command '%s'; it is '%s %s'", word, p->other, word);
    if (word[0] == '-')
        return cmd_complain(CMD_EXIT_USAGE, "%s: options come after a command; '%s --help' lists them", word, p->name);
    const char *near = cmd_nearest(word, names, p->n_commands + 1);
    if (near) return cmd_complain(CMD_EXIT_USAGE, "no command '%s'; did you mean '%s'?", word, near);
    return cmd_complain(CMD_EXIT_USAGE, "no command '%s'; '%s --help' lists them", word, p->name);
}

static int print_help_on(const cmd_program *p, const char *word)
{
    char what[HELP_WORDS];
    for (const cmd_page *page = p->pages; page && page->option; page++)
        if (strcmp(word, page->option) == 0) return page->write(stdout) == 0 ? CMD_EXIT_OK : cmd_no_memory();
    const cmd_command *c = find_command(p, word);
    if (!c) return complain_unknown_command(p, word);
    snprintf(what, sizeof what, "%s %s: %s", p->name, c->name, c->text);
    cmd_wrap(what, HELP_WIDTH, stdout);
    putchar('\n');
    cmd_settings_help(c->name, c->mask, c->words, stdout);
    if (c->items) {
        printf("\n%s:\n", c->words);
        c->items(stdout);
    }
    return CMD_EXIT_OK;
}

static int run_command(const cmd_program *p, const cmd_command *c, int argc, char **argv)
{
    cmd_settings s;
    if (cmd_watchdog_start() != 0) return cmd_complain(CMD_EXIT_FAILED, "out of threads");
    int code = cmd_settings_parse(&s, c->name, c->mask, argc, argv);
    if (code == 0 && !s.help) code = cmd_check_no_overwrite(&s);
    if (code == 0) code = s.help ? print_help_on(p, c->name) : c->run(&s);
    if (code == 0 && s.solver.threads > 1 && !rsd_feature_of("OpenMP")->is_built)
        cmd_complain_missing(0, "--threads", "OpenMP");
    cmd_settings_free(&s);
    return code;
}

static int execute_arguments(const cmd_program *p, int argc, char **argv)
{
    if (argc < 2) return cmd_complain(CMD_EXIT_USAGE, "give a command; '%s --help' lists them", p->name);
    const char *word = argv[1];
    if (strcmp(word, "--version") == 0) return print_version(p);
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return print_help(p);
    if (strcmp(word, "help") == 0) return argc > 2 ? print_help_on(p, argv[2]) : print_help(p);
    const cmd_command *c = find_command(p, word);
    return c ? run_command(p, c, argc - 1, argv + 1) : complain_unknown_command(p, word);
}

/** Occupy descriptors 0, 1, 2, so that a result file cannot become standard output. A closed stream remains unwritable:
 *  a write fails with EBADF. */
static void occupy_standard_streams(void)
{
    int fd;
    do fd = open("/dev/null", O_RDONLY);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0) close(fd);
}

/** Flush and close standard output, because a full disk may only be detected then. @return exit code */
static int close_stdout(int code)
{
    const int failed = fflush(stdout) != 0 || ferror(stdout);
    if (failed) return code == CMD_EXIT_IO ? code : cmd_complain_unwritten(stdout, "standard output");
    return fclose(stdout) == 0 || code == CMD_EXIT_IO ? code : cmd_complain_io("write", "standard output");
}

int cmd_program_main(const cmd_program *program, int argc, char **argv)
{
    cmd_complain_as(program->name);
    occupy_standard_streams();
    if (cmd_number_use_point() != 0) return cmd_no_memory();
    cmd_options_prepare(program->options, *program->n_options);
    cmd_signals_install();
    int code = close_stdout(execute_arguments(program, argc, argv));
    cmd_watchdog_allow_exit();
    return code;
}
