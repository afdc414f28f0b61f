/* test_fmu_columns.c - variables of FMUs as columns, by their names or aliases. A mass of 1 kg on a spring of 4 N/m
 * from x = 1 m at rest: x = cos 2t, x'' = -4 cos 2t. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_fixture.h"
#include "test/command/command_fixture.h"
#include "test/fixtures/bench_fixture.h"

enum { ROOM = 4096 };

/** NAME.fmu of a description in which some words are others. */
static void make_other(const char *name, const char *all, const char *words, const char *others, const char *identifier,
                       const char *binary)
{
    char text[ROOM];
    const char *at = strstr(all, words);
    assert_non_null(at);
    assert_true(snprintf(text, sizeof text, "%.*s%s%s", (int)(at - all), all, others, at + strlen(words)) < ROOM);
    const fmu_recipe recipe = {.description = text, .identifier = identifier, .binary = binary};
    fmu_write(claims_text("%s.fmu", name), &recipe);
}

/** other.fmu, a mass whose acceleration has two names. */
static void make_alias(void)
{
    make_other("other", fmu_mass_3, "<Float64 name='der(v)' valueReference='4' derivative='2'/>",
               "<Float64 name='der(v)' valueReference='4' derivative='2'><Alias name='acceleration'/>"
               "<Alias name='a[1]'/></Float64>",
               "mass", "fmu_mass3");
}

/* The step of Co-Simulation takes 200 midpoint steps h, whose error in x is (2 h)^2 / 6 2 t. */
COMMAND_CLAIM(any_variable_is_a_column_by_its_name)
{
    static const char *const names[] = {"mass2", "mass3"};
    static const char *const steps[] = {"", " --communication-step 0.01"};
    for (int k = 0; k < 4; k++) {
        double x[5];
        fmu_make(names[k % 2]);
        const char *line =
            claims_text("solve %s.fmu%s -p x=1 -p k=4 --t-end 1 --points 1 --quiet --out a.csv --columns "
                        "out.x,der(v),out.k,other",
                        names[k % 2], steps[k / 2]);
        fmu_run_row(line, 1, x, 5);
        bench_near(x[1], cos(2), 1e-6);
        bench_near(x[2], -4 * cos(2), 4e-6);
        bench_near(x[3], 4, 0);
        bench_near(x[4], 0, 0);
    }
}

COMMAND_CLAIM(an_alias_is_a_column)
{
    double x[4];
    make_alias();
    fmu_run_row("solve other.fmu -p x=1 -p k=4 --t-end 1 --points 1 --quiet --out a.csv --columns "
                "out.acceleration,out.der(v),a[1]",
                1, x, 4);
    bench_near(x[1], -4 * cos(2), 4e-6);
    bench_near(x[2], x[1], 0);
    bench_near(x[3], x[1], 0);
}

/** Run a model, and compare the heading of its file. */
static void expect_heading(const char *model, const char *columns, const char *heading)
{
    const char *line = claims_text("solve %s --points 1 --t-end 0.1 --quiet --out a.csv%s%s", model,
                                   columns ? " --columns " : "", columns ? columns : "");
    command_run_well(line);
    test_file csv = test_file_read("a.csv");
    csv.bytes[strcspn(csv.bytes, "\n")] = 0;
    assert_string_equal(csv.bytes, heading);
}

/* Patterns that had a meaning keep it. */
COMMAND_CLAIM(a_pattern_that_matches_no_output_selects_from_all_variables)
{
    make_alias();
    expect_heading("other.fmu", "out.*", "t,out.x,out.v,out.pull");
    expect_heading("other.fmu", "y.*", "t,y.x,y.v");
    expect_heading("other.fmu", "der*,acc*", "t,out.der(x),out.der(v),out.acceleration");
    expect_heading("other.fmu", NULL, "t,x,v");
}

COMMAND_CLAIM(a_clock_that_is_to_be_a_column_is_named)
{
    static const char *const clocks[] = {
        "<Clock name='tick' valueReference='11'/></ModelVariables>",
        "<Clock name='tick' valueReference='11' causality='output'/></ModelVariables>"};
    for (int k = 0; k < 2; k++) {
        make_other("other", fmu_mass_3, "</ModelVariables>", clocks[k], "mass", "fmu_mass3");
        command_expect_refusal("solve other.fmu --columns out.tick --out a.csv", 2,
                               "tick is a Clock, a Binary or an array of strings, which cannot be an output");
        expect_heading("other.fmu", "out.*", "t,out.x,out.v,out.pull");
    }
    command_expect_refusal("solve other.fmu --columns out.pul --out a.csv", 2, "no 'out.pul'");
}

/* In the list of the parameter; a list of --columns may also have names of other columns. */
COMMAND_CLAIM(an_output_that_does_not_exist_is_refused)
{
    make_alias();
    command_expect_refusal("solve other.fmu -p outputs=x,pul", 2, "outputs: no variable 'pul'; did you mean 'pull'?");
    command_expect_refusal("solve other.fmu -p outputs=out.q*", 2, "outputs: no variable 'q*'");
    command_run_well("solve other.fmu -p outputs=x,out.der(v),a[1],p*,acceleration --quiet");
    command_run_well("solve other.fmu --columns t,yp.x,d(y.x)/d(m) --sensitivity m --quiet --out a.csv");
    fmu_make("mass3");
    static const char *const names[] = {"mass3"};
    fmu_write_system("sys.ssp",
                     "<Connectors><Connector name='v' kind='output'/></Connectors><Elements>"
                     "<Component name='a' source='resources/mass3.fmu'/></Elements><Connections><Connection "
                     "startElement='a' startConnector='v' endConnector='v'/></Connections>",
                     "", names, 1);
    command_expect_refusal("solve sys.ssp -p outputs=a.der(v),a.pul", 2, "no variable 'a.pul'; did you mean 'a.pull'?");
    command_run_well("solve sys.ssp -p outputs=a.der(v),v --quiet");
}

/* energy = omega^2/2 of x = cos(omega t), see test_fmu_steps.c. */
COMMAND_CLAIM(all_that_changes_is_written_if_an_fmu_for_co_simulation_has_no_outputs)
{
    char text[ROOM];
    const char *at = strstr(fmu_oscillator_2, " causality='output'");
    assert_non_null(at);
    assert_true(snprintf(text, sizeof text, "%.*s%s", (int)(at - fmu_oscillator_2), fmu_oscillator_2,
                         at + strlen(" causality='output'")) < ROOM);
    make_other("other", text, "<ModelExchange modelIdentifier='oscillator' completedIntegratorStepNotNeeded='true'/>",
               "<CoSimulation modelIdentifier='oscillator'/>", "oscillator", "fmu_oscillator2");
    expect_heading("other.fmu --communication-step 0.05", NULL, "t,x,v,der(x),der(v),energy");
    double x[6];
    fmu_run_row("solve other.fmu --communication-step 0.25 -p omega=2 --points 8 --quiet --out a.csv", 8, x, 6);
    bench_near(x[1], cos(4), 2e-5);
    bench_near(x[5], 2, 4e-8);
}
