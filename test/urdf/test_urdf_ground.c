/* test_urdf_ground.c - spheres of robots on an elastic or rigid ground, beside closed forms. */
#include "urdf_fixture.h"

#include <stdlib.h>

#define SPHERE "<collision><geometry><sphere radius='0.1'/></geometry></collision>"
#define BODY                                                                                                           \
    "<link name='ball'><inertial><mass value='2'/><inertia ixx='0.008' iyy='0.008' izz='0.008' ixy='0' ixz='0' "       \
    "iyz='0'/></inertial>"

/* A solid ball of 2 kg and radius 0.1 m, free or in the plane x, z; p = x, -z, rotation. */
static const char ball[] = ROBOT(BODY SPHERE "</link>");
static const char wheel[] =
    ROBOT("<link name='wall'/>" BODY SPHERE "</link>" JOINT("m", "planar", "wall", "ball", "0 1 0", ""));

/* Gravity of a slope with this angle, along x or y. */
static const char *slope(double angle, char axis)
{
    return claims_text("-p gravity=%.17g -p gravity_%c=%.17g", G * cos(angle), axis, G * sin(angle));
}

/* a = 5/7 g sin(angle). The smoothed friction creeps with v_s artanh(2/7 tan(angle)/mu). */
COMMAND_CLAIM(a_ball_rolls_down_a_slope)
{
    const double angle = 0.2, a = 5 / 7. * G * sin(angle), creep = 1e-3 * atanh(2 / 7. * tan(angle) / 0.8);
    const char *options = claims_text("-p base=free -p ground=elastic -p base_z=0.1 %s --t-end 2", slope(angle, 'y'));
    const urdf_last x = urdf_run(ball, options);
    urdf_expect(x.v[1], 2 * a + 5 / 7. * 0 + creep * 2 / 7., 1e-5);
    urdf_expect(x.v[1] + 0.1 * x.v[3], creep, 1e-7);
    urdf_expect(x.p[2], 0.1 - 2 * G * cos(angle) / 1e5, 1e-8);
    const urdf_last rigid = urdf_run(wheel, claims_text("-p ground=rigid -p m_y=-0.1 %s --t-end 2", slope(angle, 'x')));
    urdf_expect(rigid.v[0], 2 * a, 1e-7);
    urdf_expect(rigid.p[0], 2 * a, 1e-7);
    urdf_expect(rigid.p[2], 20 * a, 1e-6);
    urdf_expect(rigid.lam[0], -2 * G * cos(angle), 1e-7);
}

/* On a steep slope, tan(angle) > 7/2 mu, it slides with g (sin - mu cos). */
COMMAND_CLAIM(a_ball_slides_down_a_steep_slope)
{
    const double angle = 0.5, a = G * (sin(angle) - 0.1 * cos(angle));
    const char *options = claims_text("-p ground_friction=0.1 %s --t-end 1", slope(angle, 'x'));
    urdf_expect(urdf_run(wheel, claims_text("-p ground=rigid -p m_y=-0.1 %s", options)).v[0], a, 1e-7);
    urdf_expect(urdf_run(ball, claims_text("-p base=free -p ground=elastic -p base_z=0.1 %s", options)).v[0], a, 2e-3);
}

/* A ball with the speed u slides for 2 u/(7 mu g) over 12 u^2/(49 mu g), and then rolls with 5/7 u. */
COMMAND_CLAIM(a_sliding_ball_begins_to_roll)
{
    const double u = 2, mu = 0.3, t = 2 * u / (7 * mu * G), s = 12 * u * u / (49 * mu * G), end = 1;
    const char *options = claims_text("-p ground_friction=%g --t-end %g", mu, end);
    urdf_last x = urdf_run(wheel, claims_text("-p ground=rigid -p m_y=-0.1 -p m_x.v=%g %s", u, options));
    urdf_expect(x.p[0], s + 5 / 7. * u * (end - t), 1e-6);
    urdf_expect(x.v[0], 5 / 7. * u, 1e-6);
    options = claims_text("-p base=free -p base_z=%.17g -p base_y.v=%g %s", 0.1 - 2 * G / 1e5, u, options);
    x = urdf_run(ball, claims_text("-p ground=elastic -p smoothing=1e-6 %s", options));
    urdf_expect(x.p[1], s + 5 / 7. * u * (end - t), 1e-5);
    urdf_expect(x.v[1], 5 / 7. * u, 1e-5);
}

