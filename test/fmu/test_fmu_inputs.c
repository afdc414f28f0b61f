/* test_fmu_inputs.c - inputs over time from a file, FMI 2.0 and 3.0, and outputs of all types: an oscillator x'' = -x +
 * force from x = 1, x' = 0, and levels, which have no states. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_fixture.h"
#include "test/command/command_fixture.h"
#include "test/fixtures/bench_fixture.h"

static void write_inputs(const char *text)
{
    test_file_write("in.csv", text, strlen(text));
}

/* force = t: x = cos t + t - sin t. */
COMMAND_CLAIM(a_continuous_input_is_a_line_from_row_to_row)
{
    double x[3];
    fmu_make("oscillator3");
    write_inputs("time,force\n0,0\n0.5,0.5\n2,2\n");
    fmu_run_row("solve oscillator3.fmu --inputs in.csv --out a.csv --points 2", 1, x, 3);
    bench_near(x[1], cos(1) + 1 - sin(1), 1e-6);
    bench_near(x[2], -sin(1) + 1 - cos(1), 1e-6);
}

/* Before the first row and behind the last one it keeps its value: force = 1 from t = 1 on, 1 before. */
COMMAND_CLAIM(an_input_keeps_its_value_outside_of_its_rows)
{
    double x[3];
    fmu_make("oscillator3");
    write_inputs("# a comment\ntime,\"force\"\n\n0.5,1\n1,1\n");
    fmu_run_row("solve oscillator3.fmu --inputs in.csv --out a.csv --points 1", 1, x, 3);
    bench_near(x[1], 1, 1e-7);
}

/* A force of 10 at its highest from t = 5 to 5.2 leaves a mass at rest with a speed of 1, and x(10) = 10 - 5.1. */
COMMAND_CLAIM(a_pulse_between_two_outputs_is_not_passed_over)
{
    static const char *const names[] = {"mass2", "mass3"};
    static const char *const masses[] = {"mass3"};
    double x[2];
    write_inputs("time,force\n0,0\n5,0\n5.1,10\n5.2,0\n10,0\n");
    for (int k = 0; k < 2; k++) {
        fmu_make(names[k]);
        const char *line =
            claims_text("solve %s.fmu --inputs in.csv --t-end 10 --points 1 --out a.csv --columns out.x", names[k]);
        fmu_run_row(line, 1, x, 2);
        bench_near(x[1], 4.9, 1e-6);
    }
    fmu_write_system("sys.ssp",
                     "<ssd:Elements><ssd:Component name='a' source='resources/mass3.fmu'/><ssd:Component name='b' "
                     "source='resources/mass3.fmu'/></ssd:Elements>",
                     "", masses, 1);
    write_inputs("time,b.force,a.force\n0,0,0\n5,0,0\n5.1,10,10\n5.2,0,0\n10,0,0\n");
    fmu_run_row("solve sys.ssp --inputs in.csv --t-end 10 --points 1 --out a.csv --columns out.b.x", 1, x, 2);
    bench_near(x[1], 4.9, 1e-6);
}

