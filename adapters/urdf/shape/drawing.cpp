/* drawing.cpp - see drawing.h. */
#include "drawing.h"

#include <algorithm>
#include <cmath>

namespace {

constexpr int CIRCLE = 24, CORNERS = 8, SIDES = 8; /* points; axial lines of a cylinder */

/* Return the corners of a box. Bits 1, 2, 4 of the index are the sides in x, y, z. */
std::vector<KDL::Vector> compute_box_corners(const urdf::Vector3 &size)
{
    std::vector<KDL::Vector> points;
    for (int i = 0; i < CORNERS; i++)
        points.emplace_back(i & 1 ? size.x / 2 : -size.x / 2, i & 2 ? size.y / 2 : -size.y / 2,
                            i & 4 ? size.z / 2 : -size.z / 2);
    return points;
}

/* Return points of a circle about the z axis. */
std::vector<KDL::Vector> compute_circle(double radius)
{
    std::vector<KDL::Vector> points;
    for (int i = 0; i < CIRCLE; i++) {
        const double angle = 2 * std::acos(-1) * i / CIRCLE;
        points.emplace_back(radius * std::cos(angle), radius * std::sin(angle), 0);
    }
    return points;
}

void add_drawing(std::vector<urd_drawing> &to, const urdf::Link &link, const urdf::Visual &visual,
                 resida_part_kind kind, const std::vector<KDL::Vector> &points)
{
    urd_drawing out = {
        link.name, visual.material_name.empty() ? "link" : visual.material_name, kind, {}, {NAN, NAN, NAN}, "", {}};
    if (visual.material) {
        const urdf::Color &of = visual.material->color;
        const float colour[] = {of.r, of.g, of.b};
        /* a material without a colour has zeros, and the opacity 0 */
        for (int k = 0; k < 3 && of.a > 0; k++) out.colour[k] = std::min(std::max<double>(colour[k], 0), 1.0);
    }
    for (const KDL::Vector &point : points) out.points.push_back(urd_convert_pose(visual.origin) * point);
    to.push_back(out);
}

void add_visual(std::vector<urd_drawing> &to, const urdf::Link &link, const urdf::Visual &visual)
{
    const std::vector<KDL::Vector> axes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (const auto *box = dynamic_cast<const urdf::Box *>(visual.geometry.get())) {
        add_drawing(to, link, visual, RESIDA_PART_BOX, compute_box_corners(box->dim));
    } else if (const auto *round = dynamic_cast<const urdf::Cylinder *>(visual.geometry.get())) {
        const double half = round->length / 2;
        add_drawing(to, link, visual, RESIDA_PART_CYLINDER, {{0, 0, -half}, {0, 0, half}, {round->radius, 0, half}});
        const std::vector<KDL::Vector> rim = compute_circle(round->radius);
        const KDL::Vector along(0, 0, half);
        for (size_t i = 0; i < CIRCLE; i += CIRCLE / SIDES)
            add_drawing(to, link, visual, RESIDA_PART_LINE, {rim[i] - along, rim[i] + along});
    } else if (const auto *ball = dynamic_cast<const urdf::Sphere *>(visual.geometry.get())) {
        add_drawing(to, link, visual, RESIDA_PART_MESH, axes);
        to.back().scale = KDL::Vector(ball->radius, ball->radius, ball->radius);
    } else if (const auto *mesh = dynamic_cast<const urdf::Mesh *>(visual.geometry.get())) {
        add_drawing(to, link, visual, RESIDA_PART_MESH, axes);
        to.back().file = mesh->filename;
        to.back().scale = KDL::Vector(mesh->scale.x, mesh->scale.y, mesh->scale.z);
    }
}

} // namespace

KDL::Frame urd_convert_pose(const urdf::Pose &pose)
{
    return {KDL::Rotation::Quaternion(pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w),
            {pose.position.x, pose.position.y, pose.position.z}};
}

void urd_list_drawings(const urdf::Link &link, std::vector<urd_drawing> &to)
{
    for (const urdf::VisualSharedPtr &visual : link.visual_array)
        if (visual) add_visual(to, link, *visual);
}
