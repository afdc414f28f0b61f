/* train_contact.c - see train_contact.h. With l the direction of the axle, d = side (l0 + s), q2 = 1 - lx^2 and R' = dR/ds
 * with the sign of the side:
 *
 *     w = sqrt(q2 - R'^2 lx^2),  Ny = -R' lx^2 ly + w lz,  Nz = -R' lx^2 lz - w ly
 *     P = centre + d l + R (R' lx, Ny/q2, Nz/q2)                                            point of the trace line
 *     o = side (Py - kappa Px^2/2) - yR,   Delta = Pz - twist Px Py - z_rail(o)
 *
 * Terms with (Delta - m)/eps > 40 are below the rounding of the sum and are left out. */
#include "train_contact.h"

#include <math.h>

static const double eps = 5e-6, width = 7.5e-3; /* softness of the minimum, width for which g is the penetration [m] */
static const double lost = 3e-3;                /* a wheel further off the rail, or deeper in it, has lost it [m] */
static const double negligible = 40;            /* exp(-40) = 4e-18 */

typedef struct wheel {
    const train_profiles *profiles;
    int side;
    mb_vec centre, l;
    train_rail_shape shape;
    double q2;
} wheel;

/** The trace line, and the slope dz/dy of the rail below it. */
typedef struct trace {
    double x[TRAIN_POINTS], y[TRAIN_POINTS], z[TRAIN_POINTS], w[TRAIN_POINTS], slope[TRAIN_POINTS];
} trace;

static void find_trace(const wheel *c, trace *P)
{
    const train_profiles *q = c->profiles;
    const mb_vec l = c->l, centre = c->centre;
    const double lx2 = l.x * l.x, q2 = c->q2, part = lx2 / q2, side = c->side;
    for (int j = 0; j < TRAIN_POINTS; j++) {
        const double R = q->R[j], slope = q->slope[j], reach = R * slope, w = P->w[j] = sqrt(q2 - slope * slope * lx2);
        const double along = side * (q->dist[j] - reach * part), across = R * w / q2;
        P->x[j] = centre.x + side * (q->dist[j] + reach) * l.x;
        P->y[j] = centre.y + along * l.y + across * l.z;
        P->z[j] = centre.z + along * l.z - across * l.y;
    }
}

/* Height of a point above the rail, and the slope of the rail there, dz/dy. */
static double height(const wheel *c, mb_vec P, double *slope)
{
    const double o = c->side * (P.y - c->shape.kappa * P.x * P.x / 2) - TRAIN_GAUGE;
    const double z = train_rail(c->profiles, o, slope);
    *slope *= c->side;
    return P.z - c->shape.twist * P.x * P.y - z;
}

/* dDelta/dl of point j, at P. */
static mb_vec by_axle(const wheel *c, int j, mb_vec P, double w, double slope)
{
    const mb_vec l = c->l;
    const double d = c->side * c->profiles->dist[j], Rp = c->side * c->profiles->slope[j], lx2 = l.x * l.x;
    const double R = c->profiles->R[j], dw = -(1 + Rp * Rp) * l.x / w;
    const double Rq = R / c->q2, growth = 2 * l.x / c->q2; /* of 1/q2, by lx */
    const double Ny = -Rp * lx2 * l.y + w * l.z, Nz = -Rp * lx2 * l.z - w * l.y;
    const mb_vec Py = {Rq * (-2 * Rp * l.x * l.y + l.z * dw + growth * Ny), d - Rq * Rp * lx2, Rq * w};
    const mb_vec Pz = {Rq * (-2 * Rp * l.x * l.z - l.y * dw + growth * Nz), -Rq * w, d - Rq * Rp * lx2};
    mb_vec by = mb_along(Pz, -(c->shape.twist * P.x + slope), Py);
    by.x -= (c->shape.twist * P.y - slope * c->shape.kappa * P.x) * (d + R * Rp);
    return by;
}

/* Add weight times everything of point j. */
static void add_point(const wheel *c, int j, const trace *line, double weight, train_touch *sum, mb_vec *axle)
{
    const mb_vec P = {line->x[j], line->y[j], line->z[j]};
    const double slope = line->slope[j];
    sum->x -= weight * (slope * c->shape.kappa * P.x - c->shape.twist * P.y);
    sum->y += weight * (slope + c->shape.twist * P.x);
    *axle = mb_along(*axle, weight, by_axle(c, j, P, line->w[j], slope));
    sum->kappa -= weight * slope * P.x * P.x / 2;
    sum->twist += weight * P.x * P.y;
    sum->P = mb_along(sum->P, weight, P);
    sum->slope += weight * slope;
    sum->s += weight * c->profiles->s[j];
}

/* Heights of all points. @return number of the lowest */
static int all_heights(const wheel *c, trace *P, double *delta)
{
    int lowest = 0;
    for (int j = 0; j < TRAIN_POINTS; j++) delta[j] = height(c, (mb_vec){P->x[j], P->y[j], P->z[j]}, &P->slope[j]);
    for (int j = 1; j < TRAIN_POINTS; j++)
        if (delta[j] < delta[lowest]) lowest = j;
    return lowest;
}

static wheel make_wheel(const train_profiles *profiles, int side, const mb_state *wheelset, train_rail_shape shape)
{
    const mb_vec l = wheelset->R.y;
    return (wheel){profiles, side, wheelset->r, l, shape, 1 - l.x * l.x};
}

/* Trace line, weights [TRAIN_POINTS] of its points, not yet divided by their sum, and g. @return as train_contact() */
static int weigh(const wheel *c, trace *P, double *weight, double *sum, double *g)
{
    find_trace(c, P);
    const int lowest = all_heights(c, P, weight); /* heights first */
    if (lowest == 0 || lowest == TRAIN_POINTS - 1) return 1;
    const double m = weight[lowest];
    *sum = 0;
    for (int j = 0; j < TRAIN_POINTS; j++) {
        const double above = (weight[j] - m) / eps;
        weight[j] = above <= negligible ? exp(-above) : 0;
        *sum += weight[j];
    }
    *g = -(m - eps * log(TRAIN_GRID / width * *sum));
    return fabs(*g) > lost;
}

int train_penetration(const train_profiles *profiles, int side, const mb_state *wheelset, train_rail_shape shape,
                      double *g)
{
    const wheel c = make_wheel(profiles, side, wheelset, shape);
    double weight[TRAIN_POINTS], sum;
    trace P;
    return weigh(&c, &P, weight, &sum, g);
}

int train_contact(const train_profiles *profiles, int side, const mb_state *wheelset, train_rail_shape shape,
                  train_touch *touch)
{
    const wheel c = make_wheel(profiles, side, wheelset, shape);
    double weight[TRAIN_POINTS], sum, g;
    mb_vec axle = {0, 0, 0};
    trace P;
    if (weigh(&c, &P, weight, &sum, &g)) return 1;
    train_touch mean = {.g = g};
    for (int j = 0; j < TRAIN_POINTS; j++)
        if (weight[j] > 0) add_point(&c, j, &P, weight[j] / sum, &mean, &axle);
    mean.phi = -mb_dot(axle, mb_cross(wheelset->ang[MB_PHI], c.l));
    mean.psi = -mb_dot(axle, mb_cross(wheelset->ang[MB_PSI], c.l));
    *touch = mean;
    return 0;
}
