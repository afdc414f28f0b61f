/* train_contact.c - see train_contact.h. With l the direction of the axle, d = side (l0 + s), q2 = 1 - lx^2 and R' =
 * dR/ds with the sign of the side:
 *
 *     w = sqrt(q2 - R'^2 lx^2),  Ny = -R' lx^2 ly + w lz,  Nz = -R' lx^2 lz - w ly
 *     P = centre + d l + R (R' lx, Ny/q2, Nz/q2)                                            point of the trace line
 *     o = side (Py - kappa Px^2/2) - yR,   Delta = Pz - twist Px Py - z_rail(o)
 *
 * Delta depends on the height z of the wheelset as an additive term only, therefore contacts are computed at z = 0.
 *
 * Terms with (Delta - m)/eps > 40 are below the rounding of the sum and are omitted. */
#include "train_contact.h"

#include <math.h>

static const double eps = 5e-6, width = 7.5e-3; /* smoothing of the minimum; width for which g is the penetration [m] */
static const double lost = 3e-3;                /* maximum distance from the rail, and maximum penetration [m] */
static const double negligible = 40;            /* exp(-40) = 4e-18 */

typedef struct wheel {
    const train_profiles *profiles;
    int side;
    mb_vec centre, l;
    train_rail_shape shape;
    double q2;
} wheel;

/** The trace line, and the outward distances of its points from the crown of the rail. */
typedef struct trace {
    double x[TRAIN_POINTS], y[TRAIN_POINTS], z[TRAIN_POINTS], w[TRAIN_POINTS], out[TRAIN_POINTS];
} trace;

static void find_trace(const wheel *c, trace *P)
{
    const train_profiles *q = c->profiles;
    const mb_vec l = c->l, centre = c->centre;
    const double lx2 = l.x * l.x, q2 = c->q2, part = lx2 / q2, side = c->side, kappa = c->shape.kappa;
    for (int j = 0; j < TRAIN_POINTS; j++) {
        const double R = q->R[j], slope = q->slope[j], reach = R * slope, w = P->w[j] = sqrt(q2 - slope * slope * lx2);
        const double along = side * (q->dist[j] - reach * part), across = R * w / q2;
        const double x = P->x[j] = centre.x + side * (q->dist[j] + reach) * l.x;
        const double y = P->y[j] = centre.y + along * l.y + across * l.z;
        P->z[j] = centre.z + along * l.z - across * l.y;
        P->out[j] = side * (y - kappa * x * x / 2) - TRAIN_GAUGE;
    }
}

/* Compute the heights of all points above the rail. */
static void find_heights(const wheel *c, const trace *P, double *delta)
{
    for (int j = 0; j < TRAIN_POINTS; j++)
        delta[j] = P->z[j] - c->shape.twist * P->x[j] * P->y[j] - train_rail_height(c->profiles, P->out[j]);
}

/* Return the minimum. Four partial minima allow instruction-level parallelism. */
static double least(const double *delta)
{
    double m[4] = {delta[0], delta[0], delta[0], delta[0]};
    for (int j = 0; j + 4 <= TRAIN_POINTS; j += 4)
        for (int k = 0; k < 4; k++) m[k] = delta[j + k] < m[k] ? delta[j + k] : m[k];
    for (int j = TRAIN_POINTS / 4 * 4; j < TRAIN_POINTS; j++) m[0] = delta[j] < m[0] ? delta[j] : m[0];
    for (int k = 1; k < 4; k++) m[0] = m[k] < m[0] ? m[k] : m[0];
    return m[0];
}

/** The points with significant weights, `first` to `last`: weights before normalisation, their sum, and g. */
typedef struct touching {
    int first, last;
    double weight[TRAIN_POINTS], sum, g;
} touching;

/* Compute weights and g. @return as train_contact() */
static int weigh(const wheel *c, trace *P, touching *q)
{
    double delta[TRAIN_POINTS];
    find_trace(c, P);
    find_heights(c, P, delta);
    const double m = least(delta);
    if (!(delta[0] > m && delta[TRAIN_POINTS - 1] > m)) return 1;
    q->first = TRAIN_POINTS, q->last = 0, q->sum = 0;
    for (int j = 0; j < TRAIN_POINTS; j++) {
        const double above = (delta[j] - m) / eps;
        q->weight[j] = 0;
        if (!(above <= negligible)) continue;
        q->first = q->first < j ? q->first : j, q->last = j;
        q->sum += q->weight[j] = exp(-above);
    }
    q->g = -(m - eps * log(TRAIN_GRID / width * q->sum));
    return 0;
}

