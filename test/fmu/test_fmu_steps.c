/* test_fmu_steps.c - FMUs for Co-Simulation, FMI 2.0 and 3.0, which integrate themselves from one communication point
 * to the next: an oscillator x = cos t by 200 midpoint steps each, and levels, a counter with events at whole
 * seconds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <resida/run.h>
#include <resida/solver.h>

#include "fmu_fixture.h"
#include "test/command/command_fixture.h"
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

enum { ROOM = 4096 };

static void write_text(const char *name, const char *text)
{
    test_file_write(name, text, strlen(text));
}

/** An oscillator with these elements in the place of its ModelExchange; for one call. */
static void make_oscillator(int version, const char *elements)
{
    char text[ROOM];
    const char *all = version == 2 ? fmu_oscillator_2 : fmu_oscillator_3;
    const char *at = strstr(all, "<ModelExchange"), *end = at ? strstr(at, "/>") : NULL;
    assert_non_null(end);
    assert_true(snprintf(text, sizeof text, "%.*s%s%s", (int)(at - all), all, elements, end + 2) < ROOM);
    const fmu_recipe recipe = {.description = text,
                               .identifier = "oscillator",
                               .binary = version == 2 ? "fmu_oscillator2" : "fmu_oscillator3"};
    fmu_write("a.fmu", &recipe);
}

/** Levels whose outputs `through` and `held` are the tolerance and the end that they were told; for one call. */
static void make_telling(int version, const char *experiment)
{
    char text[ROOM];
    const char *from = version == 2 ? fmu_levels_2 : fmu_levels_3;
    static const char *const old[] = {"<DefaultExperiment stopTime='4'/>", "valueReference='2' causality='output'",
                                      "valueReference='3' causality='output'"};
    const char *const new[] = {experiment, "valueReference='597' causality='output'",
                               "valueReference='598' causality='output'"};
    size_t n = 0;
    for (int k = 0; k < 3; k++) {
        const char *at = strstr(from, old[k]);
        assert_non_null(at);
        n += (size_t)snprintf(text + n, ROOM - n, "%.*s%s", (int)(at - from), from, new[k]);
        from = at + strlen(old[k]);
    }
    assert_true(n + (size_t)snprintf(text + n, ROOM - n, "%s", from) < ROOM);
    const fmu_recipe recipe = {
        .description = text, .identifier = "levels", .binary = version == 2 ? "fmu_levels2" : "fmu_levels3"};
    fmu_write("a.fmu", &recipe);
}

/* energy = omega^2/2 of x = cos(omega t), which the midpoint rule enlarges by (omega h)^4/4 a step: 1e-11, 1,600
 * times. */
COMMAND_CLAIM(an_fmu_that_integrates_itself_is_run)
{
    for (int version = 2; version <= 3; version++) {
        double x[2];
        make_oscillator(version, "<CoSimulation modelIdentifier='oscillator'/>");
        fmu_run_row("solve a.fmu --communication-step 0.25 -p omega=2 --points 8 --out a.csv --columns out.energy", 8,
                    x, 2);
        bench_near(x[1], 2, 4e-8);
    }
}

COMMAND_CLAIM(outputs_between_communication_points_are_announced)
{
    static const char held[] = "; outputs between communication points are those of the last point";
    make_oscillator(3, "<CoSimulation modelIdentifier='oscillator'/>");
    command_result r = command_run_well("solve a.fmu --communication-step 0.25 --points 16 --out a.csv");
    command_expect_words(r.out.bytes, held);
    r = command_run_well("solve a.fmu --communication-step 0.25 --points 8 --out a.csv");
    assert_null(strstr(r.out.bytes, held));
}

/* Model Exchange where both are there, unless a step is given. */
COMMAND_CLAIM(a_communication_step_takes_co_simulation)
{
    make_oscillator(3, "<ModelExchange modelIdentifier='oscillator'/><CoSimulation modelIdentifier='oscillator'/>");
    command_run_well("solve a.fmu --columns y.x,out.energy --out a.csv");
    command_run_well("solve a.fmu --communication-step 0.1 --columns y.time,out.energy --out a.csv");
}

