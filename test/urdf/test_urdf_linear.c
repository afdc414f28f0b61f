/* test_urdf_linear.c - linear models of robots through the command, and warnings of their states. */
#include "urdf_fixture.h"

#define CAR(limits, i)                                                                                                 \
    ROBOT("<link name='wall'/>" i JOINT("rail", "prismatic", "wall", "car", "1 0 0",                                   \
                                        "<limit " limits " effort='1' velocity='1'/>"))
#define BODY(ixx)                                                                                                      \
    "<link name='car'><inertial><mass value='1'/><inertia ixx='" ixx                                                   \
    "' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>"

#define ODD(name)                                                                                                      \
    "<link name='" name "'><inertial><mass value='1'/><inertia ixx='2.1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"    \
    "</inertial></link>"
#define ON(name, parent) JOINT("on_" name, "continuous", parent, name, "0 1 0", "<origin xyz='0 0 1'/>")

/* Pitched by a quarter turn, a link has no roll and yaw of its own. */
COMMAND_CLAIM(roll_and_yaw_have_no_derivative_where_they_are_not_unique)
{
    urdf_write_arm(ROBOT("<link name='wall'/>" LINK("rod", "1", "-0.5", "0.1") JOINT(
        "hinge", "continuous", "wall", "rod", "0 1 0", "<origin rpy='0 1.5707963267948966 0'/>")));
    command_result r = command_run("linearize arm.urdf -p gravity=0 --format json");
    assert_int_equal(r.code, 0);
    command_expect_words(r.err.bytes, "is not in the linear model: it jumps at the state");
}

/* A joint that is moved leaves nothing free: it follows its input, whose name it has. */
COMMAND_CLAIM(what_is_moved_answers_its_motion_alone)
{
    urdf_write_arm(urdf_rod);
    urdf_write("motion.csv", "t,hinge\n0,0.5\n1,0.5\n");
    command_result r = command_run_well("response arm.urdf --motion motion.csv --from u.hinge --to hinge,hinge.v "
                                        "--range 1:2 --points 2");
    command_expect_words(r.out.bytes, "|hinge|/(rad/rad)  phase/deg  |hinge.v|/((rad/s)/rad)  phase/deg");
    command_expect_words(r.out.bytes, "                  1       0.00                  6.28319      90.00");
}

COMMAND_CLAIM(odd_inertias_and_joints_beyond_their_limits_are_warnings)
{
    const char *line = claims_text("solve %s --t-end 0.1", urdf_write_arm(CAR("lower='-1' upper='1'", BODY("2.1"))));
    command_result r = command_run_well(line);
    command_expect_words(r.out.bytes,
                         "link car: a principal moment of its inertia is larger than the sum of the others");
    line = claims_text("check %s",
                       urdf_write_arm(ROBOT("<link name='wall'/>" ODD("a") ODD("b") LINK("c", "1", "1", "1") ODD("d")
                                                ON("a", "wall") ON("b", "a") ON("c", "b") ON("d", "c"))));
    r = command_run_well(line); /* the mass matrix is positive definite */
    command_expect_words(r.out.bytes,
                         "warn  arm.urdf               values             residual: links a, b, d: a principal "
                         "moment of its inertia is larger than the sum of the others");
    line = claims_text("solve %s -p limits=1 -p rail=2 --t-end 0.1 ",
                       urdf_write_arm(CAR("lower='-1' upper='1'", BODY("2"))));
    r = command_run_well(line);
    command_expect_words(r.out.bytes, "rail is at 2, beyond rail.upper = 1");
    assert_null(strstr(r.out.bytes, "principal moment"));
    r = command_run("equilibrium arm.urdf -p limits=1 -p rail=-2");
    command_expect_words(r.err.bytes, "rail is at -2, beyond rail.lower = -1");
}

/* 2 kg without friction: a = 3 t up to t = 1, then -1, which leads from x = 1/2, v = 3/2 to x = 3/2, v = 1/2 at t = 2.
 * The jump is no event. */
COMMAND_CLAIM(torques_of_a_file_push_and_are_inputs)
{
    static const char text[] = ROBOT("<link name='wall'/>" LINK("car", "2", "0", "1") JOINT(
        "rail", "prismatic", "wall", "car", "1 0 0", "<limit effort='0' velocity='0'/>"));
    urdf_write("push.csv", "t,rail\n0,0\n1,6\n1,-2\n2,-2\n");
    const urdf_last x = urdf_run(text, "--torques push.csv");
    urdf_expect(x.p[0], 1.5, 1e-8);
    urdf_expect(x.v[0], 0.5, 1e-8);
    urdf_expect(x.events, 0, 0);
    const urdf_last behind = urdf_run(text, "--torques push.csv --t-end 3"); /* the last value stays */
    urdf_expect(behind.v[0], -0.5, 1e-8);
    urdf_write("arm.urdf", text);
    json_t *row = command_json("solve arm.urdf --torques push.csv --format json --quiet", 0);
    assert_int_equal(json_array_size(json_object_get(row, "event_list")), 0);
    urdf_expect(command_number(row, "error_test_fails"), 0, 0); /* no step goes across */
    command_result r = command_run_well("response arm.urdf --torques push.csv --from u.rail --to rail.v "
                                        "--range 1:2 --points 2");
    command_expect_words(r.out.bytes, "|rail.v|/((m/s)/N)");
    command_expect_words(r.out.bytes, " 0.0795775     -90.00"); /* 1/(2 2 pi) */
}
