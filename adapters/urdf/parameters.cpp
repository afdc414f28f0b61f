/* parameters.cpp - see parameters.h. */
#include "parameters.h"

#include <cmath>
#include <set>
#include <stdexcept>
#include <unordered_map>

namespace {

constexpr int uncut = 96, usual_cut = 16; /* max. number of joints for which one full J is cheaper than pieces;
                                           * joints of a piece */
constexpr double usual_stiffness = 1e5, usual_damping = 1e3, usual_friction = 0.8; /* of the ground */

resida_parameter &add(urd_parameters &to, const std::string &name, double value, const char *unit, const char *text)
{
    to.names.push_back(name);
    to.list.push_back({nullptr, value, -INFINITY, INFINITY, 0, unit, text, nullptr});
    return to.list.back();
}

void list_adapter_parameters(urd_parameters &to, const urd_arm &arm)
{
    add(to, "gravity", 9.81, "m/s^2", "along -z");
    add(to, "gravity_x", 0, "m/s^2", "along x");
    add(to, "gravity_y", 0, "m/s^2", "along y");
    add(to, "base", 0, "-", "fixed, or free: then it moves by six coordinates, turns about x, y, z").word = "fixed";
    resida_parameter &limits =
        add(to, "limits", 0, "-", "1: events; 2: joints rebound and rest there; 3: rebound alone");
    limits.whole = 1, limits.min = 0, limits.max = URD_REBOUNDS;
    resida_parameter &restitution = add(to, "restitution", 0.5, "-", "of contacts: limits, rigid ground");
    restitution.min = 0, restitution.max = 1;
    add(to, "stop_stiffness", 0, "N m/rad", "of stops at the limits; of slides N/m; 0: none").min = 0;
    add(to, "stop_damping", 0, "N m s/rad", "of these stops; of slides N s/m").min = 0;
    add(to, "smoothing", 1e-3, "rad/s", "speed up to which dry friction rises, as tanh").min = 1e-9;
    add(to, "motion", 0, "-", "CSV file with joints that are moved over time: t,JOINT,...").word = "";
    add(to, "torques", 0, "-", "CSV file with torques and forces of joints over time: t,JOINT,...").word = "";
    add(to, "loops", 0, "-", "CSV file with points, rods and welds that close loops: link_a,x_a,...").word = "";
    resida_parameter &cut = add(to, "cut", arm.joints.size() > uncut ? usual_cut : 0, "-",
                                "joints of a piece, where links are cut and welded; 0: none is");
    cut.whole = 1, cut.min = 0;
    add(to, "ground", 0, "-", "none, elastic or rigid: a horizontal plane that spheres touch").word = "none";
    add(to, "spheres", 0, "-", "CSV file with spheres besides those of collisions: link,x,y,z,radius").word = "";
    add(to, "ground_z", 0, "m", "height of the ground");
    add(to, "ground_stiffness", usual_stiffness, "N/m", "of an elastic ground").min = 0;
    add(to, "ground_damping", usual_damping, "N s/m", "of an elastic ground").min = 0;
    add(to, "ground_friction", usual_friction, "-", "of the ground; rigid: along x").min = 0;
}

/* List the start values of joints that mimic none. The default is 0, or the middle of the limits if they exclude 0. */
void list_starts(urd_parameters &to, const urd_arm &arm)
{
    for (const urd_joint &j : arm.joints) {
        if (!j.mimics.empty()) continue;
        const bool is_inside = !j.is_limited || (j.lower <= 0 && 0 <= j.upper);
        to.starting.push_back(j.name);
        add(to, j.name, is_inside ? 0 : (j.lower + j.upper) / 2, j.turns ? "rad" : "m", "start of the joint");
        add(to, j.name + ".v", 0, j.turns ? "rad/s" : "m/s", "its speed at the start");
    }
}

void list_joint_and_link_values(urd_parameters &to, const urd_arm &arm)
{
    for (size_t i = URD_BASE; i < arm.joints.size(); i++) {
        const urd_joint &j = arm.joints[i];
        to.moving.push_back(j.name);
        add(to, j.name + ".damping", j.damping, j.turns ? "N m s/rad" : "N s/m", "of the joint").min = 0;
        add(to, j.name + ".friction", j.friction, j.turns ? "N m" : "N", "dry friction of the joint").min = 0;
    }
    for (const std::string &link : arm.links) {
        to.links.push_back(link);
        add(to, link + ".mass", arm.tree.getSegment(link)->second.segment.getInertia().getMass(), "kg",
            "of the link, at its centre of mass")
            .min = 0;
        add(to, link + ".inertia", 1, "-", "times its moments of inertia about its centre of mass").min = 0;
    }
}

bool is_changed(double a, double b)
{
    return a < b || a > b;
}

} // namespace

void urd_list_parameters(urd_parameters &to, const urd_arm &arm)
{
    list_adapter_parameters(to, arm);
    list_starts(to, arm);
    list_joint_and_link_values(to, arm);
    std::set<std::string> known; /* a joint may have the name of a parameter */
    for (size_t k = 0; k < to.names.size(); k++) {
        while (!known.insert(to.names[k]).second) to.names[k] += '_';
        to.list[k].name = to.names[k].c_str();
    }
    to.options.resize(to.names.size());
    to.options[URD_MOTION] = "motion", to.options[URD_TORQUES] = "torques", to.options[URD_LOOPS] = "loops";
    to.options[URD_SPHERES] = "spheres";
}

void urd_change_arm(urd_arm &arm, const urd_parameters &of, const double *values)
{
    const double *of_joint = values + URD_OWN + 2 * of.starting.size(), *of_link = of_joint + 2 * of.moving.size();
    const size_t first = arm.joints.size() - of.moving.size();
    for (size_t i = first; i < arm.joints.size(); i++, of_joint += 2)
        arm.joints[i].damping = of_joint[0], arm.joints[i].friction = of_joint[1];
    for (const std::string &link : of.links) {
        const double mass = *of_link++, factor = *of_link++;
        KDL::RigidBodyInertia body = arm.tree.getSegment(link)->second.segment.getInertia();
        const KDL::Vector centre = body.getCOG();
        if (is_changed(mass, body.getMass()) || is_changed(factor, 1))
            arm.changed[link] =
                KDL::RigidBodyInertia(mass, centre, factor * body.RefPoint(centre).getRotationalInertia());
    }
}

void urd_find_start(urd_robot &m, const urd_parameters &of, const double *values)
{
    std::unordered_map<std::string, size_t> places;
    for (size_t k = 0; k < of.starting.size(); k++) places[of.starting[k]] = k;
    for (size_t i = 0; i < m.arm.joints.size(); i++) {
        const auto found = places.find(m.arm.joints[i].name);
        if (found == places.end()) continue;
        m.p0[i] = values[URD_OWN + 2 * found->second];
        m.v0[i] = values[URD_OWN + 2 * found->second + 1];
    }
}

void urd_check_start_has_effect(const urd_parameters &of, const double *values, const std::string &joint,
                                const std::string &why)
{
    const size_t behind = URD_OWN + 2 * of.starting.size();
    for (size_t k = URD_OWN; k < behind; k++)
        if (of.starting[(k - URD_OWN) / 2] == joint && is_changed(values[k], of.list[k].value))
            throw std::runtime_error(of.names[k] + " has no effect: " + why);
}
