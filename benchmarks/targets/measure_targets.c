/* measure_targets.c - what the project asks of itself, measured: the Jacobian strategies on the tables of the paper,
 * and processor time at equal error beside the fastest peer. Not a test: most of it are times. A target that is missed
 * is a line, not a failure; a run of resida that fails is one.
 *
 *     targets [table1] [table2] [table3] [extended] [equal-error] [OPTIONS of work-precision]
 */
#include "targets.h"

#include "command/cli/commands.h"
#include "command/base/complain.h"
#include "command/cli/model_arg.h"
#include "command/report/report.h"
#include "command/output/row.h"
#include "command/base/signals.h"

#include <math.h>
#include <string.h>

static const char *const papers[] = {"table1", "table2", "table3", "extended"};
static const char equal_error[] = "equal-error";
enum { N_PAPERS = sizeof papers / sizeof papers[0] };

/** More integrators reach an error of 1e-3 from here. */
static const double loosest = 1e-2;
static const double run_limit_s = 20;

/** Is the part wanted? All are when none is named. */
static int is_wanted(const bench_settings *s, const char *part)
{
    for (int i = 0; i < s->n_words; i++)
        if (strcmp(s->words[i], part) == 0) return 1;
    return s->n_words == 0;
}

static int is_part(const char *word)
{
    int known = strcmp(word, equal_error) == 0;
    for (int i = 0; i < N_PAPERS; i++) known |= strcmp(word, papers[i]) == 0;
    return known;
}

static int count_failure(const bench_method *method, const bench_row *row, void *context)
{
    bench_report *r = context;
    if (method->peer || row->outcome != BENCH_FAILED) return 0;
    r->failed++;
    bench_complain(0, "%s, rtol = %g: %s", row->model->cls->name, row->rtol, row->message);
    return 0;
}

static int study(bench_report *r, const char *name)
{
    bench_model model;
    bench_study study;
    bench_settings s = bench_report_settings(r, run_limit_s);
    s.n_words = 0;
    int code = bench_models_open(&model, 1, &name, &s);
    if (code != 0) return code;
    /* Bricard's mechanism has a constraint too many. */
    if (model.model.mechanism.n_g > 0) s.start.redundant = RESIDA_REDUNDANT_DROP;
    code = bench_study_open(&study, &s);
    if (code == 0)
        code = bench_summary_take(&r->work, &study, &model, bench_study_run(&study, &model, count_failure, r));
    bench_study_close(&study);
    bench_models_close(&model, 1);
    return code;
}

/** A model that nobody can solve does not keep the others from being compared. */
static int measure_equal_errors(bench_report *r)
{
    const char *names[BENCH_MECHANISMS_MAX];
    int n = bench_mechanisms(names), code = n < 0 ? BENCH_EXIT_FAILED : 0;
    for (int i = 0; i < n && code == 0; i++) {
        code = study(r, names[i]);
        if (code != BENCH_EXIT_FAILED) continue;
        r->failed++;
        code = 0;
    }
    return code;
}

static void print(bench_table *table)
{
    int met, missed;
    targets_count(table, &met, &missed);
    const int rows = bench_table_rows(table);
    bench_table_print(table, 2, stdout);
    printf("\n%d met, %d missed, %d not settled. cpu, calls and evaluations are those of the best strategy that gets "
           "through with a right result;\ntimes depend on the machine and on what else it does, counts repeat "
           "exactly.\n",
           met, missed, rows - met - missed);
}

static int measure(bench_report *r)
{
    bench_table table;
    int code = 0;
    targets_begin(&table);
    for (int i = 0; i < N_PAPERS && code == 0; i++) {
        const bench_paper_table *paper = bench_paper_table_find(papers[i]);
        if (!is_wanted(r->settings, papers[i])) continue;
        code = bench_report_measure(r, paper);
        targets_add_paper(&table, paper, r->lines, r->n_lines);
    }
    if (code == 0 && is_wanted(r->settings, equal_error)) {
        code = measure_equal_errors(r);
        targets_add_equal_errors(&table, &r->work);
    }
    if (table.n_cells > 0) print(&table);
    bench_table_free(&table);
    return code == 0 && r->failed > 0 ? BENCH_EXIT_FAILED : code;
}

static int start(bench_settings *s, int argc, char **argv)
{
    int code = bench_settings_parse(s, "targets", BENCH_WORK_PRECISION, argc, argv);
    s->peers = 1;
    s->from = bench_given_or(s->from, loosest);
    for (int i = 0; i < s->n_words && code == 0; i++)
        if (!is_part(s->words[i])) code = bench_complain(BENCH_EXIT_USAGE, "targets: no part '%s'", s->words[i]);
    return code;
}

int main(int argc, char **argv)
{
    bench_settings s;
    bench_signals_install();
    int code = start(&s, argc, argv);
    bench_report r = {.settings = &s};
    if (code == 0) code = measure(&r);
    bench_report_free(&r);
    bench_settings_free(&s);
    return code;
}
