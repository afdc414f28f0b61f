/* test_baseline.c - the tables of figures that may not grow unseen: what is judged how, and that a bad file is
 * named. */
#include "baseline.h"
#include "test/fixtures/file_util.h"

static const char *const columns[] = {"model", "form", "calls", "steps"};
static char text[BASELINE_TEXT];

static baseline table(void)
{
    return (baseline){
        .heading = "# a table\n",
        .columns = columns,
        .n_words = 2,
        .n_figures = 2,
        .n_rows = 2,
        .row = {{.key = "chain ggl", .figure = {1000, 400}}, {.key = "car ggl", .figure = {200, 60}, .loose = {0, 1}}}};
}

CLAIM(a_written_table_is_read_unchanged)
{
    const char *path = test_path(test_folder(), "a.txt");
    const baseline b = table();
    baseline back = table();
    assert_int_equal(baseline_write(&b, path), 0);
    memset(back.row, 0, sizeof back.row);
    assert_int_equal(baseline_read(&back, path, text), 0);
    assert_int_equal(back.n_rows, b.n_rows);
    for (int i = 0; i < b.n_rows; i++) {
        assert_string_equal(back.row[i].key, b.row[i].key);
        for (int k = 0; k < b.n_figures; k++) {
            assert_true(back.row[i].figure[k] == b.row[i].figure[k]); /* two decimals are enough for them */
            assert_int_equal(back.row[i].loose[k], b.row[i].loose[k]);
        }
    }
}

CLAIM(a_slowdown_is_named)
{
    const baseline then = table();
    baseline now = table();
    assert_int_equal(baseline_judge(&then, &now, 1, text), 0);
    now.row[0].figure[0] = 1029;
    assert_int_equal(baseline_judge(&then, &now, 1, text), 0);
    now.row[0].figure[0] = 1050;
    now.row[1].figure[0] = 190;
    assert_int_equal(baseline_judge(&then, &now, 1, text), 1);
    assert_string_equal(text, "chain ggl: calls 1050.00, was 1000.00 (+5.0 %)\n");
    assert_int_equal(baseline_judge(&then, &now, -1, text), 1);
    assert_string_equal(text, "car ggl: calls 190.00, was 200.00 (-5.0 %)\n");
}

CLAIM(a_case_that_is_not_in_the_table_fails)
{
    baseline then = table();
    const baseline now = table();
    then.n_rows = 1;
    assert_int_equal(baseline_judge(&then, &now, 1, text), 1);
    assert_string_equal(text, "car ggl: not in the table\n");
    assert_true(isnan(baseline_mean_percent(&then, &now, 0, 0)));
}

static void expect_refused(const char *content, const char *why)
{
    const char *path = test_path(test_folder(), "bad.txt");
    baseline b = table();
    test_file_write(path, content, strlen(content));
    assert_int_equal(baseline_read(&b, path, text), -1);
    if (!strstr(text, why)) fail_msg("\"%s\" does not say \"%s\"", text, why);
}

#define NAMES "model form calls steps\n"

CLAIM(bad_tables_are_refused_by_name)
{
    baseline b = table();
    assert_int_equal(baseline_read(&b, test_path(test_folder(), "none.txt"), text), -1);
    assert_non_null(strstr(text, "none.txt: cannot be read"));
    expect_refused("", "no rows");
    expect_refused("# only words\n" NAMES, "no rows");
    expect_refused("chain ggl 1 2\n", "line 1: not the names");
    expect_refused("model form calls\nchain ggl 1\n", "line 1: not the names");
    expect_refused("model form calls steps more\n", "line 1: not the names");
    expect_refused(NAMES "chain ggl 1\n", "line 2: not a row");
    expect_refused(NAMES "\nchain ggl 1 2 3\n", "line 3: not a row");
    expect_refused(NAMES "chain ggl 1 x\n", "line 2: not a row");
    expect_refused(NAMES "chain ggl 1 2x\n", "line 2: not a row");
    expect_refused(NAMES "chain ggl 1 (2\n", "line 2: not a row");
    expect_refused(NAMES "chain ggl -1 2\n", "line 2: not a row");
    expect_refused(NAMES "chain ggl nan 2\n", "line 2: not a row");
    expect_refused(NAMES "chain ggl 1 2\nchain ggl 1 2\n", "line 3: not a row");
}
