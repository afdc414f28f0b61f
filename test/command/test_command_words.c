/* test_command_words.c - what a person reads: lines that say what happened, when it happened, and none that say
 * nothing; and writes: options of models. */
#include <signal.h>
#include <time.h>

#include "test/command/command_fixture.h"
#include "test/fixtures/bench_fixture.h"

/** Bricard's mechanism has a constraint too many, which follows from 29 others. */
COMMAND_CLAIM(a_run_that_does_not_begin_has_no_lines_of_zeros)
{
    command_result r = command_run("solve bricard");
    assert_int_equal(r.code, 1);
    command_expect_words(r.out.bytes, "\n  result       failed at the start (RESIDA_ERR_REDUNDANT)\n");
    command_expect_words(r.out.bytes, "joint y2 = -joint x1 - joint y1 - joint z1 + axis n1 - ");
    command_expect_words(r.out.bytes, " and 21 terms more\n");
    command_expect_words(r.out.bytes, "\n  remedy       --drop-redundant ");
    command_expect_words(r.out.bytes, ", no step was attempted\n");
    assert_null(strstr(r.out.bytes, "  Newton"));
    assert_null(strstr(r.out.bytes, "  steps"));
}

COMMAND_CLAIM(a_run_that_fails_on_its_way_says_where)
{
    command_result r = command_run("solve andrews --max-steps 50");
    assert_int_equal(r.code, 1);
    const char *result = strstr(r.out.bytes, "\n  result       failed, t = ");
    assert_non_null(result);
    command_expect_words(result, " of 0.03 (RESIDA_ERR_LIMIT_STEPS)\n");
    command_expect_words(result, "\n  steps        50, ");
}

/** A difference is absolute, digits are relative. */
COMMAND_CLAIM(an_error_says_what_it_is_of)
{
    const char *error = strstr(command_run("solve andrews").out.bytes, "\n  error        p ");
    assert_non_null(error);
    command_expect_words(error, ", absolute; relative: ");
    command_expect_words(error, " digits\n  reference    IVP Test Set");
}

/** The first run fails, and is made once; the others are repeated as they were asked for. */
COMMAND_CLAIM(repeats_are_those_that_were_asked_for)
{
    command_result r = command_run("compare andrews --formalism residual --max-steps 620 --repeat 3");
    assert_int_equal(r.code, 1);
    command_expect_words(r.out.bytes, " failed ");
    command_expect_words(r.out.bytes, ", 3 runs each\n");
    r = command_run(
        "resida-bench work-precision slider-crank --jacobian dense --from 1e-4 --to 1e-9 --max-steps 300 --repeat 3");
    command_expect_words(r.out.bytes, "RESIDA_ERR_LIMIT_STEPS");
    command_expect_words(r.out.bytes, ", 3 runs each\n");
}

/** A strategy takes half a second and more; the first row is there before the last one. */
COMMAND_CLAIM(rows_are_shown_as_they_come)
{
    const struct timespec pause = {.tv_nsec = 5000000};
    command c;
    int seen = 0;
    command_start(&c, "compare akzo --repeat 4000 -q");
    while (!seen) { /* the alarm ends it */
        test_file so_far = test_file_read(c.out);
        seen = strstr(so_far.bytes, "  dense ") != NULL;
        if (seen) assert_null(strstr(so_far.bytes, "  auto"));
        nanosleep(&pause, NULL);
    }
    assert_int_equal(kill(c.pid, SIGINT), 0);
    command_result r = command_finish(&c);
    assert_int_equal(r.code, 128 + SIGINT);
    command_expect_words(r.out.bytes, " interrupted ");
}

COMMAND_CLAIM(help_says_first_what_a_command_does)
{
    command_result r = command_run("help solve");
    static const char beginning[] = "resida solve: integrate";
    assert_int_equal(strncmp(r.out.bytes, beginning, strlen(beginning)), 0);
}

COMMAND_CLAIM(a_kinematic_matrix_is_described_in_whole_sentences)
{
    command_expect_words(command_run("check bricard").out.bytes, "kinematic matrix   columns are independent: column ");
}

