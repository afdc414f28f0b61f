/* throwing_models.cpp - see throwing_models.h. Mechanisms and a DAE of the fixtures: between the library and each of
 * their callbacks stands one that counts the call and throws where it is its turn. */
#include "throwing_models.h"

#include <cstring>

#include "throw_script.h"

extern "C" {
#include "test/failure/whole_body.h"
#include "test/fixtures/mechanisms/scripted.h"
#include "test/models/gyro.h"
}

namespace throwing {

namespace {

/* The callback `which` of a signature; one setting at a time. */
template <callback which, typename... Arguments> struct watched {
    static int (*inner)(Arguments...);
    static int call(Arguments... arguments)
    {
        const int verdict = inner(arguments...);
        return verdict + passes(which);
    }
};
template <callback which, typename... Arguments> int (*watched<which, Arguments...>::inner)(Arguments...);

template <callback which, typename... Arguments> void watch(int (*&member)(Arguments...))
{
    if (!member || member == watched<which, Arguments...>::call) return;
    watched<which, Arguments...>::inner = member;
    member = watched<which, Arguments...>::call;
}

int asked(double, void *)
{
    return passes(monitor);
}

int told(const resida_step *, void *)
{
    return passes(accepted);
}

void observed(const resida_newton_end *, void *)
{
    passes(observer);
}

/* Forces and a root function that could depend on lam. */
int own_residual_lam(double t, const double *p, const double *v, const double *a, const double *,
                     const resida_excitation *e, double *r, void *user)
{
    static whole_body right;
    return whole_mechanism(&right, 0).residual(t, p, v, a, e, r, user);
}

int own_acceleration_lam(double t, const double *p, const double *v, const double *f, const double *,
                         const resida_excitation *e, double *a, void *user)
{
    static whole_body right;
    return whole_mechanism(&right, 0).acceleration(t, p, v, f, e, a, user);
}

int own_root_lam(double, const double *, const double *, const double *lam, const resida_excitation *, double *out,
                 void *)
{
    out[0] = 1e6 + lam[0];
    return 0;
}

/* y0' = y1, y1' = -y2, 0 = y2 - y0 - u + sin t, of scripted.h. */
int dae_jacobian(double, double alpha, const double *, const double *, const resida_excitation *, double *J, void *)
{
    const double rows[9] = {alpha, -1, 0, 0, alpha, 1, -1, 0, 1};
    std::memcpy(J, rows, sizeof rows);
    return 0;
}

int dae_times(double, const double *, const double *, const resida_excitation *, int k, const double *dy,
              const double *dyp, double *out, void *)
{
    for (int i = 0; i < k; i++, dy += 3, dyp += 3, out += 3)
        out[0] = dyp[0] - dy[1], out[1] = dyp[1] + dy[2], out[2] = dy[2] - dy[0];
    return 0;
}

/* 2 a + 0.3 v of the pendulum. */
int own_residual_times(double, const resida_motion *, const resida_excitation *, int k, const resida_motion *d,
                       double *out, void *)
{
    for (int i = 0; i < 3 * k; i++) out[i] = 2 * d->a[i] + 0.3 * d->v[i];
    return 0;
}

setting with_options()
{
    setting s = setting();
    resida_mechanism_init(&s.m);
    resida_dae_init(&s.d);
    resida_problem_options_init(&s.problem);
    resida_solver_options_init(&s.solver);
    s.solver.monitor = asked;
    s.solver.accepted = told;
    s.solver.rtol = s.solver.atol = 1e-5;
    return s;
}

#define THROWING_WATCH(name) watch<name>(s.m.name);

setting of(const resida_mechanism &m, const double *p0, const double *v0)
{
    setting s = with_options();
    s.m = m;
    THROWING_OF_MECHANISM(THROWING_WATCH)
    s.start = p0;
    s.rates = v0;
    return s;
}

setting whole(int left_out)
{
    static whole_body body;
    const resida_mechanism m = whole_mechanism(&body, left_out);
    return of(m, body.p0, body.v0);
}

resida_products products;

} // namespace

setting basic()
{
    static scripted script;
    resida_mechanism m;
    scripted_pendulum(&m, &script, 0);
    m.constraint_matrix = nullptr;
    m.velocity_bias = nullptr;
    m.acceleration_bias = nullptr;
    m.mass_matrix = nullptr;
    return of(m, pendulum_p0, pendulum_v0);
}

setting everything()
{
    setting s = whole(WHOLE_ACCELERATION | WHOLE_DERIVATIVES);
    s.examines = true;
    return s;
}

setting with_derivatives()
{
    return whole(WHOLE_ACCELERATION);
}

setting explicitly()
{
    return whole(WHOLE_RESIDUAL | WHOLE_MASS_MATRIX | WHOLE_DERIVATIVES | WHOLE_V);
}

/* Both formalisms with forces of lam. */
static setting by_lam(int left_out)
{
    static whole_body body;
    resida_mechanism m = whole_mechanism(&body, WHOLE_DERIVATIVES | WHOLE_V | WHOLE_ROOT | left_out);
    if (m.residual) m.residual_lam = own_residual_lam;
    if (m.acceleration) m.acceleration_lam = own_acceleration_lam;
    m.residual = nullptr;
    m.acceleration = nullptr;
    m.Phi_p_pattern = m.Phi_v_pattern = resida_pattern();
    setting s = of(m, body.p0, body.v0);
    s.problem.root_lam = own_root_lam;
    watch<root_lam>(s.problem.root_lam);
    return s;
}

setting residually_by_lam()
{
    return by_lam(WHOLE_ACCELERATION);
}

setting explicitly_by_lam()
{
    return by_lam(WHOLE_RESIDUAL | WHOLE_MASS_MATRIX);
}

setting with_invariants()
{
    static gyro top;
    static double p0[GYRO_MAX], v0[GYRO_MAX];
    top.is_joint = top.n_k = 1;
    gyro_start(&top, p0, v0);
    return of(gyro_mechanism(&top), p0, v0);
}

setting own_projection()
{
    static scripted script;
    resida_mechanism m;
    scripted_pendulum(&m, &script, 0);
    setting s = of(m, pendulum_p0, pendulum_v0);
    s.problem.form = "projected2";
    s.problem.projection = "own";
    s.problem.projection_matrix = m.constraint_matrix;
    watch<projection_matrix>(s.problem.projection_matrix);
    s.problem.step_projection = 1;
    return s;
}

setting by_fixed_steps()
{
    setting s = own_projection();
    resida_problem_options_init(&s.problem);
    s.problem.form = "index3";
    s.solver.method = "energy-decaying";
    s.solver.step = 0.05;
    s.solver.observer = observed;
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
    setting s = whole(WHOLE_ACCELERATION | WHOLE_DERIVATIVES | WHOLE_CONSTRAINT_MATRIX);
    s.solver.jacobian = "dense";
    s.m.thread_safe = 1;
    s.solver.threads = 2;
    s.is_threaded = true;
    return s;
}

static setting dae_with(resida_dae_jacobian_fn *of_model)
{
    static const double y0[SCRIPTED_DAE_N] = {1, 0, 0.3};
    static scripted script;
    setting s = with_options();
    s.is_dae = true;
    scripted_dae(&s.d, &script);
    s.d.jacobian = of_model;
    watch<residual>(s.d.residual);
    watch<excitation>(s.d.excitation);
    watch<root>(s.d.root);
    watch<jacobian>(s.d.jacobian);
    s.start = y0;
    return s;
}

setting dae()
{
    return dae_with(nullptr);
}

setting dae_with_jacobian()
{
    return dae_with(dae_jacobian);
}

setting dae_with_products()
{
    setting s = dae();
    resida_products_init(&products);
    products.jacobian_times = dae_times;
    watch<jacobian_times>(products.jacobian_times);
    s.problem.products = &products;
    return s;
}

setting with_products()
{
    setting s = basic();
    resida_products_init(&products);
    products.residual_times = own_residual_times;
    watch<residual_times>(products.residual_times);
    s.problem.products = &products;
    return s;
}

} // namespace throwing
