/* ground.cpp - see ground.h. */
#include "ground.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "adapters/urdf/beside/table.h"

namespace {

const std::vector<std::string> columns = {"link", "x", "y", "z", "radius"};

void read_spheres(urd_robot &m, const std::string &path)
{
    const urd_table table = urd_read_table(path);
    if (table.columns != columns) throw std::runtime_error(path + ": the first line must be link,x,y,z,radius");
    for (const urd_table::row &row : table.rows) {
        const std::string &link = row.fields[0];
        if (m.arm.links.count(link) == 0) throw std::runtime_error(row.where + ": there is no link " + link);
        const auto number = [&](size_t column) { return urd_number(table, row, column); };
        m.spheres.push_back({link, "", {number(1), number(2), number(3)}, number(4), 0, 0, KDL::Vector::Zero()});
        if (!(m.spheres.back().radius >= 0)) throw std::runtime_error(row.where + ": radius must not be negative");
    }
}

/* Set the names of the spheres, LINK.ground, LINK.ground_2, and their bodies. */
void name_spheres(urd_robot &m)
{
    for (size_t k = 0; k < m.spheres.size(); k++) {
        urd_sphere &sphere = m.spheres[k];
        const auto is_same = [&](const urd_sphere &x) { return x.link == sphere.link; };
        const auto others =
            std::count_if(m.spheres.begin(), m.spheres.begin() + static_cast<std::ptrdiff_t>(k), is_same);
        sphere.name = sphere.link + ".ground" + (others > 0 ? "_" + std::to_string(others + 1) : "");
        sphere.body = m.bodies.places.at(sphere.link);
        sphere.piece = m.pieces.bodies.places.at(sphere.link);
    }
}

/* Throw if a sphere starts below the ground. With loops the consistent start is unknown here and not checked. */
void check_heights(urd_robot &m)
{
    constexpr double rounding = 1e-6;
    if (!m.loops.empty()) return;
    m.bodies.place(m.p0.data());
    for (const urd_sphere &sphere : m.spheres) {
        const double gap = urd_compute_gap(m, m.bodies, sphere.body, sphere);
        char text[RESIDA_MESSAGE_SIZE];
        std::snprintf(text, sizeof text, "%.80s starts %g m below the ground: change the start, or ground_z",
                      sphere.name.c_str(), -gap);
        if (gap < -rounding) throw std::runtime_error(text);
    }
}

/* Throw if a sphere can slide along y, at the start or at two other positions. */
void check_plane(urd_robot &m)
{
    constexpr double other = 0.37, rounding = 1e-9;
    std::vector<double> p = m.p0;
    for (int pass = 0; pass < 3; pass++) {
        m.bodies.place(p.data());
        for (const urd_sphere &sphere : m.spheres) {
            const KDL::Wrench w = urd_get_sphere_wrench(m.bodies, sphere.body, sphere, KDL::Vector(0, 1, 0));
            m.bodies.climb(p.data(), sphere.body, w, [&](int, double work) {
                if (std::fabs(work) > rounding)
                    throw std::runtime_error("ground = rigid has friction along x, and " + sphere.name +
                                             " can slide along y: use ground = elastic, or ground_friction = 0");
            });
        }
        for (double &x : p) x += other;
    }
}

/* Return the force of an elastic ground; the speed is that of P. */
KDL::Vector compute_elastic_force(const urd_robot &m, double gap, const KDL::Vector &speed)
{
    if (!(gap < 0)) return KDL::Vector::Zero();
    const double N = std::max(0.0, -m.ground_stiffness * gap - m.ground_damping * speed.z());
    const double slip = std::hypot(speed.x(), speed.y());
    const double drag = m.ground_friction * N * (slip > 0 ? std::tanh(slip / m.smoothing) / slip : 1 / m.smoothing);
    return {-drag * speed.x(), -drag * speed.y(), N};
}

int slide_matrix(double, const double *p, const resida_excitation *, double *out, void *user)
{
    urd_robot &m = *static_cast<urd_robot *>(user);
    std::fill(out, out + m.Gh.col.size(), 0.0);
    m.pieces.bodies.place(p);
    size_t e = 0;
    urd_each_sphere_entry(m, p, KDL::Vector(1, 0, 0), [&](size_t, int, double x) { out[m.Gh.slot[e++]] += x; });
    return 0;
}

} // namespace

