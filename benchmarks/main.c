/* main.c - the program `resida-bench`: the table of its commands. */
#include "benchmarks/cli/commands.h"
#include "benchmarks/cli/own_options.h"
#include "program/program.h"

#include <stddef.h>

static const cmd_command commands[] = {
    {"reproduce", CMD_REPRODUCE, cmd_cmd_reproduce, "ITEM", "a table or figure of a paper beside what is measured",
     cmd_reproduce_items},
    {"report", CMD_REPORT, cmd_cmd_report, "[MODEL...]",
     "all of it, or all of models, on one page, to be read, sent and printed", NULL},
    {"work-precision", CMD_WORK_PRECISION, cmd_cmd_work_precision, "MODEL...|all",
     "cost over error for several tolerances; --out FILE.svg draws", NULL},
    {"conditioning", CMD_CONDITIONING, cmd_cmd_conditioning, "MODEL",
     "condition numbers and last Newton corrections of the index-3 form over h; --out FILE.svg draws", NULL},
    {"results", CMD_RESULTS, cmd_cmd_results, "TEMPLATE [STUDY...]",
     "a page that quotes studies, such as doc/results.md; what takes minutes is kept, but for each STUDY",
     cmd_results_items},
    {"study", CMD_WORK_PRECISION, cmd_cmd_study, "NAME", "measurements of minutes that belong to no paper",
     cmd_study_items},
};

static const char *const of_users[] = {"models",  "solve",     "resume",   "compare",  "check",
                                       "pattern", "linearize", "response", "critical", "equilibrium",
                                       "export",  "sweep",     NULL};

static const cmd_program laboratory = {
    .name = "resida-bench",
    .text = "measures resida: tables of papers, other integrators, work at equal error, conditioning.",
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
