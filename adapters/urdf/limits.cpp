/* limits.cpp - see limits.h. */
#include "limits.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace {

/* How far each limit is away. */
int gaps(double, const double *p, const double *, const resida_excitation *, double *out, void *user)
{
    for (const urd_limit &limit : static_cast<const urd_robot *>(user)->limits) *out++ = limit.gap(p);
    return 0;
}

/* Its derivatives by p. */
int gaps_matrix(double, const double *, const resida_excitation *, double *out, void *user)
{
    const urd_robot &m = *static_cast<const urd_robot *>(user);
    const size_t n = static_cast<size_t>(m.pieces.bodies.n());
    std::fill(out, out + m.limits.size() * n, 0.0);
    for (size_t k = 0; k < m.limits.size(); k++) out[k * n + static_cast<size_t>(m.limits[k].q)] = m.limits[k].side;
    return 0;
}

void check_range(const urd_robot &m, const urd_joint &j)
{
    if (j.lower < j.upper) return;
    const std::string what = j.upper < j.lower ? "its limits are upside down" : "its limits are equal";
    throw std::runtime_error(urd_explain(m.arm.outline, "joint " + j.name + ": " + what));
}

/* Joints that a file moves, and those that mimic one of them. */
std::vector<bool> find_moved(const urd_robot &m)
{
    std::vector<bool> is_moved(m.arm.joints.size(), false);
    for (const int q : m.moved) is_moved[static_cast<size_t>(q)] = true;
    for (const size_t k : m.arm.mimics) is_moved[k] = is_moved[m.arm.joints[k].of];
    return is_moved;
}

/* Beyond a limit that holds nothing begins; where loops move the start, it is not known here. */
void check_start(const urd_robot &m)
{
    if (!m.loops.empty()) return;
    for (const urd_limit &limit : m.limits)
        if (m.is_beyond(limit, m.p0.data())) throw std::runtime_error(m.where(limit, m.p0.data(), "starts"));
}

/* The same limit of the joint that a joint mimics in the end. */
urd_limit at_source(const urd_robot &m, urd_limit limit)
{
    while (true) {
        const urd_joint &j = m.arm.joints[static_cast<size_t>(limit.q)];
        if (j.mimics.empty()) return limit;
        limit.at = (limit.at - j.offset) / j.multiplier;
        if (j.multiplier < 0) limit.side = -limit.side;
        limit.q = static_cast<int>(j.of);
    }
}

/* Of contacts of joints that move as one the first to close: others would have the same gap, or never close. */
void add_contact(urd_robot &m, const urd_limit &limit)
{
    const urd_limit source = at_source(m, limit);
    for (urd_limit &other : m.limits) {
        const urd_limit there = at_source(m, other);
        if (there.q != source.q || there.side * source.side < 0) continue;
        constexpr double rounding = 1e-9;
        if (source.side * (source.at - there.at) > rounding * (1 + std::fabs(there.at))) other = limit;
        return;
    }
    m.limits.push_back(limit);
}

} // namespace

void urd_choose_limits(urd_robot &m, int kind)
{
    const bool are_contacts = kind >= URD_HOLD;
    if (are_contacts && m.stiffness > 0)
        throw std::runtime_error("limits = " + std::to_string(kind) +
                                 " and stop_stiffness: a joint rebounds from its limit, or meets a stop");
    m.has_limits = kind;
    if (kind == URD_NO_LIMITS && !(m.stiffness > 0)) return;
    const std::vector<bool> is_moved = find_moved(m);
    for (size_t i = 0; i < m.arm.joints.size(); i++) {
        const urd_joint &j = m.arm.joints[i];
        if (!j.is_limited) continue;
        check_range(m, j);
        if (are_contacts && is_moved[i]) continue;
        for (const urd_limit &limit : {urd_limit{j.name + ".lower", static_cast<int>(i), 1, j.lower},
                                       urd_limit{j.name + ".upper", static_cast<int>(i), -1, j.upper}})
            if (are_contacts)
                add_contact(m, limit);
            else
                m.limits.push_back(limit);
    }
    if (are_contacts) check_start(m);
}

void urd_list_limits(urd_robot &m, resida_model &model, double restitution)
{
    if (m.limits.empty()) return;
    for (const urd_limit &limit : m.limits) m.limit_names.push_back(limit.name.c_str());
    model.mechanism.n_root = static_cast<int>(m.limits.size());
    model.mechanism.root = gaps;
    model.root_names = m.limit_names.data();
    model.state_is_all = 1;
    if (m.has_limits < URD_HOLD) return;
    m.restitution.assign(m.limits.size(), restitution);
    m.contacts = {};
    m.contacts.size = sizeof m.contacts;
    m.contacts.n = model.mechanism.n_root;
    m.contacts.restitution = m.restitution.data();
    m.contacts.matrix = gaps_matrix;
    m.contacts.names = m.limit_names.data();
    m.contacts.holds = m.has_limits == URD_HOLD;
    m.contacts.first_g = static_cast<int>(m.moved.size() + m.arm.mimics.size());
    model.contacts = &m.contacts;
}
