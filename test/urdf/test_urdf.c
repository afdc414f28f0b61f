/* test_urdf.c - descriptions of robots through the command: motions with closed forms, and what is refused. */
#include "urdf_fixture.h"

/* A rod of 1 m and 1 kg on a hinge, hanging along -z at 0; then a slide along it with a mass of 2 kg. */
static const char flying[] = ROBOT(LINK("body", "3", "0.2", "0.1") LINK("rod", "1", "-0.5", "0.08333333333333333")
                                       JOINT("hinge", "continuous", "body", "rod", "0 1 0", ""));
static const char damped[] = ROBOT("<link name='wall'/>" LINK("rod", "1", "-0.5", "0.08333333333333333") JOINT(
    "hinge", "revolute", "wall", "rod", "0 1 0",
    "<limit lower='-0.5' upper='0.5' effort='1' velocity='1'/><dynamics damping='0.3'/>"));
static const char slide[] =
    ROBOT("<link name='wall'/>" LINK("car", "2", "0", "1") JOINT("rail", "prismatic", "wall", "car", "1 0 0",
                                                                 "<limit lower='-9' upper='9' effort='1' velocity='1'/>"
                                                                 "<dynamics damping='0' friction='4'/>"));

static const char closing[] = "# the far end of the bar\nlink_a,x_a,y_a,z_a,link_b,x_b,y_b,z_b,along\n"
                              "bar, 1, 0, 0, other, 0, 0, -1, xz\n";

COMMAND_CLAIM(a_rod_swings_with_its_period)
{
    const double period = 4 * K_45 * sqrt(2 / (3 * G));
    const urdf_last x = urdf_run(urdf_rod, claims_text("-p hinge=%.17g --t-end %.17g", acos(-1) / 2, period));
    urdf_expect(x.p[0], acos(-1) / 2, 1e-6);
    urdf_expect(x.v[0], 0, 1e-6);
}

COMMAND_CLAIM(damping_of_a_joint_is_that_of_the_description)
{
    const urdf_last x = urdf_run(damped, "-p gravity=0 -p hinge.v=2 --t-end 1");
    urdf_expect(x.v[0], 2 * exp(-0.3 * 3), 1e-6); /* I = 1/3 */
    urdf_expect(x.p[0], 2 / 0.9 * (1 - exp(-0.9)), 1e-6);
}

COMMAND_CLAIM(dry_friction_stops_a_slide)
{
    const urdf_last x = urdf_run(slide, "-p rail.v=3 -p smoothing=1e-4 --t-end 1"); /* 3 - 2 t, beyond the smoothing */
    urdf_expect(x.v[0], 1, 1e-3);
    urdf_expect(x.p[0], 2, 1e-3);
}

COMMAND_CLAIM(limits_are_events_on_request)
{
    const char *turn = "-p gravity=0 -p hinge.v=2 --t-end 1";
    urdf_expect(urdf_run(damped, turn).events, 0, 0);
    urdf_expect(urdf_run(damped, claims_text("%s -p limits=1", turn)).events, 1, 0);
}

/* Their common centre: 3 kg are 0.2 m above the hinge, 1 kg half a metre below it. */
COMMAND_CLAIM(a_free_base_falls_and_keeps_its_momentum)
{
    const urdf_last x = urdf_run(flying, "-p base=free -p hinge.v=1 --t-end 1");
    const double base = x.p[4], rod_angle = base + x.p[6], turn = x.v[4], rod_turn = turn + x.v[6];
    urdf_expect(x.p[2] + 0.15 * cos(base) - 0.125 * cos(rod_angle), 0.025 - G / 2, 1e-6);
    urdf_expect(x.v[2] - 0.15 * sin(base) * turn + 0.125 * sin(rod_angle) * rod_turn, -G, 1e-6);
    urdf_expect(x.v[0] + 0.15 * cos(base) * turn - 0.125 * cos(rod_angle) * rod_turn, -0.125, 1e-6);
    assert_true(fabs(x.p[4]) > 0.01); /* the base turns, too */
}

/* Links may have the names that the motions of a free base would take. */
COMMAND_CLAIM(a_free_root_may_have_any_name)
{
    static const char *const names[] = {"world", "base_x", "base_turn_y"};
    for (int i = 0; i < 3; i++) {
        const char *text =
            claims_text(ROBOT("<link name='%s'/>" LINK("body", "2", "0", "1") LINK("world&apos;", "1", "-0.5", "0.1")
                                  JOINT("f", "fixed", "%s", "body", "1 0 0", "")
                                      JOINT("hinge", "continuous", "body", "world&apos;", "0 1 0", "")),
                        names[i], names[i]);
        const urdf_last x = urdf_run(text, "-p base=free --t-end 1");
        urdf_expect(x.p[2], -G / 2, 1e-6);
        urdf_expect(x.p[6], 0, 1e-9);
    }
}

