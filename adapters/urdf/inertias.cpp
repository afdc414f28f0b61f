/* inertias.cpp - see inertias.h. */
#include "inertias.h"

#include <algorithm>
#include <stdexcept>

#include <kdl/articulatedbodyinertia.hpp>

namespace {

using articulated = KDL::ArticulatedBodyInertia;

constexpr double rounding = 1e-12; /* of D, as a part of that of the bodies as one */

/* U U'/D. */
articulated taken(const KDL::Wrench &U, double D)
{
    const Eigen::Map<const Eigen::Vector3d> push(U.force.data), turn(U.torque.data);
    return {push * push.transpose() / D, turn * push.transpose() / D, turn * turn.transpose() / D};
}

/* Joints of which others decide: those of the motion, those that mimic, and those that are mimicked. */
std::vector<bool> find_led(const urd_robot &m)
{
    std::vector<bool> is_led(m.arm.joints.size(), false);
    for (const int q : m.moved) is_led[static_cast<size_t>(q)] = true;
    for (const size_t k : m.arm.mimics) is_led[k] = is_led[m.arm.joints[k].of] = true;
    return is_led;
}

[[noreturn]] void refuse(const urd_robot &m, const urd_joint &joint)
{
    const bool is_of_base = m.is_free && &joint < &m.arm.joints[URD_BASE];
    const std::string root = m.is_free ? m.arm.joints[URD_BASE - 1].segment : "";
    throw std::runtime_error(
        urd_explain(m.arm.outline, is_of_base ? "link " + root + ": no inertia is left to the root by the joints on it"
                                              : "joint " + joint.name + " moves no inertia"));
}

} // namespace

void urd_check_inertias(const urd_robot &m)
{
    if (!m.loops.empty()) return;
    urd_bodies bodies = m.bodies;
    std::vector<double> p = m.p0;
    if (m.is_free) std::fill(p.begin(), p.begin() + URD_BASE, 0.0);
    std::vector<KDL::RigidBodyInertia> composite;
    bodies.place(p.data());
    bodies.compose(composite);
    const std::vector<bool> is_led = find_led(m);
    std::vector<articulated> own(bodies.list.size());
    for (size_t i = 0; i < own.size(); i++) own[i] = articulated(bodies.list[i].inertia);
    for (size_t i = own.size() - 1; i > 0; i--) {
        const urd_bodies::body &b = bodies.list[i];
        if (b.q >= 0 && !is_led[static_cast<size_t>(b.q)]) {
            const KDL::Twist &axis = bodies.axis[i];
            const KDL::Wrench U = own[i] * axis;
            const double D = dot(axis, U);
            if (!(D > rounding * dot(axis, composite[i] * axis))) refuse(m, m.arm.joints[static_cast<size_t>(b.q)]);
            own[i] = own[i] - taken(U, D);
        }
        own[b.parent] = own[b.parent] + bodies.to[i] * own[i];
    }
}
