/* test_urdf_xacro.c - descriptions with macros. Debian 12 has no package with the command xacro. A script of this name
 * replaces it here: it writes the file named by its only argument, with ${length} replaced, or fails with the messages
 * of xacro. */
#include "urdf_fixture.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A point mass of 1 kg on a rod of ${length}, on a hinge. */
static const char macros[] =
    "<robot name='arm' xmlns:xacro='http://www.ros.org/wiki/xacro'><link name='wall'/><link name='rod'><inertial>"
    "<origin xyz='0 0 -${length}'/><mass value='1'/><inertia ixx='0' iyy='0' izz='0' ixy='0' ixz='0' iyz='0'/>"
    "</inertial></link>" JOINT("hinge", "continuous", "wall", "rod", "0 1 0", "") "</robot>";

/* Put a script named xacro first in PATH. */
static void install(const char *script)
{
    urdf_write("xacro", script);
    assert_int_equal(chmod("xacro", 0755), 0);
    char *here = getcwd(NULL, 0);
    setenv("PATH", claims_text("%s:/usr/bin:/bin", here), 1);
    free(here);
}

/* A small oscillation of a pendulum of 0.25 m. */
COMMAND_CLAIM(macros_are_expanded_by_xacro)
{
    install("#!/bin/sh\n[ $# -eq 1 ] || exit 2\nexec sed 's/[$]{length}/0.25/g' \"$1\"\n");
    urdf_write("o'arm.urdf.xacro", macros);
    json_t *row = command_json("solve ./o'arm.urdf.xacro -p hinge=1e-4 --t-end 1 --rtol 1e-9 --atol 1e-12 "
                               "--format json --quiet",
                               0);
    const double q = json_number_value(json_array_get(json_object_get(json_object_get(row, "end"), "p"), 0));
    urdf_expect(q, 1e-4 * cos(sqrt(G / 0.25)), 1e-10);
    json_decref(row);
}

COMMAND_CLAIM(the_error_of_xacro_is_reported)
{
    install(
        "#!/bin/sh\necho '<robot/>'\necho first >&2\necho \"error: no macro 'leg'\" >&2\necho in file >&2\nexit 1\n");
    urdf_write("arm.xacro", macros);
    command_expect_refusal("solve ./arm.xacro", 2, "arm.xacro: xacro: no macro 'leg'");
}

COMMAND_CLAIM(without_xacro_one_line_says_what_to_do)
{
    urdf_write("arm.xacro", macros);
    setenv("PATH", "/nowhere", 1);
    command_expect_refusal(
        "solve ./arm.xacro", 2,
        "the command xacro is not installed; install it, or expand the file elsewhere by xacro FILE");
}
