/* urdf_fixture.h - descriptions of robots as texts, and runs of them by the command. */
#ifndef TEST_URDF_FIXTURE_H
#define TEST_URDF_FIXTURE_H

#include "test/command/command_fixture.h"

#define G    9.81
#define K_45 1.8540746773013719 /* complete elliptic integral of the first kind, k = sin 45 degrees */

#define LINK(name, mass, z, i)                                                                                         \
    "<link name='" name "'><inertial><origin xyz='0 0 " z "'/><mass value='" mass "'/><inertia ixx='" i "' iyy='" i    \
    "' izz='" i "' ixy='0' ixz='0' iyz='0'/></inertial></link>"
#define JOINT(name, type, from, to, axis, rest)                                                                        \
    "<joint name='" name "' type='" type "'><parent link='" from "'/><child link='" to "'/><axis xyz='" axis           \
    "'/>" rest "</joint>"
#define ROBOT(parts) "<robot name='arm'>" parts "</robot>"

/** A rod of 1 m and 1 kg on a hinge, "hinge", hanging along -z at 0. */
extern const char urdf_rod[];

/** Two rods of 1 m and 1 kg that hang 1 m apart, on "hinge" and "second", and a bar of 1 kg on "knee" between them. */
extern const char urdf_bars[];

/** Two fingers that slide, "right" half as far as "left" and 0.01 m ahead, and a knob, "turn", -40 rad/m of right. */
extern const char urdf_gripper[];

/** Write a file. @return its name */
const char *urdf_write(const char *name, const char *text);

/** Write arm.urdf. @return its name */
const char *urdf_write_arm(const char *text);

/** The last state of a run: p, v of coordinate i, and multipliers. */
typedef struct urdf_last {
    double p[8], v[8], lam[4], events;
} urdf_last;

/** Run a description to its end, with --rtol 1e-9 --atol 1e-9 and these options. */
urdf_last urdf_run(const char *text, const char *options);

/** Fail unless a value is what it should be. */
void urdf_expect(double value, double expected, double tolerance);

/** Run a description with these options, and fail unless it is refused in one line with these words. */
void urdf_expect_refusal(const char *text, const char *options, const char *words);

#endif
