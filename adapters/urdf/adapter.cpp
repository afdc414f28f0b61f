/* adapter.cpp - "X.urdf": a class with the start of each joint among its parameters, and its mechanism:
 *
 *     Phi = ID(q, v, a) + d v + c tanh(v / v_s)       ID: inverse dynamics of the tree with gravity along -z
 *
 * with damping d and dry friction c of the description. Limits are events on request, or joints rebound there by
 * Newton's law, or meet stops with a stiffness and damping. Joints may mimic others, be
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
#include <unordered_map>

#include <resida_features.h>

#include "constraints.h"

namespace {

enum { GRAVITY, BASE, LIMITS, RESTITUTION, STIFFNESS, DAMPING, SMOOTHING, MOTION, LOOPS, CUT, N_OWN };
constexpr double usual_rtol = 1e-6, usual_atol = 1e-8, usual_end = 1;
constexpr int uncut = 96, usual_cut = 16; /* joints up to which one full J costs less than pieces; of a piece then */

/* A file that is open. Parameters of joints are those of an arm with a free base; without one the first six are
 * ignored. */
struct urd_file {
    resida_model_class cls; /* the first member: a model finds its file by it */
    std::string path, name, text;
    std::vector<std::string> names, units;
    std::vector<resida_parameter> parameters;
    std::vector<const char *> options; /* of the command, for files beside the description */
    std::vector<std::string> joints;   /* names of those that start somewhere */
    urd_surfaces surfaces;
};

int residual(double, const double *p, const double *v, const double *a, const resida_excitation *, double *r,
             void *user)
{
    urd_robot &m = *static_cast<urd_robot *>(user);
    m.pieces.bodies.inverse(m.gravity, p, v, a, r);
    for (size_t i = 0; i < m.arm.joints.size(); i++) {
        const urd_joint &j = m.arm.joints[i];
        r[i] += j.damping * v[i];
        if (j.friction > 0) r[i] += j.friction * std::tanh(v[i] / m.smoothing);
        if (j.is_limited && m.stiffness > 0) r[i] -= m.stop(j, p[i], v[i]);
    }
    return 0;
}

/* How far each limit is away. */
int limits(double, const double *p, const double *, const resida_excitation *, double *out, void *user)
{
    const urd_robot &m = *static_cast<const urd_robot *>(user);
    for (size_t k = 0; k < m.limited.size(); k++) {
        const urd_joint &j = m.arm.joints[static_cast<size_t>(m.limited[k])];
        out[2 * k] = p[m.limited[k]] - j.lower;
        out[2 * k + 1] = j.upper - p[m.limited[k]];
    }
    return 0;
}

/* Its derivatives by p. */
int limits_matrix(double, const double *, const resida_excitation *, double *out, void *user)
{
    const urd_robot &m = *static_cast<const urd_robot *>(user);
    const size_t n = static_cast<size_t>(m.pieces.bodies.n());
    std::fill(out, out + 2 * m.limited.size() * n, 0.0);
    for (size_t k = 0; k < m.limited.size(); k++) {
        out[2 * k * n + static_cast<size_t>(m.limited[k])] = 1;
        out[(2 * k + 1) * n + static_cast<size_t>(m.limited[k])] = -1;
    }
    return 0;
}

/* Of a tree that is cut. */
int mass_matrix(double, const double *p, const resida_excitation *, double *out, void *user)
{
    static_cast<urd_robot *>(user)->pieces.mass(p, out);
    return 0;
}

/* Coordinates of halves start where their links are; M, and where J has entries. */
void float_halves(urd_robot &m, resida_mechanism &k)
{
    const urd_pieces &pieces = m.pieces;
    if (pieces.bodies.halves.empty()) return;
    m.bodies.inverse(m.gravity, m.p0.data(), m.v0.data(), m.zeros.data(), m.forces.data());
    m.p0.resize(static_cast<size_t>(k.n_p));
    m.v0.resize(static_cast<size_t>(k.n_v));
    pieces.bodies.start_halves(m.bodies, m.p0.data(), m.v0.data());
    for (const size_t half : pieces.bodies.halves)
        for (const char *end : {".x", ".y", ".z", ".q0", ".q1", ".q2", ".q3"}) {
            m.half_texts.push_back(pieces.bodies.list[half].segment.getName() + end);
            m.speed_texts.push_back(m.half_texts.back() + ".v");
        }
    for (const std::string &text : m.half_texts) m.names.push_back(text.c_str());
    k.mass_matrix = mass_matrix;
    k.M_pattern = k.Phi_v_pattern = pieces.M.pattern();
    k.Phi_p_pattern = pieces.Phi_p.pattern();
}

