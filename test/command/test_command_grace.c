/* test_command_grace.c - what the command promises about models that do not let it end, crash, or end the process:
 * after a grace the process ends with what is finished, a second signal ends it at once, and it is said which callback
 * it was.
 *
 * plugin_harmful.so does what it is told. Runs that have to wait for the grace are under way together. */
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "command_fixture.h"

enum { LOOP = 1, WILD_POINTER, ABORT, DIVISION, NO_STACK, EXIT, BAD_HEAP, BUS_ERROR };

static const char *const callbacks[] = {"residual",   "constraint", "constraint_matrix", "mass_matrix",
                                        "excitation", "root",       "reference",         "root_lam"};
enum { N_CALLBACKS = sizeof callbacks / sizeof callbacks[0], RESIDUAL = 0, ROOT = 5, REFERENCE = 6, COLUMNS = 8 };

/** "VERB .../plugin_harmful.so -p harm=H -p where=W REST" */
static const char *harm_line(const char *verb, int harm, int where, const char *rest)
{
    static char line[512];
    int n = snprintf(line, sizeof line, "%s %s/plugin_harmful.so -p harm=%d -p where=%d %s", verb,
                     test_environment("RESIDA_TEST_MODULES"), harm, where, rest);
    assert_true(n > 0 && n < (int)sizeof line);
    return line;
}

/** Wait until the callback has begun to loop. The alarm ends it. */
static void wait_for_loop(const command *c)
{
    struct stat now;
    const struct timespec pause = {0, 5000000};
    while (stat(c->err, &now) != 0 || now.st_size == 0) nanosleep(&pause, NULL);
}

static void expect_words(const command_result *r, const char *words)
{
    if (!strstr(r->err.bytes, words)) fail_msg("\"%s\" does not say \"%s\"", r->err.bytes, words);
}

static void expect_status(const command_result *r, const char *status, const char *words)
{
    json_t *row = command_row(r);
    assert_string_equal(command_word(row, "status"), status);
    if (!strstr(command_word(row, "message"), words)) fail_msg("%s lacks %s", command_word(row, "message"), words);
}

/** Rows of a run that was ended between t = 0.4 and 0.5: whole ones, and they say so. */
static void expect_rows(const char *path)
{
    double x[COLUMNS];
    command_expect_whole_rows(path, COLUMNS);
    test_file csv = test_file_read(path);
    int rows = command_lines(csv.bytes) - 1;
    assert_int_equal(command_csv_row(csv.bytes, rows - 1, x, COLUMNS), COLUMNS);
    assert_true(x[0] > 0.4 && x[0] < 0.51);
}

COMMAND_CLAIM(a_loop_in_a_callback_ends_after_the_time_limit_and_a_grace_with_its_rows)
{
    command runs[N_CALLBACKS];
    for (int k = 0; k < N_CALLBACKS; k++) {
        const char *rest =
            claims_text("--time-limit 2 --t-end 0.6 --every 0.01 --format json --out %s.csv", callbacks[k]);
        command_start(&runs[k], harm_line("solve", LOOP, k, rest));
    }
    for (int k = 0; k < N_CALLBACKS; k++) {
        command_result r = command_finish(&runs[k]);
        assert_int_equal(r.code, 1);
        const char *words = claims_text("%s() has not returned for", callbacks[k]);
        expect_words(&r, words);
        expect_status(&r, "failed", words);
        if (k != REFERENCE && k != 3)
            expect_rows(
                claims_text("%s.partial.csv", callbacks[k])); /* asked at the end; at the start alone, if at all */
    }
}

COMMAND_CLAIM(a_loop_in_a_callback_ends_after_a_signal_and_a_grace_with_its_rows)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    command runs[3];
    for (int k = 0; k < 3; k++) {
        const char *rest = claims_text("--every 0.01 --format json --out %d.csv", k);
        command_start(&runs[k], harm_line("solve", LOOP, RESIDUAL, rest));
        wait_for_loop(&runs[k]);
        assert_int_equal(kill(runs[k].pid, signals[k]), 0);
    }
    for (int k = 0; k < 3; k++) {
        command_result r = command_finish(&runs[k]);
        assert_int_equal(r.code, 128 + signals[k]);
        expect_words(&r, "residual() has not returned for");
        expect_status(&r, "interrupted", "residual()");
        expect_rows(claims_text("%d.partial.csv", k));
    }
    assert_int_equal(command_files(), 3);
}

