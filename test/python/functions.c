/* functions.c - callbacks in C for the tests of the Python package, which takes them by their addresses.
 *
 * The oscillator y1' = y2, y2' = -w^2 y1 with w = *user (1 if that is NULL), its Jacobian, and the root function y1;
 * and a mass on a rod of 1 m, in a gravity of *user (9.81 if that is NULL). */
#include <resida/mechanism.h>

#include <stddef.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT int oscillator(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user);
EXPORT int oscillator_jacobian(double t, double alpha, const double *y, const double *yp, const resida_excitation *e,
                               double *J, void *user);
EXPORT int oscillator_root(double t, const double *y, const double *yp, const resida_excitation *e, double *out,
                           void *user);
EXPORT int fall(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                void *user);
EXPORT int rod(double t, const double *p, const resida_excitation *e, double *g, void *user);

static const double grav = 9.81;

static double square_of_w(const void *user)
{
    const double w = user ? *(const double *)user : 1;
    return w * w;
}

int oscillator(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    (void)t, (void)e;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + square_of_w(user) * y[0];
    return 0;
}

int oscillator_jacobian(double t, double alpha, const double *y, const double *yp, const resida_excitation *e,
                        double *J, void *user)
{
    (void)t, (void)y, (void)yp, (void)e;
    J[0] = alpha;
    J[1] = -1;
    J[2] = square_of_w(user);
    J[3] = alpha;
    return 0;
}

int oscillator_root(double t, const double *y, const double *yp, const resida_excitation *e, double *out, void *user)
{
    (void)t, (void)yp, (void)e, (void)user;
    out[0] = y[0];
    return 0;
}

int fall(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r, void *user)
{
    (void)t, (void)p, (void)v, (void)e;
    r[0] = a[0];
    r[1] = a[1] + (user ? *(const double *)user : grav);
    return 0;
}

int rod(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    (void)t, (void)e, (void)user;
    g[0] = p[0] * p[0] + p[1] * p[1] - 1;
    return 0;
}
