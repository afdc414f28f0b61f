/* random_tree.h - random trees of benchmarks/multibody at random states, for the tests. Every failure ends the test. */
#ifndef RESIDA_TEST_RANDOM_TREE_H
#define RESIDA_TEST_RANDOM_TREE_H

#include "test/fixtures/bench_fixture.h"
#include "benchmarks/multibody/tree/tree.h"

enum { TREE_MAX_Q = 64, TREE_MAX_BODIES = 12, TREE_DRIVEN = 12 };

/** A tree at a state; driven coordinates and roots at fixed values. */
typedef struct world {
    uint64_t seed;
    mb_tree tree;
    double p[TREE_MAX_Q], v[TREE_MAX_Q], a[TREE_MAX_Q], f[TREE_MAX_Q];
    double s[TREE_DRIVEN], sd[TREE_DRIVEN], sdd[TREE_DRIVEN];
    mb_root root[2];
    mb_motion motion;
    mb_wrench wrench[TREE_MAX_BODIES];
} world;

/** 2 to 9 bodies with masses from 0.5 to 4.5 on all kinds of joints, some driven, the last one often a rotor, on one
 *  root or two. It is freed with the claim. */
void world_make(world *w, uint64_t seed);

/** The bodies after the time h: p, v and the driven coordinates move on with a and sdd, roots stand. */
void world_after(const world *w, double h, mb_state *state);

/** Components within `size`. */
mb_vec world_vec(uint64_t *seed, double size);

/** Every component near that of the other. */
void world_near(mb_vec x, mb_vec y, double tolerance);

#endif
