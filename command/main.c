/* main.c - the command `resida`: one line for each of its subcommands. */
#include "command/cli/commands.h"
#include "command/cli/own_options.h"
#include "command/help/pages.h"

#include <resida_features.h>
#include <stddef.h>

/** Commands that a build may lack come last, those that it lacks at the end. */
enum { SWEEP_FIRST = RSD_HAS_SQLITE && !RSD_HAS_EXPORT, N_ALWAYS = 10 };
static const cmd_command commands[] = {
    {"models", CMD_MODELS, cmd_cmd_models, "[MODEL...]",
     "list the built-in models with their sizes, or the parameters of a MODEL", NULL},
    {"solve", CMD_SOLVE, cmd_cmd_solve, "MODEL", "integrate a model; --out FILE.csv writes the trajectory", NULL},
    {"resume", CMD_RESUME, cmd_cmd_resume, "FILE",
     "continue an interrupted run from its checkpoint (solve --checkpoint FILE)", NULL},
    {"compare", CMD_COMPARE, cmd_cmd_compare, "[MODEL...]",
     "compare Jacobian strategies, formalisms and, with --peers, other integrators", NULL},
    {"check", CMD_CHECK, cmd_cmd_check, "MODEL...", "check a model: sizes, rank of G, start, derivatives, a run", NULL},
    {"equilibrium", CMD_EQUILIBRIUM, cmd_cmd_equilibrium, "MODEL",
     "find an equilibrium: positions, reactions, stability; --start sets the initial guess", NULL},
    {"pattern", CMD_PATTERN, cmd_cmd_pattern, "MODEL",
     "show the pattern of J and the groups of its columns; --out FILE.svg draws it", NULL},
    {"linearize", CMD_LINEARIZE, cmd_cmd_linearize, "MODEL",
     "linearize about a state: eigenvalues, modes, matrices; --out FILE.svg draws", NULL},
    {"response", CMD_RESPONSE, cmd_cmd_response, "MODEL",
     "compute the frequency response of outputs to an excitation; --out FILE.svg draws it", NULL},
    {"critical", CMD_CRITICAL, cmd_cmd_critical, "MODEL",
     "find the value of a parameter at which a mode becomes unstable; --out FILE.svg draws the root locus", NULL},
    [N_ALWAYS + SWEEP_FIRST] = {"export", CMD_EXPORT, cmd_cmd_export, "MODEL",
                                "export a model as an FMU for Co-Simulation; --fmu NAME.fmu", NULL},
    [N_ALWAYS + !SWEEP_FIRST] = {"sweep", CMD_SWEEP, cmd_cmd_sweep, "PLAN",
                                 "run the cases of a plan and write them to a database", NULL},
};

static const cmd_page pages[] = {
    {"--man", cmd_manual_write}, {"--bash", cmd_completion_bash}, {"--zsh", cmd_completion_zsh}, {NULL, NULL}};

static const char *const of_laboratory[] = {"reproduce", "report", "work-precision", "conditioning", "results",
                                            "study",     NULL};

const cmd_program cmd_resida = {
    .name = "resida",
    .text = "integrates differential-algebraic equations that are given as residuals.",
    .commands = commands,
    .n_commands = N_ALWAYS + RSD_HAS_SQLITE + RSD_HAS_EXPORT,
    .n_refused = !RSD_HAS_SQLITE + !RSD_HAS_EXPORT,
    .options = cmd_own_options,
    .n_options = &cmd_n_own_options,
    .pages = pages,
    .pages_text =
        "  resida help           --man        print the manual page; --bash, --zsh: print completion scripts\n",
    .other = "resida-bench",
    .commands_of_other = of_laboratory,
};

int main(int argc, char **argv)
{
    return cmd_program_main(&cmd_resida, argc, argv);
}
