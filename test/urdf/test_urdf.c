/* test_urdf.c - descriptions of robots through the command: motions with closed forms, and what is refused. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/command/command_fixture.h"

#define G    9.81
#define K_45 1.8540746773013719 /* complete elliptic integral of the first kind, k = sin 45 degrees */

/* A rod of 1 m and 1 kg on a hinge, hanging along -z at 0; then a slide along it with a mass of 2 kg. */
#define LINK(name, mass, z, i)                                                                                         \
    "<link name='" name "'><inertial><origin xyz='0 0 " z "'/><mass value='" mass "'/><inertia ixx='" i "' iyy='" i    \
    "' izz='" i "' ixy='0' ixz='0' iyz='0'/></inertial></link>"
#define JOINT(name, type, from, to, axis, rest)                                                                        \
    "<joint name='" name "' type='" type "'><parent link='" from "'/><child link='" to "'/><axis xyz='" axis           \
    "'/>" rest "</joint>"
#define ROBOT(parts) "<robot name='arm'>" parts "</robot>"

static const char rod[] = ROBOT("<link name='wall'/>" LINK("rod", "1", "-0.5", "0.08333333333333333")
                                    JOINT("hinge", "continuous", "wall", "rod", "0 1 0", ""));
static const char flying[] = ROBOT(LINK("body", "3", "0.2", "0.1") LINK("rod", "1", "-0.5", "0.08333333333333333")
                                       JOINT("hinge", "continuous", "body", "rod", "0 1 0", ""));
static const char damped[] = ROBOT("<link name='wall'/>" LINK("rod", "1", "-0.5", "0.08333333333333333") JOINT(
    "hinge", "revolute", "wall", "rod", "0 1 0",
    "<limit lower='-0.5' upper='0.5' effort='1' velocity='1'/><dynamics damping='0.3'/>"));
static const char slide[] =
    ROBOT("<link name='wall'/>" LINK("car", "2", "0", "1") JOINT("rail", "prismatic", "wall", "car", "1 0 0",
                                                                 "<limit lower='-9' upper='9' effort='1' velocity='1'/>"
                                                                 "<dynamics damping='0' friction='4'/>"));

/* Two rods of 1 m and 1 kg that hang 1 m apart, and a bar of 1 kg between their ends. */
#define BARS                                                                                                           \
    "<link name='wall'/>" LINK("rod", "1", "-0.5", "0.08333333333333333")                                              \
        LINK("other", "1", "-0.5", "0.08333333333333333") LINK("bar", "1", "0", "0.1")                                 \
            JOINT("hinge", "continuous", "wall", "rod", "0 1 0", "")                                                   \
                JOINT("second", "continuous", "wall", "other", "0 1 0", "<origin xyz='1 0 0'/>")                       \
                    JOINT("knee", "continuous", "rod", "bar", "0 1 0", "<origin xyz='0 0 -1'/>")
static const char bars[] = ROBOT(BARS);
static const char closing[] = "# the far end of the bar\nlink_a,x_a,y_a,z_a,link_b,x_b,y_b,z_b,along\n"
                              "bar, 1, 0, 0, other, 0, 0, -1, xz\n";

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
static const char gripper[] = FINGERS("0.1");

static const char *write_text(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
    return name;
}

static const char *write_arm(const char *text)
{
    return write_text("arm.urdf", text);
}

/* The last state of a run: p, v of coordinate i, and multipliers. */
typedef struct last {
    double p[8], v[8], lam[4], events;
} last;

static last run(const char *text, const char *options)
{
    char line[512];
    last out = {{0}, {0}, {0}, 0};
    snprintf(line, sizeof line, "solve %s --format json --quiet --rtol 1e-9 --atol 1e-9 %s", write_arm(text), options);
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
    command_free(&r);
    return out;
}

static void expect(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) fail_msg("%.9g, not %.9g", value, expected);
}

COMMAND_CLAIM(a_rod_swings_with_its_period)
{
    char options[96];
    const double period = 4 * K_45 * sqrt(2 / (3 * G));
    snprintf(options, sizeof options, "-p hinge=%.17g --t-end %.17g", acos(-1) / 2, period);
    const last x = run(rod, options);
    expect(x.p[0], acos(-1) / 2, 1e-6);
    expect(x.v[0], 0, 1e-6);
}

