/* plugin_mistakes.c - a model with one mistake of a list at a time, for the test that `resida check` names all: two
 * masses on a frame that moves by u = 0.1 sin t, each on a rod of length 1, with a spring and a damper between them,
 *
 *     a + c (v - v') + k (p - p') + (0, g) = -G' lam,     ((x - u)^2 + y^2 - 1) / 2 = 0
 *
 * The parameter `mistake` is a number of the enumeration; RIGHT has none. */
#include "plugin_flaws.h"
#include "plugin_frame.h"

enum mistake {
    RIGHT,
    RESIDUAL_BEHIND,
    RESIDUAL_BEFORE,
    RESIDUAL_INTO_P,
    RESIDUAL_BEFORE_P,
    RESIDUAL_INTO_V,
    RESIDUAL_INTO_U,
    RESIDUAL_UNSET,
    RESIDUAL_LATE,
    RESIDUAL_NOISE,
    RESIDUAL_SINGLE,
    RESIDUAL_COUNTS,
    ACCELERATION_INTO_F,
    ACCELERATION_NOISE,
    CONSTRAINT_BEFORE,
    CONSTRAINT_NOISE,
    MATRIX_BEHIND,
    MASS_INTO_P,
    ROOT_BEHIND,
    EXCITATION_BEHIND,
    OUTPUT_BEHIND,
    OUTPUT_BEFORE,
    OUTPUT_INTO_P,
    OUTPUT_INTO_LAM,
    OUTPUT_CRASH,
    SHAPE_BEHIND,
    SHAPE_BEFORE,
    SHAPE_INTO_P,
    SHAPE_CRASH,
    REFERENCE_BEHIND,
    REFERENCE_CRASH,
    EVENT_BEHIND,
    EVENT_SILENT,
    PATTERN_P,
    PATTERN_V,
    PATTERN_P_ALONE,
    PATTERN_G_ALONE,
    DERIVATIVES_WRONG,
    DERIVATIVES_LATE,
    MISTAKES
};

#define STIFFNESS 100.0
#define DAMPING   0.5

typedef struct mistakes {
    enum mistake is;
    long calls;
    uint64_t seed;
} mistakes;

static int has(const void *user, enum mistake mistake)
{
    return ((const mistakes *)user)->is == mistake;
}

/* Forces of spring, damper and weight on the masses, without inertia. */
static void forces(const double *p, const double *v, double *r)
{
    for (int i = 0; i < 2; i++) {
        const double f = STIFFNESS * (p[i] - p[2 + i]) + DAMPING * (v[i] - v[2 + i]);
        r[i] = f + 9.81 * i;
        r[2 + i] = -f + 9.81 * i;
    }
}

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    mistakes *x = user;
    const double last = r[3];
    forces(p, v, r);
    for (int i = 0; i < 4; i++) r[i] += a[i];
    if (has(x, DERIVATIVES_LATE)) r[0] += p[2] * p[2]; /* p[2] = 0 at the start */
    x->calls++;
    if (has(x, RESIDUAL_BEHIND) || (has(x, RESIDUAL_LATE) && t > 0)) r[4] = 0;
    if (has(x, RESIDUAL_BEFORE)) r[-1] = 0;
    if (has(x, RESIDUAL_INTO_P)) spoil(p);
    if (has(x, RESIDUAL_BEFORE_P)) spoil(p - 1);
    if (has(x, RESIDUAL_INTO_V)) spoil(v + 3);
    if (has(x, RESIDUAL_INTO_U)) spoil(e->u);
    if (has(x, RESIDUAL_UNSET)) r[3] = last;
    if (has(x, RESIDUAL_NOISE)) r[0] += 1e-7 * noise(&x->seed);
    if (has(x, RESIDUAL_SINGLE)) r[0] = (float)r[0];
    if (has(x, RESIDUAL_COUNTS)) r[0] += 1e-7 * sin((double)x->calls * (double)x->calls);
    return 0;
}

