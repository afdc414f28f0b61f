/* car_tyre.c - see car_tyre.h. With slips kap, tan alpha, and beta the norm of the scaled slips
 *
 *     bx = Kx kap/mux,   by = Ky tan alpha/muy,   beta = |(bx, by)|
 *     Fx = bx/beta mux Fz MF(beta; Cx, Ex),   Fy = -by/beta muy Fz MF(beta; Cy, Ey),   Mz = -0.030/(1 + beta^2) Fy
 *     MF(beta; C, E) = sin(C atan(X - E (X - atan X))),   X = beta/C
 *
 * Coefficients: tyre data of CommonRoad (Althoff), sets p_kx1 = 22.303, p_dx1 = 1.1739, p_cx1 = 1.6411, p_ex1 =
 * 0.46403, p_ky1 = -21.92, p_dy1 = 1.0489, p_cy1 = 1.3507, p_ey1 = -0.0074722; the pneumatic trail of 30 mm is
 * chosen. */
#include "car_tyre.h"

#include "benchmarks/multibody/system/force.h"
#include "benchmarks/multibody/system/smooth.h"

static const double Kx = 22.303, mux = 1.1739, Cx = 1.6411, Ex = 0.46403;
static const double Ky = 21.92, muy = 1.0489, Cy = 1.3507, Ey = -0.0074722;
static const double trail = 0.030;       /* [m] */
static const double k = 158e3, c = 150;  /* vertical [N/m], [N s/m] */
static const double free_radius = 0.330; /* [m] */

car_contact car_tyre_contact(const mb_state *wheel, double height)
{
    const mb_vec ey = wheel->R.y, ez = {0, 0, 1};
    const mb_vec across = mb_cross(ey, ez), el = mb_scale(1 / mb_norm(across), across), er = mb_cross(el, ey);
    const double radius = (wheel->r.z - height) / er.z;
    const mb_vec arm = mb_scale(-radius, er);
    return (car_contact){arm, mb_add(wheel->r, arm), mb_add(wheel->v, mb_cross(wheel->w, arm)),
                         el,  mb_cross(ez, el),      radius};
}

void car_tyre_arrow(const mb_state *wheel, double height, double *xyz)
{
    const mb_vec P = car_tyre_contact(wheel, height).P;
    xyz[0] = xyz[3] = P.x, xyz[1] = xyz[4] = P.y;
    xyz[2] = P.z, xyz[5] = P.z + 1;
}

double car_tyre_load(double radius, double rate)
{
    return mb_positive(k * (free_radius - radius) - c * rate, 10);
}

static double magic(double beta, double C, double E)
{
    const double X = beta / C;
    return sin(C * atan(X - E * (X - atan(X))));
}

void car_tyre_add(const car_contact *x, double spin, double load, double slow, mb_wrench *on)
{
    const double along = mb_dot(x->v, x->el), across = mb_dot(x->v, x->et);
    const double speed = slow > 0 ? sqrt(along * along + slow * slow) : fabs(along);
    const double kap = -(along - spin * CAR_ROLLING_RADIUS) / speed, slope = across / speed;
    const double bx = Kx * kap / mux, by = Ky * slope / muy, beta = sqrt(bx * bx + by * by + 1e-10);
    const double Fx = bx / beta * mux * load * magic(beta, Cx, Ex);
    const double Fy = -by / beta * muy * load * magic(beta, Cy, Ey);
    const mb_vec f = mb_add(mb_scale(Fx, x->el), mb_scale(Fy, x->et));
    mb_push(on, x->arm, mb_add(f, (mb_vec){0, 0, load}));
    on->m.z -= trail / (1 + beta * beta) * Fy;
}
