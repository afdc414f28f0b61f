/* excitations.cpp - see excitations.h. */
#include "excitations.h"

#include <set>

namespace {

int excitation(double t, double *u, double *ud, double *udd, void *user)
{
    const urd_robot &m = *static_cast<const urd_robot *>(user);
    const size_t n = m.moved.size();
    if (n > 0) m.motion.at(t, u, ud, udd);
    if (m.pushed.empty()) return 0;
    m.torques.at(t, u + n, ud + n);
    for (size_t k = 0; k < m.pushed.size(); k++) udd[n + k] = 0;
    return 0;
}

} // namespace

void urd_list_excitations(urd_robot &m, resida_model &model)
{
    resida_mechanism &k = model.mechanism;
    k.n_u = static_cast<int>(m.moved.size() + m.pushed.size());
    if (k.n_u == 0) return;
    k.excitation = excitation;
    for (const std::string &joint : m.motion.joints) m.excitation_names.push_back(joint.c_str());
    for (const std::string &joint : m.torques.joints) m.excitation_names.push_back(joint.c_str());
    model.excitation_names = m.excitation_names.data();
    const auto turns = [&m](int q) { return m.arm.joints[static_cast<size_t>(q)].turns; };
    for (const int q : m.moved) m.excitation_units.push_back(turns(q) ? "rad" : "m");
    for (const int q : m.pushed) m.excitation_units.push_back(turns(q) ? "N m" : "N");
    model.excitation_units = m.excitation_units.data();
    std::set<double> times(m.motion.t.begin(), m.motion.t.end());
    times.insert(m.torques.t.begin(), m.torques.t.end());
    m.breakpoints.assign(times.begin(), times.end());
    model.n_breakpoints = static_cast<int>(m.breakpoints.size());
    model.breakpoints = m.breakpoints.data();
}
