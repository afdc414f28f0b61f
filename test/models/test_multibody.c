/* test_multibody.c - the formalisms of benchmarks/multibody on random trees: moving roots against driven joints, biases
 * of closed loops against differences, threads, refusals. The residual, M, the explicit formalism and the derivatives
 * of constraints are compared by `resida check` of the built-in models, and with independent computations by
 * test/vehicles. */
#include <pthread.h>

#include "benchmarks/multibody/system/system.h"
#include "benchmarks/multibody/tree/articulated.h"
#include "benchmarks/multibody/tree/newton_euler.h"
#include "random_tree.h"

#define H           1e-5
#define DIFFERENCES 1e-6 /* h^2 and eps/h with sizes of some 10, of rates of some 100 */

enum { TREES = 20, LOOPS = 2, ROWS = 4 };

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

/* The last two bodies of one root. */
static int pick(const mb_tree *tree, int *a, int *b)
{
    for (int i = tree->n_body - 1; i > 0; i--)
        for (int j = i - 1; j >= 0; j--)
            if (tree->body[i].root == tree->body[j].root) {
                *a = j, *b = i;
                return 1;
            }
    return 0;
}

/* A rod and a ball joint between two bodies, at constant v, while driven joints move. */
CLAIM(bias_of_loops_is_the_derivative_of_the_rate_at_constant_velocity)
{
    int tried = 0;
    for (uint64_t k = 1; k <= 2 * TREES; k++) {
        world w;
        int a = 0, b = 0;
        double ahead[ROWS], behind[ROWS], bias[ROWS];
        mb_state state[TREE_MAX_BODIES];
        world_make(&w, 55 * k);
        if (w.tree.n_q == 0 || !pick(&w.tree, &a, &b)) continue;
        const mb_loop loop[LOOPS] = {{MB_LOOP_DISTANCE, {a, world_vec(&w.seed, 1)}, {b, world_vec(&w.seed, 1)}, 1.3},
                                     {MB_LOOP_POINT, {b, world_vec(&w.seed, 1)}, {a, world_vec(&w.seed, 1)}, 0}};
        assert_int_equal(mb_loops_rows(LOOPS, loop), ROWS);
        memset(w.a, 0, sizeof w.a);
        world_after(&w, 0, state), mb_loops_bias(&w.tree, LOOPS, loop, state, bias);
        world_after(&w, H, state), mb_loops_rate(LOOPS, loop, state, ahead);
        world_after(&w, -H, state), mb_loops_rate(LOOPS, loop, state, behind);
        for (int i = 0; i < ROWS; i++) bench_near(bias[i], (ahead[i] - behind[i]) / (2 * H), DIFFERENCES);
        tried++;
    }
    assert_true(tried > TREES);
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