/* Limits as root functions, which are contacts where they rebound. */
void limit(urd_robot &m, resida_model &model, double restitution)
{
    resida_mechanism &k = model.mechanism;
    for (int i = 0; i < static_cast<int>(m.arm.joints.size()); i++) {
        const urd_joint &j = m.arm.joints[static_cast<size_t>(i)];
        if (j.upper < j.lower)
            throw std::runtime_error(urd_explain(m.arm.outline, "joint " + j.name + ": its limits are upside down"));
        if (!j.is_limited) continue;
        m.limited.push_back(i);
        m.stop_texts.push_back(j.name + ".lower");
        m.stop_texts.push_back(j.name + ".upper");
    }
    if (m.limited.empty()) return;
    k.n_root = 2 * static_cast<int>(m.limited.size());
    k.root = limits;
    for (const std::string &text : m.stop_texts) m.stop_names.push_back(text.c_str());
    model.root_names = m.stop_names.data();
    if (std::isnan(restitution)) return;
    m.restitution.assign(2 * m.limited.size(), restitution);
    m.contacts = {};
    m.contacts.size = sizeof m.contacts;
    m.contacts.n = k.n_root;
    m.contacts.restitution = m.restitution.data();
    m.contacts.matrix = limits_matrix;
    m.contacts.names = m.stop_names.data();
    model.contacts = &m.contacts;
}

/* A joint along which nothing resists has no acceleration, but where constraints give it one. */
void check_inertias(urd_robot &m)
{
    if (!m.loops.empty()) return;
    std::vector<KDL::RigidBodyInertia> composite;
    m.bodies.place(m.p0.data());
    m.bodies.compose(composite);
    for (size_t i = 1; i < m.bodies.list.size(); i++) {
        const int q = m.bodies.list[i].q;
        if (q < 0 || !m.arm.joints[static_cast<size_t>(q)].mimics.empty()) continue;
        if (std::count(m.moved.begin(), m.moved.end(), q) > 0) continue;
        const KDL::Twist &axis = m.bodies.axis[i];
        const std::string &name = m.arm.joints[static_cast<size_t>(q)].name;
        if (!(dot(axis, composite[i] * axis) > 0))
            throw std::runtime_error(urd_explain(m.arm.outline, "joint " + name + " moves no inertia"));
    }
}

void fill(urd_robot &m, const urd_surfaces &surfaces, resida_model &model, const double *values)
{
    resida_mechanism &k = model.mechanism;
    k.n_p = k.n_v = m.pieces.bodies.n();
    k.user = &m;
    k.residual = residual;
    for (const urd_joint &j : m.arm.joints) m.names.push_back(j.name.c_str()), m.speed_texts.push_back(j.name + ".v");
    float_halves(m, k);
    for (const std::string &text : m.speed_texts) m.speed_names.push_back(text.c_str());
    k.p_names = m.names.data();
    k.v_names = m.speed_names.data();
    urd_list_constraints(m, k);
    const bool rebounds = values[LIMITS] > 1;
    if (values[LIMITS] > 0) limit(m, model, rebounds ? values[RESTITUTION] : NAN);
    model.user = &m;
    model.p0 = m.p0.data();
    model.v0 = m.v0.data();
    model.t0 = m.moved.empty() ? 0 : m.motion.t.front();
    model.t_end = m.moved.empty() ? usual_end : m.motion.t.back();
    model.n_breakpoints = static_cast<int>(m.motion.t.size());
    model.breakpoints = m.motion.t.data();
    model.rtol = usual_rtol;
    model.atol = usual_atol;
    urd_list_parts(m, surfaces, model);
    urd_list_outputs(m, model);
}

/* Where a joint of this name starts, and how fast. */
void find_start(urd_robot &m, const urd_file &file, const double *values)
{
    std::unordered_map<std::string, size_t> places;
    for (size_t k = 0; k < file.joints.size(); k++) places[file.joints[k]] = k;
    for (size_t i = 0; i < m.arm.joints.size(); i++) {
        const auto found = places.find(m.arm.joints[i].name);
        if (found == places.end()) continue;
        m.p0[i] = values[N_OWN + 2 * found->second];
        m.v0[i] = values[N_OWN + 2 * found->second + 1];
    }
}

