/* form_ggl.c - the stabilised index-2 formulation of Gear, Gupta, Leimkuhler (J. Comp. Appl. Math. 12&13, 1985, 77-90),
 * equations (7), (9), (10) of Arnold, Fuchs, Fuehrer; y = (p, v, lam, eta):
 *
 *     0 = p' - T v + D1 eta            (7a), where D1 = (dg/dp)'; (4.15) of Ascher, Petzold, TR 91-3, with another D1
 *     0 = M v' - Psi + G' lam          (7b)
 *     0 = G v + gI                     (7c), and Gh v + gh = 0 for nonholonomic rows
 *     0 = g                            (7d)
 *
 * Nonholonomic constraints have a multiplier in lam, but none in eta: there is no position to be held.
 *
 * "hiller-anantharaman" is the same with lam = Lam', eta = Eta'; y = (p, v, Lam, Eta), which begin at 0. By that the
 * index is 1 (C. W. Gear, Differential-algebraic equation index transformations, SIAM J. Sci. Stat. Comput. 9, 1988,
 * 39-47), and all of y can be in the error test. */
#include "problem_impl.h"

static int residual(const rsd_F_arguments *at, double *r)
{
    const resida_layout *l = at->l;
    const double *lam = at->multipliers + l->lam, *eta = l->eta < 0 ? NULL : at->multipliers + l->eta;
    int verdict;
    rsd_rows_kinematic(at, r);
    if (eta && (verdict = rsd_rows_held_along(at, eta, r))) return verdict;
    if ((verdict = rsd_rows_dynamic(at, at->yp + l->v, lam, r + l->v))) return verdict;
    if ((verdict = rsd_rows_velocity(at, lam, r + l->lam))) return verdict;
    return eta ? rsd_rows_position_held(at, eta, r + l->eta) : 0;
}

const rsd_form rsd_form_ggl = {.name = "ggl", .level = RSD_VELOCITY, .has_eta = 1, .residual = residual};
const rsd_form rsd_form_hiller_anantharaman = {
    .name = "hiller-anantharaman", .level = RSD_VELOCITY, .has_eta = 1, .rates = 1, .residual = residual};
