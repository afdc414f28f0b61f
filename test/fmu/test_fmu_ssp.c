/* test_fmu_ssp.c - systems of FMUs (SSP). Two masses on a spring, which is in the FMU of the second: with m_a = 1,
 * m_b = 2, k = 3 from x_a = 1, x_b = 0 at rest, x_a = 1/3 + 2/3 cos(w t), x_b = 1/3 - 1/3 cos(w t), w^2 = 4.5. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_fixture.h"
#include "test/command/command_fixture.h"
#include "test/fixtures/bench_fixture.h"

enum { ROOM = 4096 };

#define LINK(a, y, b, u)                                                                                               \
    "<ssd:Connection startElement='" a "' startConnector='" y "' endElement='" b "' endConnector='" u "'/>"
#define NODE(name, fmu)      "<ssd:Component name='" name "' source='resources/" fmu ".fmu'/>"
#define SYSTEM(nodes, links) "<ssd:Elements>" nodes "</ssd:Elements><ssd:Connections>" links "</ssd:Connections>"
#define SPRING               LINK("b", "pull", "a", "force") LINK("a", "x", "b", "other")

/** sys.ssp of FMUs that are made first. */
static void make(const char *system, const char *behind, const char *first, const char *second)
{
    const char *const names[] = {first, second};
    fmu_make(first);
    if (second) fmu_make(second);
    fmu_write_system("sys.ssp", system, behind, names, second ? 2 : 1);
}

static const char parameters[] =
    "<ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues><ssv:ParameterSet version='1.0' name='p'>"
    "<ssv:Parameters><ssv:Parameter name='a.x'><ssv:Real value='1'/></ssv:Parameter>"
    "<ssv:Parameter name='b.m'><ssv:Real value='2'/></ssv:Parameter></ssv:Parameters></ssv:ParameterSet>"
    "</ssd:ParameterValues></ssd:ParameterBinding></ssd:ParameterBindings>"
    "<ssd:Elements>%s<ssd:Component name='b' type='application/x-fmu-sharedlibrary' source='resources/%s.fmu'>"
    "<ssd:Connectors><ssd:Connector name='pull' kind='output'><ssc:Real/></ssd:Connector></ssd:Connectors>"
    "<ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues><ssv:ParameterSet version='1.0' name='q'>"
    "<ssv:Parameters><ssv:Parameter name='k'><ssv:Real value='3'/></ssv:Parameter></ssv:Parameters>"
    "</ssv:ParameterSet></ssd:ParameterValues></ssd:ParameterBinding></ssd:ParameterBindings></ssd:Component>"
    "</ssd:Elements><ssd:Connections>" SPRING "</ssd:Connections>";

/** Two masses, of these FMUs. */
static void make_masses(const char *a, const char *b, const char *kind)
{
    char text[ROOM];
    const char *first = claims_text("<ssd:Component name='a' source='resources/%s.fmu' implementation='%s'/>", a, kind);
    assert_true(snprintf(text, sizeof text, parameters, first, b) < ROOM);
    make(text, "<ssd:DefaultExperiment startTime='0' stopTime='3'/>", a, strcmp(a, b) == 0 ? NULL : b);
}

static void expect_masses(const double *x, double tolerance)
{
    const double c = cos(sqrt(4.5) * 3);
    bench_near(x[1], 1. / 3 + 2. / 3 * c, tolerance);
    bench_near(x[2], 1. / 3 - 1. / 3 * c, tolerance);
}

/* Of one FMU twice, and of two versions of FMI. */
COMMAND_CLAIM(masses_of_two_fmus_on_a_spring_follow_their_closed_form)
{
    static const char *const pairs[][2] = {{"mass2", "mass2"}, {"mass3", "mass3"}, {"mass2", "mass3"}};
    for (int k = 0; k < 3; k++) {
        double x[4];
        make_masses(pairs[k][0], pairs[k][1], "any");
        fmu_run_row("solve sys.ssp --points 1 --out a.csv --columns y.a.x,y.b.x,out.b.pull", 1, x, 4);
        expect_masses(x, 1e-6);
        bench_near(x[3], 3 * (x[2] - x[1]), 1e-12);
    }
}

