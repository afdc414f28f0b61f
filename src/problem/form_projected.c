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

static int with_acceleration(rsd_rows *x, const double *a, const resida_layout *l, double t, const double *y,
                             const double *yp, double *r)
{
    const double *p = y, *v = y + l->v, *lam = y + l->lam, *eta = l->eta < 0 ? NULL : y + l->eta;
    int verdict;
    rsd_rows_kinematic(x, yp, v, r);
    if (eta && (verdict = rsd_rows_held_along(x, t, p, eta, r))) return verdict;
    if ((verdict = rsd_rows_dynamic(x, t, p, v, a, lam, r + l->v))) return verdict;
    if ((verdict = rsd_rows_acceleration(x, 0, t, p, v, a, lam, r + l->lam))) return verdict;
    return eta ? rsd_rows_position_held(x, t, p, eta, r + l->eta) : 0;
}

static int one(rsd_rows *x, const resida_layout *l, double t, const double *y, const double *yp, double *r)
{
    int verdict = rsd_rows_begin(x, t, y);
    return verdict ? verdict : with_acceleration(x, yp + l->v, l, t, y, yp, r);
}

static int two(rsd_rows *x, const resida_layout *l, double t, const double *y, const double *yp, double *r)
{
    const double *v = y + l->v, *tau = y + l->tau, *a = y + l->a;
    int verdict = rsd_rows_begin(x, t, y);
    if (!verdict) verdict = with_acceleration(x, a, l, t, y, yp, r);
    if (!verdict) verdict = rsd_rows_velocity_held(x, t, y, v, tau, r + l->tau);
    if (!verdict) rsd_rows_projected(x, yp + l->v, a, tau, r + l->a);
    return verdict;
}

const rsd_form rsd_form_projected1 = {.name = "projected1", .level = RSD_ACCELERATION, .has_eta = 1, .residual = one};
const rsd_form rsd_form_projected2 = {
    .name = "projected2", .level = RSD_ACCELERATION, .has_eta = 1, .has_tau = 1, .residual = two};
const rsd_form rsd_form_state_space = {
    .name = "state-space", .level = RSD_ACCELERATION, .has_eta = 1, .has_tau = 1, .is_frozen = 1, .residual = two};
