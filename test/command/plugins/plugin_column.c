/* plugin_column.c - Ziegler's column: masses 2 and 1 on rods of length 1 with joints of stiffness 1 and damping d,
 * under a force P at the end that follows the upper rod, or keeps its direction (H. Ziegler, Die
 * Stabilitaetskriterien der Elastomechanik, Ing.-Arch. 20, 1952):
 *
 *     ( 3 1 ) a + d (  2 -1 ) v + (  2 -1 ) p + P ( -1  1 ) p = 0        it follows;   - P p: it does not
 *     ( 1 1 )       ( -1  1 )     ( -1  1 )       (  0  0 )
 *
 * With a window w the damping is d ((P - 0.52)^2 - w^2): it drives the column where P is within w of 0.52. The lower
 * joint breaks at P = `breaks` and then has the stiffness -1. */
#include "plugin_frame.h"

enum { P, D, FOLLOWS, WINDOW, BREAKS, N_PARAMETERS };

static const resida_parameter parameters[N_PARAMETERS] = {
    {"P", 0, -100, 100, 0, "N", "force at the end", NULL},
    {"d", 0, 0, 100, 0, "N m s", "damping of the joints", NULL},
    {"follows", 1, 0, 1, 1, "-", "1: the upper rod; 0: it keeps its direction", NULL},
    {"window", 0, 0, 1, 0, "N", "0: damping by d alone", NULL},
    {"breaks", 100, 0, 100, 0, "N", "load that breaks the lower joint", NULL},
};

typedef struct column {
    double value[N_PARAMETERS], zero[2];
} column;

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    const double *c = ((const column *)user)->value, load = c[P], w = c[WINDOW];
    const double d = w > 0 ? c[D] * ((load - 0.52) * (load - 0.52) - w * w) : c[D];
    (void)t, (void)e;
    r[0] = 3 * a[0] + a[1] + d * (2 * v[0] - v[1]) + 2 * p[0] - p[1];
    r[1] = a[0] + a[1] + d * (v[1] - v[0]) + p[1] - p[0];
    r[0] += c[FOLLOWS] > 0 ? load * (p[1] - p[0]) : -load * p[0];
    r[1] += c[FOLLOWS] > 0 ? 0 : -load * p[1];
    r[0] -= load >= c[BREAKS] ? 2 * p[0] : 0;
    return 0;
}

static int create(const double *values, resida_model *model, resida_message *why)
{
    column *c = calloc(1, sizeof *c);
    (void)why;
    if (!c) return 1;
    for (int i = 0; i < N_PARAMETERS; i++) c->value[i] = values[i];
    model->user = c;
    model->mechanism.n_p = model->mechanism.n_v = 2;
    model->mechanism.residual = residual, model->mechanism.user = c;
    model->p0 = model->v0 = c->zero;
    model->t_end = 1, model->rtol = 1e-6, model->atol = 1e-9;
    return 0;
}

PLUGIN("column", "Ziegler's column");
