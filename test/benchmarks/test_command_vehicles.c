/* test_command_vehicles.c - what `resida-bench reproduce table1` and `table3` promise: rows of both formalisms, each
 * beside what the paper printed for it, percent of DASSL where it is built. The numbers of M. Arnold, A. Fuchs, C.
 * Fuehrer, Efficient corrector iteration for DAE time integration in multibody dynamics, are written down here once
 * more. */
#include <signal.h>
#include <time.h>

#include "test/command/command_fixture.h"
#include "program/builtin/peer.h"

/** A row as printed; cpu 0: the paper has no such row. calls 0: not in that table. */
typedef struct expected {
    const char *strategy;
    double cpu, percent, calls, other_calls, evaluations;
} expected;

static const expected table1_explicit[] = {
    {"dense", 18.86, 100, 9739, 2179, 84},
    {"sparse", 14.78, 78.4, 7178, 2166, 103},
    {"dense+partitioned", 11.03, 58.5, 4759, 2509, 25},
    {"sparse+partitioned", 10.59, 56.2, 4605, 2288, 43},
    {"dense+extended", 0, 0, 0, 0, 0},
    {"sparse+extended", 0, 0, 0, 0, 0},
    {"auto", 0, 0, 0, 0, 0},
};
static const expected table1_residual[] = {
    {"dense", 18.59, 100, 10473, 2193, 92},
    {"sparse", 13.55, 72.9, 6992, 2152, 100},
    {"dense+partitioned", 10.33, 55.6, 4739, 2386, 24},
    {"sparse+partitioned", 9.63, 51.8, 4415, 2226, 40},
    {"dense+extended", 0, 0, 0, 0, 0},
    {"sparse+extended", 0, 0, 0, 0, 0},
    {"auto", 0, 0, 0, 0, 0},
};
static const expected table3_explicit[] = {
    {"dense", 296.86, 100, 0, 0, 2229},
    {"sparse", 309.44, 103.3, 0, 0, 2303},
    {"dense+partitioned", 141.28, 29.6, 0, 0, 660},
    {"sparse+partitioned", 79.66, 18.4, 0, 0, 410},
    {"dense+extended", 145.75, 30, 0, 0, 668},
    {"sparse+extended", 59.45, 14.2, 0, 0, 317},
    {"auto", 0, 0, 0, 0, 0},
};
enum { N_TABLE1 = 7, N_TABLE3 = 7 };

/** A number that was printed, or null. */
static void expect_printed(const json_t *row, const char *path, double value)
{
    if (value > 0)
        assert_true(command_number(row, path) == value);
    else
        assert_true(json_is_null(command_member(row, path)));
}

static void expect_published(const json_t *row, const expected *e, const char *table)
{
    if (e->cpu <= 0) {
        assert_true(json_is_null(command_member(row, "published")));
        return;
    }
    assert_non_null(strstr(command_word(row, "published.source"), table));
    expect_printed(row, "published.cpu_s", e->cpu);
    expect_printed(row, "published.percent", e->percent);
    expect_printed(row, "published.residual_calls", e->calls);
    expect_printed(row, "published.residual_calls_without_jacobian", e->other_calls);
    expect_printed(row, "published.jacobian_evaluations", e->evaluations);
}

/** What is true of every row of table 1 (or 3), whatever came of it. */
static void expect_job(const json_t *row, int first, const char *formalism)
{
    assert_string_equal(command_word(row, "problem"), first ? "train" : "car");
    assert_string_equal(command_word(row, "formalism"), formalism);
    assert_true(command_number(row, "rtol") == 1e-4 && command_number(row, "atol") == (first ? 1e-4 : 1e-5));
    assert_true(command_number(row, "t_end") == (first ? 15 : 5));
}

/** Of a run that ends well; whole: processor time of the first one. */
static void expect_end(const json_t *row, double whole)
{
    assert_string_equal(command_word(row, "status"), "ok");
    assert_true(command_number(row, "t_reached") >= command_number(row, "t_end"));
    double percent = 100 * command_number(row, "cpu_s.median") / whole;
    assert_true(fabs(command_number(row, "percent") - percent) <= 1e-9 * percent);
}

/** Rows of a table in one formalism: DASSL first where it is built, then as listed, each beside what was printed; all
 *  of them end well, or none does. */
static void expect_rows(char **rest, const char *table, const char *formalism, const expected *e, int n, int well)
{
    int dassl = rsd_peer_find("dassl") != NULL;
    double whole = 0;
    for (int i = dassl ? -1 : 0; i < n; i++) {
        json_t *row = command_next_row(rest);
        expect_job(row, strcmp(table, "Table 1") == 0, formalism);
        assert_string_equal(command_word(row, "solver"), i < 0 ? "dassl" : "resida");
        if (i >= 0) assert_string_equal(command_word(row, "jacobian_asked"), e[i].strategy);
        if (well && whole <= 0) whole = command_number(row, "cpu_s.median");
        if (well)
            expect_end(row, whole);
        else
            assert_true(json_is_null(command_member(row, "percent")));
        if (i < 0)
            assert_true(json_is_null(command_member(row, "published")));
        else
            expect_published(row, &e[i], table);
        if (well && i >= 0 && e[i].cpu > 0)
            assert_true((command_number(row, "jacobian_updates.alpha") > 0) == (strchr(e[i].strategy, '+') != NULL));
    }
}

