/* test_command_report.c - what `resida report` promises of its page as a file: it is whole or not there, in order, safe
 * whatever models and options are called, honest about runs that fail; it begins with the measurements and results.
 * How it looks is for test_command_report_browser.c. */
#define _XOPEN_SOURCE 700 /* symlink() */
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "test/command/command_fixture.h"

/** Elements that are opened are closed, and the page ends. */
static void expect_whole(const char *page)
{
    static const char *const elements[] = {"section", "table", "thead", "figure", "svg", "main", "nav", "body", "html"};
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++) {
        const char *open = claims_text("<%s", elements[i]);
        assert_int_equal(test_count(page, open), test_count(page, claims_text("</%s>", elements[i])));
    }
    assert_int_equal(test_count(page, "<tr>"), test_count(page, "</tr>"));
    assert_int_equal(strncmp(page, "<!DOCTYPE html>\n", 16), 0);
    assert_string_equal(page + strlen(page) - 8, "</html>\n");
}

static test_file run_well(const char *line, const char *path)
{
    command_run_well(line);
    test_file page = test_file_read(path);
    expect_whole(page.bytes);
    return page;
}

/** The text of cell k behind the heading of a row, the first one with these words. */
static void read_cell(const char *from, const char *words, int k, char text[64])
{
    const char *cell = strstr(from, claims_text(">%s</t", words)), *end = cell ? strstr(cell, "</tr>") : NULL;
    for (; cell && k >= 0; k--) cell = strstr(cell + 1, "<td");
    if (!cell || cell > end) fail_msg("no such cell in the row of %s", words);
    cell = strchr(cell, '>') + 1;
    snprintf(text, 64, "%.*s", (int)strcspn(cell, "<"), cell);
}

/** Nothing is left behind, and there is a page under its usual name. */
COMMAND_CLAIM(the_page_is_report_html_unless_it_is_said)
{
    test_file page = run_well("resida-bench report --sections patterns --models akzo", "report.html");
    command_expect_words(page.bytes, "<h2 id=\"patterns\">");
    command_expect_words(page.bytes, "--sections patterns --models akzo</td>");
    assert_int_equal(command_files(), 2); /* and report.kept */
}

COMMAND_CLAIM(standard_output_gets_the_page_and_nothing_else)
{
    expect_whole(command_run_well("resida-bench report --sections patterns --models akzo --out -").out.bytes);
    assert_int_equal(command_files(), 0);
}

/** No tag, no reference to anything outside, no byte that is no UTF-8, whatever a plugin's file is called. */
COMMAND_CLAIM(names_are_text_whatever_they_are)
{
    assert_int_equal(symlink(test_environment("RESIDA_PLUGIN"), "<b>&'\"\xff.so"), 0);
    test_file page = run_well("resida-bench report --sections models --models ./<b>&'\"\xff.so --peers none --repeat 1",
                              "report.html");
    command_expect_words(page.bytes, "./&#60;b&#62;&#38;&#39;&#34;\xEF\xBF\xBD.so");
    command_expect_words(page.bytes, "bead: rtol = ");
    assert_null(strstr(page.bytes, "<b>"));
    assert_null(strchr(page.bytes, '\xff'));
    assert_int_equal(test_count(page.bytes, "://"), test_count(page.bytes, "http://www.w3.org/"));
}

/* Positions in m and in rad have a picture each. */
COMMAND_CLAIM(a_report_is_named_after_its_model_and_has_its_units)
{
    command_needs_gnuplot();
    test_file page =
        run_well("resida-bench report --sections motion,equilibrium --models pendulum-spring", "report.html");
    command_expect_words(page.bytes, "<title>Report on pendulum-spring, ");
    static const char *const labels[] = {"<text>p [m]</text>", "<text>p [rad]</text>", "<text>out [J]</text>"};
    for (int i = 0; i < 3; i++) assert_int_equal(test_count(page.bytes, labels[i]), 1);
    assert_int_equal(test_count(page.bytes, ">phi</th><td>rad</td>"), 2); /* of the run, of the equilibrium */
}

COMMAND_CLAIM(pictures_refer_to_nothing_but_themselves)
{
    command_needs_gnuplot();
    test_file page = run_well(
        "resida-bench report --sections patterns,work-precision --models akzo,slider-crank --from 1e-4 --to 1e-5 "
        "--peers none --repeat 1",
        "report.html");
    assert_int_equal(test_count(page.bytes, "<svg"), 6);
    assert_int_equal(test_count(page.bytes, "href="),
                     test_count(page.bytes, "href=\"#") + test_count(page.bytes, "href='#"));
    assert_int_equal(test_count(page.bytes, "url("), test_count(page.bytes, "url(#"));
    assert_int_equal(test_count(page.bytes, " src="), 0);
    assert_int_equal(test_count(page.bytes, "@import"), 0);
}

