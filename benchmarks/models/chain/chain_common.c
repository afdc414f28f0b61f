/* chain_common.c - the chain of mathematical pendulums (Arnold, Fuchs, Fuehrer: Efficient corrector iteration for DAE
 * time integration in multibody dynamics, section 4.2.1): N + 1 point masses on massless rods, the first mass on a
 * support that moves as x = 2 m + ax sin(omega t), y = ay sin(omega t). Rod i is attached to mass i - 1 and has the
 * direction s_i = (sin alpha_i, -cos alpha_i); e_i = (cos alpha_i, sin alpha_i) is perpendicular to it.
 *
 * The tensions T_i follow from the lengths, s_i'(r_i'' - r_i-1'') = -l alpha_i'^2, with tau_i the torques on the rods:
 *
 *     2 T_i - (s_i's_i-1) T_i-1 - (s_i's_i+1) T_i+1 = m l alpha_i'^2 - (s_i'e_i-1 tau_i-1 + s_i'e_i+1 tau_i+1)/l
 *     first row: T_1 - (s_1's_2) T_2 = m l alpha_1'^2 + m (g cos alpha_1 - s_1'u'') - s_1'e_2 tau_2/l
 *
 * a tridiagonal, diagonally dominant system: O(N). */
#include "chain_common.h"

#include <math.h>

const resida_parameter bench_chain_parameters[BENCH_CHAIN_N_PARAMETERS] = {
#include "benchmarks/models/data/chain.parameters.csv.inc"
};

static const double middle_x = 2; /* mean x of the support */

/* Rows: n, omega, t, n angles, n rates. */
static const double states[] = {
#include "benchmarks/models/data/chain.csv.inc"
};

static int has_states(const double *values)
{
    for (int i = 0; i < BENCH_CHAIN_N_PARAMETERS; i++)
        if (i != BENCH_CHAIN_N && i != BENCH_CHAIN_OMEGA && !bench_same(values[i], bench_chain_parameters[i].value))
            return 0;
    return 1;
}

bench_chain *bench_chain_begin(const double *values, int coordinates, resida_model *model)
{
    bench_chain *c = model->user;
    const int n = c->n = (int)values[BENCH_CHAIN_N];
    c->omega = values[BENCH_CHAIN_OMEGA], c->m = values[BENCH_CHAIN_M], c->l = values[BENCH_CHAIN_L];
    c->g = values[BENCH_CHAIN_G], c->ax = values[BENCH_CHAIN_AX], c->ay = values[BENCH_CHAIN_AY];
    c->d = values[BENCH_CHAIN_D], c->alpha0 = values[BENCH_CHAIN_ALPHA0];
    c->has_states = has_states(values);
    c->sine = bench_own(c, (4 + 2 * coordinates) * n, sizeof(double));
    if (!c->sine) return NULL;
    c->cosine = c->sine + n, c->work_x = c->cosine + n, c->work_y = c->work_x + n;
    c->p0 = c->work_y + n, c->v0 = c->p0 + (ptrdiff_t)coordinates * n;
    model->t_end = 200;
    model->p0 = c->p0, model->v0 = c->v0;
    model->rtol = 1e-4, model->atol = 1e-6;
    return c;
}

int bench_chain_excitation(double t, double *u, double *ud, double *udd, void *user)
{
    const bench_chain *c = user;
    const double w = c->omega, s = sin(w * t), co = w * cos(w * t);
    u[0] = middle_x + c->ax * s;
    u[1] = c->ay * s;
    ud[0] = c->ax * co;
    ud[1] = c->ay * co;
    udd[0] = -c->ax * w * w * s;
    udd[1] = -c->ay * w * w * s;
    return 0;
}

void bench_chain_directions(bench_chain *c, const double *angles)
{
    for (int i = 0; i < c->n; i++) c->sine[i] = sin(angles[i]), c->cosine[i] = cos(angles[i]);
}

double bench_chain_damping(const bench_chain *c, int i, double before, double rate, double after)
{
    double upper = i > 0 ? rate - before : rate, lower = i + 1 < c->n ? after - rate : 0;
    return c->d * (lower - upper);
}

