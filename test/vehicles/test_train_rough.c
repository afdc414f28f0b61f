/* test_train_rough.c - the train on a rough line (case 3), with dampers that stick and rails that are irregular; and
 * the one that keeps no contacts (recall = 0). */
#include "benchmarks/models/vehicles/train/train_model.h"
#include "ride.h"

enum { N = TRAIN_COORDINATES, N_G = TRAIN_WHEELS, ROUGH = 3 };
enum { CAR_Y, WHEELSET = 11, FRAMES = TRAIN_U * TRAIN_BODIES }; /* excitations of the frames come first */

static const bench_setting rough[] = {{"case", ROUGH}, {NULL, 0}};
static const int first_of[TRAIN_WHEELSETS] = {WHEELSET, WHEELSET + 6, WHEELSET + 18, WHEELSET + 24};

/** States of a run, all of its bits. */
typedef struct trail {
    int n;
    double p[32][N], v[32][N];
} trail;

static void keep(const resida_state *s, void *context)
{
    trail *r = context;
    memcpy(r->p[r->n], s->p, sizeof r->p[0]);
    memcpy(r->v[r->n++], s->v, sizeof r->v[0]);
}

static resida_stats run(double which, double recall, double t_end, trail *r)
{
    const bench_setting settings[] = {{"case", which}, {"recall", recall}, {NULL, 0}};
    bench *b = bench_make("train", settings);
    assert_int_equal(((const train *)b->model.user)->recall != NULL, recall > 0);
    r->n = 0;
    const resida_stats stats = ride(b, (ride_order){.t_end = t_end, .outputs = 20}, keep, r);
    return stats;
}

CLAIM(without_recall_the_train_moves_bit_by_bit_as_with_it)
{
    static trail with, without;
    for (int which = 1; which <= ROUGH; which += ROUGH - 1) {
        const resida_stats a = run(which, 1, 2, &with), b = run(which, 0, 2, &without);
        assert_memory_equal(&with, &without, sizeof with);
        assert_int_equal(a.residual_calls.total, b.residual_calls.total);
    }
}

/* Waves of 1.6 m on, and friction that turns round. 5 s: failures on an even line are few, 17 to 21 there, as rounding
 * will have it. */
CLAIM(a_rough_line_takes_many_more_steps)
{
    static trail r;
    const resida_stats even = run(1, 1, 5, &r), uneven = run(ROUGH, 1, 5, &r);
    assert_true(uneven.steps > 5 * even.steps);
    assert_true(uneven.error_test_fails > 5 * even.error_test_fails);
}

CLAIM(rails_are_in_their_place_at_the_start)
{
    bench *b = bench_make("train", rough);
    bench_at(b, 0);
    for (int i = FRAMES; i < b->m->n_u; i++) bench_near(fabs(b->u[i]) + fabs(b->ud[i]) + fabs(b->udd[i]), 0, 0);
    bench_at(b, 3);
    for (int i = FRAMES; i < b->m->n_u; i++) assert_true(fabs(b->u[i]) > 1e-6 && fabs(b->u[i]) < 8e-3);
}

/* Random states near the equilibrium. */
static void move(const bench *b, uint64_t *seed, double *p, double *v)
{
    for (int i = 0; i < N; i++) {
        p[i] = b->model.p0[i] + 5e-4 * bench_random(seed);
        v[i] = 5e-3 * bench_random(seed);
    }
}

/* Rails that lie 2 mm aside and 1 mm too high are for wheelsets what even ones are 2 mm and 1 mm from there. */
CLAIM(a_wheelset_meets_the_rail_where_it_is)
{
    uint64_t seed = 17;
    bench b, even;
    double p[N], v[N], moved[N], g[N_G], expected[N_G], G[N_G * N], expected_G[N_G * N];
    bench_open(&b, "train", rough), bench_open(&even, "train", NULL);
    bench_at(&b, 3), bench_at(&even, 3);
    for (int w = 0; w < TRAIN_WHEELSETS; w++) {
        double *rail = b.u + FRAMES + TRAIN_IRREGULAR * w;
        rail[TRAIN_ASIDE] = 2e-3, rail[TRAIN_HIGH] = rail[TRAIN_HIGH + 1] = 1e-3;
    }
    move(&b, &seed, p, v);
    memcpy(moved, p, sizeof p);
    for (int w = 0; w < TRAIN_WHEELSETS; w++) moved[first_of[w] + MB_Y] -= 2e-3, moved[first_of[w] + MB_Z] -= 1e-3;
    bench_g(&b, p, g), bench_g(&even, moved, expected);
    bench_G(&b, p, G), bench_G(&even, moved, expected_G);
    bench_all_near(N_G, g, expected, 1e-15);
    bench_all_near(N_G * N, G, expected_G, 1e-11); /* second derivatives reach 1e4/m: 1e4 eps */
}

/* On a car that moves aside: 4 kN at each of its four springs, F tanh(v/(2 mm/s)), and nothing besides. */
CLAIM(dampers_stick)
{
    double v[N] = {0}, a[N] = {0}, lam[N_G] = {0}, still[N], r[N];
    bench *b = bench_make("train", rough);
    bench_at(b, 0);
    const double *p = b->model.p0;
    assert_int_equal(b->m->residual_lam(0, p, v, a, lam, &b->e, still, b->m->user), 0);
    for (double speed = 2e-4; speed < 0.1; speed *= 3) {
        v[CAR_Y] = speed;
        assert_int_equal(b->m->residual_lam(0, p, v, a, lam, &b->e, r, b->m->user), 0);
        bench_near(r[CAR_Y] - still[CAR_Y], 4 * 4000 * tanh(speed / 2e-3), 1e-2);
    }
}
