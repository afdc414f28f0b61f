/* jacobian.c - dF/dy dy + dF/dyp dyp from the directional derivatives of an FMU. If x' of a state is set in the FMU,
 * its direction is (x, x'). With multipliers mu the direction of x' is dx' - (dg/dx)' dmu, and dg/dx requires one
 * direction for each group of its columns. The derivative of dg/dx is neglected, because its factor mu is zero except
 * for errors. */
#include "system_impl.h"

#include <string.h>

/* A direction of differentiation: references and their values, one after another. */
typedef struct direction {
    uint32_t *knowns;
    double *seed;
    int n_knowns, n_seed;
} direction;

int fmu_has_nonzero(const double *of, int size)
{
    for (int k = 0; k < size; k++)
        if (of[k] != 0) return 1;
    return 0;
}

/* Add a reference with these values, unless all are 0. */
static void add_seed(direction *d, uint32_t reference, const double *values, int size)
{
    if (!fmu_has_nonzero(values, size)) return;
    memcpy(d->seed + d->n_seed, values, (size_t)size * sizeof *values);
    d->n_seed += size;
    d->knowns[d->n_knowns++] = reference;
}

static void add_seeds(direction *d, const fmu_references *list, const fmu_variable *const *of, const double *values)
{
    for (int i = 0; i < list->n; i++) {
        add_seed(d, list->of[i], values, of[i]->size);
        values += of[i]->size;
    }
}

/* Add the x' that are inputs of the FMU. */
static void add_given(const fmu_system *s, direction *d, const double *dxp)
{
    for (int i = 0, at = 0; i < s->x.n; i++) {
        if (s->is_given[i]) add_seed(d, s->given.of[at++], dxp, s->states[i]->size);
        dxp += s->states[i]->size;
    }
}

static int differentiate(fmu_instance *i, const direction *d, const fmu_references *of, double *out)
{
    if (of->n == 0) return 0;
    memset(out, 0, (size_t)of->n_values * sizeof *out);
    if (d->n_knowns == 0) return 0;
    return i->binary->port.derivative(i, of->of, (size_t)of->n, d->knowns, (size_t)d->n_knowns, d->seed,
                                      (size_t)d->n_seed, out, (size_t)of->n_values);
}

/* Differentiate all values in F along dy and dxp, the direction of x' in the FMU. */
static int differentiate_values(fmu_system *s, fmu_instance *i, const double *dy, const double *dxp)
{
    direction d = {.knowns = s->knowns, .seed = s->work_d};
    add_seeds(&d, &s->x, s->states, dy);
    add_seeds(&d, &s->z, s->algebraic, dy + s->n_x);
    add_given(s, &d, dxp);
    const int verdict = differentiate(i, &d, &s->f, s->work_f);
    return verdict != 0 ? verdict : differentiate(i, &d, &s->residuals, s->work_r);
}

static double compute_row(const fmu_system *s, int r, const double *dxp)
{
    const fmu_row *row = &s->rows[r];
    return row->is_explicit ? dxp[s->f_column[row->at]] - s->work_f[row->at] : s->work_r[row->at];
}

/* Compute dg/dx into g_values. */
static int compute_g_matrix(fmu_system *s, fmu_instance *i)
{
    const double *g = s->work_r + s->residuals.n_values - s->n_mu;
    int verdict = 0;
    memset(s->along_xp, 0, (size_t)s->n_x * sizeof *s->along_xp);
    for (int group = 0; group < s->g_groups.n && verdict == 0; group++) {
        for (int c = 0; c < s->n_x; c++) s->along_y[c] = s->g_groups.group[c] == group;
        memset(s->along_y + s->n_x, 0, (size_t)(s->n - s->n_x) * sizeof *s->along_y);
        verdict = differentiate_values(s, i, s->along_y, s->along_xp);
        for (int k = 0; k < s->n_mu && verdict == 0; k++)
            for (int e = s->g_row[k]; e < s->g_row[k + 1]; e++)
                if (s->g_col[e] < s->n_x && s->g_groups.group[s->g_col[e]] == group) s->g_values[e] = g[k];
    }
    return verdict;
}

/* Return 1 if one of k directions changes mu. */
static int changes_mu(const fmu_system *s, int k, const double *dy)
{
    int any = 0;
    for (int q = 0; q < k && s->n_mu > 0; q++)
        any |= fmu_has_nonzero(dy + (size_t)q * (size_t)s->n + s->n_x + s->n_z, s->n_mu);
    return any;
}

int fmu_system_times(fmu_system *s, fmu_instance *i, double t, const double *y, const double *yp, int k,
                     const double *dy, const double *dyp, double *out)
{
    const int has_mu = changes_mu(s, k, dy);
    /* The instance may be at another state. */
    int verdict = fmu_system_residual(s, i, t, y, yp, s->work_x);
    if (verdict == 0 && has_mu) verdict = compute_g_matrix(s, i);
    for (int q = 0; q < k && verdict == 0; q++, dy += s->n, dyp += s->n, out += s->n) {
        const double *dmu = dy + s->n_x + s->n_z;
        memcpy(s->along_xp, dyp, (size_t)s->n_x * sizeof *dyp);
        for (int j = 0; j < s->n_mu && has_mu; j++)
            for (int e = s->g_row[j]; e < s->g_row[j + 1]; e++)
                if (s->g_col[e] < s->n_x) s->along_xp[s->g_col[e]] -= s->g_values[e] * dmu[j];
        verdict = differentiate_values(s, i, dy, s->along_xp);
        for (int r = 0; r < s->n && verdict == 0; r++) out[r] = compute_row(s, r, s->along_xp);
    }
    return verdict;
}
