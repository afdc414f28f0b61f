/* plugin_variants.c - a model that can be wrong on purpose, for the tests of `resida check` and of runs that end oddly.
 *
 * A mass m on a massless rod of length L = 1 + u(t), u = 0.1 sin 3t, with friction c; velocities are not the
 * derivatives of the positions:
 *
 *     x' = v1, y' = 2 v2       T = diag(1, 2)
 *     M = diag(m, 4m), Psi = (-c v1, -4 c v2 - 2 m g)
 *     g = (x^2 + y^2 - L^2) / 2,  G = (x, 2y),  gI = -L u',  bias = v1^2 + 4 v2^2 - u'^2 - L u''
 *
 * and, in some, a state z' = -z + x v1, which takes z/2 from the first force.
 *
 * The parameter `variant` says what is wrong with it; 0 is right, and so is the general DAE y1' = -y1 + y2,
 * 0 = y1 - 2 y2 (variant 20). */
#include <locale.h>
#include <math.h>

#include "plugin_frame.h"

enum variant {
    RIGHT = 0,
    WRONG_MATRIX = 1,
    REDUNDANT = 9,
    NO_START = 11,
    EVENTS = 12,
    COMMA = 13,    /* right, but sets a locale of the process */
    PRODUCTS = 14, /* right, with products for dg/dp */
    WRONG_FORCE = 15,
    WRONG_VELOCITY = 16,
    STATES = 17,     /* right, with a first-order state */
    MIXED_ROWS = 19, /* right: without constraints rows may be any combination of those of M a = Psi */
    DAE_RIGHT = 20,
    DAE_WRONG_KINDS = 21,
    DAE_WRONG_START = 22,
    DAE_NAMED_TWICE = 23,
    DAE_NOT_ALL_NAMED = 24,
    SAME_NAMES = 25,  /* right: p' = v, velocities with the names of their positions */
    OTHER_PLACES = 26 /* the same, in other places */
};

static const double m = 2, c = 0.1, grav = 9.81;

static enum variant is(const void *user)
{
    return *(const enum variant *)user;
}

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    (void)t, (void)p, (void)e;
    r[0] = m * a[0] + c * v[0];
    r[1] = 4 * m * a[1] + 4 * c * v[1] + 2 * m * grav;
    if (is(user) == MIXED_ROWS) r[0] += r[1];
    if (is(user) != STATES) return 0;
    r[0] += v[2] / 2;
    r[2] = a[2] + v[2] - p[0] * v[0];
    return 0;
}

static int acceleration(double t, const double *p, const double *v, const double *f, const resida_excitation *e,
                        double *a, void *user)
{
    (void)t, (void)p, (void)e;
    a[0] = (f[0] - c * v[0]) / m;
    a[1] = (f[1] - 4 * c * v[1] - 2 * m * grav) / (4 * m);
    if (is(user) != STATES) return 0;
    a[0] -= v[2] / (2 * m);
    a[2] = p[0] * v[0] - v[2];
    return 0;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    (void)t;
    double L = 1 + e->u[0];
    g[0] = (p[0] * p[0] + p[1] * p[1] - L * L) / 2;
    if (is(user) == REDUNDANT) g[1] = 3 * g[0];
    if (is(user) == NO_START) g[0] = p[0] * p[0] + p[1] * p[1] + 1;
    return 0;
}

static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    (void)t, (void)e;
    double factor = is(user) == NO_START ? 2 : 1;
    for (int j = 0; j < 2; j++) G[j] = factor * p[j];
    for (int j = 0; is(user) == REDUNDANT && j < 2; j++) G[2 + j] = 3 * p[j];
    if (is(user) == WRONG_MATRIX) G[1] *= 1.001;
    return 0;
}

static int constraint_force(double t, const double *p, const double *lam, const resida_excitation *e, double *out,
                            void *user)
{
    (void)t, (void)e;
    for (int j = 0; j < 2; j++) out[j] = p[j] * lam[0];
    if (is(user) == WRONG_FORCE) out[1] += 0.001 * lam[0];
    return 0;
}

static int constraint_velocity(double t, const double *p, const double *x, const resida_excitation *e, double *out,
                               void *user)
{
    (void)t, (void)e;
    out[0] = p[0] * x[0] + p[1] * x[1] * (is(user) == WRONG_VELOCITY ? 1.001 : 1);
    return 0;
}

static int velocity_bias(double t, const double *p, const resida_excitation *e, double *bias, void *user)
{
    (void)t, (void)p;
    bias[0] = -(1 + e->u[0]) * e->ud[0];
    if (is(user) == REDUNDANT) bias[1] = 3 * bias[0];
    if (is(user) == NO_START) bias[0] = 0;
    return 0;
}

static int acceleration_bias(double t, const double *p, const double *v, const resida_excitation *e, double *bias,
                             void *user)
{
    (void)t, (void)p;
    bias[0] = v[0] * v[0] + 4 * v[1] * v[1];
    if (is(user) == NO_START) {
        bias[0] *= 2;
        return 0;
    }
    bias[0] -= e->ud[0] * e->ud[0]; /* in the order of operations of test_mechanism.py */
    bias[0] -= (1 + e->u[0]) * e->udd[0];
    if (is(user) == REDUNDANT) bias[1] = 3 * bias[0];
    return 0;
}