/* The spline through (0, 0), (1, 1), (2, 0) has u'' = -3 in the middle; at t = 0.5 u = 11/16, u' = 9/8, u'' = -3/2. */
COMMAND_CLAIM(a_joint_is_moved_by_a_file_and_its_force_is_the_multiplier)
{
    urdf_write("motion.csv", "\xef\xbb\xbft,hinge\r\n0,0\r\n1,1\r\n2,0\r\n"); /* as spreadsheets write it */
    const urdf_last x = urdf_run(urdf_rod, "--motion motion.csv --t-end 0.5");
    urdf_expect(x.p[0], 11.0 / 16, 1e-9);
    urdf_expect(x.v[0], 9.0 / 8, 1e-9);
    urdf_expect(x.lam[0], -(-1.5 / 3 + G / 2 * sin(11.0 / 16)), 1e-6);
    urdf_expect(urdf_run(urdf_rod, "--motion motion.csv").p[0], 0, 1e-9);
    command_run_well("check arm.urdf --motion motion.csv"); /* du/dt and d2u/dt2 by differences */
}

/* Between two times a joint is at rest, or not: no step passes over one. */
COMMAND_CLAIM(no_step_passes_over_a_time_of_the_file)
{
    enum { ROWS = 500 };
    char text[ROWS * 20];
    size_t n = (size_t)snprintf(text, sizeof text, "t,hinge\n");
    for (int k = 0; k < ROWS; k++) n += (size_t)snprintf(text + n, sizeof text - n, "%d,0\n", k);
    urdf_write("motion.csv", text);
    urdf_write("arm.urdf", urdf_rod);
    json_t *row = command_json("solve arm.urdf --motion motion.csv --format json", 0);
    assert_true(command_number(row, "steps") >= ROWS - 1);
}

/* The bar stays level: (2/3 + 1) q'' = -2 g sin q. Down from 60 degrees and back; k = sin 30 degrees. */
COMMAND_CLAIM(a_parallelogram_is_closed_by_a_file)
{
    const double K_30 = 1.6857503548125961, amplitude = acos(-1) / 3, period = 4 * K_30 * sqrt(5.0 / 6 / G);
    urdf_write("closing.csv", closing);
    const char *options = claims_text("--loops closing.csv -p hinge=%.17g -p second=%.17g -p knee=%.17g --t-end %.17g",
                                      amplitude, amplitude, -amplitude, period);
    const urdf_last x = urdf_run(urdf_bars, options);
    for (int i = 0; i < 3; i++) urdf_expect(fabs(x.p[i]), amplitude, 1e-6);
    for (int i = 0; i < 3; i++) urdf_expect(x.v[i], 0, 1e-6);
    urdf_expect(x.p[0] + x.p[1] + x.p[2], amplitude, 1e-6); /* one of them is the knee */
}

/* A loop that the start does not close: a given position that moves is named, and the velocity. */
COMMAND_CLAIM(a_start_that_is_moved_onto_constraints_is_a_warning)
{
    urdf_write("closing.csv", closing);
    urdf_write_arm(urdf_bars);
    json_t *row = command_json("solve arm.urdf --loops closing.csv -p hinge=0.5 --format json --quiet", 0);
    const size_t n = json_array_size(json_object_get(row, "warnings"));
    assert_true(n >= 1 && n <= 2);
    const char *first = json_string_value(json_array_get(json_object_get(row, "warnings"), 0));
    command_expect_words(first, "start: hinge moves by ");
    command_expect_words(first, " from 0.5 at");
    command_expect_words(first, " at t = 0, to satisfy the constraints");
    command_result r = command_run_well("solve arm.urdf --loops closing.csv -p hinge=0.5 -p second=0.5 -p knee=-0.5");
    assert_null(strstr(r.out.bytes, "warning"));
    command_run_well("check arm.urdf --loops closing.csv -p hinge=0.5"); /* no fault of the model */
    r = command_run("solve arm.urdf --loops closing.csv -p hinge=0.5 --out - --quiet");
    assert_int_equal(r.code, 0);
    command_expect_words(r.err.bytes, "to satisfy the constraints");
    urdf_write("closing.csv", "link_a,x_a,y_a,z_a,link_b,x_b,y_b,z_b,along\nbar,3.5,0,0,other,0,0,-1,xz\n");
    r = command_run("solve arm.urdf --loops closing.csv -p hinge=0.5 --quiet");
    command_expect_words(r.err.bytes, ", of bar-other.x");
}

