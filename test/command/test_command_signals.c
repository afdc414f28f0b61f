/* test_command_signals.c - what the command `resida` promises about signals and terminals: Ctrl-C keeps what is there,
 * a second one leaves nothing behind, the progress line is drawn on terminals only. */
#define _XOPEN_SOURCE 700 /* posix_openpt() */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "command_fixture.h"

enum { SOME_ROWS = 10000 }; /* bytes */

static void interrupt(int signal_number, int code)
{
    command c;
    test_file_write("a.csv", "old\n", 4);
    command_start(&c, COMMAND_LONG_RUN "--out a.csv --format json");
    command_wait_for_rows(&c, SOME_ROWS);
    assert_int_equal(command_files(), 1);
    assert_int_equal(kill(c.pid, signal_number), 0);
    command_result r = command_finish(&c);
    assert_int_equal(r.code, code);
    assert_int_equal(command_lines(r.err.bytes), 1);
    assert_non_null(strstr(r.err.bytes, "/a.partial.csv\n"));
    json_t *row = command_row(&r);
    assert_string_equal(command_word(row, "status"), "interrupted");
    assert_true(command_number(row, "t_reached") > 0);
    assert_true(command_number(row, "t_reached") < 1e6);
    assert_true(json_is_null(command_member(row, "error.p")));
    command_expect_whole_rows("a.partial.csv", 8);
    test_file old = test_file_read("a.csv");
    assert_string_equal(old.bytes, "old\n");
    assert_int_equal(command_files(), 2);
}

COMMAND_CLAIM(ctrl_c_keeps_the_rows_so_far_and_gives_130)
{
    interrupt(SIGINT, 130);
}

COMMAND_CLAIM(a_termination_keeps_the_rows_so_far_and_gives_143)
{
    interrupt(SIGTERM, 143);
}

/** Both signals are there when the stopped run goes on: it has no time to end cleanly. */
COMMAND_CLAIM(a_second_signal_kills_and_leaves_no_file)
{
    command c;
    command_start(&c, COMMAND_LONG_RUN "--out a.csv");
    command_wait_for_rows(&c, SOME_ROWS);
    kill(c.pid, SIGSTOP);
    kill(c.pid, SIGINT);
    kill(c.pid, SIGTERM);
    kill(c.pid, SIGCONT);
    command_result r = command_finish(&c);
    assert_true(r.code == -SIGINT || r.code == -SIGTERM);
    assert_int_equal(command_files(), 0);
}

COMMAND_CLAIM(ctrl_c_ends_a_comparison_with_the_rows_so_far)
{
    command c;
    command_start(&c, "compare pendulum --t-end 1e6 --format json");
    command_let_work(&c, 0.3);
    kill(c.pid, SIGINT);
    command_result r = command_finish(&c);
    assert_int_equal(r.code, 130);
    json_t *row = command_row(&r); /* one line: the second formalism was not begun */
    assert_string_equal(command_word(row, "status"), "interrupted");
}

COMMAND_CLAIM(progress_is_silent_where_no_terminal_is)
{
    command_result r = command_run("solve pendulum --t-end 1e6 --time-limit 0.8");
    assert_int_equal(r.code, 1);
    assert_null(memchr(r.err.bytes, '\r', r.err.size));
    assert_null(memchr(r.err.bytes, '\033', r.err.size));
    assert_int_equal(command_lines(r.err.bytes), 1);
}

/** What a run of 0.8 s writes to a terminal; text [size]. */
static void run_on_terminal(const char *line, char *text, size_t size)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) != 0) test_lacks("pseudo terminals");
    assert_int_equal(unlockpt(master), 0);
    int terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
    assert_true(terminal >= 0);
    command c;
    command_start_to(&c, line, -1, terminal);
    assert_int_equal(command_finish(&c).code, 1);
    size_t used = 0;
    struct pollfd ready = {.fd = master, .events = POLLIN};
    while (used + 1 < size && poll(&ready, 1, 100) > 0) {
        ssize_t got = read(master, text + used, size - used - 1);
        if (got <= 0) break;
        used += (size_t)got;
    }
    text[used] = 0;
    close(terminal);
    close(master);
}

COMMAND_CLAIM(progress_on_a_terminal_is_drawn_seldom_and_erased)
{
    char text[16384];
    assert_int_equal(setenv("TERM", "xterm", 1), 0);
    run_on_terminal("solve pendulum --t-end 1e6 --time-limit 0.8", text, sizeof text);
    assert_non_null(strstr(text, "pendulum"));
    assert_non_null(strstr(text, " % "));
    int drawn = 0;
    char *last = text;
    for (char *c = text; (c = strchr(c, '\r')) != NULL; c++)
        if (c[1] != '\n') drawn++, last = c;
    assert_true(drawn >= 2 &&
                drawn <= 10); /* at most ten a second of 0.8 s, fewer on a busy machine; the last one erases */
    assert_int_equal(strncmp(last, "\r\033[Kresida: ", 12), 0);
    run_on_terminal("solve pendulum --t-end 1e6 --time-limit 0.8 --quiet", text, sizeof text);
    assert_null(strchr(text, '\033'));
}
