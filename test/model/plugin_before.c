/* plugin_before.c - a plugin as it was compiled before parameters had words and options: its structs are shorter. */
#include <resida/model.h>

#include <stddef.h>

typedef struct parameter_before {
    const char *name;
    double value, min, max;
    int whole;
    const char *unit, *text;
} parameter_before;

static const parameter_before parameters[] = {
    {"rate", 2, 0, 10, 0, "1/s", "of decay"},
    {"n", 3, 1, 9, 1, "-", "another one"},
};

static double start[] = {1};

static int decay(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    (void)t, (void)e;
    r[0] = yp[0] + *(double *)user * y[0];
    return 0;
}

static double kept[2];

static int create(const double *values, resida_model *model, resida_message *why)
{
    (void)why;
    kept[0] = values[0], kept[1] = values[1];
    model->is_dae = 1;
    model->dae.n = 1;
    model->dae.residual = decay;
    model->dae.user = kept;
    model->y0 = start;
    model->t_end = 1;
    model->rtol = 1e-6;
    return 0;
}

RESIDA_PLUGIN const resida_model_class resida_plugin = {
    .magic = RESIDA_PLUGIN_MAGIC,
    .abi = RESIDA_PLUGIN_ABI,
    .class_size = offsetof(resida_model_class, options),
    .model_size = offsetof(resida_model, words),
    .parameter_size = sizeof(parameter_before),
    .name = "decay",
    .text = "a plugin of before",
    .n_parameters = 2,
    .parameters = (const resida_parameter *)(const void *)parameters,
    .create = create,
    .options = (const char *const *)(const void *)parameters, /* is not read: the class ends before it */
};
