/* start.c - a consistent start. Of x' = f(t, x) it is f. Of a DAE of index 1 the solver finds it. Constraints of a
 * higher index come with their derivatives, if at all: those of index 1 take the places of the others, and the solver
 * finds z and x' of that. */
#include "adapters/fmu/base/fail.h"
#include "model.h"

#include <math.h>
#include <string.h>

#include <resida/solver.h>

/* x' where the FMU computes it: what is missing in F(t, y, 0). */
static int evaluate(fmu_model *m, resida_message *why)
{
    fmu_system *s = &m->system;
    double *r = s->work_x;
    memset(m->yp0, 0, (size_t)s->n * sizeof *m->yp0);
    fmu_inputs_at(&m->inputs, m->values, m->t0, m->inputs.u, NULL);
    if (fmu_inputs_give(&m->inputs, &m->instance, m->inputs.u) != 0 ||
        fmu_system_residual(s, &m->instance, m->t0, m->y0, m->yp0, r) != 0)
        return fmu_fail(why, "has no derivatives at its start: %.200s", m->instance.said.text);
    if (s->is_clock) m->yp0[0] = 1;
    for (int k = 0; k < s->n && !s->is_clock; k++)
        if (s->rows[k].is_explicit) m->yp0[s->f_column[s->rows[k].at]] = -r[k];
    for (int k = 0; k < s->n_x; k++)
        if (!isfinite(m->yp0[k]))
            return fmu_fail(why, "the derivative of %.100s is %g at the start", s->names[k], m->yp0[k]);
    return 0;
}

/* The equations of the lowest index, as a problem of their own. */
static resida_status solve_lowest(fmu_model *m, fmu_model *lowest, resida_message *why)
{
    resida_problem *problem = NULL;
    resida_solver *solver = NULL;
    resida_state state;
    resida_dae dae;
    resida_dae_init(&dae);
    dae.n = lowest->system.n;
    dae.kinds = lowest->system.kinds;
    dae.names = lowest->system.names;
    dae.residual = fmu_residual;
    dae.J_pattern = (resida_pattern){lowest->system.row, lowest->system.col};
    dae.n_u = lowest->inputs.n_u;
    if (dae.n_u > 0) dae.excitation = fmu_excitation;
    dae.user = lowest;
    resida_status status = resida_problem_create_dae(&problem, &dae, NULL, why);
    if (status >= 0) status = resida_solver_create(&solver, problem, NULL, why);
    if (status >= 0) {
        status = resida_solver_start_dae(solver, m->t0, m->y0, NULL);
        if (status < 0) fmu_fail(why, "no consistent start: %.250s", resida_solver_message(solver));
    }
    if (status >= 0) status = resida_solver_state(solver, &state);
    if (status >= 0) {
        memcpy(m->y0, state.y, (size_t)lowest->system.n * sizeof *m->y0);
        memcpy(m->yp0, state.yp, (size_t)m->system.n_x * sizeof *m->yp0);
    }
    resida_solver_free(solver);
    resida_problem_free(problem);
    return status;
}

/* The instance is lent to the other equations. */
static int find_multipliers(fmu_model *m, resida_message *why)
{
    fmu_model lowest = *m;
    if (fmu_system_make(&lowest.system, &m->file->about, &m->file->manifest, FMU_LOWEST, &m->pool, why) < 0) return -1;
    if (lowest.system.highest > 1) return evaluate(m, why); /* as the FMU says */
    memset(m->yp0, 0, (size_t)m->system.n * sizeof *m->yp0);
    return solve_lowest(m, &lowest, why) < 0 ? -1 : 0;
}

int fmu_start_find(fmu_model *m, int *is_open, resida_message *why)
{
    *is_open = m->system.is_dae && m->system.highest <= 1;
    if (*is_open) return 0;
    return m->system.is_dae ? find_multipliers(m, why) : evaluate(m, why);
}
