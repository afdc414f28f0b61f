#include "method_fixture.h"
#include "test/fixtures/solver_fixture.h"

#include <math.h>
#include <string.h>

static const bench_setting settings[] = {{"g", 9.81}, {"phi0", -0.7}, {"w0", 1.5}, {NULL, 0}};

/* phi'' = -g cos phi */
static int angle_residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                          double *r, void *user)
{
    r[0] = a[0] + 9.81 * cos(p[0]);
    return 0;
}

static int angle_potential(double t, const double *p, const resida_excitation *e, double *V, void *user)
{
    V[0] = 9.81 * sin(p[0]);
    return 0;
}

resida_solver_options method_options(const method_case *c, double h)
{
    resida_solver_options o = test_solver_options();
    o.method = c->method;
    o.step = h;
    o.start_up = c->start_up;
    o.rtol = o.atol = 1e-12;
    if (c->rho > 0) o.rho_infinity = c->rho;
    if (c->gamma > 0) {
        o.newmark_gamma = c->gamma;
        o.newmark_beta = (c->gamma + 0.5) * (c->gamma + 0.5) / 4;
    }
    if (c->jacobian) o.jacobian = c->jacobian;
    return o;
}

void method_open(method_run *r, const method_case *c, double h, const resida_solver_options *o)
{
    const int is_angle = strcmp(c->form, "angle") == 0;
    const double phi0 = -0.7, w0 = 1.5;
    resida_solver_options own = method_options(c, h);
    resida_problem_options form = test_problem_options();
    bench_open(&r->b, "pendulum", settings);
    resida_mechanism_init(&r->angle);
    r->angle.n_p = r->angle.n_v = 1;
    r->angle.residual = angle_residual;
    r->angle.potential = angle_potential;
    form.form = is_angle ? "ode" : c->form;
    test_solver_make(&r->problem, &r->solver, is_angle ? &r->angle : r->b.m, &form, o ? o : &own);
    const double *p0 = is_angle ? &phi0 : r->b.model.p0, *v0 = is_angle ? &w0 : r->b.model.v0;
    assert_int_equal(resida_solver_start(r->solver, 0, p0, v0, NULL, NULL), RESIDA_OK);
}

void method_exact(const method_run *r, double t, double *p, double *v, double *lam)
{
    double q[2], w[2];
    assert_int_equal(r->b.model.reference(&r->b.model, t, q, w, lam), 0);
    memcpy(p, q, sizeof q);
    memcpy(v, w, sizeof w);
    resida_layout l;
    resida_problem_layout(r->problem, &l);
    if (l.n_p == 2) return;
    p[0] = atan2(q[1], q[0]);
    v[0] = q[0] * w[1] - q[1] * w[0];
}

static void note(double *largest, double error)
{
    if (!(error <= *largest)) *largest = error;
}

void method_errors(const method_case *c, int n, double *error)
{
    method_run r;
    resida_state now;
    resida_layout l;
    double before = 0, p[2], v[2], lam;
    memset(error, 0, 3 * sizeof *error);
    method_open(&r, c, 1.0 / n, NULL);
    resida_problem_layout(r.problem, &l);
    for (int k = 1; k <= n; k++) {
        if (resida_solver_step(r.solver, 2) != RESIDA_OK)
            fail_msg("%s %s: %s", c->method, c->form, resida_solver_message(r.solver));
        assert_int_equal(resida_solver_state(r.solver, &now), RESIDA_OK);
        if (k >= n / 2 && k % (n / 20) == 0) {
            method_exact(&r, now.t, p, v, &lam);
            for (int i = 0; i < l.n_p; i++) note(&error[0], fabs(now.p[i] - p[i]));
            for (int i = 0; i < l.n_v; i++) note(&error[1], fabs(now.v[i] - v[i]));
            if (now.lam && !c->in_middle) note(&error[2], fabs(now.lam[0] - lam));
            if (now.lam && c->in_middle) {
                method_exact(&r, now.t - 1.0 / n, p, v, &lam);
                note(&error[2], fabs((now.lam[0] + before) / 2 - lam));
            }
        }
        if (now.lam) before = now.lam[0];
    }
}

double method_energy(const method_run *r)
{
    resida_state now = test_state(r->solver);
    resida_layout l;
    assert_int_equal(resida_problem_layout(r->problem, &l), RESIDA_OK);
    if (l.n_p == 1) return now.v[0] * now.v[0] / 2 + 9.81 * sin(now.p[0]);
    return (now.v[0] * now.v[0] + now.v[1] * now.v[1]) / 2 + 9.81 * now.p[1];
}
