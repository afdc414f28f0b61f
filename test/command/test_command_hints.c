/* test_command_hints.c - `solve` says at its end what would make a run cheaper by more than a fifth: each planted cause
 * (plugin_causes.c) has its hint and no other, the built-in models have none, and the same run has the same. What calls
 * are taken to cost, which some hints are about, is in JSON. */
#include "command_fixture.h"

enum { LINE = 400 };

/** A cause, options besides, and words of the hint that it has. */
typedef struct planted {
    int cause;
    const char *options, *words;
} planted;

static const planted causes[] = {
    {1, "", "give constraint_matrix"},
    {2, "", "give G_pattern"},
    {3, "", "give root functions"},
    {4, "--profile", "give it a larger atol"},
    {5, "", "give J_pattern"},
    {6, "--t-end 1.5", "give Phi_p_pattern and Phi_v_pattern"},
    {7, "--profile --rtol 1e-12 --atol 1e-11 --t-end 40", "1e+10 are said: set cost.residual"},
    {8, "--profile", "are assumed: set cost.residual"},
    {0, "--h-max 0.002", "h_max = 0.002 s limits most of them"},
};
enum { N_CAUSES = sizeof causes / sizeof *causes };

static const char *about(int cause, const char *options)
{
    static char line[LINE];
    snprintf(line, sizeof line, "solve %s/plugin_causes.so -p cause=%d --quiet %s",
             test_environment("RESIDA_TEST_MODULES"), cause, options);
    return line;
}

static int hints_in(const char *text)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, "\n  hint  ")); at++) n++;
    return n;
}

COMMAND_CLAIM(each_planted_cause_has_its_hint_and_no_other)
{
    for (size_t i = 0; i < N_CAUSES; i++) {
        command_result r = command_run_well(about(causes[i].cause, causes[i].options));
        if (!strstr(r.out.bytes, causes[i].words) || hints_in(r.out.bytes) != 1)
            fail_msg("cause %d: %s", causes[i].cause, r.out.bytes);
    }
}

COMMAND_CLAIM(without_a_cause_there_is_no_hint)
{
    static const char *const options[] = {"", "--profile", "--h-max 1"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        command_result r = command_run_well(about(0, options[i]));
        if (hints_in(r.out.bytes) != 0) fail_msg("%s: %s", options[i], strstr(r.out.bytes, "\n  hint  "));
    }
}

/* Where a sanitizer makes calls of the models slower, what they cost is not looked at. */
static void expect_none(const char *model)
{
    const char *words = claims_text("solve %s --quiet%s", model, COMMAND_SANITIZED ? "" : " --profile");
    command_result r = command_run_well(words);
    if (hints_in(r.out.bytes) != 0) fail_msg("%s", r.out.bytes);
}

/* But for bushings, whose vibrations cut steps, and Bricard's mechanism, where J takes a fifth of the calls. */
COMMAND_CLAIM(built_in_models_have_none)
{
    command_result models = command_run_well("models --format json");
    int n = 0;
    for (char *line = models.out.bytes, *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = 0;
        json_t *model = command_json_at(line);
        assert_non_null(model);
        const char *name = command_word(model, "name");
        if (strcmp(name, "bushing-pendulum") != 0 && strcmp(name, "bricard") != 0) expect_none(name);
        n++;
    }
    assert_true(n > 10);
}

COMMAND_CLAIM(hints_repeat_and_are_in_the_row)
{
    char text[2][LINE];
    for (int i = 0; i < 2; i++) {
        const json_t *hints = command_member(command_json(about(3, "--format json"), 0), "hints");
        assert_int_equal(json_array_size(hints), 1);
        snprintf(text[i], LINE, "%s", json_string_value(json_array_get(hints, 0)));
    }
    assert_string_equal(text[0], text[1]);
}

/* The rows of dg/dp have x_i, y_i; springs join x_i with its neighbours; everything has friction. */
COMMAND_CLAIM(patterns_that_are_left_out_are_written_as_C)
{
    static const char *const words[] = {"G_row[] = {0, 2, 4, 6,",        "G_col[] = {0, 1, 2, 3,",
                                        "Phi_p_row[] = {0, 2, 2, 5, 5,", "Phi_p_col[] = {0, 2, 0, 2, 4,",
                                        "Phi_v_row[] = {0, 1, 2,",       "Phi_v_col[] = {0, 1, 2,"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        command_run_well(about(i < 2 ? 2 : 6, "--emit-patterns patterns.c"));
        test_file file = test_file_read("patterns.c");
        if (!strstr(file.bytes, words[i])) fail_msg("%s is not in %s", words[i], file.bytes);
    }
}

/* 20 operations for each entry of the mass matrix is what the chain says itself. */
COMMAND_CLAIM(json_has_what_calls_are_taken_to_cost)
{
    command_result said = command_run_well("solve chain -p n=5 --t-end 1 --format json"),
                   peer = command_run_well("solve chain -p n=5 --t-end 1 --solver ida --format json");
    json_t *row = command_row(&said), *row_of_peer = command_row(&peer);
    assert_true(command_number(row, "callback_costs.mass_matrix") == 20 * 5 * 5);
    assert_true(command_number(row, "callback_costs.residual") > 0);
    assert_true(command_number(row, "callback_costs.constraint") == 0);
    assert_true(json_is_null(command_member(row_of_peer, "callback_costs.residual")));
}
