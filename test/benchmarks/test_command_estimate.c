/* test_command_estimate.c - `resida solve --estimate-error`: a second run at a tenth of the tolerances says how wrong
 * the first one is, and nothing that happens to it touches the first one's result.
 *
 * Measured, six models at eleven tolerances each: the estimate of p is 1.2 times too large or too small in the median,
 * and within a factor of 10 in 65 of 66. A single error can be small by luck, an estimate cannot know that. */
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "test/command/command_fixture.h"
#include "test/fixtures/mechanisms/scaled.h"
#include "test/fixtures/bench_fixture.h"

enum { LINE = 400, LOOP = 1, WILD_POINTER = 2, EXIT = 6, CUT_HARMS = 2, COLUMNS = 8 };

/* The row of a run that ends so. */
static json_t *row_of(const char *line, int code)
{
    command_result r = command_run(line);
    if (r.code != code) fail_msg("%s: exit code %d: %s", line, r.code, r.err.bytes);
    return command_row(&r);
}

/* --- what it says --- */

enum { MODELS = 6, TOLERANCES = 11, RUNS = MODELS * TOLERANCES };
static const double near = 10;        /* what an estimate is for */
static const double max_median = 1.5; /* 1.14 to 1.19 measured, of each model */
static const int fewest_near = 60;    /* of 66; 65 measured */

/* max(x/y, y/x) */
static double factor(double x, double y)
{
    return fmax(x / y, y / x);
}

COMMAND_CLAIM(the_estimate_is_near_the_error)
{
    static const struct {
        const char *name;
        double atol; /* over rtol */
    } models[MODELS] = {{"pendulum", 1},     {"andrews", 1}, {"car-axis", 1},
                        {"slider-crank", 1}, {"akzo", 1},    {"robertson", 1e-4}};
    int n_near = 0;
    for (int i = 0; i < MODELS; i++) {
        double off[TOLERANCES];
        for (int k = 0; k < TOLERANCES; k++) {
            const double tol = pow(10, -3 - 0.5 * k);
            const char *line = claims_text("solve %s --rtol %g --atol %g --estimate-error --format json",
                                           models[i].name, tol, models[i].atol * tol);
            json_t *row = row_of(line, 0);
            off[k] = factor(command_number(row, "estimate.error.p"), command_number(row, "error.p"));
            n_near += off[k] <= near;
        }
        qsort(off, TOLERANCES, sizeof *off, bench_by_size);
        print_message("%-12s estimate off by a factor %.2f in the median, %.1f at most\n", models[i].name,
                      off[TOLERANCES / 2], off[TOLERANCES - 1]);
        assert_true(off[TOLERANCES / 2] <= max_median);
    }
    print_message("within a factor of %g: %d of %d\n", near, n_near, RUNS);
    assert_true(n_near >= fewest_near);
}

/* The state and its derivatives that are printed are those of the first run, not of the finer one. */
COMMAND_CLAIM(the_end_that_is_told_stays_that_of_the_first_run)
{
    static const char run[] = "solve slider-crank --rtol 1e-4 --atol 1e-4 --sensitivity l0 --format json";
    json_t *alone = row_of(run, 0), *row = row_of(claims_text("%s --estimate-error", run), 0);
    assert_true(command_number(row, "estimate.error.p") > 0);
    assert_true(json_equal(command_member(row, "end"), command_member(alone, "end")));
    assert_true(json_equal(command_member(row, "sensitivity"), command_member(alone, "sensitivity")));
}

/* At the end; the estimate is the largest of the way. */
COMMAND_CLAIM(the_estimate_covers_the_error_of_angles_that_have_turned)
{
    static const double turns[] = {0, 1e3, 1e4, 1e5};
    double phi, phid;
    scaled_swing(3, &phi, &phid);
    for (int i = 0; i < 8; i++) {
        const char *line =
            claims_text("solve %s/plugin_turned.so -p turns=%g -p given=%d --estimate-error --format json",
                        test_environment("RESIDA_TEST_MODULES"), turns[i / 2], i % 2);
        json_t *row = row_of(line, 0);
        const json_t *p = command_member(row, "end.p");
        const double error = hypot(json_number_value(json_array_get(p, 0)) - sin(phi),
                                   json_number_value(json_array_get(p, 1)) + cos(phi));
        const double estimate = command_number(row, "estimate.error.p");
        if (!(error < near * estimate && estimate < 1e-6)) fail_msg("%s: %g, not %g", line, estimate, error);
    }
}

