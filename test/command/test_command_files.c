/* test_command_files.c - what the command `resida` promises about files and streams: a trajectory appears whole or not
 * at all, its numbers are exact, a full disk and a closed pipe show in the exit code. */
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command_fixture.h"
#include "benchmarks/models/models.h"
#include "test/fixtures/solver_fixture.h"

#include <resida/model.h>

static void expect_success(const char *line)
{
    command_result r = command_run(line);
    if (r.code != 0) fail_msg("resida %s: exit code %d, %s", line, r.code, r.err.bytes);
}

COMMAND_CLAIM(csv_has_the_right_header_and_rows)
{
    expect_success("solve pendulum --t-end 2 --points 7 --out a.csv");
    expect_success("solve pendulum --t-end 2 --every 0.3 --out b.csv");
    test_file a = test_file_read("a.csv"), b = test_file_read("b.csv");
    assert_int_equal(strncmp(a.bytes, "t,x,y,", 6), 0);
    assert_int_equal(command_lines(a.bytes), 1 + 8); /* the start and seven more */
    assert_int_equal(command_lines(b.bytes), 1 + 8); /* 0, 0.3 ... 1.8 and 2 */
    double x[8];
    for (int k = 0; k < 8; k++) {
        assert_int_equal(command_csv_row(a.bytes, k, x, 8), 8); /* t, 2 p, 2 v, 2 a, 1 lam */
        assert_true(fabs(x[0] - 2.0 / 7 * k) <= 4e-16 * k);
        assert_int_equal(command_csv_row(b.bytes, k, x, 8), 8);
        assert_true(fabs(x[0] - fmin(0.3 * k, 2)) <= 4e-16 * k);
    }
    assert_true(x[0] == 2);
    assert_int_equal(a.bytes[a.size - 1], '\n');
    assert_int_equal(command_files(), 2);
}

COMMAND_CLAIM(names_with_commas_and_quotes_are_quoted)
{
    const char *line = claims_text("solve %s/plugin_variants.so --t-end 0.1 --points 1 --out a.csv",
                                   test_environment("RESIDA_TEST_MODULES"));
    expect_success(line);
    test_file a = test_file_read("a.csv");
    const char *expected = "t,x,\"height \"\"y\"\", down < 0\",v[0],v[1],a[0],a[1],lam.length\n";
    assert_int_equal(strncmp(a.bytes, expected, strlen(expected)), 0);
}

/** The last row of the file is the state that the row of JSON judges: its error is the same number. */
COMMAND_CLAIM(last_row_is_the_state_that_is_compared_with_the_reference)
{
    enum { N_P = 7, N = 1 + 3 * N_P + 6 };
    json_t *row = command_json("solve andrews --points 3 --out a.csv --format json", 0);
    test_file a = test_file_read("a.csv");
    double x[N], p[N_P], v[N_P], lam[6], error_p = 0, error_v = 0;
    assert_int_equal(command_csv_row(a.bytes, 3, x, N), N);
    const resida_model model = test_model(&bench_andrews.cls, 0, NULL, NULL);
    assert_int_equal(model.reference(&model, x[0], p, v, lam), 0);
    for (int i = 0; i < N_P; i++) {
        error_p = fmax(error_p, fabs(x[1 + i] - p[i]));
        error_v = fmax(error_v, fabs(x[1 + N_P + i] - v[i]));
    }
    assert_true(error_p == command_number(row, "error.p")); /* 17 digits keep every bit */
    assert_true(error_v == command_number(row, "error.v"));
    assert_true(error_p < 1e-2); /* angles that turn by about 20 rad */
}

/** The first step is given, because the solver chooses it by the time of the first output. */
COMMAND_CLAIM(outputs_do_not_change_the_integration)
{
    command_result few = command_run("solve chain --points 1 --format json");
    command_result many = command_run("solve chain --points 5000 --format json --out a.csv");
    json_t *a = command_row(&few), *b = command_row(&many);
    assert_true(command_number(a, "steps") == command_number(b, "steps"));
    assert_true(command_number(a, "error.p") == command_number(b, "error.p"));
}