/* s_i's_j = e_i'e_j and s_i'e_j = sin(alpha_i - alpha_j) */
static double along(const bench_chain *c, int i, int j)
{
    return c->sine[i] * c->sine[j] + c->cosine[i] * c->cosine[j];
}

static double across(const bench_chain *c, int i, int j)
{
    return c->sine[i] * c->cosine[j] - c->cosine[i] * c->sine[j];
}

void bench_chain_tensions(bench_chain *c, const double *rates, const double *torques, const double *udd,
                          double *tension)
{
    const int n = c->n;
    double *pivot = c->work_x;
    for (int i = 0; i < n; i++) { /* right-hand side, and forward elimination */
        tension[i] = c->m * c->l * rates[i] * rates[i];
        pivot[i] = i > 0 ? 2 : 1;
        if (i == 0) tension[i] += c->m * (c->cosine[0] * (c->g + udd[1]) - c->sine[0] * udd[0]);
        if (i + 1 < n) tension[i] -= across(c, i, i + 1) * torques[i + 1] / c->l;
        if (i == 0) continue;
        const double ratio = -along(c, i, i - 1) / pivot[i - 1];
        tension[i] -= across(c, i, i - 1) * torques[i - 1] / c->l + ratio * tension[i - 1];
        pivot[i] += ratio * along(c, i, i - 1);
    }
    for (int i = n - 1; i >= 0; i--) {
        if (i + 1 < n) tension[i] += along(c, i, i + 1) * tension[i + 1];
        tension[i] /= pivot[i];
    }
}

void bench_chain_masses(const bench_chain *c, double t, const double *angles, const double *rates, double *p, double *v)
{
    double r[2], rd[2], rdd[2];
    bench_chain_excitation(t, r, rd, rdd, (void *)c);
    for (int i = 0; i < c->n; i++) {
        const double s = c->l * sin(angles[i]), co = c->l * cos(angles[i]);
        r[0] += s, r[1] -= co;
        rd[0] += co * rates[i], rd[1] += s * rates[i];
        if (p) p[2 * i] = r[0], p[2 * i + 1] = r[1];
        if (v) v[2 * i] = rd[0], v[2 * i + 1] = rd[1];
    }
}

void bench_chain_points(const bench_chain *c, double t, const double *p, double *xyz)
{
    double u[2], ud[2], udd[2];
    bench_chain_excitation(t, u, ud, udd, (void *)c);
    bench_planar_points(u, 1, xyz);
    bench_planar_points(p, c->n, xyz + 3);
    bench_planar_points(p, c->n, xyz + 3 + 3 * (ptrdiff_t)c->n);
}

void bench_chain_show(bench_chain *c, resida_model *model,
                      int (*shape)(const resida_model *model, double t, const double *p, double *xyz),
                      int (*output)(const resida_model *model, const resida_model_point *at, double *out))
{
    static const char *const names[] = {"tension", "energy"}, *const units[] = {"N", "J"};
    static const char *const excitation_units[] = {"m", "m"};
    c->parts[0] = (resida_part){"rods", RESIDA_PART_LINE, c->n + 1};
    c->parts[1] = (resida_part){"masses", RESIDA_PART_BALLS, c->n};
    model->parts = c->parts, model->n_parts = BENCH_COUNT(c->parts), model->shape = shape;
    model->n_outputs = BENCH_CHAIN_OUTPUTS, model->output_names = names, model->output_units = units;
    model->excitation_units = excitation_units, model->output = output;
}

double bench_chain_energy(const bench_chain *c, const double *p, const double *v)
{
    double energy = 0;
    for (int i = 0; i < c->n; i++)
        energy += c->m * ((v[2 * i] * v[2 * i] + v[2 * i + 1] * v[2 * i + 1]) / 2 + c->g * p[2 * i + 1]);
    return energy;
}

const double *bench_chain_reference(const bench_chain *c, double t)
{
    for (const double *s = states; s < states + BENCH_COUNT(states) && c->has_states; s += 3 + 2 * (int)s[0])
        if ((int)s[0] == c->n && bench_same(c->omega, s[1]) && bench_same(t, s[2])) return s + 3;
    return NULL;
}
