/* bodies.cpp - see bodies.h. */
#include "bodies.h"

urd_bodies::urd_bodies(const KDL::Tree &tree)
{
    const KDL::SegmentMap::const_iterator root = tree.getRootSegment();
    list.push_back({root->second.segment, 0, -1});
    places[root->first] = 0;
    std::vector<KDL::SegmentMap::const_iterator> order = {root};
    for (size_t i = 0; i < order.size(); i++)
        for (const KDL::SegmentMap::const_iterator &child : order[i]->second.children) {
            const bool moves = child->second.segment.getJoint().getType() != KDL::Joint::None;
            places[child->first] = list.size();
            list.push_back({child->second.segment, i, moves ? static_cast<int>(child->second.q_nr) : -1});
            order.push_back(child);
        }
    const size_t n = list.size();
    at.resize(n), to.resize(n), axis.resize(n), rate.resize(n), change.resize(n), force.resize(n);
}

void urd_bodies::place(const double *q)
{
    for (size_t i = 1; i < list.size(); i++) {
        const body &b = list[i];
        at[i] = at[b.parent] * b.segment.pose(b.q < 0 ? 0 : q[b.q]);
    }
}

void urd_bodies::inverse(double g, const double *q, const double *v, const double *a, double *f)
{
    change[0] = KDL::Twist(KDL::Vector(0, 0, g), KDL::Vector::Zero()); /* gravity, as an acceleration of the root */
    for (size_t i = 1; i < list.size(); i++) {
        const body &b = list[i];
        const double angle = b.q < 0 ? 0 : q[b.q];
        to[i] = b.segment.pose(angle);
        rate[i] = to[i].Inverse(rate[b.parent]);
        change[i] = to[i].Inverse(change[b.parent]);
        if (b.q >= 0) {
            axis[i] = to[i].M.Inverse(b.segment.twist(angle, 1));
            const KDL::Twist own = axis[i] * v[b.q];
            rate[i] += own;
            change[i] += axis[i] * a[b.q] + rate[i] * own;
        }
        const KDL::RigidBodyInertia &inertia = b.segment.getInertia();
        force[i] = inertia * change[i] + rate[i] * (inertia * rate[i]);
    }
    force[0] = KDL::Wrench::Zero();
    for (size_t i = list.size() - 1; i > 0; i--) {
        const body &b = list[i];
        if (b.q >= 0) f[b.q] = dot(axis[i], force[i]);
        force[b.parent] += to[i] * force[i];
    }
}

double urd_bodies::kinetic() const
{
    double sum = 0;
    for (size_t i = 1; i < list.size(); i++) sum += dot(rate[i], list[i].segment.getInertia() * rate[i]) / 2;
    return sum;
}

double urd_bodies::potential(double g) const
{
    double sum = 0;
    for (size_t i = 1; i < list.size(); i++) {
        const KDL::RigidBodyInertia &inertia = list[i].segment.getInertia();
        if (inertia.getMass() > 0) sum += inertia.getMass() * g * (at[i] * inertia.getCOG()).z();
    }
    return sum;
}
