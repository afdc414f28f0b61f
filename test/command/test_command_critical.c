/* test_command_critical.c - `resida critical`: loads and speeds beyond which a mode grows, beside published ones:
 *
 *   Ziegler's column (plugin_column.c) flutters at P = 7/2 - sqrt 2, with damping d of both joints at 41/28 + d^2/2, by
 *   Routh's criterion of 2 x^4 + 7 d x^3 + (7 - 2 P + d^2) x^2 + 2 d x + 1; under a load of one direction it buckles
 *   at (3 - sqrt 5)/2
 *   a bead on a parabola z = x^2/2 that turns is thrown out at omega^2 = g */
#include <signal.h>
#include <unistd.h>

#include "command_fixture.h"

enum { LINE = 800 };

static double number(const json_t *row, const char *key)
{
    return json_number_value(json_object_get(row, key));
}

static const char *word(const json_t *row, const char *key)
{
    return json_string_value(json_object_get(row, key));
}

static const char *column(const char *rest)
{
    static char line[LINE];
    snprintf(line, sizeof line, "critical %.400s/plugin_column.so %s", test_environment("RESIDA_TEST_MODULES"), rest);
    return line;
}

static void is_critical(const char *line, double value, double part, const char *kind)
{
    json_t *row = command_json(line, 0);
    print_message("%s: %.12g, %s\n", line, number(row, "critical"), word(row, "kind"));
    assert_true(fabs(number(row, "critical") / value - 1) < part);
    const json_t *from = json_object_get(row, "from"); /* null without damping */
    assert_true(json_is_null(from) ||
                (json_number_value(from) < number(row, "critical") && json_number_value(from) < value));
    assert_string_equal(word(row, "kind"), kind);
}

/* y' = -y of plugin_teller, which warns at each value. */
COMMAND_CLAIM(a_note_of_all_values_is_printed_once)
{
    const char *line = claims_text("critical %.400s/plugin_teller.so --vary least=1.5:9 --points 9",
                                   test_environment("RESIDA_TEST_MODULES"));
    const char *first = strstr(command_run(line).err.bytes, "y is small at t = 0");
    assert_non_null(first);
    assert_null(strstr(first + 1, "y is small"));
}

/* Growth is told from errors of differences, 1e-9. Without damping it rises as the root of what P is beyond, with it as
 * some d times that. */
COMMAND_CLAIM(zieglers_column_flutters_and_buckles_at_his_loads)
{
    is_critical(column("--vary P=0:3 --format json"), 3.5 - sqrt(2), 1e-8, "flutter");
    is_critical(column("--vary P=0:3 -p d=0.1 --format json"), 41.0 / 28 + 0.005, 1e-6, "flutter");
    is_critical(column("--vary P=0:3 -p follows=0 --format json"), (3 - sqrt(5)) / 2, 1e-7, "divergence");
}

/* With little damping growth is within errors of differences on both sides of the critical load: that is a range. */
COMMAND_CLAIM(a_critical_value_within_errors_is_a_range)
{
    static const double damping[] = {1e-6, 1e-5, 1e-4, 1e-3};
    for (int k = 0; k < 4; k++) {
        json_t *row = command_json(column(claims_text("--vary P=0:3 -p d=%g --format json", damping[k])), 0);
        const double exact = 41.0 / 28 + damping[k] * damping[k] / 2;
        assert_true(number(row, "from") < exact && exact < number(row, "critical"));
        assert_true(number(row, "critical") - number(row, "from") < 1e-7 / damping[k]);
    }
    command_result r = command_run_well(column("--vary P=0:3 -p d=1e-6"));
    command_expect_words(
        r.out.bytes,
        " (between these values the sign of the growth rate is not determined), beyond it a mode flutters");
}

