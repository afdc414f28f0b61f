/* plugin_arm.c - an arm of two links in relative angles whose gyroscopic terms may be wrong, or have company:
 *
 *     M = (A + 2 B c2,  D + B c2;   D + B c2,  D),   c2 = cos p2, s2 = sin p2
 *     h2 = (-B s2 (2 v1 v2 + v2^2),  B s2 v1^2)
 *
 * with gravity and friction. From LIFT on a force that is quadratic in v, or even in v, does work as well. */
#include <math.h>

#include "plugin_frame.h"

enum variant { RIGHT, WRONG_SIGN, MISSING, WRONG_FACTOR, LIFT, DRAG, EVEN, STRIBECK, VARIANTS };

#define A 3.0
#define B 0.8
#define D 1.1

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    const enum variant is = *(const enum variant *)user;
    const double c2 = cos(p[1]), k = B * sin(p[1]);
    (void)t, (void)e;
    r[0] = (A + 2 * B * c2) * a[0] + (D + B * c2) * a[1] - k * ((is == WRONG_FACTOR ? 1 : 2) * v[0] + v[1]) * v[1] +
           5 * cos(p[0]) + 0.1 * v[0];
    r[1] = (D + B * c2) * a[0] + D * a[1] + 2 * cos(p[0] + p[1]) + 0.1 * v[1];
    if (is != MISSING) r[1] += (is == WRONG_SIGN ? -k : k) * v[0] * v[0];
    if (is == LIFT) r[0] += 0.3 * v[0] * v[0];
    if (is == DRAG) r[1] += 0.3 * fabs(v[1]) * v[1];
    if (is == EVEN) r[0] += 0.2 * v[1] * v[1] / (1 + v[1] * v[1]);
    if (is == STRIBECK) r[1] += (0.1 + exp(-v[1] * v[1])) * tanh(10 * v[1]);
    return 0;
}

static int create(const double *values, resida_model *model, resida_message *why)
{
    static const double p0[] = {0.3, 0.7}, v0[] = {0.5, -0.4};
    static const char *const names[] = {"shoulder", "elbow"};
    enum variant *is = malloc(sizeof *is);
    (void)why;
    if (!is) return 1;
    *is = (enum variant)(int)values[0];
    model->user = model->mechanism.user = is;
    model->mechanism.n_p = model->mechanism.n_v = 2;
    model->mechanism.p_names = names;
    model->mechanism.residual = residual;
    model->p0 = p0;
    model->v0 = v0;
    model->t_end = 1;
    model->rtol = model->atol = 1e-6;
    return 0;
}

static const resida_parameter parameters[] = {{"variant", 0, 0, VARIANTS - 1, 1, "-", "what is wrong", NULL}};

PLUGIN("arm", "an arm of two links");