/* x' = u + gear - x with inputs that are held in a step: of its own file, and of another FMU, whose through is 2 t. */
COMMAND_CLAIM(reading_outputs_does_not_hide_that_inputs_have_changed)
{
    static const char *const lines[] = {
        "solve habits2.fmu --communication-step 0.1 --inputs in.csv --t-end 2 --points 1 --out a.csv --columns out.x",
        "solve sys.ssp --communication-step 0.1 --inputs both.csv --t-end 2 --points 1 --out a.csv --columns out.h.x"};
    static const char *const names[] = {"levels2", "habits2"};
    double expected = 0, x[2];
    for (int k = 0; k < 20; k++) {
        const double drive = 2 * (0.1 * k) + (k >= 7 ? 3 : 0);
        expected = drive + (expected - drive) * exp(-0.1);
    }
    fmu_make("levels2");
    fmu_make("habits2");
    fmu_write_system("sys.ssp",
                     "<ssd:Elements><ssd:Component name='l' source='resources/levels2.fmu'/>"
                     "<ssd:Component name='h' source='resources/habits2.fmu'/></ssd:Elements><ssd:Connections>"
                     "<ssd:Connection startElement='l' startConnector='through' endElement='h' endConnector='u'/>"
                     "</ssd:Connections>",
                     "", names, 2);
    write_text("in.csv", "time,u,gear\n0,0,0\n0.7,1.4,3\n2,4,3\n");
    write_text("both.csv", "time,l.force,h.gear\n0,0,0\n0.7,0.7,3\n2,2,3\n");
    for (int k = 0; k < 2; k++) {
        fmu_run_row(lines[k], 1, x, 2);
        bench_near(x[1], expected, 1e-12);
    }
}

/* 0.7 + 0.1 lies below 0.8 by rounding, and the FMU takes steps of one size. */
COMMAND_CLAIM(a_jump_that_follows_a_point_by_rounding_belongs_to_it)
{
    static const char any[] = " canHandleVariableCommunicationStepSize='true'", variables[] = "<ModelVariables>";
    char text[ROOM];
    const char *flag = strstr(fmu_habits_2, any), *at = strstr(fmu_habits_2, variables);
    double x[2];
    assert_true(flag && at);
    assert_true(snprintf(text, sizeof text, "%.*s%.*s<DefaultExperiment startTime='0.7' stopTime='1.7'/>%s",
                         (int)(flag - fmu_habits_2), fmu_habits_2, (int)(at - flag) - (int)strlen(any),
                         flag + strlen(any), at) < ROOM);
    const fmu_recipe recipe = {.description = text, .identifier = "habits", .binary = "fmu_habits2"};
    fmu_write("a.fmu", &recipe);
    write_text("in.csv", "time,gear\n0,0\n0.8,1\n");
    fmu_run_row("solve a.fmu --communication-step 0.1 --inputs in.csv --points 1 --out a.csv --columns out.x", 1, x, 2);
    bench_near(x[1], 1 - exp(-0.9), 1e-12);
}

/* By a program, which need not say when it ends: x = 1.5 (1 - exp(-t)). */
COMMAND_CLAIM(a_run_without_a_stop_time_goes_from_point_to_point)
{
    static const char *const names[] = {"communication_step", "u"};
    static const double values[] = {0.1, 1.5};
    const double times[] = {0.35, 1.2};
    double out[2];
    fmu_make("habits2");
    const resida_model model = test_model(test_plugin("habits2.fmu"), 2, names, values);
    resida_run *run = test_model_run(&model, test_solver_dae(&model.dae, NULL, NULL));
    assert_int_equal(resida_run_start(run, NULL, NULL), RESIDA_OK);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(resida_run_advance(run, times[k]), RESIDA_OK);
        const double y[1] = {times[k]};
        const resida_model_point at = {.t = times[k], .y = y};
        assert_int_equal(resida_model_output(&model, &at, out), 0);
        bench_near(out[0], 1.5 * (1 - exp(-0.1 * floor(10 * times[k]))), 1e-12);
    }
}

