/* test_command_report_kept.c - `resida-bench report` says beforehand how long it takes, and goes on where it was
 * killed: finished runs are in a folder beside the page, and only those of the same program, model and options
 * count. */
#include <dirent.h>
#include <signal.h>
#include <time.h>

#include "test/command/command_fixture.h"

enum { NAME = 300, RUNS = 21, TEXT = 200 }; /* three models, seven strategies */
static const char line[] = "resida-bench report akzo pendulum slider-crank --sections models --peers none --repeat 15";

/* Runs in report.kept; the name of one of them. */
static int kept_runs(char name[NAME])
{
    DIR *folder = opendir("report.kept");
    int n = 0;
    if (!folder) return 0;
    for (struct dirent *e; (e = readdir(folder));) {
        const char *ending = strrchr(e->d_name, '.');
        if (!ending || strcmp(ending, ".run") != 0) continue;
        snprintf(name, NAME, "report.kept/%s", e->d_name);
        n++;
    }
    closedir(folder);
    return n;
}

static void expect_kept(command_result *r, int n)
{
    assert_int_equal(r->code, 0);
    const char *words = claims_text("%d of %d runs were read from report.kept and not repeated", n, RUNS);
    command_expect_words(r->out.bytes, words);
}

/* Counts, as they stand in the tables of the page: cells of digits. */
static void counts_of(const char *page, char *text, size_t size)
{
    const char *at = strstr(page, "<h2 id=\"models\">");
    size_t n = 0;
    for (at = strstr(at, "<td"); at; at = strstr(at + 1, "<td")) {
        const char *cell = strchr(at, '>') + 1;
        const size_t digits = strspn(cell, "0123456789");
        if (digits > 0 && cell[digits] == '<') n += (size_t)snprintf(text + n, size - n, "%.*s ", (int)digits, cell);
    }
    assert_true(n > 100 && n + 20 < size);
}

COMMAND_CLAIM(killed_it_goes_on_and_a_damaged_run_is_named_and_run_again)
{
    static char counts[10000], again[10000];
    const struct timespec pause = {0, 2000000};
    char name[NAME];
    command c;
    command_start(&c, line);
    while (kept_runs(name) < 3) nanosleep(&pause, NULL);
    assert_int_equal(kill(c.pid, SIGKILL), 0);
    command_result r = command_finish(&c);
    assert_int_equal(r.code, -SIGKILL);
    const int n = kept_runs(name);
    assert_true(n >= 3 && n < RUNS);

    r = command_run(line);
    expect_kept(&r, n);
    test_file page = test_file_read("report.html");
    counts_of(page.bytes, counts, sizeof counts);
    command_expect_words(page.bytes,
                         "runs are results of an earlier report with the same options, read from report.kept");

    assert_int_equal(kept_runs(name), RUNS);
    test_file run = test_file_read(name);
    run.bytes[run.size / 2] ^= 1;
    test_file_write(name, run.bytes, run.size);
    r = command_run(line);
    command_expect_words(r.err.bytes, name);
    command_expect_words(r.err.bytes, ": file is damaged; its measurement is repeated");
    assert_int_equal(command_lines(r.err.bytes), 1);
    expect_kept(&r, RUNS - 1);
    test_file_write(name, run.bytes, run.size - 1);
    r = command_run(line);
    command_expect_words(r.err.bytes, name);
    expect_kept(&r, RUNS - 1);
    r = command_run(line);
    assert_int_equal(r.err.size, 0);
    expect_kept(&r, RUNS);
    page = test_file_read("report.html");
    counts_of(page.bytes, again, sizeof again);
    assert_string_equal(counts, again);
}

/* Ctrl-C in the middle: the page is beside the one there will be, and the rest follows. */
COMMAND_CLAIM(after_ctrl_c_the_same_command_goes_on)
{
    const struct timespec pause = {0, 2000000};
    char name[NAME];
    command c;
    command_start(&c, line);
    while (kept_runs(name) < 3) nanosleep(&pause, NULL);
    assert_int_equal(kill(c.pid, SIGINT), 0);
    command_result r = command_finish(&c);
    assert_int_equal(r.code, 130);
    const int n = kept_runs(name);
    r = command_run(line);
    expect_kept(&r, n);
}

/* Other options, other parameters: other runs. Other sections and another order of models: the same. */
COMMAND_CLAIM(runs_of_other_options_do_not_count)
{
    static const struct {
        const char *line, *words;
    } others[] = {
        {"resida-bench report bushing-pendulum --sections models --peers none --repeat 1 -p d=3", NULL},
        {"resida-bench report bushing-pendulum --sections models --peers none --repeat 2", NULL},
        {"resida-bench report bushing-pendulum --sections models --peers none --repeat 1 --max-steps 10000000", NULL},
        {"resida-bench report bushing-pendulum --sections models,patterns --peers=none --repeat 1",
         "7 of 7 runs were read from"}};
    command_result r =
        command_run_well("resida-bench report bushing-pendulum --sections models --peers none --repeat 1");
    assert_null(strstr(r.out.bytes, "were read from"));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        r = command_run(others[i].line);
        if (others[i].words)
            command_expect_words(r.out.bytes, others[i].words);
        else if (strstr(r.out.bytes, "were read from"))
            fail_msg("%s: %s", others[i].line, r.out.bytes);
    }
}

/* The name of a run has one digit of its tolerance: twelve tolerances share nine names. */
COMMAND_CLAIM(no_run_of_a_report_is_taken_for_another_one)
{
    command_result r =
        command_run_well("resida-bench report slider-crank --sections work-precision --peers none --from "
                         "1e-4 --to 3e-5 --per-decade 20 --repeat 1");
    assert_null(strstr(r.out.bytes, "were read from"));
}

COMMAND_CLAIM(it_says_how_long_it_takes_from_what_it_took)
{
    static const char one[] = "resida-bench report akzo --sections models,patterns --peers none --repeat 1";
    command_result r = command_run_well(one);
    assert_int_equal(strncmp(r.out.bytes, "Expected time: models 1 s, patterns 1 s; total 1 min.\n", 54), 0);
    command_expect_words(r.out.bytes, "The same command continues; it uses the runs in report.kept.\n");
    r = command_run_well(one);
    assert_non_null(strstr(r.out.bytes, " s (measured before), patterns 1 s (measured before); total 1 min.\n"));
    test_file_write("report.kept/times.json", "{}", 2);
    r = command_run(one);
    command_expect_words(r.err.bytes, "report.kept/times.json: file is damaged");
    r = command_run("resida-bench report --sections table1 --max-steps 1 --repeat 1 --peers none");
}

/* All there is to say of a plugin on one page: how it moves, what happens, where it stays and by what modes it moves
 * there, and its strategies. The ball bounces once, at t = 1 from 4.905 m, 9.81 m/s^2; a pendulum of 2 s hangs. */
COMMAND_CLAIM(a_model_is_a_word_and_has_motion_events_equilibrium_and_modes)
{
    command_needs_gnuplot();
    const char *own = claims_text("resida-bench report %s/plugin_ball.so pendulum --sections motion,equilibrium",
                                  test_environment("RESIDA_TEST_MODULES"));
    command_run_well(own);
    test_file page = test_file_read("report.html");
    command_expect_words(page.bytes, "ball: the 2 positions with the largest range");
    command_expect_words(page.bytes, ">Events<");
    command_expect_words(page.bytes, "pendulum: energies [J]");
    command_expect_words(page.bytes, "Modes about the equilibrium");
    command_expect_words(page.bytes, "No equilibrium was found from the start of the model");
}
