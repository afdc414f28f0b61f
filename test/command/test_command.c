/* test_command.c - what the command `resida` promises about words: bad ones are refused by one line and exit code 2,
 * rows of JSON keep their keys, and failures keep their rows. The other promises are in test_command_check.c,
 * test_command_files.c and test_command_signals.c. */
#include <resida/stats.h>

#include "command_fixture.h"

/** A line that is refused, and what the complaint must contain. */
typedef struct refusal {
    const char *line, *words;
} refusal;

static const refusal refusals[] = {
    {"", "resida --help"},
    {"slove chain", "did you mean 'solve'"},
    {"xyzzy", "no command 'xyzzy'"},
    {"--verbose", "options come after a command"},
    {"help slove", "did you mean 'solve'"},
    {"solve", "give a model"},
    {"check", "give a model"},
    {"solve ch\nain", "no model 'ch ain'"},
    {"solve chian", "did you mean 'chain'"},
    {"compare chain andrwes", "did you mean 'andrews'"},
    {"models nothing-like-that", "no model 'nothing-like-that'"},
    {"solve chain andrews", "give only one model"},
    {"solve chain --rtoll 1e-3", "did you mean '--rtol'"},
    {"solve chain --tend=3", "did you mean '--t-end'"},
    {"models --rtol 3", "models has no option --rtol"},
    {"solve chain -z", "no option -z"},
    {"solve chain --rtol", "needs a value"},
    {"solve chain --quiet=1", "--quiet"},
    {"solve chain --rtol abc", "'abc' is not a number"},
    {"solve chain --rtol 1e-3x", "'1e-3x' is not a number"},
    {"solve chain --rtol 1,5", "'1,5' is not a number"},
    {"solve chain --rtol 0x1", "is not a number"},
    {"solve chain --rtol ~1", "is not a number"},
    {"solve chain --rtol nan", "is not a number"},
    {"solve chain --rtol inf", "is not a number"},
    {"solve chain --rtol 1e999", "is not a number"},
    {"solve chain --rtol=", "is not a number"},
    {"solve chain --rtol 0", "--rtol 0: must be > 0"},
    {"solve chain --rtol -1", "--rtol -1: must be > 0"},
    {"solve chain --atol -1", "--atol -1: must be >= 0"},
    {"solve chain --t-end 0", "--t-end 0: must be after the start"},
    {"solve chain --t-end -7", "--t-end -7: must be after the start"},
    {"solve chain --max-order 6", "--max-order 6"},
    {"solve chain --max-order 2.5", "whole number"},
    {"solve chain --max-order 0", "--max-order 0"},
    {"solve chain --h-max 0", "--h-max 0: must be > 0"},
    {"solve chain --h-first -1", "--h-first -1: must be >= 0"},
    {"solve chain --max-steps 0", "--max-steps 0: must be >= 1"},
    {"solve chain --max-residuals 1e30", "--max-residuals 1e30: must be <="},
    {"solve chain --time-limit 0", "--time-limit 0: must be > 0"},
    {"solve chain --newton-tolerance 1.5", "--newton-tolerance 1.5"},
    {"solve chain --repeat 0", "--repeat 0"},
    {"solve chain --points 0", "--points 0"},
    {"solve chain --every 0", "--every 0"},
    {"solve chain --every 1e-12", "--every gives 2e+14 outputs"},
    {"solve chain --every 1 --points 5", "only one of them"},
    {"solve chain --points 100000000000", "--points gives 1e+11 outputs, more than 1e+09"},
    {"solve chain --form glg", "did you mean 'ggl'"},
    {"solve chain --form hht", "must be one of auto|ggl|index2|ode"},
    {"solve chain --form ggl", "form ggl needs constraints"},
    {"solve andrews --form ode", "form ode"},
    {"solve akzo --form ggl", "akzo: form 'ggl'"},
    {"solve akzo --formalism explicit", "no formalism"},
    {"solve chain --formalism residul", "did you mean 'residual'"},
    {"solve chain --error-test some", "must be one of"},
    {"solve chain --format xml", "must be one of text|json"},
    {"solve chain --jacobian dens", "unknown Jacobian strategy 'dens'"},
    {"compare chain --jacobian dens", "unknown Jacobian strategy 'dens'"},
    {"solve chain -p m", "must be NAME=VALUE"},
    {"solve chain -p =3", "must be NAME=VALUE"},
    {"solve chain -p n=many", "'many' is not a number"},
    {"solve chain -p omgea=1", "did you mean 'omega'"},
    {"solve chain -p zeta=1", "chain has no parameter 'zeta'"},
    {"compare chain andrews -p zeta=1", "none of the models has a parameter 'zeta'"},
    {"solve chain -p n=0", "n = 0 is outside its range"},
    {"solve chain -p n=2.5", "must be a whole number"},
    {"solve ./nowhere.so", "nowhere.so"},
    {"solve text.so", "not a plugin"},
    {"solve ./text", "not a plugin"},
    {"solve /bin/sh", "cannot be loaded"},
    {"solve chain --out=", "must not be empty"},
};

