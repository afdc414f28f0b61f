/* plugin_faulty_dae.c - a general DAE that has all callbacks, y1' = -y1 + y2 + u, 0 = y1^2 - 2 y2, u = 0.1 sin 3t, with
 * one fault of a list at a time, for the test that `resida check` names each. RIGHT and PRODUCTS have none. */
#include "plugin_flaws.h"
#include "plugin_frame.h"

enum fault {
    RIGHT,
    PRODUCTS,
    JACOBIAN_SIGN,
    JACOBIAN_ALPHA,
    JACOBIAN_BEHIND,
    JACOBIAN_INTO_Y,
    PATTERN,
    TIMES,
    UD,
    START,
    LATE_BEHIND,
    UNSET,
    ROOT_INTO_YP,
    ROOT_BEHIND,
    BEYOND_Y,
    CACHE,
    REFERENCE,
    RESIDUAL_INTO_Y,
    RESIDUAL_NOISE,
    FAULTS
};

typedef struct faults {
    enum fault is;
    double t, kept[2];
    uint64_t seed;
} faults;

static int has(const void *user, enum fault fault)
{
    return ((const faults *)user)->is == fault;
}

static int residual(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    faults *x = user;
    if (has(x, CACHE) && t != x->t) memcpy(x->kept, y, 2 * sizeof *y);
    x->t = t;
    const double *at = has(x, CACHE) ? x->kept : y;
    r[0] = yp[0] + at[0] - y[1] - e->u[0];
    if (!has(x, UNSET)) r[1] = y[0] * y[0] - 2 * y[1];
    if (has(x, LATE_BEHIND) && t > 0) r[2] = 0;
    if (has(x, BEYOND_Y)) r[1] += 0.1 * y[2];
    if (has(x, RESIDUAL_INTO_Y)) spoil(y + 1);
    if (has(x, RESIDUAL_NOISE)) r[1] += 1e-7 * noise(&x->seed);
    return 0;
}

static int jacobian(double t, double alpha, const double *y, const double *yp, const resida_excitation *e, double *J,
                    void *user)
{
    (void)t, (void)yp, (void)e;
    J[0] = 1 + (has(user, JACOBIAN_ALPHA) ? 1 : alpha);
    J[1] = has(user, JACOBIAN_SIGN) ? 1 : -1;
    if (has(user, PATTERN)) return J[2] = -2, 0;
    J[2] = 2 * y[0], J[3] = -2;
    if (has(user, JACOBIAN_BEHIND)) J[4] = 0;
    if (has(user, JACOBIAN_INTO_Y)) spoil(y);
    return 0;
}

static int jacobian_times(double t, const double *y, const double *yp, const resida_excitation *e, int k,
                          const double *dy, const double *dyp, double *out, void *user)
{
    (void)t, (void)yp, (void)e;
    for (int n = 0; n < k; n++, dy += 2, dyp += 2, out += 2) {
        out[0] = dyp[0] + dy[0] - dy[1];
        out[1] = (has(user, TIMES) ? 1 : 2) * y[0] * dy[0] - 2 * dy[1];
    }
    return 0;
}

static int root(double t, const double *y, const double *yp, const resida_excitation *e, double *out, void *user)
{
    (void)t, (void)e;
    out[0] = y[0] + 10;
    if (has(user, ROOT_BEHIND)) out[1] = 0;
    if (has(user, ROOT_INTO_YP)) spoil(yp);
    return 0;
}

static int excitation(double t, double *u, double *ud, double *udd, void *user)
{
    u[0] = 0.1 * sin(3 * t), ud[0] = 0.3 * cos(3 * t), udd[0] = -0.9 * sin(3 * t);
    if (has(user, UD)) ud[0] = -ud[0];
    return 0;
}

static int reference(const resida_model *model, double t, double *y, double *v, double *lam)
{
    (void)v, (void)lam;
    if (!has(model->user, REFERENCE) || t < model->t_end) return 1;
    y[0] = y[1] = 7;
    return 0;
}

static void fill_dae(resida_model *model, enum fault is)
{
    static const resida_kind kinds[] = {RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC};
    static const int row[] = {0, 2, 4}, col[] = {0, 1, 0, 1}, short_row[] = {0, 2, 3}, short_col[] = {0, 1, 1};
    static resida_products products;
    resida_dae *d = &model->dae;
    d->n = 2, d->n_u = d->n_root = 1;
    d->kinds = kinds;
    d->residual = residual, d->jacobian = jacobian, d->excitation = excitation, d->root = root;
    d->J_pattern = is == PATTERN ? (resida_pattern){short_row, short_col} : (resida_pattern){row, col};
    resida_products_init(&products);
    products.jacobian_times = jacobian_times;
    if (is == TIMES || is == PRODUCTS) model->products = &products, d->jacobian = NULL;
    if (is == BEYOND_Y || is == CACHE) d->jacobian = NULL;
}

static int create(const double *values, resida_model *model, resida_message *why)
{
    static const double y0[] = {1, 0.5}, yp0[] = {-0.5, -0.5}, yp0_wrong[] = {3, -0.5};
    faults *x = calloc(1, sizeof *x);
    (void)why;
    if (!x) return 1;
    x->is = (enum fault)(int)values[0];
    x->t = NAN;
    model->user = model->dae.user = x;
    model->is_dae = 1;
    fill_dae(model, x->is);
    model->reference = reference, model->reference_source = "none";
    model->y0 = y0, model->yp0 = x->is == START ? yp0_wrong : yp0;
    model->t_end = 1;
    model->rtol = 1e-5, model->atol = 1e-7;
    return 0;
}

static const resida_parameter parameters[] = {
    {"fault", 0, 0, FAULTS - 1, 1, "-", "which", NULL},
};

PLUGIN("faulty-dae", "a general DAE, with a fault");
