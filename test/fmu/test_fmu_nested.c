/* test_fmu_nested.c - nested systems of FMUs, connectors of systems, bindings and mappings (SSP 1.0 and 2.0). A mass of
 * m from rest has v = F t / m under a force F. Two masses on a spring as in test_fmu_ssp.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_fixture.h"
#include "test/command/command_fixture.h"
#include "test/fixtures/bench_fixture.h"

enum { ROOM = 8192 };

/** Parts of systems. */
#define A            "<Component name='a' source='resources/mass3.fmu'/>"
#define B            "<Component name='b' source='resources/mass3.fmu'/>"
#define INPUT(name)  "<Connector name='" name "' kind='input'/>"
#define OUTPUT(name) "<Connector name='" name "' kind='output'/>"
#define VALUES                                                                                                         \
    "<ParameterBindings><ParameterBinding><ParameterValues>"                                                           \
    "<ParameterSet version='1.0' name='p'><Parameters>"
#define END_SET    "</Parameters></ParameterSet></ParameterValues>"
#define END_VALUES END_SET "</ParameterBinding></ParameterBindings>"

static const char *const masses[] = {"mass3"};

static void make(const char *system)
{
    fmu_make("mass3");
    fmu_write_system("sys.ssp", system, "", masses, 1);
}

/* The spring with k = 3 is in a system in a system; x_a(0) = 1, m_b = 2. The tension is an output in mN. */
static const char nested[] = "<Connectors>" OUTPUT(
    "milli") "</Connectors>" VALUES "<Parameter name='a.x'><Real value='1'/></Parameter>"
             "<Parameter name='outer.inner.b.m'><Real value='2'/></Parameter>" END_VALUES "<Elements>" A
             "<System name='outer'><Connectors>" INPUT("end") OUTPUT(
                 "pull") "</Connectors><Elements>"
                         "<System name='inner'><Connectors>" INPUT("end") OUTPUT(
                             "tension") "</Connectors>" VALUES
                                        "<Parameter name='b.k'><Real value='3'/></Parameter>" END_VALUES "<Elements>" B
                                        "</Elements><Connections>"
                                        "<Connection startElement='b' startConnector='pull' endElement='' "
                                        "endConnector='tension'/>"
                                        "<Connection startConnector='end' endElement='b' endConnector='other'/>"
                                        "</Connections></System>"
                                        "</Elements><Connections>"
                                        "<Connection startElement='inner' startConnector='tension' "
                                        "endConnector='pull'/>"
                                        "<Connection startConnector='end' endElement='inner' endConnector='end'/>"
                                        "</Connections></System>"
                                        "</Elements><Connections>"
                                        "<Connection startElement='outer' startConnector='pull' endElement='a' "
                                        "endConnector='force'/>"
                                        "<Connection startElement='a' startConnector='x' endElement='outer' "
                                        "endConnector='end'/>"
                                        "<Connection startElement='outer' startConnector='pull' endConnector='milli'>"
                                        "<LinearTransformation factor='1000'/></Connection>"
                                        "</Connections>";

COMMAND_CLAIM(nested_systems_are_one_system)
{
    static const char *const steps[] = {"", " --communication-step 0.001"};
    static const double tolerances[] = {1e-6, 0.01};
    const double c = cos(sqrt(4.5) * 3);
    make(nested);
    for (int k = 0; k < 2; k++) {
        double x[5];
        const char *line = claims_text("solve sys.ssp%s --t-end 3 --points 1 --quiet --out a.csv --columns "
                                       "out.a.x,out.outer.inner.b.x,out.outer.inner.b.pull,out.milli",
                                       steps[k]);
        fmu_run_row(line, 1, x, 5);
        bench_near(x[1], 1. / 3 + 2. / 3 * c, tolerances[k]);
        bench_near(x[2], 1. / 3 - 1. / 3 * c, tolerances[k]);
        bench_near(x[4], 1000 * x[3], 1e-9);
        bench_near(x[3], 3 * (x[2] - x[1]), 0.01); /* in Co-Simulation x_a is that of the last point */
    }
}

/* A force F = 4 N of the system moves a, and G = 2 F + 1 moves b in a nested system; a parameter of the system is m_a,
 * and one of the nested system is k_b. */