/* By negative damping between 0.516 and 0.524, where none of 21 points is; and from the other end. */
COMMAND_CLAIM(growth_that_begins_and_ends_between_two_points_is_seen)
{
    for (int k = 0; k < 2; k++) {
        json_t *row = command_json(column(k ? "--vary P=1:0 -p d=1 -p window=0.004 --format json"
                                            : "--vary P=0:1 -p d=1 -p window=0.004 --format json"),
                                   0);
        const json_t *changes = json_object_get(row, "changes"), *begins = json_array_get(changes, 0),
                     *ends = json_array_get(changes, 1);
        assert_int_equal(json_array_size(changes), 2);
        assert_true(json_is_true(json_object_get(begins, "begins")) && json_is_false(json_object_get(ends, "begins")));
        assert_true(fabs(number(begins, "value") - (k ? 0.524 : 0.516)) < 1e-5);
        assert_true(fabs(number(ends, "value") - (k ? 0.516 : 0.524)) < 1e-5);
        assert_true(number(row, "critical") == number(begins, "value"));
    }
}

/* Downwards the first growth is where flutter ends. */
COMMAND_CLAIM(a_range_may_be_gone_through_downwards)
{
    command_result r = command_run_well(column("--vary P=3:0 -p d=0.1"));
    command_expect_words(r.out.bytes, "a mode is unstable at the start of the range, P = 3");
    command_expect_words(r.out.bytes, "no growth from P = 1.469");
}

/* omega = (om1 + om2)/2 of the double eigenvalue: det(K - v M) = 2 v^2 - (7 - 2 P) v + 1 = 0, v^2 = 1/2. */
COMMAND_CLAIM(a_flutter_has_its_frequency)
{
    json_t *row = command_json(column("--vary P=1:3 --format json"), 0);
    assert_true(fabs(number(row, "frequency_hz") / (pow(0.5, 0.25) / (2 * acos(-1))) - 1) < 1e-4);
    assert_int_equal(json_array_size(json_object_get(row, "points")), 21);
    assert_null(json_object_get(json_object_get(row, "params"), "P"));
    assert_non_null(json_object_get(json_object_get(row, "params"), "d"));
}

COMMAND_CLAIM(a_growth_rate_that_jumps_is_no_bifurcation)
{
    static const struct {
        const char *model;
        double value;
    } cases[] = {{"--vary P=0:3 -p d=0.1", 41.0 / 28 + 0.005}, {"--vary P=0:1 -p d=0.1 -p breaks=0.7", 0.7}};
    for (int i = 0; i < 2; i++) {
        const json_t *row = command_json(column(claims_text("%s --format json", cases[i].model)), 0);
        const json_t *change = json_array_get(json_object_get(row, "changes"), 0);
        assert_true(fabs(json_number_value(json_object_get(change, "value")) - cases[i].value) < 1e-5);
        assert_int_equal(json_is_true(json_object_get(change, "jumps")), i);
    }
    command_expect_words(command_run_well(column(cases[1].model)).out.bytes, "the growth rate jumps");
}

COMMAND_CLAIM(a_bead_is_thrown_out_at_its_speed)
{
    const char *line =
        claims_text("critical %.400s --vary omega=1:5 -p x=0 --from-equilibrium --points 4 --format json",
                    test_environment("RESIDA_PLUGIN"));
    is_critical(line, sqrt(9.81), 1e-7, "divergence");
}

