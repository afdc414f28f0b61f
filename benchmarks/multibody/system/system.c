/* system.c - see system.h. */
#include "system.h"

#include <stdlib.h>
#include <string.h>

#include "benchmarks/multibody/tree/articulated.h"
#include "benchmarks/multibody/tree/composite.h"
#include "benchmarks/util/model_util.h"
#include "benchmarks/multibody/tree/newton_euler.h"

int mb_system_ready(mb_system *s, resida_message *why)
{
    const int n = mb_forces_couplings(&s->forces, NULL);
    mb_coupling *coupling = bench_alloc(n, sizeof *coupling, why);
    if (!coupling) return 1;
    mb_forces_couplings(&s->forces, coupling);
    const int failed = mb_pattern_forces(&s->tree, n, coupling, &s->phi_p, why) ||
                       mb_pattern_forces(&s->tree, n, coupling, &s->phi_v, why) ||
                       mb_mass_pattern(&s->tree, s->n_driven, &s->mass, why) ||
                       mb_loops_pattern(&s->tree, s->n_loop, s->loop, &s->G, why);
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
    free(s->loop);
    mb_pattern_free(&s->mass);
    mb_pattern_free(&s->phi_p);
    mb_pattern_free(&s->phi_v);
    mb_pattern_free(&s->G);
}

void mb_system_at_rest(const mb_system *s, const resida_excitation *e, mb_root *root, mb_relation *relation)
{
    for (int i = 0; i < s->tree.n_root; i++) root[i] = (mb_root){.a = {0, 0, 9.81}};
}

/* Compute roots, states, and the sum of the forces on each body. */
static int load(const mb_system *s, const double *p, const double *v, const resida_excitation *e, const void *context,
                const mb_motion *motion, mb_root *root, mb_state *state, mb_wrench *wrench)
{
    mb_relation relation[s->n_relation + 1];
    s->move(s, e, root, relation);
    mb_place(&s->tree, p, v, motion, state);
    memset(wrench, 0, (size_t)s->tree.n_body * sizeof *wrench);
    mb_forces_add(&s->forces, relation, state, wrench);
    return s->extra ? s->extra(s, motion, state, context, wrench) : 0;
}

int mb_system_inverse(const mb_system *s, const double *p, const double *v, const double *a, const resida_excitation *e,
                      const void *context, double *r)
{
    mb_state state[s->tree.n_body];
    mb_wrench wrench[s->tree.n_body];
    mb_root root[s->tree.n_root];
    const mb_motion motion = {root, e->u, e->ud, e->udd};
    if (load(s, p, v, e, context, &motion, root, state, wrench)) return 1;
    mb_inverse_dynamics(&s->tree, &motion, state, a, wrench, r);
    return 0;
}

int mb_system_residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e,
                       double *r, void *system)
{
    return mb_system_inverse(system, p, v, a, e, NULL, r);
}

int mb_system_forward(const mb_system *s, const double *p, const double *v, const double *f, const resida_excitation *e,
                      const void *context, double *a)
{
    mb_state state[s->tree.n_body];
    mb_wrench wrench[s->tree.n_body];
    mb_root root[s->tree.n_root];
    const mb_motion motion = {root, e->u, e->ud, e->udd};
    if (load(s, p, v, e, context, &motion, root, state, wrench)) return 1;
    return mb_forward_dynamics(&s->tree, &motion, state, f, wrench, a);
}

static int acceleration(double t, const double *p, const double *v, const double *f, const resida_excitation *e,
                        double *a, void *system)
{
    return mb_system_forward(system, p, v, f, e, NULL, a);
}

/* Compute states without roots, for mass matrix and loops, which depend on relative motion only. */
static void place(const mb_system *s, const double *p, const double *v, const resida_excitation *e, mb_state *state)
{
    const mb_motion motion = {NULL, e->u, e->ud, e->udd};
    mb_place(&s->tree, p, v, &motion, state);
}

static int mass(double t, const double *p, const resida_excitation *e, double *M, void *system)
{
    const mb_system *s = system;
    mb_state state[s->tree.n_body];
    place(s, p, NULL, e, state);
    mb_mass_matrix(&s->tree, state, &s->mass, M);
    return 0;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *system)
{
    const mb_system *s = system;
    mb_state state[s->tree.n_body];
    place(s, p, NULL, e, state);
    mb_loops_position(s->n_loop, s->loop, state, g);
    return 0;
}

static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *G, void *system)
{
    const mb_system *s = system;
    mb_state state[s->tree.n_body];
    place(s, p, NULL, e, state);
    mb_loops_matrix(&s->tree, s->n_loop, s->loop, state, &s->G, G);
    return 0;
}

static int velocity_bias(double t, const double *p, const resida_excitation *e, double *gI, void *system)
{
    const mb_system *s = system;
    mb_state state[s->tree.n_body];
    place(s, p, NULL, e, state);
    mb_loops_rate(s->n_loop, s->loop, state, gI);
    return 0;
}

static int acceleration_bias(double t, const double *p, const double *v, const resida_excitation *e, double *bias,
                             void *system)
{
    const mb_system *s = system;
    mb_state state[s->tree.n_body];
    place(s, p, v, e, state);
    mb_loops_bias(&s->tree, s->n_loop, s->loop, state, bias);
    return 0;
}

void mb_system_mechanism(mb_system *s, resida_mechanism *m)
{
    m->n_p = m->n_v = s->tree.n_q;
    m->user = s;
    m->residual = mb_system_residual;
    m->acceleration = acceleration;
    m->mass_matrix = mass;
    m->M_pattern = mb_pattern_view(&s->mass);
    m->Phi_p_pattern = mb_pattern_view(&s->phi_p);
    m->Phi_v_pattern = mb_pattern_view(&s->phi_v);
    m->thread_safe = 1;
    m->n_g = mb_loops_rows(s->n_loop, s->loop);
    if (m->n_g == 0) return;
    m->constraint = constraint, m->constraint_matrix = constraint_matrix;
    m->velocity_bias = velocity_bias, m->acceleration_bias = acceleration_bias;
    m->G_pattern = mb_pattern_view(&s->G);
}

double mb_kinetic_energy(const mb_system *s, const mb_motion *motion, const mb_state *state)
{
    double twice = 0;
    for (int i = 0; i < s->tree.n_body; i++) {
        const mb_body *body = &s->tree.body[i];
        const mb_root *root = &motion->root[body->root];
        const mb_vec v = mb_add(mb_add(root->v, mb_cross(root->w, state[i].r)), state[i].v);
        const mb_vec w = mb_turning(root, &state[i]);
        twice += body->mass * mb_dot(v, v) + mb_dot(w, mb_tensor(&state[i].R, body->inertia, w));
    }
    return twice / 2;
}
