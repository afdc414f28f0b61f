/* test_urdf_refusals.c - descriptions of robots, and files beside them, that are refused in one line. */
#include <sys/stat.h>

#include "urdf_fixture.h"

COMMAND_CLAIM(what_is_no_robot_or_not_served_is_refused_in_words)
{
    urdf_expect_refusal("not a robot", "", "arm.urdf: ");
    urdf_expect_refusal("<robot name='arm'></robot>", "", "arm.urdf: ");
    urdf_expect_refusal(ROBOT("<link name='wall'/>"), "", "arm.urdf"); /* nothing but a wall, which is free then */
    urdf_expect_refusal(ROBOT("<link name='wall'/>" LINK("rod", "1", "0", "1")
                                  JOINT("j", "prismatic", "wall", "rod", "0 0 0", "<limit effort='1' velocity='1'/>")),
                        "", "joint j: its axis is zero");
    urdf_expect_refusal(
        ROBOT("<link name='wall'/>" LINK("rod", "1", "0", "1") JOINT("j", "planar", "wall", "rod", "0 0 0", "")), "",
        "joint j: its axis is zero");
    urdf_expect_refusal(ROBOT("<link name='wall'/>" LINK("rod", "1", "0", "1") LINK("a", "1", "0", "1")
                                  LINK("b", "1", "0", "1") JOINT("j", "continuous", "wall", "rod", "1 0 0", "")
                                      JOINT("k", "continuous", "a", "b", "1 0 0", "")
                                          JOINT("l", "continuous", "b", "a", "1 0 0", "")),
                        "", "link a is not connected to the root, wall");
    urdf_expect_refusal(urdf_rod, "-p base=loose", "base = loose: must be fixed or free");
    urdf_expect_refusal(urdf_rod, "-p hing=1", "has no parameter 'hing'; did you mean 'hinge'?");
}

/* As the parser would call itself for each, until the stack is spent. */
COMMAND_CLAIM(levels_of_tags_are_bounded)
{
    enum { LEVELS = 100000, OPEN = 3, CLOSE = 4 };
    char *text = claims_zeros(LEVELS, OPEN + CLOSE + 1), *at = text;
    assert_non_null(text);
    for (int k = 0; k < LEVELS; k++, at += OPEN) memcpy(at, "<a>", OPEN);
    for (int k = 0; k < LEVELS; k++, at += CLOSE) memcpy(at, "</a>", CLOSE);
    urdf_expect_refusal(text, "", "has more than 256 levels of tags");
    char many[4000] = "<robot name='a > b'><!-- <a><a><a> -->", *end = many + strlen(many);
    for (int k = 0; k < 300; k++, end += 7) memcpy(end, "<x></x>", 7);
    strcpy(end, strstr(urdf_rod, "'arm'>") + 6);
    command_run_well(claims_text("models %s", urdf_write_arm(many)));
}

/* A chain of links, each on the one before. */
static void expect_bound(const char *type, const char *words)
{
    enum { LINKS = 10002, EACH = 160 };
    char *text = claims_zeros(LINKS, EACH), *at = text;
    assert_non_null(text);
    at += sprintf(at, "<robot name='arm'><link name='l0'/>");
    for (int k = 1; k < LINKS; k++)
        at += sprintf(at,
                      "<link name='l%d'/><joint name='j%d' type='%s'><parent link='l%d'/><child link='l%d'/>"
                      "<axis xyz='0 1 0'/></joint>",
                      k, k, type, k - 1, k);
    strcpy(at, "</robot>");
    urdf_expect_refusal(text, "", words);
}

/* A floating joint has six bodies before its link. */
COMMAND_CLAIM(links_on_links_are_bounded)
{
    expect_bound("continuous", "link l10001 is at the end of a chain of more than 10000 other bodies");
    expect_bound("floating", "link l1429 is at the end of a chain of more than 10000 other bodies");
}

COMMAND_CLAIM(other_descriptions_are_refused_with_what_to_do)
{
    urdf_expect_refusal("<robot xmlns:xacro='x'><xacro:property name='a' value='1'/></robot>", "",
                        "xacro FILE -o arm.urdf");
}

