/* adapter.cpp - the adapter for "X.urdf", "X.sdf" and "X.xacro": a class with the parameters of parameters.h, and its
 * mechanism
 *
 *     Phi = ID(q, v, a) + d v + c tanh(v / v_s)       ID: inverse dynamics of the tree with gravity
 *
 * with damping d and dry friction c of the description, smoothed below the speed v_s. For limits see limits.h, for the
 * ground ground.h. Joints may mimic others. Files may prescribe the motion of joints and close loops. These are
 * constraints:
 *
 *     0 = q_k - u_k(t),     0 = q_k - multiplier q_l - offset,     0 = (R_a' (r_b - r_a))_i
 *
 * The multiplier lam of a joint that mimics another is the force of its transmission: -lam along q_k, multiplier lam
 * along q_l. */
#include <resida/adapter.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>

#include <resida_features.h>

#include "constraints.h"
#include "excitations.h"
#include "ground.h"
#include "inertias.h"
#include "limits.h"
#include "parameters.h"

namespace {

constexpr double usual_rtol = 1e-6, usual_atol = 1e-8, usual_end = 1;
/* An open file. */
struct urd_file {
    resida_model_class cls;         /* the first member: its address is that of the file */
    std::string name, source, text; /**< source: the description */
    urd_parameters parameters;
    urd_surfaces surfaces;
};

int residual(double, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
             void *user)
{
    urd_robot &m = *static_cast<urd_robot *>(user);
    m.pieces.bodies.inverse(m.gravity, p, v, a, r);
    for (size_t i = 0; i < m.arm.joints.size(); i++) {
        const urd_joint &j = m.arm.joints[i];
        r[i] += m.resistance(j, p[i], v[i]);
    }
    for (size_t k = 0; k < m.pushed.size(); k++) r[m.pushed[k]] -= e->u[m.moved.size() + k];
    if (m.ground == URD_ELASTIC) urd_subtract_ground_forces(m, true, p, v, nullptr, r);
    return 0;
}

/* Compute the mass matrix of a tree that is cut into pieces. */
int mass_matrix(double, const double *p, const resida_excitation *, double *out, void *user)
{
    static_cast<urd_robot *>(user)->pieces.mass(p, out);
    return 0;
}

/* Set the start of the floating halves from their links, and set mass matrix and patterns. */
void set_floating_halves(urd_robot &m, resida_mechanism &k)
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
    for (size_t i = 0; i < pieces.bodies.halves.size(); i++)
        for (const char *unit : {"m", "m", "m", "-", "-", "-", "-"}) m.units.push_back(unit);
    k.mass_matrix = mass_matrix;
    k.M_pattern = k.Phi_v_pattern = pieces.M.pattern();
    k.Phi_p_pattern = m.ground == URD_ELASTIC ? k.M_pattern : pieces.Phi_p.pattern();
}

void fill_model(urd_robot &m, const urd_surfaces &surfaces, resida_model &model, const double *values)
{
    resida_mechanism &k = model.mechanism;
    k.n_p = k.n_v = m.pieces.bodies.n();
    k.user = &m;
    k.residual = residual;
    for (const urd_joint &j : m.arm.joints) m.names.push_back(j.name.c_str()), m.speed_texts.push_back(j.name + ".v");
    for (const urd_joint &j : m.arm.joints) m.units.push_back(j.turns ? "rad" : "m");
    set_floating_halves(m, k);
    for (const std::string &text : m.speed_texts) m.speed_names.push_back(text.c_str());
    k.p_names = m.names.data();
    k.v_names = m.speed_names.data();
    model.p_units = m.units.data();
    urd_select_limits(m, static_cast<int>(values[URD_LIMITS]));
    urd_select_spheres(m, model.words[URD_SPHERES]);
    urd_list_constraints(m, k);
    urd_list_slides(m, k);
    urd_list_excitations(m, model);
    urd_list_limits(m, model, values[URD_RESTITUTION]);
    urd_list_restarts(m, model);
    model.user = &m;
    model.p0 = m.p0.data();
    model.v0 = m.v0.data();
    model.t0 = m.moved.empty() ? 0 : m.motion.t.front();
    model.t_end = !m.moved.empty() ? m.motion.t.back() : !m.pushed.empty() ? m.torques.t.back() : usual_end;
    if (!(model.t_end > model.t0)) model.t_end = model.t0 + usual_end;
    if (!m.pushed.empty()) m.torques.enter(model.t0);
    model.rtol = usual_rtol;
    model.atol = usual_atol;
    urd_list_parts(m, surfaces, model);
    urd_list_outputs(m, model);
}

/* Set position and speed at the start of joints that mimic others. */
void set_mimic_starts(urd_robot &m)
{
    for (const size_t k : m.arm.mimics) {
        const urd_joint &j = m.arm.joints[k];
        m.p0[k] = j.multiplier * m.p0[j.of] + j.offset;
        m.v0[k] = j.multiplier * m.v0[j.of];
    }
}

/* Return the coordinate of the joint with this name. */
int find_joint(const urd_robot &m, const std::string &name, const std::string &path)
{
    for (size_t i = 0; i < m.arm.joints.size(); i++)
        if (m.arm.joints[i].name == name) return static_cast<int>(i);
    throw std::runtime_error(path + ": there is no joint " + name + " that moves");
}