/* Between two points the outputs are those of the first; points are no events. */
COMMAND_CLAIM(outputs_hold_between_communication_points)
{
    double x[3];
    fmu_make("levels2");
    write_text("in.csv", "time,force\n0,0\n4,4\n");
    fmu_run_row("solve levels2.fmu --communication-step 0.5 --inputs in.csv --points 16 --out a.csv --events e.csv "
                "--columns out.through,out.count",
                7, x, 3);       /* t = 1.75 */
    bench_near(x[1], 3, 1e-12); /* 2 force at t = 1.5 */
    bench_near(x[2], 1, 1e-12);
    test_file events = test_file_read("e.csv");
    assert_int_equal(command_lines(events.bytes), 1);
}

/* 3 * 0.1 lies above 0.3 by rounding, 10 * 0.1 is 1: through = 2 t at each point. */
COMMAND_CLAIM(a_row_within_rounding_of_a_point_belongs_to_it)
{
    double x[2];
    fmu_make("levels2");
    static const char *const names[] = {"levels2"};
    write_text("in.csv", "time,force\n0,0\n4,4\n");
    write_text("of_l.csv", "time,l.force\n0,0\n4,4\n");
    fmu_write_system("sys.ssp", "<ssd:Elements><ssd:Component name='l' source='resources/levels2.fmu'/></ssd:Elements>",
                     "", names, 1);
    for (int row = 30; row <= 100; row += 70)
        for (int is_system = 0; is_system < 2; is_system++) {
            fmu_run_row(is_system ? "solve sys.ssp --communication-step 0.1 --inputs of_l.csv --t-end 4 --points 400 "
                                    "--out a.csv --columns out.l.through"
                                  : "solve levels2.fmu --communication-step 0.1 --inputs in.csv --t-end 4 --points 400 "
                                    "--out a.csv --columns out.through",
                        row, x, 2);
            bench_near(x[1], 2 * row / 100.0, 1e-12);
        }
}

/* With event mode a step returns early where an event is, whatever the step. */
COMMAND_CLAIM(a_step_that_returns_early_ends_at_its_event)
{
    double x[4];
    fmu_make("levels3");
    write_text("in.csv", "time,gear\n0,2\n1.3,7\n");
    fmu_run_row("solve levels3.fmu --communication-step 0.7 --inputs in.csv --t-end 2.5 --points 10 --out a.csv "
                "--events e.csv --columns out.count,out.held,out.through",
                4, x, 4); /* t = 1 */
    const double at_4[] = {1, 1, 2, 2}, at_6[] = {1.5, 1, 7, 7};
    for (int i = 0; i < 4; i++) bench_near(x[i], at_4[i], 1e-12);
    fmu_run_row("solve levels3.fmu --communication-step 0.7 --inputs in.csv --t-end 2.5 --points 10 --out a.csv "
                "--events e.csv --columns out.count,out.held,out.through",
                6, x, 4);
    for (int i = 0; i < 4; i++) bench_near(x[i], at_6[i], 1e-12);
    test_file events = test_file_read("e.csv");
    assert_int_equal(command_lines(events.bytes), 4); /* at 1, 1.3 and 2 */
    command_expect_words(events.bytes, "\n1,time,,,0,0");
    command_expect_words(events.bytes, "\n1.3,time,,,0,0");
}