/* It falls from h, and rises to e^2 h after each impact. */
COMMAND_CLAIM(a_ball_bounces_on_a_rigid_ground)
{
    const double h = 1, e = 0.7, fall = sqrt(2 * h / G), top = fall * (1 + e);
    const char *options = claims_text("-p ground=rigid -p ground_z=0.5 -p restitution=%g -p m_y=-1.6", e);
    const urdf_last first = urdf_run(wheel, claims_text("%s --t-end %.17g", options, top));
    urdf_expect(first.p[1], -(0.6 + e * e * h), 1e-8);
    urdf_expect(first.v[1], 0, 1e-8);
    const urdf_last second = urdf_run(wheel, claims_text("%s --t-end %.17g", options, top + fall * (e + e * e)));
    urdf_expect(second.p[1], -(0.6 + e * e * e * e * h), 1e-8);
    const urdf_last rest = urdf_run(wheel, claims_text("%s --t-end 5", options));
    urdf_expect(rest.p[1], -0.6, 1e-8);
    urdf_expect(rest.lam[0], -2 * G, 1e-6);
}

/* A bob 0.3 m above the middle of the wheel falls on the limits of its hinge, at +-0.5 rad, while the wheel bounces and
 * rolls. Without friction the momentum along x is constant. */
COMMAND_CLAIM(a_wheel_with_a_bob_between_limits_bounces_and_rolls)
{
    static const char bobbed[] = ROBOT("<link name='wall'/>" BODY SPHERE "</link>" LINK("bob", "1", "0.3", "0.01")
                                           JOINT("m", "planar", "wall", "ball", "0 1 0", "")
                                               JOINT("hinge", "revolute", "ball", "bob", "0 1 0",
                                                     "<limit lower='-0.5' upper='0.5' effort='1' velocity='1'/>"));
    static const double mus[] = {0, 0.1, 0.5, 2};
    for (int k = 0; k < 4; k++) {
        const urdf_last x = urdf_run(bobbed, claims_text("-p ground=rigid -p limits=2 -p restitution=0.3 -p m_x.v=1 -p "
                                                         "m_y=-0.3 -p hinge=0.1 -p ground_friction=%g --t-end 5",
                                                         mus[k]));
        urdf_expect(x.p[1], -0.1, 1e-6);
        urdf_expect(fmax(fabs(x.p[3]), 0.5), 0.5, 1e-6);
        if (k == 0) urdf_expect(3 * x.v[0] + 0.3 * cos(x.p[2] + x.p[3]) * (x.v[2] + x.v[3]), 3, 1e-6);
    }
}

/* Without damping it is in the ground for 2/w (pi - atan(w v/g)), w^2 = k/m, and rises again. */
COMMAND_CLAIM(a_ball_bounces_on_an_elastic_ground)
{
    const double v = 3, w = sqrt(1e4 / 2), fall = v / G, inside = 2 / w * (acos(-1) - atan(w * v / G)), s = 0.1;
    const char *options = claims_text("-p ground=elastic -p ground_stiffness=1e4 -p ground_damping=0 -p m_y=%.17g "
                                      "--t-end %.17g",
                                      -(0.1 + v * v / (2 * G)), fall + inside + s);
    const urdf_last x = urdf_run(wheel, options);
    urdf_expect(x.p[1], -(0.1 + v * s - G / 2 * s * s), 1e-6);
    urdf_expect(x.v[1], -(v - G * s), 1e-6);
    urdf_expect(x.events, 2, 0);
}

#define SHANK(name, collision)                                                                                         \
    "<link name='" name "'><inertial><origin xyz='0 0 -0.1'/><mass value='0.3'/><inertia ixx='0.001' iyy='0.001' "     \
    "izz='0.001' ixy='0' ixz='0' iyz='0'/></inertial>" collision "</link>"
#define FOOT "<collision><origin xyz='0 0 -0.2'/><geometry><sphere radius='0.02'/></geometry></collision>"
#define LEG(name, at, collision)                                                                                       \
    LINK(name "_thigh", "0.6", "-0.1", "0.003")                                                                        \
    SHANK(name "_shank", collision)                                                                                    \
    JOINT(name "_hip", "revolute", "trunk", name "_thigh", "0 1 0",                                                    \
          "<origin xyz='" at "'/><limit lower='-2' upper='2' effort='1' velocity='1'/>")                               \
    JOINT(name "_knee", "revolute", name "_thigh", name "_shank", "0 1 0",                                             \
          "<origin xyz='0 0 -0.2'/><limit lower='-2' upper='0' effort='1' velocity='1'/>")