/* Of a bushing of 100 N/m the rigid limit is 0.3 m off, and its doubt, 60 N/k, is 0.6 m. */
COMMAND_CLAIM(an_error_that_may_be_the_references_is_not_stated)
{
    json_t *row = row_of("solve bushing-pendulum -p k=100 -p c=10 --format json", 0);
    assert_true(json_is_null(command_member(row, "error.p")) && json_is_null(command_member(row, "digits.p")));
    assert_non_null(strstr(command_word(row, "reference"), "the rigid limit"));
    assert_true(fabs(command_number(row, "reference_doubt.p") - 60.0 / 100) < 1e-12);
    command_result r = command_run_well("solve bushing-pendulum -p k=100 -p c=10 --estimate-error");
    command_expect_words(r.out.bytes, "below 10 times the uncertainty of the reference");
    command_expect_words(r.out.bytes,
                         "solution of the rigid limit; the model differs from it by about 60 N/k; doubt p 6.0e-01");
}

COMMAND_CLAIM(an_error_above_the_doubt_is_stated)
{
    json_t *row = row_of("solve bushing-pendulum -p k=1e11 --format json", 0);
    const double error = command_number(row, "error.p");
    assert_true(error > 10 * command_number(row, "reference_doubt.p") && error < 1e-2);
    row = row_of("solve pendulum --format json", 0);
    assert_true(command_number(row, "error.p") > 0 && json_is_null(command_member(row, "reference_doubt")));
}

COMMAND_CLAIM(comparisons_name_the_reference_and_its_doubt)
{
    command_result r = command_run_well("compare bushing-pendulum -p k=1e6 --repeat 1");
    command_expect_words(r.out.bytes,
                         "reference: solution of the rigid limit; the model differs from it by about 60 N/k; doubt p "
                         "6.0e-05, v 2.0e-04, lam 8.0e-04");
}

/* The last row of a file. @return numbers in it */
static int last_row(const char *path, double *x, int n)
{
    test_file csv = test_file_read(path);
    const int count = command_csv_row(csv.bytes, command_lines(csv.bytes) - 2, x, n);
    return count;
}

/* The largest sizes of all rows. */
static void sizes(const char *path, double *most, int n)
{
    double x[COLUMNS];
    test_file csv = test_file_read(path);
    memset(most, 0, (size_t)n * sizeof *most);
    for (int row = 0; row < command_lines(csv.bytes) - 1; row++) {
        assert_int_equal(command_csv_row(csv.bytes, row, x, n), n);
        for (int i = 0; i < n; i++) most[i] = fmax(most[i], fabs(x[i]));
    }
}

static double apart(const double *x, const double *y, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i] - y[i]));
    return most;
}

static void same_number(const json_t *a, const char *of_a, const json_t *b, const char *of_b)
{
    if (command_number(a, of_a) != command_number(b, of_b))
        fail_msg("%s is %.17g, %s is %.17g", of_a, command_number(a, of_a), of_b, command_number(b, of_b));
}

/* Two runs by hand say the same, and the first one is not another one for the second. */
COMMAND_CLAIM(it_is_the_distance_from_a_run_at_a_tenth_of_the_tolerances)
{
    static const char *const counts[] = {"steps", "residual_calls.total", "newton_iterations", "factorisations"};
    double x[COLUMNS], fine[COLUMNS], most[COLUMNS], largest = 0;
    json_t *both =
        row_of("solve pendulum --t-end 29.3 --rtol 1e-5 --atol 2e-6 --estimate-error --format json --out both.csv", 0);
    json_t *one = row_of("solve pendulum --t-end 29.3 --rtol 1e-5 --atol 2e-6 --format json --out one.csv", 0);
    json_t *second = row_of("solve pendulum --t-end 29.3 --rtol 1e-6 --atol 2e-7 --format json --out fine.csv", 0);
    assert_true(json_is_null(command_member(one, "estimate")));
    assert_string_equal(test_file_read("both.csv").bytes, test_file_read("one.csv").bytes);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const char *path = claims_text("estimate.%s", counts[i]);
        same_number(both, counts[i], one, counts[i]);
        same_number(both, path, second, counts[i]);
    }
    same_number(both, "error.p", one, "error.p");
    same_number(both, "estimate.rtol", second, "rtol");
    same_number(both, "estimate.atol", second, "atol");
    assert_int_equal(last_row("one.csv", x, COLUMNS), COLUMNS);
    assert_int_equal(last_row("fine.csv", fine, COLUMNS), COLUMNS);
    assert_true(command_number(both, "estimate.error.p") == apart(x + 1, fine + 1, 2));
    assert_true(command_number(both, "estimate.error.v") == apart(x + 3, fine + 3, 2));
    assert_true(command_number(both, "estimate.error.lam") == apart(x + 7, fine + 7, 1));
    sizes("fine.csv", most, COLUMNS);
    for (int i = 3; i < 5; i++) largest = fmax(largest, fabs(x[i] - fine[i]) / most[i]);
    assert_true(fabs(command_number(both, "estimate.digits.v") + log10(largest)) < 1e-12);
    assert_string_equal(command_word(both, "estimate.status"), "ok");
    json_decref(both), json_decref(one), json_decref(second);
}