COMMAND_CLAIM(other_commands_end_too_and_keep_what_they_have_said)
{
    static const struct {
        const char *verb, *rest, *words;
        int where;
    } cases[] = {
        {"compare", "-p when=0.1 --repeat 1", "dense               interrupted", RESIDUAL},
        {"compare", "-p when=0.1 --repeat 1 --format json", "\"interrupted\"", RESIDUAL},
        {"check", "-p when=0", "sizes, patterns and callbacks are consistent", 3},
        {"pattern", "-p when=0", "", 1},
        {"resida-bench conditioning", "-p when=0", "", 2},
        {"resida-bench work-precision", "-p when=0", "", RESIDUAL},
    };
    enum { N = sizeof cases / sizeof cases[0] };
    command runs[N];
    for (int k = 0; k < N; k++) {
        command_start(&runs[k], harm_line(cases[k].verb, LOOP, cases[k].where, cases[k].rest));
        wait_for_loop(&runs[k]);
        assert_int_equal(kill(runs[k].pid, SIGTERM), 0);
    }
    for (int k = 0; k < N; k++) {
        command_result r = command_finish(&runs[k]);
        if (r.code != 128 + SIGTERM) fail_msg("%s: exit code %d, %s", cases[k].verb, r.code, r.err.bytes);
        expect_words(&r, callbacks[cases[k].where]);
        expect_words(&r, "() has not returned for");
        if (!strstr(r.out.bytes, cases[k].words)) fail_msg("%s printed only %s", cases[k].verb, r.out.bytes);
    }
    assert_int_equal(command_files(), 0);
}

COMMAND_CLAIM(a_clock_that_is_set_back_does_not_keep_the_watchdog_asleep)
{
    command c;
    const char *preload = claims_text("%s/clock_ahead.so", test_environment("RESIDA_TEST_MODULES"));
    assert_int_equal(setenv("LD_PRELOAD", preload, 1), 0);
    command_start(&c, harm_line("solve", LOOP, RESIDUAL, "--time-limit 1"));
    assert_int_equal(unsetenv("LD_PRELOAD"), 0);
    command_result r = command_finish(&c);
    assert_int_equal(r.code, 1);
    expect_words(&r, "residual() has not returned for");
}

/* The eigenvalues of 1,500 unknowns take many times the grace. The callbacks are done in less than a second. */
COMMAND_CLAIM(a_library_that_is_busy_is_not_the_model)
{
    command c;
    const struct timespec moment = {2, 0};
    command_start(&c, claims_text("linearize %s/../examples/plugin_ladder.so -p n=1500",
                                  test_environment("RESIDA_TEST_MODULES")));
    nanosleep(&moment, NULL);
    assert_int_equal(kill(c.pid, SIGTERM), 0);
    command_result r = command_finish(&c);
    assert_int_equal(r.code, 128 + SIGTERM);
    expect_words(&r, "no callback of the model was found on the stack: the library itself is busy");
}

COMMAND_CLAIM(a_second_signal_ends_a_looping_callback_at_once)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (int k = 0; k < 9; k++) {
        command c;
        int first = signals[k % 3], second = signals[k / 3];
        command_start(&c, harm_line("solve", LOOP, RESIDUAL, "--every 0.01 --out a.csv"));
        wait_for_loop(&c);
        kill(c.pid, SIGSTOP); /* lest two of the same kind become one */
        kill(c.pid, first);
        kill(c.pid, SIGCONT);
        const struct timespec pause = {0, 100000000};
        nanosleep(&pause, NULL);
        kill(c.pid, second);
        assert_int_equal(command_finish(&c).code, -second);
        assert_int_equal(command_files(), 0);
    }
}

/** How a crash of each kind is called. */
static const char *crash_words(int harm)
{
    static const char *const words[] = {[WILD_POINTER] = "signal 11", [ABORT] = "signal 6",   [DIVISION] = "signal 8",
                                        [NO_STACK] = "signal 11",     [BAD_HEAP] = "signal ", [BUS_ERROR] = "signal 7"};
    return words[harm];
}