/** On both axes of the picture, for p and for v; and where their columns are. Front and rear bogie are coupled by the
 *  car body, so that they share no group (section 4.1 of the paper); wheelsets of different bogies may. */
COMMAND_CLAIM(modules_of_the_train_are_named_with_their_groups)
{
    static const char *const modules[] = {"car", "bogieF", "wsF1", "wsF2", "bogieR", "wsR1", "wsR2"};
    char p[64], v[64], front[64], rear[64];
    const char *words;
    command_needs_gnuplot();
    test_file page = run_well("resida-bench report --sections patterns --models train", "report.html");
    const char *table = strstr(page.bytes, "train: modules and groups of columns");
    assert_non_null(table);
    for (int k = 0; k < 7; k++) {
        words = claims_text("<text>%s</text>", modules[k]);
        assert_int_equal(test_count(page.bytes, words), 4);
        read_cell(table, modules[k], 0, p);
        read_cell(table, modules[k], 1, v);
        int first = k == 0 ? 1 : 6 * k, last = 6 * k + 5;
        words = claims_text("%d-%d", first, last);
        assert_string_equal(p, words);
        words = claims_text("%d-%d", 41 + first, 41 + last);
        assert_string_equal(v, words);
    }
    read_cell(table, "bogieF", 2, front);
    read_cell(table, "bogieR", 2, rear);
    for (int from, to, n; sscanf(front, "%d-%d%n", &from, &to, &n) == 2;) {
        for (const char *c = rear; c;) {
            int other_from, other_to;
            assert_int_equal(sscanf(c, "%d-%d", &other_from, &other_to), 2);
            assert_true(to < other_from || from > other_to);
            c = strchr(c, ',') ? strchr(c, ',') + 1 : NULL;
        }
        memmove(front, front + n + (front[n] == ','), strlen(front + n + (front[n] == ',')) + 1);
    }
    assert_int_equal(front[0], 0);
}

/** A run that fails is a row with its status, without a time; resida's own failure is an exit code too. */
COMMAND_CLAIM(a_run_that_fails_is_a_row_without_a_time)
{
    char calls[64];
    command_result r =
        command_run("resida-bench report --sections models --models pendulum --peers none --max-steps 3 --repeat 1");
    assert_int_equal(r.code, 1);
    command_expect_words(r.err.bytes, "pendulum");
    test_file page = test_file_read("report.html");
    expect_whole(page.bytes);
    const char *table = strstr(page.bytes, "pendulum: rtol");
    assert_non_null(table);
    command_expect_words(table, "<td class=\"bad\">RESIDA_<wbr>ERR_<wbr>LIMIT_<wbr>STEPS</td>");
    command_expect_words(table, ">residual calls</th>");
    read_cell(table, "resida", 6, calls);
    assert_true(atol(calls) > 0);
    assert_int_equal(test_count(page.bytes, "cpu"), 0); /* a column in which nothing is known is not there */
}

/** The beginning of the row that holds these words. */
static const char *row_with(const char *page, const char *words)
{
    const char *row = strstr(page, words);
    if (!row) fail_msg("no row with %s", words);
    while (strncmp(row, "<tr>", 4) != 0) row--;
    return row;
}

/** What "auto" took in a case of Table 2 stands at the beginning, and is what its row has. */
COMMAND_CLAIM(the_page_begins_with_what_came_out)
{
    static const char label[] = "N = 14, omega = 0.05, residual";
    char percent[64], what[64];
    test_file page = run_well("resida-bench report --sections table2 --repeat 1", "report.html");
    const char *section = strstr(page.bytes, "<h2 id=\"table2\">"),
               *outcome = strstr(page.bytes, "<h2 id=\"outcome\">");
    assert_true(outcome && section && outcome < section);
    const char *rows = strstr(section, label);
    assert_non_null(rows);
    read_cell(row_with(rows, "<td>auto</td>"), "resida", 5, percent);
    read_cell(outcome, label, 0, what);
    const char *expected = claims_text("auto: %s %% of the calls", percent);
    assert_true(atof(percent) > 0);
    assert_int_equal(strncmp(what, expected, strlen(expected)), 0);
    assert_null(strstr(page.bytes, "missed"));
}

/** Models that are named are what is wanted: the tables of the papers are no part of that, and a plugin has all else.
 *  */
