/* test_urdf_loops.c - planar and spherical linkages whose loops are closed by balls: the constraint across the plane,
 * or along the radius, is rounding alone. They must move as with a hinge, which has the other two rows. */
#include "urdf_fixture.h"

#include "test/fixtures/file_util.h"

enum { TEXT = 4096, LINKAGES = 12 };

#define ROD(name)                                                                                                      \
    "<link name='" name                                                                                                \
    "'><inertial><origin xyz='%g 0 0'/><mass value='%g'/><inertia ixx='1e-4' iyy='0.02' izz='0.03' "                   \
    "ixy='0' ixz='0' iyz='0'/></inertial></link>"
#define HINGE(name, from, to, axis)                                                                                    \
    "<joint name='" name "' type='continuous'><origin xyz='%.15g 0 0' rpy='0 %.15g 0'/><parent link='" from            \
    "'/><child link='" to "'/><axis xyz='" axis "'/></joint>"

static double between(double from, double to)
{
    return from + (to - from) * rand() / RAND_MAX;
}

/* The loop by a ball, and by a hinge. */
static void write_loops(const char *loop, const char *hinge)
{
    char text[256];
    snprintf(text, sizeof text, "link_a,x_a,y_a,z_a,link_b,x_b,y_b,z_b,along\n%sxyz\n", loop);
    urdf_write("ball.csv", text);
    snprintf(text, sizeof text, "link_a,x_a,y_a,z_a,link_b,x_b,y_b,z_b,along\n%s%s\n", loop, hinge);
    urdf_write("hinge.csv", text);
}

/* Two rods on one arm, one on the other, in a plane y = 0 that is tilted. */
static const char *planar(char text[TEXT])
{
    const double crank = between(0.25, 0.35), coupler = between(0.7, 0.9), rocker = between(0.5, 0.7);
    snprintf(text, TEXT,
             "<robot name='arm'><link name='world'/><link name='ground'/>" ROD("crank") ROD("coupler")
                 ROD("rocker") "<joint name='mount' type='fixed'><origin xyz='0.1 0.2 0' rpy='%.15g %.15g "
                               "%.15g'/><parent link='world'/>"
                               "<child link='ground'/></joint>" HINGE("q1", "ground", "crank", "0 1 0")
                                   HINGE("q2", "crank", "coupler", "0 1 0")
                                       HINGE("q3", "ground", "rocker", "0 1 0") "</robot>",
             crank / 2, between(0.5, 2), coupler / 2, between(0.5, 2), rocker / 2, between(0.5, 2), between(-3, 3),
             between(-1, 1), between(-3, 3), 0.0, 0.0, crank, 0.0, 0.7, 0.0);
    char loop[128];
    snprintf(loop, sizeof loop, "coupler,%.15g,0,0,rocker,%.15g,0,0,", coupler, rocker);
    write_loops(loop, "xz");
    return text;
}

/* Three hinges about axes through the origin, and a ball at 0.7 m from it: Ry(b) Rz(q) turns each on. The last one is
 * where the ball of the others is. start [128] */
static const char *spherical(char text[TEXT], char start[128])
{
    const double q1 = between(-1, 1), q2 = between(-1, 1), b1 = between(-0.2, 0.2), b2 = between(0.4, 0.8);
    const double x = cos(b2) * cos(q2), y = sin(q2), z = -sin(b2) * cos(q2); /* Ry(b2) Rz(q2) e_x */
    const double x1 = cos(q1) * x - sin(q1) * y, y1 = sin(q1) * x + cos(q1) * y;
    const double q3 = asin(y1), b3 = atan2(-(cos(b1) * z - sin(b1) * x1), cos(b1) * x1 + sin(b1) * z);
    snprintf(text, TEXT,
             "<robot name='arm'><link name='ground'/>" ROD("crank") ROD("coupler") ROD("rocker")
                 HINGE("q1", "ground", "crank", "0 0 1") HINGE("q2", "crank", "coupler", "0 0 1")
                     HINGE("q3", "ground", "rocker", "0 0 1") "</robot>",
             0.3, between(0.5, 2), 0.35, between(0.5, 2), 0.25, between(0.5, 2), 0.0, b1, 0.0, b2, 0.0, b3);
    write_loops("coupler,0.7,0,0,rocker,0.7,0,0,", "yz");
    snprintf(start, 128, "-p q1=%.17g -p q2=%.17g -p q3=%.17g", q1, q2, q3);
    return text;
}

/* Fail unless both loops move alike, from the same start. */
static void check_alike(const char *text, const char *start, const char *form)
{
    char options[256];
    snprintf(options, sizeof options, "--loops hinge.csv %s --form %s --t-end 0.5", start, form);
    const urdf_last hinge = urdf_run(text, options);
    snprintf(options, sizeof options, "--loops ball.csv %s --form %s --t-end 0.5", start, form);
    const urdf_last ball = urdf_run(text, options);
    for (int i = 0; i < 3; i++) urdf_expect(ball.p[i], hinge.p[i], 1e-6);
}

CLAIM(a_ball_in_a_planar_loop_moves_as_a_hinge_does)
{
    char text[TEXT];
    srand(1);
    for (int i = 0; i < LINKAGES; i++)
        check_alike(planar(text), "-p q1=-1.2 -p q2=0.8 -p q3=-1.3", i % 3 ? "ggl" : "index1");
}

CLAIM(a_ball_in_a_spherical_loop_moves_as_a_hinge_does)
{
    char text[TEXT], start[128];
    srand(2);
    for (int i = 0; i < LINKAGES; i++) {
        const char *robot = spherical(text, start);
        check_alike(robot, start, i % 3 ? "ggl" : "index2");
    }
}
