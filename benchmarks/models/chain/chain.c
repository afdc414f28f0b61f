/* chain.c - the chain of pendulums (chain_common.c) in the angles alpha_i between rod i and the vertical: a tree
 * without constraints; the position of the support is the excitation u.
 *
 *     residual:  r_i'' = r_i-1'' + l (alpha_i'' e_i - alpha_i'^2 s_i) down the chain from r_0'' = u'', then the sums
 *                S_i = sum_{k>=i} m (r_k'' + g) up the chain,   Phi_i = l e_i'S_i - tau_i,   tau joint damping
 *     explicit:  tensions T from the tridiagonal system of the rods, then
 *                m l alpha_i'' = e_i'(force on mass i) - e_i'(force on mass i - 1)
 *
 * The cost of both is O(N); the mass matrix M_ij = m l^2 (N + 1 - max(i,j)) cos(alpha_i - alpha_j) is full. */
#include "chain_common.h"
#include "benchmarks/models/models.h"

static double damping(const bench_chain *c, const double *rates, int i)
{
    return bench_chain_damping(c, i, i > 0 ? rates[i - 1] : 0, rates[i], i + 1 < c->n ? rates[i + 1] : 0);
}

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    bench_chain *c = user;
    const double *s = c->sine, *co = c->cosine;
    double x = e->udd[0], y = e->udd[1] + c->g, sum_x = 0, sum_y = 0;
    bench_chain_directions(c, p);
    for (int i = 0; i < c->n; i++) {
        x += c->l * (a[i] * co[i] - v[i] * v[i] * s[i]);
        y += c->l * (a[i] * s[i] + v[i] * v[i] * co[i]);
        c->work_x[i] = x, c->work_y[i] = y;
    }
    for (int i = c->n - 1; i >= 0; i--) {
        sum_x += c->m * c->work_x[i];
        sum_y += c->m * c->work_y[i];
        r[i] = c->l * (co[i] * sum_x + s[i] * sum_y) - damping(c, v, i);
    }
    return 0;
}

/* Compute the forces of the rods on mass i, without its weight. */
static void force_on_mass(const bench_chain *c, int i, const double *tension, const double *torque, double *f)
{
    const double *s = c->sine, *co = c->cosine;
    f[0] = -tension[i] * s[i] + torque[i] / c->l * co[i];
    f[1] = tension[i] * co[i] + torque[i] / c->l * s[i];
    if (i + 1 == c->n) return;
    f[0] += tension[i + 1] * s[i + 1] - torque[i + 1] / c->l * co[i + 1];
    f[1] += -tension[i + 1] * co[i + 1] - torque[i + 1] / c->l * s[i + 1];
}

static int acceleration(double t, const double *p, const double *v, const double *f, const resida_excitation *e,
                        double *a, void *user)
{
    bench_chain *c = user;
    double *torque = c->work_y, *tension = a, below[2], above[2];
    bench_chain_directions(c, p);
    for (int i = 0; i < c->n; i++) torque[i] = f[i] + damping(c, v, i);
    bench_chain_tensions(c, v, torque, e->udd, tension);
    for (int i = c->n - 1; i >= 0; i--) { /* upwards: a_i overwrites T_i, which is no longer needed */
        if (i == c->n - 1) force_on_mass(c, i, tension, torque, below);
        if (i > 0) force_on_mass(c, i - 1, tension, torque, above);
        if (i == 0) above[0] = c->m * e->udd[0], above[1] = c->m * (e->udd[1] + c->g);
        a[i] = (c->cosine[i] * (below[0] - above[0]) + c->sine[i] * (below[1] - above[1])) / (c->m * c->l);
        below[0] = above[0], below[1] = above[1];
    }
    return 0;
}

static int mass_matrix(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    bench_chain *c = user;
    const int n = c->n;
    bench_chain_directions(c, p);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            out[(ptrdiff_t)i * n + j] =
                c->m * c->l * c->l * (n - (i > j ? i : j)) * (c->cosine[i] * c->cosine[j] + c->sine[i] * c->sine[j]);
    return 0;
}

static int reference(const resida_model *model, double t, double *p, double *v, double *lam)
{
    (void)lam; /* no constraints */
    const bench_chain *c = model->user;
    const double *state = bench_chain_reference(c, t);
    for (int i = 0; state && i < c->n; i++) {
        if (p) p[i] = state[i];
        if (v) v[i] = state[c->n + i];
    }
    return !state;
}

static int shape(const resida_model *model, double t, const double *p, double *xyz)
{
    const bench_chain *c = model->user;
    double at[2 * (size_t)c->n];
    bench_chain_masses(c, t, p, p, at, NULL);
    bench_chain_points(c, t, at, xyz);
    return 0;
}

static int output(const resida_model *model, const resida_model_point *at, double *out)
{
    bench_chain *c = model->user;
    double r[2 * (size_t)c->n], rd[2 * (size_t)c->n], torque[c->n], tension[c->n], u[2], ud[2], udd[2];
    bench_chain_excitation(at->t, u, ud, udd, c);
    bench_chain_directions(c, at->p);
    for (int i = 0; i < c->n; i++) torque[i] = damping(c, at->v, i);
    bench_chain_tensions(c, at->v, torque, udd, tension);
    bench_chain_masses(c, at->t, at->p, at->v, r, rd);
    out[BENCH_CHAIN_TENSION] = tension[0];
    out[BENCH_CHAIN_ENERGY] = bench_chain_energy(c, r, rd);
    return 0;
}

static int set(const double *values, resida_model *model, resida_message *why)
{
    static const char *const prefix[] = {"alpha"};
    bench_chain *c = bench_chain_begin(values, 1, model);
    if (!c) return 0; /* bench_create() reports it */
    bench_fill(c->n, c->alpha0, c->p0);
    resida_mechanism *m = &model->mechanism;
    m->n_p = m->n_v = c->n, m->n_u = 2;
    m->thread_safe = 0; /* because of the work arrays */
    m->residual = residual, m->acceleration = acceleration;
    m->mass_matrix = mass_matrix, m->excitation = bench_chain_excitation;
    m->cost.mass_matrix = 20.0 * c->n * c->n; /* instructions, counted by valgrind */
    m->p_names = bench_own_names(c, c->n, 1, prefix, ""), m->v_names = bench_own_names(c, c->n, 1, prefix, "'");
    model->p_units = bench_own_repeated(c, c->n, 1, (const char *const[]){"rad"});
    bench_chain_show(c, model, shape, output);
    model->reference = reference;
    model->reference_source = "extrapolation in long double (program chain_reference), 13 digits; n = 12, 14, 16";
    return 0;
}

const bench_kind bench_chain_angles = {
    BENCH_KIND("chain",
               "chain of n pendulums in angles, with a slowly moving support (Arnold, Fuchs, Fuehrer, section 4.2.1)",
               BENCH_CHAIN_N_PARAMETERS, bench_chain_parameters, bench_chain, set),
};