/* Explicit coupling: an error of the first order in the step, nearly halved with it. */
COMMAND_CLAIM(co_simulation_of_a_system_is_of_the_first_order)
{
    for (int version = 2; version <= 3; version++) {
        double error[2];
        make_masses(version == 2 ? "mass2" : "mass3", version == 2 ? "mass2" : "mass3", "any");
        for (int k = 0; k < 2; k++) {
            double x[3];
            const char *line =
                claims_text("solve sys.ssp --communication-step %g --points 1 --out a.csv --columns out.a.x,out.b.x",
                            k == 0 ? 0.002 : 0.001);
            fmu_run_row(line, 1, x, 3);
            expect_masses(x, 0.02);
            error[k] = x[1] - (1. / 3 + 2. / 3 * cos(sqrt(4.5) * 3));
        }
        bench_near(error[0] / error[1], 2, 0.05);
    }
}

/* through = 2 force + gear: 2 (2 (2 t)) behind three of them; in an order that is not that of the file. In
 * Co-Simulation the inputs at a point are those of that point, too. */
COMMAND_CLAIM(a_chain_of_fmus_that_feed_through_is_evaluated_in_its_order)
{
    static const char chain[] = SYSTEM(NODE("c", "levels3") NODE("a", "levels3") NODE("b", "levels3"),
                                       LINK("b", "through", "c", "force") LINK("a", "through", "b", "force"));
    double x[3];
    make(chain, "", "levels3", NULL);
    test_file_write("in.csv", "time,a.force\n0,0\n4,4\n", 21);
    fmu_run_row("solve sys.ssp --inputs in.csv --points 16 --out a.csv --columns out.c.through,out.b.through", 7, x, 3);
    bench_near(x[1], 8 * 1.75, 1e-12);
    bench_near(x[2], 4 * 1.75, 1e-12);
    fmu_run_row("solve sys.ssp --inputs in.csv --communication-step 0.25 --points 16 --out a.csv "
                "--columns out.c.through,out.b.through",
                7, x, 3);
    bench_near(x[1], 8 * 1.75, 1e-12);
}

/* `held` is the gear at the last event: the count of the other, which grows at each whole second, whichever of the two
 * has its event first. */
COMMAND_CLAIM(an_event_of_one_fmu_is_one_of_those_that_depend_on_it)
{
    static const char *const systems[] = {
        SYSTEM(NODE("a", "levels3") NODE("b", "levels3"), LINK("a", "count", "b", "gear")),
        SYSTEM(NODE("b", "levels3") NODE("a", "levels3"), LINK("a", "count", "b", "gear"))};
    for (int k = 0; k < 4; k++) {
        double x[4];
        make(systems[k / 2], "", "levels3", NULL);
        const char *line =
            claims_text("solve sys.ssp %s--points 8 --out a.csv --columns out.a.count,out.b.held,out.b.through",
                        k % 2 ? "--communication-step 0.7 " : "");
        fmu_run_row(line, 5, x, 4); /* t = 2.5 */
        bench_near(x[1], 2, 0);
        bench_near(x[2], 2, 0);
        bench_near(x[3], 2, 0);
    }
}

/* held = -1 before and after the event at the start, so that b has no event there; it is the force of b: through = 2
 * force. */
COMMAND_CLAIM(a_discrete_output_is_kept_by_a_continuous_input)
{
    static const char *const steps[] = {"", "--communication-step 0.25 "};
    make(SYSTEM(NODE("a", "levels3") NODE("b", "levels3"), LINK("a", "held", "b", "force")), "", "levels3", NULL);
    for (int k = 0; k < 2; k++) {
        double x[3];
        const char *line = claims_text("solve sys.ssp %s-p a.gear=-1 --t-end 2 --points 4 --out a.csv "
                                       "--columns out.a.held,out.b.through",
                                       steps[k]);
        for (int row = 1; row < 5; row++) {
            fmu_run_row(line, row, x, 3);
            bench_near(x[1], -1, 0);
            bench_near(x[2], -2, 0);
        }
    }
}

