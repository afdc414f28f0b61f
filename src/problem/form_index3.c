/* form_index3.c - the position constraints themselves, (1), (5b) of Arnold, Fuchs, Fuehrer; y = (p, v, lam):
 *
 *     0 = p' - T v,   0 = M v' - Psi + G' lam,   0 = g,   and Gh v + gh = 0 for nonholonomic rows
 *
 * "augmented" has the force of a penalty besides, (7) of O. Bauchau, A. Epple, C. Bottasso, Scaling of Constraints and
 * Augmented Lagrangian Formulations in Multibody Dynamics Simulations: G' (lam + penalty g). The solution is the
 * same. */
#include "problem_impl.h"

#include <string.h>

/* The rows of lam: g, in the place of G v + gI, and Gh v + gh below. */
static int constraint_rows(const rsd_F_arguments *at, const double *lam, double *r)
{
    int verdict = at->l->n_h > 0 ? rsd_rows_velocity(at, lam, r) : 0;
    memset(r, 0, (size_t)at->l->n_g * sizeof *r);
    return verdict ? verdict : rsd_rows_position(at, lam, r);
}

static int with_force(const rsd_F_arguments *at, const double *force, double *r)
{
    const resida_layout *l = at->l;
    rsd_rows_kinematic(at, r);
    int verdict = rsd_rows_dynamic(at, at->yp + l->v, force, r + l->v);
    return verdict ? verdict : constraint_rows(at, at->y + l->lam, r + l->lam);
}

static int plain(const rsd_F_arguments *at, double *r)
{
    return with_force(at, at->y + at->l->lam, r);
}

static int augmented(const rsd_F_arguments *at, double *r)
{
    const double *force;
    int verdict = rsd_penalised_multipliers(at->x, at->t, at->p, at->y + at->l->lam, &force);
    return verdict ? verdict : with_force(at, force, r);
}

const rsd_form rsd_form_index3 = {.name = "index3", .level = RSD_POSITION, .residual = plain};
const rsd_form rsd_form_augmented = {
    .name = "augmented", .level = RSD_POSITION, .traits = RSD_FORM_WITH_PENALTY, .residual = augmented};