COMMAND_CLAIM(a_plugin_has_each_section_that_is_about_models)
{
    command_needs_gnuplot();
    const char *line =
        claims_text("resida-bench report --models %s -p omega=1.5 --peers ida --from 1e-4 --to 1e-5 --repeat 1",
                    test_environment("RESIDA_PLUGIN"));
    test_file page = run_well(line, "report.html");
    static const char *const sections[] = {"outcome",        "motion",   "equilibrium", "models",
                                           "work-precision", "patterns", "machine"};
    const char *at = page.bytes, *strategies = strstr(page.bytes, "bead: rtol = ");
    assert_int_equal(test_count(page.bytes, "<h2 "), 7);
    for (int i = 0; i < 7; i++) {
        at = strstr(at, claims_text("<h2 id=\"%s\">", sections[i]));
        assert_non_null(at);
    }
    assert_non_null(strategies);
    command_expect_words(strategies, "<td>dense+extended</td>");
}

static const struct {
    const char *line, *words;
    int code;
} refusals[] = {
    {"resida-bench report andrews --models akzo", "give the models as arguments, 'andrews', or by --models, not both",
     2},
    {"resida-bench report --sections tabel2", "did you mean 'table2'", 2},
    {"resida-bench report --sections ,", "there are motion", 2},
    {"resida-bench report --models andrew", "did you mean 'andrews'", 2},
    {"resida-bench report --models andrews,,", "no model ''", 2},
    {"resida-bench report --peers idaa", "did you mean 'ida'", 2},
    {"resida-bench report --repeat 0", "--repeat 0", 2},
    {"resida-bench report -p mass=2", "requires models: report MODEL", 2},
    {"resida-bench report --models pendulum,akzo -p g=2", "has no parameter 'g'", 2},
    {"resida-bench report --format json", "no option --format", 2},
    {"resida-bench report --from 1e-9 --to 1e-3", "--from must be greater than or equal to --to", 2},
    {"resida-bench report --sections patterns --models akzo --out nowhere/a.html", "nowhere/a.html", 74},
    {"resida-bench report --sections patterns --models akzo --out /dev/full", "No space left", 74},
};

COMMAND_CLAIM(what_makes_no_sense_gets_one_line_and_no_file)
{
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        command_result r = command_run(refusals[i].line);
        command_expect_complaint(&r, refusals[i].line, refusals[i].code);
        command_expect_words(r.err.bytes, refusals[i].words);
    }
    assert_int_equal(command_files(), 0);
}

/** A disk with room for less than the page keeps the old one. */
COMMAND_CLAIM(a_full_disk_leaves_no_half_page)
{
    struct rlimit before, small;
    static const char line[] = "resida-bench report --sections table2 --repeat 1 --out a.html";
    test_file_write("a.html", "old\n", 4);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 4096;
    void (*was)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    command_result r = command_run(line);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, was);
    assert_int_equal(r.code, 74);
    assert_int_equal(command_lines(r.err.bytes), 2); /* of a.kept, too, once */
    command_expect_words(r.err.bytes, "cannot write a.kept/");
    test_file kept = test_file_read("a.html");
    assert_string_equal(kept.bytes, "old\n");
    assert_int_equal(command_files(), 2);
}

/** The page has what is there, and says what is not: the rest of the section under way, and the one behind it. */
COMMAND_CLAIM(ctrl_c_keeps_what_is_finished_and_says_what_is_not)
{
    command c;
    test_file_write("a.html", "whole\n", 6);
    command_start(&c, "resida-bench report --sections models,patterns --models akzo,train --peers none --repeat "
                      "1000000 --out a.html");
    command_let_work(&c, 1);
    assert_int_equal(kill(c.pid, SIGINT), 0);
    command_result r = command_finish(&c);
    assert_int_equal(r.code, 130);
    command_expect_words(r.out.bytes, "/a.partial.html\n");
    test_file page = test_file_read("a.partial.html"), old = test_file_read("a.html");
    assert_string_equal(old.bytes, "whole\n");
    expect_whole(page.bytes);
    command_expect_words(page.bytes, "The report was interrupted here.");
    command_expect_words(page.bytes, "Not measured, because the report was interrupted before.");
    command_expect_words(page.bytes, "<h2 id=\"patterns\">");
    command_expect_words(page.bytes, "<h2 id=\"machine\">");
    assert_int_equal(command_files(), 3);
}

COMMAND_CLAIM(without_gnuplot_the_page_says_so)
{
    setenv("PATH", command_folder(), 1);
    command_result r = command_run("resida-bench report --sections patterns --models akzo,slider-crank");
    assert_int_equal(r.code, 1);
    assert_int_equal(command_lines(r.err.bytes), 1);
    command_expect_words(r.err.bytes, "gnuplot is not installed");
    test_file page = test_file_read("report.html");
    expect_whole(page.bytes);
    assert_int_equal(test_count(page.bytes, "gnuplot failed or is not installed"), 2);
}
