/* excitations.cpp - see excitations.h. */
#include "excitations.h"

#include <algorithm>
#include <cmath>
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

/* Handle an event. Time events of the files and root events of contacts are not reported. */
int event(const resida_model *model, resida_model_event *e)
{
    urd_robot &m = *static_cast<urd_robot *>(model->user);
    const int n = model->mechanism.n_root, n_limits = static_cast<int>(m.limits.size());
    bool is_contact = false, is_elastic = false, is_limit = false;
    for (int i = 0; i < n && e->kind == RESIDA_AT_ROOT; i++) {
        if (e->direction[i] == 0) continue;
        const bool is_held = i >= m.contacts.first && i < m.contacts.first + m.contacts.n;
        is_contact = is_contact || is_held;
        is_elastic = is_elastic || (!is_held && (i >= n_limits || m.stiffness > 0));
        is_limit = is_limit || !is_held;
    }
    e->changed = e->kind == RESIDA_AT_TIME || (is_elastic && !is_contact);
    e->silent = e->kind == RESIDA_AT_TIME || !is_limit;
    if (e->kind == RESIDA_AT_ROOT) return 0;
    const std::vector<double> &kinks = m.motion.kinks;
    const auto next = std::upper_bound(kinks.begin(), kinks.end(), e->t);
    if (!m.pushed.empty()) m.torques.enter(e->t);
    const double jump = m.pushed.empty() ? INFINITY : m.torques.next(e->t);
    e->t_next = std::min(jump, next != kinks.end() ? *next : INFINITY);
    if (e->t_next >= e->t_stop) e->t_next = INFINITY;
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

void urd_list_restarts(urd_robot &m, resida_model &model)
{
    model.state = m.torques.state.data();
    model.state_size = m.torques.state.size() * sizeof(double);
    if (m.motion.kinks.empty() && m.torques.first.size() < 2 && !(m.stiffness > 0) && m.ground != URD_ELASTIC) return;
    model.event = event;
    model.state_is_all = 1;
}
