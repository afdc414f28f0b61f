/* test_urdf_joints.c - planar and floating joints, beside closed forms. */
#include "urdf_fixture.h"
#include "test/fixtures/file_util.h"

/* Run arm.urdf to an output at its end, and read x [n] there: the time, then these columns. */
static void run_columns(const char *options, const char *columns, double *x, int n)
{
    const char *line =
        claims_text("solve arm.urdf %s --points 1 --out a.csv --rtol 1e-9 --atol 1e-9 --columns %s", options, columns);
    command_run_well(line);
    test_file csv = test_file_read("a.csv");
    assert_int_equal(command_csv_row(csv.bytes, 1, x, n), n);
}

/* The parent turns about y by u = 0.4 + 0.5 t, and the joint is at (0.2, 0, -1) there, turned by a right angle about z.
 * The ball begins at (0.1, 0.3, 0.2) of the joint with the velocity (1, 2, 3), and turns about x of the joint, which is
 * y of the parent, by 0.7 rad/s: the world sees 1.2 rad/s. */
COMMAND_CLAIM(a_link_on_a_floating_joint_falls_and_spins_freely)
{
    const double r[3] = {0.2 - 0.3, 0.1, -1 + 0.2}, rate = 0.5, s = sin(0.4), c = cos(0.4);
    const double v[3] = {-2 + rate * r[2], 1, 3 - rate * r[0]}; /* in the axes of the parent */
    double x[10];
    urdf_write_arm(ROBOT("<link name='wall'/>" LINK("rod", "1", "-0.5", "0.1") LINK("ball", "2", "0", "0.3")
                             JOINT("hinge", "continuous", "wall", "rod", "0 1 0", "")
                                 JOINT("free", "floating", "rod", "ball", "1 0 0",
                                       "<origin xyz='0.2 0 -1' rpy='0 0 1.5707963267948966'/>")));
    urdf_write("motion.csv", "t,hinge\n0,0.4\n1,0.9\n");
    run_columns("--motion motion.csv -p free_x=0.1 -p free_y=0.3 -p free_z=0.2 -p free_x.v=1 -p free_y.v=2 "
                "-p free_z.v=3 -p free_turn_x.v=0.7",
                "out.ball.x,out.ball.y,out.ball.z,out.ball.roll,out.ball.pitch,out.ball.yaw,out.ball.vx,out.ball.vz,"
                "out.ball.wy",
                x, 10);
    urdf_expect(x[1], c * (r[0] + v[0]) + s * (r[2] + v[2]), 1e-6);
    urdf_expect(x[2], r[1] + v[1], 1e-6);
    urdf_expect(x[3], -s * (r[0] + v[0]) + c * (r[2] + v[2]) - G / 2, 1e-6);
    urdf_expect(x[4], 0.4 + 1.2, 1e-6); /* Ry(1.6) Rz(90 degrees) = Rz(90 degrees) Rx(1.6) */
    urdf_expect(x[5], 0, 1e-6);
    urdf_expect(x[6], acos(-1) / 2, 1e-6);
    urdf_expect(x[7], c * v[0] + s * v[2], 1e-6);
    urdf_expect(x[8], -s * v[0] + c * v[2] - G, 1e-6);
    urdf_expect(x[9], 1.2, 1e-6);
}

/* The rotation n from z to (1, 2, 2)/3 moves x to (14, -2, -5)/15 and y to (-2, 11, -10)/15. A point at 1 m along x of
 * the link turns about n. */
COMMAND_CLAIM(the_plane_of_a_planar_joint_is_normal_to_its_axis)
{
    const double n[3] = {1.0 / 3, 2.0 / 3, 2.0 / 3}, turn[3] = {0, n[2], -n[1]}; /* turn: n x (1, 0, 0) */
    double x[7];
    urdf_write_arm(ROBOT("<link name='wall'/>" LINK("puck", "1", "0", "0.1") LINK("edge", "1", "0", "0.1")
                             JOINT("slip", "planar", "wall", "puck", "1 2 2", "")
                                 JOINT("fix", "fixed", "puck", "edge", "1 0 0", "<origin xyz='1 0 0'/>")));
    run_columns("-p gravity=0 -p slip_x=0.3 -p slip_y=-0.2 -p slip_turn=0.5",
                "out.puck.x,out.puck.y,out.puck.z,out.edge.x,out.edge.y,out.edge.z", x, 7);
    const double place[3] = {(0.3 * 14 + 0.2 * 2) / 15, (-0.3 * 2 - 0.2 * 11) / 15, (-0.3 * 5 + 0.2 * 10) / 15};
    for (int i = 0; i < 3; i++) {
        urdf_expect(x[1 + i], place[i], 1e-12);
        const double edge = cos(0.5) * (i == 0) + sin(0.5) * turn[i] + (1 - cos(0.5)) * n[0] * n[i];
        urdf_expect(x[4 + i] - x[1 + i], edge, 1e-12);
    }
}