COMMAND_CLAIM(damping_of_a_joint_is_that_of_the_description)
{
    const last x = run(damped, "-p gravity=0 -p hinge.v=2 --t-end 1");
    expect(x.v[0], 2 * exp(-0.3 * 3), 1e-6); /* I = 1/3 */
    expect(x.p[0], 2 / 0.9 * (1 - exp(-0.9)), 1e-6);
}

COMMAND_CLAIM(dry_friction_stops_a_slide)
{
    const last x = run(slide, "-p rail.v=3 -p smoothing=1e-4 --t-end 1"); /* 3 - 2 t, beyond the smoothing */
    expect(x.v[0], 1, 1e-3);
    expect(x.p[0], 2, 1e-3);
}

COMMAND_CLAIM(limits_are_events_on_request)
{
    const char *turn = "-p gravity=0 -p hinge.v=2 --t-end 1";
    expect(run(damped, turn).events, 0, 0);
    char with[96];
    snprintf(with, sizeof with, "%s -p limits=1", turn);
    expect(run(damped, with).events, 1, 0);
}

/* Their common centre: 3 kg are 0.2 m above the hinge, 1 kg half a metre below it. */
COMMAND_CLAIM(a_free_base_falls_and_keeps_its_momentum)
{
    const last x = run(flying, "-p base=free -p hinge.v=1 --t-end 1");
    const double base = x.p[4], rod_angle = base + x.p[6], turn = x.v[4], rod_turn = turn + x.v[6];
    expect(x.p[2] + 0.15 * cos(base) - 0.125 * cos(rod_angle), 0.025 - G / 2, 1e-6);
    expect(x.v[2] - 0.15 * sin(base) * turn + 0.125 * sin(rod_angle) * rod_turn, -G, 1e-6);
    expect(x.v[0] + 0.15 * cos(base) * turn - 0.125 * cos(rod_angle) * rod_turn, -0.125, 1e-6);
    assert_true(fabs(x.p[4]) > 0.01); /* the base turns, too */
}

/* Links may have the names that the motions of a free base would take. */
COMMAND_CLAIM(a_free_root_may_have_any_name)
{
    static const char *const names[] = {"world", "base_x", "base_turn_y"};
    for (int i = 0; i < 3; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 ROBOT("<link name='%s'/>" LINK("body", "2", "0", "1") LINK("world&apos;", "1", "-0.5", "0.1")
                           JOINT("f", "fixed", "%s", "body", "1 0 0", "")
                               JOINT("hinge", "continuous", "body", "world&apos;", "0 1 0", "")),
                 names[i], names[i]);
        const last x = run(text, "-p base=free --t-end 1");
        expect(x.p[2], -G / 2, 1e-6);
        expect(x.p[6], 0, 1e-9);
    }
}

/* The spline through (0, 0), (1, 1), (2, 0) has u'' = -3 in the middle; at t = 0.5 u = 11/16, u' = 9/8, u'' = -3/2. */
COMMAND_CLAIM(a_joint_is_moved_by_a_file_and_its_force_is_the_multiplier)
{
    write_text("motion.csv", "\xef\xbb\xbft,hinge\r\n0,0\r\n1,1\r\n2,0\r\n"); /* as spreadsheets write it */
    const last x = run(rod, "--motion motion.csv --t-end 0.5");
    expect(x.p[0], 11.0 / 16, 1e-9);
    expect(x.v[0], 9.0 / 8, 1e-9);
    expect(x.lam[0], -(-1.5 / 3 + G / 2 * sin(11.0 / 16)), 1e-6);
    expect(run(rod, "--motion motion.csv").p[0], 0, 1e-9);
    command_result r = command_run_well("check arm.urdf --motion motion.csv"); /* du/dt and d2u/dt2 by differences */
    command_free(&r);
}

