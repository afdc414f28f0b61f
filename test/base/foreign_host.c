/* foreign_host.c - a program that is linked with a library of the same names as SUNDIALS, and after it with resida: a
 * swinging mass by several linear solvers. Exit code 0: right results; 10: refused, in words; 1: neither. */
#include <math.h>
#include <stdio.h>

#include "foreign_sundials.h"

#include <resida/resida.h>

enum { RIGHT = 0, WRONG = 1, REFUSED = 10 };

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    (void)t, (void)p, (void)v, (void)e, (void)user;
    r[0] = a[0];
    r[1] = a[1] + 9.81;
    return 0;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    (void)t, (void)e, (void)user;
    g[0] = (p[0] * p[0] + p[1] * p[1] - 1) / 2;
    return 0;
}

/* Half a period from one side to the other. */
static int swing(const char *linear_solver)
{
    const double p0[2] = {0.6, -0.8}, v0[2] = {0, 0};
    resida_problem *problem = NULL;
    resida_solver *solver = NULL;
    resida_solver_options o;
    resida_state now;
    resida_message why = {""};
    resida_mechanism m;
    resida_mechanism_init(&m);
    m.n_p = m.n_v = 2;
    m.n_g = 1;
    m.residual = residual;
    m.constraint = constraint;
    resida_solver_options_init(&o);
    o.linear_solver = linear_solver;
    resida_status status = resida_problem_create(&problem, &m, NULL, &why);
    if (status >= 0) status = resida_solver_create(&solver, problem, &o, &why);
    if (status >= 0) status = resida_solver_start(solver, 0, p0, v0, NULL, NULL);
    if (status >= 0) status = resida_solver_advance(solver, 1);
    if (status >= 0) status = resida_solver_state(solver, &now);
    int verdict = WRONG;
    if (status == RESIDA_OK) {
        double energy = (now.v[0] * now.v[0] + now.v[1] * now.v[1]) / 2 + 9.81 * now.p[1];
        verdict = fabs(energy + 9.81 * 0.8) < 1e-3 && fabs(hypot(now.p[0], now.p[1]) - 1) < 1e-5 ? RIGHT : WRONG;
    } else {
        puts(solver ? resida_solver_message(solver) : why.text);
        if (status == RESIDA_ERR_VERSION) verdict = REFUSED;
    }
    resida_solver_free(solver);
    resida_problem_free(problem);
    return verdict;
}

int main(void)
{
    if (!foreign_is_here()) return WRONG;
    int verdict = swing("auto");
    if (verdict == RIGHT) verdict = swing("dense");
    if (verdict == RIGHT) verdict = swing("klu");
    return verdict;
}