#define DOG(collision)                                                                                                 \
    ROBOT(LINK("trunk", "8", "0", "0.1") LEG("a", "0.25 0.15 0", collision) LEG("b", "0.25 -0.15 0", collision)        \
              LEG("c", "-0.25 0.15 0", collision) LEG("d", "-0.25 -0.15 0", collision))
#define WEIGHT (11.6 * G)

/* Run the dog, whose drives hold the legs with thighs at 0.5 and knees at -1: trunk at 0.4 cos(0.5) + 0.02. Return the
 * last values of these columns. */
static void run_dog(const char *text, const char *options, const char *columns, int n, double *last)
{
    const double q = 0.5, k = -1;
    char motion[600];
    snprintf(motion, sizeof motion,
             "t,a_hip,a_knee,b_hip,b_knee,c_hip,c_knee,d_hip,d_knee\n0,%g,%g,%g,%g,%g,%g,%g,%g\n3,%g,%g,%g,%g,%g,%g,%g,"
             "%g\n",
             q, k, q, k, q, k, q, k, q, k, q, k, q, k, q, k);
    urdf_write("stand.csv", motion);
    urdf_write("feet.csv", "link,x,y,z,radius\na_shank,0,0,-0.2,0.02\nb_shank,0,0,-0.2,0.02\nc_shank,0,0,-0.2,0.02\n"
                           "d_shank,0,0,-0.2,0.02\n");
    (void)command_run_well(claims_text("solve %s -p base=free --motion stand.csv %s --out dog.csv --columns %s --quiet",
                                       urdf_write_arm(text), options, columns));
    char *line = NULL;
    size_t size = 0;
    FILE *f = fopen("dog.csv", "r");
    assert_non_null(f);
    while (getline(&line, &size, f) > 0) {
        char *at = line;
        (void)strtod(at, &at);
        for (int i = 0; i < n && *at == ','; i++) last[i] = strtod(at + 1, &at);
    }
    fclose(f);
    free(line);
}

static const char normals[] = "out.*.normal,v.base_x.v,v.base_z.v,p.base_z";
enum { VX = 4, VZ, HEIGHT, N_LAST };

static void expect_stands(const double *last, double height, double tolerance)
{
    urdf_expect((last[0] + last[1] + last[2] + last[3]) / WEIGHT, 1, 1e-6);
    urdf_expect(last[VX], 0, 1e-7);
    urdf_expect(last[VZ], 0, 1e-7);
    urdf_expect(last[HEIGHT], height, tolerance);
}

/* It falls from 1 cm. */
COMMAND_CLAIM(a_robot_with_four_legs_falls_on_its_feet_and_stands)
{
    const double height = 0.4 * cos(0.5) + 0.02, sinks = WEIGHT / 4 / 1e5;
    double last[N_LAST];
    const char *z = claims_text("-p base_z=%.17g", height + 0.01);
    run_dog(DOG(FOOT), claims_text("-p ground=elastic %s", z), normals, N_LAST, last);
    expect_stands(last, height - sinks, 1e-5);
    run_dog(DOG(""), claims_text("-p ground=elastic --spheres feet.csv %s", z), normals, N_LAST, last);
    expect_stands(last, height - sinks, 1e-5);
    run_dog(DOG(FOOT), claims_text("-p ground=elastic -p cut=1 %s", z), normals, N_LAST, last);
    expect_stands(last, height - sinks, 1e-5);
    run_dog(DOG(FOOT), claims_text("-p ground=rigid -p ground_friction=0 %s", z), normals, N_LAST, last);
    expect_stands(last, height, 1e-8);
}

/* A table of 10 kg on three feet at x = -0.3 and 0.3, y = -+0.2: the first foot carries a half. It glides freely. */
#define TABLE_FOOT(x, y)                                                                                               \
    "<collision><origin xyz='" x " " y " -0.25'/><geometry><sphere radius='0.05'/></geometry></collision>"

COMMAND_CLAIM(a_table_on_a_frictionless_floor_is_neutral)
{
    urdf_write_arm(ROBOT("<link name='base'><inertial><mass value='10'/><inertia ixx='1' iyy='1.2' izz='1.5' ixy='0' "
                         "ixz='0' iyz='0'/></inertial>" TABLE_FOOT("-0.3", "0") TABLE_FOOT("0.3", "-0.2")
                             TABLE_FOOT("0.3", "0.2") "</link>"));
    json_t *row = command_json("equilibrium arm.urdf -p base=free -p ground=rigid -p ground_friction=0 -p base_z=.3 "
                               "--format json",
                               0);
    json_t *lam = json_object_get(row, "lam");
    urdf_expect(json_number_value(json_object_get(lam, "base.ground")), -5 * G, 1e-8);
    urdf_expect(json_number_value(json_object_get(lam, "base.ground_2")), -2.5 * G, 1e-8);
    assert_string_equal(json_string_value(json_object_get(json_object_get(row, "stability"), "verdict")), "neutral");
    json_decref(row);
}