/* The bar stays level: (2/3 + 1) q'' = -2 g sin q. Down from 60 degrees and back; k = sin 30 degrees. */
COMMAND_CLAIM(a_parallelogram_is_closed_by_a_file)
{
    char options[160];
    const double K_30 = 1.6857503548125961, amplitude = acos(-1) / 3, period = 4 * K_30 * sqrt(5.0 / 6 / G);
    write_text("closing.csv", closing);
    snprintf(options, sizeof options, "--loops closing.csv -p hinge=%.17g -p second=%.17g -p knee=%.17g --t-end %.17g",
             amplitude, amplitude, -amplitude, period);
    const last x = run(bars, options);
    for (int i = 0; i < 3; i++) expect(fabs(x.p[i]), amplitude, 1e-6);
    for (int i = 0; i < 3; i++) expect(x.v[i], 0, 1e-6);
    expect(x.p[0] + x.p[1] + x.p[2], amplitude, 1e-6); /* one of them is the knee */
}

/* The driven rod takes the other one along. */
COMMAND_CLAIM(a_motor_moves_what_a_loop_closes)
{
    write_text("closing.csv", closing);
    write_text("motion.csv", "t,hinge\n0,0.2\n0.5,0.7\n1,1\n");
    const last x = run(bars, "--loops closing.csv --motion motion.csv -p second=0.2 -p knee=-0.2");
    for (int i = 0; i < 3; i++) expect(fabs(x.p[i]), 1, 1e-7);
}

/* m q'' + 2 q' = 0 of the left finger, m = 0.2 + 0.3/4 + 20^2 I, I = 0.003 + 0.1 0.1^2 of the knob without gravity. */
COMMAND_CLAIM(joints_that_mimic_others_go_with_them)
{
    const double I = 0.003 + 0.1 * 0.1 * 0.1, mass = 0.2 + 0.3 / 4 + 400 * I, rate = 2 / mass, t = 0.5;
    const last x = run(gripper, "-p gravity=0 -p left=0.02 -p left.v=0.3 --t-end 0.5");
    const double left = 0.02 + 0.3 / rate * (1 - exp(-rate * t)), speed = 0.3 * exp(-rate * t), a = -rate * speed;
    const double all[] = {-20 * left - 0.4, left, left / 2 + 0.01}, *p = x.p;
    for (int i = 0; i < 3; i++) { /* in whatever order: the knob, left, right */
        int found = 0;
        for (int k = 0; k < 3; k++) found += fabs(p[k] - all[i]) < 1e-6;
        assert_int_equal(found, 1);
    }
    const double turn_lam = -I * -20 * a, right_lam = -0.3 * a / 2 + -40 * turn_lam; /* of the knob; and of right */
    assert_true(fabs(x.lam[0] - right_lam) < 1e-5 || fabs(x.lam[1] - right_lam) < 1e-5);
    assert_true(fabs(x.lam[0] - turn_lam) < 1e-5 || fabs(x.lam[1] - turn_lam) < 1e-5);
    command_result r = command_run_well("check arm.urdf -p left=0.02 -p left.v=0.3");
    command_free(&r);
}

/* Of the left finger: the others are taken along, one by way of the other. */
COMMAND_CLAIM(a_motor_moves_what_mimics_its_joint)
{
    write_text("motion.csv", "t,left\n0,0\n1,0.1\n2,0.3\n");
    const last x = run(gripper, "--motion motion.csv");
    const double all[] = {-40 * 0.16, 0.3, 0.16};
    for (int i = 0; i < 3; i++) {
        int found = 0;
        for (int k = 0; k < 3; k++) found += fabs(x.p[k] - all[i]) < 1e-8;
        assert_int_equal(found, 1);
    }
}

COMMAND_CLAIM(parameters_are_joints_with_units)
{
    char line[64];
    snprintf(line, sizeof line, "models %s", write_arm(slide));
    command_result r = command_run_well(line);
    assert_true(strstr(r.out.bytes, "rail.v") && strstr(r.out.bytes, "m/s") && strstr(r.out.bytes, "fixed, or free"));
    command_free(&r);
    r = command_run("solve arm.urdf --animate page.html --t-end 0.1 --quiet");
    assert_int_equal(r.code, 0);
    command_free(&r);
    test_file page = test_file_read("page.html");
    assert_true(strstr(page.bytes, "link") && strstr(page.bytes, "mass"));
    test_file_free(&page);
}

