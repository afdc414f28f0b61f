/* test_urdf_sdf.c - descriptions in SDF, beside closed forms and the poses of the files. */
#include "urdf_fixture.h"
#include "test/fixtures/file_util.h"

#define SDF(parts) "<sdf version='1.11'><model name='arm'>" parts "</model></sdf>"
#define ROD(pose)                                                                                                      \
    "<link name='rod'>" pose "<inertial><pose>0 0 -0.5 0 0 0</pose><mass>1</mass><inertia><ixx>0.08333333333333333"    \
    "</ixx><iyy>0.08333333333333333</iyy><izz>0.01</izz></inertia></inertial></link>"
#define HINGE(pose, rest)                                                                                              \
    "<joint name='hinge' type='revolute'><parent>world</parent><child>rod</child>" pose "<axis><xyz>0 1 0</xyz>" rest  \
    "</axis></joint>"

/* The rod hangs at q = -0.5. Or its hinge is at its other end, and it hangs at q = pi; its frame is then above the
 * hinge. A link without <inertial> has the mass 1 kg and the moments 1 kg m^2; it is 1 m below the hinge. */
COMMAND_CLAIM(pendulums_of_sdf_swing_with_their_periods)
{
    const double quarter = acos(-1) / 2, period = 4 * K_45 * sqrt(2 / (3 * G)), slow = 4 * K_45 * sqrt(2 / G);
    const struct {
        const char *text;
        double start, period;
    } cases[] = {{SDF(ROD("<pose>0.3 0 2 0 0.5 0</pose>") HINGE("", "")), quarter - 0.5, period},
                 {SDF(ROD("") HINGE("<pose>0 0 -1 0 0 0</pose>", "")), quarter, period},
                 {SDF("<link name='rod'><pose>0 0 -1 0 0 0</pose></link>" HINGE("<pose>0 0 1 0 0 0</pose>", "")),
                  quarter, slow}};
    for (int i = 0; i < 3; i++) {
        const urdf_last x =
            urdf_run(cases[i].text, claims_text("-p hinge=%.17g --t-end %.17g", cases[i].start, cases[i].period));
        urdf_expect(x.p[0], cases[i].start, 1e-6);
        urdf_expect(x.v[0], 0, 1e-6);
    }
    urdf_write("arm.sdf", cases[0].text);
    command_expect_words(command_run_well("models arm.sdf").out.bytes, "a robot, from its description (SDF)");
}

/* The model is at (1, 2, 3), turned by a right angle about z. The boom is at (0, 0, 0.5) of a frame at (0, 1, 0), and
 * the hook 2 m along x of the boom, which is turned by a right angle about y; its joint is in the middle. It turns
 * about y of the model, which is -x of the world, by 0.4: from the joint the hook is 1 m below. */
COMMAND_CLAIM(poses_of_sdf_are_relative_to_their_frames)
{
    static const char text[] =
        SDF("<pose>1 2 3 0 0 1.5707963267948966</pose><frame name='mount'><pose>0 1 0 0 0 0</pose></frame>"
            "<link name='boom'><pose relative_to='mount' degrees='true'>0 0 0.5 0 90 0</pose></link>"
            "<link name='hook'><pose relative_to='boom'>2 0 0 0 0 0</pose></link>"
            "<joint name='fix' type='fixed'><parent>world</parent><child>boom</child></joint>"
            "<frame name='tip' attached_to='boom'><pose>1 0 0 0 0 0</pose></frame>"
            "<joint name='turn' type='continuous'><parent>tip</parent><child>hook</child>"
            "<pose relative_to='boom' rotation_format='quat_xyzw'>1 0 0 0.6 0 0 0.8</pose>"
            "<axis><xyz expressed_in='__model__'>0 1 0</xyz></axis></joint>");
    const double place[] = {0, 2, 3.5, -sin(0.4), -cos(0.4)};
    double x[7];
    urdf_write("arm.sdf", text);
    command_run_well("solve arm.sdf -p turn=0.4 --t-end 0.1 --points 1 --out a.csv --columns "
                     "out.boom.x,out.boom.y,out.boom.z,out.hook.x,out.hook.y,out.hook.z");
    test_file csv = test_file_read("a.csv");
    assert_int_equal(command_csv_row(csv.bytes, 0, x, 7), 7);
    for (int i = 0; i < 3; i++) urdf_expect(x[1 + i], place[i], 1e-12);
    urdf_expect(x[4], 0, 1e-12);
    urdf_expect(x[5] - 2, place[3], 1e-12);
    urdf_expect(x[6] - (3.5 - 1), place[4], 1e-12);
}

/* A slide with damping, and a knob that turns by -40 rad/m from 0.01 m on, without an inertia that counts. */
COMMAND_CLAIM(joints_of_sdf_have_damping_limits_and_mimics)
{
    static const char text[] = SDF(
        "<link name='car'><inertial><mass>2</mass></inertial><visual name='red'><pose>0 0 1 0 0 0</pose><geometry><box>"
        "<size>1 1 1</size></box></geometry><material><diffuse>1 0 0 1</diffuse></material></visual></link>"
        "<link name='knob'><inertial><mass>0</mass><inertia><ixx>1e-9</ixx><iyy>1e-9</iyy><izz>1e-9</izz></inertia>"
        "</inertial></link>"
        "<joint name='rail' type='prismatic'><parent>world</parent><child>car</child><axis><xyz>1 0 0</xyz><limit>"
        "<lower>-1</lower><upper>0.5</upper></limit><dynamics><damping>0.6</damping></dynamics></axis></joint>"
        "<joint name='turn' type='revolute'><parent>car</parent><child>knob</child><axis><mimic joint='rail'>"
        "<multiplier>-40</multiplier><offset>0.1</offset><reference>0.01</reference></mimic></axis></joint>");
    const urdf_last x = urdf_run(text, "-p rail.v=1 -p limits=1");
    urdf_expect(x.v[0], exp(-0.3), 1e-6);
    urdf_expect(x.p[0], (1 - exp(-0.3)) / 0.3, 1e-6);
    urdf_expect(x.p[1], 0.1 - 40 * (x.p[0] - 0.01), 1e-6);
    urdf_expect(x.events, 1, 0);
    command_run_well("solve arm.urdf --t-end 0.1 --animate page.html");
    command_expect_words(test_file_read("page.html").bytes, "\"red\"");
}

