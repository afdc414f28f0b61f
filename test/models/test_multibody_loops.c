/* test_multibody_loops.c - constraints of benchmarks/multibody that close loops: G, gI and the bias of the
 * accelerations against differences, on random trees with driven joints; equilibria that hang on rods. */
#include "benchmarks/multibody/system/system.h"
#include "test/fixtures/settle_under.h"
#include "benchmarks/util/model_util.h"
#include "random_tree.h"
#include "test/fixtures/solver_fixture.h"

#define H           1e-5
#define DIFFERENCES 1e-8 /* h^2 and eps/h with sizes of some 10 */

enum { TREES = 40, LOOPS = 2, MAX_ROWS = 4 };

/** A tree with a rod and a ball joint. */
typedef struct closed {
    world w;
    mb_loop loop[LOOPS];
    mb_pattern pattern;
    int rows;
} closed;

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

static void for_all_closed(void (*claim)(closed *c))
{
    int tried = 0;
    for (uint64_t k = 1; k <= TREES; k++) {
        closed c;
        int a = 0, b = 0;
        world_make(&c.w, 55 * k);
        if (c.w.tree.n_q > 0 && pick(&c.w.tree, &a, &b)) {
            c.loop[0] = (mb_loop){MB_LOOP_DISTANCE, {a, world_vec(&c.w.seed, 1)}, {b, world_vec(&c.w.seed, 1)}, 1.3};
            c.loop[1] = (mb_loop){MB_LOOP_POINT, {b, world_vec(&c.w.seed, 1)}, {a, world_vec(&c.w.seed, 1)}, 0};
            c.rows = mb_loops_rows(LOOPS, c.loop);
            assert_int_equal(c.rows, MAX_ROWS);
            assert_int_equal(mb_loops_pattern(&c.w.tree, LOOPS, c.loop, &c.pattern, NULL), 0);
            claim(&c);
            mb_pattern_free(&c.pattern);
            tried++;
        }
    }
    assert_true(tried > TREES / 2);
}

/* G in full [MAX_ROWS x n_q]. */
static void full_matrix(const closed *c, double *G)
{
    mb_state now[TREE_MAX_BODIES];
    double values[MAX_ROWS * TREE_MAX_Q];
    world_after(&c->w, 0, now);
    mb_loops_matrix(&c->w.tree, LOOPS, c->loop, now, &c->pattern, values);
    memset(G, 0, MAX_ROWS * TREE_MAX_Q * sizeof *G);
    for (int i = 0; i < c->rows; i++)
        for (int k = c->pattern.row[i]; k < c->pattern.row[i + 1]; k++)
            G[i * TREE_MAX_Q + c->pattern.col[k]] = values[k];
}

static void matrix_matches(closed *c)
{
    double G[MAX_ROWS * TREE_MAX_Q], ahead[MAX_ROWS], behind[MAX_ROWS];
    mb_state state[TREE_MAX_BODIES];
    full_matrix(c, G);
    for (int j = 0; j < c->w.tree.n_q; j++) {
        const double at = c->w.p[j];
        c->w.p[j] = at + H, world_after(&c->w, 0, state), mb_loops_position(LOOPS, c->loop, state, ahead);
        c->w.p[j] = at - H, world_after(&c->w, 0, state), mb_loops_position(LOOPS, c->loop, state, behind);
        c->w.p[j] = at;
        for (int i = 0; i < c->rows; i++)
            bench_near(G[i * TREE_MAX_Q + j], (ahead[i] - behind[i]) / (2 * H), DIFFERENCES);
    }
}

CLAIM(matrix_is_the_derivative_of_the_constraints)
{
    for_all_closed(matrix_matches);
}

/* Along the motion: g' = G v + gI, and what the rate at rest says is gI. */
static void rate_matches(closed *c)
{
    double G[MAX_ROWS * TREE_MAX_Q], ahead[MAX_ROWS], behind[MAX_ROWS], rate[MAX_ROWS], sum[MAX_ROWS];
    mb_state state[TREE_MAX_BODIES];
    full_matrix(c, G);
    world_after(&c->w, 0, state), mb_loops_rate(LOOPS, c->loop, state, rate);
    world_after(&c->w, H, state), mb_loops_position(LOOPS, c->loop, state, ahead);
    world_after(&c->w, -H, state), mb_loops_position(LOOPS, c->loop, state, behind);
    mb_place(&c->w.tree, c->w.p, NULL, &c->w.motion, state), mb_loops_rate(LOOPS, c->loop, state, sum);
    for (int i = 0; i < c->rows; i++) {
        for (int j = 0; j < c->w.tree.n_q; j++) sum[i] += G[i * TREE_MAX_Q + j] * c->w.v[j];
        bench_near(rate[i], (ahead[i] - behind[i]) / (2 * H), 10 * DIFFERENCES);
        bench_near(rate[i], sum[i], 1e-12);
    }
}