/* Rows of one line, rounded to numbers of a file, are no breakpoints. */
COMMAND_CLAIM(rows_of_one_line_cost_no_step)
{
    enum { ROWS = 1000 };
    char text[ROWS * 50];
    size_t n = (size_t)snprintf(text, sizeof text, "time,force\n");
    for (int k = 0; k < ROWS; k++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%.17g,%.17g\n", k / 97.0, 3 + k / 41.0);
    fmu_make("mass3");
    write_inputs(text);
    json_t *row = command_json("solve mass3.fmu --inputs in.csv --t-end 10 --format json", 0);
    assert_true(command_number(row, "steps") < ROWS / 5);
    json_decref(row);
}

/* force jumps from 0 to 1 at t = 1: x = 1 + (cos 1 - 1) cos(t - 1) - sin 1 sin(t - 1) behind it. The same when it is
 * held from a row on. */
COMMAND_CLAIM(a_jump_is_an_event)
{
    static const char *const files[] = {"time,force\n0,0\n1,0\n1,1\n2,1\n", "time,force\n0,0\n1,1\n2,1\n"};
    static const char *const holds[] = {"", " --hold"};
    fmu_make("oscillator3");
    for (int k = 0; k < 2; k++) {
        double x[3];
        write_inputs(files[k]);
        const char *line =
            claims_text("solve oscillator3.fmu --inputs in.csv%s --out a.csv --events e.csv --points 1", holds[k]);
        fmu_run_row(line, 1, x, 3);
        bench_near(x[1], 1 + (cos(1) - 1) * cos(1) - sin(1) * sin(1), 1e-6);
        test_file events = test_file_read("e.csv");
        assert_int_equal(command_lines(events.bytes), 2);
        command_expect_words(events.bytes, "\n1,time,,,");
    }
}

/* through = 2 force + gear; `held` is the gear at the last event. Times of the counter are its own events. */
COMMAND_CLAIM(an_fmu_without_states_has_events_inputs_and_outputs)
{
    static const char *const names[] = {"levels2", "levels3"};
    for (int k = 0; k < 2; k++) {
        double x[6];
        fmu_make(names[k]);
        write_inputs("time,gear,force\n0,1,0\n1.5,1,1.5\n1.75,4,1.75\n2.5,3,2.5\n4,3,4\n");
        const char *line = claims_text("solve %s.fmu --inputs in.csv --points 16 --out a.csv "
                                       "--columns out.through,out.count,out.odd,out.kind,out.held",
                                       names[k]);
        fmu_run_row(line, 7, x, 6); /* t = 1.75, behind the event */
        const double at_7[] = {1.75, 7.5, 1, 1, 1, 4}, at_9[] = {2.25, 8.5, 2, 0, 2, 4}, at_16[] = {4, 11, 4, 0, 2, 3};
        for (int i = 0; i < 6; i++) bench_near(x[i], at_7[i], 1e-12);
        fmu_run_row(line, 9, x, 6);
        for (int i = 0; i < 6; i++) bench_near(x[i], at_9[i], 1e-12);
        fmu_run_row(line, 16, x, 6);
        for (int i = 0; i < 6; i++) bench_near(x[i], at_16[i], 1e-12);
    }
}

/* A field with quotes and a comma (RFC 4180). Its number in other formats stands for the text. */
COMMAND_CLAIM(a_text_is_written_as_a_text)
{
    static const char rows[] = "t,out.count,out.parity\n0,0,even\n1,1,\"odd, \"\"one\"\"\"\n2,2,even\n";
    static const char *const names[] = {"levels2", "levels3"};
    for (int k = 0; k < 2; k++) {
        fmu_make(names[k]);
        const char *line = claims_text(
            "solve %s.fmu --t-end 2 --points 2 --quiet --out a.csv --columns out.count,out.parity", names[k]);
        command_run_well(line);
        test_file csv = test_file_read("a.csv");
        assert_string_equal(csv.bytes, rows);
    }
}

/* through = 2 force + gear. */
COMMAND_CLAIM(an_output_that_is_not_finite_is_a_warning)
{
    static const char *const names[] = {"levels3"};
    static const char *const lines[] = {
        "solve levels3.fmu -p force=1e308", "solve levels3.fmu -p force=1e308 --communication-step 0.5",
        "solve sys.ssp -p l.force=1e308", "solve sys.ssp -p l.force=1e308 --communication-step 0.5"};
    fmu_make("levels3");
    fmu_write_system("sys.ssp", "<ssd:Elements><ssd:Component name='l' source='resources/levels3.fmu'/></ssd:Elements>",
                     "", names, 1);
    for (int k = 0; k < 4; k++) {
        command_result r = command_run(lines[k]);
        assert_int_equal(r.code, 0);
        command_expect_words(r.out.bytes, k < 2 ? "output through = inf at t = 0" : "output l.through = inf at t = 0");
    }
    command_result r = command_run("solve levels3.fmu -p force=1");
    assert_null(strstr(r.out.bytes, "output through"));
}

COMMAND_CLAIM(events_have_outputs_of_both_sides)
{
    fmu_make("levels3");
    command_run_well("solve levels3.fmu --t-end 1.5 --events e.csv --event-states --quiet");
    test_file csv = test_file_read("e.csv");
    command_expect_words(csv.bytes, "before out.count");
    command_expect_words(csv.bytes, "\n1,time,,,0,0,");
    /* through, count, odd, parity, kind, held: before and after */
    command_expect_words(csv.bytes, ",0,0,0,even,1,0,");
    command_expect_words(csv.bytes, ",0,1,1,\"odd, \"\"one\"\"\",1,0\n");
    assert_int_equal(command_lines(csv.bytes), 2);
}

/* x'' = -x + force: B = (0, 1); through = 2 force + gear: D = 2. */
COMMAND_CLAIM(inputs_are_those_of_a_linear_model)
{
    double x[5]; /* frequency, amplitude, phase, re, im */
    fmu_make("oscillator3");
    command_run_well("response oscillator3.fmu --from u.force --to x --range 1:2 --out a.csv");
    test_file csv = test_file_read("a.csv");
    assert_int_equal(command_csv_row(csv.bytes, 0, x, 5), 5);
    const double s = 2 * acos(-1); /* of 1 Hz */
    bench_near(x[1], 1 / (s * s - 1), 1e-7);
    fmu_make("levels3");
    command_run_well("linearize levels3.fmu --matrices l");
    csv = test_file_read("l-D.mtx");
    command_expect_words(csv.bytes, "2 1 2");
    command_expect_words(csv.bytes, "u.force");
}

COMMAND_CLAIM(a_file_of_inputs_that_is_none_is_refused)
{
    static const struct {
        const char *text, *words;
    } all[] = {
        {"time,froce\n0,0\n", "in.csv, line 1: the FMU has no input froce"},
        {"time,x\n0,0\n", "in.csv, line 1: the FMU has no input x"},
        {"time,force,force\n0,0,0\n", "in.csv, line 1: column force is given twice"},
        {"force,time\n0,0\n", "in.csv: the first line must be time and names of inputs"},
        {"", "in.csv: the first line must be time and names of inputs"},
        {"time,force\n", "in.csv has no row"},
        {"time,force\n0,0\n\n1,much\n", "in.csv, line 4: force = \"much\" is not a finite number"},
        {"time,force\n0,0\n1,nan\n", "in.csv, line 3: force = \"nan\" is not a finite number"},
        {"time,force\n0,0\n1,\n", "in.csv, line 3: force = \"\" is not a finite number"},
        {"time,force\n0,0\n1\n", "in.csv, line 3: 1 fields, not 2"},
        {"time,force\n0,0\n2,0\n1,0\n", "in.csv, line 4: time = 1 is before 2"},
        {"time,\"force\n0,0\n", "in.csv, line 1: a closing quote is missing"},
    };
    fmu_make("oscillator3");
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        write_inputs(all[k].text);
        command_expect_refusal("solve oscillator3.fmu --inputs in.csv", 2, all[k].words);
    }
    remove("in.csv");
    command_expect_refusal("solve oscillator3.fmu --inputs in.csv", 2, "in.csv cannot be opened: No such file");
    fmu_make("levels3");
    write_inputs("time,gear\n0,1.5\n");
    command_expect_refusal("solve levels3.fmu --inputs in.csv", 2, "line 2: gear = 1.5 is not a value of its type");
    write_inputs("time,gear\n0,1\n1,3e9\n");
    command_expect_refusal("solve levels3.fmu --inputs in.csv", 2,
                           "line 3: gear = 3e9 is outside its range -2147483648 .. 2147483647");
}

