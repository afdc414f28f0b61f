/* start.c - consistent initial conditions, at the start and after an event. For x' = f(t, x) the derivatives are f.
 * For a DAE of index 1 the solver computes them. For a DAE of higher index the constraints are replaced by their
 * derivatives of index 1, if the FMU has them, and the solver computes z and x' from these equations. */
#include "adapters/fmu/base/fail.h"
#include "model.h"

#include <math.h>
#include <string.h>

#include <resida/solver.h>

/* Compute x' = -F(t, y, 0) if the FMU computes it. */
static int evaluate_derivatives(fmu_model *m, double t, const double *y, double *yp, resida_message *why)
{
    fmu_system *s = &m->system;
    double *r = s->work_x;
    memset(yp, 0, (size_t)s->n * sizeof *yp);
    if (fmu_system_residual(s, &m->instance, t, y, yp, r) != 0)
        return fmu_fail(why, "has no derivatives at t = %.9g: %.200s", t, m->instance.said.text);
    for (int k = 0; k < s->n; k++)
        if (s->rows[k].is_explicit) yp[s->f_column[s->rows[k].at]] = -r[k];
    for (int k = 0; k < s->n_x; k++)
        if (!isfinite(yp[k])) return fmu_fail(why, "the derivative of %.100s is %g at t = %.9g", s->names[k], yp[k], t);
    return 0;
}

static int lowest_residual(double t, const double *y, const double *yp, const resida_excitation *e, double *r,
                           void *user)
{
    fmu_model *m = user;
    (void)e;
    return fmu_system_residual(&m->lowest, &m->instance, t, y, yp, r);
}

/* Solve the equations of the lowest index as a separate problem. */
static resida_status solve_lowest_index(fmu_model *m, double t, double *y, double *yp, resida_message *why)
{
    const fmu_system *s = &m->lowest;
    resida_problem *problem = NULL;
    resida_solver *solver = NULL;
    resida_state state;
    resida_dae dae;
    resida_dae_init(&dae);
    dae.user = m;
    dae.n = s->n;
    dae.kinds = s->kinds;
    dae.names = s->names;
    dae.residual = lowest_residual;
    dae.J_pattern = (resida_pattern){s->row, s->col};
    resida_status status = resida_problem_create_dae(&problem, &dae, NULL, why);
    if (status >= 0) status = resida_solver_create(&solver, problem, NULL, why);
    if (status >= 0) {
        status = resida_solver_start_dae(solver, t, y, NULL);
        if (status < 0) fmu_fail(why, "no consistent start: %.250s", resida_solver_message(solver));
    }
    if (status >= 0) status = resida_solver_state(solver, &state);
    if (status >= 0) {
        memcpy(y, state.y, (size_t)s->n * sizeof *y);
        memcpy(yp, state.yp, (size_t)s->n_x * sizeof *yp);
    }
    resida_solver_free(solver);
    resida_problem_free(problem);
    return status;
}

/* Compute z and x' from the equations of the lowest index, with the same instance. */
static int compute_multipliers(fmu_model *m, double t, double *y, double *yp, resida_message *why)
{
    fmu_system *s = &m->lowest;
    if (s->n == 0 && fmu_system_make(s, &m->file->about, &m->file->manifest, FMU_LOWEST, &m->pool, why) < 0) return -1;
    if (s->highest > 1) return evaluate_derivatives(m, t, y, yp, why); /* as given by the FMU */
    memset(y + s->n, 0, (size_t)(m->system.n - s->n) * sizeof *y);
    memset(yp, 0, (size_t)m->system.n * sizeof *yp);
    return solve_lowest_index(m, t, y, yp, why) < 0 ? -1 : 0;
}

int fmu_start_find(fmu_model *m, double t, double *y, double *yp, int *is_open, resida_message *why)
{
    *is_open = m->system.is_dae && m->system.highest <= 1;
    if (*is_open) return 0;
    return m->system.is_dae ? compute_multipliers(m, t, y, yp, why) : evaluate_derivatives(m, t, y, yp, why);
}
