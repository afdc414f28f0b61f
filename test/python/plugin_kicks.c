/* plugin_kicks.c - a plugin whose events are known by their times, for the tests of the Python package: a free mass
 * that is kicked at t = 1, 2, 3, faster by 1 each time. The run ends after the first step that ends beyond p = `reach`;
 * with `late` = 0 the next kick is said to be now, which is an error. */
#include <resida/model.h>

enum { REACH, LATE, N_PARAMETERS };

static struct {
    double reach, late;
} set;

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    (void)t, (void)p, (void)v, (void)e, (void)user;
    r[0] = a[0];
    return 0;
}

static int kick(const resida_model *model, resida_model_event *event)
{
    (void)model;
    if (event->kind == RESIDA_AT_START) event->t_next = 1;
    if (event->kind == RESIDA_AT_STEP) event->ends = event->y[0] > set.reach;
    if (event->kind != RESIDA_AT_TIME) return 0;
    event->yp[0] += 1;
    event->changed = 1;
    if (event->t < 3) event->t_next = event->t + set.late;
    return 0;
}

static int create(const double *values, resida_model *model, resida_message *why)
{
    static const double p0[] = {0}, v0[] = {0}, tolerances[] = {1e-9, 1e-7};
    (void)why;
    set.reach = values[REACH];
    set.late = values[LATE];
    model->mechanism.n_p = model->mechanism.n_v = 1;
    model->mechanism.residual = residual;
    model->p0 = p0;
    model->v0 = v0;
    model->t_end = 3.5;
    model->rtol = 1e-9;
    model->atol = 1e-8;
    model->atol_each = tolerances;
    model->event = kick;
    model->asks_steps = 1;
    return 0;
}

static const resida_parameter parameters[N_PARAMETERS] = {
    {.name = "reach", .value = 1e9, .min = 0, .max = 1e9, .unit = "m", .text = "where a run ends"},
    {.name = "late", .value = 1, .min = 0, .max = 1, .unit = "s", .text = "time between kicks"},
};

extern const resida_model_class resida_plugin;
RESIDA_PLUGIN const resida_model_class resida_plugin = {
    RESIDA_MODEL_HEAD,        .name = "kicks",  .text = "a mass that is kicked", .n_parameters = N_PARAMETERS,
    .parameters = parameters, .create = create,
};
