/* drawing.h - what links look like, by the visuals of the description: boxes, cylinders with lines along
 * them, spheres and meshes as surfaces (mesh.h), in the colours of their materials. */
#ifndef URD_DRAWING_H
#define URD_DRAWING_H

#include <string>
#include <vector>

#include <kdl/frames.hpp>
#include <resida/model.h>
#include <urdf_model/model.h>

/** A part of a link. */
struct urd_drawing {
    std::string link, name;          /**< name: its material, or "link" */
    resida_part_kind kind;           /**< how its points are drawn */
    std::vector<KDL::Vector> points; /**< in the frame of the link; of a mesh its origin and the ends of its axes */
    double colour[3];                /**< red, green, blue of the material; NaN: it has none */
    std::string file;                /**< of a mesh: as the description names it; else "" */
    KDL::Vector scale;               /**< of a mesh; of a sphere its radius along each axis */
};

/** Add those of a link. */
void urd_draw(const urdf::Link &link, std::vector<urd_drawing> &to);

#endif
