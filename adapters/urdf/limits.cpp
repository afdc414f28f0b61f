/* limits.cpp - see limits.h. */
#include "limits.h"

#include "ground.h"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace {

/* Compute the gaps of the limits and of the spheres. */
int compute_gaps(double, const double *p, const double *, const resida_excitation *, double *out, void *user)
{
    urd_robot &m = *static_cast<urd_robot *>(user);
    for (const urd_limit &limit : m.limits) *out++ = limit.gap(p);
    if (!m.spheres.empty()) m.pieces.bodies.place(p);
    for (const urd_sphere &sphere : m.spheres) *out++ = urd_compute_gap(m, m.pieces.bodies, sphere.piece, sphere);
    return 0;
}

/* Compute the derivatives of the gaps of contacts with respect to p. */
int compute_gaps_matrix(double, const double *p, const resida_excitation *, double *out, void *user)
{
    urd_robot &m = *static_cast<urd_robot *>(user);
    const size_t n = static_cast<size_t>(m.pieces.bodies.n()), n_limits = m.has_limits < URD_HOLD ? 0 : m.limits.size();
    std::fill(out, out + static_cast<size_t>(m.contacts.n) * n, 0.0);
    for (size_t k = 0; k < n_limits; k++) out[k * n + static_cast<size_t>(m.limits[k].q)] = m.limits[k].side;
    if (m.ground != URD_RIGID) return 0;
    m.pieces.bodies.place(p);
    urd_each_sphere_entry(m, p, KDL::Vector(0, 0, 1), [&](size_t k, int column, double x) {
        out[(n_limits + k) * n + static_cast<size_t>(column)] += x;
    });
    return 0;
}

void check_range(const urd_robot &m, const urd_joint &j)
{
    if (j.lower < j.upper) return;
    const std::string what = j.upper < j.lower ? "its lower limit exceeds its upper limit" : "its limits are equal";
    throw std::runtime_error(urd_complete_message(m.arm.outline, "joint " + j.name + ": " + what));
}

/* A limit of a joint, and the corresponding coordinate of the mimicked joint. */
struct bound {
    size_t joint;
    bool is_lower;
    double at;
};

/* Add the contacts. Joints that move together have one range with the narrowest limits. Contacts at other limits would
 * be redundant. */
void add_contacts(urd_robot &m)
{
    const std::vector<urd_lead> leads = urd_find_leads(m.arm);
    std::map<size_t, bound> lower, upper; /* by the mimicked joint */
    const auto keep = [](std::map<size_t, bound> &of, size_t joint, const bound &b, double side) {
        const auto found = of.emplace(joint, b).first;
        if (side * (b.at - found->second.at) > 0) found->second = b;
    };
    for (size_t i = 0; i < leads.size(); i++) {
        const urd_joint &j = m.arm.joints[i];
        const urd_lead &l = leads[i];
        if (!j.is_limited || std::count(m.moved.begin(), m.moved.end(), static_cast<int>(l.of)) > 0) continue;
        const bound low = {i, true, (j.lower - l.offset) / l.multiplier},
                    high = {i, false, (j.upper - l.offset) / l.multiplier};
        keep(lower, l.of, l.multiplier > 0 ? low : high, 1);
        keep(upper, l.of, l.multiplier > 0 ? high : low, -1);
    }
    for (const auto &of : lower) {
        const bound &low = of.second, &high = upper.at(of.first);
        if (!(low.at < high.at))
            throw std::runtime_error(urd_complete_message(
                m.arm.outline, "joint " + m.arm.joints[of.first].name + ": the limits of " +
                                   m.arm.joints[low.joint].name + " and " + m.arm.joints[high.joint].name +
                                   " do not overlap, but these joints move together"));
        for (const bound &b : {low, high}) {
            const urd_joint &j = m.arm.joints[b.joint];
            m.limits.push_back({j.name + (b.is_lower ? ".lower" : ".upper"), static_cast<int>(b.joint),
                                b.is_lower ? 1.0 : -1.0, b.is_lower ? j.lower : j.upper});
        }
    }
}

} // namespace

void urd_select_limits(urd_robot &m, int kind)
{
    const bool are_contacts = kind >= URD_HOLD;
    if (are_contacts && m.stiffness > 0)
        throw std::runtime_error("limits = " + std::to_string(kind) +
                                 " and stop_stiffness: a joint rebounds from its limit, or meets a stop");
    if (kind == URD_REBOUNDS && m.ground == URD_RIGID)
        throw std::runtime_error("limits = 3 and ground = rigid: contacts of a run either hold or only rebound; use "
                                 "limits = 2");
    m.has_limits = kind;
    if (kind == URD_NO_LIMITS && !(m.stiffness > 0)) return;
    for (size_t i = 0; i < m.arm.joints.size(); i++) {
        const urd_joint &j = m.arm.joints[i];
        if (!j.is_limited) continue;
        check_range(m, j);
        if (are_contacts) continue;
        m.limits.push_back({j.name + ".lower", static_cast<int>(i), 1, j.lower});
        m.limits.push_back({j.name + ".upper", static_cast<int>(i), -1, j.upper});
    }
    if (!are_contacts) return;
    add_contacts(m);
    if (!m.loops.empty()) return; /* the consistent start is unknown here */
    for (const urd_limit &limit : m.limits)
        if (m.is_beyond(limit, m.p0.data())) throw std::runtime_error(m.where(limit, m.p0.data(), "starts"));
}

void urd_list_limits(urd_robot &m, resida_model &model, double restitution)
{
    const bool has_slides = !m.slide_texts.empty();
    const size_t n_limits = m.limits.size(), n = n_limits + m.spheres.size(),
                 first = m.has_limits < URD_HOLD ? n_limits : 0, end = m.ground == URD_RIGID ? n : n_limits;
    if (n == 0) return;
    for (const urd_limit &limit : m.limits) m.root_names.push_back(limit.name.c_str());
    for (const urd_sphere &sphere : m.spheres) m.root_names.push_back(sphere.name.c_str());
    model.mechanism.n_root = static_cast<int>(n);
    model.mechanism.root = compute_gaps;
    model.root_names = m.root_names.data();
    model.state_is_all = 1;
    if (end <= first) return;
    m.restitution.assign(end - first, restitution);
    m.grips.assign(n_limits - first, 0);
    m.grips.resize(end - first, m.ground_friction);
    m.contacts = {};
    m.contacts.size = sizeof m.contacts;
    m.contacts.n = static_cast<int>(end - first);
    m.contacts.first = static_cast<int>(first);
    m.contacts.restitution = m.restitution.data();
    m.contacts.friction = has_slides ? m.grips.data() : nullptr;
    m.contacts.matrix = compute_gaps_matrix;
    m.contacts.names = m.root_names.data() + first;
    m.contacts.holds = m.has_limits == URD_HOLD || m.ground == URD_RIGID;
    m.contacts.first_g = static_cast<int>(m.n_before_spheres() - m.held().size());
    model.contacts = &m.contacts;
}
