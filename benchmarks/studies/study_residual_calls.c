/* study_residual_calls.c - residual calls of each model at its own tolerances in the residual formalism: `dense` and
 * the best of the paper's six strategies, both without stability limit detection, which the paper's code does not have,
 * and `auto` and `fresh` with default options. Steps are in brackets. */
#include "studies.h"

#include "program/base/number.h"
#include "run_line.h"

#include <stdio.h>

static const struct {
    const char *name, *words;
} models[] = {
#define ROW(name, words) {name, words},
#include "residual-calls.csv.inc"
};

static const char *const six[] = {"dense",          "sparse",         "dense+partitioned", "sparse+partitioned",
                                  "dense+extended", "sparse+extended"};

enum { N_MODELS = sizeof models / sizeof *models, N_SIX = sizeof six / sizeof *six, LINE = 200 };

static int calls(int model, const char *jacobian, const char *options, cmd_row *row)
{
    char words[LINE];
    snprintf(words, sizeof words, "%s --formalism residual%s", models[model].words, options);
    return bench_run_line(words, jacobian, NULL, row);
}

static void add(cmd_table *table, const cmd_row *row)
{
    if (row->outcome == CMD_OK)
        cmd_table_cell(table, "%ld (%ld)", row->stats.residual_calls.total, row->stats.steps);
    else
        cmd_table_cell(table, "-");
}

static int measure(cmd_table *table, int model)
{
    cmd_row row;
    long best = -1;
    int code = 0;
    cmd_table_cell(table, "%s", models[model].name);
    for (int k = 0; k < N_SIX && code == 0; k++) {
        code = calls(model, six[k], " --no-stability-detection", &row);
        if (k == 0) add(table, &row);
        const long n = row.stats.residual_calls.total;
        if (row.outcome == CMD_OK && (best < 0 || n < best)) best = n;
    }
    cmd_table_cell(table, "%s", best < 0 ? "-" : cmd_number("%ld", best));
    if (code == 0) code = calls(model, "auto", "", &row);
    add(table, &row);
    if (code == 0) code = calls(model, "fresh", "", &row);
    add(table, &row);
    return code;
}

int bench_fill_residual_calls(const cmd_settings *s, cmd_table *table)
{
    int code = 0;
    (void)s;
    cmd_table_begin(table, "<model\tdense\tbest of the six\tauto\tfresh");
    for (int i = 0; i < N_MODELS && code == 0; i++) code = measure(table, i);
    return code;
}
