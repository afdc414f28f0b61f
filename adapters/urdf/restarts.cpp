/* restarts.cpp - see restarts.h. */
#include "restarts.h"

#include <algorithm>
#include <cmath>

namespace {

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

void urd_list_restarts(urd_robot &m, resida_model &model)
{
    if (m.motion.kinks.empty() && m.torques.first.size() < 2 && !(m.stiffness > 0) && m.ground != URD_ELASTIC) return;
    model.event = event;
    model.state_is_all = 1;
    model.state = &m.torques.piece;
    model.state_size = sizeof m.torques.piece;
}