COMMAND_CLAIM(a_free_base_does_not_start_at_a_quarter_turn)
{
    urdf_expect_refusal(ROBOT(LINK("body", "1", "0", "1")), "-p base=free -p base_turn_y=1.5707963267948966",
                        "base_turn_y starts at a quarter turn, where the rotations of base = free are singular: start");
}

COMMAND_CLAIM(what_stands_in_comments_is_no_element)
{
    char text[1024] = "<!-- of <xacro:arm/>, not of <sdf> -->", line[64];
    strcat(text, urdf_rod);
    snprintf(line, sizeof line, "models %s", urdf_write_arm(text));
    command_run_well(line);
}

/* Of a link in the middle of others, where the run would go on without it. */
static void expect_bad_inertia(const char *mass, const char *centre, const char *i, const char *words)
{
    const char *text = claims_text(
        ROBOT("<link name='wall'/>" LINK("rod", "1", "-0.5", "1") LINK("a", "%s", "%s", "%s")
                  LINK("b", "1", "-0.5", "1") JOINT("j", "continuous", "wall", "rod", "1 0 0", "")
                      JOINT("f", "fixed", "rod", "a", "1 0 0", "") JOINT("k", "continuous", "a", "b", "1 0 0", "")),
        centre, mass, i, i, i);
    urdf_expect_refusal(text, "", words);
}

COMMAND_CLAIM(inertias_that_cannot_be_read_or_are_none_are_named)
{
    expect_bad_inertia("1,5", "0", "1", "Could not parse inertial element for Link [a]: Inertial: mass [1,5]");
    expect_bad_inertia(" 1 ", "0", "1", "for Link [a]: Inertial: mass [ 1 ]");
    expect_bad_inertia("1", "", "1", "for Link [a]: ");
    expect_bad_inertia("1", "0", "one", "for Link [a]: Inertial: inertia element ixx");
    expect_bad_inertia("-1", "0", "1", "link a: its mass is negative");
    expect_bad_inertia("1", "0", "-1", "link a: a principal moment of its inertia is negative");
    urdf_expect_refusal(
        ROBOT("<link name='wall'/><link name='rod'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='9'"
              " ixy='1.1' ixz='0' iyz='0'/></inertial></link>" JOINT("j", "revolute", "wall", "rod", "0 1 0",
                                                                     "<limit effort='1' velocity='1'/>")),
        "", "link rod: a principal moment of its inertia is negative");
    urdf_expect_refusal(ROBOT("<link name='wall'/>" LINK("rod", "1", "0", "1")
                                  JOINT("j", "revolute", "wall", "rod", "0 1 0",
                                        "<limit lower='2' upper='1' effort='1' velocity='1'/>")),
                        "-p limits=1", "joint j: its lower limit exceeds its upper limit");
}

/* Joints j and k with what k mimics, and j. */
static void expect_bad_mimic(const char *of_k, const char *of_j, const char *words)
{
    const char *text =
        claims_text(ROBOT("<link name='wall'/><link name='a'/><link name='b'/><link name='c'/>" JOINT(
                        "j", "continuous", "wall", "a", "1 0 0", "%s") JOINT("k", "continuous", "a", "b", "1 0 0", "%s")
                              JOINT("f", "fixed", "a", "c", "1 0 0", "")),
                    of_j, of_k);
    urdf_expect_refusal(text, "", words);
}

