/* train_irregular.c - see train_irregular.h. Amplitudes and waves are chosen: a line in fair condition, with excitation
 * frequencies of a wheelset up to 16 Hz at 25 m/s. */
#include "train_irregular.h"

#include <math.h>

#include "benchmarks/multibody/system/smooth.h"

enum { WAVES = 12 };

static const double size[TRAIN_IRREGULAR] = {1.5e-3, 2e-3, 2e-3}; /* amplitude of the longest wave [m] */
static const double longest = 24, shorter = 0.78;                 /* [m], ratio of successive wave lengths */
static const double fade = 1;                                     /* [s] */

/* Compute one sum and its time derivatives: z, z', z''. */
static void waves(int which, double s, double v, double z[3])
{
    const double two_pi = 4 * acos(0.0);
    z[0] = z[1] = z[2] = 0;
    for (int k = 0; k < WAVES; k++) {
        const double part = pow(shorter, k), om = two_pi * v / (longest * part), a = size[which] * part;
        const double angle = two_pi * s / (longest * part) + 2.4 * (k + 1) * (which + 1);
        z[0] += a * sin(angle), z[1] += a * om * cos(angle), z[2] -= a * om * om * sin(angle);
    }
}

void train_irregularity(double s0, double v, double t, double *u, double *ud, double *udd)
{
    const double S = mb_ramp(t / fade), S1 = mb_ramp1(t / fade) / fade, S2 = mb_ramp2(t / fade) / (fade * fade);
    for (int i = 0; i < TRAIN_IRREGULAR; i++) {
        double z[3];
        waves(i, s0 + v * t, v, z);
        u[i] = S * z[0];
        ud[i] = S1 * z[0] + S * z[1];
        udd[i] = S2 * z[0] + 2 * S1 * z[1] + S * z[2];
    }
}
