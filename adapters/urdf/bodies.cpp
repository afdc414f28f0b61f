/* bodies.cpp - see bodies.h. */
#include "bodies.h"

#include <algorithm>
#include <cmath>
#include <resida/quaternion.h>

urd_bodies::urd_bodies(const KDL::Tree &tree, const std::map<std::string, KDL::RigidBodyInertia> &changed)
    : n_joints(static_cast<int>(tree.getNrOfJoints()))
{
    const KDL::SegmentMap::const_iterator root = tree.getRootSegment();
    list.push_back({root->second.segment, root->second.segment.getInertia(), 0, -1, -1});
    places[root->first] = 0;
    std::vector<KDL::SegmentMap::const_iterator> order = {root};
    for (size_t i = 0; i < order.size(); i++)
        for (const KDL::SegmentMap::const_iterator &child : order[i]->second.children) {
            const KDL::Segment &segment = child->second.segment;
            const bool moves = segment.getJoint().getType() != KDL::Joint::None;
            places[child->first] = list.size();
            list.push_back({segment, segment.getInertia(), i, moves ? static_cast<int>(child->second.q_nr) : -1, -1});
            order.push_back(child);
        }
    for (const auto &link : changed) list[places.at(link.first)].inertia = link.second;
    allocate();
}

void urd_bodies::allocate()
{
    const size_t all = list.size();
    at.resize(all), to.resize(all), axis.resize(all), rate.resize(all), change.resize(all), force.resize(all);
    for (size_t i = 1; i < all; i++)
        if (list[i].q >= 0) axis[i] = list[i].segment.pose(0).M.Inverse(list[i].segment.twist(0, 1));
    placed.assign(static_cast<size_t>(n()), NAN);
}

urd_bodies urd_bodies::cut(int most) const
{
    std::vector<int> hanging(list.size(), 0); /* joints of the piece that are supported by a link */
    std::vector<bool> is_cut(list.size(), false);
    for (size_t i = list.size() - 1; i > 0; i--) {
        is_cut[i] = hanging[i] >= most && list[i].inertia.getMass() > 0;
        hanging[list[i].parent] += (is_cut[i] ? 0 : hanging[i]) + (list[i].q >= 0);
    }
    urd_bodies out;
    std::vector<size_t> below(list.size()); /* index of the body that supports the children of a link */
    for (size_t i = 0; i < list.size(); i++) {
        body b = list[i];
        b.parent = below[b.parent];
        if (is_cut[i]) b.inertia = 0.5 * b.inertia;
        below[i] = out.list.size();
        out.list.push_back(b);
        if (!is_cut[i]) continue;
        below[i] = out.list.size();
        out.list.push_back({b.segment, b.inertia, 0, -1, static_cast<int>(out.halves.size())});
        out.halves.push_back(below[i]);
    }
    for (const auto &place : places) out.places[place.first] = below[place.second] - is_cut[place.second];
    out.n_joints = n_joints;
    out.allocate();
    return out;
}

void urd_bodies::place(const double *p)
{
    if (std::equal(placed.begin(), placed.end(), p)) return;
    std::copy(p, p + placed.size(), placed.begin());
    for (size_t i = 1; i < list.size(); i++) {
        const body &b = list[i];
        if (b.half < 0) {
            to[i] = b.segment.pose(b.q < 0 ? 0 : p[b.q]);
            at[i] = at[b.parent] * to[i];
        } else {
            const double *x = p + first(b.half);
            at[i].p = KDL::Vector(x[0], x[1], x[2]);
            resida_quaternion_matrix(x + URD_PLACE, at[i].M.data);
        }
    }
}

KDL::Vector urd_bodies::turn(const double *q, const double *rate)
{
    double T[URD_TURN * 3];
    KDL::Vector w;
    resida_quaternion_rates(q, T);
    for (int k = 0; k < 3; k++)
        w(k) = 4 / (1 + 2 * resida_quaternion_norm(q)) *
               (T[k] * rate[0] + T[3 + k] * rate[1] + T[6 + k] * rate[2] + T[9 + k] * rate[3]);
    return w;
}

/* Return the twist of a half for x = p', in its own frame. */
KDL::Twist urd_bodies::twist(size_t i, const double *p, const double *x) const
{
    const int k = first(list[i].half);
    return {at[i].M.Inverse(KDL::Vector(x[k], x[k + 1], x[k + 2])), turn(p + k + URD_PLACE, x + k + URD_PLACE)};
}

/* Compute velocity and acceleration of a half. Gravity is an acceleration of the frame. From T(q')' q' = 0 follows w' =
 * 4/|q|^2 T' q'' - 2 (q . q')/|q|^2 w. */
