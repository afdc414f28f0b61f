/* test_fmu.c - FMUs of Model Exchange, FMI 2.0 and 3.0, through the command: what it shows of them, what is set by
 * name, the solution, and what J costs. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fmu_fixture.h"
#include "test/command/command_fixture.h"
#include "test/fixtures/bench_fixture.h"

enum { CELLS = 200 };

/** The last row of a.csv, x [n], after a run with --out a.csv --points 1. */
static void end_of(const char *line, double *x, int n)
{
    command_result r = command_run(line);
    if (r.code != 0) fail_msg("%s: %s", line, r.err.bytes);
    test_file csv = test_file_read("a.csv");
    assert_int_equal(command_csv_row(csv.bytes, command_lines(csv.bytes) - 2, x, n), n);
}

COMMAND_CLAIM(parameters_are_those_of_the_description)
{
    static const char *const words[] = {
        "omega",    "rad/s",       "how fast it is", "  0  100", "whole",
        " -5    5", "byte",        "  0  255",       "truth",    "  0    1",
        "force",    "input, held", "start value",    "word",     "oscillator: x'' = -omega^2 x (FMI 3.0, the tests)"};
    fmu_make("oscillator3");
    command_result r = command_run_well("models oscillator3.fmu");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) command_expect_words(r.out.bytes, words[i]);
    assert_null(strstr(r.out.bytes, "fixed"));
    assert_null(strstr(r.out.bytes, "der(x)"));
}

/* x' = k u - x from 0. */
COMMAND_CLAIM(parameters_survive_the_set_up_of_the_experiment)
{
    double x[2];
    fmu_make("habits2");
    static const char *const lines[] = {
        "solve habits2.fmu -p k=2 -p u=1.5 --points 1 --out a.csv --columns y.x",
        "solve habits2.fmu -p k=2 -p u=1.5 --communication-step 0.1 --points 1 --out a.csv --columns out.x"};
    for (int k = 0; k < 2; k++) {
        end_of(lines[k], x, 2);
        bench_near(x[1], 3 * (1 - exp(-1)), k == 0 ? 1e-5 : 1e-12);
    }
}

COMMAND_CLAIM(a_value_that_the_fmu_does_not_take_is_a_warning)
{
    static const char *const names[] = {"habits2"};
    static const char *const lines[] = {"solve habits2.fmu -p fixed=2", "solve sys.ssp -p h.fixed=2",
                                        "solve habits2.fmu -p fixed=2 --communication-step 0.1"};
    fmu_make("habits2");
    fmu_write_system("sys.ssp", "<ssd:Elements><ssd:Component name='h' source='resources/habits2.fmu'/></ssd:Elements>",
                     "", names, 1);
    for (int k = 0; k < 3; k++) {
        command_result r = command_run(lines[k]);
        assert_int_equal(r.code, 0);
        command_expect_words(r.out.bytes, k == 1 ? "h.fixed was set to 2, but the FMU starts with 1"
                                                 : "fixed was set to 2, but the FMU starts with 1");
    }
    command_run_well("solve habits2.fmu -p k=2 -p x=0.5 -p u=0.1 -p gear=3");
}

/* The command has SUNDIALS, KLU and LAPACK, whose functions of these names do something else. With another malloc(),
 * which sanitizers have, too, the binary of the FMU is changed. */
COMMAND_CLAIM(an_fmu_calls_its_own_functions_where_libraries_have_their_names)
{
    double x[2];
    fmu_make("habits2");
    for (int k = 0; k < 2; k++) {
        if (k == 1 && !COMMAND_SANITIZED)
            setenv("LD_PRELOAD", test_path(test_environment("RESIDA_TEST_FMUS"), "own_malloc.so"), 1);
        end_of("solve habits2.fmu --points 1 --out a.csv --columns out.names", x, 2);
        unsetenv("LD_PRELOAD");
        bench_near(x[1], 7, 0);
    }
}

/* x' = w, w' = -x, as of a tool that adds the speed u of a relative motion: der(u) and der(w) are one reference, and
 * the structure names the second of them. */