/* A mass that the speed of a ball moves has v = h - h(0), also behind impacts: h is 1 - g t^2 / 2, then from the floor
 * at t_1 = sqrt(2 / g) with the speed 0.8 g t_1. */
COMMAND_CLAIM(state_events_of_one_fmu_restart_the_integration_of_all)
{
    double x[3];
    const char *at = strstr(fmu_ball_3, "<Float64 name='v'");
    assert_non_null(at);
    const char *text = claims_text("%.*s<Float64 causality='output' name='v'%s", (int)(at - fmu_ball_3), fmu_ball_3,
                                   at + strlen("<Float64 name='v'"));
    const fmu_recipe recipe = {.description = text, .identifier = "ball", .binary = "fmu_ball3"};
    static const char *const names[] = {"ball", "mass2"};
    fmu_write("ball.fmu", &recipe);
    fmu_make("mass2");
    fmu_write_system("sys.ssp", SYSTEM(NODE("m", "mass2") NODE("b", "ball"), LINK("b", "v", "m", "force")), "", names,
                     2);
    fmu_run_row("solve sys.ssp --t-end 1 --rtol 1e-10 --points 1 --out a.csv --events e.csv --columns y.b.h,y.m.v", 1,
                x, 3);
    const double g = 9.81, first = sqrt(2 / g), since = 1 - first;
    bench_near(x[1], 0.8 * g * first * since - g * since * since / 2, 1e-7);
    bench_near(x[2], x[1] - 1, 1e-7);
    test_file events = test_file_read("e.csv");
    assert_int_equal(command_lines(events.bytes), 2);
}

/* Levels return early at whole seconds, whatever the step: there a mass on a spring, x = cos 2t, goes back. It takes
 * 200 midpoint steps h each time, with an error of (2 h)^2 / 6 2t. */
COMMAND_CLAIM(an_fmu_goes_back_where_another_one_returns_early)
{
    static const char system[] = SYSTEM(NODE("m", "mass3") NODE("l", "levels3"), "");
    double x[3];
    make(system, "", "mass3", "levels3");
    fmu_run_row(
        "solve sys.ssp --communication-step 0.7 -p m.x=1 -p m.k=4 --t-end 2.5 --points 10 --out a.csv --events e.csv "
        "--columns out.m.x,out.l.count",
        4, x, 3); /* t = 1 */
    bench_near(x[1], cos(2), 2e-5);
    bench_near(x[2], 1, 0);
    fmu_run_row(
        "solve sys.ssp --communication-step 0.7 -p m.x=1 -p m.k=4 --t-end 2.5 --points 5 --out a.csv --events e.csv "
        "--columns out.m.x,out.l.count",
        5, x, 3); /* the step from 2.1 on ends with the run */
    bench_near(x[1], cos(5), 4e-5);
    test_file events = test_file_read("e.csv");
    command_expect_words(events.bytes, "\n1,time,,,0,0");
    assert_int_equal(command_lines(events.bytes), 3);
}

/** An FMU of the tests whose description has other words. */
static void make_other(const char *name, const char *all, const char *words, const char *others, const char *binary)
{
    char text[ROOM];
    const char *at = strstr(all, words);
    assert_non_null(at);
    assert_true(snprintf(text, sizeof text, "%.*s%s%s", (int)(at - all), all, others, at + strlen(words)) < ROOM);
    const fmu_recipe recipe = {.description = text, .identifier = strchr(binary, '_') + 1, .binary = binary};
    char identifier[40];
    snprintf(identifier, sizeof identifier, "%.*s", (int)strlen(recipe.identifier) - 1, recipe.identifier);
    fmu_recipe own = recipe;
    own.identifier = identifier;
    fmu_write(claims_text("%s.fmu", name), &own);
}

