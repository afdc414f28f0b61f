/* test_fmu_nested.c - nested systems of FMUs, connectors of systems, bindings and mappings (SSP 1.0 and 2.0). A mass of
 * m from rest has v = F t / m under a force F. Two masses on a spring as in test_fmu_ssp.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_fixture.h"
#include "test/command/command_fixture.h"
#include "test/fixtures/bench_fixture.h"

#define NODE(name)          "<ssd:Component name='" name "' source='resources/mass3.fmu'/>"
#define BOUND(name, inside) "<ssd:Component name='" name "' source='resources/mass3.fmu'>" inside "</ssd:Component>"
#define LINK(from, to)      "<ssd:Connection " from " " to "/>"
#define SCALED(from, to, f) "<ssd:Connection " from " " to "><ssc:LinearTransformation " f "/></ssd:Connection>"
#define FROM(a, y)          "startElement='" a "' startConnector='" y "'"
#define FROM_SYSTEM(y)      "startConnector='" y "'"
#define TO(b, u)            "endElement='" b "' endConnector='" u "'"
#define TO_SYSTEM(u)        "endElement='' endConnector='" u "'"
#define LINKS(links)        "<ssd:Connections>" links "</ssd:Connections>"
#define VALUE(name, value)  "<ssv:Parameter name='" name "'><ssv:Real value='" value "'/></ssv:Parameter>"
#define BINDING(values, mapping)                                                                                       \
    "<ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues><ssv:ParameterSet version='1.0' name='p'>"      \
    "<ssv:Parameters>" values "</ssv:Parameters></ssv:ParameterSet></ssd:ParameterValues>" mapping                     \
    "</ssd:ParameterBinding></ssd:ParameterBindings>"
#define CONNECTOR(name, kind) "<ssd:Connector name='" name "' kind='" kind "'><ssc:Real/></ssd:Connector>"

static const char *const masses[] = {"mass3"};

static void make(const char *system)
{
    fmu_make("mass3");
    fmu_write_system("sys.ssp", system, "", masses, 1);
}

/* The spring with k = 3 is in a system in a system; x_a(0) = 1, m_b = 2. The tension is an output in mN. */
static const char nested[] = BINDING(VALUE("a.x", "1") VALUE("outer.inner.b.m", "2"), "") "<ssd:Elements>" NODE(
    "a") "<ssd:System "
         "name='outer'><ssd:"
         "Elements><ssd:System "
         "name='inner'>" BINDING(VALUE("b.k", "3"), "") "<ssd:Elements>" NODE("b") "</ssd:Elements>" LINKS(
             LINK(FROM("b", "pull"), TO_SYSTEM("tension")) LINK(
                 FROM_SYSTEM("end"),
                 TO("b", "other"))) "</"
                                    "ssd:"
                                    "Syst"
                                    "em>"
                                    "</"
                                    "ssd:"
                                    "Elem"
                                    "ents"
                                    ">" LINKS(LINK(FROM("inner", "tension"), TO_SYSTEM("pull")) LINK(
                                        FROM_SYSTEM("end"),
                                        TO("inner",
                                           "end"))) "</ssd:System></ssd:Elements>" LINKS(LINK(FROM("outer", "pull"),
                                                                                              TO("a", "force"))
                                                                                             LINK(FROM("a", "x"),
                                                                                                  TO("outer", "end"))
                                                                                                 SCALED(
                                                                                                     FROM("outer",
                                                                                                          "pull"),
                                                                                                     TO_SYSTEM("milli"),
                                                                                                     "factor='1000'"));

COMMAND_CLAIM(nested_systems_are_one_system)
{
    static const char *const steps[] = {"", " --communication-step 0.001"};
    static const double tolerances[] = {1e-6, 0.01};
    const double c = cos(sqrt(4.5) * 3);
    make(nested);
    for (int k = 0; k < 2; k++) {
        char line[200];
        double x[5];
        snprintf(line, sizeof line,
                 "solve sys.ssp%s --t-end 3 --points 1 --quiet --out a.csv --columns "
                 "out.a.x,out.outer.inner.b.x,out.outer.inner.b.pull,out.milli",
                 steps[k]);
        fmu_run_row(line, 1, x, 5);
        bench_near(x[1], 1. / 3 + 2. / 3 * c, tolerances[k]);
        bench_near(x[2], 1. / 3 - 1. / 3 * c, tolerances[k]);
        bench_near(x[4], 1000 * x[3], 1e-9);
        bench_near(x[3], 3 * (x[2] - x[1]), 0.01); /* in Co-Simulation x_a is that of the last point */
    }
}

