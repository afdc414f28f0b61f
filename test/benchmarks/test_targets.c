/* test_targets.c - what the project asks of itself, from rows that are made up: a target is met up to what is asked,
 * and nothing counts that fails or is not right. */
#include "test/fixtures/claims.h"
#include "benchmarks/studies/targets.h"

enum { WHAT = 2, VERDICT = 3, MEASURED = 4, BY = 7, ROWS = 4 };

/** Rows of the first case of Table 1, the train in one formalism. */
typedef struct world {
    cmd_line lines[ROWS];
    cmd_table table;
    resida_model_class cls;
} world;

static cmd_line line_of(const char *strategy, double percent_cpu, long evaluations)
{
    cmd_line line = {.table = cmd_paper_table_find("table1"), .percent_cpu = percent_cpu, .percent_calls = 17};
    line.row.outcome = CMD_OK;
    line.row.error.p = line.row.weighted.p = NAN;
    strcpy(line.row.asked, strategy);
    strcpy(line.row.jacobian, strategy);
    line.row.stats.jacobian_evaluations.dense = evaluations;
    return line;
}

static void fill(world *w, double percent)
{
    w->lines[0] = line_of("dense", 100, 90);
    w->lines[0].row.version = "the original";
    w->lines[1] = line_of("sparse", 80, 80);
    w->lines[2] = line_of("auto", percent, 30);
    w->lines[3] = line_of("dense+extended", 1, 1);
    w->lines[3].row.outcome = CMD_FAILED;
    targets_begin(&w->table);
    targets_add_paper(&w->table, w->lines[0].table, w->lines, ROWS);
}

static void expect(const world *w, const char *verdict, const char *measured)
{
    assert_string_equal(cmd_table_at(&w->table, 0, WHAT), "processor time, relative to the original DASSL");
    assert_string_equal(cmd_table_at(&w->table, 0, VERDICT), verdict);
    assert_string_equal(cmd_table_at(&w->table, 0, MEASURED), measured);
    assert_string_equal(cmd_table_at(&w->table, 0, BY), "auto");
}

CLAIM(a_target_is_met_up_to_what_is_asked_by_a_row_that_counts)
{
    static world w;
    fill(&w, 30);
    expect(&w, "met", "30.0 %");
    cmd_table_free(&w.table);
    fill(&w, 30.2);
    expect(&w, "missed", "30.2 %");
    cmd_table_free(&w.table);
}

CLAIM(what_was_not_measured_is_neither_met_nor_missed)
{
    cmd_table table;
    int met, missed;
    const cmd_summary none = {0};
    targets_begin(&table);
    targets_add_paper(&table, cmd_paper_table_find("table2"), NULL, 0);
    targets_add_equal_errors(&table, &none);
    targets_count(&table, &met, &missed);
    assert_true(cmd_table_rows(&table) > 2);
    assert_int_equal(met, 0);
    assert_int_equal(missed, 0);
    cmd_table_free(&table);
}

/* 0.3 s beside 0.5 s and 0.6 s beside 0.5 s: the worst is 120 %, the mean over one model (0.6 1.2)^(1/2). */
CLAIM(at_equal_error_the_worst_and_the_mean_are_judged)
{
    cmd_summary_line line = {.model = "pendulum"};
    cmd_table table;
    for (int i = 0; i < CMD_N_LEVELS; i++) {
        line.at[i].own[CMD_CPU] = i == 0 ? 0.3 : i == 1 ? 0.6 : NAN;
        line.at[i].theirs[CMD_CPU] = 0.5;
        line.at[i].peer = "ida";
    }
    const cmd_summary s = {&line, 1};
    targets_begin(&table);
    targets_add_equal_errors(&table, &s);
    assert_int_equal(cmd_table_rows(&table), 2);
    assert_string_equal(cmd_table_at(&table, 0, MEASURED), "120.0 %");
    assert_string_equal(cmd_table_at(&table, 0, VERDICT), "missed");
    assert_string_equal(cmd_table_at(&table, 0, BY), "pendulum at 1e-04, ida");
    assert_string_equal(cmd_table_at(&table, 1, MEASURED), "84.9 %");
    assert_string_equal(cmd_table_at(&table, 1, VERDICT), "missed so far"); /* other models may change it */
    cmd_table_free(&table);
}
