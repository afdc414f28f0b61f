/* test_free_bodies.c - bodies in maximal coordinates (benchmarks/multibody/system/free_body.h), and the flyball
 * governor made of them.
 *
 * Central differences over s = 1e-5 of functions that vary over lengths of 1 err by s^2/6 and by eps/s, 2e-11; of
 * second derivatives over s = 1e-3 by s^2/12 and 4 eps/s^2. A factor 100 is for sums, and for velocities of order
 * one. */
#include "test/fixtures/bench_fixture.h"
#include "benchmarks/multibody/system/free_body.h"
#include "test/fixtures/run_model.h"

#define S1     1e-5
#define FIRST  2e-9
#define S2     1e-3
#define SECOND 1e-4

enum { N = 3, N_U = 2, STATES = 20, ROWS = 18 };

/* Every kind of link, with space, between bodies, in both orders, and driven. */
static const fb_body bodies[N] = {{2, {1, 2, 2.5}}, {0.5, {0.3, 0.4, 0.5}}, {1, {2, 1, 2}}};
static const fb_link links[] = {
    {FB_MEET, FB_SPACE, 0, .point_i = {1, 2, 3}, .point_j = {0.1, -0.2, 0.3}},
    {FB_MEET, 2, 1, .point_i = {0.3, 0.2, 0.1}, .point_j = {-0.5, 0.4, 0}},
    {FB_SQUARE, FB_SPACE, 2, .axis_i = {1, 0, 0}, .axis_j = {0.6, 0.8, 0}},
    {FB_SQUARE, 1, FB_SPACE, .axis_i = {0, 1, 0}, .axis_j = {0.6, 0, 0.8}},
    {FB_SQUARE, 1, 0, .axis_i = {0, 0, 1}, .axis_j = {0.6, 0.8, 0}},
    {FB_LEVEL, FB_SPACE, 1, .point_i = {1, 0, 0}, .axis_i = {0, 1, 0}, .point_j = {0.2, 0.3, 0.4}},
    {FB_LEVEL, 0, FB_SPACE, .point_i = {1, 0, 0}, .axis_i = {0, 1, 0}, .point_j = {0.2, 0.3, 0.4}},
    {FB_LEVEL, 2, 0, .point_i = {0.1, 0.2, 0}, .axis_i = {0.6, 0, 0.8}, .point_j = {0.2, 0.3, 0.4}},
    {FB_ROD, 1, 2, .point_i = {1, 0.2, 0}, .point_j = {-0.2, 0.3, 0.4}, .length = 0.7},
    {FB_ROD, 0, FB_SPACE, .point_j = {3, 0.3, 0.4}, .length = 1.2, .drive = 2, .travel = {0.3, -1, 0.4}},
    {FB_MEET, 2, 0, .point_j = {0.2, 0.3, 0.1}, .drive = 1, .travel = {0, 0.5, 1}},
    {FB_LEVEL, 1, 2, .axis_i = {0, 0, 1}, .point_j = {0.2, 0.1, 0.4}, .drive = 2, .travel = {1, 0.2, 0.3}},
};
enum { N_LINKS = sizeof links / sizeof *links };

typedef struct world {
    fb_system s;
    resida_mechanism m;
    uint64_t seed;
    double p[FB_P * N], v[FB_V * N];
    double u0[N_U], ud0[N_U], udd[N_U]; /* u = u0 + ud0 s + udd s^2/2 */
    double u[N_U], ud[N_U];
    resida_excitation e;
} world;

/* The excitation at time s. */
static const resida_excitation *at(world *w, double s)
{
    for (int i = 0; i < N_U; i++) {
        w->u[i] = w->u0[i] + s * (w->ud0[i] + s * w->udd[i] / 2);
        w->ud[i] = w->ud0[i] + s * w->udd[i];
    }
    w->e = (resida_excitation){w->u, w->ud, w->udd};
    return &w->e;
}

static void open_world(world *w)
{
    resida_message why = {""};
    memset(w, 0, sizeof *w);
    w->s = (fb_system){.n_body = N, .n_link = N_LINKS, .body = bodies, .link = links, .gravity = {1, 2, 3}};
    w->seed = 11;
    resida_mechanism_init(&w->m);
    if (fb_open(&w->s, &w->m, &why)) fail_msg("%s", why.text);
    assert_true(w->m.n_g <= ROWS);
}

/* Euler parameters of any length. */
static void move_world(world *w)
{
    for (int i = 0; i < FB_P * N; i++) w->p[i] = bench_random(&w->seed);
    for (int i = 0; i < FB_V * N; i++) w->v[i] = bench_random(&w->seed);
    for (int i = 0; i < N_U; i++)
        w->u0[i] = bench_random(&w->seed), w->ud0[i] = bench_random(&w->seed), w->udd[i] = bench_random(&w->seed);
    for (int i = 0; i < N; i++) w->p[FB_P * i + 3] += w->p[FB_P * i + 3] > 0 ? 0.5 : -0.5;
}

