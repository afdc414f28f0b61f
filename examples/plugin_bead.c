/* plugin_bead.c - your first model as a plugin: a bead on a rotating wire.
 *
 * The wire is a parabola, z = k x^2 / 2, and rotates about the z axis at omega. In the rotating frame the bead has the
 * coordinates p = (x, z) and one constraint:
 *
 *     m x'' = m omega^2 x        - (dg/dx) lam          g(p) = z - k x^2 / 2 = 0
 *     m z'' =           - m grav - (dg/dz) lam
 *
 * For omega^2 < k grav the bead oscillates about the lowest point, for omega^2 > k grav it moves outwards, and for
 * equality every point is an equilibrium. Conserved quantity: x'^2 + z'^2 + 2 grav z - omega^2 x^2.
 *
 * Build it and run it:
 *
 *     cc -shared -fPIC plugin_bead.c -o bead.so
 *     resida solve ./bead.so --param omega=2
 *
 * A plugin requires only the headers of resida and no library. */
#include <stdlib.h>

#include <resida/model.h>

/* 1. Parameters: name, default, range, whole number?, unit, one line of text. */
enum { MASS, CURVATURE, OMEGA, GRAV, X0, N_PARAMETERS };

static const resida_parameter parameters[N_PARAMETERS] = {
    [MASS] = {"mass", 1, 1e-6, 1e6, 0, "kg", "mass of the bead", NULL},
    [CURVATURE] = {"curvature", 1, 0, 1e3, 0, "1/m", "curvature k of the wire at its lowest point", NULL},
    [OMEGA] = {"omega", 2, 0, 1e3, 0, "rad/s", "angular velocity of the wire", NULL},
    [GRAV] = {"grav", 9.81, 0, 1e3, 0, "m/s^2", "gravity", NULL},
    [X0] = {"x", 1, -10, 10, 0, "m", "initial distance from the axis; the bead rests on the wire", NULL},
};

/* 2. Data of one model. Avoid global variables: several beads may be integrated at once. */
typedef struct bead {
    double value[N_PARAMETERS];
    double p0[2], v0[2];
} bead;

/* 3. The formalism, r = M a - Psi, without the constraint force, which resida adds. */
static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    const double *c = ((const bead *)user)->value;
    (void)t, (void)v, (void)e;
    r[0] = c[MASS] * (a[0] - c[OMEGA] * c[OMEGA] * p[0]);
    r[1] = c[MASS] * (a[1] + c[GRAV]);
    return 0; /* > 0: cannot be evaluated, reduce the step size; < 0: stop */
}

/* 4. The constraint, out[0] = g(p). */
static int wire(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const double *c = ((const bead *)user)->value;
    (void)t, (void)e;
    out[0] = p[1] - c[CURVATURE] * p[0] * p[0] / 2;
    return 0;
}

/* 5. The constraint matrix dg/dp, by rows. Optional: resida computes missing derivatives by differences. */
static int wire_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const double *c = ((const bead *)user)->value;
    (void)t, (void)e;
    out[0] = -c[CURVATURE] * p[0];
    out[1] = 1;
    return 0;
}

/* 6. Create a model. Values are within their ranges. They are valid during the call only, so copy them. */
static int create(const double *values, resida_model *model, resida_message *why)
{
    bead *b = calloc(1, sizeof *b);
    if (!b) {
        *why = (resida_message){"no memory for a bead"};
        return -1;
    }
    for (int i = 0; i < N_PARAMETERS; i++) b->value[i] = values[i];
    b->p0[0] = values[X0];
    b->p0[1] = values[CURVATURE] * values[X0] * values[X0] / 2;

    model->mechanism.name = "bead";
    model->mechanism.n_p = model->mechanism.n_v = 2;
    model->mechanism.n_g = 1;
    model->mechanism.residual = residual;
    model->mechanism.constraint = wire;
    model->mechanism.constraint_matrix = wire_matrix;
    model->mechanism.user = model->user = b;
    model->t_end = 10;
    model->p0 = b->p0;
    model->v0 = b->v0; /* zero: calloc */
    model->rtol = model->atol = 1e-6;
    return 0;
}

static void destroy(resida_model *model)
{
    free(model->user);
}

/* 7. The exported object. */
RESIDA_PLUGIN const resida_model_class resida_plugin = {
    RESIDA_MODEL_HEAD,
    .name = "bead",
    .text = "bead on a parabolic wire that rotates about its axis",
    .n_parameters = N_PARAMETERS,
    .parameters = parameters,
    .create = create,
    .destroy = destroy,
};
