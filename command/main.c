/* main.c - finds the command, reads its words, runs it, and makes sure that what it wrote has arrived. */
#include "command/cli/commands.h"
#include "command/base/complain.h"
#include "command/cli/inputs.h"
#include "command/base/number.h"
#include "command/output/row.h"
#include "command/base/signals.h"
#include "command/base/suggest.h"
#include "command/base/watchdog.h"
#include "command/base/wrap.h"

#include <errno.h>
#include <fcntl.h>
#include <resida/solver.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct command {
    const char *name;
    unsigned mask; /**< which options it knows */
    int (*run)(const bench_settings *s);
    const char *words; /**< after its name */
    const char *text;
    void (*items)(FILE *stream); /**< what its word can be, for the help; NULL: said above */
} command;

static const command commands[] = {
    {"models", BENCH_MODELS, bench_cmd_models, "[MODEL...]", "what is built in, with sizes; parameters of a MODEL",
     NULL},
    {"solve", BENCH_SOLVE, bench_cmd_solve, "MODEL", "integrate; --out FILE.csv writes the trajectory", NULL},
    {"compare", BENCH_COMPARE, bench_cmd_compare, "[MODEL...]", "a row for each Jacobian strategy and formalism", NULL},
    {"work-precision", BENCH_WORK_PRECISION, bench_cmd_work_precision, "MODEL...|all",
     "cost over error for several tolerances; --out FILE.svg draws", NULL},
    {"check", BENCH_CHECK, bench_cmd_check, "MODEL...", "validate: sizes, rank of G, start, derivatives, a run", NULL},
    {"pattern", BENCH_PATTERN, bench_cmd_pattern, "MODEL", "entries of J and groups of columns; --out FILE.svg draws",
     NULL},
    {"conditioning", BENCH_CONDITIONING, bench_cmd_conditioning, "MODEL",
     "condition numbers and last Newton corrections of the index-3 form over h; --out FILE.svg draws", NULL},
    {"reproduce", BENCH_REPRODUCE, bench_cmd_reproduce, "ITEM", "a table or figure of a paper beside what is measured",
     bench_reproduce_items},
    {"report", BENCH_REPORT, bench_cmd_report, "", "all of it on one page, to be read, sent and printed", NULL},
};

enum { N_COMMANDS = sizeof commands / sizeof commands[0], HELP_WIDTH = 79, HELP_WORDS = 200 };

static const command *find(const char *name)
{
    for (int i = 0; i < N_COMMANDS; i++)
        if (strcmp(name, commands[i].name) == 0) return &commands[i];
    return NULL;
}

static int print_help(void)
{
    puts("resida integrates differential-algebraic equations that are given as residuals.\n");
    for (int i = 0; i < N_COMMANDS; i++)
        printf("  resida %-14s %-12s %s\n", commands[i].name, commands[i].words, commands[i].text);
    puts("  resida help           COMMAND      the options of a command, and what an ITEM can be\n"
         "\n"
         "MODEL is a built-in name or the path of a plugin (with a '/', or ending in .so).\n"
         "--format json prints one JSON object on each line of standard output and nothing else.\n"
         "Exit codes: 0 done, 1 an integration or a check failed, 2 wrong command line, 74 a file or standard output\n"
         "could not be written, 128 + number of the signal that ended it (130 after Ctrl-C). What does not end 5 s "
         "after the\n"
         "first signal is ended with what is finished; a second signal ends it at once.");
    return BENCH_EXIT_OK;
}

static int print_version(void)
{
    char sundials[32];
    if (resida_sundials_version(sundials, sizeof sundials) < 0) strcpy(sundials, "unknown");
    printf("resida %s (SUNDIALS %s, %s)\n", resida_version(), sundials, bench_compiler());
    return BENCH_EXIT_OK;
}

static int unknown_command(const char *word)
{
    const char *names[N_COMMANDS + 1];
    for (int i = 0; i < N_COMMANDS; i++) names[i] = commands[i].name;
    names[N_COMMANDS] = "help";
    if (word[0] == '-')
        return bench_complain(BENCH_EXIT_USAGE, "%s: options come after a command; 'resida --help' lists them", word);
    const char *near = bench_nearest(word, names, N_COMMANDS + 1);
    if (near) return bench_complain(BENCH_EXIT_USAGE, "no command '%s'; did you mean '%s'?", word, near);
    return bench_complain(BENCH_EXIT_USAGE, "no command '%s'; 'resida --help' lists them", word);
}

static int help_on(const char *word)
{
    char what[HELP_WORDS];
    const command *c = find(word);
    if (!c) return unknown_command(word);
    snprintf(what, sizeof what, "resida %s: %s", c->name, c->text);
    bench_wrap(what, HELP_WIDTH, stdout);
    putchar('\n');
    bench_settings_help(c->name, c->mask, c->words, stdout);
    if (c->items) {
        printf("\n%s:\n", c->words);
        c->items(stdout);
    }
    return BENCH_EXIT_OK;
}

static int run_command(const command *c, int argc, char **argv)
{
    bench_settings s;
    if (bench_watchdog_start() != 0) return bench_complain(BENCH_EXIT_FAILED, "out of threads");
    int code = bench_settings_parse(&s, c->name, c->mask, argc, argv);
    if (code == 0 && !s.help) code = bench_inputs_are_spared(&s);
    if (code == 0) code = s.help ? help_on(c->name) : c->run(&s);
    bench_settings_free(&s);
    return code;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) return bench_complain(BENCH_EXIT_USAGE, "which command? 'resida --help' lists them");
    const char *word = argv[1];
    if (strcmp(word, "--version") == 0) return print_version();
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return print_help();
    if (strcmp(word, "help") == 0) return argc > 2 ? help_on(argv[2]) : print_help();
    const command *c = find(word);
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
    if (!failed || code == BENCH_EXIT_IO) return code;
    if (errno == 0) errno = EIO;
    return bench_complain_io("write", "standard output");
}

int main(int argc, char **argv)
{
    occupy_standard_streams();
    if (bench_number_use_point() != 0) return bench_complain(BENCH_EXIT_FAILED, "out of memory");
    bench_signals_install();
    int code = close_stdout(dispatch(argc, argv));
    bench_watchdog_done();
    return code;
}