/* A force F = 4 N of the system moves a, and 2 F + 1 moves b in a nested system; a parameter of the system is m_a. */
static const char driven[] =
    "<ssd:Connectors>" CONNECTOR("F", "input")
        CONNECTOR("mass", "parameter")
            CONNECTOR("unused", "parameter")
                CONNECTOR("v", "output") "</ssd:Connectors>" BINDING(VALUE("F", "4") VALUE("mass", "2") VALUE("unused", "1"), "") "<ssd:Elements>" NODE(
                    "a") "<ssd:System name='s'>"
                         "<ssd:Connectors>" CONNECTOR("G", "input")
                             CONNECTOR("H", "input") "</ssd:Connectors>" BINDING(VALUE("G", "99") VALUE("H", "0.5"), "") "<ssd:Elements>" NODE("b") "</ssd:Elements>" LINKS(
                                 LINK(FROM_SYSTEM("G"), TO("b", "force")) LINK(
                                     FROM_SYSTEM("H"),
                                     TO("b",
                                        "k"))) "</ssd:System></ssd:Elements>" LINKS(LINK(FROM_SYSTEM("F"),
                                                                                         TO("a", "force"))
                                                                                        LINK(FROM_SYSTEM("mass"),
                                                                                             TO("a", "m"))
                                                                                            SCALED(
                                                                                                FROM_SYSTEM("F"),
                                                                                                TO("s", "G"),
                                                                                                "factor='2' offset='1'")
                                                                                                LINK(FROM("a", "v"),
                                                                                                     TO_SYSTEM("v")));