/* Joints that mimic others start with them. */
void follow(urd_robot &m)
{
    for (const size_t k : m.arm.mimics) {
        const urd_joint &j = m.arm.joints[k];
        m.p0[k] = j.multiplier * m.p0[j.of] + j.offset;
        m.v0[k] = j.multiplier * m.v0[j.of];
    }
}

/* Joints that a file moves start where it says. */
void take_motion(urd_robot &m, const std::string &path)
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
    std::snprintf(why->text, sizeof why->text, "%s", text);
    return 1;
}

int create(const double *values, resida_model *model, resida_message *why)
{
    const urd_file &file = *reinterpret_cast<const urd_file *>(model->cls);
    const char *const *words = model->words;
    const std::string base = words[BASE];
    if (base != "fixed" && base != "free") return refuse(why, ("base = " + base + ": is fixed or free").c_str());
    try {
        auto m = std::make_unique<urd_robot>(urd_read(file.path, base == "free"), static_cast<int>(values[CUT]));
        m->gravity = values[GRAVITY];
        m->stiffness = values[STIFFNESS];
        m->damping = values[DAMPING];
        m->smoothing = values[SMOOTHING];
        find_start(*m, file, values);
        take_motion(*m, words[MOTION]);
        follow(*m);
        if (*words[LOOPS]) m->loops = urd_read_loops(words[LOOPS], m->arm.tree);
        check_inertias(*m);
        fill(*m, file.surfaces, *model, values);
        m.release();
        return 0;
    } catch (const std::exception &e) {
        return refuse(why, e.what());
    }
}

void destroy(resida_model *model)
{
    delete static_cast<urd_robot *>(model->user);
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
    add_parameter(file, "limits", 0, "-", "1: limits of joints are events; 2: joints rebound from them");
    add_parameter(file, "restitution", 0.5, "-", "of joints that rebound");
    add_parameter(file, "stop_stiffness", 0, "N m/rad", "of stops at the limits; of slides N/m; 0: none");
    add_parameter(file, "stop_damping", 0, "N m s/rad", "of these stops; of slides N s/m");
    add_parameter(file, "smoothing", 1e-3, "rad/s", "speed up to which dry friction rises");
    add_parameter(file, "motion", 0, "-", "CSV file with joints that are moved over time: t,JOINT,...");
    add_parameter(file, "loops", 0, "-", "CSV file with points of links that are one: link_a,x_a,...");
    add_parameter(file, "cut", arm.joints.size() > uncut ? usual_cut : 0, "-",
                  "joints of a piece, where links are cut and welded; 0: none is");
    file.parameters[CUT].whole = 1, file.parameters[CUT].min = 0;
    file.parameters[BASE].word = "fixed";
    file.parameters[MOTION].word = file.parameters[LOOPS].word = "";
    file.parameters[LIMITS].whole = 1, file.parameters[LIMITS].min = 0, file.parameters[LIMITS].max = 2;
    for (const int own : {RESTITUTION, STIFFNESS, DAMPING}) file.parameters[static_cast<size_t>(own)].min = 0;
    file.parameters[RESTITUTION].max = 1;
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
    file.options.resize(file.names.size());
    file.options[MOTION] = "motion", file.options[LOOPS] = "loops";
}

void say_what_is_lost(urd_file &file)
{
    const urd_surfaces &s = file.surfaces;
    if (s.lost == 0) return;
    file.text += "; meshes not drawn, " + std::to_string(s.lost) + " of " + std::to_string(s.n) + ": ";
    const rsd_feature &assimp = *rsd_feature_of("assimp");
    char missing[200];
    std::snprintf(missing, sizeof missing, "built without assimp" RSD_INSTALL, assimp.packages, assimp.page);
    file.text += urd_reads_meshes() ? s.why : missing;
}

int open_file(const char *path, const resida_model_class **cls, resida_message *why)
{
    try {
        auto file = std::make_unique<urd_file>();
        const char *slash = std::strrchr(path, '/');
        file->path = path;
        file->name = slash ? slash + 1 : path;
        const urd_arm arm = urd_read(path, true);
        list_parameters(*file, arm);
        file->text = "a robot, of its description";
        file->surfaces = urd_read_surfaces(path, arm.drawings);
        say_what_is_lost(*file);
        file->cls = {RESIDA_MODEL_HEAD,
                     file->name.c_str(),
                     file->text.c_str(),
                     static_cast<int>(file->parameters.size()),
                     file->parameters.data(),
                     create,
                     destroy,
                     file->options.data()};
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
