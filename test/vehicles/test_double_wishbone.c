/* test_double_wishbone.c - the axle with double wishbones, on joints and on bushings: its forces, what it
 * gives of its constraints, its events. Links and matrices of free bodies are the matter of test_free_bodies.c, its
 * start, patterns and derivatives that of test_command_check_models.c. */
#include "benchmarks/models/vehicles/wishbone.h"
#include "ride.h"
#include "test/fixtures/solver_fixture.h"

enum { N_P = FB_P * WB_MAX_BODIES, N_V = FB_V * WB_MAX_BODIES, N_G = 68, N_ROOT = 2 * WB_MAX_WHEELS };

static const bench_setting axle[] = {{NULL, 0}}, car[] = {{"axles", 2}, {NULL, 0}};
static const bench_setting *const both[] = {axle, car};

/* Both models, each as an axle and as a car, with their unknowns of the stabilised index-2 form: p, v, lam and eta. */
static const struct variant {
    const char *name;
    const bench_setting *settings;
    int unknowns;
} variants[] = {{"double-wishbone", axle, 167},
                {"double-wishbone", car, 305},
                {"bushing-axle", axle, 127},
                {"bushing-axle", car, 225}};
enum { N_VARIANTS = sizeof variants / sizeof variants[0] };

CLAIM(bushings_remove_five_constraints_of_each_wishbone)
{
    for (int i = 0; i < N_VARIANTS; i++) {
        bench *b = bench_make(variants[i].name, variants[i].settings);
        assert_int_equal(b->m->n_p + b->m->n_v + 2 * b->m->n_g, variants[i].unknowns);
    }
}

/* |q| = 1 of each body. */
static void expect_unit_quaternions(const bench *b, const double *p, double tolerance)
{
    for (int i = 0; i < b->m->n_p; i += FB_P) {
        const double *q = p + i + 3;
        bench_near(sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), 1, tolerance);
    }
}

static void keep_height(const resida_state *state, void *context)
{
    *(double *)context = state->p[2];
}

/* On an even road, with the rack at rest, it settles within a millimetre of where it begins. */
CLAIM(the_design_is_where_it_stands)
{
    static const bench_setting still[] = {{"step", 0}, {"waves", 0}, {"A", 0}, {NULL, 0}};
    for (int i = 0; i < N_VARIANTS; i += 2) {
        double height = 0;
        bench *b = bench_make(variants[i].name, still);
        ride(b, (ride_order){.t_end = 5, .outputs = 1}, keep_height, &height);
        bench_near(height, b->model.p0[2], 1e-3);
    }
}

/* The tyres stand on the road with the weight; M is that of the bodies in space. */
CLAIM(outputs_are_loads_travels_and_the_energy_of_motion)
{
    for (int i = 0; i < N_VARIANTS; i += 2) {
        double out[9], lam[90] = {0}, v[90], kinetic = 0, load = 0;
        uint64_t seed = 3;
        bench *b =
            bench_make(variants[i].name, (const bench_setting[]){{"step", 0}, {"waves", 0}, {"A", 0}, {NULL, 0}});
        const int n = b->m->n_v, wheels = (b->model.n_outputs - 1) / 2;
        double *M = bench_doubles(n * n);
        assert_true(n <= 90 && b->m->n_g <= 90 && (wheels == 2 || wheels == 4));
        for (int k = 0; k < n; k++) v[k] = 0.1 * bench_random(&seed);
        bench_at(b, 1);
        bench_mass(b, b->model.p0, M);
        for (int k = 0; k < n * n; k++) kinetic += v[k / n] * M[k] * v[k % n] / 2;
        const resida_model_point point = {.t = 1, .p = b->model.p0, .v = v, .lam = lam};
        assert_int_equal(resida_model_output(&b->model, &point, out), 0);
        bench_near(out[2 * wheels], kinetic, 1e-12 * kinetic);
        const resida_model_point still = {.t = 1, .p = b->model.p0, .v = b->model.v0, .lam = lam};
        assert_int_equal(resida_model_output(&b->model, &still, out), 0);
        for (int w = 0; w < wheels; w++) {
            bench_near(out[wheels + w], 0, 1e-12); /* struts as long as in the design */
            load += out[w];
        }
        bench_near(load / wheels, 2.1e5 * 0.02, 10); /* tyres of 0.33 m, 0.31 m above the road */
    }
}