COMMAND_CLAIM(the_same_command_writes_the_same_bytes)
{
    expect_success("solve andrews --out a.csv");
    expect_success("solve andrews --out b.csv");
    test_file a = test_file_read("a.csv"), b = test_file_read("b.csv");
    assert_true(a.size > 1000 && a.size == b.size);
    assert_memory_equal(a.bytes, b.bytes, a.size);
}

/** A plugin that lets the process write a comma changes no byte, and no number is misread. */
COMMAND_CLAIM(a_plugin_that_sets_a_decimal_comma_changes_no_byte)
{
    enum { POINT, COMMA, N };
    static const int variants[N] = {0, 13};
    static const char *const names[N] = {"point.csv", "comma.csv"};
    test_file csv[N];
    command_result r[N];
    test_comma_locale(test_folder());
    assert_int_equal(setenv("LOCPATH", test_folder(), 1) | setenv("LC_NUMERIC", "comma", 1) | unsetenv("LC_ALL"), 0);
    for (int k = 0; k < N; k++) {
        const char *rest = claims_text("--rtol 1.25e-6 --t-end 1.5 --every 0.1 --time-limit 60.5 --out %s", names[k]);
        r[k] = command_run(command_about_variant("solve", variants[k], rest));
        assert_int_equal(r[k].code, 0);
        csv[k] = test_file_read(names[k]);
    }
    unsetenv("LOCPATH");
    unsetenv("LC_NUMERIC");
    assert_true(command_lines(csv[POINT].bytes) == 1 + 16);
    assert_int_equal(csv[POINT].size, csv[COMMA].size);
    assert_memory_equal(csv[POINT].bytes, csv[COMMA].bytes, csv[POINT].size);
    for (int k = 0; k < N; k++) {
    }
}

COMMAND_CLAIM(csv_on_standard_output_is_the_same_as_in_a_file)
{
    expect_success("solve andrews --points 5 --out a.csv");
    command_result r = command_run("solve andrews --points 5 --out - --format json");
    assert_int_equal(r.code, 0);
    test_file a = test_file_read("a.csv");
    assert_string_equal(r.out.bytes, a.bytes);
    assert_string_equal(command_word(command_json_at(r.err.bytes), "status"), "ok");
    r = command_run("solve andrews --points 5 --out - --quiet"); /* the rows are all that is wanted */
    assert_int_equal(r.code, 0);
    assert_string_equal(r.out.bytes, a.bytes);
    assert_string_equal(r.err.bytes, "");
}

COMMAND_CLAIM(files_that_cannot_be_written_are_refused_at_once)
{
    static const char *const lines[] = {COMMAND_LONG_RUN "--out nowhere/a.csv", COMMAND_LONG_RUN "--out .",
                                        COMMAND_LONG_RUN "--out /proc/a.csv", COMMAND_LONG_RUN "--out closed/a.csv"};
    int n = geteuid() == 0 ? 3 : 4; /* root may write anywhere */
    assert_int_equal(mkdir("closed", 0500), 0);
    for (int i = 0; i < n; i++) {
        command_result r = command_run(lines[i]);
        command_expect_complaint(&r, lines[i], 74);
    }
    assert_int_equal(command_files(), 1);
}

COMMAND_CLAIM(a_link_is_followed_and_permissions_stay)
{
    struct stat now;
    test_file_write("real.csv", "old", 3);
    assert_int_equal(chmod("real.csv", 0640), 0);
    assert_int_equal(symlink("real.csv", "link.csv"), 0);
    expect_success("solve akzo --out link.csv");
    assert_int_equal(lstat("link.csv", &now), 0);
    assert_true(S_ISLNK(now.st_mode));
    assert_int_equal(stat("real.csv", &now), 0);
    assert_int_equal(now.st_mode & 07777, 0640);
    assert_true(now.st_size > 1000);
    assert_int_equal(command_files(), 2);
}