/* The pendulum ends where y, v and lam are zero, of which a reference has no digits. An estimate has them beside the
 * sizes on the way, 1 of p. */
COMMAND_CLAIM(components_that_are_zero_at_the_end_have_digits_of_their_sizes_on_the_way)
{
    json_t *row = command_json("solve pendulum --estimate-error --format json -q", 0);
    assert_true(command_number(row, "digits.p") > 8);
    assert_true(json_is_null(command_member(row, "digits.v")) && json_is_null(command_member(row, "digits.lam")));
    assert_true(fabs(command_number(row, "estimate.digits.p") + log10(command_number(row, "estimate.error.p"))) < 1e-3);
    assert_true(command_number(row, "estimate.digits.v") > 3 && command_number(row, "estimate.digits.v") < 6);
    assert_true(command_number(row, "estimate.digits.lam") > 4);
}

/* A pendulum of the size of atol: its phase is lost. */
COMMAND_CLAIM(components_that_are_all_wrong_have_no_digit)
{
    json_t *row = command_json("solve pendulum -p L=1e-6 -p g=1.375e-5 --estimate-error --format json -q", 0);
    assert_true(command_number(row, "estimate.error.p") > 2e-7);
    assert_true(command_number(row, "estimate.digits.p") < 0.7);
}

COMMAND_CLAIM(text_says_it_beside_the_error)
{
    command_result r = command_run_well("solve andrews --rtol 1e-6 --atol 1e-6 --estimate-error");
    const char *error = strstr(r.out.bytes, "\n  error        p "),
               *estimate = strstr(r.out.bytes, "\n  estimate     p ");
    assert_true(error && estimate && estimate > error);
    assert_non_null(strstr(estimate, ", absolute; relative: "));
    assert_non_null(strstr(estimate, "\n  second run   rtol 1e-07, atol 1e-07: "));
    assert_non_null(strstr(estimate, " steps, "));
    assert_int_equal(r.err.size, 0);
    r = command_run("solve akzo --estimate-error"); /* a general DAE has y alone */
    assert_int_equal(r.code, 0);
    estimate = strstr(r.out.bytes, "\n  estimate     ");
    assert_true(estimate && strncmp(strstr(estimate, ", "), ", absolute; relative: ", 22) == 0 && estimate[16] != 'p');
    r = command_run("solve akzo");
    assert_null(strstr(r.out.bytes, "estimate"));
    assert_null(strstr(r.out.bytes, "second run"));
}

/* There the tolerances are those of Newton's method alone. */
COMMAND_CLAIM(steps_of_a_fixed_size_are_a_tenth_as_long)
{
    static const char *const methods[] = {"bdf2", "generalized-alpha", "radau-iia-3"};
    for (int i = 0; i < 3; i++) {
        const char *line = claims_text(
            "solve pendulum --t-end 3 --method %s --step 0.01 --rtol 1e-9 --atol 1e-9 --estimate-error --format json",
            methods[i]);
        json_t *row = row_of(line, 0);
        assert_true(fabs(command_number(row, "estimate.step") - 0.001) < 1e-12);
        assert_true(fabs(command_number(row, "estimate.steps") - 10 * command_number(row, "steps")) <= 1);
        const double off = factor(command_number(row, "estimate.error.p"), command_number(row, "error.p"));
        if (!(off < 1.2)) fail_msg("%s: %g", methods[i], off);
    }
}

