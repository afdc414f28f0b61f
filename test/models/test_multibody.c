/* test_multibody.c - the formalisms of benchmarks/multibody on random trees, each against another one or against
 * mechanics: kinematics against differences, residual = inverse of explicit, M against the residual, energy, momentum,
 * moving roots against driven joints, forces that cancel, patterns, threads.
 *
 * Differences are central with h = 1e-5 of functions that vary over lengths and times of 1: their errors, h^2 f'''/6
 * and eps f/h, are both below 1e-10; DIFFERENCES leaves a factor for the size of third derivatives. */
#include <pthread.h>

#include "benchmarks/multibody/tree/articulated.h"
#include "test/fixtures/bench_fixture.h"
#include "benchmarks/multibody/tree/composite.h"
#include "benchmarks/multibody/tree/newton_euler.h"
#include "random_tree.h"

#define H           1e-5
#define DIFFERENCES 2e-8

enum { TREES = 20 };

static void for_all_trees(void (*claim)(world *w))
{
    for (uint64_t k = 1; k <= TREES; k++) {
        world w;
        world_make(&w, 77 * k);
        if (w.tree.n_q > 0) claim(&w);
    }
}

static mb_vec slope(mb_vec ahead, mb_vec behind)
{
    return mb_scale(1 / (2 * H), mb_sub(ahead, behind));
}

/* r' = v, R' = w x R (but for the spin of rotors). */
static void velocities_match(world *w)
{
    mb_state now[TREE_MAX_BODIES], ahead[TREE_MAX_BODIES], behind[TREE_MAX_BODIES];
    world_after(w, 0, now), world_after(w, H, ahead), world_after(w, -H, behind);
    for (int i = 0; i < w->tree.n_body; i++) {
        world_near(slope(ahead[i].r, behind[i].r), now[i].v, DIFFERENCES);
        world_near(slope(ahead[i].R.x, behind[i].R.x), mb_cross(now[i].w, now[i].R.x), DIFFERENCES);
        world_near(slope(ahead[i].R.y, behind[i].R.y), mb_cross(now[i].w, now[i].R.y), DIFFERENCES);
        world_near(mb_cross(now[i].R.x, now[i].R.y), now[i].R.z, 1e-14);
    }
}

CLAIM(velocities_are_the_derivatives_of_positions)
{
    for_all_trees(velocities_match);
}

/* Momentum and moment of momentum about the origin of a root at rest, or kinetic and potential energy. */
typedef struct balance {
    mb_vec momentum, moment;
    double energy;
} balance;

static balance sum_up(const mb_tree *tree, const mb_state *state, mb_vec gravity)
{
    balance sum = {{0, 0, 0}, {0, 0, 0}, 0};
    for (int i = 0; i < tree->n_body; i++) {
        const mb_body *b = &tree->body[i];
        const mb_state *s = &state[i];
        const mb_vec turning = mb_add(s->w, s->spin), spin = mb_tensor(&s->R, b->inertia, turning);
        const mb_vec push = mb_scale(b->mass, s->v);
        sum.momentum = mb_add(sum.momentum, push);
        sum.moment = mb_add(sum.moment, mb_add(spin, mb_cross(s->r, push)));
        sum.energy += (mb_dot(s->v, push) + mb_dot(turning, spin)) / 2 - b->mass * mb_dot(gravity, s->r);
    }
    return sum;
}

/* Residuals are the power: with roots at rest and driven coordinates that stand, d(T + V)/dt = v'r + work of the
 * wrenches. */