/** The acceleration of b: (G - k x) / m at x = 0; and v_a after 2 s. */
static void expect_driven(const char *settings, double v_a, double acceleration)
{
    static const char *const steps[] = {"", " --communication-step 0.1"};
    for (int k = 0; k < 2; k++) {
        char line[200];
        double x[3];
        snprintf(line, sizeof line, "solve sys.ssp%s%s --points 1 --quiet --out a.csv --columns out.v,out.s.b.der(v)",
                 settings, steps[k]);
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
    assert_null(strstr(r.out.bytes, "s.G")); /* has a source */
    command_free(&r);
}

/* The values of a system have precedence over those of its elements: 3, not 5 or 7; of one level the last one. */
COMMAND_CLAIM(values_of_a_system_have_precedence)
{
    static const char system[] =
        BINDING(VALUE("s.a.v", "2") VALUE("s.a.v", "3"), "") "<ssd:Elements><ssd:System name='s'>" BINDING(
            VALUE("a.v", "5") VALUE("a.x", "1"),
            "") "<ssd:Elements>" BOUND("a", BINDING(VALUE("v", "7") VALUE("x", "9"), "")) "</ssd:Elements>"
                                                                                          "</ssd:System>"
                                                                                          "</ssd:Elements>";
    double x[3];
    make(system);
    fmu_run_row("solve sys.ssp --points 1 --quiet --out a.csv --columns y.s.a.x,y.s.a.v", 1, x, 3);
    bench_near(x[1], 1 + 3 * 2, 1e-9);
    bench_near(x[2], 3, 1e-9);
}

/* x(0) = 2 start + 1 = 7 and v(0) = start = 3; `k` is not mapped. Inline, and in files of version 2.0. */
COMMAND_CLAIM(a_mapping_renames_and_transforms_values)
{
#define ENTRIES                                                                                                        \
    "<ssm:MappingEntry source='p.start' target='a.x'><ssc:LinearTransformation factor='2' offset='1'/>"                \
    "</ssm:MappingEntry><ssm:MappingEntry source='p.start' target='a.v'/>"
    static const char inlined[] = "<ssd:ParameterMapping><ssm:ParameterMapping version='1.0'>" ENTRIES
                                  "</ssm:ParameterMapping></ssd:ParameterMapping>",
                      values[] = "<ssv:ParameterSet version='2.0' name='p'><ssv:Parameters>" VALUE("start", "3")
                          VALUE("k", "5") "</ssv:Parameters></ssv:ParameterSet>",
                      mapping[] = "<ssm:ParameterMapping version='2.0'>" ENTRIES "</ssm:ParameterMapping>",
                      structure[] =
                          "<SystemStructureDescription version='2.0'><System name='s'><ParameterBindings>"
                          "<ParameterBinding source='p.ssv' prefix='p.'><ParameterMapping source='p.ssm'/>"
                          "</ParameterBinding></ParameterBindings><Elements><Component name='a' source='mass3.fmu'>"
                          "<Connectors><Connector name='x' kind='output'><Float64 unit='m'/></Connector></Connectors>"
                          "</Component></Elements></System><DefaultExperiment stopTime='2'/>"
                          "</SystemStructureDescription>";
    char text[4096];
    double x[3];
    fmu_make("mass3");
    test_file fmu = test_file_read("mass3.fmu");
    for (int k = 0; k < 2; k++) {
        const fmu_entry entries[] = {{"SystemStructure.ssd", structure, strlen(structure), 0},
                                     {"p.ssv", values, strlen(values), 0},
                                     {"p.ssm", mapping, strlen(mapping), 0},
                                     {"mass3.fmu", fmu.bytes, fmu.size, 0}};
        snprintf(text, sizeof text, "%s<ssd:Elements>" NODE("a") "</ssd:Elements>",
                 BINDING(VALUE("p.start", "3") VALUE("k", "5"), "%s"));
        char system[4096];
        snprintf(system, sizeof system, "%.*s%s%s", (int)(strstr(text, "%s") - text), text, inlined,
                 strstr(text, "%s") + 2);
        if (k == 0) fmu_pack("sys.ssp", entries, 4);
        if (k == 1) fmu_write_system("sys.ssp", system, "", masses, 1);
        fmu_run_row("solve sys.ssp --points 1 --quiet --out a.csv --columns y.a.x,y.a.v", 1, x, 3);
        bench_near(x[1], 7 + 3 * 2, 1e-9);
        bench_near(x[2], 3, 1e-9);
    }
    test_file_free(&fmu);
    command_result r = command_run_well("models sys.ssp");
    command_expect_words(r.out.bytes, "(SSP 1.0)");
    command_free(&r);
}

COMMAND_CLAIM(variables_of_components_are_columns)
{
    make("<ssd:Elements>" NODE("a") "<ssd:System name='s'><ssd:Elements>" NODE("b") "</ssd:Elements></ssd:System>"
                                                                                    "</ssd:Elements>");
    command_result r = command_run_well("solve sys.ssp --points 1 --quiet --out a.csv --columns "
                                        "out.s.b.der(v),a.der(x),out.*.force");
    test_file csv = test_file_read("a.csv");
    command_expect_words(csv.bytes, "t,out.s.b.der(v),out.a.der(x),out.a.force,out.s.b.force\n");
    test_file_free(&csv);
    command_free(&r);
}

/* The direction of a connection is that of its connectors. The x of b is the force of a, and an output of both systems;
 * the input F is that of b: v_b = 4 t / m, with m = 2 kg in a unit in brackets. */
COMMAND_CLAIM(a_connection_may_begin_at_its_target)
{
    static const char system[] =
        "<ssd:Connectors>" CONNECTOR("F", "input") CONNECTOR(
            "y",
            "output") "</ssd:Connectors>"
                      "<ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues><ssv:ParameterSet "
                      "version='2.0' name='p'>"
                      "<ssv:Parameters><ssv:Parameter name='s.b.v'><ssv:Float64 value='2' "
                      "unit='[m/s]'/></ssv:Parameter>"
                      "</ssv:Parameters></ssv:ParameterSet></ssd:ParameterValues></ssd:ParameterBinding></"
                      "ssd:ParameterBindings>"
                      "<ssd:Elements>" NODE("a") "<ssd:System name='s'><ssd:Connectors>" CONNECTOR("x", "output")
                          CONNECTOR("F", "input") "</ssd:Connectors><ssd:Elements>" NODE("b") "</ssd:Elements>" LINKS(
                              "<ssd:Connection startConnector='x' " TO(
                                  "b", "pull") "/>"
                                               "<ssd:Connection startElement='b' startConnector='force' "
                                               "endConnector='F'/>") "</ssd:System></ssd:Elements>" LINKS("<ssd:"
                                                                                                          "Connection "
                                                                                                          "startElement"
                                                                                                          "='a' "
                                                                                                          "startConnect"
                                                                                                          "or='force'"
                                                                                                          " " TO("s",
                                                                                                                 "x") "/>"
                                                                                                                      "<ssd:Connection startConnector='y' " TO(
                                                                                                                          "s",
                                                                                                                          "x") "/>"
                                                                                                                               "<ssd:Connection startElement='s' startConnector='F' endConnector='F'/>");
    double x[4];
    make(system);
    fmu_run_row("solve sys.ssp -p F=4 -p s.b.k=1 --t-end 2 --points 1 --quiet --out a.csv --columns "
                "out.y,out.a.force,out.a.der(v)",
                1, x, 4);
    bench_near(x[1], 4 - 4 * cos(2) + 2 * sin(2), 1e-6); /* x'' = 4 - x, x' = 2 at the start */
    bench_near(x[2], x[1], 1e-9);
    bench_near(x[3], x[1], 1e-9);
}

COMMAND_CLAIM(a_system_without_components_has_the_values_of_its_connectors)
{
    double x[4];
    fmu_write_system("sys.ssp",
                     "<ssd:Connectors>" CONNECTOR("u", "input") "</ssd:Connectors>" BINDING(
                         VALUE("u", "3"),
                         "") "<ssd:Elements><ssd:System name='s'><ssd:Connectors>" CONNECTOR("k",
                                                                                             "parameter") "</"
                                                                                                          "ssd:"
                                                                                                          "Connectors"
                                                                                                          ">" BINDING(VALUE("k",
                                                                                                                            "-1"),
                                                                                                                      "") "</ssd:System></ssd:Elements>",
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
        {"<ssd:Elements>" NODE("a") "<ssd:System/></ssd:Elements>", "a nested system has no name"},
        {"<ssd:Elements>" NODE("a") "<ssd:System name='s'><ssd:Elements>" NODE("b") "</ssd:Elements>" LINKS(
             LINK(FROM("a", "x"), TO("b", "other"))) "</ssd:System></ssd:Elements>",
         "a connection with component s.a, which there is not"},
        {"<ssd:Elements>" NODE("a") "<ssd:System name='s'>" LINKS(LINK(
             FROM_SYSTEM("u"), TO_SYSTEM("y"))) "</ssd:System>"
                                                "</ssd:Elements>" LINKS(LINK(FROM("s", "y"), TO("s", "u"))
                                                                            LINK(FROM("s", "y"), TO("a", "other"))),
         "connections from s.y lead back to it"},
        {"<ssd:Elements>" NODE("a") NODE("b") "</ssd:Elements>" LINKS(LINK(FROM_SYSTEM("u"), TO("a", "other"))
                                                                          LINK(FROM("b", "x"), TO("a", "other"))),
         "a.other is connected twice"},
        {"<ssd:Elements>" NODE("a") "</ssd:Elements>" LINKS(LINK(FROM_SYSTEM("u"), TO("a", "pull"))),
         "a.pull is no input"},
        {BINDING(VALUE("u", "1"), "") "<ssd:Elements>" NODE("a") "</ssd:Elements>", "there is no parameter u"},
        {"<ssd:Connectors>" CONNECTOR("u", "input") "</ssd:Connectors>" BINDING(
             VALUE("u", "much"),
             "") "<ssd:Elements>" NODE("a") "</ssd:Elements>" LINKS(LINK(FROM_SYSTEM("u"), TO("a", "other"))),
         "connector u = \"much\""},
    };
    fmu_make("mass3");
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        fmu_write_system("sys.ssp", all[k].system, "", masses, 1);
        command_expect_refusal("solve sys.ssp", 2, all[k].words);
    }
}