static const char driven[] =
    "<Connectors><Connector name='F' kind='input'><Real/></Connector>"
    "<Connector name='mass' kind='parameter'><Real/></Connector>"
    "<Connector name='unused' kind='parameter'><Real/></Connector>"
    "<Connector name='v' kind='output'><Real/></Connector></Connectors>" VALUES
    "<Parameter name='F'><Real value='4'/></Parameter><Parameter name='mass'><Real value='2'/></Parameter>"
    "<Parameter name='unused'><Real value='1'/></Parameter>" END_VALUES "<Elements>" A
    "<System name='s'><Connectors><Connector name='G' kind='input'><Real/></Connector>"
    "<Connector name='H' kind='input'><Real/></Connector></Connectors>" VALUES
    "<Parameter name='H'><Real value='0.5'/></Parameter>" END_VALUES "<Elements>" B "</Elements><Connections>"
    "<Connection startConnector='G' endElement='b' endConnector='force'/>"
    "<Connection startConnector='H' endElement='b' endConnector='k'/></Connections></System>"
    "</Elements><Connections>"
    "<Connection startConnector='F' endElement='a' endConnector='force'/>"
    "<Connection startConnector='mass' endElement='a' endConnector='m'/>"
    "<Connection startConnector='F' endElement='s' endConnector='G'><LinearTransformation factor='2' offset='1'/>"
    "</Connection><Connection startElement='a' startConnector='v' endConnector='v'/></Connections>";

/** v_a after 2 s, and the acceleration of b at the start: (G - k x) / m. */
static void expect_driven(const char *settings, double v_a, double acceleration)
{
    static const char *const steps[] = {"", " --communication-step 0.1"};
    for (int k = 0; k < 2; k++) {
        double x[3];
        const char *line = claims_text(
            "solve sys.ssp%s%s --points 1 --quiet --out a.csv --columns out.v,out.s.b.der(v)", settings, steps[k]);
        fmu_run_row(line, 1, x, 3);
        bench_near(x[1], v_a, 1e-6);
        fmu_run_row(line, 0, x, 3);
        bench_near(x[2], acceleration, 1e-9);
    }
}

COMMAND_CLAIM(connectors_of_a_system_have_values)
{
    make(driven);
    expect_driven("", 4, 9);
    expect_driven(" -p F=1", 1, 3);
    expect_driven(" -p F=1 -p mass=1", 2, 3);
    expect_driven(" -p s.b.x=1 -p s.H=2", 4, 7);
    command_result r = command_run_well("models sys.ssp");
    command_expect_words(r.out.bytes, "s.H");
    assert_null(strstr(r.out.bytes, "s.G"));
}

/* Force and mass are the value of one connector: the acceleration is 1 for each value, and without one. */
COMMAND_CLAIM(a_connector_passes_one_value_to_all_its_targets)
{
    static const char system[] =
        "<Connectors><Connector name='F' kind='input'><Real/></Connector></Connectors><Elements>" A
        "</Elements><Connections>"
        "<Connection startConnector='F' endElement='a' endConnector='force'/>"
        "<Connection startConnector='F' endElement='a' endConnector='m'/></Connections>";
    make(system);
    for (int value = 0; value <= 3; value++) {
        char line[200], set[20] = "";
        double x[2];
        if (value > 0) snprintf(set, sizeof set, "-p F=%d ", value);
        snprintf(line, sizeof line, "solve sys.ssp %s--points 1 --quiet --out a.csv --columns out.a.der(v)", set);
        fmu_run_row(line, 0, x, 2);
        bench_near(x[1], 1, 1e-12);
    }
}

/* The values of a system have precedence over those of its elements: 3, not 5 or 7; of one level the last one. */
COMMAND_CLAIM(values_of_a_system_have_precedence)
{
    static const char system[] = VALUES
        "<Parameter name='s.a.v'><Real value='2'/></Parameter>"
        "<Parameter name='s.a.v'><Real value='3'/></Parameter>" END_VALUES "<Elements><System name='s'>" VALUES
        "<Parameter name='a.v'><Real value='5'/></Parameter>"
        "<Parameter name='a.x'><Real value='1'/></Parameter>" END_VALUES
        "<Elements><Component name='a' source='resources/mass3.fmu'>" VALUES
        "<Parameter name='v'><Real value='7'/></Parameter>"
        "<Parameter name='x'><Real value='9'/></Parameter>" END_VALUES "</Component></Elements></System></Elements>";
    double x[3];
    make(system);
    fmu_run_row("solve sys.ssp --points 1 --quiet --out a.csv --columns y.s.a.x,y.s.a.v", 1, x, 3);
    bench_near(x[1], 1 + 3 * 2, 1e-9);
    bench_near(x[2], 3, 1e-9);
}