/* now = t, and levels have an event at t = 1, which steps of 0.7 do not meet. */
COMMAND_CLAIM(outputs_before_an_event_are_those_of_the_end_of_its_step)
{
    static const char *const names[] = {"types3"};
    static const char *const systems[] = {"types3.fmu", "sys.ssp"};
    fmu_make("types3");
    fmu_write_system("sys.ssp", "<ssd:Elements><ssd:Component name='l' source='resources/types3.fmu'/></ssd:Elements>",
                     "", names, 1);
    for (int k = 0; k < 2; k++) {
        const char *line = claims_text(
            "solve %s --communication-step 0.7 --t-end 1.2 --events e.csv --event-states --quiet", systems[k]);
        command_run_well(line);
        test_file csv = test_file_read("e.csv");
        assert_int_equal(command_lines(csv.bytes), 2);
        command_expect_words(csv.bytes, k == 0 ? ",before out.now," : ",before out.l.now,");
        command_expect_words(csv.bytes, "\n1,time,,,0,0,");
        const char *before = strstr(csv.bytes, ",1,1,0,0,0,0,0,,"); /* y' = 1, now, and the others */
        assert_non_null(before);
        assert_non_null(strstr(before + 1, ",1,1,0,0,0,0,0,")); /* behind it */
    }
}

/* 3 / 0.4 steps, and one more for each event at a whole second that is no point. */
COMMAND_CLAIM(a_run_counts_communication_steps)
{
    static const char *const names[] = {"levels3"};
    static const char *const lines[] = {"solve levels3.fmu --communication-step 0.4 --t-end 3",
                                        "solve sys.ssp --communication-step 0.4 --t-end 3"};
    fmu_make("levels3");
    fmu_write_system("sys.ssp", "<ssd:Elements><ssd:Component name='l' source='resources/levels3.fmu'/></ssd:Elements>",
                     "", names, 1);
    for (int k = 0; k < 2; k++) {
        command_result r = command_run(lines[k]);
        assert_int_equal(r.code, 0);
        command_expect_words(r.out.bytes, "counted      9 communication steps, 1 of them ended early, 3 events");
        assert_null(strstr(r.out.bytes, "unknowns"));
    }
}

/* FMI 2.0 discards a step that it cannot take, and says where it came to: 1.25 of the step from 1 to 1.5. */
COMMAND_CLAIM(an_fmu_may_end_the_run_within_a_step)
{
    for (int version = 2; version <= 3; version++) {
        double x[2];
        make_oscillator(version, "<CoSimulation modelIdentifier='oscillator'/>");
        fmu_run_row("solve a.fmu --communication-step 0.5 -p whole=-5 --t-end 3 --out a.csv --events e.csv "
                    "--columns out.energy",
                    1, x, 2);
        test_file events = test_file_read("e.csv");
        command_expect_words(events.bytes, version == 2 ? "\n1.75,time,,,0,1" : "\n1.5,time,,,0,1");
    }
}

static void expect_failure(const char *line, const char *words)
{
    command_result r = command_run(line);
    assert_int_equal(r.code, 1);
    command_expect_words(r.err.bytes, words);
}

/* x = t of a mass that moves by itself. */
COMMAND_CLAIM(the_last_step_ends_with_the_run)
{
    static const char *const names[] = {"mass2", "mass3"}, *const steps[] = {"3", "0.3"};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 2; i++) {
            char line[120];
            double x[2];
            fmu_make(names[k]);
            snprintf(line, sizeof line,
                     "solve %s.fmu --communication-step %s -p v=1 --t-end 2 --points 1 --out a.csv --columns out.x",
                     names[k], steps[i]);
            fmu_run_row(line, 1, x, 2);
            bench_near(x[1], 2, 1e-12);
        }
    fmu_make("levels2");
    for (int i = 0; i < 2; i++) {
        char line[120];
        snprintf(line, sizeof line, "solve levels2.fmu --communication-step %s --t-end 2", steps[i]);
        expect_failure(line, "s do not end at t = 2, and the FMU accepts no other step size (canHandleVariable");
    }
    static const char *const fixed[] = {"levels2"};
    fmu_write_system("sys.ssp", "<ssd:Elements><ssd:Component name='l' source='resources/levels2.fmu'/></ssd:Elements>",
                     "", fixed, 1);
    expect_failure("solve sys.ssp --communication-step 0.3 --t-end 2", "do not end at t = 2");
}

