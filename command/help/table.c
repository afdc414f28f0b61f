/* table.c - one line for each command. */
#include "table.h"

#include "command/cli/commands.h"

const cmd_command cmd_commands[CMD_ALL_COMMANDS] = {
    {"models", CMD_MODELS, cmd_cmd_models, "[MODEL...]", "what is built in, with sizes; parameters of a MODEL", NULL},
    {"solve", CMD_SOLVE, cmd_cmd_solve, "MODEL", "integrate; --out FILE.csv writes the trajectory", NULL},
    {"resume", CMD_RESUME, cmd_cmd_resume, "FILE", "go on with a run that was interrupted: solve --checkpoint FILE",
     NULL},
    {"compare", CMD_COMPARE, cmd_cmd_compare, "[MODEL...]", "a row for each Jacobian strategy and formalism", NULL},
    {"work-precision", CMD_WORK_PRECISION, cmd_cmd_work_precision, "MODEL...|all",
     "cost over error for several tolerances; --out FILE.svg draws", NULL},
    {"check", CMD_CHECK, cmd_cmd_check, "MODEL...", "validate: sizes, rank of G, start, derivatives, a run", NULL},
    {"equilibrium", CMD_EQUILIBRIUM, cmd_cmd_equilibrium, "MODEL",
     "where it stays: positions, reactions, stable or not; from a guess by --start", NULL},
    {"pattern", CMD_PATTERN, cmd_cmd_pattern, "MODEL", "entries of J and groups of columns; --out FILE.svg draws",
     NULL},
    {"conditioning", CMD_CONDITIONING, cmd_cmd_conditioning, "MODEL",
     "condition numbers and last Newton corrections of the index-3 form over h; --out FILE.svg draws", NULL},
    {"linearize", CMD_LINEARIZE, cmd_cmd_linearize, "MODEL",
     "eigenvalues, modes and matrices about a state; --out FILE.svg draws", NULL},
    {"response", CMD_RESPONSE, cmd_cmd_response, "MODEL",
     "amplitude and phase of outputs over the frequency of an excitation; --out FILE.svg draws", NULL},
    {"reproduce", CMD_REPRODUCE, cmd_cmd_reproduce, "ITEM", "a table or figure of a paper beside what is measured",
     cmd_reproduce_items},
    {"report", CMD_REPORT, cmd_cmd_report, "", "all of it on one page, to be read, sent and printed", NULL},
    {"sweep", CMD_SWEEP, cmd_cmd_sweep, "PLAN", "many runs of a model, from a plan into a database", NULL},
};

const char *const cmd_about_words[] = {
    "MODEL is a built-in name or a file (with a '/', or ending in " RSD_MODEL_ENDINGS "; or casadi:FILE).",
    "--format json prints one JSON object on each line of standard output and nothing else.", NULL};

const char *const cmd_about_exit[] = {
    "Exit codes: 0 done, 1 an integration or a check failed, 2 wrong command line, 74 a file or standard output could "
    "not be written, 128 + number of the signal that ended it (130 after Ctrl-C). What does not end 5 s after the "
    "first signal is ended with what is finished; a second signal ends it at once.",
    NULL};

char *cmd_items_text(const cmd_command *command)
{
    char *text = NULL;
    size_t size = 0;
    FILE *lines = open_memstream(&text, &size);
    if (!lines) return NULL;
    command->items(lines);
    fclose(lines);
    return text;
}