/* Options that a model brings along set its parameters, wherever the words stand. plugin_teller is y' = -y from y = 1,
 * from 2 with --doubled. */

/** "VERB BEFORE .../plugin_teller.so REST" */
static const char *about(const char *verb, const char *before, const char *rest)
{
    static char line[900];
    snprintf(line, sizeof line, "%s %s %.400s/plugin_teller.so %s", verb, before,
             test_environment("RESIDA_TEST_MODULES"), rest);
    return line;
}

static void expect_end(const char *before, const char *rest, double y)
{
    double x[2];
    command_run_well(about("solve", before, rest));
    test_file csv = test_file_read("a.csv");
    assert_int_equal(command_csv_row(csv.bytes, 1, x, 2), 2);
    bench_near(x[1], y, 1e-6);
}

COMMAND_CLAIM(an_option_of_a_model_sets_its_parameter)
{
    expect_end("", "--points 1 --quiet --out a.csv", exp(-1));
    expect_end("", "--doubled --points 1 --quiet --out a.csv", 2 * exp(-1));
    command_expect_words(command_run_well(about("solve", "", "--warn-below 0.5")).out.bytes, "least = 0.5");
}

/** Before the model, too: what follows an option that is not known yet may be its value, or a model. */
COMMAND_CLAIM(options_of_a_model_may_stand_before_it)
{
    expect_end("--doubled --points 1 -qo a.csv", "", 2 * exp(-1));
    expect_end("--doubled --out a.csv --points=1", "--quiet", 2 * exp(-1));
    expect_end("--doubled", "--points 1 --out a.csv", 2 * exp(-1));
    command_result r = command_run_well(about("solve", "--warn-below 0.5", ""));
    command_expect_words(r.out.bytes, "least = 0.5");
    r = command_run_well(about("solve", "--warn-below=0.5", ""));
    command_expect_words(r.out.bytes, "least = 0.5");
}

COMMAND_CLAIM(other_commands_take_them_too)
{
    static const char *const verbs[] = {"check", "equilibrium", "pattern"};
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) command_run_well(about(verbs[i], "", "--doubled"));
}

COMMAND_CLAIM(models_says_which_parameter_has_an_option)
{
    command_result r = command_run_well(about("models", "", ""));
    command_expect_words(r.out.bytes, "--warn-below: y, below which output() warns");
    const json_t *parameters = json_object_get(command_json(about("models", "", "--format json"), 0), "parameters");
    assert_true(json_is_null(json_object_get(json_array_get(parameters, 0), "option")));
    assert_string_equal(json_string_value(json_object_get(json_array_get(parameters, 2), "option")), "doubled");
}

COMMAND_CLAIM(options_that_no_model_has_are_refused)
{
    command_expect_refusal(about("solve", "", "--dobled"), 2,
                           "solve has no option --dobled; did you mean '--doubled'?");
    command_expect_refusal(about("solve", "", "--rtoll 1e-3"), 2, "did you mean '--rtol'?");
    command_expect_refusal(about("solve", "", "--unheard-of"), 2, "solve has no option --unheard-of, nor has ");
    command_expect_refusal("solve pendulum --doubled", 2, "solve has no option --doubled; 'resida help solve'");
    command_expect_refusal(about("models", "", "--doubled"), 2, "models has no option --doubled");
    command_expect_refusal(about("solve", "", "--doubled --doubled"), 2, "--doubled: is given twice");
    command_expect_refusal(about("solve", "", "--doubled -p doubled=1"), 2, "parameter 'doubled' is given twice");
    command_expect_refusal(about("solve", "", "--doubled=1"), 2, "--doubled");
    command_expect_refusal(about("solve", "", "--warn-below"), 2, "--warn-below: needs a value");
    command_expect_refusal(about("solve", "", "--warn-below x"), 2, "--warn-below: 'x' is not a number");
    command_expect_refusal(about("solve", "", "--warn-below 11"), 2, "least = 11");
    command_expect_refusal("solve ./none.so --doubled", 2, "none.so");
}
