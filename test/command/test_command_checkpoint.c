/* test_command_checkpoint.c - runs that are killed and resumed have the bits of those that are not: rows, end,
 * counters; and files that are none of theirs are refused. The number of kills is the argument. */
#include <signal.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "command_fixture.h"

enum { LINE = 800, SOME_KILLS = 5, MAX_TRIES = 200, TAKEN = 2 };

static int n_kills = SOME_KILLS;
static uint64_t random_state = 20260101;

/** 0 .. 1 (Knuth's MMIX constants). */
static double next_random(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(random_state >> 33) / (double)(UINT64_C(1) << 31);
}

static const char *ball(void)
{
    static char path[500];
    snprintf(path, sizeof path, "%.400s/plugin_ball.so", test_environment("RESIDA_TEST_MODULES"));
    return path;
}

/* Models of all kinds, strategies, steps; NULL is the ball. All write a checkpoint as often as they can. */
static const struct {
    const char *model, *rest;
} cases[] = {
    {"pendulum", "--t-end 200 --every 1 --checkpoint-steps 3000"},
    {"chain", "--t-end 100 --jacobian sparse --points 100 --checkpoint-steps 500"},
    {NULL, "--every 0.01 -p e=0.9 --checkpoint-steps 25"},
    {"robertson", "--jacobian dense --points 50 --checkpoint-steps 150"},
    {"car", "--t-end 2 --points 20 --checkpoint-steps 60"},
    {"double-wishbone", "--t-end 0.2 --points 20 --checkpoint-steps 50"},
    {"bricard", "--t-end 2 --points 20 --drop-redundant --checkpoint-steps 40"},
    {"pendulum", "--t-end 60 --method generalized-alpha --step 0.002 --checkpoint-steps 5000"},
    {"pendulum", "--t-end 60 --method bdf3 --step 0.002 --checkpoint-steps 6000"},
    {"chain-cartesian", "--t-end 200 --points 20 --jacobian sparse+partitioned --checkpoint-steps 200"},
};
enum { N_CASES = sizeof cases / sizeof *cases };

static const char *line_of(int k, const char *out)
{
    static char line[LINE];
    snprintf(line, sizeof line,
             "solve %s %s --out %s --checkpoint run.state --checkpoint-every 0 --quiet --format json",
             cases[k].model ? cases[k].model : ball(), cases[k].rest, out);
    return line;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void wait_for(double seconds)
{
    const struct timespec delay = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&delay, NULL);
}

/* The row, without what is measured by clocks. */
static json_t *row_without_times(const command_result *r)
{
    json_t *row = command_row(r);
    assert_int_equal(json_object_del(row, "cpu_s"), 0);
    assert_int_equal(json_object_del(row, "wall_s"), 0);
    return row;
}

static void expect_same_file(const char *a, const char *b, int k)
{
    test_file one = test_file_read(a), other = test_file_read(b);
    if (one.size != other.size || memcmp(one.bytes, other.bytes, one.size) != 0)
        fail_msg("case %d: %s and %s differ", k, a, b);
}

/* Kill it at a random time; 1: it was over before. */
static int was_over(const char *line, double latest)
{
    command c;
    command_start(&c, line);
    wait_for(latest * next_random());
    kill(c.pid, SIGKILL);
    command_result r = command_finish(&c);
    const int over = r.code == 0;
    if (!over) assert_int_equal(r.code, -SIGKILL);
    return over;
}

