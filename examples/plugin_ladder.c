/* plugin_ladder.c - a general DAE as a plugin: a ladder of resistors and capacitors, charged by a sine voltage through
 * a diode.
 *
 *     e(t) --|>|--+--R--+--R--+ ... +          i = I_s (exp((e - u_1)/V) - 1)                 no derivative: algebraic
 *           i     |     |     |     |          C u_1' = i - (u_1 - u_2)/R
 *                 C     C     C     load       C u_k' = (u_{k-1} - 2 u_k + u_{k+1})/R
 *                 |     |     |     |          C u_n' = (u_{n-1} - u_n)/R - u_n/(n R)
 *
 * F(t, y, y', e) = 0 with y = (u_1 .. u_n, i). Build it and run it:
 *
 *     cc -shared -fPIC plugin_ladder.c -o ladder.so -lm
 *     resida solve ./ladder.so --param n=50 --out ladder.csv */
#include <math.h>
#include <stdlib.h>

#include <resida/model.h>

#define PI 3.14159265358979323846

static const double R = 1e3, C = 1e-6, I_s = 1e-9, V = 0.1; /* ohm, farad, ampere, volt */

/* 1. Parameters. */
enum { NODES, AMPLITUDE, FREQUENCY, N_PARAMETERS };

static const resida_parameter parameters[N_PARAMETERS] = {
    [NODES] = {"n", 20, 2, 1e5, 1, "-", "number of nodes of the ladder", NULL},
    [AMPLITUDE] = {"amplitude", 5, 0, 10, 0, "V", "of the source", NULL},
    [FREQUENCY] = {"frequency", 50, 1e-3, 1e4, 0, "Hz", "of the source", NULL},
};

/* 2. Data of one model. */
typedef struct ladder {
    int n;
    double amplitude, omega;
    double *y0, *atol;
    resida_kind *kinds;
    int *row, *col; /* pattern of dF/dy and dF/dy' */
} ladder;

/* 3. The residual. The source is an excitation, because terms that depend on t need derivatives. */
static int residual(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    const ladder *m = user;
    const int n = m->n;
    const double *u = y, i = y[n];
    (void)t;
    for (int k = 0; k < n; k++) {
        const double left = k > 0 ? (u[k - 1] - u[k]) / R : i;
        const double right = k + 1 < n ? (u[k] - u[k + 1]) / R : u[k] / (n * R);
        r[k] = C * yp[k] - left + right;
    }
    r[n] = i - I_s * expm1((e->u[0] - u[0]) / V);
    return !isfinite(r[n]); /* > 0: cannot be evaluated, reduce the step size */
}

/* 4. The excitation and its derivatives. */
static int source(double t, double *u, double *ud, double *udd, void *user)
{
    const ladder *m = user;
    u[0] = m->amplitude * sin(m->omega * t);
    ud[0] = m->omega * m->amplitude * cos(m->omega * t);
    udd[0] = -m->omega * m->omega * u[0];
    return 0;
}

/* 5. The pattern (optional; otherwise detected): row k has u_{k-1}, u_k, u_{k+1}; the first and last row have i. */
static void fill_pattern(ladder *m)
{
    int at = 0;
    for (int k = 0; k < m->n; k++) {
        m->row[k] = at;
        if (k > 0) m->col[at++] = k - 1;
        m->col[at++] = k;
        if (k + 1 < m->n) m->col[at++] = k + 1;
        if (k == 0) m->col[at++] = m->n;
    }
    m->row[m->n] = at;
    m->col[at++] = 0;
    m->col[at++] = m->n;
    m->row[m->n + 1] = at;
}

static void destroy(resida_model *model)
{
    ladder *m = model->user;
    free(m->y0);
    free(m->atol);
    free(m->kinds);
    free(m->row);
    free(m->col);
    free(m);
}

/* 6. Create a model: uncharged at the start; currents have a tolerance a thousand times smaller than voltages. */
static int create(const double *values, resida_model *model, resida_message *why)
{
    ladder *m = model->user = calloc(1, sizeof *m);
    if (!m) return *why = (resida_message){"no memory"}, 1;
    const size_t size = (size_t)values[NODES] + 1;
    m->n = (int)values[NODES];
    m->amplitude = values[AMPLITUDE];
    m->omega = 2 * PI * values[FREQUENCY];
    m->y0 = calloc(size, sizeof *m->y0);
    m->atol = calloc(size, sizeof *m->atol);
    m->kinds = calloc(size, sizeof *m->kinds);
    m->row = calloc(size + 1, sizeof *m->row);
    m->col = calloc(4 * size, sizeof *m->col);
    if (!m->y0 || !m->atol || !m->kinds || !m->row || !m->col) {
        destroy(model);
        return *why = (resida_message){"no memory"}, 1;
    }
    for (int k = 0; k < m->n; k++) m->atol[k] = 1e-6;
    m->atol[m->n] = 1e-9;
    m->kinds[m->n] = RESIDA_ALGEBRAIC;
    fill_pattern(m);
    model->is_dae = 1;
    model->dae.n = m->n + 1;
    model->dae.n_u = 1;
    model->dae.user = m;
    model->dae.kinds = m->kinds;
    model->dae.residual = residual;
    model->dae.excitation = source;
    model->dae.J_pattern = (resida_pattern){.row = m->row, .col = m->col};
    model->y0 = m->y0; /* yp0 is computed */
    model->t_end = 0.1;
    model->rtol = 1e-6;
    model->atol = 1e-6;
    model->atol_each = m->atol;
    return 0;
}

/* 7. The exported object. */
RESIDA_PLUGIN const resida_model_class resida_plugin = {
    RESIDA_MODEL_HEAD,
    .name = "ladder",
    .text = "ladder of resistors and capacitors, charged through a diode",
    .n_parameters = N_PARAMETERS,
    .parameters = parameters,
    .create = create,
    .destroy = destroy,
};