/* x(0) = 2 start + 1 = 7 and v(0) = start = 3; `k` is not mapped. */
#define ENTRIES                                                                                                        \
    "<MappingEntry source='p.start' target='a.x'><LinearTransformation factor='2' offset='1'/></MappingEntry>"         \
    "<MappingEntry source='p.start' target='a.v'/>"

static void expect_mapped(const char *version)
{
    double x[3];
    fmu_run_row("solve sys.ssp --points 1 --quiet --out a.csv --columns y.a.x,y.a.v", 1, x, 3);
    bench_near(x[1], 7 + 3 * 2, 1e-9);
    bench_near(x[2], 3, 1e-9);
    command_expect_words(command_run_well("models sys.ssp").out.bytes, version);
}

COMMAND_CLAIM(a_mapping_in_a_system_renames_and_transforms_values)
{
    make(VALUES "<Parameter name='p.start'><Real value='3'/></Parameter><Parameter name='k'><Real value='5'/>"
                "</Parameter>" END_SET "<ParameterMapping><ParameterMapping version='1.0'>" ENTRIES
                "</ParameterMapping></ParameterMapping></ParameterBinding></ParameterBindings><Elements>" A
                "</Elements>");
    expect_mapped("(SSP 1.0)");
}

COMMAND_CLAIM(a_mapping_in_a_file_of_its_own_is_read)
{
    static const char values[] = "<ParameterSet version='2.0' name='p'><Parameters><Parameter name='start'>"
                                 "<Float64 value='3'/></Parameter><Parameter name='k'><Float64 value='5'/></Parameter>"
                                 "</Parameters></ParameterSet>",
                      mapping[] = "<ParameterMapping version='2.0'>" ENTRIES "</ParameterMapping>",
                      structure[] =
                          "<SystemStructureDescription version='2.0'><System name='s'><ParameterBindings>"
                          "<ParameterBinding source='p.ssv' prefix='p.'><ParameterMapping source='p.ssm'/>"
                          "</ParameterBinding></ParameterBindings><Elements><Component name='a' source='mass3.fmu'>"
                          "<Connectors><Connector name='x' kind='output'><Float64 unit='m'/></Connector></Connectors>"
                          "</Component></Elements></System><DefaultExperiment stopTime='2'/>"
                          "</SystemStructureDescription>";
    fmu_make("mass3");
    test_file fmu = test_file_read("mass3.fmu");
    const fmu_entry entries[] = {{"SystemStructure.ssd", structure, strlen(structure), 0},
                                 {"p.ssv", values, strlen(values), 0},
                                 {"p.ssm", mapping, strlen(mapping), 0},
                                 {"mass3.fmu", fmu.bytes, fmu.size, 0}};
    fmu_pack("sys.ssp", entries, 4);
    expect_mapped("(SSP 2.0)");
}

COMMAND_CLAIM(variables_of_components_are_columns)
{
    make("<Elements>" A "<System name='s'><Elements>" B "</Elements></System></Elements>");
    command_run_well("solve sys.ssp --points 1 --quiet --out a.csv --columns "
                     "out.s.b.der(v),a.der(x),out.*.force");
    test_file csv = test_file_read("a.csv");
    command_expect_words(csv.bytes, "t,out.s.b.der(v),out.a.der(x),out.a.force,out.s.b.force\n");
}

/* The direction of a connection is that of its connectors. The pull of b is the force of a, and an output of both
 * systems; the input F is the force of b: x'' = 4 - x from x = 0, x' = 2, in a unit in brackets. */