COMMAND_CLAIM(a_run_that_is_killed_and_resumed_has_the_same_bits)
{
    int kills = 0, resumed = 0;
    for (int k = 0; kills < n_kills || k % N_CASES != 0; k++) {
        const int which = k % N_CASES;
        unlink("run.state");
        const double begun = now();
        command_result whole = command_run(line_of(which, "whole.csv"));
        const double took = now() - begun;
        if (whole.code != 0) fail_msg("%s: %s", line_of(which, ""), whole.err.bytes);
        json_t *row = row_without_times(&whole);
        unlink("run.state");
        int is_over = was_over(line_of(which, "a.csv"), took);
        kills += !is_over;
        for (int i = 0; i < TAKEN && access("run.state", F_OK) == 0 && !is_over; i++) {
            is_over = was_over("resume run.state", took);
            kills += !is_over;
            resumed++;
        }
        const int is_there = access("run.state", F_OK) == 0;
        command_result r = command_run_well(is_there ? "resume run.state" : line_of(which, "a.csv"));
        expect_same_file("whole.csv", "a.csv", which);
        json_t *other = row_without_times(&r);
        if (!json_equal(row, other)) fail_msg("case %d: %s\n%s", which, whole.out.bytes, r.out.bytes);
    }
    print_message("%d kills, %d of them of runs that were resumed\n", kills, resumed);
}

/* The same, but for where it is killed: at each checkpoint in turn, as it is on the disk then. */
COMMAND_CLAIM(a_run_goes_on_from_its_last_checkpoint_with_all_that_was_before)
{
    for (int k = 0; k < N_CASES; k++) {
        command_result whole = command_run_well(line_of(k, "whole.csv"));
        assert_int_equal(rename("whole.csv", "kept.csv"), 0);
        if (access("run.state", F_OK) != 0) fail_msg("case %d wrote no checkpoint", k);
        command_result r = command_run_well("resume run.state");
        expect_same_file("kept.csv", "whole.csv", k);
        json_t *row = row_without_times(&whole), *other = row_without_times(&r);
        if (!json_equal(row, other)) fail_msg("case %d: %s\n%s", k, whole.out.bytes, r.out.bytes);
        unlink("run.state");
    }
}

COMMAND_CLAIM(a_signal_leaves_a_file_to_go_on_from)
{
    const char *line = "solve pendulum --t-end 400 --every 1 --out a.csv --checkpoint run.state --checkpoint-every 0 "
                       "--checkpoint-steps 500";
    command_run_well(line);
    assert_int_equal(rename("a.csv", "whole.csv"), 0);
    unlink("run.state");
    command c;
    command_start(&c, line);
    for (int i = 0; i < MAX_TRIES && access("run.state", F_OK) != 0; i++) wait_for(0.005);
    kill(c.pid, SIGINT);
    command_result r = command_finish(&c);
    if (r.code != 0) assert_int_equal(r.code, 128 + SIGINT);
    if (r.code != 0) command_expect_words(r.err.bytes, "to continue the run: resida resume run.state");
    r = command_run_well("resume run.state");
    expect_same_file("whole.csv", "a.csv", 0);
}

/* No file is due for an hour: it is written where the run could go on, and the rest of the rows is the same. */
COMMAND_CLAIM(a_signal_has_a_file_written_at_the_next_place)
{
    const char *line =
        "solve pendulum --t-end 4000 --every 1 --out a.csv --checkpoint run.state --checkpoint-every 3600 "
        "--checkpoint-steps 500";
    command_run_well(line);
    assert_int_equal(rename("a.csv", "whole.csv"), 0);
    command c;
    command_start(&c, line);
    command_wait_for_rows(&c, 10000);
    kill(c.pid, SIGINT);
    command_result r = command_finish(&c);
    assert_int_equal(r.code, 128 + SIGINT);
    command_expect_words(r.err.bytes, "to continue the run: resida resume run.state");
    assert_int_equal(access("a.partial.csv", F_OK), 0);
    r = command_run_well("resume run.state");
    expect_same_file("whole.csv", "a.csv", 0);
    assert_int_not_equal(access("a.partial.csv", F_OK), 0); /* its rows are in a.csv now */
}

