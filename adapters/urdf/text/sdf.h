/* sdf.h - converts a description in SDF to one in URDF: the links and joints of one model.
 *
 * Poses of SDF are relative to the model, to the child of a joint, or to any frame. A joint whose pose is not that of
 * its child gets a massless link, JOINT_frame, which a fixed joint connects to the child. */
#ifndef URD_SDF_H
#define URD_SDF_H

#include <string>

#include "outline.h"

/** Return the text of the description in URDF. Sensors, plugins, gravity, and collisions other than
 *  spheres are ignored.
 *  @throws std::runtime_error, one line: what is not supported or wrong */
std::string urd_convert_sdf(const urd_outline &outline);

#endif
