/* plugin_teller.c - y' = -y with outputs 2 y and exp(t) y, which it fails to say from t = 0.5 on, if asked to, and with
 * a warning of small y. */
#include <resida/model.h>

#include <math.h>
#include <stdio.h>

static const resida_parameter parameters[] = {
    {"verdict", 0, -1, 1, 1, "-", "of output() from t = 0.5 on", NULL},
    {"least", 0, 0, 10, 0, "-", "y, below which output() warns", NULL},
    {"doubled", 0, 0, 1, 1, "-", "1: from y = 2", NULL},
};

static const char *const options[] = {NULL, "warn-below", "doubled"};

static double y0[] = {1}, yp0[] = {-1};
static const char *const names[] = {"twice", "one\\, \"always"}, *const units[] = {"m", "-"};
static int verdict;
static double least;
static char warning[80];

static int decay(double t, const double *y, const double *yp, const resida_excitation *u, double *r, void *user)
{
    (void)t, (void)u, (void)user;
    r[0] = yp[0] + y[0];
    return 0;
}

static int output(const resida_model *model, const resida_model_point *at, double *out)
{
    (void)model;
    if (at->p || at->v || at->a || at->lam) return -1;
    if (at->t > 0.5 && verdict != 0) return verdict;
    warning[0] = 0;
    if (at->y[0] < least) snprintf(warning, sizeof warning, "y is small at t = %g", at->t);
    out[0] = at->y[0] - at->yp[0];
    out[1] = exp(at->t) * at->y[0];
    return 0;
}

static int create(const double *values, resida_model *model, resida_message *why)
{
    (void)why;
    verdict = (int)values[0], least = values[1];
    y0[0] = 1 + values[2], yp0[0] = -y0[0];
    model->is_dae = 1;
    model->dae.n = 1;
    model->dae.residual = decay;
    model->y0 = y0;
    model->yp0 = yp0;
    model->t_end = 1;
    model->rtol = 1e-8;
    model->atol = 1e-10;
    model->n_outputs = 2;
    model->output_names = names;
    model->output_units = units;
    model->output = output, model->warning = warning;
    return 0;
}

RESIDA_PLUGIN const resida_model_class resida_plugin = {RESIDA_MODEL_HEAD, .name = "teller",         .text = "outputs",
                                                        .n_parameters = 3, .parameters = parameters, .create = create,
                                                        .options = options};
