/* study_condition.c - condition numbers of the iteration matrix of the pendulum in index 3, BDF, unknowns (u, v, lam),
 * over the step size: unscaled, and with the scalings of Bottasso, Bauchau, Cardona. */
#include "studies.h"

#include "benchmarks/conditioning/conditioning.h"

#include <math.h>

static const double steps[] = {1e-2, 1e-4, 1e-6, 1e-8};
enum { N_STEPS = sizeof steps / sizeof *steps };

static void fill(const cmd_blocks *b, cmd_table *table)
{
    for (int i = 0; i < N_STEPS; i++) {
        cmd_table_cell(table, "%.0e", steps[i]);
        for (int k = 0; k < CMD_N_SCALINGS; k++)
            cmd_table_cell(table, "%.2g", cmd_condition(b, CMD_BDF_UVL, k, steps[i]));
    }
}

int bench_fill_condition(const cmd_settings *s, cmd_table *table)
{
    static const char *const name = "pendulum";
    cmd_settings own = *s;
    cmd_model model;
    cmd_job job;
    cmd_blocks blocks = {.n = 0};
    own.problem.form = "index3";
    cmd_table_begin(table, "h [s]\tnone@scaling\tleft@scaling\tlam@scaling\tlam+v@scaling");
    int code = cmd_models_open(&model, 1, &name, &own);
    if (code != 0) return code;
    code = cmd_job_make(&job, &model, &own, 1);
    if (code == 0) code = cmd_blocks_make(&blocks, &job);
    if (code == 0) fill(&blocks, table);
    cmd_blocks_free(&blocks);
    cmd_models_close(&model, 1);
    return code;
}
