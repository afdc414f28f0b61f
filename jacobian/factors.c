/* factors.c - see jacobian.h: factors J and solves with the factors, by the linear solver of the engine or by that of
 * the integrator. */
#include "engine_impl.h"

/* Factor J by its own linear solver. If the pattern of J has grown, the solver analyses it first. */
static int factor_by_linear_solver(resida_jacobian *jac, double h)
{
    rsd_factors *f = &jac->factors;
    const rsd_matrix_ops *ops = jac->use.ops;
    const resida_jacobian_matrix J = rsd_parts_get_matrix(&jac->p);
    if (J.pattern != f->pattern) {
        RSD_TRY(rsd_linear_set_pattern(f->linear, J.start, J.row, jac->use.why));
        f->pattern = J.pattern;
    }
    f->count++;
    const int scaled = ops && ops->scale ? ops->scale(jac->use.self, f->linear, &J, h) : 0;
    if (scaled < 0) return scaled;
    f->singular_column = rsd_linear_factor(f->linear, J.values);
    if (f->singular_column >= 0) return f->singular_column;
    return rsd_fail(jac->use.why, RESIDA_ERR_MEMORY, "no memory for the factors of J");
}

int rsd_factor_J(resida_jacobian *jac, double h)
{
    const int back = rsd_profile_enter(jac->d.profile, RSD_IN_FACTORS);
    const int verdict = jac->factors.linear ? factor_by_linear_solver(jac, h) : jac->use.ops->factor(jac->use.self);
    rsd_profile_leave(jac->d.profile, back);
    return verdict;
}

void rsd_solve_by_factors(resida_jacobian *jac, double *b)
{
    const int back = rsd_profile_enter(jac->d.profile, RSD_IN_SOLUTIONS);
    if (jac->factors.linear)
        rsd_linear_solve(jac->factors.linear, 1, b);
    else
        jac->use.ops->solve(jac->use.self, b);
    if (jac->repair.m > 0) rsd_repair_correct_solution(&jac->repair, jac->f.n, b);
    rsd_profile_leave(jac->d.profile, back);
}

void rsd_jacobian_solve(resida_jacobian *jac, double alpha, const double *F, double *delta)
{
    const double c = 2 / (1 + alpha / jac->renewal.alpha_J);
    for (int i = 0, n = jac->renewal.attempt.stages * jac->f.n; i < n; i++) delta[i] = -c * F[i];
    rsd_solve_by_factors(jac, delta);
}

rsd_factors *rsd_jacobian_get_factors(resida_jacobian *jac)
{
    return &jac->factors;
}
