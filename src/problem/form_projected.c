/* form_projected.c - projected invariants, section 3.5 of Ascher, Petzold, TR 91-3: the accelerations are those of the
 * constraint differentiated twice, and what holds the constraints themselves acts along directions D that may be
 * chosen; y = (p, v, lam, eta, tau, a):
 *
 *     0 = p' - T v + D1 eta          (4.14a), (3.27a)
 *     0 = M a - Psi + G' lam         (4.14b)
 *     0 = G a + gamma                and the same for nonholonomic rows
 *     0 = g                          (3.25), j = 1
 *     0 = G v + gI, Gh v + gh        (3.25), j = 2
 *     0 = v' - a + D2 tau            (3.27b)
 *
 * "projected1": k = 1, a = v', without the last two rows. "projected2": k = 2; with a as an unknown no product of M and
 * D2 is needed. "state-space": projected2 with D of a reference
 * point, which by (3.23), (3.24) is the ODE in constant coordinates R p, R D = 0, (3.17). The unknowns stay p and v, so
 * that nothing has to begin anew when the coordinates change. */
#include "problem_impl.h"

static int with_acceleration(const rsd_F_arguments *at, const double *a, double *r)
{
    const resida_layout *l = at->l;
    const double *lam = at->y + l->lam, *eta = l->eta < 0 ? NULL : at->y + l->eta;
    int verdict;
    rsd_rows_kinematic(at, r);
    if (eta && (verdict = rsd_rows_held_along(at, eta, r))) return verdict;
    if ((verdict = rsd_rows_dynamic(at, a, lam, r + l->v))) return verdict;
    if ((verdict = rsd_rows_acceleration(at, 0, a, lam, r + l->lam))) return verdict;
    return eta ? rsd_rows_position_held(at, eta, r + l->eta) : 0;
}

static int one(const rsd_F_arguments *at, double *r)
{
    return with_acceleration(at, at->yp + at->l->v, r);
}

static int two(const rsd_F_arguments *at, double *r)
{
    const double *tau = at->y + at->l->tau, *a = at->y + at->l->a;
    int verdict = with_acceleration(at, a, r);
    if (!verdict) verdict = rsd_rows_velocity_held(at, tau, r + at->l->tau);
    if (!verdict) rsd_rows_projected(at, a, tau, r + at->l->a);
    return verdict;
}

const rsd_form rsd_form_projected1 = {.name = "projected1", .level = RSD_ACCELERATION, .has_eta = 1, .residual = one};
const rsd_form rsd_form_projected2 = {
    .name = "projected2", .level = RSD_ACCELERATION, .has_eta = 1, .has_tau = 1, .residual = two};
const rsd_form rsd_form_state_space = {
    .name = "state-space", .level = RSD_ACCELERATION, .has_eta = 1, .has_tau = 1, .is_frozen = 1, .residual = two};
