/* simbody_glue.h - any system of Simbody as a mechanism of resida: copy this file.
 *
 *     Glue glue(system, state);                  of a realized topology; refuses what it cannot serve by an exception
 *     glue.fill(&m, by_accelerations);           a resida_mechanism, whose callbacks live as long as glue
 *
 * Callbacks of resida and the corresponding operators of Simbody (q, u, N in Simbody are p, v, T):
 *
 *     residual             Phi = M a - Psi     calcResidualForceIgnoringConstraints(), O(n)
 *     acceleration         a = phi             Simbody's own accelerations, which hold the constraints already
 *     constraint           g                   position errors: the first part of getQErr(); quaternions are the rest
 *     constraint_matrix    dg/dp               rows by multiplyByPqTranspose(): far less than calcPq(), by columns
 *     constraint_force     (dg/dp)' lam        multiplyByPqTranspose()
 *     constraint_velocity  (dg/dp) x           multiplyByPq()
 *     acceleration_bias    0 = G a + bias      calcBiasForAccelerationConstraints()
 *     mass_matrix          M                   calcM()
 *     kinematic_matrix     T                   N: blocks of quaternions, and ones
 *     invariant            k = (q'q - 1)/2     norms of quaternions (resida/quaternion.h)
 *
 * A State caches results at its q and u. Therefore callbacks modify q and u only if they differ from those of the
 * previous call, and most calls reuse the kinematics.
 *
 * One of the two formalisms is used. With the residual, which is the less expensive call, resida solves for the
 * constraint forces. In a long chain of slender links on ball joints the forces for given accelerations rotate so fast
 * with the links that J is outdated after one step; use accelerations for such a chain. They include the constraint
 * forces. resida only keeps the loop closed: its lam is zero within the tolerance and is not a force.
 *
 * An exception of Simbody in a callback ends the integration; its text is in resida_solver_message(). */
#ifndef SIMBODY_GLUE_H
#define SIMBODY_GLUE_H

#include <resida/quaternion.h>
#include <resida/resida.h>

#include <Simbody.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <vector>

class Glue {
  public:
    Glue(const SimTK::MultibodySystem &of, const SimTK::State &start);
    /* Set up m; its callbacks and patterns are valid during the lifetime of this object. */
    void fill(resida_mechanism *m, bool by_accelerations);

  private:
    void check_support();
    static Glue &self(void *user)
    {
        return *static_cast<Glue *>(user);
    }
    const SimTK::State &at(double t, const double *p);
    const SimTK::State &at(double t, const double *p, const double *v, SimTK::Stage stage);
    static resida_residual_fn residual;
    static resida_acceleration_fn acceleration;
    static resida_position_fn constraint, constraint_matrix, velocity_bias, mass_matrix, kinematic_matrix, invariant,
        invariant_matrix;
    static resida_velocity_fn acceleration_bias;
    static resida_product_fn constraint_force, constraint_velocity;

    const SimTK::MultibodySystem &system;
    const SimTK::SimbodyMatterSubsystem &matter;
    SimTK::State state;
    int n_q, n_u, n_k, n_g;
    std::vector<int> T_row, T_col, K_row, K_col; /* patterns of T and K */
    std::vector<double> T_start;                 /* T with its entries 1; blocks of quaternions are updated */
    SimTK::Vector x, y, bias;                    /* arguments and results of operators */
    SimTK::Matrix M;
};

inline void copy(const double *from, int n, SimTK::Vector *to)
{
    to->resize(n);
    if (n) std::memcpy(&(*to)[0], from, (size_t)n * sizeof *from);
}

inline void copy(const SimTK::Vector &from, double *to)
{
    if (from.size()) std::memcpy(to, &from[0], (size_t)from.size() * sizeof *to);
}