COMMAND_CLAIM(a_crash_in_a_callback_is_one_line_that_names_it_and_keeps_the_rows)
{
    for (int harm = WILD_POINTER; harm <= BUS_ERROR; harm++) {
        if (harm == EXIT || (COMMAND_SANITIZED && (harm == NO_STACK || harm == BAD_HEAP))) continue;
        for (int where = 0; where < N_CALLBACKS; where++) {
            if (where == 3) continue; /* asked at the start alone */
            command_result r = command_run(harm_line("solve", harm, where, "--every 0.01 --out a.csv --format json"));
            assert_int_equal(r.code, 1);
            const char *words = claims_text("%s() crashes: %s", callbacks[where], crash_words(harm));
            expect_words(&r, words);
            expect_status(&r, "failed", words);
            assert_int_equal(command_lines(r.err.bytes), 2); /* the second one says where the rows are */
            if (where != REFERENCE) expect_rows("a.partial.csv");
            assert_int_equal(command_files(), 1);
            unlink("a.partial.csv");
        }
    }
}

COMMAND_CLAIM(exit_in_a_callback_is_no_success)
{
    for (int where = 0; where < N_CALLBACKS; where++) {
        const char *rest = where == 3 ? "-p when=-1 --format json" : "--every 0.01 --out a.csv --format json";
        command_result r = command_run(harm_line("solve", EXIT, where, rest));
        assert_int_equal(r.code, 1);
        const char *words = claims_text("%s() ends the process", callbacks[where]);
        expect_words(&r, words);
        expect_status(&r, "failed", words);
        if (where != 3 && where != REFERENCE) expect_rows("a.partial.csv");
        unlink("a.partial.csv");
        assert_int_equal(command_files(), 0);
    }
}

COMMAND_CLAIM(crashes_and_exit_outside_of_a_run_are_named_too)
{
    static const char *const verbs[] = {
        "check", "pattern", "resida-bench conditioning", "resida-bench work-precision", "compare", "solve"};
    static const int harms[] = {WILD_POINTER, ABORT, EXIT};
    for (size_t v = 0; v < sizeof verbs / sizeof verbs[0]; v++)
        for (size_t k = 0; k < 3; k++) {
            command_result r = command_run(harm_line(verbs[v], harms[k], 1, "-p when=-1"));
            if (r.code != 1) fail_msg("%s: exit code %d, %s", verbs[v], r.code, r.err.bytes);
            expect_words(&r, harms[k] == EXIT ? "constraint() ends the process" : "constraint() crashes: signal ");
        }
    assert_int_equal(command_files(), 0);
}

/** Processes of the command end with it, even by SIGKILL. */
static void expect_no_survivor(const char *line)
{
    command c;
    const struct timespec pause = {0, 5000000};
    int ends[2];
    char nothing;
    assert_int_equal(pipe(ends), 0); /* open in the command and in the process it has begun, as long as they live */
    command_start_to(&c, line, ends[1], -1);
    close(ends[1]);
    for (int k = 0; k < 100; k++) nanosleep(&pause, NULL);
    assert_int_equal(kill(c.pid, SIGKILL), 0);
    while (read(ends[0], &nothing, 1) > 0) continue; /* the alarm ends it */
    assert_int_equal(command_finish(&c).code, -SIGKILL);
    close(ends[0]);
}

COMMAND_CLAIM(a_peer_with_a_looping_callback_does_not_outlive_the_command)
{
    expect_no_survivor(harm_line("solve", LOOP, RESIDUAL, "--solver ida --every 0.01"));
}

COMMAND_CLAIM(a_check_with_a_looping_callback_ends_without_a_time_limit_and_names_it)
{
    command_result r = command_run(harm_line("check", LOOP, RESIDUAL, "-p when=-1"));
    assert_int_equal(r.code, 1);
    expect_words(&r, "residual() has not returned for 5 s");
    assert_non_null(strstr(r.out.bytes, "callbacks          the process of this check did not end in time in "
                                        "residual"));
}

COMMAND_CLAIM(a_check_with_a_looping_callback_does_not_outlive_the_command)
{
    expect_no_survivor(harm_line("check", LOOP, RESIDUAL, ""));
}
