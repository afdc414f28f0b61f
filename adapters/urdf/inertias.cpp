/* inertias.cpp - see inertias.h. */
#include "inertias.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include <Eigen/Core>
#include <kdl/articulatedbodyinertia.hpp>

namespace {

using articulated = KDL::ArticulatedBodyInertia;

constexpr double rounding = 1e-12;    /* min. D, relative to that of the composite rigid body */
constexpr double quarter_turn = 1e-6; /* [rad] distance from it at which rotations about x, y, z are singular */
constexpr size_t max_dense = 300;     /* max. number of free joints for a dense mass matrix */

/* Return U U'/D. */
articulated compute_reduction(const KDL::Wrench &U, double D)
{
    const Eigen::Map<const Eigen::Vector3d> push(U.force.data), turn(U.torque.data);
    return {push * push.transpose() / D, turn * push.transpose() / D, turn * turn.transpose() / D};
}

/* Return which joints are treated as locked: those with prescribed motion, those that mimic, and those that are
 * mimicked. */
std::vector<bool> find_locked_joints(const urd_robot &m)
{
    std::vector<bool> is_led(m.arm.joints.size(), false);
    for (const int q : m.moved) is_led[static_cast<size_t>(q)] = true;
    for (const size_t k : m.arm.mimics) is_led[k] = is_led[m.arm.joints[k].of] = true;
    return is_led;
}

/* Throw if joints move no inertia. Of several coordinates of a joint the first one is named; of those of a free base,
 * the root. */
void refuse(const urd_robot &m, const std::vector<size_t> &joints)
{
    if (joints.empty()) return;
    std::vector<std::string> names;
    std::set<std::string> named;
    for (const size_t i : joints) {
        const urd_joint &joint = m.arm.joints[i];
        const bool leads = std::any_of(m.arm.joints.begin(), m.arm.joints.end(),
                                       [&](const urd_joint &other) { return other.mimics == joint.name; });
        if ((m.is_free && i < URD_BASE) || !named.insert(joint.element).second) continue;
        names.push_back((joint.element == joint.name ? joint.name : joint.element + " (" + joint.name + ")") +
                        (leads ? ", with those that mimic it," : ""));
    }
    std::string text = names.empty() ? "link " + m.arm.joints[URD_BASE - 1].segment +
                                           ": the links moved by the joints between it and the root have no inertia"
                                     : "joint " + names[0] + " moves no inertia";
    if (names.size() > 1) text += ", nor do " + urd_list_names({names.begin() + 1, names.end()});
    const urd_joint &first = m.arm.joints[joints[0]];
    if (joints.size() == 1 && first.name == first.element + "_turn_x")
        text += ", or its rotations are singular: a quarter turn about y";
    throw std::runtime_error(urd_complete_message(m.arm.outline, text));
}

/* Return the joints without prescribed motion that mimic no other joint. */
std::vector<size_t> list_free_joints(const urd_robot &m)
{
    std::vector<size_t> out;
    for (size_t i = 0; i < m.arm.joints.size(); i++)
        if (m.arm.joints[i].mimics.empty() && std::count(m.moved.begin(), m.moved.end(), static_cast<int>(i)) == 0)
            out.push_back(i);
    return out;
}

/* Compute T' M T, by inverse dynamics with a unit acceleration along each column of T. */
Eigen::MatrixXd compute_mass_matrix(const urd_robot &m, urd_bodies &bodies, const double *p,
                                    const std::vector<size_t> &free)
{
    const auto n = static_cast<Eigen::Index>(free.size());
    const Eigen::Index all = bodies.n();
    const std::vector<urd_lead> leads = urd_find_leads(m.arm);
    Eigen::MatrixXd T = Eigen::MatrixXd::Zero(all, n), MT(all, n);
    for (size_t i = 0; i < leads.size(); i++)
        for (Eigen::Index k = 0; k < n; k++)
            if (leads[i].of == free[static_cast<size_t>(k)]) T(static_cast<Eigen::Index>(i), k) = leads[i].multiplier;
    const Eigen::VectorXd still = Eigen::VectorXd::Zero(all);
    for (Eigen::Index k = 0; k < n; k++)
        bodies.inverse(KDL::Vector::Zero(), p, still.data(), T.col(k).data(), MT.col(k).data());
    return T.transpose() * MT;
}

/* Eliminate the joints from the last one to the first, as in a tree from its leaves to its root. Return those that move
 * no inertia, which are then treated as locked. */
std::vector<size_t> eliminate_joints(const std::vector<size_t> &free, Eigen::MatrixXd &M)
{
    std::vector<size_t> lost;
    const Eigen::VectorXd own = M.diagonal();
    for (Eigen::Index k = M.rows() - 1; k >= 0; k--) {
        if (!(M(k, k) > rounding * own[k])) {
            lost.push_back(free[static_cast<size_t>(k)]);
            continue;
        }
        const Eigen::VectorXd row = M.col(k).head(k);
        M.topLeftCorner(k, k) -= row * row.transpose() / M(k, k);
    }
    return lost;
}

} // namespace

void urd_check_inertias(const urd_robot &m)
{
    constexpr int turn_y = 4;
    if (m.is_free && std::fabs(std::cos(m.p0[turn_y])) < quarter_turn)
        throw std::runtime_error(m.arm.joints[turn_y].name +
                                 " starts at a quarter turn, where the rotations of base = free are singular: start at "
                                 "another angle");
    if (!m.loops.empty()) return;
    urd_bodies bodies = m.bodies;
    std::vector<double> p = m.p0;
    if (m.is_free) std::fill(p.begin(), p.begin() + URD_BASE, 0.0);
    const std::vector<size_t> free = list_free_joints(m);
    if (!m.arm.mimics.empty() && free.size() <= max_dense) {
        Eigen::MatrixXd M = compute_mass_matrix(m, bodies, p.data(), free);
        refuse(m, eliminate_joints(free, M));
        return;
    }
    std::vector<KDL::RigidBodyInertia> composite;
    bodies.place(p.data());
    bodies.compose(composite);
    const std::vector<bool> is_led = find_locked_joints(m);
    std::vector<articulated> own(bodies.list.size());
    std::vector<size_t> lost;
    for (size_t i = 0; i < own.size(); i++) own[i] = articulated(bodies.list[i].inertia);
    for (size_t i = own.size() - 1; i > 0; i--) {
        const urd_bodies::body &b = bodies.list[i];
        if (b.q >= 0 && !is_led[static_cast<size_t>(b.q)]) {
            const KDL::Twist &axis = bodies.axis[i];
            const KDL::Wrench U = own[i] * axis;
            const double D = dot(axis, U);
            if (D > rounding * dot(axis, composite[i] * axis))
                own[i] = own[i] - compute_reduction(U, D);
            else
                lost.push_back(static_cast<size_t>(b.q));
        }
        own[b.parent] = own[b.parent] + bodies.to[i] * own[i];
    }
    refuse(m, lost);
}
