/* chain_cartesian.c - the chain of pendulums (chain_common.c) in Cartesian coordinates: masses at r_i = (x_i, y_i),
 * rods as constraints, r_0 = u the moving support,
 *
 *     m r_i'' = -m g - 2 d_i lam_i + 2 d_i+1 lam_i+1 + damping,    0 = d_i'd_i - l^2,    d_i = r_i - r_i-1.
 *
 * M is diagonal, a row of G has four entries (two in the first), everything is O(N). Rod i of tension T has lam_i =
 * T/(2 l). Joint damping acts on a rod as a torque tau_i, that is as forces +-(tau_i/l^2) (-dy, dx) on its two ends,
 * with the rate of the rod (dx dy' - dy dx')/l^2.
 *
 * The reference states are those of the chain in angles, transformed to Cartesian coordinates. */
#include "chain_common.h"
#include "benchmarks/models/models.h"

#include <math.h>

/* Compute d_i = x_i - x_i-1 of positions or velocities; first: value for the support. */
static void rod(const double *x, const double *first, int i, double *d)
{
    const double *above = i > 0 ? x + 2 * (i - 1) : first;
    d[0] = x[2 * i] - above[0];
    d[1] = x[2 * i + 1] - above[1];
}

static double rod_rate(const bench_chain *c, const double *p, const double *v, const resida_excitation *e, int i)
{
    double d[2], dd[2];
    if (i < 0 || i >= c->n) return 0;
    rod(p, e->u, i, d);
    rod(v, e->ud, i, dd);
    return (d[0] * dd[1] - d[1] * dd[0]) / (c->l * c->l);
}

/* Compute psi, the forces of weight and joint damping. */
static void fill_forces(const bench_chain *c, const double *p, const double *v, const resida_excitation *e, double *psi)
{
    for (int i = 0; i < c->n; i++) psi[2 * i] = 0, psi[2 * i + 1] = -c->m * c->g;
    if (!(c->d > 0)) return;
    double before = 0, rate = rod_rate(c, p, v, e, 0), after, d[2];
    for (int i = 0; i < c->n; i++) {
        after = rod_rate(c, p, v, e, i + 1);
        const double force = bench_chain_damping(c, i, before, rate, after) / (c->l * c->l);
        rod(p, e->u, i, d);
        psi[2 * i] -= force * d[1];
        psi[2 * i + 1] += force * d[0];
        if (i > 0) psi[2 * i - 2] += force * d[1], psi[2 * i - 1] -= force * d[0];
        before = rate, rate = after;
    }
}

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    const bench_chain *c = user;
    fill_forces(c, p, v, e, r);
    for (int i = 0; i < 2 * c->n; i++) r[i] = c->m * a[i] - r[i];
    return 0;
}

static int acceleration(double t, const double *p, const double *v, const double *f, const resida_excitation *e,
                        double *a, void *user)
{
    const bench_chain *c = user;
    fill_forces(c, p, v, e, a);
    for (int i = 0; i < 2 * c->n; i++) a[i] = (a[i] + f[i]) / c->m;
    return 0;
}

static int mass_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const bench_chain *c = user;
    bench_fill(2 * c->n, c->m, out);
    return 0;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const bench_chain *c = user;
    for (int i = 0; i < c->n; i++) {
        double d[2];
        rod(p, e->u, i, d);
        out[i] = d[0] * d[0] + d[1] * d[1] - c->l * c->l;
    }
    return 0;
}

static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const bench_chain *c = user;
    for (int i = 0; i < c->n; i++) {
        double d[2];
        rod(p, e->u, i, d);
        if (i > 0) *out++ = -2 * d[0], *out++ = -2 * d[1];
        *out++ = 2 * d[0], *out++ = 2 * d[1];
    }
    return 0;
}

static int velocity_bias(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    const bench_chain *c = user;
    double d[2];
    rod(p, e->u, 0, d);
    bench_fill(c->n, 0, out);
    out[0] = -2 * (d[0] * e->ud[0] + d[1] * e->ud[1]);
    return 0;
}

static int acceleration_bias(double t, const double *p, const double *v, const resida_excitation *e, double *out,
                             void *user)
{
    const bench_chain *c = user;
    double d[2];
    for (int i = 0; i < c->n; i++) {
        rod(v, e->ud, i, d);
        out[i] = 2 * (d[0] * d[0] + d[1] * d[1]);
    }
    rod(p, e->u, 0, d);
    out[0] -= 2 * (d[0] * e->udd[0] + d[1] * e->udd[1]);
    return 0;
}

/* Compute lam of the undamped motion; only chains without damping have a reference. */
static void reference_multipliers(bench_chain *c, double t, const double *angles, const double *rates, double *lam)
{
    double u[2], ud[2], udd[2];
    bench_chain_excitation(t, u, ud, udd, c);
    bench_chain_directions(c, angles);
    bench_fill(c->n, 0, c->work_y);
    bench_chain_tensions(c, rates, c->work_y, udd, lam);
    for (int i = 0; i < c->n; i++) lam[i] /= 2 * c->l;
}