/** A named pipe stands for devices, which a test had better leave alone. */
COMMAND_CLAIM(what_is_no_regular_file_is_written_in_place)
{
    char text[4096];
    struct stat now;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    int reader = open("pipe", O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    expect_success("solve akzo --points 2 --out pipe");
    ssize_t got = read(reader, text, sizeof text);
    assert_true(got > 100 && memcmp(text, "t,y", 3) == 0);
    assert_int_equal(stat("pipe", &now), 0);
    assert_true(S_ISFIFO(now.st_mode));
    assert_int_equal(command_files(), 1);
    close(reader);
}

/** The disk is full after 1, 2, 3 ... kilobytes: RLIMIT_FSIZE with SIGXFSZ ignored lets write() fail. */
COMMAND_CLAIM(a_file_appears_whole_or_not_at_all)
{
    struct rlimit before, limit;
    struct sigaction ignore = {.sa_handler = SIG_IGN}, old;
    const char *line = "solve akzo --points 100 --quiet --out a.csv";
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(sigaction(SIGXFSZ, &ignore, &old), 0);
    test_file_write("a.csv", "old\n", 4);
    int failures = 0, code = 74;
    for (rlim_t size = 2048; code != 0 && size < 1000000; size += 1024) {
        limit = (struct rlimit){size, before.rlim_max};
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
        command_result r = command_run(line);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        code = r.code;
        test_file a = test_file_read("a.csv");
        if (code != 0) {
            assert_int_equal(code, 74);
            command_expect_words(r.err.bytes, "a.csv: File too large");
            command_expect_words(r.err.bytes, "a.partial.csv");
            assert_int_equal(command_lines(r.err.bytes), 2);
            assert_string_equal(a.bytes, "old\n");
            test_file part = test_file_read("a.partial.csv");
            assert_true(part.size > size / 2 && part.size <= size && part.bytes[part.size - 1] == '\n');
            unlink("a.partial.csv");
            failures++;
        } else {
            assert_int_equal(command_lines(a.bytes), 102);
        }
        assert_int_equal(command_files(), 1);
    }
    assert_int_equal(sigaction(SIGXFSZ, &old, NULL), 0);
    assert_int_equal(code, 0);
    assert_true(failures >= 3);
}

static const char *const talkers[] = {
    "--help",
    "--version",
    "models",
    "models chain",
    "help solve",
    "solve akzo",
    "solve akzo --format json",
    "solve akzo --out -",
    "check akzo",
    "check akzo --format json",
    "compare akzo --repeat 1",
    "compare akzo --repeat 1 --format json",
};
enum { N_TALKERS = sizeof talkers / sizeof talkers[0] };

COMMAND_CLAIM(a_full_disk_gives_74_and_one_line)
{
    int full = open("/dev/full", O_WRONLY);
    assert_true(full >= 0);
    for (int i = 0; i < N_TALKERS; i++) {
        command_result r = command_run_to(talkers[i], full);
        command_expect_complaint(&r, talkers[i], 74);
    }
    close(full);
}

COMMAND_CLAIM(a_closed_pipe_gives_74_and_no_word)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    for (int i = 0; i < N_TALKERS; i++) {
        command_result r = command_run_to(talkers[i], ends[1]);
        if (r.code != 74 || r.err.size > 0) fail_msg("resida %s: %d, %s", talkers[i], r.code, r.err.bytes);
    }
    command_result r = command_run_to(COMMAND_LONG_RUN "--out -", ends[1]); /* ends long before its time */
    assert_int_equal(r.code, 74);
    close(ends[1]);
}