static void expect_refusal(const char *text, const char *options, const char *words)
{
    char line[128];
    snprintf(line, sizeof line, "solve %s %s", write_arm(text), options);
    command_result r = command_run(line);
    command_expect_complaint(&r, words, 2);
    if (!strstr(r.err.bytes, words)) fail_msg("\"%s\" does not say \"%s\"", r.err.bytes, words);
    command_free(&r);
}

COMMAND_CLAIM(what_is_no_robot_or_not_served_is_refused_in_words)
{
    expect_refusal("not a robot", "", "arm.urdf: ");
    expect_refusal("<robot name='arm'></robot>", "", "arm.urdf: ");
    expect_refusal(ROBOT("<link name='wall'/>"), "", "arm.urdf"); /* nothing but a wall, which is free then */
    expect_refusal(ROBOT("<link name='wall'/><link name='a'/>" JOINT("j", "floating", "wall", "a", "1 0 0", "")), "",
                   "joint j is planar or floating, which is not served");
    expect_refusal(ROBOT("<link name='wall'/>" LINK("rod", "1", "0", "1")
                             JOINT("j", "prismatic", "wall", "rod", "0 0 0", "<limit effort='1' velocity='1'/>")),
                   "", "joint j: its axis has no direction");
    expect_refusal(ROBOT("<link name='wall'/>" LINK("rod", "1", "0", "1") LINK("a", "1", "0", "1")
                             LINK("b", "1", "0", "1") JOINT("j", "continuous", "wall", "rod", "1 0 0", "")
                                 JOINT("k", "continuous", "a", "b", "1 0 0", "")
                                     JOINT("l", "continuous", "b", "a", "1 0 0", "")),
                   "", "link a does not hang on the root, wall");
    expect_refusal(rod, "-p base=loose", "base = loose: is fixed or free");
    expect_refusal(rod, "-p hing=1", "has no parameter 'hing'; did you mean 'hinge'?");
}

/* As the parser would call itself for each, until the stack is spent. */
COMMAND_CLAIM(levels_of_tags_are_bounded)
{
    enum { LEVELS = 100000, OPEN = 3, CLOSE = 4 };
    char *text = calloc(LEVELS, OPEN + CLOSE + 1), *at = text;
    assert_non_null(text);
    for (int k = 0; k < LEVELS; k++, at += OPEN) memcpy(at, "<a>", OPEN);
    for (int k = 0; k < LEVELS; k++, at += CLOSE) memcpy(at, "</a>", CLOSE);
    expect_refusal(text, "", "arm.urdf: has more than 256 levels of tags");
    free(text);
    char many[4000] = "<robot name='a > b'><!-- <a><a><a> -->", *end = many + strlen(many);
    for (int k = 0; k < 300; k++, end += 7) memcpy(end, "<x></x>", 7);
    strcpy(end, strstr(rod, "'arm'>") + 6);
    char line[128];
    snprintf(line, sizeof line, "models %s", write_arm(many));
    command_result r = command_run_well(line);
    command_free(&r);
}

/* A chain of links, each on the one before. */
COMMAND_CLAIM(links_on_links_are_bounded)
{
    enum { LINKS = 10002, EACH = 160 };
    char *text = calloc(LINKS, EACH), *at = text;
    assert_non_null(text);
    at += sprintf(at, "<robot name='arm'><link name='l0'/>");
    for (int k = 1; k < LINKS; k++)
        at += sprintf(at,
                      "<link name='l%d'/><joint name='j%d' type='continuous'><parent link='l%d'/><child link='l%d'/>"
                      "<axis xyz='0 1 0'/></joint>",
                      k, k, k - 1, k);
    strcpy(at, "</robot>");
    expect_refusal(text, "", "link l10001 hangs on more than 10000 others, one on another");
    free(text);
}