/* m x'' = m g_x - d x', (I/d) turn' falls as exp(-d t/I); gravity along z has no effect. About -z the link is not
 * upside down: x remains x. */
COMMAND_CLAIM(a_planar_joint_slides_and_turns_with_damping)
{
    static const char *const axes[] = {"0 0 1", "0 0 -1"};
    for (int i = 0; i < 2; i++) {
        const char *text =
            claims_text(ROBOT("<link name='wall'/>" LINK("puck", "2", "0", "0.5") JOINT(
                            "slip", "planar", "wall", "puck", "%s", "<dynamics damping='0.6'/><origin xyz='0 0 1'/>")),
                        axes[i]);
        const urdf_last x = urdf_run(text, "-p gravity_x=1.5 -p slip_turn.v=2 -p slip_y.damping=0 -p slip_y.v=1");
        urdf_expect(x.v[0], 2 * 1.5 / 0.6 * (1 - exp(-0.3)), 1e-7);
        urdf_expect(x.p[1], 1, 1e-7);
        urdf_expect(x.v[2], 2 * exp(-1.2), 1e-7);
    }
}

/* Six rows for six coordinates: none is redundant. The body of 3 kg is 1 m from the hinge, in line with the arm of
 * 1 kg, and turned: I q'' = -c g sin q, I = 1/3 + 0.2 + 3, c = 0.5 + 3. */
COMMAND_CLAIM(a_link_welded_to_an_arm_moves_with_it)
{
    const double K_30 = 1.6857503548125961, a = acos(-1) / 3, period = 4 * K_30 * sqrt((1.0 / 3 + 3.2) / (3.5 * G));
    static const char *const forms[] = {"ggl", "index1", "index2", "baumgarte"};
    const char text[] = ROBOT("<link name='wall'/>" LINK("arm", "1", "-0.5", "0.08333333333333333")
                                  LINK("body", "3", "0", "0.2") JOINT("hinge", "continuous", "wall", "arm", "0 1 0", "")
                                      JOINT("free", "floating", "wall", "body", "1 0 0", ""));
    /* The origin of the body, seen from the arm: (0, 0.3, -1). */
    urdf_write("weld.csv", "link_a,x_a,y_a,z_a,link_b,x_b,y_b,z_b,along\narm,0,0.3,-1,body,0,0,0,weld\n");
    const char *place = claims_text("--loops weld.csv -p hinge=%.17g -p free_x=%.17g -p free_y=0.3 -p free_z=%.17g "
                                    "-p free_turn_x=-0.4 -p free_turn_z=0.7",
                                    a, -sin(a), -cos(a));
    for (int i = 0; i < 4; i++) {
        const urdf_last x = urdf_run(text, claims_text("%s --form %s --t-end %.17g", place, forms[i], period));
        urdf_expect(x.p[6], a, 1e-6); /* after the coordinates of the body */
        urdf_expect(x.p[0], -sin(a), 1e-6);
        urdf_expect(x.p[3], -0.4, 1e-6);
    }
    command_run_well(claims_text("check arm.urdf %s", place));
}

COMMAND_CLAIM(a_quarter_turn_of_a_floating_joint_about_y_is_named)
{
    urdf_expect_refusal(ROBOT("<link name='wall'/>" LINK("ball", "1", "0", "0.1")
                                  JOINT("free", "floating", "wall", "ball", "1 0 0", "")),
                        "-p free_turn_y=1.5707963267948966", "its rotations are singular: a quarter turn about y");
}

/* Whether the base is free or fixed, a parameter has the same name. */
COMMAND_CLAIM(names_of_coordinates_are_unique)
{
    const char text[] = ROBOT(LINK("world", "1", "0", "0.1") LINK("base_x", "1", "0", "0.1") LINK("c", "1", "0", "0.1")
                                  JOINT("base", "floating", "world", "base_x", "1 0 0", "")
                                      JOINT("base_turn", "floating", "base_x", "c", "1 0 0", ""));
    urdf_expect(urdf_run(text, "-p gravity=0 -p base_x_=0.4").p[0], 0.4, 1e-9);
    urdf_expect(urdf_run(text, "-p gravity=0 -p base_turn_x__=0.4").p[6], 0.4, 1e-9);
    urdf_expect(urdf_run(text, "-p gravity=0 -p base_x_=0.4 -p base=free").p[6], 0.4, 1e-9);
}
