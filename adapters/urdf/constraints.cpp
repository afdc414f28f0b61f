/* constraints.cpp - see constraints.h. */
#include "constraints.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <resida/quaternion.h>

#include "ground.h"

namespace {

constexpr int AXES = 3;
constexpr double min_length = 1e-9; /* [m] of a rod at the start */
constexpr double of_a_pass = 400;   /* operations for each link: its position, and one pass over the tree */

/* Return vex R. */
KDL::Vector vex(const KDL::Rotation &r)
{
    return KDL::Vector(r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1)) / 2;
}

/* Return compute_trace(R), for vex(w^ R) = (compute_trace(R) 1 - R) w/2. */
double compute_trace(const KDL::Rotation &r)
{
    return r(0, 0) + r(1, 1) + r(2, 2);
}

/* Return the direction of a row of a tie in the axes of a; `there`: the point of b in the frame of a. */
KDL::Vector get_direction(const urd_tie &tie, const KDL::Vector &there, int axis)
{
    if (axis == URD_ROD) return (there - tie.at_a) / tie.length;
    KDL::Vector unit = KDL::Vector::Zero();
    unit(axis) = 1;
    return unit;
}

/* Return R_a' R_b rest', the identity if the orientation of a rigid tie is satisfied. */
KDL::Rotation compute_turn(const urd_tie &tie, const KDL::Frame &from_b)
{
    return from_b.M * tie.rest.Inverse();
}

/* Return the spheres whose gaps are constraints. */
const std::vector<urd_sphere> &get_rigid_spheres(const urd_robot &m)
{
    static const std::vector<urd_sphere> none;
    return m.ground == URD_RIGID ? m.spheres : none;
}

bool has_constant_matrix(const urd_robot &m)
{
    return m.ties.empty() && get_rigid_spheres(m).empty();
}

/* Return the index in p of the Euler parameters of half k. */
size_t get_euler_index(const urd_bodies &bodies, size_t k)
{
    return static_cast<size_t>(bodies.first(static_cast<int>(k)) + URD_PLACE);
}

int constraint(double, const double *p, const resida_excitation *e, double *g, void *user)
{
    urd_robot &m = *static_cast<urd_robot *>(user);
    for (size_t k = 0; k < m.moved.size(); k++) *g++ = p[m.moved[k]] - e->u[k];
    for (const size_t k : m.arm.mimics) {
        const urd_joint &j = m.arm.joints[k];
        *g++ = p[k] - j.multiplier * p[j.of] - j.offset;
    }
    for (const urd_limit &limit : m.held()) *g++ = limit.gap(p);
    if (!has_constant_matrix(m)) m.pieces.bodies.place(p);
    urd_bodies &bodies = m.pieces.bodies;
    for (const urd_sphere &sphere : get_rigid_spheres(m)) *g++ = urd_compute_gap(m, bodies, sphere.piece, sphere);
    for (const urd_tie &tie : m.ties) {
        const KDL::Frame from_b = bodies.at[tie.body_a].Inverse() * bodies.at[tie.body_b];
        const KDL::Vector apart = from_b * tie.at_b - tie.at_a;
        for (const int axis : tie.axes)
            *g++ = axis == URD_ROD ? (dot(apart, apart) / tie.length - tie.length) / 2 : apart(axis);
        if (!tie.is_rigid) continue;
        const KDL::Vector turn = vex(compute_turn(tie, from_b));
        g = std::copy(turn.data, turn.data + AXES, g);
    }
    for (size_t k = 0; k < bodies.halves.size(); k++) *g++ = resida_quaternion_norm(p + get_euler_index(bodies, k));
    return 0;
}

/* Call take(row, column, entry) for the entries of a tie, whose rows begin at `row`. @return the next row */
template <class T> int each_entry(const urd_bodies &bodies, const double *p, const urd_tie &tie, int row, const T &take)
{
    const KDL::Frame from_b = bodies.at[tie.body_a].Inverse() * bodies.at[tie.body_b];
    const KDL::Vector there = from_b * tie.at_b, zero = KDL::Vector::Zero();
    const auto both = [&](const KDL::Wrench &on_a, const KDL::Wrench &on_b) {
        const auto put = [&](int column, double x) { take(row, column, x); };
        bodies.climb(p, tie.body_a, on_a, put);
        bodies.climb(p, tie.body_b, on_b, put);
        row++;
    };
    for (const int axis : tie.axes) {
        const KDL::Vector unit = get_direction(tie, there, axis);
        const KDL::Vector push = from_b.M.Inverse(unit);
        both(KDL::Wrench(-unit, -(there * unit)), KDL::Wrench(push, tie.at_b * push));
    }
    const KDL::Rotation R = compute_turn(tie, from_b);
    for (int k = 0; k < (tie.is_rigid ? AXES : 0); k++) {
        KDL::Vector turn(-R(k, 0) / 2, -R(k, 1) / 2, -R(k, 2) / 2);
        turn(k) += compute_trace(R) / 2;
        both(KDL::Wrench(zero, -turn), KDL::Wrench(zero, from_b.M.Inverse(turn)));
    }
    return row;
}

