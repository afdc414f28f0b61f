/* plugin_cart.c - a cart pushed by a force between two walls, as a plugin that is exported: m v' = push + u, with
 * elastic rebounds at x = +-wall. Forces above 1,000 are refused; at t = over the model ends the run; the force of a
 * file is added. */
#include <resida/model.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MASS, SPEED, PUSH, WALL, OVER, BODIES, FORCE_FILE, N_PARAMETERS };

static const resida_parameter parameters[] = {
    {"mass", 2, 1e-3, 1e3, 0, "kg", "of the cart", NULL},
    {"speed", 0, -100, 100, 0, "m/s", "at the start", NULL},
    {"push", 0, -1e3, 1e3, 0, "N", "force that acts always", NULL},
    {"wall", 1e6, 0.1, 1e6, 0, "m", "distance of the walls \"<&>\"", NULL},
    {"over", 1e9, 0, 1e9, 0, "s", "end of the run", NULL},
    {"bodies", 1, 1, 2, 1, "-", "number of carts", NULL},
    {.name = "file", .unit = "-", .text = "a force", .word = ""},
};

typedef struct cart {
    double value[N_PARAMETERS], force, p0[2], v0[2];
    int rebounds, calls;
} cart;

static int excite(double t, double *u, double *ud, double *udd, void *user)
{
    const cart *c = user;
    (void)t;
    u[0] = c->value[PUSH] + c->force;
    ud[0] = udd[0] = 0;
    return 0;
}

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    cart *c = user;
    (void)t, (void)p, (void)v;
    c->calls++;
    for (int i = 0; i < (int)c->value[BODIES]; i++) r[i] = c->value[MASS] * a[i] - e->u[0];
    return fabs(e->u[0]) > 1e3 ? -1 : 0;
}

static int mass_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const cart *c = user;
    const int n = (int)c->value[BODIES];
    (void)t, (void)p, (void)e;
    for (int i = 0; i < n * n; i++) out[i] = i % (n + 1) == 0 ? c->value[MASS] : 0;
    return 0;
}

static int walls(double t, const double *p, const double *v, const resida_excitation *e, double *out, void *user)
{
    const cart *c = user;
    (void)t, (void)v, (void)e;
    out[0] = c->value[WALL] - p[0];
    out[1] = c->value[WALL] + p[0];
    return 0;
}

static int event(const resida_model *model, resida_model_event *e)
{
    cart *c = model->user;
    if (e->kind == RESIDA_AT_START) {
        c->rebounds = 0;
        e->t_next = c->value[OVER] > e->t ? c->value[OVER] : INFINITY;
    }
    e->ends = e->kind == RESIDA_AT_TIME;
    if (e->kind != RESIDA_AT_ROOT || (e->direction[0] >= 0 && e->direction[1] >= 0)) return 0;
    c->rebounds++;
    e->y[0] = e->direction[0] < 0 ? c->value[WALL] : -c->value[WALL];
    e->yp[0] = -e->yp[0];
    e->changed = 1;
    return 0;
}

static const char *const input_units[] = {"mN"};
static const char *const outputs[] = {"power", "rebounds", "calls"}, *const units[] = {"W", "-", "-"},
                         *const inputs[] = {"force"};

static int output(const resida_model *model, const resida_model_point *at, double *out)
{
    const cart *c = model->user;
    out[0] = at->v[0] * (at->u ? at->u[0] : c->value[PUSH] + c->force);
    out[1] = c->rebounds;
    out[2] = c->calls;
    return 0;
}

static int read_force(cart *c, const char *path, resida_message *why)
{
    FILE *file = *path ? fopen(path, "r") : NULL;
    if (!*path) return 0;
    const int is_read = file && fscanf(file, "%lf", &c->force) == 1;
    if (file) fclose(file);
    if (!is_read) snprintf(why->text, sizeof why->text, "file = %.100s: no force", path);
    return !is_read;
}

static int create(const double *values, resida_model *model, resida_message *why)
{
    static const char *const names[] = {"x", "y"};
    cart *c = calloc(1, sizeof *c);
    if (!c || read_force(c, model->words[FORCE_FILE], why)) {
        free(c);
        return 1;
    }
    for (int i = 0; i < FORCE_FILE; i++) c->value[i] = values[i];
    c->v0[0] = values[SPEED];
    resida_mechanism *m = &model->mechanism;
    m->n_p = m->n_v = (int)values[BODIES];
    m->n_u = 1;
    m->n_root = 2;
    m->residual = residual;
    m->mass_matrix = mass_matrix;
    m->excitation = excite;
    m->root = walls;
    m->p_names = names;
    m->user = model->user = c;
    model->p0 = c->p0, model->v0 = c->v0;
    model->t_end = 2;
    model->rtol = model->atol = 1e-9;
    model->event = event;
    model->state = &c->rebounds, model->state_size = sizeof c->rebounds, model->state_is_all = 1;
    model->n_outputs = 3;
    model->output_names = outputs;
    model->output_units = units;
    model->output = output;
    model->excitation_names = inputs, model->excitation_units = input_units;
    return 0;
}

static void destroy(resida_model *model)
{
    free(model->user);
}

RESIDA_PLUGIN const resida_model_class resida_plugin = {RESIDA_MODEL_HEAD,
                                                        .name = "cart",
                                                        .text = "a cart between walls",
                                                        .n_parameters = N_PARAMETERS,
                                                        .parameters = parameters,
                                                        .create = create,
                                                        .destroy = destroy};