/* mu = 0.5: at tan(angle) = 0.4 it creeps with v_s artanh(0.4/0.5), at 0.7 it slides with g (sin - mu cos). */
COMMAND_CLAIM(a_robot_slides_beyond_the_angle_of_friction)
{
    static const char options[] = "-p ground=elastic -p ground_friction=0.5 -p base_z=0.371 --rtol 1e-8";
    double last[N_LAST];
    run_dog(DOG(FOOT), claims_text("%s %s", options, slope(atan(0.4), 'x')), normals, N_LAST, last);
    urdf_expect(last[VX], 1e-3 * atanh(0.8), 1e-8);
    urdf_expect((last[0] + last[1] + last[2] + last[3]) / WEIGHT, cos(atan(0.4)), 1e-6);
    run_dog(DOG(FOOT), claims_text("%s %s", options, slope(atan(0.7), 'x')), normals, N_LAST, last);
    urdf_expect(last[VX], 3 * G * (0.7 - 0.5) * cos(atan(0.7)), 1e-3);
}

/* The multiplier of a drive is minus its force. */
COMMAND_CLAIM(drives_carry_the_forces_of_the_ground)
{
    static const char *const grounds[] = {"elastic", "rigid -p ground_friction=0"};
    for (int k = 0; k < 2; k++) {
        double last[4];
        const char *options = claims_text("-p base_z=0.371033025 -p ground=%s", grounds[k]);
        run_dog(DOG(FOOT), options, "lam.a_knee,lam.d_hip,out.a_knee.drive,out.d_hip.drive", 4, last);
        urdf_expect(last[2], -last[0], 1e-6);
        urdf_expect(last[3], -last[1], 1e-6);
        assert_true(fabs(last[2]) > 0.01);
    }
}

COMMAND_CLAIM(spheres_of_sdf_touch_the_ground)
{
    urdf_write("ball.sdf",
               "<sdf version='1.7'><model name='m'><link name='ball'><inertial><mass>2</mass><inertia><ixx>0.008</ixx>"
               "<iyy>0.008</iyy><izz>0.008</izz></inertia></inertial><collision name='c'><pose>0 0 0.3 0 0 0</pose>"
               "<geometry><sphere><radius>0.1</radius></sphere></geometry></collision></link></model></sdf>");
    json_t *row = command_json("equilibrium ball.sdf -p base=free -p ground=elastic -p base_z=-0.2 --format json", 0);
    urdf_expect(command_number(json_object_get(row, "p"), "base_z"), -0.2 - 2 * G / 1e5, 1e-9);
    json_decref(row);
}

COMMAND_CLAIM(a_wrong_ground_is_refused)
{
    static const char along_y[] = "ground = rigid has friction along x, and ball.ground can slide along y: use ground";
    urdf_expect_refusal(ball, "-p base=free -p ground=rigid -p base_z=0.1", along_y);
    urdf_expect_refusal(wheel, "-p ground=rigid", "ball.ground starts 0.1 m below the ground: change the start, or gr");
    urdf_expect_refusal(wheel, "-p ground=soft", "ground = soft: must be none, elastic or rigid");
    urdf_expect_refusal(urdf_rod, "-p ground=elastic",
                        "no link has a sphere that can touch the ground: add <collision>");
    urdf_expect_refusal(wheel, "-p ground=rigid -p limits=3 -p m_y=-1", "limits = 3 and ground = rigid: contacts of a");
    urdf_write("s.csv", "link,x,y,z,radius\nbat,0,0,0,1\n");
    urdf_expect_refusal(wheel, "--spheres s.csv", "s.csv has no effect: ground = none");
    urdf_expect_refusal(wheel, "-p ground=elastic --spheres s.csv", "s.csv, line 2: there is no link bat");
    urdf_write("s.csv", "link,x,y,z,radius\nball,0,0,0,-1\n");
    urdf_expect_refusal(wheel, "-p ground=elastic --spheres s.csv", "s.csv, line 2: radius must not be negative");
    urdf_write("s.csv", "link,x,y,z\n");
    urdf_expect_refusal(wheel, "-p ground=elastic --spheres s.csv", "the first line must be link,x,y,z,radius");
}