/** Runs that fail keep their rows; the train's whole runs would take long here. */
COMMAND_CLAIM(table1_has_the_paper_beside_rows_that_fail)
{
    command_result r = command_run("resida-bench reproduce table1 --format json --repeat 1 --max-steps 3");
    char *rest = r.out.bytes;
    assert_int_equal(r.code, 1);
    assert_int_equal(command_lines(r.err.bytes), command_lines(r.out.bytes));
    expect_rows(&rest, "Table 1", "explicit", table1_explicit, N_TABLE1, 0);
    expect_rows(&rest, "Table 1", "residual", table1_residual, N_TABLE1, 0);
    assert_int_equal(*rest, 0);
    r = command_run("resida-bench reproduce table1 --repeat 1 --max-steps 3 --formalism residual");
    assert_non_null(strstr(r.out.bytes, "This train is an open model of the same size and structure"));
    assert_non_null(strstr(r.out.bytes, "| 18.59  100.0  10473  2193   92    -\n"));
    assert_non_null(strstr(r.out.bytes, "|  9.63   51.8   4415  2226   40    -\n"));
}

/** The paper's updates are those of the explicit formalism; its numbers stand beside no other one. */
COMMAND_CLAIM(table3_has_the_paper_beside_the_explicit_rows)
{
    expected residual[N_TABLE3];
    for (int i = 0; i < N_TABLE3; i++) residual[i] = (expected){table3_explicit[i].strategy, 0, 0, 0, 0, 0};
    command_result r = command_run("resida-bench reproduce table3 --format json --repeat 1");
    char *rest = r.out.bytes;
    assert_int_equal(r.code, 0);
    expect_rows(&rest, "Table 3", "explicit", table3_explicit, N_TABLE3, 1);
    expect_rows(&rest, "Table 3", "residual", residual, N_TABLE3, 1);
    assert_int_equal(*rest, 0);
    r = command_run("resida-bench reproduce table3 --format json --repeat 1 --formalism residual");
    rest = r.out.bytes;
    expect_rows(&rest, "Table 3", "residual", residual, N_TABLE3, 1);
    assert_int_equal(*rest, 0);
}

/** The numbers between the status and the bar of this row: cpu ms, %, #fc, % #fc, #fcw, #Je, #up. */
static void read_row(const char *text, const char *words, double x[7])
{
    const char *row = strstr(text, words);
    if (!row) fail_msg("no row \"%s\" in %s", words, text);
    assert_int_equal(sscanf(row + strlen(words), " ok %lf %lf %lf %lf %lf %lf %lf |", &x[0], &x[1], &x[2], &x[3], &x[4],
                            &x[5], &x[6]),
                     7);
}

COMMAND_CLAIM(calls_for_the_jacobian_are_told_apart)
{
    double x[7];
    command_result text = command_run("resida-bench reproduce table3 --repeat 1 --formalism explicit");
    command_expect_words(text.out.bytes, "The column % of the paper refers to evaluations of J in this table.");
    command_result plain = command_run("solve car --formalism explicit --jacobian sparse --min-order 1 "
                                       "--no-stability-detection --format json");
    json_t *row = command_row(&plain);
    assert_int_equal(text.code, 0);
    assert_non_null(strstr(text.out.bytes, "This car is an open model"));
    assert_non_null(strstr(text.out.bytes, "| 309.44  103.3    -     -  2303    -\n"));
    read_row(text.out.bytes, "explicit   resida  sparse ", x);
    double other = command_number(row, "residual_calls.newton") + command_number(row, "residual_calls.start");
    assert_true(x[2] == command_number(row, "residual_calls.total"));
    assert_true(x[4] == other && other < x[2]);
    assert_true(x[5] == command_number(row, "jacobian_evaluations.dense") +
                            command_number(row, "jacobian_evaluations.coloured"));
}

static int lines_so_far(const char *path)
{
    int n = command_lines(test_file_read(path).bytes);
    return n;
}

COMMAND_CLAIM(ctrl_c_keeps_the_rows_that_are_finished)
{
    command c;
    const struct timespec pause = {0, 5000000};
    command_start(&c, "resida-bench reproduce table3 --format json --repeat 9");
    while (lines_so_far(c.out) < 2) nanosleep(&pause, NULL); /* the alarm ends it */
    kill(c.pid, SIGINT);
    command_result r = command_finish(&c);
    assert_int_equal(r.code, 130);
    int n = command_lines(r.out.bytes);
    assert_true(n >= 3 && n < 2 * N_TABLE3);
    char *rest = r.out.bytes;
    for (int i = 0; i < n; i++)
        assert_string_equal(command_word(command_next_row(&rest), "status"), i + 1 < n ? "ok" : "interrupted");
}
