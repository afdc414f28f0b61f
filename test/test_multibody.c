/* test_multibody.c - the formalisms of benchmarks/multibody on random trees, each against another one or against mechanics:
 * kinematics against differences, residual = inverse of explicit, M against the residual, energy, momentum, moving roots
 * against driven joints, forces that cancel, patterns, threads.
 *
 * Differences are central with h = 1e-5 of functions that vary over lengths and times of 1: their errors, h^2 f'''/6 and
 * eps f/h, are both below 1e-10; DIFFERENCES leaves a factor for the size of third derivatives. */
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "articulated.h"
#include "bench_fixture.h"
#include "composite.h"
#include "newton.h"
#include "newton_euler.h"
#include "system.h"

#define H           1e-5
#define DIFFERENCES 2e-8

enum { MOST_Q = 64, MOST_BODIES_HERE = 12, TREES = 20, DRIVEN = 12 };

/** A tree at a state; driven coordinates and roots at fixed values. */
typedef struct world {
    uint64_t seed;
    mb_tree tree;
    double p[MOST_Q], v[MOST_Q], a[MOST_Q], f[MOST_Q];
    double s[DRIVEN], sd[DRIVEN], sdd[DRIVEN];
    mb_root root[2];
    mb_motion motion;
    mb_wrench wrench[MOST_BODIES_HERE];
} world;

static mb_vec random_vec(uint64_t *seed, double size)
{
    const double x = bench_random(seed), y = bench_random(seed), z = bench_random(seed);
    return (mb_vec){size * x, size * y, size * z};
}

static mb_joint random_joint(uint64_t *seed, int *n_driven)
{
    const mb_vec from = random_vec(seed, 1), raw = mb_add(random_vec(seed, 1), (mb_vec){2, 0, 0});
    const mb_vec axis = mb_scale(1 / mb_norm(raw), raw);
    const int kind = (int)(4 + 4 * bench_random(seed));
    mb_joint j = kind == 0   ? mb_joint_fixed(from)
                 : kind == 1 ? mb_joint_revolute(from, axis)
                 : kind == 2 ? mb_joint_prismatic(from, axis)
                 : kind == 3 ? mb_joint_universal(from)
                 : kind == 4 ? mb_joint_spherical(from)
                 : kind == 5 ? mb_joint_driven(mb_joint_revolute(from, axis), (*n_driven)++)
                             : mb_joint_free(from);
    j.to = random_vec(seed, 0.5);
    return j;
}

/* 2 to 10 bodies with masses from 0.5 to 4.5, some of them rotors, on one root or two. */
static void make_world(world *w, uint64_t seed)
{
    memset(w, 0, sizeof *w);
    w->seed = seed;
    assert_int_equal(mb_tree_open(&w->tree, MOST_BODIES_HERE, NULL), 0);
    int n_driven = 0, hub = MB_ROOT(0);
    const int bodies = (int)(5.5 + 3.5 * bench_random(&w->seed));
    for (int i = 0; i < bodies; i++) {
        const mb_vec inertia = mb_add(random_vec(&w->seed, 0.4), (mb_vec){1, 1, 1});
        const double mass = 2.5 + 2 * bench_random(&w->seed);
        mb_joint joint = random_joint(&w->seed, &n_driven);
        if (i == bodies - 1 && hub >= 0) joint = mb_joint_rotor(random_vec(&w->seed, 1), 7);
        if (joint.rotor)
            mb_tree_add(&w->tree, hub, mass, (mb_vec){inertia.x, inertia.y, inertia.x}, joint);
        else
            hub = mb_tree_add(&w->tree, bench_random(&w->seed) < 0.5 ? hub : MB_ROOT(i % 2), mass, inertia, joint);
    }
    for (int i = 0; i < w->tree.n_q; i++) {
        w->p[i] = bench_random(&w->seed), w->v[i] = bench_random(&w->seed);
        w->a[i] = bench_random(&w->seed), w->f[i] = bench_random(&w->seed);
    }
    for (int i = 0; i < DRIVEN; i++) {
        w->s[i] = bench_random(&w->seed), w->sd[i] = bench_random(&w->seed), w->sdd[i] = bench_random(&w->seed);
    }
    for (int i = 0; i < 2; i++)
        w->root[i] = (mb_root){random_vec(&w->seed, 1), random_vec(&w->seed, 1), random_vec(&w->seed, 1),
                               random_vec(&w->seed, 5)};
    for (int i = 0; i < bodies; i++) w->wrench[i] = (mb_wrench){random_vec(&w->seed, 1), random_vec(&w->seed, 1)};
    w->motion = (mb_motion){w->root, w->s, w->sd, w->sdd};
}