CLAIM(rate_is_that_of_the_constraints)
{
    for_all_closed(rate_matches);
}

static void bias_matches(closed *c)
{
    double ahead[MAX_ROWS], behind[MAX_ROWS], bias[MAX_ROWS];
    mb_state state[TREE_MAX_BODIES];
    memset(c->w.a, 0, sizeof c->w.a); /* v constant, driven joints go on */
    world_after(&c->w, 0, state), mb_loops_bias(&c->w.tree, LOOPS, c->loop, state, bias);
    world_after(&c->w, H, state), mb_loops_rate(LOOPS, c->loop, state, ahead);
    world_after(&c->w, -H, state), mb_loops_rate(LOOPS, c->loop, state, behind);
    for (int i = 0; i < c->rows; i++) bench_near(bias[i], (ahead[i] - behind[i]) / (2 * H), 100 * DIFFERENCES);
}

CLAIM(bias_is_the_derivative_of_the_rate_at_constant_velocity)
{
    for_all_closed(bias_matches);
}

/* A joint on both paths does not move a rod against itself. */
CLAIM(common_joints_are_left_out_of_rods)
{
    mb_tree tree;
    mb_pattern pattern;
    const mb_vec none = {0, 0, 0}, unit = {1, 1, 1};
    assert_int_equal(mb_tree_open(&tree, 3, NULL), 0);
    const int trunk = mb_tree_add(&tree, MB_ROOT(0), 1, unit, mb_joint_free(none));
    const int left = mb_tree_add(&tree, trunk, 1, unit, mb_joint_revolute(none, (mb_vec){0, 1, 0}));
    const int right = mb_tree_add(&tree, trunk, 1, unit, mb_joint_spherical(none));
    const mb_loop loop[2] = {{MB_LOOP_DISTANCE, {left, unit}, {right, none}, 1},
                             {MB_LOOP_POINT, {left, unit}, {right, none}, 0}};
    assert_int_equal(mb_loops_pattern(&tree, 2, loop, &pattern, NULL), 0);
    assert_int_equal(pattern.row[1], 4);
    assert_int_equal(pattern.row[4], 4 + 3 * 10);
    mb_pattern_free(&pattern);
    mb_tree_close(&tree);
}

/* A rod of length 1 from the root, with a weight at its end that a spring pulls along x: at rest where no force is left
 * across the rod. */
CLAIM(a_pendulum_on_a_rod_finds_its_rest)
{
    const mb_vec none = {0, 0, 0};
    mb_system s = {.move = mb_system_at_rest, .n_loop = 1, .loop = bench_alloc(1, sizeof(mb_loop), NULL)};
    s.forces = (mb_forces){.n_bushing = 1, .bushing = bench_alloc(1, sizeof(mb_bushing), NULL)};
    assert_int_equal(mb_tree_open(&s.tree, 2, NULL), 0);
    const int ground = mb_tree_add(&s.tree, MB_ROOT(0), 0, none, mb_joint_fixed(none));
    mb_joint slide = mb_joint_fixed((mb_vec){0, 0, -1});
    slide.mode[MB_X] = slide.mode[MB_Z] = MB_FREE;
    const int bob = mb_tree_add(&s.tree, ground, 2, none, slide);
    s.loop[0] = (mb_loop){MB_LOOP_DISTANCE, {ground, none}, {bob, none}, 1};
    s.forces.bushing[0] = (mb_bushing){.a = {ground, none},
                                       .b = {bob, none},
                                       .relation = -1,
                                       .K = {10, 0, 0},
                                       .F0 = {-2 * 9.81 - 10 * sqrt(0.5), 0, 0}};
    assert_int_equal(mb_system_ready(&s, NULL), 0);
    resida_mechanism m = test_mechanism();
    double p[2] = {0.3, 0.1};
    mb_system_mechanism(&s, &m);
    settle_under(&m, NULL, 1, p, NULL);
    bench_near(p[0], sqrt(0.5), 1e-14); /* weight and spring are equal: 45 degrees */
    bench_near(p[1], 1 - sqrt(0.5), 1e-14);
    mb_system_free(&s);
}