COMMAND_CLAIM(integrators_of_others_run_twice_too_and_repetitions_once)
{
    json_t *row = row_of(
        "solve pendulum --t-end 3 --solver ida --repeat 3 --rtol 1e-5 --atol 1e-5 --estimate-error --format json", 0);
    json_t *second = row_of("solve pendulum --t-end 3 --solver ida --rtol 1e-6 --atol 1e-6 --format json", 0);
    same_number(row, "estimate.steps", second, "steps");
    assert_true(command_number(row, "cpu_s.repeats") == 3);
    assert_true(factor(command_number(row, "estimate.error.p"), command_number(row, "error.p")) < near);
    json_decref(row), json_decref(second);
}

/* Forces of dependent constraints are a choice, which the two runs made at different times. */
COMMAND_CLAIM(forces_are_not_compared_where_other_rows_were_dropped)
{
    json_t *row = row_of("solve bricard --drop-redundant --estimate-error --format json", 0);
    assert_true(json_is_null(command_member(row, "estimate.error.lam")));
    assert_true(factor(command_number(row, "estimate.error.p"), command_number(row, "error.p")) < near);
}

/* Notes of events and rows are those of the first run. */
COMMAND_CLAIM(the_second_run_is_silent)
{
    command_result one = command_run(command_about_variant("solve", 12, "--t-end 3 --out - --format json"));
    command_result both =
        command_run(command_about_variant("solve", 12, "--t-end 3 --out - --format json --estimate-error"));
    assert_int_equal(one.code, 0);
    assert_int_equal(both.code, 0);
    assert_string_equal(one.out.bytes, both.out.bytes);
    assert_non_null(strstr(one.err.bytes, "event at t = "));
    assert_int_equal(command_lines(one.err.bytes), command_lines(both.err.bytes));
    assert_null(strstr(one.err.bytes, "\"estimate\":{"));
    assert_non_null(strstr(both.err.bytes, "\"estimate\":{"));
}