COMMAND_CLAIM(other_descriptions_are_refused_with_what_to_do)
{
    expect_refusal("<robot xmlns:xacro='x'><xacro:property name='a' value='1'/></robot>", "", "xacro FILE -o arm.urdf");
    expect_refusal("<sdf version='1.7'><model name='a'/></sdf>", "", "is an SDF file, which is not read");
    write_text("arm.sdf", "<sdf version='1.7'><model name='a'/></sdf>");
    command_expect_refusal("solve arm.sdf", 2, "is an SDF file, which is not read");
    write_text("arm.xacro", "<robot><xacro:include filename='b'/></robot>");
    command_expect_refusal("solve arm.xacro", 2, "has macros of xacro");
}

/* A mass of 2 kg on a slide with limits at 0.5 m from the middle, which meets the upper one with 1 m/s at t = 0.5. */
static const char stopped[] =
    ROBOT("<link name='wall'/>" LINK("car", "2", "0", "1") JOINT("rail", "prismatic", "wall", "car", "1 0 0",
                                                                 "<limit lower='-0.5' upper='0.5' effort='1' "
                                                                 "velocity='1'/>"));

/* Half a period of the mass on the spring, pi sqrt(m/k) = 0.157 s, then back with the same speed. */
COMMAND_CLAIM(a_stop_with_a_stiffness_throws_back)
{
    const last x = run(stopped, "-p rail.v=1 -p stop_stiffness=800 -p limits=1 --t-end 1");
    expect(x.v[0], -1, 1e-6);
    expect(x.p[0], 0.5 - (0.5 - acos(-1) / 20), 1e-6);
    expect(x.events, 2, 0);
    const last lower = run(stopped, "-p rail.v=-1 -p stop_stiffness=800 --t-end 1");
    expect(lower.p[0], -0.5 + (0.5 - acos(-1) / 20), 1e-6);
    /* Damping takes energy: v = -exp(-d pi/(2 m w)), w^2 = k/m - d^2/(4 m^2), but for the end, where no stop pulls. */
    const last damped_stop = run(stopped, "-p rail.v=1 -p stop_stiffness=800 -p stop_damping=8 --t-end 1");
    assert_true(damped_stop.v[0] < -exp(-4 * acos(-1) / 2 / sqrt(396)) * 0.99 && damped_stop.v[0] > -0.8);
}

COMMAND_CLAIM(joints_rebound_from_their_limits)
{
    const last x = run(stopped, "-p rail.v=1 -p limits=2 --t-end 1");
    expect(x.v[0], -0.5, 1e-9);
    expect(x.p[0], 0.25, 1e-9);
    expect(run(stopped, "-p rail.v=1 -p limits=2 -p restitution=1 --t-end 1").v[0], -1, 1e-9);
}

/* A rod that falls from the horizontal keeps its energy, 0; its frame turns about y. The force that a joint's motion
 * takes is minus the multiplier of its file. */
COMMAND_CLAIM(energy_poses_and_forces_are_outputs)
{
    char line[256];
    double x[6];
    snprintf(line, sizeof line,
             "solve %s -p hinge=%.17g --t-end 0.3 --points 1 --out a.csv --rtol 1e-9 --atol 1e-9 --columns "
             "p.hinge,v.hinge.v,out.rod.pitch,out.energy,out.hinge.force",
             write_arm(rod), acos(-1) / 2);
    command_result r = command_run_well(line);
    test_file csv = test_file_read("a.csv");
    assert_int_equal(command_csv_row(csv.bytes, 1, x, 6), 6);
    test_file_free(&csv);
    command_free(&r);
    expect(x[3], x[1], 1e-12);
    expect(x[2] * x[2] / 6 - G / 2 * cos(x[1]), 0, 1e-7); /* I = 1/3 */
    expect(x[4], 0, 1e-7);
    expect(x[5], 0, 1e-6);
    write_text("motion.csv", "t,hinge\n0,0\n1,1\n2,0\n");
    r = command_run_well("solve arm.urdf --motion motion.csv --t-end 0.5 --points 1 --out a.csv --rtol 1e-9 "
                         "--columns out.hinge.force,lam.hinge");
    csv = test_file_read("a.csv");
    assert_int_equal(command_csv_row(csv.bytes, 1, x, 3), 3);
    test_file_free(&csv);
    command_free(&r);
    expect(x[1], -1.5 / 3 + G / 2 * sin(11.0 / 16), 1e-6);
    expect(x[1], -x[2], 1e-6);
}

