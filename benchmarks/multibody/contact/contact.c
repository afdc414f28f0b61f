/* contact.c - see contact.h. */
#include "contact.h"

#include "benchmarks/multibody/system/smooth.h"

double ct_normal_force(const ct_normal *x, double e, double ed)
{
    const double part = e / x->onset, spring = x->k * x->onset * mb_ramp_integral(part);
    const double N = spring * (1 + x->mu * ed) + x->c * mb_ramp(part) * ed;
    return N > 0 ? N : 0;
}

double ct_normal_energy(const ct_normal *x, double e)
{
    const double part = e / x->onset;
    if (part <= 0) return 0;
    const double within = fmin(part, 1), beyond = part - within, cube = within * within * within;
    const double to_onset = cube * within * within * (0.5 - within / 2 + within * within / 7);
    return x->k * x->onset * x->onset * (to_onset + beyond * (beyond + 1) / 2);
}

double ct_closeness(const ct_normal *x, double e)
{
    return mb_ramp(e / x->onset);
}

static double stribeck(const ct_friction *x, double v)
{
    return x->mu_k + (x->mu_s - x->mu_k) * exp(-pow(v / x->v_s, x->gamma));
}

static double speed(int n, const double *v)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += v[i] * v[i];
    return sqrt(sum);
}

/* v|, smoothed at 0. */
static double rounded(const ct_friction *x, double v)
{
    return v > 0 ? v * v / hypot(v, x->v_0) : 0;
}

void ct_bristle_rate(const ct_friction *x, int n, double closeness, const double *v, const double *z, double *zd)
{
    const double s = speed(n, v), back = x->sigma0 * rounded(x, s) / stribeck(x, s);
    for (int i = 0; i < n; i++) zd[i] = closeness * (v[i] - back * z[i]) - (1 - closeness) * z[i] / x->release;
}

void ct_friction_force(const ct_friction *x, int n, double N, const double *v, const double *z, const double *zd,
                       double *f)
{
    for (int i = 0; i < n; i++) f[i] = -N * (x->sigma0 * z[i] + x->sigma1 * zd[i] + x->sigma2 * v[i]);
}
