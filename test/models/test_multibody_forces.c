/* test_multibody_forces.c - force elements, patterns and Newton's method of benchmarks/multibody: forces cancel,
 * springs do the work that their energy loses, elements across two roots are those within one, no dependence leaves its
 * pattern. */
#include "test/fixtures/bench_fixture.h"
#include "benchmarks/util/model_util.h"
#include "benchmarks/multibody/system/smooth.h"
#include "benchmarks/multibody/system/system.h"
#include "benchmarks/util/settle.h"
#include "test/fixtures/oracle.h"
#include "test/fixtures/settle_under.h"
#include "sample_strut.h"

enum { BODIES = 4, N_Q = 6 * BODIES, TRIALS = 20 };

static double link_at(const mb_axial *x, double e, double ed)
{
    return x->tension(x, e, ed);
}

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

/* Moving all bodies together leaves the forces as they are. */
CLAIM(forces_depend_on_relative_positions_alone)
{
    rig r;
    open_rig(&r, 6);
    load(&r);
    mb_wrench before[BODIES];
    memcpy(before, r.wrench, sizeof before);
    for (int i = 0; i < BODIES; i++)
        for (int k = 0; k < 3; k++) r.p[6 * i + k] += 0.25 * (k + 1), r.v[6 * i + k] += 2.0 * (k + 1);
    load(&r);
    for (int i = 0; i < BODIES; i++) {
        near_vec(before[i].f, r.wrench[i].f, 1e-12);
        near_vec(before[i].m, r.wrench[i].m, 1e-12);
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

/* Energy of the link, of the first bushing, which lies along the axes of its body, and of the bar. */
static double stored(const rig *r)
{
    const mb_forces *f = &r->system.forces;
    const mb_point a = mb_point_of(&r->state[f->axial[0].a.body], f->axial[0].a.at);
    const mb_point b = mb_point_of(&r->state[f->axial[0].b.body], f->axial[0].b.at);
    const double e = mb_norm(mb_sub(b.r, a.r)) - f->axial[0].L0;
    const mb_bushing *x = &f->bushing[0];
    const mb_vec way =
        mb_sub(mb_point_of(&r->state[x->b.body], x->b.at).r, mb_point_of(&r->state[x->a.body], x->a.at).r);
    const mb_vec dx = mb_back(&r->state[x->a.body].R, way);
    const mb_stabiliser *y = &f->stabiliser[0];
    const mb_vec across = mb_sub(mb_point_of(&r->state[y->left.body], y->left.at).r,
                                 mb_point_of(&r->state[y->right.body], y->right.at).r);
    const double lift = mb_dot(r->state[y->base].R.z, across);
    return f->axial[0].k * e * e / 2 + mb_dot(mb_each(x->K, dx), dx) / 2 + mb_dot(x->F0, dx) + y->k * lift * lift / 2;
}

/* Elements without dampers do the work that the stored energy loses. */
CLAIM(springs_do_the_work_of_their_energy)
{
    const double h = 1e-6;
    rig r;
    open_rig(&r, 7);
    mb_forces *f = &r.system.forces;
    f->n_axial = f->n_bushing = 1, f->n_torsion = 0;
    f->axial[0].c = 0, f->bushing[0].C = (mb_vec){0, 0, 0};
    for (int trial = 0; trial < TRIALS; trial++) {
        double before[N_Q], change = 0, power = 0;
        move_state(&r);
        load(&r);
        for (int i = 0; i < BODIES; i++)
            power += mb_dot(r.wrench[i].f, r.state[i].v) + mb_dot(r.wrench[i].m, r.state[i].w);
        memcpy(before, r.p, sizeof before);
        for (int way = -1; way <= 1; way += 2) {
            for (int i = 0; i < N_Q; i++) r.p[i] = before[i] + way * h * r.v[i];
            load(&r);
            change += way * stored(&r) / (2 * h);
        }
        bench_near(change, -power, 1e-7 * (1 + fabs(power)));
    }
    mb_system_free(&r.system);
}

CLAIM(dampers_take_energy)
{
    rig r;
    open_rig(&r, 8);
    for (int trial = 0; trial < TRIALS; trial++) {
        double with = 0, without = 0;
        move_state(&r);
        load(&r);
        for (int i = 0; i < BODIES; i++)
            with += mb_dot(r.wrench[i].f, r.state[i].v) + mb_dot(r.wrench[i].m, r.state[i].w);
        mb_state moving[BODIES];
        memcpy(moving, r.state, sizeof moving);
        double still[N_Q] = {0}, rates[N_Q];
        memcpy(rates, r.v, sizeof rates), memcpy(r.v, still, sizeof still);
        load(&r);
        memcpy(r.v, rates, sizeof rates);
        for (int i = 0; i < BODIES; i++)
            without += mb_dot(r.wrench[i].f, moving[i].v) + mb_dot(r.wrench[i].m, moving[i].w);
        assert_true(with < without);
    }
    mb_system_free(&r.system);
}

/* A bushing and a torsion spring between two roots, and the same with a driven frame in the place of the second
 * root. */
CLAIM(elements_across_roots_are_those_within_one)
{
    for (uint64_t k = 1; k <= TRIALS; k++) {
        uint64_t seed = 91 * k;
        mb_tree one, two;
        assert_int_equal(mb_tree_open(&one, 3, NULL) + mb_tree_open(&two, 3, NULL), 0);
        const mb_joint first = mb_joint_free(random_vec(&seed, 1)), last = mb_joint_free(random_vec(&seed, 1));
        const mb_vec none = {0, 0, 0};
        mb_tree_add(&one, MB_ROOT(0), 1, none, first), mb_tree_add(&two, MB_ROOT(0), 1, none, first);
        const int frame = mb_tree_add(&one, MB_ROOT(0), 0, none, mb_joint_driven(mb_joint_free(none), 0));
        mb_tree_add(&one, frame, 1, none, last), mb_tree_add(&two, MB_ROOT(1), 1, none, last);
        double p[12], v[12], s[18];
        for (int i = 0; i < 12; i++) p[i] = bench_random(&seed), v[i] = bench_random(&seed);
        for (int i = 0; i < 18; i++) s[i] = bench_random(&seed);
        const mb_motion motion = {NULL, s, s + 6, s + 12};
        mb_state in_one[3], in_two[3];
        mb_place(&one, p, v, &motion, in_one), mb_place(&two, p, v, &motion, in_two);
        const mb_state *f = &in_one[frame];
        const mb_relation relation = {f->r, f->R, f->v, f->w};
        mb_bushing x = {.a = {0, random_vec(&seed, 1)},
                        .b = {2, random_vec(&seed, 1)},
                        .relation = -1,
                        .K = {3, 4, 5},
                        .C = {1, 2, 3},
                        .F0 = {1, 1, 1}};
        mb_torsion y = {0, 2, -1, {1, 2, 3}};
        mb_wrench on_one[3] = {{none, none}}, on_two[3] = {{none, none}};
        mb_forces forces = {.n_bushing = 1, .n_torsion = 1, .bushing = &x, .torsion = &y};
        mb_forces_add(&forces, NULL, in_one, on_one);
        x.b.body = y.b = 1, x.relation = y.relation = 0;
        mb_forces_add(&forces, &relation, in_two, on_two);
        near_vec(on_one[0].f, on_two[0].f, 1e-13), near_vec(on_one[0].m, on_two[0].m, 1e-13);
        near_vec(on_one[2].f, mb_turn(&f->R, on_two[1].f), 1e-13);
        near_vec(on_one[2].m, mb_turn(&f->R, on_two[1].m), 1e-13);
        mb_tree_close(&one), mb_tree_close(&two);
    }
}

/* Of every coordinate that is moved, only rows of its column change; and every block of the pattern is touched. */
CLAIM(nothing_depends_on_what_is_not_in_the_pattern)
{
    rig r;
    open_rig(&r, 9);
    /* without torsion and bar bodies 0 - 1, 1 - 2, 0 - 2, 1 - 3 are coupled */
    r.system.forces.n_torsion = r.system.forces.n_stabiliser = 0;
    mb_pattern_free(&r.system.mass), mb_pattern_free(&r.system.phi_p), mb_pattern_free(&r.system.phi_v),
        mb_pattern_free(&r.system.G);
    assert_int_equal(mb_system_ready(&r.system, NULL), 0);
    const mb_pattern *phi = &r.system.phi_p;
    assert_int_equal(phi->row[N_Q], 6 * 6 * (3 + 4 + 3 + 2));
    const resida_excitation e = {r.u, r.ud, r.udd};
    double a[N_Q] = {0}, before[N_Q], after[N_Q];
    assert_int_equal(mb_system_residual(0, r.p, r.v, a, &e, before, &r.system), 0);
    for (int j = 0; j < 2 * N_Q; j++) {
        double *moved = j < N_Q ? &r.p[j] : &r.v[j - N_Q];
        const double keep = *moved;
        int touched = 0;
        *moved += 0.01;
        assert_int_equal(mb_system_residual(0, r.p, r.v, a, &e, after, &r.system), 0);
        *moved = keep;
        for (int i = 0; i < N_Q; i++) {
            const int differs = fabs(after[i] - before[i]) > 0;
            assert_true(!differs || mb_pattern_find(phi, i, j % N_Q) >= 0);
            touched |= differs;
        }
        assert_true(touched);
    }
    mb_system_free(&r.system);
}

CLAIM(laws_are_smooth_where_they_say_so)
{
    const double h = 1e-5;
    for (double x = -0.2; x < 1.3; x += 0.0171) {
        bench_near((mb_ramp(x + h) - mb_ramp(x - h)) / (2 * h), mb_ramp1(x), 1e-8);
        bench_near((mb_ramp1(x + h) - mb_ramp1(x - h)) / (2 * h), mb_ramp2(x), 1e-7);
        bench_near((mb_ramp_integral(x + h) - mb_ramp_integral(x - h)) / (2 * h), mb_ramp(x), 1e-9);
        double u[3], ahead[3], behind[3];
        mb_fading_sine(x, 0.7, 2, 0.5, u), mb_fading_sine(x + h, 0.7, 2, 0.5, ahead);
        mb_fading_sine(x - h, 0.7, 2, 0.5, behind);
        bench_near((ahead[0] - behind[0]) / (2 * h), u[1], 1e-6);
        bench_near((ahead[1] - behind[1]) / (2 * h), u[2], 1e-4);
    }
    bench_near(mb_ramp(0.5), 0.5, 1e-16);
    bench_near(mb_blow_off(1e-9, 7, 0.25, 0.2) / 1e-9, 7, 1e-6);
    bench_near(mb_blow_off(11, 7, 0.25, 0.2) - mb_blow_off(10, 7, 0.25, 0.2), 0.2 * 7, 1e-12);
    bench_near(mb_stop(-1e-9, 3, 1), 0, 0);
    bench_near(mb_positive(-1e6, 10), 0, 1e-4);
    bench_near(mb_positive(1e6, 10), 1e6, 1e-4);
}

/* Forces of the stop of the lateral buffer, gap 25 mm: k e^3/(e + e0) with k = 1.6e7 N/m^2, e0 = 2 mm is 1.33, 5.8 and
 * 13.5 kN at 10, 20, 30 mm beyond the gap. */
CLAIM(the_buffer_of_the_coach_is_as_stiff_as_it_should_be)
{
    const mb_bushing x = {.gap = 0.025, .k = 1.6e7, .e0 = 0.002, .lateral = mb_lateral_stop};
    bench_near(mb_lateral_stop(&x, 0.020, 9), 0, 0);
    bench_near(mb_lateral_stop(&x, 0.035, 0), 1.33e3, 10);
    bench_near(mb_lateral_stop(&x, 0.045, 0), 5.8e3, 50);
    bench_near(mb_lateral_stop(&x, -0.055, 0), -13.5e3, 50);
}

/* A body of 2 kg below a spring of so much stiffness, free to move down and to turn. */
static void hang(mb_system *s, resida_mechanism *m, double k)
{
    const mb_vec none = {0, 0, 0};
    const mb_axial spring = {{0, {0, 0, 0}}, {1, {0, 0, 0}}, .L0 = 1, .k = k, .tension = mb_link_tension};
    *s = (mb_system){.move = mb_system_at_rest};
    s->forces = (mb_forces){.n_axial = 1, .axial = bench_alloc(1, sizeof spring, NULL)};
    s->forces.axial[0] = spring;
    assert_int_equal(mb_tree_open(&s->tree, 2, NULL), 0);
    mb_tree_add(&s->tree, MB_ROOT(0), 0, none, mb_joint_fixed(none));
    mb_joint down = mb_joint_fixed((mb_vec){0, 0, -1});
    down.mode[MB_Z] = down.mode[MB_PSI] = MB_FREE;
    const int body = mb_tree_add(&s->tree, 0, 2, (mb_vec){1, 1, 1}, down);
    assert_int_equal(mb_system_ready(s, NULL), 0);
    assert_int_equal(mb_coordinate(&s->tree, body, MB_PSI), 1);
    resida_mechanism_init(m);
    mb_system_mechanism(s, m);
}

/* By m g/k; the turn that nothing holds stays as it is. */
CLAIM(a_hanging_body_sinks_by_its_weight)
{
    mb_system s;
    resida_mechanism m;
    double p[2] = {0, 0.3};
    hang(&s, &m, 981);
    settle_under(&m, NULL, 1, p, NULL);
    bench_near(p[0], -0.02, 1e-15);
    bench_near(p[1], 0.3, 0);
    bench_near(link_at(&s.forces.axial[0], 0.02, 0), 2 * 9.81, 1e-13);
    mb_system_free(&s);
}

CLAIM(an_unsupported_body_has_no_equilibrium)
{
    mb_system s;
    resida_mechanism m;
    resida_message why = {""};
    double p[2] = {0, 0.3}, v[2] = {0, 0};
    hang(&s, &m, 0);
    assert_int_equal(bench_settle(&m, 0, 0, p, v, NULL, &why), 1);
    assert_non_null(strstr(why.text, "no equilibrium"));
    bench_near(p[0], 0, 0);
    mb_system_free(&s);
}
