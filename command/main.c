/* main.c - finds the command, reads its words, runs it, and makes sure that what it wrote has arrived. */
#include "program/base/complain.h"
#include "program/cli/options.h"
#include "program/cli/inputs.h"
#include "command/help/table.h"
#include "program/base/number.h"
#include "program/output/row.h"
#include "program/base/signals.h"
#include "program/base/suggest.h"
#include "program/base/watchdog.h"
#include "program/base/wrap.h"

#include <errno.h>
#include <fcntl.h>
#include <resida/solver.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HELP_WIDTH = 79, HELP_WORDS = 200, ABOUT_WIDTH = 110 };

static const cmd_command *find(const char *name)
{
    for (int i = 0; i < CMD_ALL_COMMANDS; i++)
        if (strcmp(name, cmd_commands[i].name) == 0) return &cmd_commands[i];
    return NULL;
}

static int print_help(void)
{
    puts("resida integrates differential-algebraic equations that are given as residuals.\n");
    for (int i = 0; i < CMD_N_COMMANDS; i++)
        printf("  resida %-14s %-12s %s\n", cmd_commands[i].name, cmd_commands[i].words, cmd_commands[i].text);
    puts("  resida help           COMMAND      the options of a command, and what an ITEM can be\n"
         "  resida help           --man        the manual page; --bash, --zsh: what completes command lines\n");
    for (const char *const *words = cmd_about_words; *words; words++) cmd_wrap(*words, ABOUT_WIDTH, stdout);
    for (const char *const *words = cmd_about_exit; *words; words++) cmd_wrap(*words, ABOUT_WIDTH, stdout);
    return CMD_EXIT_OK;
}

static int print_version(void)
{
    char sundials[32];
    if (resida_sundials_version(sundials, sizeof sundials) < 0) strcpy(sundials, "unknown");
    printf("resida %s (SUNDIALS %s, %s)\n", resida_version(), sundials, cmd_compiler());
    return CMD_EXIT_OK;
}

static int unknown_command(const char *word)
{
    const char *names[CMD_N_COMMANDS + 1];
    for (int i = 0; i < CMD_N_COMMANDS; i++) names[i] = cmd_commands[i].name;
    names[CMD_N_COMMANDS] = "help";
    if (word[0] == '-')
        return cmd_complain(CMD_EXIT_USAGE, "%s: options come after a command; 'resida --help' lists them", word);
    const char *near = cmd_nearest(word, names, CMD_N_COMMANDS + 1);
    if (near) return cmd_complain(CMD_EXIT_USAGE, "no command '%s'; did you mean '%s'?", word, near);
    return cmd_complain(CMD_EXIT_USAGE, "no command '%s'; 'resida --help' lists them", word);
}

/** A page or a script made from the tables. @return an exit code; -1: `word` is none of them */
static int write_made(const char *word)
{
    static const struct {
        const char *name;
        int (*write)(FILE *stream);
    } made[] = {{"--man", cmd_manual_write}, {"--bash", cmd_completion_bash}, {"--zsh", cmd_completion_zsh}};
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++)
        if (strcmp(word, made[i].name) == 0) return made[i].write(stdout) == 0 ? CMD_EXIT_OK : cmd_no_memory();
    return -1;
}

static int help_on(const char *word)
{
    char what[HELP_WORDS];
    int code = write_made(word);
    if (code >= 0) return code;
    const cmd_command *c = find(word);
    if (!c) return unknown_command(word);
    snprintf(what, sizeof what, "resida %s: %s", c->name, c->text);
    cmd_wrap(what, HELP_WIDTH, stdout);
    putchar('\n');
    cmd_settings_help(c->name, c->mask, c->words, stdout);
    if (c->items) {
        printf("\n%s:\n", c->words);
        c->items(stdout);
    }
    return CMD_EXIT_OK;
}

static int run_command(const cmd_command *c, int argc, char **argv)
{
    cmd_settings s;
    if (cmd_watchdog_start() != 0) return cmd_complain(CMD_EXIT_FAILED, "out of threads");
    int code = cmd_settings_parse(&s, c->name, c->mask, argc, argv);
    if (code == 0 && !s.help) code = cmd_inputs_are_spared(&s);
    if (code == 0) code = s.help ? help_on(c->name) : c->run(&s);
    if (code == 0 && s.solver.threads > 1 && !rsd_feature_of("OpenMP")->is_built)
        cmd_complain_lack(0, "--threads", "OpenMP");
    cmd_settings_free(&s);
    return code;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) return cmd_complain(CMD_EXIT_USAGE, "which command? 'resida --help' lists them");
    const char *word = argv[1];
    if (strcmp(word, "--version") == 0) return print_version();
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return print_help();
    if (strcmp(word, "help") == 0) return argc > 2 ? help_on(argv[2]) : print_help();
    const cmd_command *c = find(word);
    return c ? run_command(c, argc - 1, argv + 1) : unknown_command(word);
}

/** Descriptors 0, 1, 2 are taken, so that a result file cannot become "standard output". What was closed stays
 *  unwritable: a write fails with EBADF. */
static void occupy_standard_streams(void)
{
    int fd;
    do fd = open("/dev/null", O_RDONLY);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0) close(fd);
}

/** A full disk shows only when the last bytes leave. */
static int close_stdout(int code)
{
    errno = 0;
    int failed = ferror(stdout);
    failed |= fclose(stdout) != 0;
    if (!failed || code == CMD_EXIT_IO) return code;
    if (errno == 0) errno = EIO;
    return cmd_complain_io("write", "standard output");
}

int main(int argc, char **argv)
{
    occupy_standard_streams();
    if (cmd_number_use_point() != 0) return cmd_no_memory();
    cmd_options_prepare();
    cmd_signals_install();
    int code = close_stdout(dispatch(argc, argv));
    cmd_watchdog_done();
    return code;
}