/* The visuals of a page: a box has eight corners, and a cylinder three points. */
COMMAND_CLAIM(visuals_are_drawn_and_meshes_are_counted)
{
#define VISUAL(name, shape)                                                                                            \
    "<visual><origin xyz='0 0 -0.5'/><geometry>" shape "</geometry><material name='" name "'/></visual>"
    static const char text[] = ROBOT("<link name='wall'>" VISUAL(
        "plate", "<box size='1 1 0.1'/>") "</link><link name='rod'><inertial>"
                                          "<origin xyz='0 0 -0.5'/><mass value='1'/><inertia ixx='1' iyy='1' izz='1' "
                                          "ixy='0' ixz='0' iyz='0'/>"
                                          "</inertial>" VISUAL("steel", "<cylinder radius='0.1' length='1'/>")
                                              VISUAL("ball", "<sphere radius='0.2'/>")
                                                  VISUAL("hull", "<mesh filename='hull.stl'/>") "</link>" JOINT(
                                                      "hinge", "continuous", "wall", "rod", "0 1 0", ""));
    char line[96];
    snprintf(line, sizeof line, "models %s", write_arm(text));
    command_result r = command_run_well(line);
    command_expect_words(r.out.bytes, "its meshes, 1, are not drawn");
    command_free(&r);
    r = command_run_well("solve arm.urdf --animate page.html --t-end 0.1 --quiet");
    command_free(&r);
    test_file page = test_file_read("page.html");
    command_expect_words(page.bytes, "plate");
    command_expect_words(page.bytes, "steel");
    command_expect_words(page.bytes, "ball");
    test_file_free(&page);
}

/* Of a link in the middle of others, where the run would go on without it. */
static void expect_bad_inertia(const char *mass, const char *centre, const char *i, const char *words)
{
    char text[2048];
    snprintf(text, sizeof text,
             ROBOT("<link name='wall'/>" LINK("rod", "1", "-0.5", "1") LINK("a", "%s", "%s", "%s")
                       LINK("b", "1", "-0.5", "1") JOINT("j", "continuous", "wall", "rod", "1 0 0", "") JOINT(
                           "f", "fixed", "rod", "a", "1 0 0", "") JOINT("k", "continuous", "a", "b", "1 0 0", "")),
             centre, mass, i, i, i);
    expect_refusal(text, "", words);
}

COMMAND_CLAIM(inertias_that_cannot_be_read_or_are_none_are_named)
{
    expect_bad_inertia("1,5", "0", "1", "Could not parse inertial element for Link [a]: Inertial: mass [1,5]");
    expect_bad_inertia(" 1 ", "0", "1", "for Link [a]: Inertial: mass [ 1 ]");
    expect_bad_inertia("1", "", "1", "for Link [a]: ");
    expect_bad_inertia("1", "0", "one", "for Link [a]: Inertial: inertia element ixx");
    expect_bad_inertia("-1", "0", "1", "link a: its mass is negative");
    expect_bad_inertia("1", "0", "-1", "link a: a principal moment of its inertia is negative");
    expect_refusal(
        ROBOT("<link name='wall'/><link name='rod'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='9'"
              " ixy='1.1' ixz='0' iyz='0'/></inertial></link>" JOINT("j", "revolute", "wall", "rod", "0 1 0",
                                                                     "<limit effort='1' velocity='1'/>")),
        "", "link rod: a principal moment of its inertia is negative");
    expect_refusal(ROBOT("<link name='wall'/>" LINK("rod", "1", "0", "1")
                             JOINT("j", "revolute", "wall", "rod", "0 1 0",
                                   "<limit lower='2' upper='1' effort='1' velocity='1'/>")),
                   "-p limits=1", "joint j: its limits are upside down");
}

/* Joints j and k with what k mimics, and j. */
static void expect_bad_mimic(const char *of_k, const char *of_j, const char *words)
{
    char text[1024];
    snprintf(text, sizeof text,
             ROBOT("<link name='wall'/><link name='a'/><link name='b'/><link name='c'/>" JOINT(
                 "j", "continuous", "wall", "a", "1 0 0", "%s") JOINT("k", "continuous", "a", "b", "1 0 0", "%s")
                       JOINT("f", "fixed", "a", "c", "1 0 0", "")),
             of_j, of_k);
    expect_refusal(text, "", words);
}

