/* random_tree.c - see random_tree.h. */
#include "random_tree.h"

mb_vec world_vec(uint64_t *seed, double size)
{
    const double x = bench_random(seed), y = bench_random(seed), z = bench_random(seed);
    return (mb_vec){size * x, size * y, size * z};
}

/* Any joint; a driven one takes the next excitation. */
static mb_joint any_joint(uint64_t *seed, int *n_driven)
{
    const mb_vec from = world_vec(seed, 1), raw = mb_add(world_vec(seed, 1), (mb_vec){2, 0, 0});
    const mb_vec axis = mb_scale(1 / mb_norm(raw), raw);
    const int kind = (int)(4 + 4 * bench_random(seed));
    mb_joint j = kind == 0   ? mb_joint_fixed(from)
                 : kind == 1 ? mb_joint_revolute(from, axis)
                 : kind == 2 ? mb_joint_prismatic(from, axis)
                 : kind == 3 ? mb_joint_universal(from)
                 : kind == 4 ? mb_joint_spherical(from)
                 : kind == 5 ? mb_joint_driven(mb_joint_revolute(from, axis), (*n_driven)++)
                             : mb_joint_free(from);
    j.to = world_vec(seed, 0.5);
    return j;
}

void world_make(world *w, uint64_t seed)
{
    memset(w, 0, sizeof *w);
    w->seed = seed;
    assert_int_equal(mb_tree_open(&w->tree, TREE_MAX_BODIES, NULL), 0);
    claims_own(w->tree.body, free);
    int n_driven = 0, hub = MB_ROOT(0);
    const int bodies = (int)(5.5 + 3.5 * bench_random(&w->seed));
    for (int i = 0; i < bodies; i++) {
        const mb_vec inertia = mb_add(world_vec(&w->seed, 0.4), (mb_vec){1, 1, 1});
        const double mass = 2.5 + 2 * bench_random(&w->seed);
        mb_joint joint = any_joint(&w->seed, &n_driven);
        if (i == bodies - 1 && hub >= 0) joint = mb_joint_rotor(world_vec(&w->seed, 1), 7);
        if (joint.rotor)
            mb_tree_add(&w->tree, hub, mass, (mb_vec){inertia.x, inertia.y, inertia.x}, joint);
        else
            hub = mb_tree_add(&w->tree, bench_random(&w->seed) < 0.5 ? hub : MB_ROOT(i % 2), mass, inertia, joint);
    }
    for (int i = 0; i < w->tree.n_q; i++) {
        w->p[i] = bench_random(&w->seed), w->v[i] = bench_random(&w->seed);
        w->a[i] = bench_random(&w->seed), w->f[i] = bench_random(&w->seed);
    }
    for (int i = 0; i < TREE_DRIVEN; i++)
        w->s[i] = bench_random(&w->seed), w->sd[i] = bench_random(&w->seed), w->sdd[i] = bench_random(&w->seed);
    for (int i = 0; i < 2; i++)
        w->root[i] =
            (mb_root){world_vec(&w->seed, 1), world_vec(&w->seed, 1), world_vec(&w->seed, 1), world_vec(&w->seed, 5)};
    for (int i = 0; i < bodies; i++) w->wrench[i] = (mb_wrench){world_vec(&w->seed, 1), world_vec(&w->seed, 1)};
    w->motion = (mb_motion){w->root, w->s, w->sd, w->sdd};
}

void world_after(const world *w, double h, mb_state *state)
{
    double p[TREE_MAX_Q], v[TREE_MAX_Q], s[TREE_DRIVEN], sd[TREE_DRIVEN];
    for (int i = 0; i < w->tree.n_q; i++) {
        p[i] = w->p[i] + h * w->v[i] + h * h / 2 * w->a[i];
        v[i] = w->v[i] + h * w->a[i];
    }
    for (int i = 0; i < TREE_DRIVEN; i++) {
        s[i] = w->s[i] + h * w->sd[i] + h * h / 2 * w->sdd[i];
        sd[i] = w->sd[i] + h * w->sdd[i];
    }
    mb_place(&w->tree, p, v, &(mb_motion){w->root, s, sd, w->sdd}, state);
}

void world_near(mb_vec x, mb_vec y, double tolerance)
{
    bench_near(x.x, y.x, tolerance);
    bench_near(x.y, y.y, tolerance);
    bench_near(x.z, y.z, tolerance);
}