static void energy_matches(world *w)
{
    const mb_vec gravity = {0.3, -0.7, -9.81};
    mb_state now[TREE_MAX_BODIES], ahead[TREE_MAX_BODIES], behind[TREE_MAX_BODIES];
    double r[TREE_MAX_Q], power = 0;
    memset(w->sd, 0, sizeof w->sd), memset(w->sdd, 0, sizeof w->sdd);
    for (int i = 0; i < 2; i++) w->root[i] = (mb_root){.a = mb_scale(-1, gravity)};
    for (int i = 0; i < w->tree.n_body; i++) w->tree.body[i].joint.spin = 0; /* a motor would do work */
    world_after(w, 0, now), world_after(w, H, ahead), world_after(w, -H, behind);
    mb_inverse_dynamics(&w->tree, &w->motion, now, w->a, w->wrench, r);
    for (int i = 0; i < w->tree.n_q; i++) power += r[i] * w->v[i];
    for (int i = 0; i < w->tree.n_body; i++)
        power += mb_dot(w->wrench[i].f, now[i].v) + mb_dot(w->wrench[i].m, mb_add(now[i].w, now[i].spin));
    const double rise = sum_up(&w->tree, ahead, gravity).energy - sum_up(&w->tree, behind, gravity).energy;
    bench_near(rise / (2 * H), power, 1e-6 + 1e-8 * fabs(power));
}

CLAIM(residuals_do_the_work_that_the_energy_grows_by)
{
    for_all_trees(energy_matches);
}

/* A free tree in space: a first body with six coordinates, the rest on it; nothing acts. */
CLAIM(momentum_is_conserved_in_space)
{
    for (uint64_t k = 1; k <= TREES; k++) {
        world w;
        world_make(&w, 131 * k);
        w.tree.n_body = w.tree.n_q = 0;
        int n_driven = 0, parent = MB_ROOT(0);
        for (int i = 0; i < 6; i++) {
            mb_joint joint = i == 0 ? mb_joint_free((mb_vec){0, 0, 0}) : world_joint(&w.seed, &n_driven);
            if (i == 5) joint = mb_joint_rotor((mb_vec){0.1, 0.2, 0.3}, -5);
            const mb_vec inertia = {1.2, 0.9, i == 5 ? 1.2 : 1.4};
            parent = mb_tree_add(&w.tree, parent, 1 + i, inertia, joint);
        }
        memset(w.root, 0, sizeof w.root), memset(w.wrench, 0, sizeof w.wrench), memset(w.f, 0, sizeof w.f);
        mb_state now[TREE_MAX_BODIES], ahead[TREE_MAX_BODIES], behind[TREE_MAX_BODIES];
        world_after(&w, 0, now);
        assert_int_equal(mb_forward_dynamics(&w.tree, &w.motion, now, w.f, w.wrench, w.a), 0);
        world_after(&w, H, ahead), world_after(&w, -H, behind);
        const mb_vec none = {0, 0, 0};
        const balance after = sum_up(&w.tree, ahead, none), before = sum_up(&w.tree, behind, none);
        world_near(slope(after.momentum, before.momentum), none, 1e-6);
        world_near(slope(after.moment, before.moment), none, 1e-6);
    }
}

static void inverse_matches(world *w)
{
    mb_state now[TREE_MAX_BODIES];
    double a[TREE_MAX_Q], r[TREE_MAX_Q];
    world_after(w, 0, now);
    assert_int_equal(mb_forward_dynamics(&w->tree, &w->motion, now, w->f, w->wrench, a), 0);
    mb_inverse_dynamics(&w->tree, &w->motion, now, a, w->wrench, r);
    for (int i = 0; i < w->tree.n_q; i++) bench_near(r[i], w->f[i], 1e-10);
}

CLAIM(explicit_and_residual_formalism_are_inverse)
{
    for_all_trees(inverse_matches);
}

/* Every column of M; entries outside its pattern are zero, those inside are not. */
static void mass_matches(world *w)
{
    const int n = w->tree.n_q;
    mb_state now[TREE_MAX_BODIES];
    mb_pattern pattern;
    double M[TREE_MAX_Q * TREE_MAX_Q], e[TREE_MAX_Q] = {0}, with[TREE_MAX_Q], without[TREE_MAX_Q];
    world_after(w, 0, now);
    assert_int_equal(mb_mass_pattern(&w->tree, TREE_DRIVEN, &pattern, NULL), 0);
    mb_mass_matrix(&w->tree, now, &pattern, M);
    mb_inverse_dynamics(&w->tree, &w->motion, now, e, w->wrench, without);
    for (int j = 0; j < n; j++) {
        e[j] = 1;
        mb_inverse_dynamics(&w->tree, &w->motion, now, e, w->wrench, with);
        e[j] = 0;
        for (int i = 0; i < n; i++) {
            const int at = mb_pattern_find(&pattern, i, j);
            bench_near(at < 0 ? 0 : M[at], with[i] - without[i], 1e-10);
            assert_true(at < 0 || fabs(M[at]) > 0);
        }
    }
    mb_pattern_free(&pattern);
}

