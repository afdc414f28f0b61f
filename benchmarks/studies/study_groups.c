/* study_groups.c - the Jacobian of models as found by `sparse` in a run: unknowns, entries, groups of columns that are
 * differenced together, and a lower bound of the number of groups. */
#include "studies.h"

#include "program/output/row_text.h"
#include "run_line.h"

static const struct {
    const char *name, *words;
} models[] = {
    {"rear axle on a test rig", "rear-axle --jacobian sparse"},
    {"passenger car", "car --jacobian sparse"},
    {"train carriage", "train --jacobian sparse"},
};
enum { N_MODELS = sizeof models / sizeof *models };

int bench_fill_groups(const cmd_settings *s, cmd_table *table)
{
    int code = 0;
    (void)s;
    cmd_table_begin(table, "<model\tunknowns\tentries of J\tgroups\tat least");
    for (int i = 0; i < N_MODELS && code == 0; i++) {
        cmd_row row;
        code = bench_run_line(models[i].words, NULL, NULL, &row);
        cmd_table_cells(table, "%s\t%d\t%ld\t%d\t%d", models[i].name, row.stats.n, row.stats.nnz, row.stats.groups,
                        row.stats.groups_bound);
    }
    return code;
}