/* The driven rod takes the other one along. */
COMMAND_CLAIM(a_motor_moves_what_a_loop_closes)
{
    urdf_write("closing.csv", closing);
    urdf_write("motion.csv", "t,hinge\n0,0.2\n0.5,0.7\n1,1\n");
    const urdf_last x = urdf_run(urdf_bars, "--loops closing.csv --motion motion.csv -p second=0.2 -p knee=-0.2");
    for (int i = 0; i < 3; i++) urdf_expect(fabs(x.p[i]), 1, 1e-7);
}

/* One row of the loop follows from the motions; where these contradict it, dropping rows is no way out. */
COMMAND_CLAIM(dropping_constraints_is_offered_where_it_helps)
{
    static const char *const motions[] = {"t,hinge,second\n0,0.2,0.2\n1,0.2,0.2\n",
                                          "t,hinge,second\n0,0.2,0.3\n1,0.2,0.3\n"};
    static const char *const drop[] = {"", "--drop-redundant"};
    urdf_write_arm(urdf_bars);
    urdf_write("closing.csv", closing);
    for (int contradicts = 0; contradicts < 2; contradicts++) {
        urdf_write("motion.csv", motions[contradicts]);
        for (int drops = 0; drops < 2; drops++) {
            const char *line =
                claims_text("solve arm.urdf --loops closing.csv --motion motion.csv -p knee=-0.2 %s", drop[drops]);
            command_result r = command_run(line);
            assert_int_equal(r.code == 0, drops && !contradicts);
            assert_int_equal(strstr(r.out.bytes, "remedy") != NULL, !drops && !contradicts);
        }
    }
}

/* m q'' + 2 q' = 0 of the left finger, m = 0.2 + 0.3/4 + 20^2 I, I = 0.003 + 0.1 0.1^2 of the knob without gravity. */
COMMAND_CLAIM(joints_that_mimic_others_go_with_them)
{
    const double I = 0.003 + 0.1 * 0.1 * 0.1, mass = 0.2 + 0.3 / 4 + 400 * I, rate = 2 / mass, t = 0.5;
    const urdf_last x = urdf_run(urdf_gripper, "-p gravity=0 -p left=0.02 -p left.v=0.3 --t-end 0.5");
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
    command_run_well("check arm.urdf -p left=0.02 -p left.v=0.3");
}

/* Of the left finger: the others are taken along, one by way of the other. */
COMMAND_CLAIM(a_motor_moves_what_mimics_its_joint)
{
    urdf_write("motion.csv", "t,left\n0,0\n1,0.1\n2,0.3\n");
    const urdf_last x = urdf_run(urdf_gripper, "--motion motion.csv");
    const double all[] = {-40 * 0.16, 0.3, 0.16};
    for (int i = 0; i < 3; i++) {
        int found = 0;
        for (int k = 0; k < 3; k++) found += fabs(x.p[k] - all[i]) < 1e-8;
        assert_int_equal(found, 1);
    }
}

COMMAND_CLAIM(parameters_are_joints_with_units)
{
    command_result r = command_run_well(claims_text("models %s", urdf_write_arm(slide)));
    assert_true(strstr(r.out.bytes, "rail.v") && strstr(r.out.bytes, "m/s") && strstr(r.out.bytes, "fixed, or free"));
    r = command_run("solve arm.urdf --animate page.html --t-end 0.1 --quiet");
    assert_int_equal(r.code, 0);
    test_file page = test_file_read("page.html");
    assert_true(strstr(page.bytes, "link") && strstr(page.bytes, "mass"));
}

/* A mass of 2 kg on a slide with limits at 0.5 m from the middle, which meets the upper one with 1 m/s at t = 0.5. */
static const char stopped[] =
    ROBOT("<link name='wall'/>" LINK("car", "2", "0", "1") JOINT("rail", "prismatic", "wall", "car", "1 0 0",
                                                                 "<limit lower='-0.5' upper='0.5' effort='1' "
                                                                 "velocity='1'/>"));