/* The tolerance of the run, else of the experiment, else none; and when it ends. */
COMMAND_CLAIM(an_fmu_is_told_the_tolerance_and_the_end_of_the_run)
{
    static const char *const experiments[] = {"<DefaultExperiment stopTime='4'/>",
                                              "<DefaultExperiment stopTime='4' tolerance='1e-5'/>"},
                             *const options[] = {"", " --rtol 1e-8"};
    static const double expected[2][2] = {{0, 1e-8}, {1e-5, 1e-8}};
    static const char *const names[] = {"a"};
    for (int version = 2; version <= 3; version++)
        for (int e = 0; e < 2; e++)
            for (int o = 0; o < 4; o++) {
                double x[3];
                make_telling(version, experiments[e]);
                fmu_write_system("a.ssp",
                                 "<ssd:Elements><ssd:Component name='a' source='resources/a.fmu'/></ssd:Elements>", "",
                                 names, 1);
                const char *line =
                    claims_text("solve a.%s --communication-step 0.5 --t-end 3%s --points 1 --out a.csv --columns "
                                "*through,*held",
                                o < 2 ? "fmu" : "ssp", options[o % 2]);
                fmu_run_row(line, 1, x, 3);
                bench_near(x[1], expected[e][o % 2], 0);
                bench_near(x[2], 3, 0);
            }
}

/* With k < 0 a mass takes no step. */
COMMAND_CLAIM(a_step_that_fails_is_named)
{
    fmu_make("mass3");
    expect_failure("solve mass3.fmu --communication-step 0.1 -p k=-1",
                   "event() failed at t = 1e-10: fmi3DoStep returned fmi3Discard");
    fmu_make("mass2");
    expect_failure("solve mass2.fmu --communication-step 0.1 -p k=-1",
                   ": fmi2DoStep returned fmi2Discard, then fmi2GetRealStatus returned fmi2Error");
}

/* The callback of the model that calls a function of the FMU has its name. */
COMMAND_CLAIM(a_callback_in_which_an_fmu_hangs_is_named)
{
    make_oscillator(2, "<ModelExchange modelIdentifier='oscillator'/>");
    expect_failure("solve a.fmu -p whole=-7 --time-limit 1 --t-end 3", "residual() has not returned for");
}

/* The oscillation of a stiff spring overflows in the first step. The row of the start is kept. */
COMMAND_CLAIM(an_output_that_becomes_infinite_ends_the_run)
{
    static const char *const names[] = {"mass2", "mass3"};
    for (int k = 0; k < 2; k++) {
        fmu_make(names[k]);
        fmu_write_system(
            "a.ssp",
            claims_text("<ssd:Elements><ssd:Component name='a' source='resources/%s.fmu'/></ssd:Elements>", names[k]),
            "", &names[k], 1);
        expect_failure(claims_text("solve %s.fmu --communication-step 0.5 -p k=1e300 -p x=1 --t-end 3 --points 6 "
                                   "--out a.csv",
                                   names[k]),
                       " after a communication step");
        test_file csv = test_file_read("a.partial.csv");
        assert_int_equal(command_lines(csv.bytes), 2);
        expect_failure("solve a.ssp --communication-step 0.5 -p a.k=1e300 -p a.x=1 --t-end 3",
                       "event() failed at t = 0.5: a: ");
    }
}

COMMAND_CLAIM(what_resida_does_not_integrate_has_no_linearization)
{
    fmu_make("mass3");
    command_expect_refusal("linearize mass3.fmu --communication-step 0.1", 2,
                           "linearization: mass has its own integrator, or no states");
    command_expect_refusal("critical mass3.fmu --communication-step 0.1 --vary k=1:9", 2,
                           "linearization: mass has its own integrator, or no states");
    command_expect_refusal("equilibrium mass3.fmu --communication-step 0.1", 2,
                           "equilibrium: mass has its own integrator, or no states");
    command_expect_refusal("solve mass3.fmu --communication-step 0.1 --sensitivity k --out a.csv", 2,
                           "--sensitivity: mass has its own integrator, or no states");
}

