/* plugin_top.c - the heavy body on a ball joint of gyro.h as a plugin; its norm is an invariant, or is not held.
 *
 * The parameter `variant` says what is wrong with it: 0 nothing, 1 the norm is not held, 2 K is twice what it should
 * be, 3 T is wrong, 4 the norm is a constraint. */
#include "test/models/gyro.h"

#include "plugin_frame.h"

enum { RIGHT, NOT_HELD, WRONG_K, WRONG_T, IN_THE_WRONG_PLACE, VARIANTS };

typedef struct top {
    gyro g;
    double p0[GYRO_MAX], v0[GYRO_MAX];
} top;

static int wrong_matrix(double t, const double *p, const resida_excitation *e, double *K, void *user)
{
    (void)t, (void)e, (void)user;
    for (int i = 0; i < 4; i++) K[i] = 2 * p[3 + i];
    return 0;
}

static int create(const double *values, resida_model *model, resida_message *why)
{
    const int variant = (int)values[0];
    (void)why;
    top *x = calloc(1, sizeof *x);
    if (!x) return 1;
    x->g = (gyro){.is_joint = 1, .n_k = variant != NOT_HELD && variant != IN_THE_WRONG_PLACE};
    x->g.twist = variant == WRONG_T ? 0.01 : 0;
    x->g.norm_is_row = variant == IN_THE_WRONG_PLACE;
    gyro_start(&x->g, x->p0, x->v0);
    model->user = x;
    model->mechanism = gyro_mechanism(&x->g);
    if (variant == WRONG_K) model->mechanism.invariant_matrix = wrong_matrix;
    model->p0 = x->p0;
    model->v0 = x->v0;
    model->t_end = 2;
    model->rtol = model->atol = 1e-5;
    return 0;
}

static const resida_parameter parameters[] = {
    {"variant", 0, 0, VARIANTS - 1, 1, "-", "what is wrong", NULL},
};

PLUGIN("top", "a heavy body on a ball joint, in Euler parameters");
