/* adapter.cpp - "X.urdf": a class with the start of each joint among its parameters, and its mechanism:
 *
 *     Phi = ID(q, v, a) + d v + c tanh(v / v_s)       ID: inverse dynamics of the tree with gravity along -z
 *
 * with damping d and dry friction c of the description. Limits are events, on request. Joints may mimic others, be
 * moved by a file beside the description, and loops be closed by one: constraints
 *
 *     0 = q_k - u_k(t),     0 = q_k - multiplier q_l - offset,     0 = (R_a' (r_b - r_a))_i
 *
 * The multiplier of a joint that mimics is what its transmission does: -lam along q_k, multiplier lam along q_l. */
#include <resida/adapter.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>

#include <kdl/treefksolverpos_recursive.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>

#include "arm.h"
#include "loops.h"
#include "motion.h"

namespace {

enum { GRAVITY, BASE, LIMITS, SMOOTHING, MOTION, LOOPS, N_OWN };
constexpr double usual_rtol = 1e-6, usual_atol = 1e-8, usual_end = 1;

/* A file that is open. Parameters of joints are those of an arm with a free base; without one the first six are
 * ignored. */
struct urd_file {
    resida_model_class cls; /* the first member: a model finds its file by it */
    std::string path, name;
    std::vector<std::string> names, units;
    std::vector<resida_parameter> parameters;
    std::vector<std::string> joints; /* names of those that start somewhere */
};

struct instance {
    urd_arm arm;
    KDL::TreeIdSolver_RNE inverse;
    KDL::TreeFkSolverPos_recursive forward;
    KDL::JntArray q, v, a, f;
    std::vector<double> p0, v0;
    std::vector<const char *> names;
    std::vector<resida_part> parts;
    std::vector<std::pair<std::string, std::string>> drawn;  /* segments: from, to */
    std::vector<std::pair<std::string, KDL::Vector>> masses; /* segments with their centres */
    std::vector<int> limited;
    urd_motion motion;
    std::vector<int> moved; /* coordinates, in the order of the motion's joints */
    std::vector<urd_loop> loops;
    std::vector<std::string> constraint_texts;
    std::vector<const char *> constraint_names;
    double smoothing;

