/* plugin_knocker.c - a closed linkage that hits a wall: a model with an impact, as a plugin.
 *
 * Two masses A and B are suspended from the ceiling by massless rods and connected by a third rod: O-A, A-B, B-C. The
 * linkage has four coordinates p = (x_A, y_A, x_B, y_B) and three constraints, i.e. one degree of freedom,
 *
 *     m_A a_A = m_A (0, -grav) - (dg/dp)' lam,  the same of B,    g_i = (length_i^2 of the points - length_i^2) / 2 = 0
 *
 * until B hits the wall at x = wall. There velocities jump by Newton's law: the speed of B after the impact is
 * `restitution` times the speed before, and the rod constraints remain satisfied. The model provides the gap between B
 * and the wall as a root function, its derivative, and the coefficient (step 6). Between impacts the energy is
 * conserved. With holds=1 the gap is a fourth constraint, active while the wall force is compressive. Otherwise the run
 * ends when B comes to rest at the wall.
 *
 * Build it and run it:
 *
 *     cc -shared -fPIC plugin_knocker.c -o knocker.so
 *     resida solve ./knocker.so -p restitution=0.6 --events knocks.csv --plot out.energy */
#include <stdlib.h>

#include <resida/model.h>

/* 1. Parameters. */
enum { MASS_A, MASS_B, RESTITUTION, WALL, GRAV, HOLDS, N_PARAMETERS };

static const resida_parameter parameters[N_PARAMETERS] = {
    [MASS_A] = {"mass-a", 1, 1e-6, 1e6, 0, "kg", "mass of A", NULL},
    [MASS_B] = {"mass-b", 2, 1e-6, 1e6, 0, "kg", "mass of B", NULL},
    [RESTITUTION] = {"restitution", 0.8, 0, 1, 0, "-", "coefficient of restitution of B and the wall", NULL},
    [WALL] = {"wall", 1.2, 0.5, 1.5, 0, "m", "position of the wall; below 1 the final state of B is in contact with it",
              NULL},
    [GRAV] = {"grav", 9.81, 0.1, 1e3, 0, "m/s^2", "gravity", NULL},
    [HOLDS] = {"holds", 0, 0, 1, 1, "-", "1: B stays in contact when the contact closes; 0: the run ends then", NULL},
};

/* 2. Data of one model. */
typedef struct knocker {
    double value[N_PARAMETERS];
    double p0[4], v0[4];
    resida_model_contacts contacts;
} knocker;

/* End points of the rods: 0 O, 1 A, 2 B, 3 C. All rods have length 1, and the distance of O and C is 1. */
static const int ends[3][2] = {{0, 1}, {1, 2}, {2, 3}};
static const double fixed[4][2] = {[3] = {1, 0}};

static const char *const p_names[] = {"x_A", "y_A", "x_B", "y_B"};
static const char *const v_names[] = {"x_A'", "y_A'", "x_B'", "y_B'"};
static const char *const g_names[] = {"O-A", "A-B", "B-C", "wall"};

static const double *point(const double *p, int i)
{
    return i == 1 ? p : i == 2 ? p + 2 : fixed[i];
}

/* 3. The formalism, r = M a - Psi. */
static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    const double *c = ((const knocker *)user)->value;
    (void)t, (void)p, (void)v, (void)e;
    for (int i = 0; i < 4; i++) r[i] = c[i < 2 ? MASS_A : MASS_B] * (a[i] + (i % 2 ? c[GRAV] : 0));
    return 0;
}

/* 4. The constraints, and dg/dp [3 x 4], or [4 x 4] including the gap. */
static int rods(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const double *c = ((const knocker *)user)->value;
    (void)t, (void)e;
    if (c[HOLDS] > 0) out[3] = c[WALL] - p[2];
    for (int i = 0; i < 3; i++) {
        const double *a = point(p, ends[i][0]), *b = point(p, ends[i][1]);
        out[i] = ((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]) - 1) / 2;
    }
    return 0;
}

