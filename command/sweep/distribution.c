/* distribution.c - quantiles in closed form. The quantile of the normal distribution is computed by Newton's method
 * with Halley's correction on
 *
 *     Phi(x) = erfc(-x / sqrt 2) / 2 = u.
 *
 * The initial value is formula 26.2.23 of M. Abramowitz, I. A. Stegun, Handbook of Mathematical Functions (error below
 * 4.5e-4), in the lower half, in which erfc loses no digits. Three corrections are sufficient. */
#include "distribution.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { CORRECTIONS = 3 };
static const double pi = 3.14159265358979323846;

/** Return the quantile x < 0 for 0 < u <= 1/2. */
static double lower_quantile(double u)
{
    const double t = sqrt(-2 * log(u));
    double x = -(t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
    for (int i = 0; i < CORRECTIONS; i++) {
        const double step = (0.5 * erfc(-x / sqrt(2.0)) - u) * sqrt(2 * pi) * exp(0.5 * x * x);
        x -= step / (1 + 0.5 * x * step);
    }
    return x;
}

double cmd_normal_quantile(double u)
{
    if (u == 0.5) return 0;
    return u < 0.5 ? lower_quantile(u) : -lower_quantile(1 - u);
}

static int is_interval(const double *x)
{
    return x[0] < x[1];
}

static int is_positive_interval(const double *x)
{
    return x[0] > 0 && x[0] < x[1];
}

static int has_spread(const double *x)
{
    return x[1] > 0;
}

static int is_triangle(const double *x)
{
    return x[0] <= x[1] && x[1] <= x[2] && x[0] < x[2];
}

static int is_positive(const double *x)
{
    return x[0] > 0;
}

static double uniform(const double *x, double u)
{
    return x[0] * (1 - u) + x[1] * u;
}

static double log_uniform(const double *x, double u)
{
    return exp(log(x[0]) * (1 - u) + log(x[1]) * u);
}

static double normal(const double *x, double u)
{
    return x[0] + x[1] * cmd_normal_quantile(u);
}

static double log_normal(const double *x, double u)
{
    return exp(normal(x, u));
}

/** Invert F(x) = (x - a)^2 / ((b - a) (c - a)) for x up to the mode c, and by symmetry beyond. */
static double triangular(const double *x, double u)
{
    const double a = x[0], c = x[1], b = x[2];
    if (u * (b - a) < c - a) return a + sqrt(u * (b - a) * (c - a));
    return b - sqrt((1 - u) * (b - a) * (b - c));
}

static double exponential(const double *x, double u)
{
    return -x[0] * log1p(-u);
}

static const cmd_distribution all[] = {
    {"uniform", {"min", "max", NULL}, "min < max", is_interval, uniform},
    {"log-uniform", {"min", "max", NULL}, "0 < min < max", is_positive_interval, log_uniform},
    {"normal", {"mean", "sd", NULL}, "sd > 0", has_spread, normal},
    {"lognormal", {"mu", "sigma", NULL}, "sigma > 0", has_spread, log_normal},
    {"triangular", {"min", "mode", "max"}, "min <= mode <= max and min < max", is_triangle, triangular},
    {"exponential", {"mean", NULL, NULL}, "mean > 0", is_positive, exponential},
};
enum { N_ALL = sizeof all / sizeof *all };

const cmd_distribution *cmd_distribution_at(int i)
{
    return i >= 0 && i < N_ALL ? &all[i] : NULL;
}

const cmd_distribution *cmd_distribution_find(const char *name)
{
    for (int i = 0; i < N_ALL; i++)
        if (strcmp(all[i].name, name) == 0) return &all[i];
    return NULL;
}