/* Half a period of the mass on the spring, pi sqrt(m/k) = 0.157 s, then back with the same speed. */
COMMAND_CLAIM(a_stop_with_a_stiffness_throws_back)
{
    const urdf_last x = urdf_run(stopped, "-p rail.v=1 -p stop_stiffness=800 -p limits=1 --t-end 1");
    urdf_expect(x.v[0], -1, 1e-6);
    urdf_expect(x.p[0], 0.5 - (0.5 - acos(-1) / 20), 1e-6);
    urdf_expect(x.events, 2, 0);
    const urdf_last lower = urdf_run(stopped, "-p rail.v=-1 -p stop_stiffness=800 --t-end 1");
    urdf_expect(lower.p[0], -0.5 + (0.5 - acos(-1) / 20), 1e-6);
    /* Damping takes energy: v = -exp(-d pi/(2 m w)), w^2 = k/m - d^2/(4 m^2), but for the end, where no stop pulls. */
    const urdf_last damped_stop = urdf_run(stopped, "-p rail.v=1 -p stop_stiffness=800 -p stop_damping=8 --t-end 1");
    assert_true(damped_stop.v[0] < -exp(-4 * acos(-1) / 2 / sqrt(396)) * 0.99 && damped_stop.v[0] > -0.8);
}

COMMAND_CLAIM(joints_rebound_from_their_limits)
{
    const urdf_last x = urdf_run(stopped, "-p rail.v=1 -p limits=2 --t-end 1");
    urdf_expect(x.v[0], -0.5, 1e-9);
    urdf_expect(x.p[0], 0.25, 1e-9);
    urdf_expect(urdf_run(stopped, "-p rail.v=1 -p limits=2 -p restitution=1 --t-end 1").v[0], -1, 1e-9);
}

/* The row, the line and JSON say which limit it was. */
COMMAND_CLAIM(events_have_the_names_of_limits)
{
    for (int limits = 1; limits <= 2; limits++) {
        const char *line = claims_text("solve %s -p rail.v=-1 -p limits=%d --t-end 0.7 --events e.csv --format json",
                                       urdf_write_arm(stopped), limits);
        command_result r = command_run(line);
        assert_int_equal(r.code, 0);
        command_expect_words(r.err.bytes, "event at t = 0.5: rail.lower");
        test_file csv = test_file_read("e.csv");
        const char *end = limits == 1 ? "root,0,-1,0,0,rail.lower\n" : ",rail.lower\n";
        command_expect_words(csv.bytes, ",name\n");
        command_expect_words(csv.bytes, end);
        json_t *row = command_row(&r), *event = json_array_get(json_object_get(row, "event_list"), 0);
        json_t *root = json_array_get(json_object_get(event, "roots"), 0);
        assert_string_equal(json_string_value(json_object_get(root, "name")), "rail.lower");
    }
}

/* A rod that falls from the horizontal keeps its energy, 0; its frame turns about y. The force that a joint's motion
 * takes is minus the multiplier of its file. */
COMMAND_CLAIM(energy_poses_and_forces_are_outputs)
{
    double x[6];
    const char *line =
        claims_text("solve %s -p hinge=%.17g --t-end 0.3 --points 1 --out a.csv --rtol 1e-9 --atol 1e-9 --columns "
                    "p.hinge,v.hinge.v,out.rod.pitch,out.energy,out.hinge.force",
                    urdf_write_arm(urdf_rod), acos(-1) / 2);
    command_run_well(line);
    test_file csv = test_file_read("a.csv");
    assert_int_equal(command_csv_row(csv.bytes, 1, x, 6), 6);
    urdf_expect(x[3], x[1], 1e-12);
    urdf_expect(x[2] * x[2] / 6 - G / 2 * cos(x[1]), 0, 1e-7); /* I = 1/3 */
    urdf_expect(x[4], 0, 1e-7);
    urdf_expect(x[5], 0, 1e-6);
    urdf_write("motion.csv", "t,hinge\n0,0\n1,1\n2,0\n");
    command_run_well("solve arm.urdf --motion motion.csv --t-end 0.5 --points 1 --out a.csv --rtol 1e-9 "
                     "--columns out.hinge.force,lam.hinge");
    csv = test_file_read("a.csv");
    assert_int_equal(command_csv_row(csv.bytes, 1, x, 3), 3);
    urdf_expect(x[1], -1.5 / 3 + G / 2 * sin(11.0 / 16), 1e-6);
    urdf_expect(x[1], -x[2], 1e-6);
}

/* The spline through (0, 0), (1, 1), (2, 0), and its derivatives. */
static void spline(double t, double u[3])
{
    const double x = t < 1 ? t : 2 - t, side = t < 1 ? 1 : -1;
    u[0] = 1.5 * x - 0.5 * x * x * x;
    u[1] = side * (1.5 - 1.5 * x * x);
    u[2] = -3 * x;
}