/* Read the prescribed motion. Its joints start at the first values. */
void read_motion(urd_robot &m, const urd_file &file, const double *values, const std::string &path)
{
    if (path.empty()) return;
    m.motion = urd_read_motion(path);
    for (const std::string &joint : m.motion.joints)
        urd_check_start_has_effect(file.parameters, values, joint, path + " moves joint " + joint);
    const size_t n = m.motion.joints.size();
    std::vector<double> u(n), ud(n), udd(n);
    m.motion.at(m.motion.t.front(), u.data(), ud.data(), udd.data());
    for (size_t k = 0; k < n; k++) {
        const size_t i = static_cast<size_t>(find_joint(m, m.motion.joints[k], path));
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

void read_torques(urd_robot &m, const std::string &path)
{
    if (path.empty()) return;
    m.torques = urd_read_torques(path);
    for (const std::string &name : m.torques.joints) {
        const int q = find_joint(m, name, path);
        if (std::count(m.moved.begin(), m.moved.end(), q) > 0)
            throw std::runtime_error(path + ": joint " + name + " is moved by --motion, which determines its torque");
        if (std::count(m.pushed.begin(), m.pushed.end(), q) > 0)
            throw std::runtime_error(path + ": joint " + name + " twice");
        m.pushed.push_back(q);
    }
}

void set_ground(urd_robot &m, const std::string &kind, const double *values)
{
    if (kind != "none" && kind != "elastic" && kind != "rigid")
        throw std::runtime_error("ground = " + kind + ": must be none, elastic or rigid");
    m.ground = kind == "none" ? URD_NO_GROUND : kind == "rigid" ? URD_RIGID : URD_ELASTIC;
    m.ground_z = values[URD_GROUND_Z];
    m.ground_stiffness = values[URD_GROUND_STIFFNESS];
    m.ground_damping = values[URD_GROUND_DAMPING];
    m.ground_friction = values[URD_GROUND_FRICTION];
}

int report_error(resida_message *why, const char *text)
{
    std::snprintf(why->text, sizeof why->text, "%s", text);
    return 1;
}

int create_model(const double *values, resida_model *model, resida_message *why)
{
    const urd_file &file = *reinterpret_cast<const urd_file *>(model->cls);
    const char *const *words = model->words;
    const std::string base = words[URD_FREE];
    if (base != "fixed" && base != "free")
        return report_error(why, ("base = " + base + ": must be fixed or free").c_str());
    try {
        urd_arm arm = urd_read(file.source, base == "free");
        urd_change_arm(arm, file.parameters, values);
        auto m = std::make_unique<urd_robot>(std::move(arm), base == "free", static_cast<int>(values[URD_CUT]));
        m->gravity = KDL::Vector(values[URD_GRAVITY_X], values[URD_GRAVITY_Y], -values[URD_GRAVITY]);
        m->stiffness = values[URD_STIFFNESS];
        m->damping = values[URD_DAMPING];
        m->smoothing = values[URD_SMOOTHING];
        set_ground(*m, words[URD_GROUND], values);
        for (size_t k = 0; k < URD_BASE && base == "fixed"; k++)
            urd_check_start_has_effect(file.parameters, values, file.parameters.starting[k], "base = fixed");
        urd_find_start(*m, file.parameters, values);
        read_motion(*m, file, values, words[URD_MOTION]);
        set_mimic_starts(*m);
        read_torques(*m, words[URD_TORQUES]);
        if (*words[URD_LOOPS]) m->loops = urd_read_loops(words[URD_LOOPS], m->arm.tree);
        urd_set_loop_starts(*m);
        urd_check_inertias(*m);
        fill_model(*m, file.surfaces, *model, values);
        m.release();
        return 0;
    } catch (const std::exception &e) {
        return report_error(why, e.what());
    }
}

void report_ignored_elements(urd_file &file)
{
    const urd_surfaces &s = file.surfaces;
    if (s.lost == 0) return;
    file.text += "; meshes not drawn, " + std::to_string(s.lost) + " of " + std::to_string(s.n) + ": ";
    const rsd_feature &assimp = *rsd_feature_of("assimp");
    char missing[200];
    std::snprintf(missing, sizeof missing, "built without assimp; %s", assimp.remedy);
    file.text += urd_can_read_meshes ? s.why : missing;
}

int open_file(const char *path, const resida_model_class **cls, resida_message *why)
{
    try {
        auto file = std::make_unique<urd_file>();
        const char *slash = std::strrchr(path, '/');
        file->name = slash ? slash + 1 : path;
        file->source = urd_read_text(path);
        const urd_arm arm = urd_read(file->source, true);
        urd_list_parameters(file->parameters, arm);
        file->text =
            std::string("a robot, from its description (") + (arm.outline.elements[0].tag == "sdf" ? "SDF)" : "URDF)");
        file->surfaces = urd_read_surfaces(path, arm.drawings);
        report_ignored_elements(*file);
        file->cls = {RESIDA_MODEL_HEAD,
                     file->name.c_str(),
                     file->text.c_str(),
                     static_cast<int>(file->parameters.list.size()),
                     file->parameters.list.data(),
                     create_model,
                     [](resida_model *model) { delete static_cast<urd_robot *>(model->user); },
                     file->parameters.options.data()};
        *cls = &file.release()->cls;
        return 0;
    } catch (const std::exception &e) {
        return report_error(why, e.what());
    }
}

void close_file(const resida_model_class *cls)
{
    delete reinterpret_cast<urd_file *>(const_cast<resida_model_class *>(cls));
}

} // namespace

RESIDA_ADAPTER const resida_adapter resida_adapter_object = {RESIDA_ADAPTER_HEAD, "urdf", "descriptions of robots",
                                                             open_file, close_file};