COMMAND_CLAIM(what_cannot_be_mimicked_is_named)
{
    expect_bad_mimic("<mimic joint='i'/>", "", "joint k mimics i, which does not exist");
    expect_bad_mimic("<mimic joint='base_x'/>", "", "joint k mimics base_x, which does not exist");
    expect_bad_mimic("<mimic joint='f'/>", "", "joint k mimics f, which is fixed");
    expect_bad_mimic("<mimic joint='k'/>", "", "joint k mimics itself");
    expect_bad_mimic("<mimic joint='j'/>", "<mimic joint='k'/>", "mimics a joint that mimics it (a cycle)");
    expect_bad_mimic("<mimic joint='j' multiplier='0'/>", "", "joint k mimics j: multiplier must be a finite number");
    expect_bad_mimic("<mimic joint='j' multiplier='nan'/>", "", "multiplier");
    expect_bad_mimic("<mimic joint='j' multiplier='two'/>", "", "multiplier");
    expect_bad_mimic("<mimic joint='j' offset='inf'/>", "", "offset");
    expect_bad_mimic("<mimic joint='j' offset=''/>", "", "offset");
    expect_bad_mimic("<mimic multiplier='2'/>", "", "arm.urdf: ");
    urdf_write("motion.csv", "t,right\n0,0\n1,1\n");
    urdf_expect_refusal(urdf_gripper, "--motion motion.csv", "motion.csv moves joint right, which mimics left");
    urdf_expect_refusal(urdf_gripper, "-p right=1", "has no parameter 'right'");
}

/* Of links a, b and c, c on b, and a joint of these attributes to a link, on line 5. */
static void expect_bad_joint(const char *name, const char *from, const char *to, const char *options, const char *words)
{
    const char *text =
        claims_text("<robot name='arm'>\n<link name='a'/>\n" LINK("b", "1", "0", "1") LINK("c", "1", "0", "1")
                        JOINT("j", "continuous", "a", "b", "0 1 0", "") "\n\n" JOINT("%s", "continuous", "%s", "%s",
                                                                                     "0 1 0", "") "\n</robot>",
                    name, from, to);
    urdf_expect_refusal(text, options, words);
}

COMMAND_CLAIM(joints_without_a_name_and_links_with_two_parents_are_refused_with_a_remedy)
{
    expect_bad_joint("", "b", "c", "", "line 3: the joint that moves link c has no name; give it one");
    urdf_expect_refusal(
        ROBOT("<link name='a'/><link name='b'/>" JOINT("j", "fixed", "a", "b", "1 0 0",
                                                       "") "\n" JOINT("k", "fixed", "a", "b", "1 0 0", "")),
        "", "line 2: link b is child of joint j and joint k; cut one of them, and close the loop by --loops");
    urdf_write("motion.csv", "t,k\n0,0\n1,1\n");
    expect_bad_joint("k", "b", "c", "--motion motion.csv -p k=0.7", "k has no effect: motion.csv moves joint k");
    expect_bad_joint("k", "b", "c", "--motion motion.csv -p k.v=1", "k.v has no effect: motion.csv moves joint k");
    expect_bad_joint("k", "b", "c", "-p base_z=1", "base_z has no effect: base = fixed");
}

COMMAND_CLAIM(a_folder_is_no_description)
{
    command_result r;
    (void)mkdir("folder.urdf", 0700);
    r = command_run("solve folder.urdf");
    command_expect_complaint(&r, "solve folder.urdf", 2);
    command_expect_words(r.err.bytes, "folder.urdf: is a folder");
}

static void expect_bad_file(const char *option, const char *text, const char *words)
{
    urdf_write("beside.csv", text);
    urdf_expect_refusal(urdf_bars, claims_text("-p %s=beside.csv", option), words);
}

#define LOOP_HEAD "link_a,x_a,y_a,z_a,link_b,x_b,y_b,z_b,along\n"

