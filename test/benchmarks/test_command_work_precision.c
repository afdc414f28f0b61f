/* test_command_work_precision.c - what `resida work-precision` promises: a row for each method and tolerance with the
 * errors of `solve`, rows at equal error between them, a summary beside the fastest peer, a reference that is the
 * model's or that two methods agree on, and one line for what makes no sense. */
#include <signal.h>
#include <time.h>

#include "test/command/command_fixture.h"

enum { LEVELS = 5 };

/** Half a decade each, atol in the proportion that the tolerances of the model have. */
COMMAND_CLAIM(tolerances_fall_and_atol_with_them)
{
    static const double rtol[] = {1e-3, 3.16e-4, 1e-4};
    command_result r = command_run_well(
        "resida-bench work-precision robertson --t-end 40 --to 1e-4 --per-decade 2 --repeat 1 --format json");
    char *rest = r.out.bytes;
    json_t *usual = command_json("solve robertson --t-end 40 --format json", 0);
    double proportion = command_number(usual, "atol") / command_number(usual, "rtol");
    for (int i = 0; i < 3; i++) {
        json_t *row = command_next_row(&rest);
        assert_true(command_number(row, "rtol") == rtol[i]);
        assert_true(fabs(command_number(row, "atol") / (proportion * rtol[i]) - 1) < 1e-12);
    }
}

enum { RUNS = 3 };

/** On the straight line in logarithms between the runs around this error; NaN where there are none. */
static double work_at(double e, const double error[RUNS], const double work[RUNS])
{
    for (int i = 0; i + 1 < RUNS; i++)
        if (e < error[i] && e > error[i + 1])
            return exp(log(work[i]) + (log(work[i + 1]) - log(work[i])) * (log(e) - log(error[i])) /
                                          (log(error[i + 1]) - log(error[i])));
    return NAN;
}

/** A row, and that of `solve` at its tolerances. */
static void expect_same_as_solve(const json_t *row)
{
    static const char *const same[] = {"error.p", "error.v", "error.lam", "residual_calls.total", "steps"};
    const char *line =
        claims_text("solve slider-crank --rtol %.17g --atol %.17g --points 1 --jacobian dense --format json",
                    command_number(row, "rtol"), command_number(row, "atol"));
    json_t *solved = command_json(line, 0);
    assert_string_equal(command_word(row, "status"), "ok");
    assert_true(command_number(row, "cpu_s.repeats") == 1);
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        assert_true(command_number(row, same[i]) == command_number(solved, same[i]));
}

/** Error and calls of a run at falling tolerances fall and rise here, so all of them count. */
COMMAND_CLAIM(rows_are_those_of_solve)
{
    double error[RUNS], calls[RUNS];
    int reached = 0;
    command_result r = command_run_well(
        "resida-bench work-precision slider-crank --to 1e-5 --repeat 1 --jacobian dense --format json");
    char *rest = r.out.bytes;
    for (int i = 0; i < RUNS; i++) {
        json_t *row = command_next_row(&rest);
        expect_same_as_solve(row);
        error[i] = command_number(row, "error.p");
        calls[i] = command_number(row, "residual_calls.total");
        assert_true(i == 0 || (error[i] < error[i - 1] && calls[i] > calls[i - 1]));
    }
    for (int i = 0; i < LEVELS; i++) {
        json_t *row = command_next_row(&rest);
        double e = command_number(row, "equal_error"), expected = work_at(e, error, calls);
        assert_true(fabs(log10(e) + 3 + i) < 1e-12);
        reached += !isnan(expected);
        assert_int_equal(json_is_null(command_member(row, "residual_calls")), isnan(expected));
        if (!isnan(expected)) {
            assert_true(fabs(command_number(row, "residual_calls") / expected - 1) < 1e-12);
            assert_true(command_number(row, "to_min.residual_calls") == 1);
            assert_true(command_number(row, "to_resida.residual_calls") == 1);
        }
    }
    assert_int_equal(*rest, 0);
    assert_true(reached > 0 && reached < LEVELS);
}