/** Rows of a.csv after a run of types3.fmu with a file of inputs. */
static void expect_types(const char *inputs, const char *columns, const char *rows)
{
    static const char *const steps[] = {"", " --communication-step 0.5"};
    fmu_make("types3");
    write_inputs(inputs);
    for (int k = 0; k < 2; k++) {
        const char *line = claims_text("solve types3.fmu --inputs in.csv%s --columns %s --points 2 --quiet --out a.csv",
                                       steps[k], columns);
        command_run_well(line);
        test_file csv = test_file_read("a.csv");
        assert_string_equal(csv.bytes, rows);
    }
}

/* 2^53 + 1 is no double, nor are the largest ones of both types; a change by one is an event. */
COMMAND_CLAIM(whole_numbers_of_64_bit_are_exact)
{
    expect_types("time,long,count\n0,9007199254740993,18446744073709551615\n1,9007199254740992,18446744073709551614\n",
                 "out.long_out,out.count_out",
                 "t,out.long_out,out.count_out\n0,9007199254740993,18446744073709551615\n"
                 "1,9007199254740992,18446744073709551614\n2,9007199254740992,18446744073709551614\n");
    expect_types("time,long\n0,-9223372036854775808\n1,9223372036854775807\n2,1e3\n", "out.long_out",
                 "t,out.long_out\n0,-9223372036854775808\n1,9223372036854775807\n2,1000\n");
    expect_types("time,pair[2]\n0,9007199254740993\n", "out.pair_out*",
                 "t,out.pair_out[1],out.pair_out[2]\n0,1,9007199254740993\n1,1,9007199254740993\n"
                 "2,1,9007199254740993\n");
}