COMMAND_CLAIM(files_beside_a_description_are_refused_by_line)
{
    urdf_expect_refusal(urdf_bars, "--motion none.csv", "none.csv cannot be opened");
    expect_bad_file("motion", "", "beside.csv has no line with names of columns");
    expect_bad_file("motion", "s,hinge\n0,1\n1,1\n", "the first line must be t and names of joints");
    expect_bad_file("motion", "t,hinge\n0,1\n", "beside.csv has fewer than two rows");
    expect_bad_file("motion", "t,hinge\n0,1\n0,1\n", "beside.csv, line 3: t does not rise");
    expect_bad_file("motion", "t,hinge\n0,1\n1,\n", "beside.csv, line 3: hinge = \"\" is not a finite number");
    expect_bad_file("motion", "t,hinge\n0,1\n1,inf\n", "hinge = \"inf\" is not a finite number");
    expect_bad_file("motion", "t,hinge\n\n0,1,2\n", "beside.csv, line 3: 3 fields, not 2");
    expect_bad_file("motion", "t,hip\n0,1\n1,1\n", "there is no joint hip that moves");
    expect_bad_file("torques", "t\n0\n", "the first line must be t and names of joints");
    expect_bad_file("torques", "t,hinge\n", "beside.csv has no row");
    expect_bad_file("torques", "t,hip\n0,1\n", "there is no joint hip that moves");
    expect_bad_file("torques", "t,hinge,hinge\n0,1,1\n", "joint hinge twice");
    expect_bad_file("torques", "t,hinge\n1,1\n0,1\n", "beside.csv, line 3: t falls");
    expect_bad_file("torques", "t,hinge\n0,1\n0,2\n0,3\n", "beside.csv, line 4: more than two rows have the same time");
    urdf_write("motion.csv", "t,hinge\n0,0\n1,1\n");
    expect_bad_file("motion=motion.csv -p torques", "t,hinge\n0,1\n", "joint hinge is moved by --motion");
    expect_bad_file("motion", "t,knee,knee\n0,1,1\n1,1,1\n", "moves joint knee twice");
    expect_bad_file("loops", "link_a\nbar\n", "the first line must be link_a,x_a,y_a");
    expect_bad_file("loops", LOOP_HEAD, "beside.csv closes no loop");
    expect_bad_file("loops", LOOP_HEAD "bar,1,0,0,leg,0,0,-1,xz\n", "beside.csv, line 2: there is no link leg");
    expect_bad_file("loops", LOOP_HEAD "bar,1,0,0,bar,0,0,-1,xz\n", "line 2: link bar twice");
    expect_bad_file("loops", LOOP_HEAD "rod,0,0,-1,wall,0,0,1,rod\n", "line 2: joint hinge already joins rod and wall");
    expect_bad_file("loops", LOOP_HEAD "rod,0,0,-1,bar,0,0,0,weld\n",
                    "line 2: joint knee already joins rod and bar; to");
    expect_bad_file("loops", LOOP_HEAD "bar,1,0,0,other,0,0,-1,xw\n", "along = \"xw\" must consist of x, y, z");
    expect_bad_file("loops", LOOP_HEAD "bar,1,0,0,other,0,0,-1,\n", "along = \"\" must consist of");
}

/* Links a and b, as text, and a joint of these attributes and elements between them, on line 4. */
static void expect_explained(const char *attributes, const char *inside, const char *words)
{
    const char *text = claims_text(
        "<robot name='arm'>\n<link name='a'/>\n" LINK("b", "1", "0", "1") "\n<joint %s>%s</joint>\n</robot>",
        attributes, inside);
    urdf_expect_refusal(text, "", words);
}

#define BETWEEN "<parent link='a'/><child link='b'/>"
#define LIMIT   "<limit effort='1' velocity='1'/>"