/* The largest error of column i of a.csv, with a row for each 0.01 s up to 2 s. */
static double worst_drive(int i, double (*drive)(const double u[3]))
{
    enum { ROWS = 201, MOST = 4 };
    double x[MOST], u[3], worst = 0;
    test_file csv = test_file_read("a.csv");
    for (int k = 0; k < ROWS; k++) {
        assert_true(command_csv_row(csv.bytes, k, x, MOST) > i);
        spline(x[0], u);
        worst = fmax(worst, fabs(x[i] - drive(u)));
    }
    return worst;
}

static double drive_of_rod(const double u[3])
{
    return u[2] / 3 + G / 2 * sin(u[0]) + 0.3 * u[1];
}

/* As in joints_that_mimic_others_go_with_them, and 2 N s/m. */
static double drive_of_fingers(const double u[3])
{
    return (0.2 + 0.3 / 4 + 400 * (0.003 + 0.1 * 0.1 * 0.1)) * u[2] + 2 * u[1];
}

/* As in a_parallelogram_is_closed_by_a_file. */
static double drive_of_bars(const double u[3])
{
    return 5.0 / 3 * u[2] + 2 * G * sin(u[0]);
}

/* The drive overcomes damping, too, and moves what mimics its joint and what a loop closes. */
COMMAND_CLAIM(drives_along_a_file_are_those_of_inverse_dynamics)
{
    static const struct {
        const char *text, *file, *options, *column;
        double (*drive)(const double u[3]);
        double most;
    } cases[] = {{damped, "t,hinge\n0,0\n1,1\n2,0\n", "", "hinge", drive_of_rod, 1e-6},
                 {urdf_bars, "t,hinge\n0,0\n1,1\n2,0\n", "--loops closing.csv", "hinge", drive_of_bars, 1e-4},
                 {urdf_gripper, "t,left\n0,0\n1,1\n2,0\n", "-p gravity=0", "left", drive_of_fingers, 1e-3}};
    urdf_write("closing.csv", closing);
    for (int i = 0; i < 3; i++) {
        urdf_write_arm(cases[i].text);
        urdf_write("motion.csv", cases[i].file);
        const char *line =
            claims_text("solve arm.urdf --motion motion.csv %s --points 200 --out a.csv --quiet --columns out.%s.drive",
                        cases[i].options, cases[i].column);
        command_run_well(line);
        urdf_expect(worst_drive(1, cases[i].drive), 0, cases[i].most);
    }
}

/* Two rods on hinges across each other, (1 - cos pi t)/2 and (1 - cos 1.2 pi t)/2 in rows 0.2 s apart: d3u/dt3 jumps by
 * about 0.2 pi^4/2 at each. Multipliers are minus the drives, which are 16 N m at most, and the rows are no events. */
COMMAND_CLAIM(the_integration_restarts_where_a_motion_has_a_corner)
{
    enum { ROWS = 11, POINTS = 2000 };
    char text[ROWS * 80];
    double x[5], worst = 0;
    size_t n = (size_t)snprintf(text, sizeof text, "t,hinge,knee\n");
    for (int k = 0; k < ROWS; k++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%.17g,%.17g,%.17g\n", 0.2 * k,
                              (1 - cos(acos(-1) * 0.2 * k)) / 2, (1 - cos(1.2 * acos(-1) * 0.2 * k)) / 2);
    urdf_write("motion.csv", text);
    urdf_write_arm(ROBOT("<link name='wall'/>" LINK("rod", "1", "-0.5", "0.08") LINK("tip", "1", "-0.5", "0.08")
                             JOINT("hinge", "continuous", "wall", "rod", "0 1 0", "")
                                 JOINT("knee", "continuous", "rod", "tip", "1 0 0", "<origin xyz='0 0 -1'/>")));
    command_result r = command_run_well("solve arm.urdf --motion motion.csv --points 2000 --out a.csv --events e.csv "
                                        "--quiet --format json --columns lam.hinge,lam.knee,out.*.drive");
    json_t *row = command_row(&r);
    assert_true(command_number(row, "error_test_fails") < 4);
    assert_int_equal(json_array_size(json_object_get(row, "hints")), 0);
    assert_int_equal(json_array_size(json_object_get(row, "event_list")), 0);
    test_file csv = test_file_read("a.csv");
    for (int k = 0; k <= POINTS; k++) {
        assert_int_equal(command_csv_row(csv.bytes, k, x, 5), 5);
        worst = fmax(worst, fmax(fabs(x[1] + x[3]), fabs(x[2] + x[4])));
    }
    urdf_expect(worst, 0, 0.02);
}
