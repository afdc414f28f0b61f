/* robot.cpp - drawing and outputs of a robot. */
#include "robot.h"

#include "drives.h"
#include "ground.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

urd_robot::urd_robot(urd_arm made, bool has_free_base, int cut)
    : arm(std::move(made)), is_free(has_free_base), bodies(arm.tree, arm.changed),
      pieces(cut > 0 ? bodies.cut(cut) : bodies), smoothing(0), stiffness(0), damping(0), p0(arm.joints.size(), 0),
      v0(p0), zeros(p0), forces(p0), has_limits(URD_NO_LIMITS), ground(URD_NO_GROUND), contacts(), torques(), warning()
{
}

double urd_robot::resistance(const urd_joint &joint, double q, double v) const
{
    double out = joint.damping * v;
    if (joint.friction > 0) out += joint.friction * std::tanh(v / smoothing);
    if (!joint.is_limited || !(stiffness > 0)) return out;
    if (q < joint.lower) out -= std::max(0.0, stiffness * (joint.lower - q) - damping * v);
    if (q > joint.upper) out += std::max(0.0, stiffness * (q - joint.upper) + damping * v);
    return out;
}

bool urd_robot::is_beyond(const urd_limit &limit, const double *p) const
{
    constexpr double rounding = 1e-6;
    return limit.gap(p) < -rounding * (1 + std::fabs(limit.at));
}

std::string urd_robot::where(const urd_limit &limit, const double *p, const char *verb) const
{
    char text[RESIDA_MESSAGE_SIZE];
    std::snprintf(text, sizeof text, "%.80s %s at %g, beyond %s = %g",
                  arm.joints[static_cast<std::size_t>(limit.q)].name.c_str(), verb, p[limit.q], limit.name.c_str(),
                  limit.at);
    return text;
}

namespace {

int shape(const resida_model *model, double, const double *p, double *xyz)
{
    urd_robot &r = *static_cast<urd_robot *>(model->user);
    r.bodies.place(p);
    for (const urd_point &point : r.points) {
        const KDL::Vector there = r.bodies.at[point.body] * point.at;
        for (int k = 0; k < 3; k++) *xyz++ = there[k];
    }
    return 0;
}

void add_part(urd_robot &r, const std::string &name, resida_part_kind kind, const std::vector<urd_point> &points,
              const double *colour = nullptr)
{
    r.part_names.push_back(name);
    for (int k = 0; k < 3; k++) r.part_colours.push_back(colour ? colour[k] : NAN);
    r.parts.push_back({nullptr, kind, static_cast<int>(points.size())});
    r.points.insert(r.points.end(), points.begin(), points.end());
}

/* Add a line from the parent body to a link, a line to the centre of mass, and a mark there. */
void add_lines(urd_robot &r, size_t i)
{
    const urd_bodies::body &b = r.bodies.list[i];
    if (r.arm.links.count(b.segment.getName()) == 0) return;
    const KDL::RigidBodyInertia &inertia = b.inertia;
    const KDL::Vector zero = KDL::Vector::Zero(), centre = inertia.getCOG();
    add_part(r, "link", RESIDA_PART_LINE, {{b.parent, zero}, {i, zero}});
    if (!(inertia.getMass() > 0)) return;
    add_part(r, "link", RESIDA_PART_LINE, {{i, zero}, {i, centre}});
    add_part(r, "mass", RESIDA_PART_BALLS, {{i, centre}});
}

/* Set the warning to the first unusual value of the description, and a joint beyond a limit without stop and
 * contact. */
void set_warning(urd_robot &r, const double *p)
{
    std::string text = r.arm.doubt;
    for (const urd_limit &limit : r.limits) {
        if (r.has_limits != URD_EVENTS || r.stiffness > 0 || !r.is_beyond(limit, p)) continue;
        text += (text.empty() ? "" : "; ") + r.where(limit, p, "is");
        break;
    }
    std::snprintf(r.warning, sizeof r.warning, "%s", text.c_str());
}

int output(const resida_model *model, const resida_model_point *at, double *out)
{
    urd_robot &r = *static_cast<urd_robot *>(model->user);
    r.bodies.place(at->p);
    r.bodies.inverse(r.gravity, at->p, at->v, at->a ? at->a : r.zeros.data(), r.forces.data());
    const std::vector<KDL::Twist> &rate = r.bodies.move(at->p, at->v);
    *out = r.bodies.kinetic() + r.bodies.potential(r.gravity);
    for (size_t i = 0; i < r.arm.joints.size(); i++) {
        const urd_joint &j = r.arm.joints[i];
        const double depth = std::max({0.0, j.lower - at->p[i], at->p[i] - j.upper});
        if (j.is_limited) *out += r.stiffness / 2 * depth * depth;
    }
    for (const urd_sphere &sphere : r.spheres) {
        const double depth = std::max(0.0, -urd_compute_gap(r, r.bodies, sphere.body, sphere));
        if (r.ground == URD_ELASTIC) *out += r.ground_stiffness / 2 * depth * depth;
    }
    out++;
    for (const size_t body : r.output_bodies) {
        const KDL::Frame &frame = r.bodies.at[body];
        for (int k = 0; k < 3; k++) *out++ = frame.p[k];
        frame.M.GetRPY(out[0], out[1], out[2]);
        const KDL::Twist motion = frame.M * rate[body];
        for (int k = 0; k < 6; k++) out[3 + k] = motion(k);
        out += 9;
    }
    set_warning(r, at->p);
    if (!r.spheres.empty()) urd_subtract_ground_forces(r, false, at->p, at->v, at->lam, r.forces.data());
    for (const double force : r.forces) *out++ = at->a ? force : NAN;
    for (const urd_sphere &sphere : r.spheres) out = std::copy(sphere.force.data, sphere.force.data + 3, out);
    if (!r.moved.empty()) urd_compute_drives(r, *at, out);
    return 0;
}

void add_output(urd_robot &r, const std::string &name, const char *unit)
{
    r.output_texts.push_back(name);
    r.output_units.push_back(unit);
}

} // namespace