COMMAND_CLAIM(refusals_have_the_line_the_element_and_what_to_do)
{
    const char *turns = "name='j' type='revolute'";
    urdf_expect_refusal("", "", "line 1: is no XML: no element found");
    urdf_expect_refusal("<robot name='r'>\n<link name='a'>\n</robot>", "", "line 3: is no XML: mismatched tag");
    urdf_expect_refusal("<model/>", "", "line 1: begins with <model>; a description with <robot>");
    urdf_expect_refusal("<robot>\n<link name='a'/></robot>", "", "line 1: No name given for the robot; give it a name");
    urdf_expect_refusal(ROBOT("<link name='a'/>\n\n<link/><link name='b'/>" JOINT("j", "fixed", "a", "b", "1 0 0", "")),
                        "", "line 3: No name given for the link; give it a name");
    urdf_expect_refusal(ROBOT("\n<link name='a'/>\n<link name='a'/>"), "",
                        "line 3: link 'a' is not unique; give one of them another name");
    expect_explained(turns, LIMIT, "line 4: Failed to build tree: Joint [j] is missing a parent");
    expect_explained(turns, "<parent link='x'/><child link='b'/>" LIMIT,
                     "not found; add the link, or correct the name");
    expect_explained("name='j' type='hinge'", BETWEEN, "line 4: Joint [j] has no known type [hinge]; use revolute, c");
    expect_explained("name='j'", BETWEEN, "line 4: joint [j] has no type");
    expect_explained(turns, BETWEEN,
                     "line 4: Joint [j] is of type REVOLUTE but it does not specify limits; add <limit");
    expect_explained(turns, BETWEEN "\n<limit velocity='1'/>",
                     "line 5: <limit> of joint j: joint limit: no effort; add effort=");
    expect_explained(turns, BETWEEN "\n<limit lower='low' effort='1' velocity='1'/>",
                     "line 5: <limit> of joint j: lower value (low) is not a valid float; it is a finite number");
    expect_explained(turns, BETWEEN "<axis xyz='0 one 0'/>" LIMIT, "line 4: Malformed axis element for joint [j]");
    expect_explained(turns, BETWEEN LIMIT "\n<origin xyz='0 0 a'/>", "line 5: <origin> of joint j: Unable to parse");
    expect_explained(turns, BETWEEN LIMIT "\n<dynamics damping='x'/>",
                     "line 5: <dynamics> of joint j: damping value (x)");
    expect_explained(turns, BETWEEN LIMIT "<dynamics damping='-1'/>", "line 4: joint j: its damping is negative; give");
    expect_explained(turns, BETWEEN LIMIT "<dynamics friction='-1'/>", "line 4: joint j: its friction is negative; g");
    expect_explained("name='j' type='floating'", BETWEEN "<mimic joint='z'/>",
                     "line 4: joint j mimics z, but is no hinge or slide; mimic needs");
    urdf_expect_refusal(ROBOT("\n<link name='a'/>\n<link name='b'/>\n" JOINT("j", "floating", "a", "b", "1 0 0", "")),
                        "", "line 4: joint j (j_turn_z) moves no inertia; give a link that it moves a mass");
    urdf_expect_refusal(ROBOT(LINK("a", "1", "0", "1") LINK("b", "1", "0", "1") LINK("c", "1", "0", "1")
                                  JOINT("j", "planar", "a", "b", "1 0 0", "")
                                      JOINT("k", "continuous", "b", "c", "1 0 0", "<mimic joint='j'/>")),
                        "", "joint k mimics j, which has several coordinates; mimic needs");
    expect_explained(turns, BETWEEN LIMIT "<mimic joint='z'/>",
                     "line 4: joint j mimics z, which does not exist; mimic needs");
    urdf_expect_refusal(ROBOT("\n<link name='a'/>\n<link name='b'/>\n" JOINT("j", "continuous", "a", "b", "1 0 0", "")),
                        "", "line 4: joint j moves no inertia; give a link that it moves a mass");
    urdf_expect_refusal(ROBOT("\n<link name='a'/>\n<link name='b'/>"), "", "add the joint of the other one");
    urdf_expect_refusal(ROBOT("\n" LINK("a", "1", "0", "1")), "",
                        "has no movable joint; make one revolute, continuous "
                        "or prismatic, or let the root move by -p base=free");
    urdf_expect_refusal(
        ROBOT("<link name='a'/><link name='b'/>" JOINT("j", "continuous", "a", "b", "1 0 0", "")
                  JOINT("k", "continuous", "b", "a", "1 0 0", "")),
        "",
        "No root link found. The robot xml is not a valid tree; exactly one link must not be the child of a joint: cut "
        "the loop there, and close it by --loops FILE.csv");
    expect_bad_inertia("-1", "0", "1", "its mass is negative; give it a mass of 0 or more");
}

