/* plugin_ball.c - a ball that rebounds, as a model with events: for what the command does with them. */
#include <resida/model.h>

#include <stdio.h>
#include <string.h>

#define G 9.81

static const resida_parameter parameters[] = {
    {"e", 0.8, 0, 1, 0, "-", "coefficient of restitution", NULL},
    {"end", 0, 0, 100, 1, "-", "rebound at which the run ends, 0: none", NULL},
    {.name = "floor", .unit = "-", .text = "hard or soft", .word = "hard"},
};

static double y0[] = {1, 0}, yp0[] = {0, -G};
static const double tolerances[] = {1e-9, 1e-7};

static struct {
    double e;
    int end, rebounds;
} ball;

static int fall(double t, const double *y, const double *yp, const resida_excitation *u, double *r, void *user)
{
    (void)t, (void)u, (void)user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + G;
    return 0;
}

static int height(double t, const double *y, const double *yp, const resida_excitation *u, double *out, void *user)
{
    (void)t, (void)yp, (void)u, (void)user;
    out[0] = y[0];
    return 0;
}

static int rebound(const resida_model *model, resida_model_event *e)
{
    (void)model;
    if (e->kind == RESIDA_AT_START) ball.rebounds = 0;
    if (e->kind != RESIDA_AT_ROOT || e->direction[0] > 0) return 0;
    e->changed = 1;
    e->y[0] = 0;
    e->y[1] *= -ball.e;
    e->yp[0] = e->y[1];
    e->ends = ++ball.rebounds == ball.end;
    return 0;
}

static int create(const double *values, resida_model *model, resida_message *why)
{
    if (strcmp(model->words[2], "hard") != 0) {
        snprintf(why->text, sizeof why->text, "floor = %.20s: only hard floors are known", model->words[2]);
        return 1;
    }
    ball.e = values[0];
    ball.end = (int)values[1];
    model->is_dae = 1;
    model->dae.n = 2;
    model->dae.n_root = 1;
    model->dae.residual = fall;
    model->dae.root = height;
    model->y0 = y0;
    model->yp0 = yp0;
    model->t_end = 1.5;
    model->rtol = 1e-8;
    model->atol = 1e-8;
    model->atol_each = tolerances;
    model->event = rebound;
    model->state_is_all = 1;
    model->state_size = sizeof ball.rebounds;
    model->state = &ball.rebounds;
    return 0;
}

RESIDA_PLUGIN const resida_model_class resida_plugin = {RESIDA_MODEL_HEAD, .name = "ball",           .text = "rebounds",
                                                        .n_parameters = 3, .parameters = parameters, .create = create};