void urd_list_parts(urd_robot &r, const urd_surfaces &surfaces, resida_model &model)
{
    const auto is_lost = [&](const urd_drawing &drawing) {
        return !drawing.file.empty() && surfaces.read.count(urd_surface_name(drawing)) == 0;
    };
    const KDL::Vector zero = KDL::Vector::Zero();
    std::set<std::string> drawn;
    for (const urd_drawing &drawing : r.arm.drawings)
        if (!is_lost(drawing)) drawn.insert(drawing.link);
    for (size_t i = 1; i < r.bodies.list.size(); i++)
        if (drawn.count(r.bodies.list[i].segment.getName()) == 0) add_lines(r, i);
    for (const urd_loop &loop : r.loops) {
        const size_t a = r.bodies.places.at(loop.a), b = r.bodies.places.at(loop.b);
        if (a > 0 && drawn.count(loop.a) == 0) add_part(r, "link", RESIDA_PART_LINE, {{a, zero}, {a, loop.at_a}});
        if (b > 0 && drawn.count(loop.b) == 0) add_part(r, "link", RESIDA_PART_LINE, {{b, zero}, {b, loop.at_b}});
        if (loop.axes[0] == URD_ROD) add_part(r, "rod", RESIDA_PART_LINE, {{a, loop.at_a}, {b, loop.at_b}});
    }
    for (const urd_drawing &drawing : r.arm.drawings) {
        if (is_lost(drawing)) continue;
        std::vector<urd_point> points;
        for (const KDL::Vector &point : drawing.points) points.push_back({r.bodies.places.at(drawing.link), point});
        add_part(r, drawing.name, drawing.kind, points, drawing.colour);
        if (drawing.kind != RESIDA_PART_MESH) continue;
        const urd_mesh &mesh = surfaces.read.at(urd_surface_name(drawing));
        r.meshes.push_back({static_cast<int>(mesh.vertices.size() / 3), mesh.vertices.data(),
                            static_cast<int>(mesh.triangles.size() / 3), mesh.triangles.data()});
    }
    if (!r.meshes.empty()) model.meshes = r.meshes.data();
    for (size_t k = 0; k < r.parts.size(); k++) r.parts[k].name = r.part_names[k].c_str();
    model.n_parts = static_cast<int>(r.parts.size());
    model.parts = r.parts.data();
    model.part_colours = r.part_colours.data();
    model.shape = shape;
}

void urd_list_outputs(urd_robot &r, resida_model &model)
{
    static const struct {
        const char *name, *unit;
    } of_link[] = {{"x", "m"},    {"y", "m"},    {"z", "m"},    {"roll", "rad"}, {"pitch", "rad"}, {"yaw", "rad"},
                   {"vx", "m/s"}, {"vy", "m/s"}, {"vz", "m/s"}, {"wx", "rad/s"}, {"wy", "rad/s"},  {"wz", "rad/s"}};
    add_output(r, "energy", "J");
    for (size_t i = 0; i < r.bodies.list.size(); i++) {
        const std::string &link = r.bodies.list[i].segment.getName();
        if (r.arm.links.count(link) == 0) continue;
        r.output_bodies.push_back(i);
        for (const auto &each : of_link) add_output(r, link + "." + each.name, each.unit);
    }
    const auto unit = [](const urd_joint &joint) { return joint.turns ? "N m" : "N"; };
    for (const urd_joint &joint : r.arm.joints) add_output(r, joint.name + ".force", unit(joint));
    for (const urd_sphere &sphere : r.spheres)
        for (const char *end : {".fx", ".fy", ".normal"}) add_output(r, sphere.name + end, "N");
    for (const int q : r.moved) {
        const urd_joint &joint = r.arm.joints[static_cast<size_t>(q)];
        add_output(r, joint.name + ".drive", unit(joint));
    }
    for (const std::string &text : r.output_texts) r.output_names.push_back(text.c_str());
    model.n_outputs = static_cast<int>(r.output_names.size());
    model.output_names = r.output_names.data();
    model.output_units = r.output_units.data();
    model.output = output;
    model.warning = r.warning;
}
