/* report_lines.c - the rows of the paper's tables, judged by a reference and kept. */
#include "report.h"

#include "command/base/complain.h"
#include "command/base/grow.h"

static const double run_limit_s = 60;

static int keep(bench_report *r, const bench_line *line)
{
    bench_line *more = bench_grow(r->lines, r->n_lines, sizeof *more);
    if (!more) return bench_no_memory();
    r->lines = more;
    more[r->n_lines++] = *line;
    return 0;
}

static int take(const bench_line *line, void *self)
{
    bench_report *r = self;
    bench_line judged = *line;
    if (r->judge) bench_reference_judge(r->judge, &judged.row);
    if (line->row.outcome == BENCH_FAILED && !line->row.version) {
        r->failed++;
        bench_complain(0, "%s, %s, %s: %s", line->table->cases[line->in_case].model, line->row.formalism,
                       line->row.jacobian, line->row.message);
    }
    return keep(r, &judged);
}

static const bench_model *prepare(const bench_model *model, const bench_settings *s, void *self)
{
    return bench_report_reference(self, model, s);
}

int bench_report_measure(bench_report *r, const bench_paper_table *t)
{
    const bench_settings s = bench_report_settings(r, run_limit_s);
    const bench_lines_to to = {prepare, take, r};
    return bench_paper_table_measure(t, &s, &to);
}