CLAIM(mass_matrix_and_its_pattern_are_those_of_the_residual)
{
    for_all_trees(mass_matches);
}

/* Pattern of M of two bodies with six coordinates and a rotor, counted by hand: a body that hangs at its centre of mass
 * does not couple moving and turning with itself; nor does the rotor couple with moving bodies it turns on, nor with
 * phi of its bearer, whose axis is at right angles to its own. */
CLAIM(the_pattern_of_a_known_mass_matrix_is_exact)
{
    const mb_vec none = {0, 0, 0}, off = {0.3, 0.2, 0.1};
    mb_tree tree;
    mb_pattern pattern;
    assert_int_equal(mb_tree_open(&tree, 2, NULL), 0);
    const int body = mb_tree_add(&tree, MB_ROOT(0), 3, (mb_vec){1, 2, 2.5}, mb_joint_free(none));
    assert_int_equal(mb_mass_pattern(&tree, 0, &pattern, NULL), 0);
    assert_int_equal(pattern.row[6],
                     3 + 9 - 2); /* e_phi and e_theta are at right angles, and e_theta is a principal axis */
    mb_pattern_free(&pattern);
    mb_tree_add(&tree, body, 1, (mb_vec){0.5, 0.7, 0.5}, mb_joint_rotor(off, 3));
    assert_int_equal(mb_mass_pattern(&tree, 0, &pattern, NULL), 0);
    assert_int_equal(mb_pattern_find(&pattern, 6, MB_X), -1);
    assert_int_equal(mb_pattern_find(&pattern, 6, MB_PHI), -1);
    assert_true(mb_pattern_find(&pattern, 6, MB_THETA) >= 0 && mb_pattern_find(&pattern, MB_PSI, 6) >= 0);
    assert_int_equal(mb_pattern_find(&pattern, MB_X, MB_Y), -1);
    /* (x,y,z) diagonal, times turning full but for the zero of psi moving z, turning full, rotor with theta and psi */
    assert_int_equal(pattern.row[7], 3 + 2 * 8 + 9 + 2 * 2 + 1);
    mb_pattern_free(&pattern);
    mb_tree_close(&tree);
}

/* The same tree on a moving root, and on a massless body that six driven coordinates move just so. */
CLAIM(moving_roots_are_driven_joints)
{
    for (uint64_t k = 1; k <= TREES; k++) {
        world w;
        world_make(&w, 17 * k);
        mb_tree carried;
        assert_int_equal(mb_tree_open(&carried, TREE_MAX_BODIES, NULL), 0);
        const int first = TREE_DRIVEN - 6;
        const mb_vec none = {0, 0, 0}, gravity = {0, 0, -9.81};
        mb_tree_add(&carried, MB_ROOT(0), 0, none, mb_joint_driven(mb_joint_free(none), first));
        for (int i = 0; i < w.tree.n_body; i++) {
            mb_body *b = &w.tree.body[i];
            if (b->joint.drive >= first) b->joint.drive = 0;
            if (b->parent < 0) b->parent = MB_ROOT(0);
            b->root = 0;
            mb_tree_add(&carried, b->parent < 0 ? 0 : b->parent + 1, b->mass, b->inertia, b->joint);
        }
        mb_root rest = {.a = mb_scale(-1, gravity)};
        const mb_motion carried_motion = {&rest, w.s, w.sd, w.sdd};
        mb_state on_root[TREE_MAX_BODIES], on_frame[TREE_MAX_BODIES];
        mb_place(&carried, w.p, w.v, &carried_motion, on_frame);
        const mb_state *frame = &on_frame[0];
        w.root[0] =
            (mb_root){mb_back(&frame->R, frame->v), mb_back(&frame->R, frame->w), mb_back(&frame->R, frame->ang_bias),
                      mb_back(&frame->R, mb_sub(frame->lin_bias, gravity))};
        mb_place(&w.tree, w.p, w.v, &w.motion, on_root);
        mb_wrench turned[TREE_MAX_BODIES] = {{none, none}};
        for (int i = 0; i < w.tree.n_body; i++)
            turned[i + 1] = (mb_wrench){mb_turn(&frame->R, w.wrench[i].f), mb_turn(&frame->R, w.wrench[i].m)};
        double r[TREE_MAX_Q], r_carried[TREE_MAX_Q];
        mb_inverse_dynamics(&w.tree, &w.motion, on_root, w.a, w.wrench, r);
        mb_inverse_dynamics(&carried, &carried_motion, on_frame, w.a, turned, r_carried);
        for (int i = 0; i < w.tree.n_q; i++) bench_near(r[i], r_carried[i], 1e-10);
        mb_tree_close(&carried);
    }
}

