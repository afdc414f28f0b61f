/* smooth.h - functions for force laws and excitations; those marked C2 are twice continuously differentiable. */
#ifndef MB_SMOOTH_H
#define MB_SMOOTH_H

#include <math.h>

/** Return a ramp from 0 to 1 on [0, 1], C2: S = x^3 (10 - 15 x + 6 x^2). */
static inline double mb_ramp(double x)
{
    return x <= 0 ? 0 : x >= 1 ? 1 : x * x * x * (10 - 15 * x + 6 * x * x);
}

/** Return S'. */
static inline double mb_ramp1(double x)
{
    return x <= 0 || x >= 1 ? 0 : 30 * x * x * (1 - x) * (1 - x);
}

/** Return S''. */
static inline double mb_ramp2(double x)
{
    return x <= 0 || x >= 1 ? 0 : 60 * x * (1 - 3 * x + 2 * x * x);
}

/** Return S''', which has jumps at 0 and 1. */
static inline double mb_ramp3(double x)
{
    return x <= 0 || x >= 1 ? 0 : 60 * (1 - 6 * x + 6 * x * x);
}

/** Return the integral of S from 0. */
static inline double mb_ramp_integral(double x)
{
    return x <= 0 ? 0 : x >= 1 ? x - 0.5 : x * x * x * x * (2.5 - 3 * x + x * x);
}

/** Return max(N, 0), smoothed over a width d. */
static inline double mb_positive(double N, double d)
{
    return (N + sqrt(N * N + d * d)) / 2;
}

/** Return the force of a damper with blow-off: slope c at v = 0, r c for |v| >> v0. */
static inline double mb_blow_off(double v, double c, double v0, double r)
{
    return c * (r * v + (1 - r) * v0 * tanh(v / v0));
}

/** Return the force of a stop with stiffness k and a smooth onset of length e0, C2: 0 for e < 0. */
static inline double mb_stop(double e, double k, double e0)
{
    return e > 0 ? k * e * e * e / (e + e0) : 0;
}

/** Compute a sine with a smooth onset, C2: u[0] = A S(t/ramp) sin(2 pi f t), with u', u'' in u[1], u[2]. */
static inline void mb_fading_sine(double t, double A, double f, double ramp, double u[3])
{
    const double w = 4 * acos(0.0) * f, x = t / ramp, s = A * sin(w * t), c = A * w * cos(w * t);
    const double S = mb_ramp(x), S1 = mb_ramp1(x) / ramp, S2 = mb_ramp2(x) / (ramp * ramp);
    u[0] = S * s;
    u[1] = S1 * s + S * c;
    u[2] = S2 * s + 2 * S1 * c - w * w * S * s;
}

#endif