void urd_select_spheres(urd_robot &m, const std::string &path)
{
    if (m.ground == URD_NO_GROUND && path.empty()) return;
    if (m.ground == URD_NO_GROUND) throw std::runtime_error(path + " has no effect: ground = none");
    m.spheres = m.arm.spheres;
    if (!path.empty()) read_spheres(m, path);
    if (m.spheres.empty())
        throw std::runtime_error("no link has a sphere that can touch the ground: add <collision> with a <sphere>, or "
                                 "--spheres FILE.csv");
    name_spheres(m);
    if (m.ground != URD_RIGID) return;
    check_heights(m);
    if (m.ground_friction > 0) check_plane(m);
}

double urd_compute_gap(const urd_robot &m, const urd_bodies &bodies, size_t i, const urd_sphere &sphere)
{
    return (bodies.at[i] * sphere.at).z() - sphere.radius - m.ground_z;
}

KDL::Wrench urd_get_sphere_wrench(const urd_bodies &bodies, size_t i, const urd_sphere &sphere,
                                  const KDL::Vector &force)
{
    const KDL::Rotation &R = bodies.at[i].M;
    const KDL::Vector arm = R * sphere.at - KDL::Vector(0, 0, sphere.radius);
    return R.Inverse(KDL::Wrench(force, arm * force));
}

void urd_subtract_ground_forces(urd_robot &m, bool is_cut, const double *p, const double *v, const double *lam,
                                double *f)
{
    urd_bodies &bodies = is_cut ? m.pieces.bodies : m.bodies;
    const size_t n_g = m.constraint_texts.size(), first = m.n_before_spheres();
    const std::vector<KDL::Twist> &rate = bodies.move(p, v);
    for (size_t k = 0; k < m.spheres.size(); k++) {
        urd_sphere &sphere = m.spheres[k];
        const size_t i = is_cut ? sphere.piece : sphere.body;
        if (m.ground == URD_ELASTIC) {
            const KDL::Rotation &R = bodies.at[i].M;
            const KDL::Twist at_P = (R * rate[i]).RefPoint(R * sphere.at - KDL::Vector(0, 0, sphere.radius));
            sphere.force = compute_elastic_force(m, urd_compute_gap(m, bodies, i, sphere), at_P.vel);
        } else {
            const bool slides = m.ground_friction > 0;
            sphere.force =
                KDL::Vector(slides ? lam ? -lam[n_g + m.held().size() + k] : NAN : 0, 0, lam ? -lam[first + k] : NAN);
        }
        bodies.climb(p, i, urd_get_sphere_wrench(bodies, i, sphere, sphere.force),
                     [&](int q, double work) { f[q] -= work; });
    }
}

void urd_list_slides(urd_robot &m, resida_mechanism &k)
{
    if (m.ground != URD_RIGID || !(m.ground_friction > 0)) return;
    const size_t n_before = m.held().size();
    for (const urd_limit &limit : m.held()) m.slide_texts.push_back(limit.name + ".friction");
    for (const urd_sphere &sphere : m.spheres) m.slide_texts.push_back(sphere.name + ".friction");
    for (const std::string &text : m.slide_texts) m.constraint_names.push_back(text.c_str());
    k.g_names = m.constraint_names.data();
    k.n_h = static_cast<int>(m.slide_texts.size());
    k.nonholonomic_matrix = slide_matrix;
    m.pieces.bodies.place(m.p0.data());
    urd_each_sphere_entry(m, m.p0.data(), KDL::Vector(1, 0, 0), [&](size_t sphere, int column, double) {
        m.Gh.add(static_cast<int>(n_before + sphere), column);
    });
    m.Gh.sort(k.n_h);
    k.Gh_pattern = m.Gh.pattern();
}
