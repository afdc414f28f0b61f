/* test_urdf_limits.c - limits of joints through the command: elastic stops, limits on which joints rest, and what is
 * refused. */
#include "urdf_fixture.h"

/* A mass of 1 kg on a vertical slide from lower to upper. */
#define SLIDE(lower, upper)                                                                                            \
    ROBOT("<link name='wall'/>\n" LINK("car", "1", "0", "1") "\n" JOINT("rail", "prismatic", "wall", "car", "0 0 1",   \
                                                                        "<limit lower='" lower "' upper='" upper       \
                                                                        "' effort='1' velocity='1'/>"))

/* Up against a stop 4.2 m above, which it would pass by 25 mm: it is in the stop for 2/w atan(w v/g), w^2 = k/m, and
 * leaves it as fast as it came. */
COMMAND_CLAIM(a_stop_is_not_passed_within_a_step)
{
    const double v_0 = 9.1052457, v = sqrt(v_0 * v_0 - 2 * G * 4.2), w = sqrt(1e5), end = 3;
    const double s = end - (v_0 - v) / G - 2 / w * atan(w * v / G);
    const char *options = claims_text("-p stop_stiffness=1e5 -p rail=-3 -p rail.v=%.17g --t-end %g", v_0, end);
    const urdf_last x = urdf_run(SLIDE("-100", "1.2"), options);
    urdf_expect(x.p[0], 1.2 - v * s - G / 2 * s * s, 1e-5);
    urdf_expect(x.v[0], -v - G * s, 1e-5);
    urdf_expect(x.events, 2, 0);
}

/* It falls for sqrt(2 h/g), and bounces for 2 e/(1 - e) times as long. */
COMMAND_CLAIM(a_joint_comes_to_rest_on_its_limit)
{
    const double fall = sqrt(2 / G);
    const char *options = claims_text("-p limits=2 -p restitution=0.5 -p rail=1 --t-end %.17g", 3 * fall + 1);
    const urdf_last x = urdf_run(SLIDE("0", "10"), options);
    urdf_expect(x.p[0], 0, 1e-8);
    urdf_expect(x.v[0], 0, 1e-8);
    urdf_expect(x.lam[0], -G, 1e-6);
    urdf_expect(x.lam[1], 0, 0);
    const urdf_last pressed = urdf_run(SLIDE("0", "10"), "-p limits=2 --t-end 1");
    urdf_expect(pressed.p[0], 0, 1e-12);
    urdf_expect(pressed.lam[0], -G, 1e-9);
    const urdf_last lifted = urdf_run(SLIDE("0", "10"), "-p limits=2 -p gravity=-1 --t-end 1");
    urdf_expect(lifted.p[0], 0.5, 1e-8);
}

/* Two cars on vertical slides, the second one by way of `rail`: the limits of both are one range. */
#define PAIR(limits, own, mimic)                                                                                       \
    ROBOT("<link name='wall'/>" LINK("car", "1", "0", "1") LINK("cab", "0.5", "0", "1")                                \
              JOINT("rail", "prismatic", "wall", "car", "0 0 1", "<limit " limits " effort='1' velocity='1'/>")        \
                  JOINT("too", "prismatic", "wall", "cab", "1 0 0",                                                    \
                        "<limit " own " effort='1' velocity='1'/><mimic joint='rail' " mimic "/>"))

/* It bounces as one car of 1 kg, whose weight moves 1 + m^2/2 kg, and rests on one limit, which carries it all. */
COMMAND_CLAIM(joints_that_move_together_rest_on_one_limit)
{
    static const char *const pairs[] = {PAIR("lower='0' upper='10'", "lower='0' upper='10'", ""),
                                        PAIR("lower='0' upper='10'", "lower='-3' upper='0.3'", "multiplier='-0.3'"),
                                        PAIR("lower='-9' upper='9'", "lower='0.1' upper='9'", "offset='0.1'")};
    static const double inertia[] = {1.5, 1.045, 1.5};
    for (int k = 0; k < 3; k++) {
        const double fall = sqrt(2 * inertia[k] / G);
        const char *options = claims_text("-p limits=2 -p restitution=0.5 -p rail=1 --t-end %.17g", 3 * fall + 1);
        const urdf_last x = urdf_run(pairs[k], options);
        urdf_expect(x.p[0], 0, 1e-8);
        urdf_expect(x.v[0], 0, 1e-8);
        urdf_expect(x.lam[1], -G, 1e-6);
        urdf_expect(x.lam[2], 0, 0);
    }
}

