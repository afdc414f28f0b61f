/* test_urdf_parameters.c - values of links and joints, and gravity, as parameters through the command: motions with
 * closed forms. */
#include "urdf_fixture.h"

#define RAIL(limits)                                                                                                   \
    ROBOT(LINK("wall", "1", "0", "1") LINK("car", "2", "0", "1")                                                       \
              JOINT("rail", "prismatic", "wall", "car", "1 0 0", "<limit " limits " effort='1' velocity='1'/>"))

/* 4 K sqrt(I/(m g L/2)): of a point mass in the middle, I = m L^2/4; of three times a rod, as of the rod. */
COMMAND_CLAIM(masses_and_inertias_of_links_are_parameters)
{
    const char *options = claims_text("-p rod.mass=3 -p rod.inertia=0 -p hinge=%.17g --t-end %.17g", acos(-1) / 2,
                                      4 * K_45 * sqrt(0.5 / G));
    const urdf_last point = urdf_run(urdf_rod, options);
    urdf_expect(point.p[0], acos(-1) / 2, 1e-6);
    urdf_expect(point.v[0], 0, 1e-6);
    options = claims_text("-p rod.mass=3 -p rod.inertia=3 -p hinge=%.17g --t-end %.17g", acos(-1) / 2,
                          4 * K_45 * sqrt(2 / (3 * G)));
    urdf_expect(urdf_run(urdf_rod, options).p[0], acos(-1) / 2, 1e-6);
}

COMMAND_CLAIM(damping_and_friction_of_joints_are_parameters)
{
    const urdf_last damped = urdf_run(urdf_rod, "-p gravity=0 -p hinge.damping=0.3 -p hinge.v=2 --t-end 1");
    urdf_expect(damped.v[0], 2 * exp(-0.3 * 3), 1e-6); /* I = 1/3 */
    const urdf_last rough =
        urdf_run(RAIL("lower='-9' upper='9'"), "-p rail.friction=4 -p rail.v=3 -p smoothing=1e-4 --t-end 1");
    urdf_expect(rough.v[0], 1, 1e-3);
}

/* Along x a rod that hangs down begins a quarter turn from where it would hang: half a period later it points up. */
COMMAND_CLAIM(gravity_has_a_direction)
{
    const char *options = claims_text("-p gravity=0 -p gravity_x=9.81 --t-end %.17g", 2 * K_45 * sqrt(2 / (3 * G)));
    const urdf_last x = urdf_run(urdf_rod, options);
    urdf_expect(x.p[0], -acos(-1), 1e-6);
    urdf_expect(x.v[0], 0, 1e-6);
    const urdf_last free =
        urdf_run(RAIL("lower='-9' upper='9'"), "-p base=free -p gravity=1 -p gravity_x=2 -p gravity_y=3 --t-end 1");
    urdf_expect(free.p[0], 1, 1e-6);
    urdf_expect(free.p[1], 1.5, 1e-6);
    urdf_expect(free.p[2], -0.5, 1e-6);
}

/* v = v_0 exp(-d t/m): dv/dm = v d t/m^2, dv/dd = -v t/m. */
COMMAND_CLAIM(sensitivities_to_values_of_links_and_joints_have_closed_forms)
{
    const char *line = claims_text(
        "solve %s -p rail.v=3 -p rail.damping=1 --t-end 1 --sensitivity car.mass,rail.damping --format json "
        "--quiet --rtol 1e-9 --atol 1e-9",
        urdf_write_arm(RAIL("lower='-9' upper='9'")));
    command_result r = command_run_well(line);
    json_t *row = command_row(&r), *all = json_object_get(json_object_get(row, "end"), "sensitivity");
    const double v = 3 * exp(-0.5);
    const char *const names[] = {"car.mass", "rail.damping"};
    const double expected[] = {v / 4, -v / 2};
    for (int i = 0; i < 2; i++) {
        json_t *dv = json_object_get(json_object_get(all, names[i]), "v");
        urdf_expect(json_number_value(json_array_get(dv, 0)), expected[i], 1e-6);
    }
}

/* At its greatest depth in a stop the whole energy, m v^2/2, is the stop's: after a quarter of 2 pi sqrt(m/k). */
COMMAND_CLAIM(the_energy_of_stops_is_in_the_output)
{
    double x[3];
    const char *line = claims_text(
        "solve %s -p rail.v=1 -p stop_stiffness=800 --t-end %.17g --points 1 --out a.csv --rtol 1e-9 --atol 1e-9 "
        "--columns v.rail.v,out.energy --quiet",
        urdf_write_arm(RAIL("lower='-0.5' upper='0.5'")), 0.5 + acos(-1) / 40);
    command_run_well(line);
    test_file csv = test_file_read("a.csv");
    assert_int_equal(command_csv_row(csv.bytes, 1, x, 3), 3);
    urdf_expect(x[1], 0, 1e-6);
    urdf_expect(x[2], 1, 1e-6);
}

COMMAND_CLAIM(negative_masses_of_parameters_are_refused)
{
    urdf_expect_refusal(urdf_rod, "-p rod.mass=-1", "rod.mass");
    urdf_expect_refusal(urdf_rod, "-p hinge.damping=-1", "hinge.damping");
    urdf_expect_refusal(urdf_rod, "-p rod.mass=0 -p rod.inertia=0", "line 1: joint hinge moves no inertia");
}

/* As those of the model, of the free base, and of the speed of another joint: parameters get another end, outputs and
 * coordinates keep the names. */
COMMAND_CLAIM(joints_may_have_names_of_parameters)
{
    static const char *const names[] = {"gravity", "base_turn_x", "hinge.v"};
    for (int i = 0; i < 3; i++) {
        double x[2];
        const char *text = claims_text(ROBOT(LINK("a", "1", "0", "1") LINK("b", "1", "0", "1") LINK("c", "1", "0", "1")
                                                 JOINT("hinge", "continuous", "a", "b", "0 1 0", "")
                                                     JOINT("%s", "continuous", "b", "c", "0 1 0", "")),
                                       names[i]);
        urdf_write_arm(text);
        const char *end = i == 1 ? "" : "_"; /* there the motion of the base gets it */
        const char *line = claims_text("solve arm.urdf -p %s%s=0.5 --t-end 0.1 --points 1 --out a.csv --columns p.%s "
                                       "--quiet",
                                       names[i], end, names[i]);
        command_run_well(line);
        test_file csv = test_file_read("a.csv");
        assert_int_equal(command_csv_row(csv.bytes, 0, x, 2), 2);
        urdf_expect(x[1], 0.5, 0);
        command_run_well("solve arm.urdf -p base=free --t-end 0.1 --quiet");
    }
}

/* 19 of the model, 12 of the free base, 2 of a start, 2 of a joint and 4 of links are more than 30. */
COMMAND_CLAIM(many_parameters_are_printed_where_they_are_not_as_usual)
{
    const char *line =
        claims_text("solve %s -p smoothing=0.5 -p rod.mass=2 --t-end 0.1 --quiet", urdf_write_arm(urdf_rod));
    command_result r = command_run_well(line);
    command_expect_words(r.out.bytes, "  parameters   smoothing = 0.5, rod.mass = 2; 37 with default values");
    r = command_run_well("solve arm.urdf --t-end 0.1 --quiet");
    command_expect_words(r.out.bytes, "  parameters   39 with default values");
    r = command_run_well("solve pendulum --t-end 0.1 --quiet"); /* which has few */
    assert_null(strstr(r.out.bytes, "by default"));
}