    instance(urd_arm made, double gravity)
        : arm(std::move(made)), inverse(arm.tree, KDL::Vector(0, 0, -gravity)), forward(arm.tree),
          q(arm.tree.getNrOfJoints()), v(q.rows()), a(q.rows()), f(q.rows()), smoothing(0)
    {
    }
};

int residual(double, const double *p, const double *v, const double *a, const resida_excitation *, double *r,
             void *user)
{
    instance &m = *static_cast<instance *>(user);
    const size_t n = m.arm.joints.size();
    for (size_t i = 0; i < n; i++) {
        m.q(static_cast<unsigned>(i)) = p[i];
        m.v(static_cast<unsigned>(i)) = v[i];
        m.a(static_cast<unsigned>(i)) = a[i];
    }
    if (m.inverse.CartToJnt(m.q, m.v, m.a, KDL::WrenchMap(), m.f) != 0) return -1;
    for (size_t i = 0; i < n; i++) {
        const urd_joint &j = m.arm.joints[i];
        r[i] = m.f(static_cast<unsigned>(i)) + j.damping * v[i];
        if (j.friction > 0) r[i] += j.friction * std::tanh(v[i] / m.smoothing);
    }
    return 0;
}

/* How far each limit is away. */
int limits(double, const double *p, const double *, const resida_excitation *, double *out, void *user)
{
    const instance &m = *static_cast<const instance *>(user);
    for (size_t k = 0; k < m.limited.size(); k++) {
        const urd_joint &j = m.arm.joints[static_cast<size_t>(m.limited[k])];
        out[2 * k] = p[m.limited[k]] - j.lower;
        out[2 * k + 1] = j.upper - p[m.limited[k]];
    }
    return 0;
}

KDL::Frame frame_of(instance &m, const std::string &segment)
{
    KDL::Frame at;
    if (m.forward.JntToCart(m.q, at, segment) < 0) throw std::runtime_error("no place of link " + segment);
    return at;
}

int excitation(double t, double *u, double *ud, double *udd, void *user)
{
    static_cast<const instance *>(user)->motion.at(t, u, ud, udd);
    return 0;
}

int constraint(double, const double *p, const resida_excitation *e, double *g, void *user)
{
    instance &m = *static_cast<instance *>(user);
    for (size_t k = 0; k < m.moved.size(); k++) *g++ = p[m.moved[k]] - e->u[k];
    for (const size_t k : m.arm.mimics) {
        const urd_joint &j = m.arm.joints[k];
        *g++ = p[k] - j.multiplier * p[j.of] - j.offset;
    }
    if (m.loops.empty()) return 0;
    for (unsigned i = 0; i < m.q.rows(); i++) m.q(i) = p[i];
    for (const urd_loop &loop : m.loops) {
        const KDL::Vector apart = frame_of(m, loop.a).Inverse(frame_of(m, loop.b) * loop.at_b) - loop.at_a;
        for (const int axis : loop.axes) *g++ = apart(axis);
    }
    return 0;
}

/* dg/dt at constant q. */
int velocity_bias(double, const double *, const resida_excitation *e, double *out, void *user)
{
    const instance &m = *static_cast<const instance *>(user);
    for (size_t k = 0; k < m.constraint_texts.size(); k++) out[k] = k < m.moved.size() ? -e->ud[k] : 0;
    return 0;
}

/* Without loops G is constant. */
int acceleration_bias(double, const double *, const double *, const resida_excitation *e, double *out, void *user)
{
    const instance &m = *static_cast<const instance *>(user);
    for (size_t k = 0; k < m.constraint_texts.size(); k++) out[k] = k < m.moved.size() ? -e->udd[k] : 0;
    return 0;
}

/* Where a point of a segment is. @return what comes after it */
double *put(instance &m, const std::string &segment, const KDL::Vector &point, double *xyz)
{
    const KDL::Vector there = frame_of(m, segment) * point;
    for (int k = 0; k < 3; k++) *xyz++ = there[k];
    return xyz;
}

/* Lines from joint to joint, and from a link's joint to its mass, with a mark there. */
int shape(const resida_model *model, double, const double *p, double *xyz)
{
    instance &m = *static_cast<instance *>(model->user);
    for (unsigned i = 0; i < m.q.rows(); i++) m.q(i) = p[i];
    for (const auto &line : m.drawn) {
        xyz = put(m, line.first, KDL::Vector::Zero(), xyz);
        xyz = put(m, line.second, KDL::Vector::Zero(), xyz);
    }
    for (const auto &mass : m.masses) {
        xyz = put(m, mass.first, KDL::Vector::Zero(), xyz);
        xyz = put(m, mass.first, mass.second, xyz);
        xyz = put(m, mass.first, mass.second, xyz);
    }
    return 0;
}

void draw(instance &m, resida_model &model)
{
    const std::string &root = m.arm.tree.getRootSegment()->first;
    for (const auto &entry : m.arm.tree.getSegments()) {
        if (entry.first == root) continue;
        const KDL::RigidBodyInertia &inertia = entry.second.segment.getInertia();
        m.drawn.emplace_back(entry.second.parent->first, entry.first);
        if (inertia.getMass() > 0) m.masses.emplace_back(entry.first, inertia.getCOG());
    }
    m.parts.assign(m.drawn.size(), {"link", RESIDA_PART_LINE, 2});
    for (size_t k = 0; k < m.masses.size(); k++) {
        m.parts.push_back({"link", RESIDA_PART_LINE, 2});
        m.parts.push_back({"mass", RESIDA_PART_BALLS, 1});
    }
    model.n_parts = static_cast<int>(m.parts.size());
    model.parts = m.parts.data();
    model.shape = shape;
}

/* Constraints of joints that are moved, of those that mimic others, and of loops. */
void constrain(instance &m, resida_mechanism &k)
{
    for (const std::string &joint : m.motion.joints) m.constraint_texts.push_back(joint);
    for (const size_t i : m.arm.mimics) m.constraint_texts.push_back(m.arm.joints[i].name);
    for (const urd_loop &loop : m.loops)
        for (const int axis : loop.axes) m.constraint_texts.push_back(loop.name + "." + "xyz"[axis]);
    if (m.constraint_texts.empty()) return;
    for (const std::string &text : m.constraint_texts) m.constraint_names.push_back(text.c_str());
    k.n_g = static_cast<int>(m.constraint_names.size());
    k.g_names = m.constraint_names.data();
    k.constraint = constraint;
    k.velocity_bias = velocity_bias;
    if (m.loops.empty()) k.acceleration_bias = acceleration_bias;
    k.n_u = static_cast<int>(m.moved.size());
    if (k.n_u > 0) k.excitation = excitation;
}

void fill(instance &m, resida_model &model, bool with_limits)
{
    resida_mechanism &k = model.mechanism;
    k.n_p = k.n_v = static_cast<int>(m.arm.joints.size());
    k.user = &m;
    k.residual = residual;
    for (const urd_joint &j : m.arm.joints) m.names.push_back(j.name.c_str());
    k.p_names = m.names.data();
    constrain(m, k);
    for (int i = 0; with_limits && i < k.n_p; i++) {
        const urd_joint &j = m.arm.joints[static_cast<size_t>(i)];
        if (j.upper < j.lower) throw std::runtime_error("joint " + j.name + ": its limits are upside down");
        if (j.is_limited) m.limited.push_back(i);
    }
    if (!m.limited.empty()) {
        k.n_root = 2 * static_cast<int>(m.limited.size());
        k.root = limits;
    }
    model.user = &m;
    model.p0 = m.p0.data();
    model.v0 = m.v0.data();
    model.t0 = m.moved.empty() ? 0 : m.motion.t.front();
    model.t_end = m.moved.empty() ? usual_end : m.motion.t.back();
    model.rtol = usual_rtol;
    model.atol = usual_atol;
    draw(m, model);
}

/* Where a joint of this name starts, and how fast. */
void find_start(instance &m, const urd_file &file, const double *values)
{
    m.p0.assign(m.arm.joints.size(), 0);
    m.v0 = m.p0;
    for (size_t i = 0; i < m.arm.joints.size(); i++)
        for (size_t k = 0; k < file.joints.size(); k++)
            if (file.joints[k] == m.arm.joints[i].name) {
                m.p0[i] = values[N_OWN + 2 * k];
                m.v0[i] = values[N_OWN + 2 * k + 1];
            }
}

/* Joints that mimic others start with them. */
void follow(instance &m)
{
    for (const size_t k : m.arm.mimics) {
        const urd_joint &j = m.arm.joints[k];
        m.p0[k] = j.multiplier * m.p0[j.of] + j.offset;
        m.v0[k] = j.multiplier * m.v0[j.of];
    }
}

/* Joints that a file moves start where it says. */
void take_motion(instance &m, const std::string &path)
{
    if (path.empty()) return;
    m.motion = urd_read_motion(path);
    const size_t n = m.motion.joints.size();
    std::vector<double> u(n), ud(n), udd(n);
    m.motion.at(m.motion.t.front(), u.data(), ud.data(), udd.data());
    for (size_t k = 0; k < n; k++) {
        size_t i = 0;
        while (i < m.arm.joints.size() && m.arm.joints[i].name != m.motion.joints[k]) i++;
        if (i == m.arm.joints.size())
            throw std::runtime_error(path + " moves joint " + m.motion.joints[k] + ", which there is not");
        if (std::count(m.moved.begin(), m.moved.end(), static_cast<int>(i)) > 0)
            throw std::runtime_error(path + " moves joint " + m.motion.joints[k] + " twice");
        if (!m.arm.joints[i].mimics.empty())
            throw std::runtime_error(path + " moves joint " + m.motion.joints[k] + ", which mimics " +
                                     m.arm.joints[i].mimics);
        m.moved.push_back(static_cast<int>(i));
        m.p0[i] = u[k];
        m.v0[i] = ud[k];
    }
}

int refuse(resida_message *why, const char *text)
{
    std::snprintf(why->text, sizeof why->text, "%.200s", text);
    return 1;
}

int create(const double *values, resida_model *model, resida_message *why)
{
    const urd_file &file = *reinterpret_cast<const urd_file *>(model->cls);
    const char *const *words = model->words;
    const std::string base = words[BASE];
    if (base != "fixed" && base != "free") return refuse(why, ("base = " + base + ": is fixed or free").c_str());
    try {
        auto m = std::make_unique<instance>(urd_read(file.path, base == "free"), values[GRAVITY]);
        m->smoothing = values[SMOOTHING];
        find_start(*m, file, values);
        take_motion(*m, words[MOTION]);
        follow(*m);
        if (*words[LOOPS]) m->loops = urd_read_loops(words[LOOPS], m->arm.tree);
        fill(*m, *model, values[LIMITS] != 0);
        m.release();
        return 0;
    } catch (const std::exception &e) {
        return refuse(why, e.what());
    }
}

void destroy(resida_model *model)
{
    delete static_cast<instance *>(model->user);
}

void add_parameter(urd_file &file, const std::string &name, double value, const char *unit, const char *text)
{
    file.names.push_back(name);
    file.parameters.push_back({nullptr, value, -INFINITY, INFINITY, 0, unit, text, nullptr});
}

/* Joints start at 0, or in the middle where 0 is not within their limits; those that mimic others with them. */
void list_parameters(urd_file &file, const urd_arm &arm)
{
    add_parameter(file, "gravity", 9.81, "m/s^2", "along -z");
    add_parameter(file, "base", 0, "-", "fixed, or free: then it moves by six coordinates, turns about x, y, z");
    add_parameter(file, "limits", 0, "-", "1: limits of joints are events");
    add_parameter(file, "smoothing", 1e-3, "rad/s", "speed up to which dry friction rises");
    add_parameter(file, "motion", 0, "-", "CSV file with joints that are moved over time: t,JOINT,...");
    add_parameter(file, "loops", 0, "-", "CSV file with points of links that are one: link_a,x_a,...");
    file.parameters[BASE].word = "fixed";
    file.parameters[MOTION].word = file.parameters[LOOPS].word = "";
    file.parameters[LIMITS].whole = 1, file.parameters[LIMITS].min = 0, file.parameters[LIMITS].max = 1;
    file.parameters[SMOOTHING].min = 1e-9;
    for (const urd_joint &j : arm.joints) {
        if (!j.mimics.empty()) continue;
        const bool is_inside = !j.is_limited || (j.lower <= 0 && 0 <= j.upper);
        file.joints.push_back(j.name);
        add_parameter(file, j.name, is_inside ? 0 : (j.lower + j.upper) / 2, j.turns ? "rad" : "m",
                      "start of the joint");
        add_parameter(file, j.name + ".v", 0, j.turns ? "rad/s" : "m/s", "its speed at the start");
    }
    for (size_t k = 0; k < file.names.size(); k++) file.parameters[k].name = file.names[k].c_str();
}

int open_file(const char *path, const resida_model_class **cls, resida_message *why)
{
    try {
        auto file = std::make_unique<urd_file>();
        const char *slash = std::strrchr(path, '/');
        file->path = path;
        file->name = slash ? slash + 1 : path;
        list_parameters(*file, urd_read(path, true));
        file->cls = {RESIDA_MODEL_HEAD,
                     file->name.c_str(),
                     "a robot, of its description",
                     static_cast<int>(file->parameters.size()),
                     file->parameters.data(),
                     create,
                     destroy};
        *cls = &file.release()->cls;
        return 0;
    } catch (const std::exception &e) {
        return refuse(why, e.what());
    }
}

void close_file(const resida_model_class *cls)
{
    delete reinterpret_cast<urd_file *>(const_cast<resida_model_class *>(cls));
}

} // namespace

RESIDA_ADAPTER const resida_adapter resida_adapter_object = {RESIDA_ADAPTER_HEAD, "urdf", "descriptions of robots",
                                                             open_file, close_file};