COMMAND_CLAIM(an_fmu_that_fails_or_cannot_go_back_is_named)
{
    static const char *const names[] = {"other", "levels3"};
    fmu_make("levels3");
    make_other("other", fmu_mass_3, " canGetAndSetFMUState='true'", "", "fmu_mass3");
    fmu_write_system("sys.ssp", SYSTEM(NODE("m", "other") NODE("l", "levels3"), ""), "", names, 2);
    command_result r = command_run("solve sys.ssp --communication-step 0.7");
    assert_int_equal(r.code, 1);
    command_expect_words(r.err.bytes, "l: its step ends at t = 1, and m cannot go back (canGetAndSetFMUState)");
    make(SYSTEM(NODE("o", "oscillator3"), ""), "", "oscillator3", NULL);
    r = command_run("solve sys.ssp -p o.whole=-5");
    assert_int_equal(r.code, 1);
    command_expect_words(r.err.bytes, "o: fmi3GetContinuousStateDerivatives returned fmi3Error: it is broken");
    make(SYSTEM(NODE("m", "mass3") NODE("n", "mass3"), ""), "", "mass3", NULL);
    r = command_run("solve sys.ssp --communication-step 0.1 -p n.k=-1");
    assert_int_equal(r.code, 1);
    command_expect_words(r.err.bytes, "n: fmi3DoStep returned fmi3Discard");
}

COMMAND_CLAIM(names_with_commas_in_brackets_can_be_asked_for)
{
    make_other("other", fmu_mass_3, "name='pull'", "name='A[1,2]'", "fmu_mass3");
    command_result r = command_run_well("solve other.fmu --columns out.A[1,2],out.x --out a.csv --quiet");
    test_file csv = test_file_read("a.csv");
    command_expect_words(csv.bytes, "t,\"out.A[1,2]\",out.x\n");
    r = command_run_well("response other.fmu --from u.force --to out.A[1,2],x -p k=1 --format json");
    command_expect_words(r.out.bytes, "A[1,2]");
    command_expect_refusal("solve other.fmu --columns out.A[1,x --out a.csv", 2, "no 'out.A[1'");
}

/* A discard says where the step came to; a mass goes there, too. */
COMMAND_CLAIM(a_step_that_is_discarded_ends_all)
{
    static const char *const names[] = {"other", "mass2"};
    make_other("other", fmu_oscillator_2,
               "<ModelExchange modelIdentifier='oscillator' completedIntegratorStepNotNeeded='true'/>",
               "<CoSimulation modelIdentifier='oscillator'/>", "fmu_oscillator2");
    fmu_make("mass2");
    fmu_write_system("sys.ssp", SYSTEM(NODE("o", "other") NODE("m", "mass2"), ""), "", names, 2);
    command_run("solve sys.ssp --communication-step 0.5 -p o.whole=-5 --t-end 3 -p m.v=1 --out a.csv "
                "--points 300 --events e.csv --columns out.m.x");
    test_file events = test_file_read("e.csv"), csv = test_file_read("a.csv");
    command_expect_words(events.bytes, "\n1.75,time,,,0,1");
    command_expect_words(csv.bytes, "\n1.75,1.7");
}

COMMAND_CLAIM(parameters_of_components_are_those_of_the_system)
{
    make_masses("mass2", "mass3", "any");
    command_result r = command_run_well("models sys.ssp");
    command_expect_words(r.out.bytes, "a system, FMUs: 2, connections: 2 (SSP 1.0)");
    command_expect_words(r.out.bytes, "--communication-step: communication step of Co-Simulation; 0: Model Exchange");
    command_expect_words(r.out.bytes, "a.other");
    command_expect_words(r.out.bytes, "outputs: a.x, a.v, a.pull, b.x [m]");
    assert_null(strstr(r.out.bytes, "b.other")); /* connected */
    double x[3];
    fmu_run_row("solve sys.ssp --repeat 2 --points 1 -p b.k=0 -p a.v=2 --out a.csv --columns y.a.x,y.b.x", 1, x, 3);
    bench_near(x[1], 7, 1e-6);
    r = command_run_well("check sys.ssp");
}

