/* restarts.cpp - see restarts.h. */
#include "restarts.h"

#include <algorithm>
#include <cmath>

namespace {

/* Handle an event. Time events of the files and root events of contacts are not reported. */
int event(const resida_model *model, resida_model_event *e)
{
    urd_robot &m = *static_cast<urd_robot *>(model->user);
    e->changed = e->kind == RESIDA_AT_TIME || (e->kind == RESIDA_AT_ROOT && m.stiffness > 0);
    e->silent = e->kind == RESIDA_AT_TIME || m.has_limits >= URD_HOLD;
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
    if (m.motion.kinks.empty() && m.torques.first.size() < 2 && !(m.stiffness > 0)) return;
    model.event = event;
    model.state_is_all = 1;
    model.state = &m.torques.piece;
    model.state_size = sizeof m.torques.piece;
}
