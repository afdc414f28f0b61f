/* test_sweep_kills.c - kill -9 of any process of a sweep at any moment, then the same command again: the table is that
 * of a sweep that nobody killed, and no case ran after its row was safe. The plugin writes down which cases begin. */
#include <signal.h>
#include <sqlite3.h>
#include <time.h>
#include <unistd.h>

#include "sweep_fixture.h"

enum { CASES = 240, CHILDREN = 8, KILLS = 6 };

/* Kills come at parts of the time that a whole sweep takes, which depends on the machine, its load and the build. */
static long whole_us;

static const char plan[] = "{\"model\": \"%s\", \"design\": \"list\", \"fixed\": {\"what\": 8}, \"vary\": {"
                           "\"k\": {\"from\": 1, \"to\": 4, \"points\": 240},"
                           "\"id\": {\"from\": 0, \"to\": 239, \"points\": 240}}}";

/** How many lines the plugin has written. */
static int lines_written(void)
{
    if (access("begun", F_OK) != 0) return 0;
    const int n = command_lines(test_file_read("begun").bytes);
    return n;
}

/** None of the cases that had rows has begun since then: they are the ids behind line `since`. */
static void expect_nothing_again(const char *has, int since)
{
    if (lines_written() <= since) return;
    const char *at = test_file_read("begun").bytes;
    for (int i = 0; at[0]; i++, at = strchr(at, '\n') + 1)
        if (i >= since && has[atoi(at)]) fail_msg("case %d ran again", atoi(at));
}

/** Start, kill the sweep or one of its processes some time later; a sweep whose process was killed goes on for a while,
 *  and is killed too. @return 1: it was killed; 0: it had come to its end before */
static int start_and_kill(int k)
{
    command c;
    pid_t children[CHILDREN];
    command_start(&c, "sweep k.json --jobs 3");
    sweep_nap(whole_us / 10 + rand() % whole_us);
    const int n = k % 2 == 1 ? sweep_children(c.pid, children, CHILDREN) : 0;
    if (n > 0) {
        kill(children[rand() % n], SIGKILL);
        sweep_nap(whole_us / 4);
    }
    kill(c.pid, SIGKILL);
    command_result r = command_finish(&c);
    const int is_killed = r.code == -SIGKILL;
    if (!is_killed) assert_int_equal(r.code, 0);
    return is_killed;
}

static void run_to_the_end(const char *line)
{
    command_run_well(line);
}

/** Kills, each followed by the same command. @return kills that found rows */
static int kill_and_go_on(int kills)
{
    char has[CASES] = "";
    int with_rows = 0;
    setenv("RESIDA_TEST_CASES", "begun", 1);
    srand(7);
    for (int k = 0; k < kills;) {
        const int since = lines_written();
        const int is_killed = start_and_kill(k);
        expect_nothing_again(has, since);
        k += is_killed;
        with_rows += sweep_rows("k.db", has, CASES) > 0 && is_killed;
        if (is_killed) continue;
        unlink("k.db"); /* it was done: from the beginning, where there is more to be killed */
        memset(has, 0, sizeof has);
    }
    const int since = lines_written();
    run_to_the_end("sweep k.json");
    expect_nothing_again(has, since);
    unsetenv("RESIDA_TEST_CASES");
    return with_rows;
}

static long now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000L + now.tv_nsec / 1000;
}

static void expect_same_after(int kills)
{
    sweep_write_plan("k.json", plan);
    const long begin = now_us();
    run_to_the_end("sweep k.json --out whole.db");
    whole_us = now_us() - begin;
    const int with_rows = kill_and_go_on(kills);
    print_message("%d kills, %d with rows\n", kills, with_rows);
    assert_true(with_rows > kills / 4);
    char *whole = sweep_table("whole.db"), *table = sweep_table("k.db");
    assert_string_equal(whole, table);
    free(whole);
    free(table);
}

COMMAND_CLAIM(kills_change_nothing_of_the_table)
{
    expect_same_after(getenv("RESIDA_TEST_KILLS") ? atoi(getenv("RESIDA_TEST_KILLS")) : KILLS);
}

/* A process that was killed in its case: the case begins again, and nobody is told. */
COMMAND_CLAIM(a_killed_process_is_replaced_and_leaves_no_trace)
{
    command c;
    pid_t children[CHILDREN];
    sweep_write_plan("k.json", plan);
    command_start(&c, "sweep k.json --jobs 2");
    for (int k = 0; k < 4; k++) {
        sweep_wait_for_children(c.pid, children, 2);
        kill(children[k % 2], SIGKILL);
        sweep_nap(20000);
    }
    command_result r = command_finish(&c);
    if (r.code != 0) fail_msg("%d: %s", r.code, r.err.bytes);
    assert_int_equal(r.err.size, 0);
    assert_int_equal((int)sweep_number("k.db", "SELECT count(*) FROM cases WHERE status = 'ok'"), CASES);
}

/* As a sweep leaves it that is killed between the first page of its file and the first table. */
COMMAND_CLAIM(a_database_without_tables_is_new)
{
    sqlite3 *db = NULL;
    sweep_write_plan("k.json", plan);
    assert_int_equal(sqlite3_open("bare.db", &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA user_version = 1", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    run_to_the_end("sweep k.json --out bare.db");
    run_to_the_end("sweep k.json --out whole.db");
    char *whole = sweep_table("whole.db"), *table = sweep_table("bare.db");
    assert_string_equal(whole, table);
    free(whole);
    free(table);
}

/* From the moment on at which its file is there. */
COMMAND_CLAIM(a_sweep_that_is_killed_as_it_begins_goes_on)
{
    enum { EARLY_KILLS = 12, EARLY_US = 12000, LOOK_US = 100 };
    sweep_write_plan("k.json", plan);
    srand(11);
    for (int k = 0; k < EARLY_KILLS; k++) {
        command c;
        unlink("early.db");
        command_start(&c, "sweep k.json --out early.db --jobs 2");
        while (access("early.db", F_OK) != 0) sweep_nap(LOOK_US);
        sweep_nap(rand() % EARLY_US);
        kill(c.pid, SIGKILL);
        command_finish(&c);
        run_to_the_end("sweep k.json --out early.db");
    }
}