/* Fingers of one mass that slide apart on an arm: what moves them along their limits is rounding. */
COMMAND_CLAIM(two_limits_of_one_range_do_not_open_and_close_in_turn)
{
#define FINGER(name, link, axis, rest)                                                                                 \
    JOINT(name, "prismatic", "arm", link, axis,                                                                        \
          "<origin xyz='0 0.05 -0.5'/><dynamics damping='0.3'/><limit lower='0' upper='0.04' effort='0' "              \
          "velocity='0'/>" rest)
    static const char arm[] =
        ROBOT("<link name='wall'/>" LINK("arm", "5", "-0.4", "0.5") LINK("l", "0.02", "0", "1e-6")
                  LINK("r", "0.02", "0", "1e-6") JOINT("swing", "revolute", "wall", "arm", "0 1 0",
                                                       "<limit lower='-1.5' upper='1.5' effort='0' velocity='0'/>")
                      FINGER("open", "l", "0 0 1", "") FINGER("too", "r", "0 0 -1", "<mimic joint='open'/>"));
    urdf_write_arm(arm);
    command_result r = command_run("solve arm.urdf -p limits=2 -p swing=1.5 --t-end 3 --format json --quiet");
    json_t *row = command_row(&r);
    assert_int_equal(r.code, 0);
    urdf_expect(command_number(row, "events"), 0, 100);
}

/* In free fall no limit carries anything: a robot whose joints rest on their limits falls as one body. */
COMMAND_CLAIM(joints_that_rest_on_their_limits_in_free_fall_do_not_open_and_close)
{
#define PIECE(name, mass, com, ixx, izz)                                                                               \
    "<link name='" name "'><inertial><origin xyz='" com "'/><mass value='" mass "'/><inertia ixx='" ixx "' iyy='" ixx  \
    "' izz='" izz "' ixy='0' ixz='0' iyz='0'/></inertial></link>"
#define LEG(name, from, to, origin, range)                                                                             \
    JOINT(name, "revolute", from, to, "0 1 0", "<origin " origin "/><limit " range " effort='1' velocity='1'/>")
    static const char *const options[] = {"", "-p base_z.v=3 -p base_x.v=-1", "-p gravity=1.62 -p base_turn_x=0.7"};
    urdf_write_arm(
        ROBOT(PIECE("trunk", "5", "0 0 0", "0.1", "0.14") PIECE("thigh", "1", "0.05 0.02 -0.2", "0.02", "0.003") PIECE(
            "tail", "1.3", "0.03 -0.02 -0.2", "0.02", "0.003") PIECE("foot", "0.4", "0.05 0 -0.1", "0.002", "0.001")
                  LEG("hip", "trunk", "thigh", "xyz='0.1 0.2 -0.1' rpy='0.1 0.2 0.3'", "lower='0' upper='1'")
                      LEG("back", "trunk", "tail", "xyz='0.1 -0.2 -0.1' rpy='0.1 -0.2 0.3'", "lower='-1' upper='0'")
                          LEG("knee", "thigh", "foot", "xyz='0 0 -0.4'", "lower='0' upper='2'")));
    for (int k = 0; k < 3; k++) {
        const char *line =
            claims_text("solve arm.urdf -p base=free -p limits=2 %s --t-end 0.1 --format json --quiet", options[k]);
        command_result r = command_run(line);
        json_t *row = command_row(&r);
        assert_int_equal(r.code, 0);
        urdf_expect(command_number(row, "events"), 0, 10);
    }
}

