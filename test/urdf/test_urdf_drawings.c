/* test_urdf_drawings.c - what links look like in the pages of runs. */
#define _POSIX_C_SOURCE 200809L /* getcwd() */
#include <sys/stat.h>
#include <unistd.h>
#include <resida_features.h>

#include "urdf_fixture.h"

/* The visuals of a page: a box has eight corners, and a cylinder three points. */
COMMAND_CLAIM(visuals_are_drawn_and_meshes_are_counted)
{
#define VISUAL(name, shape)                                                                                            \
    "<visual><origin xyz='0 0 -0.5'/><geometry>" shape "</geometry><material name='" name "'/></visual>"
    static const char text[] = ROBOT("<link name='wall'>" VISUAL(
        "plate", "<box size='1 1 0.1'/>") "</link><link name='rod'><inertial>"
                                          "<origin xyz='0 0 -0.5'/><mass value='1'/><inertia ixx='1' iyy='1' izz='1' "
                                          "ixy='0' ixz='0' iyz='0'/>"
                                          "</inertial>" VISUAL("steel", "<cylinder radius='0.1' length='1'/>")
                                              VISUAL("ball", "<sphere radius='0.2'/>")
                                                  VISUAL("hull", "<mesh filename='hull.stl'/>") "</link>" JOINT(
                                                      "hinge", "continuous", "wall", "rod", "0 1 0", ""));
    command_result r = command_run_well(claims_text("models %s", urdf_write_arm(text)));
    command_expect_words(r.out.bytes, "meshes not drawn, 1 of 1: ");
    r = command_run_well("solve arm.urdf --animate page.html --t-end 0.1 --quiet");
    test_file page = test_file_read("page.html");
    command_expect_words(page.bytes, "plate");
    command_expect_words(page.bytes, "steel");
    command_expect_words(page.bytes, "ball");
}

/* A sphere is a surface with its radius; what has a material with a colour has that colour, as 255 parts of 1. */
COMMAND_CLAIM(spheres_are_surfaces_and_materials_have_colours)
{
    static const char before[] = "<script type=\"application/json\" id=\"data\">";
    urdf_write_arm(ROBOT(
        "<material name='red'><color rgba='1 0.2 0 1'/></material><link name='wall'/>"
        "<link name='rod'><inertial><origin xyz='0 0 -0.5'/><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' "
        "ixz='0' iyz='0'/></inertial><visual><geometry><sphere radius='0.2'/></geometry><material name='red'/></visual>"
        "<visual><geometry><box size='1 1 1'/></geometry></visual></link>" JOINT("hinge", "continuous", "wall", "rod",
                                                                                 "0 1 0", "")));
    command_run_well("solve arm.urdf --animate page.html --t-end 0.1 --points 2 --quiet");
    test_file page = test_file_read("page.html");
    json_t *data = command_json_at(strstr(page.bytes, before) + strlen(before));
    json_t *parts = json_object_get(data, "parts"), *ball = json_array_get(parts, 0), *box = json_array_get(parts, 1);
    assert_string_equal(json_string_value(json_object_get(ball, "kind")), "mesh");
    assert_string_equal(json_string_value(json_object_get(ball, "colour")), "#ff3300");
    assert_string_equal(json_string_value(json_object_get(box, "kind")), "box");
    assert_null(json_object_get(box, "colour"));
    json_t *x = json_object_get(json_array_get(json_object_get(data, "meshes"), 0), "vertices");
    assert_true(json_array_size(x) > 0);
    for (size_t i = 0; i < json_array_size(x); i += 3) {
        double square = 0;
        for (size_t k = 0; k < 3; k++) square += pow(json_number_value(json_array_get(x, i + k)), 2);
        urdf_expect(sqrt(square), 0.2, 1e-6);
    }
}

static size_t count_parts(const char *line)
{
    static const char before[] = "<script type=\"application/json\" id=\"data\">";
    command_run_well(line);
    test_file page = test_file_read("page.html");
    json_t *data = command_json_at(strstr(page.bytes, before) + strlen(before));
    const size_t n = json_array_size(json_object_get(data, "parts"));
    return n;
}