COMMAND_CLAIM(it_says_where_growth_begins_or_that_it_does_not)
{
    static const struct {
        const char *rest, *words;
    } cases[] = {
        {"--vary P=0:3", "critical: P = 2.0857864"},
        {"--vary P=0:3", "beyond it a mode flutters, at 0.133"},
        {"--vary P=0:3 -p follows=0", "beyond it a mode diverges"},
        {"--vary P=0:2", "no mode is unstable up to P = 2"},
        {"--vary P=3:4", "a mode is unstable at the start of the range, P = 3"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        command_expect_words(command_run_well(column(cases[k].rest)).out.bytes, cases[k].words);
    json_t *row = command_json(column("--vary P=0:2 --format json"), 0);
    assert_true(json_is_null(json_object_get(row, "critical")) && json_is_null(json_object_get(row, "kind")));
}

/* om^2 of P = 1: 2 v^2 - 5 v + 1 = 0. */
COMMAND_CLAIM(all_eigenvalues_go_to_a_file_and_into_a_picture)
{
    double row[8];
    command_run_well(column("--vary P=0:1 --points 2 --out c.csv"));
    test_file csv = test_file_read("c.csv");
    command_expect_words(csv.bytes, "P,re,im,frequency_hz,error");
    for (int k = 0; k < 4; k++) {
        const double b = k < 2 ? 7 : 5, v = (b + (k % 2 ? 1 : -1) * sqrt(b * b - 8)) / 4;
        assert_int_equal(command_csv_row(csv.bytes, k, row, 8), 5);
        assert_true(fabs(row[0] - k / 2) < 1e-15 && fabs(row[1]) < 1e-9);
        assert_true(fabs(row[2] / sqrt(v) - 1) < 1e-8);
    }
    command_needs_gnuplot();
    command_run_well(column("--vary P=0:3 -p d=0.05 --out c.svg"));
    test_file picture = test_file_read("c.svg");
    command_expect_words(picture.bytes, "critical: P = 1.46");
    command_expect_words(picture.bytes, ">imaginary part [rad/s]<");
}

/* The governor has 24 velocities, and 13 values of the speed. In the part about the axis each value is joined with the
 * next one, for two modes that swing. */
COMMAND_CLAIM(a_root_locus_is_joined_and_shown_about_the_axis)
{
    command_needs_gnuplot();
    command_result r = command_run_well("critical flyball --vary omega=5:20 --points 13 --out l.svg");
    command_expect_words(r.out.bytes, "omega/(rad/s)");
    test_file picture = test_file_read("l.svg");
    command_expect_words(picture.bytes, ">omega [rad/s]<");
    assert_int_equal(test_count(picture.bytes, ">imaginary part [rad/s]<"), 2);
    const char *part = strstr(picture.bytes, ">imaginary part [rad/s]<"), *second = strstr(part + 1, "imaginary part");
    assert_true(test_count(second, "<path stroke='rgb(") >= 2 * 12);
}

COMMAND_CLAIM(a_signal_ends_it_and_leaves_nothing)
{
    command_expect_interruption(
        "critical train --vary v=10:20 --points 1000000 --from-equilibrium --steady --out c.csv");
}

COMMAND_CLAIM(what_makes_no_sense_is_refused_and_nothing_is_left)
{
    static const command_refusal cases[] = {
        {"critical", 2, "give exactly one model"},
        {"critical car", 2, "give a parameter and its range, --vary NAME=FROM:TO"},
        {"critical train --vary v", 2, "--vary v: must be NAME=FROM:TO"},
        {"critical train --vary v=3", 2, "must be NAME=FROM:TO"},
        {"critical train --vary =1:3", 2, "must be NAME=FROM:TO"},
        {"critical train --vary v=20:20", 2, "must be NAME=FROM:TO, two different numbers"},
        {"critical train --vary v=10:fast", 2, "must be NAME=FROM:TO"},
        {"critical train --vary w=10:20", 2, "train has no parameter 'w'"},
        {"critical train --vary v=10:90", 2, "v = "},
        {"critical train --vary v=10:20 -p v=15", 2, "--param v: this parameter is varied by --vary"},
        {"critical train --vary v=10:20 --points 1", 2, "--points 1"},
        {"critical train --vary v=10:20 --out c.txt", 2, "must end in .csv, .svg or .png"},
        {"critical pendulum --vary m=1:2 --points 2 --out none/c.csv", 74, "none/c.csv"},
        {"critical train --vary v=10:20 --steady", 2, "--steady: needs --from-equilibrium"},
        {"critical ./no.so --vary a=1:2", 2, "no.so"},
    };
    command_expect_refusals(cases, sizeof cases / sizeof *cases);
}