static int rod_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const int n_g = ((const knocker *)user)->value[HOLDS] > 0 ? 4 : 3;
    (void)t, (void)e;
    for (int i = 0; i < 4 * n_g; i++) out[i] = 0;
    if (n_g == 4) out[14] = -1;
    for (int i = 0; i < 3; i++) {
        const int from = ends[i][0], to = ends[i][1];
        for (int k = 0; k < 2; k++) {
            const double along = point(p, to)[k] - point(p, from)[k];
            if (from == 1 || from == 2) out[4 * i + 2 * (from - 1) + k] = -along;
            if (to == 1 || to == 2) out[4 * i + 2 * (to - 1) + k] = along;
        }
    }
    return 0;
}

/* 5. An output: the energy. */
static const char *const output_names[] = {"energy"}, *const output_units[] = {"J"};

static int output(const resida_model *model, const resida_model_point *at, double *out)
{
    const double *c = ((const knocker *)model->user)->value;
    out[0] = 0;
    for (int i = 0; i < 4; i++)
        out[0] += c[i < 2 ? MASS_A : MASS_B] * (at->v[i] * at->v[i] / 2 + (i % 2 ? c[GRAV] * at->p[i] : 0));
    return 0;
}

/* 6. The contact: a gap, open if > 0, and its derivative by p, which is optional. */
static int gap(double t, const double *p, const double *v, const resida_excitation *e, double *out, void *user)
{
    (void)t, (void)v, (void)e;
    out[0] = ((const knocker *)user)->value[WALL] - p[2];
    return 0;
}

static int gap_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    (void)t, (void)p, (void)e, (void)user;
    out[0] = out[1] = out[3] = 0;
    out[2] = -1;
    return 0;
}

static const char *const contact_names[] = {"wall"};

static void add_contact(resida_model *model, knocker *k)
{
    model->mechanism.n_root = 1;
    model->mechanism.root = gap;
    k->contacts.size = sizeof k->contacts;
    k->contacts.n = 1;
    k->contacts.restitution = &k->value[RESTITUTION];
    k->contacts.matrix = gap_matrix;
    k->contacts.names = contact_names;
    k->contacts.holds = k->value[HOLDS] > 0;
    k->contacts.first_g = 3;
    model->contacts = &k->contacts;
}

/* 7. Create a model. */
static int create(const double *values, resida_model *model, resida_message *why)
{
    knocker *k = calloc(1, sizeof *k);
    if (!k) {
        *why = (resida_message){"no memory for a knocker"};
        return -1;
    }
    for (int i = 0; i < N_PARAMETERS; i++) k->value[i] = values[i];
    k->p0[0] = -0.6, k->p0[1] = -0.8; /* displaced to the left */
    k->p0[2] = 0.4, k->p0[3] = -0.8;

    resida_mechanism *m = &model->mechanism;
    m->name = "knocker";
    m->n_p = m->n_v = 4;
    m->n_g = k->value[HOLDS] > 0 ? 4 : 3;
    m->residual = residual;
    m->constraint = rods;
    m->constraint_matrix = rod_matrix;
    m->p_names = p_names, m->v_names = v_names, m->g_names = g_names;
    m->user = model->user = k;
    model->n_outputs = 1;
    model->output_names = output_names, model->output_units = output_units;
    model->output = output;
    model->t_end = 6;
    model->p0 = k->p0;
    model->v0 = k->v0;
    model->rtol = model->atol = 1e-7;
    add_contact(model, k);
    return 0;
}

static void destroy(resida_model *model)
{
    free(model->user);
}

RESIDA_PLUGIN const resida_model_class resida_plugin = {
    RESIDA_MODEL_HEAD,
    .name = "knocker",
    .text = "closed linkage that impacts on a wall",
    .n_parameters = N_PARAMETERS,
    .parameters = parameters,
    .create = create,
    .destroy = destroy,
};
