/* drawing.cpp - see drawing.h. */
#include "drawing.h"

#include <cmath>

namespace {

constexpr int CIRCLE = 24, CORNERS = 8, SIDES = 8; /* points; lines along a cylinder */

KDL::Frame frame(const urdf::Pose &pose)
{
    return {KDL::Rotation::Quaternion(pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w),
            {pose.position.x, pose.position.y, pose.position.z}};
}

/* Bits 1, 2, 4 of a corner's number are its side along x, y, z. */
std::vector<KDL::Vector> corners(const urdf::Vector3 &size)
{
    std::vector<KDL::Vector> points;
    for (int i = 0; i < CORNERS; i++)
        points.emplace_back(i & 1 ? size.x / 2 : -size.x / 2, i & 2 ? size.y / 2 : -size.y / 2,
                            i & 4 ? size.z / 2 : -size.z / 2);
    return points;
}

/* About one of the axes. */
std::vector<KDL::Vector> circle(int axis, double radius)
{
    std::vector<KDL::Vector> points;
    for (int i = 0; i <= CIRCLE; i++) {
        const double angle = 2 * std::acos(-1) * i / CIRCLE;
        KDL::Vector point;
        point((axis + 1) % 3) = radius * std::cos(angle);
        point((axis + 2) % 3) = radius * std::sin(angle);
        points.push_back(point);
    }
    return points;
}

void add(std::vector<urd_drawing> &to, const urdf::Link &link, const urdf::Visual &visual, resida_part_kind kind,
         const std::vector<KDL::Vector> &points)
{
    urd_drawing out = {link.name, visual.material_name.empty() ? "link" : visual.material_name, kind, {}, "", {}};
    for (const KDL::Vector &point : points) out.points.push_back(frame(visual.origin) * point);
    to.push_back(out);
}

void add_visual(std::vector<urd_drawing> &to, const urdf::Link &link, const urdf::Visual &visual)
{
    if (const auto *box = dynamic_cast<const urdf::Box *>(visual.geometry.get())) {
        add(to, link, visual, RESIDA_PART_BOX, corners(box->dim));
    } else if (const auto *round = dynamic_cast<const urdf::Cylinder *>(visual.geometry.get())) {
        const double half = round->length / 2;
        add(to, link, visual, RESIDA_PART_CYLINDER, {{0, 0, -half}, {0, 0, half}, {round->radius, 0, half}});
        const std::vector<KDL::Vector> rim = circle(2, round->radius);
        const KDL::Vector along(0, 0, half);
        for (size_t i = 0; i < CIRCLE; i += CIRCLE / SIDES)
            add(to, link, visual, RESIDA_PART_LINE, {rim[i] - along, rim[i] + along});
    } else if (const auto *ball = dynamic_cast<const urdf::Sphere *>(visual.geometry.get())) {
        for (int axis = 0; axis < 3; axis++) add(to, link, visual, RESIDA_PART_LINE, circle(axis, ball->radius));
    } else if (const auto *mesh = dynamic_cast<const urdf::Mesh *>(visual.geometry.get())) {
        add(to, link, visual, RESIDA_PART_MESH, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
        to.back().file = mesh->filename;
        to.back().scale = KDL::Vector(mesh->scale.x, mesh->scale.y, mesh->scale.z);
    }
}

} // namespace

void urd_draw(const urdf::Link &link, std::vector<urd_drawing> &to)
{
    for (const urdf::VisualSharedPtr &visual : link.visual_array)
        if (visual) add_visual(to, link, *visual);
}