static int acceleration(double t, const double *p, const double *v, const double *f, const resida_excitation *e,
                        double *a, void *user)
{
    (void)t, (void)e;
    forces(p, v, a);
    if (has(user, DERIVATIVES_LATE)) a[0] += p[2] * p[2];
    for (int i = 0; i < 4; i++) a[i] = f[i] - a[i];
    if (has(user, ACCELERATION_INTO_F)) spoil(f);
    if (has(user, ACCELERATION_NOISE)) a[1] += 1e-7 * noise(&((mistakes *)user)->seed);
    return 0;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    (void)t;
    for (int i = 0; i < 2; i++)
        g[i] = ((p[2 * i] - e->u[0]) * (p[2 * i] - e->u[0]) + p[2 * i + 1] * p[2 * i + 1] - 1) / 2;
    if (has(user, CONSTRAINT_BEFORE)) g[-2] = 0;
    if (has(user, CONSTRAINT_NOISE)) g[1] += 1e-9 * noise(&((mistakes *)user)->seed);
    return 0;
}

static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    (void)t;
    for (int i = 0; i < 2; i++) G[2 * i] = p[2 * i] - e->u[0], G[2 * i + 1] = p[2 * i + 1];
    if (has(user, MATRIX_BEHIND)) G[4] = 0;
    return 0;
}

static int velocity_bias(double t, const double *p, const resida_excitation *e, double *bias, void *user)
{
    (void)t, (void)user;
    for (int i = 0; i < 2; i++) bias[i] = -(p[2 * i] - e->u[0]) * e->ud[0];
    return 0;
}

static int mass_matrix(double t, const double *p, const resida_excitation *e, double *M, void *user)
{
    (void)t, (void)e;
    for (int i = 0; i < 4; i++) M[i] = 1;
    if (has(user, MASS_INTO_P)) spoil(p + 2);
    return 0;
}

static int derivatives(double t, const double *p, const double *v, const double *a, const double *lam,
                       const resida_excitation *e, double *Phi_p, double *Phi_v, double *Phi_lam, void *user)
{
    (void)t, (void)p, (void)v, (void)a, (void)lam, (void)e, (void)Phi_lam;
    const int of_p = has(user, PATTERN_P) ? 1 : 2, of_v = has(user, PATTERN_V) ? 1 : 2;
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < of_p; k++) Phi_p[of_p * i + k] = of_p == 1 || i / 2 == k ? STIFFNESS : -STIFFNESS;
        for (int k = 0; k < of_v; k++) Phi_v[of_v * i + k] = of_v == 1 || i / 2 == k ? DAMPING : -DAMPING;
    }
    if (has(user, DERIVATIVES_WRONG)) Phi_p[3] *= 1.01;
    return 0;
}

static int excitation(double t, double *u, double *ud, double *udd, void *user)
{
    u[0] = 0.1 * sin(t), ud[0] = 0.1 * cos(t), udd[0] = -0.1 * sin(t);
    if (has(user, EXCITATION_BEHIND)) ud[1] = 0;
    return 0;
}

static int root(double t, const double *p, const double *v, const resida_excitation *e, double *out, void *user)
{
    (void)t, (void)v, (void)e;
    out[0] = p[1] + 10;
    if (has(user, ROOT_BEHIND)) out[1] = 0;
    return 0;
}

/* --- what is looked at --- */

static int output(const resida_model *model, const resida_model_point *at, double *out)
{
    const void *user = model->user;
    out[0] = at->p[0];
    out[1] = at->t;
    if (has(user, OUTPUT_BEHIND)) out[2] = 0;
    if (has(user, OUTPUT_BEFORE)) out[-1] = 0;
    if (has(user, OUTPUT_INTO_P)) spoil(at->p + 3);
    if (has(user, OUTPUT_INTO_LAM)) spoil(at->lam);
    if (has(user, OUTPUT_CRASH)) crash();
    return 0;
}

