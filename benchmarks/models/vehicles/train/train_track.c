/* train_track.c - see train_track.h. Along the track d/dt = v d/ds. The pose of frame b relative to frame a (both
 * without cant) is
 *
 *     dchi = chi_b - chi_a,   d = int_a^b (cos(chi - chi_a), sin(chi - chi_a)) ds       12 points of Gauss and Legendre
 *     d' = v (cos dchi - 1 + kappa_a dy, sin dchi - kappa_a dx)
 *
 * and with cant R_ab = Rx(phi_a)' Rz(dchi) Rx(phi_b). */
#include "train_track.h"

#include "benchmarks/multibody/system/smooth.h"

static const double rails = 1.5; /* distance of the rails [m] */

enum { KAPPA, KAPPA1, KAPPA2, KAPPA3, HEADING }; /* derivatives of the curvature, and its integral */

static double ramp_of(int what, double x)
{
    switch (what) {
    case KAPPA:
        return mb_ramp(x);
    case KAPPA1:
        return mb_ramp1(x);
    case KAPPA2:
        return mb_ramp2(x);
    case KAPPA3:
        return mb_ramp3(x);
    default:
        return mb_ramp_integral(x);
    }
}

static double curve(const train_track *q, int what, double s)
{
    const double at = (s - q->s1) / q->Lt, next = q->L / q->Lt;
    const double sum = ramp_of(what, at) - 2 * ramp_of(what, at - next) + ramp_of(what, at - 2 * next);
    const double power = what == HEADING ? q->Lt : 1;
    double scale = q->k0 * power;
    for (int i = KAPPA; what != HEADING && i < what; i++) scale /= q->Lt;
    return scale * sum;
}

/* Add the displacement over the length from a on. */
static void way(const train_track *q, double a, double length, double chi_a, double *dx, double *dy)
{
    static const double x[6] = {0.1252334085114689, 0.3678314989981802, 0.5873179542866175,
                                0.7699026741943047, 0.9041172563704749, 0.9815606342467193};
    static const double w[6] = {0.2491470458134028, 0.2334925365383548, 0.2031674267230659,
                                0.1600783285433462, 0.1069393259953184, 0.0471753363865118};
    const double half = length / 2, middle = a + half;
    for (int i = 0; i < 12; i++) {
        const double at = middle + (i % 2 ? half : -half) * x[i / 2];
        const double chi = curve(q, HEADING, at) - chi_a;
        *dx += half * w[i / 2] * cos(chi);
        *dy += half * w[i / 2] * sin(chi);
    }
}

/* Return the position of the first transition point between a and b; b if there is none. */
static double first_seam(const train_track *q, double a, double b)
{
    double nearest = b;
    for (int i = 0; i < 6; i++) {
        const double seam = q->s1 + (i / 2) * q->L + (i % 2) * q->Lt;
        if ((seam - a) * (nearest - a) > 0 && fabs(seam - a) < fabs(nearest - a)) nearest = seam;
    }
    return nearest;
}

/* Compute the displacement from a to b; between two transition points the heading is a polynomial. */
static void whole_way(const train_track *q, double a, double b, double chi, double *dx, double *dy)
{
    const double longest = 10; /* maximum length of one quadrature [m] */
    *dx = *dy = 0;
    for (double from = a, to; from < b || from > b; from = to) {
        to = first_seam(q, from, b);
        const int panels = 1 + (int)(fabs(to - from) / longest);
        const double step = (to - from) / panels;
        for (int i = 0; i < panels; i++) way(q, from + i * step, step, chi, dx, dy);
    }
}