/* Call take(row, column, entry) for all entries of G, with the bodies at the positions of the last place(). */
template <class T> void each_entry(const urd_robot &m, const double *p, const T &take)
{
    int row = 0;
    for (const int q : m.moved) take(row++, q, 1.0);
    for (const size_t k : m.arm.mimics) {
        const urd_joint &j = m.arm.joints[k];
        take(row, static_cast<int>(k), 1.0);
        take(row++, static_cast<int>(j.of), -j.multiplier);
    }
    for (const urd_limit &limit : m.held()) take(row++, limit.q, limit.side);
    const urd_bodies &bodies = m.pieces.bodies;
    const int of_spheres = row, n = static_cast<int>(get_rigid_spheres(m).size());
    if (n > 0)
        urd_each_sphere_entry(m, p, KDL::Vector(0, 0, 1), [&](size_t k, int column, double x) {
            take(of_spheres + static_cast<int>(k), column, x);
        });
    row += n;
    for (const urd_tie &tie : m.ties) row = each_entry(bodies, p, tie, row, take);
    for (size_t k = 0; k < bodies.halves.size(); k++, row++)
        for (size_t q = get_euler_index(bodies, k), i = 0; i < URD_TURN; i++)
            take(row, static_cast<int>(q + i), p[q + i]);
}

int constraint_matrix(double, const double *p, const resida_excitation *, double *out, void *user)
{
    urd_robot &m = *static_cast<urd_robot *>(user);
    std::fill(out, out + m.G.col.size(), 0.0);
    if (!has_constant_matrix(m)) m.pieces.bodies.place(p);
    size_t e = 0;
    each_entry(m, p, [&](int, int, double x) { out[m.G.slot[e++]] += x; });
    return 0;
}

/* Compute dg/dt at constant q. */
int velocity_bias(double, const double *, const resida_excitation *e, double *out, void *user)
{
    const urd_robot &m = *static_cast<const urd_robot *>(user);
    for (size_t k = 0; k < m.constraint_texts.size(); k++) out[k] = k < m.moved.size() ? -e->ud[k] : 0;
    return 0;
}

/* Compute the acceleration bias. G is constant. */
int acceleration_bias(double, const double *, const double *, const resida_excitation *e, double *out, void *user)
{
    const urd_robot &m = *static_cast<const urd_robot *>(user);
    for (size_t k = 0; k < m.constraint_texts.size(); k++) out[k] = k < m.moved.size() ? -e->udd[k] : 0;
    return 0;
}

/* Return the tie of the bodies that a loop connects. */
urd_tie make_tie(const urd_loop &loop, const urd_bodies &bodies)
{
    return {loop, bodies.places.at(loop.a), bodies.places.at(loop.b)};
}

/* Add the ties of loops and of halves of links. */
void add_ties(urd_robot &m)
{
    const urd_bodies &bodies = m.pieces.bodies;
    for (const urd_loop &loop : m.loops) m.ties.push_back(make_tie(loop, bodies));
    const KDL::Vector zero = KDL::Vector::Zero();
    for (const size_t half : bodies.halves) {
        const std::string &link = bodies.list[half].segment.getName();
        const urd_loop loop = {link, link, zero, zero, {0, 1, 2}, true, NAN, KDL::Rotation::Identity(), link};
        m.ties.push_back({loop, half - 1, half});
    }
}

} // namespace

void urd_set_loop_starts(urd_robot &m)
{
    m.bodies.place(m.p0.data());
    for (urd_loop &loop : m.loops) {
        const urd_tie tie = make_tie(loop, m.bodies);
        const KDL::Frame from_b = m.bodies.at[tie.body_a].Inverse() * m.bodies.at[tie.body_b];
        const double length = (from_b * tie.at_b - tie.at_a).Norm();
        loop.rest = from_b.M;
        if (loop.axes[0] != URD_ROD) continue;
        if (!(length > min_length))
            throw std::runtime_error("the ends of the rod " + loop.name + " coincide at the start");
        if (std::isnan(loop.length)) loop.length = length;
    }
}

void urd_each_loop_entry(const urd_robot &m, const double *p, const std::function<void(int, int, double)> &take)
{
    int row = 0;
    for (const urd_loop &loop : m.loops) row = each_entry(m.bodies, p, make_tie(loop, m.bodies), row, take);
}

void urd_list_constraints(urd_robot &m, resida_mechanism &k)
{
    add_ties(m);
    for (const std::string &joint : m.motion.joints) m.constraint_texts.push_back(joint);
    for (const size_t i : m.arm.mimics) m.constraint_texts.push_back(m.arm.joints[i].name);
    for (const urd_limit &limit : m.held()) m.constraint_texts.push_back(limit.name);
    for (const urd_sphere &sphere : get_rigid_spheres(m)) m.constraint_texts.push_back(sphere.name);
    for (const urd_tie &tie : m.ties) {
        for (const int axis : tie.axes)
            m.constraint_texts.push_back(tie.name + "." + (axis == URD_ROD ? "rod" : std::string(1, "xyz"[axis])));
        for (int i = 0; i < (tie.is_rigid ? AXES : 0); i++)
            m.constraint_texts.push_back(tie.name + ".turn_" + "xyz"[i]);
    }
    for (const size_t half : m.pieces.bodies.halves)
        m.constraint_texts.push_back(m.pieces.bodies.list[half].segment.getName() + ".norm");
    if (m.constraint_texts.empty()) return;
    for (const std::string &text : m.constraint_texts) m.constraint_names.push_back(text.c_str());
    k.n_g = static_cast<int>(m.constraint_names.size());
    k.g_names = m.constraint_names.data();
    k.constraint = constraint;
    k.constraint_matrix = constraint_matrix;
    k.cost.constraint = of_a_pass * static_cast<double>(m.pieces.bodies.list.size());
    m.pieces.bodies.place(m.p0.data());
    each_entry(m, m.p0.data(), [&](int row, int column, double) { m.G.add(row, column); });
    m.G.sort(k.n_g);
    k.G_pattern = m.G.pattern();
    k.velocity_bias = velocity_bias;
    if (has_constant_matrix(m)) k.acceleration_bias = acceleration_bias;
}
