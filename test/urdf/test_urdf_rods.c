/* test_urdf_rods.c - rods and welds that close loops, beside closed forms and an integration of the equations in joint
 * coordinates. A hinge about y moves the end (0, 0, -1) to (-sin q, 0, -cos q), one about x to (0, sin q, -cos q). */
#include "test/fixtures/oracle.h"
#include "urdf_fixture.h"
#include "test/fixtures/file_util.h"

#define HEAD "link_a,x_a,y_a,z_a,link_b,x_b,y_b,z_b,along"

/* Pendulums of 1 m, 1 m apart: the moment of inertia of the first one about its hinge is I1, that of the second one I2;
 * the masses times the distances of their centres are C1 and C2. */
#define I1 (1.0 / 3)
#define C1 0.5
#define I2 3.1
#define C2 3.0
#define ARMS(axis, place)                                                                                              \
    ROBOT("<link name='wall'/>" LINK("left", "1", "-0.5", "0.08333333333333333") LINK("right", "3", "-1", "0.1")       \
              JOINT("q", "continuous", "wall", "left", "0 1 0", "")                                                    \
                  JOINT("s", "continuous", "wall", "right", axis, "<origin xyz='" place "'/>"))
static const char planar[] = ARMS("0 1 0", "1 0 0"), spatial[] = ARMS("1 0 0", "1 0 0"),
                  coaxial[] = ARMS("0 1 0", "0 1 0");

/* Return the period of I q'' = -c g sin q with this amplitude: 4 K sqrt(I/(c g)), K = pi/2 / agm(1, cos(amplitude/2)).
 */
static double period(double I, double c, double amplitude)
{
    double a = 1, b = cos(amplitude / 2);
    for (int k = 0; k < 6; k++) {
        const double mean = (a + b) / 2;
        b = sqrt(a * b);
        a = mean;
    }
    return 2 * acos(-1) / a * sqrt(I / (c * G));
}

/* The tension T pulls the left end along x: I1 q'' = -C1 g sin q - T cos q. */
COMMAND_CLAIM(a_rod_closes_a_parallelogram_and_its_multiplier_is_its_tension)
{
    const double amplitude = 1, qdd = -(C1 + C2) * G / (I1 + I2) * sin(amplitude);
    urdf_write("rod.csv", HEAD "\nleft,0,0,-1,right,0,0,-1,rod\n");
    const urdf_last x = urdf_run(
        planar, claims_text("--loops rod.csv -p q=1 -p s=1 --t-end %.17g", period(I1 + I2, C1 + C2, amplitude)));
    for (int i = 0; i < 2; i++) {
        urdf_expect(x.p[i], amplitude, 1e-7);
        urdf_expect(x.v[i], 0, 1e-6);
    }
    urdf_expect(x.lam[0], (-C1 * G * sin(amplitude) - I1 * qdd) / cos(amplitude), 1e-4);
    command_run_well("check arm.urdf --loops rod.csv -p q=1 -p s=0.5");
    command_run_well("solve arm.urdf --loops rod.csv -p q=1 -p s=1 --animate page.html --t-end 0.1");
    command_expect_words(test_file_read("page.html").bytes, "\"rod\"");
}

/* Compute q'' and s'' of the spatial linkage. The ends are P = (-sin q, 0, -cos q), R = (1, sin s, -cos s), d = R - P;
 * J is d(d'd/2)/d(q, s), and J (q'', s'') = -d'd/dt of it at constant speed. */
static void accelerate(double t, const double *x, double *xp, const void *user)
{
    const double sq = sin(x[0]), cq = cos(x[0]), ss = sin(x[1]), cs = cos(x[1]), v = x[2], w = x[3];
    const double d[3] = {1 + sq, ss, cq - cs}, rate[3] = {cq * v, cs * w, ss * w - sq * v};
    const double J[2] = {d[0] * cq - d[2] * sq, d[1] * cs + d[2] * ss};
    const double curve = d[0] * -sq * v * v + d[1] * -ss * w * w + d[2] * (cs * w * w - cq * v * v) +
                         rate[0] * rate[0] + rate[1] * rate[1] + rate[2] * rate[2];
    const double free[2] = {-C1 * G * sq / I1, -C2 * G * ss / I2};
    const double lam = (J[0] * free[0] + J[1] * free[1] + curve) / (J[0] * J[0] / I1 + J[1] * J[1] / I2);
    xp[0] = v, xp[1] = w;
    xp[2] = free[0] - J[0] * lam / I1, xp[3] = free[1] - J[1] * lam / I2;
}

/* The length is that of the start, or that of the file. The ends are sqrt((1 + sin q)^2 + sin^2 s + (cos q - cos s)^2)
 * apart. With another length the start moves. */
COMMAND_CLAIM(a_rod_between_crossed_hinges_moves_as_in_joint_coordinates)
{
    double end[4] = {0.7, -0.4, 0, 0};
    const double across = cos(end[0]) - cos(end[1]);
    const double length = sqrt(pow(1 + sin(end[0]), 2) + pow(sin(end[1]), 2) + across * across);
    oracle_integrate(accelerate, NULL, 4, 0, 1, 4000, end);
    for (int is_given = 0; is_given < 2; is_given++) {
        urdf_write("rod.csv", is_given ? claims_text(HEAD ",length\nleft,0,0,-1,right,0,0,-1,rod,%.17g\n", length)
                                       : HEAD ",length\nleft,0,0,-1,right,0,0,-1,rod,\n");
        const urdf_last x = urdf_run(spatial, "--loops rod.csv -p q=0.7 -p s=-0.4");
        for (int i = 0; i < 2; i++) {
            urdf_expect(x.p[i], end[i], 1e-7);
            urdf_expect(x.v[i], end[2 + i], 1e-6);
        }
    }
    command_run_well("check arm.urdf --loops rod.csv -p q=0.3 -p s=0.9 -p s.v=1");
    urdf_write("rod.csv", HEAD ",length\nleft,0,0,-1,right,0,0,-1,rod,1.6\n");
    command_result r = command_run("solve arm.urdf --loops rod.csv -p q=0.6 -p s=0.2");
    assert_int_equal(r.code, 0);
    command_expect_words(r.out.bytes, "start: ");
}