COMMAND_CLAIM(bad_command_lines_get_one_line_and_code_2)
{
    test_file_write("text.so", "hello\n", 6);
    test_file_write("text", "hello\n", 6);
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++)
        command_expect_refusal(refusals[i].line, 2, refusals[i].words);
    assert_int_equal(command_files(), 2); /* nothing was left behind */
}

COMMAND_CLAIM(bad_options_are_refused_before_a_file_is_touched)
{
    test_file_write("kept.csv", "old\n", 4);
    command_result r = command_run("solve chain --out kept.csv --jacobian dens");
    command_expect_complaint(&r, "--jacobian dens", 2);
    test_file kept = test_file_read("kept.csv");
    assert_string_equal(kept.bytes, "old\n");
    assert_int_equal(command_files(), 1);
}

static const char *const contract[] = {
    "solver",
    "problem",
    "params.n",
    "formalism",
    "form",
    "jacobian",
    "rtol",
    "atol",
    "status",
    "message",
    "t_end",
    "steps",
    "error_test_fails",
    "newton_iterations",
    "newton_fails",
    "residual_calls.newton",
    "residual_calls.jacobian",
    "residual_calls.pattern",
    "residual_calls.start",
    "residual_calls.total",
    "callback_calls.residual",
    "callback_calls.jacobian",
    "callback_costs.residual",
    "callback_costs.jacobian",
    "profile",
    "limits",
    "jacobian_evaluations.dense",
    "jacobian_evaluations.coloured",
    "jacobian_evaluations.user",
    "jacobian_evaluations.partial",
    "jacobian_updates.alpha",
    "jacobian_updates.excitation",
    "jacobian_updates.blocks",
    "pattern_updates",
    "setups.first",
    "setups.alpha",
    "setups.failure",
    "setups.other",
    "setups.attempt",
    "jacobian_asked",
    "jacobian_reason",
    "groups",
    "groups_bound",
    "n",
    "nnz",
    "linear_solver",
    "cpu_s.min",
    "cpu_s.median",
    "cpu_s.iqr",
    "cpu_s.repeats",
    "error.p",
    "error.v",
    "error.lam",
    "drift.g",
    "drift.gv",
    "drift.k",
    "versions.resida",
    "versions.sundials",
    "versions.klu",
    "versions.colpack",
    "versions.compiler",
    "digits.p",
    "digits.v",
    "digits.lam",
    "events",
    "root_calls",
    "events_in_doubt",
    "order",
    "h_last",
    "wall_s",
};

/* "1.3.9"; of ColPack, which may be missing, also that of its package, or null. */
static void check_versions(const json_t *row)
{
    int numbers[3];
    assert_int_equal(sscanf(command_word(row, "versions.klu"), "%d.%d.%d", &numbers[0], &numbers[1], &numbers[2]), 3);
    const json_t *colpack = command_member(row, "versions.colpack");
    if (!json_is_null(colpack))
        assert_int_equal(sscanf(json_string_value(colpack), "%d.%d", &numbers[0], &numbers[1]), 2);
}

COMMAND_CLAIM(a_row_has_every_key_of_the_contract)
{
    static const char *const lines[] = {"solve chain --t-end 1 --format json",
                                        "solve chain --t-end 1 --max-steps 3 --format json"};
    for (size_t k = 0; k < 2; k++) {
        command_result r = command_run(lines[k]);
        assert_int_equal(r.code, (int)k); /* the failed run keeps its row */
        json_t *row = command_row(&r);
        for (size_t i = 0; i < sizeof contract / sizeof contract[0]; i++) (void)command_member(row, contract[i]);
        check_versions(row);
    }
}

