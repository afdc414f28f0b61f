/* form_baumgarte.c - the constraints differentiated twice, section 3.1 of Ascher, Petzold, TR 91-3; y = (p, v, lam):
 *
 *     0 = p' - T v,   0 = M v' - Psi + G' lam,   0 = g'' + 2 gamma g' + gamma^2 g      (3.2), (3.10)
 *
 * "baumgarte" with gamma > 0; "index1" is (3.1), gamma = 0: errors of g grow linearly in time, and with their first
 * derivative. Nonholonomic rows, whose index is one less: 0 = w' + gamma w, w = Gh v + gh. */
#include "problem_impl.h"

#define USUAL_GAMMA 1.0 /* 1/s, as in section 4.2, case 1, of Ascher, Petzold */

static int with_gamma(const rsd_F_arguments *at, double gamma, double *r)
{
    const resida_layout *l = at->l;
    const double *a = at->yp + l->v, *lam = at->y + l->lam;
    rsd_rows_kinematic(at, r);
    int verdict = rsd_rows_dynamic(at, a, lam, r + l->v);
    return verdict ? verdict : rsd_rows_acceleration(at, gamma, a, lam, r + l->lam);
}

static int stabilised(const rsd_F_arguments *at, double *r)
{
    return with_gamma(at, at->x->gamma, r);
}

static int unstabilised(const rsd_F_arguments *at, double *r)
{
    return with_gamma(at, 0, r);
}

const rsd_form rsd_form_baumgarte = {.name = "baumgarte",
                                     .level = RSD_ACCELERATION,
                                     .traits = RSD_FORM_WITH_GAMMA,
                                     .usual_gamma = USUAL_GAMMA,
                                     .residual = stabilised};
const rsd_form rsd_form_index1 = {.name = "index1", .level = RSD_ACCELERATION, .residual = unstabilised};
