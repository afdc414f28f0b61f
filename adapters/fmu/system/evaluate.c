/* evaluate.c - evaluates F(t, y, y') with an instance. With multipliers mu of constraints g, x' - (dg/dx)' mu
 * replaces x'. mu is zero except for errors, so that inaccurate or outdated values of dg/dx do not change the
 * solution. */
#include "system_impl.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define RETURN_IF(verdict)                                                                                             \
    do {                                                                                                               \
        const int returned = (verdict);                                                                                \
        if (returned != 0) return returned;                                                                            \
    } while (0)

int fmu_system_set(fmu_system *s, fmu_instance *i, double t, const double *y)
{
    RETURN_IF(FMU_CALL(i, &i->binary->plain, set_time, t));
    if (s->n_x > 0) RETURN_IF(FMU_CALL(i, &i->binary->plain, set_states, y, (size_t)s->n_x));
    return fmu_reals_set(i, &s->z, y + s->n_x);
}

/* Set x' of the states whose x' is an input of the instance. */
static int set_given_derivatives(fmu_system *s, fmu_instance *i, const double *xp)
{
    for (int k = 0; k < s->given.n_values; k++) s->work_given[k] = xp[s->given_column[k]];
    return fmu_reals_set(i, &s->given, s->work_given);
}

int fmu_system_set_rates(fmu_system *s, fmu_instance *i, double t, const double *y, const double *yp)
{
    RETURN_IF(fmu_system_set(s, i, t, y));
    return set_given_derivatives(s, i, yp);
}

/* Compute xp -= (dg/dx)' mu at t, y. g is differenced for each group of states. Afterwards the instance is at y. */
static int subtract_multipliers(fmu_system *s, fmu_instance *i, double t, const double *y, double *xp)
{
    const int first = s->residuals.n_values - s->n_mu;
    const double *mu = y + s->n_x + s->n_z, *g = s->work_r + first, *moved = s->work_g + first;
    RETURN_IF(fmu_reals_get(i, &s->residuals, s->work_r));
    for (int group = 0; group < s->g_groups.n; group++) {
        memcpy(s->work_x, y, (size_t)s->n * sizeof *y);
        for (int j = 0; j < s->n_x; j++)
            if (s->g_groups.group[j] == group) s->work_x[j] += sqrt(DBL_EPSILON) * fmax(fabs(y[j]), 1);
        RETURN_IF(fmu_system_set(s, i, t, s->work_x));
        RETURN_IF(fmu_reals_get(i, &s->residuals, s->work_g));
        for (int k = 0; k < s->n_mu; k++)
            for (int e = s->g_row[k]; e < s->g_row[k + 1]; e++) {
                const int j = s->g_col[e];
                if (j < s->n_x && s->g_groups.group[j] == group)
                    xp[j] -= (moved[k] - g[k]) / (s->work_x[j] - y[j]) * mu[k];
            }
    }
    return fmu_system_set(s, i, t, y);
}

int fmu_system_get(fmu_system *s, fmu_instance *i, double t, const double *y, const double *yp, double *r)
{
    double *xp = s->work_d;
    memcpy(xp, yp, (size_t)s->n_x * sizeof *xp);
    if (fmu_has_nonzero(y + s->n_x + s->n_z, s->n_mu)) RETURN_IF(subtract_multipliers(s, i, t, y, xp));
    if (s->given.n > 0) {
        RETURN_IF(set_given_derivatives(s, i, xp));
        RETURN_IF(fmu_reals_get(i, &s->f, s->work_f));
    } else {
        RETURN_IF(fmu_get(i, i->binary->plain.get_derivatives, s->work_f, (size_t)s->n_x));
    }
    RETURN_IF(fmu_reals_get(i, &s->residuals, s->work_r));
    for (int k = 0; k < s->n; k++) {
        const fmu_row *row = &s->rows[k];
        r[k] = row->is_explicit ? xp[s->f_column[row->at]] - s->work_f[row->at] : s->work_r[row->at];
    }
    return 0;
}

int fmu_system_residual(fmu_system *s, fmu_instance *i, double t, const double *y, const double *yp, double *r)
{
    RETURN_IF(fmu_system_set(s, i, t, y));
    return fmu_system_get(s, i, t, y, yp, r);
}