/* A mass at the end of a rod of 0.5 m without one: tensors of its rounding are none. */
COMMAND_CLAIM(rounding_of_an_inertia_that_is_zero_is_no_negative_moment)
{
    static const char *const tensors[] = {"ixx='0' iyy='0' izz='0' ixy='0' ixz='1.4e-20' iyz='0'",
                                          "ixx='-1e-20' iyy='0' izz='0' ixy='0' ixz='0' iyz='0'",
                                          "ixx='1e-17' iyy='-3e-17' izz='0' ixy='0' ixz='0' iyz='2e-17'"};
    for (int k = 0; k < 3; k++) {
        const char *text = claims_text(
            ROBOT("<link name='wall'/><link name='rod'><inertial><origin xyz='0 0 -0.5'/><mass value='1'/>"
                  "<inertia %s/></inertial></link>" JOINT("hinge", "continuous", "wall", "rod", "0 1 0", "")),
            tensors[k]);
        const urdf_last x = urdf_run(text, "-p hinge=1e-3 --t-end 1");
        urdf_expect(x.p[0], 1e-3 * cos(sqrt(2 * G)), 1e-8);
    }
    expect_bad_inertia("1", "0", "-1e-9", "link a: a principal moment of its inertia is negative");
}

/* Fingers without a mass, which mimic each other; and an arm between two hinges about one axis, of which one leads. */
COMMAND_CLAIM(joints_that_move_together_without_inertia_are_named)
{
    urdf_expect_refusal(
        ROBOT("<link name='wall'/>" LINK("arm", "1", "-0.5", "1") "<link name='f'/><link name='g'/>" JOINT(
            "j", "continuous", "wall", "arm", "0 1 0", "") "\n" JOINT("hand", "continuous", "arm", "f", "0 1 0", "")
                  JOINT("finger", "continuous", "arm", "g", "0 1 0", "<mimic joint='hand'/>")),
        "", "line 2: joint hand, with those that mimic it, moves no inertia; give a link that it moves a mass");
    static const char coaxial[] =
        ROBOT("<link name='wall'/><link name='a'/><link name='f'/>" LINK("b", "1", "-0.5", "1")
                  JOINT("j", "continuous", "wall", "a", "0 1 0", "") JOINT("k", "continuous", "a", "b", "0 1 0", "")
                      JOINT("l", "continuous", "b", "f", "0 1 0", "<mimic joint='k' multiplier='3'/>"));
    urdf_expect_refusal(coaxial, "", "joint j moves no inertia");
    urdf_expect(urdf_run(urdf_gripper, "--t-end 0.01").p[0], 0, 1e-2);
}

/* A hinge on a root without a mass, and two across each other, which leave it nothing without inertia; and a joint on
 * a joint about the same axis. */
COMMAND_CLAIM(motions_without_inertia_are_named_beyond_joints_that_have_one)
{
    const char *words = "line 2: link a: the links moved by the joints between it and the root have no inertia; give "
                        "the root a mass and an "
                        "inertia, or omit base=free";
    static const char hinge[] =
        ROBOT("\n<link name='a'/>" LINK("b", "1", "-0.5", "1") JOINT("j", "continuous", "a", "b", "0 1 0", ""));
    urdf_expect_refusal(hinge, "-p base=free", words);
    urdf_expect(urdf_run(hinge, "--t-end 0.1").p[0], 0, 1e-9);
    urdf_expect(urdf_run(ROBOT("\n<link name='a'/>" LINK("b", "1", "-0.5", "1") LINK("c", "1", "0.5", "1") JOINT(
                             "j", "continuous", "a", "b", "0 1 0", "") JOINT("k", "continuous", "a", "c", "1 0 0", "")),
                         "-p base=free --t-end 1")
                    .p[2],
                -G / 2, 1e-6);
    urdf_expect_refusal(ROBOT("\n<link name='a'/>\n<link name='b'/>" LINK("c", "1", "-0.5", "1") JOINT(
                            "j", "continuous", "a", "b", "0 1 0", "") JOINT("k", "continuous", "b", "c", "0 1 0", "")),
                        "", "line 3: joint j moves no inertia");
    urdf_expect_refusal(
        ROBOT("<link name='a'/><link name='b'/><link name='c'/><link name='d'/>" LINK("e", "1", "-0.5", "1") "\n" JOINT(
            "j", "continuous", "a", "b", "0 1 0", "") JOINT("k", "continuous", "b", "c", "0 1 0", "")
                  JOINT("l", "planar", "a", "d", "0 0 1", "") JOINT("m", "continuous", "d", "e", "1 0 0", "")),
        "", "line 2: joint k moves no inertia, nor do j; give a link that it moves a mass");
}