/* Rows that cannot be written end the run, and those that could are kept. */
COMMAND_CLAIM(a_disk_that_is_full_of_rows_ends_the_run_by_name)
{
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 30000;
    void (*was)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    command_result r = command_run("solve pendulum --t-end 40 --points 400 --out a.csv --checkpoint run.state "
                                   "--checkpoint-every 0 --checkpoint-steps 50");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, was);
    assert_int_equal(r.code, 74);
    command_expect_words(r.err.bytes, "cannot write a.csv: File too large");
    assert_null(strstr(r.err.bytes, "monitor"));
    test_file part = test_file_read("a.partial.csv");
    assert_true(part.size > 10000 && part.bytes[part.size - 1] == '\n');
    assert_int_not_equal(access("a.csv", F_OK), 0);
}

/* The time limit ends it likewise: with a file, and before there is one. */
COMMAND_CLAIM(a_run_that_is_ended_says_how_it_goes_on)
{
    static const char *const lines[][2] = {
        {"solve pendulum --t-end 1e7 --checkpoint run.state --checkpoint-every 0 "
         "--checkpoint-steps 500 --time-limit 0.3",
         "to continue the run: resida resume run.state"},
        {"solve pendulum --t-end 1e7 --checkpoint new.state --time-limit 0.1", "new.state is not written yet"}};
    for (int i = 0; i < 2; i++) {
        command_result r = command_run(lines[i][0]);
        assert_int_equal(r.code, 1);
        command_expect_words(r.err.bytes, lines[i][1]);
    }
    unlink("run.state");
}

COMMAND_CLAIM(what_cannot_be_resumed_is_refused_by_name)
{
    static const command_refusal refused[] = {
        {"solve pendulum --checkpoint-every 1", 2, "--checkpoint-every: needs --checkpoint FILE"},
        {"solve pendulum --checkpoint-steps 20", 2, "--checkpoint-steps: needs --checkpoint FILE"},
        {"solve pendulum --checkpoint a --repeat 2", 2, "cannot be used with --repeat"},
        {"solve pendulum --checkpoint a --solver ida", 2, "cannot be used with --solver"},
        {"solve pendulum --checkpoint a --animate a.html", 2, "cannot be used with --animate"},
        {"solve pendulum --checkpoint a --estimate-error", 2, "cannot be used with --estimate-error"},
        {"solve pendulum --checkpoint a --emit-patterns a.c", 2, "cannot be used with --emit-patterns"},
        {"solve pendulum --checkpoint a --plot t", 2, "cannot be used with --plot"},
        {"solve pendulum --checkpoint a --events e.csv", 2, "cannot be used with --events"},
        {"solve pendulum --checkpoint a --out a.mat", 2, "cannot be used with --out a.mat"},
        {"solve pendulum --checkpoint a --out -", 2, "cannot be used with --out -"},
        {"solve pendulum --checkpoint a --out a", 2, "--checkpoint a: --out has the same file"},
        {"solve pendulum --checkpoint ./a --out a", 2, "--checkpoint ./a: --out has the same file"},
        {"solve pendulum --checkpoint a --out /dev/null", 2, "not a regular file"},
        {"solve pendulum --checkpoint a --profile", 2, "profile = 1"},
        {"solve pendulum --checkpoint a --call-cost measured", 2, "call_cost = measured"},
        {"solve pendulum --checkpoint /dev/full", 2, "not a regular file"},
        {"solve pendulum --checkpoint other.txt", 2, "the file exists and is not a checkpoint"},
        {"solve pendulum --checkpoint a --checkpoint-steps 19", 2, "--checkpoint-steps 19: must be >= 20"},
        {"resume", 2, "one FILE"},
        {"resume a b", 2, "one FILE"},
        {"resume other.txt", 2, "not a checkpoint of resida"},
        {"resume .", 2, "not a regular file"},
    };
    test_file_write("other.txt", "a letter\n", 9);
    command_expect_refusals(refused, sizeof refused / sizeof *refused);
    command_expect_refusal("resume nowhere", 2, "cannot read nowhere"); /* as of every file of a command line */
    command_expect_refusal("solve ./nowhere.so", 2, "nowhere.so");
    command_expect_refusal("solve pendulum --checkpoint no/folder", 74, "cannot write no/folder");
    assert_int_equal(command_files(), 1);
}