inline Glue::Glue(const SimTK::MultibodySystem &of, const SimTK::State &start)
    : system(of), matter(of.getMatterSubsystem()), state(start), n_q(start.getNQ()), n_u(start.getNU())
{
    system.realize(state, SimTK::Stage::Acceleration);
    n_k = matter.getNumQuaternionsInUse(state);
    n_g = state.getNQErr() - n_k;
    T_row.push_back(0), K_row.push_back(0);
    for (SimTK::MobilizedBodyIndex b(1); b < matter.getNumBodies(); ++b) {
        const SimTK::MobilizedBody &body = matter.getMobilizedBody(b);
        const int q = body.getFirstQIndex(state), u = body.getFirstUIndex(state);
        const bool turns = matter.isUsingQuaternion(state, b);
        for (int i = 0; i < body.getNumQ(state); i++) {
            if (turns && i < 4) {
                for (int k = 0; k < 3; k++) T_col.push_back(u + k), T_start.push_back(0);
                K_col.push_back(q + i);
            } else
                T_col.push_back(u + i - turns), T_start.push_back(1);
            T_row.push_back((int)T_col.size());
        }
        if (turns) K_row.push_back((int)K_col.size());
    }
    check_support();
}

inline void Glue::check_support()
{
    if (state.getNUErr() != n_g || state.getNUDotErr() != n_g)
        throw std::invalid_argument("constraints on velocities or accelerations only are not supported");
    for (SimTK::MobilizedBodyIndex b(1); b < matter.getNumBodies(); ++b)
        if (matter.getMobilizedBody(b).hasMotion() || matter.getMobilizedBody(b).isLocked(state))
            throw std::invalid_argument("prescribed motion is not supported");
    matter.calcBiasForMultiplyByPq(state, y);
    if (n_g > 0 && y.normInf() > 0) throw std::invalid_argument("constraints with prescribed motion are not supported");
    std::vector<double> T(T_col.size());
    kinematic_matrix(0, &state.getQ()[0], nullptr, T.data(), this);
    x.resize(n_u);
    for (int j = 0; j < n_u; j++) x[j] = 1 + j % 3;
    matter.multiplyByN(state, false, x, y);
    for (int i = 0; i < n_q; i++) {
        for (int e = T_row[(size_t)i]; e < T_row[(size_t)(i + 1)]; e++) y[i] -= T[(size_t)e] * x[T_col[(size_t)e]];
        if (std::abs(y[i]) > 1e-12)
            throw std::invalid_argument(
                "joints with a matrix N in q' = N u that depends on other joints are not supported");
    }
}

inline void Glue::fill(resida_mechanism *m, bool by_accelerations)
{
    resida_mechanism_init(m);
    m->n_p = n_q, m->n_v = n_u, m->n_g = n_g, m->n_k = n_k;
    m->user = this;
    if (by_accelerations)
        m->acceleration = acceleration;
    else
        m->residual = residual, m->mass_matrix = mass_matrix;
    if (n_g > 0) {
        m->constraint = constraint;
        m->constraint_matrix = constraint_matrix;
        m->constraint_force = constraint_force;
        m->constraint_velocity = constraint_velocity;
        m->velocity_bias = velocity_bias;
        m->acceleration_bias = acceleration_bias;
    }
    if (n_k > 0) {
        m->kinematic_matrix = kinematic_matrix;
        m->T_pattern = {T_row.data(), T_col.data()};
        m->invariant = invariant;
        m->invariant_matrix = invariant_matrix;
        m->K_pattern = {K_row.data(), K_col.data()};
    }
}

inline const SimTK::State &Glue::at(double t, const double *p)
{
    if (t != state.getTime()) state.setTime(t);
    if (std::memcmp(p, &state.getQ()[0], (size_t)n_q * sizeof *p) != 0)
        std::memcpy(&state.updQ()[0], p, (size_t)n_q * sizeof *p);
    system.realize(state, SimTK::Stage::Position);
    return state;
}

inline const SimTK::State &Glue::at(double t, const double *p, const double *v, SimTK::Stage stage)
{
    if (std::memcmp(v, &state.getU()[0], (size_t)n_u * sizeof *v) != 0)
        std::memcpy(&state.updU()[0], v, (size_t)n_u * sizeof *v);
    at(t, p);
    system.realize(state, stage);
    return state;
}

inline int Glue::residual(double t, const double *p, const double *v, const double *a, const resida_excitation *,
                          double *r, void *user)
{
    Glue &g = self(user);
    const SimTK::State &s = g.at(t, p, v, SimTK::Stage::Dynamics);
    copy(a, g.n_u, &g.x);
    g.matter.calcResidualForceIgnoringConstraints(s, g.system.getMobilityForces(s, SimTK::Stage::Dynamics),
                                                  g.system.getRigidBodyForces(s, SimTK::Stage::Dynamics), g.x, g.y);
    copy(g.y, r);
    return 0;
}