static void for_all_trees(void (*claim)(world *w))
{
    for (uint64_t k = 1; k <= TREES; k++) {
        world w;
        make_world(&w, 77 * k);
        if (w.tree.n_q > 0) claim(&w);
        mb_tree_close(&w.tree);
    }
}

/* The state after the time h: p, v and the driven coordinates move on, roots stand. */
static void state_after(const world *w, double h, mb_state *state)
{
    double p[MOST_Q], v[MOST_Q], s[DRIVEN], sd[DRIVEN];
    for (int i = 0; i < w->tree.n_q; i++) {
        p[i] = w->p[i] + h * w->v[i] + h * h / 2 * w->a[i];
        v[i] = w->v[i] + h * w->a[i];
    }
    for (int i = 0; i < DRIVEN; i++) {
        s[i] = w->s[i] + h * w->sd[i] + h * h / 2 * w->sdd[i];
        sd[i] = w->sd[i] + h * w->sdd[i];
    }
    mb_place(&w->tree, p, v, &(mb_motion){w->root, s, sd, w->sdd}, state);
}

static void near_vec(mb_vec x, mb_vec y, double tolerance)
{
    bench_near(x.x, y.x, tolerance);
    bench_near(x.y, y.y, tolerance);
    bench_near(x.z, y.z, tolerance);
}

static mb_vec slope(mb_vec ahead, mb_vec behind)
{
    return mb_scale(1 / (2 * H), mb_sub(ahead, behind));
}

/* r' = v, R' = w x R (but for the spin of rotors). */
static void velocities_match(world *w)
{
    mb_state now[MOST_BODIES_HERE], ahead[MOST_BODIES_HERE], behind[MOST_BODIES_HERE];
    state_after(w, 0, now), state_after(w, H, ahead), state_after(w, -H, behind);
    for (int i = 0; i < w->tree.n_body; i++) {
        near_vec(slope(ahead[i].r, behind[i].r), now[i].v, DIFFERENCES);
        near_vec(slope(ahead[i].R.x, behind[i].R.x), mb_cross(now[i].w, now[i].R.x), DIFFERENCES);
        near_vec(slope(ahead[i].R.y, behind[i].R.y), mb_cross(now[i].w, now[i].R.y), DIFFERENCES);
        near_vec(mb_cross(now[i].R.x, now[i].R.y), now[i].R.z, 1e-14);
    }
}