COMMAND_CLAIM(whole_numbers_that_would_be_rounded_are_refused)
{
    static const char *const names[] = {"types3"};
    fmu_make("types3");
    command_expect_refusal("solve types3.fmu -p long=9007199254740993", 2, "outside its range");
    write_inputs("time,count\n0,18446744073709551616\n");
    command_expect_refusal("solve types3.fmu --inputs in.csv", 2,
                           "line 2: count = 18446744073709551616 is not a valid value");
    write_inputs("time,count\n0,-1\n");
    command_expect_refusal("solve types3.fmu --inputs in.csv", 2, "line 2: count = -1 is not a valid value");
    write_inputs("time,long\n0,1e17\n");
    command_expect_refusal("solve types3.fmu --inputs in.csv", 2, "line 2: long = 1e17 is not a valid value");
    write_inputs("time,a.long\n0,9007199254740993\n");
    fmu_write_system("sys.ssp",
                     "<ssd:Elements><ssd:Component name='a' source='resources/types3.fmu'/><ssd:Component name='b' "
                     "source='resources/types3.fmu'/></ssd:Elements><ssd:Connections><ssd:Connection startElement='a' "
                     "startConnector='long_out' endElement='b' endConnector='long'/></ssd:Connections>",
                     "", names, 1);
    command_expect_refusal("solve sys.ssp --inputs in.csv", 2, "a: long_out = 9007199254740992 exceeds 2^53");
}

COMMAND_CLAIM(options_that_an_fmu_lacks_are_named)
{
    static const char *const names[] = {"levels3"};
    fmu_make("ball3");
    command_expect_refusal("solve ball3.fmu --communication-step 0.01", 2,
                           "--communication-step: ball3.fmu has no Co-Simulation");
    command_expect_refusal("solve ball3.fmu --inputs in.csv", 2, "--inputs: ball3.fmu has no inputs over time");
    fmu_make("levels3");
    fmu_write_system("sys.ssp", "<ssd:Elements><ssd:Component name='l' source='resources/levels3.fmu'/></ssd:Elements>",
                     "", names, 1);
    write_inputs("time,l.force,force\n0,1,1\n");
    command_expect_refusal("solve sys.ssp --inputs in.csv", 2, "in.csv, line 1: the system has no input force");
}

COMMAND_CLAIM(items_and_texts_of_a_file_are_inputs)
{
    expect_types("time,kind,tag\n0,very high,\"a, b\"\n1,low,c\n2,2,c\n", "out.kind_out,out.tag_out",
                 "t,out.kind_out,out.tag_out\n0,2,\"a, b\"\n1,1,c\n2,2,c\n");
    write_inputs("time,kind\n0,middle\n");
    command_expect_refusal("solve types3.fmu --inputs in.csv", 2, "in.csv, line 2: kind = middle is not a valid value");
}

COMMAND_CLAIM(a_continuous_output_of_a_discrete_input_is_a_warning)
{
    static const char *const names[] = {"levels3", "types3"};
    static const char words[] =
        "b.sample is discrete: it has the value of a.through, which is continuous, at the last event";
    static const char *const lines[] = {"models sys.ssp", "solve sys.ssp --t-end 0.5"};
    fmu_make("levels3");
    fmu_make("types3");
    fmu_write_system("sys.ssp",
                     "<ssd:Elements><ssd:Component name='a' source='resources/levels3.fmu'/><ssd:Component name='b' "
                     "source='resources/types3.fmu'/></ssd:Elements><ssd:Connections><ssd:Connection startElement='a' "
                     "startConnector='through' endElement='b' endConnector='sample'/></ssd:Connections>",
                     "", names, 2);
    for (int k = 0; k < 2; k++) command_expect_words(command_run_well(lines[k]).out.bytes, words);
    json_t *row = command_json("solve sys.ssp --t-end 0.5 --format json", 0);
    command_expect_words(json_string_value(json_array_get(json_object_get(row, "warnings"), 0)), words);
    json_decref(row);
}