/* One instance, two threads: the same bits as alone. */
typedef struct errand {
    const world *w;
    const mb_state *state;
    double r[TREE_MAX_Q], a[TREE_MAX_Q];
    int same;
} errand;

static void *run_errand(void *argument)
{
    errand *e = argument;
    double r[TREE_MAX_Q], a[TREE_MAX_Q];
    e->same = 1;
    for (int i = 0; i < 500; i++) {
        mb_state now[TREE_MAX_BODIES];
        world_after(e->w, 0, now);
        mb_inverse_dynamics(&e->w->tree, &e->w->motion, now, e->w->a, e->w->wrench, r);
        if (mb_forward_dynamics(&e->w->tree, &e->w->motion, now, e->w->f, e->w->wrench, a)) e->same = 0;
        const size_t bytes = (size_t)e->w->tree.n_q * sizeof *r;
        if (memcmp(r, e->r, bytes) != 0 || memcmp(a, e->a, bytes) != 0) e->same = 0;
    }
    return NULL;
}

CLAIM(two_threads_may_call_at_once)
{
    world w;
    world_make(&w, 4711);
    mb_state now[TREE_MAX_BODIES];
    errand one = {.w = &w}, two;
    world_after(&w, 0, now);
    mb_inverse_dynamics(&w.tree, &w.motion, now, w.a, w.wrench, one.r);
    assert_int_equal(mb_forward_dynamics(&w.tree, &w.motion, now, w.f, w.wrench, one.a), 0);
    two = one;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, run_errand, &two), 0);
    run_errand(&one);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(one.same && two.same);
}

CLAIM(too_large_trees_are_refused)
{
    mb_tree tree;
    resida_message why = {""};
    assert_int_equal(mb_tree_open(&tree, MB_MAX_BODIES + 1, &why), 1);
    assert_non_null(strstr(why.text, "at most"));
    mb_tree_close(&tree);
}

CLAIM(joints_at_their_singular_position_are_refused)
{
    world w;
    world_make(&w, 1);
    w.tree.n_body = w.tree.n_q = 0;
    mb_tree_add(&w.tree, MB_ROOT(0), 1, (mb_vec){1, 1, 1}, mb_joint_spherical((mb_vec){0, 0, 0}));
    memset(w.p, 0, sizeof w.p);
    w.p[0] = acos(0.0); /* theta and psi turn about one axis */
    mb_state now[TREE_MAX_BODIES];
    double M[9];
    world_after(&w, 0, now);
    world_near(now[0].ang[1], now[0].ang[2], 1e-15);
    w.tree.body[0].inertia = (mb_vec){0, 0, 0}; /* and here nothing resists at all */
    assert_int_equal(mb_forward_dynamics(&w.tree, &w.motion, now, w.f, w.wrench, M), 1);
}
