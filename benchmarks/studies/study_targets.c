/* study_targets.c - measures the targets of the project: the Jacobian strategies on the tables of the paper, and
 * processor time at equal error relative to the fastest peer. A missed target is reported as a line but is not a
 * failure, because most targets are times. A failed run of resida is a failure. */
#include "equal_error.h"
#include "studies.h"

#include "program/base/complain.h"
#include "program/cli/model_arg.h"
#include "program/output/row.h"
#include "targets.h"

#include <math.h>
#include <string.h>

static const char *const papers[] = {"table1", "table2", "table3", "extended"};
static const char equal_error[] = "equal-error";
enum { N_PAPERS = sizeof papers / sizeof papers[0] };

/** With this loosest tolerance, more integrators reach an error of 1e-3. */
static const double loosest = 1e-2;

/** Return 1 if the part is named, or if no part is named. */
static int is_wanted(const cmd_settings *s, const char *part)
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

/** Compare all models. A model for which no integrator succeeds is counted and skipped. */
static int measure_equal_errors(cmd_report_work *r)
{
    const char *names[CMD_MECHANISMS_MAX];
    int n = cmd_mechanisms(names), code = n < 0 ? CMD_EXIT_FAILED : 0;
    for (int i = 0; i < n && code == 0; i++) {
        code = bench_equal_error(r, names[i]);
        if (code != CMD_EXIT_FAILED) continue;
        r->failed++;
        code = 0;
    }
    return code;
}

static void print(cmd_table *table)
{
    int met, missed;
    targets_count(table, &met, &missed);
    const int rows = cmd_table_rows(table);
    cmd_table_print(table, 2, stdout);
    printf("\n%d met, %d missed, %d undecided. Processor times, calls and evaluations are those of the best strategy "
           "with a correct\nresult. Times depend on the machine and its load; counts repeat exactly.\n",
           met, missed, rows - met - missed);
}

static int measure(cmd_report_work *r)
{
    cmd_table table;
    int code = 0;
    targets_begin(&table);
    for (int i = 0; i < N_PAPERS && code == 0; i++) {
        const cmd_paper_table *paper = cmd_paper_table_find(papers[i]);
        if (!is_wanted(r->settings, papers[i])) continue;
        code = cmd_report_measure(r, paper);
        targets_add_paper(&table, paper, r->lines, r->n_lines);
    }
    if (code == 0 && is_wanted(r->settings, equal_error)) {
        code = measure_equal_errors(r);
        targets_add_equal_errors(&table, &r->work);
    }
    if (table.n_cells > 0) print(&table);
    cmd_table_free(&table);
    return code == 0 && r->failed > 0 ? CMD_EXIT_FAILED : code;
}

int bench_study_targets(const cmd_settings *s)
{
    cmd_settings own = *s;
    own.peers = 1;
    own.from = cmd_value_or(s->from, loosest);
    for (int i = 0; i < s->n_words; i++)
        if (!is_part(s->words[i])) return cmd_complain(CMD_EXIT_USAGE, "targets: unknown part '%s'", s->words[i]);
    cmd_report_work r = {.settings = &own};
    const int code = measure(&r);
    cmd_report_free(&r);
    return code;
}