COMMAND_CLAIM(a_connection_may_begin_at_its_target)
{
    static const char system[] =
        "<Connectors><Connector name='F' kind='input'><Real/></Connector>"
        "<Connector name='y' kind='output'><Real/></Connector></Connectors>" VALUES
        "<Parameter name='s.b.v'><Float64 value='2' unit='[m/s]'/></Parameter>" END_VALUES "<Elements>" A
        "<System name='s'><Connectors><Connector name='x' kind='output'><Real/></Connector>"
        "<Connector name='F' kind='input'><Real/></Connector></Connectors><Elements>" B "</Elements><Connections>"
        "<Connection startConnector='x' endElement='b' endConnector='pull'/>"
        "<Connection startElement='b' startConnector='force' endConnector='F'/></Connections></System>"
        "</Elements><Connections>"
        "<Connection startElement='a' startConnector='force' endElement='s' endConnector='x'/>"
        "<Connection startConnector='y' endElement='s' endConnector='x'/>"
        "<Connection startElement='s' startConnector='F' endConnector='F'/></Connections>";
    double x[4];
    make(system);
    fmu_run_row("solve sys.ssp -p F=4 -p s.b.k=1 --t-end 2 --points 1 --quiet --out a.csv --columns "
                "out.y,out.a.force,out.a.der(v)",
                1, x, 4);
    bench_near(x[1], 4 - 4 * cos(2) + 2 * sin(2), 1e-6);
    bench_near(x[2], x[1], 1e-9);
    bench_near(x[3], x[1], 1e-9);
}

/* The pull of b is k x = 6 N, in kN and in mN at connectors of systems; the output of the system is in kN. */
COMMAND_CLAIM(units_of_connectors_of_systems_are_converted)
{
    static const char system[] =
        "<Connectors><Connector name='y' kind='output'><Real unit='kN'/></Connector></Connectors><Elements>" A
        "<System name='s'><Connectors><Connector name='f' kind='output'><Real unit='mN'/></Connector></Connectors>"
        "<Elements>" B "</Elements><Connections>"
        "<Connection startElement='b' startConnector='pull' endConnector='f'/></Connections></System>"
        "</Elements><Connections><Connection startElement='s' startConnector='f' endElement='a' endConnector='force'/>"
        "<Connection startElement='s' startConnector='f' endConnector='y'/></Connections>",
                      units[] = "<Units><Unit name='N'><BaseUnit kg='1' m='1' s='-2'/></Unit>"
                                "<Unit name='kN'><BaseUnit kg='1' m='1' s='-2' factor='1e3'/></Unit>"
                                "<Unit name='mN'><BaseUnit kg='1' m='1' s='-2' factor='1e-3'/></Unit></Units>";
    double x[3];
    fmu_make("mass3");
    fmu_write_system("sys.ssp", system, units, masses, 1);
    fmu_run_row("solve sys.ssp -p s.b.x=2 -p s.b.k=3 --points 1 --quiet --out a.csv --columns out.y,out.a.force", 0, x,
                3);
    bench_near(x[1], 6e-3, 1e-15);
    bench_near(x[2], 6, 1e-12);
    command_expect_words(command_run_well("models sys.ssp").out.bytes, "y [kN]");
}

COMMAND_CLAIM(a_system_without_components_has_the_values_of_its_connectors)
{
    double x[3];
    fmu_write_system("sys.ssp",
                     "<Connectors><Connector name='u' kind='input'><Real/></Connector></Connectors>" VALUES
                     "<Parameter name='u'><Real value='3'/></Parameter>" END_VALUES
                     "<Elements><System name='s'><Connectors><Connector name='k' kind='parameter'><Real/></Connector>"
                     "</Connectors>" VALUES "<Parameter name='k'><Real value='-1'/></Parameter>" END_VALUES
                     "</System></Elements>",
                     "", NULL, 0);
    fmu_run_row("solve sys.ssp -p u=5 --points 1 --quiet --out a.csv", 1, x, 3);
    bench_near(x[1], -1, 0);
    bench_near(x[2], 5, 0);
}