/** Two strategies and the peers: ratios are those of the works. */
COMMAND_CLAIM(ratios_are_those_of_the_works)
{
    command_result r =
        command_run("resida-bench work-precision slider-crank --peers --from 1e-6 --to 1e-8 --repeat 1 --jacobian "
                    "auto,dense --format json");
    char *rest = r.out.bytes;
    int n_runs = 0, n_methods = 0, n_summary = 0, compared = 0;
    double first = NAN;
    while (*rest) {
        json_t *row = command_next_row(&rest);
        if (json_object_get(row, "compared_error") || json_object_get(row, "geometric_mean")) {
            n_summary++;
        } else if (!json_object_get(row, "equal_error")) {
            n_runs++;
        } else if (command_number(row, "equal_error") == 1e-5) {
            json_t *calls = command_member(row, "residual_calls");
            if (n_methods++ == 0) first = json_number_value(calls);
            if (json_is_number(calls)) {
                double work = json_number_value(calls), least = work / command_number(row, "to_min.residual_calls");
                assert_true(least <= work * (1 + 1e-12) && least <= first * (1 + 1e-12));
                assert_true(command_number(row, "to_resida.residual_calls") == work / first);
                compared++;
            }
        }
    }
    assert_int_equal(r.code, 0);
    assert_true(n_methods >= 4 && n_runs == 3 * n_methods); /* auto, dense, ida, ida+analytic ... */
    assert_true(compared >= 2);
    assert_int_equal(n_summary, LEVELS + 2); /* each error, the model, all */
}

/** A ratio, or why there is none. @return its logarithm, 0 for none; counts in *n */
static double expect_versus(const json_t *row, int *n)
{
    if (json_is_null(command_member(row, "peer"))) {
        assert_true(json_is_null(command_member(row, "ratio.cpu_s")));
        assert_true(command_word(row, "why")[0] != 0);
        return 0;
    }
    double ratio = command_number(row, "ratio.cpu_s");
    assert_true(ratio == command_number(row, "of_resida.cpu_s") / command_number(row, "of_peer.cpu_s"));
    assert_true(command_number(row, "call_s") > 0 && command_number(row, "peer_call_s") > 0);
    assert_int_equal(strlen(command_word(row, "why")) > 0, ratio > 1);
    ++*n;
    return log(ratio);
}

/** Runs, then for each model five errors and their mean, then the mean of both. */
COMMAND_CLAIM(several_models_end_in_one_summary)
{
    command_result r = command_run("resida-bench work-precision slider-crank pendulum --peers --from 1e-3 --to 1e-7 "
                                   "--repeat 1 --t-end 1 --format json");
    char *rest = r.out.bytes;
    double sum = 0, means = 0;
    int n = 0, models = 0;
    json_t *row = command_next_row(&rest);
    while (!json_object_get(row, "compared_error")) row = command_next_row(&rest);
    for (; !json_is_null(command_member(row, "problem")); row = command_next_row(&rest)) {
        if (json_object_get(row, "compared_error")) {
            sum += expect_versus(row, &n);
        } else {
            assert_true(n > 0 && fabs(log(command_number(row, "geometric_mean.cpu_s")) - sum / n) < 1e-12);
            means += sum / n;
            sum = n = 0;
            models++;
        }
    }
    assert_int_equal(models, 2);
    assert_true(fabs(log(command_number(row, "geometric_mean.cpu_s")) - means / 2) < 1e-12);
    assert_int_equal(*rest, 0);
}

/** No run gets through with one residual call; none of the models is missing for that. */
COMMAND_CLAIM(all_are_the_mechanical_models_also_those_that_fail)
{
    command_result r = command_run(
        "resida-bench work-precision all --peers --from 1e-3 --to 1e-3 --max-residuals 1 --repeat 1 --format json");
    char *rest = r.out.bytes;
    int models = 0, dae = 0;
    while (*rest) {
        json_t *row = command_next_row(&rest);
        if (json_object_get(row, "geometric_mean") && !json_is_null(command_member(row, "problem"))) {
            const char *name = command_word(row, "problem");
            models++;
            dae += strcmp(name, "akzo") == 0 || strcmp(name, "robertson") == 0;
        }
        if (json_object_get(row, "compared_error")) {
            int n = 0;
            (void)expect_versus(row, &n);
            assert_int_equal(n, 0);
        }
    }
    assert_int_equal(r.code, 1);
    assert_true(models >= 10);
    assert_int_equal(dae, 0);
}

/** The same in the report, and in short at its beginning. */
COMMAND_CLAIM(the_report_has_the_summary)
{
    static const char *const words[] = {"All models compared with the fastest peer",
                                        "Processor time at equal error, relative to the fastest peer",
                                        "Errors without a comparison, and the reasons",
                                        "References of the errors",
                                        "geometric mean</th>",
                                        " times the processor time of the fastest peer, at "};
    command_run_well("resida-bench report --sections work-precision --models slider-crank --peers ida "
                     "--from 1e-4 --to 1e-6 --repeat 1");
    test_file page = test_file_read("report.html");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!strstr(page.bytes, words[i])) fail_msg("no \"%s\" in the page", words[i]);
    assert_null(strstr(page.bytes, ">none</th>")); /* a table without rows is a sentence */
}

