/* drawing.h - the shapes of links, from the visuals of the description: boxes, cylinders with axial lines, spheres
 * and meshes as surfaces (mesh.h), in the colours of their materials. */
#ifndef URD_DRAWING_H
#define URD_DRAWING_H

#include <string>
#include <vector>

#include <kdl/frames.hpp>
#include <resida/model.h>
#include <urdf_model/model.h>

/** A part of a link. */
struct urd_drawing {
    std::string link, name;          /**< name: name of the material, or "link" */
    resida_part_kind kind;           /**< how the points are drawn */
    std::vector<KDL::Vector> points; /**< in the frame of the link; of a mesh: its origin and the ends of its axes */
    double colour[3];                /**< red, green, blue of the material; NaN: no colour */
    std::string file;                /**< of a mesh: file name in the description; else "" */
    KDL::Vector scale;               /**< of a mesh: scale; of a sphere: its radius, three times */
};

KDL::Frame urd_convert_pose(const urdf::Pose &pose);

/** Add the visuals of a link to the list. */
void urd_list_drawings(const urdf::Link &link, std::vector<urd_drawing> &to);

#endif