/* g after a time s of steady motion: each body turns about an axis of its own that is fixed. */
static void g_after(world *w, double s, double *g)
{
    double p[FB_P * N];
    for (int i = 0; i < N; i++) {
        const double *q = w->p + FB_P * i, *v = w->v + FB_V * i;
        const double size = sqrt(v[3] * v[3] + v[4] * v[4] + v[5] * v[5]), half = size * s / 2, f = sin(half) / size;
        const double turn[4] = {cos(half), f * v[3], f * v[4], f * v[5]};
        for (int k = 0; k < 3; k++) p[FB_P * i + k] = q[k] + s * v[k];
        fb_turn(q + 3, turn, p + FB_P * i + 3);
    }
    assert_int_equal(w->m.constraint(0, p, at(w, s), g, w->m.user), 0);
}

/* (dg/dp) x */
static void times_matrix(world *w, const double *x, double *y)
{
    double G[2 * FB_P * ROWS];
    assert_int_equal(w->m.constraint_matrix(0, w->p, at(w, 0), G, w->m.user), 0);
    for (int i = 0; i < w->m.n_g; i++) {
        y[i] = 0;
        for (int k = w->m.G_pattern.row[i]; k < w->m.G_pattern.row[i + 1]; k++) y[i] += G[k] * x[w->m.G_pattern.col[k]];
    }
}

static void times_T(world *w, double *pd)
{
    double T[15 * N];
    assert_int_equal(w->m.kinematic_matrix(0, w->p, NULL, T, w->m.user), 0);
    for (int i = 0; i < w->m.n_p; i++) {
        pd[i] = 0;
        for (int k = w->m.T_pattern.row[i]; k < w->m.T_pattern.row[i + 1]; k++)
            pd[i] += T[k] * w->v[w->m.T_pattern.col[k]];
    }
}

/* Both derivatives along the exact motion of bodies whose velocities do not change. */
CLAIM(rows_and_biases_are_those_of_steady_motion)
{
    world w;
    open_world(&w);
    for (int k = 0; k < STATES; k++) {
        double pd[FB_P * N], rate[ROWS], drift[ROWS], bias[ROWS], ahead[ROWS], behind[ROWS], here[ROWS];
        move_world(&w);
        times_T(&w, pd);
        times_matrix(&w, pd, rate);
        assert_int_equal(w.m.velocity_bias(0, w.p, at(&w, 0), drift, w.m.user), 0);
        g_after(&w, S1, ahead), g_after(&w, -S1, behind);
        for (int i = 0; i < w.m.n_g; i++) bench_near(rate[i] + drift[i], (ahead[i] - behind[i]) / (2 * S1), FIRST);
        assert_int_equal(w.m.acceleration_bias(0, w.p, w.v, at(&w, 0), bias, w.m.user), 0);
        g_after(&w, S2, ahead), g_after(&w, -S2, behind), g_after(&w, 0, here);
        for (int i = 0; i < w.m.n_g; i++) bench_near(bias[i], (ahead[i] - 2 * here[i] + behind[i]) / (S2 * S2), SECOND);
    }
    fb_close(&w.s);
}

/* Forces act between the bodies of the governor alone, so that a jump of its table would show as one of these. */
CLAIM(references_of_the_governor_are_consistent)
{
    bench *b = bench_make("flyball", NULL);
    double p[28], v[24], g[20], rate[20];
    for (int k = 0; k <= 20; k++) {
        assert_int_equal(b->model.reference(&b->model, 0.5 * k, p, v, NULL), 0);
        bench_at(b, 0.5 * k);
        bench_g(b, p, g);
        for (int i = 0; i < 20; i++) bench_near(g[i], 0, 1e-14);
        double G[20 * 28], pd[28];
        bench_G(b, p, G);
        double T[15 * 4];
        assert_int_equal(b->m->kinematic_matrix(0, p, &b->e, T, b->m->user), 0);
        for (int i = 0; i < 28; i++) {
            pd[i] = 0;
            for (int e = b->m->T_pattern.row[i]; e < b->m->T_pattern.row[i + 1]; e++)
                pd[i] += T[e] * v[b->m->T_pattern.col[e]];
        }
        for (int i = 0; i < 20; i++) {
            rate[i] = 0;
            for (int c = 0; c < 28; c++) rate[i] += G[28 * i + c] * pd[c];
            bench_near(rate[i], 0, 1e-13);
        }
    }
}

/* Errors of a run at 1e-9 are below 1e-6 at one second, where the slider has gone up and down once. */
CLAIM(the_governor_meets_its_reference)
{
    run_result r = run_model((run_order){.model = "flyball", .rtol = 1e-9, .atol = 1e-9, .t_end = 1});
    if (r.status < 0) fail_msg("%s", r.message);
    bench_near(r.error_p, 0, 1e-6);
    bench_near(r.error_v, 0, 1e-5);
}

/* Without repairs, which leave few evaluations. The stiff springs of the governor turn: what changes little of their
 * rows is much of what is left of J without them. An evaluation that left too much out is made whole at once; one in
 * five at the most. */
CLAIM(evaluations_leave_out_columns_with_small_changes)
{
    for (int k = 3; k <= 6; k++) {
        const double tolerance = pow(10, -k);
        run_result r = run_model(
            (run_order){.model = "flyball", .rtol = tolerance, .atol = tolerance, .t_end = 4, .no_repair = 1});
        if (r.status < 0) fail_msg("%s", r.message);
        long partial = r.stats.jacobian_evaluations.partial, whole = r.stats.jacobian_evaluations.coloured - partial;
        if (!(partial > 10 && 5 * whole <= partial)) fail_msg("at %g: %ld of %ld", tolerance, whole, partial);
    }
}