/** Slider crank: no reference of its own at t = 1.5. */
COMMAND_CLAIM(without_a_reference_two_methods_have_to_agree)
{
    command_result r = command_run_well(
        "resida-bench work-precision slider-crank --t-end 1.5 --from 1e-4 --to 1e-6 --repeat 1 --format json");
    char *rest = r.out.bytes;
    for (int i = 0; i < 3; i++) {
        json_t *row = command_next_row(&rest);
        assert_true(command_number(row, "error.p") > 0 && command_number(row, "error.p") < 1e-2);
    }
    json_t *row = command_next_row(&rest);
    assert_non_null(strstr(command_word(row, "reference"), "resida and "));
    assert_non_null(strstr(command_word(row, "reference"), "at rtol = 1e-08"));
}

/** No two methods agree to 1e-13: those that agree best are the reference, and what they do not tell is not known. */
COMMAND_CLAIM(a_tolerance_below_the_agreement_of_all_methods_leaves_the_looser_ones_their_errors)
{
    command_result r =
        command_run("resida-bench work-precision car-axis --t-end 0.2 --from 1e-3 --to 1e-13 --repeat 1 --format json");
    char *rest = r.out.bytes;
    int known = 0, last = 0;
    for (int i = 0; i < 11; i++) {
        const json_t *error = command_member(command_next_row(&rest), "error.p"); /* the macro evaluates it twice */
        last = json_is_number(error);
        known += last;
    }
    print_message("errors of %d of 11 tolerances are known\n", known);
    assert_true(known >= 6 && !last);
}

/** The first strut reaches its stop at t = 0.62, where outputs are kept on both sides. */
COMMAND_CLAIM(events_of_a_model_whose_reference_is_computed_have_its_outputs)
{
    command_result r = command_run_well("resida-bench work-precision double-wishbone --t-end 0.7 --from 1e-3 --to 1e-4 "
                                        "--repeat 1 --format json");
    char *rest = r.out.bytes;
    for (int i = 0; i < 2; i++) {
        json_t *row = command_next_row(&rest);
        assert_true(command_number(row, "events") >= 1);
        assert_true(command_number(row, "error.p") > 0 && command_number(row, "error.p") < 1e-2);
    }
}

/** radau5 knows lam of index 3 to fewer digits than p: the errors of a tight run could be those of the reference. */
COMMAND_CLAIM(an_error_that_the_reference_may_have_is_not_shown)
{
    command_result r = command_run_well(
        "resida-bench work-precision slider-crank --t-end 1.5 --from 1e-3 --to 1e-9 --repeat 1 --format json");
    json_t *rows[7];
    char *rest = r.out.bytes;
    for (int i = 0; i < 7; i++) rows[i] = command_next_row(&rest);
    int by_radau5 = strstr(command_word(command_next_row(&rest), "reference"), "radau5") != NULL;
    assert_true(command_number(rows[0], "error.lam") > 0 && command_number(rows[6], "error.p") > 0);
    if (by_radau5) assert_true(json_is_null(command_member(rows[6], "error.lam")));
    if (by_radau5) assert_true(json_is_null(command_member(rows[6], "digits.lam")));
}

/** 60 N/k = 6e-5 m: the rigid limit is no reference for a tolerance of 1e-6. */
COMMAND_CLAIM(a_limit_that_is_too_coarse_is_no_reference)
{
    command_result r = command_run_well(
        "resida-bench work-precision bushing-pendulum -p k=1e6 --from 1e-3 --to 1e-6 --repeat 1 --format json");
    char *rest = r.out.bytes;
    for (int i = 0; i < 4; i++) (void)command_next_row(&rest);
    assert_non_null(strstr(command_word(command_next_row(&rest), "reference"), "resida and "));
}

static const command_refusal refusals[] = {
    {"resida-bench work-precision", 2, "MODEL is missing"},
    {"resida-bench work-precision akzo pendulum", 2, "several models require --peers"},
    {"resida-bench work-precision all", 2, "several models require --peers"},
    {"resida-bench work-precision akzo all --peers", 2, "no model 'all'"},
    {"resida-bench work-precision akzo robertson --peers --out a.svg", 2, "a picture shows one model"},
    {"resida-bench work-precision akzo --from 1e-6 --to 1e-3", 2, "--from must be greater than or equal to --to"},
    {"resida-bench work-precision akzo --to 0", 2, "--to 0: must be >= 1e-14"},
    {"resida-bench work-precision akzo --from 2", 2, "--from 2: must be > 0 and <= 1"},
    {"resida-bench work-precision akzo --per-decade 0.5", 2, "whole number"},
    {"resida-bench work-precision akzo --rtol 1e-3", 2, "no option --rtol"},
    {"resida-bench work-precision akzo --solver ida", 2, "no option --solver"},
    {"resida-bench work-precision akzo --jacobian auto,dens", 2, "unknown Jacobian strategy 'dens'"},
    {"resida-bench work-precision akzo --jacobian auto,", 2, "unknown Jacobian strategy ''"},
    {"resida-bench work-precision akzo --out a.csv", 2, "must end in .svg or .png"},
    {"resida-bench work-precision akzo --out nowhere/a.svg", 74, "nowhere/a.svg"},
    /* What two methods differ by, by rounding alone, is more than 1e-14. */
    {"resida-bench work-precision car-axis --t-end 0.2 --from 1e-13 --to 1e-14", 1, "no two methods agree"},
    {"resida-bench work-precision slider-crank --t-end 0.5 --to 1e-4 --max-residuals 1", 1,
     "fewer than two methods reach this time: budget of 1 residual calls spent"},
};