COMMAND_CLAIM(partial_rows_never_replace_a_whole_trajectory)
{
    static const char *const failures[] = {
        "solve pendulum --t-end 100 --every 0.01 --max-steps 200 --out ",
        "solve pendulum --t-end 100 --every 0.01 --max-residuals 300 --out ",
        "solve pendulum --solver ida --t-end 100 --every 0.01 --max-steps 200 --out "};
    static const struct {
        const char *out, *partial;
    } names[] = {
        {"a.csv", "a.partial.csv"}, {"a", "a.partial"}, {".a", ".a.partial"}, {"./b.c.csv", "b.c.partial.csv"}};
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            const char *line = claims_text("%s%s", failures[i], names[k].out);
            test_file_write(names[k].out, "whole\n", 6);
            command_result r = command_run(line);
            assert_int_equal(r.code, 1);
            assert_non_null(strstr(r.err.bytes, names[k].partial));
            assert_string_equal(test_file_read(names[k].out).bytes, "whole\n");
            command_expect_whole_rows(names[k].partial, 8);
            assert_int_equal(command_files(), 2);
            unlink(names[k].out);
            unlink(names[k].partial);
        }
}

/** By its name, by another path, by links of both kinds, and as what an interrupted run would write. */
COMMAND_CLAIM(a_result_never_overwrites_the_plugin_it_is_made_with)
{
    static const char *const lines[] = {
        "solve ./model.so --out model.so",
        "solve ./model.so --out ./././model.so",
        "solve model.so --out soft.csv",
        "solve ./model.so --out hard.csv",
        "solve ./a.partial.so --out a.so",
        "pattern ./model.so --out drawn.svg",
        "resida-bench work-precision akzo ./model.so --out drawn.svg",
        "resida-bench conditioning ./model.so --out drawn.svg",
        "resida-bench report --models akzo,./model.so --sections patterns --out hard.csv"};
    test_file plugin = test_file_read(test_environment("RESIDA_PLUGIN"));
    test_file_write("model.so", plugin.bytes, plugin.size);
    assert_int_equal(symlink("model.so", "soft.csv"), 0);
    assert_int_equal(link("model.so", "hard.csv"), 0);
    assert_int_equal(link("model.so", "drawn.svg"), 0);
    assert_int_equal(link("model.so", "a.partial.so"), 0);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        command_result r = command_run(lines[i]);
        command_expect_complaint(&r, lines[i], 2);
        assert_non_null(strstr(r.err.bytes, "would overwrite the model's file"));
        test_file after = test_file_read("model.so");
        assert_int_equal(after.size, plugin.size);
        assert_memory_equal(after.bytes, plugin.bytes, plugin.size);
        assert_int_equal(command_files(), 5);
    }
}

/* Of files that are not there yet, too: by another path, by a link that leads nowhere, through a folder that is one. */
COMMAND_CLAIM(results_do_not_overwrite_each_other)
{
    static const struct {
        const char *line, *words;
    } cases[] = {{"solve pendulum --out a.csv --events ./a.csv", "--events ./a.csv: --out has the same file"},
                 {"solve pendulum --out a.csv --events link.csv", "--events link.csv: --out has the same file"},
                 {"solve pendulum --out a.csv --animate here/a.csv", "--animate here/a.csv: --out has the same file"},
                 {"solve pendulum --out a.csv --checkpoint ../%s/a.csv", "/a.csv: --out has the same file"},
                 {"solve pendulum --out a.csv --events a.partial.csv",
                  "--events a.partial.csv: a partial result of --out has the same file"},
                 {"solve pendulum --events a.csv --out a.partial.csv",
                  "--out a.partial.csv: a partial result of --events has the same file"},
                 {"solve pendulum --animate a.html --emit-patterns a.partial.html",
                  "--emit-patterns a.partial.html: a partial result of --animate has the same file"},
                 {"solve pendulum --out a.csv --plot x --events a.partial.svg",
                  "--events a.partial.svg: a partial result of --plot has the same file"}};
    char folder[4096], line[4400];
    assert_int_equal(symlink("a.csv", "link.csv"), 0);
    assert_int_equal(symlink(".", "here"), 0);
    assert_non_null(getcwd(folder, sizeof folder));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(line, sizeof line, cases[i].line, strrchr(folder, '/') + 1);
        command_expect_refusal(line, 2, cases[i].words);
    }
    assert_int_equal(command_files(), 2);
}
