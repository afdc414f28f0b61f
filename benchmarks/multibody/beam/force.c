/* force.c - strains, energies and forces of beam.h: F = sum_k stress_k d(strain_k)/dX at each point (strain.h),
 * distributed to the nodes by the shape functions. */
#include <math.h>
#include <string.h>

#include "element.h"

int bm_nodes_of(const bm_element *el, const double *x, const double **node)
{
    for (int i = 0; i <= el->order; i++) node[i] = x + BM_P * (el->first + i);
    return el->order + 1;
}

void bm_stiffness_of(const bm_section *c, double *C)
{
    const double all[BM_STRAINS] = {c->GA1, c->GA2, c->EA, c->EI1, c->EI2, c->GJ};
    memcpy(C, all, sizeof all);
}

/* X and the strains relative to the reference strains. */
void bm_look(const bm_element *el, int point, const double *p, bm_fields X, double *strain)
{
    const double *node[BM_MAX_NODES];
    bm_fields_at(&el->point[point], bm_nodes_of(el, p, node), node, X);
    bm_strain(X, strain);
    for (int k = 0; k < BM_STRAINS; k++) strain[k] -= el->point[point].at_rest[k];
}

double bm_shortest_director(const bm_system *s, const double *p, int *element)
{
    double least = INFINITY;
    for (int k = 0; k < s->n_element; k++)
        for (int i = 0; i < s->element[k].order; i++) {
            const double *node[BM_MAX_NODES];
            bm_fields X;
            bm_fields_at(&s->element[k].point[i], bm_nodes_of(&s->element[k], p, node), node, X);
            for (int a = 0; a < 3; a++) {
                const double *d = X[BM_DIRECTOR + a], length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
                if (length < least) least = length, *element = k;
            }
        }
    return least;
}

double bm_strain_energy(const bm_system *s, const double *p)
{
    double energy = 0;
    for (const bm_element *el = s->element; el && el < s->element + s->n_element; el++) {
        double C[BM_STRAINS], strain[BM_STRAINS];
        bm_stiffness_of(&el->section, C);
        for (int k = 0; k < el->order; k++) {
            bm_fields X;
            bm_look(el, k, p, X, strain);
            for (int c = 0; c < BM_STRAINS; c++) energy += el->point[k].length * C[c] * strain[c] * strain[c] / 2;
        }
    }
    return energy;
}

/* Add factor F of a point to the nodes, weighted by the shape functions. */
static void spread(const bm_element *el, const bm_point *point, bm_fields F, double factor, double *out)
{
    for (int i = 0; i <= el->order; i++) {
        double *q = out + BM_P * (el->first + i);
        const double N = factor * point->N[i], slope = factor * point->slope[i];
        for (int k = 0; k < 3; k++) q[k] += slope * F[BM_SLOPE][k];
        for (int k = 0; k < 9; k++) q[3 + k] += N * F[BM_DIRECTOR + k / 3][k % 3] + slope * F[BM_TURN + k / 3][k % 3];
    }
}

/* Compute stress, X and X' (v NULL: at rest). */
void bm_stress(const bm_system *s, const bm_element *el, int k, const double *p, const double *v, bm_fields X,
               bm_fields V, double *stress)
{
    double C[BM_STRAINS], rate[BM_STRAINS] = {0};
    const double *node[BM_MAX_NODES];
    bm_look(el, k, p, X, stress);
    memset(V, 0, sizeof(bm_fields));
    if (v) {
        bm_fields_at(&el->point[k], bm_nodes_of(el, v, node), node, V);
        bm_strain_rate(X, V, rate);
    }
    bm_stiffness_of(&el->section, C);
    for (int c = 0; c < BM_STRAINS; c++) stress[c] = el->point[k].length * C[c] * (stress[c] + s->damping[c] * rate[c]);
}

double bm_amplitude(const bm_load *load, const resida_excitation *e)
{
    return load->drive ? e->u[load->drive - 1] : 1;
}

static void cross(const double *a, const double *b, double *out)
{
    for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* A moment m is equivalent to the forces m x d_a/2: sum_a d_a x (m x d_a) = 2 m. */
static void add_load(const bm_load *load, const double *p, const resida_excitation *e, double *psi)
{
    const double u = bm_amplitude(load, e);
    const int first = BM_P * load->node;
    for (int k = 0; k < 3; k++) psi[first + k] += u * load->force[k];
    for (int a = 0; a < 3; a++) {
        double f[3];
        cross(load->moment, p + first + 3 + 3 * a, f);
        for (int k = 0; k < 3; k++) psi[first + 3 + 3 * a + k] += u * f[k] / 2;
    }
}

void bm_forces(const bm_system *s, const double *p, const double *v, const resida_excitation *e, double *psi)
{
    memcpy(psi, s->weight, (size_t)(BM_P * s->n_node) * sizeof *psi);
    for (const bm_element *el = s->element; el && el < s->element + s->n_element; el++)
        for (int k = 0; k < el->order; k++) {
            bm_fields X, V, F;
            double stress[BM_STRAINS];
            bm_stress(s, el, k, p, v, X, V, stress);
            bm_work(stress, X, F);
            spread(el, &el->point[k], F, -1, psi);
        }
    for (int k = 0; k < s->n_load; k++) add_load(&s->load[k], p, e, psi);
}

double bm_row_of_M(const bm_system *s, int i, const double *x)
{
    double sum = 0;
    for (int k = s->M_pattern.row[i]; k < s->M_pattern.row[i + 1]; k++) sum += s->M[k] * x[s->M_pattern.col[k]];
    return sum;
}

double bm_kinetic_energy(const bm_system *s, const double *v)
{
    double energy = 0;
    for (int i = 0; i < BM_P * s->n_node; i++) energy += v[i] * bm_row_of_M(s, i, v) / 2;
    return energy;
}

double bm_energy(const bm_system *s, const double *p, const double *v)
{
    double energy = bm_strain_energy(s, p) + bm_kinetic_energy(s, v);
    for (int i = 0; i < BM_P * s->n_node; i++) energy -= s->weight[i] * p[i];
    return energy;
}
