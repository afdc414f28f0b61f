/* report_lines.c - measures and stores the rows of the paper's tables. */
#include "report.h"

#include "program/base/complain.h"
#include "program/base/grow.h"

static const double run_limit_s = 60;

static int keep(cmd_report_work *r, const cmd_line *line)
{
    cmd_line *more = cmd_grow_array(r->lines, r->n_lines, sizeof *more);
    if (!more) return cmd_no_memory();
    r->lines = more;
    more[r->n_lines++] = *line;
    return 0;
}

static int take(const cmd_line *line, void *self)
{
    cmd_report_work *r = self;
    if (line->row.outcome == CMD_FAILED && !line->row.version) {
        r->failed++;
        cmd_complain(0, "%s, %s, %s: %s", line->table->cases[line->in_case].model, line->row.formalism,
                     line->row.jacobian, line->row.message);
    }
    return keep(r, line);
}

static const cmd_model *prepare(const cmd_model *model, const cmd_settings *s, void *self)
{
    return cmd_report_reference(self, model, s);
}

int cmd_report_measure(cmd_report_work *r, const cmd_paper_table *t)
{
    const cmd_settings s = cmd_report_settings(r, run_limit_s);
    const cmd_lines_to to = {prepare, take, r};
    return cmd_paper_table_measure(t, &s, &to);
}