/* Random states around the start, at a random time. */
static void move(bench *b, uint64_t *seed, double *p, double *v)
{
    bench_at(b, 1 + bench_random(seed));
    for (int i = 0; i < b->m->n_p; i++) p[i] = b->model.p0[i] + 0.02 * bench_random(seed);
    for (int i = 0; i < b->m->n_v; i++) v[i] = bench_random(seed);
}

/* High above the road and without a turn, the sum of what acts is the weight, and so is the sum of its moments: what
 * is between bodies has no sum. A tyre that is 5 m up still pushes with 15^2/(4 x 1e6) N, by its rounded lift. */
CLAIM(forces_between_bodies_are_equal_and_opposite)
{
    for (int i = 0; i < N_VARIANTS; i++) {
        double p[N_P], v[N_V], r[N_V], none[N_V] = {0};
        uint64_t seed = 3;
        bench *b = bench_make(variants[i].name, variants[i].settings);
        const wb_vehicle *c = b->model.user;
        move(b, &seed, p, v);
        for (int k = 0; k < b->m->n_v; k += FB_V) v[k + 3] = v[k + 4] = v[k + 5] = 0;
        for (int k = 0; k < b->m->n_p; k += FB_P) p[k + 2] += 5;
        p[0] = b->model.p0[0], v[0] = 0; /* nothing keeps the speed */
        bench_residual(b, p, v, none, r);
        mb_vec force = {0, 0, 0}, moment = {0, 0, 0};
        fb_pose pose[FB_MAX];
        fb_place(&c->system, p, v, pose);
        for (int k = 0; k < c->system.n_body; k++) {
            const double *psi = r + FB_V * k; /* and its sign */
            const mb_vec f = {-psi[0], -psi[1], -psi[2] + 9.81 * c->body[k].mass}, m = {-psi[3], -psi[4], -psi[5]};
            force = mb_add(force, f);
            moment = mb_add(moment, mb_add(mb_turn(&pose[k].R, m), mb_cross(pose[k].r, f)));
        }
        bench_near(mb_norm(force), 0, 1e-3);
        bench_near(mb_norm(moment), 0, 1e-2);
    }
}

static void bench_open_given(bench *b, double given, double axles)
{
    const bench_setting settings[] = {{"given", given}, {"axles", axles}, {NULL, 0}};
    bench_open(b, "double-wishbone", settings);
}

/* 0: g alone; 1: dg/dp, full; 2: patterns; and the same values. */
CLAIM(the_setting_given_selects_callbacks_and_changes_no_value)
{
    double p[N_P], v[N_V], g[3][N_G], r[3][N_V], none[N_V] = {0}, pd[3][N_P], G[2][N_G * N_P];
    for (int given = 0; given <= 2; given++) {
        bench b;
        uint64_t seed = 7;
        bench_open_given(&b, given, 2);
        move(&b, &seed, p, v);
        assert_int_equal(b.m->constraint_matrix != NULL, given > 0);
        assert_int_equal(b.m->G_pattern.row && b.m->T_pattern.row && b.m->M_pattern.row, given > 1);
        assert_int_equal(b.m->velocity_bias && b.m->acceleration_bias && b.m->mass_matrix, given > 1);
        bench_g(&b, p, g[given]);
        bench_residual(&b, p, v, none, r[given]);
        bench_along_v(&b, p, v, pd[given]);
        if (given > 0) bench_G(&b, p, G[given - 1]);
    }
    for (int given = 0; given < 2; given++) {
        assert_memory_equal(g[given], g[2], sizeof g[2]);
        assert_memory_equal(r[given], r[2], sizeof r[2]);
        assert_memory_equal(pd[given], pd[2], sizeof pd[2]);
    }
    assert_memory_equal(G[0], G[1], sizeof G[1]);
}