void urd_bodies::drift(size_t i, const KDL::Vector &g, const double *p, const double *v, const double *a)
{
    const double *q = p + first(list[i].half) + URD_PLACE, *qp = v + first(list[i].half) + URD_PLACE;
    const double along = 2 * (q[0] * qp[0] + q[1] * qp[1] + q[2] * qp[2] + q[3] * qp[3]);
    rate[i] = twist(i, p, v);
    change[i] = twist(i, p, a);
    change[i].vel += at[i].M.Inverse(-g) - rate[i].rot * rate[i].vel;
    change[i].rot -= along / (1 + 2 * resida_quaternion_norm(q)) * rate[i].rot;
}

void urd_bodies::inverse(const KDL::Vector &g, const double *p, const double *v, const double *a, double *f)
{
    place(p);
    change[0] = KDL::Twist(-g, KDL::Vector::Zero()); /* gravity, as an acceleration of the root */
    for (size_t i = 1; i < list.size(); i++) {
        const body &b = list[i];
        if (b.half < 0) {
            rate[i] = to[i].Inverse(rate[b.parent]);
            change[i] = to[i].Inverse(change[b.parent]);
        } else {
            drift(i, g, p, v, a);
        }
        if (b.q >= 0) {
            const KDL::Twist own = axis[i] * v[b.q];
            rate[i] += own;
            change[i] += axis[i] * a[b.q] + rate[i] * own;
        }
        force[i] = b.inertia * change[i] + rate[i] * (b.inertia * rate[i]);
    }
    gather(p, f);
}

/* Compute the work of a wrench along the coordinates of a half. */
void urd_bodies::work_on(size_t i, const double *p, const KDL::Wrench &w, double *out) const
{
    const KDL::Vector push = at[i].M * w.force;
    std::copy(push.data, push.data + URD_PLACE, out);
    resida_quaternion_gradient(p + first(list[i].half) + URD_PLACE, w.torque.data, out + URD_PLACE);
}

void urd_bodies::gather(const double *p, double *f)
{
    force[0] = KDL::Wrench::Zero();
    for (size_t i = list.size() - 1; i > 0; i--) {
        const body &b = list[i];
        if (b.q >= 0) f[b.q] = dot(axis[i], force[i]);
        if (b.half < 0)
            force[b.parent] += to[i] * force[i];
        else
            work_on(i, p, force[i], f + first(b.half));
    }
}

const std::vector<KDL::Twist> &urd_bodies::move(const double *p, const double *x)
{
    place(p);
    for (size_t i = 1; i < list.size(); i++) {
        const body &b = list[i];
        rate[i] = b.half < 0 ? to[i].Inverse(rate[b.parent]) : twist(i, p, x);
        if (b.q >= 0) rate[i] += axis[i] * x[b.q];
    }
    return rate;
}

void urd_bodies::start_halves(const urd_bodies &whole, double *p, double *v) const
{
    for (const size_t i : halves) {
        const size_t link = whole.places.at(list[i].segment.getName());
        const KDL::Frame &frame = whole.at[link];
        const KDL::Twist &own = whole.rate[link];
        const KDL::Vector speed = frame.M * own.vel;
        double *x = p + first(list[i].half), *q = x + URD_PLACE, *xp = v + first(list[i].half), T[URD_TURN * 3];
        std::copy(frame.p.data, frame.p.data + URD_PLACE, x);
        frame.M.GetQuaternion(q[1], q[2], q[3], q[0]);
        std::copy(speed.data, speed.data + URD_PLACE, xp);
        resida_quaternion_rates(q, T);
        for (int k = 0; k < URD_TURN; k++)
            xp[URD_PLACE + k] = T[3 * k] * own.rot(0) + T[3 * k + 1] * own.rot(1) + T[3 * k + 2] * own.rot(2);
    }
}

void urd_bodies::compose(std::vector<KDL::RigidBodyInertia> &composite) const
{
    composite.resize(list.size());
    for (size_t i = 0; i < list.size(); i++) composite[i] = list[i].inertia;
    for (size_t i = list.size() - 1; i > 0; i--) {
        if (list[i].half >= 0) continue;
        KDL::RigidBodyInertia &under = composite[list[i].parent];
        under = under + to[i] * composite[i];
    }
}

double urd_bodies::kinetic() const
{
    double sum = 0;
    for (size_t i = 1; i < list.size(); i++) sum += dot(rate[i], list[i].inertia * rate[i]) / 2;
    return sum;
}

double urd_bodies::potential(const KDL::Vector &g) const
{
    double sum = 0;
    for (size_t i = 1; i < list.size(); i++) {
        const KDL::RigidBodyInertia &inertia = list[i].inertia;
        if (inertia.getMass() > 0) sum -= inertia.getMass() * dot(g, at[i] * inertia.getCOG());
    }
    return sum;
}