COMMAND_CLAIM(a_state_is_that_of_the_derivative_that_the_structure_names)
{
    static const char about[] =
        "<fmiModelDescription fmiVersion='2.0' modelName='an oscillator' guid='{oscillator}'>"
        "<ModelExchange modelIdentifier='oscillator' completedIntegratorStepNotNeeded='true'/>"
        "<DefaultExperiment stopTime='2'/><ModelVariables>"
        "<ScalarVariable name='u' valueReference='50' initial='exact'><Real start='0'/></ScalarVariable>"
        "<ScalarVariable name='der(u)' valueReference='4'><Real derivative='1'/></ScalarVariable>"
        "<ScalarVariable name='x' valueReference='1' initial='exact'><Real start='1'/></ScalarVariable>"
        "<ScalarVariable name='der(x)' valueReference='3'><Real derivative='3'/></ScalarVariable>"
        "<ScalarVariable name='w' valueReference='2' initial='exact'><Real start='0'/></ScalarVariable>"
        "<ScalarVariable name='der(w)' valueReference='4'><Real derivative='5'/></ScalarVariable>"
        "</ModelVariables><ModelStructure><Derivatives><Unknown index='4' dependencies='5'/>"
        "<Unknown index='6' dependencies='3'/></Derivatives></ModelStructure></fmiModelDescription>";
    const fmu_recipe recipe = {.description = about, .identifier = "oscillator", .binary = "fmu_oscillator2"};
    double x[3];
    fmu_write("a.fmu", &recipe);
    end_of("solve a.fmu -p w=1 --rtol 1e-8 --atol 1e-8 --points 1 --out a.csv --columns y.x,y.w", x, 3);
    bench_near(x[1], cos(2) + sin(2), 1e-6);
    bench_near(x[2], cos(2) - sin(2), 1e-6);
    command_run_well("check a.fmu");
}

COMMAND_CLAIM(what_is_left_out_is_named)
{
    fmu_make("types3");
    command_result r = command_run_well("models types3.fmu");
    command_expect_words(r.out.bytes, "not supported (Binary, Clock, arrays of strings): bytes, bytes_out");
    fmu_make("levels3");
    r = command_run_well("models levels3.fmu");
    assert_null(strstr(r.out.bytes, "not supported"));
}

COMMAND_CLAIM(a_unit_that_is_not_defined_is_named)
{
    static const char about[] =
        "<fmiModelDescription fmiVersion='3.0' modelName='mass' instantiationToken='{mass}'>"
        "<ModelExchange modelIdentifier='mass'/><UnitDefinitions><Unit name='m'/></UnitDefinitions><ModelVariables>"
        "<Float64 name='x' valueReference='1' start='0' unit='m'/>"
        "<Float64 name='v' valueReference='2' start='0' unit='m/z'/>"
        "<Float64 name='der(x)' valueReference='3' derivative='1'/>"
        "<Float64 name='der(v)' valueReference='4' derivative='2'/></ModelVariables><ModelStructure>"
        "<ContinuousStateDerivative valueReference='3'/><ContinuousStateDerivative valueReference='4'/>"
        "</ModelStructure></fmiModelDescription>";
    const fmu_recipe recipe = {.description = about, .identifier = "mass", .binary = "fmu_mass3"};
    fmu_write("a.fmu", &recipe);
    command_expect_words(command_run_well("models a.fmu").out.bytes, "; undefined units of v\n");
}

COMMAND_CLAIM(states_have_their_units_in_files)
{
    static const char *const names[] = {"mass3"};
    test_needs("h5py", "/usr/bin/python3 -c 'import h5py'");
    fmu_make("mass3");
    fmu_write_system("sys.ssp", "<ssd:Elements><ssd:Component name='a' source='resources/mass3.fmu'/></ssd:Elements>",
                     "", names, 1);
    command_run_well("solve mass3.fmu --t-end 1 --out a.h5 --columns y.*,out.pull,yp.x --quiet");
    command_run_well("solve sys.ssp --t-end 1 --out b.h5 --columns y.* --quiet");
    assert_int_equal(system("/usr/bin/python3 -c \"import h5py;"
                            "assert list(h5py.File('a.h5')['units'].asstr()) == ['m', 'm/s', 'N', 'm/s'];"
                            "assert list(h5py.File('b.h5')['units'].asstr()) == ['m', 'm/s']\" > said 2>&1"),
                     0);
}