/** Contributions of the points `first` to `last` to the derivatives, and the slope dz/dy of the rail below them. */
typedef struct terms {
    double slope[TRAIN_POINTS], x[TRAIN_POINTS], y[TRAIN_POINTS], kappa[TRAIN_POINTS], twist[TRAIN_POINTS];
    double axle[3][TRAIN_POINTS]; /* dDelta/dl */
} terms;

static void find_terms(const wheel *c, const trace *restrict P, const touching *q, terms *restrict to)
{
    const train_profiles *profiles = c->profiles;
    const mb_vec l = c->l;
    const double q2 = c->q2, lx2 = l.x * l.x, growth = 2 * l.x / q2, side = c->side; /* growth: d ln(1/q2)/dlx */
    const double shape = c->shape.kappa, twist = c->shape.twist;
    const int first = q->first, last = q->last;
    for (int j = first; j <= last; j++) to->slope[j] = side * train_rail_slope(profiles, P->out[j]);
    for (int j = first; j <= last; j++) {
        const double x = P->x[j], y = P->y[j], w = P->w[j], slope = to->slope[j];
        const double R = profiles->R[j], d = side * profiles->dist[j], Rp = side * profiles->slope[j];
        const double Rq = R / q2, dw = -(1 + Rp * Rp) * l.x / w, tilt = -(twist * x + slope);
        const double Ny = -Rp * lx2 * l.y + w * l.z, Nz = -Rp * lx2 * l.z - w * l.y;
        to->x[j] = slope * shape * x - twist * y;
        to->y[j] = slope + twist * x;
        to->kappa[j] = slope * x * x / 2;
        to->twist[j] = x * y;
        to->axle[0][j] = Rq * (-2 * Rp * l.x * l.z - l.y * dw + growth * Nz) +
                         tilt * (Rq * (-2 * Rp * l.x * l.y + l.z * dw + growth * Ny)) -
                         (twist * y - slope * shape * x) * (d + R * Rp);
        to->axle[1][j] = -Rq * w + tilt * (d - Rq * Rp * lx2);
        to->axle[2][j] = d - Rq * Rp * lx2 + tilt * (Rq * w);
    }
}

/* Compute the weighted means over the points; axle: mean of dDelta/dl. */
static void sum_up(const wheel *c, const trace *P, const touching *q, const terms *of, train_touch *mean, mb_vec *axle)
{
    *mean = (train_touch){.g = q->g};
    *axle = (mb_vec){0, 0, 0};
    for (int j = q->first; j <= q->last; j++) {
        const double weight = q->weight[j] / q->sum;
        mean->x -= weight * of->x[j];
        mean->y += weight * of->y[j];
        *axle = mb_along(*axle, weight, (mb_vec){of->axle[0][j], of->axle[1][j], of->axle[2][j]});
        mean->kappa -= weight * of->kappa[j];
        mean->twist += weight * of->twist[j];
        mean->P = mb_along(mean->P, weight, (mb_vec){P->x[j], P->y[j], P->z[j]});
        mean->slope += weight * of->slope[j];
        mean->s += weight * c->profiles->s[j];
    }
}

int train_contact(const train_profiles *profiles, int side, const mb_state *wheelset, train_rail_shape shape,
                  train_touch *touch)
{
    const mb_vec l = wheelset->R.y, level = {wheelset->r.x, wheelset->r.y, TRAIN_RADIUS};
    const wheel c = {profiles, side, level, l, shape, 1 - l.x * l.x};
    mb_vec axle;
    trace P;
    touching q;
    terms of;
    if (weigh(&c, &P, &q)) return 1;
    find_terms(&c, &P, &q, &of);
    sum_up(&c, &P, &q, &of, touch, &axle);
    touch->phi = -mb_dot(axle, mb_cross(wheelset->ang[MB_PHI], c.l));
    touch->psi = -mb_dot(axle, mb_cross(wheelset->ang[MB_PSI], c.l));
    return 0;
}

int train_shift(train_touch *touch, double x, double z)
{
    touch->g -= z;
    touch->P.x += x, touch->P.z += z;
    return !(fabs(touch->g) <= lost);
}
