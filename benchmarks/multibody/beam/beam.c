/* beam.c - see beam.h: M, reference strains, the callbacks of the mechanism. */
#include "beam.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "constraint.h"
#include "element.h"

/* --- callbacks --- */

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    const bm_system *s = user;
    bm_forces(s, p, v, e, r);
    for (int i = 0; i < BM_P * s->n_node; i++) r[i] = bm_row_of_M(s, i, a) - r[i];
    return 0;
}

static int potential(double t, const double *p, const resida_excitation *e, double *V, void *user)
{
    const bm_system *s = user;
    *V = bm_strain_energy(s, p);
    for (int i = 0; i < BM_P * s->n_node; i++) *V -= s->weight[i] * p[i];
    for (int i = 0; i < s->n_load; i++)
        for (int k = 0; k < 3; k++)
            *V -= bm_amplitude(&s->load[i], e) * s->load[i].force[k] * p[BM_P * s->load[i].node + k];
    return 0;
}

static int derivatives(double t, const double *p, const double *v, const double *a, const double *lam,
                       const resida_excitation *e, double *Phi_p, double *Phi_v, double *Phi_lam, void *user)
{
    bm_stiffness(user, p, v, e, Phi_p, Phi_v);
    return 0;
}

static int mass_matrix(double t, const double *p, const resida_excitation *e, double *M, void *user)
{
    const bm_system *s = user;
    memcpy(M, s->M, (size_t)s->M_pattern.row[BM_P * s->n_node] * sizeof *M);
    return 0;
}

/* --- setup --- */

/* Compute the shape functions at x in -1 .. 1 and their derivatives along the line. Return d(length)/dx. */
static double shape_along(const bm_system *s, const bm_element *el, double x, double *N, double *slope)
{
    double tangent[3] = {0};
    bm_shape(el->order, x, N, slope);
    for (int i = 0; i <= el->order; i++)
        for (int k = 0; k < 3; k++) tangent[k] += slope[i] * s->p0[BM_P * (el->first + i) + k];
    const double speed = mb_norm((mb_vec){tangent[0], tangent[1], tangent[2]});
    for (int i = 0; i <= el->order; i++) slope[i] /= speed;
    return speed;
}

static void prepare_points(const bm_system *s, bm_element *el)
{
    double x[BM_MAX_POINTS], weight[BM_MAX_POINTS];
    bm_gauss(el->order, x, weight);
    for (int k = 0; k < el->order; k++) {
        bm_point *point = &el->point[k];
        double strain[BM_STRAINS];
        bm_fields X;
        memset(point, 0, sizeof *point);
        point->length = weight[k] * shape_along(s, el, x[k], point->N, point->slope);
        bm_look(el, k, s->p0, X, strain);
        memcpy(point->at_rest, strain, sizeof strain);
    }
}

/* Add M of an element; the blocks of x, y, z are equal. */
static void add_mass(const bm_system *s, const bm_element *el)
{
    const double of_block[4] = {el->section.rho_A, el->section.rho_I2, el->section.rho_I1, el->section.rho_I3};
    double x[BM_MAX_POINTS], weight[BM_MAX_POINTS], N[BM_MAX_NODES], slope[BM_MAX_NODES];
    const int n = el->order + 1, used = el->section.rho_I3 > 0 ? BM_P : 9;
    bm_gauss(n, x, weight);
    for (int k = 0; k < n; k++) {
        const double length = weight[k] * shape_along(s, el, x[k], N, slope);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                for (int c = 0; c < used; c++)
                    s->M[bm_place_in_M(s, BM_P * (el->first + i) + c, BM_P * (el->first + j) + c)] +=
                        length * N[i] * N[j] * of_block[c / 3];
    }
}

static void add_lump(const bm_system *s, const bm_lump *lump)
{
    for (int c = 0; c < BM_P; c++) {
        const int at = BM_P * lump->node + c;
        s->M[bm_place_in_M(s, at, at)] += c < 3 ? lump->mass : lump->euler[c / 3 - 1];
    }
}

/* Compute s->weight = M times gravity; gravity is uniform. @return 0, or 1 if memory is exhausted */
static int weigh(bm_system *s)
{
    const int n = BM_P * s->n_node;
    double *fall = calloc((size_t)n, sizeof *fall);
    for (int i = 0; i < n && fall; i++) fall[i] = i % BM_P < 3 ? s->gravity[i % BM_P] : 0;
    for (int i = 0; i < n && fall; i++) s->weight[i] = bm_row_of_M(s, i, fall);
    const int failed = !fall;
    free(fall);
    return failed;
}

/* Set the costs of callbacks in operations, as measured: per integration point, and per entry of M. */
static void say_costs(const bm_system *s, resida_mechanism *m)
{
    const double forces = 2e3, stiffness = 3e4, entry = 1;
    int points = 0;
    for (int k = 0; k < s->n_element; k++) points += s->element[k].order;
    m->cost.mass_matrix = entry * s->M_pattern.row[BM_P * s->n_node];
    if (points == 0) return;
    m->cost.residual = forces * points, m->cost.derivatives = stiffness * points;
}

static void fill_mechanism(bm_system *s, resida_mechanism *m)
{
    int has_moment = 0;
    for (int k = 0; k < s->n_load; k++)
        for (int c = 0; c < 3; c++) has_moment |= s->load[k].moment[c] < 0 || s->load[k].moment[c] > 0;
    m->user = s, m->thread_safe = 1;
    m->n_p = m->n_v = BM_P * s->n_node, m->n_g = s->n_row;
    m->residual = residual, m->derivatives = derivatives;
    m->Phi_p_pattern = s->Phi_p_pattern, m->Phi_v_pattern = s->Phi_v_pattern;
    m->mass_matrix = mass_matrix, m->M_pattern = s->M_pattern;
    m->constraint = bm_constraint, m->constraint_matrix = bm_constraint_matrix, m->G_pattern = s->G_pattern;
    m->velocity_bias = bm_velocity_bias, m->acceleration_bias = bm_acceleration_bias;
    say_costs(s, m);
    m->potential = has_moment ? NULL : potential;
}

int bm_open(bm_system *s, resida_mechanism *m, resida_message *why)
{
    const int n = BM_P * s->n_node;
    s->n_row = BM_OWN_ROWS * s->n_node;
    for (int k = 0; k < s->n_link; k++) s->n_row += bm_link_rows(&s->link[k]);
    int failed = s->no_memory || bm_find_patterns(s);
    if (!failed) {
        s->weight = calloc((size_t)n, sizeof *s->weight);
        s->M = calloc((size_t)s->M_pattern.row[n], sizeof *s->M);
        failed = !s->weight || !s->M;
    }
    for (int k = 0; k < s->n_element && !failed; k++) {
        prepare_points(s, &s->element[k]);
        add_mass(s, &s->element[k]);
    }
    for (int k = 0; k < s->n_lump && !failed; k++) add_lump(s, &s->lump[k]);
    if (failed || weigh(s)) {
        if (why) snprintf(why->text, sizeof why->text, "no memory for %d nodes", s->n_node);
        return 1;
    }
    fill_mechanism(s, m);
    return 0;
}