COMMAND_CLAIM(a_file_that_is_cut_or_damaged_is_refused)
{
    command_run_well("solve pendulum --t-end 5 --checkpoint run.state --checkpoint-every 0 "
                     "--checkpoint-steps 50 --out a.csv");
    test_file good = test_file_read("run.state");
    for (int k = 0; k < 12; k++) {
        const size_t at = (size_t)((double)good.size * next_random());
        test_file_write("run.state", good.bytes, at);
        command_expect_refusal("resume run.state", 2, at < 14 ? "not a checkpoint" : "is truncated");
        const size_t flipped = 80 + (size_t)((double)(good.size - 80) * next_random());
        good.bytes[flipped] = (char)(good.bytes[flipped] ^ 1 << (k % 8));
        test_file_write("run.state", good.bytes, good.size);
        command_expect_refusal("resume run.state", 2, "is damaged");
        good.bytes[flipped] = (char)(good.bytes[flipped] ^ 1 << (k % 8));
    }
    test_file_write("run.state", good.bytes, good.size);
    command_run_well("resume run.state");
}

COMMAND_CLAIM(a_model_whose_file_has_changed_is_refused)
{
    test_file plugin = test_file_read(ball());
    test_file_write("model.so", plugin.bytes, plugin.size);
    command_result r =
        command_run("solve ./model.so --checkpoint run.state --checkpoint-every 0 --checkpoint-steps 20");
    if (r.code != 0) fail_msg("%s", r.err.bytes);
    r = command_run_well("resume run.state");
    FILE *f = fopen("model.so", "ab");
    assert_non_null(f);
    assert_int_equal(fputc(0, f), 0);
    assert_int_equal(fclose(f), 0);
    command_expect_refusal("resume run.state", 2, "./model.so: the file of the model has changed");
    unlink("model.so");
    command_expect_refusal("resume run.state", 2, "model.so");
}

COMMAND_CLAIM(a_disk_that_is_full_leaves_the_older_file_and_the_run_goes_on)
{
    const char *line = "solve pendulum --t-end 5 --checkpoint run.state --checkpoint-every 0 --checkpoint-steps 50";
    struct rlimit before, small;
    command_result r = command_run_well(line);
    test_file good = test_file_read("run.state");
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = (rlim_t)good.size / 2;
    void (*was)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    r = command_run("solve pendulum --t-end 6 --checkpoint run.state --checkpoint-every 0 --checkpoint-steps 50");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, was);
    assert_int_equal(r.code, 0);
    command_expect_words(r.err.bytes, "cannot write");
    command_expect_words(r.err.bytes, "the run continues; run.state keeps the last checkpoint");
    test_file after = test_file_read("run.state");
    assert_true(after.size == good.size && memcmp(after.bytes, good.bytes, good.size) == 0);
    assert_int_equal(command_files(), 1);
}

COMMAND_CLAIM(it_goes_on_in_the_folder_where_it_was_begun)
{
    command_result r =
        command_run_well("solve pendulum --t-end 5 --out a.csv --checkpoint run.state --checkpoint-every 0 "
                         "--checkpoint-steps 50");
    assert_int_equal(rename("a.csv", "whole.csv"), 0);
    const char *line = claims_text("resume %s/run.state", command_folder());
    assert_int_equal(chdir("/"), 0);
    r = command_run(line);
    assert_int_equal(chdir(command_folder()), 0);
    if (r.code != 0) fail_msg("%s", r.err.bytes);
    expect_same_file("whole.csv", "a.csv", 0);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        n_kills = atoi(argv[1]);
        cmocka_set_test_filter("a_run_that_is_killed_and_resumed_has_the_same_bits");
    }
    return claims_run(NULL, NULL);
}
