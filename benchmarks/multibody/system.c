/* system.c - see system.h. */
#include "system.h"

#include <stdlib.h>
#include <string.h>

#include "articulated.h"
#include "composite.h"
#include "model_util.h"
#include "newton_euler.h"

int mb_system_ready(mb_system *s, resida_message *why)
{
    const int n = mb_forces_couplings(&s->forces, NULL);
    mb_coupling *coupling = bench_alloc(n, sizeof *coupling, why);
    if (!coupling) return 1;
    mb_forces_couplings(&s->forces, coupling);
    const int failed = mb_pattern_forces(&s->tree, n, coupling, &s->phi_p, why) ||
                       mb_pattern_forces(&s->tree, n, coupling, &s->phi_v, why) ||
                       mb_mass_pattern(&s->tree, s->n_driven, &s->mass, why);
    free(coupling);
    return failed;
}

void mb_system_free(mb_system *s)
{
    mb_tree_close(&s->tree);
    free(s->forces.axial);
    free(s->forces.bushing);
    free(s->forces.torsion);
    free(s->forces.stabiliser);
    mb_pattern_free(&s->mass);
    mb_pattern_free(&s->phi_p);
    mb_pattern_free(&s->phi_v);
}

void mb_system_mechanism(mb_system *s, resida_mechanism *m)
{
    m->n_p = m->n_v = s->tree.n_q;
    m->user = s;
    m->residual = mb_system_residual;
    m->acceleration = mb_system_acceleration;
    m->mass_matrix = mb_system_mass;
    m->M_pattern = mb_pattern_view(&s->mass);
    m->Phi_p_pattern = mb_pattern_view(&s->phi_p);
    m->Phi_v_pattern = mb_pattern_view(&s->phi_v);
    m->thread_safe = 1;
}

void mb_system_at_rest(const mb_system *s, const resida_excitation *e, mb_root *root, mb_relation *relation)
{
    (void)e, (void)relation;
    for (int i = 0; i < s->tree.n_root; i++) root[i] = (mb_root){.a = {0, 0, 9.81}};
}

/* Sum up the forces on all bodies. */
static int load(const mb_system *s, const mb_motion *motion, const mb_relation *relation, const mb_state *state,
                void *context, mb_wrench *wrench)
{
    memset(wrench, 0, (size_t)s->tree.n_body * sizeof *wrench);
    mb_forces_add(&s->forces, relation, state, wrench);
    return s->extra ? s->extra(s, motion, state, context, wrench) : 0;
}

int mb_system_inverse(const mb_system *s, const double *p, const double *v, const double *a, const resida_excitation *e,
                      void *context, double *r)
{
    mb_state state[s->tree.n_body];
    mb_wrench wrench[s->tree.n_body];
    mb_root root[s->tree.n_root];
    mb_relation relation[s->n_relation + 1];
    const mb_motion motion = {root, e->u, e->ud, e->udd};
    s->move(s, e, root, relation);
    mb_place(&s->tree, p, v, &motion, state);
    if (load(s, &motion, relation, state, context, wrench)) return 1;
    mb_inverse_dynamics(&s->tree, &motion, state, a, wrench, r);
    return 0;
}

int mb_system_residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                       double *r, void *system)
{
    (void)t;
    return mb_system_inverse(system, p, v, a, e, NULL, r);
}

int mb_system_acceleration(double t, const double *p, const double *v, const double *f, const resida_excitation *e,
                           double *a, void *system)
{
    (void)t;
    const mb_system *s = system;
    mb_state state[s->tree.n_body];
    mb_wrench wrench[s->tree.n_body];
    mb_root root[s->tree.n_root];
    mb_relation relation[s->n_relation + 1];
    const mb_motion motion = {root, e->u, e->ud, e->udd};
    s->move(s, e, root, relation);
    mb_place(&s->tree, p, v, &motion, state);
    if (load(s, &motion, relation, state, NULL, wrench)) return 1;
    return mb_forward_dynamics(&s->tree, &motion, state, f, wrench, a);
}

int mb_system_mass(double t, const double *p, const resida_excitation *e, double *M, void *system)
{
    (void)t;
    const mb_system *s = system;
    mb_state state[s->tree.n_body];
    const mb_motion motion = {NULL, e->u, e->ud, e->udd};
    mb_place(&s->tree, p, NULL, &motion, state);
    mb_mass_matrix(&s->tree, state, &s->mass, M);
    return 0;
}