/* a = a_c + f with Simbody's accelerations a_c, which satisfy the constraints. For resida the mechanism has M = 1 and
 * zero constraint forces. */
inline int Glue::acceleration(double t, const double *p, const double *v, const double *f, const resida_excitation *,
                              double *a, void *user)
{
    Glue &g = self(user);
    const SimTK::Vector &accelerations = g.at(t, p, v, SimTK::Stage::Acceleration).getUDot();
    for (int i = 0; i < g.n_u; i++) a[i] = accelerations[i] + f[i];
    return 0;
}

inline int Glue::constraint(double t, const double *p, const resida_excitation *, double *out, void *user)
{
    Glue &g = self(user);
    const SimTK::Vector errors = g.at(t, p).getQErr();
    for (int i = 0; i < g.n_g; i++) out[i] = errors[i];
    return 0;
}

inline int Glue::constraint_matrix(double t, const double *p, const resida_excitation *, double *out, void *user)
{
    Glue &g = self(user);
    const SimTK::State &s = g.at(t, p);
    g.x.resize(g.n_g);
    for (int i = 0; i < g.n_g; i++) {
        g.x = 0, g.x[i] = 1;
        g.matter.multiplyByPqTranspose(s, g.x, g.y);
        copy(g.y, out + g.n_q * i);
    }
    return 0;
}

inline int Glue::constraint_force(double t, const double *p, const double *lam, const resida_excitation *, double *out,
                                  void *user)
{
    Glue &g = self(user);
    copy(lam, g.n_g, &g.x);
    g.matter.multiplyByPqTranspose(g.at(t, p), g.x, g.y);
    copy(g.y, out);
    return 0;
}

inline int Glue::constraint_velocity(double t, const double *p, const double *x, const resida_excitation *, double *out,
                                     void *user)
{
    Glue &g = self(user);
    copy(x, g.n_q, &g.x);
    g.bias.resize(g.n_g), g.bias = 0; /* no time-dependent constraints: see velocity_bias */
    g.matter.multiplyByPq(g.at(t, p), g.x, g.bias, g.y);
    copy(g.y, out);
    return 0;
}

/* Constraints do not depend on time. */
inline int Glue::velocity_bias(double, const double *, const resida_excitation *, double *out, void *user)
{
    std::fill(out, out + self(user).n_g, 0);
    return 0;
}

inline int Glue::acceleration_bias(double t, const double *p, const double *v, const resida_excitation *, double *out,
                                   void *user)
{
    Glue &g = self(user);
    g.matter.calcBiasForAccelerationConstraints(g.at(t, p, v, SimTK::Stage::Velocity), g.y);
    copy(g.y, out);
    return 0;
}

inline int Glue::mass_matrix(double t, const double *p, const resida_excitation *, double *out, void *user)
{
    Glue &g = self(user);
    g.matter.calcM(g.at(t, p), g.M);
    for (int i = 0; i < g.n_u; i++)
        for (int j = 0; j < g.n_u; j++) out[g.n_u * i + j] = g.M(j, i);
    return 0;
}

inline int Glue::kinematic_matrix(double, const double *p, const resida_excitation *, double *out, void *user)
{
    Glue &g = self(user);
    std::copy(g.T_start.begin(), g.T_start.end(), out);
    for (int k = 0; k < g.n_k; k++) {
        const int first = g.K_col[(size_t)(4 * k)];
        const double *q = p + first;
        const SimTK::Mat43 N = SimTK::Rotation::calcUnnormalizedNForQuaternion(SimTK::Vec4(q[0], q[1], q[2], q[3]));
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 3; j++) out[g.T_row[(size_t)(first + i)] + j] = N(i, j);
    }
    return 0;
}

inline int Glue::invariant(double, const double *p, const resida_excitation *, double *k, void *user)
{
    const Glue &g = self(user);
    for (int i = 0; i < g.n_k; i++) k[i] = resida_quaternion_norm(p + g.K_col[(size_t)(4 * i)]);
    return 0;
}

inline int Glue::invariant_matrix(double, const double *p, const resida_excitation *, double *K, void *user)
{
    for (int column : self(user).K_col) *K++ = p[column];
    return 0;
}

#endif
