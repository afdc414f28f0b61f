/* urdf_fixture.c - see urdf_fixture.h. */
#include "urdf_fixture.h"

const char urdf_rod[] = ROBOT("<link name='wall'/>" LINK("rod", "1", "-0.5", "0.08333333333333333")
                                  JOINT("hinge", "continuous", "wall", "rod", "0 1 0", ""));

/* Two rods of 1 m and 1 kg that hang 1 m apart, and a bar of 1 kg between their ends. */
#define BARS                                                                                                           \
    "<link name='wall'/>" LINK("rod", "1", "-0.5", "0.08333333333333333")                                              \
        LINK("other", "1", "-0.5", "0.08333333333333333") LINK("bar", "1", "0", "0.1")                                 \
            JOINT("hinge", "continuous", "wall", "rod", "0 1 0", "")                                                   \
                JOINT("second", "continuous", "wall", "other", "0 1 0", "<origin xyz='1 0 0'/>")                       \
                    JOINT("knee", "continuous", "rod", "bar", "0 1 0", "<origin xyz='0 0 -1'/>")
const char urdf_bars[] = ROBOT(BARS);

/* Two fingers of 0.2 and 0.3 kg that slide apart, the second one half as far and 0.01 m ahead, and a knob of 0.004
 * kg m^2 that is turned by the second one, -40 rad/m. Its rod hangs down at 0. */
#define FINGERS(knob)                                                                                                  \
    ROBOT("<link name='palm'/>" LINK("l", "0.2", "0", "1e-4") LINK("r", "0.3", "0", "1e-4")                            \
              LINK("k", knob, "-0.1", "0.003") JOINT("left", "prismatic", "palm", "l", "1 0 0",                        \
                                                     "<limit lower='-1' upper='1' effort='1' velocity='1'/>"           \
                                                     "<dynamics damping='2'/>")                                        \
                  JOINT("right", "prismatic", "palm", "r", "-1 0 0",                                                   \
                        "<limit lower='-1' upper='1' effort='1' velocity='1'/>"                                        \
                        "<mimic joint='left' multiplier='0.5' offset='0.01'/>")                                        \
                      JOINT("turn", "continuous", "palm", "k", "0 1 0", "<mimic joint='right' multiplier='-40'/>"))
const char urdf_gripper[] = FINGERS("0.1");

const char *urdf_write(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
    return name;
}

const char *urdf_write_arm(const char *text)
{
    return urdf_write("arm.urdf", text);
}

urdf_last urdf_run(const char *text, const char *options)
{
    urdf_last out = {{0}, {0}, {0}, 0};
    const char *line =
        claims_text("solve %s --format json --quiet --rtol 1e-9 --atol 1e-9 %s", urdf_write_arm(text), options);
    command_result r = command_run(line);
    if (r.code != 0) fail_msg("%s", r.err.bytes);
    json_t *row = command_row(&r), *end = json_object_get(row, "end");
    json_t *p = json_object_get(end, "p"), *v = json_object_get(end, "v"), *lam = json_object_get(end, "lam");
    for (size_t i = 0; i < json_array_size(lam) && i < 4; i++) out.lam[i] = json_number_value(json_array_get(lam, i));
    for (size_t i = 0; i < json_array_size(p) && i < 8; i++) {
        out.p[i] = json_number_value(json_array_get(p, i));
        out.v[i] = json_number_value(json_array_get(v, i));
    }
    out.events = command_number(row, "events");
    json_decref(row);
    return out;
}

void urdf_expect(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) fail_msg("%.9g, not %.9g", value, expected);
}

void urdf_expect_refusal(const char *text, const char *options, const char *words)
{
    command_result r = command_run(claims_text("solve %s %s", urdf_write_arm(text), options));
    command_expect_complaint(&r, words, 2);
    if (!strstr(r.err.bytes, words)) fail_msg("\"%s\" does not say \"%s\"", r.err.bytes, words);
}