COMMAND_CLAIM(nested_systems_that_are_none_are_refused)
{
    static const struct {
        const char *system, *words;
    } all[] = {
        {"<Elements>" A "<System/></Elements>", "a nested system has no name"},
        {"<Elements>" A "<System name='s'><Elements>" B "</Elements><Connections><Connection startElement='a' "
         "startConnector='x' endElement='b' endConnector='other'/></Connections></System></Elements>",
         "s.a.x -> s.b.other names component s.a, which does not exist"},
        {"<Elements>" A "<System name='s'><Connectors>" INPUT("u") OUTPUT(
             "y") "</Connectors><Connections><Connection startConnector='u' endConnector='y'/></Connections>"
                  "</System></Elements><Connections>"
                  "<Connection startElement='s' startConnector='y' endElement='s' endConnector='u'/>"
                  "<Connection startElement='s' startConnector='y' endElement='a' endConnector='other'/></Connections>",
         "connections from s.y form a loop"},
        {"<Connectors>" INPUT(
             "u") "</Connectors><Elements>" A B "</Elements><Connections>"
                  "<Connection startConnector='u' endElement='a' endConnector='other'/>"
                  "<Connection startElement='b' startConnector='x' endElement='a' endConnector='other'/></Connections>",
         "a.other is connected twice"},
        {"<Connectors>" INPUT(
             "u") "</Connectors><Elements>" A
                  "</Elements><Connections><Connection startConnector='u' endElement='a' endConnector='pull'/>"
                  "</Connections>",
         "a.pull is not an input"},
        {VALUES "<Parameter name='u'><Real value='1'/></Parameter>" END_VALUES "<Elements>" A "</Elements>",
         "there is no parameter u"},
        {"<Connectors><Connector name='u' kind='input'/></Connectors>" VALUES
         "<Parameter name='u'><Real value='much'/></Parameter>" END_VALUES "<Elements>" A "</Elements>",
         "connector u = \"much\""},
        {"<Connectors><Connector name='u' kind='input'/></Connectors>" VALUES
         "<Parameter name='u'><Boolean value='true'/></Parameter>" END_VALUES "<Elements>" A
         "</Elements><Connections><Connection startConnector='u' endElement='a' endConnector='force'/></Connections>",
         "connector u = \"true\" is a Boolean, not a real number"},
        {VALUES "<Parameter name='a.m'><Binary value='01'/></Parameter>" END_VALUES "<Elements>" A "</Elements>",
         "parameter a.m is of the type Binary, which is not supported"},
        {"<ParameterBindings><ParameterBinding source='p.ssv' sourceBase='component'/></ParameterBindings>",
         "sourceBase within a component is not supported"},
    };
    fmu_make("mass3");
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        fmu_write_system("sys.ssp", all[k].system, "", masses, 1);
        command_expect_refusal("solve sys.ssp", 2, all[k].words);
    }
}

/* The pull of a moves b, and b is the other end of the spring of a. */
static const char pair[] =
    "<Connectors><Connector name='load' kind='input'><Real/></Connector>"
    "<Connector name='travel' kind='output'><Float64/></Connector></Connectors><ParameterBindings><ParameterBinding>"
    "<ParameterValues><ParameterSet version='1.0' name='p'><Parameters><Parameter name='stiff'><Real value='8'/>"
    "</Parameter><Parameter name='start'><Real value='3'/></Parameter></Parameters></ParameterSet></ParameterValues>"
    "<ParameterMapping><ParameterMapping version='1.0'><MappingEntry source='stiff' target='a.k'/>"
    "<MappingEntry source='start' target='load'/></ParameterMapping></ParameterMapping></ParameterBinding>"
    "</ParameterBindings><Elements>" A "<System name='plant'><Connectors>" INPUT("push")
        OUTPUT("way") "</Connectors><Elements>" B "</Elements><Connections>"
                      "<Connection startConnector='push' endElement='b' endConnector='force'/>"
                      "<Connection startElement='b' startConnector='x' endConnector='way'/></Connections></System>"
                      "</Elements><Connections><Connection startConnector='load' endElement='a' endConnector='force'/>"
                      "<Connection startElement='a' startConnector='pull' endElement='plant' endConnector='push'/>"
                      "<Connection startElement='plant' startConnector='way' endElement='a' endConnector='other'/>"
                      "<Connection startElement='plant' startConnector='way' endConnector='travel'/></Connections>";

/** Write the pair, with other words in place of some. */
static void make_pair(const char *words, const char *others)
{
    const char *at = strstr(pair, words);
    assert_non_null(at);
    fmu_write_system("sys.ssp", claims_text("%.*s%s%s", (int)(at - pair), pair, others, at + strlen(words)), "", masses,
                     1);
}

/** A pair with other words is refused. */
typedef struct wrong_pair {
    const char *words, *others, *message;
} wrong_pair;

static void expect_wrong(const wrong_pair *all, size_t n)
{
    make(pair);
    command_run_well("solve sys.ssp --points 1");
    for (size_t k = 0; k < n; k++) {
        make_pair(all[k].words, all[k].others);
        command_expect_refusal("solve sys.ssp", 2, all[k].message);
    }
}

