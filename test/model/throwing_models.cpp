/* throwing_models.cpp - see throwing_models.h. A bead on a moving curve, with springs, drag and friction:
 *
 *     2 a = -3 p - 0.2 v - 0.01 lam v - G' lam,    g = z - u - x^2/4,    u = 0.1 sin t. */
#include "throwing_models.h"

#include <cmath>
#include <cstring>

#include "throw_script.h"

namespace throwing {

namespace {

constexpr double mass = 2, spring = 3, drag = 0.2, friction = 0.01;

void forces(const double *p, const double *v, const double *lam, double *f)
{
    for (int i = 0; i < 3; i++) f[i] = -spring * p[i] - drag * v[i] - (lam ? friction * lam[0] * v[i] : 0);
}

int residual(double, const double *p, const double *v, const double *a, const resida_excitation *, double *r, void *)
{
    double f[3];
    forces(p, v, nullptr, f);
    for (int i = 0; i < 3; i++) r[i] = mass * a[i] - f[i];
    return passes(RESIDUAL);
}

int residual_lam(double, const double *p, const double *v, const double *a, const double *lam,
                 const resida_excitation *, double *r, void *)
{
    double f[3];
    forces(p, v, lam, f);
    for (int i = 0; i < 3; i++) r[i] = mass * a[i] - f[i];
    return passes(RESIDUAL_LAM);
}

int acceleration(double, const double *p, const double *v, const double *force, const resida_excitation *, double *a,
                 void *)
{
    double f[3];
    forces(p, v, nullptr, f);
    for (int i = 0; i < 3; i++) a[i] = (f[i] + force[i]) / mass;
    return passes(ACCELERATION);
}

int acceleration_lam(double, const double *p, const double *v, const double *force, const double *lam,
                     const resida_excitation *, double *a, void *)
{
    double f[3];
    forces(p, v, lam, f);
    for (int i = 0; i < 3; i++) a[i] = (f[i] + force[i]) / mass;
    return passes(ACCELERATION_LAM);
}

int constraint(double, const double *p, const resida_excitation *e, double *g, void *)
{
    g[0] = p[2] - e->u[0] - p[0] * p[0] / 4;
    return passes(CONSTRAINT);
}

int constraint_matrix(double, const double *p, const resida_excitation *, double *G, void *)
{
    G[0] = -p[0] / 2;
    G[1] = 0;
    G[2] = 1;
    return passes(CONSTRAINT_MATRIX);
}

int velocity_bias(double, const double *, const resida_excitation *e, double *gI, void *)
{
    gI[0] = -e->ud[0];
    return passes(VELOCITY_BIAS);
}

int acceleration_bias(double, const double *, const double *v, const resida_excitation *e, double *gamma, void *)
{
    gamma[0] = -v[0] * v[0] / 2 - e->udd[0];
    return passes(ACCELERATION_BIAS);
}

int diagonal(double value, double *M)
{
    for (int i = 0; i < 9; i++) M[i] = i % 4 ? 0 : value;
    return 0;
}

int mass_matrix(double, const double *, const resida_excitation *, double *M, void *)
{
    return diagonal(mass, M) + passes(MASS_MATRIX);
}

int kinematic_matrix(double, const double *, const resida_excitation *, double *T, void *)
{
    return diagonal(1, T) + passes(KINEMATIC_MATRIX);
}

/* A fourth position that does not move. */
int kinematic_matrix_of_four(double, const double *, const resida_excitation *, double *T, void *)
{
    T[9] = T[10] = T[11] = 0;
    return diagonal(1, T) + passes(KINEMATIC_MATRIX);
}

int invariant(double, const double *p, const resida_excitation *, double *k, void *)
{
    k[0] = (p[3] * p[3] - 1) / 2;
    return passes(INVARIANT);
}

int invariant_matrix(double, const double *p, const resida_excitation *, double *K, void *)
{
    K[0] = K[1] = K[2] = 0;
    K[3] = p[3];
    return passes(INVARIANT_MATRIX);
}

int potential(double, const double *p, const resida_excitation *, double *V, void *)
{
    V[0] = spring / 2 * (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    return passes(POTENTIAL);
}

int derivatives(double, const double *, const double *v, const double *, const double *lam, const resida_excitation *,
                double *Phi_p, double *Phi_v, double *Phi_lam, void *)
{
    diagonal(spring, Phi_p);
    diagonal(drag + friction * lam[0], Phi_v);
    for (int i = 0; Phi_lam && i < 3; i++) Phi_lam[i] = friction * v[i];
    return passes(DERIVATIVES);
}

int nonholonomic_matrix(double, const double *p, const resida_excitation *, double *Gh, void *)
{
    Gh[0] = -p[1];
    Gh[1] = 1;
    Gh[2] = 0;
    return passes(NONHOLONOMIC_MATRIX);
}

int nonholonomic_bias(double, const double *, const resida_excitation *, double *gh, void *)
{
    gh[0] = 0;
    return passes(NONHOLONOMIC_BIAS);
}

int nonholonomic_acceleration_bias(double, const double *, const double *v, const resida_excitation *, double *gamma,
                                   void *)
{
    gamma[0] = -v[1] * v[0];
    return passes(NONHOLONOMIC_ACCELERATION_BIAS);
}

int excitation(double t, double *u, double *ud, double *udd, void *)
{
    u[0] = 0.1 * std::sin(t);
    ud[0] = 0.1 * std::cos(t);
    udd[0] = -u[0];
    return passes(EXCITATION);
}

int root(double, const double *p, const double *, const resida_excitation *, double *out, void *)
{
    out[0] = p[0] + 100;
    return passes(ROOT);
}

int root_lam(double, const double *p, const double *, const double *lam, const resida_excitation *, double *out, void *)
{
    out[0] = p[0] + lam[0] + 100;
    return passes(ROOT_LAM);
}

int projection_matrix(double, const double *p, const resida_excitation *, double *D, void *)
{
    D[0] = -p[0] / 2;
    D[1] = 0;
    D[2] = 1;
    return passes(PROJECTION_MATRIX);
}

int monitor(double, void *)
{
    return passes(MONITOR);
}

int accepted(const resida_step *, void *)
{
    return passes(ACCEPTED);
}

void observer(const resida_newton_end *, void *)
{
    passes(OBSERVER);
}

/* y0' = y1, y1' = -y0 + u, 0 = y2 - y0 - y1^2. */
int dae_residual(double, const double *y, const double *yp, const resida_excitation *e, double *r, void *)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + y[0] - e->u[0];
    r[2] = y[2] - y[0] - y[1] * y[1];
    return passes(RESIDUAL);
}

int dae_jacobian(double, double alpha, const double *y, const double *, const resida_excitation *, double *J, void *)
{
    const double rows[9] = {alpha, -1, 0, 1, alpha, 0, -1, -2 * y[1], 1};
    std::memcpy(J, rows, sizeof rows);
    return passes(JACOBIAN);
}

int dae_times(double, const double *y, const double *, const resida_excitation *, int k, const double *dy,
              const double *dyp, double *out, void *)
{
    for (int i = 0; i < k; i++, dy += 3, dyp += 3, out += 3) {
        out[0] = dyp[0] - dy[1];
        out[1] = dyp[1] + dy[0];
        out[2] = dy[2] - dy[0] - 2 * y[1] * dy[1];
    }
    return passes(JACOBIAN_TIMES);
}

/* Forces along a direction, by what they are a little to both sides. */
int residual_times(double, const resida_motion *at, const resida_excitation *, int k, const resida_motion *d,
                   double *out, void *)
{
    const double h = 1e-5;
    for (int i = 0; i < k; i++) {
        double f[2][3];
        for (int side = 0; side < 2; side++) {
            const double s = side ? h : -h;
            double p[3], v[3];
            for (int c = 0; c < 3; c++) p[c] = at->p[c] + s * d->p[3 * i + c], v[c] = at->v[c] + s * d->v[3 * i + c];
            forces(p, v, nullptr, f[side]);
        }
        for (int c = 0; c < 3; c++) out[3 * i + c] = mass * d->a[3 * i + c] - (f[1][c] - f[0][c]) / (2 * h);
    }
    return passes(RESIDUAL_TIMES);
}

resida_products products;

} // namespace

setting basic()
{
    setting s = setting();
    resida_mechanism_init(&s.m);
    resida_dae_init(&s.d);
    resida_problem_options_init(&s.problem);
    resida_solver_options_init(&s.solver);
    s.m.n_p = s.m.n_v = 3;
    s.m.n_g = s.m.n_u = 1;
    s.m.residual = residual;
    s.m.constraint = constraint;
    s.m.excitation = excitation;
    s.solver.monitor = monitor;
    s.solver.accepted = accepted;
    s.solver.rtol = s.solver.atol = 1e-5;
    return s;
}

setting everything()
{
    setting s = basic();
    s.m.n_h = s.m.n_root = 1;
    s.m.constraint_matrix = constraint_matrix;
    s.m.velocity_bias = velocity_bias;
    s.m.acceleration_bias = acceleration_bias;
    s.m.mass_matrix = mass_matrix;
    s.m.kinematic_matrix = kinematic_matrix;
    s.m.nonholonomic_matrix = nonholonomic_matrix;
    s.m.nonholonomic_bias = nonholonomic_bias;
    s.m.nonholonomic_acceleration_bias = nonholonomic_acceleration_bias;
    s.m.root = root;
    return s;
}

static setting holonomic()
{
    setting s = everything();
    s.m.n_h = 0;
    s.m.nonholonomic_matrix = nullptr;
    s.m.nonholonomic_bias = nullptr;
    s.m.nonholonomic_acceleration_bias = nullptr;
    return s;
}

setting with_invariants()
{
    setting s = basic();
    s.m.n_p = 4;
    s.m.n_k = 1;
    s.m.kinematic_matrix = kinematic_matrix_of_four;
    s.m.invariant = invariant;
    s.m.invariant_matrix = invariant_matrix;
    return s;
}

setting explicitly()
{
    setting s = everything();
    s.m.residual = nullptr;
    s.m.mass_matrix = nullptr;
    s.m.acceleration = acceleration;
    return s;
}

setting with_derivatives()
{
    setting s = holonomic();
    s.m.residual = nullptr;
    s.m.residual_lam = residual_lam;
    s.m.derivatives = derivatives;
    s.m.root = nullptr;
    s.problem.root_lam = root_lam;
    return s;
}

setting explicitly_by_lam()
{
    setting s = explicitly();
    s.m.acceleration = nullptr;
    s.m.acceleration_lam = acceleration_lam;
    return s;
}

setting own_projection()
{
    setting s = basic();
    s.problem.form = "projected2";
    s.problem.projection = "own";
    s.problem.projection_matrix = projection_matrix;
    s.problem.step_projection = 1;
    return s;
}

setting by_fixed_steps()
{
    setting s = holonomic();
    s.m.kinematic_matrix = nullptr;
    s.m.n_root = 0;
    s.m.root = nullptr;
    s.m.potential = potential;
    s.examines = true;
    s.problem.form = "index3";
    s.solver.method = "energy-decaying";
    s.solver.step = 0.05;
    s.solver.observer = observer;
    return s;
}

setting by_columns()
{
    setting s = basic();
    s.solver.jacobian = "dense";
    return s;
}

setting extended()
{
    setting s = basic();
    s.solver.jacobian = "sparse+extended";
    return s;
}

setting by_threads()
{
    setting s = by_columns();
    s.m.thread_safe = 1;
    s.solver.threads = 2;
    s.is_threaded = true;
    return s;
}

setting dae()
{
    static const resida_kind kinds[3] = {RESIDA_DIFFERENTIAL, RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC};
    setting s = basic();
    s.is_dae = true;
    s.d.n = 3;
    s.d.n_u = s.d.n_root = 1;
    s.d.kinds = kinds;
    s.d.residual = dae_residual;
    s.d.excitation = excitation;
    s.d.root = root;
    return s;
}

setting dae_with_products()
{
    setting s = dae();
    resida_products_init(&products);
    products.jacobian_times = dae_times;
    s.problem.products = &products;
    return s;
}

setting with_products()
{
    setting s = basic();
    resida_products_init(&products);
    products.residual_times = residual_times;
    s.problem.products = &products;
    return s;
}

setting dae_with_jacobian()
{
    setting s = dae();
    s.d.jacobian = dae_jacobian;
    return s;
}

} // namespace throwing