/* Hinges on one axis: both arms move as one body, with I1 + I2 and centres that differ by an angle. Of the six rows,
 * five are redundant. */
COMMAND_CLAIM(welded_arms_move_as_one_body)
{
    const double between = 0.8, C = sqrt(C1 * C1 + C2 * C2 + 2 * C1 * C2 * cos(between));
    const double ahead = atan2(C2 * sin(between), C1 + C2 * cos(between)), amplitude = 1;
    urdf_write("weld.csv", claims_text(HEAD "\nleft,0,0.4,-0.3,right,%.17g,-0.6,%.17g,weld\n", 0.3 * sin(between),
                                       -0.3 * cos(between)));
    const char *options = claims_text("--loops weld.csv --drop-redundant -p q=%.17g -p s=%.17g --t-end %.17g",
                                      amplitude - ahead, amplitude - ahead + between, period(I1 + I2, C, amplitude));
    const urdf_last x = urdf_run(coaxial, options);
    urdf_expect(x.p[0], amplitude - ahead, 1e-6);
    urdf_expect(x.p[1] - x.p[0], between, 1e-8);
    command_run_well("check arm.urdf --loops weld.csv -p q=0.3 -p s=1.1 -p s.v=1 --drop-redundant");
}

/* Three rods from one arm to the other: each has its multiplier. */
COMMAND_CLAIM(closures_between_the_same_links_have_names_of_their_own)
{
    urdf_write("arm.urdf", coaxial);
    urdf_write("rods.csv", HEAD "\nleft,0,0,-1,right,0,0,-1,rod\nright,0,0,-1,left,0,0,-0.5,rod\n"
                                "left,0,0.1,-1,right,0,0,-1,rod\n");
    command_run_well("solve arm.urdf --loops rods.csv --drop-redundant -p s=0.8 --t-end 0.1 --points 1 --out a.csv "
                     "--columns lam.*");
    command_expect_words(test_file_read("a.csv").bytes,
                         "t,lam.left-right.rod,lam.right-left.rod,lam.left-right_2.rod\n");
}

/* A parallelogram with a fixed corner. */
COMMAND_CLAIM(a_welded_frame_does_not_move)
{
    urdf_write("weld.csv", HEAD "\nbar,1,0,0,other,0,0,-1,weld\n");
    const urdf_last x =
        urdf_run(urdf_bars, "--loops weld.csv --drop-redundant -p hinge=0.5 -p second=0.5 -p knee=-0.5");
    for (int i = 0; i < 3; i++) {
        urdf_expect(fabs(x.p[i]), 0.5, 1e-9);
        urdf_expect(x.v[i], 0, 1e-9);
    }
}

/* At a constant angle the drive supports both arms. */
COMMAND_CLAIM(a_drive_moves_what_a_weld_and_a_rod_connect)
{
    static const char *const loops[] = {"left,0,0.5,0,right,0,-0.5,0,weld", "left,0,0,-1,right,0,0,-1,rod"};
    double x[3];
    for (int is_rod = 0; is_rod < 2; is_rod++) {
        urdf_write("loops.csv", claims_text(HEAD "\n%s\n", loops[is_rod]));
        urdf_write("motion.csv", "t,q\n0,0.4\n1,0.4\n");
        urdf_write_arm(is_rod ? planar : coaxial);
        command_run_well("solve arm.urdf --loops loops.csv --motion motion.csv -p s=0.4 --drop-redundant --out a.csv "
                         "--points 1 --columns out.q.drive,p.s");
        test_file csv = test_file_read("a.csv");
        assert_int_equal(command_csv_row(csv.bytes, 1, x, 3), 3);
        urdf_expect(x[1], (C1 + C2) * G * sin(0.4), 1e-6);
        urdf_expect(x[2], 0.4, 1e-8);
    }
}

static void expect_bad_line(const char *line, const char *words)
{
    urdf_write("loops.csv", claims_text(HEAD ",length\n%s\n", line));
    urdf_expect_refusal(planar, "--loops loops.csv", words);
}

COMMAND_CLAIM(rods_and_welds_that_are_wrong_are_refused_by_line)
{
    expect_bad_line("left,0,0,-1,right,0,0,-1,rope,", "line 2: along = \"rope\" must consist of x, y, z, or be rod or "
                                                      "weld");
    expect_bad_line("left,0,0,-1,right,0,0,-1,rod,0", "line 2: length must be greater than 0");
    expect_bad_line("left,0,0,-1,right,0,0,-1,rod,long", "line 2: length = \"long\" is not a finite number");
    expect_bad_line("left,0,0,-1,right,0,0,-1,weld,1", "line 2: length is not empty, but along is not rod");
    expect_bad_line("left,1,0,0,right,0,0,0,rod,", "the ends of the rod left-right coincide at the start");
    expect_bad_line("left,1,0,0,right,0,0,0,rod,2", "the ends of the rod left-right coincide at the start");
}