/* A transformation of the value: x = t of a mass that moves by itself, as the force 3 t + 1 of another. */
COMMAND_CLAIM(a_linear_transformation_is_one)
{
    static const char system[] =
        SYSTEM(NODE("a", "mass3") NODE("b", "mass3"),
               "<ssd:Connection startElement='a' startConnector='x' endElement='b' endConnector='force'>"
               "<ssc:LinearTransformation factor='3' offset='1'/></ssd:Connection>");
    double x[2];
    make(system, "", "mass3", NULL);
    fmu_run_row("solve sys.ssp -p a.v=1 --points 1 --out a.csv --columns y.b.v", 1, x, 2);
    bench_near(x[1], 3 * 2 + 2, 1e-6);
}

/** other.fmu, a mass whose force is in mN. */
static void make_milli(void)
{
    char text[ROOM];
    const char *at = strstr(fmu_mass_3, "<ModelVariables>");
    assert_non_null(at);
    assert_true(snprintf(text, sizeof text,
                         "%.*s<UnitDefinitions><Unit name='mN'><BaseUnit kg='1' m='1' s='-2' factor='1e-3'/></Unit>"
                         "</UnitDefinitions>%s",
                         (int)(at - fmu_mass_3), fmu_mass_3, at) < ROOM);
    make_other("other", text, "start='0' unit='N'", "start='0' unit='mN'", "fmu_mass3");
}

/* x'' = force of a, whose pull k x is the force of b: from a.force to b.x it is k/s^4. b.force is no input. */
COMMAND_CLAIM(inputs_that_no_output_gives_are_excitations)
{
    static const char *const names[] = {"mass3"};
    double x[5]; /* frequency, amplitude, phase, re, im */
    fmu_make("mass3");
    fmu_write_system(
        "sys.ssp",
        "<ssd:Connectors><ssd:Connector name='F' kind='input'/></ssd:Connectors>" SYSTEM(
            NODE("a", "mass3") NODE("b", "mass3"),
            "<ssd:Connection startConnector='F' endElement='a' endConnector='force'/>" LINK("a", "pull", "b", "force")),
        "", names, 1);
    command_run_well("response sys.ssp -p a.k=3 -p b.k=0 --from u.a.force --to out.b.x --range 1:2 "
                     "--out a.csv");
    test_file csv = test_file_read("a.csv");
    assert_int_equal(command_csv_row(csv.bytes, 0, x, 5), 5);
    const double s2 = 4 * acos(-1) * acos(-1); /* of 1 Hz */
    bench_near(x[1], 3 / ((s2 - 3) * s2), 1e-6);
    command_expect_refusal("response sys.ssp --from u.b.force --to out.b.x", 2, "no 'u.b.force'");
    command_run_well("linearize sys.ssp --matrices l");
}

/* Units of the structure, of connectors, and of an FMU. A mass of 1 kg at x = 2 m is pulled by k x = 4 N; as a force
 * in kN at a connector, times 3, and as an input in mN of another mass. */