static void velocities_are_the_derivatives_of_positions(void **state)
{
    (void)state;
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

/* Residuals are the power: with roots at rest and driven coordinates that stand, d(T + V)/dt = v'r + work of the wrenches. */
static void energy_matches(world *w)
{
    const mb_vec gravity = {0.3, -0.7, -9.81};
    mb_state now[MOST_BODIES_HERE], ahead[MOST_BODIES_HERE], behind[MOST_BODIES_HERE];
    double r[MOST_Q], power = 0;
    memset(w->sd, 0, sizeof w->sd), memset(w->sdd, 0, sizeof w->sdd);
    for (int i = 0; i < 2; i++) w->root[i] = (mb_root){.a = mb_scale(-1, gravity)};
    for (int i = 0; i < w->tree.n_body; i++) w->tree.body[i].joint.spin = 0; /* a motor would do work */
    state_after(w, 0, now), state_after(w, H, ahead), state_after(w, -H, behind);
    mb_inverse_dynamics(&w->tree, &w->motion, now, w->a, w->wrench, r);
    for (int i = 0; i < w->tree.n_q; i++) power += r[i] * w->v[i];
    for (int i = 0; i < w->tree.n_body; i++)
        power += mb_dot(w->wrench[i].f, now[i].v) + mb_dot(w->wrench[i].m, mb_add(now[i].w, now[i].spin));
    const double rise = sum_up(&w->tree, ahead, gravity).energy - sum_up(&w->tree, behind, gravity).energy;
    bench_near(rise / (2 * H), power, 1e-6 + 1e-8 * fabs(power));
}

static void residuals_do_the_work_that_the_energy_grows_by(void **state)
{
    (void)state;
    for_all_trees(energy_matches);
}

/* A free tree in space: a first body with six coordinates, the rest on it; nothing acts. */
static void momentum_is_conserved_in_space(void **state)
{
    (void)state;
    for (uint64_t k = 1; k <= TREES; k++) {
        world w;
        make_world(&w, 131 * k);
        w.tree.n_body = w.tree.n_q = 0;
        int n_driven = 0, parent = MB_ROOT(0);
        for (int i = 0; i < 6; i++) {
            mb_joint joint = i == 0 ? mb_joint_free((mb_vec){0, 0, 0}) : random_joint(&w.seed, &n_driven);
            if (i == 5) joint = mb_joint_rotor((mb_vec){0.1, 0.2, 0.3}, -5);
            const mb_vec inertia = {1.2, 0.9, i == 5 ? 1.2 : 1.4};
            parent = mb_tree_add(&w.tree, parent, 1 + i, inertia, joint);
        }
        memset(w.root, 0, sizeof w.root), memset(w.wrench, 0, sizeof w.wrench), memset(w.f, 0, sizeof w.f);
        mb_state now[MOST_BODIES_HERE], ahead[MOST_BODIES_HERE], behind[MOST_BODIES_HERE];
        state_after(&w, 0, now);
        assert_int_equal(mb_forward_dynamics(&w.tree, &w.motion, now, w.f, w.wrench, w.a), 0);
        state_after(&w, H, ahead), state_after(&w, -H, behind);
        const mb_vec none = {0, 0, 0};
        const balance after = sum_up(&w.tree, ahead, none), before = sum_up(&w.tree, behind, none);
        near_vec(slope(after.momentum, before.momentum), none, 1e-6);
        near_vec(slope(after.moment, before.moment), none, 1e-6);
        mb_tree_close(&w.tree);
    }
}

static void inverse_matches(world *w)
{
    mb_state now[MOST_BODIES_HERE];
    double a[MOST_Q], r[MOST_Q];
    state_after(w, 0, now);
    assert_int_equal(mb_forward_dynamics(&w->tree, &w->motion, now, w->f, w->wrench, a), 0);
    mb_inverse_dynamics(&w->tree, &w->motion, now, a, w->wrench, r);
    for (int i = 0; i < w->tree.n_q; i++) bench_near(r[i], w->f[i], 1e-10);
}

static void explicit_and_residual_formalism_are_inverse(void **state)
{
    (void)state;
    for_all_trees(inverse_matches);
}

/* Every column of M; entries outside its pattern are zero, those inside are not. */
static void mass_matches(world *w)
{
    const int n = w->tree.n_q;
    mb_state now[MOST_BODIES_HERE];
    mb_pattern pattern;
    double M[MOST_Q * MOST_Q], e[MOST_Q] = {0}, with[MOST_Q], without[MOST_Q];
    state_after(w, 0, now);
    assert_int_equal(mb_mass_pattern(&w->tree, DRIVEN, &pattern, NULL), 0);
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

static void mass_matrix_and_its_pattern_are_those_of_the_residual(void **state)
{
    (void)state;
    for_all_trees(mass_matches);
}

/* Pattern of M of two bodies with six coordinates and a rotor, counted by hand: a body that hangs at its centre of mass
 * does not couple moving and turning with itself; nor does the rotor couple with moving bodies it turns on, nor with
 * phi of its bearer, whose axis is at right angles to its own. */
static void the_pattern_of_a_known_mass_matrix_is_exact(void **state)
{
    (void)state;
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
static void moving_roots_are_driven_joints(void **state)
{
    (void)state;
    for (uint64_t k = 1; k <= TREES; k++) {
        world w;
        make_world(&w, 17 * k);
        mb_tree carried;
        assert_int_equal(mb_tree_open(&carried, MOST_BODIES_HERE, NULL), 0);
        const int first = DRIVEN - 6;
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
        mb_state on_root[MOST_BODIES_HERE], on_frame[MOST_BODIES_HERE];
        mb_place(&carried, w.p, w.v, &carried_motion, on_frame);
        const mb_state *frame = &on_frame[0];
        w.root[0] =
            (mb_root){mb_back(&frame->R, frame->v), mb_back(&frame->R, frame->w), mb_back(&frame->R, frame->ang_bias),
                      mb_back(&frame->R, mb_sub(frame->lin_bias, gravity))};
        mb_place(&w.tree, w.p, w.v, &w.motion, on_root);
        mb_wrench turned[MOST_BODIES_HERE] = {{none, none}};
        for (int i = 0; i < w.tree.n_body; i++)
            turned[i + 1] = (mb_wrench){mb_turn(&frame->R, w.wrench[i].f), mb_turn(&frame->R, w.wrench[i].m)};
        double r[MOST_Q], r_carried[MOST_Q];
        mb_inverse_dynamics(&w.tree, &w.motion, on_root, w.a, w.wrench, r);
        mb_inverse_dynamics(&carried, &carried_motion, on_frame, w.a, turned, r_carried);
        for (int i = 0; i < w.tree.n_q; i++) bench_near(r[i], r_carried[i], 1e-10);
        mb_tree_close(&carried);
        mb_tree_close(&w.tree);
    }
}

/* One instance, two threads: the same bits as alone. */
typedef struct errand {
    const world *w;
    const mb_state *state;
    double r[MOST_Q], a[MOST_Q];
    int same;
} errand;

static void *run_errand(void *argument)
{
    errand *e = argument;
    double r[MOST_Q], a[MOST_Q];
    e->same = 1;
    for (int i = 0; i < 500; i++) {
        mb_state now[MOST_BODIES_HERE];
        state_after(e->w, 0, now);
        mb_inverse_dynamics(&e->w->tree, &e->w->motion, now, e->w->a, e->w->wrench, r);
        if (mb_forward_dynamics(&e->w->tree, &e->w->motion, now, e->w->f, e->w->wrench, a)) e->same = 0;
        const size_t bytes = (size_t)e->w->tree.n_q * sizeof *r;
        if (memcmp(r, e->r, bytes) != 0 || memcmp(a, e->a, bytes) != 0) e->same = 0;
    }
    return NULL;
}

static void two_threads_may_call_at_once(void **state)
{
    (void)state;
    world w;
    make_world(&w, 4711);
    mb_state now[MOST_BODIES_HERE];
    errand one = {.w = &w}, two;
    state_after(&w, 0, now);
    mb_inverse_dynamics(&w.tree, &w.motion, now, w.a, w.wrench, one.r);
    assert_int_equal(mb_forward_dynamics(&w.tree, &w.motion, now, w.f, w.wrench, one.a), 0);
    two = one;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, run_errand, &two), 0);
    run_errand(&one);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(one.same && two.same);
    mb_tree_close(&w.tree);
}

static void joints_at_their_singular_position_are_refused(void **state)
{
    (void)state;
    world w;
    make_world(&w, 1);
    w.tree.n_body = w.tree.n_q = 0;
    mb_tree_add(&w.tree, MB_ROOT(0), 1, (mb_vec){1, 1, 1}, mb_joint_spherical((mb_vec){0, 0, 0}));
    memset(w.p, 0, sizeof w.p);
    w.p[0] = acos(0.0); /* theta and psi turn about one axis */
    mb_state now[MOST_BODIES_HERE];
    double M[9];
    state_after(&w, 0, now);
    near_vec(now[0].ang[1], now[0].ang[2], 1e-15);
    w.tree.body[0].inertia = (mb_vec){0, 0, 0}; /* and here nothing resists at all */
    assert_int_equal(mb_forward_dynamics(&w.tree, &w.motion, now, w.f, w.wrench, M), 1);
    mb_tree_close(&w.tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_are_the_derivatives_of_positions),
        cmocka_unit_test(residuals_do_the_work_that_the_energy_grows_by),
        cmocka_unit_test(momentum_is_conserved_in_space),
        cmocka_unit_test(explicit_and_residual_formalism_are_inverse),
        cmocka_unit_test(mass_matrix_and_its_pattern_are_those_of_the_residual),
        cmocka_unit_test(the_pattern_of_a_known_mass_matrix_is_exact),
        cmocka_unit_test(moving_roots_are_driven_joints),
        cmocka_unit_test(two_threads_may_call_at_once),
        cmocka_unit_test(joints_at_their_singular_position_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
