/* main.c - the program `resida-bench`: the table of its commands. */
#include "benchmarks/cli/commands.h"
#include "benchmarks/cli/own_options.h"
#include "program/program.h"

#include <stddef.h>

static const cmd_command commands[] = {
    {"reproduce", CMD_REPRODUCE, cmd_cmd_reproduce, "ITEM",
     "repeat a table or figure of a paper: published and measured values", cmd_reproduce_items},
    {"report", CMD_REPORT, cmd_cmd_report, "[MODEL...]",
     "write all measurements, or those of the given models, to one HTML page", NULL},
    {"work-precision", CMD_WORK_PRECISION, cmd_cmd_work_precision, "MODEL...|all",
     "measure cost over error for a series of tolerances; --out FILE.svg draws the curves", NULL},
    {"conditioning", CMD_CONDITIONING, cmd_cmd_conditioning, "MODEL",
     "measure condition numbers and last Newton corrections of the index-3 form over h; --out FILE.svg draws them",
     NULL},
    {"results", CMD_RESULTS, cmd_cmd_results, "TEMPLATE [STUDY...]",
     "fill a template with results of studies (doc/results.md); results of long studies are kept, each STUDY is "
     "repeated",
     cmd_results_items},
    {"study", CMD_WORK_PRECISION, cmd_cmd_study, "NAME", "run a study that does not repeat a paper", cmd_study_items},
};

static const char *const of_users[] = {"models",  "solve",     "resume",   "compare",  "check",
                                       "pattern", "linearize", "response", "critical", "equilibrium",
                                       "export",  "sweep",     NULL};

static const cmd_program laboratory = {
    .name = "resida-bench",
    .text = "measures resida: tables of papers, comparisons with other integrators, work at equal error, condition "
            "numbers.",
    .commands = commands,
    .n_commands = sizeof commands / sizeof *commands,
    .options = bench_own_options,
    .n_options = &bench_n_own_options,
    .other = "resida",
    .commands_of_other = of_users,
};

int main(int argc, char **argv)
{
    return cmd_program_main(&laboratory, argc, argv);
}