COMMAND_CLAIM(a_connection_with_a_connector_that_does_not_exist_is_refused)
{
    static const wrong_pair all[] = {
        {"startConnector='way' endElement", "startConnector='ways' endElement",
         "plant.ways -> a.other: plant has no connector ways; did you mean 'way'?"},
        {"startConnector='push' endElement='b'", "startConnector='Pus' endElement='b'",
         "plant.Pus -> plant.b.force: plant has no connector Pus; did you mean 'push'?"},
        {"endConnector='push'", "endConnector='G'", "a.pull -> plant.G: plant has no connector G"},
        {"endConnector='push'", "endConnector='load'", "a.pull -> plant.load: plant has no connector load"},
        {"startConnector='load'", "startConnector='lod'",
         "lod -> a.force: the system has no connector lod; did you mean 'load'?"},
        {"endConnector='travel'", "endConnector='travl'",
         "plant.way -> travl: the system has no connector travl; did you mean 'travel'?"},
        {"endConnector='other'", "endConnector='othr'",
         "plant.way -> a.othr: a has no variable othr; did you mean 'other'?"},
        {"startElement='plant' startConnector='way' endConnector",
         "startElement='plan' startConnector='way' endConnector",
         "plan.way -> travel names component plan, which does not exist"},
    };
    expect_wrong(all, sizeof all / sizeof *all);
}

COMMAND_CLAIM(a_value_for_a_parameter_that_does_not_exist_is_refused)
{
    static const wrong_pair all[] = {
        {"target='load'", "target='lod'", "there is no parameter lod; did you mean 'load'?"},
        {"target='a.k'", "target='b.k'", "there is no parameter b.k; did you mean 'a.k'?"},
    };
    expect_wrong(all, sizeof all / sizeof *all);
}

COMMAND_CLAIM(a_mapping_of_a_value_that_does_not_exist_is_refused)
{
    static const wrong_pair all[] = {
        {"source='stiff'", "source='stif'", "stif -> a.k: the parameter set has no stif; did you mean 'stiff'?"},
        {"source='start'", "source='p'", "p -> load: the parameter set has no p"},
    };
    expect_wrong(all, sizeof all / sizeof *all);
}

COMMAND_CLAIM(a_connector_of_another_type_is_refused)
{
    static const wrong_pair all[] = {
        {"<Real/>", "<Boolean/>", "load -> a.force: connector load is a Boolean, not a real number"},
        {"<Real/>", "<Int32/>", "load -> a.force: connector load is an integer, not a real number"},
        {"<Float64/>", "<String/>", "plant.way -> travel: connector travel is a text, not a real number"},
    };
    expect_wrong(all, sizeof all / sizeof *all);
}

/* Of a connector with a source, and of a connected input: the value would have no effect. */
COMMAND_CLAIM(a_value_of_what_is_connected_is_refused)
{
    static const char *const all[][2] = {{driven, "s.G"}, {nested, "outer.end"}, {nested, "a.force"}, {driven, "a.m"}};
    for (size_t k = 0; k < 4; k++) {
        char text[ROOM];
        const char *at = strstr(all[k][0], "<Parameter name=");
        assert_non_null(at);
        assert_true(snprintf(text, sizeof text, "%.*s<Parameter name='%s'><Real value='9'/></Parameter>%s",
                             (int)(at - all[k][0]), all[k][0], all[k][1], at) < ROOM);
        make(text);
        command_expect_refusal("solve sys.ssp", 2,
                               claims_text("%s has the value of a connection: the parameter set", all[k][1]));
    }
}

/* Force and mass of a are connectors of the system: parameters of a are what remains. */
COMMAND_CLAIM(a_parameter_with_the_value_of_a_connector_is_no_parameter)
{
    make(driven);
    command_result r = command_run_well("models sys.ssp");
    assert_null(strstr(r.out.bytes, "\n  a.force"));
    assert_null(strstr(r.out.bytes, "\n  a.m "));
    command_expect_words(r.out.bytes, "\n  a.x ");
    command_expect_words(r.out.bytes, "connector of the system, sets s.b.force, a.force");
    command_expect_refusal("solve sys.ssp -p F=0 -p a.force=2", 2,
                           "sys has no parameter 'a.force'; set 'F': connector");
    command_expect_refusal("solve sys.ssp -p s.b.k=2", 2, "sys has no parameter 's.b.k'; set 's.H'");
}
