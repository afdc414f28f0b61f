/* train_profile.c - see train_profile.h.
 *
 * Wheel: the coefficients of the sections A to F of profile S1002 (UIC 510-2, as circulated by H. Netter, DLR). Rail:
 * the three arcs of the head of UIC 60, R 300, 80, 13 mm, tangent where they meet. Heights of the tilted rail at
 * equidistant knots, then the spline whose third derivative is continuous at the last knots but one ("not a knot"): its
 * second derivatives M obey  M_i-1 + 4 M_i + M_i+1 = 6 D_i,  D_i = (z_i-1 - 2 z_i + z_i+1)/h^2,  with M_1 = D_1, M_n-1
 * = D_n-1. */
#include "train_profile.h"

#include <math.h>

static double polynomial(int degree, const double *c, double s)
{
    double sum = c[degree];
    for (int i = degree - 1; i >= 0; i--) sum = sum * s + c[i];
    return sum;
}

double train_wheel_mm(double s)
{
    static const double B[] = {0,
                               -3.358537058e-2,
                               1.565681624e-3,
                               -2.810427944e-5,
                               5.844240864e-8,
                               -1.562379023e-8,
                               5.309217349e-15,
                               -5.957839843e-12,
                               2.646656573e-13};
    static const double C[] = {-4.320221063e3,  -1.038384026e3,  -1.065501873e2,  -6.051367875,
                               -2.054332446e-1, -4.169739389e-3, -4.687195829e-5, -2.252755540e-7};
    if (s >= 32.15796) return 1.364323640 - 0.066666667 * s;                                     /* A */
    if (s >= -26) return polynomial(8, B, s);                                                    /* B */
    if (s >= -35) return polynomial(7, C, s);                                                    /* C */
    if (s >= -38.426669071) return 16.446 - sqrt(13.0 * 13 - (s + 26.210665) * (s + 26.210665)); /* D */
    if (s >= -39.764473993) return -93.576667419 - 2.747477419 * s;                              /* E */
    return 8.834924130 + sqrt(20.0 * 20 - (s + 58.558326413) * (s + 58.558326413));              /* F */
}

/* Return the depth [mm] of the upright rail below its crown at the distance a [mm] from the crown. */
static double rail_depth(double a)
{
    const double first = 10.297, second = 26.05; /* points at which the arcs meet */
    const double t1 = asin(first / 300), x80 = 220 * sin(t1), z80 = 300 - 220 * cos(t1);
    const double t2 = asin((second - x80) / 80), x13 = x80 + 67 * sin(t2), z13 = z80 - 67 * cos(t2);
    const double x = fabs(a);
    if (x <= first) return 300 - sqrt(300.0 * 300 - x * x);
    if (x <= second) return z80 - sqrt(80.0 * 80 - (x - x80) * (x - x80));
    return z13 - sqrt(13.0 * 13 - (x - x13) * (x - x13));
}

static const double knot_first = TRAIN_KNOT_FIRST, knot_step = TRAIN_KNOT_STEP;

/* Compute sample i of the tilted rail, a polygon with segments of 0.025 mm. */
static void tilted(int i, double *o, double *height)
{
    const double tilt = atan(1.0 / 40), a = -35.75 + 0.025 * i, z = -rail_depth(a);
    *o = (a * cos(tilt) - z * sin(tilt)) * 1e-3;
    *height = (a * sin(tilt) + z * cos(tilt)) * 1e-3;
}

static void sample_rail(double *z)
{
    double o0, z0, o1, z1;
    int i = 1;
    tilted(0, &o0, &z0);
    tilted(1, &o1, &z1);
    for (int k = 0; k <= TRAIN_RAIL; k++) {
        const double o = knot_first + knot_step * k;
        while (o1 < o && i < 2860) {
            o0 = o1, z0 = z1;
            tilted(++i, &o1, &z1);
        }
        z[k] = z0 + (z1 - z0) * (o - o0) / (o1 - o0);
    }
}

/* Compute the second derivatives of the spline at the knots. */
static void spline(const double *z, double *M)
{
    enum { N = TRAIN_RAIL };
    double D[N + 1], c[N + 1]; /* elimination without pivoting: the system is diagonally dominant */
    for (int i = 1; i < N; i++) D[i] = (z[i - 1] - 2 * z[i] + z[i + 1]) / (knot_step * knot_step);
    M[1] = D[1], M[N - 1] = D[N - 1];
    c[1] = 0;
    for (int i = 2; i < N - 1; i++) { /* M_i + c_i M_i+1 = M[i] */
        const double pivot = 4 - c[i - 1];
        c[i] = 1 / pivot;
        M[i] = (6 * D[i] - M[i - 1]) / pivot;
    }
    for (int i = N - 2; i > 1; i--) M[i] -= c[i] * M[i + 1];
    M[0] = 2 * M[1] - M[2];
    M[N] = 2 * M[N - 1] - M[N - 2];
}

void train_profiles_make(train_profiles *q)
{
    double z[TRAIN_RAIL + 1], M[TRAIN_RAIL + 1];
    for (int j = 0; j < TRAIN_POINTS; j++) {
        const double s = -44 + 0.5 * j, step = 1e-3; /* [mm] */
        q->s[j] = s * 1e-3;
        q->dist[j] = TRAIN_TAPE + q->s[j];
        q->R[j] = TRAIN_RADIUS + train_wheel_mm(s) * 1e-3;
        q->slope[j] = (train_wheel_mm(s + step) - train_wheel_mm(s - step)) / (2 * step);
    }
    sample_rail(z);
    spline(z, M);
    for (int i = 0; i < TRAIN_RAIL; i++) {
        const double h = knot_step;
        q->rail[i][0] = z[i];
        q->rail[i][1] = (z[i + 1] - z[i]) / h - h * (2 * M[i] + M[i + 1]) / 6;
        q->rail[i][2] = M[i] / 2;
        q->rail[i][3] = (M[i + 1] - M[i]) / (6 * h);
    }
}