COMMAND_CLAIM(what_cannot_be_mimicked_is_named)
{
    expect_bad_mimic("<mimic joint='i'/>", "", "joint k mimics i, which there is not");
    expect_bad_mimic("<mimic joint='base_x'/>", "", "joint k mimics base_x, which there is not");
    expect_bad_mimic("<mimic joint='f'/>", "", "joint k mimics f, which is fixed");
    expect_bad_mimic("<mimic joint='k'/>", "", "joint k mimics itself");
    expect_bad_mimic("<mimic joint='j'/>", "<mimic joint='k'/>", "mimics a circle of joints");
    expect_bad_mimic("<mimic joint='j' multiplier='0'/>", "", "joint k mimics j: multiplier is a finite number, and");
    expect_bad_mimic("<mimic joint='j' multiplier='nan'/>", "", "multiplier");
    expect_bad_mimic("<mimic joint='j' multiplier='two'/>", "", "multiplier");
    expect_bad_mimic("<mimic joint='j' offset='inf'/>", "", "offset");
    expect_bad_mimic("<mimic joint='j' offset=''/>", "", "offset");
    expect_bad_mimic("<mimic multiplier='2'/>", "", "arm.urdf: ");
    write_text("motion.csv", "t,right\n0,0\n1,1\n");
    expect_refusal(gripper, "--motion motion.csv", "motion.csv moves joint right, which mimics left");
    expect_refusal(gripper, "-p right=1", "has no parameter 'right'");
}

static void expect_bad_file(const char *option, const char *text, const char *words)
{
    char options[64];
    write_text("beside.csv", text);
    snprintf(options, sizeof options, "-p %s=beside.csv", option);
    expect_refusal(bars, options, words);
}

#define LOOP_HEAD "link_a,x_a,y_a,z_a,link_b,x_b,y_b,z_b,along\n"

COMMAND_CLAIM(files_beside_a_description_are_refused_by_line)
{
    expect_refusal(bars, "--motion none.csv", "none.csv cannot be read");
    expect_bad_file("motion", "", "beside.csv has no line with names of columns");
    expect_bad_file("motion", "s,hinge\n0,1\n1,1\n", "the first line is not t and names of joints");
    expect_bad_file("motion", "t,hinge\n0,1\n", "beside.csv has fewer than two times");
    expect_bad_file("motion", "t,hinge\n0,1\n0,1\n", "beside.csv, line 3: t does not rise");
    expect_bad_file("motion", "t,hinge\n0,1\n1,\n", "beside.csv, line 3: hinge = \"\" is no finite number");
    expect_bad_file("motion", "t,hinge\n0,1\n1,inf\n", "hinge = \"inf\" is no finite number");
    expect_bad_file("motion", "t,hinge\n\n0,1,2\n", "beside.csv, line 3: 3 fields, not 2");
    expect_bad_file("motion", "t,hip\n0,1\n1,1\n", "moves joint hip, which there is not");
    expect_bad_file("motion", "t,knee,knee\n0,1,1\n1,1,1\n", "moves joint knee twice");
    expect_bad_file("loops", "link_a\nbar\n", "the first line is not link_a,x_a,y_a");
    expect_bad_file("loops", LOOP_HEAD, "beside.csv closes no loop");
    expect_bad_file("loops", LOOP_HEAD "bar,1,0,0,leg,0,0,-1,xz\n", "beside.csv, line 2: there is no link leg");
    expect_bad_file("loops", LOOP_HEAD "bar,1,0,0,bar,0,0,-1,xz\n", "line 2: link bar twice");
    expect_bad_file("loops", LOOP_HEAD "bar,1,0,0,other,0,0,-1,xw\n", "along = \"xw\" does not name some of x, y, z");
    expect_bad_file("loops", LOOP_HEAD "bar,1,0,0,other,0,0,-1,\n", "along = \"\" does not name");
}