/* In FMI 2.0 a variable may have several names: x is also an output, v also der(x), der(v) also an acceleration. */
COMMAND_CLAIM(variables_may_have_several_names)
{
#define NAME(name, reference, about, real)                                                                             \
    "<ScalarVariable name='" name "' valueReference='" reference "' " about "><Real " real "/></ScalarVariable>"
    static const char text[] =
        "<fmiModelDescription fmiVersion='2.0' modelName='names' guid='{oscillator}'>"
        "<ModelExchange modelIdentifier='oscillator'/><ModelVariables>" NAME("place", "1", "causality='output'", "")
            NAME("acceleration", "4", "", "") NAME("x", "1", "", "start='1'") NAME("speed", "2", "", "")
                NAME("v", "2", "", "start='0'") NAME("der(x)", "2", "", "derivative='3'")
                    NAME("der(v)", "4", "", "derivative='5'")
                        NAME("omega", "5", "causality='parameter'",
                             "start='1'") "</ModelVariables><ModelStructure><Derivatives>"
                                          "<Unknown index='6' dependencies='4'/>"
                                          "<Unknown index='7' dependencies='1 8'/>"
                                          "</Derivatives></ModelStructure></fmiModelDescription>";
    const fmu_recipe recipe = {.description = text, .identifier = "oscillator", .binary = "fmu_oscillator2"};
    double x[3];
    fmu_write("names.fmu", &recipe);
    end_of("solve names.fmu -p x=2 -p omega=2 --t-end 2 --out a.csv --points 1", x, 3);
    bench_near(x[1], 2 * cos(4), 1e-4);
    bench_near(x[2], -4 * sin(4), 1e-4);
    command_run_well("solve names.fmu --t-end 2 --out a.csv --columns y.x,y.v,out.place");
}

/* A run that breaks down says what the FMU says about it. */
COMMAND_CLAIM(words_of_an_fmu_are_told)
{
    fmu_make("oscillator3");
    command_result r = command_run("solve oscillator3.fmu -p whole=-5 --out a.csv");
    assert_int_equal(r.code, 1);
    command_expect_words(r.err.bytes, "callback residual returned -1");
    command_expect_words(r.err.bytes, ": it is broken");
}

/* x'' = -omega^2 x + what each type of parameter adds. */
COMMAND_CLAIM(values_of_each_type_arrive)
{
    static const char *const adds[] = {"force=0.5", "whole=2", "truth=1", "word=3"};
    static const double added[] = {0.5, 2, 1, 3};
    fmu_make("oscillator3");
    for (int k = 0; k < 4; k++) {
        double x[3];
        end_of(claims_text("solve oscillator3.fmu -p omega=2 -p v=1 -p %s --out a.csv --points 1", adds[k]), x, 3);
        const double rest = added[k] / 4;
        bench_near(x[1], rest + (1 - rest) * cos(4) + sin(4) / 2, 1e-6);
    }
    command_expect_refusal("solve oscillator3.fmu -p omega=-1", 2, "omega");
    command_expect_refusal("solve oscillator3.fmu -p whole=1.5", 2, "whole");
}

COMMAND_CLAIM(fmi_2_and_fmi_3_give_the_same_solution)
{
    static const char *const names[] = {"oscillator2", "oscillator3"};
    for (int k = 0; k < 2; k++) {
        double x[3];
        fmu_make(names[k]);
        const char *line = claims_text(
            "solve %s.fmu -p omega=3 -p whole=1 -p truth=1 --rtol 1e-9 --atol 1e-9 --out a.csv --points 1", names[k]);
        end_of(line, x, 3);
        bench_near(x[0], 2, 0);
        bench_near(x[1], 2.0 / 9 + (1 - 2.0 / 9) * cos(6), 1e-6);
        bench_near(x[2], -3 * (1 - 2.0 / 9) * sin(6), 1e-6);
    }
}

/* Of x = cos(omega t) it is omega^2/2. */
COMMAND_CLAIM(outputs_are_outputs)
{
    static const char *const names[] = {"oscillator2", "oscillator3"};
    for (int k = 0; k < 2; k++) {
        double x[4];
        fmu_make(names[k]);
        const char *line =
            claims_text("solve %s.fmu -p omega=3 --rtol 1e-9 --atol 1e-9 --out a.csv --columns y.*,out.*", names[k]);
        end_of(line, x, 4);
        bench_near(x[1], cos(6), 1e-6);
        bench_near(x[3], 4.5, 1e-6);
    }
    command_expect_words(command_run_well("models oscillator3.fmu").out.bytes, "outputs: energy [J]\n");
}

