/* test_urdf_drawings.c - what links look like in the pages of runs. */
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
    char line[96];
    snprintf(line, sizeof line, "models %s", urdf_write_arm(text));
    command_result r = command_run_well(line);
    command_expect_words(r.out.bytes, "its meshes, 1, are not drawn");
    command_free(&r);
    r = command_run_well("solve arm.urdf --animate page.html --t-end 0.1 --quiet");
    command_free(&r);
    test_file page = test_file_read("page.html");
    command_expect_words(page.bytes, "plate");
    command_expect_words(page.bytes, "steel");
    command_expect_words(page.bytes, "ball");
    test_file_free(&page);
}