static int shape(const resida_model *model, double t, const double *p, double *xyz)
{
    const void *user = model->user;
    (void)t;
    for (int i = 0; i < 2; i++) xyz[3 * i] = p[2 * i], xyz[3 * i + 1] = 0, xyz[3 * i + 2] = p[2 * i + 1];
    if (has(user, SHAPE_BEHIND)) xyz[6] = 0;
    if (has(user, SHAPE_BEFORE)) xyz[-1] = 0;
    if (has(user, SHAPE_INTO_P)) spoil(p);
    if (has(user, SHAPE_CRASH)) crash();
    return 0;
}

static int reference(const resida_model *model, double t, double *p, double *v, double *lam)
{
    (void)t, (void)v, (void)lam;
    if (has(model->user, REFERENCE_BEHIND)) p[4] = 0;
    if (has(model->user, REFERENCE_CRASH)) crash();
    return 1;
}

static int event(const resida_model *model, resida_model_event *event)
{
    if (has(model->user, EVENT_BEHIND)) event->y[4] = 0;
    if (has(model->user, EVENT_SILENT)) event->y[0] += 1;
    return 0;
}

static void fill_mechanism(resida_model *model, enum mistake is)
{
    static const int G_row[] = {0, 2, 4}, G_col[] = {0, 1, 2, 3}, G_short[] = {0, 1, 2}, G_short_col[] = {0, 2};
    static const int diagonal[] = {0, 1, 2, 3, 4}, own[] = {0, 1, 2, 3}, pairs[] = {0, 2, 4, 6, 8},
                     both[] = {0, 2, 1, 3, 0, 2, 1, 3};
    static const resida_part parts[] = {{"masses", RESIDA_PART_BALLS, 2}};
    resida_mechanism *k = &model->mechanism;
    k->name = "mistakes";
    k->n_p = k->n_v = 4;
    k->n_g = 2, k->n_u = k->n_root = 1;
    k->residual = residual, k->acceleration = acceleration;
    k->constraint = constraint, k->constraint_matrix = constraint_matrix, k->velocity_bias = velocity_bias;
    k->mass_matrix = mass_matrix, k->derivatives = derivatives;
    k->excitation = excitation, k->root = root;
    k->G_pattern = (resida_pattern){G_row, G_col};
    k->M_pattern = (resida_pattern){diagonal, own};
    k->Phi_p_pattern = k->Phi_v_pattern = (resida_pattern){pairs, both};
    if (is == PATTERN_P || is == PATTERN_P_ALONE) k->Phi_p_pattern = k->M_pattern;
    if (is == PATTERN_V) k->Phi_v_pattern = k->M_pattern;
    if (is == PATTERN_P_ALONE) k->derivatives = NULL;
    if (is == PATTERN_G_ALONE) k->G_pattern = (resida_pattern){G_short, G_short_col}, k->constraint_matrix = NULL;
    model->n_parts = 1, model->parts = parts, model->shape = shape;
    model->event = event;
    model->reference = reference, model->reference_source = "none";
}

static int create(const double *values, resida_model *model, resida_message *why)
{
    static const double p0[] = {0.6, -0.8, 0, -1}, v0[] = {0, 0, 0.1, 0};
    static const char *const names[] = {"x", "time"};
    mistakes *x = calloc(1, sizeof *x);
    (void)why;
    if (!x) return 1;
    x->is = (enum mistake)(int)values[0];
    model->user = model->mechanism.user = x;
    fill_mechanism(model, x->is);
    model->n_outputs = 2, model->output_names = names, model->output = output;
    model->p0 = p0, model->v0 = v0;
    model->t_end = 1;
    model->rtol = 1e-5, model->atol = 1e-7;
    return 0;
}

static const resida_parameter parameters[] = {
    {"mistake", 0, 0, MISTAKES - 1, 1, "-", "which", NULL},
};

PLUGIN("mistakes", "two masses, with a mistake");