/* The text names callbacks that were called, and no other, in lines of at most 120 columns. */
COMMAND_CLAIM(callbacks_that_were_called_are_named_with_their_calls)
{
    static const char *const called[] = {"residual", "constraint", "constraint_matrix", "excitation"};
    command_result text = command_run_well("solve car-axis"), json = command_run_well("solve car-axis --format json");
    json_t *row = command_row(&json);
    assert_non_null(strstr(text.out.bytes, "  callbacks    residual "));
    for (size_t i = 0; i < sizeof called / sizeof *called; i++) {
        const char *key = claims_text("callback_calls.%s", called[i]);
        const char *words = claims_text(" %s %.0f", called[i], command_number(row, key));
        if (!strstr(text.out.bytes, words)) fail_msg("there is no \"%s\" in %s", words, text.out.bytes);
    }
    assert_true(command_number(row, "callback_calls.residual") == command_number(row, "residual_calls.total"));
    assert_true(command_number(row, "callback_calls.potential") == 0);
    assert_null(strstr(text.out.bytes, "potential"));
    for (const char *line = text.out.bytes, *end; (end = strchr(line, '\n')); line = end + 1)
        assert_true(end - line <= 120);
}

/* All of the time has a part, of which none but callbacks that were called is the model's. */
COMMAND_CLAIM(a_profile_has_shares_that_add_up)
{
    command_result text = command_run_well("solve andrews --profile"),
                   json = command_run_well("solve andrews --profile --format json"),
                   none = command_run_well("solve andrews --format json");
    json_t *row = command_row(&json), *without = command_row(&none);
    double sum = 0, total = command_number(row, "profile.total");
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(size_t)command_member(row, "profile"), key,
                        value) if (json_is_number(value) && strcmp(key, "total") != 0) sum += json_number_value(value);
    json_object_foreach((json_t *)(size_t)command_member(row, "profile.callbacks"), key, value) sum +=
        json_number_value(value);
    assert_true(total > 0 && fabs(sum - total) < 1e-6 * total);
    assert_true(total <= command_number(row, "wall_s"));
    assert_true(command_number(row, "profile.callbacks.residual") > 0);
    assert_true(command_number(row, "profile.callbacks.potential") == 0);
    assert_true(json_is_null(command_member(without, "profile")));
    assert_true(json_is_null(command_member(without, "limits")));
    assert_int_equal(json_array_size(command_member(row, "limits")), RESIDA_LIMITS);
    const json_t *first = json_array_get(command_member(row, "limits"), 0);
    assert_non_null(strstr(text.out.bytes, "  limited by   "));
    assert_non_null(strstr(text.out.bytes, command_word(first, "component")));
    assert_true(command_number(first, "steps") > 0);
    assert_non_null(strstr(text.out.bytes, "model: constraint_matrix "));
    assert_non_null(strstr(text.out.bytes, "factors "));
    assert_null(strstr(text.out.bytes, "model: potential"));
}

COMMAND_CLAIM(counters_of_a_row_add_up)
{
    json_t *row = command_json("solve chain --format json --rtol 1e-5 -p n=12 -p d=0 --repeat 3", 0);
    assert_string_equal(command_word(row, "status"), "ok");
    assert_string_equal(command_word(row, "solver"), "resida");
    assert_string_equal(command_word(row, "problem"), "chain");
    assert_true(command_number(row, "rtol") == 1e-5);
    assert_true(command_number(row, "params.n") == 12);
    assert_true(command_number(row, "n") == 24);
    assert_true(command_number(row, "t_reached") == command_number(row, "t_end"));
    assert_true(command_number(row, "end.t") == command_number(row, "t_end"));
    assert_true(json_array_size(command_member(row, "end.p")) == 12 &&
                json_array_size(command_member(row, "end.v")) == 12);
    double calls = command_number(row, "residual_calls.newton") + command_number(row, "residual_calls.jacobian") +
                   command_number(row, "residual_calls.pattern") + command_number(row, "residual_calls.start");
    assert_true(calls == command_number(row, "residual_calls.total"));
    assert_true(command_number(row, "setups.first") == 1);
    assert_true(command_number(row, "cpu_s.repeats") == 3);
    assert_true(command_number(row, "cpu_s.min") > 0);
    assert_true(command_number(row, "cpu_s.min") <= command_number(row, "cpu_s.median"));
    assert_true(json_is_null(command_member(row, "drift.g")));
    assert_true(json_is_null(command_member(row, "error.lam")));
}