typedef struct record {
    const bench *b;
    double end[N_P], off; /* p at the end; the largest | |q| - 1 | */
} record;

static void watch(const resida_state *s, void *context)
{
    record *r = context;
    memcpy(r->end, s->p, (size_t)r->b->m->n_p * sizeof *s->p);
    expect_unit_quaternions(r->b, s->p, r->off);
}

/* At tolerances of 1e-7, over the step of the road: errors of p are a few ten times that, and three runs differ by two
 * of them. What keeps |q| is the kinematic equation alone. */
CLAIM(trajectories_are_the_same_whatever_is_given)
{
    record r[3];
    for (int given = 0; given <= 2; given++) {
        bench b;
        bench_open_given(&b, given, 1);
        r[given] = (record){.b = &b, .off = 1e-6};
        ride(&b, (ride_order){.rtol = 1e-7, .atol = 1e-7, .t_end = 1.2, .outputs = 20}, watch, &r[given]);
    }
    for (int given = 0; given < 2; given++) bench_all_near(FB_P * 7, r[given].end, r[2].end, 5e-6);
}

CLAIM(the_rack_moves_the_front_wheels_alone)
{
    for (int i = 0; i < 2; i++) {
        double rate[N_G];
        int moved = 0;
        bench *b = bench_make("double-wishbone", both[i]);
        bench_at(b, 0.4);
        assert_int_equal(b->m->velocity_bias(0.4, b->model.p0, &b->e, rate, b->m->user), 0);
        for (int k = 0; k < b->m->n_g; k++) moved += fabs(rate[k]) > 1e-6;
        assert_int_equal(moved, WB_SIDES);
    }
}

/* All events of a run to t_end, each with a strut that is at a stop. @return their number */
static int meet_stops(bench *b, double t_end)
{
    resida_state now;
    int direction[N_ROOT], events = 0;
    const wb_vehicle *c = b->model.user;
    resida_solver *solver = test_solver(b->m, NULL, NULL);
    if (resida_solver_start(solver, 0, b->model.p0, b->model.v0, NULL, NULL) < 0)
        fail_msg("%s", resida_solver_message(solver));
    for (resida_status s = RESIDA_EVENT; (s = resida_solver_advance(solver, t_end)) == RESIDA_EVENT; events++) {
        now = test_state(solver);
        assert_int_equal(resida_solver_event(solver, direction), RESIDA_OK);
        fb_pose pose[FB_MAX];
        fb_place(&c->system, now.p, NULL, pose);
        for (int i = 0; i < b->m->n_root; i++)
            if (direction[i] != 0) bench_near(wb_compression(c, pose, i / 2), i % 2 ? -WB_REBOUND : 0.025, 1e-8);
    }
    return events;
}

/* Stops that are far away are not met. */
CLAIM(struts_that_meet_their_stops_are_events)
{
    static const bench_setting far[] = {{"bump", 1}, {"step", 0}, {"waves", 0}, {"A", 0}, {NULL, 0}};
    bench b;
    bench_open(&b, "double-wishbone", axle);
    assert_in_range(meet_stops(&b, 1.5), 6, 60);
    bench_open(&b, "double-wishbone", far);
    assert_int_equal(meet_stops(&b, 0.5), 0);
}

/* g stays below the tolerance, 1e-6, also of the car. */
CLAIM(constraints_hold)
{
    for (int i = 0; i < N_VARIANTS; i++) {
        bench b;
        record r = {.b = &b, .off = 1e-4};
        double g[N_G];
        bench_open(&b, variants[i].name, variants[i].settings);
        ride(&b, (ride_order){.t_end = 1.5, .outputs = 30}, watch, &r);
        bench_at(&b, 1.5);
        bench_g(&b, r.end, g);
        for (int k = 0; k < b.m->n_g; k++) bench_near(g[k], 0, b.model.atol);
    }
}