static int mass_matrix(double t, const double *p, const resida_excitation *e, double *M, void *user)
{
    (void)t, (void)p, (void)e;
    if (is(user) == STATES) {
        for (int i = 0; i < 9; i++) M[i] = 0;
        M[0] = m, M[4] = 4 * m, M[8] = 1;
        return 0;
    }
    M[0] = m, M[3] = 4 * m;
    M[1] = M[2] = 0;
    return 0;
}

static int kinematic_matrix(double t, const double *p, const resida_excitation *e, double *T, void *user)
{
    (void)t, (void)p, (void)e, (void)user;
    T[0] = 1;
    T[1] = T[2] = 0;
    T[3] = 2;
    return 0;
}

static int excitation(double t, double *u, double *ud, double *udd, void *user)
{
    (void)user;
    u[0] = 0.1 * sin(3 * t);
    ud[0] = 0.3 * cos(3 * t);
    udd[0] = -0.9 * sin(3 * t);
    return 0;
}

static int root(double t, const double *p, const double *v, const resida_excitation *e, double *out, void *user)
{
    (void)t, (void)v, (void)e, (void)user;
    out[0] = p[0];
    return 0;
}

static int dae_residual(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    (void)t, (void)e, (void)user;
    r[0] = yp[0] + y[0] - y[1];
    r[1] = y[0] - 2 * y[1];
    return 0;
}

static void fill_mechanism(resida_mechanism *k, enum variant variant)
{
    static const char *const rows[] = {"length", "length again"}, *const columns[] = {"x", "height \"y\", down < 0"};
    static const char *const turned[] = {"y", "x"};
    k->n_p = k->n_v = 2;
    if (variant == STATES) k->n_v = 3, k->n_z = 1;
    k->n_g = variant == REDUNDANT ? 2 : 1;
    k->name = "variants";
    k->p_names = columns;
    k->g_names = rows;
    k->n_u = 1;
    k->residual = residual;
    k->acceleration = acceleration;
    k->constraint = constraint;
    k->constraint_matrix = constraint_matrix;
    k->velocity_bias = velocity_bias;
    k->acceleration_bias = acceleration_bias;
    k->mass_matrix = mass_matrix;
    k->kinematic_matrix = kinematic_matrix;
    k->excitation = excitation;
    if (variant == MIXED_ROWS || variant >= SAME_NAMES) {
        k->n_g = 0, k->constraint = k->constraint_matrix = k->velocity_bias = NULL, k->acceleration_bias = NULL;
        k->acceleration = NULL, k->mass_matrix = NULL;
        if (variant == MIXED_ROWS) return;
        k->kinematic_matrix = NULL;
        k->v_names = variant == SAME_NAMES ? columns : turned;
        return;
    }
    if (variant >= PRODUCTS && variant != STATES)
        k->constraint_force = constraint_force, k->constraint_velocity = constraint_velocity;
    if (variant != EVENTS) return;
    k->n_root = 1;
    k->root = root;
}

static void fill_dae(resida_dae *d, enum variant variant)
{
    static const resida_kind right[] = {RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC};
    static const resida_kind wrong[] = {RESIDA_ALGEBRAIC, RESIDA_DIFFERENTIAL};
    static const char *const twice[] = {"u", "u"}, *const some[] = {NULL, "y"};
    d->n = 2;
    d->kinds = variant == DAE_WRONG_KINDS ? wrong : right;
    d->residual = dae_residual;
    if (variant == DAE_NAMED_TWICE) d->names = twice;
    if (variant == DAE_NOT_ALL_NAMED) d->names = some;
}

static int create(const double *values, resida_model *model, resida_message *why)
{
    static const double p0[] = {1, 0}, v0[] = {0.3, 0, 0.1}, y0[] = {2, 1}, yp0[] = {-1, -0.5},
                        wrong_yp0[] = {-2, -0.5};
    (void)why;
    enum variant *variant = malloc(sizeof *variant);
    if (!variant) return 1;
    *variant = (enum variant)(int)values[0];
    if (*variant == COMMA && !setlocale(LC_NUMERIC, "")) return 1;
    model->user = model->mechanism.user = model->dae.user = variant;
    model->is_dae = *variant >= DAE_RIGHT && *variant < SAME_NAMES;
    if (model->is_dae)
        fill_dae(&model->dae, *variant);
    else
        fill_mechanism(&model->mechanism, *variant);
    model->p0 = p0;
    model->v0 = v0;
    model->y0 = y0;
    model->yp0 = *variant == DAE_WRONG_START ? wrong_yp0 : yp0;
    model->t_end = 10;
    model->rtol = 1e-5;
    model->atol = 1e-7;
    return 0;
}

static const resida_parameter parameters[] = {
    {"variant", 0, 0, OTHER_PLACES, 1, "-", "what is wrong", NULL},
};

PLUGIN("variants", "a rod whose length changes; may be wrong on purpose");
