/* plugin_turned.c - the pendulum body of scaled.h as a plugin: after whole turns, with or without derivatives of its
 * constraints. */
#include "test/fixtures/mechanisms/scaled.h"

#include "plugin_frame.h"

enum { TURNS, GIVEN, RATE, N_PARAMETERS };

static const resida_parameter parameters[N_PARAMETERS] = {
    {"turns", 0, 0, 1e9, 1, "-", "before the start", NULL},
    {"given", 0, 0, 1, 1, "-", "1: dg/dp and the velocity bias; 0: neither", NULL},
    {"rate", 1, 0.1, 10, 0, "1/s", "of small swings", NULL},
};

typedef struct turned {
    scaled s;
    double p0[SCALED_MAX], v0[SCALED_MAX];
} turned;

static int create(const double *values, resida_model *model, resida_message *why)
{
    turned *x = calloc(1, sizeof *x);
    (void)why;
    if (!x) return 1;
    x->s = (scaled){
        .kind = SCALED_BODY, .length = 1, .rate = values[RATE], .turns = values[TURNS], .given = values[GIVEN] > 0};
    model->user = x;
    model->mechanism = scaled_mechanism(&x->s, x->p0, x->v0);
    model->p0 = x->p0;
    model->v0 = x->v0;
    model->t_end = 3;
    model->rtol = 1e-12;
    model->atol = 1e-8;
    return 0;
}

PLUGIN("turned", "a body on a joint that has turned");