static void pose(const train_track *q, double s, double ahead, double *u, double *ud, double *udd)
{
    const double s_parent = s - ahead, chi = curve(q, HEADING, s_parent), v = q->v;
    const double kappa = curve(q, KAPPA, s_parent), kappa1 = v * curve(q, KAPPA1, s_parent);
    double dx, dy;
    whole_way(q, s_parent, s, chi, &dx, &dy);
    const double dchi = curve(q, HEADING, s) - chi, half = sin(dchi / 2);
    u[TRAIN_DX] = dx, u[TRAIN_DY] = dy, u[TRAIN_DCHI] = dchi;
    ud[TRAIN_DX] = v * (-2 * half * half + kappa * dy);
    ud[TRAIN_DY] = v * (sin(dchi) - kappa * dx);
    ud[TRAIN_DCHI] = v * (curve(q, KAPPA, s) - kappa);
    udd[TRAIN_DX] = v * (-sin(dchi) * ud[TRAIN_DCHI] + kappa1 * dy + kappa * ud[TRAIN_DY]);
    udd[TRAIN_DY] = v * (cos(dchi) * ud[TRAIN_DCHI] - kappa1 * dx - kappa * ud[TRAIN_DX]);
    udd[TRAIN_DCHI] = v * v * (curve(q, KAPPA1, s) - curve(q, KAPPA1, s_parent));
}

void train_track_frame(const train_track *q, double s, double ahead, double *u, double *ud, double *udd)
{
    const double cant = -q->h0 / rails / q->k0, v = q->v;
    double kappa[4];
    for (int i = 0; i < 4; i++) kappa[i] = curve(q, KAPPA + i, s);
    u[TRAIN_KAPPA] = kappa[0], ud[TRAIN_KAPPA] = v * kappa[1], udd[TRAIN_KAPPA] = v * v * kappa[2];
    for (int i = 0; i < 2; i++) { /* cant and twist */
        u[TRAIN_CANT + i] = cant * kappa[i];
        ud[TRAIN_CANT + i] = cant * v * kappa[1 + i];
        udd[TRAIN_CANT + i] = cant * v * v * kappa[2 + i];
    }
    for (int i = TRAIN_DX; i < TRAIN_U; i++) u[i] = ud[i] = udd[i] = 0;
    if (fabs(ahead) > 0) pose(q, s, ahead, u, ud, udd);
}

mb_root train_track_root(const train_track *q, const double *u, const double *ud, const double *udd, double g)
{
    const double c = cos(u[TRAIN_CANT]), s = sin(u[TRAIN_CANT]), v = q->v;
    const mb_vec ex = {1, 0, 0}, ey = {0, c, -s}, ez = {0, s, c}; /* of the track without cant */
    const mb_vec yaw = mb_scale(v * u[TRAIN_KAPPA], ez), roll = mb_scale(ud[TRAIN_CANT], ex);
    const mb_vec change = mb_along(mb_scale(v * ud[TRAIN_KAPPA], ez), udd[TRAIN_CANT], ex);
    return (mb_root){mb_scale(v, ex), mb_add(yaw, roll), mb_add(change, mb_cross(yaw, roll)),
                     mb_along(mb_scale(v * v * u[TRAIN_KAPPA], ey), g, ez)};
}

mb_relation train_track_relation(const double *u, const double *ud, const double *uP, const double *udP)
{
    mb_mat level = mb_identity();
    mb_roll(&level, -uP[TRAIN_CANT]); /* axes of the parent's track without cant, in the parent's axes */
    mb_relation r = {.R = level};
    mb_yaw(&r.R, u[TRAIN_DCHI]);
    const mb_vec ahead = r.R.x, parent_roll = {udP[TRAIN_CANT], 0, 0};
    mb_roll(&r.R, u[TRAIN_CANT]);
    r.d = mb_turn(&level, (mb_vec){u[TRAIN_DX], u[TRAIN_DY], 0});
    r.dd = mb_sub(mb_turn(&level, (mb_vec){ud[TRAIN_DX], ud[TRAIN_DY], 0}), mb_cross(parent_roll, r.d));
    r.w = mb_sub(mb_along(mb_scale(ud[TRAIN_DCHI], level.z), ud[TRAIN_CANT], ahead), parent_roll);
    return r;
}