/* too = 0.1 - 0.5 rail >= -0.4 is rail <= 1; third = 2 too is not narrower. Thrown up to 1 it comes down again. */
COMMAND_CLAIM(the_narrowest_limit_of_a_chain_of_joints_holds)
{
    static const char chain[] =
        ROBOT("<link name='wall'/>" LINK("car", "1", "0", "1") LINK("cab", "0", "0", "0") LINK("cup", "0", "0", "0")
                  JOINT("rail", "prismatic", "wall", "car", "0 0 1",
                        "<limit lower='-9' upper='9' effort='1' "
                        "velocity='1'/>")
                      JOINT("third", "prismatic", "wall", "cup", "0 1 0",
                            "<limit lower='-1' upper='1' effort='1' velocity='1'/><mimic joint='too' multiplier='2'/>")
                          JOINT("too", "prismatic", "wall", "cab", "1 0 0",
                                "<limit lower='-0.4' upper='4' effort='1' velocity='1'/>"
                                "<mimic joint='rail' multiplier='-0.5' offset='0.1'/>"));
    const double up = 5, at = (up - sqrt(up * up - 2 * G)) / G, v = up - G * at, s = 0.2;
    const urdf_last x = urdf_run(chain, claims_text("-p limits=2 -p rail.v=5 -p restitution=1 --t-end %.17g", at + s));
    urdf_expect(x.p[0], 1 - v * s - G / 2 * s * s, 1e-6);
    urdf_expect(x.events, 1, 0);
    urdf_expect_refusal(chain, "-p limits=2 -p rail=1.2", "too starts at -0.5, beyond too.lower = -0.4");
    urdf_expect_refusal(PAIR("lower='0' upper='1'", "lower='2' upper='3'", ""), "-p limits=2",
                        "joint rail: the limits of too and rail do not overlap, but these joints move together");
}

/* On a carriage whose spline goes up by u'' = 3 A t, 3 A (2 - t) until t = 3, A = 9.81: the mass is pressed on its
 * limit until u'' = -g at t = 2 + 1/3, and then rises from it by q'' = 3 A s. */
COMMAND_CLAIM(a_joint_leaves_its_limit_when_it_is_pulled)
{
    static const char text[] = ROBOT(
        "<link name='wall'/>" LINK("cart", "1", "0", "1") LINK("car", "1", "0", "1") JOINT(
            "lift", "prismatic", "wall", "cart", "0 0 1", "<limit lower='-1' upper='1' effort='1' velocity='1'/>")
            JOINT("rail", "prismatic", "cart", "car", "0 0 1", "<limit lower='0' upper='9' effort='1' velocity='1'/>"));
    const double s = 2 / 3., A = G;
    urdf_write("motion.csv", "t,lift\n0,0\n1,-9.81\n2,0\n3,9.81\n4,0\n");
    const urdf_last x = urdf_run(text, "--motion motion.csv -p limits=2 --t-end 3");
    urdf_expect(x.p[1], A / 2 * s * s * s, 1e-5);
    urdf_expect(x.v[1], 3 * A / 2 * s * s, 1e-5);
}

/* With restitution alone: the run ends where bounces do; and sensitivities are possible. */
COMMAND_CLAIM(joints_may_rebound_without_rest)
{
    const char *line = claims_text("solve %s -p limits=3 -p rail=1 --t-end 2", urdf_write_arm(SLIDE("0", "10")));
    command_result r = command_run(line);
    command_expect_words(r.err.bytes, "contact rail.lower stays closed");
    r = command_run_well("solve arm.urdf -p limits=3 -p rail=1 --t-end 0.6 --sensitivity rail.v --format json --quiet");
}

/* Two rods of 1 m and 1 kg, horizontal at 0, whose hinges have the limits 1 and 0.3. At rest on both limits the forces
 * are the moments of their weights, m g/2 cos 1.3 and m g (3/2) cos 1 more. */