COMMAND_CLAIM(what_resida_does_not_integrate_refuses_options_of_its_steps)
{
    static const char *const names[] = {"mass3"};
    fmu_make("mass3");
    fmu_write_system("sys.ssp", "<ssd:Elements><ssd:Component name='m' source='resources/mass3.fmu'/></ssd:Elements>",
                     "", names, 1);
    command_expect_refusal("solve mass3.fmu --communication-step 0.1 --h-max 0.01", 2, "--h-max has no effect");
    command_expect_refusal("solve sys.ssp --communication-step 0.1 --atol 1e-9", 2, "--atol has no effect");
    command_expect_refusal("solve mass3.fmu --communication-step 0.1 --estimate-error", 2,
                           "--estimate-error: mass has its own integrator, or no states: compare with a run of a "
                           "smaller --communication-step");
    command_expect_refusal("solve sys.ssp --communication-step 0.1 --estimate-error", 2, "--estimate-error: ");
    command_run_well("solve mass3.fmu --communication-step 0.1 --rtol 1e-3 --max-steps 1000");
    command_run_well("solve mass3.fmu --h-max 0.01 --estimate-error");
}

COMMAND_CLAIM(files_have_outputs_where_there_are_no_states)
{
    static const char *const lines[] = {"solve levels3.fmu --out a.csv --quiet",
                                        "solve levels3.fmu --communication-step 0.5 --out a.csv --quiet"};
    fmu_make("levels3");
    for (int k = 0; k < 2; k++) {
        command_run_well(lines[k]);
        test_file csv = test_file_read("a.csv");
        assert_memory_equal(csv.bytes, "t,through,count,odd,parity,kind,held\n", 37);
    }
}

COMMAND_CLAIM(repeated_runs_of_co_simulation_start_from_the_same_state)
{
    double x[2];
    fmu_make("levels3");
    fmu_run_row("solve levels3.fmu --communication-step 0.5 --repeat 3 --points 1 --out a.csv --columns out.count", 1,
                x, 2);
    bench_near(x[1], 4, 1e-12);
}

COMMAND_CLAIM(co_simulation_that_is_not_served_is_refused)
{
    make_oscillator(3, "<CoSimulation modelIdentifier='oscillator' needsExecutionTool='true'/>");
    command_expect_refusal("solve a.fmu", 2, "it needs the tool that created it");
    make_oscillator(3, "<ScheduledExecution modelIdentifier='oscillator'/>");
    command_expect_refusal("solve a.fmu", 2, "neither ModelExchange nor CoSimulation");
    make_oscillator(3, "<CoSimulation/>");
    command_expect_refusal("solve a.fmu", 2, "CoSimulation has no modelIdentifier");
    make_oscillator(3, "<CoSimulation modelIdentifier='oscillator'/>");
    command_expect_refusal("solve a.fmu --communication-step 0", 2, "communication_step = 0");
}

/* In time to be interrupted. */
COMMAND_CLAIM(very_many_communication_steps_are_announced)
{
    static const struct {
        const char *step;
        int is_announced;
    } all[] = {{"1e-7", 1}, {"1e-7 --quiet", 0}, {"2.01e-7", 0}};
    fmu_make("mass3");
    for (int k = 0; k < 3; k++) {
        const char *line = claims_text("solve mass3.fmu --time-limit 0.01 --communication-step %s", all[k].step);
        command_result r = command_run(line);
        assert_int_equal(r.code, 1);
        assert_true(!all[k].is_announced ==
                    !strstr(r.err.bytes, "hint: the run takes 2e+07 communication steps of 1e-07 s"));
        assert_true(all[k].is_announced || !strstr(r.err.bytes, "hint: "));
    }
}