COMMAND_CLAIM(units_are_converted)
{
    static const char system[] =
        "<ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues><ssv:ParameterSet version='1.0' name='p'>"
        "<ssv:Parameters><ssv:Parameter name='a.x'><ssv:Real value='2000' unit='mm'/></ssv:Parameter>"
        "<ssv:Parameter name='a.k'><ssv:Real value='2' unit='any'/></ssv:Parameter></ssv:Parameters>"
        "<ssv:Units><ssc:Unit name='mm'><ssc:BaseUnit m='1' factor='0.001'/></ssc:Unit>"
        "<ssc:Unit name='m'><ssc:BaseUnit m='1'/></ssc:Unit></ssv:Units>"
        "</ssv:ParameterSet></ssd:ParameterValues></ssd:ParameterBinding></ssd:ParameterBindings>"
        "<ssd:Elements><ssd:Component name='a' source='resources/mass3.fmu'>%s</ssd:Component>"
        "<ssd:Component name='b' source='resources/other.fmu'/></ssd:Elements><ssd:Connections>"
        "<ssd:Connection startElement='a' startConnector='pull' endElement='b' endConnector='force'%s"
        "</ssd:Connections>",
                      units[] = "<Units><Unit name='N'><BaseUnit kg='1' m='1' s='-2'/></Unit><Unit name='kN'>"
                                "<BaseUnit kg='1' m='1' s='-2' factor='1e3'/></Unit></Units>",
                      kilo[] = "<ssd:Connectors><ssd:Connector name='pull' kind='output'><ssc:Real unit='kN'/>"
                               "</ssd:Connector></ssd:Connectors>",
                      none[] = "<ssd:Connectors><ssd:Connector name='pull' kind='output'><ssc:Real unit='lbf'/>"
                               "</ssd:Connector></ssd:Connectors>",
                      by_3[] = "><ssc:LinearTransformation factor='3'/></ssd:Connection>",
                      as_it_is[] = " suppressUnitConversion='true'/>";
    static const struct {
        const char *connectors, *how;
        double force;
    } all[] = {{"", "/>", 4e3}, {kilo, "/>", 4e3}, {"", by_3, 12}, {kilo, by_3, 12e-3}, {kilo, as_it_is, 4e-3}};
    static const char *const names[] = {"mass3", "other"};
    fmu_make("mass3");
    make_milli();
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        char text[ROOM];
        double x[3];
        snprintf(text, sizeof text, system, all[k].connectors, all[k].how);
        fmu_write_system("sys.ssp", text, units, names, 2);
        fmu_run_row("solve sys.ssp --points 1 --out a.csv --columns y.a.x,yp.b.v", 0, x, 3);
        bench_near(x[1], 2, 1e-12);
        bench_near(x[2], all[k].force, 1e-9);
    }
    char text[ROOM];
    snprintf(text, sizeof text, system, none, "/>");
    fmu_write_system("sys.ssp", text, units, names, 2);
    command_expect_refusal("solve sys.ssp", 2, "a.pull -> b.force: unit N cannot be converted to lbf");
}