COMMAND_CLAIM(what_cannot_be_compared_gets_one_line)
{
    command_expect_refusals(refusals, sizeof refusals / sizeof *refusals);
}

/** The reference is exact, the runs are too expensive: rows, but none with an error. */
COMMAND_CLAIM(failures_stay_as_rows)
{
    command_result r =
        command_run("resida-bench work-precision akzo --to 1e-4 --repeat 1 --max-residuals 5 --format json");
    char *rest = r.out.bytes;
    assert_int_equal(r.code, 1);
    assert_int_equal(command_lines(r.out.bytes), 2 + LEVELS);
    assert_int_equal(command_lines(r.err.bytes), 2);
    for (int i = 0; i < 2; i++) {
        json_t *row = command_next_row(&rest);
        assert_string_equal(command_word(row, "status"), "failed");
        assert_string_equal(command_word(row, "code"), "RESIDA_ERR_LIMIT_RESIDUALS");
    }
}

COMMAND_CLAIM(the_text_has_both_tables)
{
    command_result r = command_run_well("resida-bench work-precision akzo --repeat 1");
    assert_non_null(strstr(r.out.bytes, "reference: IVP Test Set"));
    assert_non_null(strstr(r.out.bytes, "atol = 1 rtol"));
    char *equal = strstr(r.out.bytes, "At equal error:");
    assert_non_null(equal);
    assert_non_null(strstr(equal, "\n  1e-05  resida auto "));
    assert_null(strstr(equal, "nan"));
    r = command_run_well("resida-bench work-precision bushing-pendulum --t-end 0.1 --from 1e-3 --to 1e-5 --repeat 1");
    command_expect_words(r.out.bytes, "atol = 1 rtol"); /* 1e-5 (1/1e-5) is less */
}

COMMAND_CLAIM(a_picture_has_a_line_for_each_method)
{
    command_needs_gnuplot();
    command_run_well("resida-bench work-precision akzo --repeat 1 --jacobian fresh,sparse --out a.svg");
    test_file svg = test_file_read("a.svg");
    static const char *const words[] = {"resida fresh", "resida sparse", "cpu time [ms]", "residual calls",
                                        "error of y",   "akzo",          "</svg>"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!strstr(svg.bytes, words[i])) fail_msg("no \"%s\" in the picture", words[i]);
    assert_int_equal(command_files(), 1);
}

/** A run of one step has no point, nor has the method that has no other; both are named, once. */
COMMAND_CLAIM(a_picture_says_which_runs_have_no_point)
{
    command_needs_gnuplot();
    command_result r =
        command_run("resida-bench work-precision slider-crank --peers --repeat 1 --from 1e-2 --to 1e-9 --max-steps 120 "
                    "--jacobian auto,dense --out a.svg");
    test_file svg = test_file_read("a.svg");
    const char *said = strstr(svg.bytes, "without a point");
    assert_int_equal(r.code, 1);
    assert_non_null(said);
    assert_null(strstr(said + 1, "without a point"));
    assert_non_null(strstr(said, "resida dense "));
    assert_non_null(strstr(said, "/8</text>"));
}

/** Ctrl-C: exit code 130, whole rows only, the last one says so, no picture. */
COMMAND_CLAIM(a_signal_leaves_the_rows_that_are_over)
{
    command c;
    command_start(&c, "resida-bench work-precision akzo --repeat 1000000 --jacobian dense --format json --out a.svg");
    command_let_work(&c, 0.6);
    assert_int_equal(kill(c.pid, SIGINT), 0);
    command_result r = command_finish(&c);
    assert_int_equal(r.code, 128 + SIGINT);
    char *rest = r.out.bytes;
    assert_true(*rest != 0);
    while (*rest) {
        json_t *row = command_next_row(&rest);
        assert_string_equal(command_word(row, "status"), *rest ? "ok" : "interrupted");
    }
    assert_int_equal(command_files(), 0);
}