/* The link is turned by a right angle about z, so y of the model is x of the link. */
COMMAND_CLAIM(axes_of_sdf_have_the_frame_of_its_version)
{
    static const struct {
        const char *version, *axis;
        double w[2]; /* of a speed of 1 rad/s, in the axes of the model */
    } cases[] = {{"1.4", "<xyz>0 1 0</xyz>", {0, 1}},
                 {"1.5", "<xyz>0 1 0</xyz>", {-1, 0}},
                 {"1.5", "<xyz>0 1 0</xyz><use_parent_model_frame>1</use_parent_model_frame>", {0, 1}},
                 {"1.6", "<xyz>0 1 0</xyz><use_parent_model_frame>true</use_parent_model_frame>", {0, 1}},
                 {"1.6", "<xyz>0 1 0</xyz><use_parent_model_frame>0</use_parent_model_frame>", {-1, 0}},
                 {"1.11", "<xyz expressed_in='__model__'>0 1 0</xyz>", {0, 1}},
                 {"1.11", "<xyz>0 1 0</xyz>", {-1, 0}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double x[3];
        urdf_write("arm.sdf", claims_text("<sdf version='%s'><model name='arm'>"
                                          "<link name='rod'><pose>0 0 0 0 0 1.5707963267948966</pose></link>"
                                          "<joint name='hinge' type='revolute'><parent>world</parent><child>rod</child>"
                                          "<axis>%s</axis></joint></model></sdf>",
                                          cases[i].version, cases[i].axis));
        command_run_well(
            "solve arm.sdf -p hinge.v=1 --t-end 0.1 --points 1 --out a.csv --columns out.rod.wx,out.rod.wy");
        test_file csv = test_file_read("a.csv");
        assert_int_equal(command_csv_row(csv.bytes, 0, x, 3), 3);
        for (int k = 0; k < 2; k++) urdf_expect(x[1 + k], cases[i].w[k], 1e-12);
    }
}

static void expect_bad_joint(const char *attributes, const char *inside, const char *words)
{
    urdf_expect_refusal(
        claims_text("<sdf version='1.7'>\n<model name='a'>\n<link name='b'/><link name='c'/>\n<joint name='j' %s>%s"
                    "</joint></model></sdf>",
                    attributes, inside),
        "", words);
}

COMMAND_CLAIM(what_is_not_supported_of_sdf_is_refused_by_line)
{
    const char ends[] = "<parent>b</parent><child>c</child>";
    const char *turns = "type='revolute'";
    urdf_expect_refusal("<sdf version='1.7'>\n<world name='w'/></sdf>", "", "line 2: <world> is not supported");
    urdf_expect_refusal("<sdf version='1.7'>\n</sdf>", "", "line 1: <sdf> without a <model>");
    urdf_expect_refusal("<sdf version='1.7'><model name='a'/>\n<model name='b'/></sdf>", "",
                        "line 2: a second <model>");
    for (int i = 0; i < 4; i++)
        urdf_expect_refusal(claims_text("<sdf %s><model name='a'/></sdf>",
                                        (const char *[]){"", "version='9.9'", "version='1.13'", "version='1.x'"}[i]),
                            "", "line 1: <sdf> has the version \"");
    urdf_expect_refusal(SDF("\n<static>true</static>"), "", "line 2: a static model does not move");
    urdf_expect_refusal(SDF("\n<include/>"), "", "line 2: <include> within a model is not supported");
    urdf_expect_refusal(SDF("<link name='b'/>\n<frame name='b'/>"), "", "line 2: frame 'b' is not unique");
    urdf_expect_refusal(SDF("<link name='b'>\n<pose>1 2 3</pose></link>" HINGE("", "")), "",
                        "connects rod, which is attached to no link");
    expect_bad_joint("type='ball'", ends, "line 4: joint j has the type ball, which is not supported; use revolute");
    expect_bad_joint(turns, "<parent>b</parent>", "line 4: joint j connects no link");
    expect_bad_joint(turns, "<pose>1 2 3</pose><parent>b</parent><child>c</child>",
                     "line 4: <pose> has \"1 2 3\", not 6 numbers");
    expect_bad_joint(turns, "<pose relative_to='d'>0 0 0 0 0 0</pose><parent>b</parent><child>c</child>",
                     "line 4: <joint> names d, which is no link, joint or frame");
    expect_bad_joint(turns, "<pose relative_to='j'>0 0 0 0 0 0</pose><parent>b</parent><child>c</child>",
                     "line 4: the pose of j is relative to itself");
    expect_bad_joint(turns,
                     "<parent>b</parent><child>c</child><axis><dynamics><spring_stiffness>2</spring_stiffness>"
                     "</dynamics></axis>",
                     "line 4: joint j has a spring, which is not supported");
    expect_bad_joint(turns, "<parent>b</parent><child>c</child><axis><xyz>0 0 0</xyz></axis>",
                     "line 4: joint j: its axis is zero");
    urdf_expect_refusal(SDF("<link name='b'>\n<inertial auto='true'/></link>"), "", "line 2: <inertial auto=\"true\">");
}