COMMAND_CLAIM(directional_derivatives_make_the_jacobian)
{
    fmu_make("oscillator3");
    command_result r = command_run_well("solve oscillator3.fmu --format json");
    json_t *row = command_row(&r);
    assert_true(command_number(row, "callback_calls.jacobian_times") > 0);
    bench_near(command_number(row, "residual_calls.jacobian"), 0, 0);
    json_decref(row);
    r = command_run_well("check oscillator3.fmu");
}

/* Neighbours alone: three groups of columns. */
COMMAND_CLAIM(the_dependencies_are_the_pattern_of_j)
{
    double x[CELLS + 1];
    fmu_make("rod");
    json_t *row = command_json("solve rod.fmu --format json --out a.csv --points 1", 0);
    const double evaluated = command_number(row, "jacobian_evaluations.coloured");
    assert_true(evaluated > 0);
    assert_true(command_number(row, "residual_calls.jacobian") <= 6 * evaluated);
    bench_near(command_number(row, "residual_calls.pattern"), 0, 6);
    json_decref(row);
    const double pi = acos(-1), rate = 1000 * (2 - 2 * cos(pi / (CELLS + 1)));
    test_file csv = test_file_read("a.csv");
    assert_int_equal(command_csv_row(csv.bytes, 1, x, CELLS + 1), CELLS + 1);
    for (int i = 1; i <= CELLS; i++) bench_near(x[i], exp(-rate) * sin(pi * i / (CELLS + 1)), 1e-4);
}

COMMAND_CLAIM(without_dependencies_the_pattern_is_found)
{
    fmu_make("rod-bare");
    json_t *row = command_json("solve rod-bare.fmu --format json", 0);
    bench_near(command_number(row, "nnz"), 3 * CELLS - 2, 0);
    json_decref(row);
}

/* 2 x 100 cells, row by row; one of them is set, which hands over the whole array: all others begin at 1. */
COMMAND_CLAIM(arrays_are_set_and_told_by_element)
{
    double x[CELLS + 1];
    fmu_make("rod-array");
    command_run_well("solve rod-array.fmu -p x[2,1]=3 --t-end 1e-9 --out a.csv --points 1");
    test_file csv = test_file_read("a.csv");
    command_expect_words(csv.bytes, "\"x[1,100]\",\"x[2,1]\",\"x[2,2]\"");
    assert_int_equal(command_csv_row(csv.bytes, 0, x, CELLS + 1), CELLS + 1);
    for (int i = 1; i <= CELLS; i++) bench_near(x[i], i == CELLS / 2 + 1 ? 3 : 1, 0);
}

/* The process is killed: the folder goes all the same. */
COMMAND_CLAIM(a_killed_run_leaves_no_files)
{
    const struct timespec pause = {0, 20000000};
    command c;
    fmu_make("oscillator3");
    assert_int_equal(setenv("TMPDIR", command_folder(), 1), 0);
    command_start(&c, "solve oscillator3.fmu --t-end 1e9");
    command_let_work(&c, 0.1);
    for (int k = 0; k < 500 && fmu_left_behind(command_folder()) == 0; k++) nanosleep(&pause, NULL);
    assert_int_equal(fmu_left_behind(command_folder()), 1);
    command_let_work(&c, 1);
    assert_int_equal(kill(c.pid, SIGKILL), 0);
    assert_int_equal(command_finish(&c).code, -SIGKILL);
    for (int k = 0; k < 500 && fmu_left_behind(command_folder()) > 0; k++) nanosleep(&pause, NULL);
    assert_int_equal(fmu_left_behind(command_folder()), 0);
    unsetenv("TMPDIR");
}

COMMAND_CLAIM(nothing_is_left_in_the_folder_of_temporary_files)
{
    fmu_make("oscillator3");
    assert_int_equal(setenv("TMPDIR", command_folder(), 1), 0);
    command_run_well("solve oscillator3.fmu");
    assert_int_equal(fmu_left_behind(command_folder()), 0);
    unsetenv("TMPDIR");
}
