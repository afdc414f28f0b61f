/* test_command_kills.c - whatever ends the command, and whenever: no temporary file stays, an older result is whole or
 * replaced by a whole one, and what is kept of an interrupted run is whole rows.
 *
 * Signals come at random times, the same ones in each run of the test; what they meet depends on the machine, what must
 * hold does not. */
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "command_fixture.h"

enum { ROUNDS = 4, LATEST_NS = 60000000, LATEST_SHORT_NS = 80000000, COLUMNS = 8 };

/** All that end a process by default, but SIGPIPE, which the command ignores. */
static const int deadly[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGILL,  SIGTRAP, SIGABRT, SIGBUS,  SIGFPE,    SIGUSR1,
                             SIGSEGV, SIGUSR2, SIGALRM, SIGTERM, SIGXCPU, SIGSYS,  SIGPROF, SIGVTALRM, SIGKILL};
enum { N_DEADLY = sizeof deadly / sizeof deadly[0] };

static uint64_t random_state;

/* What is sent to a process is no error of it: the address sanitizer, whose handlers stand until the command has set
 * its own, would report it, and wait for ever for its allocator's lock where the signal interrupts that. */
static const char no_handlers[] = "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0";

static int set_up(void **state)
{
    random_state = 20260101;
    return command_set_up(state);
}

/** 0 .. below - 1, the same on every machine (Knuth's MMIX constants). */
static long next_random(long below)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (long)((random_state >> 33) % (uint64_t)below);
}

static command_result kill_after(const char *line, int number, long latest_ns)
{
    command c;
    const struct timespec delay = {0, next_random(latest_ns)};
    command_start(&c, line);
    nanosleep(&delay, NULL);
    kill(c.pid, number);
    return command_finish(&c);
}

static int is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

/** What was interrupted, if there is anything of it, is a header and whole rows. */
static void expect_whole_rows_if_any(const char *path)
{
    double x[COLUMNS];
    if (!is_there(path)) return;
    test_file csv = test_file_read(path);
    int rows = command_lines(csv.bytes) - 1;
    assert_true(rows > 0);
    assert_int_equal(csv.bytes[csv.size - 1], '\n');
    assert_int_equal(command_csv_row(csv.bytes, rows - 1, x, COLUMNS), COLUMNS);
    unlink(path);
}

static void expect_text(const char *path, const char *text, const char *when)
{
    test_file file = test_file_read(path);
    if (strcmp(file.bytes, text) != 0) fail_msg("%s has other bytes %s", path, when);
}

CLAIM_WITH(a_run_that_is_killed_leaves_the_older_result_and_no_other_file, set_up, command_tear_down)
{
    test_file_write("a.csv", "old\n", 4);
    for (int k = 0; k < ROUNDS * N_DEADLY; k++) {
        int number = deadly[k % N_DEADLY];
        assert_int_not_equal(kill_after(COMMAND_LONG_RUN "--out a.csv", number, LATEST_NS).code, 0);
        const char *when = claims_text("after signal %d", number);
        expect_text("a.csv", "old\n", when);
        expect_whole_rows_if_any("a.partial.csv");
        if (command_files() != 1) fail_msg("a file was left behind %s", when);
    }
}

CLAIM_WITH(two_signals_in_a_row_leave_nothing_either, set_up, command_tear_down)
{
    test_file_write("a.csv", "old\n", 4);
    for (int k = 0; k < ROUNDS * N_DEADLY; k++) {
        command c;
        const struct timespec first = {0, next_random(LATEST_NS)}, second = {0, next_random(LATEST_NS / 100)};
        command_start(&c, COMMAND_LONG_RUN "--out a.csv");
        nanosleep(&first, NULL);
        kill(c.pid, deadly[next_random(3)]);
        nanosleep(&second, NULL);
        kill(c.pid, deadly[k % N_DEADLY]);
        command_finish(&c);
        expect_text("a.csv", "old\n", "after two signals");
        expect_whole_rows_if_any("a.partial.csv");
        assert_int_equal(command_files(), 1);
    }
}

/** The run is so short that signals meet the end, too, where the result takes the place of the older one. SIGKILL may
 *  fall between the two calls that this needs, and is left out. */
CLAIM_WITH(at_the_end_of_a_run_there_is_the_older_result_or_the_new_one, set_up, command_tear_down)
{
    const char *line = "solve akzo --points 400 --quiet --out a.csv";
    command_run(line);
    test_file whole = test_file_read("a.csv");
    int replaced = 0;
    for (int k = 0; k < ROUNDS * (N_DEADLY - 1); k++) {
        test_file_write("a.csv", "old\n", 4);
        command_result r = kill_after(line, deadly[k % (N_DEADLY - 1)], LATEST_SHORT_NS);
        test_file now = test_file_read("a.csv");
        int is_new = now.size == whole.size && memcmp(now.bytes, whole.bytes, whole.size) == 0;
        if (!is_new) assert_string_equal(now.bytes, "old\n");
        if (r.code == 0) assert_true(is_new);
        replaced += is_new;
        unlink("a.partial.csv");
        assert_int_equal(command_files(), 1);
    }
    print_message("%d of %d were replaced\n", replaced, ROUNDS * (N_DEADLY - 1));
}

static void expect_no_file_after_a_crash(void)
{
    const char *preload = claims_text("%s/signal_at_rename.so", test_environment("RESIDA_TEST_MODULES"));
    test_file_write("a.csv", "old\n", 4);
    assert_int_equal(setenv("LD_PRELOAD", preload, 1), 0);
    command_result r = command_run("solve akzo --points 4 --quiet --out a.csv");
    assert_int_equal(unsetenv("LD_PRELOAD"), 0);
    assert_int_not_equal(r.code, 0);
    expect_text("a.csv", "old\n", "after a crash");
    assert_int_equal(command_files(), 1);
}

/** Another thread takes such a signal, as that of the run has blocked them all: the watchdog's, or one that a library
 *  has begun. */
CLAIM_WITH(a_crash_between_the_two_calls_that_replace_a_result_leaves_no_file, set_up, command_tear_down)
{
    expect_no_file_after_a_crash();
    assert_int_equal(setenv("RESIDA_TEST_THREAD", "1", 1), 0);
    expect_no_file_after_a_crash();
    assert_int_equal(unsetenv("RESIDA_TEST_THREAD"), 0);
}

int main(void)
{
    command_sanitizer_option(no_handlers);
    command_sanitizer_option("verify_asan_link_order=0");
    return claims_run(NULL, NULL);
}