COMMAND_CLAIM(a_system_that_is_none_is_refused)
{
    static const struct {
        const char *system, *words;
    } all[] = {
        {SYSTEM(NODE("a", "none"), ""), "component a: resources/none.fmu is missing in the archive"},
        {SYSTEM(NODE("a", "mass3") NODE("a", "mass3"), ""), "two components have the name a"},
        {SYSTEM("<ssd:Component name='a'/>", ""), "component a has no source"},
        {SYSTEM("<ssd:Component source='x'/>", ""), "component 1 has no name"},

        {"", "no components, and no connectors with values"},
        {SYSTEM("<ssd:System name='inner'/>", ""), "no components, and no connectors with values"},
        {SYSTEM("<ssd:Component name='a' source='x' type='application/x-ssp-package'/>", ""),
         "component a is a application/x-ssp-package; only FMUs are supported"},
        {SYSTEM(NODE("a", "mass3"), LINK("a", "x", "c", "force")), "component c, which does not exist"},
        {SYSTEM(NODE("a", "mass3"), LINK("a", "y", "a", "force")), "a.y -> a.force: a has no variable y"},
        {SYSTEM(NODE("a", "mass3"), LINK("a", "force", "a", "force")), "a.force is not an output"},
        {SYSTEM(NODE("a", "mass3"), LINK("a", "x", "a", "v")), "a.v is not an input"},
        {SYSTEM(NODE("a", "mass3"), "<ssd:Connection startElement='a'/>"), "has no startConnector or no endConnector"},
        {"<ssd:Connectors><ssd:Connector name='far' kind='input'/></ssd:Connectors>" SYSTEM(
             NODE("a", "mass3"), "<ssd:Connection startElement='a' startConnector='x' endConnector='far'/>"),
         "a.x -> far: connector far is an input: make its kind output"},
        {"<ssd:Connectors><ssd:Connector name='push' kind='output'/></ssd:Connectors>" SYSTEM(
             NODE("a", "mass3"), "<ssd:Connection startConnector='push' endElement='a' endConnector='force'/>"),
         "push -> a.force: connector push is an output: make its kind input"},
        {SYSTEM(NODE("a", "mass3"), LINK("a", "x", "a", "force")), "a.x -> a.force: unit m cannot be converted to N"},
        {SYSTEM(NODE("a", "mass3") NODE("l", "levels3"), LINK("a", "x", "l", "gear")),
         "a.x -> l.gear: a real number is connected with an integer"},
        {SYSTEM(NODE("l", "levels3"), LINK("l", "parity", "l", "tag")), "a text is connected with a text"},
        {SYSTEM(NODE("a", "mass3"), LINK("a", "x", "a", "other") LINK("a", "x", "a", "other")),
         "a.other is connected twice"},
        {SYSTEM(NODE("a", "mass3"), "<ssd:Connection startElement='a' startConnector='x' endElement='a' endConnector="
                                    "'other'><ssc:LinearTransformation factor='much'/></ssd:Connection>"),
         "an invalid LinearTransformation"},
        {SYSTEM(NODE("l", "levels3") NODE("m", "levels3") NODE("n", "levels3"),
                LINK("n", "through", "l", "force") LINK("l", "through", "m", "force")
                    LINK("m", "through", "l", "gear")),
         "m.through -> l.gear: a real number is connected with an integer"},
        {SYSTEM(NODE("l", "levels3") NODE("m", "levels3"),
                LINK("l", "through", "m", "force") LINK("m", "through", "l", "force")),
         "algebraic loop: m.force <- l.through, l.force <- m.through; an output without declared dependencies"},
        {SYSTEM(NODE("a", "mass3"), LINK("a", "pull", "a", "force") LINK("a", "pull", "a", "other")),
         "a.pull -> a.other: unit N cannot be converted to m"},
    };
    fmu_make("mass3");
    fmu_make("levels3");
    static const char *const names[] = {"mass3", "levels3"};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        fmu_write_system("sys.ssp", all[k].system, "", names, 2);
        command_expect_refusal("solve sys.ssp", 2, all[k].words);
    }
    fmu_write_system("sys.ssp", SYSTEM(NODE("a", "mass3"), ""), "<DefaultExperiment stopTime='late'/>", names, 2);
    command_expect_refusal("solve sys.ssp", 2, "DefaultExperiment contains an attribute that is not a number");
    fmu_make("oscillator3");
    static const char *const mixed[] = {"mass3", "oscillator3"};
    fmu_write_system("sys.ssp",
                     SYSTEM("<ssd:Component name='a' source='resources/mass3.fmu' implementation='CoSimulation'/>" NODE(
                                "o", "oscillator3"),
                            ""),
                     "", mixed, 2);
    command_expect_refusal("solve sys.ssp", 2,
                           "component o is for Model Exchange, a for Co-Simulation: they cannot be in one system");
    static const char *const once[] = {"once"};
    make_other("once", fmu_mass_3, "<ModelExchange", "<ModelExchange canBeInstantiatedOnlyOncePerProcess='true'",
               "fmu_mass3");
    fmu_write_system("sys.ssp", SYSTEM(NODE("a", "once") NODE("b", "once"), ""), "", once, 1);
    command_expect_refusal("solve sys.ssp", 2, "component b: can be instantiated only once in a process");
    make_masses("mass2", "mass3", "any");
    command_expect_refusal("solve sys.ssp -p b.other=1", 2, "no parameter 'b.other'");
    test_file_write("in.csv", "time,b.other\n0,0\n", 17);
    command_expect_refusal("solve sys.ssp --inputs in.csv", 2, "inputs: input b.other is connected");
    command_expect_refusal("solve none.ssp", 2, "none.ssp: cannot be opened");
    test_file_write("sys.ssp", "zip", 3);
    command_expect_refusal("solve sys.ssp", 2, "zip file");
    const fmu_entry empty[] = {{"a.txt", "a", 1, 0}}, old[] = {{"SystemStructure.ssd", "<a version='1.0'/>", 18, 0}};
    fmu_pack("sys.ssp", empty, 1);
    command_expect_refusal("solve sys.ssp", 2, "SystemStructure.ssd: missing in the archive");
    fmu_pack("sys.ssp", old, 1);
    command_expect_refusal("solve sys.ssp", 2,
                           "SystemStructure.ssd: line 1: the root is a, not SystemStructureDescription");
}