COMMAND_CLAIM(an_arm_that_would_hang_beyond_its_limits_rests_on_them)
{
#define ROD(name)                                                                                                      \
    "<link name='" name "'><inertial><origin xyz='0.5 0 0'/><mass value='1'/><inertia ixx='.1' iyy='.1' "              \
    "izz='.1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
    urdf_write_arm(ROBOT("<link name='wall'/>" ROD("rod") ROD("tip") JOINT(
        "a", "revolute", "wall", "rod", "0 1 0", "<limit lower='-1' upper='1' effort='1' velocity='1'/>")
                             JOINT("b", "revolute", "rod", "tip", "0 1 0",
                                   "<origin xyz='1 0 0'/><limit lower='-1' upper='0.3' effort='1' velocity='1'/>")));
    json_t *row = command_json("equilibrium arm.urdf -p limits=2 --format json", 0);
    json_t *p = json_object_get(row, "p"), *lam = json_object_get(row, "lam");
    urdf_expect(command_number(p, "a"), 1, 1e-9);
    urdf_expect(command_number(p, "b"), 0.3, 1e-9);
    urdf_expect(json_number_value(json_object_get(lam, "b.upper")), -G / 2 * cos(1.3), 1e-8);
    urdf_expect(json_number_value(json_object_get(lam, "a.upper")), -G / 2 * cos(1.3) - 1.5 * G * cos(1), 1e-8);
    json_decref(row);
}

COMMAND_CLAIM(equilibria_are_within_limits_that_hold)
{
    const char *text = SLIDE("-1", "10");
    json_t *row = command_json(claims_text("equilibrium %s -p limits=2 --format json", urdf_write_arm(text)), 0);
    urdf_expect(command_number(json_object_get(row, "p"), "rail"), -1, 1e-9);
    urdf_expect(json_number_value(json_object_get(json_object_get(row, "lam"), "rail.lower")), -G, 1e-8);
    json_decref(row);
    command_result r = command_run_well(claims_text("equilibrium %s -p limits=2 -p rail=-1", urdf_write_arm(text)));
    command_expect_words(r.out.bytes, "rail.lower           -9.81");
    command_expect_refusal("equilibrium arm.urdf -p limits=2 -p gravity=0 -p rail=-2", 2,
                           "rail starts at -2, beyond rail.lower = -1");
}

COMMAND_CLAIM(nothing_starts_beyond_a_limit_that_holds)
{
    const char *lower = "rail starts at -1.2, beyond rail.lower = -1",
               *upper = "rail starts at 11, beyond rail.upper = 10";
    urdf_expect_refusal(SLIDE("-1", "10"), "-p limits=2 -p rail=-1.2", lower);
    urdf_expect_refusal(SLIDE("-1", "10"), "-p limits=3 -p rail=11", upper);
    urdf_expect(urdf_run(SLIDE("-1", "10"), "-p limits=2 -p rail=10 --t-end 0.1").p[0], 10 - G / 200, 1e-6);
}

COMMAND_CLAIM(contacts_that_open_are_counted_and_named_so)
{
    const char *line =
        claims_text("solve %s -p limits=2 -p rail=1 --t-end 3 --quiet", urdf_write_arm(SLIDE("0", "10")));
    command_result r = command_run_well(line);
    command_expect_words(r.out.bytes, " including those of open contacts, which have no row, ");
    line = claims_text("solve %s -p limits=1 -p rail=1 --t-end 3 --quiet", urdf_write_arm(SLIDE("0", "10")));
    r = command_run_well(line);
    assert_null(strstr(r.out.bytes, "which have no row"));
}

/* Two cars, of which the second moves half as far as the first, or twice as far the other way, and has the same limit,
 * a nearer one, or one that it never comes to: they fall on the nearest one as one. */
#define TWINS(multiplier, lower, upper)                                                                                \
    ROBOT("<link name='wall'/>" LINK("car", "1", "0", "1") LINK("other", "1", "0", "1") JOINT(                         \
        "rail", "prismatic", "wall", "car", "0 0 1", "<limit lower='0' upper='9' effort='1' velocity='1'/>")           \
              JOINT("twin", "prismatic", "wall", "other", "0 1 0",                                                     \
                    "<mimic joint='rail' multiplier='" multiplier "'/><limit lower='" lower "' upper='" upper          \
                    "' effort='1' velocity='1'/>"))

