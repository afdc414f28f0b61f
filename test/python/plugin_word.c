/* plugin_word.c - a plugin with a parameter that is a text, for the tests of the Python package: y' = rate y, or
 * y' = -rate y, the way "down". */
#include <resida/model.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern RESIDA_API int models_alive;
int models_alive = 0;

enum { RATE, WAY, N_PARAMETERS };

static int grow(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const double *rate = user;
    (void)t, (void)e;
    r[0] = yp[0] - *rate * y[0];
    return 0;
}

static int reference(const resida_model *model, double t, double *y, double *v, double *lam)
{
    const double *rate = model->user;
    (void)v, (void)lam;
    y[0] = exp(*rate * t);
    return 0;
}

static int create(const double *values, resida_model *model, resida_message *why)
{
    static const double y0[] = {1};
    const char *way = model->words[WAY];
    const int is_up = strcmp(way, "up") == 0;
    if (!is_up && strcmp(way, "down") != 0) {
        snprintf(why->text, sizeof why->text, "way is neither up nor down");
        return 1;
    }
    double *rate = malloc(sizeof *rate);
    if (!rate) return 1;
    models_alive++;
    *rate = is_up ? values[RATE] : -values[RATE];
    model->user = model->dae.user = rate;
    model->is_dae = 1;
    model->dae.n = 1;
    model->dae.residual = grow;
    model->y0 = y0;
    model->reference = reference;
    model->t_end = 1;
    model->rtol = model->atol = 1e-6;
    return 0;
}

static void destroy(resida_model *model)
{
    models_alive--;
    free(model->user);
}

static const resida_parameter parameters[N_PARAMETERS] = {
    {.name = "rate", .value = 1, .min = 0, .max = 10, .unit = "1/s", .text = "how fast"},
    {.name = "way", .unit = "-", .text = "up or down", .word = "down"},
};

extern const resida_model_class resida_plugin;
RESIDA_PLUGIN const resida_model_class resida_plugin = {
    RESIDA_MODEL_HEAD,        .name = "grow",   .text = "exponential growth", .n_parameters = N_PARAMETERS,
    .parameters = parameters, .create = create, .destroy = destroy,
};