COMMAND_CLAIM(other_commands_do_not_know_it)
{
    static const char *const commands[] = {"compare", "resida-bench work-precision", "check",
                                           "pattern", "resida-bench reproduce",      "resida-bench report"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        command_expect_refusal(claims_text("%s --estimate-error", commands[i]), 2, "has no option --estimate-error");
}

/* --- when the second run does not get through --- */

/* The first run's result and rows are whole; the second one ended so, which is said in one line. */
static void expect_no_estimate(const command_result *r, int code, const char *status, const char *why)
{
    if (r->code != code) fail_msg("exit code %d: %s", r->code, r->err.bytes);
    json_t *row = command_row(r);
    assert_string_equal(command_word(row, "status"), "ok");
    assert_true(command_number(row, "t_reached") == command_number(row, "t_end"));
    assert_string_equal(command_word(row, "estimate.status"), status);
    assert_true(json_is_null(command_member(row, "estimate.error.p")));
    assert_true(json_is_null(command_member(row, "estimate.digits.p")));
    if (!strstr(command_word(row, "estimate.message"), why)) fail_msg("%s", command_word(row, "estimate.message"));
    const char *line = strstr(r->err.bytes, ": no estimate of the error: ");
    if (!line || !strstr(line, why) || strchr(line, '\n')[1] != 0) fail_msg("said: %s", r->err.bytes);
}

/* The file is whole: so many rows, the last one at t_end. */
static void expect_rows(const char *path, int rows, double t_end)
{
    double x[COLUMNS];
    test_file csv = test_file_read(path);
    assert_int_equal(command_lines(csv.bytes), rows + 1);
    assert_int_equal(command_csv_row(csv.bytes, rows - 1, x, COLUMNS), COLUMNS);
    assert_true(x[0] == t_end);
}

COMMAND_CLAIM(a_budget_that_is_spent_leaves_the_first_result)
{
    static const char line[] =
        "solve pendulum --rtol 1e-6 --atol 1e-6 --max-steps 3000 --estimate-error --points 10 --out a.csv";
    const char *json = claims_text("%s --format json", line);
    command_result r = command_run(json);
    expect_no_estimate(&r, 1, "failed", "budget of 3000 steps spent");
    assert_int_equal(command_lines(r.err.bytes), 1);
    expect_rows("a.csv", 11, 30);
    assert_int_equal(command_files(), 1);
    r = command_run(line);
    assert_int_equal(r.code, 1);
    assert_non_null(strstr(r.out.bytes, "\n  result       ok, t = 30\n"));
    assert_non_null(strstr(r.out.bytes, "\n  estimate     none: budget of 3000 steps spent"));
}

COMMAND_CLAIM(a_first_run_that_fails_is_not_judged)
{
    command_result r =
        command_run("solve pendulum --max-steps 100 --estimate-error --points 10 --out a.csv --format json");
    assert_int_equal(r.code, 1);
    json_t *row = command_row(&r);
    assert_string_equal(command_word(row, "status"), "failed");
    assert_true(json_is_null(command_member(row, "estimate")));
    assert_null(strstr(r.err.bytes, "estimate"));
}

static const struct timespec pause_between_looks = {.tv_nsec = 5000000};

/* The alarm ends it, and the next one. */
static void wait_for_file(const char *path)
{
    struct stat now;
    while (stat(path, &now) != 0) nanosleep(&pause_between_looks, NULL);
}

/* Of a callback that has begun to loop. */
static void wait_for_words(const char *path)
{
    struct stat now;
    while (stat(path, &now) != 0 || now.st_size == 0) nanosleep(&pause_between_looks, NULL);
}

/* Rows are in place when the second run begins, of ten times as many steps. */
COMMAND_CLAIM(ctrl_c_in_the_second_run_leaves_the_first_result)
{
    command c;
    command_start(&c, "solve pendulum --method bdf1 --step 0.01 --t-end 2000 --points 10 --estimate-error --out a.csv "
                      "--format json");
    wait_for_file("a.csv");
    assert_int_equal(kill(c.pid, SIGINT), 0);
    command_result r = command_finish(&c);
    expect_no_estimate(&r, 130, "interrupted", "interrupted at t = ");
    expect_rows("a.csv", 11, 2000);
    assert_int_equal(command_files(), 1);
}

static void start_harm(command *c, int harm, const char *out, const char *rest)
{
    const char *line = claims_text(
        "solve %s/plugin_harmful.so -p harm=%d -p run=2 --t-end 1 --every 0.01 --estimate-error --out %s %s",
        test_environment("RESIDA_TEST_MODULES"), harm, out, rest);
    command_start(c, line);
}

/* Looping in the second run ends after the grace, told by a signal or by the clock: each run has the whole time
 * limit. */
COMMAND_CLAIM(a_callback_that_never_returns_then_leaves_the_first_result)
{
    command told, late;
    start_harm(&told, LOOP, "a.csv", "--format json");
    start_harm(&late, LOOP, "b.csv", "--time-limit 2 --format json");
    wait_for_words(told.err);
    assert_int_equal(kill(told.pid, SIGTERM), 0);
    command_result r = command_finish(&told);
    expect_no_estimate(&r, 128 + SIGTERM, "interrupted", "residual() has not returned for");
    r = command_finish(&late);
    expect_no_estimate(&r, 1, "failed", "the time limit is exceeded after t = ");
    expect_rows("a.csv", 101, 1);
    expect_rows("b.csv", 101, 1);
    assert_int_equal(command_files(), 2);
}

COMMAND_CLAIM(a_crash_then_leaves_the_first_result)
{
    static const int harms[CUT_HARMS] = {WILD_POINTER, EXIT};
    static const char *const words[CUT_HARMS] = {"residual() crashes: signal 11", "residual() ends the process"};
    for (int i = 0; i < CUT_HARMS; i++) {
        command c;
        unlink("a.csv");
        start_harm(&c, harms[i], "a.csv", "--format json");
        command_result r = command_finish(&c);
        expect_no_estimate(&r, 1, "failed", words[i]);
        expect_rows("a.csv", 101, 1);
        assert_int_equal(command_files(), 1);
    }
}

/* Nothing more is computed when the rows of the first run are lost. */
COMMAND_CLAIM(rows_that_cannot_be_written_end_it)
{
    command_result r = command_run("solve pendulum --points 1000 --estimate-error --out /dev/full");
    command_expect_complaint(&r, "--out /dev/full", 74);
}