/* A file of parameters (SSV), whose names have a prefix: x = 2 t. */
COMMAND_CLAIM(parameters_may_be_in_a_file_of_their_own)
{
    static const char *const versions[] = {"1.0", "3.0"};
    static const char structure[] =
        "<SystemStructureDescription version='1.0'><System name='s'><Elements><Component name='a' source='mass3.fmu'>"
        "<ParameterBindings><ParameterBinding source='p.ssv' prefix=''/></ParameterBindings></Component></Elements>"
        "</System></SystemStructureDescription>";
    fmu_make("mass3");
    test_file fmu = test_file_read("mass3.fmu");
    for (int k = 0; k < 2; k++) {
        const char *values = claims_text(
            "<ParameterSet version='%s' name='p'><Parameters><Parameter name='v'><Real value='2'/></Parameter>"
            "</Parameters></ParameterSet>",
            versions[k]);
        const fmu_entry entries[] = {{"SystemStructure.ssd", structure, strlen(structure), 0},
                                     {"p.ssv", values, strlen(values), 0},
                                     {"mass3.fmu", fmu.bytes, fmu.size, 0}};
        double x[2];
        fmu_pack("sys.ssp", entries, 3);
        if (k == 0) {
            fmu_run_row("solve sys.ssp --points 1 --out a.csv --columns y.a.x", 1, x, 2);
            bench_near(x[1], 4, 1e-6);
        } else {
            command_expect_refusal("solve sys.ssp", 2,
                                   "p.ssv: line 1: version \"3.0\" is not supported; 1.0 and 2.0 are");
        }
    }
}

COMMAND_CLAIM(values_of_parameters_that_are_none_are_refused)
{
    static const char system[] =
        "<ssd:ParameterBindings><ssd:ParameterBinding%s><ssd:ParameterValues><ssv:ParameterSet version='1.0' name='p'>"
        "<ssv:Parameters><ssv:Parameter name='%s'><ssv:%s'/></ssv:Parameter></ssv:Parameters>"
        "</ssv:ParameterSet></ssd:ParameterValues></ssd:ParameterBinding></ssd:ParameterBindings>" SYSTEM(
            NODE("a", "mass3"), "");
    static const char *const all[][4] = {
        {"", "a.q", "Real value='1", "there is no parameter a.q"},
        {"", "b.m", "Real value='1", "there is no parameter b.m"},
        {"", "a.m", "Real value='heavy", "parameter a.m = \"heavy\" is not a value of its type"},
        {"", "a.m", "Real value='0.01", "parameter a.m = \"0.01\" is not a value of its type"},
        {"", "a.m", "Boolean value='true", "parameter a.m = \"true\" is a Boolean, not a real number"},
        {"", "a.m", "String value='2", "parameter a.m = \"2\" is a text, not a real number"},
        {"", "a.x", "Real value='1' unit='mm", "parameter a.x = 1 mm cannot be converted into its unit, m"},
        {" source='resources/p.ssv'", "a.m", "Real value='1", "resources/p.ssv: missing in the archive"},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        make(claims_text(system, all[k][0], all[k][1], all[k][2]), "", "mass3", NULL);
        command_expect_refusal("solve sys.ssp", 2, all[k][3]);
    }
}