COMMAND_CLAIM(a_failed_run_keeps_its_row_and_says_why)
{
    command_result r = command_run("solve andrews --max-steps 10 --format json");
    assert_int_equal(r.code, 1);
    assert_int_equal(command_lines(r.err.bytes), 1);
    json_t *row = command_row(&r);
    assert_string_equal(command_word(row, "status"), "failed");
    assert_string_equal(command_word(row, "code"), "RESIDA_ERR_LIMIT_STEPS");
    assert_non_null(strstr(r.err.bytes, command_word(row, "message")));
    assert_true(command_number(row, "steps") == 10);
    assert_true(command_number(row, "t_reached") < command_number(row, "t_end"));
    assert_true(command_number(row, "end.t") == command_number(row, "t_reached")); /* the last accepted one */
    assert_true(json_is_null(command_member(row, "error.p")));
}

COMMAND_CLAIM(the_time_limit_counts_for_the_whole_run)
{
    json_t *row = command_json("solve pendulum --t-end 1e6 --every 0.01 --time-limit 0.2 --format json", 1);
    assert_string_equal(command_word(row, "code"), "RESIDA_ERR_LIMIT_TIME");
    assert_true(command_number(row, "wall_s") > 0); /* outputs are not timed */
}

COMMAND_CLAIM(events_are_counted_and_change_nothing)
{
    command_result with = command_run(command_about_variant("solve", 12, "--format json"));
    command_result without = command_run(command_about_variant("solve", 0, "--format json --quiet"));
    assert_int_equal(with.code, 0);
    assert_int_equal(without.code, 0);
    assert_non_null(strstr(with.err.bytes, "event at t = "));
    assert_int_equal(without.err.size, 0);
    json_t *a = command_row(&with), *b = command_row(&without);
    assert_true(command_number(a, "events") > 0);
    assert_true(command_number(b, "events") == 0);
    assert_true(command_number(a, "root_calls") > command_number(a, "events"));
    assert_true(command_number(a, "events_in_doubt") == 0);
    assert_true(command_number(b, "root_calls") == 0);
    assert_string_equal(command_word(a, "status"), "ok");
    assert_true(command_number(a, "steps") == command_number(b, "steps"));
}

static const char *const strategies[] = {
    "dense", "sparse", "dense+partitioned", "sparse+partitioned", "dense+extended", "sparse+extended", "fresh", "auto"};
enum { N_STRATEGIES = sizeof strategies / sizeof strategies[0] };

COMMAND_CLAIM(compare_has_a_row_for_each_formalism_and_strategy)
{
    command_result r = command_run_well("compare andrews akzo --repeat 2 --format json");
    static const char *const expected[] = {"residual", "explicit", "dae"};
    char *rest = r.out.bytes;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < N_STRATEGIES; k++) {
            json_t *row = command_next_row(&rest);
            const char *used = command_word(row, "jacobian"), *asked = command_word(row, "jacobian_asked");
            assert_string_equal(command_word(row, "formalism"), expected[i]);
            assert_string_equal(asked, strategies[k]);
            assert_string_equal(used, asked); /* these models give no derivatives */
            assert_string_equal(command_word(row, "status"), "ok");
            assert_true(command_number(row, "cpu_s.repeats") == 2);
            if (strchr(used, '+')) assert_true(command_number(row, "setups.attempt") == 0);
        }
    assert_int_equal(*rest, 0);
}

/* Plain IDA is always built; how other integrators do on each model is not looked at. */
COMMAND_CLAIM(compare_runs_other_integrators_on_each_model)
{
    static const char *const models[] = {"pendulum", "akzo"};
    command_result r =
        command_run("compare pendulum akzo --peers --jacobian auto --max-order 5 --t-end 0.1 --repeat 1 --format json");
    char *rest = r.out.bytes;
    int by_ida[2] = {0, 0};
    assert_int_equal(r.code, 0);
    while (*rest) {
        json_t *row = command_next_row(&rest);
        for (int i = 0; i < 2 && strcmp(command_word(row, "solver"), "ida") == 0; i++)
            by_ida[i] += strcmp(command_word(row, "problem"), models[i]) == 0;
    }
    assert_true(by_ida[0] > 0 && by_ida[1] > 0);
}

