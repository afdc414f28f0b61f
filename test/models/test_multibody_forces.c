/* test_multibody_forces.c - force elements of benchmarks/multibody: forces cancel, and dampers do not feel a common
 * turn. Their laws are compared with independent computations by test/vehicles. */
#include "test/fixtures/bench_fixture.h"
#include "benchmarks/util/model_util.h"
#include "benchmarks/multibody/system/system.h"
#include "test/fixtures/oracle.h"
#include "sample_strut.h"

enum { BODIES = 4, N_Q = 6 * BODIES, TRIALS = 20 };

static mb_vec random_vec(uint64_t *seed, double size)
{
    const double x = bench_random(seed), y = bench_random(seed), z = bench_random(seed);
    return (mb_vec){size * x, size * y, size * z};
}

/** Free bodies with one element of each kind. */
typedef struct rig {
    mb_system system;
    uint64_t seed;
    double p[N_Q], v[N_Q], u[6], ud[6], udd[6];
    mb_state state[BODIES + 2];
    mb_wrench wrench[BODIES + 2];
} rig;

static mb_place_on somewhere(rig *r, int body)
{
    return (mb_place_on){body, random_vec(&r->seed, 0.5)};
}

static void add_elements(rig *r)
{
    mb_forces *f = &r->system.forces;
    f->axial = bench_alloc(2, sizeof *f->axial, NULL);
    f->bushing = bench_alloc(2, sizeof *f->bushing, NULL);
    f->torsion = bench_alloc(1, sizeof *f->torsion, NULL);
    f->stabiliser = bench_alloc(1, sizeof *f->stabiliser, NULL);
    f->n_axial = 2, f->n_bushing = 2, f->n_torsion = 1, f->n_stabiliser = 1;
    f->axial[0] = (mb_axial){somewhere(r, 0), somewhere(r, 1), .L0 = 1, .k = 50, .c = 3, .tension = mb_link_tension};
    f->axial[1] = sample_strut();
    f->axial[1].a = somewhere(r, 2), f->axial[1].b = somewhere(r, 1);
    f->axial[1].bump = f->axial[1].droop = 5; /* bodies are anywhere */
    f->bushing[0] = (mb_bushing){somewhere(r, 0), somewhere(r, 2), -1, {30, 40, 50}, {1, 2, 3}, {5, 6, 7}, .at_b = 1};
    f->bushing[1] = (mb_bushing){.a = somewhere(r, 1),
                                 .b = somewhere(r, 3),
                                 .relation = -1,
                                 .K = {30, 40, 50},
                                 .C = {1, 2, 3},
                                 .F0 = {1, 1, 1},
                                 .at_b = 1,
                                 .gap = 0.1,
                                 .k = 100,
                                 .e0 = 0.05,
                                 .lateral = mb_lateral_stop};
    f->torsion[0] = (mb_torsion){0, 3, -1, {3, 4, 5}};
    f->stabiliser[0] = (mb_stabiliser){2, somewhere(r, 0), somewhere(r, 3), 11};
}

static void move_state(rig *r)
{
    for (int i = 0; i < N_Q; i++) r->p[i] = bench_random(&r->seed), r->v[i] = bench_random(&r->seed);
}

static void open_rig(rig *r, uint64_t seed)
{
    memset(r, 0, sizeof *r);
    r->seed = seed;
    assert_int_equal(mb_tree_open(&r->system.tree, BODIES + 1, NULL), 0);
    for (int i = 0; i < BODIES; i++)
        mb_tree_add(&r->system.tree, MB_ROOT(0), 1 + i, (mb_vec){1, 2, 1.5}, mb_joint_free(random_vec(&r->seed, 1)));
    add_elements(r);
    r->system.move = mb_system_at_rest;
    assert_int_equal(mb_system_ready(&r->system, NULL), 0);
    move_state(r);
}

static void load(rig *r)
{
    const mb_motion motion = {NULL, r->u, r->ud, r->udd};
    mb_place(&r->system.tree, r->p, r->v, &motion, r->state);
    memset(r->wrench, 0, sizeof r->wrench);
    mb_forces_add(&r->system.forces, NULL, r->state, r->wrench);
}

static void near_vec(mb_vec x, mb_vec y, double tolerance)
{
    bench_near(x.x, y.x, tolerance);
    bench_near(x.y, y.y, tolerance);
    bench_near(x.z, y.z, tolerance);
}

CLAIM(inner_forces_cancel)
{
    rig r;
    open_rig(&r, 5);
    for (int trial = 0; trial < TRIALS; trial++) {
        move_state(&r);
        load(&r);
        mb_vec force = {0, 0, 0}, moment = force;
        double size = 0;
        for (int i = 0; i < BODIES; i++) {
            force = mb_add(force, r.wrench[i].f);
            moment = mb_add(moment, mb_add(r.wrench[i].m, mb_cross(r.state[i].r, r.wrench[i].f)));
            size += mb_norm(r.wrench[i].f) + mb_norm(r.wrench[i].m);
        }
        assert_true(size > 10);
        near_vec(force, (mb_vec){0, 0, 0}, 1e-14 * size);
        near_vec(moment, (mb_vec){0, 0, 0}, 1e-13 * size);
    }
    mb_system_free(&r.system);
}

/* Rates at which all bodies turn together about the origin. */
static void turn_together(rig *r, mb_vec w)
{
    for (int i = 0; i < BODIES; i++) {
        const mb_state *s = &r->state[i];
        const mb_vec v = mb_cross(w, s->r), *e = s->ang + 3;
        const long double A[9] = {e[0].x, e[1].x, e[2].x, e[0].y, e[1].y, e[2].y, e[0].z, e[1].z, e[2].z};
        const long double turn[3] = {w.x, w.y, w.z};
        long double rates[3];
        assert_int_equal(oracle_solve(3, A, turn, rates), 1);
        const double all[6] = {v.x, v.y, v.z, (double)rates[0], (double)rates[1], (double)rates[2]};
        memcpy(r->v + 6 * i, all, sizeof all);
    }
}

CLAIM(dampers_do_not_feel_a_common_turn)
{
    rig r;
    open_rig(&r, 10);
    memset(r.v, 0, sizeof r.v);
    load(&r);
    mb_wrench before[BODIES];
    memcpy(before, r.wrench, sizeof before);
    turn_together(&r, (mb_vec){0.7, -0.4, 0.9});
    load(&r);
    near_vec(r.state[2].w, (mb_vec){0.7, -0.4, 0.9}, 1e-13);
    for (int i = 0; i < BODIES; i++) {
        near_vec(before[i].f, r.wrench[i].f, 1e-11);
        near_vec(before[i].m, r.wrench[i].m, 1e-11);
    }
    mb_system_free(&r.system);
}