/* From both links, and from one where the other is ground. */
COMMAND_CLAIM(loops_are_drawn_to_their_points)
{
    urdf_write_arm(urdf_bars);
    urdf_write("closing.csv", "link_a,x_a,y_a,z_a,link_b,x_b,y_b,z_b,along\nbar,1,0,0,other,0,0,-1,xz\n");
    const size_t n = count_parts("solve arm.urdf --animate page.html --t-end 0.1 --points 2 --quiet");
    assert_int_equal(
        count_parts("solve arm.urdf --loops closing.csv --animate page.html --t-end 0.1 --points 2 --quiet"), n + 2);
    urdf_write("closing.csv", "link_a,x_a,y_a,z_a,link_b,x_b,y_b,z_b,along\nbar,1,0,0,wall,1,0,-1,xz\n");
    assert_int_equal(
        count_parts("solve arm.urdf --loops closing.csv --animate page.html --t-end 0.1 --points 2 --quiet"), n + 1);
}

/* A box of 2 x 4 x 6 about the origin, bits 1, 2, 4 of a corner's number its side along x, y, z; and its triangles. */
static const double half[] = {1, 2, 3};
static const int sides[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                 {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};

static double corner(int i, int k)
{
    return i >> k & 1 ? half[k] : -half[k];
}

static void write_ascii_stl(void)
{
    FILE *f = fopen("box.stl", "w");
    assert_non_null(f);
    fprintf(f, "solid box\n");
    for (int t = 0; t < 12; t++) {
        fprintf(f, "facet normal 0 0 0\nouter loop\n");
        for (int c = 0; c < 3; c++)
            fprintf(f, "vertex %g %g %g\n", corner(sides[t][c], 0), corner(sides[t][c], 1), corner(sides[t][c], 2));
        fprintf(f, "endloop\nendfacet\n");
    }
    fprintf(f, "endsolid box\n");
    assert_int_equal(fclose(f), 0);
}

/* A point of triangle t: i parts of its edge to the second corner, j of that to the third one. */
static void put_point(FILE *f, int t, int parts, int i, int j)
{
    for (int k = 0; k < 3; k++) {
        const double o = corner(sides[t][0], k), p = corner(sides[t][1], k), q = corner(sides[t][2], k);
        const float x = (float)(o + ((p - o) * i + (q - p) * j) / parts);
        fwrite(&x, sizeof x, 1, f);
    }
}

/* Each triangle in parts^2 of its shape. */
static void write_binary_stl(int parts)
{
    FILE *f = fopen("box.stl", "wb");
    const uint32_t n = (uint32_t)(12 * parts * parts);
    const char head[80] = "binary", end[2] = {0};
    const float normal[3] = {0};
    assert_non_null(f);
    fwrite(head, 1, sizeof head, f);
    fwrite(&n, sizeof n, 1, f);
    for (int t = 0; t < 12; t++)
        for (int i = 1; i <= parts; i++)
            for (int k = 0; k < 2 * i - 1; k++) { /* in turn upright and upside down */
                const int j = k / 2, up = k % 2 == 0;
                fwrite(normal, sizeof normal, 1, f);
                put_point(f, t, parts, up ? i : i - 1, j);
                put_point(f, t, parts, i, j + 1);
                put_point(f, t, parts, i - 1, up ? j : j + 1);
                fwrite(end, 1, sizeof end, f);
            }
    assert_int_equal(fclose(f), 0);
}

/* A DAE in units of 0.1 m, y up as its author says, which viewers of robots do not look at. */
static void write_dae(void)
{
    FILE *f = fopen("box.dae", "w");
    assert_non_null(f);
    fprintf(f,
            "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">"
            "<asset><unit meter=\"0.1\" name=\"dm\"/><up_axis>Y_UP</up_axis></asset><library_geometries>"
            "<geometry id=\"g\"><mesh><source id=\"p\"><float_array id=\"a\" count=\"24\">");
    for (int i = 0; i < 8; i++) fprintf(f, "%g %g %g ", corner(i, 0), corner(i, 1), corner(i, 2));
    fprintf(f, "</float_array><technique_common><accessor source=\"#a\" count=\"8\" stride=\"3\"><param name=\"X\" "
               "type=\"float\"/><param name=\"Y\" type=\"float\"/><param name=\"Z\" type=\"float\"/></accessor>"
               "</technique_common></source><vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>"
               "<triangles count=\"12\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>");
    for (int t = 0; t < 12; t++) fprintf(f, "%d %d %d ", sides[t][0], sides[t][1], sides[t][2]);
    fprintf(f, "</p></triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id=\"s\">"
               "<node id=\"n\"><instance_geometry url=\"#g\"/></node></visual_scene></library_visual_scenes><scene>"
               "<instance_visual_scene url=\"#s\"/></scene></COLLADA>");
    assert_int_equal(fclose(f), 0);
}

/* The mesh of the page of a rod that has this one; NULL: the page has none. To be freed. */
static json_t *drawn_mesh(const char *mesh)
{
    static const char before[] = "<script type=\"application/json\" id=\"data\">";
    const char *text = claims_text(
        ROBOT("<link name='wall'/>" LINK("rod", "1", "-0.5", "0.1") JOINT(
            "hinge", "continuous", "wall", "hull", "0 1 0",
            "") "<link name='hull'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
                "iyz='0'/></inertial><visual><geometry><mesh %s/></geometry></visual></link>" JOINT(
                    "weld", "fixed", "hull", "rod", "0 1 0", "")),
        mesh);
    urdf_write_arm(text);
    command_run_well("solve arm.urdf --animate page.html --t-end 0.1 --points 2 --quiet");
    test_file page = test_file_read("page.html");
    const char *at = strstr(page.bytes, before);
    assert_non_null(at);
    json_t *data = command_json_at(at + strlen(before));
    return json_array_get(json_object_get(data, "meshes"), 0);
}

/* The box about the vertices of a page's mesh, in units; the number of its triangles. */
static size_t expect_box(const char *mesh, double unit, double tolerance)
{
    json_t *one = drawn_mesh(mesh), *x = json_object_get(one, "vertices");
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    const size_t n = json_array_size(json_object_get(one, "triangles")) / 3;
    for (size_t i = 0; i < json_array_size(x); i++) {
        const double value = json_number_value(json_array_get(x, i));
        low[i % 3] = fmin(low[i % 3], value);
        high[i % 3] = fmax(high[i % 3], value);
    }
    for (int k = 0; k < 3; k++) {
        urdf_expect(low[k], -unit * half[k], tolerance);
        urdf_expect(high[k], unit * half[k], tolerance);
    }
    return n;
}

static int has_no_meshes(void)
{
    return !rsd_feature_of("assimp")->is_built;
}

COMMAND_CLAIM(meshes_are_drawn_in_their_units)
{
    if (has_no_meshes()) return;
    write_ascii_stl();
    assert_int_equal(expect_box("filename='box.stl' scale='0.001 0.001 0.001'", 0.001, 1e-9), 12);
    write_binary_stl(3);
    assert_int_equal(expect_box("filename='box.stl'", 1, 1e-6), 12 * 9);
    write_dae();
    assert_int_equal(expect_box("filename='box.dae'", 0.1, 1e-6), 12);
}

/* 43,200 triangles of a file, of which 16,000 may be drawn; the box keeps its size but for a cell of the grid. */
COMMAND_CLAIM(large_meshes_are_drawn_coarser)
{
    if (has_no_meshes()) return;
    write_binary_stl(60);
    const size_t n = expect_box("filename='box.stl'", 1, 6.0 / 20);
    assert_true(n <= 16000 && n > 1000);
}

static void expect_lost(const char *mesh, const char *words)
{
    assert_null(drawn_mesh(mesh));
    command_result r = command_run_well("models ./arm.urdf");
    command_expect_words(r.out.bytes, words);
}

COMMAND_CLAIM(meshes_that_are_not_drawn_say_why)
{
    if (has_no_meshes()) {
        const rsd_feature *assimp = rsd_feature_of("assimp");
        const char *words = claims_text("meshes not drawn, 1 of 1: built without assimp; %s", assimp->remedy);
        expect_lost("filename='box.stl'", words);
        return;
    }
    urdf_write("bad.stl", "solid");
    urdf_write("bad.dae", "<COLLADA>");
    expect_lost("filename='none.stl'", "meshes not drawn, 1 of 1: none.stl is not there");
    expect_lost("filename='http://a.b/c.stl'", "http://a.b/c.stl is not there");
    expect_lost("filename='bad.stl'", "bad.stl");
    expect_lost("filename='bad.dae'", "bad.dae");
}

/* "package://P/F" is F of a folder P above the description. */
COMMAND_CLAIM(files_of_packages_are_found_above_the_description)
{
    if (has_no_meshes()) return;
    assert_int_equal(mkdir("robot", 0777), 0);
    write_ascii_stl();
    assert_int_equal(rename("box.stl", "robot/box.stl"), 0);
    expect_box("filename='package://robot/box.stl'", 1, 1e-6);
    char here[200];
    assert_non_null(getcwd(here, sizeof here));
    expect_box(claims_text("filename='file://%s/robot/box.stl'", here), 1, 1e-6);
}