/* y' = -y from 1 to exp(-1); the plugin has no reference. */
COMMAND_CLAIM(errors_of_a_model_without_a_reference_are_those_from_a_tighter_run)
{
    const char *modules = test_environment("RESIDA_TEST_MODULES");
    const char *line = claims_text("solve %.400s/plugin_teller.so --rtol 1e-4 --jacobian auto --format json", modules);
    const json_t *end = json_array_get(command_member(command_json(line, 0), "end.y"), 0);
    const double error = fabs(json_number_value(end) - exp(-1));
    line = claims_text("compare %.400s/plugin_teller.so --rtol 1e-4 --jacobian auto --repeat 1 --format json", modules);
    json_t *row = command_json(line, 0);
    print_message("error %.3e, from exp(-1) %.3e\n", command_number(row, "error.p"), error);
    assert_true(fabs(command_number(row, "error.p") - error) < 0.2 * error);
    assert_non_null(strstr(command_word(row, "reference"), "at rtol = 1e-07"));
}

/** Cell number `column` of a line of the table, its words separated by two blanks or more. */
static void cell_of(const char *line, int column, char *cell, size_t size)
{
    const char *at = line + strspn(line, " ");
    for (; column > 0; column--) {
        at = strstr(at, "  ");
        assert_non_null(at);
        at += strspn(at, " ");
    }
    const char *end = strstr(at, "  ");
    assert_non_null(end);
    assert_true((size_t)(end - at) < size);
    snprintf(cell, size, "%.*s", (int)(end - at), at);
}

COMMAND_CLAIM(compare_says_what_each_strategy_costs)
{
    enum { JACOBIAN = 2, CALLS = 9, PERCENT = 10 };
    char cell[64];
    command_result r = command_run_well("compare slider-crank --formalism residual --repeat 1");
    const char *dense = strstr(r.out.bytes, "  dense "), *chosen = strstr(r.out.bytes, "  auto ");
    assert_non_null(dense);
    assert_non_null(chosen);
    while (dense[-1] != '\n') dense--;
    while (chosen[-1] != '\n') chosen--;
    cell_of(dense, CALLS, cell, sizeof cell);
    double whole = strtod(cell, NULL);
    cell_of(dense, PERCENT, cell, sizeof cell);
    assert_string_equal(cell, "100.0");
    cell_of(chosen, JACOBIAN, cell, sizeof cell);
    assert_string_equal(cell, "auto");
    cell_of(chosen, CALLS, cell, sizeof cell);
    const char *expected = claims_text("%.1f", 100 * strtod(cell, NULL) / whole);
    cell_of(chosen, PERCENT, cell, sizeof cell);
    assert_string_equal(cell, expected);
}

COMMAND_CLAIM(compare_goes_on_after_a_failed_run)
{
    command_result r = command_run("compare andrews slider-crank --max-steps 300 --repeat 1 --jacobian dense");
    assert_int_equal(r.code, 1);
    assert_int_equal(command_lines(r.err.bytes), 2); /* andrews, both formalisms */
    assert_non_null(strstr(r.out.bytes, "failed"));
    assert_non_null(strstr(strstr(r.out.bytes, "slider-crank: "), " ok "));
}

COMMAND_CLAIM(help_and_version_answer_on_standard_output)
{
    static const char *const lines[] = {"--help",       "--version", "help",       "help solve",
                                        "solve --help", "check -h",  "compare -h", "models --help"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        command_result r = command_run_well(lines[i]);
        assert_true(r.out.size > 10);
        assert_int_equal(r.err.size, 0);
    }
}

/* popt gives up wrapping where the words left of the texts are too wide. */
COMMAND_CLAIM(help_on_options_fits_80_columns)
{
    static const char *const lines[] = {"help solve",
                                        "help compare",
                                        "resida-bench help work-precision",
                                        "help pattern",
                                        "resida-bench help conditioning",
                                        "help linearize",
                                        "resida-bench help report"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        command_result r = command_run(lines[i]);
        const char *last = strstr(r.out.bytes, "show this text");
        assert_non_null(last);
        for (const char *line = r.out.bytes; line < last; line += strcspn(line, "\n") + 1)
            if (strcspn(line, "\n") > 80) fail_msg("%s: %.*s", lines[i], (int)strcspn(line, "\n"), line);
    }
}