COMMAND_CLAIM(joints_that_move_as_one_come_to_rest_on_the_nearest_limit)
{
    static const struct {
        const char *text;
        double at; /* of rail */
    } pairs[] = {{TWINS("0.5", "0", "4.5"), 0},
                 {TWINS("0.5", "-1", "9"), 0},
                 {TWINS("0.5", "0.25", "9"), 0.5},
                 {TWINS("-2", "-18", "0"), 0},
                 {TWINS("-2", "-18", "-1"), 0.5}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        const urdf_last x = urdf_run(pairs[k].text, "-p limits=2 -p restitution=0.5 -p rail=1 --t-end 5");
        urdf_expect(x.p[0], pairs[k].at, 1e-8);
        urdf_expect(x.v[0], 0, 1e-8);
        assert_true(x.events < 60);
    }
}

/* An arm with a hand, both fingers of which move as one and have the same limits: they knock on them in a swing. */
static const char hand[] =
    "<robot name='arm'><link name='wall'/><link name='rod'><inertial><origin xyz='0.03 -0.44 0.01'/><mass"
    " value='12'/><inertia ixx='0.56' iyy='0.1' izz='0.57' ixy='0.03' ixz='0' iyz='0.02'/></inertial>"
    "</link><link name='left'><inertial><origin xyz='0 0 0'/><mass value='0.015'/><inertia ixx='2e-6'"
    " iyy='2e-6' izz='1e-6' ixy='0' ixz='0' iyz='0'/></inertial></link><link name='right'><inertial>"
    "<origin xyz='0 0 0'/><mass value='0.015'/><inertia ixx='2e-6' iyy='2e-6' izz='1e-6' ixy='0' ixz='0'"
    " iyz='0'/></inertial></link>"
    "<joint name='swing' type='revolute'><parent link='wall'/><child link='rod'/><origin xyz='0 0 0.3'"
    " rpy='-1.5708 0 0'/><axis xyz='0 0 1'/><limit lower='-1.76' upper='1.76' effort='0' velocity='0'/>"
    "</joint>"
    "<joint name='open' type='prismatic'><parent link='rod'/><child link='left'/><origin xyz='0.09 -0.53"
    " 0' rpy='-1.5708 -0.7854 0'/><axis xyz='0 1 0'/><dynamics damping='0.3'/><limit lower='0'"
    " upper='0.04' effort='0' velocity='0'/></joint>"
    "<joint name='too' type='prismatic'><parent link='rod'/><child link='right'/><origin xyz='0.09 -0.53"
    " 0' rpy='-1.5708 -0.7854 0'/><axis xyz='0 -1 0'/><dynamics damping='0.3'/><limit lower='0'"
    " upper='0.04' effort='0' velocity='0'/><mimic joint='open'/></joint></robot>";

COMMAND_CLAIM(fingers_that_share_a_limit_do_not_open_and_close_in_turn)
{
    const urdf_last x = urdf_run(hand, "-p limits=2 --t-end 2");
    assert_true(x.events < 100);
}

COMMAND_CLAIM(limits_that_are_no_range_are_refused)
{
    const char *equal = "line 3: joint rail: its limits are equal; give lower < upper, or fix it by type";
    const char *down = "line 3: joint rail: its lower limit exceeds its upper limit; exchange lower and upper";
    urdf_expect_refusal(SLIDE("0.5", "0.5"), "-p limits=1", equal);
    urdf_expect_refusal(SLIDE("0.5", "0.5"), "-p stop_stiffness=1", equal);
    urdf_expect_refusal(SLIDE("1", "-1"), "-p limits=2", down);
    urdf_expect_refusal(SLIDE("1", "-1"), "-p stop_stiffness=1", down);
    urdf_expect_refusal(SLIDE("-1", "1"), "-p limits=2 -p stop_stiffness=1", "limits = 2 and stop_stiffness: a joint");
    urdf_expect(urdf_run(SLIDE("0.5", "0.5"), "--t-end 1").p[0], 0.5 - G / 2, 1e-6); /* by themselves they do nothing */
}
