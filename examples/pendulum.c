/* pendulum.c - a minimal program: a mass of 1 kg on a rod of 1 m, in x and y. README.md quotes it.
 *
 *     cc pendulum.c $(pkg-config --cflags --libs resida) && ./a.out */
#include <stdio.h>

#include <resida/resida.h>

/* Phi = M a - Psi: inertial forces minus applied forces. resida adds the force of the rod. */
static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    (void)t, (void)p, (void)v, (void)e, (void)user;
    r[0] = a[0];
    r[1] = a[1] + 9.81;
    return 0; /* > 0: not defined here, reduce the step; < 0: stop */
}

static int rod(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    (void)t, (void)e, (void)user;
    g[0] = p[0] * p[0] + p[1] * p[1] - 1;
    return 0;
}

int main(void)
{
    resida_problem *problem = NULL;
    resida_solver *solver = NULL;
    resida_state now;
    resida_message why = {""};

    resida_mechanism m;
    resida_mechanism_init(&m);
    m.n_p = m.n_v = 2;
    m.n_g = 1;
    m.residual = residual;
    m.constraint = rod;

    const double p0[2] = {1, 0}, v0[2] = {0, 0};
    int failed = resida_problem_create(&problem, &m, NULL, &why) < 0 ||
                 resida_solver_create(&solver, problem, NULL, &why) < 0 ||
                 resida_solver_start(solver, 0, p0, v0, NULL, NULL) < 0 || resida_solver_advance(solver, 1) < 0 ||
                 resida_solver_state(solver, &now) < 0;
    if (!failed) printf("t = %g: x = %.6f, y = %.6f, lam = %.6f\n", now.t, now.p[0], now.p[1], now.lam[0]);
    if (failed) fprintf(stderr, "pendulum: %s\n", solver ? resida_solver_message(solver) : why.text);
    resida_solver_free(solver);
    resida_problem_free(problem);
    return failed;
}
