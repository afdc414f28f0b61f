/* form_index3.c - the position constraints themselves, (1), (5b) of Arnold, Fuchs, Fuehrer; y = (p, v, lam):
 *
 *     0 = p' - T v,   0 = M v' - Psi + G' lam,   0 = g,   and Gh v + gh = 0 for nonholonomic rows
 *
 * "augmented" has the force of a penalty besides, (7) of O. Bauchau, A. Epple, C. Bottasso, Scaling of Constraints and
 * Augmented Lagrangian Formulations in Multibody Dynamics Simulations: G' (lam + penalty g). The solution is the
 * same. */
#include "problem_impl.h"

/* The rows of lam: g, and Gh v + gh below. */
static int constraint_rows(rsd_rows *x, double t, const double *p, const double *v, const double *lam, double *r)
{
    int verdict = x->k->m.n_h > 0 ? rsd_rows_velocity(x, t, p, v, lam, r) : 0;
    return verdict ? verdict : rsd_rows_position(x, t, p, lam, r);
}

static int with_force(rsd_rows *x, const double *force, const resida_layout *l, double t, const double *y,
                      const double *yp, double *r)
{
    const double *p = y, *v = y + l->v;
    rsd_rows_kinematic(x, yp, v, r);
    int verdict = rsd_rows_dynamic(x, t, p, v, yp + l->v, force, r + l->v);
    return verdict ? verdict : constraint_rows(x, t, p, v, y + l->lam, r + l->lam);
}

static int plain(rsd_rows *x, const resida_layout *l, double t, const double *y, const double *yp, double *r)
{
    int verdict = rsd_rows_begin(x, t, y);
    return verdict ? verdict : with_force(x, y + l->lam, l, t, y, yp, r);
}

static int augmented(rsd_rows *x, const resida_layout *l, double t, const double *y, const double *yp, double *r)
{
    const double *force;
    int verdict = rsd_rows_begin(x, t, y);
    if (!verdict) verdict = rsd_penalised_multipliers(x, t, y, y + l->lam, &force);
    return verdict ? verdict : with_force(x, force, l, t, y, yp, r);
}

const rsd_form rsd_form_index3 = {.name = "index3", .level = RSD_POSITION, .residual = plain};
const rsd_form rsd_form_augmented = {
    .name = "augmented", .level = RSD_POSITION, .traits = RSD_FORM_WITH_PENALTY, .residual = augmented};