static int reference(const resida_model *model, double t, double *p, double *v, double *lam)
{
    bench_chain *c = model->user;
    const double *state = bench_chain_reference(c, t);
    if (!state) return 1;
    bench_chain_masses(c, t, state, state + c->n, p, v);
    if (lam) reference_multipliers(c, t, state, state + c->n, lam);
    return 0;
}

/* Patterns. M is diagonal. Row i of G depends on mass i and the mass above, unless it is the support. Damping couples a
 * mass with two masses above and two below: rods i - 1 .. i + 2 act on the ends of rods i and i + 1. */
static void make_patterns(bench_chain *c, resida_mechanism *m)
{
    const int n = c->n, reach = c->d > 0 ? 2 : -1;
    int *row_M = bench_own(c, 2 * n + 1, sizeof(int)), *row_G = bench_own(c, n + 1, sizeof(int));
    int *col_G = bench_own(c, 4 * n, sizeof(int)), *row_Phi = bench_own(c, 2 * n + 1, sizeof(int));
    int *col_Phi = bench_own(c, 20 * n, sizeof(int)), k = 0;
    if (!row_M || !row_G || !col_G || !row_Phi || !col_Phi) return;
    for (int i = 0; i <= 2 * n; i++) row_M[i] = i;
    for (int i = 0; i < n; i++) {
        for (int j = i > 0 ? 2 * i - 2 : 0; j < 2 * i + 2; j++) col_G[k++] = j;
        row_G[i + 1] = k;
    }
    k = 0;
    for (int i = 0; i < 2 * n; i++) {
        for (int mass = i / 2 - reach; mass <= i / 2 + reach; mass++)
            if (mass >= 0 && mass < n) col_Phi[k++] = 2 * mass, col_Phi[k++] = 2 * mass + 1;
        row_Phi[i + 1] = k;
    }
    m->M_pattern = (resida_pattern){row_M, row_M}, m->G_pattern = (resida_pattern){row_G, col_G};
    m->Phi_p_pattern = m->Phi_v_pattern = (resida_pattern){row_Phi, col_Phi};
}

/* Set all angles to alpha0 and all rates to 0: the masses move with the support. */
static void set_start(bench_chain *c)
{
    bench_fill(c->n, c->alpha0, c->work_x);
    bench_fill(c->n, 0, c->work_y);
    bench_chain_masses(c, 0, c->work_x, c->work_y, c->p0, c->v0);
}

static int shape(const resida_model *model, double t, const double *p, double *xyz)
{
    bench_chain_points(model->user, t, p, xyz);
    return 0;
}

static int output(const resida_model *model, const resida_model_point *at, double *out)
{
    const bench_chain *c = model->user;
    out[BENCH_CHAIN_TENSION] = 2 * c->l * at->lam[0];
    out[BENCH_CHAIN_ENERGY] = bench_chain_energy(c, at->p, at->v);
    return 0;
}

static int set(const double *values, resida_model *model, resida_message *why)
{
    static const char *const xy[] = {"x", "y"}, *const rods[] = {"rod "};
    bench_chain *c = bench_chain_begin(values, 2, model);
    if (!c) return 0; /* bench_create() reports it */
    set_start(c);
    resida_mechanism *m = &model->mechanism;
    m->n_p = m->n_v = 2 * c->n, m->n_g = c->n, m->n_u = 2;
    m->residual = residual, m->acceleration = acceleration;
    m->constraint = constraint, m->constraint_matrix = constraint_matrix, m->velocity_bias = velocity_bias;
    m->acceleration_bias = acceleration_bias, m->mass_matrix = mass_matrix, m->excitation = bench_chain_excitation;
    m->cost.residual = 16.0 * c->n, m->cost.mass_matrix = 5.0 * c->n; /* instructions, counted by valgrind */
    make_patterns(c, m);
    m->p_names = bench_own_names(c, m->n_p, 2, xy, ""), m->v_names = bench_own_names(c, m->n_v, 2, xy, "'");
    m->g_names = bench_own_names(c, c->n, 1, rods, "");
    model->p_units = bench_own_repeated(c, m->n_p, 1, (const char *const[]){"m"});
    model->lam_units = bench_own_repeated(c, c->n, 1, (const char *const[]){"N/m"});
    bench_chain_show(c, model, shape, output);
    model->reference = reference;
    model->reference_source = "reference of the chain in angles (program chain_reference), transformed; n = 12, 14, 16";
    return 0;
}

const bench_kind bench_chain_cartesian = {
    BENCH_KIND("chain-cartesian",
               "chain of n pendulums in Cartesian coordinates, 2n coordinates, n constraints; sparse",
               BENCH_CHAIN_N_PARAMETERS, bench_chain_parameters, bench_chain, set),
};
